/* SPDX-License-Identifier: Apache-2.0 */
/* The body of a kernel: statements, scopes, labels; at its end targets, layout, timing. */
#include "workload/ptx/parse.h"

#include "base/names.h"

#include <string.h>

enum { MAX_DEPTH = 64, MAX_SHARED = 1 << 20, MAX_INSTS = 1 << 24 };

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
  if (lexer_spells(&t, "pragma")) {
    while (p->tok.kind == TOKEN_STRING || verilog_token_is(&p->tok, ',')) ptx_next(p);
    return ptx_expect(p, ';', "at the end of .pragma");
  }
  return ptx_fail(p, t.line,
                  "%s is not supported within a kernel; legal: .reg .shared .local .const .global "
                  ".loc .pragma",
                  ptx_show(&t, shown));
}

/* `@%p1` or `@!%p1`. */
static int guard(parser_t *p, uint16_t *reg, bool *negated) {
  ptx_operand_t o = {0};
  char shown[PTX_SHOWN];
  if (!verilog_token_is(&p->tok, '!') && p->tok.kind != TOKEN_NAME)
    return ptx_fail(p, p->tok.line, "%s behind '@'; legal: a predicate", ptx_show(&p->tok, shown));
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

static int statement(parser_t *p) {
  uint16_t reg = 0;
  bool negated = false;
  char shown[PTX_SHOWN];
  if (p->tok.kind == TOKEN_DOT) return directive(p);
  if (ptx_accept(p, ';')) return 0;
  if (ptx_accept(p, '@') && guard(p, &reg, &negated)) return -1;
  token_t t = p->tok;
  if (t.kind != TOKEN_NAME)
    return ptx_fail(p, t.line, "%s stands where an instruction is expected", ptx_show(&t, shown));
  ptx_next(p);
  if (!reg && ptx_accept(p, ':')) return add_label(p, &t);
  if (p->body->n_insts >= MAX_INSTS) return ptx_fail(p, t.line, "too many instructions");
  return ptx_instruction(p, &t, reg, negated);
}

int ptx_body(parser_t *p) {
  body_t *b = p->body;
  if (!verilog_token_is(&p->tok, '{')) return ptx_expect(p, '{', "before the body of the kernel");
  if (enter_scope(p)) return -1;
  while (b->depth) {
    if (verilog_token_is(&p->tok, '{')) {
      if (enter_scope(p)) return -1;
    } else if (verilog_token_is(&p->tok, '}')) {
      ptx_leave_scope(p);
      if (b->depth) ptx_next(p);
    } else if (p->tok.kind == TOKEN_END) {
      return ptx_fail(p, p->tok.line,
                      "the text ends within kernel '%.60s'; '}' is missing for '{' on line %u",
                      b->k.name, b->depth_line[b->depth]);
    } else if (statement(p)) {
      return -1;
    }
  }
  return ptx_finish_kernel(p);
}

/* ---- the end ------------------------------------------------------------------------- */

static int undefined_label(parser_t *p, const label_t *branch) {
  const body_t *b = p->body;
  char name[PTX_NAME], best[PTX_NAME] = "", other[PTX_NAME];
  unsigned least = UINT32_MAX;
  snprintf(name, sizeof name, "%.*s", (int)branch->length, branch->name);
  for (size_t i = 0; i < b->n_labels; i++) {
    snprintf(other, sizeof other, "%.*s", (int)b->labels[i].length, b->labels[i].name);
    unsigned d = names_distance(name, other);
    if (d >= least) continue;
    least = d;
    memcpy(best, other, sizeof best);
  }
  return ptx_fail(p, branch->line, "label '%.80s' is not defined in kernel '%.60s'%s%.80s", name,
                  b->k.name, *best ? "; nearest: " : "", best);
}

static int resolve_branches(parser_t *p) {
  body_t *b = p->body;
  for (size_t i = 0; i < b->n_branches; i++) {
    const label_t *from = &b->branches[i], *to = NULL;
    for (size_t k = 0; k < b->n_labels && !to; k++)
      if (b->labels[k].length == from->length &&
          memcmp(b->labels[k].name, from->name, from->length) == 0)
        to = &b->labels[k];
    if (!to) return undefined_label(p, from);
    if (to->target >= b->n_insts)
      return ptx_fail(p, from->line, "label '%.*s' has no instruction behind it", (int)from->length,
                      from->name);
    b->insts[from->target].target = to->target;
  }
  return 0;
}

static int place(parser_t *p, variable_t *v, uint32_t *bytes) {
  uint64_t at = (*bytes + v->v.align - 1) / v->v.align * v->v.align;
  if (at + v->v.bytes > MAX_SHARED)
    return ptx_fail(p, v->line, "kernel '%.60s': more than %d bytes of .%s variables",
                    p->body->k.name, MAX_SHARED, ptx_space_name(v->v.space));
  v->v.address = at;
  *bytes = (uint32_t)(at + v->v.bytes);
  return 0;
}

/* Its own shared and local variables and the shared ones of the module that it names; .extern ones
 * all begin behind the others. */
static int lay_out(parser_t *p) {
  body_t *b = p->body;
  uint32_t end = 0;
  for (unsigned external = 0; external < 2; external++) {
    for (size_t i = 0; i < p->m->n_variables; i++) {
      variable_t *v = &p->m->variables[i];
      if (v->external != (external == 1)) continue;
      if (v->kernel != b->index && (v->kernel != PTX_NO_KERNEL || v->used_by != b->index)) continue;
      uint32_t *bytes = v->v.space == PTX_LOCAL ? &b->k.local_bytes : &b->k.shared_bytes;
      if (v->v.space != PTX_SHARED && v->v.space != PTX_LOCAL) continue;
      uint32_t shared_end = external ? b->k.shared_bytes : 0;
      if (place(p, v, bytes)) return -1;
      if (external && v->v.space == PTX_SHARED) {
        if (*bytes > end) end = *bytes;
        b->k.shared_bytes = shared_end;
      }
    }
  }
  if (end > b->k.shared_bytes) b->k.shared_bytes = end;
  return 0;
}

/* Addresses of shared and local variables become constants, the others wait for ptx_bind. */
static int bind_operands(parser_t *p, ptx_inst_t *i) {
  ptx_module_t *m = p->m;
  for (unsigned s = 0; s < 5; s++) {
    ptx_operand_t *o = &i->src[s];
    if (o->kind != PTX_OPERAND_SYMBOL) continue;
    const ptx_variable_t *v = &m->variables[o->reg].v;
    if (v->space == PTX_SHARED || v->space == PTX_LOCAL) {
      *o = (ptx_operand_t){.kind = PTX_OPERAND_IMM, .imm = o->imm + v->address};
      continue;
    }
    if (PTX_GROW(p, m, fixups, n_fixups)) return -1;
    m->fixups[m->n_fixups++] = (fixup_t){i, o->imm, o->reg, (uint8_t)s};
  }
  return 0;
}

static void *keep(parser_t *p, const void *from, size_t bytes) {
  void *to = ptx_alloc(p, bytes ? bytes : 1);
  if (to && bytes) memcpy(to, from, bytes);
  return to;
}

int ptx_finish_kernel(parser_t *p) {
  body_t *b = p->body;
  const ptx_inst_t *last = b->n_insts ? &b->insts[b->n_insts - 1] : NULL;
  if (!last || last->guard || (last->op != PTX_OP_EXIT && last->op != PTX_OP_BRA))
    return ptx_fail(p, p->tok.line,
                    "kernel '%.60s' runs past its end; legal: ret, exit or bra last", b->k.name);
  if (resolve_branches(p) || lay_out(p)) return -1;
  ptx_inst_t *inst = keep(p, b->insts, b->n_insts * sizeof *inst);
  b->k.regs = keep(p, b->regs, b->n_regs * sizeof *b->regs);
  b->k.params = keep(p, b->params, b->n_params * sizeof *b->params);
  if (!inst || !b->k.regs || !b->k.params) return -1;
  b->k.insts = inst;
  b->k.n_insts = (unsigned)b->n_insts;
  b->k.n_regs = (unsigned)b->n_regs;
  b->k.n_params = (unsigned)b->n_params;
  b->k.first_pc = p->m->next_pc;
  for (unsigned i = 0; i < b->k.n_insts; i++) {
    if (bind_operands(p, &inst[i])) return -1;
    ptx_time(&inst[i], b->keys);
    inst[i].warp.pc = p->m->next_pc;
    p->m->next_pc += WARP_PC_STEP;
  }
  return ptx_reconverge(inst, b->k.n_insts) ? ptx_fail(p, p->tok.line, "out of memory") : 0;
}
