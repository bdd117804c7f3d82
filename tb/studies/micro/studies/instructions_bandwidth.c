/* SPDX-License-Identifier: Apache-2.0 */
/* Bandwidth of the L3 of instructions (paper 004, section IV-J3): blocks that run through straight
 * code, each SM of a cluster through its own lines; together these are more than the L2 holds.
 * docs/micro/gt200.md */
#include "studies/micro/kernels/code.h"
#include "studies/micro/studies/bandwidth.h"
#include "studies/micro/studies/instructions.h"

#include <math.h>

enum { BAND_HEAD = 4 /* lines of the L3 for the code before the loops */ };

typedef struct {
  study_t *s;
  code_bench_t b;
  uint32_t lines; /* per loop */
  uint32_t role[CODE_BLOCKS];
} band_t;

/* Bytes per cycle of `blocks` blocks. */
static int rate(void *ctx, uint32_t blocks, double *bytes, mrpb_err_t *err) {
  band_t *b = ctx;
  if (code_run(&b->b, b->role, blocks, 1, 0, err) != 0) return -1;
  const uint32_t(*at)[2] = bench_at(&b->b.bench, b->b.out, (uint64_t)blocks * 8);
  *bytes = 0;
  for (uint32_t i = 0; i < blocks; i++)
    *bytes += (double)CODE_LINE * b->lines * at[i][1] / at[i][0];
  return 0;
}

static int curve(band_t *b, micro_plot_t *plot, mrpb_err_t *err) {
  const bench_gpu_t *on = &b->s->on;
  const uint32_t sms = on->limits.sms, most = sms < CODE_OUT / 8 ? sms : CODE_OUT / 8;
  bandwidth_t r;
  for (uint32_t i = 0; i < most; i++)
    b->role[i] = bench_sm(&on->limits, i) % on->limits.cluster + 1;
  if (bandwidth_curve(&on->limits, plot, "1 thread a block", most, rate, b, &r, err) != 0)
    return -1;
  bandwidth_rows(b->s, ROW_INST_BAND, ROW_INST_BAND_ONE, &r, 0, "a warp that fetches ahead");
  study_row(b->s, ROW_INST_BAND_EACH, r.each, NAN, NULL);
  return 0;
}

int instructions_bandwidth(study_t *s, const instructions_t *found, mrpb_err_t *err) {
  band_t b = {.s = s};
  micro_plot_t plot = {.title = "Bandwidth of the L3 of instructions (004 section IV-J3)",
                       .xlabel = "blocks",
                       .ylabel = "from the L3 to all blocks [bytes/cycle]"};
  b.lines = (uint32_t)(found->l3 / CODE_LINE - BAND_HEAD) / s->on.limits.cluster;
  if (found->l3 == 0 || (uint64_t)b.lines * CODE_LINE <= found->l2) return 0;
  int rc = code_open(&b.b, &s->on, "studies/instructions_bandwidth",
                     TEXT_VALUES(TEXT_NUMBER("cluster", s->on.limits.cluster),
                                 TEXT_NUMBER("lines", b.lines), TEXT_NUMBER("fill", BAND_FILL),
                                 TEXT_NUMBER("run", BAND_RUN)),
                     err);
  if (rc == 0) rc = curve(&b, &plot, err);
  bench_close(&b.b.bench);
  if (rc != 0) return micro_plot_free(&plot), -1;
  return study_plot(s, "instructions-bandwidth", &plot, err);
}
