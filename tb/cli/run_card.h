/* SPDX-License-Identifier: Apache-2.0 */
/* `mrpb run --gpu`: a workload on the executor and on a GPU of this machine, their memories compared
 * after each launch. */
#ifndef RUN_CARD_H
#define RUN_CARD_H

#include "workload/workload.h"

enum { RUN_CARD_CHECK = 64 };

typedef struct {
  unsigned number;  /* of the GPU */
  double limit;     /* seconds that a launch may take */
  const char *name; /* of what runs */
  const char *json; /* where the result goes, too; NULL: nowhere */
  /* What stands behind the result for the host's own comparison; "": none. */
  const char *(*host_check)(const void *ctx, char to[RUN_CARD_CHECK]);
  /* Memory that may differ: of beside_loose; NULL: none. */
  bool (*loose)(const void *ctx, unsigned i, uint64_t *addr, uint64_t *bytes);
  const void *ctx; /* of both */
} run_card_t;

/* Prints the kernels and their times. An exit code; errors have been printed. */
int run_card(const run_card_t *o, workload_t *w);

#endif
