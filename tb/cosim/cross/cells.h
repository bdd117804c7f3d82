/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of (entry x state x event): for each entry of a module's table, the states that it can be in
 * and what can happen to it there, counted in every cycle of a co-simulation as the crosses are
 * (cosim/cross/cross.h). Each module's table is cells_<stem>.c. A kind of cell that cannot be has a
 * reason here, and a reason whose cell is reached is wrong. docs/verify/coverage.md */
#ifndef COSIM_CELLS_H
#define COSIM_CELLS_H

#include "cosim/cross/cross.h"
#include "err.h"

enum { CELLS_STATES = 16, CELLS_EVENTS = 16 };

/* `cells` is "state, event", with `|` and `*` as in cross_gap_t; `when` (NULL: always) says for
 * which sizes. */
typedef struct {
  const char *cells;
  bool (*when)(const uint32_t *cfg);
  const char *reason;
} cells_gap_t;

typedef struct cells cells_t;

typedef struct {
  const char *stem, *entry;                                        /* what an entry is called */
  const char *states[CELLS_STATES + 1], *events[CELLS_EVENTS + 1]; /* NULL at the end */
  uint32_t (*entries)(const uint32_t *cfg);                        /* that can be reached */
  const cells_gap_t *gaps;
  unsigned n_gaps;
  /* Calls cells_count for all that happens in this cycle. */
  void (*sample)(const cross_cycle_t *c, cells_t *cells);
} cells_class_t;

extern const cells_class_t cells_mshr, cells_prt, cells_fifo_bank;

/* The table of a module, NULL if there is none. */
const cells_class_t *cells_class(const char *stem);

/* 0, or -1 and a message. cells_close also after a failure, and with NULL. */
int cells_open(cells_t **out, const cells_class_t *cls, const uint32_t *cfg, mrpb_err_t *err);
void cells_close(cells_t *cells);

void cells_count(cells_t *cells, uint32_t entry, unsigned state, unsigned event);
void cells_sample(cells_t *cells, const cross_cycle_t *c);

/* Why an entry of these sizes is never in that state as that happens; NULL: it can. */
const char *cells_reason(const cells_class_t *cls, const uint32_t *cfg, unsigned state,
                         unsigned event);

/* Cells that can be, those that were reached, and kinds of cells with a reason that were. */
typedef struct {
  uint64_t cells, hit;
  unsigned wrong;
} cells_verdict_t;

/* Prints a line for each kind of cell that was reached although it cannot be, and, if `list`, for
 * each that can be, with the entries that lack it. */
cells_verdict_t cells_judge(const cells_t *cells, bool list, FILE *out);

/* The tables of docs/verify/coverage.md. */
void cells_markdown(const cells_class_t *cls, FILE *out);

#endif
