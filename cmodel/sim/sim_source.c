/* SPDX-License-Identifier: Apache-2.0 */
/* Clocks whose edges a function gives. The edges that it gives are announced to the clocks as their
 * next rising edges, one step at a time; the run loop then treats them as any other edges. A model
 * that has only such clocks and processes goes from step to step without announcing. */
#include "sim/sim_priv.h"

#include <stdlib.h>
#include <string.h>

/* ---- what the function says ----------------------------------------------------------------- */

static const char *clock_name(const simk_t *k, uint32_t clock, simk_text_t *t) {
  return simk_full_name(k, &k->signal[k->clock[clock].sig].name, t);
}

static int bad_edge(simk_t *k, const simk_source_t *s, const sim_edge_t *e) {
  unsigned long long time = e->time, now = k->now;
  simk_text_t t;
  const char *name = clock_name(k, s->clock[0], &t);
  if (e->time < k->now)
    return mrpb_fail(&k->err,
                     "clock \"%s\": its function gives an edge at %llu fs; it is %llu fs already",
                     name, time, now);
  return mrpb_fail(&k->err,
                   "time %llu fs: clock \"%s\": its function lets %#x rise; legal are clocks of "
                   "%#x, at least one",
                   time, name, e->rise, s->all);
}

static inline bool legal(const simk_t *k, const simk_source_t *s, const sim_edge_t *e) {
  return e->time >= k->now && e->rise && e->rise <= s->all;
}

/* Asks for the steps after the last one. Time must advance: between answers, if not within one. */
static int ask(simk_t *k, simk_source_t *s) {
  size_t n = s->fn(s->ctx, s->buffer, SIMK_SOURCE_AHEAD);
  if (n > SIMK_SOURCE_AHEAD) n = SIMK_SOURCE_AHEAD;
  s->at = s->buffer;
  s->end = s->buffer + n;
  s->stuck = n && s->buffer[n - 1].time == k->now ? s->stuck + 1 : 0;
  if (s->stuck <= k->delta_limit) return 0;
  simk_text_t t;
  return mrpb_fail(&k->err,
                   "time %llu fs: no rest after %u answers of the function of clock \"%s\"",
                   (unsigned long long)k->now, k->delta_limit, clock_name(k, s->clock[0], &t));
}

static void announce(simk_t *k, simk_source_t *s) {
  const sim_edge_t *e = s->at++;
  for (uint32_t m = e->rise; m; m &= m - 1) {
    simk_clock_t *c = &k->clock[s->clock[__builtin_ctz(m)]];
    c->next_rise = e->time;
    if (c->next > c->next_rise) c->next = c->next_rise;
  }
  if (e->time < k->next_clock) k->next_clock = e->time;
  s->announced = true;
}

int simk_source_announce(simk_t *k) {
  for (uint32_t i = 1; i < k->n_sources; i++) {
    simk_source_t *s = &k->source[i];
    if (s->announced) continue;
    if (s->at == s->end && ask(k, s)) return -1;
    if (s->at == s->end) continue;
    if (!legal(k, s, s->at)) return bad_edge(k, s, s->at);
    announce(k, s);
  }
  return 0;
}

/* Revokes the step that was announced; clocks that are high still fall. */
static void withdraw(simk_t *k, simk_source_t *s) {
  if (!s->announced) return;
  s->announced = false;
  s->at--;
  k->next_clock = SIM_NEVER;
  for (uint32_t i = 1; i < k->n_clocks; i++) {
    simk_clock_t *c = &k->clock[i];
    if (&k->source[c->source] == s) {
      bool falls = c->next != c->next_rise;
      c->next_rise = SIM_NEVER;
      if (!falls) c->next = c->both && simk_slot(k, c->sig)->cur ? simk_clock_fall(c) : SIM_NEVER;
    }
    if (c->next < k->next_clock) k->next_clock = c->next;
  }
}

void sim_source_restart(sim_t *sim, sim_source_t source) {
  simk_t *k = simk(sim);
  if (!source.id || source.id >= k->n_sources) return;
  simk_source_t *s = &k->source[source.id];
  withdraw(k, s);
  s->at = s->end;
}

/* ---- from step to step ---------------------------------------------------------------------- */

static void nothing(sim_t *sim, void *ctx) {
  (void)sim;
  (void)ctx;
}

/* Builds, for each set of clocks, the row of processes that run when these clocks rise together. A
 * row has at least one process. */
static bool build_rows(simk_t *k, simk_source_t *s) {
  uint32_t sets = s->all + 1, room = 0;
  for (uint32_t i = 0; i < s->n; i++) room += k->clock[s->clock[i]].group[1].n;
  s->row = calloc(sets, sizeof *s->row);
  s->row_run = calloc((size_t)sets * (room + 1), sizeof *s->row_run);
  if (!s->row || !s->row_run) return false;
  simk_run_t *run = s->row_run;
  for (uint32_t set = 1; set < sets; set++) {
    simk_row_t *row = &s->row[set];
    row->run = run;
    for (uint32_t m = set; m; m &= m - 1) {
      const simk_group_t *g = &k->clock[s->clock[__builtin_ctz(m)]].group[1];
      for (uint32_t i = 0; i < g->n; i++) *run++ = g->run[i];
    }
    row->n = (uint32_t)(run - row->run);
    if (!row->n) *run++ = (simk_run_t){nothing, NULL};
    row->end = run;
  }
  return true;
}

void simk_source_drop(simk_source_t *s) {
  free(s->row);
  free(s->row_run);
  s->row = NULL;
  s->row_run = NULL;
}

bool simk_source_ready(simk_t *k) {
  if (k->n_sources != 2 || k->rows_failed || !simk_rows_only(k)) return false;
  simk_source_t *s = &k->source[1];
  if (s->n + 1 != k->n_clocks || s->n > SIMK_SOURCE_ROWS) return false;
  if (s->row) return true;
  k->rows_failed = !build_rows(k, s);
  if (k->rows_failed) simk_source_drop(s);
  return !k->rows_failed;
}

void simk_source_count(const simk_t *k) {
  for (uint32_t i = 1; i < k->n_sources; i++) {
    simk_source_t *s = &k->source[i];
    for (uint32_t set = 1; s->row && set <= s->all; set++) {
      simk_row_t *row = &s->row[set];
      if (!row->times) continue;
      for (uint32_t m = set; m; m &= m - 1) {
        simk_clock_t *c = &k->clock[s->clock[__builtin_ctz(m)]];
        if (c->risen == SIM_NEVER || c->risen < row->last) c->risen = row->last;
        c->cycles += row->times;
      }
      s->stats.steps += row->times;
      s->stats.activations += row->times * row->n;
      row->times = 0;
    }
  }
}

/* Marks the rows whose steps count as an edge of `clk`, that is, reduce `left`. */
static void count_edges_of(simk_source_t *s, uint32_t clk) {
  uint32_t bit = 0;
  for (uint32_t i = 0; i < s->n; i++) bit |= (uint32_t)(s->clock[i] == clk) << i;
  for (uint32_t set = 1; set <= s->all; set++) s->row[set].counts = (set & bit) != 0;
}

int simk_source_run(simk_t *k, sim_time_t limit, uint32_t clk, uint64_t cycles) {
  simk_source_t *s = &k->source[1];
  uint64_t left = cycles - k->clock[clk].cycles;
  int failed = 0;
  count_edges_of(s, clk);
  withdraw(k, s);
  k->in_step = k->in_a_row = true;
  while (k->in_a_row && !k->pub.stop && left) {
    if (s->at == s->end && ((failed = ask(k, s)) != 0 || s->at == s->end)) break;
    const sim_edge_t *e = s->at;
    const sim_time_t time = e->time;
    const uint32_t rise = e->rise;
    if (time < k->now || time > limit || rise - 1 >= s->all) {
      if (!legal(k, s, e)) failed = bad_edge(k, s, e);
      break;
    }
    s->at = e + 1;
    k->now = time;
    simk_row_t *row = &s->row[rise];
    left -= row->counts;
    row->times++;
    row->last = time;
    const simk_run_t *r = row->run;
    const simk_run_t *end = row->end;
    do r->fn(&k->pub, r->ctx);
    while (++r < end);
  }
  simk_source_count(k);
  return failed;
}
