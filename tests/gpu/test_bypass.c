/* SPDX-License-Identifier: Apache-2.0 */
/* One SM with a memory that answers after a fixed time: the bypass without queues (MRPB_REORDER
 * 0), bypassing by policy, unbounded queues (MRPB_DEPTH 0), the keys of the L1D, and the blocks of the contention
 * classes. */
#include "workload/mini_help.h"
#include "gpu/icnt_memory.h"
#include "gpu/pipeline/sm.h"

#include <check.h>
#include <string.h>

enum { LATENCY = 60, MAX_WAITING = 4096, LINES = 64 };

#define BASE UINT64_C(0x80000000)
#define N(array) (sizeof(array) / sizeof *(array))

typedef struct {
  config_t cfg;
  packet_pool_t *pool;
  icnt_t *icnt;
  icnt_memory_t memory;
  workload_t *w;
  sm_t *sm;
  uint64_t now;
  packet_t *waiting[MAX_WAITING];
  uint64_t due[MAX_WAITING];
  unsigned n, first;
  unsigned memory_every; /* the memory takes a request every so many cycles */
  unsigned stores_seen[LINES], loads_seen[LINES], overtaken;
} rig_t;

static rig_t rig_new(void) {
  rig_t r = {.memory_every = 1, .now = 1};
  config_defaults(&r.cfg);
  r.cfg.sms = 1;
  r.cfg.l1i_sets = 0; /* no reads but those of the scripts */
  r.cfg.mrpb = 1;
  r.cfg.mrpb_reorder = 0;
  return r;
}

static void rig_open(rig_t *r, const mini_op_t *ops, unsigned n, unsigned trips, uint32_t threads) {
  icnt_cfg_t ic;
  mrpb_err_t err = {{0}};
  icnt_defaults(&ic);
  ic.sms = ic.partitions = 1;
  r->pool = packet_pool_create(256);
  r->w = mini_create(ops, n, trips, 4, threads);
  ck_assert(r->pool && r->w);
  ck_assert_int_eq(icnt_create(&r->icnt, &ic, &err), 0);
  icnt_memory_open(&r->memory, r->icnt, r->pool);
  sm_setup_t s = {&r->cfg, 0, NULL, &r->memory.base, true, NULL, NULL, NULL};
  ck_assert_msg(sm_create(&r->sm, &s, &err) == 0, "%s", err.text);
  sm_start_kernel(r->sm, r->w, workload_next(r->w), 1);
}

static void rig_close(rig_t *r) {
  sm_destroy(r->sm);
  ck_assert_uint_eq(packet_pool_in_flight(r->pool), 0);
  icnt_destroy(r->icnt);
  workload_close(r->w);
  packet_pool_destroy(r->pool);
}

/* A line's n-th read must come behind its n-th write, for programs that write each line first. */
static void take_request(rig_t *r, packet_t *p) {
  unsigned line = (unsigned)(p->addr / 128 % LINES);
  ck_assert_uint_lt(r->n - r->first, MAX_WAITING);
  if (p->kind == PACKET_WRITE)
    r->stores_seen[line]++;
  else
    r->overtaken += ++r->loads_seen[line] > r->stores_seen[line];
  r->waiting[r->n % MAX_WAITING] = p;
  r->due[r->n++ % MAX_WAITING] = r->now + LATENCY;
}

static void memory(rig_t *r) {
  packet_t *p = r->now % r->memory_every == 0 ? icnt_request_pop(r->icnt, 0) : NULL;
  if (p) take_request(r, p);
  if (r->first == r->n || r->due[r->first % MAX_WAITING] > r->now) return;
  p = r->waiting[r->first % MAX_WAITING];
  if (!icnt_reply_room(r->icnt, p)) return;
  p->reply = true;
  icnt_reply_push(r->icnt, p);
  r->first++;
}

/* Runs one block to its end; returns its cycles. */
static uint64_t run_block(rig_t *r, uint32_t block) {
  mrpb_err_t err = {{0}};
  uint64_t from = r->now;
  ck_assert_int_eq(sm_take_block(r->sm, block, &err), 0);
  for (; sm_blocks(r->sm) > 0; r->now++) {
    if (r->now - from > 400000) ck_abort_msg("the SM hangs");
    sm_receive(r->sm);
    memory(r);
    icnt_cycle(r->icnt);
    icnt_cycle(r->icnt);
    ck_assert_msg(sm_cycle(r->sm, r->now, &err) == 0, "%s", err.text);
  }
  ck_assert_uint_eq(sm_outstanding(r->sm), 0);
  return r->now - from;
}

/* ---- MRPB_REORDER 0 -------------------------------------------------------- */

/* 32 lines of one set of four ways: four take lines, the others bypass for associativity. */
static const mini_op_t one_set[] = {{WARP_LOAD, false, BASE, 4096, 0, 0}};
/* 32 lines in 32 sets. */
static const mini_op_t all_sets[] = {{WARP_LOAD, false, BASE, 128, 0, 0}};

static sm_stats_t run_once(rig_t *r, const mini_op_t *ops, unsigned n, l1d_stats_t *l) {
  rig_open(r, ops, n, 1, 32);
  run_block(r, 0);
  sm_stats_t s = *sm_stats(r->sm);
  *l = *sm_l1d_stats(r->sm);
  rig_close(r);
  ck_assert_uint_eq(l->hits + l->misses + l->pending_hits + s.bypasses, s.load_lines);
  return s;
}

START_TEST(on_associativity) {
  for (uint32_t bypass = 0; bypass < 3; bypass++)
    for (uint32_t tracking = 0; tracking < 3; tracking++) {
      rig_t r = rig_new();
      l1d_stats_t l;
      r.cfg.mrpb_bypass = bypass;
      r.cfg.bypass_tracking = tracking;
      sm_stats_t s = run_once(&r, one_set, N(one_set), &l);
      ck_assert_uint_eq(s.mrpb_in + s.mrpb_full, 0); /* no queues */
      if (bypass == MRPB_BYPASS_OFF) {
        ck_assert_uint_eq(s.bypasses, 0);
        ck_assert_uint_eq(l.misses, 32);
      } else if (tracking != CONFIG_TRACKING_MSHR) {
        ck_assert_uint_eq(s.bypasses, 28);
        ck_assert_uint_eq(l.misses, 4);
      }
      ck_assert_uint_eq(s.prt.max > 0, bypass && tracking == CONFIG_TRACKING_PRT);
      if (tracking == CONFIG_TRACKING_MSHR && bypass) ck_assert_uint_eq(s.mshr.max, 32);
    }
}
END_TEST

/* Out of MSHRs is a reason for `all` only. */
START_TEST(on_all_stalls) {
  rig_t r = rig_new();
  l1d_stats_t l;
  r.cfg.mshr_entries = 4;
  sm_stats_t assoc = run_once(&r, all_sets, N(all_sets), &l);
  ck_assert_uint_eq(assoc.bypasses, 0);
  ck_assert_uint_gt(l.refused[L1D_MSHR], 0);
  r = rig_new();
  r.cfg.mshr_entries = 4;
  r.cfg.mrpb_bypass = MRPB_BYPASS_STALL;
  sm_stats_t all = run_once(&r, all_sets, N(all_sets), &l);
  ck_assert_uint_eq(all.bypasses, 28);
}
END_TEST

/* A bypassed read brings its sectors or the line, and the PRT bounds how many are on their way. */
START_TEST(reply_and_table) {
  rig_t r = rig_new();
  l1d_stats_t l;
  r.cfg.prt_entries = 1;
  sm_stats_t s = run_once(&r, one_set, N(one_set), &l);
  ck_assert_uint_eq(s.prt.max, 1);
  ck_assert_uint_gt(s.bypass_wait_table, 5 * LATENCY);
  uint64_t flits[2];
  for (uint32_t reply = 0; reply < 2; reply++) {
    r = rig_new();
    r.cfg.bypass_reply = reply;
    rig_open(&r, one_set, N(one_set), 1, 32);
    run_block(&r, 0);
    flits[reply] = icnt_stats(r.icnt, ICNT_REPLY)->flits;
    rig_close(&r);
  }
  ck_assert_uint_eq(flits[0], 4 * 5 + 28 * 2);
  ck_assert_uint_eq(flits[1], 32 * 5);
}
END_TEST

/* Where nothing is refused it is the baseline to the cycle, and the queues cost their latency. */
START_TEST(no_latency) {
  const mini_op_t chain[] = {{WARP_LOAD, true, BASE, 4, 0, 0}};
  uint64_t cycles[3];
  for (unsigned i = 0; i < 3; i++) {
    rig_t r = rig_new();
    r.cfg.mrpb = i > 0;
    r.cfg.mrpb_reorder = i == 2;
    rig_open(&r, chain, N(chain), 50, 32);
    cycles[i] = run_block(&r, 0);
    rig_close(&r);
  }
  ck_assert_uint_eq(cycles[0], cycles[1]);
  ck_assert_uint_ge(cycles[2], cycles[0] + 50 * 4);
}
END_TEST

/* Stores of whole lines fill the miss queue, so that bypassed reads could overtake them. */
START_TEST(behind_stores) {
  mini_op_t ops[17];
  rig_t r = rig_new();
  for (unsigned i = 0; i < 16; i++)
    ops[i] = (mini_op_t){WARP_STORE, false, BASE + (16 + i) * 128, 4, 0, 0};
  ops[16] = (mini_op_t){WARP_LOAD, true, BASE + 16 * 128, 64, 0, 0};
  r.cfg.l1d_sets = r.cfg.l1d_ways = 1;
  r.memory_every = 11;
  rig_open(&r, ops, N(ops), 14, 32);
  run_block(&r, 0);
  ck_assert_uint_gt(sm_stats(r.sm)->bypasses, 100);
  ck_assert_uint_gt(sm_stats(r.sm)->bypass_wait_store, 0);
  ck_assert_uint_gt(sm_stats(r.sm)->bypass_wait_icnt, 0);
  ck_assert_uint_eq(r.overtaken, 0);
  rig_close(&r);
}
END_TEST

/* ---- BYPASS_POLICY ---------------------------------------------------------- */

/* 40 lines, one after another. The first 8 miss as usual. Of the 32 others the 16th and the 32nd
 * are samples. If each line is read twice, every second read hits. */
START_TEST(without_hits) {
  mini_op_t ops[80];
  const unsigned times = 1 + (unsigned)_i;
  for (unsigned i = 0; i < 40 * times; i++)
    ops[i] = (mini_op_t){WARP_LOAD, true, BASE + i / times * 128, 4, 0, 0};
  rig_t r = rig_new();
  l1d_stats_t l;
  r.cfg.mrpb_reorder = 1;
  r.cfg.bypass_policy = BYPASS_POLICY_SIGNATURE;
  r.cfg.bypass_misses = 8;
  sm_stats_t s = run_once(&r, ops, 40 * times, &l);
  ck_assert_uint_eq(s.bypasses, _i ? 0 : 30);
  ck_assert_uint_eq(l.misses, _i ? 40 : 10);
}
END_TEST

/* 32 lines of a set each, for each warp: four queues are not too many for four ways, eight are. */
START_TEST(too_many_queues) {
  const mini_op_t ops[] = {{WARP_LOAD, false, BASE, 128, 4096, 0}};
  rig_t r = rig_new();
  r.cfg.mrpb_reorder = 1;
  r.cfg.mrpb_bypass = MRPB_BYPASS_ASSOC_STALL;
  r.cfg.bypass_policy = BYPASS_POLICY_CONTENTION;
  r.cfg.l1d_ways = _i < 2 ? 4 : 8;
  rig_open(&r, ops, N(ops), 1, _i ? 256 : 128);
  run_block(&r, 0);
  if (_i == 1)
    ck_assert_uint_gt(sm_stats(r.sm)->bypasses, 0);
  else
    ck_assert_uint_eq(sm_stats(r.sm)->bypasses, 0);
  rig_close(&r);
}
END_TEST

/* ---- MRPB_DEPTH 0 ---------------------------------------------------------- */

/* All warps in one queue in front of a slow memory: 64 entries fill up, unbounded ones do not. */
START_TEST(unbounded_depth) {
  const mini_op_t op[] = {{WARP_LOAD, false, BASE, 4096, 128, 0}};
  uint32_t most[2];
  for (uint32_t i = 0; i < 2; i++) {
    rig_t r = rig_new();
    r.cfg.mrpb_reorder = 1;
    r.cfg.mrpb_queues = 1;
    r.cfg.mrpb_bypass = MRPB_BYPASS_OFF;
    r.cfg.mrpb_flush = 0;
    r.cfg.mrpb_depth = i ? 0 : 64;
    rig_open(&r, op, N(op), 4, 1024);
    run_block(&r, 0);
    const sm_stats_t *s = sm_stats(r.sm);
    most[i] = s->mrpb.max;
    ck_assert_uint_eq(s->mrpb_in, 32 * 32 * 4);
    ck_assert_uint_eq(s->mrpb_out, s->mrpb_in);
    ck_assert_uint_eq(s->mrpb_full > 0, i == 0);
    rig_close(&r);
  }
  ck_assert_uint_eq(most[0], 65); /* with the outbound buffer */
  ck_assert_uint_gt(most[1], 1000);
}
END_TEST

/* More requests than there are numbers for end the run with a message. */
START_TEST(unbounded_has_an_end) {
  const mini_op_t op[] = {{WARP_LOAD, false, BASE, 4096, 128, 0}};
  mrpb_err_t err = {{0}};
  rig_t r = rig_new();
  r.cfg.warps_per_sm = 64;
  r.cfg.registers_per_sm = 65536;
  r.cfg.mrpb_reorder = 1;
  r.cfg.mrpb_depth = 0;
  r.cfg.mrpb_bypass = MRPB_BYPASS_OFF;
  r.cfg.mshr_entries = 1;
  r.memory_every = 1 << 20;
  rig_open(&r, op, N(op), 40, 2048);
  ck_assert_int_eq(sm_take_block(r.sm, 0, &err), 0);
  int rc = 0;
  for (; rc == 0 && r.now < 200000; r.now++) {
    memory(&r);
    icnt_cycle(r.icnt);
    rc = sm_cycle(r.sm, r.now, &err);
  }
  ck_assert_int_ne(rc, 0);
  ck_assert_str_eq(err.text, "sm0: MRPB_DEPTH = 0: 65535 requests in the queues; legal: fewer");
  ck_assert_uint_ge(r.now, 65535);
  ck_assert_uint_eq(sm_stats(r.sm)->mrpb.max, 65535);
  for (packet_t *p; (p = icnt_request_pop(r.icnt, 0));) packet_free(r.pool, p);
  rig_close(&r);
}
END_TEST

START_TEST(unbounded_is_no_verilog) {
  mrpb_err_t err = {{0}};
  unit_choice_t choice = {.mrpb = UNIT_BOTH, .sm = -1};
  rig_t r = rig_new();
  r.cfg.mrpb_reorder = 1;
  r.cfg.mrpb_depth = 0;
  gpu_memory_t none = {.pool = NULL};
  sm_setup_t s = {.cfg = &r.cfg, .choice = &choice, .memory = &none};
  ck_assert_int_eq(sm_create(&r.sm, &s, &err), -1);
  ck_assert_str_eq(err.text,
                   "--impl mrpb: MRPB_DEPTH = 0 has no Verilog; legal: mrpb=c, or a depth");
  ck_assert_ptr_null(r.sm);
}
END_TEST

/* What cannot be created leaves nothing: whatever had been built before it is freed (the sanitizers
 * look), and nobody gets half an SM. */
START_TEST(half_an_sm) {
  static const unit_choice_t refused[] = {
      {.mrpb = UNIT_RTL, .sm = -1}, {.mshr = UNIT_RTL, .sm = -1}, {.prt = UNIT_RTL, .sm = -1}};
  mrpb_err_t err = {{0}};
  rig_t r = rig_new();
  r.cfg.mrpb_reorder = 1;
  gpu_memory_t memory = {.pool = packet_pool_create(8)};
  sm_setup_t s = {.cfg = &r.cfg, .choice = &refused[_i], .memory = &memory};
  r.sm = (sm_t *)&err;
  ck_assert_int_eq(sm_create(&r.sm, &s, &err), -1);
  ck_assert_ptr_nonnull(strstr(err.text, "this build has no Verilog"));
  ck_assert_ptr_null(r.sm);
  l1d_cfg_t l = sm_l1d_cfg(&r.cfg);
  l1d_t *d = (l1d_t *)&err;
  ck_assert_int_eq(l1d_create(&d, &l, &refused[1], 0, memory.pool, &err), -1);
  ck_assert_ptr_null(d);
  packet_pool_destroy(memory.pool);
}
END_TEST

/* ---- keys of the L1D ------------------------------------------------------- */

static l1d_stats_t baseline(rig_t *r, const mini_op_t *ops, unsigned n) {
  l1d_stats_t l;
  r->cfg.mrpb = 0;
  (void)run_once(r, ops, n, &l);
  return l;
}

/* 32 lines 8 KB apart: one set, but sixteen with the hash. */
START_TEST(key_hash) {
  const mini_op_t op[] = {{WARP_LOAD, true, 0, 8192, 0, 0}, {WARP_LOAD, true, 0, 8192, 0, 0}};
  rig_t r = rig_new();
  r.cfg.l1d_ways = 8;
  ck_assert_uint_eq(baseline(&r, op, N(op)).hits, 0);
  r = rig_new();
  r.cfg.l1d_ways = 8;
  r.cfg.l1d_hash = 1;
  l1d_stats_t l = baseline(&r, op, N(op));
  ck_assert_uint_eq(l.hits, 32);
  ck_assert_uint_eq(l.refused[L1D_ASSOC], 0);
}
END_TEST

START_TEST(key_allocate) {
  rig_t r = rig_new();
  ck_assert_uint_gt(baseline(&r, one_set, N(one_set)).refused[L1D_ASSOC], 100);
  r = rig_new();
  r.cfg.l1d_allocate = CONFIG_ALLOCATE_FILL;
  l1d_stats_t l = baseline(&r, one_set, N(one_set));
  ck_assert_uint_eq(l.refused[L1D_ASSOC], 0);
  ck_assert_uint_eq(l.evict_intra_warp, 28);
}
END_TEST

/* Two ways; A B A C A: LRU keeps A, FIFO does not. */
START_TEST(key_replacement) {
  const mini_op_t op[] = {{WARP_LOAD, true, 0, 4, 0, 0},
                          {WARP_LOAD, true, 128, 4, 0, 0},
                          {WARP_LOAD, true, 0, 4, 0, 0},
                          {WARP_LOAD, true, 256, 4, 0, 0},
                          {WARP_LOAD, true, 0, 4, 0, 0}};
  static const uint64_t hits[] = {2, 1};
  for (uint32_t k = TAGS_LRU; k <= TAGS_FIFO; k++) {
    rig_t r = rig_new();
    r.cfg.l1d_sets = 1;
    r.cfg.l1d_ways = 2;
    r.cfg.l1d_replacement = k;
    ck_assert_uint_eq(baseline(&r, op, N(op)).hits, hits[k]);
  }
  uint64_t cyclic[2]; /* five lines in turn in four ways: LRU never hits, Fermi's choice does */
  for (uint32_t i = 0; i < 2; i++) {
    mini_op_t turn[200];
    rig_t r = rig_new();
    for (unsigned n = 0; n < N(turn); n++)
      turn[n] = (mini_op_t){WARP_LOAD, true, n % 5 * 128, 4, 0, 0};
    r.cfg.l1d_sets = 1;
    r.cfg.l1d_replacement = i ? TAGS_FERMI : TAGS_LRU;
    cyclic[i] = baseline(&r, turn, N(turn)).hits;
  }
  ck_assert_uint_eq(cyclic[0], 0);
  ck_assert_uint_gt(cyclic[1], 80);
}
END_TEST

/* ---- contention ------------------------------------------------------------ */

/* Two blocks after each other in the same warp slot: the second replaces the first one's lines. */
START_TEST(blocks_are_told_apart) {
  const mini_op_t op[] = {{WARP_LOAD, true, BASE, 128, 0, 1 << 20}};
  rig_t r = rig_new();
  r.cfg.mrpb = _i > 0;
  r.cfg.mrpb_reorder = _i > 1;
  r.cfg.l1d_sets = 8;
  r.cfg.mrpb_bypass = MRPB_BYPASS_OFF;
  rig_open(&r, op, N(op), 1, 32);
  run_block(&r, 0);
  ck_assert_uint_eq(sm_l1d_stats(r.sm)->evict_none, 32);
  run_block(&r, 1);
  ck_assert_uint_eq(sm_l1d_stats(r.sm)->evict_cross_block, 32);
  ck_assert_uint_eq(sm_l1d_stats(r.sm)->evict_intra_warp, 0);
  rig_close(&r);
}
END_TEST

/* Two warps of one block, each with more lines than there is room for. */
START_TEST(warps_are_told_apart) {
  const mini_op_t op[] = {{WARP_LOAD, true, BASE, 128, 1 << 20, 0}};
  rig_t r = rig_new();
  r.cfg.mrpb_reorder = _i > 0;
  r.cfg.l1d_sets = 4;
  r.cfg.mrpb_bypass = MRPB_BYPASS_OFF;
  rig_open(&r, op, N(op), 4, 64);
  run_block(&r, 0);
  const l1d_stats_t *l = sm_l1d_stats(r.sm);
  ck_assert_uint_gt(l->evict_cross_warp, 16);
  ck_assert_uint_gt(l->evict_intra_warp, 16);
  ck_assert_uint_eq(l->evict_cross_block, 0);
  ck_assert_uint_eq(l->evict_none, 16);
  ck_assert_uint_eq(l->evict_none + l->evict_intra_warp + l->evict_cross_warp, l->misses);
  rig_close(&r);
}
END_TEST

Suite *test_bypass_suite(void);

Suite *test_bypass_suite(void) {
  Suite *s = suite_create("bypass");
  TCase *t = tcase_create("bypass");
  tcase_add_test(t, on_associativity);
  tcase_add_test(t, on_all_stalls);
  tcase_add_test(t, reply_and_table);
  tcase_add_test(t, no_latency);
  tcase_add_test(t, behind_stores);
  tcase_add_loop_test(t, without_hits, 0, 2);
  tcase_add_loop_test(t, too_many_queues, 0, 3);
  tcase_add_test(t, unbounded_has_an_end);
  tcase_add_test(t, unbounded_is_no_verilog);
  tcase_add_loop_test(t, half_an_sm, 0, 3);
  tcase_add_test(t, key_hash);
  tcase_add_test(t, key_allocate);
  tcase_add_test(t, key_replacement);
  tcase_add_loop_test(t, blocks_are_told_apart, 0, 3);
  tcase_add_loop_test(t, warps_are_told_apart, 0, 2);
  TCase *h = tcase_create("depth");
  tcase_set_tags(h, "heavy"); /* queues of a thousand requests: not under valgrind */
  tcase_add_test(h, unbounded_depth);
  suite_add_tcase(s, t);
  suite_add_tcase(s, h);
  return s;
}
