/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/liberty_cell.h"

#include <stdlib.h>
#include <string.h>

static void copy(char *to, const char *from) {
  snprintf(to, LIBERTY_NAME, "%.*s", LIBERTY_NAME - 1, from);
}

liberty_place_t liberty_cell_group(liberty_reading_t *c, liberty_cell_t *cell,
                                   const liberty_statement_t *s) {
  static const char *const odd[] = {"latch",      "statetable", "ff_bank",
                                    "latch_bank", "bus",        "bundle"};
  if (strcmp(s->name, "ff") == 0) {
    copy(c->state, s->first);
    copy(c->inverse, s->second);
    cell->flop = true;
    return LIBERTY_IN_FF;
  }
  if (strcmp(s->name, "pin") == 0) {
    if (++c->n_pins <= LIBERTY_PINS) copy(c->pin[c->n_pins - 1].name, s->first);
    return LIBERTY_IN_PIN;
  }
  for (unsigned i = 0; i < sizeof odd / sizeof *odd; i++) c->odd |= strcmp(s->name, odd[i]) == 0;
  return LIBERTY_IN_OTHER;
}

static void pin_value(liberty_reading_t *c, liberty_pin_t *p, const char *name, const char *v) {
  if (strcmp(name, "direction") == 0) {
    p->output = strcmp(v, "output") == 0;
    p->internal = strcmp(v, "internal") == 0;
    c->odd |= strcmp(v, "inout") == 0;
  }
  if (strcmp(name, "function") == 0) snprintf(p->function, LIBERTY_WORD, "%s", v);
  if (strcmp(name, "clock") == 0) p->clock = strcmp(v, "true") == 0;
  if (strcmp(name, "capacitance") == 0) p->cap = strtod(v, NULL);
  c->odd |= strcmp(name, "three_state") == 0;
}

void liberty_cell_value(liberty_reading_t *c, liberty_cell_t *cell, liberty_place_t place,
                        const liberty_statement_t *s) {
  const char *name = s->name, *v = s->first;
  if (place == LIBERTY_IN_CELL) {
    if (strcmp(name, "area") == 0) cell->area = strtod(v, NULL);
    if (strcmp(name, "dont_use") == 0) cell->unused |= strcmp(v, "true") == 0;
  }
  if (place == LIBERTY_IN_FF) {
    if (strcmp(name, "next_state") == 0) snprintf(c->next, LIBERTY_WORD, "%s", v);
    if (strcmp(name, "clocked_on") == 0) snprintf(c->clock, LIBERTY_WORD, "%s", v);
    if (strcmp(name, "clear") == 0) snprintf(c->clear, LIBERTY_WORD, "%s", v);
    if (strcmp(name, "preset") == 0) snprintf(c->preset, LIBERTY_WORD, "%s", v);
  }
  if (place == LIBERTY_IN_PIN && c->n_pins <= LIBERTY_PINS)
    pin_value(c, &c->pin[c->n_pins - 1], name, v);
}

/* The pin that an expression is, "(CLK)", or the inverse of, "!D"; -1: another expression. */
static int pin_of(const char *expression, const char *const *in, unsigned n, bool inverse) {
  for (unsigned i = 0; i < n; i++)
    if (liberty_function(expression, &in[i], 1) == (inverse ? 1 : 2)) return (int)i;
  return -1;
}

/* The output that has what D was, or its inverse; NULL if none has. */
static const liberty_pin_t *output_of(const liberty_reading_t *c, bool inverse) {
  const char *state[] = {c->state}, *other[] = {c->inverse};
  for (unsigned i = 0; i < c->n_pins && i < LIBERTY_PINS; i++) {
    const liberty_pin_t *p = &c->pin[i];
    if (p->output && (pin_of(p->function, state, 1, inverse) == 0 ||
                      pin_of(p->function, other, 1, !inverse) == 0))
      return p;
  }
  return NULL;
}

/* The cell has an `ff` that it clocks by a rising edge, and outputs its state or the inverse of it.
 * The clock need not be marked as one. Of the other inputs, one is the data, which the state may be
 * the inverse of (ASAP7), and the rest sets or resets. */
static liberty_sort_t sort_flop(const liberty_reading_t *c, liberty_cell_t *cell,
                                const char *const *in, unsigned n) {
  int d = pin_of(c->next, in, n, false);
  const int clock = pin_of(c->clock, in, n, false);
  const bool swapped = d < 0;
  if (swapped) d = pin_of(c->next, in, n, true);
  const liberty_pin_t *out = output_of(c, swapped), *inverse = output_of(c, !swapped);
  if (out || inverse) copy(cell->out, (out ? out : inverse)->name);
  cell->inverted = !out && inverse;
  if (d >= 0) copy(cell->in, in[d]);
  if (d < 0 || clock < 0 || (!out && !inverse)) return LIBERTY_OTHER;
  const unsigned resets = (c->clear[0] ? 1u : 0u) + (c->preset[0] ? 1u : 0u);
  if (n != 2 + resets) return LIBERTY_OTHER;
  return resets ? LIBERTY_FLOP_RESET : LIBERTY_FLOP;
}

liberty_sort_t liberty_cell_sort(const liberty_reading_t *c, liberty_cell_t *cell, double *cap) {
  const char *in[LIBERTY_PINS] = {""};
  const liberty_pin_t *out = NULL;
  unsigned n = 0, outs = 0;
  bool clocked = false;
  for (unsigned i = 0; i < c->n_pins && i < LIBERTY_PINS; i++) {
    const liberty_pin_t *p = &c->pin[i];
    clocked |= p->clock;
    if (p->output) {
      out = out ? out : p;
      outs++;
    } else if (!p->internal) {
      *cap = p->cap;
      in[n++] = p->name;
    }
  }
  if (out) copy(cell->out, out->name);
  copy(cell->in, in[0]);
  const bool usual = c->n_pins <= LIBERTY_PINS && !c->odd && !cell->unused && cell->area > 0;
  if (cell->flop) {
    const liberty_sort_t sort = sort_flop(c, cell, in, n);
    return usual ? sort : LIBERTY_OTHER;
  }
  if (!usual || clocked || outs != 1 || n > 5) return LIBERTY_OTHER;
  const int64_t table = liberty_function(out->function, in, n);
  if (n == 2 && table == 7) return LIBERTY_NAND2;
  if (n == 1 && table == 1) return LIBERTY_INVERTER;
  return n == 1 && table == 2 ? LIBERTY_BUFFER : LIBERTY_OTHER;
}
