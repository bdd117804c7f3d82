/* SPDX-License-Identifier: Apache-2.0 */
/* Speed of the kernel against SystemC on the same work: process CPU time, medians of interleaved
 * rounds. Usage: bench [PATH-OF-bench_systemc [ROUNDS]]. Without the SystemC program its columns
 * stay empty. Exit 1 if any two runs of a model end in different states, 2 if something cannot
 * run. */
#include "bench_kernel.h"
#include "sim/sim.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_N = 1000, MAX_ROUNDS = 31 };

typedef struct {
  sim_sig_t valid_i, data_i, ready_o, valid_o, data_o, ready_i;
  uint64_t x;
  bench_fifo_t f;
} node_t;

typedef struct {
  sim_sig_t d, q;
  uint64_t index;
} reg_t;

typedef struct {
  const char *name;
  unsigned n, cycles, activations; /* activations a cycle */
  bool trace;
  void (*build)(sim_t *sim, sim_clock_t clk, void *memory, unsigned n);
} model_t;

static void reg_edge(sim_t *sim, void *ctx) {
  const reg_t *m = ctx;
  sim_write(sim, m->q, bench_mix(sim_read(sim, m->d), m->index));
}

static void stage_edge(sim_t *sim, void *ctx) {
  node_t *m = ctx;
  bench_fifo_edge(&m->f, sim_read(sim, m->valid_i), sim_read(sim, m->data_i),
                  sim_read(sim, m->ready_o), sim_read(sim, m->ready_i));
  sim_write(sim, m->valid_o, m->f.count > 0);
  sim_write(sim, m->data_o, m->f.data[0]);
  sim_write(sim, m->ready_o, m->f.count < 2);
}

static void source_edge(sim_t *sim, void *ctx) {
  node_t *m = ctx;
  if (sim_read(sim, m->valid_o) && !sim_read(sim, m->ready_i)) return;
  m->x = bench_lfsr(m->x);
  sim_write(sim, m->valid_o, (m->x & 7) != 0);
  sim_write(sim, m->data_o, m->x);
}

static void sink_edge(sim_t *sim, void *ctx) {
  node_t *m = ctx;
  m->x = bench_lfsr(m->x);
  sim_write(sim, m->ready_o, (m->x & 7) != 0);
}

static sim_sig_t signal_at(sim_t *sim, const char *kind, unsigned i, unsigned width) {
  char name[32];
  snprintf(name, sizeof name, "%s%u", kind, i);
  return sim_signal(sim, SIM_TOP, name, width, 0);
}

static sim_proc_t clocked(sim_t *sim, sim_clock_t clk, unsigned i, sim_fn_t fn, void *m) {
  char name[32];
  snprintf(name, sizeof name, "p%u", i);
  sim_proc_t p = sim_process(sim, SIM_TOP, name, fn, m);
  sim_on_rise(sim, p, clk);
  sim_dont_initialize(sim, p);
  return p;
}

static void build_pipe(sim_t *sim, sim_clock_t clk, void *memory, unsigned n) {
  reg_t *node = memory;
  sim_sig_t s[MAX_N];
  for (unsigned i = 0; i < n; i++) s[i] = signal_at(sim, "s", i, 64);
  for (unsigned i = 0; i < n; i++) {
    node[i] = (reg_t){s[(i + n - 1) % n], s[i], i};
    sim_proc_t p = clocked(sim, clk, i, reg_edge, &node[i]);
    sim_reads(sim, p, &node[i].d, 1);
    sim_writes(sim, p, &node[i].q, 1);
  }
}

static void build_ripple(sim_t *sim, sim_clock_t clk, void *memory, unsigned n) {
  reg_t *node = memory;
  sim_sig_t last = signal_at(sim, "s", 0, 64);
  node[0] = (reg_t){last, last, 0};
  sim_proc_t r = clocked(sim, clk, 0, reg_edge, &node[0]);
  sim_reads(sim, r, &last, 1);
  sim_writes(sim, r, &last, 1);
  for (unsigned i = 0; i < n; i++) {
    sim_sig_t next = signal_at(sim, "s", i + 1, 64);
    char name[32];
    snprintf(name, sizeof name, "c%u", i);
    node[i + 1] = (reg_t){last, next, i};
    sim_proc_t p = sim_process(sim, SIM_TOP, name, reg_edge, &node[i + 1]);
    sim_sensitive(sim, p, &last, 1);
    sim_reads(sim, p, &last, 1);
    sim_writes(sim, p, &next, 1);
    last = next;
  }
}

static void build_fifo(sim_t *sim, sim_clock_t clk, void *memory, unsigned n) {
  node_t *node = memory;
  sim_sig_t d[MAX_N + 1], v[MAX_N + 1], r[MAX_N + 1];
  for (unsigned i = 0; i <= n; i++) {
    d[i] = signal_at(sim, "d", i, 64);
    v[i] = signal_at(sim, "v", i, 1);
    r[i] = signal_at(sim, "r", i, 1);
  }
  node[0] = (node_t){.valid_o = v[0], .data_o = d[0], .ready_i = r[0], .x = 1};
  sim_proc_t source = clocked(sim, clk, 0, source_edge, &node[0]);
  sim_reads(sim, source, SIM_SIGS(v[0], r[0]));
  sim_writes(sim, source, SIM_SIGS(v[0], d[0]));
  for (unsigned i = 0; i < n; i++) {
    node[i + 1] = (node_t){.valid_i = v[i],
                           .data_i = d[i],
                           .ready_o = r[i],
                           .valid_o = v[i + 1],
                           .data_o = d[i + 1],
                           .ready_i = r[i + 1]};
    sim_proc_t p = clocked(sim, clk, i + 1, stage_edge, &node[i + 1]);
    sim_reads(sim, p, SIM_SIGS(v[i], d[i], r[i], r[i + 1]));
    sim_writes(sim, p, SIM_SIGS(v[i + 1], d[i + 1], r[i]));
  }
  node[n + 1] = (node_t){.ready_o = r[n], .x = 2};
  sim_proc_t sink = clocked(sim, clk, n + 1, sink_edge, &node[n + 1]);
  sim_reads(sim, sink, SIM_NO_SIGS);
  sim_writes(sim, sink, SIM_SIGS(r[n]));
}

static const model_t models[] = {
    {"pipe", 10, 400000, 10, false, build_pipe},   {"pipe", 100, 40000, 100, false, build_pipe},
    {"pipe", 1000, 4000, 1000, false, build_pipe}, {"ripple", 100, 40000, 101, false, build_ripple},
    {"fifo", 100, 40000, 102, false, build_fifo},  {"pipe", 100, 4000, 100, true, build_pipe},
};
enum { N_MODELS = sizeof models / sizeof *models };

static uint64_t cpu_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static int run_kernel(const model_t *m, sim_sched_t sched, double *ns, uint64_t *hash) {
  static const char wave[] = "build/bench_sim.vcd";
  mrpb_err_t err = {""};
  node_t *node = calloc(m->n + 2, sizeof *node);
  sim_t *sim = sim_create();
  if (!sim || !node) return 2;
  sim_clock_t clk = sim_clock(sim, SIM_TOP, "clk", SIM_NS, 0);
  m->build(sim, clk, node, m->n);
  int bad = sim_elaborate(sim, sched, &err) || (m->trace && sim_trace_open(sim, wave, &err)) ||
            sim_run_cycles(sim, clk, 1, &err);
  uint64_t start = cpu_ns();
  bad = bad || sim_run_cycles(sim, clk, m->cycles - 1, &err) || sim_trace_close(sim, &err);
  *ns = (double)(cpu_ns() - start) / m->cycles / m->activations;
  *hash = sim_state_hash(sim);
  if (bad) fprintf(stderr, "bench_sim: %s\n", err.text);
  if (m->trace) remove(wave);
  sim_destroy(sim);
  free(node);
  return bad ? 2 : 0;
}

static int run_systemc(const char *program, const model_t *m, double *ns, uint64_t *hash) {
  char command[512], line[128] = "";
  snprintf(command, sizeof command, "%s %s %u %u %s 2>/dev/null", program, m->name, m->n, m->cycles,
           m->trace ? "build/bench_systemc" : "");
  FILE *f = popen(command, "r");
  if (!f) return 2;
  uint64_t total = 0;
  int found = 0;
  while (found < 2 && fgets(line, sizeof line, f))
    found = sscanf(line, "%" SCNu64 " %" SCNx64, &total, hash);
  pclose(f);
  if (m->trace) remove("build/bench_systemc.vcd");
  *ns = (double)total / m->cycles / m->activations;
  return found == 2 ? 0 : 2;
}

static int by_value(const void *a, const void *b) {
  const double *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

static double median(double *v, unsigned n) {
  qsort(v, n, sizeof *v, by_value);
  return n % 2 ? v[n / 2] : (v[n / 2 - 1] + v[n / 2]) / 2;
}

typedef double times_t[N_MODELS][3][MAX_ROUNDS]; /* SystemC, event-driven, static */

static int measure(const char *peer, unsigned rounds, times_t ns) {
  uint64_t hash[3] = {0};
  for (unsigned r = 0; r < rounds; r++)
    for (unsigned i = 0; i < N_MODELS; i++) {
      const model_t *m = &models[i];
      int bad = peer ? run_systemc(peer, m, &ns[i][0][r], &hash[0]) : 0;
      if (bad) fprintf(stderr, "bench_sim: cannot run %s\n", peer);
      if (bad || run_kernel(m, SIM_EVENT_DRIVEN, &ns[i][1][r], &hash[1]) ||
          run_kernel(m, SIM_STATIC, &ns[i][2][r], &hash[2]))
        return 2;
      if (hash[1] != hash[2] || (peer && hash[0] != hash[1])) {
        printf("%s %u: final states differ\n", m->name, m->n);
        return 1;
      }
    }
  return 0;
}

int main(int argc, char **argv) {
  const char *peer = argc > 1 ? argv[1] : NULL;
  int wanted = argc > 2 ? atoi(argv[2]) : 7;
  unsigned rounds = wanted < 1 ? 1 : wanted > MAX_ROUNDS ? MAX_ROUNDS : (unsigned)wanted;
  times_t *ns = calloc(1, sizeof *ns);
  if (!ns) return 2;
  int status = measure(peer, rounds, *ns);
  if (!status)
    printf("ns per activation, medians of %u rounds, CPU time; equal final states\n", rounds);
  if (!status) printf("%-22s %9s %21s %21s\n", "model", "SystemC", "event-driven", "static");
  for (unsigned i = 0; i < N_MODELS && !status; i++) {
    char name[48];
    snprintf(name, sizeof name, "%s %u%s", models[i].name, models[i].n,
             models[i].trace ? ", all traced" : "");
    double t[3];
    for (int j = 0; j < 3; j++) t[j] = median((*ns)[i][j], rounds);
    if (peer)
      printf("%-22s %9.2f %10.2f (%6.1fx) %10.2f (%6.1fx)\n", name, t[0], t[1], t[0] / t[1], t[2],
             t[0] / t[2]);
    else
      printf("%-22s %9s %10.2f %21.2f\n", name, "-", t[1], t[2]);
  }
  free(ns);
  return status;
}
