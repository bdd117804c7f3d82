/* SPDX-License-Identifier: Apache-2.0 */
/* Checks of modifiers of memory instructions that must fit together, and the operands of memory
 * instructions other than plain loads and stores, such as atomics. */
#include "workload/ptx/parse.h"

#define BIT(type) (UINT32_C(1) << PTX_##type)
#define ORDER(order) (UINT32_C(1) << PTX_ORDER_##order)

static int refuse(parser_t *p, const ptx_inst_t *i, const char *text, const char *what) {
  return ptx_fail(p, i->line, "`%.60s`: %s", text, what);
}

/* ---- order and scope --------------------------------------------------------------- */

/* The orders that are legal for the opcode, and their list for messages; NULL if it takes none. */
static const char *orders(const ptx_inst_t *i, uint32_t *legal) {
  switch ((int)i->op) {
  case PTX_OP_LD:
    *legal = ORDER(WEAK) | ORDER(VOLATILE) | ORDER(RELAXED) | ORDER(ACQUIRE);
    return "legal: .weak .volatile .relaxed .acquire";
  case PTX_OP_ST:
    *legal = ORDER(WEAK) | ORDER(VOLATILE) | ORDER(RELAXED) | ORDER(RELEASE);
    return "legal: .weak .volatile .relaxed .release";
  case PTX_OP_ATOM:
    *legal = ORDER(RELAXED) | ORDER(ACQUIRE) | ORDER(RELEASE) | ORDER(ACQ_REL);
    return "legal: .relaxed .acquire .release .acq_rel";
  case PTX_OP_RED:
    *legal = ORDER(RELAXED) | ORDER(RELEASE);
    return "legal: .relaxed .release";
  case PTX_OP_FENCE:
    *legal = ORDER(SC) | ORDER(ACQ_REL) | ORDER(ACQUIRE) | ORDER(RELEASE);
    return "legal: .sc .acq_rel .acquire .release";
  default:
    return NULL;
  }
}

static int check_order(parser_t *p, const ptx_inst_t *i, const char *text) {
  uint32_t legal = 0;
  const char *list = orders(i, &legal);
  if (!list) return 0;
  if (i->order && !(legal >> i->order & 1)) return refuse(p, i, text, list);
  if (i->op != PTX_OP_LD && i->op != PTX_OP_ST) return 0;
  bool strong = i->order > PTX_ORDER_VOLATILE;
  if (strong != (i->scope != PTX_SCOPE_NONE))
    return refuse(p, i, text,
                  strong ? "lacks one of .cta .cluster .gpu .sys"
                         : ".cta .cluster .gpu .sys go with .relaxed, .acquire and .release");
  if (i->order > PTX_ORDER_WEAK && (i->space == PTX_CONST || i->space == PTX_PARAM))
    return refuse(p, i, text, "an order goes with global, shared and generic addresses");
  return 0;
}

/* ---- atomics ------------------------------------------------------------------------ */

static int check_atomic(parser_t *p, const ptx_inst_t *i, const char *text) {
  static const struct {
    uint32_t types;
    const char *list;
  } legal[] = {
      [PTX_ATOMIC_ADD] = {BIT(U32) | BIT(U64) | BIT(S32) | BIT(F32) | BIT(F64) | BIT(F16) |
                              BIT(F16X2) | BIT(BF16) | BIT(BF16X2),
                          ".add goes with .u32 .u64 .s32 .f32 .f64 .f16 .f16x2 .bf16 .bf16x2"},
      [PTX_ATOMIC_MIN] = {BIT(U32) | BIT(U64) | BIT(S32) | BIT(S64),
                          ".min goes with .u32 .u64 .s32 .s64"},
      [PTX_ATOMIC_MAX] = {BIT(U32) | BIT(U64) | BIT(S32) | BIT(S64),
                          ".max goes with .u32 .u64 .s32 .s64"},
      [PTX_ATOMIC_AND] = {BIT(B32) | BIT(B64), ".and goes with .b32 .b64"},
      [PTX_ATOMIC_OR] = {BIT(B32) | BIT(B64), ".or goes with .b32 .b64"},
      [PTX_ATOMIC_XOR] = {BIT(B32) | BIT(B64), ".xor goes with .b32 .b64"},
      [PTX_ATOMIC_INC] = {BIT(U32), ".inc goes with .u32"},
      [PTX_ATOMIC_DEC] = {BIT(U32), ".dec goes with .u32"},
      [PTX_ATOMIC_EXCH] = {BIT(B32) | BIT(B64), ".exch goes with .b32 .b64"},
      [PTX_ATOMIC_CAS] = {BIT(B16) | BIT(B32) | BIT(B64), ".cas goes with .b16 .b32 .b64"},
  };
  if (!(legal[i->what].types >> i->type & 1)) return refuse(p, i, text, legal[i->what].list);
  if (i->op == PTX_OP_RED && i->what >= PTX_ATOMIC_EXCH)
    return refuse(p, i, text, "`red` returns nothing; .exch and .cas go with atom");
  if (i->space != PTX_GENERIC && i->space != PTX_GLOBAL && i->space != PTX_SHARED)
    return refuse(p, i, text, "legal: global, shared and generic addresses");
  return 0;
}

/* ---- all checks --------------------------------------------------------------------- */

static int check_transfer(parser_t *p, const ptx_inst_t *i, const char *text) {
  if (i->n_vector * ptx_type_bytes((ptx_type_t)i->type) > 16)
    return refuse(p, i, text, "legal: up to 16 bytes of a thread");
  if (i->op == PTX_OP_ST && i->space == PTX_CONST)
    return refuse(p, i, text, "this space is read only");
  if (i->cached == PTX_CACHED_CV && i->op != PTX_OP_LD)
    return refuse(p, i, text, ".cv goes with ld");
  if (i->cached == PTX_CACHED_WT && i->op != PTX_OP_ST)
    return refuse(p, i, text, ".wt goes with st");
  if (i->cached && i->order > PTX_ORDER_WEAK)
    return refuse(p, i, text, ".cg .cv .wt go with weak accesses");
  return 0;
}

int ptx_check_access(parser_t *p, const ptx_inst_t *i, const char *text) {
  if (check_order(p, i, text)) return -1;
  if (i->op == PTX_OP_LD || i->op == PTX_OP_ST) return check_transfer(p, i, text);
  return i->op == PTX_OP_ATOM || i->op == PTX_OP_RED ? check_atomic(p, i, text) : 0;
}

/* Whether the access bypasses the L1 and goes to the L2, where all SMs see the same data. */
static bool goes_round(const ptx_inst_t *i) {
  if (i->space != PTX_GLOBAL && i->space != PTX_GENERIC) return false;
  if (i->op == PTX_OP_ATOM || i->op == PTX_OP_RED) return true;
  if (i->op == PTX_OP_CP_ASYNC) return i->cached == PTX_CACHED_CG;
  if (i->op != PTX_OP_LD) return false;
  bool strong = i->order == PTX_ORDER_RELAXED || i->order == PTX_ORDER_ACQUIRE;
  return i->cached == PTX_CACHED_CG || i->cached == PTX_CACHED_CV ||
         (strong && i->scope > PTX_SCOPE_CTA);
}

void ptx_settle_access(ptx_inst_t *i) {
  i->warp.bypass = goes_round(i);
  i->warp.atomic = i->op == PTX_OP_ATOM || i->op == PTX_OP_RED;
}

/* Reads an L2 cache policy, which has no effect. */
int ptx_cache_policy(parser_t *p, const ptx_inst_t *i) {
  ptx_operand_t policy;
  if (!i->hint) return 0;
  return ptx_expect(p, ',', "before the cache policy") || ptx_source(p, &policy, PTX_B64, 0);
}

int ptx_atomic(parser_t *p, ptx_inst_t *i) {
  ptx_type_t type = (ptx_type_t)i->type;
  i->warp.elem = (uint8_t)ptx_type_bytes(type);
  if (i->op == PTX_OP_ATOM) {
    if (lexer_spells(&p->tok, "_"))
      ptx_next(p);
    else if (ptx_destination(p, &i->dst[0], type, 0))
      return -1;
    if (ptx_expect(p, ',', "between operands")) return -1;
  }
  if (ptx_address(p, i) || ptx_expect(p, ',', "between operands") ||
      ptx_source(p, &i->src[1], type, 0))
    return -1;
  if (i->what == PTX_ATOMIC_CAS &&
      (ptx_expect(p, ',', "between operands") || ptx_source(p, &i->src[2], type, 0)))
    return -1;
  return ptx_cache_policy(p, i);
}

/* Reads and drops the operands: an address, and a size for discard and applypriority. */
int ptx_prefetch(parser_t *p, ptx_inst_t *i) {
  ptx_operand_t bytes;
  i->warp.elem = 1;
  if (ptx_address(p, i)) return -1;
  i->src[0] = (ptx_operand_t){.kind = PTX_OPERAND_NONE};
  i->offset = 0;
  return ptx_accept(p, ',') ? ptx_source(p, &bytes, PTX_U32, 0) : 0;
}

/* Reads and drops the operands: a fraction, or an address and two sizes, or a constant. */
int ptx_policy(parser_t *p, ptx_inst_t *i) {
  enum { FRACTIONAL, RANGE };
  ptx_inst_t from = {.warp.elem = 1};
  ptx_operand_t any;
  const ptx_type_t type = i->what == FRACTIONAL ? PTX_F32 : i->what == RANGE ? PTX_U32 : PTX_B64;
  if (ptx_destination(p, &i->dst[0], PTX_B64, 0)) return -1;
  if (i->what == RANGE && (ptx_expect(p, ',', "between operands") || ptx_address(p, &from)))
    return -1;
  while (ptx_accept(p, ','))
    if (ptx_source(p, &any, type, 0)) return -1;
  i->src[0] = (ptx_operand_t){.kind = PTX_OPERAND_IMM};
  i->op = PTX_OP_MOV; /* a mov of 0 */
  i->what = 0;
  return 0;
}
