/* SPDX-License-Identifier: Apache-2.0 */
/* The reconvergence stack. Where lanes diverge, the top entry waits at the branch's immediate
 * post-dominator with all of them, and each side gets an entry on top. The side of the highest lane
 * is pushed first, so that the other side runs first, as in GPGPU-Sim 3.2.0; or, if so chosen, the
 * fall-through side is pushed first, so that the taken side runs first. An entry that reaches its
 * reconvergence point is popped. */
#include "workload/simt/simt_state.h"

void simt_stack_start(warp_stream_t *w, uint32_t mask) {
  w->below = 0;
  w->depth = 0;
  w->now = (simt_entry_t){0, PTX_NO_TARGET, mask};
}

/* Entries without lanes end; the entry below has its own program counter. Below the entries of a
 * function lies that of its call, which may have reached its reconvergence point. */
static void drop_empty(warp_stream_t *w) {
  while (w->below > 0 && w->now.mask == 0) {
    const bool left = w->depth > 0 && w->base_of[w->depth - 1] == w->below;
    w->now = w->stack[--w->below];
    w->depth -= left;
    if (left && w->now.mask && w->now.pc == w->now.reconverge) w->now = w->stack[--w->below];
  }
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
  /* A side that is already at this entry's end needs no separate entry. Neither does a
   * reconvergence point that the entry below has. */
  if (target == e->reconverge || next == e->reconverge) {
    e->mask = target == e->reconverge ? other : taken;
    e->pc = target == e->reconverge ? next : target;
    return;
  }
  /* `low`: the taken side lies below. */
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

void simt_stack_call(warp_stream_t *w, uint32_t lanes, uint32_t target) {
  w->now.pc++;
  w->stack[w->below++] = w->now;
  w->base_of[w->depth++] = w->below;
  w->now = (simt_entry_t){target, PTX_NO_TARGET, lanes};
}

void simt_stack_return(warp_stream_t *w, uint32_t lanes) {
  const uint32_t next = w->now.pc + 1;
  w->now.mask &= ~lanes;
  for (unsigned i = w->base_of[w->depth - 1]; i < w->below; i++) w->stack[i].mask &= ~lanes;
  if (w->now.mask)
    go(w, next);
  else
    drop_empty(w);
}

/* The side of the highest lane lies lowest. */
void simt_stack_switch(warp_stream_t *w, uint32_t lanes, uint32_t target[WARP_LANES],
                       uint32_t reconverge) {
  const simt_entry_t all = w->now;
  simt_entry_t side[WARP_LANES];
  unsigned n = 0;
  for (uint32_t left = all.mask; left; n++) {
    const unsigned high = 31u - (unsigned)__builtin_clz(left);
    const uint32_t to = lanes >> high & 1 ? target[high] : all.pc + 1;
    side[n] = (simt_entry_t){to, reconverge, 0};
    for (unsigned l = 0; l <= high; l++)
      if ((left >> l & 1) && (lanes >> l & 1 ? target[l] : all.pc + 1) == to)
        side[n].mask |= UINT32_C(1) << l;
    left &= ~side[n].mask;
  }
  if (n == 1) {
    go(w, side[0].pc);
    return;
  }
  if (reconverge != all.reconverge) {
    w->now.pc = reconverge;
    w->stack[w->below++] = w->now;
  }
  w->now.mask = 0;
  for (unsigned i = 0; i < n; i++)
    if (side[i].pc != reconverge) w->stack[w->below++] = side[i];
  w->now = w->stack[--w->below];
}

void simt_stack_split(warp_stream_t *w, uint32_t lanes, const uint64_t key[WARP_LANES]) {
  const uint32_t here = w->now.pc, next = here + 1;
  if (next != w->now.reconverge) {
    w->now.pc = next;
    w->stack[w->below++] = w->now;
  }
  for (uint32_t left = lanes; left;) {
    const unsigned high = 31u - (unsigned)__builtin_clz(left);
    uint32_t same = 0;
    for (unsigned l = 0; l <= high; l++)
      if ((left >> l & 1) && key[l] == key[high]) same |= UINT32_C(1) << l;
    left &= ~same;
    w->stack[w->below++] = (simt_entry_t){here, next, same};
  }
  w->now = w->stack[--w->below];
}
