/* SPDX-License-Identifier: Apache-2.0 */
#include "cosim/witness.h"

#include "base/output.h"
#include "verilog/icarus.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 600 };

struct witness {
  const module_class_t *cls;
  const char *who; /* a constant */
  uint32_t cfg[MODULE_MAX_PARAMS];
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  unsigned in_bits, out_bits;
  uint8_t *line; /* of the vectors, four bits each: inputs, outputs, and twice if masked */
  char dir[PATH_SIZE - 20];
  FILE *vectors;
  uint64_t cycles;
  bool masked;
};

static unsigned total_width(const module_port_t *ports, unsigned n) {
  unsigned bits = 0;
  for (unsigned i = 0; i < n; i++) bits += ports[i].width;
  return bits;
}

static unsigned line_digits(const witness_t *w, bool masked) {
  return (w->in_bits + (masked ? 2 : 1) * w->out_bits + 3) / 4;
}

int witness_open(witness_t **out, const char *dir, const char *who, const module_class_t *cls,
                 const uint32_t *cfg, mrpb_err_t *err) {
  *out = NULL;
  witness_t *w = calloc(1, sizeof *w);
  if (!w) return mrpb_fail(err, "%s: out of memory", dir);
  w->cls = cls;
  w->who = who;
  memcpy(w->cfg, cfg, cls->n_params * sizeof *cfg);
  cls->ports(cfg, w->in, w->out);
  w->in_bits = total_width(w->in, cls->n_in);
  w->out_bits = total_width(w->out, cls->n_out);
  snprintf(w->dir, sizeof w->dir, "%s", dir);
  w->line = malloc(line_digits(w, true));
  if (!w->line) mrpb_fail(err, "%s: out of memory", dir);
  w->vectors = w->line ? output_into(w->dir, "vectors.hex", err) : NULL;
  if (!w->vectors) {
    free(w->line);
    free(w);
    return -1;
  }
  *out = w;
  return 0;
}

/* Puts the ports' bits above bit `at` of `line`, the last port lowest, as in a Verilog
 * concatenation. */
static unsigned pack(uint8_t *line, unsigned at, const module_port_t *ports, unsigned n,
                     const uint64_t *words) {
  for (unsigned i = n; i-- > 0;)
    for (unsigned b = 0; b < ports[i].width; b++, at++)
      if (words[ports[i].word + b / 64] >> (b % 64) & 1) line[at / 4] |= (uint8_t)(1u << at % 4);
  return at;
}

void witness_masked(witness_t *w) {
  w->masked = true;
}

void witness_cycle(witness_t *w, const uint64_t *in, const uint64_t *out, const uint64_t *counts) {
  const unsigned digits = line_digits(w, w->masked);
  memset(w->line, 0, digits);
  unsigned bits = w->masked ? pack(w->line, 0, w->out, w->cls->n_out, counts) : 0;
  bits = pack(w->line, bits, w->out, w->cls->n_out, out);
  (void)pack(w->line, bits, w->in, w->cls->n_in, in);
  for (unsigned d = digits; d-- > 0;) fputc("0123456789abcdef"[w->line[d]], w -> vectors);
  fputc('\n', w->vectors);
  w->cycles++;
}

static void declare(FILE *f, const char *type, const module_port_t *ports, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    fprintf(f, "  %s [%u:0] %s;\n", type, ports[i].width - 1, ports[i].name);
}

static void list(FILE *f, const module_port_t *ports, unsigned n) {
  for (unsigned i = 0; i < n; i++) fprintf(f, "%s%s", i ? ", " : "", ports[i].name);
}

static void connect(FILE *f, const module_port_t *ports, unsigned n, bool first) {
  for (unsigned i = 0; i < n; i++, first = false)
    fprintf(f, "%s.%s(%s)", first ? "" : ", ", ports[i].name, ports[i].name);
}

static void instance(const witness_t *w, FILE *f, bool clocked) {
  fprintf(f, "  %s #(", w->cls->stem);
  for (unsigned i = 0; i < w->cls->n_params; i++)
    fprintf(f, "%s.%s(%u)", i ? ", " : "", w->cls->params[i].name, w->cfg[i]);
  fprintf(f, ") dut (%s", clocked ? ".clk_i(clk_i), " : "");
  connect(f, w->in, w->cls->n_in, true);
  connect(f, w->out, w->cls->n_out, false);
  fprintf(f, ");\n");
}

static bool is_output(const witness_t *w, const module_port_t *port, const char *stem,
                      const char *name) {
  return strcmp(w->cls->stem, stem) == 0 && strcmp(port->name, name) == 0;
}

/* Writes the comparison of one output, whose expected bits begin at `low`. What an SRAM shows is
 * unknown until its first read, and the model says 0 until then; from then on the output is
 * compared like the others. The words of a line that nothing has written stay unknown. */
static void compare(const witness_t *w, FILE *f, unsigned o, unsigned low) {
  const module_port_t *port = &w->out[o];
  const unsigned high = low + port->width - 1;
  const char *shown = port->name;
  if (is_output(w, port, "line_data", "data_o")) {
    shown = "line";
    fprintf(f,
            "      line = data_o;\n"
            "      for (k = 0; k < %u; k = k + 1)\n"
            "        if (line[32*k+:32] === {32{1'bx}} && wanted[%u+32*k+:32] === 0) "
            "line[32*k+:32] = 0;\n",
            port->width / 32, low);
  }
  if (is_output(w, port, "fifo_bank", "deq_data_o"))
    fprintf(f,
            "      if (^deq_data_o !== 1'bx) read = 1;\n"
            "      if (read || wanted[%u:%u] !== 0)\n",
            high, low);
  fprintf(f, "      if (%s", w->cls->n_regs > 0 ? "i > 0 && " : ""); /* x until the first reset */
  if (w->masked)
    fprintf(f, "((%s ^ wanted[%u:%u]) & counts[%u:%u]) !== 0", shown, high, low, high, low);
  else
    fprintf(f, "%s !== wanted[%u:%u]", shown, high, low);
  fprintf(f,
          ") begin differ = 1; "
          "$display(\"cycle %%0d: %s is %%h, %s says %%h\", i, %s, wanted[%u:%u]); end\n",
          port->name, w->who, shown, high, low);
}

static void write_bench(const witness_t *w, FILE *f) {
  const unsigned bits = w->in_bits + (w->masked ? 2 : 1) * w->out_bits, n_out = w->cls->n_out;
  fprintf(f, "`timescale 1ns/1ps\nmodule bench;\n  reg clk_i;\n");
  declare(f, "reg ", w->in, w->cls->n_in);
  declare(f, "wire", w->out, n_out);
  fprintf(f,
          "  reg [%u:0] vectors [0:%llu];\n  reg [%u:0] wanted, counts, line;\n"
          "  integer i, k, differ, read;\n",
          bits - 1, (unsigned long long)w->cycles - 1, w->out_bits - 1);
  instance(w, f, w->cls->n_regs > 0);
  fprintf(f,
          "  initial begin\n    $readmemh(\"vectors.hex\", vectors);\n    differ = 0;\n    read = "
          "0;\n    clk_i = 0;\n"
          "    for (i = 0; i < %llu && differ == 0; i = i + 1) begin\n      {",
          (unsigned long long)w->cycles);
  list(f, w->in, w->cls->n_in);
  fprintf(f, ", wanted%s} = vectors[i];\n      #4;\n", w->masked ? ", counts" : "");
  unsigned low = w->out_bits;
  for (unsigned o = 0; o < n_out; o++) {
    low -= w->out[o].width;
    compare(w, f, o, low);
  }
  fprintf(f, "      #1 clk_i = 1;\n      #5 clk_i = 0;\n    end\n"
             "    if (differ == 0) $display(\"matched %%0d cycles\", i);\n    $finish;\n  end\n"
             "endmodule\n");
}

int witness_close(witness_t *w, mrpb_err_t *err) {
  int rc = output_into_end(w->vectors, false, w->dir, "vectors.hex", err);
  FILE *f = rc == 0 ? output_into(w->dir, "bench.v", err) : NULL;
  if (f) write_bench(w, f);
  rc = f ? output_into_end(f, false, w->dir, "bench.v", err) : -1;
  free(w->line);
  free(w);
  return rc;
}

int witness_run(const char *dir, const char *rtl_dir, bool sv, witness_unset_t unset,
                mrpb_err_t *err) {
  const icarus_t how = {.sv = sv, .synthesis = unset == WITNESS_UNSET_X};
  char path[PATH_SIZE], text[400] = "";
  const int status = icarus_run(&how, dir, rtl_dir);
  snprintf(path, sizeof path, "%s/log", dir);
  FILE *log = fopen(path, "r");
  if (log) {
    text[fread(text, 1, sizeof text - 1, log)] = '\0';
    fclose(log);
  }
  text[strcspn(text, "\n")] = '\0';
  if (status != 0) {
    mrpb_fail(err, "%s: Icarus failed: %s", dir, text);
    return 2;
  }
  if (strncmp(text, "matched ", 8) == 0) return 0;
  mrpb_fail(err, "%s", text);
  return 1;
}
