/* SPDX-License-Identifier: Apache-2.0 */
/* Activity: the counts equal those of a plain bit-by-bit count, events add up to the contents of
 * the tables, C model and Verilog count the same, and a wrong count is noticed. */
#include "cosim/cosim_help.h"

#include "cosim/stim/stim.h"
#include "estimate/activity/state.h"
#include "mrpb.h"
#include "prng.h"

Suite *test_estimate_activity_suite(void);

enum { WORDS = 64, CYCLES = 3000 };

static const struct {
  const char *stem;
  uint32_t params[MODULE_MAX_PARAMS];
} small[] = {
    {"mrpb", {5, 3, 8, 2, 1, 3, 1, 4, 2}}, {"mshr", {5, 3, 25, 16}}, {"prt", {6, 32, 7, 16}}};

/* A unit behind a watcher, with its stimulus. */
typedef struct {
  bench_t b;
  config_t cfg;
  activity_t *activity;
  unit_rtl_set_t *rtl;
  unit_choice_t choice;
  unit_t unit;
  const module_class_t *cls;
  const stim_class_t *stim;
  void *model, *state; /* the stimulus looks at a model of its own */
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
} rig_t;

static void open_rig(rig_t *r, unsigned which, unit_impl_t impl, const char *rtl) {
  const uint32_t *params = small[which].params;
  memset(r, 0, sizeof *r);
  open_bench(&r->b);
  config_defaults(&r->cfg);
  r->cls = module_class(small[which].stem);
  r->stim = stim_class(small[which].stem);
  ck_assert_int_eq(activity_open(&r->activity, &r->cfg, 0, &r->b.err), 0);
  r->choice = (unit_choice_t){.mrpb = impl, .mshr = impl, .prt = impl, .sm = -1};
  r->choice.watch = activity_watch(r->activity);
  if (impl != UNIT_C) {
    ck_assert_msg(unit_rtl_set_open(&r->rtl, &(rtl_from_t){.dir = rtl}, 1, NULL, NULL, NULL,
                                    &r->b.err) == RTL_OK,
                  "%s", r->b.err.text);
    r->choice.open_rtl = unit_rtl_open;
    r->choice.ctx = r->rtl;
  }
  ck_assert_msg(unit_open(&r->unit, r->cls, params, &r->choice, 0, &r->b.err) == 0, "%s",
                r->b.err.text);
  ck_assert_int_eq(r->cls->create(&r->model, params, NULL), 0);
  r->cls->ports(params, r->in, r->out);
  r->state = malloc(r->stim->size);
  ck_assert_ptr_nonnull(r->state);
  r->stim->start(r->state, params, 7);
}

static void close_rig(rig_t *r) {
  unit_close(&r->unit);
  activity_close(r->activity);
  if (r->rtl) unit_rtl_set_close(r->rtl);
  r->cls->destroy(r->model);
  free(r->state);
  close_bench(&r->b);
}

/* The next inputs, without a reset and with no bit that the port has not. */
static void next(rig_t *r, uint64_t *in) {
  uint64_t out[MODULE_MAX_WORDS];
  r->stim->next(r->state, r->model, in);
  in[0] = 1; /* srst_ni */
  for (unsigned i = 0; i < r->cls->n_in; i++)
    if (r->in[i].width < 64) in[r->in[i].word] &= (UINT64_C(1) << r->in[i].width) - 1;
  r->cls->comb(r->model, in, out);
  (void)r->stim->sample(r->state, r->model, in, out);
  r->cls->edge(r->model, in);
}

static void run_rig(rig_t *r, unsigned cycles) {
  uint64_t in[WORDS] = {0};
  for (unsigned n = 0; n < cycles; n++) {
    next(r, in);
    ck_assert_msg(unit_edge(&r->unit, in, &r->b.err) == 0, "%s", r->b.err.text);
  }
}

static uint64_t event(const activity_unit_t *u, const char *name) {
  for (unsigned i = 0; i < u->events->n_events; i++)
    if (strcmp(u->events->events[i], name) == 0) return activity_side(u)->events[i];
  ck_abort_msg("no event %s", name);
  return 0;
}

/* ---- toggles and duty ------------------------------------------------------ */

static bool bit_at(const unsigned char *bytes, size_t bit) {
  return bytes[bit / 8] >> bit % 8 & 1;
}

START_TEST(a_track_counts_as_one_counts_by_hand) {
  enum { MOST = 203 };
  const size_t bytes = (size_t[]){1, 7, 8, 13, 64, 203}[_i];
  unsigned char now[MOST] = {0}, last[MOST];
  uint64_t toggles[MOST * 8] = {0}, ones[MOST * 8] = {0};
  prng_t rng = prng_seed(5, 0);
  track_t t;

  ck_assert_int_eq(track_open(&t, bytes, NULL), 0);
  for (uint64_t n = 0; n < 500; n++) {
    memcpy(last, now, sizeof last);
    for (unsigned k = (unsigned)(prng_next(&rng) % 3); k > 0; k--)
      now[prng_next(&rng) % bytes] ^= (unsigned char)prng_next(&rng);
    track_cycle(&t, now, n);
    for (size_t b = 0; b < bytes * 8; b++) {
      toggles[b] += n > 0 && bit_at(now, b) != bit_at(last, b);
      ones[b] += bit_at(now, b);
    }
  }
  for (size_t b = 0; b < bytes * 8; b++) {
    ck_assert_uint_eq(track_toggles(&t, b), toggles[b]);
    ck_assert_uint_eq(track_ones(&t, b, 500), ones[b]);
  }
  track_close(&t);
}
END_TEST

/* ---- events ---------------------------------------------------------------- */

START_TEST(one_read_through_the_mrpb) {
  rig_t r;
  uint64_t in[WORDS] = {0};
  mrpb_in_t *m = (mrpb_in_t *)(void *)in;
  open_rig(&r, 0, UNIT_C, NULL);
  for (unsigned n = 0; n < 20; n++) {
    *m = (mrpb_in_t){.srst_ni = 1, .l1_answer_i = n == 8 ? 0 : 1, .in_valid_i = n == 2};
    m->in_warp_i = m->in_valid_i;
    ck_assert_int_eq(unit_edge(&r.unit, in, &r.b.err), 0);
  }
  const activity_unit_t *u = &r.activity->unit[0];
  const char *const once[] = {"accept_read", "store", "drain", "to_l1"};
  const char *const never[] = {"pass", "bypass", "accept_write", "refused", "store_and_drain"};
  for (unsigned i = 0; i < 4; i++) ck_assert_uint_eq(event(u, once[i]), 1);
  for (unsigned i = 0; i < 5; i++) ck_assert_uint_eq(event(u, never[i]), 0);
  /* Accepted in 2 and presented from 2 + LATENCY on, to be taken in 8. */
  ck_assert_uint_eq(event(u, "stall_assoc"), 8 - (2 + 4));
  ck_assert_uint_eq(event(u, "bypass_waits"), event(u, "stall_assoc"));
  ck_assert_uint_eq(u->c.level[1], 6);
  ck_assert_uint_eq(u->c.level[0], 14);
  close_rig(&r);
}
END_TEST

/* What has come in and not gone out is what the tables hold. */
START_TEST(events_add_up) {
  rig_t r;
  module_reg_t regs[MODULE_MAX_REGS];
  open_rig(&r, (unsigned)_i, UNIT_C, NULL);
  run_rig(&r, CYCLES);
  const activity_unit_t *u = &r.activity->unit[0];
  r.cls->regs(r.model, regs);
  uint64_t levels = 0, held = 0;
  int count = activity_find_reg(u, _i == 0 ? "held_q" : "count_q");
  memcpy(&held, regs[count].data, regs[count].elem_bytes);
  for (unsigned n = 0; n < ACTIVITY_LEVELS; n++) levels += u->c.level[n];
  ck_assert_uint_eq(levels, CYCLES);
  ck_assert_uint_eq(u->cycles, CYCLES);
  if (_i == 0) {
    ck_assert_uint_gt(event(u, "store_and_drain"), 0);
    ck_assert_uint_eq(event(u, "accept_read") + event(u, "accept_write"),
                      event(u, "store") + event(u, "pass"));
    ck_assert_uint_eq(event(u, "store") + event(u, "pass"),
                      event(u, "to_l1") + event(u, "bypass") + held);
    const activity_reg_t *const rings[] = {&u->c.reg[u->rings[0]], &u->c.reg[u->rings[1]],
                                           &u->c.reg[u->rings[2]]};
    uint64_t stored = activity_stored(rings, 8);
    ck_assert_uint_eq(event(u, "store"), event(u, "drain") + stored);
  } else {
    ck_assert_uint_gt(event(u, "release"), 100);
    ck_assert_uint_eq(event(u, "allocate"), event(u, "release") + held);
  }
  if (_i == 1) ck_assert_uint_eq(event(u, "accept"), event(u, "allocate") + event(u, "merge"));
  close_rig(&r);
}
END_TEST

/* ---- C and Verilog --------------------------------------------------------- */

static void expect_equal(const activity_unit_t *a, const activity_unit_t *b, bool equal) {
  activity_signal_t s, t;
  uint64_t differ = 0, toggles = 0;
  for (unsigned i = 0; activity_signal(a, activity_side(a), i, &s); i++) {
    ck_assert(activity_signal(b, activity_side(b), i, &t));
    for (unsigned w = 0; w < s.words; w++)
      for (unsigned k = 0; k < s.width; k++) {
        activity_bit_t x = activity_bit(a, &s, w, k), y = activity_bit(b, &t, w, k);
        differ += x.toggles != y.toggles || x.ones != y.ones;
        toggles += x.toggles;
      }
  }
  ck_assert_uint_gt(toggles, CYCLES);
  ck_assert(equal == (differ == 0));
}

START_TEST(c_and_verilog_count_the_same) {
  rig_t c, rtl, both;
  open_rig(&c, (unsigned)_i, UNIT_C, NULL);
  open_rig(&rtl, (unsigned)_i, UNIT_RTL, NULL);
  open_rig(&both, (unsigned)_i, UNIT_BOTH, NULL);
  run_rig(&c, CYCLES);
  run_rig(&rtl, CYCLES);
  run_rig(&both, CYCLES);
  expect_equal(&c.activity->unit[0], &rtl.activity->unit[0], true);
  expect_equal(&c.activity->unit[0], &both.activity->unit[0], true);
  ck_assert(!c.activity->unit[0].rtl.there && !rtl.activity->unit[0].c.there);
  ck_assert(both.activity->unit[0].c.there && both.activity->unit[0].rtl.there);
  ck_assert_msg(activity_check(both.activity, &both.b.err) == 0, "%s", both.b.err.text);
  close_rig(&c);
  close_rig(&rtl);
  close_rig(&both);
}
END_TEST

/* Each bit of the Verilog's registers, looked at one by one in every cycle. */
START_TEST(the_verilogs_bits_one_by_one) {
  enum { MOST = 1 << 14 };
  rig_t r;
  uint64_t in[WORDS] = {0}, *toggles = calloc(MOST, sizeof *toggles);
  bool *last = calloc(MOST, sizeof *last);
  open_rig(&r, (unsigned)_i, UNIT_RTL, NULL);
  const activity_unit_t *u = &r.activity->unit[0];
  for (unsigned n = 0; n < CYCLES; n++) {
    unsigned at = 0;
    for (unsigned i = 0; i < r.cls->n_regs; i++)
      for (unsigned b = 0; b < u->regs[i].words * u->regs[i].width; b++, at++) {
        const shim_view_t *v = &r.unit.rtl[i];
        const unsigned char *elem = v->data;
        elem += (size_t)(b / u->regs[i].width) * v->elem_bytes;
        bool now = bit_at(elem, b % u->regs[i].width);
        toggles[at] += n > 0 && now != last[at];
        last[at] = now;
      }
    ck_assert_uint_le(at, MOST);
    next(&r, in);
    ck_assert_int_eq(unit_edge(&r.unit, in, &r.b.err), 0);
  }
  activity_signal_t s;
  unsigned at = 0;
  for (unsigned i = r.cls->n_in + r.cls->n_out; activity_signal(u, &u->rtl, i, &s); i++)
    for (unsigned w = 0; w < s.words; w++)
      for (unsigned b = 0; b < s.width; b++)
        ck_assert_uint_eq(activity_bit(u, &s, w, b).toggles, toggles[at++]);
  free(toggles);
  free(last);
  close_rig(&r);
}
END_TEST

/* A Verilog that answers as it should, but switches otherwise. */
START_TEST(a_verilog_that_switches_otherwise_is_noticed) {
  rig_t c, rtl;
  bench_t b;
  open_bench(&b);
  copy_rtl(&b, "mshr", "if (fill) order_q[order_tail] <= fill_entry_i;",
           "if (fill) order_q[order_tail] <= fill_entry_i;\n"
           "      if (release_e) order_q[order_head_q] <= ~order_q[order_head_q];");
  open_rig(&c, 1, UNIT_C, NULL);
  open_rig(&rtl, 1, UNIT_RTL, b.dir);
  run_rig(&c, CYCLES);
  run_rig(&rtl, CYCLES);
  expect_equal(&c.activity->unit[0], &rtl.activity->unit[0], false);
  close_rig(&c);
  close_rig(&rtl);
  close_bench(&b);
}
END_TEST

/* One toggle, cycle or event more on one side, wherever it is. */
START_TEST(a_wrong_count_is_noticed) {
  rig_t r;
  mrpb_err_t err = {""};
  open_rig(&r, 1, UNIT_BOTH, NULL);
  run_rig(&r, 200);
  activity_unit_t *u = &r.activity->unit[0];
  ck_assert_int_eq(activity_check(r.activity, &err), 0);
  /* Word 1 of the inputs is req_valid_i, word 0 of the outputs req_ready_o. */
  uint64_t *const place[] = {&u->rtl.in.toggles[64], &u->rtl.out.ones[0], &u->c.regs[0].toggles[4],
                             &u->rtl.events[2], &u->c.level[3]};
  const char *const said[] = {
      "activity of mshr in 200 cycles: toggles of req_valid_i[0]: C model ",
      "activity of mshr in 200 cycles: cycles at 1 of req_ready_o[0]: C model ",
      "activity of mshr in 200 cycles: toggles of valid_q[4]: C model ",
      "activity of mshr in 200 cycles: event merge: C model ",
      "activity of mshr in 200 cycles: cycles at one value of count_o: C model "};
  for (unsigned i = 0; i < 5; i++) {
    err.text[0] = '\0';
    ++*place[i];
    ck_assert_int_eq(activity_check(r.activity, &err), -1);
    has(err.text, said[i]);
    --*place[i];
  }
  ck_assert_int_eq(activity_check(r.activity, NULL), 0);
  close_rig(&r);
}
END_TEST

Suite *test_estimate_activity_suite(void) {
  Suite *suite = suite_create("estimate_activity");
  TCase *core = tcase_create("core");
  tcase_add_loop_test(core, a_track_counts_as_one_counts_by_hand, 0, 6);
  tcase_add_test(core, one_read_through_the_mrpb);
  tcase_add_loop_test(core, events_add_up, 0, 3);
  suite_add_tcase(suite, core);
  TCase *verilog = tcase_create("verilog");
  tcase_add_loop_test(verilog, c_and_verilog_count_the_same, 0, 3);
  tcase_add_loop_test(verilog, the_verilogs_bits_one_by_one, 0, 3);
  tcase_add_test(verilog, a_verilog_that_switches_otherwise_is_noticed);
  tcase_add_test(verilog, a_wrong_count_is_noticed);
  tcase_set_tags(verilog, "heavy");
  suite_add_tcase(suite, verilog);
  return suite;
}
