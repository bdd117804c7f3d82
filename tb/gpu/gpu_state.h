/* SPDX-License-Identifier: Apache-2.0 */
/* State of the GPU, shared by the files of tb/gpu only. */
#ifndef GPU_STATE_H
#define GPU_STATE_H

#include "gpu/dram_port.h"
#include "gpu/gpu.h"
#include "gpu/memory_port.h"
#include "sim/sim.h"

enum { GPU_MAX_SMS = 32, GPU_MAX_SLICES = 32, GPU_CHUNK = 4096 };

/* The stages of a clock edge, in the order of coinciding edges. */
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
  double period[GPU_DOMAINS], next[GPU_DOMAINS]; /* seconds; next: since the launch began */
  double sm_edge;                                /* the last SM edge, likewise */
  int64_t sm_period, sm_time;                    /* both in the simulation's time */
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
  check_t *check; /* NULL: packets carry no data */
  sm_t *sm[GPU_MAX_SMS];
  l2_t *l2[GPU_MAX_SLICES];
  dram_t *dram[GPU_MAX_SLICES];
  dram_port_t *dram_port;     /* NULL: the GPU's own DRAM channels */
  memory_port_t *memory_port; /* NULL: the GPU's own memory behind the SMs */
  uint32_t core_requests;     /* of external cores: without a reply yet */
  uint64_t core_moves;        /* their requests and replies so far */
  /* Sets of slices: requests in the L2; waiting replies; work in the DRAM channel. */
  uint32_t l2_busy, with_reply, dram_busy;
  uint64_t dram_cycles;             /* DRAM clock cycles so far */
  uint64_t dram_at[GPU_MAX_SLICES]; /* the cycle that a channel has reached */
  uint32_t dram_awake;              /* busy channels that are not sleeping */
  /* A channel sleeps until that DRAM cycle or that SM cycle; the first of all channels. */
  uint64_t dram_wake[GPU_MAX_SLICES], dram_ready[GPU_MAX_SLICES], dram_next, dram_next_ready;

  uint64_t now;                    /* SM cycles so far */
  uint32_t awake;                  /* SMs whose cycles are run */
  uint32_t for_room;               /* sleeping SMs that wait for room in the interconnect */
  uint32_t receiving;              /* SMs with replies in their cluster FIFO */
  uint32_t with_blocks, with_room; /* SMs with blocks; SMs that can take another */
  uint32_t every_cycle;            /* SMs with a unit in lockstep */

  const launch_t *launch;       /* the running one */
  uint32_t next_block;          /* of that launch */
  unsigned last_sm;             /* the last to get a block */
  uint64_t counted[GPU_COUNTS]; /* up to the end of the last launch */
  gpu_kernel_stats_t *kernels;  /* finished launches */
  unsigned n_kernels, room_kernels;

  uint64_t progress, progress_at;
  uint64_t look_at; /* the cycle of the next poll */
  gpu_end_t end;
  bool begun, ended;
  bool pause_at_launch, paused; /* of the current step */
  mrpb_err_t *err;
  gpu_wave_t *wave;
};

/* gpu.c. Has no effect if the run has already ended. */
void gpu_stop(gpu_t *gpu, gpu_end_t end);
/* Starts the next launch, if there is one. */
void gpu_start_kernel(gpu_t *gpu);
/* Brings sleeping DRAM channels up to the current cycle. */
void gpu_catch_up_dram(gpu_t *gpu);

/* clocks.c: creates the clock of each stage according to the configuration. */
void gpu_clocks_create(gpu_t *gpu, sim_clock_t clk[GPU_STAGES]);
/* Called when a launch begins. */
void gpu_clocks_restart(gpu_t *gpu);
const char *gpu_stage_name(unsigned stage);

/* cores.c: the stages of the SM clock when external cores are connected. */
void gpu_cores_receive(sim_t *sim, void *gpu);
void gpu_cores_cycle(sim_t *sim, void *gpu);
packet_map_t gpu_address_map(const config_t *cfg);

/* wave.c: the wave window; NULL means no window. */
int gpu_wave_open(gpu_wave_t **out, gpu_t *gpu, mrpb_err_t *err);
void gpu_wave_sample(gpu_wave_t *w,
                     sm_t *sm); /* once a cycle; outside the window it does nothing */
/* True if the file could not be written: the run may as well end. */
bool gpu_wave_failed(const gpu_wave_t *w);
/* Its files get their names if it was sampled, unless `cut`: the run could not go on, for a cause that
 * is not in the simulated program. 0, or -1 and a message. */
int gpu_wave_close(gpu_wave_t *w, bool cut, mrpb_err_t *err);

#endif
