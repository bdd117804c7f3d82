/* SPDX-License-Identifier: Apache-2.0 */
/* The body of a kernel or function: statements, scopes and labels; at its end, branch targets and
 * reconvergence points. */
#include "workload/ptx/parse.h"

#include "base/names.h"

#include <string.h>

enum { MAX_DEPTH = 64, MAX_INSTS = 1 << 24 };

static int add_label(parser_t *p, const token_t *t) {
  body_t *b = p->body;
  for (size_t i = 0; i < b->n_labels; i++)
    if (b->labels[i].length == t->length && memcmp(b->labels[i].name, t->at, t->length) == 0)
      return ptx_fail(p, t->line, "label '%.*s' again, first on line %u", (int)t->length, t->at,
                      b->labels[i].line);
  if (PTX_GROW(p, b, labels, n_labels)) return -1;
  b->labels[b->n_labels++] = (label_t){t->at, t->length, t->line, (uint32_t)b->n_insts};
  return 0;
}

static int directive(parser_t *p) {
  char shown[PTX_SHOWN];
  token_t t = p->tok;
  if (lexer_spells(&t, "loc")) {
    ptx_skip_line(p);
    return 0;
  }
  ptx_next(p);
  if (lexer_spells(&t, "reg")) return ptx_reg_statement(p);
  if (lexer_spells(&t, "shared")) return ptx_variable_statement(p, PTX_SHARED, false);
  if (lexer_spells(&t, "local")) return ptx_variable_statement(p, PTX_LOCAL, false);
  if (lexer_spells(&t, "const")) return ptx_variable_statement(p, PTX_CONST, false);
  if (lexer_spells(&t, "global")) return ptx_variable_statement(p, PTX_GLOBAL, false);
  if (lexer_spells(&t, "param"))
    return ptx_argument_statement(p, NULL) || ptx_expect(p, ';', "at the end of .param") ? -1 : 0;
  if (lexer_spells(&t, "pragma")) {
    while (p->tok.kind == TOKEN_STRING || ptx_token_is(&p->tok, ',')) ptx_next(p);
    return ptx_expect(p, ';', "at the end of .pragma");
  }
  return ptx_fail(p, t.line,
                  "%s is not supported within a kernel; legal: .reg .shared .local .const .global "
                  ".param .loc .pragma",
                  ptx_show(&t, shown));
}

/* `@%p1` or `@!%p1`. */
static int guard(parser_t *p, uint32_t *reg, bool *negated) {
  ptx_operand_t o = {0};
  char shown[PTX_SHOWN];
  if (!ptx_token_is(&p->tok, '!') && p->tok.kind != TOKEN_NAME)
    return ptx_fail(p, p->tok.line, "%s after '@'; legal: a predicate", ptx_show(&p->tok, shown));
  uint32_t line = p->tok.line;
  if (ptx_source(p, &o, PTX_PRED, NEGATABLE)) return -1;
  if (o.kind != PTX_OPERAND_REG) return ptx_fail(p, line, "a guard must be a predicate register");
  *reg = o.reg;
  *negated = o.negated;
  return 0;
}

static int enter_scope(parser_t *p) {
  body_t *b = p->body;
  if (b->depth + 1 >= MAX_DEPTH) return ptx_fail(p, p->tok.line, "braces nested more than 63 deep");
  b->depth_line[++b->depth] = p->tok.line;
  ptx_next(p);
  return 0;
}

/* Skips a statement that is not needed: a prototype says nothing that the call does not say, and
 * call targets are among the functions whose addresses are taken. */
static int skip_statement(parser_t *p) {
  while (!ptx_token_is(&p->tok, ';') && p->tok.kind != TOKEN_END && p->tok.kind != TOKEN_BAD)
    ptx_next(p);
  return ptx_expect(p, ';', "at the end of a statement");
}

static int statement(parser_t *p) {
  uint32_t reg = 0;
  bool negated = false;
  char shown[PTX_SHOWN];
  if (p->tok.kind == TOKEN_DOT) return directive(p);
  if (ptx_accept(p, ';')) return 0;
  if (ptx_accept(p, '@') && guard(p, &reg, &negated)) return -1;
  token_t t = p->tok;
  if (t.kind != TOKEN_NAME)
    return ptx_fail(p, t.line, "%s found where an instruction is expected", ptx_show(&t, shown));
  ptx_next(p);
  if (!reg && ptx_accept(p, ':')) {
    if (p->tok.kind == TOKEN_DOT && lexer_spells(&p->tok, "branchtargets"))
      return ptx_targets_statement(p, &t);
    if (p->tok.kind == TOKEN_DOT &&
        (lexer_spells(&p->tok, "callprototype") || lexer_spells(&p->tok, "calltargets")))
      return skip_statement(p);
    return add_label(p, &t);
  }
  if (p->body->n_insts >= MAX_INSTS) return ptx_fail(p, t.line, "too many instructions");
  return ptx_instruction(p, &t, reg, negated);
}

/* ---- end of the body ----------------------------------------------------------------- */

static int undefined_label(parser_t *p, const label_t *branch) {
  const body_t *b = p->body;
  char name[PTX_NAME], other[PTX_NAME];
  snprintf(name, sizeof name, "%.*s", (int)branch->length, branch->name);
  names_near_t near = names_near(name);
  for (size_t i = 0; i < b->n_labels; i++) {
    snprintf(other, sizeof other, "%.*s", (int)b->labels[i].length, b->labels[i].name);
    names_offer(&near, other);
  }
  return ptx_fail(p, branch->line, "label '%.80s' is not defined in kernel '%.60s'%s", name,
                  b->k.name, near.text);
}

static bool same_name(const label_t *a, const label_t *b) {
  return a->length == b->length && memcmp(a->name, b->name, a->length) == 0;
}

/* The instruction that follows a label. */
static int find_label(parser_t *p, const label_t *from, uint32_t *at) {
  const body_t *b = p->body;
  const label_t *to = NULL;
  for (size_t k = 0; k < b->n_labels && !to; k++)
    if (same_name(&b->labels[k], from)) to = &b->labels[k];
  if (!to) return undefined_label(p, from);
  *at = to->target;
  return 0;
}

static int resolve_branches(parser_t *p) {
  body_t *b = p->body;
  for (size_t i = 0; i < b->n_branches; i++)
    if (find_label(p, &b->branches[i], &b->insts[b->branches[i].target].target)) return -1;
  return 0;
}

/* Resolves the tables of brx, which may be declared after the brx. */
static int resolve_tables(parser_t *p) {
  body_t *b = p->body;
  for (size_t i = 0; i < b->n_indexed; i++) {
    const label_t *from = &b->indexed[i];
    const table_t *t = NULL;
    for (size_t k = 0; k < b->n_tables && !t; k++)
      if (b->tables[k].name.length == from->length &&
          memcmp(b->tables[k].name.at, from->name, from->length) == 0)
        t = &b->tables[k];
    if (!t)
      return ptx_fail(p, from->line, "'%.*s' is not a .branchtargets of kernel '%.60s'",
                      (int)from->length, from->name, b->k.name);
    uint32_t *to = ptx_alloc(p, t->n * sizeof *to);
    if (!to) return -1;
    for (uint32_t k = 0; k < t->n; k++)
      if (find_label(p, &b->entries[t->first + k], &to[k])) return -1;
    b->insts[from->target].targets = to;
    b->insts[from->target].n_targets = t->n;
  }
  return 0;
}

static void *keep(parser_t *p, const void *from, size_t bytes) {
  void *to = ptx_alloc(p, bytes ? bytes : 1);
  if (to && bytes) memcpy(to, from, bytes);
  return to;
}

/* Whether a branch or a table names the label. */
static bool is_named(const body_t *b, const label_t *label) {
  bool named = false;
  for (size_t i = 0; i < b->n_branches; i++) named |= same_name(&b->branches[i], label);
  for (size_t i = 0; i < b->n_entries; i++) named |= same_name(&b->entries[i], label);
  return named;
}

/* Adds the ret or exit that compilers omit behind a call that does not return. */
static int end_code(parser_t *p) {
  body_t *b = p->body;
  const ptx_inst_t *last = b->n_insts ? &b->insts[b->n_insts - 1] : NULL;
  /* A named label at the end: the target of a branch that the compiler knows not to be taken. */
  bool label = false;
  for (size_t i = 0; i < b->n_labels; i++)
    label |= b->labels[i].target == b->n_insts && is_named(b, &b->labels[i]);
  if (!label && last && !last->guard &&
      (last->op == PTX_OP_EXIT || last->op == PTX_OP_RET || last->op == PTX_OP_BRA ||
       last->op == PTX_OP_BRX))
    return 0;
  const bool empty = b->n_insts == b->n_head && b->function;
  if (!empty && (!last || (!label && last->op != PTX_OP_CALL && last->op != PTX_OP_TRAP)))
    return ptx_fail(p, p->tok.line, "%s '%.60s' runs past its end; legal: ret, exit or bra last",
                    b->function ? "function" : "kernel", b->k.name);
  if (ptx_give_results(p) || PTX_GROW(p, b, insts, n_insts)) return -1;
  b->insts[b->n_insts++] = (ptx_inst_t){.op = b->function ? PTX_OP_RET : PTX_OP_EXIT,
                                        .n_vector = 1,
                                        .target = PTX_NO_TARGET,
                                        .reconverge = PTX_NO_TARGET,
                                        .line = p->tok.line};
  return 0;
}

/* Completes the body on its own; ptx_link later joins it with the functions that it calls. */
static int finish_body(parser_t *p) {
  body_t *b = p->body;
  if (end_code(p) || resolve_branches(p) || resolve_tables(p)) return -1;
  ptx_inst_t *inst = keep(p, b->insts, b->n_insts * sizeof *inst);
  b->k.regs = keep(p, b->regs, b->n_regs * sizeof *b->regs);
  b->k.params = keep(p, b->params, b->n_params * sizeof *b->params);
  if (!inst || !b->k.regs || !b->k.params) return -1;
  b->k.insts = inst;
  b->k.n_insts = (unsigned)b->n_insts;
  b->k.n_regs = (unsigned)b->n_regs;
  b->k.n_params = (unsigned)b->n_params;
  if (b->area != PTX_NO_AREA) p->m->variables[b->area].v.bytes = b->area_most;
  return ptx_reconverge(inst, b->k.n_insts) ? ptx_no_memory(p, p->tok.line) : 0;
}

int ptx_body(parser_t *p) {
  body_t *b = p->body;
  if (enter_scope(p) || ptx_take_parameters(p)) return -1;
  b->n_head = b->n_insts;
  while (b->depth) {
    if (ptx_token_is(&p->tok, '{')) {
      if (enter_scope(p)) return -1;
    } else if (ptx_token_is(&p->tok, '}')) {
      ptx_leave_arguments(b);
      ptx_leave_scope(p);
      if (b->depth) ptx_next(p);
    } else if (p->tok.kind == TOKEN_END) {
      return ptx_fail(p, p->tok.line,
                      "the text ends within %s '%.60s'; '}' is missing for '{' on line %u",
                      b->function ? "function" : "kernel", b->k.name, b->depth_line[b->depth]);
    } else if (statement(p)) {
      return -1;
    }
  }
  return finish_body(p);
}
