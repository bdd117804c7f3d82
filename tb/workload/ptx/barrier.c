/* SPDX-License-Identifier: Apache-2.0 */
/* The operands of bar and barrier. */
#include "workload/barriers.h"

#include "workload/ptx/parse.h"

/* A barrier number that is constant must be legal. */
static int check_number(parser_t *p, const ptx_operand_t *o, uint32_t line) {
  if (o->kind != PTX_OPERAND_IMM || o->imm < BARRIERS) return 0;
  return ptx_fail(p, line, "barrier %llu; legal: 0 to %d", (unsigned long long)o->imm,
                  BARRIERS - 1);
}

static int check_threads(parser_t *p, const ptx_operand_t *o, uint32_t line) {
  if (o->kind != PTX_OPERAND_IMM || (o->imm && o->imm % WARP_LANES == 0)) return 0;
  return ptx_fail(p, line, "a barrier of %llu threads; legal: multiples of 32",
                  (unsigned long long)o->imm);
}

static int check_words(parser_t *p, const ptx_inst_t *i, const char *text) {
  const bool red = i->what == PTX_BAR_RED;
  if (!red && (i->type != PTX_NONE || i->boolean != PTX_BOOL_NONE))
    return ptx_fail(p, i->line, "`%.60s`: .popc .and .or and a type go with .red", text);
  if (red && i->type != (i->boolean == PTX_BOOL_NONE ? PTX_U32 : PTX_PRED))
    return ptx_fail(p, i->line, "`%.60s`: .popc gives .u32; .and and .or give .pred", text);
  return 0;
}

/* Whether the next operand is a predicate rather than a number of threads. */
static bool at_predicate(parser_t *p) {
  if (ptx_token_is(&p->tok, '!')) return true;
  const int reg = p->tok.kind == TOKEN_NAME ? ptx_register(p, &p->tok) : 0;
  return reg > 0 && p->body->regs[reg].type == PTX_PRED;
}

static int threads(parser_t *p, ptx_inst_t *i) {
  const uint32_t line = p->tok.line;
  return ptx_source(p, &i->src[1], PTX_U32, 0) || check_threads(p, &i->src[1], line);
}

int ptx_barrier(parser_t *p, ptx_inst_t *i, const char *text) {
  const bool red = i->what == PTX_BAR_RED;
  if (check_words(p, i, text)) return -1;
  if (red && (ptx_destination(p, &i->dst[0], (ptx_type_t)i->type, 0) ||
              ptx_expect(p, ',', "between operands")))
    return -1;
  const uint32_t line = p->tok.line;
  if (ptx_source(p, &i->src[0], PTX_U32, 0) || check_number(p, &i->src[0], line)) return -1;
  if (red) {
    if (ptx_expect(p, ',', "between operands")) return -1;
    if (!at_predicate(p) && (threads(p, i) || ptx_expect(p, ',', "before the predicate")))
      return -1;
    return ptx_source(p, &i->src[2], PTX_PRED, NEGATABLE);
  }
  if (ptx_accept(p, ',')) return threads(p, i);
  if (i->what == PTX_BAR_ARRIVE)
    return ptx_fail(p, i->line, "`%.60s` lacks the number of threads", text);
  return 0;
}
