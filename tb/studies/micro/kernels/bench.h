/* SPDX-License-Identifier: Apache-2.0 */
/* A micro-benchmark on a GPU: a PTX text, its memory, and the device (tb/device) that it is
 * launched on, as often as it takes. */
#ifndef MICRO_BENCH_H
#define MICRO_BENCH_H

#include "device/device.h"
#include "studies/micro/kernels/text.h"
#include "workload/simt/simt.h"

enum { BENCH_ARGS = 16 };

typedef struct {
  device_t *device;
  workload_t *workload;
  ptx_module_t *module; /* both the workload's */
  memory_t *memory;
  simt_launch_t launch; /* the next one */
  bool pending;
  unsigned first_sm;
  uint64_t limit; /* cycles of a launch */
} bench_t;

typedef struct {
  const char *kernel;
  uint32_t blocks, threads, regs, shared;
  unsigned n_args;
  uint64_t arg[BENCH_ARGS];
} bench_launch_t;

/* Reads `text`, which is freed, and makes the device; the bench must stay where it is. -1 and a
 * message: a PTX text of a study that cannot be read is the study's fault. Its textures begin where
 * the memory does, at MEMORY_BASE. Also after an error the bench must be closed. */
int bench_open(bench_t *b, const device_cfg_t *cfg, const unit_choice_t *choice, text_t *text,
               mrpb_err_t *err);
void bench_close(bench_t *b);

/* `bytes` of global memory, zeroed; 0 and a message if there is no room. */
uint64_t bench_alloc(bench_t *b, uint64_t bytes, mrpb_err_t *err);
/* Where the host finds it. */
void *bench_at(const bench_t *b, uint64_t addr, uint64_t bytes);

/* The largest of `n` words from `addr` on: what the slowest thread wrote. */
uint32_t bench_largest(const bench_t *b, uint64_t addr, uint32_t n);
/* Cycles of so many ticks of %clock. */
uint32_t bench_cycles(const bench_t *b, uint32_t ticks);

/* One launch. DEVICE_DONE or how else it ended. */
device_end_t bench_run(bench_t *b, const bench_launch_t *l, mrpb_err_t *err);
/* One launch that must end well: -1 and a message if not. */
int bench_must(bench_t *b, const bench_launch_t *l, mrpb_err_t *err);

#endif
