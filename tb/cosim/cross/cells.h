/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of (entry x state x event): for each entry of a module's table, the states that the entry
 * can be in and the events that can happen to it in that state. Cells are counted in every cycle of
 * a co-simulation, as the crosses are (cosim/cross/cross.h). The table of a module is in
 * cells_<stem>.c. A kind of cell that cannot be reached has a reason here; if such a cell is
 * reached, the reason is wrong. docs/verify/coverage.md */
#ifndef COSIM_CELLS_H
#define COSIM_CELLS_H

#include "cosim/cross/cross.h"
#include "err.h"

enum { CELLS_STATES = 16, CELLS_EVENTS = 16 };

/* `cells` is "state, event", with `|` and `*` as in cross_gap_t. `when` says for which sizes the
 * gap holds (NULL: all). */
typedef struct {
  const char *cells;
  bool (*when)(const uint32_t *cfg);
  const char *reason;
} cells_gap_t;

typedef struct cells cells_t;

typedef struct {
  const char *stem, *entry;                                        /* what an entry is called */
  const char *states[CELLS_STATES + 1], *events[CELLS_EVENTS + 1]; /* NULL at the end */
  uint32_t (*entries)(const uint32_t *cfg);                        /* how many can be reached */
  const cells_gap_t *gaps;
  unsigned n_gaps;
  /* Calls cells_count for every event of this cycle. */
  void (*sample)(const cross_cycle_t *c, cells_t *cells);
} cells_class_t;

/* Returns the table of a module, or NULL if it has none. */
const cells_class_t *cells_class(const char *stem);

/* Returns 0, or -1 and a message in err. Call cells_close also after a failure; it accepts NULL. */
int cells_open(cells_t **out, const cells_class_t *cls, const uint32_t *cfg, mrpb_err_t *err);
void cells_close(cells_t *cells);

void cells_count(cells_t *cells, uint32_t entry, unsigned state, unsigned event);
void cells_sample(cells_t *cells, const cross_cycle_t *c);

/* Returns why no entry at these sizes can see that event in that state, or NULL if one can. */
const char *cells_reason(const cells_class_t *cls, const uint32_t *cfg, unsigned state,
                         unsigned event);

/* The number of cells that can be reached, the number of those that were reached, and the kinds of
 * cells that were reached although they have a reason. */
typedef struct {
  uint64_t cells, hit;
  unsigned wrong;
} cells_verdict_t;

/* Prints a line for each kind of cell that was reached although it has a reason. With `list`, it
 * also prints a line for each kind that can be reached, with the entries that miss it. */
cells_verdict_t cells_judge(const cells_t *cells, bool list, FILE *out);

/* Writes the tables of docs/verify/coverage.md. */
void cells_markdown(const cells_class_t *cls, FILE *out);

#endif
