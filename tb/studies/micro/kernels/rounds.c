/* SPDX-License-Identifier: Apache-2.0 */
/* See rounds.h. Each kernel runs n rounds and 2 n rounds. The difference cancels the start and end
 * of a launch; the difference between two lengths of a round cancels the rest of the round. */
#include "studies/micro/kernels/rounds.h"

enum { ROUNDS = 64, PAIR = 2, REGS = 16, WORD = 4 };

/* Pairs in a round, for two lengths. An H100 takes 20 cycles more for a round of some 30
 * instructions or more, so these have fewer. */
enum { SUMS_FEW = 4, SUMS_MANY = 8, TESTED_FEW = 1, TESTED_MANY = 3 };

/* One pair of a round: sums that no compiler can compute in advance. */
static void write_pair(text_t *t) {
  text_add(t, "  add.u32 %%r6, %%r6, %%r4;\n  xor.b32 %%r6, %%r6, %%r3;\n");
}

/* The same pair, with a never-taken branch on each sum. */
static void write_tested(text_t *t) {
  static const char *const sum[] = {"add.u32 %r6, %r6, %r4", "xor.b32 %r6, %r6, %r3"};
  for (unsigned i = 0; i < PAIR; i++)
    text_add(t, "  %s;\n  setp.eq.u32 %%p2, %%r6, %%r5;\n  @%%p2 bra END;\n", sum[i]);
}

/* A round ends in a taken branch, which tests a number of its own. */
static void write_kernel(text_t *t, const char *name, void (*write)(text_t *t), unsigned times) {
  text_add(t,
           ".visible .entry %s%u(.param .u64 p_out, .param .u32 p_n, .param .u32 p_step,\n"
           "  .param .u32 p_never)\n.maxntid 32, 1, 1\n{\n  .reg .pred %%p<3>;\n"
           "  .reg .b32 %%r<9>;\n  .reg .b64 %%rd<2>;\n  ld.param.u64 %%rd1, [p_out];\n"
           "  ld.param.u32 %%r2, [p_n];\n  ld.param.u32 %%r4, [p_step];\n"
           "  ld.param.u32 %%r5, [p_never];\n  mov.u32 %%r3, 0;\n  mov.u32 %%r6, 0;\n"
           "  mov.u32 %%r7, %%clock;\n.pragma \"nounroll\";\nROUND:\n",
           name, times);
  for (unsigned i = 0; i < times; i++) write(t);
  text_add(t, "  add.u32 %%r3, %%r3, 1;\n  setp.lt.u32 %%p1, %%r3, %%r2;\n  @%%p1 bra ROUND;\n"
              "  setp.eq.u32 %%p2, %%r6, %%r5;\n  @%%p2 bra END;\n  mov.u32 %%r8, %%clock;\n"
              "  sub.u32 %%r8, %%r8, %%r7;\n  st.global.u32 [%%rd1], %%r8;\nEND:\n  ret;\n}\n");
}

typedef struct {
  bench_t bench;
  uint64_t out;
} loops_t;

static int open(loops_t *r, const bench_gpu_t *gpu, mrpb_err_t *err) {
  text_t text = {0};
  *r = (loops_t){.out = 0};
  text_add(&text, ".version 6.0\n.target sm_50\n.address_size 64\n");
  write_kernel(&text, "sums", write_pair, SUMS_FEW);
  write_kernel(&text, "sums", write_pair, SUMS_MANY);
  write_kernel(&text, "tested", write_tested, TESTED_FEW);
  write_kernel(&text, "tested", write_tested, TESTED_MANY);
  if (bench_open(&r->bench, gpu, &text, err) != 0) return -1;
  r->out = bench_alloc(&r->bench, WORD, BENCH_DEVICE, err);
  return r->out ? 0 : -1;
}

/* The quickest of as many launches as the GPU's noise requires, after a first launch that fills the
 * instruction caches. */
static int launch(loops_t *r, const char *kernel, uint32_t n, uint32_t *cycles, mrpb_err_t *err) {
  const bench_launch_t l = {.kernel = kernel,
                            .blocks = 1,
                            .threads = WARP_LANES,
                            .regs = REGS,
                            .n_args = 4,
                            .arg = {r->out, n, 3, BENCH_NEVER}};
  if (bench_quickest(&r->bench, &l, r->out, 1, cycles, err) != 0) return -1;
  return bench_quickest(&r->bench, &l, r->out, r->bench.gpu.limits.repeats, cycles, err);
}

/* Cycles of a round. */
static int round_of(loops_t *r, const char *name, unsigned times, double *cycles, mrpb_err_t *err) {
  char kernel[16];
  uint32_t once, twice;
  snprintf(kernel, sizeof kernel, "%s%u", name, times);
  if (launch(r, kernel, ROUNDS, &once, err) != 0 || launch(r, kernel, 2 * ROUNDS, &twice, err) != 0)
    return -1;
  *cycles = ((double)twice - once) / (double)ROUNDS;
  return 0;
}

int rounds_measure(const bench_gpu_t *gpu, rounds_t *of, mrpb_err_t *err) {
  loops_t r;
  double few, many, shortest, longest;
  int rc = open(&r, gpu, err);
  if (rc == 0) rc = round_of(&r, "sums", SUMS_FEW, &few, err);
  if (rc == 0) rc = round_of(&r, "sums", SUMS_MANY, &many, err);
  if (rc == 0) rc = round_of(&r, "tested", TESTED_FEW, &shortest, err);
  if (rc == 0) rc = round_of(&r, "tested", TESTED_MANY, &longest, err);
  bench_close(&r.bench);
  if (rc != 0) return -1;
  of->add = (many - few) / (SUMS_MANY - SUMS_FEW) / (double)PAIR;
  /* Setting a predicate takes as long as a sum. */
  of->passed = (longest - shortest) / (TESTED_MANY - TESTED_FEW) / (double)PAIR - 2 * of->add;
  of->taken = shortest - TESTED_FEW * PAIR * (of->passed + 2 * of->add) - 2 * of->add;
  return 0;
}
