/* SPDX-License-Identifier: Apache-2.0 */
/* See rate.h. */
#include "studies/micro/kernels/rate.h"

#include <math.h>

enum { WORD = 4, RESULT = 2 * WORD };

static const struct {
  uint32_t count;
  const char *name, *round; /* round: a macro of rate.ptx and its arguments */
} forms[] = {
#define FORM(id, count, name, round) {count, name, round},
    RATE_FORMS(FORM)
#undef FORM
};

static const uint32_t codes[RATE_CODES] = {256, 1024, 2048, 4096, 8192, 16384};

const char *rate_name(rate_form_t form) {
  return forms[form].name;
}

uint32_t rate_code(unsigned i) {
  return codes[i];
}

static void write_text(text_t *t) {
  char name[16];
  for (unsigned i = 0; i < RATE_FORMS_ALL + RATE_CODES; i++) {
    const bool form = i < RATE_FORMS_ALL;
    snprintf(name, sizeof name, form ? "rate_%u" : "code_%u", form ? i : i - RATE_FORMS_ALL);
    text_write(t, "kernels/rate",
               TEXT_VALUES(TEXT_NUMBER("first", i == 0), TEXT_WORDS("name", name),
                           TEXT_NUMBER("n", form ? forms[i].count : codes[i - RATE_FORMS_ALL]),
                           TEXT_WORDS("round", forms[form ? i : RATE_F32].round),
                           TEXT_NUMBER("shared", RATE_SHARED)));
  }
}

/* ---- launches ------------------------------------------------------------------- */

void rate_open(rate_bench_t *b, const bench_gpu_t *gpu, uint64_t bytes) {
  text_t text = {0};
  *b = (rate_bench_t){.in = 0};
  write_text(&text);
  bench_open(&b->bench, gpu, &text);
  b->out = bench_alloc(&b->bench, RATE_MOST_BLOCKS * RESULT, BENCH_DEVICE);
  if (bytes) b->in = bench_alloc(&b->bench, bytes, BENCH_DEVICE);
}

/* Rounds a cycle of all warps: the sum over the blocks, and what they do until the last one ends. */
typedef struct {
  double sum, last;
} rounds_rate_t;

static rounds_rate_t once(rate_bench_t *b, const char *kernel, const rate_t *h) {
  const bench_launch_t l =
      BENCH_LAUNCH(kernel, h->blocks, h->warps * WARP_LANES, RATE_REGS, b->in, b->out, BENCH_NEVER,
                   h->rounds, h->lane, h->warp, h->block, h->next, h->step, h->mask, h->far);
  bench_must(&b->bench, &l);
  const uint32_t(*at)[2] = bench_get(&b->bench, b->out, h->blocks * (uint64_t)RESULT);
  rounds_rate_t rate = {.sum = 0};
  double longest = 1;
  for (uint32_t i = 0; at && i < h->blocks; i++) {
    const double cycles = fmax(1, bench_cycles(&b->bench, at[i][1] - at[i][0]));
    rate.sum += h->warps * h->rounds / cycles;
    longest = fmax(longest, cycles);
  }
  rate.last = (double)h->blocks * h->warps * h->rounds / longest;
  return rate;
}

/* The best of several launches of a kernel whose rounds have `count` instructions. */
static double best(rate_bench_t *b, const char *name, unsigned number, uint32_t count,
                   const rate_t *h, bool flushed) {
  char kernel[16];
  double rate = b->last = 0;
  snprintf(kernel, sizeof kernel, "%s_%u", name, number);
  for (uint32_t i = 0; i <= b->bench.gpu.limits.repeats; i++) {
    if (flushed) bench_put(&b->bench, b->out, RESULT);
    const rounds_rate_t r = once(b, kernel, h);
    if (i == 0) continue;
    rate = fmax(rate, r.sum);
    b->last = fmax(b->last, r.last);
  }
  b->last *= count;
  return rate * count;
}

double rate_run(rate_bench_t *b, rate_form_t form, const rate_t *h, bool flushed) {
  return best(b, "rate", form, forms[form].count, h, flushed);
}

double rate_run_code(rate_bench_t *b, unsigned code, const rate_t *h) {
  return best(b, "code", code, codes[code], h, false);
}
