/* SPDX-License-Identifier: Apache-2.0 */
/* Follows entry numbers through trials. Both the best case and the trial are played on the C model
 * alone. An allocation is identified by its cycle, which a trial changes only by removing cycles;
 * such trials rename nothing. */
#include "cosim/shrink/entries.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ENTRIES = 1024, MOST_NAMES = 4, NO_WORD = -1 };

/* Which entry a source's transaction is about: the entry that it names; otherwise the entry that
 * the module shows with it, while it is valid and ready. The numbers are words of inputs and
 * outputs. */
typedef struct {
  int named, shown, valid, ready;
} subject_t;

struct entries {
  const vectors_t *best;
  void *fresh, *model; /* the model as created; the one that plays */
  uint64_t *out;
  unsigned n_names, names[MOST_NAMES]; /* inputs that name entries */
  unsigned n_sources;
  subject_t subject[MODULE_MAX_PORTS]; /* of each source */
  uint64_t version, n, room;           /* of the best case in `about` */
  uint64_t *about;                     /* n x n_sources: 1 + the cycle of the allocation; 0: none */
};

static int word_of(const module_port_t *ports, unsigned n, const char *of, const char *end) {
  const size_t stem = strcspn(of, "_");
  for (unsigned i = 0; i < n; i++)
    if (strncmp(ports[i].name, of, stem) == 0 && strcmp(ports[i].name + stem, end) == 0)
      return (int)ports[i].word;
  return NO_WORD;
}

static void find_subjects(entries_t *e, const sources_t *sources, const module_port_t *out) {
  const module_class_t *cls = e->best->cls;
  e->n_sources = sources->n;
  for (unsigned i = 0; i < cls->n_in; i++) {
    const char *name = sources->in[i].name;
    e->subject[sources->source[i]] = (subject_t){word_of(sources->in, cls->n_in, name, "_entry_i"),
                                                 word_of(out, cls->n_out, name, "_entry_o"),
                                                 word_of(out, cls->n_out, name, "_valid_o"),
                                                 word_of(out, cls->n_out, name, "_ready_o")};
    if (sources_entry(name) && e->n_names < MOST_NAMES) e->names[e->n_names++] = i;
  }
}

int entries_open(entries_t **out, const vectors_t *best, const sources_t *sources,
                 mrpb_err_t *err) {
  const module_class_t *cls = best->cls;
  module_port_t in[MODULE_MAX_PORTS], ports[MODULE_MAX_PORTS];
  entries_t *e = calloc(1, sizeof *e);
  *out = e;
  if (!e) return mrpb_fail(err, "%s: out of memory", cls->stem);
  e->best = best;
  e->version = UINT64_MAX;
  cls->ports(best->cfg, in, ports);
  find_subjects(e, sources, ports);
  e->out = calloc(cls->out_words, sizeof *e->out);
  if (!e->out) return mrpb_fail(err, "%s: out of memory", cls->stem);
  if (cls->create(&e->fresh, best->cfg, err) != 0) return -1;
  return cls->create(&e->model, best->cfg, err);
}

void entries_close(entries_t *e) {
  if (!e) return;
  if (e->fresh) e->best->cls->destroy(e->fresh);
  if (e->model) e->best->cls->destroy(e->model);
  free(e->out);
  free(e->about);
  free(e);
}

/* Makes room for n cycles. If memory runs out, nothing is renamed. */
static bool make_room(entries_t *e, uint64_t n) {
  if (n <= e->room) return true;
  free(e->about);
  e->about = malloc((size_t)n * e->n_sources * sizeof *e->about);
  e->room = e->about ? n : 0;
  return e->about != NULL;
}

static uint64_t subject(const subject_t *s, const uint64_t *in, const uint64_t *out) {
  if (s->named != NO_WORD) return in[s->named];
  if (s->shown == NO_WORD || (s->valid != NO_WORD && !out[s->valid]) ||
      (s->ready != NO_WORD && !out[s->ready]))
    return MOST_ENTRIES;
  return out[s->shown];
}

/* Finds what the transactions of the best case are about. */
static bool look(search_t *s, entries_t *e) {
  const vectors_t *best = e->best;
  if (e->version == s->version && e->n == best->n) return true;
  if (!make_room(e, best->n)) return false;
  uint64_t of[MOST_ENTRIES] = {0}, entry;
  best->cls->copy(e->model, e->fresh);
  for (uint64_t t = 0; t < best->n; t++) {
    const uint64_t *in = vectors_cycle(best, t);
    best->cls->comb(e->model, in, e->out);
    if (sources_gives(&s->sources, in, e->out, &entry) && entry < MOST_ENTRIES) of[entry] = t + 1;
    const uint32_t active = sources_active(&s->sources, in);
    for (unsigned k = 0; k < e->n_sources; k++) {
      entry = active >> k & 1 ? subject(&e->subject[k], in, e->out) : MOST_ENTRIES;
      e->about[t * e->n_sources + k] = entry < MOST_ENTRIES ? of[entry] : 0;
    }
    best->cls->edge(e->model, in);
  }
  e->version = s->version;
  e->n = best->n;
  return true;
}

/* Renames, in cycle t of the trial, the entries that were allocated before it or (`now`) in it. */
static void rename_in(search_t *s, const entries_t *e, uint64_t t, const uint32_t *given,
                      bool now) {
  uint64_t *in = search_cycle(s, t);
  for (unsigned k = 0; k < e->n_names; k++) {
    const unsigned port = e->names[k];
    const uint64_t about = e->about[t * e->n_sources + s->sources.source[port]];
    if (about == 0 || (about == t + 1) != now) continue;
    const uint32_t source = UINT32_C(1) << s->sources.source[port];
    if (given[about - 1] == 0)
      sources_silence(&s->sources, source, in);
    else if (sources_active(&s->sources, in) & source)
      in[s->sources.in[port].word] = given[about - 1] - 1;
  }
}

void entries_follow(search_t *s) {
  entries_t *e = s->entries;
  const module_class_t *cls = s->best.cls;
  if (s->trial.n != s->best.n || !look(s, e)) return;
  uint32_t *given = calloc((size_t)s->best.n, sizeof *given); /* 1 + the entry, of each cycle */
  if (!given) return;
  cls->copy(e->model, e->fresh);
  for (uint64_t t = 0; t < s->trial.n; t++) {
    const uint64_t *in = search_cycle(s, t);
    uint64_t entry;
    rename_in(s, e, t, given, false);
    cls->comb(e->model, in, e->out);
    if (sources_gives(&s->sources, in, e->out, &entry)) given[t] = (uint32_t)entry + 1;
    rename_in(s, e, t, given, true);
    cls->edge(e->model, in);
  }
  free(given);
}

/* Whether source k's transaction in cycle t is the allocation itself. */
static bool begins(const entries_t *e, uint64_t t, unsigned k) {
  return e->about[t * e->n_sources + k] == t + 1 && e->subject[k].named == NO_WORD;
}

uint64_t entries_allocations(search_t *s) {
  const entries_t *e = s->entries;
  uint64_t n = 0;
  if (!look(s, s->entries)) return 0;
  for (uint64_t t = 0; t < e->n; t++)
    for (unsigned k = 0; k < e->n_sources; k++) n += begins(e, t, k);
  return n;
}

/* Selects n allocations from the `at`-th on, in the order of the last transaction about each, and
 * marks them in `gone` (one flag per cycle: its allocation goes). `last` is scratch space. */
static void choose(const entries_t *e, uint64_t at, uint64_t n, uint64_t *last, uint8_t *gone) {
  uint64_t seen = 0;
  for (uint64_t i = 0; i < e->n * e->n_sources; i++)
    if (e->about[i] > 0) last[e->about[i] - 1] = i;
  for (uint64_t i = 0; i < e->n * e->n_sources; i++) {
    if (e->about[i] == 0 || last[e->about[i] - 1] != i) continue;
    gone[e->about[i] - 1] = seen >= at && seen < at + n;
    seen++;
  }
}

bool entries_without(search_t *s, uint64_t at, uint64_t n) {
  const entries_t *e = s->entries;
  uint8_t *gone = calloc((size_t)s->best.n, 1);
  uint64_t *last = calloc((size_t)s->best.n, sizeof *last);
  const bool known = gone && last && look(s, s->entries);
  search_begin(s);
  if (known) choose(e, at, n, last, gone);
  for (uint64_t i = 0; known && i < e->n * e->n_sources; i++)
    if (e->about[i] > 0 && gone[e->about[i] - 1])
      sources_silence(&s->sources, UINT32_C(1) << i % e->n_sources,
                      search_cycle(s, i / e->n_sources));
  free(gone);
  free(last);
  if (known) entries_follow(s);
  return known;
}
