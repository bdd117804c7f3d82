/* SPDX-License-Identifier: Apache-2.0 */
/* One SM with its interconnect port and a memory that answers after a fixed time: latencies of the
 * LDST unit, the order of loads behind stores with and without MRPB, in every policy, and that
 * nothing is lost. */
#include "mrpb.h"
#include "workload/program_help.h"
#include "gpu/icnt_memory.h"
#include "gpu/pipeline/sm.h"

#include <stdio.h>

enum { LATENCY = 40, MAX_WAITING = 4096, LINES = 64, MEMORY_BYTES = 2 << 20 };

typedef struct {
  config_t cfg;
  packet_pool_t *pool;
  icnt_t *icnt;
  icnt_memory_t memory;
  workload_t *w;
  sm_t *sm;
  uint64_t now;
  packet_t *waiting[MAX_WAITING]; /* at the memory, in order of arrival */
  uint64_t due[MAX_WAITING];
  unsigned n, first;
  unsigned memory_every; /* the memory takes a request every so many cycles */
  unsigned stores_seen[LINES], loads_seen[LINES];
  uint64_t requests;
} rig_t;

/* `body`: the kernel behind a prologue that leaves the base address in %rd1 and %tid.x in %r1. */
static void rig_open(rig_t *r, const char *body, uint32_t threads) {
  char text[4096];
  int n = snprintf(text, sizeof text,
                   PTX_HEAD "{ .reg .pred %%p<2>; .reg .b32 %%r<8>; .reg .b64 %%rd<6>;\n"
                            "ld.param.u64 %%rd1, [a]; mov.u32 %%r1, %%tid.x;\n%s ret; }\n",
                   body);
  ck_assert(n > 0 && (size_t)n < sizeof text);
  icnt_cfg_t ic;
  mrpb_err_t err = {{0}};
  icnt_defaults(&ic);
  ic.sms = ic.partitions = 1;
  r->cfg.sms = 1;
  r->cfg.l1i_sets = 0; /* no reads but those of the scripts */
  r->pool = packet_pool_create(256);
  r->w = open_text(text, threads, MEMORY_BYTES);
  ck_assert_ptr_nonnull(r->pool);
  ck_assert_int_eq(icnt_create(&r->icnt, &ic, &err), 0);
  icnt_memory_open(&r->memory, r->icnt, r->pool);
  sm_setup_t s = {&r->cfg, 0, NULL, &r->memory.base, true, NULL, NULL, NULL};
  ck_assert_msg(sm_create(&r->sm, &s, &err) == 0, "%s", err.text);
  sm_start_kernel(r->sm, r->w, workload_next(r->w), 1);
  ck_assert_int_eq(sm_take_block(r->sm, 0, &err), 0);
}

static void rig_close(rig_t *r) {
  sm_destroy(r->sm);
  ck_assert_uint_eq(packet_pool_in_flight(r->pool), 0);
  icnt_destroy(r->icnt);
  workload_close(r->w);
  packet_pool_destroy(r->pool);
}

/* What arrives at the memory is in order: a line is never read more often than it was written, for
 * the programs below store each line before they load it. */
static void check_order(rig_t *r, const packet_t *p) {
  unsigned line = (unsigned)(p->addr / 128 % LINES);
  if (p->kind == PACKET_WRITE)
    r->stores_seen[line]++;
  else
    r->loads_seen[line]++;
  if (r->stores_seen[line]) ck_assert_uint_le(r->loads_seen[line], r->stores_seen[line]);
}

static void memory(rig_t *r) {
  packet_t *p = r->now % r->memory_every == 0 ? icnt_request_pop(r->icnt, 0) : NULL;
  if (p) {
    ck_assert_uint_lt(r->n - r->first, MAX_WAITING);
    if (p->addr >= MEMORY_BASE) r->requests++; /* not the parameter */
    r->waiting[r->n % MAX_WAITING] = p;
    r->due[r->n++ % MAX_WAITING] = r->now + LATENCY;
    if (p->addr >= MEMORY_BASE) check_order(r, p);
  }
  if (r->first == r->n || r->due[r->first % MAX_WAITING] > r->now) return;
  p = r->waiting[r->first % MAX_WAITING];
  if (!icnt_reply_room(r->icnt, p)) return;
  p->reply = true;
  icnt_reply_push(r->icnt, p);
  r->first++;
}

/* Runs to the end of the block; returns the cycles. */
static uint64_t rig_run(rig_t *r) {
  mrpb_err_t err = {{0}};
  for (r->now = 1; sm_blocks(r->sm) > 0; r->now++) {
    ck_assert_msg(r->now < 400000, "the SM hangs");
    sm_receive(r->sm);
    memory(r);
    icnt_cycle(r->icnt);
    icnt_cycle(r->icnt);
    ck_assert_int_eq(sm_cycle(r->sm, r->now, &err), 0);
  }
  ck_assert_uint_eq(sm_outstanding(r->sm), 0);
  return r->now;
}

static rig_t rig_new(void) {
  rig_t r = {.memory_every = 1};
  config_defaults(&r.cfg);
  return r;
}

enum { PROLOGUE = 2 };

/* ---- time ------------------------------------------------------------------ */

/* Two loads: the second waits for the first one's register, so the hit's latency shows. */
static uint64_t two_loads(unsigned second, unsigned lanes) {
  char body[512];
  snprintf(body, sizeof body,
           "mul.wide.u32 %%rd2, %%r1, %u; add.s64 %%rd3, %%rd1, %%rd2;\n"
           "ld.global.u32 %%r2, [%%rd3]; add.s32 %%r3, %%r2, 0;\n"
           "ld.global.u32 %%r4, [%%rd3+%u]; add.s32 %%r3, %%r4, 0;\n",
           lanes, second);
  rig_t r = rig_new();
  rig_open(&r, body, 32);
  uint64_t cycles = rig_run(&r);
  rig_close(&r);
  return cycles;
}

/* One L1D access a cycle: 32 lines take 31 cycles longer than one, and a hit's data are there in
 * the cycle of the last access. */
START_TEST(one_access_a_cycle) {
  const uint64_t one = two_loads(0, 0), eight = two_loads(0, 0);
  ck_assert_uint_eq(one, eight);
  uint64_t hit32 = two_loads(0, 128), miss32 = two_loads(0x4000, 128);
  /* 32 fills of 5 flits at 2 flits a cycle. */
  ck_assert_uint_gt(miss32 - hit32, LATENCY);
  ck_assert_uint_lt(miss32 - hit32, LATENCY + 32 * 5 / 2 + 16);
}
END_TEST

START_TEST(counts) {
  rig_t r = rig_new();
  rig_open(&r,
           "mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;\n"
           "mul.wide.u32 %rd4, %r1, 128; add.s64 %rd5, %rd1, %rd4;\n"
           "ld.global.u32 %r2, [%rd3]; ld.global.u32 %r3, [%rd5];\n"
           "st.global.u32 [%rd3+65536], %r2;\n",
           48); /* the second warp is half empty */
  rig_run(&r);
  const sm_stats_t *s = sm_stats(r.sm);
  ck_assert_uint_eq(s->warp_insts, 2 * (PROLOGUE + 8));
  ck_assert_uint_eq(s->thread_insts, (PROLOGUE + 8) * 48);
  ck_assert_uint_eq(s->loads, 4);
  ck_assert_uint_eq(s->load_lines, 1 + 32 + 1 + 16);
  ck_assert_uint_eq(s->stores, 2);
  ck_assert_uint_eq(s->store_lines, 2);
  const l1d_stats_t *l = sm_l1d_stats(r.sm);
  ck_assert_uint_eq(l->hits + l->misses + l->pending_hits, s->load_lines);
  ck_assert_uint_eq(l->writes, 2);
  rig_close(&r);
}
END_TEST

/* What leaves the MRPB: loads from behind the barrier have bit 7 set, and all 256 from before it
 * come first. */
static void watch_barrier(void *ctx, sm_t *sm) {
  unsigned *before = ctx;
  sm_unit_view_t v;
  mrpb_in_t in;
  mrpb_out_t out;
  if (!sm_unit_view(sm, "mrpb", &v)) return;
  memcpy(&in, v.in, sizeof in);
  memcpy(&out, v.out, sizeof out);
  if (!out.out_valid_o || (in.l1_answer_i != 0 && !(out.byp_valid_o && in.byp_ready_i))) return;
  if (out.out_data_o >> 13 << 5 & 128)
    ck_assert_uint_eq(*before, 256);
  else
    ++*before;
}

START_TEST(barrier) {
  rig_t r = rig_new();
  unsigned before = 0;
  r.cfg.mrpb = _i > 0;
  r.cfg.mrpb_policy = (uint32_t)_i % 6;
  r.cfg.mrpb_depth = 64;
  rig_open(&r,
           "mul.wide.u32 %rd2, %r1, 4096; add.s64 %rd3, %rd1, %rd2;\n"
           "ld.global.u32 %r2, [%rd3]; bar.sync 0; ld.global.u32 %r3, [%rd3+128];\n",
           256);
  sm_set_hook(r.sm, watch_barrier, &before);
  rig_run(&r);
  ck_assert_uint_eq(sm_stats(r.sm)->warp_insts, 8 * (PROLOGUE + 6));
  ck_assert_uint_eq(before, _i > 0 ? 256 : 0);
  rig_close(&r);
}
END_TEST

/* ---- order ----------------------------------------------------------------- */

/* Each lane stores its line and loads it again, `trips` times: 32 lines of one set. */
static void store_then_load(rig_t *r, unsigned trips, uint32_t threads) {
  char body[512];
  snprintf(body, sizeof body,
           "and.b32 %%r2, %%r1, %d; mul.wide.u32 %%rd2, %%r2, %d; add.s64 %%rd3, %%rd1, %%rd2;\n"
           "mov.u32 %%r3, 0; mov.u32 %%r4, 0;\n"
           "again: st.global.u32 [%%rd3], %%r3; ld.global.u32 %%r3, [%%rd3];\n"
           "add.s32 %%r5, %%r3, 0; add.s32 %%r4, %%r4, 1;\n"
           "setp.ne.s32 %%p1, %%r4, %u; @%%p1 bra again;\n",
           LINES - 1, 4096 + 128, trips);
  rig_open(r, body, threads);
  rig_run(r);
}

START_TEST(baseline_order) {
  rig_t r = rig_new();
  r.cfg.l1d_sets = 1;
  r.memory_every = 3;
  store_then_load(&r, 8, 64);
  ck_assert_uint_eq(sm_l1d_stats(r.sm)->writes, 8 * 64);
  rig_close(&r);
}
END_TEST

/* A bypassed read must wait for the store to its line in the miss queue. Stores of whole lines need
 * more room in the interconnect than reads, so with a slow memory reads could overtake them; the
 * test sees them wait. */
START_TEST(bypass_behind_store) {
  enum { STORES = 16 };
  char body[2048];
  int n = snprintf(body, sizeof body,
                   "mul.wide.u32 %%rd2, %%r1, 4; add.s64 %%rd3, %%rd1, %%rd2;\n"
                   "mul.wide.u32 %%rd4, %%r1, 128; add.s64 %%rd5, %%rd1, %%rd4;\n"
                   "mov.u32 %%r2, 0; mov.u32 %%r4, 0;\nagain:\n");
  for (unsigned i = 32 - STORES; i < 32; i++)
    n += snprintf(body + n, sizeof body - (size_t)n, "st.global.u32 [%%rd3+%u], %%r2;\n", i * 128);
  snprintf(body + n, sizeof body - (size_t)n,
           "ld.global.u32 %%r2, [%%rd5]; add.s32 %%r3, %%r2, 0; add.s32 %%r4, %%r4, 1;\n"
           "setp.ne.s32 %%p1, %%r4, 32; @%%p1 bra again;\n");
  rig_t r = rig_new();
  r.cfg.mrpb = 1;
  r.cfg.l1d_sets = 1;
  r.cfg.l1d_ways = 1;
  r.memory_every = 11;
  rig_open(&r, body, 32);
  rig_run(&r);
  ck_assert_uint_gt(sm_stats(r.sm)->bypasses, 500);
  ck_assert_uint_gt(sm_stats(r.sm)->bypass_wait_store, 0);
  ck_assert_uint_gt(sm_stats(r.sm)->bypass_wait_icnt, 0);
  rig_close(&r);
}
END_TEST

START_TEST(every_mrpb) {
  uint32_t policy = (uint32_t)_i % 6, signature = (uint32_t)_i / 6 % 3, flush = (uint32_t)_i / 18;
  for (uint32_t bypass = 0; bypass < 3; bypass++)
    for (uint32_t tracking = 0; tracking < (bypass ? 3 : 1); tracking++) {
      rig_t r = rig_new();
      r.cfg.mrpb = 1;
      r.cfg.mrpb_policy = policy;
      r.cfg.mrpb_signature = signature;
      r.cfg.mrpb_flush = flush;
      r.cfg.mrpb_bypass = bypass;
      r.cfg.bypass_tracking = tracking;
      r.cfg.bypass_reply = policy % 2;
      r.cfg.mrpb_depth = 1 + policy;
      r.cfg.prt_entries = 5;
      r.cfg.mshr_entries = 12;
      r.cfg.l1d_sets = 2;
      store_then_load(&r, 3, 64);
      const sm_stats_t *s = sm_stats(r.sm);
      const l1d_stats_t *l = sm_l1d_stats(r.sm);
      ck_assert_uint_eq(s->mrpb_in, s->mrpb_out);
      ck_assert_uint_eq(s->mrpb_in, s->load_lines + s->store_lines);
      ck_assert_uint_eq(l->hits + l->misses + l->pending_hits + s->bypasses, s->load_lines);
      ck_assert_uint_eq(l->writes, s->store_lines);
      ck_assert_uint_eq(s->bypasses > 0, bypass > 0);
      rig_close(&r);
    }
}
END_TEST

/* The PRT's entries bound the bypassed reads on their way. */
START_TEST(prt_full) {
  rig_t r = rig_new();
  r.cfg.mrpb = 1;
  r.cfg.prt_entries = 1;
  r.cfg.l1d_sets = 1;
  r.cfg.l1d_ways = 1;
  store_then_load(&r, 4, 32);
  ck_assert_uint_gt(sm_stats(r.sm)->bypass_wait_table, 4 * LATENCY);
  ck_assert_uint_eq(sm_stats(r.sm)->prt.max, 1);
  rig_close(&r);
}
END_TEST

START_TEST(resident_blocks) {
  config_t c;
  config_defaults(&c);
  launch_t l = {.kernel = "k", .blocks = 1000, .threads = 256, .regs = 20};
  ck_assert_uint_eq(sm_max_blocks(&c, &l), 6);
  l.regs = 21; /* rounded up to 24 */
  ck_assert_uint_eq(sm_max_blocks(&c, &l), 5);
  l.regs = 20;
  l.shared = 16384;
  ck_assert_uint_eq(sm_max_blocks(&c, &l), 3);
  l.shared = 0;
  l.threads = 16;
  ck_assert_uint_eq(sm_max_blocks(&c, &l), 8);
  l = (launch_t){.kernel = "k", .blocks = 8, .threads = 256, .regs = 20}; /* a small grid spreads */
  ck_assert_uint_eq(sm_max_blocks(&c, &l), 1);
  l.blocks = 15;
  ck_assert_uint_eq(sm_max_blocks(&c, &l), 2);
  l.threads = 2048;
  ck_assert_uint_eq(sm_max_blocks(&c, &l), 0);
}
END_TEST

Suite *test_sm_suite(void);

Suite *test_sm_suite(void) {
  Suite *s = suite_create("sm");
  TCase *t = tcase_create("time"), *u = tcase_create("order");
  tcase_add_test(t, one_access_a_cycle);
  tcase_add_test(t, counts);
  tcase_add_loop_test(t, barrier, 0, 7);
  tcase_add_test(t, resident_blocks);
  tcase_add_test(u, baseline_order);
  tcase_add_test(u, bypass_behind_store);
  tcase_add_loop_test(u, every_mrpb, 0, 36);
  tcase_add_test(u, prt_full);
  tcase_set_tags(u, "heavy");
  suite_add_tcase(s, t);
  suite_add_tcase(s, u);
  return s;
}
