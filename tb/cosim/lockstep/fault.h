/* SPDX-License-Identifier: Apache-2.0 */
/* Every error output must be seen raised on both sides. Where no input can raise one in correct
 * hardware, a run ends with faults: bits of a memory flip, the same bits on both sides. Faults are
 * not inputs, so they are neither recorded nor shrunk. docs/verify/one_model.md */
#ifndef COSIM_FAULT_H
#define COSIM_FAULT_H

#include "cosim/lockstep/lockstep.h"
#include "prng.h"

#include <stdio.h>

enum { FAULT_CYCLES = 12288, FAULT_SHARE = 8, FAULT_MAX = 8 };

typedef struct {
  const char *name, *doc;
  bool (*possible)(const uint32_t *cfg); /* NULL: always */
  /* The error shows in this cycle, and nothing but the fault can be its cause. */
  bool (*seen)(const uint64_t *in, const uint64_t *out);
} fault_bin_t;

typedef struct {
  const char *stem, *memory; /* the register whose bits flip */
  /* Changes the inputs of a cycle towards those that raise errors. `*aim` is the function's own
   * state. */
  void (*offer)(prng_t *rng, unsigned *aim, const uint32_t *cfg, const void *model, uint64_t *in);
  unsigned n_bins;
  const fault_bin_t *bins;
} fault_class_t;

typedef struct {
  const fault_class_t *cls;
  unsigned memory; /* index of the register */
  uint64_t first;  /* faults begin at this cycle and last `cycles` cycles */
  uint64_t cycles;
  unsigned aim;
  prng_t rng;
  unsigned n_errors, error[MODULE_MAX_PORTS], error_word[MODULE_MAX_PORTS]; /* outputs *_err_o */
  uint64_t raised[MODULE_MAX_PORTS], seen[FAULT_MAX];
} faults_t;

/* For a run of `cycles` cycles after the reset. */
void fault_start(faults_t *f, const lockstep_t *ls, uint64_t cycles, uint64_t seed);
/* True if the coming cycle has faults. */
bool fault_now(const faults_t *f, const lockstep_t *ls);
/* Flips some bits and changes the inputs of the cycle. Call it before lockstep_comb. */
void fault_make(faults_t *f, lockstep_t *ls, uint64_t *in);
/* Counts errors. Call it between comb and edge. */
void fault_count(faults_t *f, const lockstep_t *ls, bool now);
/* Names the errors and bins that were not seen; with `list`, lists them all. Adds to the numbers of
 * bins. Returns false if something was missing. */
bool fault_judge(const faults_t *f, const lockstep_t *ls, bool list, FILE *out, unsigned *hit,
                 unsigned *possible);

#endif
