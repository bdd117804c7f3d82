/* SPDX-License-Identifier: Apache-2.0 */
/* Deduced, configured, published: the verdicts and the three ways to write them. */
#include "studies/micro/plots/table.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static micro_row_t row(micro_rule_t rule, double within, double a, double b) {
  return (micro_row_t){
      .rule = rule, .within = within, .deduced = micro_number(a), .configured = micro_number(b)};
}

START_TEST(verdicts) {
  static const struct {
    micro_rule_t rule;
    double within, a, b;
    micro_verdict_t verdict;
  } c[] = {{MICRO_EXACT, 0, 128, 128, MICRO_EQUAL},
           {MICRO_EXACT, 0, 128, 129, MICRO_DIFFERS},
           {MICRO_EXACT, 5, 128, 129, MICRO_DIFFERS},
           {MICRO_LATENCY, 0, 38, 40, MICRO_IS_WITHIN},
           {MICRO_LATENCY, 0, 37, 40, MICRO_DIFFERS},
           {MICRO_LATENCY, 0, 660, 647.1, MICRO_IS_WITHIN},
           {MICRO_LATENCY, 0, 661, 647.1, MICRO_DIFFERS},
           {MICRO_LATENCY, 0, 40, 40, MICRO_EQUAL},
           {MICRO_WITHIN, 2, 130, 128, MICRO_IS_WITHIN},
           {MICRO_WITHIN, 2, 126, 128, MICRO_IS_WITHIN},
           {MICRO_WITHIN, 2, 131, 128, MICRO_DIFFERS},
           {MICRO_LATENCY, 0, NAN, 40, MICRO_DIFFERS}};
  for (unsigned i = 0; i < sizeof c / sizeof *c; i++) {
    micro_row_t r = row(c[i].rule, c[i].within, c[i].a, c[i].b);
    ck_assert_msg(micro_deduction(&r) == c[i].verdict, "case %u: %s", i, micro_deduction_word(&r));
    ck_assert_str_eq(micro_publication_word(&r), "not published");
  }
  micro_row_t r = {.deduced = micro_words("LRU"), .configured = micro_words("L%s", "RU")};
  r.published = micro_words("FIFO");
  ck_assert_str_eq(micro_deduction_word(&r), "equal");
  ck_assert_str_eq(micro_publication_word(&r), "differs");
  r.deduced = micro_none();
  ck_assert_str_eq(micro_deduction_word(&r), "differs"); /* it should have been found */
  r.deduced = micro_number(3);
  ck_assert_str_eq(micro_deduction_word(&r), "differs");
  r.configured = micro_none();
  ck_assert_str_eq(micro_deduction_word(&r), "not configured");
}
END_TEST

static micro_table_t sample(void) {
  micro_table_t t = {0};
  micro_table_add(&t, &(micro_row_t){.what = "MSHRs",
                                     .unit = "lines",
                                     .from = "jumps",
                                     .origin = MICRO_OF_KEYS,
                                     .deduced = micro_number(128),
                                     .configured = micro_number(128),
                                     .published = micro_number(128)});
  micro_table_add(&t, &(micro_row_t){.what = "hit",
                                     .unit = "cycles",
                                     .note = "a | b",
                                     .rule = MICRO_LATENCY,
                                     .deduced = micro_number(117.5),
                                     .configured = micro_number(116)});
  micro_table_add(&t, &(micro_row_t){.what = "kind",
                                     .origin = MICRO_OF_TABLE,
                                     .configured = micro_words("PRT"),
                                     .published = micro_words("PRT")});
  return t;
}

/* Bounds that hold the number are right; what is not decided is neither right nor wrong. */
START_TEST(bounds) {
  static const double inf = (double)INFINITY;
  const struct {
    micro_value_t deduced;
    double configured;
    micro_verdict_t verdict;
    const char *sure, *text;
  } c[] = {{micro_range(126, 130), 126, MICRO_IS_WITHIN, "interval", "126 to 130"},
           {micro_range(126, 130), 125, MICRO_DIFFERS, "interval", "126 to 130"},
           {micro_range(126, 130), 131, MICRO_DIFFERS, "interval", "126 to 130"},
           {micro_range(128, 128), 128, MICRO_EQUAL, "exact", "128"},
           {micro_range(130, 126), 128, MICRO_OPEN, "not decided", "not decided"},
           {micro_at_least(64), 65, MICRO_IS_WITHIN, "at least", "at least 64"},
           {micro_at_least(64), 63, MICRO_DIFFERS, "at least", "at least 64"},
           {micro_range(64, inf), 1e9, MICRO_IS_WITHIN, "at least", "at least 64"},
           {micro_at_most(0.5), 0, MICRO_IS_WITHIN, "at most", "at most 0.5"},
           {micro_at_most(0.5), 1, MICRO_DIFFERS, "at most", "at most 0.5"},
           {micro_undecided(), 7, MICRO_OPEN, "not decided", "not decided"},
           {micro_none(), 7, MICRO_DIFFERS, "none", "none"}};
  for (unsigned i = 0; i < sizeof c / sizeof *c; i++) {
    const micro_row_t r = {.deduced = c[i].deduced, .configured = micro_number(c[i].configured)};
    char text[MICRO_TABLE_TEXT];
    micro_value_text(&r.deduced, text);
    ck_assert_msg(micro_deduction(&r) == c[i].verdict, "%u: %d", i, (int)micro_deduction(&r));
    ck_assert_str_eq(micro_sure_word(&r), c[i].sure);
    ck_assert_str_eq(text, c[i].text);
  }
  /* What nobody configured is not compared; words are not within bounds. */
  micro_row_t r = {.deduced = micro_undecided()};
  ck_assert_int_eq(micro_deduction(&r), MICRO_NOT_KNOWN);
  r = (micro_row_t){.deduced = micro_at_least(1), .configured = micro_words("PRT")};
  ck_assert_int_eq(micro_deduction(&r), MICRO_DIFFERS);
}
END_TEST

static void ck_written(int (*write)(const micro_table_t *, FILE *, mrpb_err_t *),
                       const char *want) {
  micro_table_t t = sample();
  mrpb_err_t err = {{0}};
  char *text;
  size_t n;
  FILE *f = open_memstream(&text, &n);
  ck_assert_ptr_nonnull(f);
  ck_assert_int_eq(write(&t, f, &err), 0);
  fclose(f);
  ck_assert_str_eq(text, want);
  free(text);
  t.failed = true;
  ck_assert_int_eq(write(&t, stderr, &err), -1);
  ck_assert_str_eq(err.text, "table of results: out of memory after 3 rows");
  micro_table_free(&t);
}

START_TEST(text) {
  ck_written(micro_table_text,
             "what   unit    deduced  configured  deduction  published  publication    origin   "
             "from   note\n"
             "MSHRs  lines       128         128  equal            128  equal          key      "
             "jumps\n"
             "hit    cycles    117.5         116  within     -          not published  emerges   "
             "      a | b\n"
             "kind           none     PRT         differs    PRT        differs        table\n");
}
END_TEST

START_TEST(markdown) {
  ck_written(
      micro_table_markdown,
      "| what | unit | deduced | configured | deduction | published | publication | origin | "
      "from | note |\n"
      "| --- | --- | ---: | ---: | --- | ---: | --- | --- | --- | --- |\n"
      "| MSHRs | lines | 128 | 128 | equal | 128 | equal | key | jumps |  |\n"
      "| hit | cycles | 117.5 | 116 | within | - | not published | emerges |  | a \\| b |\n"
      "| kind |  | none | PRT | differs | PRT | differs | table |  |  |\n");
}
END_TEST

START_TEST(json) {
  micro_table_t t = sample();
  ck_assert_uint_eq(micro_table_failures(&t), 1);
  json_t *all = micro_table_json(&t);
  char *got = json_dumps(json_array_get(all, 1), JSON_COMPACT | JSON_SORT_KEYS);
  ck_assert_str_eq(got, "{\"configured\":116,\"deduced\":117.5,\"deduction\":\"within\","
                        "\"from\":\"\",\"note\":\"a | b\",\"origin\":\"emerges\","
                        "\"publication\":\"not published\",\"published\":null,"
                        "\"sure\":\"measured\",\"unit\":\"cycles\",\"what\":\"hit\"}");
  ck_assert_uint_eq(json_array_size(all), 3);
  ck_assert(json_is_null(json_object_get(json_array_get(all, 2), "deduced")));
  free(got);
  json_decref(all);
  t.failed = true;
  ck_assert_ptr_null(micro_table_json(&t));
  micro_table_free(&t);
}
END_TEST

Suite *test_micro_table_suite(void);

Suite *test_micro_table_suite(void) {
  Suite *s = suite_create("micro_table");
  TCase *t = tcase_create("table");
  tcase_add_test(t, verdicts);
  tcase_add_test(t, bounds);
  tcase_add_test(t, text);
  tcase_add_test(t, markdown);
  tcase_add_test(t, json);
  suite_add_tcase(s, t);
  return s;
}
