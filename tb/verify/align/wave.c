/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/align/wave.h"

#include "base/grow.h"
#include "base/waves/vcd_in.h"
#include "bits.h"
#include "verilog/design/map.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAMES = 64, KINDS = 16 };

/* What of the map is used. */
typedef struct {
  const map_statement_t *asks, *answers, *clock, *reset;
  const map_statement_t *kind[KINDS], *show[ALIGN_LEVELS];
  unsigned n_kinds, n_shows;
} plan_t;

/* The values of a moment. */
typedef struct {
  bool reset, offers, asks, answers;
  uint64_t address, ask_tag, answer_tag;
  unsigned kind;
  uint32_t level[ALIGN_LEVELS];
} moment_t;

typedef struct {
  vcd_in_t *dump;
  unsigned scope;
  struct {
    const step_t *path;
    signal_t signal;
  } known[NAMES]; /* what was found */
  unsigned n_known;
} names_t;

typedef struct {
  size_t row;
  uint64_t tag;
} asked_t;

typedef struct {
  align_rows_t *r;
  map_t map;
  plan_t plan;
  names_t names;
  uint32_t kind[KINDS], none, nobody;
  uint64_t cycle, begin; /* begin: of the offer that stands */
  bool offered, counting;
  asked_t *asked;
  size_t n_asked, room_asked;
} wave_t;

/* ---- names ------------------------------------------------------------------------------------ */

/* The variable of a path below the scope: instances, then a name. */
static const vcd_in_var_t *find(const names_t *n, const step_t *path, const step_t **rest) {
  char scope[4 * EXPR_NAME_SIZE];
  snprintf(scope, sizeof scope, "%s", vcd_in_scope(n->dump, n->scope));
  for (; path; path = path->next) {
    const step_t *next = path->next;
    for (unsigned i = 0; i < vcd_in_n_vars(n->dump); i++) {
      const vcd_in_var_t *v = vcd_in_var(n->dump, i);
      *rest = next;
      if (v->valued && strcmp(v->name, path->name) == 0 &&
          strcmp(vcd_in_scope(n->dump, v->scope), scope) == 0)
        return v;
    }
    if (!next || next->kind != STEP_NAME) return NULL;
    const size_t used = strlen(scope);
    snprintf(scope + used, sizeof scope - used, "%s%s", used ? "." : "", path->name);
  }
  return NULL;
}

static bool constant(void *ctx, const char *name, uint64_t *value) {
  (void)ctx, (void)name, (void)value;
  return false;
}

static int part(const step_t *rest, signal_t *s, mrpb_err_t *err) {
  const scope_t constants = {.constant = constant};
  uint64_t high = s->whole - 1, low = 0;
  if (!rest) return 0;
  if (rest->kind == STEP_NAME || rest->next)
    return mrpb_fail(err, "'%s' has no fields here; legal: a bit or a part of it", s->name);
  if (expr_constant(rest->high, &constants, &high, err) != 0) return -1;
  low = high;
  if (rest->low && expr_constant(rest->low, &constants, &low, err) != 0) return -1;
  if (high >= s->whole || low > high)
    return mrpb_fail(err, "'%s[%" PRIu64 ":%" PRIu64 "]': legal: %u to 0", s->name, high, low,
                     s->whole - 1);
  s->lsb = (unsigned)low;
  s->width = (unsigned)(high - low + 1);
  return 0;
}

static int signal_of(void *ctx, const step_t *path, signal_t *s, mrpb_err_t *err) {
  names_t *n = ctx;
  const step_t *rest = NULL;
  for (unsigned i = 0; i < n->n_known; i++)
    if (n->known[i].path == path) return *s = n->known[i].signal, 0;
  const vcd_in_var_t *v = find(n, path, &rest);
  if (!v) return mrpb_fail(err, "'%s' is not in %s", path->name, vcd_in_scope(n->dump, n->scope));
  snprintf(s->name, sizeof s->name, "%u", v->id); /* for value() */
  s->lsb = 0;
  s->width = s->whole = v->width;
  if (part(rest, s, err) != 0) return -1;
  if (n->n_known < NAMES) {
    n->known[n->n_known].path = path;
    n->known[n->n_known++].signal = *s;
  }
  return 0;
}

static uint64_t value(void *ctx, const signal_t *s) {
  const names_t *n = ctx;
  const uint64_t *words = vcd_in_ones(n->dump, (unsigned)strtoul(s->name, NULL, 10));
  return words_get(words, s->lsb, s->width < 64 ? s->width : 64);
}

static scope_t scope_of(names_t *n) {
  return (scope_t){.ctx = n, .constant = constant, .signal = signal_of, .value = value};
}

/* Looks up every name of an expression, and has its signals watched. */
static int watch_path(names_t *n, const step_t *path, mrpb_err_t *err) {
  signal_t s;
  if (signal_of(n, path, &s, err) != 0) return -1;
  return vcd_in_watch(n->dump, (unsigned)strtoul(s.name, NULL, 10), err);
}

static int watch(names_t *n, const expr_t *e, mrpb_err_t *err) {
  const scope_t scope = scope_of(n);
  unsigned width;
  if (!e) return 0;
  if (expr_width(e, &scope, &width, err) != 0) return -1;
  if (width > 64) return mrpb_fail(err, "a value of %u bits; legal: at most 64", width);
  if (e->kind == EXPR_PATH) return watch_path(n, e->path, err);
  const expr_t *const of[] = {e->a, e->b, e->c};
  for (unsigned i = 0; i < 3; i++)
    for (const expr_t *k = of[i]; k; k = e->kind == EXPR_CONCAT ? k->next : NULL)
      if (watch(n, k, err) != 0) return -1;
  return 0;
}

/* ---- the map ---------------------------------------------------------------------------------- */

static int take_statement(plan_t *p, const map_statement_t *s, mrpb_err_t *err) {
  switch ((int)s->kind) {
  case MAP_CLOCK:
    p->clock = s;
    return 0;
  case MAP_RESET:
    p->reset = s;
    return 0;
  case MAP_KIND:
    if (p->n_kinds == KINDS) return mrpb_fail(err, "more than %d kinds", (int)KINDS);
    p->kind[p->n_kinds++] = s;
    return 0;
  case MAP_SHOW:
    if (p->n_shows == ALIGN_LEVELS) return mrpb_fail(err, "more than %d levels", (int)ALIGN_LEVELS);
    p->show[p->n_shows++] = s;
    return 0;
  case MAP_STREAM:
    if (*s->of && p->answers) return mrpb_fail(err, "a second stream with of=");
    if (*s->of) p->answers = s;
    return 0;
  default:
    return 0;
  }
}

static int make_plan(plan_t *p, const map_t *map, mrpb_err_t *err) {
  *p = (plan_t){.asks = NULL};
  for (unsigned i = 0; i < map->n; i++) {
    mrpb_err_t why = {""};
    if (take_statement(p, &map->statement[i], &why) != 0)
      return map_fail(map, &map->statement[i], err, "%s", why.text);
  }
  for (unsigned i = 0; i < map->n && p->answers; i++)
    if (map->statement[i].kind == MAP_STREAM && strcmp(map->statement[i].name, p->answers->of) == 0)
      p->asks = &map->statement[i];
  if (!p->asks || !p->clock)
    return mrpb_fail(err, "%s: legal: a clock, and two streams, the answers with of=REQUESTS",
                     map->file);
  if (!p->answers->tag != !p->asks->tag)
    return map_fail(map, p->answers, err, "a tag of one stream; legal: of both, or of none");
  return 0;
}

/* A port that is named by its name alone. */
static int watch_name(names_t *n, const char *name, unsigned *id, mrpb_err_t *err) {
  step_t path = {.kind = STEP_NAME};
  const step_t *rest;
  snprintf(path.name, sizeof path.name, "%s", name);
  const vcd_in_var_t *v = find(n, &path, &rest);
  if (!v || v->width != 1)
    return mrpb_fail(err, "'%s' of one bit is not in %s", name, vcd_in_scope(n->dump, n->scope));
  *id = v->id;
  return vcd_in_watch(n->dump, v->id, err);
}

/* Finds all names in the scope. */
static int bind(names_t *n, const plan_t *p, unsigned *clock, unsigned *reset, mrpb_err_t *err) {
  const map_statement_t *const streams[] = {p->asks, p->answers};
  n->n_known = 0;
  if (watch_name(n, p->clock->name, clock, err) != 0 ||
      (p->reset && watch_name(n, p->reset->name, reset, err) != 0))
    return -1;
  for (unsigned i = 0; i < 2; i++)
    if (watch(n, streams[i]->valid, err) != 0 || watch(n, streams[i]->ready, err) != 0 ||
        watch(n, streams[i]->tag, err) != 0 || (i == 0 && watch(n, p->asks->payload, err) != 0))
      return -1;
  for (unsigned i = 0; i < p->n_kinds; i++)
    if (watch(n, p->kind[i]->valid, err) != 0) return -1;
  for (unsigned i = 0; i < p->n_shows; i++)
    if (watch_path(n, p->show[i]->path, err) != 0) return -1;
  return 0;
}

static int find_scope(wave_t *w, const char *scope, unsigned *clock, unsigned *reset,
                      mrpb_err_t *err) {
  names_t *n = &w->names;
  mrpb_err_t why = {""};
  for (n->scope = 0; n->scope < vcd_in_n_scopes(n->dump); n->scope++) {
    mrpb_err_t one = {""};
    if (scope && strcmp(vcd_in_scope(n->dump, n->scope), scope) != 0) continue;
    if (bind(n, &w->plan, clock, reset, &one) == 0) return 0;
    why = one;
  }
  if (scope && !why.text[0])
    return mrpb_fail(err, "%s: no scope '%.200s'", vcd_in_path(n->dump), scope);
  return mrpb_fail(err, "%s: %s%s", w->map.file, scope ? "" : "no scope has all names: ", why.text);
}

/* ---- cycles ----------------------------------------------------------------------------------- */

static bool true_now(const expr_t *e, const scope_t *scope) {
  return !e || expr_eval(e, scope) != 0;
}

static uint64_t value_of(const expr_t *e, const scope_t *scope) {
  return e ? expr_eval(e, scope) : 0;
}

static moment_t look(wave_t *w, unsigned reset) {
  const plan_t *p = &w->plan;
  const scope_t scope = scope_of(&w->names);
  moment_t m = {.reset = p->reset && (vcd_in_ones(w->names.dump, reset)[0] & 1) == p->reset->high};
  m.offers = true_now(p->asks->valid, &scope);
  m.asks = m.offers && true_now(p->asks->ready, &scope);
  m.answers = true_now(p->answers->valid, &scope) && true_now(p->answers->ready, &scope);
  m.address = value_of(p->asks->payload, &scope);
  m.ask_tag = value_of(p->asks->tag, &scope);
  m.answer_tag = value_of(p->answers->tag, &scope);
  while (m.kind < p->n_kinds && !true_now(p->kind[m.kind]->valid, &scope)) m.kind++;
  for (unsigned i = 0; i < p->n_shows; i++) {
    signal_t s;
    mrpb_err_t unheard = {""};
    if (signal_of(&w->names, p->show[i]->path, &s, &unheard) == 0)
      m.level[i] = (uint32_t)value(&w->names, &s);
  }
  return m;
}

static int ask(wave_t *w, const moment_t *m, mrpb_err_t *err) {
  char text[24];
  const int n = snprintf(text, sizeof text, "0x%" PRIx64, m->address);
  const align_row_t row = {.who = w->nobody,
                           .address = align_word(w->r->words, text, (size_t)n),
                           .kind = m->kind < w->plan.n_kinds ? w->kind[m->kind] : w->none,
                           .begin = w->begin,
                           .end = ALIGN_OPEN,
                           .waited = w->cycle - w->begin};
  asked_t *to = grow(w->asked, w->n_asked + 1, &w->room_asked, sizeof *to);
  if (!to) return mrpb_fail(err, "out of memory");
  w->asked = to;
  const size_t at = row.address == UINT32_MAX ? SIZE_MAX : align_rows_add(w->r, &row, m->level);
  if (at == SIZE_MAX) return mrpb_fail(err, "out of memory");
  w->asked[w->n_asked++] = (asked_t){at, m->ask_tag};
  return 0;
}

static void answer(wave_t *w, const moment_t *m) {
  size_t i = 0;
  while (w->plan.asks->tag && i < w->n_asked && w->asked[i].tag != m->answer_tag) i++;
  if (i >= w->n_asked) return; /* nobody asked for it in this wave */
  w->r->row[w->asked[i].row].end = w->cycle;
  memmove(&w->asked[i], &w->asked[i + 1], (--w->n_asked - i) * sizeof *w->asked);
}

/* An edge of the clock, with the values before it. */
static int cycle(wave_t *w, const moment_t *m, mrpb_err_t *err) {
  if (m->reset) {
    w->n_asked = 0;
    w->offered = false;
    w->counting = true;
    w->cycle += w->r->n > 0; /* further resets take their cycles */
    return 0;
  }
  if (!w->counting) return 0;
  if (m->offers && !w->offered) w->begin = w->cycle;
  w->offered = m->offers && !m->asks;
  if (m->asks && ask(w, m, err) != 0) return -1;
  if (m->answers) answer(w, m);
  w->cycle++;
  return 0;
}

static int play(wave_t *w, unsigned clock, unsigned reset, mrpb_err_t *err) {
  moment_t before = {.reset = false};
  bool high = true, any = false;
  uint64_t time;
  int rc;
  while ((rc = vcd_in_step(w->names.dump, &time, err)) > 0) {
    const bool now = vcd_in_ones(w->names.dump, clock)[0] & 1;
    if (now && !high && any && cycle(w, &before, err) != 0) return -1;
    high = now;
    any = true;
    before = look(w, reset);
  }
  if (rc == 0 && w->r->n == 0)
    return mrpb_fail(err, "%s: no request in %" PRIu64 " cycles", w->r->path, w->cycle);
  return rc;
}

static int name_all(wave_t *w, mrpb_err_t *err) {
  const plan_t *p = &w->plan;
  bool good = true;
  for (unsigned i = 0; i < p->n_kinds; i++) {
    w->kind[i] = align_word(w->r->words, p->kind[i]->name, strlen(p->kind[i]->name));
    good &= w->kind[i] != UINT32_MAX;
  }
  w->none = align_word(w->r->words, "other", 5);
  w->nobody = align_word(w->r->words, "-", 1);
  for (unsigned i = 0; i < p->n_shows; i++)
    expr_path_text(p->show[i]->path, &(scope_t){.constant = constant}, w->r->level[i], ALIGN_WORD);
  w->r->n_levels = p->n_shows;
  return good && w->none != UINT32_MAX && w->nobody != UINT32_MAX ? 0
                                                                  : mrpb_fail(err, "out of memory");
}

int align_wave(align_rows_t *r, const char *path, const char *map, const char *scope,
               align_words_t *words, mrpb_err_t *err) {
  wave_t w = {.r = r};
  unsigned clock = 0, reset = 0;
  *r = (align_rows_t){.path = path, .words = words, .anonymous = true};
  int rc = map_read(&w.map, map, err);
  if (rc == 0) rc = make_plan(&w.plan, &w.map, err);
  if (rc == 0) rc = vcd_in_open(&w.names.dump, path, err);
  if (rc == 0) rc = find_scope(&w, scope, &clock, &reset, err);
  if (rc == 0) rc = name_all(&w, err);
  w.counting = !w.plan.reset;
  if (rc == 0) rc = play(&w, clock, reset, err);
  vcd_in_close(w.names.dump);
  map_free(&w.map);
  free(w.asked);
  return rc;
}
