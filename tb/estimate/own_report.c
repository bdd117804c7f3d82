/* SPDX-License-Identifier: Apache-2.0 */
/* The page of a user's design, beside a module of ours: docs/estimate/own.md. */
#include "estimate/own.h"

#include "base/sizes.h"
#include "estimate/alone.h"

#include <inttypes.h>
#include <string.h>

static void put_head(const own_t *o, const own_args_t *a, FILE *out) {
  const uint32_t *cfg;
  const module_class_t *cls = own_module(o, &cfg);
  const char *from = a->design.n_lists ? a->design.list[0] : a->design.word[0];
  char sizes[SIZES_TEXT];
  fprintf(out, "%s%s%s, of %s", own_source(o)->top, own_params(o)[0] ? " " : "", own_params(o),
          from);
  if (cls) sizes_text(cls, cfg, "", sizes, sizeof sizes);
  if (cls) fprintf(out, ", beside our %s %s", cls->stem, sizes);
  fputc('\n', out);
}

static void put_register(const look_reg_t *r, FILE *out) {
  fprintf(out, "| `%s` | %" PRIu32 " | %" PRIu32 " | %" PRIu64 " | %s%s%s | %s |\n", r->name,
          r->words, r->width, r->bits, r->memory ? "macro" : "flip-flops", r->why[0] ? ": " : "",
          r->why, r->at);
}

static void put_registers(const own_t *o, FILE *out) {
  const look_t *l = own_look(o);
  uint64_t sum = 0;
  fprintf(out, "\n| register | words | bits of a word | bits | becomes | where |\n"
               "| --- | ---: | ---: | ---: | --- | --- |\n");
  for (unsigned i = 0; i < l->n_regs; i++) {
    put_register(&l->reg[i], out);
    sum += l->reg[i].bits;
  }
  fprintf(out, "| all | | | %" PRIu64 " | | |\n\n", sum);
}

static void put_notes(const own_t *o, FILE *out) {
  const synth_source_t *s = own_source(o);
  const look_t *l = own_look(o);
  unsigned n = 0;
  const sram_t *sram = own_srams(o, &n);
  for (unsigned i = 0; i < s->n_clocks; i++)
    fprintf(out, "- clock: `%s`, %s edge\n", s->clock[i], s->falling ? "falling" : "rising");
  if (s->n_clocks == 0)
    fprintf(out, "- no registers, so no clock: the period is the longest path from an input to an "
                 "output\n");
  if (s->async_resets)
    fprintf(out, "- asynchronous resets: their tree is not timed, and a path that ends at a reset "
                 "is none\n");
  if (l->initial) fprintf(out, "- initial values are dropped: cells power up with any value\n");
  for (unsigned i = 0; i < n; i++)
    fprintf(out, "- `%s` is a macro, %s: not in the area of the cells\n", sram[i].array,
            sram[i].clocked ? "an SRAM that is read by the clock"
                            : "a register file that is read without a clock");
}

/* A table with a row of the design, and one of our module. */
static int put_logic(const own_t *o, const flow_t *f, FILE *out, mrpb_err_t *err) {
  const uint32_t *cfg;
  const module_class_t *cls = own_module(o, &cfg);
  logic_job_t job[ALONE_ROWS];
  char ours[80] = "";
  const char *const label[ALONE_ROWS] = {own_source(o)->name, ours};
  unsigned n = 0;
  const sram_t *sram = own_srams(o, &n);
  flow_job_of(f, own_source(o), sram, n, &job[0]);
  if (cls && flow_job(f, cls, cfg, &job[1], err) != 0) return -1;
  if (cls) snprintf(ours, sizeof ours, "our %.70s", cls->stem);
  return alone_rows(f, label, job, cls ? 2 : 1, out, err);
}

static int put_tables(const own_t *o, const own_args_t *a, FILE *out, mrpb_err_t *err) {
  const uint32_t *cfg;
  const module_class_t *cls = own_module(o, &cfg);
  put_head(o, a, out);
  put_registers(o, out);
  if (!cls) return 0;
  fprintf(out, "Our %s:\n", cls->stem);
  return alone_storage(cls, cfg, out, err);
}

int own_estimate(const own_args_t *args, const module_class_t *cls, const logic_options_t *opt,
                 FILE *out, mrpb_err_t *err) {
  own_t *o = NULL;
  int rc = 0;
  for (unsigned i = 0; rc == 0 && i < flow_liberties(opt); i++) {
    flow_t f;
    rc = flow_open(&f, opt, i, err);
    if (rc != 0) break;
    if (!o) {
      rc = own_open(&o, args, cls, f.cache, f.tools.hash[TOOLS_YOSYS], err);
      if (rc == 0) rc = put_tables(o, args, out, err);
    }
    if (rc == 0) rc = put_logic(o, &f, out, err);
    flow_close(&f);
  }
  if (rc == 0) put_notes(o, out);
  own_close(o);
  return rc;
}
