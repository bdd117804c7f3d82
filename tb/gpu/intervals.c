/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/intervals.h"

#include "base/grow.h"

#include <stdlib.h>

/* How full a table was: the sum over SM cycles, and their number. */
typedef struct {
  uint64_t sum, cycles;
} use_t;

struct intervals {
  uint64_t every;
  stacks_t *stacks; /* NULL: nobody asks */
  interval_t *row;
  size_t n, room;
  uint64_t from, count[GPU_COUNTS]; /* at the end of the last interval */
  use_t use[INTERVALS_TABLES];
};

int intervals_create(intervals_t **out, uint64_t every, stacks_t *stacks, mrpb_err_t *err) {
  *out = calloc(1, sizeof **out);
  if (!*out) return mrpb_fail(err, "intervals: out of memory");
  (*out)->every = every;
  (*out)->stacks = stacks;
  return 0;
}

void intervals_destroy(intervals_t *v) {
  if (v) free(v->row);
  free(v);
}

static use_t use_of(const sm_occupancy_t *o) {
  use_t u = {0};
  for (unsigned i = 0; i < sizeof o->cycles / sizeof *o->cycles; i++) {
    u.sum += i * o->cycles[i];
    u.cycles += o->cycles[i];
  }
  return u;
}

static double mean(use_t now, use_t before) {
  const uint64_t cycles = now.cycles - before.cycles;
  return cycles ? (double)(now.sum - before.sum) / (double)cycles : 0;
}

static void put_means(intervals_t *v, interval_t *row, const gpu_t *gpu) {
  const sm_stats_t s = gpu_sm_stats(gpu);
  const sm_occupancy_t *const table[INTERVALS_TABLES] = {[INTERVALS_MSHR] = &s.mshr,
                                                         [INTERVALS_MISS_QUEUE] = &s.miss_queue,
                                                         [INTERVALS_MRPB] = &s.mrpb,
                                                         [INTERVALS_PRT] = &s.prt};
  for (unsigned t = 0; t < INTERVALS_TABLES; t++) {
    const use_t now = use_of(table[t]);
    row->mean[t] = mean(now, v->use[t]);
    v->use[t] = now;
  }
}

/* The paper's SMs count their parts; in-order cores have put them in already. */
static void put_stacks(intervals_t *v, const gpu_t *gpu, uint64_t from) {
  for (unsigned i = 0; !gpu_shows(gpu).in_order && i < stacks_cores(v->stacks); i++) {
    const sm_stats_t *s = sm_stats(gpu_sm(gpu, i));
    const uint64_t total[STACKS_PARTS] = {[STACKS_ISSUED] = s->warp_insts,
                                          [STACKS_SCOREBOARD] = s->issue_scoreboard,
                                          [STACKS_UNITS] = s->issue_pipeline,
                                          [STACKS_IDLE] = s->issue_idle,
                                          [STACKS_STAGE] = s->mem_stall};
    stacks_total(v->stacks, i, total, from);
  }
}

/* Ends an interval with the current cycle. */
static int end_one(intervals_t *v, gpu_t *gpu, mrpb_err_t *err) {
  uint64_t now[GPU_COUNTS];
  if (gpu_cycles(gpu) == v->from) return 0;
  interval_t *rows = grow(v->row, v->n + 1, &v->room, sizeof *rows);
  if (!rows) return mrpb_fail(err, "intervals: out of memory");
  v->row = rows;
  interval_t *row = &rows[v->n++];
  gpu_catch_up(gpu);
  gpu_count_all(gpu, now);
  row->from = v->from;
  row->to = v->from = gpu_cycles(gpu);
  for (unsigned i = 0; i < GPU_COUNTS; i++) {
    row->count[i] = now[i] - v->count[i];
    v->count[i] = now[i];
  }
  put_means(v, row, gpu);
  if (v->stacks) put_stacks(v, gpu, row->from);
  return 0;
}

gpu_end_t intervals_run(intervals_t *v, gpu_t *gpu, mrpb_err_t *err) {
  while (gpu_step(gpu, v->every, false, err))
    if (end_one(v, gpu, err) != 0) return GPU_FAILED;
  const gpu_end_t end = gpu_finish(gpu, err);
  if (end != GPU_DONE) return end;
  if (end_one(v, gpu, err) != 0) return GPU_FAILED;
  return v->stacks && stacks_end(v->stacks, v->n, err) != 0 ? GPU_FAILED : GPU_DONE;
}

size_t intervals_number(const intervals_t *v) {
  return v->n;
}

const interval_t *intervals_at(const intervals_t *v, size_t i) {
  return &v->row[i];
}

const char *intervals_table_name(intervals_table_t table) {
  static const char *const name[INTERVALS_TABLES] = {[INTERVALS_MSHR] = "l1d.mshr.mean",
                                                     [INTERVALS_MISS_QUEUE] = "l1d.miss_queue.mean",
                                                     [INTERVALS_MRPB] = "mrpb.held.mean",
                                                     [INTERVALS_PRT] = "mrpb.prt.mean"};
  return name[table];
}

bool intervals_table_shown(intervals_table_t table, gpu_shows_t shows) {
  return !shows.in_order && (table <= INTERVALS_MISS_QUEUE || shows.mrpb);
}
