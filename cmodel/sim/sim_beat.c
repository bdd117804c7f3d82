/* SPDX-License-Identifier: Apache-2.0 */
/* The beat: a fast path of the static scheduler for a model that has only clocks and processes,
 * without signals. Edges of clocks with fixed periods coincide in a recurring pattern. It is found
 * once by playing the clocks forward; a time step then runs a row of processes without looking at
 * the other clocks. */
#include "sim/sim_priv.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_STEPS = 4096 };

bool simk_rows_only(const simk_t *k) {
  if (k->sched != SIM_STATIC || k->n_clocks < 2 || k->n_comb || k->n_events > 1 || k->vcd ||
      k->n_signals != k->n_clocks)
    return false;
  for (uint32_t c = 1; c < k->n_clocks; c++)
    if (k->clock[c].both || !k->clock[c].group[1].sole) return false;
  return true;
}

static bool suits(const simk_t *k) {
  if (k->n_sources > 1 || !simk_rows_only(k)) return false;
  for (uint32_t c = 1; c < k->n_clocks; c++)
    if (k->clock[c].next >= SIM_NEVER / 2) return false;
  return true;
}

/* Time of the next rising edge of any clock. */
static sim_time_t earliest(const simk_clock_t *clock, uint32_t n) {
  sim_time_t t = SIM_NEVER;
  for (uint32_t c = 1; c < n; c++)
    if (clock[c].next_rise < t) t = clock[c].next_rise;
  return t;
}

/* True if the clocks have the same phases in both arrays. */
static bool alike(const simk_clock_t *a, const simk_clock_t *b, uint32_t n) {
  sim_time_t ta = earliest(a, n), tb = earliest(b, n);
  for (uint32_t c = 1; c < n; c++)
    if (a[c].next_rise - ta != b[c].next_rise - tb || a[c].rem_rise != b[c].rem_rise) return false;
  return true;
}

/* Plays the step that the clocks are at: their edges happen and are counted in `b`, and with
 * `store` they are also recorded there. */
static void play(const simk_t *k, simk_clock_t *clock, simk_beats_t *b, bool store) {
  sim_time_t t = earliest(clock, k->n_clocks);
  for (uint32_t c = 1; c < k->n_clocks; c++) {
    if (clock[c].next_rise != t) continue;
    simk_clock_step(&clock[c]);
    const simk_group_t *g = &k->clock[c].group[1];
    if (store) {
      b->clock[b->n_edges] = &k->clock[c];
      if (g->n) memcpy(b->run + b->n_runs, g->run, g->n * sizeof *g->run);
    }
    b->n_edges++;
    b->n_runs += g->n;
  }
  if (store) b->step[b->n_steps] = (simk_beat_t){b->n_edges, b->n_runs};
  b->n_steps++;
}

static bool make_room(simk_beats_t *b) {
  b->step = malloc(b->n_steps * sizeof *b->step);
  b->clock = malloc(b->n_edges * sizeof *b->clock);
  b->run = malloc((b->n_runs + 1) * sizeof *b->run);
  return b->step && b->clock && b->run;
}

void simk_beat_drop(simk_t *k) {
  free(k->beats.step);
  free(k->beats.clock);
  free(k->beats.run);
  k->beats = (simk_beats_t){0};
}

/* If memory runs out or no short enough pattern exists, the general loop is used. */
static void build(simk_t *k) {
  size_t size = k->n_clocks * sizeof *k->clock;
  simk_clock_t *played = malloc(size);
  simk_beats_t b = {0};
  k->beats_sought = true;
  if (!played) return;
  memcpy(played, k->clock, size);
  do play(k, played, &b, false);
  while (b.n_steps < MOST_STEPS && !alike(played, k->clock, k->n_clocks));
  if (alike(played, k->clock, k->n_clocks) && make_room(&b)) {
    uint32_t n = b.n_steps;
    memcpy(played, k->clock, size);
    b.n_steps = b.n_edges = b.n_runs = 0;
    while (b.n_steps < n) play(k, played, &b, true);
    k->beats = b;
  } else {
    free(b.step);
    free(b.clock);
    free(b.run);
  }
  free(played);
}

bool simk_beat_ready(simk_t *k) {
  if (k->n_signals != k->n_clocks) return false; /* the usual case: costs nothing */
  if (!suits(k)) {
    simk_beat_drop(k);
    k->beats_sought = false;
    return false;
  }
  if (!k->beats_sought) build(k);
  return k->beats.n_steps > 0;
}

/* Runs steps as long as none is later than `limit`, `clk` has had fewer than `cycles` edges and no
 * process stops the run or looks at a clock's level. The caller ends the last step. */
void simk_beat_run(simk_t *k, sim_time_t limit, uint32_t clk, uint64_t cycles) {
  simk_beats_t *b = &k->beats;
  const simk_clock_t *counted = &k->clock[clk];
  k->in_step = k->in_a_row = true;
  while (k->in_a_row && !k->pub.stop && counted->cycles < cycles) {
    simk_beat_t end = b->step[b->at];
    simk_clock_t *const *c = b->clock + b->edge;
    if ((*c)->next_rise > limit) break;
    k->now = (*c)->next_rise;
    b->at = b->at + 1 == b->n_steps ? 0 : b->at + 1;
    for (simk_clock_t *const *last = b->clock + end.edges; c < last; c++) {
      (*c)->cycles++;
      simk_clock_step(*c);
      (*c)->next = (*c)->next_rise;
    }
    const simk_run_t *r = b->run + b->first_run, *last = b->run + end.runs;
    k->stats.steps++;
    k->stats.deltas++;
    k->stats.activations += (uint64_t)(last - r);
    b->edge = b->at ? end.edges : 0;
    b->first_run = b->at ? end.runs : 0;
    for (; r < last; r++) r->fn(&k->pub, r->ctx);
  }
  k->next_clock = SIM_NEVER;
  for (uint32_t i = 1; i < k->n_clocks; i++)
    if (k->clock[i].next < k->next_clock) k->next_clock = k->clock[i].next;
}
