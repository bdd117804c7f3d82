/* SPDX-License-Identifier: Apache-2.0 */
/* The ordering hazards of docs/check.md. For each there is a program that runs without violation,
 * and in which the checking mode finds one when the hazard is let in. */
#include "check_help.h"
#include "mrpb.h"
#include "mshr.h"
#include "prt.h"

#define LINE(n) ((uint64_t)(n)*128)

typedef script_t *(*program_fn)(config_t *cfg);

static outcome_t run(program_fn program, uint32_t hazards, bool check) {
  config_t c = script_config();
  script_t *s = program(&c);
  script_exit(s);
  return script_run(s, &c, check, hazards, NULL);
}

static void expect_text(const outcome_t *o, const char *part) {
  ck_assert_msg(o->end == GPU_MISMATCH, "end %d: %s", (int)o->end, o->err.text);
  ck_assert_msg(strstr(o->err.text, part), "\"%s\" is not in \"%s\"", part, o->err.text);
}

static outcome_t expect_fine(program_fn program) {
  outcome_t o = run(program, 0, true), plain = run(program, 0, false);
  ck_assert_msg(o.end == GPU_DONE, "end %d: %s", (int)o.end, o.err.text);
  ck_assert_uint_eq(o.cycles, plain.cycles); /* looking changes nothing */
  ck_assert_uint_eq(o.sm.warp_insts, plain.sm.warp_insts);
  ck_assert_uint_eq(o.check.stale, 0);
  ck_assert_uint_eq(o.check.raced, 0);
  return o;
}

/* ---- a --------------------------------------------------------------------- */

/* Stores of whole lines, which the interconnect takes one in 2.5 cycles, fill the miss queue; the
 * load of the last one is refused and bypasses. */
static script_t *bypass_behind_stores(config_t *c) {
  script_t *s = script_new(1, 1, 1);
  c->mrpb = 1;
  c->mrpb_bypass = MRPB_BYPASS_STALL;
  for (unsigned i = 0; i < 20; i++) (void)script_access(s, 0, WARP_STORE, 0, 16, LINE(4 * i), 16);
  script_load(s, 0, 1, LINE(4 * 19));
  return s;
}

START_TEST(bypass_overtakes) {
  outcome_t o = expect_fine(bypass_behind_stores);
  ck_assert_uint_gt(o.sm.bypass_wait_store, 0);
  o = run(bypass_behind_stores, HAZARD_BYPASS, true);
  expect_text(&o, "expected its own store #77 (sm0 warp 0 pc 0x98 cycle ");
  expect_text(&o, "got the initial contents from a bypassed read");
}
END_TEST

/* ---- b --------------------------------------------------------------------- */

static script_t *merge_behind_store(config_t *c) {
  script_t *s = script_new(1, 1, 1);
  (void)c;
  script_load(s, 0, 1, LINE(3));
  script_store(s, 0, 0, LINE(3));
  script_load(s, 0, 2, LINE(3));
  return s;
}

/* The line that the fetch brings is read only when the entry has gone. */
static script_t *hit_behind_store(config_t *c) {
  script_t *s = script_new(1, 1, 1);
  (void)c;
  script_load(s, 0, 1, LINE(3));
  script_store(s, 0, 0, LINE(3));
  script_wait(s, 0, 1);
  for (unsigned i = 0; i < 20; i++) script_wait(s, 0, 0);
  script_load(s, 0, 2, LINE(3));
  return s;
}

START_TEST(written_fetch) {
  outcome_t o = expect_fine(merge_behind_store);
  ck_assert_uint_gt(o.l1d.refused[L1D_MERGE], 0);
  ck_assert_uint_eq(o.l1d.stale_fills, 1);
  ck_assert_uint_eq(o.l1d.misses, 2);
  o = run(merge_behind_store, HAZARD_WRITTEN_FETCH, true);
  expect_text(&o, "got the initial contents from an L1D fill");
  o = expect_fine(hit_behind_store);
  ck_assert_uint_eq(o.l1d.refused[L1D_MERGE], 0);
  ck_assert_uint_eq(o.l1d.stale_fills, 1);
  o = run(hit_behind_store, HAZARD_WRITTEN_FETCH, true);
  expect_text(&o, "got the initial contents from an L1D hit");
}
END_TEST

/* ---- c and d --------------------------------------------------------------- */

/* 32 reads of a line drain after its fill. The first to leave lets the store go, which evicts the
 * line; the load behind it finds the entry still draining. */
static script_t *read_while_draining(config_t *c) {
  script_t *s = script_new(1, 1, 1);
  c->mshr_merges = 32;
  c->l1i_sets = 0; /* the loads come one after the other */
  for (unsigned i = 0; i < 32; i++) script_load(s, 0, 1 + i, LINE(3));
  script_store(s, 0, 1, LINE(3));
  script_load(s, 0, 40, LINE(3));
  return s;
}

START_TEST(draining_merge) {
  outcome_t o = expect_fine(read_while_draining);
  ck_assert_uint_gt(o.l1d.refused[L1D_MERGE], 0);
  ck_assert_uint_eq(o.l1d.misses, 2);
  o = run(read_while_draining, HAZARD_DRAINING, true);
  expect_text(&o, "got the initial contents from an L1D fill");
}
END_TEST

/* The refused load asks in every cycle, so also in the one in which the last read leaves. */
START_TEST(mshr_same_cycle) {
  (void)expect_fine(read_while_draining);
  outcome_t o = run(read_while_draining, HAZARD_SAME_CYCLE, true);
  ck_assert_int_eq(o.end, GPU_HANG);
  ck_assert_msg(strstr(o.dump, "pc 0x108") && strstr(o.dump, "no data for lanes 0xffffffff"), "%s",
                o.dump);
}
END_TEST

/* The C model of a module, in which what is allocated in a cycle in which the tail leaves is
 * lost. */
typedef struct {
  const module_class_t *cls;
  void *model;
} loses_t;

static void loses_comb(void *self, const uint64_t *in, uint64_t *out) {
  const loses_t *s = self;
  s->cls->comb(s->model, in, out);
}

static int loses_edge(void *self, const uint64_t *in, mrpb_err_t *err) {
  const loses_t *s = self;
  (void)err;
  if (s->cls == &prt_class) {
    prt_in_t i;
    prt_out_t o;
    memcpy(&i, in, sizeof i);
    s->cls->comb(s->model, in, (uint64_t *)&o);
    if (i.alloc_valid_i && o.release_o) i.alloc_valid_i = i.issue_valid_i = 0;
    s->cls->edge(s->model, (const uint64_t *)&i);
  } else {
    mrpb_in_t i;
    mrpb_out_t o;
    memcpy(&i, in, sizeof i);
    s->cls->comb(s->model, in, (uint64_t *)&o);
    bool leaves = o.out_valid_o && (i.l1_answer_i == 0 || (o.byp_valid_o && i.byp_ready_i));
    if (i.in_valid_i && o.in_ready_o && leaves && o.held_o == 1) i.in_valid_i = 0;
    s->cls->edge(s->model, (const uint64_t *)&i);
  }
  return 0;
}

static void loses_destroy(void *self) {
  loses_t *s = self;
  s->cls->destroy(s->model);
  free(s);
}

static int loses_open(unit_t *out, const module_class_t *cls, const uint32_t *cfg, unit_impl_t impl,
                      const char *name, void *ctx, mrpb_err_t *err) {
  loses_t *s = calloc(1, sizeof *s);
  (void)impl;
  (void)name;
  (void)ctx;
  ck_assert_ptr_nonnull(s);
  s->cls = cls;
  *out = (unit_t){
      .self = s, .cls = cls, .comb = loses_comb, .edge = loses_edge, .destroy = loses_destroy};
  return cls->create(&s->model, cfg, err);
}

/* Divergent loads, one bypass on its way at a time: each waits for the entry of the one before. */
static script_t *one_prt_entry(config_t *c) {
  script_t *s = script_new(1, 1, 1);
  c->mrpb = 1;
  c->mrpb_bypass = MRPB_BYPASS_STALL;
  c->prt_entries = 1;
  c->l1d_sets = c->l1d_ways = 1;
  for (unsigned i = 0; i < 4; i++) (void)script_access(s, 0, WARP_LOAD, 1 + i, 4, 0, 128);
  return s;
}

static script_t *busy_mrpb(config_t *c) {
  script_t *s = script_new(1, 2, 1);
  c->mrpb = 1;
  for (unsigned i = 0; i < 8; i++) script_load(s, i % 2, 1 + i, LINE(i));
  for (unsigned i = 0; i < 8; i++) script_store(s, i % 2, 1 + i, LINE(8 + i));
  for (unsigned i = 0; i < 8; i++) script_load(s, i % 2, 9 + i, LINE(8 + i));
  return s;
}

static outcome_t run_losing(program_fn program, unit_impl_t mrpb, unit_impl_t prt) {
  config_t c = script_config();
  unit_choice_t choice = {.mrpb = mrpb, .prt = prt, .sm = -1, .open_rtl = loses_open};
  script_t *s = program(&c);
  script_exit(s);
  return script_run(s, &c, true, 0, &choice);
}

/* The reply to what was lost belongs to no load, or the load never gets one. */
START_TEST(prt_same_cycle) {
  (void)expect_fine(one_prt_entry);
  outcome_t o = run_losing(one_prt_entry, UNIT_C, UNIT_RTL);
  expect_text(&o, "sm0: PRT entry 0 is allocated while it is in use");
}
END_TEST

START_TEST(mrpb_same_cycle) {
  (void)expect_fine(busy_mrpb);
  outcome_t o = run_losing(busy_mrpb, UNIT_RTL, UNIT_C);
  ck_assert_msg(o.end == GPU_HANG || o.end == GPU_MISMATCH, "end %d", (int)o.end);
  ck_assert_msg(o.dump[0] || o.err.text[0], "nothing is reported");
}
END_TEST

/* ---- e --------------------------------------------------------------------- */

/* An L2 slice alone, with what a warp stores and loads there. */
typedef struct {
  packet_pool_t *pool;
  l2_t *l2;
  check_t *check;
  check_sm_t *sm;
  script_t *script;
  warp_stream_t *warp;
  const packet_t *load; /* the warp's */
  bool dram;            /* the DRAM answers */
  uint64_t now;
} slice_t;

static void slice_open(slice_t *r, uint32_t hazards) {
  mrpb_err_t err = {{0}};
  l2_cfg_t l;
  const packet_map_t map = {1, 8};
  const check_cfg_t k = {.sms = 1,
                         .l1d_lines = 1,
                         .mshr_entries = 1,
                         .slices = 1,
                         .l2_lines = 2,
                         .l2_mshr_entries = 32};
  l2_defaults(&l);
  l.sets = 1;
  l.ways = 2;
  l.rop_latency = l.wb_local_addr = 0;
  l.mshr_merges = 32;
  *r = (slice_t){.pool = packet_pool_create(64), .script = script_new(1, 1, 1), .dram = true};
  script_store(r->script, 0, 0, LINE(1));
  script_load(r->script, 0, 1, LINE(1));
  script_exit(r->script);
  ck_assert_int_eq(l2_create(&r->l2, &l, 0, &map, r->pool, &err), 0);
  ck_assert_int_eq(check_create(&r->check, &k, &err), 0);
  l2_set_check(r->l2, r->check);
  l2_set_hazards(r->l2, hazards);
  r->sm = check_sm(r->check, 0);
  (void)workload_next(&r->script->base);
  check_launch(r->check, &r->script->base);
  check_warp_starts(r->sm, 0, 0);
  r->warp = warp_stream_open(&r->script->base, 0, 0);
}

static void slice_close(slice_t *r) {
  warp_stream_close(&r->script->base, r->warp);
  l2_destroy(r->l2);
  ck_assert_uint_eq(packet_pool_in_flight(r->pool), 0);
  packet_pool_destroy(r->pool);
  check_destroy(r->check);
  script_destroy(&r->script->base);
}

static packet_t *slice_send(slice_t *r, packet_kind_t kind, uint64_t line) {
  packet_t *p = packet_alloc(r->pool);
  const packet_map_t map = {1, 8};
  packet_set_address(p, &map, SCRIPT_BASE + LINE(line));
  p->kind = kind;
  p->bytes = 128;
  l2_push(r->l2, p, r->now);
  return p;
}

/* The warp's next instruction is sent. */
static void slice_issue(slice_t *r) {
  const warp_inst_t *i = script_peek(r->warp);
  const coalesced_t t = {SCRIPT_BASE + LINE(1), UINT32_MAX, 128};
  check_data_t *data = NULL;
  uint64_t addr[WARP_LANES];
  script_addresses(r->warp, addr);
  check_issue(r->sm, 0, r->warp, i, addr, UINT32_MAX, &t, 1, &data);
  packet_t *p = slice_send(r, i->cls == WARP_STORE ? PACKET_WRITE : PACKET_READ, 1);
  p->data = data;
  if (i->cls == WARP_LOAD) {
    r->load = p;
    check_bypass_sent(r->sm, false, 0, 1, t.addr, t.bytes, p);
  }
  script_step(r->warp);
}

static void slice_cycle(slice_t *r) {
  packet_t *p = r->dram ? packet_queue_pop(l2_to_dram(r->l2)) : NULL;
  if (p) check_dram(r->check, p);
  if (p && p->kind == PACKET_WRITE_BACK)
    packet_free(r->pool, p);
  else if (p)
    packet_queue_push(l2_from_dram(r->l2), p);
  l2_cycle(r->l2, r->now++);
  for (p = l2_reply_pop(r->l2); p; p = l2_reply_pop(r->l2)) {
    if (p == r->load) check_bypass(r->sm, 0, 1, p);
    check_drop(r->sm, p);
    packet_free(r->pool, p);
  }
}

static void slice_settle(slice_t *r) {
  for (unsigned i = 0; i < 200; i++) slice_cycle(r);
  ck_assert_uint_eq(l2_in_flight(r->l2), 0);
}

/* 20 reads of line 1 drain after one fill, one a cycle. Meanwhile the warp stores there, other
 * reads evict the line (the slice has two), and the warp reads it. */
START_TEST(l2_draining_merge) {
  for (unsigned i = 0; i < 2; i++) {
    slice_t r;
    slice_open(&r, i ? HAZARD_L2_DRAINING : 0);
    (void)slice_send(&r, PACKET_READ, 0);
    slice_settle(&r);
    r.dram = false;
    for (unsigned k = 0; k < 20; k++) (void)slice_send(&r, PACKET_READ, 1);
    for (unsigned k = 0; k < 40; k++) slice_cycle(&r);
    r.dram = true;
    slice_issue(&r);
    for (unsigned k = 0; k < 3; k++) slice_cycle(&r);
    (void)slice_send(&r, PACKET_READ, 0);
    (void)slice_send(&r, PACKET_READ, 2);
    slice_issue(&r);
    slice_settle(&r);
    const mrpb_err_t *e = check_failed(r.check);
    ck_assert_uint_eq(l2_stats(r.l2)->stuck_lines, i);
    if (i)
      ck_assert_msg(e && strstr(e->text, "got the initial contents from a bypassed read"), "%s",
                    e ? e->text : "nothing found");
    else
      ck_assert_msg(!e, "%s", e ? e->text : "");
    slice_close(&r);
  }
}
END_TEST

/* ---- f --------------------------------------------------------------------- */

/* An L2 of two lines. The store hits; the read of a third line evicts what it wrote, which is read
 * again at once. */
static script_t *read_behind_write_back(config_t *c) {
  script_t *s = script_new(1, 1, 1);
  c->l2_sets = 1;
  c->l2_ways = 2;
  c->l2_slices = 6; /* with one, a partition's addresses are the global ones */
  script_load(s, 0, 1, LINE(96));
  script_wait(s, 0, 1);
  script_store(s, 0, 0, LINE(96));
  script_load(s, 0, 2, LINE(108));
  script_wait(s, 0, 2);
  script_load(s, 0, 3, LINE(120));
  script_load(s, 0, 4, LINE(96));
  return s;
}

START_TEST(write_back_overtaken) {
  outcome_t o = expect_fine(read_behind_write_back);
  ck_assert_uint_gt(o.l2.write_backs, 0);
  o = run(read_behind_write_back, HAZARD_L2_WRITE_BACK, true);
  expect_text(&o, "got the initial contents");
}
END_TEST

/* ---- g --------------------------------------------------------------------- */

/* Four operands of the store are in one bank, the load needs none: it leaves its collector first.
 */
static script_t *load_behind_slow_store(config_t *c) {
  script_t *s = script_new(1, 1, 1);
  (void)c;
  script_load(s, 0, 1, LINE(3));
  script_wait(s, 0, 1);
  script_op_t *op = script_access(s, 0, WARP_STORE, 2, 4, LINE(3), 4);
  for (unsigned i = 1; i < 4; i++) {
    op->inst.src[i] = (uint16_t)(2 + 16 * i);
    op->inst.src_bank[i] = 2;
  }
  script_load(s, 0, 3, LINE(3));
  return s;
}

START_TEST(collectors) {
  (void)expect_fine(load_behind_slow_store);
  outcome_t o = run(load_behind_slow_store, HAZARD_COLLECTOR, true);
  expect_text(&o, "not performed) or a later one, got the initial contents from an L1D hit");
}
END_TEST

/* ---- the reference's rules -------------------------------------------------- */

/* MEMORY_ORDER = reference lets in b, c, e and g. */
START_TEST(reference) {
  const program_fn programs[] = {merge_behind_store, hit_behind_store, read_while_draining,
                                 load_behind_slow_store};
  for (unsigned i = 0; i < sizeof programs / sizeof *programs; i++) {
    config_t c = script_config();
    script_t *s = programs[i](&c);
    script_exit(s);
    c.memory_order = CONFIG_ORDER_REFERENCE;
    outcome_t o = script_run(s, &c, true, 0, NULL);
    expect_text(&o, "expected its own store");
  }
}
END_TEST

Suite *test_hazards_suite(void);

Suite *test_hazards_suite(void) {
  Suite *s = suite_create("hazards");
  TCase *t = tcase_create("hazards");
  tcase_add_test(t, bypass_overtakes);
  tcase_add_test(t, written_fetch);
  tcase_add_test(t, draining_merge);
  tcase_add_test(t, mshr_same_cycle);
  tcase_add_test(t, prt_same_cycle);
  tcase_add_test(t, mrpb_same_cycle);
  tcase_add_test(t, l2_draining_merge);
  tcase_add_test(t, write_back_overtaken);
  tcase_add_test(t, collectors);
  tcase_add_test(t, reference);
  suite_add_tcase(s, t);
  return s;
}
