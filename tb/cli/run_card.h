/* SPDX-License-Identifier: Apache-2.0 */
/* `mrpb run --gpu`: a workload on the executor and on a GPU of this machine; their memories are
 * compared after each launch. */
#ifndef RUN_CARD_H
#define RUN_CARD_H

#include "workload/workload.h"

enum { RUN_CARD_CHECK = 64 };

typedef struct {
  unsigned number;  /* number of the GPU */
  double limit;     /* time limit of a launch in seconds */
  const char *name; /* name of the workload */
  const char *json; /* also receives the result; NULL: no file */
  /* Gives the text after the result that tells of the host's own comparison; "": none. */
  const char *(*host_check)(const void *ctx, char to[RUN_CARD_CHECK]);
  /* Gives memory that may differ, for beside_loose; NULL: none. */
  bool (*loose)(const void *ctx, unsigned i, uint64_t *addr, uint64_t *bytes);
  const void *ctx; /* for both functions */
} run_card_t;

/* Prints the kernels and their times. Returns an exit code; errors have been printed. */
int run_card(const run_card_t *o, workload_t *w);

#endif
