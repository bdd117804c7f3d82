/* Bandwidth of the L3 of constants (paper 004, Figure 16). Every block reads 16 KB again and again,
 * a line at a time: too much for the L2, little enough for the L3. */
#include "micro/kernels/chain.h"
#include "micro/study.h"

#include <math.h>

int constants_bandwidth(study_t *s, mrpb_err_t *err);

enum { BAND_UNROLL = 16, BAND_ROUNDS = 24, BAND_BYTES = 16384 };

typedef struct {
  bench_t bench;
  uint64_t out;
  uint32_t line; /* bytes that the L3 sends for a load */
} band_t;

static void write_kernel(text_t *t, const device_cfg_t *cfg, uint32_t line) {
  text_add(t,
           "%s.visible .entry band(.param .u32 p_out, .param .u32 p_every)\n{\n  .reg .pred %%p;\n"
           "  .reg .u32 %%out, %%e, %%a, %%i, %%b, %%t0, %%t1, %%n, %%q, %%x<16>;\n"
           "  ld.param.u32 %%out, [p_out];\n  ld.param.u32 %%e, [p_every];\n"
           "  mov.u32 %%b, %%ctaid.x;\n  rem.u32 %%n, %%b, %%e;\n  setp.ne.u32 %%p, %%n, 0;\n"
           "  @%%p bra END;\n  shl.b32 %%n, %%b, 3;\n  add.u32 %%out, %%out, %%n;\n"
           "  div.u32 %%a, %%b, %u;\n  mul.lo.u32 %%a, %%a, %u;\n  mov.u32 %%i, %%tid.x;\n"
           "  mad.lo.u32 %%a, %%i, %u, %%a;\n  and.b32 %%a, %%a, %d;\n  mov.u32 %%i, 0;\n",
           chain_header(), cfg->sms / cfg->cluster, BAND_BYTES / cfg->cluster / line * line, line,
           BAND_BYTES - 1);
  chain_clock(t, cfg, "%t0");
  text_add(t, "L:\n");
  for (unsigned k = 0; k < BAND_UNROLL; k++)
    text_add(t, "  ld.const.u32 %%x%u, [%%a+%u];\n", k, k * line);
  text_add(t,
           "  add.u32 %%a, %%a, %u;\n  and.b32 %%a, %%a, %d;\n  add.u32 %%i, %%i, 1;\n"
           "  setp.lt.u32 %%p, %%i, %d;\n  @%%p bra L;\n",
           BAND_UNROLL * line, BAND_BYTES - 1, BAND_ROUNDS);
  chain_clock(t, cfg, "%t1");
  text_add(t,
           "  st.global.u32 [%%out], %%t0;\n  st.global.u32 [%%out+4], %%t1;\nEND:\n  ret;\n}\n");
}

/* Bytes a cycle of every `every`-th of `blocks` blocks: all of them run for about as long. */
static int rate(band_t *b, uint32_t blocks, uint32_t every, uint32_t threads, double *bytes,
                mrpb_err_t *err) {
  const bench_launch_t l = {.kernel = "band",
                            .blocks = blocks,
                            .threads = threads,
                            .regs = 24,
                            .n_args = 2,
                            .arg = {b->out, every}};
  if (bench_must(&b->bench, &l, err) != 0) return -1;
  const uint32_t(*at)[2] = bench_at(&b->bench, b->out, (uint64_t)blocks * 8);
  *bytes = 0;
  for (uint32_t i = 0; i < blocks; i += every)
    *bytes += (double)b->line * BAND_UNROLL * BAND_ROUNDS * threads / (at[i][1] - at[i][0]);
  return 0;
}

static int figure16(study_t *s, band_t *b, mrpb_err_t *err) {
  const device_cfg_t *c = s->cfg;
  double y, one = 0, all = 0, cluster = 0;
  uint32_t clusters = c->sms / c->cluster;
  micro_plot_t plot = {.title = "Bandwidth of the L3 of constants (004 Figure 16)",
                       .xlabel = "blocks",
                       .ylabel = "bytes a cycle"};
  for (uint32_t threads = 1; threads <= 8; threads += 7) {
    size_t series =
        micro_plot_series(&plot, threads == 1 ? "1 thread" : "8 threads", MICRO_LINESPOINTS, false);
    for (uint32_t n = 1; n <= c->sms; n++) {
      if (rate(b, n, 1, threads, &y, err) != 0) return -1;
      if (n == 1 && threads == 1) one = y;
      if (n <= 2 * clusters && threads == 1) all = fmax(all, y);
      micro_series_add(&plot, series, n, y);
    }
  }
  if (study_plot(s, "constants-figure16", &plot, err) != 0) return -1;
  bool together = c->placement == DEVICE_PLACE_CLUSTER && c->cluster > 1;
  if (together && rate(b, c->sms, clusters, 1, &cluster, err) != 0) return -1;
  study_row_within(s, "L3 bandwidth", "bytes/cycle", all, c->const3_port / 100.0, 0.03 * all,
                   "up to two blocks a cluster; within 3 %");
  study_row_within(s, "L3 bandwidth, one block", "bytes/cycle", one, NAN, 0.03 * one,
                   "one line awaited at a time");
  if (together)
    study_row_within(s, "L3 bandwidth of a cluster", "bytes/cycle", cluster,
                     c->cluster_port / 100.0, 0.03 * cluster, "all SMs of one; within 3 %");
  return 0;
}

int constants_bandwidth(study_t *s, mrpb_err_t *err) {
  band_t b = {.line = 1u << s->cfg->const2_line};
  text_t text = {0};
  write_kernel(&text, s->cfg, b.line);
  int rc = bench_open(&b.bench, s->cfg, s->choice, &text, err);
  if (rc == 0 && !(b.out = bench_alloc(&b.bench, (uint64_t)s->cfg->sms * 8, err))) rc = -1;
  if (rc == 0) rc = figure16(s, &b, err);
  bench_close(&b.bench);
  return rc;
}
