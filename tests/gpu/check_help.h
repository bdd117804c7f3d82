/* SPDX-License-Identifier: Apache-2.0 */
/* A workload for the tests of the checking mode: a list of loads and stores for each warp, with any
 * address for each lane, over a small functional memory; and a small whole GPU to run it. */
#ifndef SCRIPT_HELP_H
#define SCRIPT_HELP_H

#include "gpu/gpu.h"
#include "prng.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

#define SCRIPT_BASE UINT64_C(0x80000000)
#define SCRIPT_CODE UINT64_C(0xf0000000) /* address of the instructions */
enum { SCRIPT_BYTES = 1 << 16, SCRIPT_OPS = 96 };

typedef struct {
  warp_inst_t inst;
  uint32_t mask;
  uint64_t addr[WARP_LANES];
} script_op_t;

typedef struct {
  workload_t base;
  launch_t launch;
  unsigned warps, launches, at;
  bool host_writes; /* the host changes memory before every launch except the first */
  bool no_values;
  workload_ops_t ops;
  uint8_t memory[SCRIPT_BYTES];
  unsigned n[64]; /* per warp of the grid */
  script_op_t *op[64];
} script_t;

struct warp_stream {
  script_t *script;
  unsigned warp, at;
};

static const launch_t *script_next(workload_t *w) {
  script_t *s = (script_t *)w;
  if (s->at++ == s->launches) return NULL;
  for (unsigned i = 0; s->host_writes && s->at > 1 && i < SCRIPT_BYTES; i += 3)
    s->memory[i] = (uint8_t)(s->memory[i] + 1);
  return &s->launch;
}

static double script_progress(const workload_t *w) {
  (void)w;
  return 0;
}

static warp_stream_t *script_open(workload_t *w, uint32_t block, uint32_t warp) {
  script_t *s = (script_t *)w;
  warp_stream_t *t = calloc(1, sizeof *t);
  ck_assert_ptr_nonnull(t);
  *t = (warp_stream_t){s, block * s->warps + warp, 0};
  return t;
}

static const script_op_t *script_op(const warp_stream_t *t) {
  return &t->script->op[t->warp][t->at];
}

static const warp_inst_t *script_peek(const warp_stream_t *t) {
  return t->at < t->script->n[t->warp] ? &script_op(t)->inst : NULL;
}

static uint32_t script_mask(const warp_stream_t *t) {
  return script_op(t)->mask;
}

static void script_addresses(const warp_stream_t *t, uint64_t addr[WARP_LANES]) {
  memcpy(addr, script_op(t)->addr, WARP_LANES * sizeof *addr);
}

/* A store writes bytes that depend on warp, instruction, launch and lane. */
static void script_values(const warp_stream_t *t, uint8_t value[WARP_LANES][16]) {
  const script_op_t *op = script_op(t);
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    for (unsigned i = 0; i < op->inst.elem; i++) {
      uint64_t at = op->addr[lane] - SCRIPT_BASE + i;
      if (!(op->mask >> lane & 1)) continue;
      value[lane][i] = op->inst.cls == WARP_LOAD
                           ? t->script->memory[at]
                           : (uint8_t)(t->warp * 31 + t->at * 7 + lane * 3 + i + t->script->at);
    }
}

static void script_step(warp_stream_t *t) {
  const script_op_t *op = script_op(t);
  uint8_t value[WARP_LANES][16];
  if (op->inst.cls == WARP_STORE) {
    script_values(t, value);
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
      if (op->mask >> lane & 1)
        memcpy(&t->script->memory[op->addr[lane] - SCRIPT_BASE], value[lane], op->inst.elem);
  }
  t->at++;
}

static void script_close(warp_stream_t *t) {
  free(t);
}

static void script_initial(const workload_t *w, uint64_t addr, void *to, size_t bytes) {
  const script_t *s = (const script_t *)w;
  if (addr >= SCRIPT_CODE) {
    memset(to, 0, bytes);
    return;
  }
  ck_assert(addr >= SCRIPT_BASE && addr + bytes <= SCRIPT_BASE + SCRIPT_BYTES);
  memcpy(to, &s->memory[addr - SCRIPT_BASE], bytes);
}

static void script_destroy(workload_t *w) {
  script_t *s = (script_t *)w;
  for (unsigned i = 0; i < 64; i++) free(s->op[i]);
  free(s);
}

/* Makes a script without instructions: `blocks` of `warps` warps, at most 64 warps in all. */
static inline script_t *script_new(unsigned blocks, unsigned warps, unsigned launches) {
  script_t *s = calloc(1, sizeof *s);
  ck_assert_ptr_nonnull(s);
  s->ops = (workload_ops_t){.next = script_next,
                            .progress = script_progress,
                            .open = script_open,
                            .peek = script_peek,
                            .mask = script_mask,
                            .addresses = script_addresses,
                            .values = script_values,
                            .step = script_step,
                            .close = script_close,
                            .initial = script_initial,
                            .destroy = script_destroy};
  s->base.ops = &s->ops;
  s->warps = warps;
  s->launches = launches;
  s->launch =
      (launch_t){.kernel = "script", .blocks = blocks, .threads = warps * WARP_LANES, .regs = 16};
  for (unsigned i = 0; i < SCRIPT_BYTES; i++) s->memory[i] = (uint8_t)(i * 37 >> 3);
  for (unsigned i = 0; i < blocks * warps; i++) {
    s->op[i] = calloc(SCRIPT_OPS, sizeof *s->op[i]);
    ck_assert_ptr_nonnull(s->op[i]);
  }
  return s;
}

static inline script_op_t *script_add(script_t *s, unsigned warp, warp_class_t cls) {
  ck_assert_uint_lt(s->n[warp], SCRIPT_OPS);
  script_op_t *op = &s->op[warp][s->n[warp]++];
  op->inst = (warp_inst_t){.pc = (s->n[warp] - 1) * WARP_PC_STEP,
                           .cls = cls,
                           .unit = cls == WARP_LOAD || cls == WARP_STORE ? WARP_MEM : WARP_SP,
                           .latency = 1,
                           .interval = 1};
  op->mask = UINT32_MAX;
  return op;
}

/* Adds an access: lane i accesses SCRIPT_BASE + at + i * stride. A store waits for register `reg`;
 * 0: for none. */
static inline script_op_t *script_access(script_t *s, unsigned warp, warp_class_t cls, unsigned reg,
                                         unsigned elem, uint64_t at, uint64_t stride) {
  script_op_t *op = script_add(s, warp, cls);
  op->inst.elem = (uint8_t)elem;
  if (cls == WARP_LOAD)
    op->inst.dst[0] = (uint16_t)reg, op->inst.dst_bank[0] = (uint8_t)(reg & 15);
  else
    op->inst.src[0] = (uint16_t)reg, op->inst.src_bank[0] = (uint8_t)(reg & 15);
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    op->addr[lane] = SCRIPT_BASE + at + lane * stride;
  return op;
}

static inline void script_load(script_t *s, unsigned warp, unsigned reg, uint64_t at) {
  (void)script_access(s, warp, WARP_LOAD, reg, 4, at, 4);
}

static inline void script_store(script_t *s, unsigned warp, unsigned reg, uint64_t at) {
  (void)script_access(s, warp, WARP_STORE, reg, 4, at, 4);
}

/* Adds an instruction that waits for the register. */
static inline void script_wait(script_t *s, unsigned warp, unsigned reg) {
  script_add(s, warp, WARP_ALU)->inst.src[0] = (uint16_t)reg;
}

/* Adds an instruction whose result is in register `reg` after `cycles` cycles. */
static inline void script_delay(script_t *s, unsigned warp, unsigned reg, unsigned cycles) {
  script_op_t *op = script_add(s, warp, WARP_ALU);
  op->inst.dst[0] = (uint16_t)reg;
  op->inst.latency = (uint16_t)cycles;
}

static inline void script_exit(script_t *s) {
  for (unsigned i = 0; i < s->launch.blocks * s->warps; i++) (void)script_add(s, i, WARP_EXIT);
}

/* ---- running --------------------------------------------------------------- */

typedef struct {
  gpu_end_t end;
  uint64_t cycles;
  check_stats_t check;
  sm_stats_t sm;
  l1d_stats_t l1d;
  l2_stats_t l2;
  char dump[512]; /* state at a hang */
  mrpb_err_t err;
} outcome_t;

/* A configuration with one SM and one slice. */
static inline config_t script_config(void) {
  config_t c;
  config_defaults(&c);
  c.sms = c.l2_slices = 1;
  c.hang_cycles = 20000;
  return c;
}

/* Runs the script on the GPU of `setup` and frees it. */
static inline outcome_t script_run_on(script_t *s, gpu_setup_t setup) {
  outcome_t o = {.end = GPU_FAILED};
  gpu_t *g = NULL;
  setup.workload = &s->base;
  if (s->no_values) s->ops.values = NULL; /* the memory can then not be compared */
  ck_assert_msg(gpu_create(&g, &setup, &o.err) == 0, "%s", o.err.text);
  o.end = gpu_run(g, &o.err);
  o.cycles = gpu_cycles(g);
  o.sm = gpu_sm_stats(g);
  o.l1d = gpu_l1d_stats(g);
  o.l2 = gpu_l2_stats(g);
  if (gpu_check_stats(g)) o.check = *gpu_check_stats(g);
  if (o.end == GPU_HANG) {
    FILE *f = tmpfile();
    char line[512];
    ck_assert_ptr_nonnull(f);
    gpu_dump(g, f);
    rewind(f);
    while (fgets(line, sizeof line, f)) {
      if (strncmp(line, "check:", 6) == 0) strcpy(o.dump, line);
    }
    fclose(f);
  }
  gpu_destroy(g);
  script_destroy(&s->base);
  return o;
}

static inline outcome_t script_run(script_t *s, const config_t *cfg, bool check, uint32_t hazards,
                                   const unit_choice_t *choice) {
  return script_run_on(
      s, (gpu_setup_t){.cfg = cfg, .choice = choice, .check = check, .hazards = hazards});
}

#endif
