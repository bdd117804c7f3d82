/* SPDX-License-Identifier: Apache-2.0 */
/* The reconvergence stack. Where lanes part, the top entry waits at the branch's immediate
 * post-dominator with all of them, and one entry a side goes on top: first the side of the highest
 * lane, so that the other side runs first, as in GPGPU-Sim 3.2.0; or, if so chosen, the side that
 * falls through, so that the taken one runs first. An entry that arrives at its reconvergence point
 * is popped. */
#include "workload/simt/simt_state.h"

void simt_stack_start(warp_stream_t *w, uint32_t mask) {
  w->below = 0;
  w->now = (simt_entry_t){0, PTX_NO_TARGET, mask};
}

/* Entries without lanes end; the one below has its own program counter. */
static void drop_empty(warp_stream_t *w) {
  while (w->below > 0 && w->now.mask == 0) w->now = w->stack[--w->below];
}

static void pop(warp_stream_t *w) {
  if (w->below == 0) return;
  w->now = w->stack[--w->below];
  drop_empty(w);
}

static void go(warp_stream_t *w, uint32_t pc) {
  w->now.pc = pc;
  if (pc == w->now.reconverge) pop(w);
}

void simt_stack_next(warp_stream_t *w) {
  go(w, w->now.pc + 1);
}

void simt_stack_branch(warp_stream_t *w, uint32_t taken, uint32_t target, uint32_t reconverge) {
  simt_entry_t *e = &w->now;
  uint32_t next = e->pc + 1;
  uint32_t other = e->mask & ~taken;
  if (taken == 0 || target == next) {
    go(w, next);
    return;
  }
  if (other == 0) {
    go(w, target);
    return;
  }
  /* A side that is already where this entry ends needs no entry of its own; nor does a
   * reconvergence point that the entry below has. */
  if (target == e->reconverge || next == e->reconverge) {
    e->mask = target == e->reconverge ? other : taken;
    e->pc = target == e->reconverge ? next : target;
    return;
  }
  /* The side that is taken goes below. */
  bool low = taken > other && !w->sim->setup.taken_first;
  const simt_entry_t last = {low ? target : next, reconverge, low ? taken : other};
  const simt_entry_t first = {low ? next : target, reconverge, low ? other : taken};
  if (reconverge != e->reconverge) {
    e->pc = reconverge;
    w->stack[w->below++] = *e;
  }
  if (last.pc != reconverge && first.pc != reconverge) w->stack[w->below++] = last;
  *e = first.pc != reconverge ? first : last;
}

void simt_stack_exit(warp_stream_t *w, uint32_t lanes) {
  uint32_t next = w->now.pc + 1;
  w->now.mask &= ~lanes;
  for (unsigned i = 0; i < w->below; i++) w->stack[i].mask &= ~lanes;
  if (w->now.mask)
    go(w, next);
  else
    drop_empty(w);
}
