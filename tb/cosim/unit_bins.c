/* SPDX-License-Identifier: Apache-2.0 */
#include "cosim/unit_bins.h"

#include "base/json_out.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 100 };

void unit_bins_open(unit_bins_t *b, const char *stem, const uint32_t *cfg) {
  *b = (unit_bins_t){.stim = stim_class(stem), .cfg = cfg};
  if (b->stim && b->stim->n_bins == 0) b->stim = NULL;
}

void *unit_bins_start(const unit_bins_t *b) {
  void *state = b->stim ? malloc(b->stim->size) : NULL;
  if (state) b->stim->start(state, b->cfg, 1);
  return state;
}

void unit_bins_sample(unit_bins_t *b, void *state, const void *model, const uint64_t *in,
                      const uint64_t *out) {
  if (state) b->reached |= b->stim->sample(state, model, in, out);
}

static bool reached(const unit_bins_t *b, unsigned i) {
  return b->reached >> i & 1;
}

static bool can(const unit_bins_t *b, unsigned i) {
  const bin_t *bin = &b->stim->bins[i];
  return !bin->possible || bin->possible(b->cfg);
}

unsigned unit_bins_reached(const unit_bins_t *b, unsigned *possible) {
  unsigned n = 0;
  *possible = 0;
  for (unsigned i = 0; b->stim && i < b->stim->n_bins; i++) {
    *possible += can(b, i);
    n += can(b, i) && reached(b, i);
  }
  return n;
}

void unit_bins_text(const unit_bins_t *b, char *text, size_t size) {
  unsigned possible, n = unit_bins_reached(b, &possible);
  text[0] = '\0';
  if (possible > 0) snprintf(text, size, "; %u of %u bins reached", n, possible);
}

void unit_bins_rest(const unit_bins_t *b, const char *indent, FILE *out) {
  size_t at = 0;
  for (unsigned i = 0; b->stim && i < b->stim->n_bins; i++) {
    const char *name = b->stim->bins[i].name;
    if (!can(b, i) || reached(b, i)) continue;
    const size_t wide = strlen(name) + 2;
    if (at > 0) fputc(',', out);
    if (at + wide > COLUMNS) fputc('\n', out);
    if (at == 0 || at + wide > COLUMNS)
      at = (size_t)fprintf(out, "%s%-12s", indent, at == 0 ? "not reached" : "");
    else
      fputc(' ', out);
    fputs(name, out);
    at += wide;
  }
  if (at > 0) fputc('\n', out);
}

void unit_bins_json(const unit_bins_t *b, json_t **o) {
  unsigned possible, n = unit_bins_reached(b, &possible);
  json_t *names = json_array();
  json_out_set(o, "bins", json_integer(possible));
  json_out_set(o, "bins_reached", json_integer(n));
  for (unsigned i = 0; b->stim && i < b->stim->n_bins; i++)
    if (can(b, i) && !reached(b, i))
      (void)json_array_append_new(names, json_string(b->stim->bins[i].name));
  json_out_set(o, "bins_not_reached", names);
}
