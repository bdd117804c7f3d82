/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of (entry x state x event). */
#include "cosim/cross/cells.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct cells {
  const cells_class_t *cls;
  uint32_t cfg[MODULE_MAX_PARAMS];
  uint32_t entries;
  unsigned states, events;
  uint32_t *count; /* [entry][state][event] */
};

#define MODULE_STEM(stem) extern const cells_class_t cells_##stem;
#include "cells.def"
#undef MODULE_STEM

const cells_class_t *cells_class(const char *stem) {
  static const cells_class_t *const all[] = {
#define MODULE_STEM(stem) &cells_##stem,
#include "cells.def"
  };
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(all[i]->stem, stem) == 0) return all[i];
  return NULL;
}

static unsigned names(const char *const *list) {
  unsigned n = 0;
  while (list[n]) n++;
  return n;
}

int cells_open(cells_t **out, const cells_class_t *cls, const uint32_t *cfg, mrpb_err_t *err) {
  cells_t *c = calloc(1, sizeof *c);
  *out = c;
  if (!c) return mrpb_fail(err, "%s: out of memory", cls->stem);
  c->cls = cls;
  memcpy(c->cfg, cfg, sizeof c->cfg);
  c->entries = cls->entries(cfg);
  c->states = names(cls->states);
  c->events = names(cls->events);
  c->count = calloc((size_t)c->entries * c->states * c->events, sizeof *c->count);
  return c->count ? 0 : mrpb_fail(err, "%s: out of memory", cls->stem);
}

void cells_close(cells_t *c) {
  if (c) free(c->count);
  free(c);
}

static uint32_t *at(const cells_t *c, uint32_t entry, unsigned state, unsigned event) {
  return &c->count[((size_t)entry * c->states + state) * c->events + event];
}

void cells_count(cells_t *c, uint32_t entry, unsigned state, unsigned event) {
  if (entry < c->entries) ++*at(c, entry, state, event);
}

void cells_sample(cells_t *c, const cross_cycle_t *cycle) {
  c->cls->sample(cycle, c);
}

const char *cells_reason(const cells_class_t *cls, const uint32_t *cfg, unsigned state,
                         unsigned event) {
  const char *const cell[CROSS_AXES] = {cls->states[state], cls->events[event]};
  for (unsigned g = 0; g < cls->n_gaps; g++)
    if (cross_matches(cls->gaps[g].cells, cell) && (!cls->gaps[g].when || cls->gaps[g].when(cfg)))
      return cls->gaps[g].reason;
  return NULL;
}

/* ", not 3 17-20": the entries that never reached the cell. */
static void print_missing(const cells_t *c, unsigned state, unsigned event, FILE *out) {
  const char *before = ", not ";
  for (uint32_t e = 0; e < c->entries; e++) {
    uint32_t last = e;
    if (*at(c, e, state, event)) continue;
    while (last + 1 < c->entries && !*at(c, last + 1, state, event)) last++;
    fprintf(out, last > e ? "%s%" PRIu32 "-%" PRIu32 : "%s%" PRIu32, before, e, last);
    before = " ";
    e = last;
  }
}

static void judge_kind(const cells_t *c, unsigned state, unsigned event, bool list,
                       cells_verdict_t *v, FILE *out) {
  const cells_class_t *cls = c->cls;
  const char *reason = cells_reason(cls, c->cfg, state, event);
  uint64_t count = 0;
  uint32_t hit = 0;
  for (uint32_t e = 0; e < c->entries; e++) {
    count += *at(c, e, state, event);
    hit += *at(c, e, state, event) > 0;
  }
  if (reason) {
    v->wrong += hit > 0;
    if (hit > 0)
      fprintf(out, "%s: %s, %s: cannot be (%s), but was, %" PRIu64 " times\n", cls->stem,
              cls->states[state], cls->events[event], reason, count);
    return;
  }
  v->cells += c->entries;
  v->hit += hit;
  if (!list) return;
  fprintf(out, "    %12" PRIu64 "  %s, %s: %" PRIu32 " of %" PRIu32, count, cls->states[state],
          cls->events[event], hit, c->entries);
  print_missing(c, state, event, out);
  fputc('\n', out);
}

cells_verdict_t cells_judge(const cells_t *c, bool list, FILE *out) {
  cells_verdict_t v = {0};
  if (list) fprintf(out, "  cells (%s x state x event):\n", c->cls->entry);
  for (unsigned s = 0; s < c->states; s++)
    for (unsigned e = 0; e < c->events; e++) judge_kind(c, s, e, list, &v, out);
  return v;
}

static void print_names(const char *const *list, FILE *out) {
  for (unsigned k = 0; list[k]; k++) fprintf(out, "%s%s", k ? ", " : "", list[k]);
}

void cells_markdown(const cells_class_t *cls, FILE *out) {
  fprintf(out, "Cells: %s x state (", cls->entry);
  print_names(cls->states, out);
  fprintf(out, ") x event (");
  print_names(cls->events, out);
  fprintf(out, ")\n\n| cells that cannot be | why |\n| --- | --- |\n");
  for (unsigned g = 0; g < cls->n_gaps; g++) {
    fprintf(out, "| ");
    cross_print_pattern(cls->gaps[g].cells, out);
    fprintf(out, " | %s |\n", cls->gaps[g].reason);
  }
  fprintf(out, "\n");
}
