/* SPDX-License-Identifier: Apache-2.0 */
/* The VCD writer alone: a strict reader reads back what it writes; errors are reported. */
#include "prng.h"
#include "sim/vcd.h"
#include "vcd_read.h"

static void expect_text(const char *path, const char *want) {
  size_t n;
  char *text = read_file(path, &n);
  ck_assert_str_eq(text, want);
  free(text);
}

START_TEST(exact_text) {
  char path[256];
  temp_path(path, sizeof path);
  vcd_t *v;
  ck_assert_int_eq(vcd_open(&v, path, "1ns", NULL), 0);
  int a = vcd_var(v, "top.a", 1, VCD_WIRE, NULL), b = vcd_var(v, "top.sub.b", 4, VCD_REG, NULL);
  int c = vcd_var(v, "top.c", 8, VCD_WIRE, NULL), wide = vcd_var(v, "w", 68, VCD_WIRE, NULL);
  vcd_time(v, 5);
  vcd_change(v, a, 0);
  vcd_change(
      v, a,
      3); /* the last value of a time counts in the first block; bits above the width do not */
  vcd_change(v, b, 5);
  vcd_change_words(v, wide, (const uint64_t[]){1, 0xff});
  vcd_time(v, 7);
  vcd_change(v, b, 5);
  vcd_time(v, 8);
  vcd_change(v, b, 0);
  vcd_change(v, c, 255);
  vcd_unknown(v, a);
  vcd_change_bytes(v, wide, "\0\0\0\0\0\0\0\0\3");
  vcd_time(v, 9);
  ck_assert_int_eq(vcd_close(v, NULL), 0);
  expect_text(path,
              "$timescale 1ns $end\n$var wire 68 $ w [67:0] $end\n$scope module top $end\n"
              "$var wire 1 ! a $end\n$var wire 8 # c [7:0] $end\n$scope module sub $end\n"
              "$var reg 4 \" b [3:0] $end\n$upscope $end\n$upscope $end\n$enddefinitions $end\n"
              "#5\n$dumpvars\n1!\nb101 \"\nbx #\n"
              "b1111"
              "0000000000000000000000000000000000000000000000000000000000000001 $\n$end\n"
              "#8\nb0 \"\nb11111111 #\nx!\n"
              "b11"
              "0000000000000000000000000000000000000000000000000000000000000000 $\n#9\n");
  unlink(path);
}
END_TEST

/* Every width, random values, more than one buffer of text: read back and compared. */
START_TEST(read_back) {
  enum { STEPS = 1000 };
  static const char *const dir[] = {"", "a.", "a.b.", "c."};
  uint64_t(*want)[64] = calloc(STEPS, sizeof *want);
  prng_t rng = prng_seed(11, 0);
  char path[256], name[64];
  temp_path(path, sizeof path);
  vcd_t *v;
  ck_assert_int_eq(vcd_open(&v, path, "10ps", NULL), 0);
  for (unsigned i = 0; i < 64; i++) {
    snprintf(name, sizeof name, "%sv%u", dir[i % 4], i);
    ck_assert_int_eq(vcd_var(v, name, i + 1, VCD_WIRE, NULL), (int)i);
  }
  for (unsigned t = 0; t < STEPS; t++) {
    vcd_time(v, t * UINT64_C(1000000007));
    for (unsigned i = 0; i < 64; i++) {
      uint64_t x = prng_next(&rng) >> prng_below(&rng, 64);
      want[t][i] = i == 63 ? x : x & ((UINT64_C(1) << (i + 1)) - 1);
      vcd_change(v, (int)i, x);
    }
  }
  ck_assert_int_eq(vcd_close(v, NULL), 0);
  vcd_read_t *r = malloc(sizeof *r);
  vcd_read_open(r, path);
  ck_assert_uint_gt(r->size, 1u << 20);
  for (unsigned t = 0; t < STEPS; t++) {
    ck_assert_int_eq(vcd_read_step(r), 1);
    ck_assert_uint_eq(r->time, t * UINT64_C(1000000007));
    for (unsigned i = 0; i < 64; i++) {
      snprintf(name, sizeof name, "%sv%u", dir[i % 4], i);
      ck_assert_uint_eq(vcd_read_find(r, name)->value, want[t][i]);
    }
  }
  ck_assert_int_eq(vcd_read_step(r), 0);
  vcd_read_close(r);
  free(r);
  free(want);
  unlink(path);
}
END_TEST

/* Identifiers of one, two and three characters are all different. */
START_TEST(many_variables) {
  enum { N = 10000 };
  char path[256], name[64];
  temp_path(path, sizeof path);
  vcd_t *v;
  ck_assert_int_eq(vcd_open(&v, path, "1ps", NULL), 0);
  for (int i = 0; i < N; i++) {
    snprintf(name, sizeof name, "top.m%d.v", i);
    ck_assert_int_eq(vcd_var(v, name, 1, VCD_WIRE, NULL), i);
  }
  vcd_time(v, 0);
  vcd_time(v, 1);
  vcd_change(v, N - 1, 1);
  ck_assert_int_eq(vcd_close(v, NULL), 0);
  size_t n;
  char *text = read_file(path, &n), *last = strstr(text, "\n#1\n1");
  ck_assert_ptr_nonnull(last);
  char code[8], line[64];
  ck_assert_int_eq(sscanf(last, "\n#1\n1%7s", code), 1);
  snprintf(line, sizeof line, "$scope module m%d $end\n$var wire 1 %s v $end", N - 1, code);
  ck_assert_ptr_nonnull(strstr(text, line));
  snprintf(line, sizeof line, " %s v ", code);
  ck_assert_ptr_null(strstr(strstr(text, line) + 1, line));
  free(text);
  unlink(path);
}
END_TEST

/* What a flush leaves on disk is readable, whatever happens later. */
START_TEST(flushed_is_readable) {
  char path[256];
  temp_path(path, sizeof path);
  vcd_t *v;
  ck_assert_int_eq(vcd_open(&v, path, "1fs", NULL), 0);
  int a = vcd_var(v, "a", 8, VCD_WIRE, NULL);
  vcd_time(v, 0);
  vcd_change(v, a, 1);
  ck_assert_int_eq(vcd_flush(v, NULL), 0);
  vcd_change(v, a, 2);
  vcd_time(v, 4);
  vcd_change(v, a, 3);
  ck_assert_int_eq(vcd_flush(v, NULL), 0);
  vcd_read_t *r = malloc(sizeof *r);
  vcd_read_open(r, path);
  ck_assert_int_eq(vcd_read_step(r), 1);
  ck_assert_uint_eq(r->var[0].value, 2);
  ck_assert_int_eq(vcd_read_step(r), 1);
  ck_assert_uint_eq(r->time, 4);
  ck_assert_uint_eq(r->var[0].value, 3);
  vcd_read_close(r);
  free(r);
  ck_assert_int_eq(vcd_close(v, NULL), 0);
  unlink(path);
}
END_TEST

static void expect_error(const mrpb_err_t *err, const char *part) {
  ck_assert_msg(strstr(err->text, part), "\"%s\" is not in \"%s\"", part, err->text);
  ck_assert_ptr_null(strchr(err->text, '\n'));
}

START_TEST(full_disk) {
  mrpb_err_t err = {""}, later = {""};
  vcd_t *v;
  ck_assert_int_eq(vcd_open(&v, "/dev/full", "1fs", &err), 0);
  int a = vcd_var(v, "a", 64, VCD_WIRE, NULL);
  for (uint64_t t = 0; t < 100000 && !vcd_failed(v); t++) {
    vcd_time(v, t);
    vcd_change(v, a, ~t);
  }
  ck_assert(vcd_failed(v)); /* noticed when the buffer was full, not only at the end */
  ck_assert_int_eq(vcd_flush(v, &later), -1);
  ck_assert_int_eq(vcd_close(v, &err), -1);
  expect_error(&err, "/dev/full: cannot write: No space left on device");
  expect_error(&later, "No space left");
}
END_TEST

START_TEST(bad_calls) {
  char path[256];
  mrpb_err_t err = {""};
  vcd_t *v;
  ck_assert_int_eq(vcd_open(&v, "/nonexistent/x.vcd", "1ns", &err), -1);
  ck_assert_ptr_null(v);
  expect_error(&err, "/nonexistent/x.vcd: cannot write: No such file");
  static const char *const scales[] = {"", "2ns", "1000ns", "1", "1xs", "1 ns", "0ns"};
  for (size_t i = 0; i < sizeof scales / sizeof *scales; i++)
    ck_assert_int_eq(vcd_open(&v, "/nonexistent/x", scales[i], &(mrpb_err_t){""}), -1);
  temp_path(path, sizeof path);
  ck_assert_int_eq(vcd_open(&v, path, "100s", NULL), 0);
  static const struct {
    const char *name, *part;
    unsigned width;
  } bad[] = {{"a", "legal are 1 to 2048", 0},
             {"a", "legal are 1 to 2048", 2049},
             {"a..b", "empty", 1},
             {"", "empty", 1},
             {"a b", "not legal", 1},
             {"a.", "empty", 1}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    err.text[0] = '\0';
    ck_assert_int_eq(vcd_var(v, bad[i].name, bad[i].width, VCD_WIRE, &err), -1);
    expect_error(&err, bad[i].part);
  }
  ck_assert_int_eq(vcd_var(v, "a.b", 1024, VCD_WIRE, NULL), 0);
  err.text[0] = '\0';
  ck_assert_int_eq(vcd_var(v, "a.b", 1, VCD_WIRE, &err), -1);
  expect_error(&err, "declared twice");
  vcd_time(v, 10);
  err.text[0] = '\0';
  ck_assert_int_eq(vcd_var(v, "late", 1, VCD_WIRE, &err), -1);
  expect_error(&err, "after the first time");
  vcd_time(v, 9);
  err.text[0] = '\0';
  ck_assert_int_eq(vcd_close(v, &err), -1);
  expect_error(&err, "time goes back from 10 to 9");
  ck_assert_int_eq(vcd_close(NULL, NULL), 0);
  unlink(path);
}
END_TEST

Suite *test_vcd_suite(void);
Suite *test_vcd_suite(void) {
  Suite *s = suite_create("vcd");
  TCase *t = tcase_create("writer");
  tcase_set_timeout(t, 60);
  tcase_add_test(t, exact_text);
  tcase_add_test(t, flushed_is_readable);
  tcase_add_test(t, full_disk);
  tcase_add_test(t, bad_calls);
  TCase *h = tcase_create("long files");
  tcase_set_timeout(h, 60);
  tcase_set_tags(h, "heavy"); /* not under valgrind */
  tcase_add_test(h, read_back);
  tcase_add_test(h, many_variables);
  suite_add_tcase(s, t);
  suite_add_tcase(s, h);
  return s;
}
