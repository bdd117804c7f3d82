/* SPDX-License-Identifier: Apache-2.0 */
/* A module alone, driven so that one kind of event happens in a long stream of counted cycles. What
 * makes room for the event happens in cycles that are not counted. docs/estimate/energy.md */
#ifndef ENERGY_BENCH_H
#define ENERGY_BENCH_H

#include "estimate/activity/activity.h"
#include "prng.h"

enum {
  ENERGY_CYCLES = 1 << 14, /* counted cycles of a scene */
  ENERGY_SPACING = 8,      /* one event in so many counted cycles */
  ENERGY_TERMS = 16,
  ENERGY_WORDS = MODULE_MAX_WORDS
};

typedef struct {
  const module_class_t *cls;
  const uint32_t *cfg;
  unit_t unit;
  activity_t *activity;
  config_t config;
  prng_t rng;
  uint64_t in[ENERGY_WORDS], idle[ENERGY_WORDS], out[ENERGY_WORDS];
  bool counting;
  uint64_t left;   /* counted cycles to go */
  uint64_t budget; /* cycles to go of any kind; a scene that needs more cannot be played */
} energy_bench_t;

/* Begins or ends a stretch of counted cycles. */
void energy_count(energy_bench_t *b, bool count);
/* Evaluates the outputs for `in`. */
void energy_look(energy_bench_t *b);
/* A clock cycle with `in`, which then becomes `idle`. */
void energy_cycle(energy_bench_t *b);
void energy_wait(energy_bench_t *b, unsigned cycles);
/* The event's cycle and the idle ones up to the next. */
void energy_event(energy_bench_t *b);
/* `bits` random bits, at most 64. */
uint64_t energy_random(energy_bench_t *b, unsigned bits);

/* What energy is asked for: an event of activity.json, or toggling bits of signals. */
typedef struct {
  const char *name;
  const char *event;      /* NULL: bits; "cycles": every cycle */
  const char *signals[6]; /* ports and registers whose bits are counted */
  /* Drives the module while left > 0, so that this happens, besides only terms that have scenes of
   * their own. Returns at once if the module cannot do it at this size. */
  void (*play)(energy_bench_t *b);
} energy_term_t;

typedef struct {
  const char *stem;
  const energy_term_t *term;
  unsigned n;
} energy_module_t;

extern const energy_module_t energy_l1_top, energy_mrpb, energy_mshr, energy_prt;
/* NULL for a module without scenes. */
const energy_module_t *energy_module(const char *stem);

/* Plays the scene of a term, and gives what was counted: the unit's object of activity.json, which
 * the caller releases; and OpenSTA's Tcl, written to `tcl` unless that is NULL. *unit is NULL if the
 * module cannot do it. Returns 0, or -1 and a message in err. */
int energy_play(const module_class_t *cls, const uint32_t *cfg, const energy_term_t *t,
                json_t **unit, FILE *tcl, mrpb_err_t *err);

/* How often the term happened according to a unit's object of activity.json. */
double energy_times(const char *stem, const energy_term_t *t, const json_t *unit);

#endif
