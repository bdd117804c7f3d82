/* SPDX-License-Identifier: Apache-2.0 */
/* The register file and the shared memory that a block may have (paper 004, sections IV-E and
 * IV-F): Figure 9. docs/micro/gt200.md */
#include "studies/micro/kernels/chain.h"
#include "studies/micro/deduce/numbers.h"
#include "studies/micro/study.h"

#include <math.h>

enum { REG_MOST = 256, REG_LOW = 4 };

typedef struct {
  bench_t bench;
  mrpb_err_t refusal;
} launches_t;

/* 1: it was launched, 0: refused, -1: an error. */
static int launches(launches_t *r, uint32_t threads, uint32_t regs, uint32_t shared,
                    mrpb_err_t *err) {
  const bench_launch_t l = {.kernel = "none",
                            .blocks = 1,
                            .threads = threads,
                            .regs = regs,
                            .shared = shared,
                            .n_args = 5};
  mrpb_err_t why = {{0}};
  device_end_t end = bench_run(&r->bench, &l, &why);
  if (end == DEVICE_DONE) return 1;
  r->refusal = why;
  if (end == DEVICE_REFUSED) return 0;
  *err = why;
  return -1;
}

/* Largest block of that many registers a thread, in warps of 32; 0: none. */
static int largest(launches_t *r, uint32_t regs, uint32_t most, uint32_t *threads,
                   mrpb_err_t *err) {
  *threads = 0;
  for (uint32_t t = 32; t <= most; t += 32) {
    int ok = launches(r, t, regs, 0, err);
    if (ok < 0) return -1;
    if (!ok) break;
    *threads = t;
  }
  return 0;
}

/* Blocks by registers tell: the file's size, the unit of registers (where the curve falls), the
 * unit of threads (what all blocks that the registers limit are a multiple of). */
static int figure9(study_t *s, launches_t *r, mrpb_err_t *err) {
  const device_cfg_t *c = study_known(s);
  uint32_t threads[REG_MOST + 1], used = 0, unit = 0, of_threads = 0, last = 0,
                                  most = s->on.limits.threads_per_block;
  micro_plot_t plot = {.title = "Largest block (004 Figure 9)",
                       .xlabel = "registers of a thread",
                       .ylabel = "registers of the block",
                       .y2label = "threads"};
  size_t total = micro_plot_series(&plot, "total registers", MICRO_STEPS, false),
         block = micro_plot_series(&plot, "threads", MICRO_STEPS, true);
  for (uint32_t n = REG_LOW; n <= REG_MOST; n++) {
    if (largest(r, n, most, &threads[n], err) != 0) return -1;
    if (threads[n] == 0) break;
    last = n;
    micro_series_add(&plot, total, n, (double)n * threads[n]);
    micro_series_add(&plot, block, n, threads[n]);
    if (n * threads[n] > used) used = n * threads[n];
    if (threads[n] < most) of_threads = (uint32_t)numbers_gcd(of_threads, threads[n]);
    if (n > REG_LOW && threads[n] != threads[n - 1]) unit = (uint32_t)numbers_gcd(unit, n - 1);
  }
  study_row(s, "registers of an SM", "registers", used,
            c->registers_per_sm >= most * last ? (double)NAN : c->registers_per_sm, MICRO_EXACT,
            "most that a block had");
  study_row(s, "registers of a thread", "registers", last, c->registers_per_thread, MICRO_EXACT,
            "at most");
  study_row(s, "unit of registers", "registers", unit, unit ? c->register_unit : (double)NAN,
            MICRO_EXACT, "where the largest block shrinks");
  study_row(s, "unit of threads", "threads", of_threads,
            of_threads ? fmax(32, c->thread_unit) : (double)NAN, MICRO_EXACT,
            "of blocks that registers limit");
  if (last >= 88)
    study_row(s, "threads with 88 registers each", "threads", threads[88], NAN, MICRO_EXACT, NULL);
  return study_plot(s, "registers-figure9", &plot, err);
}

static int find_shared(study_t *s, launches_t *r, mrpb_err_t *err) {
  uint32_t good = 0, bad = s->on.limits.shared + 4, limit = 49152;
  if (bad > limit) bad = limit + 4; /* what a kernel of this simulator may have */
  while (bad - good > 4) {
    uint32_t at = (good + bad) / 8 * 4;
    int ok = launches(r, 32, REG_LOW, at, err);
    if (ok < 0) return -1;
    if (ok)
      good = at;
    else
      bad = at;
  }
  const device_cfg_t *c = study_known(s);
  double want = c->shared_reserved ? c->shared_bytes - c->shared_reserved - 32.0
                                   : fmin(c->shared_bytes, limit);
  study_row(s, "shared memory of a block", "bytes", good, want, MICRO_EXACT,
            "with five parameters of 4 bytes");
  return 0;
}

int study_registers(study_t *s, mrpb_err_t *err) {
  launches_t r;
  text_t t = {0};
  text_add(&t,
           "%s.extern .shared .u32 room[];\n.visible .entry none(.param .u32 a, .param .u32 b, "
           ".param .u32 c, .param .u32 d, .param .u32 e)\n{\n"
           "  .reg .u32 %%r;\n  mov.u32 %%r, room;\n  ret;\n}\n",
           chain_header());
  int rc = bench_open(&r.bench, &s->on, &t, err);
  if (rc == 0) rc = figure9(s, &r, err);
  if (rc == 0) rc = find_shared(s, &r, err);
  bench_close(&r.bench);
  return rc;
}
