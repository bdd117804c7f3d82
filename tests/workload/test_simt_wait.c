/* SPDX-License-Identifier: Apache-2.0 */
/* Loops that never end, and loops that only look so. */
#include "simt_help.h"

#include <stdio.h>

#define HEAD                                                                                       \
  ".version 6.0\n.target sm_50\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"            \
  ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<4>; .shared .align 4 .b32 s[8];\n"             \
  "ld.param.u64 %rd1, [p]; mov.u32 %r1, %tid.x;\n"
#define LOCK "atom.global.cas.b32 %r2, [%rd1], 0, 1;"

typedef struct {
  const char *text;
  uint32_t blocks, threads;
  const char *says; /* NULL: it ends */
} case_t;

static const case_t endless[] = {
    /* The first lane has the lock, and waits behind the loop for the others. */
    {HEAD "AGAIN:\n" LOCK "\nsetp.ne.u32 %p1, %r2, 0;\n@%p1 bra AGAIN;\n"
          "atom.global.exch.b32 %r3, [%rd1], 0;\nret; }",
     1, 32,
     "k: warp 0 of block 0 repeats the loop of lines 8 to 10 for ever: no warp that has begun "
     "changes "
     "memory any more; lanes 0x00000001 of the warp wait behind it for lanes 0xfffffffe"},
    /* The same by an exchange, which writes what is there. */
    {HEAD "AGAIN:\natom.global.exch.b32 %r2, [%rd1], 1; setp.ne.u32 %p1, %r2, 0;\n"
          "@%p1 bra AGAIN;\natom.global.exch.b32 %r3, [%rd1], 0;\nret; }",
     1, 2, "lines 8 to 9 for ever: "},
    /* The pause grows up to a limit, so the first turns have other registers than the later ones. */
    {HEAD
     "mov.u32 %r4, 1;\nAGAIN:\nnanosleep.u32 %r4; shl.b32 %r4, %r4, 1; min.u32 %r4, %r4, 999;\n"
     "ld.volatile.global.u32 %r2, [%rd1]; setp.eq.u32 %p1, %r2, 0;\n@%p1 bra AGAIN;\nret; }",
     1, 1, "lines 9 to 11 for ever: "},
    /* Without timing, a flag of the next block is never set. */
    {HEAD
     "mov.u32 %r3, %ctaid.x; setp.eq.u32 %p2, %r3, 1; @%p2 st.global.u32 [%rd1], 1;\n"
     "AGAIN: ld.volatile.global.u32 %r2, [%rd1]; setp.eq.u32 %p1, %r2, 0; @%p1 bra AGAIN;\nret; }",
     2, 1, "warp 0 of block 0 repeats the loop of lines 8 to 8 for ever: "},
    /* One warp waits for the other at a barrier, that one for a flag of the first. */
    {HEAD "setp.lt.u32 %p2, %r1, 32;\n@%p2 bra MEET;\n"
          "AGAIN: ld.volatile.shared.u32 %r2, [s]; setp.eq.u32 %p1, %r2, 0; @%p1 bra AGAIN;\n"
          "MEET: bar.sync 0;\nst.shared.u32 [s], 1;\nret; }",
     1, 64, "warp 1 of block 0 repeats the loop of lines 9 to 9 for ever: "},
    /* Two warps that wait for each other, with a counter in local memory that both keep at 3. */
    {HEAD ".local .align 4 .b32 l[2]; shr.u32 %r4, %r1, 5; shl.b32 %r4, %r4, 2; mov.u32 %r5, s;\n"
          "add.u32 %r4, %r4, %r5;\nAGAIN: mov.u32 %r6, 3; st.local.u32 [l], %r6;\n"
          "ld.volatile.shared.u32 %r2, [%r4]; setp.eq.u32 %p1, %r2, 0;\n@%p1 bra AGAIN;\nret; }",
     1, 64, "lines 9 to 11 for ever: "},
};

START_TEST(never_ends) {
  const case_t *c = &endless[_i];
  for (unsigned portable = 0; portable < 2; portable++) {
    rig_t r = {.portable = portable};
    ck_assert_msg(rig_open(&r, c->text, c->blocks, c->threads) == 0, "%s", r.err.text);
    rig_buffer(&r, 0, 64);
    ck_assert_int_eq(rig_run(&r), WORKLOAD_HANGS);
    ck_assert_msg(strstr(r.err.text, c->says) != NULL, "%s", r.err.text);
    ck_assert(workload_hangs(r.w));
    rig_close(&r);
  }
}
END_TEST

/* Long loops that change nothing in memory, and end. */
static const case_t ends[] = {
    /* A loop of 3 million turns in registers. */
    {HEAD
     "mov.u32 %r2, 3000000;\nAGAIN: sub.u32 %r2, %r2, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra AGAIN;\n"
     "st.global.u32 [%rd1], 77; ret; }",
     1, 1, NULL},
    /* The other warp sets the flag after 200,000 turns: three times more than a turn of a warp. */
    {HEAD "setp.lt.u32 %p2, %r1, 32;\n@%p2 bra WAITS;\nmov.u32 %r2, 200000;\n"
          "AGAIN: sub.u32 %r2, %r2, 1; setp.ne.u32 %p1, %r2, 0; @%p1 bra AGAIN;\n"
          "st.shared.u32 [s], 77;\nret;\n"
          "WAITS: ld.volatile.shared.u32 %r3, [s]; setp.eq.u32 %p1, %r3, 0; @%p1 bra WAITS;\n"
          "st.global.u32 [%rd1], %r3;\nret; }",
     1, 64, NULL},
    /* The other warp comes from a barrier, and sets the flag at once. */
    {HEAD "bar.sync 0;\nsetp.ge.u32 %p2, %r1, 32;\n@%p2 st.shared.u32 [s], 77;\n"
          "WAITS: ld.volatile.shared.u32 %r3, [s]; setp.eq.u32 %p1, %r3, 0; @%p1 bra WAITS;\n"
          "st.global.u32 [%rd1], %r3;\nret; }",
     1, 64, NULL},
    /* A lock, as it must be written for lanes in lockstep: 64 threads add 1, and 13 more. */
    {HEAD
     "AGAIN: " LOCK " setp.ne.u32 %p1, %r2, 0; @%p1 bra NEXT;\n"
     "ld.volatile.global.u32 %r3, [%rd1+4]; add.u32 %r3, %r3, 1; st.global.u32 [%rd1+4], %r3;\n"
     "atom.global.exch.b32 %r4, [%rd1], 0;\nNEXT: @%p1 bra AGAIN; bar.sync 0;\n"
     "setp.ne.u32 %p2, %r1, 0; @%p2 bra END;\nld.volatile.global.u32 %r3, [%rd1+4];\n"
     "add.u32 %r3, %r3, 13; st.global.u32 [%rd1], %r3;\nEND: ret; }",
     1, 64, NULL},
};

START_TEST(does_end) {
  rig_t r = {0};
  ck_assert_msg(rig_open(&r, ends[_i].text, ends[_i].blocks, ends[_i].threads) == 0, "%s",
                r.err.text);
  const uint32_t *out = rig_buffer(&r, 0, 64);
  simt_patience(r.w, 600);
  ck_assert_msg(rig_run(&r) == 0, "%s", r.err.text);
  ck_assert_uint_eq(out[0], 77);
  rig_close(&r);
}
END_TEST

/* Its registers differ in each turn: a 64-bit counter. It ends by the time limit. */
START_TEST(counts_for_ever) {
  rig_t r = {0};
  const char *text = HEAD "mov.u64 %rd2, 0;\nAGAIN:\nadd.u64 %rd2, %rd2, 1;\n"
                          "ld.volatile.global.u32 %r2, [%rd1]; setp.eq.u32 %p1, %r2, 0;\n"
                          "@%p1 bra AGAIN;\nst.global.u64 [%rd1], %rd2;\nret; }";
  ck_assert_int_eq(rig_open(&r, text, 1, 1), 0);
  rig_buffer(&r, 0, 64);
  simt_patience(r.w, 1);
  ck_assert_int_eq(rig_run(&r), WORKLOAD_HANGS);
  const char *at = strstr(r.err.text, "repeats the loop of lines 9 to 11 ");
  ck_assert_msg(at && strstr(at, " times: no warp that has begun"), "%s", r.err.text);
  rig_close(&r);
}
END_TEST

/* It changes memory in each turn, so only the time of the block is limited. */
START_TEST(writes_for_ever) {
  rig_t r = {0};
  const char *text = HEAD "AGAIN: st.volatile.global.u32 [%rd1], %r1;\nbra AGAIN; }";
  ck_assert_int_eq(rig_open(&r, text, 1, 1), 0);
  rig_buffer(&r, 0, 64);
  ck_assert_int_eq(workload_run_within(r.w, 0.2, &r.err), WORKLOAD_HANGS);
  ck_assert_str_eq(r.err.text, "k: block 0 did not end within 0.2 s; given up");
  rig_close(&r);
}
END_TEST

Suite *test_simt_wait_suite(void);

Suite *test_simt_wait_suite(void) {
  Suite *s = suite_create("simt_wait");
  TCase *t = tcase_create("simt_wait");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, never_ends, 0, sizeof endless / sizeof *endless);
  tcase_add_loop_test(t, does_end, 0, sizeof ends / sizeof *ends);
  tcase_add_test(t, counts_for_ever);
  tcase_add_test(t, writes_for_ever);
  suite_add_tcase(s, t);
  return s;
}
