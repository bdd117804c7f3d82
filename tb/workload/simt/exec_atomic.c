/* SPDX-License-Identifier: Apache-2.0 */
/* atom and red in global and shared memory: lane by lane, from the lowest. */
#include "workload/simt/atomic.h"
#include "workload/simt/exec.h"

static uint64_t operand(const warp_stream_t *w, simt_place_t at, unsigned lane, bool wide) {
  if (!at) return 0;
  const void *v = simt_vector(w, at);
  return wide ? ((const lane64_t *)v)[lane] : ((const lane32_t *)v)[lane];
}

static void atomic(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  uint8_t *at[WARP_LANES];
  const bool shared = (op->generic ? w->space : op->space) == PTX_SHARED, wide = op->bytes == 8;
  const atomic_t change =
      atomic_function((ptx_atomic_t)op->inst->what, (ptx_type_t)op->inst->type, !shared);
  uint64_t old[WARP_LANES] = {0};
  uint32_t old32[WARP_LANES];
  const uint32_t good = simt_reach(w, op, mask, at);
  for (uint32_t left = good; left; left &= left - 1) {
    unsigned l = (unsigned)__builtin_ctz(left);
    __builtin_memcpy(&old[l], at[l], op->bytes);
    const uint64_t now =
        change(old[l], operand(w, op->s[1], l, wide), operand(w, op->s[2], l, wide));
    if (__builtin_memcmp(at[l], &now, op->bytes) == 0) continue;
    __builtin_memcpy(at[l], &now, op->bytes);
    simt_changed(w);
  }
  if (!op->d[0]) return;
  for (unsigned l = 0; l < WARP_LANES; l++) old32[l] = (uint32_t)old[l];
  exec_blend(simt_vector(w, op->d[0]), wide ? (const void *)old : (const void *)old32, mask,
             wide ? 8 : 4);
}

void simt_atomic_operands(const warp_stream_t *w, const simt_op_t *op, uint32_t mask,
                          uint8_t value[WARP_LANES][16]) {
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned l = (unsigned)__builtin_ctz(left);
    const uint64_t b = operand(w, op->s[1], l, op->bytes == 8);
    const uint64_t c = operand(w, op->s[2], l, op->bytes == 8);
    __builtin_memcpy(value[l], &b, sizeof b);
    __builtin_memcpy(value[l] + sizeof b, &c, sizeof c);
  }
}

simt_exec_t exec_atomic(const ptx_inst_t *i) {
  return i->op == PTX_OP_ATOM || i->op == PTX_OP_RED ? atomic : NULL;
}
