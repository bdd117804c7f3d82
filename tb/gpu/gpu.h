/* SPDX-License-Identifier: Apache-2.0 */
/* The whole GPU: SMs, interconnect, L2 slices and DRAM channels in their clock domains, running the
 * kernels of a workload one after another. Built on the discrete-event kernel (cmodel/sim): one
 * clocked process per stage and domain, in the order in which GPGPU-Sim 3.2.0 runs them when edges
 * coincide: replies into SMs, replies into the interconnect, DRAM, L2, interconnect, SMs. See
 * docs/sm.md and docs/running.md. */
#ifndef GPU_H
#define GPU_H

#include "gpu/check/check.h"
#include "config/config.h"
#include "gpu/memories/connect.h"
#include "gpu/cores/cores.h"
#include "gpu/cores/counts.h"
#include "gpu/cores/stacks.h"
#include "err.h"
#include "gpu/memories/memory.h"
#include "gpu/pipeline/sm.h"
#include "workload/workload.h"

#include <stdbool.h>
#include <stdio.h>

/* A launch: what was counted since the end of the previous one. */
typedef struct {
  const char *kernel;
  uint64_t count[GPU_COUNTS]; /* counts.def */
} gpu_kernel_stats_t;

/* GPU_MISMATCH: Verilog and C differ, or the checking mode found a violation. GPU_AGAIN: the run must be
 * begun again with one thread, since the program depends on the order of its SMs. */
typedef enum { GPU_DONE, GPU_MISMATCH, GPU_HANG, GPU_INTERRUPTED, GPU_FAILED, GPU_AGAIN } gpu_end_t;

typedef struct {
  const config_t *cfg; /* CORE and MEMORY choose its cores and what is behind them */
  workload_t *workload;
  const unit_choice_t *choice; /* NULL: C models everywhere */
  bool check;                  /* packets carry data, and every load is checked: docs/check.md */
  uint32_t hazards;            /* gpu/check/hazard.h: ordering hazards to allow, for tests */
  bool by_launch;              /* every launch is a run of its own; gpu_resume begins the next */
  requests_t *requests;        /* records its own cores\' loads; NULL: nobody does: docs/align.md */
  timeline_t *timeline; /* warps, blocks and launches; with requests of its own: docs/timeline.md */
  profile_t *profile;   /* counts by instruction and array; NULL: nobody does */
  stacks_t *stacks;     /* of in-order cores, which fill it; NULL: nobody asks */
  unsigned threads;     /* of the host; 0 and 1: one. The results are the same: docs/threads.md */
  bool all_threads;     /* in each window, however long it takes: for tests; same results */
  bool no_sleep;        /* run every cycle of every SM; same results, only slower */
  const char *vcd;      /* wave file, NULL for none: SM cycles vcd_from to vcd_to of SM vcd_sm */
  unsigned vcd_sm;
  uint64_t vcd_from, vcd_to;
  /* Called every few thousand cycles; returning true ends the run with GPU_INTERRUPTED. May be
   * NULL. */
  bool (*poll)(void *ctx, uint64_t cycles, double fraction);
  void *ctx;
  /* An external memory, in place of the DRAM or of everything behind the SMs; the latter excludes
   * `check`. NULL: the GPU's own. */
  const mrpb_gpu_dram_t *dram;
  const mrpb_gpu_memory_t *memory;
  /* External cores in place of the SMs. They exclude `workload`, `check` and `memory`; the run does
   * not end by itself. */
  const mrpb_gpu_cores_t *cores;
} gpu_setup_t;

typedef struct gpu gpu_t;

/* Returns 0, or -1 and a message in err. After an error *out is NULL and nothing is left allocated.
 * This holds for every _create of tb/gpu and tb/device, and every _destroy takes NULL. The setup's
 * strings and objects must outlive the GPU. */
int gpu_create(gpu_t **out, const gpu_setup_t *setup, mrpb_err_t *err);
void gpu_destroy(gpu_t *gpu);

/* Runs all launches to their end. With GPU_MISMATCH and GPU_FAILED the reason is in `err`. The wave
 * file is closed and readable however the run ends. */
gpu_end_t gpu_run(gpu_t *gpu, mrpb_err_t *err);

/* Runs piece by piece: up to `cycles` SM cycles more. It runs fewer if gpu_pause is called or if,
 * with `launch`, a launch ends. True while the run has not ended; after false, gpu_finish gives the
 * result. The results are those of gpu_run, whatever the sizes of the pieces. */
bool gpu_step(gpu_t *gpu, uint64_t cycles, bool launch, mrpb_err_t *err);
gpu_end_t gpu_finish(gpu_t *gpu, mrpb_err_t *err);
/* Called from inside a step: the step ends with the current cycle. */
void gpu_pause(gpu_t *gpu);
/* Before the first step, or after the end of a run, however it ended: begins the workload's next
 * launch, which the next step runs. Its first block goes to SM `first`, if the cores are in order. */
void gpu_resume(gpu_t *gpu, unsigned first, mrpb_err_t *err);
/* Brings sleeping parts up to the current cycle, so that the results below are current. */
void gpu_catch_up(gpu_t *gpu);
/* Answers a request to setup's `memory`. Returns 0, or -1 and a message in err if nothing waits for
 * this reply. */
int gpu_reply(gpu_t *gpu, uint64_t id, mrpb_err_t *err);

/* A request of one of setup's `cores`. Returns 1, 0 if there is no room in this cycle, or -1 and a
 * message in err if the request is not legal or memory runs out. */
int gpu_request(gpu_t *gpu, const mrpb_gpu_request_t *request, mrpb_err_t *err);

/* ---- results --------------------------------------------------------------- */

/* True if the run failed because a block needs more than a core has. */
bool gpu_refused(const gpu_t *gpu);
uint64_t gpu_cycles(const gpu_t *gpu);  /* SM cycles so far, all launches */
unsigned gpu_kernels(const gpu_t *gpu); /* finished launches */
const gpu_kernel_stats_t *gpu_kernel(const gpu_t *gpu, unsigned i);

/* Fills in the whole table of counts for the whole run. After GPU_DONE the launches' counts add up
 * to it. */
void gpu_count_all(const gpu_t *gpu, uint64_t count[GPU_COUNTS]);

/* Sums over all SMs, slices and channels. */
sm_stats_t gpu_sm_stats(const gpu_t *gpu);
l1d_stats_t gpu_l1d_stats(const gpu_t *gpu);
l2_stats_t gpu_l2_stats(const gpu_t *gpu);
dram_stats_t gpu_dram_stats(const gpu_t *gpu);
icnt_stats_t gpu_icnt_stats(const gpu_t *gpu, icnt_direction_t d);
sm_t *gpu_sm(const gpu_t *gpu, unsigned i); /* of the paper's SMs */
cores_t *gpu_cores(const gpu_t *gpu);       /* of any class */
gpu_memory_t *gpu_memory(const gpu_t *gpu);
gpu_shows_t gpu_shows(const gpu_t *gpu);
const check_stats_t *gpu_check_stats(const gpu_t *gpu); /* NULL without checking mode */

/* Lists what everything is waiting for, for the report of a hang. */
void gpu_dump(gpu_t *gpu, FILE *out);

#endif
