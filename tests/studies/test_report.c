/* SPDX-License-Identifier: Apache-2.0 */
/* The report's data: tables from files, which files belong together and which do not, and a page
 * that holds any text that a file may contain. */
#include "studies/report/parts.h"
#include "base/files.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Suite *test_report_suite(void);

enum { PATH = 256 };

typedef struct {
  char folder[64], file[PATH], other[PATH];
} rig_t;

static void rig_open(rig_t *r, const char *text) {
  snprintf(r->folder, sizeof r->folder, "build/tmp/reportXXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(r->folder));
  snprintf(r->file, sizeof r->file, "%s/file.csv", r->folder);
  snprintf(r->other, sizeof r->other, "%s/page.html", r->folder);
  FILE *f = fopen(r->file, "w");
  ck_assert_ptr_nonnull(f);
  ck_assert_int_ge(fputs(text, f), 0);
  ck_assert_int_eq(fclose(f), 0);
}

static void rig_close(rig_t *r) {
  files_remove_tree(r->folder, NULL);
}

static json_t *get(json_t *o, const char *key) {
  json_t *v = json_object_get(o, key);
  ck_assert_msg(v != NULL, "%s", key);
  return v;
}

/* ---- tables ---------------------------------------------------------------- */

START_TEST(csv_cells) {
  rig_t r;
  report_table_t t;
  mrpb_err_t err = {{0}};
  rig_open(&r, "a,b,c\n\"x, \"\"y\"\"\",,1\n\"two\nlines\",2.50,-\n");
  ck_assert_msg(report_table_csv(&t, r.file, &err) == 0, "%s", err.text);
  ck_assert_uint_eq(t.rows, 3);
  ck_assert_uint_eq(t.columns, 3);
  ck_assert_str_eq(report_cell(&t, 1, 0), "x, \"y\"");
  ck_assert_str_eq(report_cell(&t, 1, 1), "");
  ck_assert_str_eq(report_cell(&t, 2, 0), "two\nlines");
  ck_assert_str_eq(report_cell(&t, 2, 2), "-");
  report_table_free(&t);
  rig_close(&r);
}
END_TEST

/* What is no table; the message, behind the file's name. */
static const char *const bad[][2] = {{"", ":1: empty"},
                                     {"a,b\n1\n", ":2: 1 columns; legal: 2"},
                                     {"a,b", ":1: legal: cells"},
                                     {"a\n\"open\n", ":2: legal: cells"},
                                     {"a\n\"x\"y\n", ":2: legal: cells"}};

START_TEST(csv_errors) {
  rig_t r;
  report_table_t t;
  mrpb_err_t err = {{0}};
  rig_open(&r, bad[_i][0]);
  ck_assert_int_eq(report_table_csv(&t, r.file, &err), -1);
  ck_assert_msg(strstr(err.text, bad[_i][1]) != NULL, "%s", err.text);
  rig_close(&r);
}
END_TEST

START_TEST(page_tables) {
  static const char text[] = "# P\n\n## One\n\nno table\n\n## Two\n\n| a | b |\n| --- | ---: |\n"
                             "| x | 1 |\n\n| other |\n| --- |\n";
  rig_t r;
  report_table_t t;
  mrpb_err_t err = {{0}};
  rig_open(&r, text);
  ck_assert_int_eq(report_table_markdown(&t, r.file, "## Two", &err), 0);
  ck_assert_uint_eq(t.rows, 2);
  ck_assert_str_eq(report_cell(&t, 1, 0), "x");
  report_table_free(&t);
  ck_assert_int_eq(report_table_markdown(&t, r.file, "## One", &err), 0);
  ck_assert_uint_eq(t.rows, 0);
  report_table_free(&t);
  ck_assert_int_eq(report_table_markdown(&t, r.file, "## Thr", &err), -1);
  ck_assert_msg(strstr(err.text, "the page has no '## Thr'") != NULL, "%s", err.text);
  rig_close(&r);
}
END_TEST

START_TEST(cells_as_json) {
  static const struct {
    const char *text;
    json_type type;
  } cell[] = {{"", JSON_NULL},         {"-", JSON_NULL},
              {"nan", JSON_NULL},      {"-nan", JSON_NULL},
              {"12", JSON_INTEGER},    {"-3", JSON_INTEGER},
              {"1.5", JSON_REAL},      {"1e400", JSON_STRING},
              {"inf", JSON_STRING},    {"0x10", JSON_STRING},
              {"7 bits", JSON_STRING}, {"97ab", JSON_STRING},
              {"1-2", JSON_STRING},    {"123456789012345678901", JSON_REAL}};
  for (size_t i = 0; i < sizeof cell / sizeof *cell; i++) {
    json_t *v = report_json_cell(cell[i].text);
    ck_assert_msg(json_typeof(v) == cell[i].type, "%s", cell[i].text);
    json_decref(v);
  }
}
END_TEST

/* ---- the document ---------------------------------------------------------- */

static const report_inputs_t own = {.experiments = "configs/figures",
                                    .figures = "docs/figures",
                                    .published = "docs/figures.md",
                                    .accuracy = "tests/data/accuracy.csv",
                                    .modules = "tests/estimate/baseline.json",
                                    .studies = "docs/micro/results"};

static void check_bar(json_t *bar, json_t *figure) {
  json_t *value = json_array_get(get(bar, "value"), 0);
  const char *command = json_string_value(get(bar, "command"));
  ck_assert(json_is_null(value) || json_real_value(value) > 0 || json_integer_value(value) > 0 ||
            json_array_size(get(figure, "parts")) > 0);
  ck_assert(json_is_null(value) == json_is_null(get(bar, "cycles")));
  ck_assert_msg(strstr(command, "build/mrpb run -c configs/base-") != NULL, "%s", command);
  ck_assert_int_lt(json_integer_value(get(bar, "point")),
                   (int)json_array_size(get(figure, "points")));
  ck_assert(json_is_array(get(bar, "differs")));
}

/* What stands in git belongs together, and each number has its command. */
START_TEST(document_of_this_tree) {
  mrpb_err_t err = {{0}};
  json_t *d = report_gather(&own, &err), *figure, *bar, *row;
  ck_assert_msg(d != NULL, "%s", err.text);
  size_t i, k, drawn = 0;
  json_array_foreach(get(d, "figures"), i, figure) {
    json_array_foreach(get(figure, "bars"), k, bar) {
      check_bar(bar, figure);
      drawn += json_is_true(get(bar, "drawn"));
    }
  }
  ck_assert_uint_gt(drawn, 600);
  json_array_foreach(get(get(d, "accuracy"), "rows"), i, row)
      ck_assert_uint_eq(json_array_size(get(row, "commands")), 4);
  ck_assert_uint_eq(json_array_size(get(d, "studies")), 6);
  ck_assert_uint_gt(json_array_size(get(get(d, "modules"), "rows")), 4);
  json_decref(d);
}
END_TEST

/* The same sweep as CSV and as JSON is the same data; failed and missing points have no number. */
START_TEST(sweep_of_both_kinds) {
  static const char csv[] = "program,configuration,MRPB_DEPTH,exit,cycles,l1d.misses\n"
                            "--kernel atax,00,4,0,10,3\n--kernel atax,01,8,,,\n"
                            "--kernel atax,02,16,4,,\n";
  static const char json[] =
      "{\"points\": [{\"program\": \"--kernel atax\", \"configuration\": \"00\", \"keys\": "
      "{\"MRPB_DEPTH\": 4}, \"exit\": 0, \"stats\": {\"cycles\": 10, \"l1d.misses\": 3}}, "
      "{\"program\": \"--kernel atax\", \"configuration\": \"01\", \"keys\": {\"MRPB_DEPTH\": 8}, "
      "\"exit\": null, \"stats\": {}}, {\"program\": \"--kernel atax\", \"configuration\": \"02\", "
      "\"keys\": {\"MRPB_DEPTH\": 16}, \"exit\": 4, \"stats\": {}}]}";
  const report_inputs_t none = {0};
  mrpb_err_t err = {{0}};
  char path[PATH];
  rig_t a, b;
  rig_open(&a, csv);
  rig_open(&b, json);
  snprintf(path, sizeof path, "%s/file.json", b.folder);
  ck_assert_int_eq(rename(b.file, path), 0);
  json_t *one = report_sweep(&none, a.file, &err), *two = report_sweep(&none, path, &err);
  ck_assert_msg(one && two, "%s", err.text);
  json_object_del(one, "source");
  json_object_del(two, "source");
  ck_assert(json_equal(one, two));
  json_t *failed = json_array_get(get(one, "points"), 2);
  ck_assert(json_is_null(json_array_get(get(failed, "stats"), 0)));
  ck_assert(json_is_null(get(failed, "command")));
  json_decref(one);
  json_decref(two);
  rig_close(&a);
  rig_close(&b);
}
END_TEST

/* ---- the page -------------------------------------------------------------- */

/* A program's name may be anything; it ends no element of the page. */
START_TEST(page_of_hostile_names) {
  rig_t r;
  mrpb_err_t err = {{0}};
  rig_open(&r, "// a library\n");
  json_t *d = json_pack("{s:s}", "name", "</script><script>alert(1)</script><!--");
  ck_assert_msg(report_page(d, r.file, r.other, &err) == 0, "%s", err.text);
  char *text = files_read(r.other, NULL);
  ck_assert_ptr_nonnull(text);
  ck_assert_ptr_null(strstr(text, "<script>alert"));
  ck_assert_ptr_nonnull(strstr(text, "\\u003c/script>\\u003cscript>alert(1)"));
  ck_assert_ptr_nonnull(strstr(text, "// a library"));
  ck_assert_ptr_null(strstr(text, "@{"));
  free(text);
  json_decref(d);
  rig_close(&r);
}
END_TEST

START_TEST(library_that_ends_the_script) {
  rig_t r;
  mrpb_err_t err = {{0}};
  rig_open(&r, "x = '</script>'\n");
  json_t *d = json_object();
  ck_assert_int_eq(report_page(d, r.file, r.other, &err), -1);
  ck_assert_msg(strstr(err.text, "legal: a script") != NULL, "%s", err.text);
  ck_assert_int_ne(access(r.other, F_OK), 0);
  json_decref(d);
  rig_close(&r);
}
END_TEST

Suite *test_report_suite(void) {
  Suite *s = suite_create("report");
  TCase *c = tcase_create("all");
  tcase_add_test(c, csv_cells);
  tcase_add_loop_test(c, csv_errors, 0, (int)(sizeof bad / sizeof *bad));
  tcase_add_test(c, page_tables);
  tcase_add_test(c, cells_as_json);
  tcase_add_test(c, document_of_this_tree);
  tcase_add_test(c, sweep_of_both_kinds);
  tcase_add_test(c, page_of_hostile_names);
  tcase_add_test(c, library_that_ends_the_script);
  suite_add_tcase(s, c);
  return s;
}
