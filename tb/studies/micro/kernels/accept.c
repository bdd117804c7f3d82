/* SPDX-License-Identifier: Apache-2.0 */
/* See accept.h. */
#include "studies/micro/kernels/accept.h"

#include "studies/micro/deduce/numbers.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 128, WORD = 4, OUT = ACCEPT_MOST * WORD /* bytes that a block writes */ };

/* What each kernel does before the barrier; rd2 is p_first, r5 is the warp. Of two lines, the
 * groups of four warps take one and the other in turn. */
#define FIRST_OF_WARP_0                                                                            \
  "  setp.ne.u64 %p2, %rd2, 0;\n  setp.eq.and.u32 %p2, %r5, 0, %p2;\n"                             \
  "  mov.u32 %r13, 0;\n  @%p2 ld.global.u32 %r13, [%rd2];\n"
static const char *const first_of[] = {
    [ACCEPT_OTHER_LINES] = FIRST_OF_WARP_0,
    [ACCEPT_SAME_LINES] = FIRST_OF_WARP_0,
    [ACCEPT_BEHIND] = "  ld.param.u32 %r15, [p_slow];\n  setp.lt.u32 %p2, %r5, %r15;\n"
                      "  mul.wide.u32 %rd8, %r5, 4096;\n  add.u64 %rd2, %rd2, %rd8;\n"
                      "  ld.param.u32 %r15, [p_mask];\n  and.b32 %r15, %r15, %r6;\n"
                      "  mul.wide.u32 %rd8, %r15, 128;\n  add.u64 %rd2, %rd2, %rd8;\n"
                      "  mov.u32 %r13, 0;\n  @%p2 ld.global.u32 %r13, [%rd2];\n",
    [ACCEPT_TWO_LINES] = "  and.b32 %r13, %r5, 4;\n  setp.ne.u32 %p2, %r13, 0;\n"
                         "  mov.u64 %rd4, %rd1;\n  @%p2 mov.u64 %rd4, %rd2;\n"
                         "  mov.u32 %r13, 0;\n",
    /* Block 1 reads other lines and writes OUT bytes after those of block 0; block 0 waits until
     * block 1 has begun. */
    [ACCEPT_BUSY_LINK] = "  mov.u32 %r13, %ctaid.x;\n  setp.eq.u32 %p2, %r13, 0;\n"
                         "  mov.u32 %r13, 0;\n  sub.u64 %rd8, %rd2, %rd1;\n"
                         "  @!%p2 add.u64 %rd4, %rd4, %rd8;\n"
                         "  @!%p2 add.u64 %rd3, %rd3, 4096;\n  mov.u32 %r15, %clock;\n"
                         "  @!%p2 bra GO;\n.pragma \"nounroll\";\nWAIT:\n"
                         "  mov.u32 %r14, %clock;\n  sub.u32 %r14, %r14, %r15;\n"
                         "  setp.lt.u32 %p3, %r14, 8192;\n  @%p3 bra WAIT;\nGO:\n"};

/* In its i-th load, a thread of warp w loads line (32 w + i) * lines + lane * lines / 32, or always
 * the line of its first load (step 0). Lane i keeps the clock after load i: a store between the
 * loads would take a place in their queues, and one register per clock would be too many. Two
 * branches, on a word read after the barrier and on the sum of all values, keep a compiler from
 * moving the first clock and from dropping the loads. */
static void write_kernel(text_t *t, uint32_t lines, accept_what_t what) {
  enum { N = ACCEPT_LOADS, VALUE = 16 };
  const bool moves = what != ACCEPT_SAME_LINES && what != ACCEPT_TWO_LINES;
  const uint32_t step = what == ACCEPT_TWO_LINES ? WORD : moves ? lines * LINE : 0;
  text_add(t,
           ".version 3.2\n.target sm_20\n.address_size 64\n.visible .entry accept(\n"
           "  .param .u64 p_in, .param .u64 p_first, .param .u64 p_out, .param .u32 p_schedulers,\n"
           "  .param .u32 p_never%s)\n.maxntid %d, 1, 1\n{\n"
           "  .reg .pred %%p<5>;\n  .reg .b32 %%r<%d>;\n  .reg .b64 %%rd<9>;\n"
           "  .shared .align 4 .b8 go[4];\n",
           what == ACCEPT_BEHIND ? ", .param .u32 p_slow, .param .u32 p_idle, .param .u32 p_mask"
                                 : "",
           32 * ACCEPT_WARPS, VALUE + N);
  text_add(t,
           "  ld.param.u64 %%rd1, [p_in];\n  ld.param.u64 %%rd2, [p_first];\n"
           "  ld.param.u64 %%rd3, [p_out];\n  ld.param.u32 %%r2, [p_schedulers];\n"
           "  ld.param.u32 %%r3, [p_never];\n"
           "  mov.u32 %%r4, %%tid.x;\n  shr.u32 %%r5, %%r4, 5;\n  and.b32 %%r6, %%r4, 31;\n"
           "  and.b32 %%r7, %%r5, 3;\n  setp.ge.u32 %%p1, %%r7, %%r2;\n  @%%p1 ret;\n"
           "  mul.lo.u32 %%r8, %%r5, %u;\n  mul.lo.u32 %%r9, %%r6, %u;\n"
           "  shr.u32 %%r9, %%r9, 5;\n  add.u32 %%r8, %%r8, %%r9;\n"
           "  mul.wide.u32 %%rd4, %%r8, %d;\n  add.u64 %%rd4, %%rd1, %%rd4;\n",
           N * lines, lines, LINE);
  text_add(t, "%s", first_of[what]);
  text_add(t,
           "  mov.u32 %%r11, go;\n  st.shared.u32 [%%r11], %%r2;\n"
           "  mul.wide.u32 %%rd6, %%r4, 4;\n  add.u64 %%rd7, %%rd3, %%rd6;\n  mov.u32 %%r14, 0;\n  "
           "bar.sync 0;\n"
           "  ld.shared.u32 %%r12, [%%r11];\n  setp.eq.u32 %%p4, %%r12, %%r3;\n  @%%p4 bra END;\n");
  if (what == ACCEPT_BEHIND)
    text_add(t, "  ld.param.u32 %%r15, [p_idle];\n  setp.lt.u32 %%p4, %%r5, %%r15;\n"
                "  @%%p4 bra IDLE;\n");
  for (uint32_t i = 0; i < N; i++)
    text_add(t,
             "  ld.global%s.u32 %%r%u, [%%rd4+%u];\n  setp.eq.u32 %%p3, %%r6, %u;\n"
             "  @%%p3 mov.u32 %%r14, %%clock;\n",
             what == ACCEPT_TWO_LINES ? ".cg" : "", VALUE + i, i * step, i);
  for (uint32_t i = 0; i < N; i++) text_add(t, "  add.u32 %%r13, %%r13, %%r%u;\n", VALUE + i);
  text_add(t, "  setp.eq.u32 %%p4, %%r13, %%r3;\n  @%%p4 bra END;\n"
              "  st.global.u32 [%%rd7], %%r14;\n  ret;\n"
              "END:\n  st.global.u32 [%%rd3], %%r13;\n  ret;\n");
  if (what == ACCEPT_BEHIND)
    text_add(t, "IDLE:\n  setp.eq.u32 %%p4, %%r13, %%r3;\n  @%%p4 bra END;\n  ret;\n");
  text_add(t, "}\n");
}

static uint32_t blocks_of(accept_what_t what) {
  return what == ACCEPT_BUSY_LINK ? 2 : 1;
}

/* Bytes of the lines that the loads of a block read. */
static uint64_t bytes_of(uint32_t lines) {
  return (uint64_t)ACCEPT_MOST * lines * LINE;
}

int accept_open(accept_bench_t *b, const bench_gpu_t *gpu, uint32_t lines, accept_what_t what,
                mrpb_err_t *err) {
  text_t text = {0};
  const uint64_t bytes = bytes_of(32), blocks = blocks_of(what);
  const uint64_t device = what == ACCEPT_TWO_LINES ? (uint64_t)ACCEPT_APART * LINE + bytes : bytes;
  *b = (accept_bench_t){.lines = lines, .what = what};
  write_kernel(&text, lines, what);
  if (bench_open(&b->bench, gpu, &text, err) != 0) return -1;
  b->in = bench_alloc(&b->bench, device, BENCH_DEVICE, err);
  b->host = b->in ? bench_alloc(&b->bench, blocks * bytes, BENCH_HOST, err) : 0;
  b->out = b->host ? bench_alloc(&b->bench, blocks * OUT, BENCH_DEVICE, err) : 0;
  return b->out ? 0 : -1;
}

void accept_close(accept_bench_t *b) {
  bench_close(&b->bench);
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

int accept_launch(accept_bench_t *b, const accept_t *p, mrpb_err_t *err) {
  const uint64_t in = (p->from_host ? b->host : b->in) + p->line * LINE;
  const uint64_t first[] = {
      [ACCEPT_OTHER_LINES] = p->first_from_host ? b->host : 0,
      [ACCEPT_SAME_LINES] = p->first_from_host ? b->host : 0,
      [ACCEPT_BEHIND] = b->host,
      [ACCEPT_TWO_LINES] = in + (p->other - p->line) * LINE,
      [ACCEPT_BUSY_LINK] = in + bytes_of(b->lines),
  };
  const bench_launch_t l = {.kernel = "accept",
                            .blocks = blocks_of(b->what),
                            .threads = 32 * ACCEPT_WARPS,
                            .regs = ACCEPT_REGISTERS,
                            .n_args = b->what == ACCEPT_BEHIND ? 8 : 5,
                            .arg = {in, first[b->what], b->out, p->schedulers, BENCH_NEVER, p->slow,
                                    p->idle, p->slow_lines ? p->slow_lines - 1 : 0}};
  if (!p->from_host && bench_copy_in(&b->bench, b->in, bytes_of(b->lines), err) != 0) return -1;
  return bench_must(&b->bench, &l, err);
}

static int once(void *ctx, void *seen, mrpb_err_t *err) {
  const planned_t *planned = ctx;
  accept_bench_t *b = planned->b;
  if (accept_launch(b, planned->p, err) != 0) return -1;
  if (bench_get(&b->bench, b->out, OUT, err) != 0) return -1;
  collect(b, planned->p, seen);
  return 0;
}

static int by_taken(const void *a, const void *b) {
  const uint32_t *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

int accept_median(uint32_t n, size_t size, accept_once_fn launch, void *ctx, void *seen,
                  mrpb_err_t *err) {
  char *run = calloc(n, size);
  int rc = run ? 0 : mrpb_fail(err, "micro: out of memory");
  for (uint32_t i = 0; rc == 0 && i < n; i++) rc = launch(ctx, run + i * size, err);
  if (rc == 0) {
    qsort(run, n, size, by_taken);
    memcpy(seen, run + (n - 1) / 2 * size, size);
  }
  free(run);
  return rc;
}

int accept_run(accept_bench_t *b, const accept_t *p, accepted_t *seen, mrpb_err_t *err) {
  planned_t l = {b, p};
  return accept_median(b->bench.gpu.limits.repeats, sizeof *seen, once, &l, seen, err);
}

int accept_take(const bench_gpu_t *gpu, uint32_t lines, accept_what_t what, const accept_t *warm,
                const accept_t *p, accepted_t *seen, mrpb_err_t *err) {
  accept_bench_t b;
  int rc = accept_open(&b, gpu, lines, what, err);
  if (rc == 0) rc = accept_launch(&b, warm, err);
  if (rc == 0) rc = accept_run(&b, p, seen, err);
  accept_close(&b);
  return rc;
}
