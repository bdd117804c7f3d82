/* SPDX-License-Identifier: Apache-2.0 */
/* See accept.h. */
#include "studies/micro/kernels/accept.h"

#include "studies/micro/deduce/numbers.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 128, WORD = 4, OUT = ACCEPT_MOST * WORD /* bytes that a block writes */ };

static uint32_t blocks_of(accept_what_t what) {
  return what == ACCEPT_BUSY_LINK ? 2 : 1;
}

/* Bytes of the lines that the loads of a block read. */
static uint64_t bytes_of(uint32_t lines) {
  return (uint64_t)ACCEPT_MOST * lines * LINE;
}

void accept_open(accept_bench_t *b, const bench_gpu_t *gpu, uint32_t lines, accept_what_t what) {
  const uint64_t bytes = bytes_of(32), blocks = blocks_of(what);
  const bool two = what == ACCEPT_TWO_LINES, behind = what == ACCEPT_BEHIND;
  const uint32_t step = two ? WORD : what == ACCEPT_SAME_LINES ? 0 : lines * LINE;
  *b = (accept_bench_t){.lines = lines, .what = what};
  bench_make(
      &b->bench, gpu, "kernels/accept",
      TEXT_VALUES(TEXT_NUMBER("loads", ACCEPT_LOADS), TEXT_NUMBER("threads", 32 * ACCEPT_WARPS),
                  TEXT_NUMBER("lines", lines), TEXT_NUMBER("step", step), TEXT_NUMBER("two", two),
                  TEXT_NUMBER("behind", behind), TEXT_NUMBER("busy", what == ACCEPT_BUSY_LINK),
                  TEXT_WORDS("cache", two ? ".cg" : "")),
      BENCH_ARRAYS({&b->in, two ? (uint64_t)ACCEPT_APART * LINE + bytes : bytes, BENCH_DEVICE},
                   {&b->host, blocks * bytes, BENCH_HOST}, {&b->out, blocks * OUT, BENCH_DEVICE}));
}

bool accept_fits(const bench_limits_t *has) {
  return bench_threads(has, ACCEPT_REGISTERS) >= WARP_LANES * ACCEPT_WARPS;
}

uint32_t accept_sort(const bench_t *b, uint32_t *at, uint32_t n) {
  uint32_t first = at[0];
  for (uint32_t i = 1; i < n; i++)
    if ((int32_t)(at[i] - first) < 0) first = at[i];
  for (uint32_t i = 0; i < n; i++) at[i] = bench_cycles(b, at[i] - first);
  numbers_sort32(at, n);
  return first;
}

/* Whether some scheduler has no loads left at `at`, in cycles after `first`. */
static bool is_drained(const accept_bench_t *b, const accept_t *p, uint32_t first, uint32_t at) {
  enum { SCHEDULERS = 4 };
  const uint32_t *out = bench_at(&b->bench, b->out, OUT);
  uint32_t left[SCHEDULERS] = {0};
  for (uint32_t w = p->idle; w < ACCEPT_WARPS; w++)
    for (uint32_t i = 0; i < ACCEPT_LOADS; i++)
      left[w % SCHEDULERS] += bench_cycles(&b->bench, out[w * ACCEPT_LOADS + i] - first) > at;
  bool all = true;
  for (uint32_t s = 0; s < p->schedulers && s < SCHEDULERS; s++) all = all && left[s];
  return !all;
}

/* Collects the clocks of each warp that issued. Loads stop being accepted at the first pause that
 * is at least a quarter of the longest one. */
static void collect(const accept_bench_t *b, const accept_t *p, accepted_t *seen) {
  const uint32_t *out = bench_at(&b->bench, b->out, OUT);
  seen->n = 0;
  for (uint32_t w = p->idle; w < ACCEPT_WARPS; w++)
    for (uint32_t i = 0; w % 4 < p->schedulers && i < ACCEPT_LOADS; i++)
      seen->at[seen->n++] = out[w * ACCEPT_LOADS + i];
  const uint32_t first = accept_sort(&b->bench, seen->at, seen->n);
  seen->pause = 0;
  for (uint32_t i = 1; i < seen->n; i++)
    if (seen->at[i] - seen->at[i - 1] > seen->pause) seen->pause = seen->at[i] - seen->at[i - 1];
  seen->accepted = 1;
  while (seen->accepted < seen->n &&
         (seen->pause <= ACCEPT_PAUSE ||
          seen->at[seen->accepted] - seen->at[seen->accepted - 1] < seen->pause / 4))
    seen->accepted++;
  seen->drained = is_drained(b, p, first, seen->at[seen->accepted - 1]);
}

/* A launch with its parameters. */
typedef struct {
  accept_bench_t *b;
  const accept_t *p;
} planned_t;

bool accept_launch(accept_bench_t *b, const accept_t *p) {
  const uint64_t in = (p->from_host ? b->host : b->in) + p->line * LINE;
  const uint64_t first[] = {
      [ACCEPT_OTHER_LINES] = p->first_from_host ? b->host : 0,
      [ACCEPT_SAME_LINES] = p->first_from_host ? b->host : 0,
      [ACCEPT_BEHIND] = b->host,
      [ACCEPT_TWO_LINES] = in + (p->other - p->line) * LINE,
      [ACCEPT_BUSY_LINK] = in + bytes_of(b->lines),
  };
  bench_launch_t l = BENCH_LAUNCH("accept", blocks_of(b->what), 32 * ACCEPT_WARPS, ACCEPT_REGISTERS,
                                  in, first[b->what], b->out, p->schedulers, BENCH_NEVER, p->slow,
                                  p->idle, p->slow_lines ? p->slow_lines - 1 : 0);
  if (b->what != ACCEPT_BEHIND) l.n_args -= 3;
  if (!p->from_host) bench_copy_in(&b->bench, b->in, bytes_of(b->lines));
  return bench_must(&b->bench, &l);
}

static void once(void *ctx, void *seen) {
  const planned_t *planned = ctx;
  accept_bench_t *b = planned->b;
  if (accept_launch(b, planned->p) && bench_get(&b->bench, b->out, OUT))
    collect(b, planned->p, seen);
}

static int by_taken(const void *a, const void *b) {
  const uint32_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

void accept_median(const bench_t *b, size_t size, accept_once_fn launch, void *ctx, void *seen) {
  const uint32_t n = b->gpu.limits.repeats;
  char *run = calloc(n, size);
  if (!run) mrpb_fail(b->gpu.err, "micro: out of memory");
  for (uint32_t i = 0; run && i < n; i++) launch(ctx, run + i * size);
  if (run) qsort(run, n, size, by_taken);
  if (bench_ok(&b->gpu)) memcpy(seen, run + (n - 1) / 2 * size, size);
  free(run);
}

void accept_run(accept_bench_t *b, const accept_t *p, accepted_t *seen) {
  accept_median(&b->bench, sizeof *seen, once, &(planned_t){b, p}, seen);
}

void accept_take(const bench_gpu_t *gpu, uint32_t kb, uint32_t lines, accept_what_t what,
                 const accept_t *warm, const accept_t *p, accepted_t *seen) {
  const bench_gpu_t cut = bench_gpu_with_l1d(gpu, kb);
  accept_bench_t b;
  accept_open(&b, &cut, lines, what);
  accept_launch(&b, warm);
  accept_run(&b, p, seen);
  bench_close(&b.bench);
}
