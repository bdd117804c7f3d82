/* SPDX-License-Identifier: Apache-2.0 */
/* The wave window of a run, for the files that write it: wave.c has the files, the clock and the
 * units; wave_pipeline.c and wave_inorder.c have the SM of each kind, wave_memory.c has the memory. */
#ifndef GPU_WAVE_STATE_H
#define GPU_WAVE_STATE_H

#include "base/waves/gtkw.h"
#include "base/waves/wave_file.h"
#include "gpu/gpu_state.h"
#include "gpu/inorder/inorder.h"
#include "sim/vcd.h"

enum { WAVE_UNITS = 3 };

typedef struct {
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  unsigned n_in, n_out;
  module_reg_t regs[MODULE_MAX_REGS];
  char *shown[MODULE_MAX_REGS]; /* each register in the last sample; NULL if there was none */
  unsigned n_regs;
  int first; /* variable of in[0]; out and regs follow */
} unit_wave_t;

struct gpu_wave {
  gpu_t *gpu;
  vcd_t *vcd;
  gtkw_t *gtkw;
  char temp[OUTPUT_NAME], save[OUTPUT_NAME];
  unit_wave_t unit[WAVE_UNITS];
  int clk, cycle, sm_first, memory_first, warp_first;
  bool sampled, acted, resting;
  uint64_t first_time, act_time, last_time, half;
  uint64_t held, bypassed, tracked; /* in the units, in the previous sample */
  uint64_t next;                    /* in-order cores: the cycle to be shown next */
  inorder_probe_t probe;            /* in-order cores: the last */
  mrpb_err_t *err;
  bool bad;
};

/* The name of a signal, and its width. */
typedef struct {
  const char *name;
  unsigned width;
} wave_signal_t;

/* A unit with this cycle's inputs, and its outputs. */
typedef sm_unit_view_t wave_view_t;

int wave_declare(gpu_wave_t *w, const char *scope, const char *name, unsigned width,
                 vcd_kind_t kind);
void wave_declare_unit(gpu_wave_t *w, unsigned k, const char *stem, const wave_view_t *view);
void wave_put_unit(gpu_wave_t *w, unsigned k, const wave_view_t *view);
/* A cycle begins at `time`: the clock rises. False, and nothing is done, outside the window. */
bool wave_rise(gpu_wave_t *w, uint64_t cycle, uint64_t time);
/* What the units hold; finds the first cycle in which that changes. */
void wave_look(gpu_wave_t *w, uint64_t mshrs, uint64_t mrpb_held, uint64_t prt_used);

/* The memory: wave_memory.c. */
void wave_memory_declare(gpu_wave_t *w);
void wave_memory_put(gpu_wave_t *w);
/* The SM: wave_pipeline.c, wave_inorder.c. Their hooks take the samples. */
void wave_pipeline_declare(gpu_wave_t *w);
void wave_pipeline_begin(gpu_wave_t *w);
void wave_inorder_declare(gpu_wave_t *w);
void wave_inorder_begin(gpu_wave_t *w);
/* Up to the end of the run nothing happens. */
void wave_inorder_end(gpu_wave_t *w);

#endif
