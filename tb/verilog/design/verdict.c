/* SPDX-License-Identifier: Apache-2.0 */
#include "verilog/design/verdict.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

enum { NAMED = 4 }; /* names given of what was left out */

static bool all_bits(const verdict_t *v, unsigned reg) {
  return v->bits[reg] == (uint64_t)v->reg[reg].width * v->reg[reg].words;
}

/* Counts registers and their sizes; with a map, the bits that it gives. */
static int count_registers(verdict_t *v, const uint32_t *cfg, mrpb_err_t *err) {
  void *model = NULL;
  if (v->cls->n_regs == 0) return 0;
  if (v->cls->create(&model, cfg, err) != 0) return -1;
  v->cls->regs(model, v->reg);
  v->cls->destroy(model);
  for (unsigned i = 0; i < v->cls->n_regs; i++) v->reg[i].data = NULL;
  for (unsigned i = 0; i < v->cls->n_regs && !v->bind; i++)
    v->bits[i] = (uint64_t)v->reg[i].width * v->reg[i].words;
  for (size_t k = 0; v->bind && k < v->bind->n_regs; k++)
    v->bits[v->bind->reg[k].reg] += v->bind->reg[k].width;
  return 0;
}

int verdict_open(verdict_t *v, const module_class_t *cls, const uint32_t *cfg, const bind_t *bind,
                 mrpb_err_t *err) {
  module_port_t in[MODULE_MAX_PORTS];
  *v = (verdict_t){.cls = cls, .bind = bind};
  cls->ports(cfg, in, v->out);
  for (unsigned i = 0; i < cls->n_out; i++)
    v->cycles[i] = !bind || bind->output[i].there ? VERDICT_EVERY : 0;
  return count_registers(v, cfg, err);
}

void verdict_outputs_only(verdict_t *v) {
  memset(v->bits, 0, sizeof v->bits);
}

void verdict_add(verdict_t *sum, const verdict_t *more) {
  if (!sum->cls) {
    *sum = *more;
    return;
  }
  for (unsigned i = 0; i < more->cls->n_out; i++) sum->cycles[i] += more->cycles[i];
  for (unsigned i = 0; i < more->cls->n_regs; i++)
    if (more->bits[i] > sum->bits[i]) sum->bits[i] = more->bits[i];
}

static unsigned outputs(const verdict_t *v) {
  unsigned n = 0;
  for (unsigned i = 0; i < v->cls->n_out; i++) n += v->cycles[i] > 0;
  return n;
}

verdict_counts_t verdict_counts(const verdict_t *v) {
  verdict_counts_t n = {.outputs = outputs(v)};
  for (unsigned i = 0; i < v->cls->n_out; i++) {
    n.bits += v->cycles[i] > 0 ? v->out[i].width : 0;
    n.of_bits += v->out[i].width;
  }
  for (unsigned i = 0; i < v->cls->n_regs; i++) {
    n.registers += v->bits[i] > 0;
    n.bits += v->bits[i];
    n.of_bits += (uint64_t)v->reg[i].width * v->reg[i].words;
  }
  return n;
}

/* "1 of 4 outputs and 0 of 4 registers, 1 of 52 bits". */
static void verdict_compared(const verdict_t *v, char text[VERDICT_TEXT]) {
  const verdict_counts_t n = verdict_counts(v);
  snprintf(text, VERDICT_TEXT,
           "%u of %u outputs and %u of %u registers, %" PRIu64 " of %" PRIu64 " bits", n.outputs,
           v->cls->n_out, n.registers, v->cls->n_regs, n.bits, n.of_bits);
}

int verdict_check(const verdict_t *v, mrpb_err_t *err) {
  char text[VERDICT_TEXT];
  if (outputs(v) > 0) return 0;
  verdict_compared(v, text);
  return mrpb_fail(err, "%s: nothing was compared: %s; legal: at least one output, in one cycle",
                   v->cls->stem, text);
}

/* ---- what was left out ---- */

/* Adds a name to a list, of which the first NAMED are printed. */
static void add_name(FILE *out, const char *kind, const char *name, unsigned *n) {
  if (*n == 0) fprintf(out, "  %-12s%s", "left out", kind);
  if (*n < NAMED) fprintf(out, "%s %s", *n ? "," : "", name);
  ++*n;
}

static void end_names(FILE *out, unsigned n) {
  if (n > NAMED) fprintf(out, " and %u more", n - NAMED);
  if (n > 0) fputc('\n', out);
}

/* Whether the map has the output, and yet it was never compared. */
static bool never(const verdict_t *v, unsigned output) {
  return v->cycles[output] == 0 && v->bind && v->bind->output[output].there;
}

static void left_out(const verdict_t *v, FILE *out) {
  unsigned none = 0, idle = 0, regs = 0, parts = 0;
  for (unsigned i = 0; i < v->cls->n_out; i++)
    if (v->cycles[i] == 0 && !never(v, i)) add_name(out, "outputs", v->out[i].name, &none);
  end_names(out, none);
  for (unsigned i = 0; i < v->cls->n_out; i++)
    if (never(v, i)) add_name(out, "compared in 0 cycles: outputs", v->out[i].name, &idle);
  end_names(out, idle);
  for (unsigned i = 0; i < v->cls->n_regs && v->bind; i++)
    if (v->bits[i] == 0) add_name(out, "registers", v->reg[i].name, &regs);
  end_names(out, regs);
  for (unsigned i = 0; i < v->cls->n_regs && v->bind; i++)
    if (v->bits[i] > 0 && !all_bits(v, i))
      add_name(out, "parts of the registers", v->reg[i].name, &parts);
  end_names(out, parts);
}

/* ---- what is assumed ---- */

/* The number of statements that a line gives: one for each of its names. */
static unsigned of_line(const map_t *map, unsigned from) {
  unsigned n = 1;
  while (from + n < map->n && map->statement[from + n].line == map->statement[from].line) n++;
  return n;
}

static void names_of_line(const map_t *map, unsigned from, FILE *out) {
  const unsigned n = of_line(map, from);
  for (unsigned i = 0; i < n && i < NAMED; i++)
    fprintf(out, "%s%s", i ? ", " : "", map->statement[from + i].name);
  if (n > NAMED) fprintf(out, " and %u more", n - NAMED);
}

/* The fewest cycles in which any output of a line was compared. */
static uint64_t least_cycles(const map_t *map, unsigned from, const verdict_t *v) {
  uint64_t least = VERDICT_EVERY;
  for (unsigned i = from; i < from + of_line(map, from); i++)
    for (unsigned k = 0; k < v->cls->n_out; k++)
      if (strcmp(v->out[k].name, map->statement[i].name) == 0 && v->cycles[k] < least)
        least = v->cycles[k];
  return least;
}

static void assumption(const map_t *map, unsigned i, FILE *out) {
  const map_statement_t *s = &map->statement[i];
  fprintf(out, "  %-12s", "assuming");
  if (s->kind == MAP_WHEN || s->kind == MAP_LATE || s->kind == MAP_AFTER)
    names_of_line(map, i, out);
  if (s->kind == MAP_WHEN) fprintf(out, ": looked at only where %s", s->said);
  if (s->kind == MAP_AFTER) fprintf(out, ": looked at only after %s", s->said);
  if (s->kind == MAP_LATE) fprintf(out, ": %u cycle%s late", s->late, s->late > 1 ? "s" : "");
  if (s->kind == MAP_ASSUME) fprintf(out, "always: %s", s->said);
  if (s->kind == MAP_HOLD) fprintf(out, "a %s that was refused stays as it is", s->name);
}

static void assume(const map_t *map, const verdict_t *v, FILE *out) {
  for (unsigned i = 0; i < map->n; i += of_line(map, i)) {
    const map_kind_t kind = map->statement[i].kind;
    if (kind != MAP_WHEN && kind != MAP_AFTER && kind != MAP_LATE && kind != MAP_ASSUME &&
        kind != MAP_HOLD)
      continue;
    assumption(map, i, out);
    const uint64_t n =
        v && (kind == MAP_WHEN || kind == MAP_AFTER) ? least_cycles(map, i, v) : VERDICT_EVERY;
    if (n != VERDICT_EVERY) fprintf(out, " (%" PRIu64 " cycles)", n);
    fputc('\n', out);
  }
}

void verdict_assumptions(const map_t *map, FILE *out) {
  assume(map, NULL, out);
}

static void unused_inputs(const bind_t *b, FILE *out) {
  for (unsigned i = 0; i < b->cls->n_in; i++)
    if (b->in_unused[i])
      fprintf(out, "  %-12sthe design has no use for our input %s\n", "assuming", b->in[i].name);
}

void verdict_rest(const verdict_t *v, FILE *out) {
  left_out(v, out);
  if (!v->bind) return;
  assume(v->bind->map, v, out);
  unused_inputs(v->bind, out);
}

__attribute__((format(printf, 4, 0))) static void
write_line(const verdict_t *v, FILE *out, const char *tail, const char *format, va_list ap) {
  char text[VERDICT_TEXT];
  vfprintf(out, format, ap);
  verdict_compared(v, text);
  fprintf(out, ", %s%s\n", text, tail);
}

void verdict_line(const verdict_t *v, FILE *out, const char *tail, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  write_line(v, out, tail, format, ap);
  va_end(ap);
  fflush(out);
}

void verdict_write(const verdict_t *v, FILE *out, const char *tail, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  write_line(v, out, tail, format, ap);
  va_end(ap);
  verdict_rest(v, out);
  fflush(out);
}
