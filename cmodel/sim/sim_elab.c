/* SPDX-License-Identifier: Apache-2.0 */
/* Elaboration: checks the model and turns the declarations into the arrays that the schedulers
 * use. */
#include "sim/sim_priv.h"

#include <stdlib.h>
#include <string.h>

/* ---- names ---------------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b) {
  const simk_name_t *const *x = a, *const *y = b;
  if ((*x)->parent != (*y)->parent) return (*x)->parent < (*y)->parent ? -1 : 1;
  return strcmp((*x)->name, (*y)->name);
}

static int check_names(simk_t *k, mrpb_err_t *err) {
  uint32_t n = 0;
  const simk_name_t **all =
      malloc(sizeof *all * ((size_t)k->n_modules + k->n_signals + k->n_procs + k->n_events));
  if (!all) return mrpb_fail(err, "simulation: out of memory");
  for (uint32_t i = 1; i < k->n_modules; i++) all[n++] = &k->module[i];
  for (uint32_t i = 1; i < k->n_signals; i++) all[n++] = &k->signal[i].name;
  for (uint32_t i = 1; i < k->n_procs; i++) all[n++] = &k->proc[i].name;
  for (uint32_t i = 1; i < k->n_events; i++) all[n++] = &k->event[i].name;
  qsort(all, n, sizeof *all, by_name);
  int status = 0;
  simk_text_t t;
  for (uint32_t i = 1; i < n && !status; i++)
    if (by_name(&all[i - 1], &all[i]) == 0)
      status = mrpb_fail(err, "the name \"%s\" is given twice", simk_full_name(k, all[i], &t));
  free(all);
  return status;
}

/* ---- declarations --------------------------------------------------------------------------- */

/* The three ways to wait for a signal form one list. */
static simk_kind_t list_of(simk_kind_t kind) {
  return kind <= SIMK_NEG ? SIMK_ANY : kind;
}

static int by_target(const void *a, const void *b) {
  const simk_decl_t *x = a, *y = b;
  simk_kind_t lx = list_of(x->kind), ly = list_of(y->kind);
  if (lx != ly) return lx < ly ? -1 : 1;
  if (x->target != y->target) return x->target < y->target ? -1 : 1;
  if (x->proc != y->proc) return x->proc < y->proc ? -1 : 1;
  return (x->kind > y->kind) - (x->kind < y->kind);
}

uint32_t simk_decl_find(const simk_t *k, simk_kind_t kind, uint32_t target) {
  const simk_decl_t key = {list_of(kind), target, 0};
  uint32_t lo = 0, hi = k->n_decls;
  while (lo < hi) {
    uint32_t mid = lo + (hi - lo) / 2;
    if (by_target(&k->decl[mid], &key) < 0)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

/* Gives each process its class, from what it waits for; done before clock signals become clock
 * edges. */
static void classify(simk_t *k) {
  enum { SIG_ANY = 1, SIG_EDGE = 2, CLOCK = 4, EVENT = 8 };
  for (uint32_t p = 1; p < k->n_procs; p++) k->proc[p].cls = 0;
  for (uint32_t i = 0; i < k->n_decls; i++) {
    const simk_decl_t *d = &k->decl[i];
    bool clock_sig = d->kind <= SIMK_NEG && k->signal[d->target].clock;
    uint8_t *cls = &k->proc[d->proc].cls;
    if (d->kind == SIMK_ANY && !clock_sig)
      *cls |= SIG_ANY;
    else if (d->kind <= SIMK_NEG && !clock_sig)
      *cls |= SIG_EDGE;
    else if (d->kind > SIMK_ANY && d->kind <= SIMK_FALL)
      *cls |= CLOCK;
    else if (d->kind == SIMK_EVENT)
      *cls |= EVENT;
  }
  for (uint32_t p = 1; p < k->n_procs; p++) {
    uint8_t *cls = &k->proc[p].cls;
    *cls = *cls & EVENT                ? SIMK_EVENTFUL
           : *cls & SIG_EDGE           ? SIMK_EDGED
           : *cls == SIG_ANY           ? SIMK_COMB
           : *cls == (SIG_ANY | CLOCK) ? SIMK_MIXED
                                       : SIMK_CLOCKED;
  }
}

/* Replaces waiting for a clock signal by waiting for the clock's edges, except in a combinational
 * process of the static scheduler, for which the clock is an ordinary input. */
static bool clocks_to_edges(simk_t *k) {
  for (uint32_t i = 0, n = k->n_decls; i < n; i++) {
    simk_decl_t *d = &k->decl[i];
    uint32_t clock = d->kind <= SIMK_NEG ? k->signal[d->target].clock : 0;
    if (!clock || (k->sched == SIM_STATIC && k->proc[d->proc].cls == SIMK_COMB)) continue;
    bool any = d->kind == SIMK_ANY;
    d->kind = any || d->kind == SIMK_POS ? SIMK_RISE : SIMK_FALL;
    d->target = clock;
    const simk_decl_t fall = {SIMK_FALL, clock, d->proc};
    if (any && !simk_add_decl(k, fall)) return false;
  }
  return true;
}

static void sort_decls(simk_t *k) {
  uint32_t n = 0;
  if (k->n_decls) qsort(k->decl, k->n_decls, sizeof *k->decl, by_target);
  for (uint32_t i = 0; i < k->n_decls; i++)
    if (!n || by_target(&k->decl[n - 1], &k->decl[i])) k->decl[n++] = k->decl[i];
  k->n_decls = n;
}

static void find_triggers(simk_t *k) {
  for (uint32_t i = 0; i < k->n_decls; i++) {
    const simk_decl_t *d = &k->decl[i];
    simk_proc_t *p = &k->proc[d->proc];
    if (d->kind >= SIMK_READ) break;
    bool edge = d->kind == SIMK_RISE || d->kind == SIMK_FALL;
    if (!edge || (p->clock && p->clock != d->target))
      p->multi = true;
    else
      p->clock = d->target;
  }
}

static int check_writes(const simk_t *k, mrpb_err_t *err) {
  simk_text_t t, u;
  for (uint32_t i = simk_decl_find(k, SIMK_WRITE, 0); i < k->n_decls; i++) {
    const simk_decl_t *d = &k->decl[i];
    if (k->signal[d->target].clock)
      return mrpb_fail(err, "process \"%s\" declares that it writes the clock \"%s\"",
                       simk_full_name(k, &k->proc[d->proc].name, &t),
                       simk_full_name(k, &k->signal[d->target].name, &u));
  }
  return 0;
}

static int check_sources(const simk_t *k, mrpb_err_t *err) {
  for (uint32_t i = 1; i < k->n_sources; i++)
    if (k->source[i].n == 0) return mrpb_fail(err, "a clock source has no clock");
  return 0;
}

/* ---- arrays of the schedulers --------------------------------------------------------------- */

/* Allocates NAME only if it is not allocated yet, so that a second attempt at elaboration leaks
 * nothing. */
#define ALLOC(name, n) (k->name || (k->name = simk_alloc(k, (n), sizeof *k->name)))

static bool alloc_arrays(simk_t *k) {
  size_t sigs = k->n_signals, procs = k->n_procs, events = k->n_events;
  return ALLOC(sub, k->n_decls) && ALLOC(proc_queued, procs) && ALLOC(queue, procs) &&
         ALLOC(running_queue, procs) && ALLOC(group_run, k->n_decls) &&
         ALLOC(group_proc, k->n_decls) && ALLOC(due, k->n_clocks) && ALLOC(heap, events) &&
         ALLOC(delta_list, events) && ALLOC(trace_dirty, (sigs + 63) / 64) &&
         ALLOC(trace_sig, sigs);
}

static void build_groups(simk_t *k) {
  uint32_t n = 0;
  for (uint32_t c = 1; c < k->n_clocks; c++)
    for (int rising = 0; rising < 2; rising++) {
      simk_kind_t kind = rising ? SIMK_RISE : SIMK_FALL;
      simk_group_t *g = &k->clock[c].group[rising];
      *g = (simk_group_t){.run = k->group_run + n, .proc = k->group_proc + n, .sole = true};
      for (uint32_t i = simk_decl_find(k, kind, c);
           i < k->n_decls && k->decl[i].kind == kind && k->decl[i].target == c; i++) {
        uint32_t p = k->decl[i].proc;
        if (k->proc[p].multi) g->sole = false;
        k->group_proc[n] = p;
        k->group_run[n++] = k->run[p];
        g->n++;
      }
      if (!rising && g->n) simk_clock_observe(k, c);
    }
}

static void build_subs(simk_t *k) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < k->n_decls && k->decl[i].kind <= SIMK_NEG; i++) {
    const simk_decl_t *d = &k->decl[i];
    simk_info_t *s = &k->info[d->target];
    if (!s->n_subs) s->first_sub = n;
    s->n_subs++;
    simk_slot(k, d->target)->flags |= SIMK_F_SUBS;
    uint32_t who = k->sched == SIM_STATIC ? k->proc[d->proc].level_pos : d->proc;
    k->sub[n++] = (simk_sub_t){who, d->kind};
  }
  for (uint32_t i = simk_decl_find(k, SIMK_EVENT, 0);
       i < k->n_decls && k->decl[i].kind == SIMK_EVENT; i++) {
    simk_event_t *e = &k->event[k->decl[i].target];
    if (!e->n_subs) e->first_sub = n;
    e->n_subs++;
    k->sub[n++] = (simk_sub_t){k->decl[i].proc, SIMK_EVENT};
  }
}

int sim_elaborate(sim_t *sim, sim_sched_t sched, mrpb_err_t *err) {
  simk_t *k = simk(sim);
  if (k->elaborated) return mrpb_fail(err, "the simulation is elaborated already");
  k->sched = sched;
  if (!k->err.text[0]) {
    classify(k);
    clocks_to_edges(k);
    sort_decls(k);
    find_triggers(k);
  }
  if (k->err.text[0]) return mrpb_fail(err, "%s", k->err.text);
  if (check_names(k, err) || check_writes(k, err) || check_sources(k, err)) return -1;
  if (sched == SIM_STATIC && (simk_level_check(k, err) || simk_level(k, err))) return -1;
  if (!alloc_arrays(k)) return mrpb_fail(err, "%s", k->err.text);
  build_groups(k);
  build_subs(k);
  if (sched == SIM_STATIC && !simk_static_build(k)) return mrpb_fail(err, "%s", k->err.text);
  k->next_clock = SIM_NEVER;
  for (uint32_t c = 1; c < k->n_clocks; c++)
    if (k->clock[c].next < k->next_clock) k->next_clock = k->clock[c].next;
  k->elaborated = true;
  return 0;
}
