/* SPDX-License-Identifier: Apache-2.0 */
/* Energy of events: the equations give worked-out numbers, a scene counts exactly what it says, and
 * what cannot be told apart is refused. */
#include "estimate/activity/run.h"
#include "estimate/activity/track.h"
#include "estimate/energy/solve.h"
#include "recorded.h"

#include <check.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

Suite *test_estimate_energy_suite(void);

enum { EVENTS = ENERGY_CYCLES / ENERGY_SPACING };

static const char *const names[ENERGY_TERMS] = {"idle cycle", "look-up", "allocate"};

static void near(double is, double want) {
  ck_assert_msg(fabs(is - want) < 1e-9, "%.12g, not %.12g", is, want);
}

/* 100 cycles; 100 cycles with 10 look-ups; 200 cycles with 20 look-ups and 20 allocations: at 2, 5
 * and 7 pJ these are 200, 250 and 640 pJ. */
START_TEST(worked_out) {
  double times[ENERGY_TERMS][ENERGY_TERMS] = {{100, 0, 0}, {100, 10, 0}, {200, 20, 20}};
  const double sum[ENERGY_TERMS] = {200, 250, 640};
  double pj[ENERGY_TERMS];
  ck_assert_int_eq(energy_solve(3, times, sum, names, pj, NULL), 0);
  near(pj[0], 2);
  near(pj[1], 5);
  near(pj[2], 7);
}
END_TEST

/* The first scene need not be the one with the largest count of the first term. */
START_TEST(in_any_order) {
  double times[ENERGY_TERMS][ENERGY_TERMS] = {{0, 4, 1}, {0, 0, 3}, {5, 1, 0}};
  const double sum[ENERGY_TERMS] = {4 * 3 + 1 * 2, 3 * 2, 5 * 11 + 1 * 3};
  double pj[ENERGY_TERMS];
  ck_assert_int_eq(energy_solve(3, times, sum, names, pj, NULL), 0);
  near(pj[0], 11);
  near(pj[1], 3);
  near(pj[2], 2);
}
END_TEST

/* Each look-up comes with an allocation: nothing says which of them takes the energy. */
START_TEST(not_to_be_told_apart) {
  double times[ENERGY_TERMS][ENERGY_TERMS] = {{100, 0, 0}, {100, 10, 10}, {200, 30, 30}};
  const double sum[ENERGY_TERMS] = {200, 250, 500};
  double pj[ENERGY_TERMS];
  mrpb_err_t err = {""};
  ck_assert_int_eq(energy_solve(3, times, sum, names, pj, &err), -1);
  ck_assert_str_eq(err.text, "energy: no scene tells \"allocate\" from the other events");
}
END_TEST

/* Plays a scene at a size, and returns what was counted. */
static json_t *play(const char *stem, const uint32_t *cfg, const char *term) {
  const energy_module_t *m = energy_module(stem);
  json_t *unit = NULL;
  mrpb_err_t err = {""};
  for (unsigned i = 0; i < m->n; i++)
    if (strcmp(m->term[i].name, term) == 0)
      ck_assert_msg(energy_play(module_class(stem), cfg, &m->term[i], &unit, NULL, &err) == 0, "%s",
                    err.text);
  return unit;
}

static double count(const json_t *unit, const char *event) {
  return activity_number(json_object_get(unit, "events"), event);
}

static double bits(const json_t *unit, const char *list, const char *name) {
  return activity_number(activity_named(json_object_get(unit, list), name), "bit_toggles");
}

/* A scene, and how often each event is in it, in EVENTS; other events are not. */
static const struct {
  const char *stem, *term;
  struct {
    const char *event;
    unsigned times;
  } has[8];
} scenes[] = {
    {"mshr", "idle cycle", {{NULL, 0}}},
    {"mshr", "look-up", {{"look_up", 1}, {"refused", 1}}},
    {"mshr",
     "allocate",
     {{"look_up", 1}, {"allocate", 1}, {"accept", 1}, {"len_writes", 1}, {"head_writes", 1}}},
    {"mshr", "merge", {{"look_up", 1}, {"merge", 1}, {"accept", 1}, {"len_writes", 1}}},
    {"mshr", "fill", {{"fill", 1}, {"out_waits", ENERGY_SPACING}}},
    {"prt", "idle cycle", {{NULL, 0}}},
    {"prt", "allocate", {{"allocate", 1}, {"left_writes", 1}, {"pend_writes", 1}}},
    {"prt",
     "issue",
     {{"issue", 1},
      {"left_writes", 1},
      {"pend_writes", 1},
      {"pend_reads", 1},
      {"pend_read_and_write", 1}}},
    {"prt",
     "reply, the instruction's last",
     {{"reply", 1},
      {"release", 1},
      {"pend_writes", 1},
      {"pend_reads", 1},
      {"pend_read_and_write", 1}}},
    {"mrpb", "idle cycle", {{NULL, 0}}},
    {"mrpb", "a write passes and leaves", {{"accept_write", 1}, {"pass", 1}, {"to_l1", 1}}},
    {"l1_top", "idle cycle", {{NULL, 0}}},
    {"l1_top", "hit", {{"hit", 1}}},
    {"l1_top", "miss: fetched, filled, answered", {{"miss", 1}}},
    {"l1_top", "bypass: refused, fetched, answered", {{"bypass", 1}, {"assoc", 1}}},
    {"l1_top", "store: gathered and sent", {{"store", 1}}},
};

START_TEST(a_scene_is_what_it_says) {
  uint32_t cfg[MODULE_MAX_PARAMS];
  const char *name;
  json_t *value;
  module_defaults(module_class(scenes[_i].stem), cfg);
  json_t *unit = play(scenes[_i].stem, cfg, scenes[_i].term);
  ck_assert_ptr_nonnull(unit);
  ck_assert_int_eq((int)activity_number(unit, "cycles"), ENERGY_CYCLES);
  json_object_foreach(json_object_get(unit, "events"), name, value) {
    double want = 0;
    for (unsigned k = 0; k < 8 && scenes[_i].has[k].event; k++)
      if (strcmp(scenes[_i].has[k].event, name) == 0) want = scenes[_i].has[k].times * EVENTS;
    /* The first fill of a stretch is not out yet in its own cycle. */
    if (strcmp(name, "out_waits") == 0 && want > 0)
      ck_assert_double_le(fabs(count(unit, name) - want), EVENTS / 16);
    else
      ck_assert_msg(json_number_value(value) == want, "%s: %s: %g times, not %g", scenes[_i].term,
                    name, json_number_value(value), want);
  }
  json_decref(unit);
}
END_TEST

/* In an idle cycle nothing toggles, whatever the registers hold. */
START_TEST(nothing_toggles_in_idle_cycles) {
  static const char *const stems[] = {"mrpb", "mshr", "prt", "l1_top"};
  static const char *const lists[] = {"ports", "registers"};
  uint32_t cfg[MODULE_MAX_PARAMS];
  module_defaults(module_class(stems[_i]), cfg);
  json_t *unit = play(stems[_i], cfg, "idle cycle");
  double ones = 0;
  for (unsigned l = 0; l < 2; l++) {
    size_t i;
    json_t *s;
    json_array_foreach(json_object_get(unit, lists[l]), i, s) {
      ck_assert_int_eq((int)activity_number(s, "bit_toggles"), 0);
      ck_assert_int_eq((int)activity_number(s, "changes"), 0);
      ones += activity_number(s, "bit_ones");
    }
  }
  ck_assert_double_gt(ones, ENERGY_CYCLES * 100.0); /* old contents */
  json_decref(unit);
}
END_TEST

/* An enqueued request is one of 51 + 6 + 3 + 3 random bits at most, which come and go; none leaves
 * meanwhile. A dequeued one leaves room for the next. */
START_TEST(enqueue_and_dequeue) {
  uint32_t cfg[MODULE_MAX_PARAMS];
  module_defaults(module_class("mrpb"), cfg);
  json_t *in = play("mrpb", cfg, "enqueue");
  ck_assert_int_eq((int)count(in, "store"), EVENTS);
  ck_assert_int_eq((int)count(in, "drain"), 0);
  ck_assert_int_eq((int)count(in, "to_l1"), 0);
  ck_assert_double_le(fabs(bits(in, "ports", "in_data_i") / EVENTS - 51), 1); /* 51 / 2, twice */
  json_t *out = play("mrpb", cfg, "dequeue: drained, presented, leaves");
  ck_assert_int_eq((int)count(out, "store"), 0);
  ck_assert_int_eq((int)count(out, "drain"), EVENTS);
  ck_assert_int_eq((int)count(out, "to_l1"), EVENTS);
  json_decref(in);
  json_decref(out);
}
END_TEST

/* With one read an entry there are no merges; the other events stay. */
START_TEST(what_a_size_cannot_do) {
  uint32_t cfg[MODULE_MAX_PARAMS];
  module_defaults(module_class("mshr"), cfg);
  cfg[1] = 1;
  ck_assert_ptr_null(play("mshr", cfg, "merge"));
  ck_assert_ptr_null(play("mshr", cfg, "drain"));
  json_t *unit = play("mshr", cfg, "fill");
  ck_assert_int_eq((int)count(unit, "fill"), EVENTS);
  json_decref(unit);
}
END_TEST

/* A word of 16 bits that changes in 2 of 4 cycles, another in one; one change of both is not
 * counted. */
START_TEST(changes_of_words) {
  static const uint16_t value[6][4] = {{0, 0, 0, 0}, {3, 0, 0, 0}, {4, 0, 0, 8},
                                       {5, 5, 5, 5}, {5, 5, 5, 5}, {5, 5, 5, 5}};
  track_t t;
  ck_assert_int_eq(track_open(&t, sizeof value[0], NULL), 0);
  ck_assert_int_eq(track_words(&t, 2, NULL), 0);
  for (unsigned i = 0; i < 6; i++) {
    t.still = i == 3;
    track_cycle(&t, value[i], i);
  }
  ck_assert_int_eq((int)t.changes, 3);
  ck_assert_int_eq((int)track_toggles(&t, 0), 2); /* 0, 1, 0, and 1 uncounted */
  track_close(&t);
}
END_TEST

/* 10 words of 8 bits that are written in a tenth of the cycles, and a register of one bit that is
 * not worth a gate: of 81 clock pins a cycle 8 * 0.1 + 10 + 1 remain. */
START_TEST(gated) {
  json_t *unit = json_pack(
      "{s:i, s:[{s:s, s:i}], s:[{s:s, s:i, s:i, s:i, s:i, s:i}, {s:s, s:i, s:i, s:i, s:i, s:i}]}",
      "cycles", 1000, "arrays", "name", "a_q", "writes", 100, "registers", "name", "a_q", "words",
      10, "bits", 8, "bit_toggles", 300, "bit_ones", 5, "changes", 90, "name", "b_q", "words", 1,
      "bits", 1, "bit_toggles", 20, "bit_ones", 5, "changes", 20);
  ck_assert_ptr_nonnull(unit);
  const activity_gated_t g = activity_gated("mshr", unit, 162, 81);
  near(g.pj, 2 * 11.8);
  ck_assert_int_eq((int)g.gates, 10);
  json_decref(unit);
}
END_TEST

/* What OpenSTA prints is read, and a missing flip-flop is an error. Internal power is halved; the
 * flip-flops are those that toggle (5 - 4) and the clock pins (3). */
START_TEST(what_opensta_prints) {
  static const char text[] =
      "activity of mshr: 2 input bits, 9 of 9 flip-flops\n"
      "power: counted\nSequential 10 1 7 0\nCombinational 4 3 7 0\nTotal 14 4 14 0\n"
      "power: still\nSequential 8 0 7 0\npower: clear\nSequential 6 0 7 0\n";
  activity_logic_t p;
  char lost[400];
  mrpb_err_t err = {""};
  ck_assert_int_eq(activity_power_read(text, 2, &p, NULL), 0);
  ck_assert_int_eq((int)p.n_flops, 9);
  near(p.flops.internal, 5 - 4 + 3);
  near(p.clock.internal, 3);
  near(p.gates.internal, 2);
  near(p.gates.switching, 3);
  snprintf(lost, sizeof lost, "%swithout activity: addr_q[3][1]\n", text);
  ck_assert_int_eq(activity_power_read(lost, 2, &p, &err), -1);
  ck_assert_ptr_nonnull(strstr(err.text, "addr_q[3][1]"));
}
END_TEST

/* docs/estimate/l1.md: a list of l1.json, whose objects name their module or are of l1_top. */
START_TEST(recorded_l1) {
  static const char *const lists[] = {"tops", "parts", "placed"};
  json_t *root = json_load_file("tests/estimate/l1.json", 0, NULL), *o;
  size_t i;
  ck_assert_uint_ge(json_array_size(json_object_get(root, lists[_i])), _i == 0 ? 2 : 1);
  json_array_foreach(json_object_get(root, lists[_i]), i, o) {
    const char *stem = json_string_value(json_object_get(o, "module"));
    recorded_for(stem ? stem : "l1_top", json_string_value(json_object_get(o, "rtl_hash")),
                 "tests/estimate/l1.py record LIBRARY SRAMS");
  }
  o = json_object_get(root, "beside");
  recorded_for("store_buffer", json_string_value(json_object_get(o, "rtl_hash")),
               "tests/estimate/l1.py record LIBRARY SRAMS");
  json_decref(root);
}
END_TEST

START_TEST(recorded) {
  json_t *root = json_load_file("tests/estimate/energy.json", 0, NULL), *was;
  json_t *hashes = json_object_get(root, "rtl_hash");
  const char *stem;
  ck_assert_uint_gt(json_object_size(hashes), 0);
  json_object_foreach(hashes, stem, was) {
    recorded_for(stem, json_string_value(was), "tests/estimate/energy.py record LIBRARY");
  }
  json_decref(root);
}
END_TEST

Suite *test_estimate_energy_suite(void) {
  Suite *suite = suite_create("estimate_energy");
  TCase *core = tcase_create("core");
  tcase_add_test(core, worked_out);
  tcase_add_test(core, in_any_order);
  tcase_add_test(core, not_to_be_told_apart);
  tcase_add_loop_test(core, a_scene_is_what_it_says, 0, sizeof scenes / sizeof *scenes);
  tcase_add_loop_test(core, nothing_toggles_in_idle_cycles, 0, 4);
  tcase_add_test(core, enqueue_and_dequeue);
  tcase_add_test(core, what_a_size_cannot_do);
  tcase_add_test(core, changes_of_words);
  tcase_add_test(core, gated);
  tcase_add_test(core, what_opensta_prints);
  tcase_add_test(core, recorded);
  tcase_add_loop_test(core, recorded_l1, 0, 3);
  suite_add_tcase(suite, core);
  return suite;
}
