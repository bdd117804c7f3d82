/* SPDX-License-Identifier: Apache-2.0 */
/* Operands: registers, constants, special registers, addresses of variables, vectors, and memory
 * addresses. */
#include "workload/ptx/parse.h"

#include <string.h>

/* Registers of .b types fit every type of their size; other registers fit their own kind only. */
static bool fits(ptx_type_t reg, ptx_type_t type, unsigned allow) {
  if ((reg == PTX_PRED) != (type == PTX_PRED)) return false;
  unsigned have = ptx_type_bytes(reg), want = ptx_type_bytes(type);
  if (have < want) return false;
  if (have > want)
    return ptx_is_float(type) ? (allow & WIDER_BITS) && ptx_is_bits(reg)
                              : (allow & WIDER) && !ptx_is_float(reg);
  if (ptx_is_bits(reg) || ptx_is_bits(type)) return true;
  if (ptx_is_half(reg) || ptx_is_half(type) || type == PTX_TF32) return reg == type;
  return ptx_is_float(reg) == ptx_is_float(type);
}

static int register_operand(parser_t *p, ptx_operand_t *o, const token_t *t, int reg,
                            ptx_type_t type, unsigned allow) {
  ptx_type_t have = (ptx_type_t)p->body->regs[reg].type;
  if (!fits(have, type, allow))
    return ptx_fail(p, t->line, "register '%.*s' is .%s; the operand is .%s", (int)t->length, t->at,
                    ptx_type_name(have), ptx_type_name(type));
  *o = (ptx_operand_t){.kind = PTX_OPERAND_REG, .reg = (uint32_t)reg};
  return 0;
}

static uint64_t low_bits(uint64_t v, ptx_type_t type) {
  unsigned bits = 8 * ptx_type_bytes(type);
  return bits < 64 ? v & ((UINT64_C(1) << bits) - 1) : v;
}

/* Constants have 64 bits; the operand takes as many of the low bits as it has. */
static int integer(parser_t *p, ptx_operand_t *o, const token_t *t, uint64_t v, ptx_type_t type) {
  char shown[PTX_SHOWN];
  if (ptx_is_float(type))
    return ptx_fail(p, t->line, "%s is an integer, the operand .%s; legal: 0f3F800000, 1.0",
                    ptx_show(t, shown), ptx_type_name(type));
  *o = (ptx_operand_t){.kind = PTX_OPERAND_IMM,
                       .imm = type == PTX_PRED ? v != 0 : low_bits(v, type)};
  return 0;
}

static int floating(parser_t *p, ptx_operand_t *o, const token_t *t, bool minus, ptx_type_t type) {
  char shown[PTX_SHOWN];
  float f;
  double d;
  uint32_t word;
  bool is_float = ptx_is_float(type), fits32 = type == PTX_B32 && t->float_bytes == 4;
  if (!is_float && !fits32 && type != PTX_B64)
    return ptx_fail(p, t->line, "%s is floating point, the operand .%s", ptx_show(t, shown),
                    ptx_type_name(type));
  word = (uint32_t)t->bits;
  memcpy(&f, &word, sizeof f);
  memcpy(&d, &t->bits, sizeof d);
  *o = (ptx_operand_t){.kind = PTX_OPERAND_IMM, .imm = t->bits};
  if (ptx_type_bytes(type) == 4 && t->float_bytes == 8) {
    f = (float)d;
    memcpy(&word, &f, sizeof word);
    o->imm = word;
  } else if (ptx_type_bytes(type) == 8 && t->float_bytes == 4) {
    d = f;
    memcpy(&o->imm, &d, sizeof d);
  }
  if (minus) o->imm ^= UINT64_C(1) << (8 * ptx_type_bytes(type) - 1);
  return 0;
}

static int constant(parser_t *p, ptx_operand_t *o, ptx_type_t type) {
  char shown[PTX_SHOWN];
  if (ptx_is_half(type))
    return ptx_fail(p, p->tok.line,
                    "%s found where a .%s register is expected; legal: one set by mov.b%u",
                    ptx_show(&p->tok, shown), ptx_type_name(type), 8 * ptx_type_bytes(type));
  const token_t t = p->tok;
  const ptx_place_t from = ptx_place(p);
  const bool minus = ptx_accept(p, '-');
  const token_t number = p->tok;
  if (number.kind == TOKEN_FLOAT) {
    ptx_next(p);
    return floating(p, o, &number, minus, type);
  }
  uint64_t v;
  ptx_go_back(p, &from);
  return ptx_expression(p, &v) ? -1 : integer(p, o, minus ? &number : &t, v, type);
}

/* ---- names ------------------------------------------------------------------------- */

/* Whether the special register may be read with this size. */
static bool is_size(unsigned special, unsigned bytes) {
  if (special == PTX_CLOCK64) return bytes == 8;
  if (special == PTX_GRIDID) return bytes >= 4;
  return bytes == 4 || (bytes == 2 && special != PTX_CLOCK);
}

static int special(parser_t *p, ptx_operand_t *o, const token_t *t, const char *name,
                   ptx_type_t type, unsigned allow) {
  for (unsigned i = 0; ptx_special_name(i); i++) {
    if (strcmp(ptx_special_name(i), name) != 0) continue;
    if (!(allow & SPECIAL_TOO) || ptx_is_float(type) || type == PTX_PRED ||
        !is_size(i, ptx_type_bytes(type)))
      return ptx_fail(p, t->line, "special register %s; legal: in mov and cvt, as %s bits", name,
                      i == PTX_CLOCK64  ? "64"
                      : i == PTX_GRIDID ? "32 or 64"
                      : i == PTX_CLOCK  ? "32"
                                        : "16 or 32");
    *o = (ptx_operand_t){.kind = PTX_OPERAND_SPECIAL, .reg = i};
    return 0;
  }
  return 1;
}

/* The variable or parameter that `t` names; 1 if there is none of this name. */
static int symbol(parser_t *p, ptx_operand_t *o, const token_t *t, ptx_space_t *space) {
  body_t *b = p->body;
  const arg_t *a = ptx_find_argument(b, t);
  if (a) {
    *o = (ptx_operand_t){.kind = PTX_OPERAND_SYMBOL, .reg = b->area, .imm = a->slot.offset};
    *space = PTX_ARGUMENT;
    return 0;
  }
  for (size_t i = 0; i < b->n_params; i++) {
    if (!lexer_spells(t, b->params[i].name)) continue;
    *o = (ptx_operand_t){.kind = PTX_OPERAND_IMM, .imm = b->params[i].offset};
    *space = PTX_PARAM;
    return 0;
  }
  variable_t *v = ptx_find_variable(p, t->at, t->length);
  if (!v) return 1;
  v->v.used = true;
  *space = v->v.space;
  *o = (ptx_operand_t){.kind = PTX_OPERAND_SYMBOL, .reg = (uint32_t)(v - p->m->variables)};
  return 0;
}

/* Reads `+4`, `-4`, `+-4`, `+2*8-4` or nothing. */
static int displacement(parser_t *p, int64_t *offset) {
  uint64_t sum = 0, step;
  for (bool minus; (minus = ptx_token_is(&p->tok, '-')) || ptx_token_is(&p->tok, '+');) {
    ptx_next(p);
    if (ptx_product(p, &step)) return -1;
    sum = minus ? sum - step : sum + step;
  }
  *offset = (int64_t)sum;
  return 0;
}

/* Special registers of PTX that are not supported: what to do instead; NULL for others. */
static const char *missing_register(const char *name) {
  if (strcmp(name, "%globaltimer") == 0 || strncmp(name, "%globaltimer_", 13) == 0)
    return "nanoseconds are not modelled; use %clock64";
  if (strncmp(name, "%reserved_smem_offset_", 22) == 0)
    return "no shared memory is reserved for the system; compile for sm_75 or older";
  if (strncmp(name, "%cluster", 8) == 0 || strncmp(name, "%ncluster", 9) == 0)
    return "clusters are not supported; compile for sm_80 or older";
  return NULL;
}

static int unknown(parser_t *p, const token_t *t, const char *name) {
  if (missing_register(name))
    return ptx_fail(p, t->line, "special register %.60s: %s", name, missing_register(name));
  for (size_t i = 0; i <= p->m->n_units; i++) {
    const ptx_kernel_t *k = i < p->m->n_units ? &p->m->units[i].k : &p->body->k;
    if (k->name && strcmp(k->name, name) == 0)
      return ptx_fail(p, t->line, "'%.80s' is a kernel: only the host launches kernels", name);
  }
  char nearest[160];
  token_t whole = *t;
  whole.at = name;
  whole.length = strlen(name);
  ptx_suggest(p, &whole, nearest, sizeof nearest);
  return ptx_fail(p, t->line, "'%.80s' is not declared%s", name, nearest);
}

/* Appends the word behind the dot that a special register has; a long name is cut. */
static void whole_name(parser_t *p, const token_t *t, char name[PTX_NAME]) {
  const int n = snprintf(name, PTX_NAME, "%.*s", (int)t->length, t->at);
  if (*name != '%' || p->tok.kind != TOKEN_DOT) return;
  if (n < PTX_NAME)
    snprintf(name + n, PTX_NAME - (size_t)n, ".%.*s", (int)p->tok.length, p->tok.at);
  ptx_next(p);
}

static int named(parser_t *p, ptx_operand_t *o, ptx_type_t type, unsigned allow) {
  char name[PTX_NAME];
  token_t t = p->tok;
  ptx_space_t space;
  int reg = ptx_register(p, &t), rc;
  ptx_next(p);
  if (reg) return reg < 0 ? -1 : register_operand(p, o, &t, reg, type, allow);
  whole_name(p, &t, name);
  if ((rc = special(p, o, &t, name, type, allow)) <= 0) return rc;
  if ((rc = symbol(p, o, &t, &space)) < 0) return -1;
  const uint64_t function = rc > 0 ? ptx_function_address(p->m, t.at, t.length) : 0;
  if (rc > 0 && !function) return unknown(p, &t, name);
  if (function) {
    if (!(allow & SYMBOL_TOO) || ptx_is_float(type) || ptx_type_bytes(type) != 8)
      return ptx_fail(p, t.line, "address of function '%.80s'; legal: in mov, 64 bits", name);
    *o = (ptx_operand_t){.kind = PTX_OPERAND_IMM, .imm = function};
    return 0;
  }
  if (!(allow & SYMBOL_TOO) || ptx_is_float(type) || ptx_type_bytes(type) < 4)
    return ptx_fail(p, t.line, "address of '%.80s'; legal: in mov and cvta, 32 or 64 bits", name);
  int64_t offset;
  if (displacement(p, &offset)) return -1;
  o->imm = low_bits(o->imm + (uint64_t)offset, o->kind == PTX_OPERAND_IMM ? type : PTX_B64);
  return 0;
}

int ptx_source(parser_t *p, ptx_operand_t *o, ptx_type_t type, unsigned allow) {
  if ((allow & NEGATABLE) && ptx_accept(p, '!')) {
    char shown[PTX_SHOWN];
    if (p->tok.kind != TOKEN_NAME)
      return ptx_fail(p, p->tok.line, "%s after '!'; legal: a predicate", ptx_show(&p->tok, shown));
    if (named(p, o, type, 0)) return -1;
    o->negated = true;
    return 0;
  }
  const bool name = p->tok.kind == TOKEN_NAME && !lexer_spells(&p->tok, "WARP_SZ");
  return name ? named(p, o, type, allow) : constant(p, o, type);
}

int ptx_destination(parser_t *p, ptx_operand_t *o, ptx_type_t type, unsigned allow) {
  char shown[PTX_SHOWN];
  token_t t = p->tok;
  if (t.kind != TOKEN_NAME)
    return ptx_fail(p, t.line, "%s found where a destination register is expected",
                    ptx_show(&t, shown));
  if (named(p, o, type, allow)) return -1;
  if (o->kind != PTX_OPERAND_REG)
    return ptx_fail(p, t.line, "%s cannot be written; legal: a register", ptx_show(&t, shown));
  return 0;
}

/* Reads all elements of a vector register. */
static int whole_vector(parser_t *p, const reg_decl_t *d, ptx_operand_t *o, unsigned max,
                        unsigned *n, ptx_type_t type, unsigned allow) {
  const token_t t = p->tok;
  char *name = ptx_alloc(p, t.length + 3);
  if (!name) return -1;
  ptx_next(p);
  *n = d->vector;
  if (*n > max) return ptx_fail(p, t.line, "more than %u elements in a vector", max);
  memcpy(name, t.at, t.length);
  name[t.length] = '.';
  for (unsigned k = 0; k < *n; k++) {
    name[t.length + 1] = "xyzw"[k];
    const token_t element = {
        .kind = TOKEN_NAME, .at = name, .length = t.length + 2, .line = t.line};
    const int reg = ptx_register(p, &element);
    if (reg <= 0 || register_operand(p, &o[k], &element, reg, type, allow)) return -1;
  }
  return 0;
}

int ptx_vector(parser_t *p, ptx_operand_t *o, unsigned max, unsigned *n, ptx_type_t type,
               bool destination, unsigned allow) {
  uint32_t line = p->tok.line;
  const bool name = p->tok.kind == TOKEN_NAME && p->body->n_vectors;
  const reg_decl_t *vector = name ? ptx_vector_register(p->body, p->tok.at, p->tok.length) : NULL;
  if (vector) return whole_vector(p, vector, o, max, n, type, allow);
  bool braces = ptx_accept(p, '{'), wanted = false;
  *n = 0;
  do {
    if (*n == max) return ptx_fail(p, line, "more than %u elements in a vector", max);
    const bool sink = braces && destination && lexer_spells(&p->tok, "_");
    if (sink)
      ptx_next(p);
    else if (destination ? ptx_destination(p, &o[*n], type, allow)
                         : ptx_source(p, &o[*n], type, allow))
      return -1;
    wanted |= !sink;
    ++*n;
  } while (braces && ptx_accept(p, ','));
  if (!wanted) return ptx_fail(p, line, "a vector of '_' alone; legal: at least one register");
  return braces ? ptx_expect(p, '}', "after the elements") : 0;
}

/* ---- addresses ------------------------------------------------------------------------ */

/* A parameter or variable named in an address must be in the space that the instruction
 * accesses. */
static int check_space(parser_t *p, ptx_inst_t *i, const token_t *t, ptx_space_t space) {
  ptx_space_t want = (ptx_space_t)i->space;
  if (space == PTX_ARGUMENT && want == PTX_PARAM) return 0;
  const bool plain = i->op == PTX_OP_LD || (i->op == PTX_OP_ST && space != PTX_CONST);
  if (want == PTX_GENERIC &&
      (space == PTX_SHARED || (plain && (space == PTX_LOCAL || space == PTX_CONST)))) {
    i->space = (uint8_t)space; /* generic access by name: use the variable's own space */
    return 0;
  }
  if (space == want || (want == PTX_GENERIC && space == PTX_GLOBAL)) return 0;
  return ptx_fail(p, t->line, "'%.*s' is in .%s, the instruction reaches %s%s", (int)t->length,
                  t->at, ptx_space_name(space), want == PTX_GENERIC ? "" : ".",
                  ptx_space_name(want));
}

/* A .param variable of a call: the access must be within it and aligned. */
static int check_argument(parser_t *p, ptx_inst_t *i, const token_t *t) {
  const arg_t *a = t->kind == TOKEN_NAME ? ptx_find_argument(p->body, t) : NULL;
  const bool mine = a || p->body->function; /* a function has no other .param variables */
  if (i->space != PTX_PARAM) return 0;
  if (mine) i->space = PTX_ARGUMENT;
  if (!mine && i->op == PTX_OP_ST)
    return ptx_fail(p, t->line, "parameters of a kernel are read only");
  const uint64_t bytes = i->warp.elem;
  if (a && ((uint64_t)i->offset > a->slot.bytes || bytes > a->slot.bytes - (uint64_t)i->offset ||
            (a->slot.offset + (uint64_t)i->offset) % bytes))
    return ptx_fail(p, t->line, "%u bytes at '%.*s'%+lld: outside of its %u bytes, or not aligned",
                    (unsigned)bytes, (int)t->length, t->at, (long long)i->offset, a->slot.bytes);
  return 0;
}

static int check_parameter(parser_t *p, const ptx_inst_t *i, const token_t *t) {
  uint64_t at = i->src[0].imm + (uint64_t)i->offset, bytes = i->warp.elem;
  if (at > p->body->k.param_bytes || bytes > p->body->k.param_bytes - at || at % bytes)
    return ptx_fail(
        p, t->line,
        "%u bytes at '%.*s'%+lld: outside of the %u bytes of parameters, or not aligned",
        (unsigned)bytes, (int)t->length, t->at, (long long)i->offset, p->body->k.param_bytes);
  return 0;
}

int ptx_address(parser_t *p, ptx_inst_t *i) {
  ptx_operand_t *o = &i->src[0];
  if (ptx_expect(p, '[', "before the address")) return -1;
  token_t t = p->tok;
  ptx_space_t space = (ptx_space_t)i->space;
  if (t.kind != TOKEN_NAME) {
    if (constant(p, o, PTX_U64)) return -1;
  } else {
    int reg = ptx_register(p, &t), rc;
    if (reg < 0) return -1;
    ptx_next(p);
    if (reg) {
      bool wide = ptx_type_bytes((ptx_type_t)p->body->regs[reg].type) == 8;
      if (register_operand(p, o, &t, reg, wide ? PTX_U64 : PTX_U32, 0)) return -1;
    } else if ((rc = symbol(p, o, &t, &space)) != 0) {
      char name[PTX_NAME];
      snprintf(name, sizeof name, "%.*s", (int)t.length, t.at);
      return rc < 0 ? -1 : unknown(p, &t, name);
    }
  }
  if (displacement(p, &i->offset)) return -1;
  if (check_space(p, i, &t, space) || check_argument(p, i, &t)) return -1;
  if (space == PTX_PARAM && o->kind == PTX_OPERAND_IMM && check_parameter(p, i, &t)) return -1;
  return ptx_expect(p, ']', "after the address");
}
