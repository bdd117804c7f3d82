/* SPDX-License-Identifier: Apache-2.0 */
/* Copies: mov, cvta, and loads of parameters, which are vectors of the kernel's constants. */
#include "workload/simt/exec.h"

EXEC_UNARY(move_32, lane32_t, lane32_t, uint32_t, a)
EXEC_UNARY(move_64, lane64_t, lane64_t, uint64_t, a)

static void move_pred(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  exec_set_pred(w, op->d[0], exec_pred(w, op, 0), mask);
}

/* A vector of parameters: one copy for each element. */
static void move_many(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  for (unsigned i = 0; i < op->n; i++)
    exec_blend(simt_vector(w, op->d[i]), simt_vector(w, op->s[i]), mask, op->wide >> i & 1 ? 8 : 4);
}

/* mov.b64 {a, b}, x and mov.b64 x, {a, b}; the same for b32 with 16-bit halves. */
static void split_64(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  const lane64_t *a = simt_vector(w, op->s[0]);
  lane32_t *low = simt_vector(w, op->d[0]), *high = simt_vector(w, op->d[1]);
  for (unsigned l = 0; l < WARP_LANES; l++) {
    if (!(mask >> l & 1)) continue;
    low[l] = (uint32_t)a[l];
    high[l] = (uint32_t)(a[l] >> 32);
  }
}
static void join_64(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  const lane32_t *low = simt_vector(w, op->s[0]), *high = simt_vector(w, op->s[1]);
  lane64_t *d = simt_vector(w, op->d[0]);
  for (unsigned l = 0; l < WARP_LANES; l++)
    if (mask >> l & 1) d[l] = (uint64_t)high[l] << 32 | low[l];
}
static void split_32(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  const lane32_t *a = simt_vector(w, op->s[0]);
  lane32_t *low = simt_vector(w, op->d[0]), *high = simt_vector(w, op->d[1]);
  for (unsigned l = 0; l < WARP_LANES; l++) {
    if (!(mask >> l & 1)) continue;
    uint32_t x = a[l]; /* a destination may be the source */
    low[l] = x & 0xFFFF;
    high[l] = x >> 16;
  }
}
static void join_32(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  const lane32_t *low = simt_vector(w, op->s[0]), *high = simt_vector(w, op->s[1]);
  lane32_t *d = simt_vector(w, op->d[0]);
  for (unsigned l = 0; l < WARP_LANES; l++)
    if (mask >> l & 1) d[l] = high[l] << 16 | (low[l] & 0xFFFF);
}

/* The same for four parts of 16 bits, and for parts of 8 bits. A part may be in the same register
 * as the whole. */
static unsigned part_bits(const simt_op_t *op) {
  return 8u * op->bytes / op->n;
}
static void split_any(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  const unsigned bits = part_bits(op);
  const void *from = simt_vector(w, op->s[0]);
  for (unsigned l = 0; l < WARP_LANES; l++) {
    if (!(mask >> l & 1)) continue;
    uint64_t a = op->bytes == 8 ? ((const lane64_t *)from)[l] : ((const lane32_t *)from)[l];
    for (unsigned k = 0; k < op->n; k++, a >>= bits)
      ((lane32_t *)simt_vector(w, op->d[k]))[l] = (uint32_t)a & ((1u << bits) - 1);
  }
}
static void join_any(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  const unsigned bits = part_bits(op);
  void *to = simt_vector(w, op->d[0]);
  for (unsigned l = 0; l < WARP_LANES; l++) {
    uint64_t d = 0;
    if (!(mask >> l & 1)) continue;
    for (unsigned k = op->n; k-- > 0;) {
      const lane32_t *part = simt_vector(w, op->s[k]);
      d = d << bits | (part[l] & ((1u << bits) - 1));
    }
    if (op->bytes == 8)
      ((lane64_t *)to)[l] = d;
    else
      ((lane32_t *)to)[l] = (uint32_t)d;
  }
}

/* Converts between generic addresses and addresses of shared memory, local memory, constants or
 * parameters. Global addresses are generic. */
static void cvta(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  uint64_t window = simt_window((ptx_space_t)op->inst->space);
  const lane64_t *a = simt_vector(w, op->s[0]);
  lane64_t *d = simt_vector(w, op->d[0]);
  for (unsigned l = 0; l < WARP_LANES; l++)
    if (mask >> l & 1) d[l] = op->inst->to_space ? a[l] - window : a[l] + window;
}

simt_exec_t exec_move(const ptx_inst_t *i, bool fast) {
  static const exec_pair_t move[2] = {PAIR(move_32), PAIR(move_64)};
  bool wide = ptx_type_bytes((ptx_type_t)i->type) == 8;
  const bool join = i->src[1].kind != PTX_OPERAND_NONE, split = i->n_vector > 1 && !join;
  const bool any = i->n_vector > 2 || i->type == PTX_B16;
  switch (i->op) {
  case PTX_OP_MOV:
    if (i->type == PTX_PRED) return move_pred;
    if (any && split) return split_any;
    if (any && join) return join_any;
    if (split) return wide ? split_64 : split_32;
    if (join) return wide ? join_64 : join_32;
    return move[wide].fn[fast];
  case PTX_OP_CVTA:
    if (!simt_window((ptx_space_t)i->space)) return move[wide].fn[fast];
    return wide ? cvta : NULL;
  case PTX_OP_LD:
    return ptx_reads_fixed(i) ? move_many : NULL;
  default:
    return NULL;
  }
}
