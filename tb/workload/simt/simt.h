/* SPDX-License-Identifier: Apache-2.0 */
/* PTX kernels as a warp-instruction source: per-warp SIMT execution of decoded PTX with a
 * reconvergence stack (immediate post-dominators), 32-lane registers, predicates, shared memory per
 * block, and the functional memory image. An instruction takes effect when the SM issues it
 * (warp_stream_step). What launches when, and what the memory holds at the end, is the host's: two
 * callbacks. */
#ifndef SIMT_H
#define SIMT_H

#include "workload/ptx/ptx.h"
#include "workload/simt/memory.h"
#include "workload/workload.h"

#include <stdio.h>

enum { SIMT_MAX_PARAM_BYTES = 4096 };
/* Most bytes of shared memory of a block on any machine; a configuration's SM may have less. */
enum { SIMT_MAX_SHARED = 262144 };

typedef struct {
  const ptx_kernel_t *kernel;
  uint32_t grid[3], block[3];
  uint32_t regs;   /* of a thread, for the limit on resident blocks */
  uint32_t shared; /* bytes for the .extern .shared variables, behind the kernel's own */
  uint8_t params[SIMT_MAX_PARAM_BYTES];
} simt_launch_t;

/* Parameter `i` of the launch's kernel: the low bytes of `bits`. */
void simt_param(simt_launch_t *l, unsigned i, uint64_t bits);
void simt_param_f32(simt_launch_t *l, unsigned i, float value);

/* The host of a launch that somebody else has prepared: it comes next while any is left. */
typedef struct {
  simt_launch_t launch;
  unsigned left;
} simt_prepared_t;
bool simt_prepared_next(void *prepared, simt_launch_t *l);

typedef struct {
  ptx_module_t *module; /* variables not bound yet; the workload takes it over */
  memory_t *memory;     /* the workload takes it over */
  void *host;
  /* The launch that comes next, false if there is none; sees the memory as the one before left it.
   */
  bool (*next)(void *host, simt_launch_t *l);
  double (*progress)(const void *host);
  int (*check)(void *host, mrpb_err_t *err); /* NULL: nothing to compare */
  void (*destroy)(void *host);
  /* Of a branch that lanes part at, the side that is taken goes first (paper 004, section IV-C2);
   * else the side without the highest lane, as in GPGPU-Sim 3.2.0. */
  bool taken_first;
  bool portable; /* for tests: without AVX2 and FMA, even where the processor has them */
} simt_setup_t;

/* Binds the module's .global and .const variables (global ones behind what is allocated so far) and
 * makes the workload. -1 and a message; nothing is taken over then. */
int simt_create(workload_t **out, const simt_setup_t *setup, mrpb_err_t *err);
/* Whether the kernel of a module whose variables are bound can be executed; -1 and a message: what it
 * lacks. */
int simt_can_run(const ptx_kernel_t *kernel, mrpb_err_t *err);
/* What the kernels print goes to `to`, which stays the caller's; NULL, as at first: nowhere. Nothing
 * happens to a `w` that simt_create has not made. */
void simt_print_to(workload_t *w, FILE *to);

/* What another machine needs that is to run the same launches (workload/silicon/beside.h). */
typedef struct {
  const ptx_module_t *module;
  memory_t *memory;
  const simt_launch_t *launch; /* that workload_next has begun */
} simt_view_t;

/* False if simt_create has not made `w`. */
bool simt_view(const workload_t *w, simt_view_t *view);

#endif
