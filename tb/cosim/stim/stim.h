/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, functional bins and readable transactions of one module. Stimulus is constrained random
 * in phases of different densities, with directed sequences among them; it may look at the C model,
 * never at the Verilog, so one seed always gives one run. Each source of requests draws from its
 * own stream. */
#ifndef STIM_H
#define STIM_H

#include "module.h"
#include "prng.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Something that must have happened in a run. `possible` (NULL: always) says for which sizes it
 * can; where it cannot, its happening fails the run, as does its not happening where it can. */
typedef struct {
  const char *name;
  const char *doc;
  bool (*possible)(const uint32_t *cfg);
} bin_t;

enum { STIM_MAX_BINS = 48, STIM_TEXT = 256 };

typedef struct {
  const char *stem;
  size_t size; /* of the stimulus state */
  void (*start)(void *state, const uint32_t *cfg, uint64_t seed);
  /* Fills all input words for the next cycle. */
  void (*next)(void *state, const void *model, uint64_t *in);
  /* Bit b: bin b happens in this cycle (C model before the edge). */
  uint64_t (*sample)(void *state, const void *model, const uint64_t *in, const uint64_t *out);
  /* Something happens in this cycle that a reader of the last transactions wants to see. */
  bool (*active)(const uint64_t *in);
  /* This cycle as one line of at most STIM_TEXT - 1 characters. */
  void (*describe)(const uint32_t *cfg, const uint64_t *in, const uint64_t *out, char *text);
  /* How full the tables are, one line. */
  void (*occupancy)(const uint32_t *cfg, const void *model, char *text);
  const bin_t *bins;
  unsigned n_bins;
  /* As much as can happen in every cycle, until it is off again: for counts that need a long time
   * (cosim/stim/tempo.h). NULL: the phases of `next` will do. */
  void (*rush)(void *state, bool on);
} stim_class_t;

/* The stimulus of a module, NULL if there is none. */
const stim_class_t *stim_class(const char *stem);

extern const stim_class_t stim_queue_selector, stim_fifo_bank, stim_drain_selector,
    stim_flush_control, stim_order_check, stim_mrpb, stim_mshr, stim_prt;

/* Appends to a text of STIM_TEXT bytes; cuts it when full. */
void stim_say(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A phase: how likely each source is to act, drawn anew when it ends. */
typedef struct {
  prng_t rng;
  uint32_t left;
  uint32_t kind;
  uint32_t more, early; /* of resets: how many of a train are left; it may come once left < early */
  bool rush;            /* of phases: their kind does not change */
} stim_phase_t;

/* Counts the phase down; true when a new one has begun, of a kind 0..kinds-1 and of 16 to `longest`
 * cycles. */
bool stim_phase(stim_phase_t *phase, uint32_t kinds, uint32_t longest);

/* For `rush`: the next phases are of this kind, or, off, of any. */
void stim_rush(stim_phase_t *phase, uint32_t kind, bool on);

/* A reset in the middle: 1 normally, 0 for one to three cycles. They come in trains: 4,000 to
 * 12,000 cycles without one, in which large tables fill up, then eight to fifteen, 16 to some
 * hundred cycles apart. */
uint64_t stim_rst_n(stim_phase_t *reset);
/* In a train, 16 cycles after the last one or later: a reset may come early, if stim_rst_now says
 * so, in the next stim_rst_n. */
static inline bool stim_rst_open(const stim_phase_t *reset) {
  return reset->left < reset->early && reset->left > reset->kind;
}
static inline void stim_rst_now(stim_phase_t *reset) {
  reset->left = reset->kind;
}

/* An index into `n` things, now and then (1 in 64) any value of its width, so also one out of
 * range. */
uint64_t stim_index(prng_t *rng, uint32_t n, unsigned width);

/* `value`, or, about once in 32 values, one from the edge of what `width` bits can be (1 to 64): no
 * bit, every bit, every second one, all but one, one alone, the outermost ones rather than others.
 * Which one it is is taken from `value` itself, which is to be random. */
uint64_t stim_edge(uint64_t value, unsigned width);
/* The same always: an edge. */
uint64_t stim_at_edge(uint64_t value, unsigned width);

/* Pairs of warp and block that have come up: bit w of seen[k] is warp w with block (w + k) % 64. */
enum { STIM_PAIRS = 64 * 64 };
typedef struct {
  uint64_t seen[64];
  uint32_t n;
} stim_pairs_t;

static inline void stim_pair(stim_pairs_t *pairs, uint64_t warp, uint64_t block) {
  uint64_t *seen = &pairs->seen[(block - warp) & 63];
  pairs->n += !(*seen >> (warp & 63) & 1);
  *seen |= UINT64_C(1) << (warp & 63);
}

/* For `possible`: a rule that must never be broken. */
bool stim_never(const uint32_t *cfg);

/* Sums of bins are kept in counts[STIM_MAX_BINS]. */
static inline void stim_count(uint64_t *counts, uint64_t bins) {
  for (; bins; bins &= bins - 1) counts[__builtin_ctzll(bins)]++;
}

#endif
