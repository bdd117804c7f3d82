/* SPDX-License-Identifier: Apache-2.0 */
/* The ports of an MSHR table as a VCD wave: names and widths come from the library's table of the module. */
#ifndef WAVE_H
#define WAVE_H

#include <libmrpb.h>
#include <stdio.h>

typedef struct {
  vcd_t *vcd; /* NULL: no wave is written */
  const module_class_t *cls;
  int clk, port[2 * MODULE_MAX_PORTS];
  uint64_t cycle;
} wave_t;

static inline int wave_open(wave_t *w, const char *path, const mshr_cfg_t *cfg, mrpb_err_t *err) {
  const uint32_t *sizes = (const uint32_t *)cfg; /* in the order of the parameters */
  module_port_t ports[2 * MODULE_MAX_PORTS];
  int parameter[MODULE_MAX_PARAMS];
  char name[64];
  *w = (wave_t){.cls = module_class("mshr")};
  const module_class_t *cls = w->cls;
  cls->ports(sizes, ports, ports + cls->n_in);
  if (vcd_open(&w->vcd, path, "1ns", err) != 0) return -1;
  w->clk = vcd_var(w->vcd, "cache.mshr.clk_i", 1, VCD_WIRE, err);
  for (unsigned i = 0; i < cls->n_in + cls->n_out; i++) {
    snprintf(name, sizeof name, "cache.mshr.%s", ports[i].name);
    w->port[i] = vcd_var(w->vcd, name, ports[i].width, VCD_WIRE, err);
  }
  for (unsigned i = 0; i < cls->n_params; i++) {
    snprintf(name, sizeof name, "cache.mshr.%s", cls->params[i].name);
    parameter[i] = vcd_var(w->vcd, name, 32, VCD_PARAMETER, err);
  }
  vcd_time(w->vcd, 0);
  for (unsigned i = 0; i < cls->n_params; i++) vcd_change(w->vcd, parameter[i], sizes[i]);
  return vcd_failed(w->vcd) ? -1 : 0;
}

/* A cycle is 10 ns: the ports have their values, then the clock rises. */
static inline void wave_cycle(wave_t *w, const mshr_in_t *in, const mshr_out_t *out) {
  if (w->vcd == NULL) return;
  const uint64_t *inputs = (const uint64_t *)in, *outputs = (const uint64_t *)out;
  vcd_time(w->vcd, 10 * w->cycle);
  vcd_change(w->vcd, w->clk, 0);
  for (unsigned i = 0; i < w->cls->n_in; i++) vcd_change(w->vcd, w->port[i], inputs[i]);
  for (unsigned i = 0; i < w->cls->n_out; i++)
    vcd_change(w->vcd, w->port[w->cls->n_in + i], outputs[i]);
  vcd_time(w->vcd, 10 * w->cycle++ + 5);
  vcd_change(w->vcd, w->clk, 1);
}

#endif
