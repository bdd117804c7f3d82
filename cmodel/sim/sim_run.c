/* SPDX-License-Identifier: Apache-2.0 */
/* The run loop: clocks and timed events in order of time; the event-driven scheduler's delta
 * cycles. */
#include "sim/sim_priv.h"

#include <string.h>

/* ---- errors that end a simulation ----------------------------------------------------------- */

static int no_rest_signal(simk_t *k, uint32_t sig) {
  simk_text_t t;
  return mrpb_fail(
      &k->err, "time %llu fs: no rest after %u delta cycles: \"%s\" still changes (%#llx to %#llx)",
      (unsigned long long)k->now, k->delta_limit, simk_full_name(k, &k->signal[sig].name, &t),
      (unsigned long long)simk_slot(k, sig)->cur, (unsigned long long)simk_slot(k, sig)->next);
}

/* The first signal that the coming update changes; 0 if there is none. */
static uint32_t changing(const simk_t *k) {
  for (uint32_t i = 0; i < k->pub.n_pend; i++) {
    const sim_slot_t *slot = sim_slot(&k->pub, k->pub.pend[i]);
    if (slot->cur != slot->next) return simk_index(k->pub.pend[i]);
  }
  return 0;
}

/* Called before an update phase that exceeds the limit: names a signal that it changes, or a
 * process that events wake. */
static int no_rest(simk_t *k) {
  uint32_t sig = changing(k);
  if (sig) return no_rest_signal(k, sig);
  simk_text_t t;
  uint32_t p = k->n_queue ? k->queue[0] : k->running_queue[0];
  return mrpb_fail(
      &k->err, "time %llu fs: no rest after %u delta cycles: events wake \"%s\" again and again",
      (unsigned long long)k->now, k->delta_limit, simk_full_name(k, &k->proc[p].name, &t));
}

/* ---- event-driven scheduler ----------------------------------------------------------------- */

/* Runs the queued processes of a model with events: immediate notifications add rounds to the same
 * evaluation phase. */
static int evaluate_rounds(simk_t *k) {
  for (uint32_t rounds = 0; k->n_queue; rounds++) {
    if (rounds > k->delta_limit) return no_rest(k);
    uint32_t n = k->n_queue, *queue = k->queue;
    k->queue = k->running_queue;
    k->running_queue = queue;
    k->n_queue = 0;
    for (uint32_t i = 0; i < n; i++) {
      uint32_t p = queue[i];
      k->proc_queued[p] = 0;
      k->current = p;
      k->run[p].fn(&k->pub, k->run[p].ctx);
    }
    k->stats.activations += n;
  }
  k->current = 0;
  return 0;
}

/* Runs the queued processes. Without events nothing is added meanwhile. */
static inline int evaluate(simk_t *k) {
  if (k->n_events > 1) return evaluate_rounds(k);
  const uint32_t *queue = k->queue;
  const simk_run_t *run = k->run;
  uint32_t n = k->n_queue, *queued = k->proc_queued;
  for (uint32_t i = 0; i < n; i++) {
    queued[queue[i]] = 0;
    const simk_run_t *r = &run[queue[i]];
    r->fn(&k->pub, r->ctx);
  }
  k->n_queue = 0;
  k->stats.activations += n;
  return 0;
}

static inline void wake(simk_t *k, uint32_t sig, uint64_t old, uint64_t new) {
  const simk_info_t *info = &k->info[sig];
  for (const simk_sub_t *s = k->sub + info->first_sub, *end = s + info->n_subs; s < end; s++) {
    uint64_t edge = s->kind == SIMK_POS ? ~old & new : old & ~new;
    if (s->kind == SIMK_ANY || edge & 1) simk_queue_proc(k, s->proc);
  }
}

static inline void update(simk_t *k) {
  uint32_t n = k->pub.n_pend;
  const uint32_t *pend = k->pub.pend;
  k->pub.n_pend = 0;
  k->stats.deltas++;
  for (uint32_t i = 0; i < n; i++) {
    sim_slot_t *slot = sim_slot(&k->pub, pend[i]);
    slot->queued = SIMK_FREE;
    uint64_t old = slot->cur, new = slot->next;
    if (old == new) continue;
    slot->cur = new;
    uint32_t flags = slot->flags;
    if (!flags) continue;
    uint32_t sig = simk_index(pend[i]);
    if (flags & SIMK_F_TRACE) simk_mark_trace(k, sig);
    if (flags & SIMK_F_SUBS) wake(k, sig, old, new);
  }
  if (k->n_delta_list) simk_event_deltas(k);
}

static int settle(simk_t *k) {
  for (uint32_t deltas = 0;; deltas++) {
    if (k->n_queue && evaluate(k)) return -1;
    if (!k->pub.n_pend && !k->n_delta_list) return 0;
    if (deltas >= k->delta_limit && (k->n_delta_list || changing(k))) return no_rest(k);
    update(k);
    if (!k->n_queue) return 0;
  }
}

/* ---- a time step ---------------------------------------------------------------------------- */

/* Settles everything at the present time, under either scheduler. */
static int rest(simk_t *k) {
  if (k->sched == SIM_EVENT_DRIVEN) return settle(k);
  if (k->n_queue) evaluate(k); /* there are no events here: one round is enough */
  k->stats.deltas++;
  return k->n_comb || k->pub.n_pend ? simk_static_settle(k, &k->err) : 0;
}

/* Executes the due edge of a clock: sets its signal and its next time. Returns true if it rises. */
static inline bool turn(simk_t *k, simk_clock_t *c) {
  bool rising = c->next == c->next_rise;
  if (rising) {
    c->cycles++;
    c->risen = k->now;
    k->source[c->source].announced = false; /* nothing reads element 0, of no source */
    simk_clock_step(c);
  }
  c->next = rising && c->both ? simk_clock_fall(c) : c->next_rise;
  sim_slot_t *slot = simk_slot(k, c->sig);
  slot->cur = rising;
  if (slot->flags & SIMK_F_TRACE) simk_mark_trace(k, c->sig);
  if (slot->flags & SIMK_F_SUBS) simk_static_wake(k, c->sig); /* only there clocks have readers */
  return rising;
}

static void queue_group(simk_t *k, const simk_group_t *g) {
  for (uint32_t i = 0; i < g->n; i++) simk_queue_proc(k, g->proc[i]);
}

static inline void run_group(simk_t *k, const simk_group_t *g) {
  for (const simk_run_t *r = g->run, *end = r + g->n; r < end; r++) r->fn(&k->pub, r->ctx);
  k->stats.activations += g->n;
}

/* Executes all clock edges of this time: first the signals of all clocks, then the processes,
 * either in place or, if one may be triggered twice, through the queue. */
static void turn_clocks(simk_t *k) {
  bool sole = true;
  uint32_t n = 0;
  sim_time_t next = SIM_NEVER;
  for (uint32_t i = 1; i < k->n_clocks; i++) {
    simk_clock_t *c = &k->clock[i];
    if (c->next == k->now) {
      bool rising = turn(k, c);
      k->due[n++] = &c->group[rising];
      sole = sole && c->group[rising].sole;
    }
    if (c->next < next) next = c->next;
  }
  k->next_clock = next;
  k->n_due = n;
  for (uint32_t i = 0; i < n; i++)
    if (sole)
      run_group(k, k->due[i]);
    else
      queue_group(k, k->due[i]);
}

static inline void copy_quiet(simk_t *k) {
  for (uint32_t i = 0; i < k->n_due; i++)
    simk_static_copy(k, k->due[i]->first_range, k->due[i]->n_ranges);
}

static sim_status_t finish_step(simk_t *k, int failed, mrpb_err_t *err) {
  k->in_step = false;
  if (failed) {
    k->broken = true;
    mrpb_fail(err, "%s", k->err.text);
    return SIM_ERROR;
  }
  return k->vcd && simk_trace_step(k, err) ? SIM_ERROR : SIM_REACHED;
}

static sim_status_t step(simk_t *k, mrpb_err_t *err) {
  k->in_step = true;
  k->stats.steps++;
  k->n_due = 0;
  if (k->next_clock == k->now) turn_clocks(k);
  if (k->n_heap) simk_event_expire(k);
  int failed = rest(k);
  if (k->n_ranges) copy_quiet(k);
  return finish_step(k, failed, err);
}

/* ---- start of a run ------------------------------------------------------------------------- */

/* Reports a write in the first activation that the process does not declare although it declares
 * its writes. */
static int check_writes(simk_t *k, uint32_t p, uint32_t from) {
  simk_text_t t, u;
  for (uint32_t i = from; k->proc[p].has_writes && i < k->pub.n_pend; i++) {
    uint32_t sig = simk_index(k->pub.pend[i]), j = simk_decl_find(k, SIMK_WRITE, sig);
    while (j < k->n_decls && k->decl[j].target == sig && k->decl[j].proc != p) j++;
    if (j == k->n_decls || k->decl[j].target != sig)
      return mrpb_fail(&k->err, "process \"%s\" writes \"%s\", which it does not declare",
                       simk_full_name(k, &k->proc[p].name, &t),
                       simk_full_name(k, &k->signal[sig].name, &u));
  }
  return 0;
}

/* Runs every process once, in order of creation, and then settles. */
static int initialise(simk_t *k) {
  k->started = true;
  for (uint32_t p = 1; p < k->n_procs; p++) {
    if (k->proc[p].dont_init) continue;
    uint32_t from = k->pub.n_pend;
    k->current = p;
    k->run[p].fn(&k->pub, k->run[p].ctx);
    k->stats.activations++;
    if (check_writes(k, p, from)) return -1;
  }
  k->current = 0;
  if (k->sched == SIM_STATIC) simk_static_start(k);
  return rest(k);
}

/* A write from outside to a signal that a combinational process drives would last under one
 * scheduler only. */
static int outside_error(simk_t *k, uint32_t sig) {
  simk_text_t t, u;
  uint32_t proc = k->decl[simk_decl_find(k, SIMK_WRITE, sig)].proc;
  return mrpb_fail(
      &k->err, "\"%s\" is written from outside, but the combinational process \"%s\" drives it",
      simk_full_name(k, &k->signal[sig].name, &t), simk_full_name(k, &k->proc[proc].name, &u));
}

static int check_outside(simk_t *k) {
  for (uint32_t i = 0; i < k->pub.n_pend; i++) { /* event-driven */
    uint32_t sig = simk_index(k->pub.pend[i]), j = simk_decl_find(k, SIMK_WRITE, sig);
    if (j < k->n_decls && k->decl[j].target == sig && k->proc[k->decl[j].proc].cls == SIMK_COMB)
      return outside_error(k, sig);
  }
  for (uint32_t i = 0; k->started && i < k->n_outs; i++) { /* static: never in the list */
    if (k->out[i].seen != sim_slot(&k->pub, k->out[i].id)->cur)
      return outside_error(k, simk_index(k->out[i].id));
  }
  return 0;
}

static sim_status_t begin(simk_t *k, mrpb_err_t *err) {
  if (!k->elaborated || k->broken || k->in_step) {
    mrpb_fail(err, "%s",
              k->broken        ? k->err.text
              : !k->elaborated ? "the simulation is not elaborated"
                               : "a run was started from within a process");
    return SIM_ERROR;
  }
  bool first = !k->started, work = k->pub.n_pend || k->n_queue || k->n_delta_list;
  if (!first && !work && !k->n_ranges && !k->n_outs) return SIM_REACHED;
  k->in_step = true;
  int failed = check_outside(k) || (first ? initialise(k) : rest(k));
  simk_static_copy(k, 0, k->n_ranges);
  return finish_step(k, failed, err);
}

/* Runs until `limit` is passed or `clk` has had `cycles` rising edges. */
static sim_status_t loop(simk_t *k, sim_time_t limit, uint32_t clk, uint64_t cycles,
                         mrpb_err_t *err) {
  sim_status_t status = begin(k, err);
  while (status == SIM_REACHED) {
    if (k->pub.stop) {
      k->pub.stop = 0;
      return SIM_STOPPED;
    }
    if (k->clock[clk].cycles >= cycles) return SIM_REACHED;
    if (k->n_sources > 1 && simk_source_announce(k)) return finish_step(k, -1, err);
    sim_time_t t = k->next_clock;
    if (k->n_heap && k->event[k->heap[0]].time < t) t = k->event[k->heap[0]].time;
    if (t > limit) {
      if (cycles == UINT64_MAX) {
        k->now = limit;
        return SIM_REACHED;
      }
      mrpb_fail(err, "time %llu fs: no further clock edge fits into 64 bits of femtoseconds",
                (unsigned long long)k->now);
      return SIM_ERROR;
    }
    if (simk_beat_ready(k)) {
      simk_beat_run(k, limit, clk, cycles);
      status = finish_step(k, 0, err);
    } else if (simk_source_ready(k)) {
      status = finish_step(k, simk_source_run(k, limit, clk, cycles), err);
    } else {
      k->now = t;
      status = step(k, err);
    }
  }
  return status;
}

static sim_status_t run(simk_t *k, sim_time_t limit, uint32_t clk, uint64_t cycles,
                        mrpb_err_t *err) {
  sim_status_t status = loop(k, limit, clk, cycles, err);
  if (k->n_outs) simk_static_end(k);
  return status;
}

sim_status_t sim_run_until(sim_t *sim, sim_time_t t, mrpb_err_t *err) {
  simk_t *k = simk(sim);
  if (t < k->now) {
    mrpb_fail(err, "cannot run until %llu fs: the time is %llu fs already", (unsigned long long)t,
              (unsigned long long)k->now);
    return SIM_ERROR;
  }
  return run(k, t < SIM_NEVER ? t : SIM_NEVER - 1, 0, UINT64_MAX, err);
}

sim_status_t sim_run_cycles(sim_t *sim, sim_clock_t clk, uint64_t n, mrpb_err_t *err) {
  simk_t *k = simk(sim);
  if (!clk.id || clk.id >= k->n_clocks) {
    mrpb_fail(err, "clock handle %u was not created by this simulation", clk.id);
    return SIM_ERROR;
  }
  uint64_t done = k->clock[clk.id].cycles;
  return run(k, SIM_NEVER - 1, clk.id, n > UINT64_MAX - 1 - done ? UINT64_MAX - 1 : done + n, err);
}

void sim_stop(sim_t *sim) {
  sim->stop = 1;
}
