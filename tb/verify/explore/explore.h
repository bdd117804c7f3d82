/* SPDX-License-Identifier: Apache-2.0 */
/* Visits every reachable state of a module at a tiny size. From each state, every input is applied
 * to the C model and to the Verilog, and all outputs and registers are compared
 * (docs/verify/properties.md). The search is breadth first, so a difference comes with a stimulus
 * of the fewest cycles. */
#ifndef EXPLORE_H
#define EXPLORE_H

#include "verilog/load/lib.h"
#include "cosim/vectors/vectors.h"

#include <stdbool.h>

/* EXPLORE_INPUTS: most inputs that are applied to a state. */
enum { EXPLORE_INPUTS = 1 << 16, EXPLORE_VALUES = 64 };

/* The values that a port is given; n == 0: all values of its width. */
typedef struct {
  unsigned n;
  uint64_t value[EXPLORE_VALUES];
} explore_port_t;

typedef struct {
  const module_class_t *cls;
  uint32_t cfg[MODULE_MAX_PARAMS];
  explore_port_t port[MODULE_MAX_PORTS]; /* in the order of the module's inputs */
  uint64_t most;                         /* states that are visited */
  bool (*stop)(void);                    /* called now and then; may be NULL */
} explore_job_t;

typedef enum {
  EXPLORE_EQUAL,     /* in every reachable state, for every input */
  EXPLORE_DIFFERENT, /* `path` shows the difference */
  /* equal so far: there are more than `most` states, or `stop` ended the search */
  EXPLORE_CUT
} explore_verdict_t;

typedef struct {
  explore_verdict_t verdict;
  uint64_t inputs;      /* applied to a state */
  uint64_t states;      /* pairs of equal states that were reached */
  uint64_t done;        /* states from which every input was applied */
  uint64_t transitions; /* transitions, all of which agreed */
  uint64_t depth;       /* cycles after the first reset to the farthest state */
  vectors_t path;       /* EXPLORE_DIFFERENT: release it with vectors_free */
} explore_t;

/* Restricts an input of the job: "in_warp_i=0,1" (decimal or 0x...). Returns 0, or -1 and a message
 * in err. */
int explore_values(explore_job_t *job, const char *text, mrpb_err_t *err);

/* The number of inputs for each state; -1 and a message in err if there are more than
 * EXPLORE_INPUTS. */
int64_t explore_count(const explore_job_t *job, mrpb_err_t *err);

/* Runs the search. Returns 0, or -1 and a message in err if out of memory. */
int explore(explore_t *result, const explore_job_t *job, const rtl_lib_t *lib, mrpb_err_t *err);

#endif
