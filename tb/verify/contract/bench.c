/* SPDX-License-Identifier: Apache-2.0 */
/* The bench uses only the SystemVerilog that Icarus reads. */
#include "verify/contract/bench.h"

#include "base/files.h"
#include "base/output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const contract_setup_t *s;
  const module_class_t *cls;
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  uint64_t *counts;
  contract_play_t *play;
  FILE *f;
} bench_t;

/* Writes a port's bits of `words`; with `mask`, those of them that it has. */
static void write_value(FILE *f, const module_port_t *p, const uint64_t *words,
                        const uint64_t *mask) {
  fprintf(f, "%u'h", p->width);
  for (unsigned d = (p->width + 3) / 4; d-- > 0;) {
    const unsigned w = p->word + d / 16;
    fprintf(f, "%x", (unsigned)((words[w] & (mask ? mask[w] : UINT64_MAX)) >> 4 * (d % 16)) & 15);
  }
}

static bool any(const module_port_t *p, const uint64_t *words) {
  for (unsigned w = 0; w <= (p->width - 1) / 64; w++)
    if (words[p->word + w]) return true;
  return false;
}

static void compare(bench_t *b, const module_port_t *p, size_t t) {
  if (!bind_said_output(b->s->bind, p->name) || !any(p, b->counts)) return;
  fprintf(b->f, "    if ((%s & ", p->name);
  write_value(b->f, p, b->counts, NULL);
  fprintf(b->f, ") !== ");
  write_value(b->f, p, contract_play_out(b->play), b->counts);
  fprintf(b->f, ") bad(%zu, \"%s\");\n", t, p->name);
}

static void write_cycles(bench_t *b, const contract_case_t *c) {
  for (size_t t = 0; t < c->n; t++) {
    const uint64_t *in = contract_row(b->s->of, c, t);
    (void)contract_play_cycle(b->play, in);
    fprintf(b->f, "    clk_i = 0;");
    for (unsigned i = 0; i < b->cls->n_in; i++) {
      fprintf(b->f, " %s = ", b->in[i].name);
      write_value(b->f, &b->in[i], in, NULL);
      fputc(';', b->f);
    }
    fprintf(b->f, " #5;\n");
    memset(b->counts, 0, b->cls->out_words * sizeof *b->counts);
    if (t >= CONTRACT_HEAD) b->s->of->counts(b->s, in, contract_play_out(b->play), b->counts);
    for (unsigned i = 0; i < b->cls->n_out; i++) compare(b, &b->out[i], t);
    fprintf(b->f, "    clk_i = 1; #5;\n");
  }
}

static void write_bench(bench_t *b, const contract_case_t *c) {
  FILE *f = b->f;
  fprintf(f, "\nmodule bench;\n  reg clk_i;\n  integer differs = 0;\n");
  for (unsigned i = 0; i < b->cls->n_in; i++)
    fprintf(f, "  reg [%u:0] %s;\n", b->in[i].width - 1, b->in[i].name);
  for (unsigned i = 0; i < b->cls->n_out; i++)
    fprintf(f, "  wire [%u:0] %s;\n", b->out[i].width - 1, b->out[i].name);
  fprintf(f, "  %s dut (.clk_i(clk_i)", b->cls->stem);
  for (unsigned i = 0; i < b->cls->n_in; i++) fprintf(f, ", .%s(%s)", b->in[i].name, b->in[i].name);
  for (unsigned i = 0; i < b->cls->n_out; i++)
    fprintf(f, ", .%s(%s)", b->out[i].name, b->out[i].name);
  fprintf(f, ");\n  task bad(input integer cycle, input [8*24-1:0] name);\n    begin\n      "
             "$display(\"cycle %%0d: %%0s "
             "differs\", cycle, name);\n      differs = differs + 1;\n    end\n  endtask\n  "
             "initial begin\n");
  write_cycles(b, c);
  fprintf(
      f,
      "    if (differs == 0) $display(\"same in %zu cycles\");\n    $finish;\n  end\nendmodule\n",
      c->n);
}

int contract_bench_write(const char *path, const contract_setup_t *s, const contract_case_t *c,
                         mrpb_err_t *err) {
  char temp[OUTPUT_NAME], text[FILES_PATH];
  bench_t b = {.s = s, .cls = s->of->cls};
  if (!s->lib) return mrpb_fail(err, "--bench: legal: with a design in Verilog");
  (void)files_path(text, "%s/%s.v", rtl_lib_made(s->lib)->dir, b.cls->stem);
  b.cls->ports(s->cfg, b.in, b.out);
  b.counts = calloc(b.cls->out_words, sizeof *b.counts);
  b.play = b.counts ? contract_play_open(s, c->seed) : NULL;
  char *design = files_read(text, NULL);
  b.f = b.play && design ? output_open(path, temp, err) : NULL;
  if (!b.play || !design) mrpb_fail(err, "%s: cannot be read", text);
  if (b.f) {
    fputs(design, b.f);
    write_bench(&b, c);
  }
  const int rc = b.f ? output_close(b.f, ferror(b.f) != 0, path, temp, err) : -1;
  contract_play_close(b.play);
  free(b.counts);
  free(design);
  return rc;
}
