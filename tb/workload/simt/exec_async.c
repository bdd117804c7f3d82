/* SPDX-License-Identifier: Apache-2.0 */
/* cp.async: from global to shared memory. It takes effect when it issues; that its data come later is
 * seen in the time only. */
#include "workload/simt/exec.h"

#include <inttypes.h>

enum { COPY_MOST = 16 };

/* Bytes that lane `l` reads; the rest are zeros. */
static uint32_t bytes_read(const warp_stream_t *w, const simt_op_t *op, unsigned l) {
  const ptx_operand_t *o = &op->inst->src[2];
  if (o->kind == PTX_OPERAND_NONE) return op->access;
  const lane32_t *v = simt_vector(w, op->s[2]);
  if (op->inst->type2 == PTX_PRED) { /* whether to ignore what is there */
    return exec_pred(w, op, 2) >> l & 1 ? 0 : op->access;
  }
  return v[l] < op->access ? v[l] : op->access;
}

/* Where lane `l` writes, NULL after a fault. */
static uint8_t *target(warp_stream_t *w, const simt_op_t *op, unsigned l) {
  const void *a = simt_vector(w, op->s[1]);
  const uint64_t offset = (uint64_t)op->inst->offset2, most = w->sim->launch.shared;
  const uint64_t at = op->target64 ? ((const lane64_t *)a)[l] + offset
                                   : (uint32_t)(((const lane32_t *)a)[l] + (uint32_t)offset);
  if (at < most && op->access <= most - at && at % op->access == 0) return w->block->shared + at;
  simt_fault(w, op, l, "%u-byte store at 0x%" PRIx64 ": %s shared memory of the block", op->access,
             at, at % op->access ? "not aligned in" : "outside");
  return NULL;
}

static void copy(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  uint8_t *from[WARP_LANES];
  uint32_t reads = 0;
  for (uint32_t left = mask; left; left &= left - 1) {
    const unsigned l = (unsigned)__builtin_ctz(left);
    reads |= (uint32_t)(bytes_read(w, op, l) > 0) << l;
  }
  const uint32_t good = simt_reach(w, op, reads, from);
  for (uint32_t left = mask & ~(reads & ~good); left; left &= left - 1) {
    const unsigned l = (unsigned)__builtin_ctz(left);
    uint8_t value[COPY_MOST] = {0};
    uint8_t *to = target(w, op, l);
    if (good >> l & 1) __builtin_memcpy(value, from[l], bytes_read(w, op, l));
    if (to) __builtin_memcpy(to, value, op->access);
  }
}

simt_exec_t exec_async(const ptx_inst_t *i) {
  return i->op == PTX_OP_CP_ASYNC ? copy : NULL;
}
