/* SPDX-License-Identifier: Apache-2.0 */
/* Runs two sides under one stimulus, episode after episode, and compares what leaves them.
 * docs/verify/streams.md */
#ifndef STREAMS_PAIR_H
#define STREAMS_PAIR_H

#include "verify/streams/side.h"

typedef struct {
  side_t side[2]; /* 0: the reference */
  uint64_t seed, cycles, patience;
  items_t match[STREAMS_MOST];
  uint64_t cycle, episodes, drained;
  int broken;          /* the stream of a mismatch, or -1 */
  const char *stopped; /* the message of a check in the Verilog of side `stopper` */
  unsigned stopper;
  hang_t *hang;
  bool (*stop)(void); /* NULL: never */
} pair_t;

/* The sides must be open. Returns 0, or -1 and a message in err. */
int pair_run(pair_t *b, mrpb_err_t *err);
void pair_close(pair_t *b);

/* Plays side 1 alone into a stimulus for the builds of its Verilog. */
int pair_record(side_t *side, uint64_t seed, twice_stimulus_t *to, mrpb_err_t *err);

#endif
