/* SPDX-License-Identifier: Apache-2.0 */
/* State of a library GPU, shared by the files of tb/gpu/library only. */
#ifndef MRPB_GPU_STATE_H
#define MRPB_GPU_STATE_H

#include "gpu/gpu.h"
#include "gpu/library/mrpb_gpu.h"
#include "workload/launch/launch.h"

/* A PTX text, its memory and the waiting launches. The workload owns module and memory as soon as
 * it exists. */
typedef struct {
  ptx_module_t *module;
  memory_t *memory;
  simt_launch_t *launches;
  size_t n, room, at; /* launches[at] is next */
} mrpb_ptx_t;

struct mrpb_gpu {
  config_t cfg;
  bool checked;
  mrpb_gpu_dram_t dram;
  mrpb_gpu_memory_t memory;
  mrpb_gpu_cores_t cores;
  bool with_dram, with_memory, with_cores;
  char *vcd; /* path of a wave file, NULL: none */
  uint32_t vcd_sm;
  uint64_t vcd_from, vcd_to;
  mrpb_ptx_t ptx;
  launch_program_t *host; /* of a launch file; owned by the workload */
  FILE *print_to;
  workload_t *workload; /* NULL: nothing to run yet */
  gpu_t *gpu;           /* NULL before the first step */
  mrpb_gpu_state_t state;
  mrpb_err_t fault; /* the reason for one of the last three states */
};

/* Returns 0, or -1 and a message in err if there is already something to run. */
int mrpb_gpu_idle(const mrpb_gpu_t *gpu, mrpb_err_t *err);
/* Returns 0, or -1 and a message in err if the first step has been made. */
int mrpb_gpu_early(const mrpb_gpu_t *gpu, const char *what, mrpb_err_t *err);

/* mrpb_gpu_launch.c. mrpb_gpu_ptx_open makes the workload of a PTX text at the first step;
 * mrpb_gpu_ptx_waits is true if a launch is waiting. */
int mrpb_gpu_ptx_open(mrpb_gpu_t *gpu, mrpb_err_t *err);
bool mrpb_gpu_ptx_waits(const mrpb_gpu_t *gpu);
void mrpb_gpu_ptx_close(mrpb_gpu_t *gpu);

#endif
