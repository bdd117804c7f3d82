/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the wrapper: Verilog-2005, except for the design's own types, which the wrapper need not
 * know. */
#include "verilog/design/wrapper.h"

#include <inttypes.h>
#include <string.h>

bool wrapper_shows(const bind_t *b, unsigned i) {
  const bind_port_t *p = &b->port[i];
  const char *name = p->port->name;
  return (p->role == BIND_INPUT || p->role == BIND_OUTPUT) && p->width <= WRAPPER_WIDEST &&
         name[strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_")] ==
             '\0';
}

/* Verilator writes two underscores as "___05F". */
void wrapper_theirs(const bind_t *b, FILE *f) {
  for (unsigned i = 0; i < b->n_ports; i++) {
    if (!wrapper_shows(b, i)) continue;
    const char *name = b->port[i].port->name;
    fprintf(f, "THEIRS(\"%s\", d_", name);
    if (name[0] == '_') fputs("__05F", f), name++;
    for (; *name; name++) {
      const bool two = name[0] == '_' && name[1] == '_';
      fputs(two ? "___05F" : (char[]){*name, '\0'}, f);
      name += two;
    }
    fputs(")\n", f);
  }
  for (size_t i = 0; i < b->n_shows; i++)
    fprintf(f, "THEIRS(\"%s\", show_%zu)\n", b->show[i].path, i);
}

static void at_line(const bind_t *b, unsigned line, FILE *f) {
  if (line) fprintf(f, "`line %u \"%s\" 0\n", line, b->map->file);
}

static void write_head(const bind_t *b, FILE *f) {
  const module_class_t *cls = b->cls;
  fprintf(f,
          "\n`line 1 \"wrapper\" 0\n/* verilator lint_off WIDTH */\n/* verilator lint_off UNUSED "
          "*/\nmodule %s",
          cls->stem);
  for (unsigned i = 0; i < cls->n_params; i++)
    fprintf(f, "%s parameter %s = %u", i ? "," : " #(", cls->params[i].name, b->cfg[i]);
  fprintf(f, "%s (", cls->n_params ? ")" : "");
  if (cls->n_regs > 0) fprintf(f, "\n  input wire clk_i,");
  for (unsigned i = 0; i < cls->n_in; i++)
    fprintf(f, "\n  input wire [%u:0] %s,", b->in[i].width - 1, b->in[i].name);
  for (unsigned i = 0; i < cls->n_out; i++)
    fprintf(f, "\n  output wire [%u:0] %s%s", b->out[i].width - 1, b->out[i].name,
            i + 1 < cls->n_out ? "," : "");
  fprintf(f, "\n);\n");
}

/* Writes a wire as wide as the expression. In a wider assignment, inverted bits would be extended
 * with ones. */
static void write_narrow(const bind_t *b, const expr_t *e, const scope_t *s, unsigned bits,
                         unsigned line, const char *name, FILE *f) {
  at_line(b, line, f);
  fprintf(f, "  wire [%u:0] %s = ", bits - 1, name);
  expr_print(e, s, f);
  fputs(";\n", f);
}

static void write_states(const bind_t *b, FILE *f) {
  const scope_t theirs = bind_theirs(b);
  for (unsigned i = 0; i < b->n_states; i++) {
    const bind_state_t *s = &b->state[i];
    at_line(b, s->said->line, f);
    fprintf(f, "  always @(posedge clk_i) s_%s <= srst_ni ? ", s->said->to->name);
    expr_print(s->said->from, &theirs, f);
    fputs(" : 0;\n", f);
  }
}

static void write_inputs(const bind_t *b, FILE *f) {
  const scope_t ours = bind_in(b);
  for (unsigned i = 0; i < b->n_states; i++)
    fprintf(f, "  reg [%u:0] s_%s;\n", b->state[i].width - 1, b->state[i].said->to->name);
  for (unsigned i = 0; i < b->n_ports; i++)
    if (b->port[i].role == BIND_INPUT || b->port[i].role == BIND_OUTPUT)
      fprintf(f, "  wire [%u:0] d_%s%s;\n", b->port[i].width - 1, b->port[i].port->name,
              wrapper_shows(b, i) ? " /*verilator public_flat_rd*/" : "");
  for (unsigned i = 0; i < b->n_parts; i++) {
    const bind_part_t *p = &b->part[i];
    if (p->from && p->bits < p->width) {
      char name[32];
      snprintf(name, sizeof name, "e_in%u", i);
      write_narrow(b, p->from, &ours, p->bits, p->line, name, f);
    }
    at_line(b, p->line, f);
    fprintf(f, "  assign d_%s[%u:%u] = ", b->port[p->port].port->name, p->lsb + p->width - 1,
            p->lsb);
    if (p->from && p->bits < p->width)
      fprintf(f, "e_in%u", i);
    else if (p->from)
      expr_print(p->from, &ours, f);
    else
      fputs(b->in[p->same].name, f);
    fputs(";\n", f);
  }
}

static void write_instance(const bind_t *b, const bind_param_t *param, unsigned n_params, FILE *f) {
  fprintf(f, "  %s", b->top);
  for (unsigned i = 0; i < n_params; i++)
    fprintf(f, "%s.%s(%" PRIu64 ")", i ? ", " : " #(", param[i].name, param[i].value);
  fprintf(f, "%s u_dut (", n_params ? ")" : "");
  for (unsigned i = 0; i < b->n_ports; i++) {
    const bind_port_t *p = &b->port[i];
    fprintf(f, "%s\n    .%s(", i ? "," : "", p->port->name);
    if (p->role == BIND_CLOCK)
      fputs("clk_i", f);
    else if (p->role == BIND_RESET)
      fputs(b->reset_high ? "!srst_ni" : "srst_ni", f);
    else
      fprintf(f, "d_%s", p->port->name);
    fputs(")", f);
  }
  fputs(");\n", f);
}

static void write_outputs(const bind_t *b, FILE *f) {
  const scope_t theirs = bind_theirs(b);
  for (unsigned i = 0; i < b->cls->n_out; i++) {
    const bind_output_t *o = &b->output[i];
    const bool narrow = o->there && o->from && o->bits < b->out[i].width;
    char name[MAP_NAME];
    snprintf(name, sizeof name, "e_%.100s", b->out[i].name);
    if (narrow) write_narrow(b, o->from, &theirs, o->bits, o->line, name, f);
    at_line(b, o->line, f);
    fprintf(f, "  assign %s = ", b->out[i].name);
    if (!o->there)
      fputs("0", f);
    else if (narrow)
      fputs(name, f);
    else if (o->from)
      expr_print(o->from, &theirs, f);
    else
      fprintf(f, "d_%s", b->port[o->same].port->name);
    fputs(";\n", f);
  }
}

static bool begins(const char *name, const char *with, size_t n) {
  return strncmp(name, with, n) == 0;
}

/* Declares the registers whose names begin with the `n` characters of `prefix`. "u_bank.u_mem.mem_q"
 * is in blocks that have the names of our instances, each once. */
static void declare_regs(const bind_t *b, const module_reg_t *regs, const char *prefix, size_t n,
                         FILE *f) {
  for (unsigned i = 0; i < b->cls->n_regs; i++) {
    if (!begins(regs[i].name, prefix, n)) continue;
    const char *name = regs[i].name + n, *dot = strchr(name, '.');
    const size_t whole = dot ? n + (size_t)(dot - name) + 1 : 0;
    unsigned first = 0;
    while (dot && !begins(regs[first].name, regs[i].name, whole)) first++;
    if (dot && first < i) continue;
    if (dot) {
      fprintf(f, "  if (1) begin : %.*s\n", (int)(dot - name), name);
      declare_regs(b, regs, regs[i].name, whole, f);
      fputs("  end\n", f);
      continue;
    }
    fprintf(f, "  wire [%u:0] %s", regs[i].width - 1, name);
    if (regs[i].array) fprintf(f, " [0:%u]", regs[i].words - 1);
    fputs(" /*verilator public_flat_rd*/;\n", f);
  }
}

/* Writes wires with our names and shapes: what the map names; the rest is 0. */
static void write_regs(const bind_t *b, FILE *f) {
  module_reg_t regs[MODULE_MAX_REGS];
  mrpb_err_t unheard = {""};
  void *model = NULL;
  if (b->cls->n_regs == 0 || b->cls->create(&model, b->cfg, &unheard) != 0) return;
  b->cls->regs(model, regs);
  b->cls->destroy(model);
  fputs("`ifdef VERILATOR\n/* verilator lint_off UNDRIVEN */\n", f);
  declare_regs(b, regs, "", 0, f);
  for (size_t i = 0; i < b->n_regs; i++) {
    const bind_reg_t *r = &b->reg[i];
    at_line(b, r->line, f);
    fprintf(f, "  assign %s", regs[r->reg].name);
    if (regs[r->reg].array) fprintf(f, "[%u]", r->word);
    fprintf(f, "[%u:%u] = %su_dut.%s;\n", r->lsb + r->width - 1, r->lsb, r->inverted ? "~" : "",
            r->path);
  }
  for (unsigned i = 0; i < b->n_states; i++)
    fprintf(f, "  assign %s[%u:%u] = s_%s;\n", regs[0].name,
            b->state[i].lsb + b->state[i].width - 1, b->state[i].lsb, b->state[i].said->to->name);
  fputs("`endif\n", f);
}

/* Wires with the values of the signals that a wave shows. */
static void write_shows(const bind_t *b, FILE *f) {
  if (b->n_shows == 0) return;
  fputs("`ifdef VERILATOR\n", f);
  for (size_t i = 0; i < b->n_shows; i++) {
    at_line(b, b->show[i].line, f);
    fprintf(f, "  wire [%u:0] show_%zu /*verilator public_flat_rd*/ = u_dut.%s;\n",
            b->show[i].width - 1, i, b->show[i].path);
  }
  fputs("`endif\n", f);
}

/* The map's assumptions are checked where the wrapper is simulated. */
static void write_assumptions(const bind_t *b, FILE *f) {
  const scope_t ours = bind_ours(b);
  fputs("`ifdef VERILATOR\n", f);
  for (unsigned i = 0; i < b->map->n; i++) {
    const map_statement_t *s = &b->map->statement[i];
    if (s->kind != MAP_ASSUME) continue;
    at_line(b, s->line, f);
    fputs("  always @(posedge clk_i) if (srst_ni && !(", f);
    expr_print(s->from, &ours, f);
    fputs(")) begin $display(\"the environment breaks: assume %s\", \"", f);
    for (const char *c = s->said; *c; c++) fputc(*c == '"' || *c == '\\' ? '?' : *c, f);
    fputs("\"); $stop; end\n", f);
  }
  fputs("`endif\n", f);
}

void wrapper_write(const bind_t *b, const bind_param_t *param, unsigned n_params, FILE *f) {
  write_head(b, f);
  write_inputs(b, f);
  write_instance(b, param, n_params, f);
  write_outputs(b, f);
  write_states(b, f);
  write_regs(b, f);
  write_shows(b, f);
  write_assumptions(b, f);
  fputs("endmodule\n", f);
}
