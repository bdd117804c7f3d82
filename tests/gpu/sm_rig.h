/* SPDX-License-Identifier: Apache-2.0 */
/* One SM under test: scripts for its warps, and a memory that answers every request after a fixed
 * time. Records every issued instruction with its cycle. */
#ifndef SM_RIG_H
#define SM_RIG_H

#include "gpu/icnt_memory.h"
#include "gpu/pipeline/sm.h"

#include <check.h>
#include <stdlib.h>

enum { RIG_LATENCY = 60, RIG_WAITING = 1024, RIG_LOG = 1 << 16, RIG_SCRIPTS = 64 };

/* One instruction of a script. A lane's address is base + lane * `lane` + warp * `warp`. */
typedef struct {
  warp_inst_t inst;
  uint64_t base, lane, warp;
  bool off; /* its guard is false in every lane */
} rig_op_t;

typedef struct {
  const rig_op_t *ops;
  unsigned n;
} rig_script_t;

typedef struct {
  uint64_t cycle;
  uint32_t block, warp;
  warp_class_t cls;
} rig_issue_t;

typedef struct rig rig_t;

typedef struct {
  workload_t base;
  rig_t *rig;
} rig_source_t;

struct warp_stream {
  rig_t *rig;
  rig_op_t *ops;
  unsigned n, at;
  uint32_t block, warp;
};

struct rig {
  rig_source_t source;
  config_t cfg;
  launch_t launch;
  rig_script_t script[RIG_SCRIPTS]; /* indexed by block * warps per block + warp, for those given */
  unsigned n_scripts;
  unsigned next_block;
  packet_pool_t *pool;
  icnt_t *icnt;
  icnt_memory_t memory;
  sm_t *sm;
  uint64_t now;
  packet_t *waiting[RIG_WAITING];
  uint64_t due[RIG_WAITING];
  unsigned head, count;
  unsigned reads, writes, bytes_read;
  uint64_t read_addr[8]; /* addresses of the first reads */
  uint32_t pc_wrap;      /* if not 0, instruction i is at 128 i mod this */
  rig_issue_t log[RIG_LOG];
  unsigned n_log;
  void (*issued)(rig_t *r, const rig_issue_t *i); /* NULL: none */
};

/* ---- instructions ------------------------------------------------------------ */

#define RIG_ALU(d, s)                                                                              \
  {                                                                                                \
    .inst = {                                                                                      \
      .cls = WARP_ALU,                                                                             \
      .unit = WARP_SP,                                                                             \
      .latency = 1,                                                                                \
      .interval = 1,                                                                               \
      .dst = {d},                                                                                  \
      .src = {s}                                                                                   \
    }                                                                                              \
  }
#define RIG_SLOW(d, s)                                                                             \
  {                                                                                                \
    .inst = {                                                                                      \
      .cls = WARP_ALU,                                                                             \
      .unit = WARP_SP,                                                                             \
      .latency = 200,                                                                              \
      .interval = 1,                                                                               \
      .dst = {d},                                                                                  \
      .src = {s}                                                                                   \
    }                                                                                              \
  }
#define RIG_BARRIER                                                                                \
  {                                                                                                \
    .inst = {.cls = WARP_BARRIER, .unit = WARP_SP, .latency = 1, .interval = 1 }                   \
  }
#define RIG_EXIT                                                                                   \
  {                                                                                                \
    .inst = {.cls = WARP_EXIT, .unit = WARP_SP, .latency = 1, .interval = 1 }                      \
  }
#define RIG_LOAD(sp, d, at, stride)                                                                \
  {                                                                                                \
    .inst = {.cls = WARP_LOAD, .unit = WARP_MEM, .space = sp, .elem = 4, .dst = {d}}, .base = at,  \
    .lane = stride                                                                                 \
  }
#define RIG_STORE(sp, s, at, stride)                                                               \
  {                                                                                                \
    .inst = {.cls = WARP_STORE, .unit = WARP_MEM, .space = sp, .elem = 4, .src = {s}}, .base = at, \
    .lane = stride                                                                                 \
  }
#define RIG_SCRIPT(ops) ((rig_script_t){ops, sizeof(ops) / sizeof *(ops)})

/* ---- the source -------------------------------------------------------------- */

static inline const launch_t *rig_next(workload_t *w) {
  return &((rig_source_t *)w)->rig->launch;
}

static inline double rig_progress(const workload_t *w) {
  (void)w;
  return 0;
}

static inline warp_stream_t *rig_stream(workload_t *w, uint32_t block, uint32_t warp) {
  rig_t *r = ((rig_source_t *)w)->rig;
  unsigned warps = (r->launch.threads + WARP_LANES - 1) / WARP_LANES;
  rig_script_t s = r->script[(block * warps + warp) % r->n_scripts];
  warp_stream_t *t = calloc(1, sizeof *t);
  ck_assert_ptr_nonnull(t);
  *t = (warp_stream_t){r, calloc(s.n, sizeof *t->ops), s.n, 0, block, warp};
  ck_assert_ptr_nonnull(t->ops);
  for (unsigned i = 0; i < s.n; i++) {
    t->ops[i] = s.ops[i];
    t->ops[i].inst.pc = r->pc_wrap ? i * 128 % r->pc_wrap : i * WARP_PC_STEP;
  }
  return t;
}

static inline const warp_inst_t *rig_peek(const warp_stream_t *s) {
  return s->at < s->n ? &s->ops[s->at].inst : NULL;
}

static inline uint32_t rig_mask(const warp_stream_t *s) {
  return s->ops[s->at].off ? 0 : UINT32_MAX;
}

static inline void rig_addresses(const warp_stream_t *s, uint64_t addr[WARP_LANES]) {
  const rig_op_t *o = &s->ops[s->at];
  for (unsigned i = 0; i < WARP_LANES; i++) addr[i] = o->base + i * o->lane + s->warp * o->warp;
}

static inline void rig_step(warp_stream_t *s) {
  rig_t *r = s->rig;
  ck_assert_uint_lt(r->n_log, RIG_LOG);
  r->log[r->n_log] = (rig_issue_t){r->now, s->block, s->warp, s->ops[s->at].inst.cls};
  if (r->issued) r->issued(r, &r->log[r->n_log]);
  r->n_log++;
  s->at++;
}

static inline void rig_stream_close(warp_stream_t *s) {
  free(s->ops);
  free(s);
}

static inline void rig_source_close(workload_t *w) {
  (void)w;
}

/* ---- the SM ------------------------------------------------------------------ */

/* Makes a rig with the default configuration and `blocks` blocks of `warps` warps. */
static inline rig_t *rig_new(uint32_t blocks, uint32_t warps, const rig_script_t *scripts,
                             unsigned n) {
  static const workload_ops_t ops = {.next = rig_next,
                                     .progress = rig_progress,
                                     .open = rig_stream,
                                     .peek = rig_peek,
                                     .mask = rig_mask,
                                     .addresses = rig_addresses,
                                     .step = rig_step,
                                     .close = rig_stream_close,
                                     .destroy = rig_source_close};
  rig_t *r = calloc(1, sizeof *r);
  ck_assert_ptr_nonnull(r);
  config_defaults(&r->cfg);
  r->cfg.sms = 1;
  r->cfg.l1i_sets = 0; /* no reads except those of the script */
  r->source = (rig_source_t){{&ops}, r};
  r->launch =
      (launch_t){.kernel = "rig", .blocks = blocks, .threads = warps * WARP_LANES, .regs = 1};
  for (unsigned i = 0; i < n; i++) r->script[i] = scripts[i];
  r->n_scripts = n;
  return r;
}

static inline void rig_memory(rig_t *r) {
  packet_t *p = icnt_request_pop(r->icnt, 0);
  if (p) {
    unsigned at = (r->head + r->count++) % RIG_WAITING;
    ck_assert_uint_lt(r->count, RIG_WAITING);
    r->waiting[at] = p;
    r->due[at] = r->now + RIG_LATENCY;
    if (p->kind == PACKET_READ && r->reads < 8) r->read_addr[r->reads] = p->addr;
    r->reads += p->kind == PACKET_READ;
    r->writes += p->kind == PACKET_WRITE;
    r->bytes_read += p->kind == PACKET_READ ? p->bytes : 0;
  }
  if (r->count == 0 || r->due[r->head] > r->now) return;
  p = r->waiting[r->head];
  if (!icnt_reply_room(r->icnt, p)) return;
  p->reply = true;
  icnt_reply_push(r->icnt, p);
  r->head = (r->head + 1) % RIG_WAITING;
  r->count--;
}

/* Runs all blocks, as many at once as fit. Returns false if the SM hangs. */
static inline bool rig_run(rig_t *r) {
  icnt_cfg_t ic;
  mrpb_err_t err = {{0}};
  icnt_defaults(&ic);
  ic.sms = ic.partitions = 1;
  r->pool = packet_pool_create(64);
  ck_assert_ptr_nonnull(r->pool);
  ck_assert_int_eq(icnt_create(&r->icnt, &ic, &err), 0);
  icnt_memory_open(&r->memory, r->icnt, r->pool);
  sm_setup_t s = {&r->cfg, 0, NULL, &r->memory.base, true, NULL, NULL, NULL};
  ck_assert_msg(sm_create(&r->sm, &s, &err) == 0, "%s", err.text);
  workload_t *w = &r->source.base;
  sm_start_kernel(r->sm, w, workload_next(w), sm_max_blocks(&r->cfg, &r->launch));
  uint64_t progress = 0, at = 0;
  for (r->now = 1; r->next_block < r->launch.blocks || sm_blocks(r->sm) > 0; r->now++) {
    if (r->next_block < r->launch.blocks && sm_has_room(r->sm))
      ck_assert_int_eq(sm_take_block(r->sm, r->next_block++, &err), 0);
    sm_receive(r->sm);
    rig_memory(r);
    icnt_cycle(r->icnt);
    icnt_cycle(r->icnt);
    ck_assert_int_eq(sm_cycle(r->sm, r->now, &err), 0);
    if (sm_progress(r->sm) != progress) at = r->now;
    progress = sm_progress(r->sm);
    if (r->now - at > 2000) return false;
  }
  ck_assert_uint_eq(sm_outstanding(r->sm), 0);
  return true;
}

static inline void rig_close(rig_t *r) {
  sm_destroy(r->sm);
  while (r->count > 0) {
    packet_free(r->pool, r->waiting[r->head]);
    r->head = (r->head + 1) % RIG_WAITING;
    r->count--;
  }
  icnt_destroy(r->icnt);
  packet_pool_destroy(r->pool);
  free(r);
}

/* The cycle in which the i-th instruction of a warp issued. */
static inline uint64_t rig_cycle(const rig_t *r, uint32_t block, uint32_t warp, unsigned i) {
  for (unsigned k = 0; k < r->n_log; k++)
    if (r->log[k].block == block && r->log[k].warp == warp && i-- == 0) return r->log[k].cycle;
  ck_abort_msg("instruction %u of warp %u has not issued", i, warp);
}

#endif
