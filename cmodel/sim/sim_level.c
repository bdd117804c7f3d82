/* SPDX-License-Identifier: Apache-2.0 */
/* The static scheduler's view of a model: whether the model is legal, and the order of its
 * combinational processes, each placed after every process that drives one of its inputs. */
#include "sim/sim_priv.h"

#include <stdlib.h>
#include <string.h>

static const char *proc_name(const simk_t *k, uint32_t p, simk_text_t *t) {
  return simk_full_name(k, &k->proc[p].name, t);
}

static const char *sig_name(const simk_t *k, uint32_t s, simk_text_t *t) {
  return simk_full_name(k, &k->signal[s].name, t);
}

static int check_proc(const simk_t *k, uint32_t id, mrpb_err_t *err) {
  const simk_proc_t *p = &k->proc[id];
  const char *why = NULL;
  switch ((simk_class_t)p->cls) {
  case SIMK_CLOCKED:
    break;
  case SIMK_COMB:
    if (p->dont_init) why = "is combinational but not run at the start";
    break;
  case SIMK_EVENTFUL:
    why = "is sensitive to an event";
    break;
  case SIMK_EDGED:
    why = "is sensitive to the edge of a signal that is not a clock";
    break;
  case SIMK_MIXED:
    why = "is sensitive to both clock edges and signals";
    break;
  }
  if (!why && !p->has_writes) why = "does not declare what it writes";
  if (!why && !p->has_reads) why = "does not declare what it reads";
  simk_text_t t;
  return why ? mrpb_fail(err, "static scheduler: process \"%s\" %s", proc_name(k, id, &t), why) : 0;
}

/* A combinational process must be sensitive to every signal that it reads. */
static int check_reads(const simk_t *k, mrpb_err_t *err) {
  simk_text_t t, u;
  for (uint32_t i = simk_decl_find(k, SIMK_READ, 0); i < k->n_decls; i++) {
    const simk_decl_t *d = &k->decl[i];
    if (d->kind != SIMK_READ) break;
    if (k->proc[d->proc].cls != SIMK_COMB) continue;
    uint32_t j = simk_decl_find(k, SIMK_ANY, d->target);
    while (j < k->n_decls && k->decl[j].kind <= SIMK_NEG && k->decl[j].target == d->target &&
           k->decl[j].proc < d->proc)
      j++;
    if (j >= k->n_decls || k->decl[j].kind != SIMK_ANY || k->decl[j].target != d->target ||
        k->decl[j].proc != d->proc)
      return mrpb_fail(err,
                       "static scheduler: process \"%s\" reads \"%s\" but is not sensitive to it",
                       proc_name(k, d->proc, &t), sig_name(k, d->target, &u));
  }
  return 0;
}

/* Declarations of writes to one signal are adjacent. */
static int check_drivers(const simk_t *k, mrpb_err_t *err) {
  simk_text_t t, u, v;
  for (uint32_t i = simk_decl_find(k, SIMK_WRITE, 0) + 1; i < k->n_decls; i++) {
    const simk_decl_t *a = &k->decl[i - 1], *b = &k->decl[i];
    if (a->target == b->target &&
        (k->proc[a->proc].cls == SIMK_COMB || k->proc[b->proc].cls == SIMK_COMB))
      return mrpb_fail(
          err,
          "static scheduler: \"%s\" is written by \"%s\" and by \"%s\", and one of them is "
          "combinational",
          sig_name(k, a->target, &t), proc_name(k, a->proc, &u), proc_name(k, b->proc, &v));
  }
  return 0;
}

int simk_level_check(const simk_t *k, mrpb_err_t *err) {
  for (uint32_t p = 1; p < k->n_procs; p++)
    if (check_proc(k, p, err)) return -1;
  return check_reads(k, err) || check_drivers(k, err) ? -1 : 0;
}

/* ---- levels --------------------------------------------------------------------------------- */

/* Scratch space of one levelling. The outputs of process p are out[first_out[p]] to out[first_out[p
 * + 1]]. */
typedef struct {
  uint32_t *driver; /* by signal: its combinational writer */
  uint32_t *first_out, *out, *waits, *level, *order;
  uint32_t n_order;
} work_t;

static void fill_work(const simk_t *k, work_t *w) {
  uint32_t writes = simk_decl_find(k, SIMK_WRITE, 0);
  for (uint32_t i = writes; i < k->n_decls; i++) {
    w->first_out[k->decl[i].proc + 1]++;
    if (k->proc[k->decl[i].proc].cls == SIMK_COMB) w->driver[k->decl[i].target] = k->decl[i].proc;
  }
  for (uint32_t p = 0; p < k->n_procs; p++) w->first_out[p + 1] += w->first_out[p];
  for (uint32_t i = k->n_decls;
       i-- > writes;) /* backwards, so that first_out[p + 1] ends at p's start */
    w->out[--w->first_out[k->decl[i].proc + 1]] = k->decl[i].target;
  memmove(w->first_out, w->first_out + 1, k->n_procs * sizeof *w->first_out);
  w->first_out[k->n_procs] = k->n_decls - writes;
  for (uint32_t i = 0; i < k->n_decls && k->decl[i].kind <= SIMK_NEG; i++)
    if (w->driver[k->decl[i].target]) w->waits[k->decl[i].proc]++;
}

/* Repeatedly places processes whose drivers are all placed, until no such process is left. */
static void place(const simk_t *k, work_t *w) {
  for (uint32_t p = 1; p < k->n_procs; p++)
    if (k->proc[p].cls == SIMK_COMB && !w->waits[p]) w->order[w->n_order++] = p;
  for (uint32_t at = 0; at < w->n_order; at++) {
    uint32_t p = w->order[at];
    for (uint32_t o = w->first_out[p]; o < w->first_out[p + 1]; o++) {
      uint32_t s = w->out[o];
      for (uint32_t i = simk_decl_find(k, SIMK_ANY, s);
           i < k->n_decls && k->decl[i].kind <= SIMK_NEG && k->decl[i].target == s; i++) {
        uint32_t reader = k->decl[i].proc;
        if (w->level[reader] <= w->level[p]) w->level[reader] = w->level[p] + 1;
        if (--w->waits[reader] == 0) w->order[w->n_order++] = reader;
      }
    }
  }
}

/* Returns an unplaced process that drives the unplaced process p; *sig is the signal between
 * them. */
static uint32_t unplaced_driver(const simk_t *k, const work_t *w, uint32_t p, uint32_t *sig) {
  for (uint32_t i = 0; i < k->n_decls && k->decl[i].kind <= SIMK_NEG; i++) {
    uint32_t d = w->driver[k->decl[i].target];
    if (k->decl[i].proc != p || !d || !w->waits[d]) continue;
    *sig = k->decl[i].target;
    return d;
  }
  return 0;
}

/* Following the drivers among unplaced processes must end in a loop. The message starts and ends
 * with the same process; long loops are cut in the message only. */
static int loop_error(const simk_t *k, work_t *w, mrpb_err_t *err) {
  uint32_t p = 1, sig = 0, steps = 0;
  while (!w->waits[p]) p++;
  for (; steps <= k->n_procs; steps++) p = unplaced_driver(k, w, p, &sig); /* now inside a loop */
  char text[320];
  size_t n = 0;
  simk_text_t t, u;
  uint32_t at = p;
  do {
    uint32_t from = unplaced_driver(k, w, at, &sig);
    int len = snprintf(text + n, sizeof text - n, "%s <- %s <- ", proc_name(k, at, &t),
                       sig_name(k, sig, &u));
    if ((size_t)len >= sizeof text - n) {
      snprintf(text + n, sizeof text - n, "... <- ");
      break;
    }
    n += (size_t)len;
    at = from;
  } while (at != p);
  return mrpb_fail(err, "static scheduler: combinational loop: %s%.100s", text,
                   proc_name(k, p, &t));
}

/* Orders by level, then by creation. */
static bool store_order(simk_t *k, const work_t *w) {
  uint32_t n = w->n_order, pos = 0;
  k->n_comb = n;
  free(k->comb);
  free(k->dirty);
  k->comb = simk_alloc(k, n, sizeof *k->comb);
  k->dirty = simk_alloc(k, n / 64 + 1, sizeof *k->dirty);
  uint32_t *start = simk_alloc(k, (size_t)n + 1, sizeof *start); /* start of each level */
  if (!k->comb || !k->dirty || !start) {
    free(start);
    return false;
  }
  for (uint32_t i = 0; i < n; i++) start[w->level[w->order[i]] + 1]++;
  for (uint32_t l = 0; l < n; l++) start[l + 1] += start[l];
  for (uint32_t p = 1; p < k->n_procs; p++) {
    if (k->proc[p].cls != SIMK_COMB) continue;
    pos = start[w->level[p]]++;
    k->proc[p].level_pos = pos;
    k->comb[pos] = (simk_comb_t){.run = k->run[p], .proc = p};
  }
  free(start);
  return true;
}

int simk_level(simk_t *k, mrpb_err_t *err) {
  size_t procs = (size_t)k->n_procs + 2;
  work_t w = {.driver = simk_alloc(k, k->n_signals, sizeof *w.driver),
              .first_out = simk_alloc(k, procs, sizeof *w.first_out),
              .out = simk_alloc(k, k->n_decls, sizeof *w.out),
              .waits = simk_alloc(k, procs, sizeof *w.waits),
              .level = simk_alloc(k, procs, sizeof *w.level),
              .order = simk_alloc(k, procs, sizeof *w.order)};
  int status = 0;
  if (w.driver && w.first_out && w.out && w.waits && w.level && w.order) {
    uint32_t n_comb = 0;
    for (uint32_t p = 1; p < k->n_procs; p++) n_comb += k->proc[p].cls == SIMK_COMB;
    fill_work(k, &w);
    place(k, &w);
    if (w.n_order < n_comb)
      status = loop_error(k, &w, err);
    else
      store_order(k, &w);
  }
  if (k->err.text[0]) status = mrpb_fail(err, "%s", k->err.text);
  free(w.driver);
  free(w.first_out);
  free(w.out);
  free(w.waits);
  free(w.level);
  free(w.order);
  return status;
}
