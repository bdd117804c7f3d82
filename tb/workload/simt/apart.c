/* SPDX-License-Identifier: Apache-2.0 */
/* SMs that run apart from each other, on threads: which kernels can, and what happened meanwhile.
 * docs/threads.md */
#include "workload/simt/simt_state.h"

/* What is printed cannot be taken back. */
static bool prints(const ptx_inst_t *i) {
  return i->op == PTX_OP_CALL && i->call && i->call->kind == PTX_CALL_PRINTF;
}

/* Its effect depends on the cycle, or on the order of the SMs; or, of a texture, its timing does. */
static bool is_ordered(const ptx_inst_t *i) {
  const bool atomic = i->op == PTX_OP_ATOM || i->op == PTX_OP_RED;
  return i->op == PTX_OP_TEX || ptx_is_clock(&i->src[0]) || (atomic && i->space != PTX_SHARED);
}

void simt_find_apart(simt_t *t) {
  bool any_prints = false;
  for (unsigned n = 0; n < t->n_kernels; n++) {
    simt_kernel_t *k = &t->kernels[n];
    k->apart = !k->saved; /* frames are shared by all warps */
    for (uint32_t i = 0; i < k->kernel->n_insts; i++) {
      k->apart &= !is_ordered(&k->kernel->insts[i]);
      any_prints |= prints(&k->kernel->insts[i]);
    }
  }
  for (unsigned n = 0; n < t->n_kernels && any_prints; n++) t->kernels[n].apart = false;
}

apart_t simt_apart(workload_t *w, bool on) {
  simt_t *t = (simt_t *)w;
  t->apart = on;
  if (on) return APART_FINE;
  if (atomic_exchange(&t->broken, false)) return APART_BROKEN;
  return atomic_exchange(&t->asks, false) ? APART_ASKS : APART_FINE;
}
