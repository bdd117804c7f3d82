/* SPDX-License-Identifier: Apache-2.0 */
/* A condition refers to the model's inputs and outputs of one cycle. For an output that comes N
 * cycles late, it uses the inputs of N cycles ago, and the outputs that come less late, delayed by
 * the difference. */
#include "verify/mutate/counts.h"

#include <string.h>

void counts_modules(const bind_t *b, FILE *f) {
  const scope_t ours = bind_ours(b);
  for (unsigned i = 0; i < b->cls->n_out; i++) {
    if (!b->output[i].when) continue;
    fprintf(f, "module counts_%u (", i);
    for (unsigned k = 0; k < b->cls->n_in; k++)
      fprintf(f, "input wire [%u:0] %s, ", b->in[k].width - 1, b->in[k].name);
    for (unsigned k = 0; k < b->cls->n_out; k++)
      fprintf(f, "input wire [%u:0] %s, ", b->out[k].width - 1, b->out[k].name);
    fputs("output wire counts);\n  assign counts = (", f);
    expr_print(b->output[i].when, &ours, f);
    fputs(") != 0;\nendmodule\n", f);
  }
}

/* A wire as it was `late` cycles ago: NAME_dLATE. */
static void delayed(const char *prefix, const module_port_t *p, unsigned late, FILE *f) {
  for (unsigned k = 1; k <= late; k++) {
    char before[160];
    if (k == 1)
      snprintf(before, sizeof before, "%s%s", prefix, p->name);
    else
      snprintf(before, sizeof before, "%s%s_d%u", prefix, p->name, k - 1);
    fprintf(f, "  reg [%u:0] %s%s_d%u;\n  always @(posedge clk_i) %s%s_d%u <= %s;\n", p->width - 1,
            prefix, p->name, k, prefix, p->name, k, before);
  }
}

static void name_then(const char *prefix, const char *name, unsigned late, FILE *f) {
  fprintf(f, late ? "%s%s_d%u" : "%s%s", prefix, name, late);
}

static unsigned latest(const bind_t *b) {
  unsigned late = 0;
  for (unsigned i = 0; i < b->cls->n_out; i++)
    if (b->output[i].late > late) late = b->output[i].late;
  return late;
}

/* A condition that may refer to a still later output is not known in time: the output then always
 * counts. */
static void condition(const bind_t *b, unsigned i, FILE *f) {
  const unsigned late = b->output[i].late;
  if (latest(b) > late) {
    fprintf(f, "  wire when_%u = 1'b1;\n", i);
    return;
  }
  fprintf(f, "  wire when_%u;\n  counts_%u u_counts_%u (", i, i, i);
  for (unsigned k = 0; k < b->cls->n_in; k++) {
    fprintf(f, ".%s(", b->in[k].name);
    name_then("", b->in[k].name, late, f);
    fputs("), ", f);
  }
  for (unsigned k = 0; k < b->cls->n_out; k++) {
    fprintf(f, ".%s(", b->out[k].name);
    name_then("good_", b->out[k].name, late - b->output[k].late, f);
    fputs("), ", f);
  }
  fprintf(f, ".counts(when_%u));\n", i);
}

void counts_wires(const bind_t *b, FILE *f) {
  const unsigned most = latest(b);
  const bool reset = b->cls->n_in > 0 && strcmp(b->in[0].name, "srst_ni") == 0;
  for (unsigned k = 0; k < b->cls->n_in; k++) delayed("", &b->in[k], most, f);
  for (unsigned k = 0; k < b->cls->n_out; k++)
    delayed("good_", &b->out[k], most - b->output[k].late, f);
  for (unsigned i = 0; i < b->cls->n_out; i++) {
    const bind_output_t *o = &b->output[i];
    if (o->when) condition(b, i, f);
    fprintf(f, "  wire count_%u = %s", i, o->there ? "1'b1" : "1'b0");
    if (o->when) fprintf(f, " & when_%u", i);
    for (unsigned k = b->reset_async ? 0 : 1; reset && k <= o->late; k++) {
      fputs(" & ", f);
      name_then("", "srst_ni", k, f);
    }
    fputs(";\n", f);
  }
}
