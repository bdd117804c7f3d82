/* SPDX-License-Identifier: Apache-2.0 */
/* Barriers with numbers and counts, barriers that only arrive, and reductions: without timing,
 * on the GPU with and without the MRPB, and on the GPU of the micro-benchmarks; and what is
 * refused. */
#include "device/device.h"
#include "ptx_bench.h"

enum { WARPS = 4, THREADS = WARPS * WARP_LANES, BLOCKS = 5 };

#define ENTRY                                                                                      \
  PTX_HEAD ".visible .entry k(.param .u64 out) {\n"                                                \
           ".reg .b32 %r<20>; .reg .b64 %rd<9>; .reg .pred %p<9>; .shared .align 4 .b8 s[1024];\n" \
           "ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mov.u32 %r2, %ctaid.x;\n"               \
           "mov.u32 %r3, %ntid.x; mad.lo.u32 %r4, %r2, %r3, %r1; mul.wide.u32 %rd2, %r4, 4;\n"     \
           "add.u64 %rd1, %rd1, %rd2; mov.u32 %r5, s; shr.u32 %r6, %r1, 5; mov.u32 %r10, 0;\n"     \
           "shl.b32 %r7, %r1, 2; add.u32 %r7, %r5, %r7; st.shared.u32 [%r7], 0; bar.sync 0;\n"
#define TEXT(body) ENTRY body "\nst.global.u32 [%rd1], %r10; ret; }\n"

typedef struct {
  const char *text;
  uint32_t (*want)(uint32_t tid);
} case_t;

/* ---- reductions ------------------------------------------------------------------ */

static uint32_t want_popc(uint32_t tid) {
  (void)tid;
  return THREADS / 3 + 1 + 1000; /* threads 0, 3, ...; the last one's or is true */
}
#define POPC                                                                                       \
  "rem.u32 %r8, %r1, 3; setp.eq.u32 %p1, %r8, 0; bar.red.popc.u32 %r10, 0, %p1;\n"                 \
  "setp.eq.u32 %p2, %r1, 127; barrier.cta.red.or.aligned.pred %p3, 5, 128, %p2;\n"                 \
  "@%p3 add.u32 %r10, %r10, 1000; bar.red.and.pred %p4, 0, %p1; @%p4 add.u32 %r10, %r10, 5000;\n"

/* Of the warps that have not ended; !p. */
static uint32_t want_ended(uint32_t tid) {
  return tid < 32 ? 0 : 3 * 32 - 1;
}
#define ENDED                                                                                      \
  "setp.lt.u32 %p1, %r1, 32; @%p1 ret; setp.eq.u32 %p2, %r1, 40;\n"                                \
  "bar.red.popc.u32 %r10, 7, !%p2;\n"

/* Some lanes only: the others' predicates do not count. */
static uint32_t want_some(uint32_t tid) {
  return tid % 32 < 8 ? 8 * WARPS : 0;
}
#define SOME                                                                                       \
  "and.b32 %r8, %r1, 31; setp.ge.u32 %p1, %r8, 8; @%p1 bra L; setp.eq.u32 %p2, %r1, %r1;\n"        \
  "barrier.red.popc.u32 %r10, 1, %p2; L:\n"

/* ---- parts of a block -------------------------------------------------------------- */

/* Each half of the block has a barrier of its own, whose number is in a register, and meets there
 * nine times; what the other warp of the half has written is read. */
static uint32_t want_halves(uint32_t tid) {
  return 9 * (tid ^ 32) + 36;
}
#define HALVES                                                                                     \
  "shr.u32 %r8, %r1, 6; add.u32 %r8, %r8, 3; mov.u32 %r12, 64; mov.u32 %r9, 0;\n"                  \
  "xor.b32 %r11, %r1, 32; shl.b32 %r11, %r11, 2; add.u32 %r11, %r5, %r11;\n"                       \
  "AGAIN: add.u32 %r13, %r1, %r9; st.shared.u32 [%r7], %r13; bar.sync %r8, %r12;\n"                \
  "ld.shared.u32 %r14, [%r11]; add.u32 %r10, %r10, %r14; bar.sync %r8, 64;\n"                      \
  "add.u32 %r9, %r9, 1; setp.lt.u32 %p1, %r9, 9; @%p1 bra AGAIN;\n"

/* Warp 0 consumes what the others produce, in four rounds: full and empty barriers. */
static uint32_t want_pipe(uint32_t tid) {
  uint32_t sum = 0;
  for (uint32_t round = 0; tid < 32 && round < 4; round++)
    for (uint32_t w = 1; w < WARPS; w++) sum += 100 * round + 32 * w + tid;
  return sum;
}
#define PIPE                                                                                       \
  "mov.u32 %r9, 0; setp.eq.u32 %p1, %r6, 0; @%p1 bra CONSUME;\n"                                   \
  "PRODUCE: mad.lo.u32 %r8, %r9, 100, %r1; st.shared.u32 [%r7], %r8; bar.arrive 1, 128;\n"         \
  "bar.sync 2, 128; add.u32 %r9, %r9, 1; setp.lt.u32 %p2, %r9, 4; @%p2 bra PRODUCE; bra END;\n"    \
  "CONSUME: bar.sync 1, 128; ld.shared.u32 %r8, [%r7+128]; add.u32 %r10, %r10, %r8;\n"             \
  "ld.shared.u32 %r8, [%r7+256]; add.u32 %r10, %r10, %r8; ld.shared.u32 %r8, [%r7+384];\n"         \
  "add.u32 %r10, %r10, %r8; bar.arrive 2, 128; add.u32 %r9, %r9, 1; setp.lt.u32 %p2, %r9, 4;\n"    \
  "@%p2 bra CONSUME; END:\n"

/* A warp whose guard is false has not come. */
static uint32_t want_guard(uint32_t tid) {
  return tid / 32 == 2 ? 0 : 3 * 32;
}
#define GUARD "setp.ne.u32 %p1, %r6, 2; @%p1 bar.red.popc.u32 %r10, 9, 96, %p1;\n"

static const case_t cases[] = {
    {TEXT(POPC), want_popc},     {TEXT(ENDED), want_ended}, {TEXT(SOME), want_some},
    {TEXT(HALVES), want_halves}, {TEXT(PIPE), want_pipe},   {TEXT(GUARD), want_guard},
};
enum { CASES = sizeof cases / sizeof *cases };

static void compare(const case_t *c, const char *where, const uint32_t *out) {
  for (uint32_t i = 0; i < BLOCKS * THREADS; i++)
    ck_assert_msg(out[i] == c->want(i % THREADS), "%s: thread %u: %u, expected %u\n%s", where, i,
                  out[i], c->want(i % THREADS), c->text);
}

START_TEST(without_timing) {
  rig_t r = {0};
  ck_assert_msg(rig_open(&r, cases[_i].text, BLOCKS, THREADS) == 0, "%s", r.err.text);
  const uint32_t *out = rig_buffer(&r, 0, 4 * BLOCKS * THREADS);
  ck_assert_msg(rig_run(&r) == 0, "%s", r.err.text);
  compare(&cases[_i], "functional", out);
  rig_close(&r);
}
END_TEST

START_TEST(on_the_gpu) {
  for (unsigned m = 0; m < MACHINES; m++) {
    bench_t b;
    start(&b, cases[_i].text, BLOCKS, THREADS);
    machine(&b.cfg, m);
    b.cfg.sms = 2;
    const uint32_t *out = rig_buffer(&b.rig, 0, 4 * BLOCKS * THREADS);
    run_with(&b, 0);
    expect_fine(&b);
    compare(&cases[_i], "gpu", out);
    rig_close(&b.rig);
  }
}
END_TEST

START_TEST(on_the_device) {
  rig_t r = {0};
  device_t *d = NULL;
  config_t cfg;
  config_defaults_of(&cfg, CONFIG_CORE_IN_ORDER, CONFIG_MEMORY_PORTS);
  ck_assert_msg(rig_open(&r, cases[_i].text, BLOCKS, THREADS) == 0, "%s", r.err.text);
  const uint32_t *out = rig_buffer(&r, 0, 4 * BLOCKS * THREADS);
  const device_setup_t setup = {&cfg, r.w, NULL};
  ck_assert_msg(device_create(&d, &setup, &r.err) == 0, "%s", r.err.text);
  ck_assert_msg(device_run(d, 0, 1000000, &r.err) == DEVICE_DONE, "%s", r.err.text);
  compare(&cases[_i], "device", out);
  device_destroy(d);
  rig_close(&r);
}
END_TEST

/* ---- refused ------------------------------------------------------------------------ */

static const struct {
  const char *text, *message;
} faults[] = {
    {TEXT("mov.u32 %r8, 16; bar.sync %r8;"),
     "k:10: bar: lane 0 of block (0,0,0) thread (0,0,0): barrier 16; legal: 0 to 15"},
    {TEXT("mov.u32 %r8, 48; bar.sync 1, %r8;"),
     "k:10: bar: lane 0 of block (0,0,0) thread (0,0,0): a barrier of 48 threads; legal: multiples "
     "of 32, up to 128"},
    {TEXT("bar.sync 1, 160;"), "k:10: bar: lane 0 of block (0,0,0) thread (0,0,0): a barrier of "
                               "160 threads; legal: multiples "
                               "of 32, up to 128"},
    {TEXT("and.b32 %r8, %r1, 1; bar.sync %r8, 64;"),
     "k:10: bar: lane 1 of block (0,0,0) thread (1,0,0): barrier 1, of lane 0 0; legal: one for "
     "the "
     "warp"},
    {TEXT("setp.eq.u32 %p1, %r6, 0; selp.u32 %r8, 128, 96, %p1; bar.sync 1, %r8;"),
     "k:10: bar: lane 0 of block (0,0,0) thread (32,0,0): barrier 1 of 96 threads, but the first "
     "to arrive said 128 (0: all)"},
    {TEXT("setp.eq.u32 %p1, %r6, 0; @%p1 bar.sync 1, 64;"),
     "k: warps 0x1 of a block wait at a barrier where no other warp can arrive"},
};

START_TEST(refused) {
  rig_t r = {0};
  ck_assert_msg(rig_open(&r, faults[_i].text, 1, THREADS) == 0, "%s", r.err.text);
  (void)rig_buffer(&r, 0, 4 * THREADS);
  ck_assert_int_eq(rig_run(&r), WORKLOAD_FAILED);
  ck_assert_str_eq(r.err.text, faults[_i].message);
  rig_close(&r);
}
END_TEST

/* A warp that waits for another one's store, without a barrier, does not keep the others out. */
START_TEST(waits_for_memory) {
  static const char text[] = TEXT(
      "setp.eq.u32 %p1, %r6, 3; @%p1 st.volatile.shared.u32 [%r5], 7; @%p1 bra END;\n"
      "AGAIN: ld.volatile.shared.u32 %r10, [%r5]; setp.eq.u32 %p2, %r10, 0; nanosleep.u32 20;\n"
      "@%p2 bra AGAIN; END:");
  rig_t r = {0};
  ck_assert_msg(rig_open(&r, text, 1, THREADS) == 0, "%s", r.err.text);
  const uint32_t *out = rig_buffer(&r, 0, 4 * THREADS);
  ck_assert_msg(rig_run(&r) == 0, "%s", r.err.text);
  for (unsigned i = 0; i < THREADS; i++) ck_assert_uint_eq(out[i], i < 96 ? 7 : 0);
  rig_close(&r);
}
END_TEST

Suite *test_barriers_suite(void);

Suite *test_barriers_suite(void) {
  Suite *s = suite_create("barriers");
  TCase *t = tcase_create("barriers");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, without_timing, 0, CASES);
  tcase_add_loop_test(t, on_the_gpu, 0, CASES);
  tcase_add_loop_test(t, on_the_device, 0, CASES);
  tcase_add_loop_test(t, refused, 0, sizeof faults / sizeof *faults);
  tcase_add_test(t, waits_for_memory);
  suite_add_tcase(s, t);
  return s;
}
