/* SPDX-License-Identifier: Apache-2.0 */
/* Files of keys, with a key table of the test's own: values, words, comments, the table's check,
 * and what is refused; help and hash. */
#include "base/keyfile.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const keyfile_key_t keys[] = {
    {"WIDTH", NULL, 1, 64, 4, "bytes", "thing.WIDTH", "how wide", 0},
    {"COLOUR", "red|green|blue", 0, 0, 1, "", "", "of it", 0},
    {"A_LIMIT", NULL, 0, 4294967295, 7, "", "", "at least WIDTH", 0},
};
enum { WIDTH, COLOUR, LIMIT, KEYS };

static int check(const uint32_t *v, const char *where, mrpb_err_t *err) {
  if (v[LIMIT] >= v[WIDTH]) return 0;
  return mrpb_fail(err, "%s: A_LIMIT = %u; legal: at least WIDTH = %u", where, v[LIMIT], v[WIDTH]);
}

static const keyfile_renamed_t renamed[] = {{"COLOUR_OF", "COLOUR"}, {"BREADTH", "WIDTH"}};

static const char *title(const uint32_t *v) {
  (void)v;
  return "the thing";
}

static const key_table_t table = {.title = title,
                                  .from = "nowhere",
                                  .keys = keys,
                                  .n = KEYS,
                                  .renamed = renamed,
                                  .n_renamed = 2,
                                  .check = check};

static int read_text(uint32_t *v, const char *text, mrpb_err_t *err) {
  char copy[200];
  snprintf(copy, sizeof copy, "%s", text);
  FILE *f = fmemopen(copy, strlen(copy), "r");
  ck_assert_ptr_nonnull(f);
  int rc = keyfile_read(&table, v, f, "x.conf", err);
  fclose(f);
  return rc;
}

START_TEST(reads) {
  mrpb_err_t err = {{0}};
  uint32_t v[KEYS + 1] = {0, 0, 0, 99};
  keyfile_defaults(&table, v);
  ck_assert_uint_eq(v[WIDTH], 4);
  ck_assert_uint_eq(v[COLOUR], 1);
  ck_assert_uint_eq(v[LIMIT], 7);
  ck_assert_msg(read_text(v,
                          "# a thing\n\nCOLOUR = blue # paper 003, section 4.1: \"blue\" = 2\n"
                          "A_LIMIT=4294967295#no blank\n  WIDTH =\t64   # [5] ; more\n",
                          &err) == 0,
                "%s", err.text);
  ck_assert_uint_eq(v[WIDTH], 64);
  ck_assert_uint_eq(v[COLOUR], 2);
  ck_assert_uint_eq(v[LIMIT], UINT32_MAX);
  ck_assert_uint_eq(v[KEYS], 99); /* as many as the table has */
}
END_TEST

START_TEST(refuses) {
  static const struct {
    const char *text, *message;
  } c[] = {
      {"WIDTH = 4\nCOLOUR = red\n", "x.conf:2: A_LIMIT is missing; legal: every key of"},
      {"WIDTH = 4\nCOLOUR = red\nA_LIMIT = 3\n", "x.conf: A_LIMIT = 3; legal: at least WIDTH = 4"},
      {"WIDTH = 65\n", "x.conf:1: WIDTH = 65 is out of range; legal: 1 to 64"},
      {"COLOUR = redd\n", "x.conf:1: COLOUR = 'redd' is unknown; legal: red|green|blue"},
      {"\nCOLOR = red\n", "x.conf:2: unknown key 'COLOR'; nearest: COLOUR"},
      {"SMS = 14\n", "x.conf:1: unknown key 'SMS'"},
      {"# old\nBREADTH = 4\n", "x.conf:2: BREADTH is called WIDTH here; legal: 1 to 64"},
      {"COLOUR_OF = red\n", "x.conf:1: COLOUR_OF is called COLOUR here; legal: red|green|blue"},
      {"WIDTH = 4\nWIDTH = 4\n", "x.conf:2: WIDTH again, first on line 1; legal: each key once"},
      {"A_LIMIT = 4294967296\n", "x.conf:1: A_LIMIT = 4294967296 is out of range"},
  };
  for (unsigned i = 0; i < sizeof c / sizeof *c; i++) {
    mrpb_err_t err = {{0}};
    uint32_t v[KEYS] = {11, 12, 13};
    ck_assert_int_eq(read_text(v, c[i].text, &err), -1);
    ck_assert_msg(strncmp(err.text, c[i].message, strlen(c[i].message)) == 0, "%s", err.text);
    ck_assert(v[0] == 11 && v[1] == 12 && v[2] == 13);
  }
}
END_TEST

START_TEST(sets) {
  mrpb_err_t err = {{0}};
  uint32_t v[KEYS];
  keyfile_defaults(&table, v);
  ck_assert_int_eq(keyfile_set(&table, v, "WIDTH=9", &err), 0); /* joint limits are for later */
  ck_assert_uint_eq(v[WIDTH], 9);
  ck_assert_int_eq(keyfile_set(&table, v, "WIDHT=9", &err), -1);
  ck_assert_str_eq(err.text, "--set: unknown key 'WIDHT'; nearest: WIDTH");
  err.text[0] = '\0';
  ck_assert_int_eq(keyfile_set(&table, v, "BREADTH=5", &err), -1);
  ck_assert_str_eq(err.text, "--set: BREADTH is called WIDTH here; legal: 1 to 64");
  ck_assert_uint_eq(v[WIDTH], 9);
}
END_TEST

static uint64_t fnv(const char *text) {
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (; *text; text++) h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
  return h;
}

START_TEST(prints) {
  char *text = NULL;
  size_t size;
  uint32_t v[KEYS] = {5, 0, 6};
  mrpb_err_t err = {{0}};
  ck_assert_uint_eq(keyfile_hash(&table, v), fnv("A_LIMIT=6\nCOLOUR=red\nWIDTH=5\n"));
  FILE *f = open_memstream(&text, &size);
  keyfile_dump(&table, f, v, "mine");
  fclose(f);
  ck_assert_str_eq(text, "# mine\n"
                         "WIDTH              = 5        # bytes; how wide\n"
                         "COLOUR             = red      # of it\n"
                         "A_LIMIT            = 6        # at least WIDTH\n");
  uint32_t back[KEYS];
  ck_assert_msg(read_text(back, text, &err) == 0, "%s", err.text);
  ck_assert_mem_eq(back, v, sizeof v);
  free(text);
  f = open_memstream(&text, &size);
  keyfile_help(&table, f, 0);
  keyfile_help(&table, f, 1);
  fclose(f);
  ck_assert_ptr_nonnull(strstr(text, "the thing\n\nWIDTH"));
  ck_assert_ptr_nonnull(strstr(text, "1 to 64 bytes (4), drives thing.WIDTH\n"));
  ck_assert_ptr_nonnull(
      strstr(text, "## The thing\n\n| key | legal | default | unit | Verilog | meaning |\n"));
  ck_assert_ptr_nonnull(strstr(text, "| `COLOUR` | red,green,blue | green |  |  | of it |\n"));
  free(text);
}
END_TEST

/* ---- parts ----------------------------------------------------------------- */

enum { ROUND = 1, SQUARE = 2 };
static const keyfile_key_t shape_keys[] = {
    {"SHAPE", "round|square", 0, 0, 0, "", "", "of it", 0},
    {"SIZE", NULL, 0, 90, 10, "", "", "of any", ROUND | SQUARE},
    {"RADIUS", NULL, 0, 9, 1, "", "", "of a round one", ROUND},
    {"SIDE", NULL, 0, 9, 2, "", "", "of a square one", SQUARE},
};
enum { SHAPE, SIZE, RADIUS, SIDE, SHAPE_KEYS };
static const keyfile_with_t shape_with[] = {{SIZE, SQUARE, 4, 50, 20}};
static const char *const shapes[] = {"circles", "squares"};

static unsigned parts(const uint32_t *v) {
  return 1u << v[SHAPE];
}
static const char *shape_title(const uint32_t *v) {
  return !v ? "every shape" : v[SHAPE] ? "square things" : "round things";
}
static void choose(uint32_t *v, bool *given) {
  if (!given[SHAPE]) v[SHAPE] = given[SIDE];
  given[SHAPE] = true;
}
static int check_shape(const uint32_t *v, const char *where, mrpb_err_t *err) {
  (void)v, (void)where, (void)err;
  return 0;
}

static const key_table_t shape_table = {.title = shape_title,
                                        .keys = shape_keys,
                                        .n = SHAPE_KEYS,
                                        .with = shape_with,
                                        .n_with = 1,
                                        .part = shapes,
                                        .n_parts = 2,
                                        .parts = parts,
                                        .choose = choose,
                                        .check = check_shape};

static int read_shape(uint32_t *v, const char *text, mrpb_err_t *err) {
  char copy[200];
  snprintf(copy, sizeof copy, "%s", text);
  FILE *f = fmemopen(copy, strlen(copy), "r");
  ck_assert_ptr_nonnull(f);
  int rc = keyfile_read(&shape_table, v, f, "x.conf", err);
  fclose(f);
  return rc;
}

START_TEST(parts_are_chosen) {
  uint32_t v[SHAPE_KEYS];
  mrpb_err_t err = {{0}};
  ck_assert_msg(read_shape(v, "SIZE = 5\nSIDE = 3\n", &err) == 0, "%s", err.text);
  ck_assert_uint_eq(v[SHAPE], 1); /* by its keys */
  ck_assert_uint_eq(v[RADIUS], 1);
  ck_assert_uint_eq(keyfile_key(&shape_table, v, SIZE).deflt, 20);
  ck_assert(!keyfile_has(&shape_table, v, RADIUS) && keyfile_has(&shape_table, v, SIDE));
  ck_assert_uint_eq(keyfile_hash(&shape_table, v), fnv("SHAPE=square\nSIDE=3\nSIZE=5\n"));
  ck_assert_int_eq(keyfile_set(&shape_table, v, "SIZE=3", &err), -1);
  ck_assert_str_eq(err.text, "--set: SIZE = 3 is out of range; legal: 4 to 50");
  ck_assert_msg(read_shape(v, "SHAPE = round\nSIZE = 3\nRADIUS = 3\n", &err) == 0, "%s", err.text);
  ck_assert_uint_eq(v[SIDE], 2);
  v[SHAPE] = 1; /* as an assignment would */
  err.text[0] = '\0';
  ck_assert_int_eq(keyfile_check(&shape_table, v, "here", &err), -1);
  ck_assert_str_eq(err.text, "here: SIZE = 3 is out of range; legal: 4 to 50");
}
END_TEST

START_TEST(parts_refuse) {
  static const struct {
    const char *text, *message;
  } c[] = {
      {"SHAPE = round\nSIZE = 5\nRADIUS = 1\nSIDE = 1\n",
       "x.conf:4: SIDE is a key of squares; legal: keys of round things"},
      {"SIZE = 5\n", "x.conf:1: RADIUS is missing; legal: every key of `mrpb help-config`"},
      {"SIDE = 5\nSIZE = 51\n", "x.conf:2: SIZE = 51 is out of range; legal: 4 to 50"},
      {"SIDE = 5\nSIZE = 91\n", "x.conf:2: SIZE = 91 is out of range; legal: 0 to 90"},
  };
  for (unsigned i = 0; i < sizeof c / sizeof *c; i++) {
    mrpb_err_t err = {{0}};
    uint32_t v[SHAPE_KEYS] = {0};
    ck_assert_int_eq(read_shape(v, c[i].text, &err), -1);
    ck_assert_str_eq(err.text, c[i].message);
  }
}
END_TEST

/* A table for each part; what differs with a part is said. A dump has the keys of the thing. */
START_TEST(parts_print) {
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  keyfile_help(&shape_table, f, 1);
  fclose(f);
  ck_assert_ptr_nonnull(strstr(text, "## Every shape\n"));
  ck_assert_ptr_nonnull(strstr(text, "## Squares\n"));
  ck_assert_ptr_nonnull(
      strstr(text, "| `SIZE` | 0 to 90; squares: 4 to 50 | 10; squares: 20 |  |  | of any |\n"));
  free(text);
  const uint32_t v[SHAPE_KEYS] = {0, 5, 6, 7};
  f = open_memstream(&text, &size);
  keyfile_dump(&shape_table, f, v, "mine");
  fclose(f);
  ck_assert_ptr_nonnull(strstr(text, "RADIUS"));
  ck_assert_ptr_null(strstr(text, "SIDE"));
  free(text);
}
END_TEST

Suite *test_keyfile_suite(void);

Suite *test_keyfile_suite(void) {
  Suite *s = suite_create("keyfile");
  TCase *t = tcase_create("keyfile");
  tcase_add_test(t, reads);
  tcase_add_test(t, refuses);
  tcase_add_test(t, sets);
  tcase_add_test(t, prints);
  tcase_add_test(t, parts_are_chosen);
  tcase_add_test(t, parts_refuse);
  tcase_add_test(t, parts_print);
  suite_add_tcase(s, t);
  return s;
}
