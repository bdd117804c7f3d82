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

/* Role r runs loop r - 1, and writes the cycles and rounds that count to its block's words. All
 * blocks run for the same time, so that no block is left running alone. */
static void write_loops(code_t *c, const band_t *b) {
  enum { TAIL = 7 };
  const bench_gpu_t *on = &b->s->on;
  code_start(c);
  code_clock(c, on, "%v0");
  code_add(c, 1, "  mov.u32 %t0, %v0;\n");
  for (unsigned k = 1; k < on->limits.cluster; k++) {
    text_add(&c->text, "  setp.eq.u32 %%p, %%b, %u;\n  @%%p bra LOOP%u;\n", k + 1, k);
    c->n += 2;
  }
  for (unsigned k = 0; k < on->limits.cluster; k++) {
    code_align(c, CODE_LINE, 0);
    text_add(&c->text, "LOOP%u:\n", k);
    code_nops(c, b->lines * CODE_LINE / WARP_PC_STEP - TAIL - 2);
    code_clock(c, on, "%t1");
    text_add(&c->text,
             "  add.u32 %%i, %%i, 1;\n  sub.u32 %%v1, %%t1, %%v0;\n"
             "  setp.lt.u32 %%p, %%v1, %d;\n  @%%p mov.u32 %%t0, %%t1;\n  @%%p mov.u32 %%v2, %%i;\n"
             "  setp.lt.u32 %%q, %%v1, %d;\n  @%%q bra LOOP%u;\n  bra DONE;\n",
             BAND_FILL, BAND_FILL + BAND_RUN, k);
    c->n += TAIL + 1;
  }
  code_add(c, 7,
           "DONE:\n  sub.u32 %t1, %t1, %t0;\n  sub.u32 %i, %i, %v2;\n  mov.u32 %id, %ctaid.x;\n"
           "  shl.b32 %id, %id, 3;\n  add.u32 %out, %out, %id;\n  st.global.u32 [%out], %t1;\n"
           "  st.global.u32 [%out+4], %i;\n  ret;\n}\n");
}

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
  bandwidth_rows(b->s, &r, 0, "a warp that fetches ahead");
  study_row_within(b->s, "L3 bandwidth, a block on each cluster", "bytes/cycle", r.each, NAN,
                   0.03 * r.each, NULL);
  return 0;
}

int instructions_bandwidth(study_t *s, const instructions_t *found, mrpb_err_t *err) {
  band_t b = {.s = s};
  code_t c = {.n = 0};
  micro_plot_t plot = {.title = "Bandwidth of the L3 of instructions (004 section IV-J3)",
                       .xlabel = "blocks",
                       .ylabel = "from the L3 to all blocks [bytes/cycle]"};
  b.lines = (uint32_t)(found->l3 / CODE_LINE - BAND_HEAD) / s->on.limits.cluster;
  if (found->l3 == 0 || (uint64_t)b.lines * CODE_LINE <= found->l2) return 0;
  write_loops(&c, &b);
  int rc = code_open(&b.b, &s->on, &c, err);
  if (rc == 0) rc = curve(&b, &plot, err);
  bench_close(&b.b.bench);
  if (rc != 0) return micro_plot_free(&plot), -1;
  return study_plot(s, "instructions-bandwidth", &plot, err);
}
