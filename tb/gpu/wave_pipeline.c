/* SPDX-License-Identifier: Apache-2.0 */
/* The wave of a pipeline SM: its memory stage. */
#include "gpu/sms.h"
#include "gpu/wave_state.h"

enum { N_SM = 9 };

static const char *const stems[WAVE_UNITS] = {"mrpb", "mshr", "prt"};

static const wave_signal_t sm_signals[N_SM] = {
    {"stall", 3},        {"mshrs", 8},     {"miss_queue", 7},
    {"mrpb_held", 13},   {"prt_used", 10}, {"response_fifo", 7},
    {"cluster_fifo", 7}, {"warps", 7},     {"warp_instructions", 40}};

void wave_pipeline_declare(gpu_wave_t *w) {
  const gpu_t *gpu = w->gpu;
  char scope[32];
  gtkw_group(w->gtkw, "SM", 0);
  w->sm_first = w->cycle + 1;
  snprintf(scope, sizeof scope, "sm%u", gpu->setup.vcd_sm);
  for (unsigned i = 0; i < N_SM; i++)
    (void)wave_declare(w, scope, sm_signals[i].name, sm_signals[i].width, VCD_WIRE);
  for (unsigned k = 0; k < WAVE_UNITS; k++) {
    wave_view_t view;
    if (sm_unit_view(gpu_sm(gpu, gpu->setup.vcd_sm), stems[k], &view))
      wave_declare_unit(w, k, stems[k], &view);
  }
}

/* Once a cycle; outside the window it does nothing. */
static void sample(void *ctx, sm_t *sm) {
  gpu_wave_t *w = ctx;
  wave_view_t view;
  if (!wave_rise(w, w->gpu->now, sim_now(w->gpu->sim))) return;
  const sm_probe_t p = sm_probe(sm);
  wave_look(w, p.mshrs, p.mrpb_held, p.prt_used);
  const uint64_t values[N_SM] = {p.stall,        p.mshrs,    p.miss_queue,
                                 p.mrpb_held,    p.prt_used, p.response_fifo,
                                 p.cluster_fifo, p.warps,    p.warp_insts};
  for (unsigned i = 0; i < N_SM; i++) vcd_change(w->vcd, w->sm_first + (int)i, values[i]);
  for (unsigned k = 0; k < WAVE_UNITS; k++)
    if (w->unit[k].n_in > 0 && sm_unit_view(sm, stems[k], &view)) wave_put_unit(w, k, &view);
  wave_memory_put(w);
}

void wave_pipeline_begin(gpu_wave_t *w) {
  sms_set_hook(w->gpu->cores, sample, w);
}
