/* SPDX-License-Identifier: Apache-2.0 */
/* The same small kernel as tracers 3, 4, 5 and 6 write it (tests/data/trace, made by hand from the
 * format in docs/trace.md), grouped or not, plain and compressed: the same instructions. Also the
 * errors that only version 6 and only traces without groups can have. */
#include "base/compress.h"
#include "trace_help.h"

Suite *test_trace_tracer_suite(void);

/* Of a whole trace. */
typedef struct {
  unsigned alu, load, store, barrier, exit, shared;
  uint64_t addresses; /* their sum */
} counts_t;

static void count_warp(workload_t *w, uint32_t block, uint32_t warp, counts_t *c) {
  uint64_t addr[WARP_LANES];
  warp_stream_t *s = warp_stream_open(w, block, warp);
  const warp_inst_t *i;
  for (; (i = warp_stream_peek(w, s)); warp_stream_step(w, s)) {
    c->alu += i->cls == WARP_ALU;
    c->load += i->cls == WARP_LOAD;
    c->store += i->cls == WARP_STORE;
    c->barrier += i->cls == WARP_BARRIER;
    c->exit += i->cls == WARP_EXIT;
    c->shared += i->unit == WARP_MEM && i->space == WARP_SHARED;
    if (i->unit != WARP_MEM) continue;
    warp_stream_addresses(w, s, addr);
    for (uint32_t m = warp_stream_mask(w, s); m; m &= m - 1) c->addresses += addr[__builtin_ctz(m)];
  }
  warp_stream_close(w, s);
}

static counts_t count(const char *path, unsigned launches) {
  counts_t c = {0};
  mrpb_err_t err = {""};
  workload_t *w;
  unsigned n = 0;
  ck_assert_msg(trace_open(&w, path, NULL, &err) == 0, "%s", err.text);
  for (const launch_t *l; (l = workload_next(w)); n++)
    for (uint32_t b = 0; b < l->blocks; b++)
      for (uint32_t i = 0; i < (l->threads + 31) / 32; i++) count_warp(w, b, i, &c);
  workload_close(w);
  ck_assert_uint_eq(n, launches);
  return c;
}

/* Four warps of 12 instructions. A warp's five accesses, from its place `b` in the first page on: 32
 * lanes by 4 bytes; 32 by 8, 0x1000 behind; 32 by 4 of shared memory; b, b + 64, b + 32; b + 0x2000 and
 * b + 0x2100. The four places are 128 bytes apart. */
#define WARP_SUM (4 * 496 + 32 * 0x1000 + 8 * 496 + 4 * 496 + 96 + 0x4100)
static const counts_t kernel = {
    20, 12, 8, 4, 4, 4, UINT64_C(69) * (4 * UINT64_C(0x80000000) + 128 * 6) + 4 * WARP_SUM};

static void must_be(const counts_t *c, unsigned kernels) {
  ck_assert_uint_eq(c->alu, kernel.alu * kernels);
  ck_assert_uint_eq(c->load, kernel.load * kernels);
  ck_assert_uint_eq(c->store, kernel.store * kernels);
  ck_assert_uint_eq(c->barrier, kernel.barrier * kernels);
  ck_assert_uint_eq(c->exit, kernel.exit * kernels);
  ck_assert_uint_eq(c->shared, kernel.shared * kernels);
  ck_assert_uint_eq(c->addresses, kernel.addresses * kernels);
}

static const char *const samples[] = {
    "tests/data/trace/tracer3.traceg", "tests/data/trace/tracer4.traceg",
    "tests/data/trace/tracer5.traceg", "tests/data/trace/tracer6.traceg",
    "tests/data/trace/tracer3.trace",  "tests/data/trace/tracer4.trace",
    "tests/data/trace/tracer5.trace",  "tests/data/trace/tracer6.trace"};

START_TEST(the_same_instructions) {
  const counts_t c = count(samples[_i], 1);
  must_be(&c, 1);
}
END_TEST

START_TEST(compressed) {
  static const char *const ends[] = {".xz", ".gz", ".zst"};
  for (unsigned i = 0; i < sizeof ends / sizeof *ends; i++) {
    char name[64], text[1 << 15];
    FILE *from = fopen(samples[_i], "r");
    const size_t n = fread(text, 1, sizeof text, from);
    fclose(from);
    temp_name(name, ends[i]);
    FILE *f = fopen(name, "wb");
    compress_t *to = compress_open(f, compress_of(name));
    ck_assert(to && compress_write(to, text, n) == 0 && compress_end(to) == 0 && fclose(f) == 0);
    compress_close(to);
    const counts_t c = count(name, 1);
    remove(name);
    must_be(&c, 1);
  }
}
END_TEST

/* Of four kernels that are grouped, one that is not, and copies. */
START_TEST(a_list) {
  const counts_t c = count("tests/data/trace/kernelslist.g", 5);
  must_be(&c, 5);
}
END_TEST

/* Recorded as Accel-Sim 2.0's file and read again. */
START_TEST(recorded_as_tracez) {
  char name[64];
  mrpb_err_t err = {""};
  workload_t *inner, *w;
  temp_name(name, ".tracez");
  ck_assert_msg(trace_open(&inner, samples[_i], NULL, &err) == 0, "%s", err.text);
  ck_assert_int_eq(trace_record(&w, inner, name, &err), 0);
  ck_assert_int_eq(workload_run_within(w, 0, &err), 0);
  workload_close(w);
  const counts_t c = count(name, 1);
  remove(name);
  must_be(&c, 1);
}
END_TEST

/* ---- what is refused ------------------------------------------------------- */

#define HEAD(version)                                                                              \
  "-kernel name = k\n-grid dim = (1,1,1)\n-block dim = (64,1,1)\n-accelsim tracer version "        \
  "= " version "\n"
#define GROUP "#BEGIN_TB\nthread block = 0,0,0\n"
#define WARP0 "warp = 0\ninsts = 1\n"
#define ONE(inst) HEAD("6") GROUP WARP0 inst "\n"
#define EXIT0 "0 0 0 0 0090 ffffffff 0 EXIT 0 0 0\n"
#define EXIT1 "0 0 0 1 0090 ffffffff 0 EXIT 0 0 0\n"
#define CLUSTER "0 0 0 0 0 0 0 "

static const struct {
  const char *text, *says;
} bad[] = {
    /* version 6 */
    {ONE("0000 ffffffff 1 R1 MOV 0 0 0 0 Maybe"), ":9: 'Maybe' at the end; legal: at most two"},
    {ONE("0000 ffffffff 1 R1 MOV 0 0 0 0 0 NoVal"), ":9: '0' at the end"},
    {ONE("0000 ffffffff 1 R1 MOV 0 0 0 0 NoVal 1"), ":9: 'NoVal' at the end"},
    {ONE("0000 ffffffff 1 R1 MOV 0 0 0 0 Val"), ":9: values of 1 registers after Val"},
    {ONE("0000 ffffffff 1 R1 MOV 0 0 0 0 Val 2 0 0"), ":9: values of 1 registers after Val"},
    {ONE("0000 ffffffff 1 R1 MOV 0 0 0 0 Val 32 0 0"), ":9: values of 1 registers after Val"},
    {ONE("0000 ffffffff 1 R1 MOV 0 0 0 0 Val 1 xyz"), ":9: value 'xyz'; legal: hexadecimal"},
    {ONE("0000 ffffffff 1 R1 MOV 0 0 0 0 Val 1 0 7"), ":9: '7' after the values"},
    {ONE("0000 ffffffff 0 HGMMA 0 2 0 0 0 NoVal"), ":9: an instruction; legal"},
    {ONE("0000 ffffffff 256 MOV 0 0 0 0 NoVal"), ":9: an instruction; legal"},
    {ONE("0000 ffffffff 0 UTMALDG.2D 0 16 0x400 0 2048 0 3 1 0x7f 0 0 NoVal"),
     ":9: UTMALDG copies in bulk"},
    {HEAD("6") GROUP "cluster id = 0,0\n", ":7: 'cluster id = 0,0'; legal: cluster id = X,Y,Z"},
    {HEAD("6") GROUP "cluster size = 1\n", ":7: 'cluster size = 1'; legal"},
    {HEAD("5") GROUP WARP0 "0000 ffffffff 1 R1 MOV 0 0 0 0\n",
     ":9: '0' at the end; legal: nothing"},
    {HEAD("5") GROUP WARP0 "0000 ffffffff 1 R1 MOV 0 0 0 NoVal\n", ":9: 'NoVal' at the end"},
    {HEAD("6") "#BEGIN_TB\nthread block = 1,0,0\n", ":6: block 1,0,0; legal: inside the grid"},
    {ONE("0000 ffffffff 0 EXIT 0 0 0 0 NoVal"), ":9: block 0 warp 1 of k has no end"},
    /* without groups */
    {HEAD("5") EXIT0, ":5: the trace is cut off: block 0 warp 1 has no EXIT"},
    {HEAD("5") EXIT0 EXIT1 "0 0 0 1 0000 ffffffff 1 R1 MOV 0 0 0\n",
     ":7: the trace is cut off: block 0 warp 1 has no EXIT"},
    {HEAD("5") EXIT0 "0 0 0 2 0090 ffffffff 0 EXIT 0 0 0\n", ":6: warp 2; legal: below 2"},
    {HEAD("5") EXIT0 "0 1 0 0 0090 ffffffff 0 EXIT 0 0 0\n", ":6: block 0,1,0; legal"},
    {HEAD("5") EXIT0 "warp = 1\n", ":6: 'warp = 1'; legal: X Y Z WARP and an instruction"},
    {HEAD("5") EXIT0 "0 0 0\n", ":6: '0 0 0'; legal: X Y Z WARP"},
    {HEAD("5") EXIT0 "-shmem = 4\n", ":6: '-shmem = 4' after the first instruction"},
    {HEAD("5") "0 0 0 0 zzzz\n" EXIT0 EXIT1, ":5: an instruction; legal"},
    {HEAD("5") "0 0 0 4294967296 0000\n", ":5: '0 0 0 4294967296 0000'; legal: X Y Z WARP"},
    {HEAD("6") EXIT0 EXIT1, ":5: '0 0 0 0 0090 ffffffff 0 EXIT 0 0 0'; legal: X Y Z WARP CLUSTER"},
    {HEAD("6") "0 0 0 0 " CLUSTER "0000 ffffffff 0 EXIT 0 0 0 0 Val 1\n" EXIT1,
     ":6: '0 0 0 1 0090 ffffffff"},
    {"-kernel name = k\n" EXIT0, ":2: no -grid dim or -block dim"},
};

START_TEST(refuses) {
  workload_t *w;
  mrpb_err_t err = {""};
  ck_assert_int_eq(open_text(&w, bad[_i].text, &err), -1);
  ck_assert_msg(strstr(err.text, bad[_i].says), "'%s' is not in '%s'", bad[_i].says, err.text);
}
END_TEST

Suite *test_trace_tracer_suite(void) {
  Suite *s = suite_create("trace_tracer");
  TCase *t = tcase_create("tracer");
  tcase_add_loop_test(t, the_same_instructions, 0, sizeof samples / sizeof *samples);
  tcase_add_loop_test(t, compressed, 0, sizeof samples / sizeof *samples);
  tcase_add_test(t, a_list);
  tcase_add_loop_test(t, recorded_as_tracez, 0, sizeof samples / sizeof *samples);
  tcase_add_loop_test(t, refuses, 0, sizeof bad / sizeof *bad);
  suite_add_tcase(s, t);
  return s;
}
