/* SPDX-License-Identifier: Apache-2.0 */
/* Writes a module around the wrapper. To wait for late outputs, it delays inputs, registers and the
 * other outputs until the latest output is there. The properties then see a module in which nothing
 * is late. */
#include "verify/properties/properties_design.h"

#include "base/files.h"
#include "base/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const rtl_source_t *s;
  const bind_t *b;
  const module_class_t *cls;
  const char *root, *dir, *constants;
  module_reg_t regs[MODULE_MAX_REGS];
  unsigned latest;
  mrpb_err_t *err;
} view_t;

/* ---- the module ---- */

/* NAME is NAME_now delayed by `cycles`. */
static void delayed(const char *name, unsigned width, unsigned cycles, bool reset, FILE *f) {
  for (unsigned k = 1; k <= cycles; k++) {
    fprintf(f, "  reg [%u:0] %s_%u%s;\n", width - 1, name, k, reset ? " = 1'b0" : "");
    fprintf(f, "  always @(posedge clk_i) %s_%u <= %s_", name, k, name);
    fprintf(f, k == 1 ? "now;\n" : "%u;\n", k - 1);
  }
  fprintf(f, "  wire [%u:0] %s = %s_", width - 1, name, name);
  fprintf(f, cycles == 0 ? "now;\n" : "%u;\n", cycles);
}

static bool is_reset(const char *name) {
  return strcmp(name, "srst_ni") == 0;
}

/* Nothing is checked between the reset that begins a run and the answers to its first cycles. */
static void write_start(const view_t *v, FILE *f) {
  fprintf(f, "  reg [5:0] f_cycle = 6'd0;\n"
             "  always @(posedge clk_i) if (f_cycle != 6'd63) f_cycle <= f_cycle + 6'd1;\n");
  fprintf(f, "  wire f_aligned = f_cycle >= 6'd%u;\n", v->latest);
  fprintf(f, "  always @* if (f_cycle == 6'd0) assume (!srst_ni_now);\n");
  /* Another reset would discard data in flight, at once or at the edge. */
  if (v->latest > 0 || (v->b->reset_async && !v->constants))
    fprintf(f, "  always @* if (f_cycle != 6'd0) assume (srst_ni_now);\n");
}

/* The design's inputs undelayed: the properties may wait for answers. */
static int input_now(void *ctx, const step_t *path, signal_t *s, mrpb_err_t *err) {
  const scope_t ours = bind_ours(ctx);
  if (ours.signal(ours.ctx, path, s, err) != 0) return -1;
  return snprintf(s->name + strlen(s->name), sizeof s->name - strlen(s->name), "_now") > 0 ? 0 : -1;
}

static void write_assumptions(const view_t *v, FILE *f) {
  scope_t now = bind_ours(v->b);
  now.signal = input_now;
  for (unsigned i = 0; i < v->b->map->n; i++) {
    if (v->b->map->statement[i].kind != MAP_ASSUME) continue;
    fputs("  always @* if (srst_ni_now) assume ((", f);
    expr_print(v->b->map->statement[i].from, &now, f);
    fputs(") != 0);\n", f);
  }
}

static void write_outputs(const view_t *v, FILE *f) {
  const bind_t *b = v->b;
  const scope_t ours = bind_ours(b);
  for (unsigned i = 0; i < v->cls->n_out; i++) {
    const bind_output_t *o = &b->output[i];
    char name[MAP_NAME];
    snprintf(name, sizeof name, o->when ? "%s_any" : "%s", b->out[i].name);
    fprintf(f, "  wire [%u:0] %s_now;\n", b->out[i].width - 1, name);
    delayed(name, b->out[i].width, v->latest - o->late, false, f);
    if (!o->when) continue;
    fprintf(f, "  wire [%u:0] %s = (", b->out[i].width - 1, b->out[i].name);
    expr_print(o->when, &ours, f);
    fprintf(f, ") != 0 ? %s : %u'd0;\n", name, b->out[i].width);
  }
}

static void write_registers(const view_t *v, FILE *f) {
  for (unsigned r = 0; r < v->cls->n_regs; r++) {
    const module_reg_t *g = &v->regs[r];
    for (unsigned w = 0; w < g->words; w++) {
      char name[2 * MAP_NAME];
      snprintf(name, sizeof name, "r%u_%u", r, w);
      fprintf(f, "  wire [%u:0] %s_now;\n", g->width - 1, name);
      delayed(name, g->width, v->latest, false, f);
    }
    if (strchr(g->name, '.')) continue;
    if (!g->array) {
      fprintf(f, "  wire [%u:0] %s = r%u_0;\n", g->width - 1, g->name, r);
      continue;
    }
    fprintf(f, "  (* mem2reg *) reg [%u:0] %s [0:%u];\n  always @* begin\n", g->width - 1, g->name,
            g->words - 1);
    for (unsigned w = 0; w < g->words; w++) fprintf(f, "    %s[%u] = r%u_%u;\n", g->name, w, r, w);
    fprintf(f, "  end\n");
  }
}

static void write_instance(const view_t *v, FILE *f) {
  const bind_t *b = v->b;
  fprintf(f, "  %s u_wrapper (", v->cls->stem);
  if (v->cls->n_regs > 0) fputs(".clk_i(clk_i)", f);
  for (unsigned i = 0; i < v->cls->n_in; i++)
    fprintf(f, "%s.%s(%s_now)", i || v->cls->n_regs ? ", " : "", b->in[i].name, b->in[i].name);
  for (unsigned i = 0; i < v->cls->n_out; i++)
    if (b->output[i].there)
      fprintf(f, ", .%s(%s%s_now)", b->out[i].name, b->out[i].name,
              b->output[i].when ? "_any" : "");
  fputs(");\n", f);
}

/* Writes the parameters and our module's localparams, which define its widths. */
static int write_constants(const view_t *v, FILE *f) {
  char path[FILES_PATH], *save = NULL;
  for (unsigned i = 0; i < v->cls->n_params; i++)
    fprintf(f, "  localparam %s = %u;\n", v->cls->params[i].name, v->b->cfg[i]);
  if (v->constants) {
    fputs(v->constants, f);
    return 0;
  }
  char *text =
      files_path(path, "%s/rtl/%s.v", v->root, v->cls->stem) ? files_read(path, NULL) : NULL;
  if (!text) return mrpb_fail(v->err, "%s: cannot read: %s", path, strerror(errno));
  for (char *l = strtok_r(text, "\n", &save); l; l = strtok_r(NULL, "\n", &save))
    if (strncmp(l, "  localparam ", 13) == 0) fprintf(f, "%s\n", l);
  free(text);
  return 0;
}

static int write_view(const view_t *v) {
  FILE *f = output_into(v->dir, "view.v", v->err);
  if (!f) return -1;
  fputs("module view (input wire clk_i", f);
  for (unsigned i = 0; i < v->cls->n_in; i++)
    fprintf(f, ", input wire [%u:0] %s_now", v->b->in[i].width - 1, v->b->in[i].name);
  fputs(");\n", f);
  int rc = write_constants(v, f);
  for (unsigned i = 0; i < v->cls->n_in; i++)
    delayed(v->b->in[i].name, v->b->in[i].width, v->latest, is_reset(v->b->in[i].name), f);
  write_outputs(v, f);
  write_registers(v, f);
  write_instance(v, f);
  write_start(v, f);
  write_assumptions(v, f);
  fprintf(f, "`include \"%s_props.vh\"\nendmodule\n", v->cls->stem);
  return output_into_end(f, rc != 0, v->dir, "view.v", v->err);
}

/* Copies the properties, which start when the answers do. */
static int copy_properties(const view_t *v) {
  static const char begins[] = "f_live <= 1'b1;";
  char path[FILES_PATH], name[MAP_NAME];
  snprintf(name, sizeof name, "%.100s_props.vh", v->cls->stem);
  char *text = files_path(path, "%s/rtl/formal/%s", v->root, name) ? files_read(path, NULL) : NULL;
  char *at = text ? strstr(text, begins) : NULL;
  FILE *f = at ? output_into(v->dir, name, v->err) : NULL;
  if (f) fprintf(f, "%.*sf_live <= f_aligned;%s", (int)(at - text), text, at + strlen(begins));
  free(text);
  if (!at)
    return mrpb_fail(v->err, "%s: no property of it begins with a reset; legal: --rtl DIR", path);
  return f ? output_into_end(f, false, v->dir, name, v->err) : -1;
}

static int copy_design(const view_t *v) {
  char path[FILES_PATH];
  char *text = files_path(path, "%s/%s.v", v->s->dir, v->cls->stem) ? files_read(path, NULL) : NULL;
  if (!text) return mrpb_fail(v->err, "%s: cannot read: %s", path, strerror(errno));
  FILE *f = output_into(v->dir, "theirs.sv", v->err);
  if (f) fputs(text, f);
  free(text);
  return f ? output_into_end(f, false, v->dir, "theirs.sv", v->err) : -1;
}

/* ---- the script ---- */

/* Until the design is flat, a register is a wire of ours, and arrays are words. What the map leaves
 * out has no driver. */
static void connect(const view_t *v, FILE *script) {
  for (unsigned i = 0; i < v->cls->n_out; i++)
    if (!v->b->output[i].there)
      fprintf(script, "select -set loose @loose w:%s%s_now %%u\n", v->b->out[i].name,
              v->b->output[i].when ? "_any" : "");
  for (unsigned r = 0; r < v->cls->n_regs; r++)
    for (unsigned w = 0; w < v->regs[r].words; w++)
      for (unsigned k = 0; k < v->regs[r].width; k++) {
        const bind_reg_t *g = bind_said_reg(v->b, v->regs[r].name, w, k);
        char bit[32] = "";
        if (v->regs[r].width > 1) snprintf(bit, sizeof bit, "[%u]", k);
        if (!g)
          fprintf(script, "select -set loose @loose w:r%u_%u_now %%u\n", r, w);
        else
          fprintf(script, "connect -set r%u_%u_now%s u_wrapper.u_dut.%s[%u]\n", r, w, bit, g->net,
                  k - g->lsb + g->net_lsb);
      }
}

int properties_design(const rtl_source_t *s, const module_class_t *cls, const char *root,
                      const char *constants, const char *dir, FILE *script, mrpb_err_t *err) {
  view_t v = {.s = s,
              .b = &s->made->bind,
              .cls = cls,
              .root = root,
              .dir = dir,
              .constants = constants,
              .err = err};
  void *model;
  if (cls->create(&model, v.b->cfg, err) != 0) return -1;
  if (cls->n_regs > 0) cls->regs(model, v.regs);
  cls->destroy(model);
  for (unsigned i = 0; i < cls->n_out; i++)
    if (v.b->output[i].late > v.latest) v.latest = v.b->output[i].late;
  if (copy_design(&v) != 0 || copy_properties(&v) != 0 || write_view(&v) != 0) return -1;
  fprintf(script, "read_verilog -sv -DSYNTHESIS theirs.sv\nread_verilog -sv -formal -I. view.v\n"
                  "hierarchy -check -top view\nproc\nflatten\nmemory -nordff -nomap\nmemory_map\n"
                  "script lower.ys\ncd view\nselect -set loose\n");
  connect(&v, script);
  fputs("select -clear\ndelete t:$assert t:$cover %u @loose %a %co* %i\ncd ..\ntee -q -o kept.txt "
        "select -list t:$assert t:$cover\n",
        script);
  return 0;
}
