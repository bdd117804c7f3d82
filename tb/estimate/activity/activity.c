/* SPDX-License-Identifier: Apache-2.0 */
/* The watcher between an SM and its units, and the names of a unit's signals. */
#include "estimate/activity/state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = MODULE_MAX_WORDS };

/* Takes the unit's place. */
typedef struct {
  unit_t inner;
  activity_unit_t *u;
} watcher_t;

/* ---- sides ----------------------------------------------------------------- */

static uint64_t stored(const activity_unit_t *u, const activity_side_t *s) {
  if (u->rings[0] < 0) return 0;
  const activity_reg_t *const rings[] = {&s->reg[u->rings[0]], &s->reg[u->rings[1]],
                                         &s->reg[u->rings[2]]};
  return activity_stored(rings, u->params[module_param_index(u->cls, "DEPTH")]);
}

static int open_side(activity_unit_t *u, activity_side_t *s, mrpb_err_t *err) {
  const module_class_t *cls = u->cls;
  s->there = true;
  s->level = calloc(ACTIVITY_LEVELS, sizeof *s->level);
  if (!s->level) return mrpb_fail(err, "activity: out of memory");
  int rc = track_open(&s->in, cls->in_words * sizeof(uint64_t), err);
  rc |= track_open(&s->out, cls->out_words * sizeof(uint64_t), err);
  for (unsigned i = 0; i < cls->n_regs; i++)
    if (track_open(&s->regs[i], (size_t)s->reg[i].elem_bytes * s->reg[i].words, err) != 0 ||
        track_words(&s->regs[i], s->reg[i].elem_bytes, err) != 0)
      rc = -1;
  s->sum = stored(u, s);
  return rc;
}

static void pause_side(const activity_unit_t *u, activity_side_t *s) {
  s->in.still = s->out.still = u->paused;
  for (unsigned i = 0; i < MODULE_MAX_REGS; i++) s->regs[i].still = u->paused;
}

static void close_side(activity_side_t *s) {
  free(s->level);
  track_close(&s->in);
  track_close(&s->out);
  for (unsigned i = 0; i < MODULE_MAX_REGS; i++) track_close(&s->regs[i]);
}

static int open_c(activity_unit_t *u, const void *model, mrpb_err_t *err) {
  module_reg_t regs[MODULE_MAX_REGS];
  u->cls->regs(model, regs);
  for (unsigned i = 0; i < u->cls->n_regs; i++)
    u->c.reg[i] = (activity_reg_t){regs[i].data, regs[i].elem_bytes, regs[i].words};
  return open_side(u, &u->c, err);
}

static int open_rtl(activity_unit_t *u, const shim_view_t *views, mrpb_err_t *err) {
  for (unsigned i = 0; i < u->cls->n_regs; i++)
    u->rtl.reg[i] = (activity_reg_t){views[i].data, views[i].elem_bytes, views[i].words};
  return open_side(u, &u->rtl, err);
}

/* Counts a cycle of a side, between its comb and its edge. */
static void before_edge(const activity_unit_t *u, activity_side_t *s, const uint64_t *in,
                        const uint64_t *out) {
  uint64_t level = out[u->level_word];
  track_cycle(&s->in, in, u->cycles);
  track_cycle(&s->out, out, u->cycles);
  for (unsigned i = 0; i < u->cls->n_regs; i++) track_cycle(&s->regs[i], s->reg[i].data, u->cycles);
  if (u->paused) return;
  s->level[level < ACTIVITY_LEVELS ? level : ACTIVITY_LEVELS - 1]++;
}

static void after_edge(const activity_unit_t *u, activity_side_t *s, const uint64_t *in,
                       const uint64_t *out) {
  uint64_t before = s->sum;
  s->sum = stored(u, s);
  if (u->paused) return;
  u->events->count(u->params, in, out, before, s->sum, s->events);
}

/* ---- the watcher ----------------------------------------------------------- */

static void watch_comb(void *self, const uint64_t *in, uint64_t *out) {
  const watcher_t *w = self;
  unit_comb(&w->inner, in, out);
}

/* If the unit has Verilog, its outputs come from the Verilog. */
static int watch_edge(void *self, const uint64_t *in, mrpb_err_t *err) {
  watcher_t *w = self;
  activity_unit_t *u = w->u;
  uint64_t out[WORDS], out_c[WORDS];
  unit_comb(&w->inner, in, out);
  if (u->c.there && u->rtl.there) u->cls->comb(w->inner.model, in, out_c);
  const uint64_t *of_c = u->rtl.there ? out_c : out;
  if (u->c.there) before_edge(u, &u->c, in, of_c);
  if (u->rtl.there) before_edge(u, &u->rtl, in, out);
  int rc = unit_edge(&w->inner, in, err);
  if (u->c.there) after_edge(u, &u->c, in, of_c);
  if (u->rtl.there) after_edge(u, &u->rtl, in, out);
  u->cycles += !u->paused;
  return rc;
}

static void watch_destroy(void *self) {
  watcher_t *w = self;
  unit_close(&w->inner);
  free(w);
}

int activity_find_reg(const activity_unit_t *u, const char *name) {
  for (unsigned i = 0; i < u->cls->n_regs; i++)
    if (strcmp(u->regs[i].name, name) == 0) return (int)i;
  return -1;
}

/* Gets names, widths and sizes from an instance of the C model that does nothing else. */
static int describe(activity_unit_t *u, mrpb_err_t *err) {
  void *shape;
  u->cls->ports(u->params, u->in, u->out);
  if (u->cls->create(&shape, u->params, err) != 0) return -1;
  u->cls->regs(shape, u->regs);
  u->cls->destroy(shape);
  for (unsigned i = 0; i < u->cls->n_out; i++)
    if (strcmp(u->out[i].name, u->events->level) == 0) u->level_word = u->out[i].word;
  u->rings[0] = -1;
  for (unsigned i = 0; i < 3 && u->events->rings[i]; i++)
    u->rings[i] = activity_find_reg(u, u->events->rings[i]);
  return 0;
}

static int watch_open(unit_t *unit, void *ctx, mrpb_err_t *err) {
  activity_t *a = ctx;
  const activity_class_t *events = activity_class(unit->cls->stem);
  if (!events || a->n_units == ACTIVITY_UNITS)
    return mrpb_fail(err, "activity: %s is not watched", unit->cls->stem);
  activity_unit_t *u = &a->unit[a->n_units++];
  u->cls = unit->cls;
  u->events = events;
  memcpy(u->params, unit->params, sizeof u->params);
  if (describe(u, err) != 0 || (unit->model && open_c(u, unit->model, err) != 0) ||
      (unit->rtl && open_rtl(u, unit->rtl, err) != 0))
    return -1;
  watcher_t *w = malloc(sizeof *w);
  if (!w) return mrpb_fail(err, "activity: out of memory");
  *w = (watcher_t){*unit, u};
  unit->self = w;
  unit->every_cycle = true;
  unit->comb = watch_comb;
  unit->edge = watch_edge;
  unit->destroy = watch_destroy;
  return 0;
}

int activity_open(activity_t **out, const config_t *cfg, unsigned sm, mrpb_err_t *err) {
  *out = NULL;
  if (cfg->mrpb && cfg->mrpb_reorder && cfg->mrpb_depth == 0)
    return mrpb_fail(err, "--activity: MRPB_DEPTH = 0 is unbounded, which no hardware is; legal: 1 "
                          "to 64");
  activity_t *a = calloc(1, sizeof *a);
  if (!a) return mrpb_fail(err, "activity: out of memory");
  a->cfg = cfg;
  a->watch = (unit_watch_t){sm, watch_open, a};
  *out = a;
  return 0;
}

void activity_close(activity_t *a) {
  if (!a) return;
  for (unsigned i = 0; i < a->n_units; i++) {
    close_side(&a->unit[i].c);
    close_side(&a->unit[i].rtl);
  }
  free(a);
}

void activity_pause(activity_t *a, bool pause) {
  for (unsigned i = 0; i < a->n_units; i++) {
    activity_unit_t *u = &a->unit[i];
    u->paused = pause;
    pause_side(u, &u->c);
    pause_side(u, &u->rtl);
  }
}

const unit_watch_t *activity_watch(const activity_t *a) {
  return &a->watch;
}

/* ---- signals --------------------------------------------------------------- */

const activity_side_t *activity_side(const activity_unit_t *u) {
  return u->c.there ? &u->c : &u->rtl;
}

static activity_signal_t port(activity_kind_t kind, const module_port_t *p, const track_t *t) {
  return (activity_signal_t){.kind = kind,
                             .name = p->name,
                             .width = p->width,
                             .words = 1,
                             .track = t,
                             .first = (size_t)p->word * 64};
}

bool activity_signal(const activity_unit_t *u, const activity_side_t *s, unsigned i,
                     activity_signal_t *signal) {
  const module_class_t *cls = u->cls;
  if (i < cls->n_in) {
    *signal = port(ACTIVITY_IN, &u->in[i], &s->in);
    return true;
  }
  i -= cls->n_in;
  if (i < cls->n_out) {
    *signal = port(ACTIVITY_OUT, &u->out[i], &s->out);
    return true;
  }
  i -= cls->n_out;
  if (i >= cls->n_regs) return false;
  const module_reg_t *r = &u->regs[i];
  *signal = (activity_signal_t){.kind = r->words > 1 ? ACTIVITY_MEM : ACTIVITY_REG,
                                .name = r->name,
                                .width = r->width,
                                .words = r->words,
                                .track = &s->regs[i],
                                .elem_bits = s->reg[i].elem_bytes * 8};
  return true;
}

activity_bit_t activity_bit(const activity_unit_t *u, const activity_signal_t *s, unsigned word,
                            unsigned bit) {
  size_t at = s->first + (size_t)word * s->elem_bits + bit;
  return (activity_bit_t){.kind = s->kind,
                          .name = s->name,
                          .width = s->width,
                          .words = s->words,
                          .word = word,
                          .bit = bit,
                          .toggles = track_toggles(s->track, at),
                          .ones = track_ones(s->track, at, u->cycles)};
}

bool activity_array(const activity_unit_t *u, const activity_access_t *a,
                    activity_signal_t *signal) {
  int i = activity_find_reg(u, a->reg);
  return i >= 0 &&
         activity_signal(u, activity_side(u), u->cls->n_in + u->cls->n_out + (unsigned)i, signal);
}

uint64_t activity_sum(const activity_unit_t *u, const activity_signal_t *s, uint64_t *ones) {
  uint64_t toggles = 0;
  *ones = 0;
  for (unsigned w = 0; w < s->words; w++)
    for (unsigned b = 0; b < s->width; b++) {
      activity_bit_t v = activity_bit(u, s, w, b);
      toggles += v.toggles;
      *ones += v.ones;
    }
  return toggles;
}

const char *activity_kind_name(activity_kind_t kind) {
  static const char *const names[] = {"in", "out", "reg", "mem"};
  return names[kind];
}
