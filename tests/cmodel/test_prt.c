/* SPDX-License-Identifier: Apache-2.0 */
/* prt against its page: directed cases. */
#include "prt_help.h"
#include <stdbool.h>

static bool ignored(bench_t *b) {
  prt_regs_t before = *prt_regs(b->self);
  step(b);
  return memcmp(&before, prt_regs(b->self), sizeof before) == 0;
}

START_TEST(one_instruction) {
  bench_t b = make(4, 8, 7, 0);
  ck_assert_uint_eq(step(alloc(&b, 0xff, 77, 20))->alloc_entry_o, 0);
  ck_assert_uint_eq(b.out.count_o, 0);
  ck_assert_uint_eq(step(issue(&b, 0, 0x0f))->issue_ok_o, 1);
  ck_assert_uint_eq(b.out.count_o, 1);
  ck_assert_uint_eq(step(issue(&b, 0, 0x30))->issue_ok_o, 1);
  const prt_regs_t *r = prt_regs(b.self);
  ck_assert(r->left_q[0] == 2 && r->pend_q[0] == 2);
  step(reply(&b, 0, 0x30));
  ck_assert(b.out.reply_ok_o == 1 && b.out.reply_tag_o == 77 && b.out.last_o == 0);
  for (unsigned l = 0; l < 8; l++)
    ck_assert_uint_eq(get(b.out.reply_offset_o, 7 * l, 7), l == 4 || l == 5 ? 20 + l : 0);
  step(reply(&b, 0, 0x0f)); /* the last one on its way, but lanes 6 and 7 are not issued yet */
  ck_assert(b.out.reply_ok_o == 1 && b.out.last_o == 0 && b.out.release_o == 0);
  ck_assert(r->valid_q[0] == 1 && r->pend_q[0] == 0 && r->left_q[0] == 2);
  step(issue(&b, 0, 0xc0));
  step(reply(&b, 0, 0xc0));
  ck_assert(b.out.reply_ok_o == 1 && b.out.last_o == 1 && b.out.release_o == 1);
  ck_assert_uint_eq(step(&b)->count_o, 0);
  prt_destroy(b.self);
}
END_TEST

/* A bypassed read allocates and issues in one cycle; a released entry is allocated in the same
 * cycle. */
START_TEST(all_in_one_cycle) {
  bench_t b = make(1, 4, 2, 0);
  step(issue(alloc(&b, 0x5, 1, 0), 0, 0x5));
  ck_assert(b.out.alloc_ready_o == 1 && b.out.issue_ok_o == 1);
  for (unsigned t = 2; t < 10; t++) {
    step(issue(alloc(&b, 0x6, t, t), 0, 0x2));
    ck_assert(b.out.alloc_ready_o == 0 && b.out.issue_ok_o == 0);
    step(issue(alloc(reply(&b, 0, t == 2 ? 0x5 : 0x6), 0x6, t, t), 0, 0x2));
    ck_assert(b.out.reply_ok_o == 1 && b.out.release_o == 1);
    ck_assert_uint_eq(b.out.reply_tag_o, t - 1); /* the old tag, not the new one */
    ck_assert(b.out.alloc_ready_o == 1 && b.out.alloc_entry_o == 0 && b.out.issue_ok_o == 1);
    const prt_regs_t *r = prt_regs(b.self);
    ck_assert(r->left_q[0] == 1 && r->pend_q[0] == 1 && r->count_q == 1);
    step(issue(&b, 0, 0x4));
    ck_assert(r->pend_q[0] == 2);
    ck_assert_uint_eq(step(reply(&b, 0, 2))->reply_ok_o, 1);
    step(alloc(&b, 1, 9, 9));
    ck_assert_uint_eq(b.out.alloc_ready_o, 0);
    step(reply(issue(&b, 0, 0x4), 0, 0x4)); /* issued already */
    ck_assert(b.out.issue_ok_o == 0 && b.out.release_o == 1);
    step(issue(alloc(&b, 0x6, t, 0), 0, 0x6));
  }
  prt_destroy(b.self);
}
END_TEST

/* A reply and an issue for one entry in one cycle: the reply is judged without the issue. */
START_TEST(reply_with_issue) {
  bench_t b = make(2, 4, 3, 0);
  const prt_regs_t *r = prt_regs(b.self);
  step(issue(alloc(&b, 0xf, 1, 0), 0, 0x1));
  step(issue(reply(&b, 0, 0x1), 0, 0x2));
  ck_assert(b.out.reply_ok_o == 1 && b.out.release_o == 0 && b.out.issue_ok_o == 1);
  ck_assert(r->pend_q[0] == 1 && r->left_q[0] == 2);
  step(reply(issue(&b, 0, 0xc), 0, 0xc)); /* comes back too early */
  ck_assert(b.out.reply_ok_o == 0 && b.out.issue_ok_o == 1 && r->pend_q[0] == 2);
  step(issue(reply(&b, 0, 0x2), 1, 1));
  step(issue(reply(&b, 0, 0xc), 0, 1)); /* the released entry issues nothing */
  ck_assert(b.out.release_o == 1 && b.out.issue_ok_o == 0 && r->count_q == 0);
  prt_destroy(b.self);
}
END_TEST

START_TEST(refused) {
  bench_t b = make(5, 8, 8, 0);
  step(issue(alloc(&b, 0x3f, 5, 0), 0, 0x03)), step(issue(&b, 0, 0x0c)),
      step(alloc(&b, 0xff, 6, 0));
  static const uint64_t bad_reply[][2] = {{0, 0},   {0, 0x10}, {0, 0x11},      {0, 0x0f},
                                          {1, 1},   {2, 1},    {5, 1},         {7, 1},
                                          {511, 1}, {512, 3},  {UINT64_MAX, 3}};
  for (unsigned i = 0; i < sizeof bad_reply / sizeof *bad_reply; i++) {
    ck_assert(ignored(reply(&b, bad_reply[i][0], bad_reply[i][1])));
    ck_assert(b.out.reply_ok_o == 0 && b.out.release_o == 0 && b.out.reply_tag_o == 0);
    for (unsigned w = 0; w < 4; w++) ck_assert_uint_eq(b.out.reply_offset_o[w], 0);
  }
  static const uint64_t bad_issue[][2] = {{0, 0}, {0, 1}, {0, 0x11}, {0, 0x40},
                                          {2, 1}, {5, 1}, {512, 1},  {UINT64_MAX, 1}};
  for (unsigned i = 0; i < sizeof bad_issue / sizeof *bad_issue; i++) {
    ck_assert(ignored(issue(&b, bad_issue[i][0], bad_issue[i][1])));
    ck_assert_uint_eq(b.out.issue_ok_o, 0);
  }
  ck_assert(ignored(alloc(&b, 0, 1, 1)));
  ck_assert_uint_eq(b.out.alloc_ready_o, 0);
  b.in.alloc_mask_i = 1; /* ready without valid, and no issue to what is not allocated */
  ck_assert(ignored(issue(&b, 2, 1)));
  ck_assert(b.out.alloc_ready_o == 1 && b.out.alloc_entry_o == 2 && b.out.issue_ok_o == 0);
  ck_assert(!ignored(reply(&b, 0, 0x0c))); /* either order of the two */
  ck_assert(ignored(reply(&b, 0, 0x01)));  /* the last request brings all that is awaited */
  prt_destroy(b.self);
}
END_TEST

/* In an empty table entries go lowest first until none is left. A full table gives the entry that
 * is released; if it is not taken, it is kept for the next allocation. */
START_TEST(next_entry) {
  static const uint32_t counts[] = {1, 2, 3, 5, 33, 44, 64, 65, 512};
  uint32_t entries = counts[_i];
  bench_t b = make(entries, 1, 1, 0);
  for (uint32_t e = 0; e < entries; e++)
    ck_assert_uint_eq(step(issue(alloc(&b, 1, e, 0), e, 1))->alloc_entry_o, e);
  ck_assert_uint_eq(step(alloc(&b, 1, 0, 0))->alloc_ready_o, 0);
  ck_assert_uint_eq(b.out.count_o, entries);
  for (uint32_t e = entries; e-- > 0;) {
    b.in.alloc_mask_i = 1;
    step(reply(&b, e, 1));
    ck_assert(b.out.release_o == 1 && b.out.reply_tag_o == e);
    ck_assert(b.out.alloc_ready_o == 1 && b.out.alloc_entry_o == entries - 1);
  }
  for (uint32_t n = 0; n < entries; n++) /* then the others again, lowest first */
    ck_assert_uint_eq(step(alloc(&b, 1, n, 0))->alloc_entry_o, n == 0 ? entries - 1 : n - 1);
  prt_destroy(b.self);
}
END_TEST

/* The others are answered, but nothing is released until the oldest is; then one entry a cycle. */
START_TEST(ring_behind_a_slow_head) {
  bench_t b = make(5, 8, 3, 1);
  const prt_regs_t *r = prt_regs(b.self);
  for (uint32_t e = 0; e < 5; e++)
    ck_assert_uint_eq(step(issue(alloc(&b, 0x3, e, e), e, 0x3))->alloc_entry_o, e);
  for (uint32_t e = 5; e-- > 1;) {
    step(reply(alloc(&b, 1, 0, 0), e, 0x3));
    ck_assert(b.out.reply_ok_o == 1 && b.out.last_o == 1 && b.out.reply_tag_o == e);
    ck_assert(b.out.release_o == 0 && b.out.alloc_ready_o == 0 && b.out.count_o == 5);
    ck_assert(ignored(reply(&b, e, 0x3)) && b.out.reply_ok_o == 0);
    ck_assert(ignored(issue(&b, e, 0x3)) && b.out.issue_ok_o == 0);
  }
  ck_assert(r->valid_q[0] == 0x1f && r->head_q == 0);
  step(issue(alloc(reply(&b, 0, 0x3), 0x4, 9, 9), 0, 0x4));
  ck_assert(b.out.last_o == 1 && b.out.release_o == 1 && b.out.issue_ok_o == 1);
  ck_assert(b.out.alloc_ready_o == 1 && b.out.alloc_entry_o == 0 && r->head_q == 1);
  for (uint32_t e = 1; e < 5; e++) {
    step(e == 2 ? reply(&b, 0, 0x4) : alloc(&b, 0x4, e, e)); /* no reply of their own */
    ck_assert(b.out.release_o == 1 && b.out.last_o == (e == 2));
    ck_assert(e == 2 || b.out.alloc_entry_o == (e < 2 ? e : e - 1));
    ck_assert_uint_eq(r->head_q, (e + 1) % 5);
  }
  ck_assert(r->count_q == 4 && r->valid_q[0] == 0x0f);
  step(&b); /* that of entry 0, whose reply came before its turn; 1 has lanes to issue */
  ck_assert(b.out.release_o == 1 && r->head_q == 1 && r->valid_q[0] == 0x0e);
  ck_assert(ignored(&b) && b.out.release_o == 0 && b.out.count_o == 3);
  prt_destroy(b.self);
}
END_TEST

/* Round the ring, whose size need not be a power of two: one in use, and all in use. */
START_TEST(ring_goes_round) {
  static const uint32_t counts[] = {1, 2, 3, 5, 33, 44, 64, 65, 510, 512};
  const uint32_t entries = counts[_i];
  bench_t b = make(entries, 2, 1, 1);
  for (uint32_t t = 0; t < 2 * entries + 1; t++) {
    step(issue(alloc(&b, 3, t, 0), t % entries, 1));
    ck_assert(b.out.alloc_entry_o == t % entries && b.out.issue_ok_o == 1 && b.out.count_o == 0);
    step(reply(&b, t % entries, 1)); /* lane 1 is not issued yet */
    ck_assert(b.out.reply_ok_o == 1 && b.out.last_o == 0 && b.out.release_o == 0);
    step(issue(&b, t % entries, 2));
    step(reply(&b, t % entries, 2));
    ck_assert(b.out.last_o == 1 && b.out.release_o == 1 && b.out.reply_tag_o == t);
  }
  for (uint32_t n = 0; n < entries; n++) step(issue(alloc(&b, 1, 0, 0), (n + 1) % entries, 1));
  for (uint32_t t = 1; t < 2 * entries; t++) {
    step(issue(reply(alloc(&b, 1, t, 0), t % entries, 1), t % entries, 1));
    ck_assert(b.out.release_o == 1 && b.out.alloc_entry_o == t % entries && b.out.issue_ok_o == 1);
    ck_assert(b.out.count_o == entries && prt_regs(b.self)->head_q == (t + 1) % entries);
  }
  prt_destroy(b.self);
}
END_TEST

/* Without the checker the counts follow whatever is sent. */
START_TEST(trusts) {
  bench_t b = make_with((prt_cfg_t){4, 8, 3, .TAG_W = 64, .ORDER = 0, .CHECK = 0});
  const prt_regs_t *r = prt_regs(b.self);
  step(issue(alloc(&b, 0x0f, 1, 0), 0, 0x30)); /* lanes 4 and 5 are not its own */
  ck_assert(b.out.issue_ok_o == 1 && r->left_q[0] == 4 && r->pend_q[0] == 1);
  step(issue(&b, 0, 0x3f)); /* 4 - 6, of four bits */
  ck_assert(b.out.issue_ok_o == 1 && r->left_q[0] == 14 && r->pend_q[0] == 2);
  step(reply(&b, 0, 0x80));
  ck_assert(b.out.reply_ok_o == 1 && b.out.last_o == 0 && r->pend_q[0] == 1);
  ck_assert_uint_eq(step(reply(&b, 1, 1))->reply_ok_o, 0); /* not in use */
  ck_assert_uint_eq(step(issue(&b, 4, 1))->issue_ok_o, 0); /* no such entry */
  prt_destroy(b.self);
}
END_TEST

START_TEST(reset_in_the_middle) {
  bench_t b = make(40, 32, 8, (uint32_t)_i);
  step(issue(alloc(&b, 1, 0, 0), 0, 1)), step(reply(&b, 0, 1));
  ck_assert(prt_regs(b.self)->head_q == (unsigned)_i);
  for (unsigned i = 0; i < 40; i++)
    step(issue(alloc(&b, UINT32_MAX, i, i), (i + (unsigned)_i) % 40, 0xff));
  ck_assert_uint_eq(b.out.issue_ok_o, 1);
  prt_regs_t before = *prt_regs(b.self);
  b.in.srst_ni = 0;
  step(issue(alloc(reply(&b, 3, 0xff), 1, 1, 1), 4, 0x100));
  memset(before.valid_q, 0, sizeof before.valid_q);
  before.full_q = 0;
  before.count_q = before.head_q = before.next_q = 0;
  ck_assert_int_eq(memcmp(&before, prt_regs(b.self), sizeof before), 0); /* nothing else changed */
  ck_assert_uint_eq(step(reply(&b, 5, 0xff))->reply_ok_o, 0);
  ck_assert_uint_eq(step(issue(&b, 5, 0x100))->issue_ok_o, 0);
  prt_destroy(b.self);
}
END_TEST

Suite *test_prt_suite(void);
Suite *test_prt_suite(void) {
  Suite *suite = suite_create("prt");
  TCase *tc = tcase_create("all");
  tcase_set_timeout(tc, 120);
  tcase_add_test(tc, one_instruction);
  tcase_add_test(tc, all_in_one_cycle);
  tcase_add_test(tc, reply_with_issue);
  tcase_add_test(tc, refused);
  tcase_add_loop_test(tc, next_entry, 0, 9);
  tcase_add_test(tc, trusts);
  tcase_add_test(tc, ring_behind_a_slow_head);
  tcase_add_loop_test(tc, ring_goes_round, 0, 10);
  tcase_add_loop_test(tc, reset_in_the_middle, 0, 2);
  suite_add_tcase(suite, tc);
  return suite;
}
