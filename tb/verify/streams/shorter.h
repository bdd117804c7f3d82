/* SPDX-License-Identifier: Apache-2.0 */
/* Searches for a shorter stimulus with the same mismatch. docs/verify/streams.md */
#ifndef STREAMS_SHORTER_H
#define STREAMS_SHORTER_H

#include "verify/streams/pair.h"

enum { SHORTER_SECONDS = 10 }; /* of processor time */

typedef struct {
  script_t script; /* the shortest */
  size_t items_before, cycles_before;
  uint64_t tried;
  bool bounded; /* the time ran out before the search was complete */
} shorter_t;

/* `b` has run into a mismatch. Afterwards it has played the shortest stimulus, which the caller
 * frees with script_close. Returns 1; 0 if what was kept of the run does not lead to the mismatch
 * again; or -1 and a message in err. */
int shorter(pair_t *b, shorter_t *result, mrpb_err_t *err);

#endif
