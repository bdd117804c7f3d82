/* SPDX-License-Identifier: Apache-2.0 */
/* Stimulus, functional bins and readable transactions of one module. Stimulus is constrained random
 * in phases of different densities, with directed sequences among them. It may read the C model but
 * never the Verilog, so a seed always gives the same run. Each source of requests draws from its
 * own random stream. */
#ifndef STIM_H
#define STIM_H

#include "module.h"
#include "prng.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* An event that must happen in a run. `possible` says for which sizes it can (NULL: all). A run
 * fails if the event does not happen where it can, or happens where it cannot. */
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
  /* Bit b is set if bin b happens in this cycle (C model before the edge). */
  uint64_t (*sample)(void *state, const void *model, const uint64_t *in, const uint64_t *out);
  /* Whether a reader of the last transactions wants to see this cycle. */
  bool (*active)(const uint64_t *in);
  /* Describes this cycle in one line of at most STIM_TEXT - 1 characters. */
  void (*describe)(const uint32_t *cfg, const uint64_t *in, const uint64_t *out, char *text);
  /* Describes in one line how full the tables are. */
  void (*occupancy)(const uint32_t *cfg, const void *model, char *text);
  const bin_t *bins;
  unsigned n_bins;
  /* Makes as much as possible happen in every cycle, until it is switched off: for counters that
   * need a long time to fill (cosim/stim/tempo.h). NULL: the phases of `next` suffice. */
  void (*rush)(void *state, bool on);
} stim_class_t;

/* Returns the stimulus of a module, or NULL if it has none. */
const stim_class_t *stim_class(const char *stem);

/* Appends to a text of STIM_TEXT bytes, and cuts it when full. */
void stim_say(char *text, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A phase: how likely each source is to act. Drawn anew when it ends. */
typedef struct {
  prng_t rng;
  uint32_t left;
  uint32_t kind;
  uint32_t more, early; /* for resets: those left in a train; one may come once left < early */
  bool rush;            /* for phases: their kind is fixed */
} stim_phase_t;

/* Counts the phase down. Returns true when a new one has begun, of a kind 0..kinds-1 and of 16 to
 * `longest` cycles. */
bool stim_phase(stim_phase_t *phase, uint32_t kinds, uint32_t longest);

/* For `rush`: on, the next phases are of this kind; off, of any kind. */
void stim_rush(stim_phase_t *phase, uint32_t kind, bool on);

/* Draws a reset in the middle of a run: 1 normally, 0 for one to three cycles. Resets come in
 * trains: 4,000 to 12,000 cycles without one, in which large tables fill up, then eight to fifteen
 * resets, 16 to some hundred cycles apart. */
uint64_t stim_rst_n(stim_phase_t *reset);
/* In a train, from 16 cycles after the last reset on, stim_rst_now can make a reset come early, in
 * the next stim_rst_n. */
static inline bool stim_rst_open(const stim_phase_t *reset) {
  return reset->left < reset->early && reset->left > reset->kind;
}
static inline void stim_rst_now(stim_phase_t *reset) {
  reset->left = reset->kind;
}

/* An index into `n` things; now and then (1 in 64) any value of its width, possibly out of
 * range. */
uint64_t stim_index(prng_t *rng, uint32_t n, unsigned width);

/* A choice without a branch. A processor guesses a random branch wrongly half of the time, and loses
 * more than both sides cost. */
static inline uint64_t stim_choose(bool first, uint64_t a, uint64_t b) {
  return b ^ ((a ^ b) & -(uint64_t)first);
}

/* Looks at `tries` things in turn, from a random one of `n` on. Returns the first whose bit is set in
 * `set`, or else the one after the last. */
uint32_t stim_pick(prng_t *rng, const uint64_t *set, uint32_t n, uint32_t tries);

/* Returns `value` or, about once in 32 values, a corner value of `width` bits (1 to 64): no bit,
 * every bit, every second bit, all but one, or a single bit, preferring the outermost bits. The
 * choice is derived from `value`, which must be random. */
uint64_t stim_edge(uint64_t value, unsigned width);
/* Always returns a corner value. */
uint64_t stim_at_edge(uint64_t value, unsigned width);

/* Pairs of warp and block that have occurred: bit w of seen[k] is warp w with block (w + k) %
 * 64. */
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

/* For `possible`, of a rule that must never be broken. */
bool stim_never(const uint32_t *cfg);

/* How often each bin was hit. Eight counters of a byte share a word of `lately`, so that a cycle costs
 * the same whatever it hits; they are added up before one of them could overflow. */
typedef struct {
  uint64_t before[STIM_MAX_BINS];
  uint64_t lately[STIM_MAX_BINS / 8];
  unsigned cycles; /* in `lately` */
} stim_hits_t;

static inline uint64_t stim_hits(const stim_hits_t *hits, unsigned bin) {
  return hits->before[bin] + (hits->lately[bin / 8] >> bin % 8 * 8 & UINT8_MAX);
}
/* Adds up `lately`. */
void stim_hits_reduce(stim_hits_t *hits);
/* Counts the bins of a cycle. */
static inline void stim_count(stim_hits_t *hits, uint64_t bins) {
  const uint64_t each = UINT64_C(0x0101010101010101), own = UINT64_C(0x8040201008040201);
  for (unsigned k = 0; k < STIM_MAX_BINS / 8; k++) {
    const uint64_t spread = (bins >> 8 * k & UINT8_MAX) * each & own; /* bit b stays in byte b */
    hits->lately[k] += (spread + 127 * each) >> 7 & each;
  }
  if (++hits->cycles == UINT8_MAX) stim_hits_reduce(hits);
}

#endif
