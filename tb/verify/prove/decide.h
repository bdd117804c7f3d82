/* SPDX-License-Identifier: Apache-2.0 */
/* Whether a literal of a graph can be true, decided by berkeley-abc, by cadical, or by each alone.
 */
#ifndef PROVE_DECIDE_H
#define PROVE_DECIDE_H

#include "err.h"
#include "verify/prove/aig.h"

typedef enum {
  DECIDE_NEVER,
  DECIDE_TRUE,
  DECIDE_UNKNOWN,
  DECIDE_NO_TOOL,
  DECIDE_DISAGREE /* one says never, the other has a case (or claims to) */
} decide_t;

/* ABC reads an AIGER file of one output, cadical clauses with a cube for each literal: two writers,
 * two solvers, nothing in common but the graph. */
typedef enum { ENGINE_ABC, ENGINE_CADICAL, ENGINE_BOTH } engine_t;

typedef struct {
  aig_t *g;         /* "any of them" is added to it */
  const lit_t *bad; /* whether one of these can be true */
  uint32_t n_bad;
  const char *temp; /* files go there */
  unsigned seconds; /* for each engine */
  engine_t engine;
  void (*doing)(void *context, const char *what, unsigned seconds);
  void *context; /* `doing` (NULL: nobody) is told what begins, and its limit if it has one */
} question_t;

/* "abc", "cadical", "both"; -1 and a message for anything else. */
int decide_engine(engine_t *engine, const char *name, mrpb_err_t *err);
/* "ABC", "cadical", "ABC and cadical". */
const char *decide_name(engine_t engine);

/* `cex` (a byte for each variable of the graph) gets an assignment that makes one of `bad` true,
 * checked in the graph itself; `ands` the size of the question. With ENGINE_BOTH it is DECIDE_NEVER
 * only if both say so, and DECIDE_TRUE if one has a case and the other does not contradict. All
 * but the first two come with a message. */
decide_t decide_question(const question_t *q, uint8_t *cex, uint32_t *ands, mrpb_err_t *err);

#endif
