/* SPDX-License-Identifier: Apache-2.0 */
/* State of the GPU, shared by the files of tb/gpu only. */
#ifndef GPU_STATE_H
#define GPU_STATE_H

#include "gpu/dram_port.h"
#include "gpu/gpu.h"
#include "gpu/memory_port.h"
#include "sim/sim.h"

enum { GPU_MAX_SMS = 32, GPU_MAX_SLICES = 32, GPU_CHUNK = 4096 };

/* What runs in a clock edge, in the order of coinciding edges. */
enum {
  GPU_STAGE_RECEIVE, /* SM clock: replies into the SMs */
  GPU_STAGE_INJECT,  /* interconnect clock: replies into the interconnect */
  GPU_STAGE_DRAM,
  GPU_STAGE_L2,
  GPU_STAGE_ICNT,
  GPU_STAGE_SM,
  GPU_STAGES
};
enum { GPU_DOMAIN_SM, GPU_DOMAIN_ICNT, GPU_DOMAIN_L2, GPU_DOMAIN_DRAM, GPU_DOMAINS };

/* The reference's clocks, see clocks.c. */
typedef struct {
  double period[GPU_DOMAINS], next[GPU_DOMAINS]; /* seconds; next: from the launch's beginning */
  double sm_edge;                                /* the last one of the SMs, likewise */
  int64_t sm_period, sm_time;                    /* the same in the simulation's time */
  sim_source_t source;
} gpu_clocks_t;

typedef struct gpu_wave gpu_wave_t;

struct gpu {
  gpu_setup_t setup;
  const config_t *cfg;
  sim_t *sim;
  sim_clock_t sm_clock;
  gpu_clocks_t clocks; /* CLOCKS = reference */
  packet_pool_t *pool;
  icnt_t *icnt;
  check_t *check; /* NULL: no data travel */
  sm_t *sm[GPU_MAX_SMS];
  l2_t *l2[GPU_MAX_SLICES];
  dram_t *dram[GPU_MAX_SLICES];
  dram_port_t *dram_port;     /* NULL: the DRAM channels are ours */
  memory_port_t *memory_port; /* NULL: so is all that is behind the SMs */
  uint32_t core_requests;     /* of somebody else's cores: without a reply yet */
  uint64_t core_moves;        /* requests and replies of them so far */
  /* Sets of slices: requests in the L2; replies that wait; work in the DRAM channel. */
  uint32_t l2_busy, with_reply, dram_busy;
  uint64_t dram_cycles;             /* of the DRAM clock so far */
  uint64_t dram_at[GPU_MAX_SLICES]; /* the cycle that a channel has got to */
  uint32_t dram_awake;              /* of the busy channels, those that do not rest */
  /* A channel rests until that cycle or that of the SMs; the first of all. */
  uint64_t dram_wake[GPU_MAX_SLICES], dram_ready[GPU_MAX_SLICES], dram_next, dram_next_ready;

  uint64_t now;                    /* SM cycles so far */
  uint32_t awake;                  /* SMs whose cycles are run */
  uint32_t for_room;               /* of the others, those that wait for room in the interconnect */
  uint32_t receiving;              /* SMs with replies in their cluster FIFO */
  uint32_t with_blocks, with_room; /* SMs that have blocks, that can take one more */
  uint32_t every_cycle;            /* SMs with a unit in lockstep */

  const launch_t *launch;       /* the one that runs */
  uint32_t next_block;          /* of it */
  unsigned last_sm;             /* got a block last */
  uint64_t counted[GPU_COUNTS]; /* when the last launch ended */
  gpu_kernel_stats_t *kernels;  /* finished launches */
  unsigned n_kernels, room_kernels;

  uint64_t progress, progress_at;
  uint64_t look_at; /* the cycle in which we look around next */
  gpu_end_t end;
  bool begun, ended;
  bool pause_at_launch, paused; /* of the step */
  mrpb_err_t *err;
  gpu_wave_t *wave;
};

/* gpu.c. Nothing happens if the run has ended before. */
void gpu_stop(gpu_t *gpu, gpu_end_t end);
/* The next launch, if there is one. */
void gpu_start_kernel(gpu_t *gpu);
/* The DRAM channels that rest, up to the present cycle. */
void gpu_catch_up_dram(gpu_t *gpu);

/* clocks.c: the clock of each stage, as the configuration wants them. */
void gpu_clocks_create(gpu_t *gpu, sim_clock_t clk[GPU_STAGES]);
/* A launch begins. */
void gpu_clocks_restart(gpu_t *gpu);
const char *gpu_stage_name(unsigned stage);

/* cores.c: the stages of the SMs' clock, with cores of somebody else's. */
void gpu_cores_receive(sim_t *sim, void *gpu);
void gpu_cores_cycle(sim_t *sim, void *gpu);
packet_map_t gpu_address_map(const config_t *cfg);

/* wave.c: the window of waves; NULL is no window. */
int gpu_wave_open(gpu_wave_t **out, gpu_t *gpu, mrpb_err_t *err);
void gpu_wave_sample(gpu_wave_t *w,
                     sm_t *sm); /* once a cycle; outside the window it does nothing */
/* The file could not be written: the run may as well end. */
bool gpu_wave_failed(const gpu_wave_t *w);
/* Its files get their names if it was sampled, unless `cut`: the run could not go on, for a cause that
 * is not in the simulated program. 0, or -1 and a message. */
int gpu_wave_close(gpu_wave_t *w, bool cut, mrpb_err_t *err);

#endif
