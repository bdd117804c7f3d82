/* SPDX-License-Identifier: Apache-2.0 */
/* Counts by instruction and by array of a run: docs/profile.md. Cores that may run in several threads
 * have one each; those of one thread may share one. They are added up at the end. */
#ifndef PROFILE_H
#define PROFILE_H

#include "base/keymap.h"
#include "err.h"
#include "parts/arrays.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PROFILE(id, ...) PROFILE_##id,
typedef enum {
#include "parts/profile.def"
  PROFILE_COLUMNS
} profile_column_t;

typedef struct {
  const char *name, *total, *unit, *meaning; /* profile.def */
  bool by_array;
} profile_about_t;

/* Latencies, with 32 steps for each power of two: a step is at most 3.2 % of its value. */
enum { PROFILE_STEP_LOG2 = 5, PROFILE_STEPS = 28 << PROFILE_STEP_LOG2 };
/* The pc of no instruction, the number of no array; of all together. */
#define PROFILE_NOWHERE UINT32_MAX
#define PROFILE_ALL (UINT32_MAX - 1)

/* A row is of an instruction, of an array, or of what an instruction did with an array. */
typedef enum { PROFILE_BY_PC, PROFILE_BY_ARRAY, PROFILE_BY_BOTH, PROFILE_KINDS } profile_by_t;

typedef struct {
  uint32_t pc, array; /* PROFILE_ALL: the row is not of one */
  uint64_t count[PROFILE_COLUMNS];
  uint32_t *latency; /* [PROFILE_STEPS]; NULL without loads */
  keymap_t words;    /* of an atomic: how many lanes have changed each word, by its address */
} profile_row_t;

/* A word that atomics change. */
typedef struct {
  uint64_t addr;
  uint32_t lanes;
} profile_word_t;
enum { PROFILE_WORDS = 4 };

typedef struct profile profile_t;
typedef struct profile_core profile_core_t;

const profile_about_t *profile_about(profile_column_t column);

/* For `cores` cores. `arrays` must outlive the profile and may grow while no core runs; NULL: none.
 * Returns 0, or -1 and a message in err; *out is NULL then. */
int profile_create(profile_t **out, unsigned cores, const arrays_t *arrays, mrpb_err_t *err);
void profile_destroy(profile_t *p);
profile_core_t *profile_core(profile_t *p, unsigned core);

/* Adds `n` to a count of the instruction at `pc`; profile_add_at: and of the array that has `addr`. */
void profile_add(profile_core_t *c, uint32_t pc, profile_column_t column, uint64_t n);
void profile_add_at(profile_core_t *c, uint32_t pc, uint64_t addr, profile_column_t column,
                    uint64_t n);
/* An atomic changes the words at `addr` of the lanes in `mask`. */
void profile_changes(profile_core_t *c, uint32_t pc, const uint64_t *addr, uint32_t mask);
/* A load has its data. */
void profile_loaded(profile_core_t *c, uint32_t pc, uint64_t addr, uint64_t cycles);

/* At the end: adds up all cores. Returns 0, or -1 and a message in err if memory ran out, now or
 * during the run. The rows stand in ascending order of their pc or array, PROFILE_NOWHERE last; the
 * arrays of an instruction begin with the one that has most of its transactions. */
int profile_sum(profile_t *p, mrpb_err_t *err);
size_t profile_rows(const profile_t *p, profile_by_t by);
const profile_row_t *profile_row(const profile_t *p, profile_by_t by, size_t i);
/* The rows PROFILE_BY_BOTH of an instruction: the first of *n; NULL if it has none. */
const profile_row_t *profile_arrays(const profile_t *p, uint32_t pc, size_t *n);

/* The latencies of the row in PROFILE_COARSE steps: how many loads are in one, and its least latency. */
enum { PROFILE_COARSE = PROFILE_STEPS >> 3 };
uint64_t profile_in_step(const profile_row_t *row, unsigned step, uint64_t *least);
/* The latency that `part` of the row's loads did not exceed, to within a step; 0 without loads.
 * 0 < part <= 1. */
uint64_t profile_quantile(const profile_row_t *row, double part);
/* The words that most lanes of the row have changed, the one with most first. Returns their number. */
unsigned profile_words(const profile_row_t *row, profile_word_t most[PROFILE_WORDS]);

#endif
