/* SPDX-License-Identifier: Apache-2.0 */
/* The mapped netlist, and what a simulator needs for it: its cells, as Yosys reads them from the
 * Liberty file, and its memories. */
#include "estimate/export/state.h"

#include "base/output.h"

#include <stdlib.h>
#include <string.h>

enum { LIMIT = 600 };

/* ---- memories ---- */

static void put_macro_ports(const sram_t *s, FILE *f) {
  const unsigned bits = sram_address_bits(s);
  char pin[SRAM_NAME];
  fprintf(f, "  input  wire clk");
  for (unsigned i = 0; i < sram_enables(s); i++) {
    sram_enable(s, i, pin);
    fprintf(f, ",\n  input  wire %s", pin);
  }
  if (s->clocked) fprintf(f, ",\n  input  wire re");
  for (unsigned i = 0; i < bits; i++)
    fprintf(f, ",\n  input  wire waddr_%u,\n  input  wire raddr_%u", i, i);
  for (unsigned i = 0; i < s->bits; i++)
    fprintf(f, ",\n  input  wire wdata_%u,\n  output wire rdata_%u", i, i);
}

static void put_vector(FILE *f, const char *name, unsigned n) {
  fprintf(f, "{");
  for (unsigned i = n; i-- > 0;) fprintf(f, "%s_%u%s", name, i, i ? ", " : "}");
}

static void put_writes(FILE *f, const sram_t *s) {
  const unsigned n = sram_enables(s);
  char pin[SRAM_NAME];
  fprintf(f, "  wire [%u:0] wdata = ", s->bits - 1);
  put_vector(f, "wdata", s->bits);
  fprintf(f, ";\n");
  for (unsigned i = 0; i < n; i++) {
    const unsigned low = i * s->part, high = i + 1 < n ? low + s->part - 1 : s->bits - 1;
    sram_enable(s, i, pin);
    fprintf(f, "  always @(posedge clk) if (%s) mem[waddr][%u:%u] <= wdata[%u:%u];\n", pin, high,
            low, high, low);
  }
}

/* A word that is read in the cycle of its write is the old one, as in the Verilog. Memories power
 * up as 0, as there. */
static void put_macro(const sram_t *s, FILE *f) {
  char cell[SRAM_NAME + 8];
  const unsigned bits = sram_address_bits(s);
  sram_cell(s, cell);
  fprintf(f, "module %s (\n", cell);
  put_macro_ports(s, f);
  fprintf(f,
          "\n);\n  reg [%u:0] mem [0:%u];\n  integer i;\n  initial for (i = 0; i < %u; i = i + 1)"
          " mem[i] = 0;\n",
          s->bits - 1, s->words - 1, s->words);
  fprintf(f, "  wire [%u:0] waddr = ", bits - 1);
  put_vector(f, "waddr", bits);
  fprintf(f, ";\n  wire [%u:0] raddr = ", bits - 1);
  put_vector(f, "raddr", bits);
  fprintf(f, ";\n");
  put_writes(f, s);
  if (s->clocked) {
    fprintf(f, "  reg [%u:0] rdata;\n  always @(posedge clk) if (re) rdata <= mem[raddr];\n",
            s->bits - 1);
  } else {
    fprintf(f, "  wire [%u:0] rdata = mem[raddr];\n", s->bits - 1);
  }
  fprintf(f, "  assign ");
  put_vector(f, "rdata", s->bits);
  fprintf(f, " = rdata;\nendmodule\n\n");
}

/* Whether a memory before number `i` has the same cell. */
static bool is_repeated(const synth_job_t *job, unsigned i) {
  for (unsigned k = 0; k < i; k++)
    if (strcmp(job->sram[k].macro, job->sram[i].macro) == 0 &&
        job->sram[k].clocked == job->sram[i].clocked)
      return true;
  return false;
}

static int put_macros(export_t *e, mrpb_err_t *err) {
  const synth_job_t *job = &e->job.synth;
  FILE *f = export_open(e, "gates/macros.v", err);
  if (!f) return -1;
  fprintf(f,
          "// SPDX-License-Identifier: Apache-2.0\n"
          "// The memories of the netlist, for simulation. A compiled memory takes their place.\n");
  for (unsigned i = 0; i < job->n_srams; i++)
    if (!is_repeated(job, i)) put_macro(&job->sram[i], f);
  return export_close(e, f, "gates/macros.v", err);
}

/* The list of memories; it is there, with its head alone, if there are none. */
static int put_list(export_t *e, const sram_t *sram, unsigned n, mrpb_err_t *err) {
  FILE *f = export_open(e, "macros.csv", err);
  if (!f) return -1;
  fprintf(f, "array,cell,words,bits,address_bits,read_ports,write_ports,write_bits,read,access_ns,"
             "setup_ns,"
             "area_um2,figures_from\n");
  for (unsigned i = 0; i < n; i++) {
    const sram_t *s = &sram[i];
    char cell[SRAM_NAME + 8];
    sram_cell(s, cell);
    fprintf(f, "%s,%s,%u,%u,%u,1,1,%u,%s,", s->array, cell, s->words, s->bits, sram_address_bits(s),
            sram_enables(s) > 1 ? s->part : s->bits,
            s->clocked ? "at the clock edge" : "within the cycle");
    if (s->access_ns > 0)
      fprintf(f, "%.6g,%.6g,%.6g,%s\n", s->access_ns, s->setup_ns, s->area_um2,
              s->source[0] ? s->source : "assumed");
    else
      fprintf(f, ",,,\n");
  }
  return export_close(e, f, "macros.csv", err);
}

/* ---- cells ---- */

/* Yosys takes from the library only the cells of the netlist. */
static int put_cells(export_t *e, mrpb_err_t *err) {
  static const char *const yosys[] = {"yosys", "-q", "-s", "cells.ys", NULL};
  char path[FILES_PATH];
  FILE *f = output_into(e->scratch, "cells.ys", err);
  if (!f) return -1;
  for (unsigned i = 0; i < e->job.synth.n_srams; i++)
    fprintf(f, "read_liberty -lib -ignore_miss_func %s/%s.lib\n", e->logic.folder,
            e->job.synth.sram[i].macro);
  fprintf(f,
          "read_liberty -ignore_miss_func %s\n"
          "read_verilog %s/net.v\n"
          "hierarchy -top %s\n"
          "delete %s =A:blackbox\n"
          "opt_clean -purge\n"
          "write_verilog -noattr cells.v\n",
          e->flow.lib.written, e->logic.folder, e->cls->stem, e->cls->stem);
  if (output_into_end(f, false, e->scratch, "cells.ys", err) != 0 ||
      tools_run(e->scratch, yosys, "cells.log", LIMIT, err) != 0)
    return -1;
  if (!files_path(path, "%s/cells.v", e->scratch)) return mrpb_fail(err, "path too long");
  return export_copy(e, path, "gates/cells.v", err);
}

int export_netlist(export_t *e, mrpb_err_t *err) {
  char path[FILES_PATH], name[EXPORT_NAME];
  sram_t sram[SRAM_MAX];
  if (!e->opt->logic.on) {
    const int n = sram_of(e->cls, e->cfg, sram, err);
    return n < 0 ? -1 : put_list(e, sram, (unsigned)n, err);
  }
  const int rc = logic_estimate_all(&e->job, &e->logic, 1, 1, e->opt->logic.stop, err);
  if (rc != 0) return rc;
  EXPORT_NAMED(e, name, "gates/%s.v");
  if (!files_path(path, "%s/net.v", e->logic.folder)) return mrpb_fail(err, "path too long");
  if (export_copy(e, path, name, err) != 0) return -1;
  for (unsigned i = 0; i < e->job.synth.n_srams; i++) {
    snprintf(name, sizeof name, "gates/%.100s.lib", e->job.synth.sram[i].macro);
    if (!files_path(path, "%s/%s.lib", e->logic.folder, e->job.synth.sram[i].macro))
      return mrpb_fail(err, "path too long");
    if (!is_repeated(&e->job.synth, i) && export_copy(e, path, name, err) != 0) return -1;
  }
  if (put_macros(e, err) != 0 || put_cells(e, err) != 0) return -1;
  return put_list(e, e->job.synth.sram, e->job.synth.n_srams, err);
}
