/* SPDX-License-Identifier: Apache-2.0 */
/* Wave windows: which signals are traced, and which changes of each time step go to the VCD writer.
 * Changes are marked in a bitmap by position in the file and written in that order, so both
 * schedulers give the same file. */
#include "sim/sim_priv.h"

#include <string.h>

void sim_trace_signal(sim_t *sim, sim_sig_t sig) {
  simk_t *k = simk(sim);
  uint32_t s = simk_index(sig.id);
  if (s >= k->n_signals) return;
  k->selective = true;
  k->selected[s] = 1;
}

void sim_trace_scope(sim_t *sim, sim_module_t module) {
  simk_t *k = simk(sim);
  k->selective = true;
  for (uint32_t s = 1; s < k->n_signals; s++)
    for (uint32_t m = k->signal[s].name.parent;; m = k->module[m].parent) {
      if (m == module.id) k->selected[s] = 1;
      if (m == module.id || m == 0) break;
    }
}

static int declare(simk_t *k, mrpb_err_t *err) {
  simk_text_t t;
  k->n_trace = 0;
  for (uint32_t s = 1; s < k->n_signals; s++) {
    if (k->selective && !k->selected[s]) continue;
    const simk_signal_t *sig = &k->signal[s];
    if (vcd_var(k->vcd, simk_full_name(k, &sig->name, &t), sig->width, VCD_WIRE, err) < 0)
      return -1;
    k->trace_sig[k->n_trace++] = s;
  }
  return 0;
}

int sim_trace_open(sim_t *sim, const char *path, mrpb_err_t *err) {
  simk_t *k = simk(sim);
  if (!k->elaborated) return mrpb_fail(err, "%s: the simulation is not elaborated", path);
  if (k->vcd) return mrpb_fail(err, "%s: a wave window is open already", path);
  if (vcd_open(&k->vcd, path, "1fs", err)) return -1;
  if (declare(k, err)) {
    vcd_close(k->vcd, NULL);
    k->vcd = NULL;
    return -1;
  }
  for (uint32_t i = 0; i < k->n_trace; i++) {
    uint32_t s = k->trace_sig[i];
    sim_slot_t *slot = simk_slot(k, s);
    k->info[s].trace_ix = i;
    slot->flags |= SIMK_F_TRACE;
    if (slot->flags & SIMK_F_QUIET && slot->queued) {
      slot->queued = SIMK_FREE;
      sim_write(sim, (sim_sig_t){simk_id(s)}, slot->next); /* pending if it is about to change */
    }                                                      /* its changes are noticed from now on */
    simk_clock_observe(k, k->signal[s].clock);
  }
  k->window_new = true;
  k->in_a_row = false;
  return k->started && !k->in_step ? simk_trace_step(k, err) : 0;
}

int simk_trace_step(simk_t *k, mrpb_err_t *err) {
  uint32_t words = (k->n_trace + 63) / 64;
  vcd_time(k->vcd, k->now);
  if (k->window_new) {
    k->window_new = false;
    memset(k->trace_dirty, 0, words * sizeof *k->trace_dirty);
    for (uint32_t i = 0; i < k->n_trace; i++)
      vcd_change(k->vcd, (int)i, simk_slot(k, k->trace_sig[i])->cur);
  }
  for (uint32_t w = 0; w < words; w++) {
    uint64_t d = k->trace_dirty[w];
    k->trace_dirty[w] = 0;
    for (; d; d &= d - 1) {
      uint32_t i = w * 64 + (uint32_t)__builtin_ctzll(d);
      vcd_change(k->vcd, (int)i, simk_slot(k, k->trace_sig[i])->cur);
    }
  }
  return vcd_failed(k->vcd) ? vcd_flush(k->vcd, err) : 0;
}

int sim_trace_flush(sim_t *sim, mrpb_err_t *err) {
  simk_t *k = simk(sim);
  return k->vcd && !k->window_new ? vcd_flush(k->vcd, err) : 0;
}

int sim_trace_close(sim_t *sim, mrpb_err_t *err) {
  simk_t *k = simk(sim);
  if (!k->vcd) return 0;
  if (k->window_new || !k->in_step) simk_trace_step(k, NULL); /* its error is reported below */
  for (uint32_t i = 0; i < k->n_trace; i++) {
    sim_slot_t *slot = simk_slot(k, k->trace_sig[i]);
    slot->flags &= ~(uint32_t)SIMK_F_TRACE;
    if (slot->flags & SIMK_F_QUIET) slot->queued = SIMK_PENDING;
  }
  int status = vcd_close(k->vcd, err);
  k->vcd = NULL;
  return status;
}
