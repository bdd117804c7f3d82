/* SPDX-License-Identifier: Apache-2.0 */
/* Functional coverage: crosses of situations of one module, counted in every cycle of a
 * co-simulation. They are computed from the module's ports and from registers of the ports table.
 * Lockstep compares both, so a count holds for the Verilog too. The table of a module is <stem>.c.
 * A cell that no run can reach has a reason here; if such a cell is reached, the reason is wrong.
 * docs/verify/coverage.md */
#ifndef COSIM_CROSS_H
#define COSIM_CROSS_H

#include "module.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { CROSS_AXES = 3, CROSS_VALUES = 8, CROSS_MAX = 4, CROSS_CELLS = 128, CROSS_TEXT = 160 };

typedef struct {
  const char *name;
  const char *values[CROSS_VALUES + 1]; /* NULL at the end */
} cross_axis_t;

typedef struct {
  const char *name, *doc;
  cross_axis_t axes[CROSS_AXES]; /* axes without a name do not count */
} cross_t;

/* Cells that cannot be reached at any size: "read, *, full". */
typedef struct {
  const char *cross, *cells, *reason;
} cross_gap_t;

/* A cycle before its edge. value[c][a] is the value of axis a of cross c; value[c][0] = CROSS_NONE
 * says that cross c does not happen in this cycle. */
#define CROSS_NONE (-1)
typedef int8_t cross_values_t[CROSS_MAX][CROSS_AXES];

typedef struct {
  const uint32_t *cfg;
  const void *model;
  const uint64_t *in, *out;
} cross_cycle_t;

typedef struct {
  const char *stem;
  unsigned n, n_gaps;
  const cross_t *crosses;
  const cross_gap_t *gaps;
  /* Fills `value`; on entry every cross is CROSS_NONE. */
  void (*sample)(const cross_cycle_t *c, cross_values_t value);
} cross_class_t;

/* Returns the table of a module, or NULL if it has none. */
const cross_class_t *cross_class(const char *stem);

typedef struct {
  uint64_t count[CROSS_MAX][CROSS_CELLS];
} cross_counts_t;

/* cross_cells is the number of cells of a cross. cross_cell_name writes a cell's name, such as
 * "read, idle, full". cross_reason returns why the cell cannot be reached, or NULL if it must be
 * reached. */
unsigned cross_cells(const cross_t *cross);
void cross_cell_name(const cross_t *cross, unsigned cell, char text[CROSS_TEXT]);
const char *cross_reason(const cross_class_t *cls, const cross_t *cross, unsigned cell);

/* cross_matches compares a pattern such as "read, *, full" with a cell's names; "a|b" matches
 * either. cross_print_pattern prints such a pattern for people. */
bool cross_matches(const char *pattern, const char *const names[CROSS_AXES]);
void cross_print_pattern(const char *pattern, FILE *out);

/* Counts this cycle. */
void cross_count(const cross_class_t *cls, cross_counts_t *counts, const cross_cycle_t *c);

/* How full a structure is: 0 empty, 1 partly filled, 2 full. */
static inline int8_t cross_level(uint64_t n, uint64_t all) {
  return n >= all ? 2 : n > 0;
}
/* The same in four levels: 0 empty, 1 one entry, 2 more entries, 3 full. */
static inline int8_t cross_level4(uint64_t n, uint64_t all) {
  return n >= all ? 3 : n > 1 ? 2 : n == 1;
}

/* Prints every cell with its count. */
void cross_print(const cross_class_t *cls, const cross_counts_t *counts, FILE *out);

#endif
