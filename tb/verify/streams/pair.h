/* SPDX-License-Identifier: Apache-2.0 */
/* Runs two sides under one stimulus, episode after episode, and compares what leaves them.
 * docs/verify/streams.md */
#ifndef STREAMS_PAIR_H
#define STREAMS_PAIR_H

#include "verify/streams/side.h"

enum { PAIR_KEPT = 8 }; /* episodes */

/* The last cycles of a run; the episodes begin at `at`. */
typedef struct {
  script_t script; /* without items */
  struct {
    size_t at;
    uint64_t first[STREAMS_MOST];
  } start[PAIR_KEPT];
  unsigned n;
  bool lost; /* an episode was too long to be kept */
} pair_log_t;

typedef struct pair pair_t;

struct pair {
  side_t side[2]; /* 0: the reference */
  uint64_t seed, cycles, patience;
  items_t match[STREAMS_MOST];
  uint64_t cycle, episodes, drained;
  int broken;          /* the stream of a mismatch, or -1 */
  const char *stopped; /* the message of a check in the Verilog of side `stopper` */
  unsigned stopper;
  hang_t *hang;
  bool (*stop)(void); /* NULL: never */
  pair_log_t log;
  /* Looks at each cycle of pair_play before its clock edge; NULL: nobody does. */
  void (*look)(void *ctx, const pair_t *b);
  void *ctx;
};

/* The sides must be open. Returns 0, or -1 and a message in err. */
int pair_run(pair_t *b, mrpb_err_t *err);
void pair_close(pair_t *b);

/* What a run has ended with. */
typedef struct {
  int stream; /* -1: none is broken */
  items_kind_t kind;
  unsigned side;
  bool stopped;
} pair_verdict_t;

pair_verdict_t pair_verdict(const pair_t *b);
bool pair_verdict_same(pair_verdict_t a, pair_verdict_t b);

/* Whether a mismatch has been met up to this cycle. */
bool pair_broken(const pair_t *b);

/* Episodes of the run that are kept. */
unsigned pair_kept(const pair_t *b);
/* The stimulus of the last `episodes`, with what followed the mismatch. Returns 0, or -1 if out of
 * memory. */
int pair_script(const pair_t *b, script_t *to, unsigned episodes);
/* Plays a script from power-up on; then whatever it still offers, until both sides are silent.
 * Returns 0, or -1 and a message in err. */
int pair_play(pair_t *b, const script_t *script, mrpb_err_t *err);

/* Plays side 1 alone into a stimulus for the builds of its Verilog. */
int pair_record(side_t *side, uint64_t seed, twice_stimulus_t *to, mrpb_err_t *err);

#endif
