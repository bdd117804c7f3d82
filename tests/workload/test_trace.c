/* SPDX-License-Identifier: Apache-2.0 */
/* Traces: what is read is played, what is played and recorded is the same again, and malformed
 * traces are refused with the line. */
#include "workload/trace/trace.h"
#include "trace_help.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Suite *test_trace_suite(void);

static const char small[] = "mrpb-trace 1\n"
                            "launch k 2 64 20 0\n"
                            "m 0 0 3 - ld.g.4 ffffffff 80000000+4\n"
                            "m 0 1 0 - st.g.8 f 80001000-64\n"
                            "m 0 0 2 1 ld.s.4 5 10,30\n"
                            "b 0 0 1 1\n"
                            "b 0 1 0 -\n"
                            "x 0 0 4 -\n"
                            "x 0 1 0 -\n"
                            "x 1 0 0 -\n"
                            "m 1 1 0 - ld.g.4 0\n"
                            "x 1 1 0 -\n"
                            "launch second 1 8 20 1024\n"
                            "x 0 0 7 -\n"
                            "end 11\n";

START_TEST(plays) {
  workload_t *w = must_open(small);
  const launch_t *l = workload_next(w);
  uint64_t addr[WARP_LANES];
  ck_assert_str_eq(l->kernel, "k");
  ck_assert_uint_eq(l->blocks, 2);
  ck_assert_uint_eq(l->threads, 64);
  warp_stream_t *s = warp_stream_open(w, 0, 0);
  const warp_inst_t *i = skip(w, s, 3);
  ck_assert_int_eq(i->cls, WARP_LOAD);
  ck_assert_uint_eq(warp_stream_mask(w, s), UINT32_MAX);
  warp_stream_addresses(w, s, addr);
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    ck_assert_uint_eq(addr[lane], 0x80000000 + 4 * lane);
  uint16_t first = i->dst[0];
  warp_stream_step(w, s);
  i = warp_stream_peek(w, s); /* one other instruction, then the one that waits */
  ck_assert_uint_eq(i->src[0], 0);
  warp_stream_step(w, s);
  i = warp_stream_peek(w, s);
  ck_assert_uint_eq(i->src[0], first);
  warp_stream_step(w, s);
  i = warp_stream_peek(w, s);
  ck_assert_int_eq(i->space, WARP_SHARED);
  ck_assert_uint_ne(i->dst[0], first);
  ck_assert_uint_eq(warp_stream_mask(w, s), 5);
  warp_stream_addresses(w, s, addr);
  ck_assert_uint_eq(addr[0], 0x10);
  ck_assert_uint_eq(addr[2], 0x30);
  warp_stream_step(w, s);
  ck_assert_int_eq(skip(w, s, 1)->cls, WARP_BARRIER);
  warp_stream_step(w, s);
  ck_assert_int_eq(skip(w, s, 4)->cls, WARP_EXIT);
  warp_stream_step(w, s);
  ck_assert_ptr_null(warp_stream_peek(w, s));
  warp_stream_close(w, s);
  s = warp_stream_open(w, 0, 1);
  warp_stream_addresses(w, s, addr);
  ck_assert_uint_eq(addr[3], 0x80001000 - 3 * 64);
  warp_stream_close(w, s);
  ck_assert_uint_eq(workload_next(w)->shared, 1024);
  s = warp_stream_open(w, 0, 0);
  ck_assert_uint_eq(warp_stream_mask(w, s), 0xff);
  warp_stream_close(w, s);
  ck_assert_ptr_null(workload_next(w));
  workload_close(w);
}
END_TEST

/* Runs every warp to its end, one after another. */
static void drain(workload_t *w) {
  for (const launch_t *l; (l = workload_next(w));)
    for (uint32_t b = 0; b < l->blocks; b++)
      for (uint32_t v = 0; v < (l->threads + 31) / 32; v++) {
        warp_stream_t *s = warp_stream_open(w, b, v);
        while (warp_stream_peek(w, s)) warp_stream_step(w, s);
        warp_stream_close(w, s);
      }
}

/* Warp after warp, so the recording is the sorted trace. */
static const char sorted[] = "mrpb-trace 1\n"
                             "launch k 2 64 20 0\n"
                             "m 0 0 3 - ld.g.4 ffffffff 80000000+4\n"
                             "m 0 0 2 1 ld.s.4 5 10+32\n"
                             "b 0 0 1 1\n"
                             "x 0 0 4 -\n"
                             "m 0 1 0 - st.g.8 f 80001000-64\n"
                             "b 0 1 0 -\n"
                             "x 0 1 0 -\n"
                             "x 1 0 0 -\n"
                             "m 1 1 0 - ld.g.4 0\n"
                             "x 1 1 0 -\n"
                             "launch second 1 8 20 1024\n"
                             "x 0 0 7 -\n"
                             "end 11\n";

START_TEST(records) {
  static const char *const suffix[] = {".out", ".out.xz"};
  char name[64], back[sizeof sorted + 64];
  mrpb_err_t err = {{0}};
  workload_t *inner = must_open(small), *w;
  temp_name(name, suffix[_i]);
  ck_assert_int_eq(trace_record(&w, inner, name, &err), 0);
  drain(w);
  ck_assert_int_ne(access(name, R_OK), 0); /* not before it is complete */
  ck_assert_msg(workload_check(w, &err) == 0, "%s", err.text);
  workload_close(w);
  ck_assert_int_eq(access(name, R_OK), 0);
  ck_assert_msg(trace_open(&inner, name, NULL, &err) == 0, "%s", err.text);
  remove(name);
  temp_name(name, ".again");
  ck_assert_int_eq(trace_record(&w, inner, name, &err), 0);
  drain(w);
  ck_assert_int_eq(workload_check(w, &err), 0);
  workload_close(w);
  FILE *f = fopen(name, "r");
  size_t n = fread(back, 1, sizeof back - 1, f);
  fclose(f);
  back[n] = '\0';
  remove(name);
  ck_assert_str_eq(back, sorted);
}
END_TEST

START_TEST(unfinished) {
  char name[64], part[80];
  mrpb_err_t err = {{0}};
  workload_t *inner = must_open(small), *w;
  temp_name(name, ".cut");
  snprintf(part, sizeof part, "%s.part", name);
  ck_assert_int_eq(trace_record(&w, inner, name, &err), 0);
  (void)workload_next(w);
  workload_close(w);
  ck_assert_int_ne(access(name, F_OK), 0);
  ck_assert_int_ne(access(part, F_OK), 0);
  inner = must_open(small);
  ck_assert_int_eq(trace_record(&w, inner, "/nonexistent/t", &err), -1);
  ck_assert_ptr_nonnull(strstr(err.text, "/nonexistent/t"));
  workload_close(inner);
}
END_TEST

#define HEAD "mrpb-trace 1\nlaunch k 1 32 20 0\n"
static const struct {
  const char *text, *says;
} bad[] = {
    {"hello\n", ":1: 'hello'; legal: a first line `mrpb-trace 1`"},
    {"mrpb-trace 1\n", "cut off"},
    {"mrpb-trace 1\nend 0\n", "no launch"},
    {"mrpb-trace 1\nx 0 0 0 -\nend 1\n", ":2: a record before the first launch"},
    {"mrpb-trace 1\nlaunch k 1 32 20\n", ":2: legal: launch NAME BLOCKS"},
    {"mrpb-trace 1\nlaunch k 0 32 20 0\n", ":2: launch out of range"},
    {"mrpb-trace 1\nlaunch k 1 4096 20 0\n", ":2: launch out of range"},
    {"mrpb-trace 1\nlaunch k 1 -5 20 0\n", ":2: '-5'; legal: a number"},
    {HEAD "x 0 1 0 -\n", ":3: block 0 warp 1; legal"},
    {HEAD "x 0 0 0 -\nx 0 0 0 -\n", ":4: block 0 warp 0 has ended"},
    {HEAD "end 0\n", "block 0 warp 0 of k has no end"},
    {HEAD "x 0 0 0 -\nend 2\n", ":4: 1 records were read; the trace says 2"},
    {HEAD "x 0 0 0 -\n", ":3: the trace is cut off"},
    {HEAD "x 0 0 0 -", "the last line is cut off"},
    {HEAD "x 0 0 0 -\nend 1\nx\n", ":5: text after the end"},
    {HEAD "m 0 0 0 - ld.g.4 f 80000000\n", "addresses of 3 lanes are missing"},
    {HEAD "m 0 0 0 - ld.g.4 1 80000000,80000004\n", "each of the 1 active lanes"},
    {HEAD "m 0 0 0 - ld.g.4 1 80000002\n", "a multiple of 4"},
    {HEAD "m 0 0 0 - ld.g.3 1 80000002\n", "operation 'ld.g.3'"},
    {HEAD "m 0 0 0 - ld.q.4 1 80000000\n", "operation 'ld.q.4'"},
    {HEAD "m 0 0 0 0 ld.g.4 1 80000000\n", "waits '0'"},
    {HEAD "m 0 0 0 1,64 ld.g.4 1 80000000\n", "waits '1,64'"},
    {HEAD "m 0 0 0 - ld.g.4 1ffffffff 80000000\n", "mask '1ffffffff'"},
    {HEAD "m 0 0 0 - ld.g.4 1\n", "the addresses are missing"},
    {HEAD "y 0 0 0 -\n", ":3: 'y'; legal: launch, m, b, x, end"},
    {HEAD "b 0 0 0 - 5\n", ":3: legal: b BLOCK WARP GAP WAITS"},
};

START_TEST(refuses) {
  workload_t *w;
  mrpb_err_t err = {{0}};
  ck_assert_int_eq(open_text(&w, bad[_i].text, &err), -1);
  ck_assert_ptr_null(w);
  ck_assert_msg(strstr(err.text, bad[_i].says), "'%s' is not in '%s'", bad[_i].says, err.text);
}
END_TEST

/* Every prefix of a trace is refused. */
START_TEST(truncations) {
  char text[sizeof small];
  for (size_t n = 0; n + 1 < sizeof small; n++) {
    workload_t *w;
    mrpb_err_t err = {{0}};
    memcpy(text, small, n);
    text[n] = '\0';
    ck_assert_msg(open_text(&w, text, &err) == -1, "%zu bytes were accepted", n);
    ck_assert(err.text[0] != '\0');
  }
}
END_TEST

Suite *test_trace_suite(void) {
  Suite *s = suite_create("trace");
  TCase *t = tcase_create("format");
  tcase_add_test(t, plays);
  tcase_add_loop_test(t, records, 0, 2);
  tcase_add_test(t, unfinished);
  tcase_add_loop_test(t, refuses, 0, sizeof bad / sizeof *bad);
  tcase_add_test(t, truncations);
  suite_add_tcase(s, t);
  return s;
}
