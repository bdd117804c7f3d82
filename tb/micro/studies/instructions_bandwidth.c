/* Bandwidth of the L3 of instructions (paper 004, section IV-J3): blocks that run through straight
 * code, each SM of a cluster through lines of its own, more than the L2 holds.
 * docs/micro/gt200.md */
#include "micro/kernels/code.h"
#include "micro/studies/instructions.h"

#include <math.h>

enum {
  BAND_FILL = 50000 /* cycles in which the L3 is filled */,
  BAND_RUN = 300000 /* cycles that count, the same for all blocks */,
  BAND_HEAD = 4 /* lines of the L3 for what comes before the loops */
};

typedef struct {
  study_t *s;
  code_bench_t b;
  uint32_t lines; /* of a loop */
  uint32_t role[CODE_BLOCKS];
} band_t;

/* Role r runs loop r - 1; the cycles and rounds that count to its block's words. All blocks run for
 * the same time, so that none is left alone. */
static void write_loops(code_t *c, const band_t *b) {
  enum { TAIL = 7 };
  const device_cfg_t *cfg = b->s->cfg;
  code_start(c);
  code_clock(c, cfg, "%v0");
  code_add(c, 1, "  mov.u32 %t0, %v0;\n");
  for (unsigned k = 1; k < cfg->cluster; k++) {
    text_add(&c->text, "  setp.eq.u32 %%p, %%b, %u;\n  @%%p bra LOOP%u;\n", k + 1, k);
    c->n += 2;
  }
  for (unsigned k = 0; k < cfg->cluster; k++) {
    code_align(c, CODE_LINE, 0);
    text_add(&c->text, "LOOP%u:\n", k);
    code_nops(c, b->lines * CODE_LINE / WARP_PC_STEP - TAIL - 2);
    code_clock(c, cfg, "%t1");
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

/* Bytes a cycle of `blocks` blocks. */
static int rate(band_t *b, uint32_t blocks, double *bytes, mrpb_err_t *err) {
  if (code_run(&b->b, b->role, blocks, 1, 0, err) != 0) return -1;
  const uint32_t(*at)[2] = bench_at(&b->b.bench, b->b.out, (uint64_t)blocks * 8);
  *bytes = 0;
  for (uint32_t i = 0; i < blocks; i++)
    *bytes += (double)CODE_LINE * b->lines * at[i][1] / at[i][0];
  return 0;
}

static int curve(band_t *b, micro_plot_t *plot, mrpb_err_t *err) {
  const device_cfg_t *c = b->s->cfg;
  uint32_t clusters = c->sms / c->cluster, most = c->sms < CODE_OUT / 8 ? c->sms : CODE_OUT / 8;
  double y, one = 0, each = 0, all = 0, before = 0;
  uint32_t pairs = c->cluster > 1 ? 2 * clusters : clusters;
  size_t series = micro_plot_series(plot, "1 thread a block", MICRO_LINESPOINTS, false);
  for (uint32_t n = 1; n <= most; n++) {
    b->role[n - 1] = code_sm(c, n - 1) % c->cluster + 1;
    if (rate(b, n, &y, err) != 0) return -1;
    if (n == 1) one = y;
    if (n == clusters) each = y;
    if (n <= pairs) all = fmax(all, y);
    if (n == pairs * 7 / 8) before = y;
    micro_series_add(plot, series, n, y);
  }
  bool full = all < 1.05 * before;
  study_row_within(b->s, "L3 bandwidth", "bytes/cycle", all,
                   full ? c->const3_port / 100.0 : (double)NAN, 0.03 * all,
                   full ? "up to two blocks a cluster; within 3 %" : "more blocks would have more");
  study_row_within(b->s, "L3 bandwidth, one block", "bytes/cycle", one, NAN, 0.03 * one,
                   "a warp that fetches ahead");
  study_row_within(b->s, "L3 bandwidth, a block on each cluster", "bytes/cycle", each, NAN,
                   0.03 * each, NULL);
  return 0;
}

int instructions_bandwidth(study_t *s, const instructions_t *found, mrpb_err_t *err) {
  band_t b = {.s = s};
  code_t c = {.n = 0};
  micro_plot_t plot = {.title = "Bandwidth of the L3 of instructions (004 section IV-J3)",
                       .xlabel = "blocks",
                       .ylabel = "from the L3 to all blocks [bytes/cycle]"};
  b.lines = (uint32_t)(found->l3 / CODE_LINE - BAND_HEAD) / s->cfg->cluster;
  if (found->l3 == 0 || (uint64_t)b.lines * CODE_LINE <= found->l2) return 0;
  write_loops(&c, &b);
  int rc = code_open(&b.b, s->cfg, s->choice, &c, err);
  if (rc == 0) rc = curve(&b, &plot, err);
  bench_close(&b.b.bench);
  if (rc != 0) return micro_plot_free(&plot), -1;
  return study_plot(s, "instructions-bandwidth", &plot, err);
}
