/* SPDX-License-Identifier: Apache-2.0 */
/* PTX kernels as a warp-instruction source: per-warp SIMT execution of decoded PTX with a
 * reconvergence stack (immediate post-dominators), 32-lane registers, predicates, shared memory per
 * block, and the functional memory image. An instruction takes effect when the SM issues it
 * (warp_stream_step). The host decides, in two callbacks, what is launched next and whether the
 * final memory is right. */
#ifndef SIMT_H
#define SIMT_H

#include "workload/ptx/ptx.h"
#include "workload/simt/memory.h"
#include "workload/workload.h"

#include <stdio.h>

enum { SIMT_MAX_PARAM_BYTES = 4096 };
/* Maximum bytes of shared memory of a block on any machine; a configuration's SM may have less. */
enum { SIMT_MAX_SHARED = 262144 };

typedef struct {
  const ptx_kernel_t *kernel;
  uint32_t grid[3], block[3];
  uint32_t regs;   /* registers per thread, for the limit on resident blocks */
  uint32_t shared; /* bytes for the .extern .shared variables, behind the kernel's own */
  uint8_t params[SIMT_MAX_PARAM_BYTES];
} simt_launch_t;

/* Sets parameter `i` of the launch's kernel to the low bytes of `bits`. */
void simt_param(simt_launch_t *l, unsigned i, uint64_t bits);
void simt_param_f32(simt_launch_t *l, unsigned i, float value);

/* The host of a launch that was prepared elsewhere: the launch repeats while `left` is above 0. */
typedef struct {
  simt_launch_t launch;
  unsigned left;
} simt_prepared_t;
bool simt_prepared_next(void *prepared, simt_launch_t *l);

typedef struct {
  ptx_module_t *module; /* its variables are not bound yet; owned by the workload afterwards */
  memory_t *memory;     /* owned by the workload afterwards */
  void *host;
  /* Prepares the next launch; false if there is none. Sees the memory as the previous launch left
   * it. */
  bool (*next)(void *host, simt_launch_t *l);
  double (*progress)(const void *host);
  int (*check)(void *host, mrpb_err_t *err); /* NULL: nothing to compare */
  void (*destroy)(void *host);
  /* When lanes diverge at a branch, the taken side runs first (paper 004, section IV-C2). Otherwise
   * the side without the highest lane runs first, as in GPGPU-Sim 3.2.0. */
  bool taken_first;
  bool portable; /* for tests: do not use AVX2 and FMA, even if the processor has them */
} simt_setup_t;

/* Binds the module's .global and .const variables (global ones behind what is allocated so far)
 * and creates the workload. Returns 0, or -1 and a message; on an error, ownership of nothing is
 * taken. */
int simt_create(workload_t **out, const simt_setup_t *setup, mrpb_err_t *err);
/* Whether the kernel, whose module's variables are bound, can be executed. Returns 0, or -1 and a
 * message that says what is not supported. */
int simt_can_run(const ptx_kernel_t *kernel, mrpb_err_t *err);
/* Prints what the kernels print to `to`, which the caller keeps; NULL, the default, discards it.
 * Has no effect on a `w` that simt_create did not make. */
void simt_print_to(workload_t *w, FILE *to);
/* Replaces sums of products by fma, as the driver's compiler does (ptx_contract); before the first
 * launch. *sums is their number; 0 of a `w` that simt_create did not make. -1 and a message if out
 * of memory. */
int simt_contract(workload_t *w, uint64_t *sums, mrpb_err_t *err);
/* Puts the code in the order that the driver's compiler gives it (ptx_schedule); after
 * simt_contract, before the first launch. *loads is the number of loads that moved. */
int simt_as_driver(workload_t *w, uint64_t *loads, mrpb_err_t *err);
/* How long warps may wait for one another, in seconds, before their loops count as endless; 0, the
 * default, for ever. Loops that provably never end are faults at once. Has no effect on a `w` that
 * simt_create did not make. */
void simt_patience(workload_t *w, unsigned seconds);

/* What another machine needs in order to run the same launches (workload/silicon/beside.h). */
typedef struct {
  const ptx_module_t *module;
  memory_t *memory;
  const simt_launch_t *launch; /* the one that workload_next has begun */
} simt_view_t;

/* False if simt_create did not make `w`. */
bool simt_view(const workload_t *w, simt_view_t *view);

#endif
