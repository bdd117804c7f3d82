/* SPDX-License-Identifier: Apache-2.0 */
/* Functions: their heads, the .param variables of calls, and the calls. Parameters and results of a
 * function, and the values that a call passes, lie in an area of the thread's local memory, which
 * is a hidden variable of the kernel or function. */
#include "workload/ptx/parse.h"

#include <string.h>

enum { MAX_AREA = 1 << 16, MAX_PASSED = 255 };

/* ---- .param variables -------------------------------------------------------------------------- */

int ptx_hidden_variable(parser_t *p, const char *name, uint32_t unit, uint32_t line, uint32_t *at) {
  ptx_module_t *m = p->m;
  if (m->n_variables >= UINT16_MAX) return ptx_fail(p, line, "more than %d variables", UINT16_MAX);
  if (PTX_GROW(p, m, variables, n_variables)) return -1;
  m->variables[m->n_variables] =
      (variable_t){.v = {.name = name, .space = PTX_LOCAL, .bytes = 16, .align = 16},
                   .kernel = unit,
                   .line = line,
                   .used_by = PTX_NO_KERNEL};
  *at = (uint32_t)m->n_variables++;
  return 0;
}

/* Creates the hidden variable; its size is known at the end of the body. */
static int need_area(parser_t *p, uint32_t line) {
  body_t *b = p->body;
  if (b->area != PTX_NO_AREA) return 0;
  return ptx_hidden_variable(p, "(parameters of calls)", b->index, line, &b->area);
}

/* Allocates a slot of the area. */
static int take_slot(parser_t *p, uint32_t line, uint64_t align, uint64_t bytes, slot_t *slot) {
  body_t *b = p->body;
  const uint64_t at = (b->area_bytes + align - 1) / align * align;
  if (at + bytes > MAX_AREA)
    return ptx_fail(p, line, "more than %d bytes of call parameters", MAX_AREA);
  if (need_area(p, line)) return -1;
  *slot = (slot_t){(uint32_t)at, (uint32_t)bytes};
  b->area_bytes = (uint32_t)(at + bytes);
  if (b->area_bytes > b->area_most) b->area_most = b->area_bytes;
  return 0;
}

int ptx_argument_statement(parser_t *p, slot_t *slot) {
  body_t *b = p->body;
  arg_t a = {0};
  uint64_t align = 0, bytes = 0;
  if (ptx_param_declaration(p, &a.name, &align, &bytes)) return -1;
  for (size_t i = 0; i < b->n_args; i++)
    if (b->args[i].depth == b->depth && b->args[i].name.length == a.name.length &&
        memcmp(b->args[i].name.at, a.name.at, a.name.length) == 0)
      return ptx_fail(p, a.name.line, "parameter '%.*s' again", (int)a.name.length, a.name.at);
  if (take_slot(p, a.name.line, align, bytes, &a.slot) || PTX_GROW(p, b, args, n_args)) return -1;
  a.depth = b->depth;
  b->args[b->n_args++] = a;
  if (slot) *slot = a.slot;
  return 0;
}

const arg_t *ptx_find_argument(const body_t *b, const token_t *t) {
  for (size_t i = b->n_args; i-- > 0;)
    if (b->args[i].name.length == t->length && memcmp(b->args[i].name.at, t->at, t->length) == 0)
      return &b->args[i];
  return NULL;
}

/* The room of these variables is free for the next call. */
void ptx_leave_arguments(body_t *b) {
  while (b->n_args && b->args[b->n_args - 1].depth == b->depth) {
    b->n_args--;
    b->area_bytes = b->args[b->n_args].slot.offset;
  }
}

/* ---- parameters in registers ------------------------------------------------------------------ */

/* Moves a value between a register and its slot in the area, by an access such as ld.param or
 * st.param. */
static int move(parser_t *p, const reg_param_t *r, bool load, const ptx_inst_t *like) {
  body_t *b = p->body;
  const ptx_operand_t reg = {.kind = PTX_OPERAND_REG, .reg = r->reg};
  ptx_inst_t i = {.op = load ? PTX_OP_LD : PTX_OP_ST,
                  .type = (uint8_t)r->type,
                  .space = PTX_ARGUMENT,
                  .n_vector = 1,
                  .target = PTX_NO_TARGET,
                  .reconverge = PTX_NO_TARGET,
                  .line = p->tok.line};
  if (like) {
    i.guard = like->guard;
    i.guard_negated = like->guard_negated;
  }
  i.src[0] = (ptx_operand_t){.kind = PTX_OPERAND_SYMBOL, .reg = b->area, .imm = r->slot.offset};
  *(load ? &i.dst[0] : &i.src[1]) = reg;
  i.warp.elem = (uint8_t)ptx_type_bytes(r->type);
  if (PTX_GROW(p, b, insts, n_insts)) return -1;
  b->insts[b->n_insts++] = i;
  return 0;
}

int ptx_take_parameters(parser_t *p) {
  const body_t *b = p->body;
  for (size_t i = 0; i < b->n_reg_params; i++)
    if (!b->reg_params[i].out && move(p, &b->reg_params[i], true, NULL)) return -1;
  return 0;
}

int ptx_give_results(parser_t *p) {
  const body_t *b = p->body;
  for (size_t i = 0; i < b->n_reg_params; i++)
    if (b->reg_params[i].out && move(p, &b->reg_params[i], false, NULL)) return -1;
  return 0;
}

int ptx_take_results(parser_t *p, const ptx_inst_t *call) {
  body_t *b = p->body;
  for (size_t i = 0; i < b->n_returned; i++)
    if (move(p, &b->returned[i], true, call)) return -1;
  b->n_returned = 0;
  return 0;
}

/* Called behind .reg in the head of a function. */
static int register_parameter(parser_t *p, bool out, slot_t *slot) {
  body_t *b = p->body;
  reg_decl_t d;
  if (ptx_reg_parameter(p, &d)) return -1;
  const unsigned bytes = ptx_type_bytes(d.type);
  const token_t t = {.kind = TOKEN_NAME, .at = d.name, .length = d.length, .line = d.line};
  const int reg = ptx_register(p, &t);
  if (reg <= 0 || take_slot(p, d.line, bytes, bytes, slot)) return -1;
  if (PTX_GROW(p, b, reg_params, n_reg_params)) return -1;
  b->reg_params[b->n_reg_params++] = (reg_param_t){(uint32_t)reg, d.type, *slot, out};
  return 0;
}

/* A register that a call passes or receives. Returns 1 if `t` is no such register. */
static int register_passed(parser_t *p, const token_t *t, bool out, slot_t *slot) {
  body_t *b = p->body;
  const int reg = ptx_register(p, t);
  if (reg < 0) return -1;
  const ptx_type_t type = reg ? (ptx_type_t)b->regs[reg].type : PTX_NONE;
  if (!reg || type == PTX_PRED) return 1;
  const unsigned bytes = ptx_type_bytes(type);
  if (take_slot(p, t->line, bytes, bytes, slot)) return -1;
  const reg_param_t r = {(uint32_t)reg, type, *slot, out};
  if (!out) return move(p, &r, false, NULL);
  if (PTX_GROW(p, b, returned, n_returned)) return -1;
  b->returned[b->n_returned++] = r;
  return 0;
}

/* ---- heads ------------------------------------------------------------------------------------- */

/* Copies the list into the arena; NULL if out of memory. */
static const slot_t *keep(parser_t *p, const slot_t *list, unsigned n) {
  slot_t *copy = ptx_alloc(p, (n + 1) * sizeof *copy);
  return copy ? memcpy(copy, list, n * sizeof *copy) : NULL;
}

/* Reads `.param .b32 a` or `.reg .b32 a`. */
static int head_slot(parser_t *p, bool out, slot_t *slot) {
  char shown[PTX_SHOWN];
  const bool reg = p->tok.kind == TOKEN_DOT && lexer_spells(&p->tok, "reg");
  if (!reg && (p->tok.kind != TOKEN_DOT || !lexer_spells(&p->tok, "param")))
    return ptx_fail(p, p->tok.line, "%s found where .param or .reg is expected",
                    ptx_show(&p->tok, shown));
  ptx_next(p);
  return reg ? register_parameter(p, out, slot) : ptx_argument_statement(p, slot);
}

/* Reads `(.param .b32 a, .param .b64 b)` into *to, in the arena. */
static int slots(parser_t *p, bool out, const slot_t **to, unsigned *n) {
  slot_t list[MAX_PASSED];
  *n = 0;
  if (!ptx_accept(p, '(') || ptx_accept(p, ')')) return 0;
  do {
    if (*n == MAX_PASSED) return ptx_fail(p, p->tok.line, "more than %d parameters", MAX_PASSED);
    if (head_slot(p, out, &list[*n])) return -1;
    ++*n;
  } while (ptx_accept(p, ','));
  if (ptx_expect(p, ')', "after the parameters")) return -1;
  *to = keep(p, list, *n);
  return *to ? 0 : -1;
}

uint64_t ptx_function_address(ptx_module_t *m, const char *name, size_t length) {
  for (size_t i = 0; i < m->n_functions; i++)
    if (strncmp(m->functions[i].name, name, length) == 0 && m->functions[i].name[length] == '\0') {
      m->functions[i].taken = true;
      return m->functions_at + PTX_FUNCTION * i;
    }
  return 0;
}

static int note_function(parser_t *p, const char *name) {
  ptx_module_t *m = p->m;
  for (size_t i = 0; i < m->n_functions; i++)
    if (strcmp(m->functions[i].name, name) == 0) return 0;
  if (PTX_GROW(p, m, functions, n_functions)) return -1;
  m->functions[m->n_functions++] = (function_t){name, false};
  return 0;
}

/* Finds the function's name behind results that cannot be read; the results begin at `from`. */
static void name_behind(parser_t *p, unit_t *u, const ptx_place_t *from) {
  ptx_go_back(p, from);
  while (!ptx_token_is(&p->tok, ')') && p->tok.kind != TOKEN_END && p->tok.kind != TOKEN_BAD)
    ptx_next(p);
  u->line = p->tok.line;
  if (ptx_accept(p, ')') && p->tok.kind == TOKEN_NAME)
    u->k.name = ptx_copy_name(p, p->tok.at, p->tok.length);
}

int ptx_function_head(parser_t *p, unit_t *u) {
  char shown[PTX_SHOWN];
  const ptx_place_t from = ptx_place(p);
  if (slots(p, true, &u->out, &u->n_out)) {
    if (p->tok.kind != TOKEN_BAD) name_behind(p, u, &from);
    return -1;
  }
  const token_t t = p->tok;
  if (t.kind != TOKEN_NAME)
    return ptx_fail(p, t.line, "%s found where the name of a function is expected",
                    ptx_show(&t, shown));
  u->line = t.line;
  if (!(u->k.name = ptx_copy_name(p, t.at, t.length)) || note_function(p, u->k.name)) return -1;
  ptx_next(p);
  return slots(p, false, &u->in, &u->n_in);
}

/* ---- calls ------------------------------------------------------------------------------------- */

/* A variable declared before the call, or a register. */
static int passed_slot(parser_t *p, bool out, slot_t *slot) {
  char shown[PTX_SHOWN];
  const token_t t = p->tok;
  const arg_t *a = t.kind == TOKEN_NAME ? ptx_find_argument(p->body, &t) : NULL;
  const int rc = a || t.kind != TOKEN_NAME ? 1 : register_passed(p, &t, out, slot);
  if (rc < 0) return -1;
  if (rc && !a)
    return ptx_fail(p, t.line,
                    "%s cannot be passed; legal: .param variables declared before the call, "
                    "registers of 8 to 64 bits, not vectors",
                    ptx_show(&t, shown));
  if (a) *slot = a->slot;
  ptx_next(p);
  return 0;
}

/* Reads `(a, b)` or nothing into slots. */
static int passed(parser_t *p, bool out, const slot_t **to, unsigned *n) {
  slot_t list[MAX_PASSED];
  *n = 0;
  if (!ptx_accept(p, '(')) return 0;
  while (!ptx_token_is(&p->tok, ')')) {
    if (*n == MAX_PASSED) return ptx_fail(p, p->tok.line, "more than %d parameters", MAX_PASSED);
    if (passed_slot(p, out, &list[(*n)++])) return -1;
    if (!ptx_token_is(&p->tok, ')') && ptx_expect(p, ',', "between parameters")) return -1;
  }
  ptx_next(p);
  *to = keep(p, list, *n);
  return *to ? 0 : -1;
}

int ptx_call_operands(parser_t *p, ptx_inst_t *i) {
  char shown[PTX_SHOWN];
  called_t c = {.line = i->line};
  const uint32_t area = p->body->area_bytes; /* slots of registers are free again after the call */
  if (ptx_token_is(&p->tok, '(') &&
      (passed(p, true, &c.out, &c.n_out) || ptx_expect(p, ',', "after the result")))
    return -1;
  const token_t t = p->tok;
  if (t.kind != TOKEN_NAME)
    return ptx_fail(p, t.line, "%s found where the name of a function is expected",
                    ptx_show(&t, shown));
  c.indirect = *t.at == '%';
  if (c.indirect) {
    if (ptx_source(p, &i->src[0], PTX_B64, 0)) return -1;
  } else {
    if (!(c.name = ptx_copy_name(p, t.at, t.length))) return -1;
    ptx_next(p);
  }
  bool more = ptx_accept(p, ',');
  if (more && ptx_token_is(&p->tok, '(')) {
    if (passed(p, false, &c.in, &c.n_in)) return -1;
    more = ptx_accept(p, ',');
  }
  if (more != c.indirect || (more && p->tok.kind != TOKEN_NAME))
    return ptx_fail(p, p->tok.line,
                    "%s; a call through a register, and only that, ends with its "
                    ".callprototype or .calltargets",
                    ptx_show(&p->tok, shown));
  if (more) ptx_next(p);
  if (PTX_GROW(p, p->m, called, n_called)) return -1;
  i->target = (uint32_t)p->m->n_called;
  p->m->called[p->m->n_called++] = c;
  p->body->area_bytes = area;
  return 0;
}

/* ---- switch tables ----------------------------------------------------------------------------- */

/* Reads `name: .branchtargets A, B;` from behind the label on. */
int ptx_targets_statement(parser_t *p, const token_t *name) {
  body_t *b = p->body;
  char shown[PTX_SHOWN];
  ptx_next(p);
  if (PTX_GROW(p, b, tables, n_tables)) return -1;
  b->tables[b->n_tables++] = (table_t){*name, (uint32_t)b->n_entries, 0};
  do {
    if (p->tok.kind != TOKEN_NAME)
      return ptx_fail(p, p->tok.line, "%s found where a label is expected",
                      ptx_show(&p->tok, shown));
    if (PTX_GROW(p, b, entries, n_entries)) return -1;
    b->entries[b->n_entries++] = (label_t){p->tok.at, p->tok.length, p->tok.line, 0};
    b->tables[b->n_tables - 1].n++;
    ptx_next(p);
  } while (ptx_accept(p, ','));
  return ptx_expect(p, ';', "at the end of .branchtargets");
}
