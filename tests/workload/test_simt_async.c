/* SPDX-License-Identifier: Apache-2.0 */
/* cp.async: sizes, omitted bytes, both widths of addresses, and faults; prefetches and policies. */
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

/* Which of a kernel's seven copies (numbered in the order of execution) the wait is for: a bit each. */
static const struct {
  const char *text;
  unsigned waits[3];
} groups[] = {
    {"C(0) C(1) G C(2) G W1 W0 A", {3, 4, 0}},
    {"C(0) G C(1) G C(2) W0 W0 A", {3, 0, 4}}, /* the third is in no group */
    {"C(0) G C(1) G C(2) G W2 A W0", {1, 6, 0}},
    {"G G C(0) G W1 W0 A", {0, 1, 0}},
    {"C(0) C(1) C(2) C(3) C(4) C(5) G C(6) G W1 A W0", {0x3C, 0x40, 0}}, /* two have come */
    {"@%p1 C(0) G @!%p1 C(1) @!%p1 G @%p1 W0 W1 A", {1, 0, 2}},
};

static char *spell(const char *from) {
  static const char *const words[][2] = {{"C(", "cp.async.ca.shared.global [%rd4], [%rd1], 4;"},
                                         {"G", "cp.async.commit_group;"},
                                         {"W", "cp.async.wait_group "},
                                         {"A", "cp.async.wait_all;"}};
  char *text = malloc(4096);
  size_t n = (size_t)snprintf(text, 4096, "%s", ENTRY);
  while (*from) {
    unsigned k = 0;
    while (k < 4 && strncmp(from, words[k][0], strlen(words[k][0])) != 0) k++;
    if (k == 4) {
      text[n++] = *from++;
      continue;
    }
    n += (size_t)snprintf(text + n, 4096 - n, "%s", words[k][1]);
    if (k == 2) n += (size_t)snprintf(text + n, 4096 - n, "%c;", from[1]);
    from += k == 0 ? 4 : k == 2 ? 2 : 1;
  }
  snprintf(text + n, 4096 - n, "ret; }\n");
  return text;
}

START_TEST(just_its_groups) {
  rig_t r = {0};
  uint16_t reg_of[8] = {0};
  unsigned copied = 0, n = 0;
  char *text = spell(groups[_i].text);
  ck_assert_msg(rig_open(&r, text, 1, 32) == 0, "%s", r.err.text);
  (void)rig_buffer(&r, 0, THREADS * ROOM), (void)rig_buffer(&r, 1, THREADS * ROOM);
  ck_assert_ptr_nonnull(workload_next(r.w));
  warp_stream_t *s = warp_stream_open(r.w, 0, 0);
  const warp_inst_t *i;
  for (; (i = warp_stream_peek(r.w, s)); warp_stream_step(r.w, s)) {
    unsigned waits = 0;
    if (i->op == PTX_OP_CP_ASYNC) reg_of[copied++] = i->dst[0];
    if (i->op != PTX_OP_ASYNC_WAIT) continue;
    for (unsigned c = copied > PTX_COPIES ? copied - PTX_COPIES : 0; c < copied; c++)
      for (unsigned k = 0; k < WARP_OPERANDS; k++)
        waits |= (unsigned)(i->regs[k] == reg_of[c]) << c;
    ck_assert_uint_lt(n, 3);
    ck_assert_msg(waits == groups[_i].waits[n], "%s: wait %u is for %#x", groups[_i].text, n,
                  waits);
    n++;
  }
  ck_assert_uint_eq(n, 3);
  warp_stream_close(r.w, s);
  rig_close(&r);
  free(text);
}
END_TEST

Suite *test_simt_async_suite(void);

Suite *test_simt_async_suite(void) {
  Suite *s = suite_create("simt_async");
  TCase *t = tcase_create("simt_async");
  tcase_add_loop_test(t, copies, 0, sizeof cases / sizeof *cases);
  tcase_add_loop_test(t, out_of_reach, 0, sizeof faults / sizeof *faults);
  tcase_add_loop_test(t, just_its_groups, 0, sizeof groups / sizeof *groups);
  suite_add_tcase(s, t);
  return s;
}
