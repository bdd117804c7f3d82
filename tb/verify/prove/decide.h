/* SPDX-License-Identifier: Apache-2.0 */
/* Decides whether a literal of a graph can be true, by berkeley-abc, by cadical, or by both
 * independently. */
#ifndef PROVE_DECIDE_H
#define PROVE_DECIDE_H

#include "err.h"
#include "verify/prove/aig.h"

typedef enum {
  DECIDE_NEVER,
  DECIDE_TRUE,
  DECIDE_UNKNOWN,
  DECIDE_NO_TOOL,
  DECIDE_DISAGREE /* one says never, the other has (or claims) a case */
} decide_t;

/* ABC reads an AIGER file with one output; cadical reads clauses with a cube for each literal. The
 * two paths use different writers and solvers and share only the graph. */
typedef enum { ENGINE_ABC, ENGINE_CADICAL, ENGINE_BOTH } engine_t;

typedef struct {
  aig_t *g;         /* "any of them" is added to this graph */
  const lit_t *bad; /* can one of these be true? */
  uint32_t n_bad;
  const char *temp; /* folder for files */
  unsigned seconds; /* for each engine */
  engine_t engine;
  void (*doing)(void *context, const char *what, unsigned seconds);
  void *context; /* `doing` (may be NULL) is told what begins, and its time limit if it has one */
} question_t;

/* Parses "abc", "cadical" or "both". Returns 0, or -1 and a message in err for any other name. */
int decide_engine(engine_t *engine, const char *name, mrpb_err_t *err);
/* "ABC", "cadical", "ABC and cadical". */
const char *decide_name(engine_t engine);

/* `cex` (a byte for each variable of the graph) receives an assignment that makes one of `bad`
 * true, checked on the graph itself; `ands` receives the size of the question. With ENGINE_BOTH the
 * result is DECIDE_NEVER only if both engines say so, and DECIDE_TRUE if one has a case and the
 * other does not contradict it. All results but the first two come with a message in err. */
decide_t decide_question(const question_t *q, uint8_t *cex, uint32_t *ands, mrpb_err_t *err);

#endif
