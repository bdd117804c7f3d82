/* SPDX-License-Identifier: Apache-2.0 */
/* Error outputs must have been seen raised, on both sides. Where no input can do that to hardware
 * that is right, a run ends with faults: bits of a memory flip, the same on both sides. They are no
 * inputs: they are neither recorded nor shrunk. docs/verify/one_model.md */
#ifndef COSIM_FAULT_H
#define COSIM_FAULT_H

#include "cosim/lockstep/lockstep.h"
#include "prng.h"

#include <stdio.h>

enum { FAULT_CYCLES = 12288, FAULT_SHARE = 8, FAULT_MAX = 8 };

typedef struct {
  const char *name, *doc;
  bool (*possible)(const uint32_t *cfg); /* NULL: always */
  /* The error shows in this cycle, and nothing else can be why. */
  bool (*seen)(const uint64_t *in, const uint64_t *out);
} fault_bin_t;

typedef struct {
  const char *stem, *memory; /* the register that is hit */
  /* Changes the inputs of a cycle towards what errors need; `*aim` is its own. */
  void (*offer)(prng_t *rng, unsigned *aim, const uint32_t *cfg, const void *model, uint64_t *in);
  unsigned n_bins;
  const fault_bin_t *bins;
} fault_class_t;

/* The faults of a module, NULL if it needs none. */
const fault_class_t *fault_class(const char *stem);

typedef struct {
  const fault_class_t *cls;
  unsigned memory; /* index of the register */
  uint64_t first;  /* cycle from which on there are faults, `cycles` of them */
  uint64_t cycles;
  unsigned aim;
  prng_t rng;
  unsigned n_errors, error[MODULE_MAX_PORTS], error_word[MODULE_MAX_PORTS]; /* outputs *_err_o */
  uint64_t raised[MODULE_MAX_PORTS], seen[FAULT_MAX];
} faults_t;

/* For a run of `cycles` cycles behind the reset. */
void fault_start(faults_t *f, const lockstep_t *ls, uint64_t cycles, uint64_t seed);
/* There are faults in the cycle that comes. */
bool fault_now(const faults_t *f, const lockstep_t *ls);
/* Flips some bits and changes the inputs of the cycle, before lockstep_comb. */
void fault_make(faults_t *f, lockstep_t *ls, uint64_t *in);
/* Counts errors, between comb and edge. */
void fault_count(faults_t *f, const lockstep_t *ls, bool now);
/* Names what was not seen, and lists all if asked to: false if something was missing. Adds to the
 * numbers of bins. */
bool fault_judge(const faults_t *f, const lockstep_t *ls, bool list, FILE *out, unsigned *hit,
                 unsigned *possible);

#endif
