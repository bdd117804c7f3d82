/* SPDX-License-Identifier: Apache-2.0 */
/* Time in the stimulus: how often resets come, and the long phases of one seed in ten. Runs a
 * million cycles of the C model of mshr, without Verilog. */
#include "cosim/stim/tempo.h"

#include "mshr.h"

#include <check.h>
#include <stdlib.h>

Suite *test_tempo_suite(void);

enum { CYCLES = 1000000 };

typedef struct {
  uint64_t resets, allocations;
  uint64_t uptime, stall, gap, unfilled;     /* the longest */
  uint64_t up, stalled, quiet, without_fill; /* so far */
  uint64_t most_allocations, since;          /* without a reset */
} times_t;

static uint64_t longest(uint64_t *now, bool goes_on, uint64_t most) {
  *now = goes_on ? *now + 1 : 0;
  return *now > most ? *now : most;
}

static void watch(times_t *t, const mshr_in_t *i, const mshr_out_t *o, bool was_reset) {
  const bool quiet = !i->req_valid_i && !i->fill_valid_i && !i->out_ready_i && i->srst_ni;
  t->resets += !i->srst_ni && !was_reset;
  t->uptime = longest(&t->up, i->srst_ni, t->uptime);
  t->stall = longest(&t->stalled, i->srst_ni && o->out_valid_o && !i->out_ready_i, t->stall);
  t->gap = longest(&t->quiet, quiet, t->gap);
  t->unfilled = longest(&t->without_fill, i->srst_ni && !i->fill_valid_i, t->unfilled);
  t->since = i->srst_ni ? t->since + (i->req_valid_i && o->req_ready_o && !o->req_merge_o) : 0;
  if (t->since > t->most_allocations) t->most_allocations = t->since;
}

static times_t simulate(uint64_t seed) {
  const stim_class_t *stim = stim_class("mshr");
  uint32_t cfg[MODULE_MAX_PARAMS];
  mshr_in_t in = {0};
  mshr_out_t out = {0};
  times_t t = {0};
  tempo_t tempo;
  void *model, *state = malloc(stim->size);
  bool was_reset = true;
  ck_assert_ptr_nonnull(state);
  module_defaults(&mshr_class, cfg);
  ck_assert_int_eq(mshr_class.create(&model, cfg, NULL), 0);
  stim->start(state, cfg, seed);
  tempo_start(&tempo, &mshr_class, cfg, seed, stim, state);
  for (unsigned n = 0; n < CYCLES; n++) {
    uint64_t *words = (uint64_t *)(void *)&in;
    stim->next(state, model, words);
    tempo_cycle(&tempo, words);
    mshr_class.comb(model, words, (uint64_t *)(void *)&out);
    watch(&t, &in, &out, was_reset);
    (void)stim->sample(state, model, words, (uint64_t *)(void *)&out);
    mshr_class.edge(model, words);
    was_reset = !in.srst_ni;
  }
  mshr_class.destroy(model);
  free(state);
  return t;
}

/* Ten times the 124 resets that there were, and windows in which a large table fills up. */
START_TEST(resets_are_many) {
  const times_t t = simulate((uint64_t)_i);
  ck_assert_uint_ge(t.resets, 1240);
  ck_assert_uint_ge(t.uptime, 4000);
  ck_assert_uint_lt(t.gap, 1000); /* no long phases */
}
END_TEST

START_TEST(one_seed_in_ten_has_long_phases) {
  const times_t t = simulate((uint64_t)_i * TEMPO_ONE_SEED_OF);
  ck_assert_uint_ge(t.gap, 1 << 17);
  ck_assert_uint_ge(t.stall, 1 << 13);
  ck_assert_uint_ge(t.unfilled, 1 << 13);
  ck_assert_uint_ge(t.uptime, 1 << 18);
  ck_assert_uint_ge(t.most_allocations, 1 << 17);
  ck_assert_uint_ge(t.resets, 300);
}
END_TEST

Suite *test_tempo_suite(void) {
  Suite *s = suite_create("tempo");
  TCase *t = tcase_create("tempo");
  tcase_set_timeout(t, 120);
  tcase_add_loop_test(t, resets_are_many, 1, 3);
  tcase_add_loop_test(t, one_seed_in_ten_has_long_phases, 1, 3);
  suite_add_tcase(s, t);
  return s;
}
