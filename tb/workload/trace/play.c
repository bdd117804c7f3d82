/* SPDX-License-Identifier: Apache-2.0 */
/* A trace as a workload. The gap before a record is that many one-cycle instructions; one of them
 * reads the registers of the loads that are waited for. Instructions live as long as the SM can
 * point to them: loads of a warp share 64 registers, so a load 128 before another one is done. */
#include "workload/trace/store.h"

#include <stdlib.h>

/* CODE: bytes of instructions; a trace does not know its loops, so the stream goes round in so many,
 * which an instruction cache holds. */
enum { REGS = 64, LOADS = 2 * REGS, STORES = 128, ALUS = 512, CODE = 1024 };

typedef struct {
  workload_t base;
  trace_store_t store;
  unsigned at; /* launches begun */
  struct warp_stream *spare;
} play_t;

struct warp_stream {
  play_t *play;
  struct warp_stream *next;
  const uint8_t *at, *end;
  uint32_t pc, full; /* full: the lanes that the block has in this warp */
  uint32_t gap;      /* instructions left before the record */
  unsigned waited;   /* of its waits */
  bool over;
  trace_record_t record;
  uint64_t loads, stores, alus;
  const warp_inst_t *now;
  warp_inst_t load[LOADS], store[STORES], alu[ALUS];
};

static uint16_t reg_of(uint64_t load) {
  return (uint16_t)(1 + load % REGS);
}

static warp_inst_t *next_alu(warp_stream_t *s) {
  warp_inst_t *i = &s->alu[s->alus++ % ALUS];
  *i = (warp_inst_t){.pc = s->pc, .cls = WARP_ALU, .unit = WARP_SP, .latency = 1, .interval = 1};
  return i;
}

/* `i` waits for up to four of the loads that the record waits for. */
static void add_waits(warp_stream_t *s, warp_inst_t *i) {
  for (unsigned k = 0; k < 4 && s->waited < s->record.n_wait; k++, s->waited++) {
    i->src[k] = reg_of(s->loads - s->record.wait[s->waited]);
    i->src_bank[k] = (uint8_t)i->src[k];
  }
}

static void prepare_wait(warp_stream_t *s) {
  warp_inst_t *i = next_alu(s);
  add_waits(s, i);
  s->now = i;
}

static void prepare_record(warp_stream_t *s) {
  const trace_record_t *r = &s->record;
  warp_inst_t *i;
  if (r->kind == TRACE_LOAD) {
    i = &s->load[s->loads % LOADS];
    *i = (warp_inst_t){.cls = WARP_LOAD, .unit = WARP_MEM, .dst = {reg_of(s->loads)}};
    i->dst_bank[0] = (uint8_t)i->dst[0];
  } else if (r->kind == TRACE_STORE) {
    i = &s->store[s->stores % STORES];
    *i = (warp_inst_t){.cls = WARP_STORE, .unit = WARP_MEM};
  } else {
    i = next_alu(s);
    i->cls = r->kind == TRACE_BARRIER ? WARP_BARRIER : WARP_EXIT;
  }
  i->pc = s->pc;
  i->space = r->space;
  i->elem = r->elem;
  add_waits(s, i);
  s->now = i;
}

/* The instruction at the stream's position. The waits come last in the gap, or with the record:
 * what the trace knows is that they lie before it. */
static void prepare(warp_stream_t *s) {
  unsigned waits = s->over ? 0 : s->record.n_wait - s->waited;
  if (s->over)
    s->now = NULL;
  else if (s->gap > (waits + 3) / 4)
    s->now = next_alu(s);
  else if (waits > 4 || (waits > 0 && s->gap > 0))
    prepare_wait(s);
  else
    prepare_record(s);
}

static void next_record(warp_stream_t *s) {
  s->waited = 0;
  s->gap = 0;
  if (s->at == s->end) {
    s->over = true;
    return;
  }
  s->at = trace_unpack(s->at, &s->record);
  s->gap = s->record.gap;
}

static void play_step(warp_stream_t *s) {
  warp_class_t cls = s->now->cls;
  s->pc = (s->pc + WARP_PC_STEP) % CODE;
  if (cls == WARP_ALU) {
    if (s->gap > 0) s->gap--;
  } else {
    s->loads += cls == WARP_LOAD;
    s->stores += cls == WARP_STORE;
    next_record(s);
  }
  prepare(s);
}

static const launch_t *play_next(workload_t *w) {
  play_t *p = (play_t *)w;
  return p->at < p->store.n ? &p->store.launch[p->at++].launch : NULL;
}

static double play_progress(const workload_t *w) {
  const play_t *p = (const play_t *)w;
  return (double)p->at / p->store.n;
}

static warp_stream_t *play_open(workload_t *w, uint32_t block, uint32_t warp) {
  play_t *p = (play_t *)w;
  const trace_launch_t *l = &p->store.launch[p->at - 1];
  const trace_warp_t *t = &l->warp[(uint64_t)block * l->warps_per_block + warp];
  warp_stream_t *s = p->spare;
  if (s)
    p->spare = s->next;
  else
    s = malloc(sizeof *s);
  if (!s) return NULL;
  uint32_t lanes = l->launch.threads - warp * WARP_LANES;
  s->play = p;
  s->at = t->bytes;
  s->end = t->bytes + t->n;
  s->pc = 0;
  s->full = lanes >= WARP_LANES ? UINT32_MAX : (UINT32_C(1) << lanes) - 1;
  s->loads = s->stores = s->alus = 0;
  s->over = false;
  next_record(s);
  prepare(s);
  return s;
}

static const warp_inst_t *play_peek(const warp_stream_t *s) {
  return s->now;
}

static uint32_t play_mask(const warp_stream_t *s) {
  return s->now->unit == WARP_MEM ? s->record.mask : s->full;
}

static void play_addresses(const warp_stream_t *s, uint64_t addr[WARP_LANES]) {
  for (uint32_t m = s->record.mask; m; m &= m - 1)
    addr[__builtin_ctz(m)] = s->record.addr[__builtin_ctz(m)];
}

static void play_close(warp_stream_t *s) {
  s->next = s->play->spare;
  s->play->spare = s;
}

static void play_destroy(workload_t *w) {
  play_t *p = (play_t *)w;
  for (warp_stream_t *s = p->spare; s;) {
    warp_stream_t *next = s->next;
    free(s);
    s = next;
  }
  trace_store_free(&p->store);
  free(p);
}

static const workload_ops_t play_ops = {
    .next = play_next,
    .progress = play_progress,
    .open = play_open,
    .peek = play_peek,
    .mask = play_mask,
    .addresses = play_addresses,
    .step = play_step,
    .close = play_close,
    .destroy = play_destroy,
};

workload_t *trace_play(trace_store_t *s) {
  play_t *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->base.ops = &play_ops;
  p->store = *s;
  *s = (trace_store_t){0};
  return &p->base;
}
