/* SPDX-License-Identifier: Apache-2.0 */
/* L1D: allocation on fill, contention by class, and that set number and replacement reach the
 * tags. */
#include "l1d_help.h"

/* ---- allocate on fill ------------------------------------------------------ */

static l1d_cfg_t on_fill(uint32_t sets, uint32_t ways) {
  l1d_cfg_t c = config(sets, ways, 32, 8);
  c.allocate = CONFIG_ALLOCATE_FILL;
  return c;
}

/* Five misses in a set of four ways: none is refused, and each fill finds its victim. */
START_TEST(fill_never_assoc) {
  rig_t r;
  uint32_t entry[5];
  rig_open(&r, on_fill(32, 4));
  l1d_set_hazards(r.d, HAZARDS_REFERENCE);
  for (uint64_t i = 0; i < 5; i++) reads(&r, i << 12, TAGS_MISS, L1D_NONE);
  ck_assert_uint_eq(tag_array_reserved(l1d_tags(r.d)), 0);
  reads(&r, 0, TAGS_MISS, L1D_NONE); /* a pending hit: the MSHR entry stands for the line */
  ck_assert_uint_eq(l1d_mshrs(r.d), 5);
  writes(&r, UINT64_C(9) << 12, TAGS_MISS, L1D_NONE);
  for (uint64_t i = 0; i < 5; i++) entry[i] = send(&r, PACKET_READ, i << 12);
  for (unsigned i = 0; i < 4; i++) fill(&r, entry[i]);
  reads(&r, 0, TAGS_HIT, L1D_NONE); /* now line 1 is the oldest */
  fill(&r, entry[4]);
  reads(&r, UINT64_C(4) << 12, TAGS_HIT, L1D_NONE);
  reads(&r, 0, TAGS_HIT, L1D_NONE);
  const l1d_stats_t *s = l1d_stats(r.d);
  ck_assert_uint_eq(s->misses, 5);
  ck_assert_uint_eq(s->pending_hits, 1);
  ck_assert_uint_eq(s->refused[L1D_ASSOC], 0);
  ck_assert_uint_eq(s->evict_none, 4);
  ck_assert_uint_eq(s->evict_intra_warp + s->evict_cross_warp + s->evict_cross_block, 1);
  drain(&r, 0);
  drain(&r, 0);
  reads(&r, UINT64_C(1) << 12, TAGS_MISS, L1D_NONE); /* evicted, its entry drains: it merges */
  ck_assert_uint_eq(s->misses, 6);
  ck_assert_uint_eq(s->merges, 2);
  send(&r, PACKET_WRITE, UINT64_C(9) << 12);
  ck_assert_ptr_null(l1d_to_send(r.d));
  ck_assert_uint_eq(tag_array_reserved(l1d_tags(r.d)),
                    0); /* and leaves no line reserved for good */
  rig_close(&r);
}
END_TEST

/* The other limits stay, in the same order. */
START_TEST(fill_other_refusals) {
  rig_t r;
  l1d_cfg_t c = on_fill(1, 1);
  c.mshr.ENTRIES = 2;
  c.mshr.MERGES = 2;
  rig_open(&r, c);
  reads(&r, 0, TAGS_MISS, L1D_NONE);
  reads(&r, 0, TAGS_MISS, L1D_NONE);
  reads(&r, 0, TAGS_MISS, L1D_MERGE);
  reads(&r, 128, TAGS_MISS, L1D_NONE);
  reads(&r, 256, TAGS_MISS, L1D_MSHR);
  for (uint64_t i = 0; i < 5; i++) writes(&r, 512 + i * 128, TAGS_MISS, L1D_NONE);
  reads(&r, 256, TAGS_MISS, L1D_MISSQ);
  rig_close(&r);
}
END_TEST

/* A write while the line is on its way finds nothing to evict, but the line that comes is out of
 * date; by the rules of the reference it comes all the same. */
START_TEST(fill_after_write) {
  rig_t r;
  rig_open(&r, on_fill(32, 4));
  l1d_set_hazards(r.d, _i ? HAZARDS_REFERENCE : 0);
  reads(&r, 0x2000, TAGS_MISS, L1D_NONE);
  uint32_t entry = send(&r, PACKET_READ, 0x2000);
  writes(&r, 0x2000, TAGS_MISS, L1D_NONE);
  fill(&r, entry);
  drain(&r, 0x2000);
  reads(&r, 0x2000, _i ? TAGS_HIT : TAGS_MISS, L1D_NONE);
  ck_assert_uint_eq(l1d_stats(r.d)->write_evicts, 0);
  ck_assert_uint_eq(l1d_stats(r.d)->stale_fills, _i ? 0 : 1);
  rig_close(&r);
}
END_TEST

/* ---- contention ------------------------------------------------------------ */

static void read_by(rig_t *r, uint64_t addr, uint16_t warp, uint32_t block) {
  l1d_request_t q = {addr, 32, warp, 1, false, block, false, 0};
  uint16_t w, reg;
  l1d_answer_t a = l1d_access(r->d, &q, r->now++);
  ck_assert_int_eq(a.reason, L1D_NONE);
  ck_assert_int_eq(l1d_edge(r->d, NULL), 0);
  if (a.probe == TAGS_HIT) return;
  fill(r, send(r, PACKET_READ, addr));
  ck_assert(l1d_ready(r->d, &w, &reg));
  l1d_take(r->d);
  ck_assert_int_eq(l1d_edge(r->d, NULL), 0);
}

static void expect_evictions(const rig_t *r, uint64_t none, uint64_t intra, uint64_t warp,
                             uint64_t block) {
  const l1d_stats_t *s = l1d_stats(r->d);
  ck_assert_uint_eq(s->evict_none, none);
  ck_assert_uint_eq(s->evict_intra_warp, intra);
  ck_assert_uint_eq(s->evict_cross_warp, warp);
  ck_assert_uint_eq(s->evict_cross_block, block);
}

/* One line of room: who brought in what is replaced? With both kinds of allocation. */
START_TEST(contention) {
  rig_t r;
  l1d_cfg_t c = on_fill(1, 1);
  c.allocate = _i == 1 ? CONFIG_ALLOCATE_FILL : CONFIG_ALLOCATE_MISS;
  rig_open(&r, c);
  read_by(&r, 0, 3, 7);
  expect_evictions(&r, 1, 0, 0, 0);
  read_by(&r, 128, 3, 7);
  expect_evictions(&r, 1, 1, 0, 0);
  read_by(&r, 256, 4, 7);
  expect_evictions(&r, 1, 1, 1, 0);
  read_by(&r, 256, 5, 8); /* a hit: the line stays warp 4's */
  read_by(&r, 384, 4, 7);
  expect_evictions(&r, 1, 2, 1, 0);
  read_by(&r, 512, 4, 8); /* the same warp slot, another block */
  expect_evictions(&r, 1, 2, 1, 1);
  writes(&r, 512, TAGS_HIT, L1D_NONE);
  send(&r, PACKET_WRITE, 512);
  read_by(&r, 0, 4, 8);
  expect_evictions(&r, 2, 2, 1, 1);
  const l1d_stats_t *s = l1d_stats(r.d);
  ck_assert_uint_eq(s->misses, 6);
  rig_close(&r);
}
END_TEST

/* ---- what reaches the tags ------------------------------------------------- */

/* Lines 4 KB apart share a set of 32, but not with the hash. */
START_TEST(hash) {
  rig_t r;
  l1d_cfg_t c = config(32, 1, 32, 8);
  c.hash = _i == 1;
  rig_open(&r, c);
  fetch(&r, UINT64_C(1) << 13);
  fetch(&r, UINT64_C(2) << 13);
  reads(&r, UINT64_C(1) << 13, _i ? TAGS_HIT : TAGS_MISS, L1D_NONE);
  rig_close(&r);
}
END_TEST

START_TEST(fifo) {
  rig_t r;
  l1d_cfg_t c = config(1, 2, 32, 8);
  c.replacement = _i ? TAGS_FIFO : TAGS_LRU;
  rig_open(&r, c);
  fetch(&r, 0);
  fetch(&r, 128);
  reads(&r, 0, TAGS_HIT, L1D_NONE);
  fetch(&r, 256);
  reads(&r, 0, _i ? TAGS_MISS : TAGS_HIT, L1D_NONE);
  rig_close(&r);
}
END_TEST

/* The same in every SM: five lines of a set of four ways miss every second time. */
START_TEST(fermi) {
  packet_pool_t *pool = packet_pool_create(8);
  l1d_cfg_t c = config(1, 4, 32, 8);
  c.replacement = TAGS_FERMI;
  for (unsigned sm = 0; sm < 2; sm++) {
    rig_t r = {.pool = pool};
    mrpb_err_t err = {{0}};
    ck_assert_msg(l1d_create(&r.d, &c, NULL, sm, pool, &err) == 0, "%s", err.text);
    for (uint64_t n = 0; n < 100; n++) read_by(&r, n % 5 * 128, 1, 1);
    uint64_t before = l1d_stats(r.d)->hits;
    for (uint64_t n = 0; n < 100; n++) read_by(&r, n % 5 * 128, 1, 1);
    ck_assert_uint_eq(l1d_stats(r.d)->hits - before, 50);
    l1d_destroy(r.d);
  }
  packet_pool_destroy(pool);
}
END_TEST

Suite *test_l1d_options_suite(void);

Suite *test_l1d_options_suite(void) {
  Suite *s = suite_create("l1d_options");
  TCase *t = tcase_create("options");
  tcase_add_test(t, fill_never_assoc);
  tcase_add_test(t, fill_other_refusals);
  tcase_add_loop_test(t, fill_after_write, 0, 2);
  tcase_add_loop_test(t, contention, 0, 2);
  tcase_add_loop_test(t, hash, 0, 2);
  tcase_add_loop_test(t, fifo, 0, 2);
  tcase_add_test(t, fermi);
  suite_add_tcase(s, t);
  return s;
}
