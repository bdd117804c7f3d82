/* SPDX-License-Identifier: Apache-2.0 */
/* cp.async and the instructions that wait for it. Each copy gets one of a few hidden registers in
 * turn, which the SM keeps pending until the data arrive. A wait reads these registers; the
 * executor decides which of them. */
#include "workload/ptx/parse.h"

static int token_register(parser_t *p, unsigned k, ptx_operand_t *o) {
  const int reg = ptx_hidden_register(p, k);
  *o = (ptx_operand_t){.kind = PTX_OPERAND_REG, .reg = (uint32_t)reg};
  return reg > 0 ? 0 : -1;
}

/* Reads the number of bytes, which determines the type. */
static int size(parser_t *p, ptx_inst_t *i, const char *text) {
  char shown[PTX_SHOWN];
  const token_t t = p->tok;
  const bool cg = i->cached == PTX_CACHED_CG;
  const bool legal = t.kind == TOKEN_INT && (t.bits == 16 || (!cg && (t.bits == 4 || t.bits == 8)));
  if (!legal)
    return ptx_fail(p, t.line, "`%.60s`: %s bytes; legal: %s", text, ptx_show(&t, shown),
                    cg ? "16 with .cg" : "4 8 16");
  i->type = t.bits == 4 ? PTX_B32 : PTX_B64;
  i->n_vector = t.bits == 16 ? 2 : 1;
  i->warp.elem = (uint8_t)t.bits;
  ptx_next(p);
  return 0;
}

/* Reads the number of bytes to read, or a predicate that suppresses the read; then the policy. */
static int optional(parser_t *p, ptx_inst_t *i) {
  ptx_operand_t policy;
  bool again = ptx_accept(p, ',');
  if (!again) return 0;
  const int reg = p->tok.kind == TOKEN_NAME ? ptx_register(p, &p->tok) : 0;
  const ptx_type_t have = reg > 0 ? (ptx_type_t)p->body->regs[reg].type : PTX_U32;
  if (!(i->hint && ptx_type_bytes(have) == 8)) {
    i->type2 = have == PTX_PRED || ptx_token_is(&p->tok, '!') ? PTX_PRED : PTX_U32;
    if (ptx_source(p, &i->src[2], (ptx_type_t)i->type2, NEGATABLE)) return -1;
    again = i->hint && ptx_accept(p, ',');
  }
  return again ? ptx_source(p, &policy, PTX_B64, 0) : 0;
}

int ptx_copy_async(parser_t *p, ptx_inst_t *i, const char *text) {
  ptx_inst_t to = {.space = PTX_SHARED, .warp.elem = 4};
  if (ptx_address(p, &to) || ptx_expect(p, ',', "between operands") || ptx_address(p, i) ||
      ptx_expect(p, ',', "before the number of bytes") || size(p, i, text) || optional(p, i))
    return -1;
  i->src[1] = to.src[0];
  i->offset2 = to.offset;
  return token_register(p, p->body->n_copies++ % PTX_COPIES, &i->dst[0]);
}

/* wait_group n and wait_all. */
int ptx_wait_async(parser_t *p, ptx_inst_t *i, bool group) {
  char shown[PTX_SHOWN];
  const token_t t = p->tok;
  if (group && t.kind != TOKEN_INT)
    return ptx_fail(p, t.line, "%s groups; legal: a number", ptx_show(&t, shown));
  i->offset = !group ? PTX_WAIT_ALL : t.bits < INT32_MAX ? (int64_t)t.bits : INT32_MAX;
  if (group) ptx_next(p);
  for (unsigned k = 0; k < PTX_COPIES; k++)
    if (token_register(p, k, &i->src[k])) return -1;
  return 0;
}
