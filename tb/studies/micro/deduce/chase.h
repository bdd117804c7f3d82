/* SPDX-License-Identifier: Apache-2.0 */
/* Walks of one thread over a list of addresses, again and again, with the latency of each access:
 * the fine-grained P-chase of Mei et al. (paper 003, section 3.2). What runs them is behind a
 * function; this file knows hits, misses and passes only. */
#ifndef MICRO_CHASE_H
#define MICRO_CHASE_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads addr[0], addr[1], ... addr[n - 1], addr[0], ...: `warm` accesses, then `logged` more whose
 * latencies in cycles go to latency[]. All addresses differ. Caches may keep what earlier calls
 * left. 0, or -1 and a message. */
typedef int (*chase_fn)(void *ctx, const uint64_t *addr, size_t n, size_t warm, size_t logged,
                        uint32_t *latency, mrpb_err_t *err);

typedef struct {
  chase_fn chase;
  void *ctx;
  uint64_t base;  /* first address: a multiple of the line */
  uint64_t limit; /* bytes from there on that may be read */
  uint64_t step;  /* finest granularity: a word, or what is known to be within a line or page */
  uint64_t skew;  /* the nth line or page is read at n x skew within itself (modulo its size), so
                   * that a walk over pages does not fall into one set of the data caches */
  uint64_t word;  /* apart of different words of a line; 0: 4 bytes */
  uint32_t level; /* of the latencies seen, the lowest `level` + 1 groups are hits */
  uint32_t threshold; /* more cycles are a miss; 0: to be found */
  uint32_t gap;       /* latencies no further apart are one group; 0: 2 cycles */
  uint64_t budget;    /* accesses in all; 0: two million */
} chase_cfg_t;

typedef struct {
  chase_cfg_t cfg;
  mrpb_err_t *err;
  uint64_t unit;     /* bytes of the line, sector or page that an index counts */
  uint64_t accesses; /* so far */
  uint64_t *addr;
  uint32_t *latency;
  uint32_t hit, miss; /* cycles: the least of each as far as seen while looking for the threshold */
  uint64_t upper;     /* units with which the caches in front are surely full; 0: none in front */
  uint64_t flush;     /* units that surely empty the cache of all others; 0: not known yet */
  bool irregular;     /* flushing does not make misses regular: the replacement is no LRU or FIFO */
  size_t room, room_log;
  /* Of the last walk: */
  uint32_t *missed; /* passes in which each element missed */
  size_t misses;
  bool clean; /* some whole pass had no miss; behind other caches, which may hide it: none had */
  bool alike; /* all passes missed in the same places */
} chase_t;

void chase_init(chase_t *c, const chase_cfg_t *cfg, mrpb_err_t *err);
void chase_free(chase_t *c);

/* Where word `word` of unit `i` lies. */
uint64_t chase_address(const chase_t *c, uint64_t i, uint64_t word);
/* Whether unit `i` lies within the limit. */
bool chase_within(const chase_t *c, uint64_t i);

/* Room for `n` addresses in c->addr and `logged` latencies. */
int chase_room(chase_t *c, size_t n, size_t logged);
/* Runs c->addr[0..n); an error if the budget does not allow it. */
int chase_run(chase_t *c, size_t n, size_t warm, size_t logged);
bool chase_missed(const chase_t *c, uint32_t latency);

/* Passes over the units index[0..n), word 0. */
int chase_walk(chase_t *c, const uint64_t *index, size_t n, size_t warm, size_t passes);
/* Reads `c->flush` units at the end of the memory, if there is room for them there: what was in the
 * cache no longer is, and the order in which its ways fill is that of the next walk. */
int chase_flush(chase_t *c);
/* 1: all of them can be held at once; 0: they cannot; -1: an error. Whatever the replacement does:
 * that a whole pass hits shows the one, and of lines that do not fit one is missing in each pass.
 * How long to wait for such a pass is a matter of patience: of 8 passes if they are all alike and
 * not over a few units only, else of 64 more. */
int chase_fits(chase_t *c, const uint64_t *index, size_t n);
/* The same for the units 0..n-1. */
int chase_prefix_fits(chase_t *c, uint64_t n);

/* Finds the threshold (unless it is given) by footprints of 1, 2, 4, ... units
 * (behind other caches also 3, 6, 12, ...) and of all within the limit. *bad is the first
 * of them with misses; 0: none within the limit. */
int chase_threshold(chase_t *c, uint64_t *bad);

#endif
