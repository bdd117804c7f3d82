/* SPDX-License-Identifier: Apache-2.0 */
/* cp.async: sizes, bytes left out, both widths of addresses, what is a fault; prefetches and policies. */
#include "simt_help.h"

#include <stdio.h>

enum { THREADS = 64, ROOM = 16 };

#define ENTRY                                                                                      \
  PTX_HEAD                                                                                         \
  ".visible .entry k(.param .u64 in, .param .u64 out) {\n"                                         \
  ".reg .b32 %r<20>; .reg .b64 %rd<20>; .reg .pred %p<4>; .shared .align 16 .b8 s[1024];\n"        \
  "ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out]; mov.u32 %r1, %tid.x;\n"                      \
  "mul.wide.u32 %rd3, %r1, 16; add.u64 %rd1, %rd1, %rd3; add.u64 %rd2, %rd2, %rd3;\n"              \
  "mov.u64 %rd4, s; add.u64 %rd4, %rd4, %rd3; cvt.u32.u64 %r2, %rd4; mov.u32 %r9, -1;\n"           \
  "st.shared.v4.u32 [%rd4], {%r9, %r9, %r9, %r9}; and.b32 %r3, %r1, 31;\n"                         \
  "setp.gt.u32 %p1, %r3, 20; prefetch.global.L2 [%rd1]; prefetchu.L1 [%rd1];\n"
#define TAIL                                                                                       \
  "\ncp.async.commit_group; cp.async.wait_group 0; bar.sync 0;\n"                                  \
  "ld.shared.v4.u32 {%r4, %r5, %r6, %r7}, [%rd4];\n"                                               \
  "st.global.v4.u32 [%rd2], {%r4, %r5, %r6, %r7}; ret; }\n"

/* Bytes of a thread's 16 that come from memory, that are zeros behind them; the rest stays. */
typedef struct {
  const char *copy;
  unsigned (*read)(unsigned lane);
  unsigned size;
} case_t;

static unsigned r4(unsigned lane) {
  (void)lane;
  return 4;
}
static unsigned r8(unsigned lane) {
  (void)lane;
  return 8;
}
static unsigned r16(unsigned lane) {
  (void)lane;
  return 16;
}
static unsigned by_lane(unsigned lane) {
  return lane < 16 ? lane : 16;
}
static unsigned by_predicate(unsigned lane) {
  return lane > 20 ? 0 : 8;
}
static unsigned unless(unsigned lane) {
  return lane > 20 ? 16 : 0;
}

static const case_t cases[] = {
    {"cp.async.ca.shared.global [%r2], [%rd1], 4;", r4, 4},
    {"cp.async.ca.shared.global [%rd4], [%rd1], 8;", r8, 8},
    {"cp.async.ca.shared::cta.global.L2::64B [%r2], [%rd1], 16;", r16, 16},
    {"cp.async.cg.shared.global [%rd4], [%rd1], 16, 16;", r16, 16},
    {"cp.async.cg.shared.global [%r2], [%rd1], 16, %r3;", by_lane, 16},
    {"cp.async.ca.shared.global [%r2], [%rd1], 8, %p1;", by_predicate, 8},
    {"cp.async.cg.shared.global [%r2], [%rd1], 16, !%p1;", unless, 16},
    {"createpolicy.fractional.L2::evict_first.b64 %rd9, 1.0;\n"
     "cp.async.cg.shared.global.L2::cache_hint [%r2], [%rd1], 16, %rd9;",
     r16, 16},
    {"sub.u32 %r2, %r2, 32; add.u64 %rd1, %rd1, 64;\n"
     "cp.async.cg.shared.global [%r2+32], [%rd1+-64], 16;",
     r16, 16},
};

START_TEST(copies) {
  const case_t *c = &cases[_i];
  char text[4096];
  rig_t r = {0};
  snprintf(text, sizeof text, "%s%s%s", ENTRY, c->copy, TAIL);
  ck_assert_msg(rig_open(&r, text, 1, THREADS) == 0, "%s", r.err.text);
  uint8_t *in = rig_buffer(&r, 0, THREADS * ROOM);
  const uint8_t *out = rig_buffer(&r, 1, THREADS * ROOM);
  for (unsigned i = 0; i < THREADS * ROOM; i++) in[i] = (uint8_t)(i * 7 + i / 256 + 1);
  ck_assert_msg(rig_run(&r) == 0, "%s", r.err.text);
  for (unsigned i = 0; i < THREADS * ROOM; i++) {
    const unsigned at = i % ROOM, read = c->read(i / ROOM % 32);
    const uint8_t want = at < read ? in[i] : at < c->size ? 0 : 0xFF;
    ck_assert_msg(out[i] == want, "%s: thread %u byte %u: %#x, expected %#x", c->copy, i / ROOM, at,
                  out[i], want);
  }
  rig_close(&r);
}
END_TEST

static const struct {
  const char *copy, *message;
} faults[] = {
    {"cp.async.cg.shared.global [%r2+1024], [%rd1], 16;",
     "k:11: cp.async: lane 0 of block (0,0,0) thread (0,0,0): 16-byte store at 0x400: outside "
     "shared "
     "memory of the block"},
    {"cp.async.cg.shared.global [%r2+8], [%rd1], 16;",
     "k:11: cp.async: lane 0 of block (0,0,0) thread (0,0,0): 16-byte store at 0x8: not aligned in "
     "shared memory of the block"},
    {"cp.async.ca.shared.global [%r2], [%rd1+2], 4;",
     "k:11: cp.async: lane 0 of block (0,0,0) thread (0,0,0): 4-byte load at 0x80000002: not "
     "aligned "
     "in allocated global memory; legal: 0x80000000 to 0x800007ff"},
    {"add.u64 %rd1, %rd1, 65536; cp.async.ca.shared.global [%r2], [%rd1], 4, 0;", NULL},
};

START_TEST(out_of_reach) {
  char text[4096];
  rig_t r = {0};
  snprintf(text, sizeof text, "%s%s%s", ENTRY, faults[_i].copy, TAIL);
  ck_assert_msg(rig_open(&r, text, 1, THREADS) == 0, "%s", r.err.text);
  (void)rig_buffer(&r, 0, THREADS * ROOM), (void)rig_buffer(&r, 1, THREADS * ROOM);
  const int rc = rig_run(&r);
  if (faults[_i].message)
    ck_assert_str_eq(r.err.text, faults[_i].message);
  else
    ck_assert_msg(rc == 0, "%s", r.err.text);
  rig_close(&r);
}
END_TEST

Suite *test_simt_async_suite(void);

Suite *test_simt_async_suite(void) {
  Suite *s = suite_create("simt_async");
  TCase *t = tcase_create("simt_async");
  tcase_add_loop_test(t, copies, 0, sizeof cases / sizeof *cases);
  tcase_add_loop_test(t, out_of_reach, 0, sizeof faults / sizeof *faults);
  suite_add_tcase(s, t);
  return s;
}
