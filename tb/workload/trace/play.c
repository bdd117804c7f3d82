/* SPDX-License-Identifier: Apache-2.0 */
/* Plays a trace as a workload. The gap before a record is played as that many one-cycle
 * instructions; some of them read the registers of the loads that are waited for. Instructions must
 * live as long as the SM can point to them. The loads of a warp share 64 registers, so the load 128
 * before another one is done and its slot can be reused. Instructions that wait for nothing are
 * shared by all warps. A warp holds one piece of its records. */
#include "workload/trace/store.h"

#include <stdlib.h>

/* CODE: bytes of instructions. A trace does not know the loops of its kernel, so the stream cycles
 * through this many bytes, which fit an instruction cache. */
enum { REGS = 64, LOADS = 2 * REGS, STORES = 128, ALUS = 128, CODE = 1024 };

typedef struct {
  workload_t base;
  trace_store_t store;
  uint64_t at; /* launches begun */
  struct warp_stream *spare;
  mrpb_err_t fault; /* set if the temporary file cannot be read */
  warp_inst_t plain[CODE / WARP_PC_STEP];
} play_t;

struct warp_stream {
  play_t *play;
  struct warp_stream *next;
  spill_cursor_t piece;
  size_t at;         /* offset in the piece */
  uint32_t pc, full; /* full: the lanes that the block has in this warp */
  uint32_t gap;      /* instructions left before the record */
  unsigned waited;   /* waits of the record already issued */
  bool over;
  trace_record_t record;
  uint64_t loads, stores, alus;
  const warp_inst_t *now;
  warp_inst_t load[LOADS], store[STORES], alu[ALUS];
};

static uint16_t reg_of(uint64_t load) {
  return (uint16_t)(1 + load % REGS);
}

static warp_inst_t alu(uint32_t pc) {
  return (warp_inst_t){.pc = pc, .cls = WARP_ALU, .unit = WARP_SP, .latency = 1, .interval = 1};
}

static warp_inst_t *next_alu(warp_stream_t *s) {
  warp_inst_t *i = &s->alu[s->alus++ % ALUS];
  *i = alu(s->pc);
  return i;
}

/* Lets `i` wait for up to four of the loads that the record waits for. */
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

/* Prepares the instruction at the stream's position. The waits come at the end of the gap or with
 * the record, because the trace only says that they lie before it. */
static void prepare(warp_stream_t *s) {
  unsigned waits = s->over ? 0 : s->record.n_wait - s->waited;
  if (s->over)
    s->now = NULL;
  else if (s->gap > (waits + 3) / 4)
    s->now = &s->play->plain[s->pc / WARP_PC_STEP];
  else if (waits > 4 || (waits > 0 && s->gap > 0))
    prepare_wait(s);
  else
    prepare_record(s);
}

static void next_record(warp_stream_t *s) {
  s->waited = 0;
  s->gap = 0;
  if (s->at == s->piece.n) {
    s->over = spill_next(s->play->store.spill, &s->piece, &s->play->fault) <= 0;
    s->at = 0;
    if (s->over) return;
  }
  const uint8_t *next = trace_unpack(&s->play->store, s->piece.bytes + s->at, &s->record);
  s->at = (size_t)(next - s->piece.bytes);
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
  if (trace_store_next(&p->store, &p->fault) <= 0) return NULL;
  p->at++;
  return &p->store.launch;
}

static double play_progress(const workload_t *w) {
  const play_t *p = (const play_t *)w;
  return (double)p->at / (double)p->store.launches;
}

static void play_close(warp_stream_t *s) {
  s->next = s->play->spare;
  s->play->spare = s;
}

static warp_stream_t *play_open(workload_t *w, uint32_t block, uint32_t warp) {
  play_t *p = (play_t *)w;
  const uint64_t chain =
      p->store.chains + ((uint64_t)block * p->store.warps_per_block + warp) * SPILL_STEP;
  warp_stream_t *s = p->spare;
  if (s)
    p->spare = s->next;
  else if ((s = malloc(sizeof *s)))
    s->piece = (spill_cursor_t){0};
  if (!s) return NULL;
  uint32_t lanes = p->store.launch.threads - warp * WARP_LANES;
  s->play = p;
  s->at = 0;
  s->pc = 0;
  s->full = lanes >= WARP_LANES ? UINT32_MAX : (UINT32_C(1) << lanes) - 1;
  s->loads = s->stores = s->alus = 0;
  s->over = spill_seek(p->store.spill, chain, &s->piece, &p->fault) != 0;
  if (!s->over) next_record(s);
  if (s->over) { /* a warp has its exit at least: its records cannot be read */
    play_close(s);
    return NULL;
  }
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

static const mrpb_err_t *play_fault(const workload_t *w) {
  const play_t *p = (const play_t *)w;
  return p->fault.text[0] ? &p->fault : NULL;
}

static void play_destroy(workload_t *w) {
  play_t *p = (play_t *)w;
  for (warp_stream_t *s = p->spare; s;) {
    warp_stream_t *next = s->next;
    free(s->piece.bytes);
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
    .fault = play_fault,
    .destroy = play_destroy,
};

workload_t *trace_play(trace_store_t *s) {
  play_t *p = calloc(1, sizeof *p);
  if (!p) return NULL;
  p->base.ops = &play_ops;
  for (uint32_t i = 0; i < CODE / WARP_PC_STEP; i++) p->plain[i] = alu(i * WARP_PC_STEP);
  p->store = *s;
  *s = (trace_store_t){0};
  return &p->base;
}
