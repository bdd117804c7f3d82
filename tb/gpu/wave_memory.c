/* SPDX-License-Identifier: Apache-2.0 */
/* The memory in the wave of a run: with flits, what is on the way to the DRAM; with ports, replies on
 * their way to cores that wait for them. */
#include "gpu/flits/flits.h"
#include "gpu/ports/ports.h"
#include "gpu/wave_state.h"

enum { SLICE_VALUES = 4 };

static const wave_signal_t slice_signals[SLICE_VALUES] = {
    {"l2_in_flight", 12}, {"l2_to_dram", 9}, {"dram_to_l2", 9}, {"dram_in_flight", 12}};

static void declare_flits(gpu_wave_t *w) {
  char scope[32];
  gtkw_group(w->gtkw, "interconnect, L2, DRAM", 0);
  w->memory_first = wave_declare(w, "memory", "icnt_packets", 16, VCD_WIRE);
  for (unsigned i = 0; i < w->gpu->cfg->l2_slices; i++) {
    snprintf(scope, sizeof scope, "memory.slice%u", i);
    for (unsigned k = 0; k < SLICE_VALUES; k++)
      (void)wave_declare(w, scope, slice_signals[k].name, slice_signals[k].width, VCD_WIRE);
  }
}

static void put_flits(gpu_wave_t *w, const flits_t *f) {
  int var = w->memory_first;
  vcd_change(w->vcd, var++, icnt_in_flight(flits_icnt(f)));
  for (unsigned i = 0; i < w->gpu->cfg->l2_slices; i++) {
    l2_t *l2 = flits_slice(f, i);
    vcd_change(w->vcd, var++, l2_in_flight(l2));
    vcd_change(w->vcd, var++, l2_to_dram(l2)->count);
    vcd_change(w->vcd, var++, l2_from_dram(l2)->count);
    vcd_change(w->vcd, var++, dram_in_flight(flits_channel(f, i)));
  }
}

/* In-order cores before ports wait for times, not for replies. */
void wave_memory_declare(gpu_wave_t *w) {
  const config_t *c = w->gpu->cfg;
  if (!config_with_ports(c)) {
    declare_flits(w);
  } else if (!config_in_order(c)) {
    gtkw_group(w->gtkw, "ports", 0);
    w->memory_first = wave_declare(w, "memory", "replies_to_all", 20, VCD_WIRE);
    (void)wave_declare(w, "memory", "replies_to_sm", 16, VCD_WIRE);
  }
}

void wave_memory_put(gpu_wave_t *w) {
  const ports_t *ports = ports_of(w->gpu->memory);
  if (!ports) {
    put_flits(w, flits_of(w->gpu->memory));
    return;
  }
  uint64_t all = 0;
  for (unsigned i = 0; i < w->gpu->sms; i++) all += ports_replies(ports, i);
  vcd_change(w->vcd, w->memory_first, all);
  vcd_change(w->vcd, w->memory_first + 1, ports_replies(ports, w->gpu->setup.vcd_sm));
}
