/* SPDX-License-Identifier: Apache-2.0 */
/* State of the GPU, shared by the files of tb/gpu only. */
#ifndef GPU_STATE_H
#define GPU_STATE_H

#include "gpu/gpu.h"
#include "sim/sim.h"

enum { GPU_MAX_SMS = 32, GPU_MAX_SLICES = 32, GPU_CHUNK = 4096 };

enum { GPU_DOMAIN_SM, GPU_DOMAIN_ICNT, GPU_DOMAIN_L2, GPU_DOMAIN_DRAM, GPU_DOMAINS };

typedef struct gpu_wave gpu_wave_t;

struct gpu {
  gpu_setup_t setup;
  const config_t *cfg;
  sim_t *sim;
  sim_clock_t sm_clock;
  double period[GPU_DOMAINS], next[GPU_DOMAINS]; /* CLOCKS = reference: seconds */
  packet_pool_t *pool;
  icnt_t *icnt;
  check_t *check; /* NULL: no data travel */
  sm_t *sm[GPU_MAX_SMS];
  l2_t *l2[GPU_MAX_SLICES];
  dram_t *dram[GPU_MAX_SLICES];
  /* Sets of slices: requests in the L2; replies that wait; work in the DRAM channel. */
  uint32_t l2_busy, with_reply, dram_busy;
  uint64_t dram_cycles;               /* of the DRAM clock so far */
  uint64_t dram_idle[GPU_MAX_SLICES]; /* of an idle channel: the cycle it has got to */

  uint64_t now;                    /* SM cycles so far */
  uint32_t awake;                  /* SMs whose cycles are run */
  uint32_t for_room;               /* of the others, those that wait for room in the interconnect */
  uint32_t receiving;              /* SMs with replies in their cluster FIFO */
  uint32_t with_blocks, with_room; /* SMs that have blocks, that can take one more */
  uint32_t every_cycle;            /* SMs with a unit in lockstep */

  const launch_t *launch; /* the one that runs */
  uint32_t next_block;    /* of it */
  unsigned last_sm;       /* got a block last */
  uint64_t kernel_start, kernel_warp_insts, kernel_thread_insts;
  gpu_kernel_stats_t *kernels; /* finished launches */
  unsigned n_kernels, room_kernels;

  uint64_t progress, progress_at;
  gpu_end_t end;
  bool ended;
  mrpb_err_t *err;
  gpu_wave_t *wave;
};

/* Time of the present SM cycle, femtoseconds. */
sim_time_t gpu_time(const gpu_t *gpu);

/* wave.c: the window of waves; NULL is no window. */
int gpu_wave_open(gpu_wave_t **out, gpu_t *gpu, mrpb_err_t *err);
void gpu_wave_sample(gpu_wave_t *w,
                     sm_t *sm); /* once a cycle; outside the window it does nothing */
/* The file could not be written: the run may as well end. */
bool gpu_wave_failed(const gpu_wave_t *w);
int gpu_wave_close(gpu_wave_t *w, mrpb_err_t *err);

#endif
