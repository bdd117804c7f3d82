/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks that do one thing over and over, each timed by its first warp from the time when all its
 * warps have begun to the time when all have ended: how much of it a cycle. Where a thread accesses
 * is set by the launch, so that one text serves for streams, caches and banks.
 * docs/micro/rates.md */
#ifndef MICRO_KERNEL_RATE_H
#define MICRO_KERNEL_RATE_H

#include "studies/micro/kernels/bench.h"

/* RATE_<id>, the number of instructions of a round that count, what each of them is, its macro in
 * rate.ptx. Global loads and stores: 4 or 16 bytes a lane; past the L1D (cg) where so named. */
#define RATE_FORMS(FORM)                                                                           \
  FORM(INT, 32, "add.u32, xor.b32", "integers")                                                    \
  FORM(MAD, 32, "mad.lo.u32", "chains mad.lo.u32 i")                                               \
  FORM(F32, 32, "fma.rn.f32", "chains fma.rn.f32 f")                                               \
  FORM(F64, 32, "fma.rn.f64", "chains fma.rn.f64 d")                                               \
  FORM(SFU, 32, "ex2.approx.f32", "exponents")                                                     \
  FORM(BARRIER, 8, "bar.sync", "barriers")                                                         \
  FORM(LD_SHARED, 8, "ld.shared.u32", "shared_loads")                                              \
  FORM(LD_SHARED4, 4, "ld.shared.v4.u32", "shared_loads4")                                         \
  FORM(ST_SHARED, 8, "st.shared.u32", "shared_stores")                                             \
  FORM(ATOM_SHARED, 8, "atom.shared.add.u32", "shared_atoms")                                      \
  FORM(LD, 8, "ld.global.u32", "loads ld.global")                                                  \
  FORM(LD4, 4, "ld.global.v4.u32", "loads4 ld.global")                                             \
  FORM(CG4, 4, "ld.global.cg.v4.u32", "loads4 ld.global.cg")                                       \
  FORM(ST, 8, "st.global.u32", "stores st.global")                                                 \
  FORM(ST4, 4, "st.global.v4.u32", "stores4")                                                      \
  FORM(RED, 8, "red.global.add.u32", "stores red.global.add")                                      \
  FORM(MIX1, 4, "four ld.global.v4.u32, one st.global.v4.u32", "mix 1")                            \
  FORM(MIX2, 4, "four ld.global.v4.u32, two st.global.v4.u32", "mix 2")                            \
  FORM(MIX4, 4, "four ld.global.v4.u32, four st.global.v4.u32", "mix 4")                           \
  FORM(RANDOM, 4, "ld.global.u32 of a sector at random", "random")
typedef enum {
#define FORM(id, ...) RATE_##id,
  RATE_FORMS(FORM)
#undef FORM
      RATE_FORMS_ALL
} rate_form_t;

enum {
  RATE_REGS = 48,
  RATE_MOST_BLOCKS = 256,
  RATE_CODES = 6,
  RATE_SHARED = 22528 /* bytes of a block */
};

/* The first access of a thread is at lane * `lane` + warp * `warp` + ((block * `block`) & mask). The
 * next of the round is `next` further, and a round begins `step` further than the one before; what
 * passes the end of `mask` begins again. Stores of a mix go to addresses `far` further. RANDOM: a
 * sector of `mask` + 1 bytes for each lane. */
typedef struct {
  uint32_t blocks, warps, rounds;
  uint32_t lane, warp, block, next, step, mask, far;
} rate_t;

#define RATE(...) ((rate_t){__VA_ARGS__})

typedef struct {
  bench_t bench;
  uint64_t out, in;
  double last; /* of the last rate_run: until the last block ended, the highest of its launches */
} rate_bench_t;

const char *rate_name(rate_form_t form);
/* Instructions of the code_<i> kernels' loops: straight code, i < RATE_CODES. */
uint32_t rate_code(unsigned i);

/* `bytes`: of the array that global accesses are in; 0: none. Close the bench even after an error. */
void rate_open(rate_bench_t *b, const bench_gpu_t *gpu, uint64_t bytes);
/* The number of counted warp instructions a cycle, the sum over the blocks; the highest of several
 * launches. `flushed`: each launch finds nothing in the L2. Otherwise a launch before fills the
 * caches. */
double rate_run(rate_bench_t *b, rate_form_t form, const rate_t *how, bool flushed);
/* The same for straight code. */
double rate_run_code(rate_bench_t *b, unsigned code, const rate_t *how);

#endif
