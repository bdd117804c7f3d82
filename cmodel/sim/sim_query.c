/* SPDX-License-Identifier: Apache-2.0 */
/* Queries of a simulation: time, counts, names, the hash of its state. */
#include "sim/sim_priv.h"

#include <string.h>

sim_time_t sim_now(const sim_t *sim) {
  return simk_const(sim)->now;
}

sim_stats_t sim_stats(const sim_t *sim) {
  const simk_t *k = simk_const(sim);
  sim_stats_t all = k->stats;
  simk_source_count(k);
  for (uint32_t i = 1; i < k->n_sources; i++) {
    all.steps += k->source[i].stats.steps;
    all.deltas += k->source[i].stats.steps; /* one commit each */
    all.activations += k->source[i].stats.activations;
  }
  return all;
}

uint64_t sim_cycles(const sim_t *sim, sim_clock_t clk) {
  const simk_t *k = simk_const(sim);
  simk_source_count(k);
  return clk.id < k->n_clocks ? k->clock[clk.id].cycles : 0;
}

uint64_t sim_state_hash(const sim_t *sim) {
  const simk_t *k = simk_const(sim);
  uint64_t h = UINT64_C(14695981039346656037);
  for (uint32_t s = 1; s < k->n_signals; s++)
    for (unsigned byte = 0; byte < 8 && !k->signal[s].clock; byte++)
      h = (h ^ (simk_slot(k, s)->cur >> 8 * byte & 0xff)) * UINT64_C(1099511628211);
  return h;
}

const char *sim_signal_name(const sim_t *sim, sim_sig_t sig, char *buf, size_t n) {
  const simk_t *k = simk_const(sim);
  simk_text_t t;
  uint32_t s = simk_index(sig.id);
  bool known = s && s < k->n_signals;
  snprintf(buf, n, "%s", known ? simk_full_name(k, &k->signal[s].name, &t) : "(none)");
  return buf;
}

unsigned sim_signal_width(const sim_t *sim, sim_sig_t sig) {
  const simk_t *k = simk_const(sim);
  uint32_t s = simk_index(sig.id);
  return s < k->n_signals ? k->signal[s].width : 0;
}

sim_sig_t sim_find_signal(sim_t *sim, const char *full_name) {
  simk_t *k = simk(sim);
  simk_text_t t;
  for (uint32_t s = 1; s < k->n_signals; s++) {
    if (strcmp(simk_full_name(k, &k->signal[s].name, &t), full_name) != 0) continue;
    simk_clock_observe(k, k->signal[s].clock);
    return (sim_sig_t){simk_id(s)};
  }
  return (sim_sig_t){0};
}
