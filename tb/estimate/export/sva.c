/* SPDX-License-Identifier: Apache-2.0 */
/* Makes concurrent assertions of the properties in rtl/formal/<stem>_props.vh, in a module that
 * `bind` puts into ours. A property goes along if it speaks, directly or by its shadows, of ports,
 * registers and constants alone; the others need the Verilog's inside and stay in formal/. */
#include "estimate/export/sva_text.h"
#include "estimate/export/state.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- what names mean ---- */

typedef struct {
  const export_t *e;
  module_reg_t regs[MODULE_MAX_REGS];
  void *model;
  bool used[MODULE_MAX_REGS]; /* registers of which a property speaks */
  sva_text_t props, body;     /* items of the properties, and localparams of the module */
  unsigned n_properties, n_left;
  FILE *f;
} sva_t;

static bool is_port(const export_t *e, const char *word) {
  for (unsigned i = 0; i < e->cls->n_in; i++)
    if (strcmp(e->in[i].name, word) == 0) return true;
  for (unsigned i = 0; i < e->cls->n_out; i++)
    if (strcmp(e->out[i].name, word) == 0) return true;
  return module_param_index(e->cls, word) >= 0 || strcmp(word, "clk_i") == 0;
}

static int find_reg(const sva_t *s, const char *word) {
  for (unsigned i = 0; i < s->e->cls->n_regs; i++)
    if (strcmp(s->regs[i].name, word) == 0) return (int)i;
  return -1;
}

static bool is_keyword(const char *word) {
  static const char *const words[] = {
      "always",      "posedge", "reg",      "wire",   "integer", "localparam", "function",
      "endfunction", "input",   "begin",    "end",    "if",      "else",       "for",
      "case",        "endcase", "default",  "assign", "genvar",  "generate",   "assert",
      "cover",       "assume",  "anyconst", "anyseq", "signed",  "endgenerate"};
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(words[i], word) == 0) return true;
  return false;
}

/* Whether an item of the properties declares the word and is kept. */
static bool is_shadow(const sva_text_t *t, const char *word) {
  for (unsigned i = 0; i < t->n; i++)
    if (!t->item[i].dropped && sva_declares(&t->item[i], word)) return true;
  return false;
}

static bool is_known(const sva_t *s, const char *word) {
  return is_keyword(word) || is_port(s->e, word) || find_reg(s, word) >= 0 ||
         is_shadow(&s->body, word) || is_shadow(&s->props, word);
}

static bool all_known(const sva_t *s, const char *text) {
  char word[SVA_WORD];
  for (const char *at = text; sva_next_word(&at, word);)
    if (!is_known(s, word)) return false;
  return true;
}

/* ---- which items and properties remain ---- */

/* Drops items that speak of something unknown, until none does. A declaration without its block
 * would be a constant, so a block takes along what it alone gives a value to. */
static void leave_items(sva_t *s) {
  for (bool more = true; more;) {
    more = false;
    for (unsigned i = 0; i < s->props.n; i++) {
      sva_item_t *item = &s->props.item[i];
      if (item->dropped || item->kind == SVA_PROPERTIES) continue;
      if (all_known(s, item->text)) continue;
      item->dropped = more = true;
      for (unsigned k = 0; k < s->props.n; k++)
        if (strncmp(s->props.item[k].text, "integer", 7) != 0 && /* a loop's, shared by blocks */
            sva_assigns(item, &s->props.item[k]))
          s->props.item[k].dropped = true;
    }
  }
}

/* A local constant of the module that is made of something else (a generate's variable). */
static void leave_constants(sva_t *s) {
  for (bool more = true; more;) {
    more = false;
    for (unsigned i = 0; i < s->body.n; i++) {
      sva_item_t *item = &s->body.item[i];
      if (item->dropped || (item->kind == SVA_CONSTANT && all_known(s, item->text))) continue;
      item->dropped = more = true;
    }
  }
}

static void use_registers(sva_t *s, const char *text) {
  char word[SVA_WORD];
  for (const char *at = text; sva_next_word(&at, word);) {
    const int i = find_reg(s, word);
    if (i >= 0) s->used[i] = true;
  }
}

/* ---- the module ---- */

/* One bit has a range as well: the properties may take bit 0 of it. */
static void put_range(FILE *f, unsigned width) {
  fprintf(f, "[%u:0] ", width - 1);
}

static void put_ports(const sva_t *s) {
  const export_t *e = s->e;
  const char *comma = "";
  if (export_clocked(e)) {
    fprintf(s->f, "\n  input wire clk_i");
    comma = ",";
  }
  for (unsigned i = 0; i < e->cls->n_in + e->cls->n_out; i++, comma = ",") {
    const module_port_t *p = i < e->cls->n_in ? &e->in[i] : &e->out[i - e->cls->n_in];
    fprintf(s->f, "%s\n  input wire ", comma);
    put_range(s->f, p->width);
    fprintf(s->f, "%s", p->name);
  }
  for (unsigned i = 0; i < e->cls->n_regs; i++) {
    if (!s->used[i]) continue;
    fprintf(s->f, ",\n  input wire ");
    put_range(s->f, s->regs[i].width);
    fprintf(s->f, "%s", s->regs[i].name);
    if (s->regs[i].array) fprintf(s->f, " [0:%u]", s->regs[i].words - 1);
  }
}

/* A value that a proof may choose. A simulation draws it: once, or in every cycle. */
static void put_choice(const sva_t *s, const sva_item_t *item) {
  char name[SVA_WORD], range[SVA_WORD];
  const bool every = strstr(item->text, "anyseq") != NULL;
  sva_choice(item, range, name);
  fprintf(s->f, "`ifdef FORMAL\n  wire %s %s;\n", range, name);
  if (!every)
    fprintf(s->f, "  choice_%s: assume property (@(posedge clk_i) ##1 $stable(%s));\n", name, name);
  fprintf(s->f, "`else\n  reg %s %s = '0;\n", range, name);
  if (every)
    fprintf(s->f, "  always @(posedge clk_i) %s <= $urandom;\n", name);
  else
    fprintf(s->f, "  initial %s = {$urandom, $urandom};\n", name);
  fprintf(s->f, "`endif\n");
}

/* Whether an expression reads an element of an array: Verilator 5.006 takes none in a property. */
static bool reads_array(const sva_t *s, const char *text) {
  char word[SVA_WORD];
  for (const char *at = text; sva_next_word(&at, word);) {
    const int reg = find_reg(s, word);
    if (reg >= 0 && s->regs[reg].array) return true;
    for (unsigned i = 0; i < s->props.n; i++)
      if (sva_is_array(&s->props.item[i], word)) return true;
  }
  return false;
}

static void put_property(const sva_t *s, sva_property_t *p) {
  if (reads_array(s, p->text)) {
    fprintf(s->f, "  wire is_%s = (%s);\n", p->label, p->text);
    snprintf(p->text, SVA_TEXT, "is_%s", p->label);
  }
  fprintf(s->f, "  %s: %s property (@(posedge clk_i) disable iff (!srst_ni)\n    ", p->label,
          p->cover ? "cover" : "assert");
  if (p->cover && p->guard[0])
    fprintf(s->f, "(%s) && (%s));\n", p->guard, p->text);
  else if (p->guard[0])
    fprintf(s->f, "(%s) |-> (%s));\n", p->guard, p->text);
  else
    fprintf(s->f, "%s);\n", p->text);
}

/* Writes the properties of an item that remain, or (`count`) only counts them and their
 * registers. */
static void go_properties(sva_t *s, const sva_item_t *item, bool count) {
  sva_property_t *p = malloc(sizeof *p);
  if (!p) return;
  for (const char *at = sva_first_property(item, p); at; at = sva_next_property(at, p)) {
    const bool stays =
        strncmp(p->label, "inv_", 4) == 0 || !all_known(s, p->text) || !all_known(s, p->guard);
    if (count && stays) s->n_left++;
    if (stays) continue;
    if (count) {
      s->n_properties++;
      use_registers(s, p->text);
      use_registers(s, p->guard);
    } else {
      put_property(s, p);
    }
  }
  free(p);
}

static void put_items(sva_t *s) {
  for (unsigned i = 0; i < s->body.n; i++)
    if (!s->body.item[i].dropped) fprintf(s->f, "%s\n", s->body.item[i].text);
  fprintf(s->f, "\n");
  for (unsigned i = 0; i < s->props.n; i++) {
    const sva_item_t *item = &s->props.item[i];
    if (item->dropped) continue;
    if (item->kind == SVA_PROPERTIES && export_clocked(s->e))
      go_properties(s, item, false);
    else if (item->kind == SVA_CHOICE)
      put_choice(s, item);
    else if (item->kind == SVA_ASSUMPTION)
      fprintf(s->f, "`ifdef FORMAL\n%s\n`endif\n", item->text);
    else
      fprintf(s->f, "%s\n", item->text);
  }
}

static void put_parameters(const sva_t *s) {
  for (unsigned i = 0; i < s->e->cls->n_params; i++)
    fprintf(s->f, "%s\n  parameter integer %s = %u", i ? "," : "", s->e->cls->params[i].name,
            s->e->cfg[i]);
}

/* Connects everything by its name, evaluated in the module to which it is bound. */
static void put_bind(const sva_t *s) {
  const export_t *e = s->e;
  const char *comma = "";
  fprintf(s->f, "bind %s %s_sva #(", e->cls->stem, e->cls->stem);
  for (unsigned i = 0; i < e->cls->n_params; i++)
    fprintf(s->f, "%s.%s(%s)", i ? ", " : "", e->cls->params[i].name, e->cls->params[i].name);
  fprintf(s->f, ") u_%s_sva (", e->cls->stem);
  if (export_clocked(e)) fprintf(s->f, "\n  .clk_i(clk_i)"), comma = ",";
  for (unsigned i = 0; i < e->cls->n_in + e->cls->n_out; i++, comma = ",") {
    const char *name = i < e->cls->n_in ? e->in[i].name : e->out[i - e->cls->n_in].name;
    fprintf(s->f, "%s\n  .%s(%s)", comma, name, name);
  }
  for (unsigned i = 0; i < e->cls->n_regs; i++)
    if (s->used[i]) fprintf(s->f, ",\n  .%s(%s)", s->regs[i].name, s->regs[i].name);
  fprintf(s->f, "\n);\n");
}

static void put_file(sva_t *s) {
  const export_t *e = s->e;
  fprintf(s->f,
          "// SPDX-License-Identifier: Apache-2.0\n"
          "// Assertions for %s at %s, made of rtl/formal/%s_props.vh:\n",
          e->cls->stem, e->sizes, e->cls->stem);
  if (export_clocked(e))
    fprintf(
        s->f,
        "// %u properties of its ports and registers; %u that need its inside are in formal/.\n",
        s->n_properties, s->n_left);
  fprintf(s->f,
          "// Define FORMAL for a proof: what is then free is drawn in a simulation.\n"
          "/* verilator lint_off WIDTH */\n"
          "module %s_sva #(",
          e->cls->stem);
  put_parameters(s);
  fprintf(s->f, "\n) (");
  put_ports(s);
  fprintf(s->f, "\n);\n");
  put_items(s);
  fprintf(s->f, "endmodule\n\n");
  put_bind(s);
}

/* ---- reading ---- */

/* Reads the properties, or the constants of the module ("") or of its view. */
static int read_part(sva_t *s, const char *kind, bool properties, mrpb_err_t *err) {
  char path[FILES_PATH];
  const char *const stem = s->e->cls->stem;
  if (!(kind[0] ? files_path(path, "%s/formal/%s_%s.vh", s->e->rtl, stem, kind)
                : files_path(path, "%s/%s.v", s->e->rtl, stem)))
    return mrpb_fail(err, "path too long");
  if (strcmp(kind, "view") == 0 && !files_exists(path)) return 0;
  char *text = files_read(path, NULL);
  if (!text) return mrpb_fail(err, "%s: cannot read: %s", path, strerror(errno));
  const int rc = properties ? sva_read(text, &s->props) : sva_read_constants(text, &s->body);
  free(text);
  return rc == 0 ? 0 : mrpb_fail(err, "%s: a form that `mrpb export` does not read", path);
}

static int prepare(sva_t *s, mrpb_err_t *err) {
  const export_t *e = s->e;
  if (e->cls->create(&s->model, e->cfg, err) != 0) return -1;
  if (e->cls->n_regs > 0) e->cls->regs(s->model, s->regs);
  if (read_part(s, "props", true, err) != 0 || read_part(s, "", false, err) != 0 ||
      read_part(s, "view", false, err) != 0)
    return -1;
  leave_constants(s);
  leave_items(s);
  for (unsigned i = 0; i < s->props.n; i++) {
    if (s->props.item[i].dropped) continue;
    if (s->props.item[i].kind == SVA_PROPERTIES && export_clocked(e))
      go_properties(s, &s->props.item[i], true);
    else
      use_registers(s, s->props.item[i].text);
  }
  return 0;
}

int export_sva(export_t *e, mrpb_err_t *err) {
  char name[EXPORT_NAME];
  sva_t *s = calloc(1, sizeof *s);
  if (!s) return mrpb_fail(err, "out of memory");
  s->e = e;
  int rc = prepare(s, err);
  EXPORT_NAMED(e, name, "formal/%s_sva.sv");
  if (rc == 0) s->f = export_open(e, name, err);
  if (rc == 0 && s->f) {
    put_file(s);
    rc = export_close(e, s->f, name, err);
  } else {
    rc = -1;
  }
  if (s->model) e->cls->destroy(s->model);
  sva_free(&s->props);
  sva_free(&s->body);
  free(s);
  return rc;
}
