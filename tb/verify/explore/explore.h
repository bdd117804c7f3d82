/* SPDX-License-Identifier: Apache-2.0 */
/* Every reachable state of a module at a tiny size: from each of them every input is applied to the
 * C model and to the Verilog, and all outputs and registers are compared
 * (docs/verify/properties.md). Breadth first, so that a difference comes with a stimulus of the
 * fewest cycles. */
#ifndef EXPLORE_H
#define EXPLORE_H

#include "verilog/load/lib.h"
#include "cosim/vectors/vectors.h"

#include <stdbool.h>

/* EXPLORE_INPUTS: most inputs that are applied to a state. */
enum { EXPLORE_INPUTS = 1 << 16, EXPLORE_VALUES = 64 };

/* The values that a port is given; n == 0: all that its width allows. */
typedef struct {
  unsigned n;
  uint64_t value[EXPLORE_VALUES];
} explore_port_t;

typedef struct {
  const module_class_t *cls;
  uint32_t cfg[MODULE_MAX_PARAMS];
  explore_port_t port[MODULE_MAX_PORTS]; /* as the module's inputs */
  uint64_t most;                         /* states that are looked at */
  bool (*stop)(void);                    /* asked now and then; may be NULL */
} explore_job_t;

typedef enum {
  EXPLORE_EQUAL,     /* in every reachable state, for every input */
  EXPLORE_DIFFERENT, /* `path` shows it */
  EXPLORE_CUT /* equal so far: there are more than `most` states, or `stop` asked for an end */
} explore_verdict_t;

typedef struct {
  explore_verdict_t verdict;
  uint64_t inputs;      /* applied to a state */
  uint64_t states;      /* pairs of equal states that were reached */
  uint64_t done;        /* those from which every input was applied */
  uint64_t transitions; /* of which all agreed */
  uint64_t depth;       /* cycles after the first reset to the farthest state */
  vectors_t path;       /* EXPLORE_DIFFERENT: for vectors_free */
} explore_t;

/* Restricts an input of the job: "in_warp_i=0,1" (decimal or 0x...). 0, or -1 and a message. */
int explore_values(explore_job_t *job, const char *text, mrpb_err_t *err);

/* Inputs for each state; -1 and a message if there are more than EXPLORE_INPUTS. */
int64_t explore_count(const explore_job_t *job, mrpb_err_t *err);

/* 0, or -1 and a message (memory). */
int explore(explore_t *result, const explore_job_t *job, const rtl_lib_t *lib, mrpb_err_t *err);

#endif
