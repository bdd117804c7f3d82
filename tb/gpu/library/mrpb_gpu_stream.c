/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions supplied by the caller as a workload. The SM may point to an instruction for any
 * time, so each is kept for good, but only once: warps that execute the same instruction share it.
 * See mrpb_gpu.h. */
#include "gpu/library/mrpb_gpu_state.h"

#include "base/pool.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* CODE: bytes of instructions. A stream does not know its loops, so its program counter wraps
 * around after CODE bytes, which an instruction cache holds, as for a trace. */
enum { CODE = 1024, LEAST = 1024, MOST_LATENCY = 500, MOST_THREADS = 1024 };

typedef struct {
  workload_t base;
  mrpb_gpu_stream_t user;
  launch_t launch;
  pool_t *pool;        /* holds the instructions and the warps */
  warp_inst_t **known; /* by hash; `room` is a power of two, at least twice `n` */
  size_t n, room;
  warp_stream_t *spare;
  mrpb_err_t fault;
} stream_t;

struct warp_stream {
  stream_t *stream;
  warp_stream_t *next;
  uint32_t block, warp, full; /* full: the block's lanes in this warp */
  uint32_t pc;
  bool over; /* `now` is the exit, or none is left */
  const warp_inst_t *now;
  mrpb_gpu_inst_t inst;
};

/* ---- each instruction once ------------------------------------------------------------------ */

static size_t hash(const warp_inst_t *i) {
  const uint8_t *bytes = (const uint8_t *)i;
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  for (size_t k = 0; k < sizeof *i; k++) h = (h ^ bytes[k]) * UINT64_C(0x100000001b3);
  return (size_t)(h ^ h >> 32);
}

/* The slot that holds it, or in which it would go. */
static warp_inst_t **find(const stream_t *s, const warp_inst_t *i) {
  size_t at = hash(i) & (s->room - 1);
  while (s->known[at] && memcmp(s->known[at], i, sizeof *i) != 0) at = (at + 1) & (s->room - 1);
  return &s->known[at];
}

static bool widen(stream_t *s) {
  warp_inst_t **old = s->known;
  const size_t before = s->room;
  s->room = before ? 2 * before : LEAST;
  s->known = calloc(s->room, sizeof *s->known);
  if (!s->known) {
    s->known = old;
    s->room = before;
    return false;
  }
  for (size_t k = 0; k < before; k++)
    if (old[k]) *find(s, old[k]) = old[k];
  free(old);
  return true;
}

/* NULL if out of memory. */
static const warp_inst_t *keep(stream_t *s, const warp_inst_t *i) {
  if (2 * (s->n + 1) > s->room && !widen(s)) return NULL;
  warp_inst_t **at = find(s, i);
  if (*at) return *at;
  warp_inst_t *made = pool_take(&s->pool, sizeof *made);
  if (!made) return NULL;
  memcpy(made, i, sizeof *made);
  s->n++;
  return *at = made;
}

/* ---- what the caller gives ------------------------------------------------------------------ */

static int refuse(const warp_stream_t *w, const char *what, uint64_t value, const char *legal) {
  return mrpb_fail(&w->stream->fault,
                   "stream: block %" PRIu32 ", warp %" PRIu32 ": %s = 0x%" PRIx64 "; legal: %s",
                   w->block, w->warp, what, value, legal);
}

static int check_memory(const warp_stream_t *w, const mrpb_gpu_inst_t *u) {
  if (u->bytes == 0 || u->bytes > 16 || (u->bytes & (u->bytes - 1)))
    return refuse(w, "bytes", u->bytes, "1, 2, 4, 8 or 16");
  for (uint32_t m = u->lanes; m; m &= m - 1) {
    const uint64_t a = u->address[__builtin_ctz(m)];
    if (a % u->bytes || a >> 49) return refuse(w, "address", a, "a multiple of bytes below 2^49");
  }
  return 0;
}

static int check(const warp_stream_t *w, const mrpb_gpu_inst_t *u) {
  if ((unsigned)u->kind > MRPB_GPU_BARRIER) return refuse(w, "kind", u->kind, "a mrpb_gpu_kind_t");
  if (u->lanes & ~w->full) return refuse(w, "lanes", u->lanes, "those that the block has");
  if (u->latency > MOST_LATENCY || u->interval > MOST_LATENCY)
    return refuse(w, "latency or interval", u->latency > u->interval ? u->latency : u->interval,
                  "up to 500");
  if (u->dst >= WARP_REGS) return refuse(w, "dst", u->dst, "up to 1023");
  for (unsigned k = 0; k < 4; k++)
    if (u->src[k] >= WARP_REGS) return refuse(w, "src", u->src[k], "up to 1023");
  return u->kind == MRPB_GPU_LOAD || u->kind == MRPB_GPU_STORE ? check_memory(w, u) : 0;
}

/* The instruction as the SM sees it. */
static void translate(const mrpb_gpu_inst_t *u, uint32_t pc, warp_inst_t *i) {
  static const struct {
    warp_class_t cls;
    warp_unit_t unit;
  } as[] = {[MRPB_GPU_ALU] = {WARP_ALU, WARP_SP},
            [MRPB_GPU_SFU] = {WARP_ALU, WARP_SFU},
            [MRPB_GPU_LOAD] = {WARP_LOAD, WARP_MEM},
            [MRPB_GPU_STORE] = {WARP_STORE, WARP_MEM},
            [MRPB_GPU_BARRIER] = {WARP_BARRIER, WARP_SP}};
  memset(i, 0, sizeof *i); /* including the padding: instructions are compared as bytes */
  i->pc = pc;
  i->cls = as[u->kind].cls;
  i->unit = as[u->kind].unit;
  i->space = WARP_GLOBAL;
  i->latency = u->latency ? u->latency : 1;
  i->interval = u->interval ? u->interval : 1;
  i->bypass = u->kind == MRPB_GPU_LOAD && u->bypass;
  if (i->unit == WARP_MEM) i->elem = u->bytes;
  i->dst[0] = u->dst;
  i->dst_bank[0] = (uint8_t)u->dst;
  for (unsigned k = 0, n = 0; k < 4; k++) {
    if (!u->src[k]) continue;
    i->src[n] = u->src[k];
    i->src_bank[n++] = (uint8_t)u->src[k];
  }
}

/* ---- the workload --------------------------------------------------------------------------- */

static void advance(warp_stream_t *w) {
  stream_t *s = w->stream;
  warp_inst_t i;
  if (w->over) {
    w->now = NULL;
    return;
  }
  memset(&w->inst, 0, sizeof w->inst);
  if (s->fault.text[0] || !s->user.next(s->user.ctx, w->block, w->warp, &w->inst) ||
      check(w, &w->inst) != 0) {
    w->over = true;
    w->inst = (mrpb_gpu_inst_t){.kind = MRPB_GPU_ALU, .lanes = w->full};
  }
  translate(&w->inst, w->pc, &i);
  if (w->over) i.cls = WARP_EXIT;
  w->now = keep(s, &i);
  if (!w->now) mrpb_fail(&s->fault, "stream: out of memory");
  w->pc = (w->pc + WARP_PC_STEP) % CODE;
}

static const launch_t *stream_next(workload_t *base) {
  stream_t *s = (stream_t *)base;
  mrpb_gpu_grid_t g = {0};
  if (s->fault.text[0] || !s->user.launch(s->user.ctx, &g)) return NULL;
  if (g.blocks < 1 || g.threads < 1 || g.threads > MOST_THREADS) {
    mrpb_fail(&s->fault,
              "stream: %" PRIu32 " blocks of %" PRIu32 " threads; legal: 1 or more, 1 to %d",
              g.blocks, g.threads, MOST_THREADS);
    return NULL;
  }
  s->launch = (launch_t){.kernel = g.kernel ? g.kernel : "stream",
                         .blocks = g.blocks,
                         .threads = g.threads,
                         .regs = g.regs,
                         .shared = g.shared};
  return &s->launch;
}

static double stream_progress(const workload_t *base) {
  (void)base;
  return 0;
}

static void stream_close(warp_stream_t *w) {
  w->next = w->stream->spare;
  w->stream->spare = w;
}

static warp_stream_t *stream_open(workload_t *base, uint32_t block, uint32_t warp) {
  stream_t *s = (stream_t *)base;
  const uint32_t lanes = s->launch.threads - warp * WARP_LANES;
  warp_stream_t *w = s->spare;
  if (w)
    s->spare = w->next;
  else
    w = pool_take(&s->pool, sizeof *w);
  if (!w) return NULL;
  w->stream = s;
  w->block = block;
  w->warp = warp;
  w->full = lanes >= WARP_LANES ? UINT32_MAX : (UINT32_C(1) << lanes) - 1;
  w->pc = 0;
  w->over = false;
  advance(w);
  if (w->now) return w;
  stream_close(w);
  return NULL;
}

static const warp_inst_t *stream_peek(const warp_stream_t *w) {
  return w->now;
}

static uint32_t stream_mask(const warp_stream_t *w) {
  return w->inst.lanes;
}

static void stream_addresses(const warp_stream_t *w, uint64_t addr[WARP_LANES]) {
  for (uint32_t m = w->inst.lanes; m; m &= m - 1)
    addr[__builtin_ctz(m)] = w->inst.address[__builtin_ctz(m)];
}

static const mrpb_err_t *stream_fault(const workload_t *base) {
  const stream_t *s = (const stream_t *)base;
  return s->fault.text[0] ? &s->fault : NULL;
}

static void stream_destroy(workload_t *base) {
  stream_t *s = (stream_t *)base;
  pool_free(s->pool);
  free(s->known);
  free(s);
}

static const workload_ops_t stream_ops = {
    .next = stream_next,
    .progress = stream_progress,
    .open = stream_open,
    .peek = stream_peek,
    .mask = stream_mask,
    .addresses = stream_addresses,
    .step = advance,
    .close = stream_close,
    .fault = stream_fault,
    .destroy = stream_destroy,
};

int mrpb_gpu_stream(mrpb_gpu_t *gpu, const mrpb_gpu_stream_t *stream, mrpb_err_t *err) {
  if (mrpb_gpu_idle(gpu, err) != 0) return -1;
  if (!stream->launch || !stream->next)
    return mrpb_fail(err, "stream: a function is NULL; legal: both");
  stream_t *s = calloc(1, sizeof *s);
  if (!s) return mrpb_fail(err, "stream: out of memory");
  s->base.ops = &stream_ops;
  s->user = *stream;
  gpu->workload = &s->base;
  return 0;
}
