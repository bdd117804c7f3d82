/* SPDX-License-Identifier: Apache-2.0 */
/* L2 slice: the rules for reads and writes one by one, and the order within a cycle; test_memory.c
 * applies random load. The test plays the DRAM: it takes requests out of the L2-DRAM queue and
 * returns them at will. */
#include "gpu/l2/l2.h"

#include <check.h>

typedef struct {
  l2_cfg_t cfg;
  l2_t *l2;
  packet_pool_t *pool;
  packet_map_t map;
  uint64_t now;
} rig_t;

static void rig_open(rig_t *r, const l2_cfg_t *cfg) {
  mrpb_err_t err = {{0}};
  *r = (rig_t){.cfg = *cfg, .map = {6, 8}, .pool = packet_pool_create(64)};
  ck_assert_msg(l2_create(&r->l2, cfg, 2, &r->map, r->pool, &err) == 0, "%s", err.text);
}

/* Without the fixed delay, so that a request is accessed in the second cycle after its arrival. */
static l2_cfg_t direct(void) {
  l2_cfg_t cfg;
  l2_defaults(&cfg);
  cfg.rop_latency = 0;
  return cfg;
}

static void rig_direct(rig_t *r) {
  l2_cfg_t cfg = direct();
  rig_open(r, &cfg);
}

static void rig_close(rig_t *r) {
  ck_assert_uint_eq(l2_in_flight(r->l2), 0);
  ck_assert_uint_eq(packet_pool_in_flight(r->pool), 0);
  l2_destroy(r->l2);
  packet_pool_destroy(r->pool);
}

static void cycle(rig_t *r) {
  l2_cycle(r->l2, r->now++);
}

static void cycles(rig_t *r, unsigned n) {
  while (n--) cycle(r);
}

/* Byte address inside the partition of way-filling block `i` of set `set`. */
static uint64_t block(const rig_t *r, uint32_t set, uint32_t i) {
  return ((uint64_t)i * r->cfg.sets + set) * r->cfg.line_bytes;
}

static packet_t *send(rig_t *r, packet_kind_t kind, uint64_t local, uint32_t bytes) {
  packet_t *p = packet_alloc(r->pool);
  packet_set_address(p, &r->map, packet_map_global(&r->map, 2, local));
  ck_assert_uint_eq(p->partition, 2);
  ck_assert_uint_eq(p->local, local);
  p->kind = kind;
  p->bytes = bytes;
  ck_assert(l2_accepts(r->l2));
  l2_push(r->l2, p, r->now);
  return p;
}

static packet_t *to_dram(rig_t *r) {
  return packet_queue_pop(l2_to_dram(r->l2));
}

static void from_dram(rig_t *r, packet_t *p) {
  packet_queue_push(l2_from_dram(r->l2), p);
}

/* The reply in the L2-icnt queue, freed; its address identifies it. */
static packet_t *take_reply(rig_t *r) {
  packet_t *p = l2_reply_pop(r->l2);
  if (!p) return NULL;
  ck_assert(p->reply);
  packet_free(r->pool, p);
  return p;
}

/* Brings a line in: read miss, fill, reply. */
static void load(rig_t *r, uint64_t local) {
  packet_t *p = send(r, PACKET_READ, local, 128);
  cycles(r, 3);
  ck_assert_ptr_eq(to_dram(r), p);
  from_dram(r, p);
  cycles(r, 2);
  ck_assert_ptr_eq(take_reply(r), p);
  ck_assert_int_eq(l2_line_state(r->l2, local), L2_VALID);
}

START_TEST(fixed_delay_then_queue_then_tags) {
  l2_cfg_t cfg;
  l2_defaults(&cfg);
  rig_t r;
  rig_open(&r, &cfg);
  packet_t *p = send(&r, PACKET_READ, 0, 128);
  uint64_t start = r.now;
  while (!l2_to_dram(r.l2)->count) cycle(&r);
  /* Arrival at t; icnt-L2 queue at t + 120; tags and miss queue at t + 121; L2-DRAM queue at t +
   * 122. */
  ck_assert_uint_eq(r.now - 1 - start, 122);
  ck_assert_ptr_eq(to_dram(&r), p);
  from_dram(&r, p);
  cycles(&r, 2);
  ck_assert_ptr_eq(take_reply(&r), p);
  p = send(&r, PACKET_READ, 0, 128);
  start = r.now;
  while (!l2_reply_top(r.l2)) cycle(&r);
  ck_assert_uint_eq(r.now - 1 - start, 121); /* a hit answers in the cycle of its access */
  ck_assert_ptr_eq(take_reply(&r), p);
  rig_close(&r);
}
END_TEST

START_TEST(read_miss_fetches_the_line_and_restores_the_size) {
  rig_t r;
  rig_direct(&r);
  packet_t *p = send(&r, PACKET_READ, 64, 32);
  cycles(&r, 3);
  ck_assert_int_eq(l2_line_state(r.l2, 0), L2_RESERVED);
  ck_assert_ptr_eq(to_dram(&r), p);
  ck_assert_uint_eq(p->bytes, 128);
  from_dram(&r, p);
  cycle(&r); /* fill */
  ck_assert_int_eq(l2_line_state(r.l2, 0), L2_VALID);
  ck_assert_ptr_null(l2_reply_top(r.l2));
  cycle(&r); /* the MSHR entry drains one cycle later */
  ck_assert_ptr_eq(l2_reply_top(r.l2), p);
  ck_assert_uint_eq(p->bytes, 32);
  ck_assert_ptr_eq(take_reply(&r), p);
  ck_assert_uint_eq(l2_stats(r.l2)->read_misses, 1);
  rig_close(&r);
}
END_TEST

START_TEST(reads_of_a_pending_line_merge_and_leave_in_order) {
  rig_t r;
  rig_direct(&r);
  packet_t *p[5];
  for (int i = 0; i < 5; i++) p[i] = send(&r, PACKET_READ, 32 * (uint64_t)(i % 4), 32);
  cycles(&r, 8);
  const l2_stats_t *s = l2_stats(r.l2);
  ck_assert_uint_eq(s->read_misses, 4);
  ck_assert_uint_eq(s->read_merges, 3);
  ck_assert_uint_ge(s->fail[L2_FAIL_MERGE], 1); /* the fifth: an entry lists 4 */
  ck_assert_ptr_eq(to_dram(&r), p[0]);
  ck_assert_ptr_null(to_dram(&r));
  from_dram(&r, p[0]);
  cycle(&r);
  for (int i = 0; i < 4; i++) {
    cycle(&r);
    /* The line is there, so the fifth hits, in the cycle of the fill, ahead of the merged ones. */
    packet_t *first = take_reply(&r);
    ck_assert_ptr_eq(first, i == 0 ? p[4] : p[i - 1]);
  }
  ck_assert_ptr_eq(take_reply(&r), p[3]);
  ck_assert_uint_eq(s->read_hits, 1);
  rig_close(&r);
}
END_TEST

/* Takes everything that is left through a DRAM without delay. */
static unsigned finish(rig_t *r) {
  unsigned replies = 0;
  for (int i = 0; i < 60; i++) {
    packet_t *p = packet_queue_full(l2_from_dram(r->l2)) ? NULL : to_dram(r);
    if (p && p->kind == PACKET_WRITE_BACK)
      packet_free(r->pool, p);
    else if (p)
      from_dram(r, p);
    cycle(r);
    if (take_reply(r)) replies++;
  }
  return replies;
}

/* One entry leaves in each cycle, before the access. */
START_TEST(miss_queue_thresholds) {
  rig_t r;
  l2_cfg_t cfg = direct();
  rig_open(&r, &cfg);
  const l2_stats_t *s = l2_stats(r.l2);
  for (uint32_t i = 0; i < 3; i++) (void)send(&r, PACKET_WRITE, block(&r, i, 0), 32);
  (void)send(&r, PACKET_READ, block(&r, 9, 0), 128);
  cycle(&r); /* first reaches the icnt-L2 queue */
  cycle(&r); /* accessed: write and allocate read queued: 2 */
  ck_assert_uint_eq(s->write_misses, 1);
  cycle(&r); /* one sent: 1 left, the second write fits: 3 */
  ck_assert_uint_eq(s->write_misses, 2);
  cycle(&r); /* one sent: 2 left, the third is refused at 2 */
  ck_assert_uint_eq(s->write_misses, 2);
  ck_assert_uint_eq(s->fail[L2_FAIL_MISSQ], 1);
  cycle(&r); /* 1 left: accepted, 3 */
  ck_assert_uint_eq(s->write_misses, 3);
  cycle(&r); /* 2 left: a read is accepted at 2 */
  ck_assert_uint_eq(s->read_misses, 1);
  ck_assert_uint_eq(s->fail[L2_FAIL_MISSQ], 1);
  ck_assert_uint_eq(finish(&r), 4);
  rig_close(&r);
}
END_TEST

/* Only a write miss that evicts a modified line leaves three entries for the next access to find.
 */
START_TEST(a_merge_needs_room_in_the_miss_queue_too) {
  l2_cfg_t cfg = direct();
  cfg.ways = 1;
  rig_t r;
  rig_open(&r, &cfg);
  const l2_stats_t *s = l2_stats(r.l2);
  load(&r, block(&r, 5, 0));
  (void)send(&r, PACKET_WRITE, block(&r, 5, 0), 32);
  cycles(&r, 2);
  ck_assert_ptr_nonnull(take_reply(&r));
  (void)send(&r, PACKET_READ, 0, 32);
  cycles(&r, 3); /* pending */
  (void)send(&r, PACKET_WRITE, block(&r, 6, 0), 32);
  (void)send(&r, PACKET_WRITE, block(&r, 5, 1), 32);
  (void)send(&r, PACKET_READ, 32, 32);
  cycles(&r, 2); /* first write: 2 entries */
  ck_assert_uint_eq(s->write_misses, 1);
  cycle(&r); /* 1 left; second write: write, read, write-back: 4 */
  ck_assert_uint_eq(s->write_misses, 2);
  ck_assert_uint_eq(s->write_backs, 1);
  cycle(&r); /* 3 left: the merge is refused although it needs none */
  ck_assert_uint_eq(s->fail[L2_FAIL_MISSQ], 1);
  ck_assert_uint_eq(s->read_merges, 0);
  cycle(&r); /* 2 left */
  ck_assert_uint_eq(s->fail[L2_FAIL_MISSQ], 1);
  ck_assert_uint_eq(s->read_merges, 1);
  ck_assert_uint_eq(finish(&r), 4);
  rig_close(&r);
}
END_TEST

START_TEST(write_hit_marks_the_line_and_acknowledges_at_once) {
  rig_t r;
  rig_direct(&r);
  load(&r, 0);
  packet_t *w = send(&r, PACKET_WRITE, 64, 64);
  cycles(&r, 2);
  ck_assert_int_eq(l2_line_state(r.l2, 0), L2_MODIFIED);
  ck_assert_ptr_eq(take_reply(&r), w);
  ck_assert_ptr_null(to_dram(&r));
  ck_assert_uint_eq(l2_stats(r.l2)->write_hits, 1);
  rig_close(&r);
}
END_TEST

START_TEST(write_miss_writes_through_and_fetches_the_line_clean) {
  rig_t r;
  rig_direct(&r);
  packet_t *w = send(&r, PACKET_WRITE, 64, 32);
  cycles(&r, 4);
  ck_assert_ptr_null(l2_reply_top(r.l2));
  ck_assert_ptr_eq(to_dram(&r), w); /* the write first, */
  ck_assert_uint_eq(w->bytes, 32);
  packet_t *a = to_dram(&r); /* then the read of the line */
  ck_assert_ptr_nonnull(a);
  ck_assert_int_eq(a->kind, PACKET_L2_ALLOC);
  ck_assert_uint_eq(a->bytes, 128);
  ck_assert_uint_eq(a->local, 64);
  from_dram(&r, w);
  cycle(&r);
  ck_assert_ptr_eq(take_reply(&r), w); /* acknowledged by the DRAM */
  ck_assert_int_eq(l2_line_state(r.l2, 0), L2_RESERVED);
  from_dram(&r, a);
  cycles(&r, 2);
  ck_assert_int_eq(l2_line_state(r.l2, 0), L2_VALID); /* not modified: the DRAM has the write */
  ck_assert_ptr_null(l2_reply_top(r.l2));             /* the allocate read ends here */
  rig_close(&r);
}
END_TEST

START_TEST(a_write_to_a_pending_line_joins_its_entry) {
  rig_t r;
  rig_direct(&r);
  packet_t *a = send(&r, PACKET_READ, 0, 128), *w = send(&r, PACKET_WRITE, 32, 32);
  cycles(&r, 5);
  ck_assert_ptr_eq(to_dram(&r), a);
  ck_assert_ptr_eq(to_dram(&r), w);
  ck_assert_ptr_null(to_dram(&r)); /* no second read of the line */
  ck_assert_uint_eq(l2_stats(r.l2)->write_merges, 1);
  from_dram(&r, w);
  from_dram(&r, a);
  cycles(&r, 5);
  ck_assert_ptr_eq(take_reply(&r), w);
  ck_assert_ptr_eq(take_reply(&r), a);
  rig_close(&r);
}
END_TEST

/* Fills all ways of set 0, way 0 modified and least recently used; returns the write-back that the
 * next miss causes. */
static packet_t *evict(rig_t *r) {
  for (uint32_t i = 0; i < r->cfg.ways; i++) load(r, block(r, 0, i + 5));
  (void)send(r, PACKET_WRITE, block(r, 0, 5), 32);
  cycles(r, 2);
  ck_assert_ptr_nonnull(take_reply(r));
  for (uint32_t i = 1; i < r->cfg.ways; i++) { /* every other line is used again */
    (void)send(r, PACKET_READ, block(r, 0, i + 5), 32);
    cycles(r, 2);
    ck_assert_ptr_nonnull(take_reply(r));
  }
  packet_t *p = send(r, PACKET_READ, block(r, 0, 99), 128);
  cycles(r, 5);
  ck_assert_int_eq(l2_line_state(r->l2, block(r, 0, 5)), L2_INVALID);
  ck_assert_int_eq(l2_line_state(r->l2, block(r, 0, 6)), L2_VALID);
  ck_assert_ptr_eq(to_dram(r), p); /* the read goes first */
  packet_t *wb = to_dram(r);
  ck_assert_ptr_nonnull(wb);
  ck_assert_int_eq(wb->kind, PACKET_WRITE_BACK);
  ck_assert_uint_eq(wb->bytes, 128);
  ck_assert_uint_eq(wb->partition, 2);
  from_dram(r, p);
  cycles(r, 2);
  ck_assert_ptr_eq(take_reply(r), p);
  ck_assert_uint_eq(l2_stats(r->l2)->write_backs, 1);
  return wb;
}

START_TEST(evicting_a_modified_line_writes_it_back) {
  l2_cfg_t cfg = direct();
  rig_t r;
  rig_open(&r, &cfg);
  packet_t *wb = evict(&r);
  uint64_t local = block(&r, 0, 5);
  /* Release 3.2.0: the address inside the partition is divided by the partitions once more. */
  ck_assert_uint_eq(wb->addr, local);
  ck_assert_uint_eq(wb->local, packet_map_local(&r.map, local));
  packet_free(r.pool, wb);
  rig_close(&r);
  cfg.wb_local_addr = 0;
  rig_open(&r, &cfg);
  wb = evict(&r);
  ck_assert_uint_eq(wb->local, local);
  ck_assert_uint_eq(wb->addr, packet_map_global(&r.map, 2, local));
  packet_free(r.pool, wb);
  rig_close(&r);
}
END_TEST

START_TEST(a_set_of_reserved_lines_refuses_reads_and_writes) {
  l2_cfg_t cfg = direct();
  cfg.ways = 2;
  rig_t r;
  rig_open(&r, &cfg);
  packet_t *p = send(&r, PACKET_READ, block(&r, 7, 0), 128);
  (void)send(&r, PACKET_READ, block(&r, 7, 1), 128);
  cycles(&r, 5);
  const l2_stats_t *s = l2_stats(r.l2);
  (void)send(&r, _i ? PACKET_WRITE : PACKET_READ, block(&r, 7, 9), 32);
  cycles(&r, 6);
  ck_assert_uint_eq(s->fail[L2_FAIL_ASSOC], 5); /* one a cycle from its first access on */
  ck_assert_int_eq(l2_line_state(r.l2, block(&r, 7, 9)), L2_INVALID);
  ck_assert_ptr_eq(to_dram(&r), p);
  from_dram(&r, p);
  cycle(&r); /* the fill comes before the access */
  ck_assert_uint_eq(s->fail[L2_FAIL_ASSOC], 5);
  ck_assert_int_eq(l2_line_state(r.l2, block(&r, 7, 0)), L2_INVALID);
  ck_assert_int_eq(l2_line_state(r.l2, block(&r, 7, 9)), L2_RESERVED);
  ck_assert_uint_eq(finish(&r), 3);
  rig_close(&r);
}
END_TEST

START_TEST(mshr_entries_limit_the_blocks_outstanding) {
  l2_cfg_t cfg = direct();
  cfg.mshr_entries = 3;
  rig_t r;
  rig_open(&r, &cfg);
  packet_t *p[4];
  for (uint32_t i = 0; i < 4; i++) p[i] = send(&r, PACKET_READ, block(&r, i, 0), 128);
  cycles(&r, 9);
  const l2_stats_t *s = l2_stats(r.l2);
  ck_assert_uint_eq(s->read_misses, 3);
  ck_assert_uint_ge(s->fail[L2_FAIL_MSHR], 3);
  ck_assert_uint_eq(s->mshr_max, 3);
  from_dram(&r, to_dram(&r));
  cycle(&r); /* filled, but the entry counts until its request has left: */
  ck_assert_uint_eq(s->read_misses, 3);
  cycle(&r); /* it leaves at the start of this cycle, before the access */
  ck_assert_uint_eq(s->read_misses, 4);
  ck_assert_ptr_eq(take_reply(&r), p[0]);
  ck_assert_uint_eq(finish(&r), 3);
  rig_close(&r);
}
END_TEST

/* A block whose line is lost while its entry drains, and that is read again. */
static void read_while_draining(rig_t *r, uint32_t hazards) {
  l2_cfg_t cfg = direct();
  cfg.ways = 2;
  rig_open(r, &cfg);
  l2_set_hazards(r->l2, hazards);
  load(r, block(r, 0, 8));
  packet_t *a = send(r, PACKET_READ, 0, 32);
  for (uint64_t i = 1; i < 4; i++) (void)send(r, PACKET_READ, 32 * i, 32);
  (void)send(r, PACKET_READ, block(r, 0, 8), 32); /* the other line is the younger one */
  cycles(r, 6);
  ck_assert_ptr_nonnull(take_reply(r));
  ck_assert_ptr_eq(to_dram(r), a);
  (void)send(r, PACKET_READ, block(r, 0, 1), 32);
  cycle(r);
  (void)send(r, PACKET_READ, 0, 32);
  from_dram(r, a);
  cycle(r); /* fill, and at once the miss that takes the line */
  ck_assert_int_eq(l2_line_state(r->l2, 0), L2_INVALID);
  cycle(r); /* one of four has left */
}

/* The read waits until the entry has gone, and fetches the line anew. */
START_TEST(a_draining_entry_takes_no_merge) {
  rig_t r;
  read_while_draining(&r, 0);
  const l2_stats_t *s = l2_stats(r.l2);
  ck_assert_uint_eq(s->read_merges, 3);
  ck_assert_uint_eq(s->fail[L2_FAIL_MERGE], 1);
  ck_assert_uint_eq(finish(&r), 6);
  ck_assert_uint_eq(s->fail[L2_FAIL_MERGE], 3);
  ck_assert_uint_eq(s->stuck_lines, 0);
  ck_assert_int_eq(l2_line_state(r.l2, 0), L2_VALID);
  rig_close(&r);
}
END_TEST

/* By the reference's rule it joins the entry and reserves a line that no fill will clear, until the
 * block misses once more. */
START_TEST(a_merge_into_a_draining_entry_leaves_a_stuck_line) {
  rig_t r;
  read_while_draining(&r, HAZARDS_REFERENCE);
  const l2_stats_t *s = l2_stats(r.l2);
  ck_assert_uint_eq(s->read_merges, 4); /* and the other way is reserved */
  ck_assert_uint_eq(s->stuck_lines, 1);
  ck_assert_int_eq(l2_line_state(r.l2, 0), L2_RESERVED);
  ck_assert_uint_eq(finish(&r), 6);
  ck_assert_int_eq(l2_line_state(r.l2, 0), L2_RESERVED);
  (void)send(&r, PACKET_READ, 0, 32); /* pending by its tag, in no entry: fetched again */
  ck_assert_uint_eq(finish(&r), 1);
  ck_assert_int_eq(l2_line_state(r.l2, 0), L2_VALID);
  rig_close(&r);
}
END_TEST

START_TEST(full_queues_stall) {
  l2_cfg_t cfg = direct();
  cfg.l2_icnt_queue = 2;
  cfg.icnt_l2_queue = 2;
  rig_t r;
  rig_open(&r, &cfg);
  load(&r, 0);
  packet_t *p[5];
  for (int i = 0; i < 5; i++) p[i] = send(&r, PACKET_READ, 0, 128);
  cycles(&r, 8);
  const l2_stats_t *s = l2_stats(r.l2);
  ck_assert_uint_eq(s->read_hits, 2); /* then the L2-icnt queue is full */
  ck_assert_uint_ge(s->stall_icnt, 4);
  ck_assert(!l2_accepts(r.l2)); /* and the icnt-L2 queue behind it */
  for (int i = 0; i < 5; i++) {
    ck_assert_ptr_eq(take_reply(&r), p[i]);
    cycles(&r, 2);
  }
  rig_close(&r);
}
END_TEST

Suite *test_l2_suite(void);

Suite *test_l2_suite(void) {
  Suite *s = suite_create("l2");
  TCase *t = tcase_create("slice");
  tcase_add_test(t, fixed_delay_then_queue_then_tags);
  tcase_add_test(t, read_miss_fetches_the_line_and_restores_the_size);
  tcase_add_test(t, reads_of_a_pending_line_merge_and_leave_in_order);
  tcase_add_test(t, miss_queue_thresholds);
  tcase_add_test(t, a_merge_needs_room_in_the_miss_queue_too);
  tcase_add_test(t, write_hit_marks_the_line_and_acknowledges_at_once);
  tcase_add_test(t, write_miss_writes_through_and_fetches_the_line_clean);
  tcase_add_test(t, a_write_to_a_pending_line_joins_its_entry);
  tcase_add_test(t, evicting_a_modified_line_writes_it_back);
  tcase_add_loop_test(t, a_set_of_reserved_lines_refuses_reads_and_writes, 0, 2);
  tcase_add_test(t, mshr_entries_limit_the_blocks_outstanding);
  tcase_add_test(t, a_draining_entry_takes_no_merge);
  tcase_add_test(t, a_merge_into_a_draining_entry_leaves_a_stuck_line);
  tcase_add_test(t, full_queues_stall);
  suite_add_tcase(s, t);
  return s;
}
