/* SPDX-License-Identifier: Apache-2.0 */
/* Bandwidth of the L3 of constants (paper 004, Figure 16). Each SM of a cluster reads its own part
 * of the data in the L3, one line at a time. Together they read more than the L2 holds, so the L3
 * sends every line. */
#include "studies/micro/kernels/chain.h"
#include "studies/micro/studies/bandwidth.h"
#include "studies/micro/studies/constants.h"

#include <math.h>

enum { BAND_THREADS = 8 };

typedef struct {
  study_t *s;
  bench_t bench;
  uint64_t out;
  uint32_t line;  /* bytes that the L3 sends per load */
  uint32_t lines; /* lines that a block reads repeatedly */
  uint32_t threads;
} band_t;

/* The kernel reports the cycles and rounds of a block. All blocks run for the same time, so that no
 * block is left running alone. */
static void write_kernel(text_t *t, const band_t *b) {
  const bench_gpu_t *on = &b->s->on;
  const bench_limits_t *has = &on->limits;
  text_add(t,
           "%s.visible .entry band(.param .u32 p_out, .param .u32 p_every)\n{\n  .reg .pred %%p;\n"
           "  .reg .u32 %%out, %%e, %%a, %%i, %%b, %%t0, %%t1, %%n, %%q, %%x<16>;\n"
           "  ld.param.u32 %%out, [p_out];\n  ld.param.u32 %%e, [p_every];\n"
           "  mov.u32 %%b, %%ctaid.x;\n  rem.u32 %%n, %%b, %%e;\n  setp.ne.u32 %%p, %%n, 0;\n"
           "  @%%p bra END;\n  shl.b32 %%n, %%b, 3;\n  add.u32 %%out, %%out, %%n;\n",
           chain_header());
  if (has->by_cluster)
    text_add(t, "  div.u32 %%a, %%b, %u;\n", has->sms / has->cluster);
  else
    text_add(t, "  rem.u32 %%a, %%b, %u;\n", has->cluster);
  text_add(t,
           "  mul.lo.u32 %%a, %%a, %u;\n  mov.u32 %%i, %%tid.x;\n"
           "  mad.lo.u32 %%a, %%i, %u, %%a;\n  mov.u32 %%q, %d;\n",
           b->lines * b->line, b->line, BAND_FILL);
  chain_clock(t, on, "%t1");
  text_add(t, "PHASE:\n  mov.u32 %%i, 0;\n  mov.u32 %%t0, %%t1;\nL:\n");
  for (unsigned k = 0; k < b->lines; k += b->threads)
    text_add(t, "  ld.const.u32 %%x%u, [%%a+%u];\n", k % 16, k * b->line);
  text_add(t, "  add.u32 %%i, %%i, 1;\n");
  chain_clock(t, on, "%t1");
  text_add(t,
           "  sub.u32 %%n, %%t1, %%t0;\n  setp.lt.u32 %%p, %%n, %%q;\n  @%%p bra L;\n"
           "  setp.ne.u32 %%p, %%q, %d;\n  mov.u32 %%q, %d;\n  @%%p bra PHASE;\n"
           "  st.global.u32 [%%out], %%n;\n  st.global.u32 [%%out+4], %%i;\nEND:\n  ret;\n}\n",
           BAND_RUN, BAND_RUN);
}

/* Bytes per cycle of every `every`-th of `blocks` blocks. */
static int rate(band_t *b, uint32_t blocks, uint32_t every, double *bytes, mrpb_err_t *err) {
  const bench_launch_t l = {.kernel = "band",
                            .blocks = blocks,
                            .threads = b->threads,
                            .regs = 24,
                            .n_args = 2,
                            .arg = {b->out, every}};
  if (bench_must(&b->bench, &l, err) != 0) return -1;
  const uint32_t(*at)[2] = bench_at(&b->bench, b->out, (uint64_t)blocks * 8);
  *bytes = 0;
  for (uint32_t i = 0; i < blocks; i += every)
    *bytes += (double)b->line * b->lines * at[i][1] / at[i][0];
  return 0;
}

static int rate_of_all(void *ctx, uint32_t blocks, double *bytes, mrpb_err_t *err) {
  return rate(ctx, blocks, 1, bytes, err);
}

/* Bytes per cycle of all SMs of one cluster; 0: blocks cannot be placed in that way. */
static int rate_of_cluster(band_t *b, double *bytes, mrpb_err_t *err) {
  const bench_limits_t *has = &b->s->on.limits;
  *bytes = 0;
  if (!has->by_cluster || has->cluster == 1) return 0;
  return rate(b, has->sms, has->sms / has->cluster, bytes, err);
}

static int measure(band_t *b, bandwidth_t *r, double *cluster, micro_plot_t *plot,
                   mrpb_err_t *err) {
  text_t text = {0};
  const bench_limits_t *has = &b->s->on.limits;
  write_kernel(&text, b);
  int rc = bench_open(&b->bench, &b->s->on, &text, err);
  if (rc == 0 && !(b->out = bench_alloc(&b->bench, (uint64_t)has->sms * 8, BENCH_DEVICE, err)))
    rc = -1;
  const char *name = b->threads == 1 ? "1 thread a block" : "8 threads a block";
  if (rc == 0) rc = bandwidth_curve(has, plot, name, has->sms, rate_of_all, b, r, err);
  if (rc == 0) rc = rate_of_cluster(b, cluster, err);
  bench_close(&b->bench);
  return rc;
}

int constants_bandwidth(study_t *s, uint32_t line, uint64_t l2, uint64_t l3, mrpb_err_t *err) {
  const config_t *c = study_known(s);
  band_t b = {.s = s, .line = line, .threads = BAND_THREADS};
  bandwidth_t r;
  double cluster = 0;
  micro_plot_t plot = {.title = "Bandwidth of the L3 of constants (004 Figure 16)",
                       .xlabel = "blocks",
                       .ylabel = "from the L3 to all blocks [bytes/cycle]"};
  b.lines = (uint32_t)(l3 / s->on.limits.cluster / b.line / BAND_THREADS * BAND_THREADS);
  if ((uint64_t)b.lines * b.line <= l2) return 0; /* the L2 would hold it all */
  if (s->on.limits.by_cluster && s->on.limits.sms % s->on.limits.cluster) {
    study_row_words(s, "L3 bandwidth", "not measured", NULL, "clusters of different sizes");
    return 0;
  }
  int rc = measure(&b, &r, &cluster, &plot, err);
  b.threads = 1;
  if (rc == 0) rc = measure(&b, &r, &cluster, &plot, err);
  if (rc != 0) return micro_plot_free(&plot), -1;
  bandwidth_rows(s, &r, cluster, "a warp awaits one line at a time; within 3 %");
  if (cluster > 0)
    study_row_within(s, "L3 bandwidth of a cluster", "bytes/cycle", cluster,
                     c->cluster_port / 100.0, 0.03 * cluster, "all SMs of one; within 3 %");
  return study_plot(s, "constants-figure16", &plot, err);
}
