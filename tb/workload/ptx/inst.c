/* SPDX-License-Identifier: Apache-2.0 */
/* One instruction: opcode, modifiers, operands. */
#include "workload/ptx/parse.h"

#include "base/names.h"

#include <string.h>

/* Reads to the end of the opcode, and reports what to use instead. */
static int refuse_opcode(parser_t *p, const token_t *opcode) {
  char text[80];
  size_t at = (size_t)snprintf(text, sizeof text, "%.*s",
                               (int)(opcode->length < 40 ? opcode->length : 40), opcode->at);
  for (; p->tok.kind == TOKEN_DOT; ptx_next(p))
    if (at + p->tok.length + 1 < sizeof text)
      at += (size_t)snprintf(text + at, sizeof text - at, ".%.*s", (int)p->tok.length, p->tok.at);
  const ptx_refused_t *no;
  for (unsigned i = 0; (no = ptx_refused_opcode(i)); i++)
    if (lexer_spells(opcode, no->name))
      return ptx_fail(p, opcode->line, "`%s`: %s", text, no->what);
  const ptx_row_t *r;
  char name[PTX_NAME];
  snprintf(name, sizeof name, "%.*s", (int)opcode->length, opcode->at);
  names_near_t near = names_near(name);
  for (unsigned i = 0; (r = ptx_row(i)); i++) names_offer(&near, r->name);
  return ptx_fail(p, opcode->line,
                  "opcode `%s` is not supported%s; docs/ptx.md lists those that are", text,
                  near.text);
}

static ptx_type_t wide(ptx_type_t t) {
  switch ((int)t) {
  case PTX_U16:
    return PTX_U32;
  case PTX_S16:
    return PTX_S32;
  case PTX_U32:
    return PTX_U64;
  case PTX_S32:
    return PTX_S64;
  default:
    return t;
  }
}

static ptx_type_t operand_type(const ptx_inst_t *i, char code) {
  switch (code) {
  case 'w':
    return i->mul == PTX_MUL_WIDE ? wide((ptx_type_t)i->type) : (ptx_type_t)i->type;
  case 'u':
  case 'm':
  case 'i':
    return PTX_U32;
  case 'D':
    return PTX_B32;
  case 's':
    return (ptx_type_t)i->type2;
  case 'p':
  case 'P':
  case 'n':
    return PTX_PRED;
  default:
    return (ptx_type_t)i->type;
  }
}

static int few(parser_t *p, const ptx_inst_t *i, const char *text) {
  if (!ptx_token_is(&p->tok, ';')) return 0;
  return ptx_fail(p, i->line, "`%.60s` has too few operands", text);
}

/* Reads the destination that the row's code describes, if any. */
static int written(parser_t *p, ptx_inst_t *i, char code, unsigned allow) {
  if (code == '.') return 0;
  if (code == 'D' && lexer_spells(&p->tok, "_"))
    ptx_next(p);
  else if (ptx_destination(p, &i->dst[0], operand_type(i, code), allow))
    return -1;
  bool pair = code == 'P' || code == 'D';
  return pair && ptx_accept(p, '|') ? ptx_destination(p, &i->dst[1], PTX_PRED, 0) : 0;
}

/* setp writes both predicates for a pair of 16-bit numbers, and one predicate for a single
 * number. */
static int two_predicates(parser_t *p, const ptx_inst_t *i, const char *text) {
  const ptx_type_t type = (ptx_type_t)i->type;
  const bool two = i->dst[1].kind != PTX_OPERAND_NONE;
  if (i->op != PTX_OP_SETP || !ptx_is_half(type) || two == ptx_is_pair(type)) return 0;
  return ptx_fail(p, i->line, "`%.60s` writes %s", text,
                  two ? "one predicate" : "two predicates, p|q");
}

/* Operands that no row lists: the second number of a pair, the carry, the predicate of a
 * combination. */
static int after_row(parser_t *p, ptx_inst_t *i, unsigned n, const char *text) {
  const bool reads = i->op == PTX_OP_ADDC || i->op == PTX_OP_SUBC || i->op == PTX_OP_MADC;
  if (i->op == PTX_OP_CVT && i->type2 == PTX_F32 &&
      (ptx_is_pair((ptx_type_t)i->type) || ptx_is_eight((ptx_type_t)i->type)) &&
      (few(p, i, text) || ptx_expect(p, ',', "between operands") ||
       ptx_source(p, &i->src[n], (ptx_type_t)i->type2, 0)))
    return -1;
  if (reads || i->carry_out) {
    const int carry = ptx_carry(p);
    const ptx_operand_t o = {.kind = PTX_OPERAND_REG, .reg = (uint32_t)carry};
    if (carry < 0) return -1;
    if (reads) i->src[n] = o;
    if (i->carry_out) i->dst[1] = o;
  }
  if (i->boolean == PTX_BOOL_NONE) return 0;
  return few(p, i, text) || ptx_expect(p, ',', "before the predicate of the combination") ||
         ptx_source(p, &i->src[n], PTX_PRED, NEGATABLE);
}

/* Reads the operands that the row lists. */
static int plain(parser_t *p, const ptx_row_t *row, ptx_inst_t *i, const char *text) {
  const char *code = row->operands;
  unsigned allow = i->op == PTX_OP_CVT ? WIDER : 0, n = 0;
  if (*code == '\0') return 0;
  if (written(p, i, *code, allow)) return -1;
  bool first = *code == '.';
  if (i->op == PTX_OP_CVT) allow |= SPECIAL_TOO;
  if (two_predicates(p, i, text)) return -1;
  while (*++code) {
    if (*code == 'm' && !i->sync) continue;
    const ptx_operand_t *o = &i->src[n];
    if (few(p, i, text) || (!first && ptx_expect(p, ',', "between operands")) ||
        ptx_source(p, &i->src[n++], operand_type(i, *code), *code == 'n' ? NEGATABLE : allow))
      return -1;
    first = false;
    if (*code == 'i' && (o->kind != PTX_OPERAND_IMM || o->imm > 255))
      return ptx_fail(p, i->line, "`%.60s`: the last operand must be a number, 0 to 255", text);
  }
  return after_row(p, i, n, text);
}

/* isspacep: the address is as wide as its register. */
static int is_space(parser_t *p, ptx_inst_t *i) {
  if (ptx_destination(p, &i->dst[0], PTX_PRED, 0) || ptx_expect(p, ',', "between operands"))
    return -1;
  const int reg = p->tok.kind == TOKEN_NAME ? ptx_register(p, &p->tok) : 0;
  if (reg < 0) return -1;
  const bool narrow = reg && ptx_type_bytes((ptx_type_t)p->body->regs[reg].type) == 4;
  i->type = narrow ? PTX_U32 : PTX_U64;
  return ptx_source(p, &i->src[0], (ptx_type_t)i->type, 0);
}

/* ---- mov -------------------------------------------------------------------------- */

/* Number of elements of the vector that begins at the current token. */
static unsigned vector_length(const parser_t *p) {
  unsigned n = 1;
  for (const char *c = p->at; c < p->end && *c != '}' && *c != ';'; c++) n += *c == ',';
  return n;
}

/* The type of each part when `type` is split into n parts; PTX_NONE if there is no such type. */
static ptx_type_t part(ptx_type_t type, unsigned n) {
  unsigned bytes = ptx_type_bytes(type);
  if (n == 1 && ptx_is_bits(type)) return type;
  if ((n != 2 && n != 4) || !ptx_is_bits(type) || bytes / n < 1) return PTX_NONE;
  switch (bytes / n) {
  case 1:
    return PTX_B8;
  case 2:
    return PTX_B16;
  default:
    return PTX_B32;
  }
}

/* Emits one mov per element; the last one stays in *i. */
static int push_moves(parser_t *p, ptx_inst_t *i, const ptx_operand_t *to,
                      const ptx_operand_t *from, unsigned n) {
  body_t *b = p->body;
  unsigned left = 0;
  for (unsigned k = 0; k < n; k++) left += to[k].kind != PTX_OPERAND_NONE;
  for (unsigned k = 0; k < n; k++) {
    if (to[k].kind == PTX_OPERAND_NONE) continue;
    i->dst[0] = to[k];
    i->src[0] = from[k];
    if (--left == 0) return 0;
    if (PTX_GROW(p, b, insts, n_insts)) return -1;
    b->insts[b->n_insts++] = *i;
  }
  return 0;
}

/* Whether an element is written before it is read. */
static bool overlap(const ptx_operand_t *to, const ptx_operand_t *from, unsigned n) {
  for (unsigned k = 0; k < n; k++)
    for (unsigned j = k + 1; j < n; j++)
      if (to[k].kind == PTX_OPERAND_REG && from[j].kind == PTX_OPERAND_REG &&
          to[k].reg == from[j].reg)
        return true;
  return false;
}

/* mov.v2 and mov.v4: all elements are read before any is written. */
static int move_vector(parser_t *p, ptx_inst_t *i) {
  const ptx_type_t type = (ptx_type_t)i->type;
  const unsigned n = i->n_vector;
  const uint32_t line = p->tok.line;
  ptx_operand_t to[4] = {{0}}, from[4] = {{0}}, aside[4] = {{0}};
  unsigned n_to, n_from;
  i->n_vector = 1;
  if (type == PTX_PRED) return ptx_fail(p, line, "vectors of predicates; legal: mov.pred of each");
  if (ptx_vector(p, to, 4, &n_to, type, true, 0) || ptx_expect(p, ',', "between operands") ||
      ptx_vector(p, from, 4, &n_from, type, false, 0))
    return -1;
  if (n_to != n || n_from != n)
    return ptx_fail(p, line, "%u elements; the opcode says %u", n_to == n ? n_from : n_to, n);
  if (!overlap(to, from, n)) return push_moves(p, i, to, from, n);
  for (unsigned k = 0; k < n; k++) {
    const int reg = ptx_fresh_register(p, type);
    if (reg < 0) return -1;
    aside[k] = (ptx_operand_t){.kind = PTX_OPERAND_REG, .reg = (uint32_t)reg};
  }
  if (push_moves(p, i, aside, from, n) || PTX_GROW(p, p->body, insts, n_insts)) return -1;
  p->body->insts[p->body->n_insts++] = *i;
  return push_moves(p, i, to, aside, n);
}

static int move(parser_t *p, ptx_inst_t *i) {
  if (i->n_vector > 1) return move_vector(p, i);
  ptx_type_t type = (ptx_type_t)i->type, to = type, from = type;
  bool apart = ptx_token_is(&p->tok, '{'), together = false;
  unsigned n = apart ? vector_length(p) : 1, n_dst, n_src;
  uint32_t line = p->tok.line;
  if (apart) to = part(type, n);
  if (to == PTX_NONE)
    return ptx_fail(p, line,
                    "a .%s cannot have %u parts; legal: 1, 2 or 4 parts of .b16, .b32 or .b64",
                    ptx_type_name(type), n);
  if (ptx_vector(p, i->dst, 4, &n_dst, to, true, 0) || ptx_expect(p, ',', "between operands"))
    return -1;
  together = ptx_token_is(&p->tok, '{');
  if (together && apart) return ptx_fail(p, line, "mov from vector to vector");
  if (together) from = part(type, n = vector_length(p));
  if (from == PTX_NONE)
    return ptx_fail(p, line,
                    "a .%s cannot have %u parts; legal: 1, 2 or 4 parts of .b16, .b32 or .b64",
                    ptx_type_name(type), n);
  i->n_vector = (uint8_t)n;
  if (ptx_vector(p, i->src, 4, &n_src, from, false, together ? 0 : SPECIAL_TOO | SYMBOL_TOO))
    return -1;
  if ((apart ? n_dst : n_src) != n) return ptx_fail(p, line, "malformed vector");
  return 0;
}

static int convert_address(parser_t *p, ptx_inst_t *i) {
  token_t t;
  if (i->type == PTX_U32 && i->space != PTX_GLOBAL)
    return ptx_fail(
        p, i->line,
        "cvta.u32 of .%s: generic addresses of it have 64 bits; compile for 64 bits, or "
        "access it as .%s",
        ptx_space_name((ptx_space_t)i->space), ptx_space_name((ptx_space_t)i->space));
  if (ptx_destination(p, &i->dst[0], (ptx_type_t)i->type, 0) ||
      ptx_expect(p, ',', "between operands"))
    return -1;
  t = p->tok;
  if (ptx_source(p, &i->src[0], (ptx_type_t)i->type, SYMBOL_TOO)) return -1;
  if (i->src[0].kind != PTX_OPERAND_SYMBOL) return 0;
  const variable_t *v = &p->m->variables[i->src[0].reg];
  if (v->v.space != (ptx_space_t)i->space || i->to_space)
    return ptx_fail(p, t.line, "'%.60s' is an address in .%s", v->v.name,
                    ptx_space_name(v->v.space));
  return 0;
}

/* ---- memory ------------------------------------------------------------------------- */

static int elements(parser_t *p, ptx_inst_t *i, ptx_operand_t *o, bool destination) {
  unsigned n;
  uint32_t line = p->tok.line;
  ptx_type_t type = (ptx_type_t)i->type;
  if (ptx_vector(p, o, 4, &n, type, destination, WIDER | WIDER_BITS)) return -1;
  if (n != i->n_vector) return ptx_fail(p, line, "%u elements; the opcode says %u", n, i->n_vector);
  return 0;
}

static int memory(parser_t *p, ptx_inst_t *i) {
  i->warp.elem = (uint8_t)(i->n_vector * ptx_type_bytes((ptx_type_t)i->type));
  if (i->op == PTX_OP_LD)
    return elements(p, i, i->dst, true) || ptx_expect(p, ',', "between operands") ||
           ptx_address(p, i) || ptx_cache_policy(p, i);
  return ptx_address(p, i) || ptx_expect(p, ',', "between operands") ||
         elements(p, i, &i->src[1], false) || ptx_cache_policy(p, i);
}

/* {r, g, b, a}, [texture, {x}]: only the first coordinate counts, but all are read. */
static int texture(parser_t *p, ptx_inst_t *i) {
  unsigned n;
  ptx_operand_t at[4] = {{0}};
  i->warp.elem = 4;
  if (i->n_vector != 4) return ptx_fail(p, i->line, "tex fetches four components; legal: .v4");
  if (elements(p, i, i->dst, true) || ptx_expect(p, ',', "between operands") ||
      ptx_expect(p, '[', "before the texture"))
    return -1;
  token_t t = p->tok;
  variable_t *v = t.kind == TOKEN_NAME ? ptx_find_variable(p, t.at, t.length) : NULL;
  if (!v || !v->v.texture) {
    char shown[PTX_SHOWN];
    return ptx_fail(p, t.line,
                    "%s is not a texture; legal: the name of a .texref or .tex variable%s",
                    ptx_show(&t, shown),
                    t.kind == TOKEN_NAME && *t.at == '%'
                        ? "; of a texture object pass the buffer, and use ld.global.nc"
                        : "");
  }
  v->v.used = true;
  *(i->type == PTX_F32 ? &v->v.as_float : &v->v.as_int) = true;
  v->v.by_coordinate |= i->type2 == PTX_F32;
  ptx_next(p);
  if (ptx_expect(p, ',', "after the texture") ||
      ptx_vector(p, at, 4, &n, (ptx_type_t)i->type2, false, 0) ||
      ptx_expect(p, ']', "after the coordinates"))
    return -1;
  i->src[0] = at[0];
  i->src[1] = (ptx_operand_t){.kind = PTX_OPERAND_SYMBOL, .reg = (uint32_t)(v - p->m->variables)};
  for (unsigned k = 1; k < n; k++) i->src[k + 1] = at[k];
  return 0;
}

/* ---- control ------------------------------------------------------------------------ */

static int branch(parser_t *p, ptx_inst_t *i) {
  body_t *b = p->body;
  char shown[PTX_SHOWN];
  if (p->tok.kind != TOKEN_NAME)
    return ptx_fail(p, i->line, "%s found where a label is expected", ptx_show(&p->tok, shown));
  if (PTX_GROW(p, b, branches, n_branches)) return -1;
  b->branches[b->n_branches++] =
      (label_t){p->tok.at, p->tok.length, p->tok.line, (uint32_t)b->n_insts};
  ptx_next(p);
  return 0;
}

/* brx.idx index, table; */
static int indexed(parser_t *p, ptx_inst_t *i) {
  body_t *b = p->body;
  char shown[PTX_SHOWN];
  if (ptx_source(p, &i->src[0], PTX_U32, 0) || ptx_expect(p, ',', "between operands")) return -1;
  if (p->tok.kind != TOKEN_NAME)
    return ptx_fail(p, i->line, "%s found where the name of a .branchtargets is expected",
                    ptx_show(&p->tok, shown));
  if (PTX_GROW(p, b, indexed, n_indexed)) return -1;
  b->indexed[b->n_indexed++] =
      (label_t){p->tok.at, p->tok.length, p->tok.line, (uint32_t)b->n_insts};
  ptx_next(p);
  return 0;
}

static int operands(parser_t *p, const ptx_row_t *row, ptx_inst_t *i, const char *text) {
  switch ((int)row->op) {
  case PTX_OP_MOV:
    return move(p, i);
  case PTX_OP_CVTA:
    return convert_address(p, i);
  case PTX_OP_ISSPACEP:
    return is_space(p, i);
  case PTX_OP_LD:
  case PTX_OP_ST:
    return memory(p, i);
  case PTX_OP_ATOM:
  case PTX_OP_RED:
    return ptx_atomic(p, i);
  case PTX_OP_CP_ASYNC:
    return ptx_copy_async(p, i, text);
  case PTX_OP_ASYNC_WAIT:
    return ptx_wait_async(p, i, strcmp(row->name, "cp.async.wait_group") == 0);
  case PTX_OP_PREFETCH:
    return ptx_prefetch(p, i);
  case PTX_OP_POLICY:
    return ptx_policy(p, i);
  case PTX_OP_TEX:
    return texture(p, i);
  case PTX_OP_BRA:
    return branch(p, i);
  case PTX_OP_CALL:
    return ptx_call_operands(p, i);
  case PTX_OP_BRX:
    return indexed(p, i);
  case PTX_OP_BAR:
    return ptx_barrier(p, i, text);
  default:
    return plain(p, row, i, text);
  }
}

/* Whether the next word belongs to the name of an opcode, as in bar.warp or cp.async.wait_all. */
static bool joins(const parser_t *p, const token_t *opcode) {
  const ptx_row_t *r;
  if (p->tok.kind != TOKEN_DOT) return false;
  const size_t n = (size_t)(p->tok.at + p->tok.length - opcode->at);
  for (unsigned k = 0; (r = ptx_row(k)); k++)
    if (strlen(r->name) >= n && memcmp(r->name, opcode->at, n) == 0 &&
        (r->name[n] == '\0' || r->name[n] == '.'))
      return true;
  return false;
}

int ptx_instruction(parser_t *p, const token_t *opcode, uint32_t guard, bool negated) {
  body_t *b = p->body;
  char text[PTX_NAME], shown[PTX_SHOWN];
  const ptx_row_t *row;
  unsigned k = 0;
  token_t whole = *opcode;
  while (joins(p, &whole)) {
    whole.length = (size_t)(p->tok.at + p->tok.length - whole.at);
    ptx_next(p);
  }
  opcode = &whole;
  while ((row = ptx_row(k)) && !lexer_spells(opcode, row->name)) k++;
  if (!row) return refuse_opcode(p, opcode);
  ptx_inst_t i = {.op = (uint8_t)row->op,
                  .n_vector = 1,
                  .guard = guard,
                  .guard_negated = negated,
                  .target = PTX_NO_TARGET,
                  .reconverge = PTX_NO_TARGET,
                  .line = opcode->line};
  if (i.op == PTX_OP_RET && !b->function) i.op = PTX_OP_EXIT;
  if (ptx_modifiers(p, opcode, row, &i, text) || ptx_check(p, row, &i, text) ||
      operands(p, row, &i, text))
    return -1;
  ptx_settle_access(&i);
  if (ptx_token_is(&p->tok, ','))
    return ptx_fail(p, p->tok.line, "`%.60s` has too many operands", text);
  if (!ptx_token_is(&p->tok, ';'))
    return ptx_fail(p, opcode->line, "';' is missing after `%.60s`, before %s", text,
                    ptx_show(&p->tok, shown));
  ptx_next(p);
  if (i.op == PTX_OP_RET && ptx_give_results(p)) return -1;
  if (PTX_GROW(p, b, insts, n_insts)) return -1;
  b->insts[b->n_insts++] = i;
  return i.op == PTX_OP_CALL ? ptx_take_results(p, &i) : 0;
}
