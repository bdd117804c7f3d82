/* SPDX-License-Identifier: Apache-2.0 */
/* The values that a run has counted, one by one: see values.h. */
#include "gpu/values.h"

#include <stdio.h>
#include <string.h>

/* Where the values go, and the name of the current part, followed by a dot. */
typedef struct {
  void (*each)(void *ctx, const gpu_value_t *value);
  void *ctx;
  char name[GPU_VALUE_NAME];
  size_t inside;
} out_t;

typedef struct {
  char text[12];
} number_t;

static number_t element(size_t i) {
  number_t n;
  snprintf(n.text, sizeof n.text, "%u", (unsigned)i);
  return n;
}

/* Enters a part; returns what `leave` needs to go back. */
static size_t enter(out_t *o, const char *part) {
  const size_t before = o->inside;
  o->inside += (size_t)snprintf(o->name + before, sizeof o->name - before, "%s.", part);
  return before;
}

static void leave(out_t *o, size_t before) {
  o->inside = before;
}

static void give(out_t *o, const char *name, gpu_value_t v) {
  snprintf(o->name + o->inside, sizeof o->name - o->inside, "%s", name);
  v.name = o->name;
  o->each(o->ctx, &v);
}

static void put(out_t *o, const char *name, uint64_t n) {
  give(o, name, (gpu_value_t){.kind = GPU_COUNT, .count = n});
}

static void real(out_t *o, const char *name, double x) {
  give(o, name, (gpu_value_t){.kind = GPU_REAL, .real = x});
}

static void list(out_t *o, const char *name, size_t n) {
  give(o, name, (gpu_value_t){.kind = GPU_LIST, .count = n});
}

static double ratio(uint64_t a, uint64_t b) {
  return b ? (double)a / (double)b : 0;
}

double gpu_mean(const sm_occupancy_t *o) {
  uint64_t sum = 0, n = 0;
  for (unsigned i = 0; i < sizeof o->cycles / sizeof *o->cycles; i++) {
    sum += i * o->cycles[i];
    n += o->cycles[i];
  }
  return ratio(sum, n);
}

static void occupancy(out_t *o, const char *name, const sm_occupancy_t *n) {
  const size_t levels = sizeof n->cycles / sizeof *n->cycles, top = n->max;
  const size_t part = enter(o, name);
  real(o, "mean", gpu_mean(n));
  put(o, "max", n->max);
  list(o, "cycles_at", top < levels ? top + 1 : levels);
  const size_t inside = enter(o, "cycles_at");
  for (size_t i = 0; i <= top && i < levels; i++) put(o, element(i).text, n->cycles[i]);
  leave(o, inside);
  leave(o, part);
}

/* The counts of a part, or of all parts if it is NULL. */
static void counts(out_t *o, const gpu_t *gpu, const char *part, const uint64_t *count) {
  for (unsigned i = 0; i < GPU_COUNTS; i++) {
    const gpu_count_t *c = gpu_count(i);
    if (part && strcmp(c->part, part) != 0) continue;
    if (!gpu_count_shown(i, gpu_shows(gpu))) continue;
    const size_t before = c->part[0] ? enter(o, c->part) : o->inside;
    put(o, c->name, count[i]);
    leave(o, before);
  }
}

static void kernels(out_t *o, const gpu_t *gpu) {
  list(o, "kernels", gpu_kernels(gpu));
  const size_t inside = enter(o, "kernels");
  for (unsigned i = 0; i < gpu_kernels(gpu); i++) {
    const gpu_kernel_stats_t *k = gpu_kernel(gpu, i);
    const size_t one = enter(o, element(i).text);
    give(o, "name", (gpu_value_t){.kind = GPU_TEXT, .text = k->kernel});
    counts(o, gpu, NULL, k->count);
    leave(o, one);
  }
  leave(o, inside);
}

/* ---- values that are not counts: means and maxima ----------------------------- */

/* A class of contention: misses per thousand instructions. */
static void contention_class(out_t *o, const char *name, uint64_t n, const sm_stats_t *s) {
  const size_t part = enter(o, name);
  real(o, "per_kilo_warp", 1000 * ratio(n, s->warp_insts));
  real(o, "per_kilo_thread", 1000 * ratio(n, s->thread_insts));
  leave(o, part);
}

static void l1d_part(out_t *o, const l1d_stats_t *l, const sm_stats_t *s) {
  const size_t part = enter(o, "l1d");
  contention_class(o, "contention.intra_warp", l->evict_intra_warp, s);
  contention_class(o, "contention.cross_warp", l->evict_cross_warp, s);
  contention_class(o, "contention.cross_block", l->evict_cross_block, s);
  contention_class(o, "contention.cold", l->evict_none, s);
  occupancy(o, "mshr", &s->mshr);
  occupancy(o, "miss_queue", &s->miss_queue);
  leave(o, part);
}

static void mrpb_part(out_t *o, const sm_stats_t *s) {
  const size_t part = enter(o, "mrpb");
  occupancy(o, "held", &s->mrpb);
  occupancy(o, "prt", &s->prt);
  put(o, "queue_max", s->mrpb_queue_max);
  leave(o, part);
}

static void icnt_part(out_t *o, const char *name, icnt_stats_t s) {
  const size_t part = enter(o, name);
  real(o, "latency_mean", ratio(s.latency_sum, s.delivered));
  put(o, "latency_max", s.latency_max);
  leave(o, part);
}

static void of_pipeline(out_t *o, const gpu_t *gpu, const l1d_stats_t *l, const sm_stats_t *s) {
  real(o, "sm.read_latency", ratio(s->read_latency_sum, s->read_replies));
  put(o, "sm.scheduler_warps_max", s->scheduler_warps_max);
  l1d_part(o, l, s);
  if (gpu_shows(gpu).mrpb) mrpb_part(o, s);
}

static void of_flits(out_t *o, const gpu_t *gpu) {
  icnt_part(o, "interconnect.requests", gpu_icnt_stats(gpu, ICNT_REQUEST));
  icnt_part(o, "interconnect.replies", gpu_icnt_stats(gpu, ICNT_REPLY));
  put(o, "l2.mshr_max", gpu_l2_stats(gpu).mshr_max);
  put(o, "dram.queue_max", gpu_dram_stats(gpu).queue_max);
}

void gpu_values(const gpu_t *gpu, void (*each)(void *ctx, const gpu_value_t *value), void *ctx) {
  const sm_stats_t s = gpu_sm_stats(gpu);
  const l1d_stats_t l = gpu_l1d_stats(gpu);
  out_t to = {.each = each, .ctx = ctx}, *o = &to;
  uint64_t count[GPU_COUNTS];
  gpu_count_all(gpu, count);
  counts(o, gpu, "", count);
  real(o, "ipc", ratio(s.thread_insts, gpu_cycles(gpu)));
  for (unsigned i = 0; i < GPU_COUNTS; i++) {
    const char *part = gpu_count(i)->part;
    if (part[0] && strcmp(part, gpu_count(i - 1)->part) != 0) counts(o, gpu, part, count);
  }
  if (!gpu_shows(gpu).in_order) of_pipeline(o, gpu, &l, &s);
  if (!gpu_shows(gpu).ports) of_flits(o, gpu);
  kernels(o, gpu);
}

void gpu_values_of_row(const gpu_t *gpu, const uint64_t count[GPU_COUNTS],
                       void (*each)(void *ctx, const gpu_value_t *value), void *ctx) {
  out_t to = {.each = each, .ctx = ctx};
  counts(&to, gpu, NULL, count);
}
