/* Thread-Latency (papers 000 and 002): how the time of N loads of each thread grows with the
 * threads; where it jumps, what keeps outstanding loads is full. From the jumps of several patterns:
 * MSHRs or a PRT, and how many; from the jump of one warp: the scoreboard's limit; from warps that
 * share a line: the reads of one MSHR. docs/micro/thread_latency.md */
#include "micro/deduce_table.h"
#include "micro/kernel_loads.h"
#include "micro/spikes.h"
#include "micro/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_THREADS = 1024, STEP = 2, MAX_POINTS = MAX_THREADS / STEP, MAX_LOADS = 64 };

/* One curve: what was loaded, and what came out. */
typedef struct {
  loads_t p;
  bool host;
  char name[48]; /* "unique, N = 1" */
  size_t n;
  uint32_t threads[MAX_POINTS];
  double latency[MAX_POINTS], variance[MAX_POINTS];
  deduce_table_curve_t seen;
} curve_t;

/* What is known so far. */
typedef struct {
  study_t *s;
  uint32_t warp_loads; /* of the scoreboard */
  uint32_t max_threads;
  curve_t *curve;
  size_t n;
} run_t;

/* ---- sweeps ---------------------------------------------------------------- */

static void name_curve(curve_t *c) {
  if (c->p.sharers == 1)
    snprintf(c->name, sizeof c->name, "unique, N = %u", c->p.loads);
  else
    snprintf(c->name, sizeof c->name, "Merger%u, N = %u", c->p.sharers, c->p.loads);
}

/* The first launch fills TLBs and is not counted. */
static int sweep(const study_t *s, curve_t *c, uint32_t from, uint32_t to, uint32_t step,
                 mrpb_err_t *err) {
  loads_bench_t b;
  uint32_t cycles;
  loads_t p = c->p;
  int rc = loads_open(&b, s->cfg, s->choice, p.loads, p.bypass, c->host, err);
  p.threads = to;
  if (rc == 0) rc = loads_run(&b, &p, &cycles, err);
  for (p.threads = from; rc == 0 && p.threads <= to; p.threads += step) {
    rc = loads_run(&b, &p, &cycles, err);
    c->threads[c->n] = p.threads;
    c->latency[c->n++] = cycles;
  }
  loads_close(&b);
  return rc;
}

/* The point of saturation into `seen`; good and bad threads. */
static int find_spike(curve_t *c, mrpb_err_t *err) {
  micro_spikes_t spikes;
  micro_variance(c->latency, c->n, c->variance);
  c->seen = (deduce_table_curve_t){.loads = c->p.loads,
                                   .lines = 32 / c->p.sharers,
                                   .good = c->threads[c->n - 1]};
  if (micro_spikes_find(&spikes, c->threads, c->latency, c->n, NULL, err) != 0) return -1;
  const micro_spike_t *first = micro_spikes_first(&spikes);
  if (first) {
    c->seen.good = first->before;
    c->seen.bad = first->after;
  }
  micro_spikes_free(&spikes);
  return 0;
}

/* ---- the scoreboard -------------------------------------------------------- */

/* One warp, one line a load, 1 to 64 loads: where it waits for itself. */
static int find_scoreboard(run_t *r, mrpb_err_t *err) {
  loads_bench_t b;
  uint32_t count[MAX_LOADS], cycles;
  double latency[MAX_LOADS];
  loads_t p = {.threads = 32, .loads = MAX_LOADS, .sharers = 32, .warps_on_line = 1, .total = 1};
  micro_spikes_t spikes;
  int rc = loads_open(&b, r->s->cfg, r->s->choice, MAX_LOADS, false, false, err);
  if (rc == 0) rc = loads_run(&b, &p, &cycles, err);
  for (; rc == 0 && p.total <= MAX_LOADS; p.total++) {
    rc = loads_run(&b, &p, &cycles, err);
    count[p.total - 1] = p.total;
    latency[p.total - 1] = cycles;
  }
  loads_close(&b);
  if (rc != 0 || micro_spikes_find(&spikes, count, latency, MAX_LOADS, NULL, err) != 0) return -1;
  const micro_spike_t *first = micro_spikes_first(&spikes);
  r->warp_loads = first ? first->before : MAX_LOADS;
  study_row(r->s, "loads of a warp at once", "loads", r->warp_loads, r->s->cfg->loads_per_warp,
            MICRO_EXACT, first ? NULL : "at least");
  micro_spikes_free(&spikes);
  return 0;
}
