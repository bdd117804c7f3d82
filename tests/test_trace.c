/* Traces: what is read is what is played, what is played and recorded is the same again, and what
 * is malformed is refused with its line. */
#include "trace/trace.h"

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

static void write_file(const char *path, const char *text, size_t n) {
  FILE *f = fopen(path, "wb");
  ck_assert_ptr_nonnull(f);
  ck_assert_uint_eq(fwrite(text, 1, n, f), n);
  ck_assert_int_eq(fclose(f), 0);
}

static void temp_name(char name[64], const char *suffix) {
  snprintf(name, 64, "/tmp/mrpb_trace_%ld%s", (long)getpid(), suffix);
}

static int open_text(workload_t **w, const char *text, mrpb_err_t *err) {
  char name[64];
  temp_name(name, ".trace");
  write_file(name, text, strlen(text));
  int rc = trace_open(w, name, err);
  remove(name);
  return rc;
}

static workload_t *must_open(const char *text) {
  workload_t *w;
  mrpb_err_t err = {{0}};
  ck_assert_msg(open_text(&w, text, &err) == 0, "%s", err.text);
  return w;
}

/* Skips `n` other instructions, which must be there, up to the next of another class. */
static const warp_inst_t *skip(workload_t *w, warp_stream_t *s, unsigned n) {
  const warp_inst_t *i = warp_stream_peek(w, s);
  for (; n > 0; n--) {
    ck_assert_int_eq(i->cls, WARP_ALU);
    uint32_t pc = i->pc;
    warp_stream_step(w, s);
    i = warp_stream_peek(w, s);
    ck_assert_uint_eq(i->pc, pc + WARP_PC_STEP);
  }
  ck_assert_int_ne(i->cls, WARP_ALU);
  return i;
}

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
  ck_assert_msg(trace_open(&inner, name, &err) == 0, "%s", err.text);
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
    {HEAD "x 0 0 0 -\nend 1\nx\n", ":5: text behind the end"},
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

#define ACCEL_HEAD                                                                                 \
  "-kernel name = _Z3addPfS_\n-kernel id = 1\n-grid dim = (2,1,1)\n-block dim = (64,1,1)\n"        \
  "-shmem = 0\n-nregs = 12\n-binary version = 70\n\n#traces format = PC mask dest_num\n"           \
  "\n#BEGIN_TB\n\nthread block = 0,0,0\n\n"
#define ACCEL_WARP0                                                                                \
  "warp = 0\ninsts = 6\n"                                                                          \
  "0000 ffffffff 1 R1 MOV 1 R255 0\n"                                                              \
  "0010 ffffffff 1 R2 LDG.E 1 R4 4 1 0x7f0000000000 4\n"                                           \
  "0020 0000000f 1 R3 LDG.E.64 1 R4 8 0 0x7f0000200000 0x7f0000200040 0x7f0000200080 "             \
  "0x7f0000200100\n"                                                                               \
  "0030 ffffffff 1 R5 FADD 2 R2 R2 0\n"                                                            \
  "0040 00000003 0 STG.E 2 R4 R5 4 2 0x7f0000000080 8\n"                                           \
  "0050 ffffffff 0 EXIT 0 0\n"
#define ACCEL_WARP1 "\nwarp = 1\ninsts = 1\n0050 ffffffff 0 EXIT 0 0\n\n#END_TB\n"
#define ACCEL_BLOCK1 "#BEGIN_TB\nthread block = 1,0,0\nwarp = 0\ninsts = 0\n" ACCEL_WARP1

START_TEST(accelsim) {
  workload_t *w = must_open(ACCEL_HEAD ACCEL_WARP0 ACCEL_WARP1 ACCEL_BLOCK1);
  const launch_t *l = workload_next(w);
  uint64_t addr[WARP_LANES];
  ck_assert_uint_eq(l->blocks, 2);
  ck_assert_uint_eq(l->threads, 64);
  ck_assert_uint_eq(l->regs, 12);
  warp_stream_t *s = warp_stream_open(w, 0, 0);
  const warp_inst_t *i = skip(w, s, 1);
  uint16_t first = i->dst[0];
  warp_stream_addresses(w, s, addr);
  ck_assert_uint_eq(addr[0], 0x80000000);
  ck_assert_uint_eq(addr[31], 0x80000000 + 31 * 4);
  warp_stream_step(w, s);
  i = warp_stream_peek(w, s);
  ck_assert_uint_eq(i->elem, 8);
  warp_stream_addresses(w, s, addr);
  ck_assert_uint_eq(addr[0], 0x80200000); /* the next page follows */
  ck_assert_uint_eq(addr[3], 0x80200100);
  warp_stream_step(w, s);
  i = warp_stream_peek(w, s);
  ck_assert_int_eq(i->cls, WARP_ALU);
  ck_assert_uint_eq(i->src[0], first); /* FADD waits for the first load, not for the second */
  ck_assert_uint_eq(i->src[1], 0);
  warp_stream_step(w, s);
  i = warp_stream_peek(w, s);
  ck_assert_int_eq(i->cls, WARP_STORE);
  warp_stream_addresses(w, s, addr);
  ck_assert_uint_eq(addr[1] - addr[0], 8);
  warp_stream_close(w, s);
  s = warp_stream_open(w, 1, 0); /* no instructions: ends at once */
  ck_assert_int_eq(warp_stream_peek(w, s)->cls, WARP_EXIT);
  warp_stream_close(w, s);
  workload_close(w);
}
END_TEST

static const struct {
  const char *text, *says;
} bad_accel[] = {
    {ACCEL_HEAD ACCEL_WARP0 ACCEL_WARP1, "block 1 warp 0 of _Z3addPfS_ has no end"},
    {ACCEL_HEAD ACCEL_WARP0, "warp 1 of _Z3addPfS_ has no end"},
    {ACCEL_HEAD "warp = 0\ninsts = 2\n0000 ffffffff 1 R1 MOV 1 R255 0\n",
     ":17: the trace is cut off"},
    {ACCEL_HEAD "warp = 0\ninsts = 1\n0000 ffffffff 1 R1 LDG 1 R255 4 0 0x10\n", ":17: 1 words"},
    {ACCEL_HEAD "warp = 0\ninsts = 1\n0000 ffffffff 1 R1 LDG 1 R255 4 3 0x10\n",
     "address encoding"},
    {ACCEL_HEAD "warp = 0\ninsts = 1\nzzzz ffffffff 1\n", ":17: an instruction; legal"},
    {ACCEL_HEAD "warp = 99\n", "warp = N"},
    {"-kernel name = k\n#BEGIN_TB\n", "no -grid dim"},
    {"-kernel name = k\n", "no thread block"},
    {"-kernel name = k\n-grid dim = (2,1)\n", ":2: '(2,1)'; legal: (X,Y,Z)"},
};

START_TEST(refuses_accelsim) {
  workload_t *w;
  mrpb_err_t err = {{0}};
  ck_assert_int_eq(open_text(&w, bad_accel[_i].text, &err), -1);
  ck_assert_msg(strstr(err.text, bad_accel[_i].says), "'%s' is not in '%s'", bad_accel[_i].says,
                err.text);
}
END_TEST

START_TEST(list) {
  char name[64], kernel[64], text[200];
  workload_t *w;
  mrpb_err_t err = {{0}};
  temp_name(kernel, "-1.traceg");
  temp_name(name, "-kernelslist.g");
  static const char body[] = ACCEL_HEAD ACCEL_WARP0 ACCEL_WARP1 ACCEL_BLOCK1;
  write_file(kernel, body, strlen(body));
  snprintf(text, sizeof text, "MemcpyHtoD,0x7f0000000000,4096\n%s\n%s\n", kernel + 5, kernel + 5);
  write_file(name, text, strlen(text));
  ck_assert_msg(trace_open(&w, name, &err) == 0, "%s", err.text);
  ck_assert_ptr_nonnull(workload_next(w));
  ck_assert_ptr_nonnull(workload_next(w));
  ck_assert_ptr_null(workload_next(w));
  workload_close(w);
  remove(kernel);
  ck_assert_int_eq(trace_open(&w, name, &err), -1);
  ck_assert_ptr_nonnull(strstr(err.text, kernel));
  remove(name);
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
  t = tcase_create("accelsim");
  tcase_add_test(t, accelsim);
  tcase_add_loop_test(t, refuses_accelsim, 0, sizeof bad_accel / sizeof *bad_accel);
  tcase_add_test(t, list);
  suite_add_tcase(s, t);
  return s;
}
