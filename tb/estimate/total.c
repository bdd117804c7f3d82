/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/total.h"

#include "base/json_out.h"

#include <string.h>

bool total_is_whole(const module_class_t *cls) {
  static const char *const whole[] = {"mrpb", "mshr", "prt"};
  for (unsigned i = 0; i < sizeof whole / sizeof *whole; i++)
    if (strcmp(cls->stem, whole[i]) == 0) return true;
  return false;
}

/* CACTI's L1 of a column; below 0: CACTI was not run, or for another node than the cells'. */
static double l1_of(const estimate_t *e, unsigned column, const flow_t *f) {
  const estimate_column_t *c = &e->column[column];
  if (f->lib.node_nm != e->opt.cacti.node) return -1;
  for (unsigned i = 0; i < c->storage.n; i++)
    if (strcmp(c->storage.array[i].name, "l1d.data") == 0 && c->cacti[i].good)
      return c->cacti[i].result.area;
  return -1;
}

total_t total_of(const estimate_t *e, unsigned column, const flow_t *f, const timing_row_t *row) {
  const synth_job_t *s = &row->job->synth;
  total_t t = {row->result->synth.area_um2 / flow_utilisation(f) / 1e6, 0, l1_of(e, column, f)};
  for (unsigned i = 0; i < s->n_srams; i++) {
    /* A memory of another node cannot be added to the cells. */
    const bool scaled =
        strncmp(s->sram[i].source, "CACTI", 5) != 0 || f->lib.node_nm == e->opt.cacti.node;
    if (s->sram[i].area_um2 <= 0 || !scaled)
      t.memories = -1;
    else if (t.memories >= 0)
      t.memories += s->sram[i].area_um2 / 1e6;
  }
  return t;
}

void total_put_head(FILE *md, const estimate_t *e, const flow_t *f) {
  fprintf(
      md,
      "\nArea in all, in mm2: cells at a utilisation of %g, and memories. Paper 001 (section "
      "6) has 0.0126 mm2 for the\nMRPB's SRAM alone, 10.5 %% of a 16 KB L1, and at least 0.0141 "
      "for CCWS.",
      flow_utilisation(f));
  if (f->lib.node_nm && f->lib.node_nm != e->opt.cacti.node)
    fprintf(md, " CACTI's node is %u nm, the cells' %u nm: not added.", e->opt.cacti.node,
            f->lib.node_nm);
  if (!f->lib.node_nm) fputs(" The cells' node is not known: no memory of CACTI's is added.", md);
  fputs("\n\n| module | cells, placed | memories | in all | the L1 (CACTI) | in all : L1 |\n"
        "| --- | ---: | ---: | ---: | ---: | ---: |\n",
        md);
}

static void put_mm2(FILE *md, double mm2) {
  if (mm2 >= 0)
    fprintf(md, " %.4f |", mm2);
  else
    fputs(" not known |", md);
}

static double sum_of(const total_t *t) {
  return t->memories < 0 ? -1 : t->cells + t->memories;
}

void total_put_row(FILE *md, const total_t *t, const char *label) {
  fprintf(md, "| %s |", label);
  put_mm2(md, t->cells);
  put_mm2(md, t->memories);
  put_mm2(md, sum_of(t));
  put_mm2(md, t->l1);
  if (sum_of(t) >= 0 && t->l1 > 0)
    fprintf(md, " %.1f %% |\n", 100 * sum_of(t) / t->l1);
  else
    fputs(" - |\n", md);
}

void total_put_brief(FILE *md, const total_t *t) {
  fprintf(md, "  Area: %.4f mm2 of placed cells", t->cells);
  if (t->memories > 0) fprintf(md, ", %.4f of memories, %.4f in all", t->memories, sum_of(t));
  if (t->memories < 0) fputs(", memories not known", md);
  if (sum_of(t) >= 0 && t->l1 > 0)
    fprintf(md, "; that is %.1f %% of the L1's %.4f", 100 * sum_of(t) / t->l1, t->l1);
  fputs(".\n", md);
}

json_t *total_json(const total_t *t, const char *module, const char *column) {
  json_t *o = json_object();
  json_out_set(&o, "module", json_string(module));
  json_out_set(&o, "column", json_string(column));
  json_out_set(&o, "cells_mm2", json_real(t->cells));
  if (t->memories >= 0) json_out_set(&o, "memories_mm2", json_real(t->memories));
  if (sum_of(t) >= 0) json_out_set(&o, "all_mm2", json_real(sum_of(t)));
  if (t->l1 > 0) json_out_set(&o, "l1_mm2", json_real(t->l1));
  return o;
}
