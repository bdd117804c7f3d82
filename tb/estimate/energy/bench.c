/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/energy/bench.h"

#include "estimate/activity/run.h"
#include "estimate/activity/state.h"
#include "estimate/sram.h"

#include <stdlib.h>
#include <string.h>

void energy_count(energy_bench_t *b, bool count) {
  b->counting = count;
  activity_pause(b->activity, !count);
}

void energy_look(energy_bench_t *b) {
  unit_comb(&b->unit, b->in, b->out);
}

void energy_cycle(energy_bench_t *b) {
  mrpb_err_t none = {""};
  energy_look(b);
  (void)unit_edge(&b->unit, b->in, &none); /* a C model alone cannot differ from anything */
  if (b->counting && b->left > 0) b->left--;
  if (b->budget > 0 && --b->budget == 0) b->left = 0;
  memcpy(b->in, b->idle, sizeof b->in);
}

void energy_wait(energy_bench_t *b, unsigned cycles) {
  while (cycles--) energy_cycle(b);
}

void energy_event(energy_bench_t *b) {
  energy_cycle(b);
  energy_wait(b, ENERGY_SPACING - 1);
}

uint64_t energy_random(energy_bench_t *b, unsigned bits) {
  return bits == 0 ? 0 : prng_next(&b->rng) >> (64 - bits);
}

const energy_module_t *energy_module(const char *stem) {
  static const energy_module_t *const all[] = {&energy_l1_top, &energy_mrpb, &energy_mshr,
                                               &energy_prt};
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(all[i]->stem, stem) == 0) return all[i];
  return NULL;
}

static int play(energy_bench_t *b, const energy_term_t *t, json_t **unit, FILE *tcl,
                mrpb_err_t *err) {
  const unit_watch_t *watch = activity_watch(b->activity);
  if (watch->open(&b->unit, watch->ctx, err) != 0) return -1;
  energy_count(b, false);
  t->play(b);
  if (b->left > 0 || b->budget == 0) return 0;
  json_t *all = activity_json(b->activity, NULL);
  *unit = json_incref(json_array_get(json_object_get(all, "units"), 0));
  json_decref(all);
  if (!*unit) return mrpb_fail(err, "out of memory");
  if (tcl) activity_tcl(&b->activity->unit[0], tcl);
  return 0;
}

int energy_play(const module_class_t *cls, const uint32_t *cfg, const energy_term_t *t,
                json_t **unit, FILE *tcl, mrpb_err_t *err) {
  energy_bench_t *b = calloc(1, sizeof *b);
  *unit = NULL;
  if (!b) return mrpb_fail(err, "out of memory");
  b->cls = cls;
  b->cfg = cfg;
  b->rng = prng_seed(1, 0);
  b->left = ENERGY_CYCLES;
  b->budget = (uint64_t)ENERGY_CYCLES * 64;
  b->in[0] = b->idle[0] = 1; /* srst_ni is the first input of every module */
  int rc = activity_open(&b->activity, &b->config, 0, err);
  if (rc == 0) rc = unit_open(&b->unit, cls, cfg, NULL, 0, err);
  if (rc == 0) {
    rc = play(b, t, unit, tcl, err);
    unit_close(&b->unit);
  }
  activity_close(b->activity);
  free(b);
  return rc;
}

/* Toggled bits of a port or register. An SRAM's bits are not the netlist's. */
static double toggled(const char *stem, const json_t *unit, const char *signal) {
  if (sram_is(stem, signal)) return 0;
  const json_t *o = activity_named(json_object_get(unit, "ports"), signal);
  if (!o) o = activity_named(json_object_get(unit, "registers"), signal);
  return activity_number(o, "bit_toggles");
}

double energy_times(const char *stem, const energy_term_t *t, const json_t *unit) {
  double sum = 0;
  if (t->event && strcmp(t->event, "cycles") == 0) return activity_number(unit, "cycles");
  if (t->event) return activity_number(json_object_get(unit, "events"), t->event);
  for (unsigned i = 0; i < sizeof t->signals / sizeof *t->signals && t->signals[i]; i++)
    sum += toggled(stem, unit, t->signals[i]);
  return sum;
}
