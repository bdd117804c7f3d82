/* SPDX-License-Identifier: Apache-2.0 */
/* Repeated walks of one thread over a list of addresses, with the latency of each access: the
 * fine-grained P-chase of Mei et al. (paper 003, section 3.2). A function runs the walks; this file
 * knows only hits, misses and passes. */
#ifndef MICRO_CHASE_H
#define MICRO_CHASE_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads addr[0], addr[1], ... addr[n - 1], addr[0], ...: `warm` accesses, then `logged` more whose
 * latencies in cycles go to latency[]. All addresses differ. Caches may hold what earlier calls
 * left. Returns 0, or -1 and a message in err. */
typedef int (*chase_fn)(void *ctx, const uint64_t *addr, size_t n, size_t warm, size_t logged,
                        uint32_t *latency, mrpb_err_t *err);

typedef struct {
  chase_fn chase;
  void *ctx;
  uint64_t base;  /* first address: a multiple of the line */
  uint64_t limit; /* bytes from `base` on that may be read */
  uint64_t step;  /* finest granularity: a word, or less than a known line or page */
  uint64_t skew;  /* the nth line or page is read at offset n x skew (modulo its size), so that a
                   * walk over pages does not fall into one set of the data caches */
  uint64_t word;  /* distance of the words of a line; 0: 4 bytes */
  uint32_t level; /* the lowest `level` + 1 groups of latencies are hits */
  uint32_t threshold; /* more cycles are a miss; 0: to be found */
  uint32_t gap;       /* latencies at most this far apart are one group; 0: 2 cycles */
  uint64_t budget;    /* most accesses in all; 0: two million */
} chase_cfg_t;

typedef struct {
  chase_cfg_t cfg;
  mrpb_err_t *err;
  uint64_t unit;     /* bytes of the line, sector or page that an index counts */
  uint64_t accesses; /* so far */
  uint64_t *addr;
  uint32_t *latency;
  uint32_t hit, miss; /* cycles: the least of each seen while looking for the threshold */
  uint64_t upper;     /* units that surely fill the caches in front; 0: none in front */
  uint64_t flush;     /* units that surely evict everything else; 0: not known yet */
  bool irregular;     /* even after a flush misses are not regular: neither LRU nor FIFO */
  size_t room, room_log;
  /* Results of the last walk: */
  uint32_t *missed; /* passes in which each element missed */
  size_t misses;
  bool clean; /* some pass had no miss; behind caches that may hide one: no pass had */
  bool alike; /* all passes missed in the same places */
} chase_t;

void chase_init(chase_t *c, const chase_cfg_t *cfg, mrpb_err_t *err);
void chase_free(chase_t *c);

/* The address of word `word` of unit `i`. */
uint64_t chase_address(const chase_t *c, uint64_t i, uint64_t word);
/* Whether unit `i` lies within the limit. */
bool chase_within(const chase_t *c, uint64_t i);

/* Makes room for `n` addresses in c->addr and `logged` latencies. Returns 0, or -1 on an error. */
int chase_room(chase_t *c, size_t n, size_t logged);
/* Reads c->addr[0..n). Returns 0, or -1 on an error; exceeding the budget is one. */
int chase_run(chase_t *c, size_t n, size_t warm, size_t logged);
bool chase_missed(const chase_t *c, uint32_t latency);

/* Walks over word 0 of the units index[0..n) for `passes` passes. Returns 0, or -1 on an error. */
int chase_walk(chase_t *c, const uint64_t *index, size_t n, size_t warm, size_t passes);
/* Reads `c->flush` units at the end of the memory, if there is room for them. This evicts what was
 * in the cache, so the next walk determines the order in which the ways fill. */
int chase_flush(chase_t *c);
/* Returns 1 if all units can be held at once, 0 if not, -1 on an error, whatever the replacement
 * policy. A whole pass of hits shows that they fit; if they do not fit, every pass has a miss. The
 * wait for a pass of hits is limited: 8 passes if they are all alike and cover more than a few
 * units, else 64 more. */
int chase_fits(chase_t *c, const uint64_t *index, size_t n);
/* The same for the units 0..n-1. */
int chase_prefix_fits(chase_t *c, uint64_t n);

/* Finds the threshold, unless it is given, from footprints of 1, 2, 4, ... units (behind other
 * caches also 3, 6, 12, ...) and of all units within the limit. *bad is the first footprint with
 * misses; 0: none within the limit. Returns 0, or -1 on an error. */
int chase_threshold(chase_t *c, uint64_t *bad);

#endif
