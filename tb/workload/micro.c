/* The single-warp measurements of docs/sm.md: one warp on one SM, so that each latency shows by
 * itself. micro-chain-*: every step loads the index that the next address needs, `j = a[j]` (6
 * instructions a step). micro-lines-*, micro-stride-*: 32 lanes load again and again, `s += a[s +
 * ...]` (7 instructions), from so many lines, or each from a line of its own at that distance. All
 * as clang 14 compiles them for sm_20. */
#include "workload/kernels.h"
#include "workload/program.h"

#include <stdbool.h>

enum { STEPS = 4096, ROUNDS = 512 };

#define BASE UINT64_C(0x80000000)

typedef struct {
  const char *name, *doc;
  bool chain;
  uint64_t thread, iter, wrap; /* bytes */
  uint32_t threads;
} micro_t;

static const micro_t micros[] = {
    {"micro-chain-l1", "one warp, dependent loads that hit the L1D", true, 0, 0, 0, 0},
    {"micro-chain-l2", "one warp, dependent loads that hit the L2", true, 0, 4096, 65536, 0},
    {"micro-chain-dram", "one warp, dependent loads that hit open DRAM rows", true, 0, 128, 0, 0},
    {"micro-lines-1", "one warp, 32 lanes in 1 line, L1D hits", false, 128, 0, 0, 1},
    {"micro-lines-8", "one warp, 32 lanes in 8 lines, L1D hits", false, 128, 0, 0, 8},
    {"micro-lines-16", "one warp, 32 lanes in 16 lines, L1D hits", false, 128, 0, 0, 16},
    {"micro-lines-32", "one warp, 32 lanes in 32 lines, L1D hits", false, 128, 0, 0, 32},
    {"micro-stride-1k", "one warp, 32 lines 1 KB apart: 8 in each of 4 sets of Base-S", false, 1024,
     0, 0, 32},
    {"micro-stride-4k", "one warp, 32 lines 4 KB apart: all in one set of Base-S", false, 4096, 0,
     0, 32},
};
enum { N_MICROS = sizeof micros / sizeof *micros };

const char *kernels_micro_name(unsigned i) {
  return i < N_MICROS ? micros[i].name : NULL;
}
const char *kernels_micro_doc(unsigned i) {
  return i < N_MICROS ? micros[i].doc : NULL;
}

#define PROLOGUE OP_MOV(RD(1)), OP_MOV(R(1)), OP_MOV(R(2)), OP_MOV(R(3))
#define LOAD                                                                                       \
  OP_LD4(R(4), RD(3), .base = BASE, .thread = m->thread, .iter = m->iter, .wrap = m->wrap,         \
         .threads = m->threads)

workload_t *kernels_micro(unsigned i, const workload_options_t *options) {
  const micro_t *m = &micros[i];
  uint32_t steps = m->chain ? STEPS : ROUNDS;
  if (options->cut && options->cut < steps) steps = options->cut;
  const program_op_t chain[] = {
      PROLOGUE,
      OP_MUL(RD(2), R(4), 0),
      OP_ADD(RD(3), RD(1), RD(2)),
      LOAD,
      OP_ADD(R(3), R(3), 0),
      OP_SIMPLE(PR(1), R(3), 0),
      OP_BRA_IF(PR(1), 4, 0, steps),
      OP_EXIT,
  };
  const program_op_t rounds[] = {
      PROLOGUE,
      OP_MUL(RD(2), R(2), 0),
      OP_ADD(RD(3), RD(1), RD(2)),
      LOAD,
      OP_ADD(R(2), R(4), R(2)),
      OP_ADD(R(3), R(3), 0),
      OP_SIMPLE(PR(1), R(3), 0),
      OP_BRA_IF(PR(1), 4, 0, steps),
      OP_EXIT,
  };
  const launch_t launch = {m->name, 1, 32, 16, 0};
  program_kernel_t k = m->chain
                           ? (program_kernel_t){launch, chain, sizeof chain / sizeof *chain}
                           : (program_kernel_t){launch, rounds, sizeof rounds / sizeof *rounds};
  return program_create(&k, 1);
}
