/* SPDX-License-Identifier: Apache-2.0 */
/* A workload for tests of the memory path. Every warp runs the same list of loads and stores, with
 * addresses that are linear in lane, warp and block. The next instruction that has `wait` set reads
 * a load's register. */
#ifndef MINI_HELP_H
#define MINI_HELP_H

#include "workload/workload.h"

#include <stdlib.h>

enum { MINI_MAX = 256, MINI_LOADS = 60 };

typedef struct {
  warp_class_t cls;
  bool wait;                        /* waits for the load before it */
  uint64_t base, lane, warp, block; /* in bytes */
} mini_op_t;

typedef struct {
  workload_t base;
  launch_t launch;
  bool begun;
  unsigned n;
  mini_op_t op[MINI_MAX];
  warp_inst_t inst[MINI_MAX];
} mini_t;

struct warp_stream {
  const mini_t *mini;
  uint32_t block, warp, at;
};

static inline const launch_t *mini_next(workload_t *w) {
  mini_t *m = (mini_t *)w;
  bool begun = m->begun;
  m->begun = true;
  return begun ? NULL : &m->launch;
}

static inline double mini_progress(const workload_t *w) {
  return ((const mini_t *)w)->begun;
}

static inline warp_stream_t *mini_open(workload_t *w, uint32_t block, uint32_t warp) {
  warp_stream_t *s = calloc(1, sizeof *s);
  if (s) *s = (warp_stream_t){(const mini_t *)w, block, warp, 0};
  return s;
}

static inline const warp_inst_t *mini_peek(const warp_stream_t *s) {
  return s->at < s->mini->n ? &s->mini->inst[s->at] : NULL;
}

static inline uint32_t mini_mask(const warp_stream_t *s) {
  (void)s;
  return UINT32_MAX;
}

static inline void mini_addresses(const warp_stream_t *s, uint64_t addr[WARP_LANES]) {
  const mini_op_t *o = &s->mini->op[s->at];
  for (unsigned l = 0; l < WARP_LANES; l++)
    addr[l] = o->base + l * o->lane + s->warp * o->warp + s->block * o->block;
}

static inline void mini_step(warp_stream_t *s) {
  s->at++;
}

static inline void mini_close(warp_stream_t *s) {
  free(s);
}

static inline void mini_destroy(workload_t *w) {
  free(w);
}

/* Runs the list `trips` times, then exits. NULL if out of memory. */
static inline workload_t *mini_create(const mini_op_t *ops, unsigned n, unsigned trips,
                                      uint32_t blocks, uint32_t threads) {
  static const workload_ops_t table = {.next = mini_next,
                                       .progress = mini_progress,
                                       .open = mini_open,
                                       .peek = mini_peek,
                                       .mask = mini_mask,
                                       .addresses = mini_addresses,
                                       .step = mini_step,
                                       .close = mini_close,
                                       .destroy = mini_destroy};
  mini_t *m = n * trips < MINI_MAX ? calloc(1, sizeof *m) : NULL;
  uint16_t loads = 0;
  if (!m) return NULL;
  m->base.ops = &table;
  m->launch = (launch_t){.kernel = "mini", .blocks = blocks, .threads = threads, .regs = 16};
  m->n = n * trips + 1;
  for (unsigned i = 0; i < m->n; i++) {
    warp_inst_t *w = &m->inst[i];
    *w = (warp_inst_t){.pc = i * WARP_PC_STEP, .cls = WARP_EXIT, .unit = WARP_SP, .latency = 4};
    w->interval = 1;
    if (i + 1 == m->n) break;
    m->op[i] = ops[i % n];
    w->cls = m->op[i].cls;
    w->unit = w->cls == WARP_LOAD || w->cls == WARP_STORE ? WARP_MEM : WARP_SP;
    w->elem = 4;
    if (m->op[i].wait) w->wait[0] = (uint16_t)(loads % MINI_LOADS + 1);
    if (w->cls == WARP_LOAD) w->dst[0] = (uint16_t)(++loads % MINI_LOADS + 1);
  }
  return &m->base;
}

#endif
