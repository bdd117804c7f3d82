/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a bench that drives the stimulus and prints all outputs in every cycle, including x. */
#include "verilog/twice/twice.h"

#include "base/files.h"
#include "base/output.h"
#include "base/process.h"
#include "verilog/icarus.h"

#include <stdlib.h>
#include <string.h>

enum { SECONDS = 120 };

static const char mark[] = "@twice "; /* before the bench's lines, since a design may print, too */

static unsigned width_of(const module_port_t *port, unsigned n) {
  unsigned bits = 0;
  for (unsigned i = 0; i < n; i++) bits += port[i].width;
  return bits;
}

/* Writes the inputs of a cycle in binary, in the order of the ports. */
static void write_cycle(FILE *f, const module_port_t *in, unsigned n, const uint64_t *words) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned b = in[i].width; b-- > 0;)
      fputc('0' + (int)(words[in[i].word + b / 64] >> b % 64 & 1), f);
  fputc('\n', f);
}

static void write_ports(FILE *f, const char *type, const module_port_t *port, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    fprintf(f, "  %s [%u:0] %s;\n", type, port[i].width - 1, port[i].name);
}

static void write_names(FILE *f, const module_port_t *port, unsigned n) {
  for (unsigned i = 0; i < n; i++) fprintf(f, "%s%s", i ? ", " : "", port[i].name);
}

static void connect(FILE *f, const module_port_t *port, unsigned n) {
  for (unsigned i = 0; i < n; i++) fprintf(f, ", .%s(%s)", port[i].name, port[i].name);
}

static void write_bench(FILE *f, const twice_job_t *job, const module_port_t *in,
                        const module_port_t *out, size_t n) {
  const module_class_t *cls = job->cls;
  fprintf(f, "`timescale 1ns/1ps\nmodule bench;\n  reg clk_i;\n  integer i;\n");
  write_ports(f, "reg ", in, cls->n_in);
  write_ports(f, "wire", out, cls->n_out);
  fprintf(f, "  reg [%u:0] vectors [0:%zu];\n  %s #(", width_of(in, cls->n_in) - 1, n - 1,
          cls->stem);
  for (unsigned i = 0; i < cls->n_params; i++)
    fprintf(f, "%s.%s(%u)", i ? ", " : "", cls->params[i].name, job->cfg[i]);
  fprintf(f, ") dut (%s.%s(%s)", cls->n_regs > 0 ? ".clk_i(clk_i), " : "", in[0].name, in[0].name);
  connect(f, in + 1, cls->n_in - 1);
  connect(f, out, cls->n_out);
  fprintf(f,
          ");\n  initial begin\n    $readmemb(\"vectors.bin\", vectors);\n    clk_i = 0;\n"
          "    for (i = 0; i < %zu; i = i + 1) begin\n      {",
          n);
  write_names(f, in, cls->n_in);
  fprintf(f, "} = vectors[i];\n      #4 $display(\"%s%%b\", {", mark);
  write_names(f, out, cls->n_out);
  fprintf(f, "});\n      #1 clk_i = 1;\n      #5 clk_i = 0;\n    end\n    $finish;\n  end\n"
             "endmodule\n");
}

static int write_files(const twice_job_t *job, const twice_stimulus_t *s, size_t n,
                       const module_port_t *in, const module_port_t *out, mrpb_err_t *err) {
  FILE *f = output_into(job->temp, "vectors.bin", err);
  if (!f) return -1;
  for (size_t t = 0; t < n; t++) write_cycle(f, in, job->cls->n_in, s->in + t * job->cls->in_words);
  if (output_into_end(f, false, job->temp, "vectors.bin", err) != 0) return -1;
  f = output_into(job->temp, "bench.v", err);
  if (!f) return -1;
  write_bench(f, job, in, out, n);
  return output_into_end(f, false, job->temp, "bench.v", err);
}

/* Joins the marked lines; NULL if there are fewer than `n` lines of `bits` characters. */
static char *take_lines(char *log, size_t n, unsigned bits) {
  char *said = malloc(n * bits + 1);
  size_t got = 0;
  for (char *at = log; said && (at = strstr(at, mark)) && got < n; got++) {
    at += sizeof mark - 1;
    if (strspn(at, "01xz") != bits) break;
    memcpy(said + got * bits, at, bits);
  }
  if (said && got == n) return said;
  free(said);
  return NULL;
}

char *twice_icarus(const twice_job_t *job, const twice_stimulus_t *s, size_t n,
                   char why[TWICE_TEXT]) {
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  mrpb_err_t unheard = {""};
  char log[FILES_PATH], *said = NULL;
  const icarus_t how = {.sv = job->bind != NULL, .seconds = SECONDS};
  job->cls->ports(job->cfg, in, out);
  snprintf(why, TWICE_TEXT, "Icarus is not installed");
  if (!job->icarus[0] || !files_path(log, "%s/log", job->temp) ||
      write_files(job, s, n, in, out, &unheard) != 0)
    return NULL;
  const int status = icarus_run(&how, job->temp, job->dir);
  char *text = files_read(log, NULL);
  if (text) said = take_lines(text, n, width_of(out, job->cls->n_out));
  free(text);
  snprintf(why, TWICE_TEXT, "%s %s", job->icarus,
           status == PROCESS_TOO_LATE ? "does not finish with this design"
                                      : "does not read this design");
  return said;
}
