/* SPDX-License-Identifier: Apache-2.0 */
/* Bandwidth of the L3 of instructions (paper 004, section IV-J3): blocks that run through straight
 * code, each SM of a cluster through its own lines; together these are more than the L2 holds.
 * docs/micro/gt200.md */
#include "studies/micro/kernels/code.h"
#include "studies/micro/studies/bandwidth.h"

#include <math.h>

enum { BAND_HEAD = 4 /* lines of the L3 for the code before the loops */ };

typedef struct {
  code_bench_t b;
  uint32_t lines; /* per loop */
  uint32_t role[CODE_BLOCKS];
} band_t;

/* Bytes per cycle of `blocks` blocks. */
static double rate(void *ctx, uint32_t blocks) {
  band_t *b = ctx;
  const uint32_t(*at)[2] = code_run(&b->b, b->role, blocks, 1, 0);
  double bytes = 0;
  for (uint32_t i = 0; at && i < blocks; i++)
    bytes += (double)CODE_LINE * b->lines * at[i][1] / at[i][0];
  return bytes;
}

void instructions_bandwidth(study_t *s, const instructions_t *found) {
  const bench_limits_t *has = &s->on.limits;
  const uint32_t most = has->sms < CODE_OUT / 8 ? has->sms : CODE_OUT / 8;
  band_t b = {.lines = (uint32_t)(found->l3 / CODE_LINE - BAND_HEAD) / has->cluster};
  micro_plot_t plot = MICRO_PLOT("Bandwidth of the L3 of instructions (004 section IV-J3)",
                                 "blocks", "from the L3 to all blocks [bytes/cycle]");
  if (found->l3 == 0 || (uint64_t)b.lines * CODE_LINE <= found->l2) return;
  for (uint32_t i = 0; i < most; i++) b.role[i] = bench_sm(has, i) % has->cluster + 1;
  code_open(&b.b, &s->on, "studies/instructions_bandwidth",
            TEXT_VALUES(TEXT_NUMBER("cluster", has->cluster), TEXT_NUMBER("lines", b.lines),
                        TEXT_NUMBER("fill", BAND_FILL), TEXT_NUMBER("run", BAND_RUN)));
  const bandwidth_t r = bandwidth_curve(has, &plot, "1 thread a block", most, rate, &b);
  bandwidth_rows(s, ROW_INST_BAND, ROW_INST_BAND_ONE, &r, 0, "a warp that fetches ahead");
  study_row(s, ROW_INST_BAND_EACH, r.each, NAN, NULL);
  bench_close(&b.b.bench);
  study_plot(s, "instructions-bandwidth", &plot);
}
