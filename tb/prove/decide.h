/* Whether a literal of a graph can be true, decided by berkeley-abc. */
#ifndef PROVE_DECIDE_H
#define PROVE_DECIDE_H

#include "err.h"
#include "prove/aig.h"

typedef enum { DECIDE_NEVER, DECIDE_TRUE, DECIDE_UNKNOWN, DECIDE_NO_TOOL } decide_t;

/* `cex` (a byte for each variable of the graph) gets an assignment that makes `bad` true, checked
 * in the graph itself. Files go to `temp`; `seconds` is the limit. DECIDE_UNKNOWN comes with a
 * message: the limit, or an answer of ABC that is not understood. */
decide_t decide(const aig_t *g, lit_t bad, const char *temp, unsigned seconds, uint8_t *cex,
                uint32_t *ands, mrpb_err_t *err);

#endif
