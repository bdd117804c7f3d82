/* The reconvergence stack. Where lanes part, the top entry waits at the branch's immediate
 * post-dominator with all of them, and one entry a side goes on top: first the side of the highest
 * lane, so that the other side runs first, as in GPGPU-Sim 3.2.0. An entry that arrives at its
 * reconvergence point is popped. */
#include "simt/simt_state.h"

void simt_stack_start(warp_stream_t *w, uint32_t mask) {
  w->top = 0;
  w->stack[0] = (simt_entry_t){0, PTX_NO_TARGET, mask};
}

/* Entries without lanes end; the one below has its own program counter. */
static void drop_empty(warp_stream_t *w) {
  while (w->top > 0 && w->stack[w->top].mask == 0) w->top--;
}

static void go(warp_stream_t *w, uint32_t pc) {
  simt_entry_t *e = &w->stack[w->top];
  e->pc = pc;
  if (pc == e->reconverge && w->top > 0) {
    w->top--;
    drop_empty(w);
  }
}

void simt_stack_next(warp_stream_t *w) {
  go(w, w->stack[w->top].pc + 1);
}

static void push(warp_stream_t *w, uint32_t pc, uint32_t reconverge, uint32_t mask) {
  if (pc == reconverge) return;
  w->stack[++w->top] = (simt_entry_t){pc, reconverge, mask};
}

void simt_stack_branch(warp_stream_t *w, uint32_t taken, uint32_t target, uint32_t reconverge) {
  simt_entry_t *e = &w->stack[w->top];
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
  bool high = taken > other; /* the highest lane takes the branch */
  if (reconverge != e->reconverge)
    e->pc = reconverge;
  else
    w->top--;
  push(w, high ? target : next, reconverge, high ? taken : other);
  push(w, high ? next : target, reconverge, high ? other : taken);
}

void simt_stack_exit(warp_stream_t *w, uint32_t lanes) {
  simt_entry_t *e = &w->stack[w->top];
  uint32_t next = e->pc + 1;
  for (unsigned i = 0; i <= w->top; i++) w->stack[i].mask &= ~lanes;
  if (e->mask)
    go(w, next);
  else
    drop_empty(w);
}
