/* SPDX-License-Identifier: Apache-2.0 */
/* The single-warp measurements of docs/sm.md: one warp on one SM, so that each latency is visible
 * in isolation. micro-chain-*: dependent loads through an array of indices. micro-lines-*,
 * micro-stride-*: 32 lanes repeatedly load from the given number of lines, or each lane from its
 * own line at the given distance. The last index of every lane is stored and checked. */
#include "workload/programs/program.h"

enum { STEPS = 4096, ROUNDS = 512, LANES = WARP_LANES };

typedef struct {
  uint64_t a, out;
  uint32_t step, wrap;    /* chain: distance of links in elements, and where they wrap */
  uint32_t lines, stride; /* rounds: lines that lanes use, and elements between them */
  uint32_t rounds;
  bool done;
} micro_t;

static int alloc(micro_t *m, const program_host_t *h, uint64_t n, mrpb_err_t *err) {
  m->a = program_alloc(h, "a", n, sizeof(int32_t), err);
  m->out = m->a ? program_alloc(h, "out", LANES, sizeof(int32_t), err) : 0;
  return m->out ? 0 : -1;
}

/* Links at 0, step, 2 step ...; with a step of 0 the chain stays at element 0. */
static int open_chain(micro_t *m, const program_host_t *h, uint32_t step, uint32_t wrap,
                      mrpb_err_t *err) {
  uint32_t n = wrap ? wrap : step * STEPS + 1;
  *m = (micro_t){.step = step, .wrap = n, .rounds = program_cut(h, STEPS)};
  if (alloc(m, h, n, err) != 0) return -1;
  int32_t *a = memory_at(h->memory, m->a, n * sizeof *a);
  for (uint32_t i = 0; step && i < n; i += step) a[i] = (int32_t)((i + step) % n);
  return 0;
}

static int open_rounds(micro_t *m, const program_host_t *h, uint32_t lines, uint32_t bytes,
                       mrpb_err_t *err) {
  *m = (micro_t){.lines = lines, .stride = bytes / 4, .rounds = program_cut(h, ROUNDS)};
  return alloc(m, h, lines * m->stride, err);
}

static bool micro_next(void *state, const program_host_t *h, simt_launch_t *l) {
  micro_t *m = state;
  if (m->done) return false;
  m->done = true;
  program_launch(h, l, m->lines ? "micro_rounds" : "micro_chain", 1, 1, LANES, 1, 16);
  simt_param(l, 0, m->a);
  simt_param(l, 1, m->out);
  simt_param(l, 2, m->rounds);
  if (m->lines) {
    simt_param(l, 3, m->lines - 1);
    simt_param(l, 4, m->stride);
  }
  return true;
}

static double micro_progress(const void *state, const program_host_t *h) {
  const micro_t *m = state;
  (void)h;
  return m->done;
}

static int micro_check(void *state, const program_host_t *h, mrpb_err_t *err) {
  const micro_t *m = state;
  int32_t want[LANES];
  for (uint32_t lane = 0; lane < LANES; lane++)
    want[lane] = m->lines ? (int32_t)((lane & (m->lines - 1)) * m->stride)
                          : (int32_t)((uint64_t)m->rounds * m->step % m->wrap);
  return program_compare_i32(h, "out", m->out, want, LANES, err);
}

#define MICRO(id, text, about, ...)                                                                \
  static int id##_open(void *state, const program_host_t *h, mrpb_err_t *err) {                    \
    return __VA_ARGS__;                                                                            \
  }                                                                                                \
  extern const program_t program_##id;                                                             \
  const program_t program_##id = {.name = text,                                                    \
                                  .suite = "micro",                                                \
                                  .type = "",                                                      \
                                  .doc = about,                                                    \
                                  .ptx_a = "micro/micro.ptx",                                      \
                                  .state_bytes = sizeof(micro_t),                                  \
                                  .open = id##_open,                                               \
                                  .next = micro_next,                                              \
                                  .progress = micro_progress,                                      \
                                  .check = micro_check,                                            \
                                  .takes_cut = true};
MICRO(micro_chain_l1, "micro-chain-l1", "one warp, dependent loads that hit the L1D",
      open_chain(state, h, 0, 0, err))
MICRO(micro_chain_l2, "micro-chain-l2", "one warp, dependent loads that hit the L2",
      open_chain(state, h, 1024, 16384, err))
MICRO(micro_chain_dram, "micro-chain-dram", "one warp, dependent loads that hit open DRAM rows",
      open_chain(state, h, 32, 0, err))
MICRO(micro_lines_1, "micro-lines-1", "one warp, 32 lanes in 1 line, L1D hits",
      open_rounds(state, h, 1, 128, err))
MICRO(micro_lines_8, "micro-lines-8", "one warp, 32 lanes in 8 lines, L1D hits",
      open_rounds(state, h, 8, 128, err))
MICRO(micro_lines_16, "micro-lines-16", "one warp, 32 lanes in 16 lines, L1D hits",
      open_rounds(state, h, 16, 128, err))
MICRO(micro_lines_32, "micro-lines-32", "one warp, 32 lanes in 32 lines, L1D hits",
      open_rounds(state, h, 32, 128, err))
MICRO(micro_stride_1k, "micro-stride-1k",
      "one warp, 32 lines 1 KB apart: 8 in each of 4 sets of Base-S",
      open_rounds(state, h, 32, 1024, err))
MICRO(micro_stride_4k, "micro-stride-4k", "one warp, 32 lines 4 KB apart: all in one set of Base-S",
      open_rounds(state, h, 32, 4096, err))
