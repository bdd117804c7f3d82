/* SPDX-License-Identifier: Apache-2.0 */
/* cp.async: copies from global to shared memory. The copy takes effect when it issues; only the
 * timing shows that its data arrive later. Each copy of a warp gets one of a few registers in turn,
 * and a wait reads the registers of the copies that it waits for. */
#include "workload/simt/exec.h"

#include <inttypes.h>
#include <stdlib.h>

enum { COPY_MOST = 16 };

/* Number of bytes that lane `l` reads; the rest of the copy is zeros. */
static uint32_t bytes_read(const warp_stream_t *w, const simt_op_t *op, unsigned l) {
  const ptx_operand_t *o = &op->inst->src[2];
  if (o->kind == PTX_OPERAND_NONE) return op->access;
  const lane32_t *v = simt_vector(w, op->s[2]);
  if (op->inst->type2 == PTX_PRED) { /* ignore-source flag */
    return exec_pred(w, op, 2) >> l & 1 ? 0 : op->access;
  }
  return v[l] < op->access ? v[l] : op->access;
}

/* The host address that lane `l` writes; NULL after a fault. */
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

/* ---- groups --------------------------------------------------------------------------------------- */

static void copy_and_note(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  simt_groups_t *g = w->groups;
  simt_changed(w);
  copy(w, op, mask);
  if (!g) return;
  g->lanes[g->next] = mask;
  __builtin_memcpy(g->group[g->next], g->open, sizeof g->open);
  g->next = (g->next + 1) % PTX_COPIES;
}

static void commit(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  (void)op;
  for (uint32_t left = w->groups ? mask : 0; left; left &= left - 1)
    w->groups->open[__builtin_ctz(left)]++;
}

/* The lanes of `mask` that wait for token `k`. A lane waits for all groups except the last `offset`
 * that it has committed. */
static uint32_t waiting(const warp_stream_t *w, const simt_op_t *op, unsigned k, uint32_t mask) {
  const simt_groups_t *g = w->groups;
  uint32_t wait = 0;
  for (uint32_t left = mask & g->lanes[k]; left; left &= left - 1) {
    const unsigned l = (unsigned)__builtin_ctz(left);
    const bool named = op->offset == PTX_WAIT_ALL || g->group[k][l] + op->offset < g->open[l];
    wait |= (uint32_t)named << l;
  }
  return wait;
}

static void waited(warp_stream_t *w, const simt_op_t *op, uint32_t mask) {
  for (unsigned k = 0; k < PTX_COPIES; k++) w->groups->lanes[k] &= ~waiting(w, op, k, mask);
}

const warp_inst_t *simt_grouped(const warp_stream_t *w, const simt_op_t *op) {
  const warp_inst_t *all = w->kernel->other[op - w->kernel->ops].grouped;
  unsigned set = 0;
  if (op->inst->op == PTX_OP_CP_ASYNC) return &all[w->groups->next];
  for (unsigned k = 0; k < PTX_COPIES; k++)
    set |= (unsigned)(waiting(w, op, k, w->active) != 0) << k;
  return &all[set];
}

/* ---- what the SM may see
 * -------------------------------------------------------------------------- */

enum { SETS = 1 << PTX_COPIES };

/* Makes the registers of a set of tokens the sources; the fifth does not read a bank. */
static void read_tokens(warp_inst_t *w, const uint16_t token[PTX_COPIES], unsigned set) {
  unsigned n = 0;
  for (unsigned i = 0; i < 4; i++) w->src[i] = 0;
  w->wait[1] = 0;
  for (unsigned k = 0; k < PTX_COPIES; k++) {
    if (!(set >> k & 1)) continue;
    if (n < 4)
      w->src[n++] = token[k];
    else
      w->wait[1] = token[k];
  }
}

/* All copies and waits of a kernel, including those in its functions, use the registers of its
 * first wait. */
int simt_prepare_groups(simt_kernel_t *k) {
  const ptx_kernel_t *p = k->kernel;
  uint16_t token[PTX_COPIES];
  size_t copies = 0, waits = 0;
  for (uint32_t i = 0; i < p->n_insts; i++) {
    copies += p->insts[i].op == PTX_OP_CP_ASYNC;
    if (p->insts[i].op == PTX_OP_ASYNC_WAIT && waits++ == 0)
      for (unsigned t = 0; t < PTX_COPIES; t++) {
        token[t] = ptx_sm_register(p->insts[i].src[t].reg);
      }
  }
  if (waits == 0) return 0;
  warp_inst_t *at = k->grouped = malloc((copies * PTX_COPIES + waits * SETS) * sizeof *at);
  if (!at) return -1;
  for (uint32_t i = 0; i < p->n_insts; i++) {
    const bool wait = p->insts[i].op == PTX_OP_ASYNC_WAIT;
    if (!wait && p->insts[i].op != PTX_OP_CP_ASYNC) continue;
    k->ops[i].grouped = true;
    k->other[i].grouped = at;
    for (unsigned v = 0; v < (wait ? SETS : PTX_COPIES); v++, at++) {
      *at = k->ops[i].warp;
      if (wait)
        read_tokens(at, token, v);
      else
        at->dst[0] = token[v];
      warp_inst_gather(at);
    }
  }
  return 0;
}

simt_exec_t exec_async(const ptx_inst_t *i) {
  switch ((int)i->op) {
  case PTX_OP_CP_ASYNC:
    return copy_and_note;
  case PTX_OP_ASYNC_COMMIT:
    return commit;
  case PTX_OP_ASYNC_WAIT:
    return waited;
  default:
    return NULL;
  }
}
