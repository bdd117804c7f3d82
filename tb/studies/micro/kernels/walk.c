/* SPDX-License-Identifier: Apache-2.0 */
/* See walk.h. Loads are unrolled; the loop runs often enough for whole rounds of the ring. The
 * rival runs until the walker raises a flag. */
#include "studies/micro/kernels/walk.h"
#include "studies/micro/deduce/numbers.h"

#include <string.h>

enum {
  WALK_LOADS = 512 /* at least, so that reading the clock counts little */,
  NO_BLOCK = 0x7fffffff
};
#define ALIGNED (UINT64_C(32) << 20) /* no page is larger on the GPUs that these walks are for */

static void write_step(text_t *t, walk_space_t space) {
  static const char *const name[] = {"global", "shared", "const"};
  if (space == WALK_CONST)
    text_add(t, "  add.u32 %%a, %%r, %%z;\n  ld.const.u32 %%r, [%%a];\n");
  else
    text_add(t, "  ld.%s.u32 %%r, [%%r];\n", name[space]);
}

static void write_loop(text_t *t, walk_space_t space, unsigned unroll, const char *label) {
  text_add(t, "%s:\n  sub.u32 %%n, %%n, 1;\n  setp.ne.u32 %%p, %%n, 0;\n", label);
  for (unsigned i = 0; i < unroll; i++) write_step(t, space);
  text_add(t, "  @%%p bra %s;\n", label);
}

/* A rival loops until the flag is up. */
static void write_rivals(text_t *t, walk_space_t space, unsigned unroll) {
  text_add(t,
           "RIVAL:\n  mov.u32 %%r, %%s2;\n  setp.eq.u32 %%p, %%s2, 1;\n  @%%p bra CODE;\nDATA:\n");
  for (unsigned i = 0; i < unroll; i++) write_step(t, space);
  text_add(t,
           "  ld.global.u32 %%f, [%%out+4];\n  setp.eq.u32 %%p, %%f, 0;\n  @%%p bra DATA;\n  ret;\n"
           "CODE:\n  ld.global.u32 %%f, [%%out+4];\n");
  for (unsigned i = 0; i < WALK_RIVAL_CODE / WARP_PC_STEP - 3; i++)
    text_add(t, "  add.u32 %%x%u, %%x%u, 1;\n", i % 8, i % 8);
  text_add(t, "  setp.eq.u32 %%p, %%f, 0;\n  @%%p bra CODE;\nEND:\n  ret;\n}\n");
}

static void write_kernel(text_t *t, const bench_gpu_t *gpu, walk_space_t space, unsigned unroll) {
  text_add(
      t,
      "%s.visible .entry walk(.param .u32 p_out, .param .u32 p_start, .param .u32 p_n,\n"
      "  .param .u32 p_where, .param .u32 p_s2, .param .u32 p_zero)\n{\n"
      "  .reg .pred %%p, %%q;\n"
      "  .reg .u32 %%out, %%r, %%a, %%z, %%n, %%k, %%m, %%b, %%w, %%s2, %%f, %%t0, %%t1, %%x<8>;\n"
      "  ld.param.u32 %%out, [p_out];\n  ld.param.u32 %%k, [p_n];\n"
      "  ld.param.u32 %%w, [p_where];\n  ld.param.u32 %%s2, [p_s2];\n"
      "  ld.param.u32 %%z, [p_zero];\n  mov.u32 %%b, %%ctaid.x;\n"
      "  setp.eq.u32 %%p, %%b, %%w;\n  @%%p bra RIVAL;\n"
      "  setp.ne.u32 %%p, %%b, 0;\n  @%%p bra END;\n"
      "  ld.param.u32 %%r, [p_start];\n  mov.u32 %%m, 0;\nPHASE:\n  mov.u32 %%n, %%k;\n",
      chain_header());
  if (space == WALK_SHARED) text_add(t, "  .shared .u32 room[64];\n");
  chain_clock(t, gpu, "%t0");
  write_loop(t, space, unroll, "WALK");
  text_add(t, "  add.u32 %%a, %%r, 0;\n");
  chain_clock(t, gpu, "%t1");
  text_add(t, "  add.u32 %%m, %%m, 1;\n  setp.lt.u32 %%p, %%m, 2;\n  @%%p bra PHASE;\n"
              "  sub.u32 %%t1, %%t1, %%t0;\n  st.global.u32 [%%out], %%t1;\n  mov.u32 %%f, 1;\n"
              "  st.global.u32 [%%out+4], %%f;\n  st.global.u32 [%%out+8], %%r;\n  ret;\n");
  write_rivals(t, space, unroll);
}

int walk_open(walk_t *w, const bench_gpu_t *gpu, walk_space_t space, unsigned unroll,
              uint64_t bytes, mrpb_err_t *err) {
  text_t text = {0};
  *w = (walk_t){.space = space, .unroll = unroll, .bytes = bytes};
  write_kernel(&text, gpu, space, unroll);
  if (bench_open(&w->bench, gpu, &text, err) != 0) return -1;
  w->out = bench_alloc(&w->bench, 16, BENCH_DEVICE, err);
  if (w->out && space == WALK_GLOBAL) {
    w->base = bench_alloc(&w->bench, bytes + ALIGNED, BENCH_DEVICE, err);
    if (!w->base) return -1;
    w->base = (w->base + ALIGNED) / ALIGNED * ALIGNED;
  }
  return w->out ? 0 : -1;
}

void walk_close(walk_t *w) {
  bench_close(&w->bench);
}

static void *word(walk_t *w, uint64_t at) {
  if (w->space == WALK_CONST) return memory_const(w->bench.memory) + at;
  return bench_at(&w->bench, w->base + at, 4);
}

static void link_up(walk_t *w, const walk_ring_t *r, uint64_t beyond) {
  for (size_t i = 0; i < r->n; i++) {
    uint32_t next = (uint32_t)(w->base + beyond + r->at[(i + 1) % r->n]);
    memcpy(word(w, beyond + r->at[i]), &next, 4);
  }
}

int walk_average(walk_t *w, const walk_ring_t *r, double *cycles, mrpb_err_t *err) {
  size_t round = r->n / numbers_gcd(r->n, w->unroll);
  size_t least = WALK_LOADS / w->unroll;
  size_t loops = (least + round - 1) / round * round;
  uint32_t *result = bench_at(&w->bench, w->out, 8);
  uint64_t first = w->base + r->at[0];
  if (w->space != WALK_SHARED) link_up(w, r, 0);
  if (r->rival == RIVAL_DATA) link_up(w, r, r->beyond);
  result[1] = 0;
  w->bench.first_sm = r->sm;
  const bench_launch_t l = {.kernel = "walk",
                            .blocks = r->rival == RIVAL_NONE ? 1 : r->where + 1,
                            .threads = 1,
                            .regs = 16,
                            .n_args = 6,
                            .arg = {w->out, first, loops,
                                    r->rival == RIVAL_NONE ? NO_BLOCK : r->where,
                                    r->rival == RIVAL_CODE ? 1 : first + r->beyond, 0}};
  if (bench_must(&w->bench, &l, err) != 0) return -1;
  *cycles = (double)result[0] / (double)(loops * w->unroll);
  return 0;
}

static int walk_on(walk_t *w, uint64_t bytes, uint64_t stride, unsigned sm, double *cycles,
                   mrpb_err_t *err) {
  uint64_t at[WALK_MOST];
  size_t n = 0;
  for (uint64_t a = 0; a < bytes && n < WALK_MOST; a += stride) at[n++] = a;
  return walk_average(w, &(walk_ring_t){.at = at, .n = n, .sm = sm}, cycles, err);
}

int walk_stride(walk_t *w, uint64_t bytes, uint64_t stride, double *cycles, mrpb_err_t *err) {
  return walk_on(w, bytes, stride, 0, cycles, err);
}

int walk_placements(walk_t *w, uint64_t bytes, uint64_t stride, double *mean, double *least,
                    double *most, mrpb_err_t *err) {
  const bench_limits_t *has = &w->bench.gpu.limits;
  double sum = 0, one, lo = 0, hi = 0;
  unsigned n = 0;
  for (unsigned sm = 0; sm < has->sms; sm += has->cluster, n++) {
    if (walk_on(w, bytes, stride, sm, &one, err) != 0) return -1;
    if (n == 0 || one < lo) lo = one;
    if (n == 0 || one > hi) hi = one;
    sum += one;
  }
  *mean = sum / n;
  if (least) *least = lo;
  if (most) *most = hi;
  return 0;
}
