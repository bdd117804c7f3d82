/* SPDX-License-Identifier: Apache-2.0 */
/* Runs small kernels on the GPU of the micro-benchmarks (tb/device), for its tests. A kernel is a
 * body between a fixed beginning and `ret`. %rd1 = a (global memory), %rd2 = out, %r31 = %tid.x,
 * %r30 = %ctaid.x; s[] is shared memory, c[] is constant memory, t is a texture whose byte 0 is
 * that of a. */
#ifndef DEVICE_HELP_H
#define DEVICE_HELP_H

#include "studies/micro/kernels/bench.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  bench_t b;
  uint64_t a, out;
  mrpb_err_t err;
} device_rig_t;

static inline config_t device_config(const char *const *set) {
  config_t c;
  mrpb_err_t err = {{0}};
  config_defaults_of(&c, CONFIG_CORE_IN_ORDER, CONFIG_MEMORY_PORTS);
  for (; set && *set; set++) ck_assert_msg(config_set(&c, *set, &err) == 0, "%s", err.text);
  ck_assert_msg(config_check(&c, "test", &err) == 0, "%s", err.text);
  return c;
}

/* Opens a rig with `bytes` of memory at a and 64 KB at out. */
static inline void device_rig_open(device_rig_t *r, const config_t *c, uint64_t bytes,
                                   const char *body) {
  text_t text = {0};
  r->err = (mrpb_err_t){{0}};
  text_add(&text,
           ".version 3.2\n.target sm_20\n.address_size 64\n.global .texref t;\n"
           ".const .align 4 .b8 c[32768];\n"
           ".visible .entry k(.param .u64 a, .param .u64 out)\n{\n  .reg .pred %%p<8>;\n"
           "  .reg .b32 %%r<32>;\n  .reg .b32 %%t<16>;\n  .reg .f32 %%f<32>;\n  .reg .f64 %%d<8>;\n"
           "  .reg .b64 %%rd<16>;\n  .shared .align 4 .b8 s[4096];\n"
           "  ld.param.u64 %%rd1, [a];\n  ld.param.u64 %%rd2, [out];\n"
           "  mov.u32 %%r31, %%tid.x;\n  mov.u32 %%r30, %%ctaid.x;\n%s\n  ret;\n}\n",
           body);
  bench_gpu_t on = bench_gpu_model(c, NULL);
  on.err = &r->err;
  bench_open(&r->b, &on, &text);
  r->a = bench_alloc(&r->b, bytes, BENCH_DEVICE);
  r->out = bench_alloc(&r->b, 1 << 16, BENCH_DEVICE);
  ck_assert_msg(bench_ok(&on), "%s", r->err.text);
}

static inline void device_rig_close(device_rig_t *r) {
  bench_close(&r->b);
}

static inline device_end_t device_rig_end(device_rig_t *r, uint32_t blocks, uint32_t threads,
                                          uint64_t offset, mrpb_err_t *err) {
  const bench_launch_t l = {.kernel = "k",
                            .blocks = blocks,
                            .threads = threads,
                            .regs = 16,
                            .n_args = 2,
                            .arg = {r->a + offset, r->out}};
  const device_end_t end = bench_run(&r->b, &l);
  mrpb_fail(err, "%s%s", r->b.refused.text, r->err.text);
  return end;
}

static inline const device_stats_t *device_rig_run(device_rig_t *r, uint32_t blocks,
                                                   uint32_t threads, uint64_t offset) {
  mrpb_err_t err = {{0}};
  device_end_t end = device_rig_end(r, blocks, threads, offset, &err);
  ck_assert_msg(end == DEVICE_DONE, "ended as %d: %s", (int)end, err.text);
  return device_stats(bench_device(&r->b));
}

/* Word `i` at out. */
static inline uint32_t device_rig_word(const device_rig_t *r, uint32_t i) {
  return *(const uint32_t *)bench_at(&r->b, r->out + 4 * (uint64_t)i, 4);
}

/* Launches one thread with a + offset. Returns out[0]. */
static inline uint32_t device_rig_time(device_rig_t *r, uint64_t offset) {
  (void)device_rig_run(r, 1, 1, offset);
  return device_rig_word(r, 0);
}

#endif
