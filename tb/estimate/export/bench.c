/* SPDX-License-Identifier: Apache-2.0 */
/* A test bench that plays one stimulus, with the outputs that the C model gives to it. Icarus runs
 * it on the Verilog and on the netlist; what changes in these runs is written as SAIF. */
#include "estimate/export/state.h"

#include "base/output.h"
#include "cosim/stim/stim.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LIMIT = 3600, RESETS = 2, MOST_WORDS = MODULE_MAX_WORDS };

static unsigned all_bits(const module_port_t *p, unsigned n) {
  unsigned bits = 0;
  for (unsigned i = 0; i < n; i++) bits += p[i].width;
  return bits;
}

/* ---- stimulus ---- */

/* Puts the ports' bits above bit `at` of `line`, the first port lowest. */
static unsigned pack(uint8_t *line, unsigned at, const module_port_t *p, unsigned n,
                     const uint64_t *words) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned b = 0; b < p[i].width; b++, at++)
      if (words[p[i].word + b / 64] >> (b % 64) & 1) line[at / 4] |= (uint8_t)(1u << at % 4);
  return at;
}

static void put_line(const export_t *e, FILE *f, const uint64_t *in, const uint64_t *out) {
  uint8_t line[64 * MOST_WORDS] = {0};
  unsigned bits = pack(line, 0, e->in, e->cls->n_in, in);
  bits = pack(line, bits, e->out, e->cls->n_out, out);
  for (unsigned d = (bits + 3) / 4; d-- > 0;) fputc("0123456789abcdef"[line[d]], f);
  fputc('\n', f);
}

/* A stimulus may set bits that a port does not have. */
static void cut(const export_t *e, uint64_t *in) {
  for (unsigned i = 0; i < e->cls->n_in; i++) {
    const module_port_t *p = &e->in[i];
    if (p->width % 64) in[p->word + p->width / 64] &= (UINT64_C(1) << p->width % 64) - 1;
  }
}

/* The inputs of every cycle with the model's outputs; the first cycles are a reset. */
static int put_stimulus(const export_t *e, FILE *f, mrpb_err_t *err) {
  const stim_class_t *stim = stim_class(e->cls->stem);
  uint64_t in[MOST_WORDS] = {0}, out[MOST_WORDS] = {0};
  void *model = NULL, *state = stim ? calloc(1, stim->size) : NULL;
  if (!state) return mrpb_fail(err, "%s: no stimulus for it", e->cls->stem);
  int rc = e->cls->create(&model, e->cfg, err);
  if (rc == 0) stim->start(state, e->cfg, e->opt->seed);
  for (uint64_t t = 0; rc == 0 && t < e->opt->cycles; t++) {
    stim->next(state, model, in);
    cut(e, in);
    if (export_clocked(e) && t < RESETS) in[e->in[0].word] = 0;
    e->cls->comb(model, in, out);
    put_line(e, f, in, out);
    e->cls->edge(model, in);
  }
  if (model) e->cls->destroy(model);
  free(state);
  return rc;
}

/* ---- the bench ---- */

static unsigned connect(FILE *f, const module_port_t *p, unsigned n, const char *side, unsigned at,
                        bool first) {
  for (unsigned i = 0; i < n; i++, first = false) {
    fprintf(f, "%s\n    .%s(%s", first ? "" : ",", p[i].name, side);
    if (p[i].width > 1)
      fprintf(f, "[%u:%u])", at + p[i].width - 1, at);
    else
      fprintf(f, "[%u])", at);
    at += p[i].width;
  }
  return at;
}

/* Before the first read of a synchronous memory its output is x, and the model says 0: fifo_bank
 * shows it. */
static const char *compare(const export_t *e) {
  return strcmp(e->cls->stem, "fifo_bank") == 0
             ? "(out ^ vector[i][ALL-1:INS]) === 0 || ^out === 1'bx"
             : "out === vector[i][ALL-1:INS]";
}

static void put_loop(const export_t *e, FILE *f) {
  const unsigned half = (unsigned)(500 / e->clock_ghz + 0.5);
  fprintf(f,
          "  initial begin\n"
          "    $readmemh(\"sim/%s_tb.hex\", vector);\n"
          "    if ($test$plusargs(\"vcd\")) begin\n"
          "      $dumpfile(\"%s_tb.vcd\");\n"
          "      $dumpvars(0, dut);\n"
          "    end\n"
          "    for (i = 0; i < CYCLES; i = i + 1) begin\n"
          "      in = vector[i][INS-1:0];\n"
          "      #%u;\n"
          "      if (i >= %u && !(%s)) begin\n"
          "        $display(\"cycle %%0d: outputs %%h, expected %%h\", i, out, "
          "vector[i][ALL-1:INS]);\n"
          "        errors = errors + 1;\n"
          "      end\n"
          "      clk = 1'b1;\n"
          "      #%u;\n"
          "      clk = 1'b0;\n"
          "    end\n"
          "    $display(\"%s: %%0d cycles, %%0d errors\", i, errors);\n"
          "    $finish;\n"
          "  end\n"
          "endmodule\n",
          e->cls->stem, e->cls->stem, half, export_clocked(e) ? RESETS - 1 : 0, compare(e), half,
          e->cls->stem);
}

static void put_bench(const export_t *e, FILE *f) {
  const unsigned ins = all_bits(e->in, e->cls->n_in), outs = all_bits(e->out, e->cls->n_out);
  fprintf(
      f,
      "// SPDX-License-Identifier: Apache-2.0\n"
      "// Plays a stimulus and compares the outputs with those of the C model. Run it from the\n"
      "// folder above; +vcd writes %s_tb.vcd.\n"
      "`timescale 1ps/1ps\n"
      "module %s_tb;\n"
      "  localparam integer CYCLES = %" PRIu64 ";\n"
      "  localparam integer INS    = %u;\n"
      "  localparam integer ALL    = %u;\n"
      "  reg  [ALL-1:0] vector [0:CYCLES-1];  // {outputs, inputs}\n"
      "  reg  [INS-1:0] in;\n"
      "  wire [ALL-INS-1:0] out;\n"
      "  reg            clk = 1'b0;\n"
      "  integer        i, errors = 0;\n"
      "  %s dut (",
      e->cls->stem, e->cls->stem, e->opt->cycles, ins, ins + outs, e->cls->stem);
  if (export_clocked(e)) fprintf(f, "\n    .clk_i(clk)");
  (void)connect(f, e->in, e->cls->n_in, "in", 0, !export_clocked(e));
  (void)connect(f, e->out, e->cls->n_out, "out", 0, false);
  fprintf(f, "\n  );\n\n");
  put_loop(e, f);
}

/* ---- runs ---- */

/* Runs the bench on the Verilog (gates: on the netlist), and writes the SAIF. */
static int play(export_t *e, bool gates, mrpb_err_t *err) {
  char bench[EXPORT_NAME], list[EXPORT_NAME], top[EXPORT_NAME], net[EXPORT_NAME], line[200];
  char name[EXPORT_NAME], vcd[FILES_PATH], scope[EXPORT_NAME + 8];
  EXPORT_NAMED(e, bench, "sim/%s_tb.v");
  EXPORT_NAMED(e, list, "%s.f");
  EXPORT_NAMED(e, top, "%s_tb");
  EXPORT_NAMED(e, net, "gates/%s.v");
  const char *const rtl[] = {"iverilog", "-g2005", "-o", ".scratch/tb.vvp", "-s", top, "-f",
                             list,       bench,    NULL};
  const char *const cells[] = {
      "iverilog", "-g2005", "-o", ".scratch/tb.vvp", "-s", top, "gates/cells.v", "gates/macros.v",
      net,        bench,    NULL};
  static const char *const vvp[] = {"vvp", "-n", ".scratch/tb.vvp", "+vcd", NULL};
  const char *const log = gates ? ".scratch/gates.log" : ".scratch/rtl.log";
  if (tools_run(e->work, gates ? cells : rtl, log, LIMIT, err) != 0 ||
      tools_run(e->work, vvp, log, LIMIT, err) != 0)
    return -1;
  tools_find_line(e->work, log, "cycle ", line, sizeof line);
  if (line[0])
    return mrpb_fail(err, "%s: the %s differs from the C model: %s", e->cls->stem,
                     gates ? "netlist" : "Verilog", line);
  tools_find_line(e->work, log, " cycles, 0 errors", line, sizeof line);
  if (!line[0]) return mrpb_fail(err, "%s: vvp ended before the end of the bench", e->cls->stem);
  if (!files_path(vcd, "%s/%s_tb.vcd", e->work, e->cls->stem))
    return mrpb_fail(err, "path too long");
  snprintf(name, sizeof name, "sim/%.48s_%s.saif", e->cls->stem, gates ? "gates" : "rtl");
  snprintf(scope, sizeof scope, "%.100s.dut", top);
  FILE *f = export_open(e, name, err);
  int rc = f ? export_saif(vcd, scope, e->cls->stem, f, err) : -1;
  if (f && export_close(e, f, name, err) != 0) rc = -1;
  (void)unlink(vcd);
  return rc;
}

int export_bench(export_t *e, mrpb_err_t *err) {
  char name[EXPORT_NAME];
  if (!e->opt->run) return 0;
  EXPORT_NAMED(e, name, "sim/%s_tb.hex");
  FILE *f = export_open(e, name, err);
  int rc = f ? put_stimulus(e, f, err) : -1;
  if (f && export_close(e, f, name, err) != 0) rc = -1;
  EXPORT_NAMED(e, name, "sim/%s_tb.v");
  if (rc != 0 || !(f = export_open(e, name, err))) return -1;
  put_bench(e, f);
  if (export_close(e, f, name, err) != 0 || play(e, false, err) != 0) return -1;
  return e->opt->logic.on ? play(e, true, err) : 0;
}
