/* Shrinking by transactions: suffixes, then delta debugging over transactions and over idle cycles,
 * then the values. Every step builds a trial from the best case so far; a trial that differs
 * becomes the best, cut after the cycle in which it does. */
#include "cosim/shrink.h"

#include "cosim/rtl/sources.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 16, SMALL_VALUES = 4 };

typedef struct {
  uint64_t cycle;
  uint32_t source; /* mask of one source; 0: the cycle itself */
} item_t;

typedef struct {
  const rtl_lib_t *lib;
  sources_t sources;
  vectors_t best, trial; /* with room for the first best */
  item_t *items;
  uint64_t n_items;
  uint64_t budget, used, start_cost, cycle_cost;
  bool (*stop)(void);
  bool changed; /* in this round */
  shrink_t *result;
  mrpb_err_t *err;
  int rc;
} search_t;

/* What a trial costs goes with the registers that it makes and compares. */
static int set_costs(search_t *s, const vectors_t *v) {
  lockstep_t *ls;
  uint64_t bytes = 0;
  if (lockstep_open(&ls, v->cls, v->cfg, s->lib, v->seed, s->err) != 0) return -1;
  const module_reg_t *regs = lockstep_regs_c(ls);
  for (unsigned i = 0; i < v->cls->n_regs; i++)
    bytes += (uint64_t)regs[i].words * regs[i].elem_bytes;
  lockstep_close(ls);
  s->start_cost = 20 + bytes / 256;
  s->cycle_cost = 1 + bytes / 8192;
  return 0;
}

/* cycles 0..n-1 of `to`, whose room suffices, are `from`'s from `first` on. */
static void copy(vectors_t *to, uint64_t at, const vectors_t *from, uint64_t first, uint64_t n) {
  const size_t words = from->cls->in_words;
  memcpy(to->in + at * words, from->in + first * words, (size_t)n * words * sizeof *to->in);
  to->n = at + n;
}

static uint64_t *cycle(vectors_t *v, uint64_t t) {
  return v->in + t * v->cls->in_words;
}

/* Plays the trial; if it differs, it is the best from now on. */
static bool try_it(search_t *s) {
  play_t play;
  if (s->rc != 0 || s->result->bounded) return false;
  if (s->used >= s->budget || (s->result->tried % 64 == 0 && s->stop && s->stop())) {
    s->result->bounded = true;
    return false;
  }
  s->rc = play_run(&play, &s->trial, s->lib, s->err);
  s->used += s->start_cost + s->cycle_cost * play.cycle;
  s->result->tried++;
  if (s->rc != 0 || !play.differs) return false;
  vectors_t old = s->best;
  s->trial.n = play.cycle + 1;
  s->best = s->trial;
  s->trial = old;
  s->result->play = play;
  s->changed = true;
  return true;
}

/* Cycles that stay: the reset at the beginning. */
static uint64_t head(const search_t *s) {
  return s->sources.starts_reset ? 1 : 0;
}

/* ---- 1. suffixes ---- */

static int make_room(search_t *s, vectors_t *v, uint64_t cycles) {
  const size_t words = v->cls->in_words;
  free(v->in);
  v->room = cycles;
  v->in = calloc((size_t)cycles * words, sizeof *v->in);
  return v->in ? 0 : mrpb_fail(s->err, "%s: out of memory", v->cls->stem);
}

/* 0 with a first best, 1 if nothing differs, -1 and a message. */
static int find_suffix(search_t *s, const vectors_t *v) {
  const uint64_t keep = head(s), budget = s->budget;
  if (v->n <= keep && v->n == 0) return 1;
  s->budget = UINT64_MAX;
  for (uint64_t k = 1;; k *= 2) {
    if (k > v->n - keep) k = v->n - keep;
    if (make_room(s, &s->trial, keep + k) != 0) return -1;
    copy(&s->trial, 0, v, 0, keep);
    copy(&s->trial, keep, v, v->n - k, k);
    bool differs = try_it(s);
    if (s->rc != 0) return -1;
    if (differs) break;
    if (s->result->bounded) return mrpb_fail(s->err, "interrupted");
    if (k == v->n - keep) return 1;
  }
  s->budget = budget;
  s->used = 0; /* the rest of the search is what is bounded */
  if (make_room(s, &s->trial, s->best.room) != 0) return -1;
  s->items = malloc((size_t)(s->best.room * s->sources.n + 1) * sizeof *s->items);
  return s->items ? 0 : mrpb_fail(s->err, "%s: out of memory", v->cls->stem);
}

/* ---- 2 and 3. transactions and gaps ---- */

/* ENTRIES are transactions as well; without n of them, numbers of entries are lower by n: the
 * module gives out its lowest free entry. */
typedef enum { ACTIVITY, ENTRIES, GAPS } kind_t;

static void list_items(search_t *s, kind_t kind) {
  s->n_items = 0;
  for (uint64_t t = head(s); t < s->best.n; t++) {
    uint32_t active = sources_active(&s->sources, vectors_cycle(&s->best, t));
    if (kind == GAPS && !active) s->items[s->n_items++] = (item_t){t, 0};
    for (; kind != GAPS && active; active &= active - 1)
      s->items[s->n_items++] = (item_t){t, active & (~active + 1)};
  }
}

static void lower_entries(search_t *s, uint64_t n) {
  for (unsigned i = 0; i < s->best.cls->n_in; i++)
    for (uint64_t t = head(s); sources_entry(s->sources.in[i].name) && t < s->trial.n; t++) {
      uint64_t *entry = cycle(&s->trial, t) + s->sources.in[i].word;
      if (*entry >= n) *entry -= n;
    }
}

/* The best without n items from `at` on. */
static void without(search_t *s, kind_t kind, uint64_t at, uint64_t n) {
  if (kind != GAPS) {
    copy(&s->trial, 0, &s->best, 0, s->best.n);
    for (const item_t *i = s->items + at; i < s->items + at + n; i++)
      sources_silence(&s->sources, i->source, cycle(&s->trial, i->cycle));
    if (kind == ENTRIES) lower_entries(s, n);
    return;
  }
  uint64_t to = 0, from = 0;
  for (const item_t *i = s->items + at; n > 0; i++, n--) {
    copy(&s->trial, to, &s->best, from, i->cycle - from);
    to = s->trial.n;
    from = i->cycle + 1;
  }
  copy(&s->trial, to, &s->best, from, s->best.n - from);
}

static void drop_gaps_at_once(search_t *s) {
  list_items(s, GAPS);
  if (s->n_items == 0) return;
  without(s, GAPS, 0, s->n_items);
  try_it(s);
}

/* All, halves, quarters ... and single ones; the oldest first. */
static void drop(search_t *s, kind_t kind) {
  list_items(s, kind);
  for (uint64_t size = s->n_items; size > 0; size /= 2) {
    bool some = false;
    for (uint64_t at = 0; at < s->n_items && !s->result->bounded && s->rc == 0;) {
      uint64_t n = s->n_items - at < size ? s->n_items - at : size;
      without(s, kind, at, n);
      if (try_it(s)) {
        some = true;
        list_items(s, kind);
      } else {
        at += n;
      }
    }
    if (some && kind != GAPS) { /* the following trials are the faster for it */
      drop_gaps_at_once(s);
      list_items(s, kind);
    }
  }
}

/* ---- 4. fields ---- */

/* Inputs of the same name after the source's own mean the same: enq_queue_i and deq_queue_i. */
static bool same_kind(const char *a, const char *b) {
  return strcmp(a + strcspn(a, "_"), b + strcspn(b, "_")) == 0;
}

/* The words of the inputs to be changed together: `port` alone, or all of its kind. */
typedef struct {
  unsigned n, words[MODULE_MAX_PORTS];
} kin_t;

static void find_kin(const search_t *s, unsigned port, bool all, kin_t *kin) {
  const module_port_t *in = s->sources.in;
  kin->n = 0;
  for (unsigned i = 0; i < s->best.cls->n_in; i++)
    if (i == port || (all && in[i].width <= 64 && same_kind(in[i].name, in[port].name)))
      kin->words[kin->n++] = in[i].word;
}

/* Every occurrence of `old` becomes `new`. */
static void replace(search_t *s, const kin_t *kin, uint64_t old, uint64_t new) {
  copy(&s->trial, 0, &s->best, 0, s->best.n);
  for (uint64_t t = head(s); t < s->trial.n; t++)
    for (unsigned k = 0; k < kin->n; k++) {
      uint64_t *value = cycle(&s->trial, t) + kin->words[k];
      if (*value == old) *value = new;
    }
}

static bool seen_before(const search_t *s, uint64_t at, unsigned word, uint64_t value) {
  for (uint64_t t = head(s); t < at; t++)
    if (vectors_cycle(&s->best, t)[word] == value) return true;
  return false;
}

/* Equal values together: an address that must be the same in several transactions stays that. */
static void lower_values(search_t *s, unsigned port, bool all) {
  const unsigned word = s->sources.in[port].word;
  kin_t kin;
  find_kin(s, port, all, &kin);
  if (all && kin.n == 1) return;
  for (uint64_t t = head(s); t < s->best.n; t++) {
    uint64_t value = vectors_cycle(&s->best, t)[word];
    if (value == s->sources.idle[word] || seen_before(s, t, word, value)) continue;
    bool done = false;
    for (uint64_t low = 0; low < SMALL_VALUES && low < value && !done; low++) {
      replace(s, &kin, value, low);
      done = try_it(s);
    }
  }
}

/* Each value alone: idle, else with as few bits as can be. */
static void lower_alone(search_t *s, unsigned port) {
  const module_port_t *p = &s->sources.in[port];
  for (uint64_t t = head(s); t < s->best.n; t++) {
    if (sources_port_idle(&s->sources, port, vectors_cycle(&s->best, t))) continue;
    copy(&s->trial, 0, &s->best, 0, s->best.n);
    sources_port_clear(&s->sources, port, cycle(&s->trial, t));
    if (try_it(s)) continue;
    for (unsigned b = p->width < 64 ? p->width : 64; p->width <= 64 && b-- > 0 && t < s->best.n;) {
      uint64_t value = vectors_cycle(&s->best, t)[p->word], bit = UINT64_C(1) << b;
      if (!(value & bit) || value == bit) continue;
      copy(&s->trial, 0, &s->best, 0, s->best.n);
      cycle(&s->trial, t)[p->word] = value & ~bit;
      try_it(s);
    }
  }
}

/* A strobe stays: without it the transaction would read as none. */
static void lower_fields(search_t *s) {
  for (unsigned i = 0; i < s->best.cls->n_in; i++) {
    const char *name = s->sources.in[i].name;
    if (sources_strobe(name) || strcmp(name, "rst_ni") == 0) continue;
    if (s->sources.in[i].width <= 64) {
      lower_values(s, i, true);
      lower_values(s, i, false);
    }
    lower_alone(s, i);
  }
}

/* ---- all of it ---- */

uint64_t shrink_transactions(const vectors_t *v) {
  sources_t sources;
  uint64_t n = 0;
  sources_init(&sources, v->cls, v->cfg);
  for (uint64_t t = sources.starts_reset ? 1 : 0; t < v->n; t++)
    n += (uint64_t)__builtin_popcount(sources_active(&sources, vectors_cycle(v, t)));
  return n;
}

static bool has_entries(const sources_t *s) {
  for (unsigned i = 0; i < s->cls->n_in; i++)
    if (sources_entry(s->in[i].name)) return true;
  return false;
}

static void rounds(search_t *s) {
  for (unsigned n = 0; n < MOST_ROUNDS; n++) {
    s->changed = false;
    drop(s, ACTIVITY);
    if (has_entries(&s->sources)) drop(s, ENTRIES);
    drop(s, GAPS);
    lower_fields(s);
    if (!s->changed || s->result->bounded || s->rc != 0) return;
  }
  s->result->bounded = true;
}

int shrink(vectors_t *v, const rtl_lib_t *lib, uint64_t budget, bool (*stop)(void),
           shrink_t *result, mrpb_err_t *err) {
  search_t s = {.lib = lib, .budget = budget, .stop = stop, .result = result, .err = err};
  *result = (shrink_t){.cycles_before = v->n, .transactions_before = shrink_transactions(v)};
  sources_init(&s.sources, v->cls, v->cfg);
  int rc = set_costs(&s, v);
  if (rc == 0) rc = vectors_init(&s.best, v->cls, v->cfg, v->seed, err);
  if (rc == 0) rc = vectors_init(&s.trial, v->cls, v->cfg, v->seed, err);
  if (rc == 0) rc = find_suffix(&s, v);
  if (rc == 0) rounds(&s);
  if (rc == 0) rc = s.rc;
  if (rc == 0) {
    copy(v, 0, &s.best, 0, s.best.n);
    result->transactions = shrink_transactions(v);
  }
  vectors_free(&s.best);
  vectors_free(&s.trial);
  free(s.items);
  return rc;
}
