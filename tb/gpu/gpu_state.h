/* SPDX-License-Identifier: Apache-2.0 */
/* State of the GPU, shared by the files of tb/gpu only. */
#ifndef GPU_STATE_H
#define GPU_STATE_H

#include "gpu/cores/cores.h"
#include "gpu/gpu.h"
#include "sim/sim.h"

enum { GPU_CHUNK = 4096 };

/* An edge as a set of stages: those of the memory, if it has clocks of its own, MEMORY_STAGE_*; and
 * those of the SM clock, replies into the SMs before the memory's, a cycle of the SMs behind them. */
enum { GPU_STAGE_SM = MEMORY_STAGES };
/* The cores, and the memory: MEMORY_CLOCK_*. */
enum { GPU_DOMAIN_SM, GPU_DOMAIN_ICNT, GPU_DOMAIN_L2, GPU_DOMAIN_DRAM, GPU_DOMAINS };

/* The time of the next edge of an exact clock, in femtoseconds, and its part of one, in units of
 * 1 / hz. */
typedef struct {
  uint64_t hz, time, part;
} gpu_exact_clock_t;

/* See clocks.c. */
enum { GPU_EDGES = 64 };
typedef struct {
  uint8_t edge[GPU_EDGES]; /* that come next, from `at` on */
  unsigned at;
  double period[GPU_DOMAINS], next[GPU_DOMAINS]; /* seconds; next: since the launch began */
  gpu_exact_clock_t exact[GPU_DOMAINS];
  uint64_t sm_period, sm_part, sm_mhz; /* a period of the SMs: sm_period + sm_part / sm_mhz fs */
} gpu_clocks_t;

typedef struct gpu_wave gpu_wave_t;
typedef struct gpu_windows gpu_windows_t;

struct gpu {
  gpu_setup_t setup;
  const config_t *cfg;
  sim_t *sim;
  sim_clock_t sm_clock;
  gpu_clocks_t clocks; /* of a memory that has its own */
  cores_t *cores;
  gpu_memory_t *memory;
  bool leaps; /* cycles in which nothing happens are left out */
  unsigned sms;
  check_t *check; /* NULL: packets carry no data */
  gpu_wave_t *wave;
  gpu_windows_t *windows; /* NULL: the kernel runs the GPU, cycle by cycle */

  uint64_t now;               /* SM cycles so far */
  const launch_t *launch;     /* the running one */
  uint32_t next_block;        /* of that launch */
  unsigned last_sm, first_sm; /* the last to get a block; cores that say when: the next */
  sim_time_t due_period;      /* of them, in the time of the simulation */
  uint64_t due, until;        /* cores that say when: the cycle to run next; the end of the piece */
  uint64_t counted[GPU_COUNTS]; /* up to the end of the last launch */
  gpu_kernel_stats_t *kernels;  /* finished launches */
  unsigned n_kernels, room_kernels;

  uint64_t progress, progress_at;
  uint64_t look_at; /* the cycle of the next poll */
  gpu_end_t end;
  bool begun, ended, refused;   /* refused: a block needs more than a core has */
  bool pause_at_launch, paused; /* of the current step */
  mrpb_err_t *err;
};

/* gpu.c. Has no effect if the run has already ended. */
void gpu_stop(gpu_t *gpu, gpu_end_t end);
/* Starts the next launch, if there is one. */
void gpu_start_kernel(gpu_t *gpu);

/* blocks.c: places blocks of the launch on cores that have room: one on each in a cycle, or as many
 * as there is room for. */
void gpu_place_blocks(gpu_t *gpu);

/* windows.c: for setup.threads of 2 and more; *out is NULL if the GPU cannot run in windows. The
 * windows must outlive the cores. */
int gpu_windows_create(gpu_windows_t **out, gpu_t *gpu, mrpb_err_t *err);
void gpu_windows_destroy(gpu_windows_t *w);
/* What each SM sees as its memory. */
gpu_memory_t *const *gpu_windows_memories(const gpu_windows_t *w);
/* Runs up to cycle `to`, or the end or a pause. */
void gpu_windows_run(gpu_windows_t *w, uint64_t to);
/* A launch begins: its clocks are at their beginning. */
void gpu_windows_restart(gpu_windows_t *w);
bool gpu_windows_failed(const gpu_windows_t *w); /* out of memory for packets */

/* due.c: the clock of cores that say when they are due, and its stage. */
int gpu_due_create(gpu_t *gpu, mrpb_err_t *err);
/* Places blocks, and finds the cycle to run next; ends the run if there is none. */
void gpu_due_prepare(gpu_t *gpu);
/* gpu.c: the first and the last stage of a cycle. gpu_after_cycle: what follows the cycles up to
 * gpu->now; `more`: blocks were left in the last one. */
void gpu_receive(gpu_t *gpu);
void gpu_run_cores(gpu_t *gpu);
void gpu_after_cycle(gpu_t *gpu, bool more);
void gpu_catch_up_memory(gpu_t *gpu);
/* The next cycle that is not left out, or, if that is cycle gpu->until, up to there. */
void gpu_run_cycle(gpu_t *gpu);
/* The last stage of a cycle, without its number. */
void gpu_cycle(gpu_t *gpu);
bool gpu_launch_ended(const gpu_t *gpu);
void gpu_end_kernel(gpu_t *gpu);

/* clocks.c: creates the clock of the SMs. */
sim_clock_t gpu_clocks_create(gpu_t *gpu);
/* Called when a launch begins. */
void gpu_clocks_restart(gpu_t *gpu);
uint8_t gpu_next_edge(gpu_t *gpu);
/* The edges that are known to come next, at least one; *n gets their number. The caller takes some. */
const uint8_t *gpu_next_edges(gpu_t *gpu, unsigned *n);
void gpu_take_edges(gpu_t *gpu, unsigned n);

/* wave.c: the wave window; NULL means no window. */
int gpu_wave_open(gpu_wave_t **out, gpu_t *gpu, mrpb_err_t *err);
/* True if the file could not be written: the run may as well end. */
bool gpu_wave_failed(const gpu_wave_t *w);
/* Its files get their names if it was sampled, unless `cut`: the run could not go on, for a cause that
 * is not in the simulated program. 0, or -1 and a message. */
int gpu_wave_close(gpu_wave_t *w, bool cut, mrpb_err_t *err);

#endif
