/* SPDX-License-Identifier: Apache-2.0 */
/* The kernel alone: an SM-side counter at 575 MHz sends every second value through a request/grant
 * pair of registers to a DRAM-side receiver at 750 MHz. Leaves two_domains.vcd; `gtkwave
 * two_domains.vcd` shows it. Build: gcc -std=c11 -Icmodel -o two_domains
 * docs/examples/kernel/two_domains.c build/libmrpb.a */
#include "sim/sim.h"

#include <inttypes.h>
#include <stdio.h>

typedef struct {
  sim_sig_t count, req, grant, data, sum, busy;
} link_t;

static void sm_edge(sim_t *sim, void *ctx) { /* sends when the last value was taken */
  const link_t *l = ctx;
  uint64_t n = sim_read(sim, l->count);
  sim_write(sim, l->count, n + 1);
  if (n % 2 == 0 && !sim_read(sim, l->busy)) {
    sim_write(sim, l->data, n);
    sim_write(sim, l->req, !sim_read(sim, l->req)); /* a toggle is one request */
  }
}

static void dram_edge(sim_t *sim, void *ctx) {
  const link_t *l = ctx;
  if (sim_read(sim, l->req) == sim_read(sim, l->grant)) return;
  sim_write(sim, l->grant, sim_read(sim, l->req));
  sim_write(sim, l->sum, sim_read(sim, l->sum) + sim_read(sim, l->data));
}

static void busy_comb(sim_t *sim, void *ctx) {
  const link_t *l = ctx;
  sim_write(sim, l->busy, sim_read(sim, l->req) ^ sim_read(sim, l->grant));
}

int main(void) {
  link_t l;
  mrpb_err_t err = {""};
  sim_t *sim = sim_create();
  if (!sim) return 2;
  sim_module_t sm = sim_module(sim, SIM_TOP, "sm"), dram = sim_module(sim, SIM_TOP, "dram");
  sim_clock_t sm_clk = sim_clock_hz(sim, sm, "clk", 575000000, 0);
  sim_clock_t dram_clk = sim_clock_hz(sim, dram, "clk", 750000000, 0);
  l.count = sim_signal(sim, sm, "count", 8, 0);
  l.req = sim_signal(sim, sm, "req", 1, 0);
  l.data = sim_signal(sim, sm, "data", 8, 0);
  l.busy = sim_signal(sim, sm, "busy", 1, 0);
  l.grant = sim_signal(sim, dram, "grant", 1, 0);
  l.sum = sim_signal(sim, dram, "sum", 16, 0);

  sim_proc_t p = sim_process(sim, sm, "edge", sm_edge, &l);
  sim_on_rise(sim, p, sm_clk);
  sim_dont_initialize(sim, p);
  sim_reads(sim, p, SIM_SIGS(l.count, l.busy, l.req));
  sim_writes(sim, p, SIM_SIGS(l.count, l.data, l.req));
  p = sim_process(sim, dram, "edge", dram_edge, &l);
  sim_on_rise(sim, p, dram_clk);
  sim_dont_initialize(sim, p);
  sim_reads(sim, p, SIM_SIGS(l.req, l.grant, l.data, l.sum));
  sim_writes(sim, p, SIM_SIGS(l.grant, l.sum));
  p = sim_process(sim, sm, "busy_comb", busy_comb, &l);
  sim_sensitive(sim, p, SIM_SIGS(l.req, l.grant));
  sim_reads(sim, p, SIM_SIGS(l.req, l.grant));
  sim_writes(sim, p, SIM_SIGS(l.busy));

  if (sim_elaborate(sim, SIM_STATIC, &err) || sim_trace_open(sim, "two_domains.vcd", &err) ||
      sim_run_cycles(sim, sm_clk, 100, &err) != SIM_REACHED || sim_trace_close(sim, &err)) {
    fprintf(stderr, "two_domains: %s\n", err.text);
    return 2;
  }
  printf("%" PRIu64 " SM cycles, %" PRIu64 " DRAM cycles, %" PRIu64 " fs, sum %" PRIu64 "\n",
         sim_cycles(sim, sm_clk), sim_cycles(sim, dram_clk), sim_now(sim), sim_read(sim, l.sum));
  sim_destroy(sim);
  return 0;
}
