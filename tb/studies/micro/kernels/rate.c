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

int rate_open(rate_bench_t *b, const bench_gpu_t *gpu, uint64_t bytes, mrpb_err_t *err) {
  text_t text = {0};
  *b = (rate_bench_t){.in = 0};
  write_text(&text);
  if (bench_open(&b->bench, gpu, &text, err) != 0) return -1;
  b->out = bench_alloc(&b->bench, RATE_MOST_BLOCKS * RESULT, BENCH_DEVICE, err);
  if (b->out && bytes) b->in = bench_alloc(&b->bench, bytes, BENCH_DEVICE, err);
  return b->out && (b->in || !bytes) ? 0 : -1;
}

/* Rounds a cycle of all warps: the sum over the blocks, and what they do until the last one ends. */
typedef struct {
  double sum, last;
} rounds_rate_t;

static int once(rate_bench_t *b, const char *kernel, const rate_t *h, rounds_rate_t *rate,
                mrpb_err_t *err) {
  const bench_launch_t l =
      BENCH_LAUNCH(kernel, h->blocks, h->warps * WARP_LANES, RATE_REGS, b->in, b->out, BENCH_NEVER,
                   h->rounds, h->lane, h->warp, h->block, h->next, h->step, h->mask, h->far);
  const uint64_t bytes = h->blocks * (uint64_t)RESULT;
  if (bench_must(&b->bench, &l, err) != 0 || bench_get(&b->bench, b->out, bytes, err) != 0)
    return -1;
  const uint32_t(*at)[2] = bench_at(&b->bench, b->out, bytes);
  double longest = 1;
  *rate = (rounds_rate_t){.sum = 0};
  for (uint32_t i = 0; i < h->blocks; i++) {
    const double cycles = fmax(1, bench_cycles(&b->bench, at[i][1] - at[i][0]));
    rate->sum += h->warps * h->rounds / cycles;
    longest = fmax(longest, cycles);
  }
  rate->last = (double)h->blocks * h->warps * h->rounds / longest;
  return 0;
}

static int best(rate_bench_t *b, const char *kernel, const rate_t *h, bool flushed, double *rate,
                mrpb_err_t *err) {
  rounds_rate_t r;
  *rate = b->last = 0;
  for (uint32_t i = 0; i <= b->bench.gpu.limits.repeats; i++) {
    if (flushed && bench_put(&b->bench, b->out, RESULT, err) != 0) return -1;
    if (once(b, kernel, h, &r, err) != 0) return -1;
    if (i == 0) continue;
    *rate = fmax(*rate, r.sum);
    b->last = fmax(b->last, r.last);
  }
  return 0;
}

int rate_run(rate_bench_t *b, rate_form_t form, const rate_t *h, bool flushed, double *rate,
             mrpb_err_t *err) {
  char kernel[16];
  snprintf(kernel, sizeof kernel, "rate_%u", form);
  if (best(b, kernel, h, flushed, rate, err) != 0) return -1;
  *rate *= forms[form].count;
  b->last *= forms[form].count;
  return 0;
}

int rate_run_code(rate_bench_t *b, unsigned code, const rate_t *h, double *rate, mrpb_err_t *err) {
  char kernel[16];
  snprintf(kernel, sizeof kernel, "code_%u", code);
  if (best(b, kernel, h, false, rate, err) != 0) return -1;
  *rate *= codes[code];
  return 0;
}
