/* SPDX-License-Identifier: Apache-2.0 */
/* Follows each load and store of a core from its first offer to the L1 until its answer, for a file
 * of requests (docs/align.md) and for a timeline (docs/timeline.md). */
#ifndef REQUESTS_H
#define REQUESTS_H

#include "base/set.h"
#include "err.h"
#include "parts/packet.h"

#include <stdbool.h>
#include <stdint.h>

/* The levels of its columns. */
typedef struct {
  uint32_t mshr, prt, miss_queue, mrpb;
} requests_levels_t;

/* Names an outstanding request of a core; the core's own numbers. */
typedef struct {
  uint64_t a, b;
} requests_key_t;

/* Stations in the order in which a request passes them; none passes all. docs/timeline.md */
typedef enum {
  REQUESTS_ISSUED,
  REQUESTS_QUEUED, /* in the MRPB */
  REQUESTS_OFFERED,
  REQUESTS_ACCEPTED,
  REQUESTS_SENT, /* into the interconnect */
  REQUESTS_AT_L2,
  REQUESTS_IN_L2, /* looked up */
  REQUESTS_AT_DRAM,
  REQUESTS_AT_BANK,
  REQUESTS_FROM_DRAM,
  REQUESTS_REPLIED, /* by the L2, into the interconnect */
  REQUESTS_FILLED,
  REQUESTS_ANSWERED,
  REQUESTS_STATIONS
} requests_station_t;
#define REQUESTS_NEVER UINT64_MAX

typedef enum {
  REQUESTS_L2_NOT,
  REQUESTS_L2_HIT,
  REQUESTS_L2_MERGE,
  REQUESTS_L2_MISS
} requests_l2_t;

/* `packet`: a packet of its own goes to the memory. `uncached`: the L1D
 * is not asked. `from`: where the data come from, if that is known
 * at once; NULL: not. `issued`, `queued`: REQUESTS_NEVER: not known, not passed. */
typedef struct {
  unsigned core, block, warp;
  uint64_t addr;    /* any of its line of 128 bytes */
  const char *kind; /* a constant */
  requests_levels_t levels;
  uint32_t pc;
  bool write, packet, uncached;
  unsigned queue;   /* of the MRPB, if `queued` is known */
  const char *from; /* a constant */
  uint64_t issued, queued;
} requests_what_t;

/* A request that has ended, or that the end of the run has left: at[REQUESTS_ANSWERED] is
 * REQUESTS_NEVER then, as is each station that it did not pass. */
typedef struct {
  requests_what_t what;
  uint64_t at[REQUESTS_STATIONS];
  requests_l2_t l2;
  unsigned bank;
  bool row_hit; /* if at[REQUESTS_AT_BANK] is known */
} requests_row_t;

/* Is told of each, in the order in which they were accepted. */
typedef struct {
  void (*row)(void *ctx, const requests_row_t *row);
  void *ctx;
  const set_t *cores; /* of these; NULL: of all */
} requests_sink_t;

typedef struct requests requests_t;

/* `path`: the file, which appears with requests_close; NULL: none. Returns 0, or -1 and a message in
 * err. */
int requests_open(requests_t **out, const char *path, mrpb_err_t *err);
/* At most REQUESTS_SINKS, before the run. */
enum { REQUESTS_SINKS = 2 };
void requests_tell(requests_t *r, requests_sink_t sink);
/* At the end of the run: tells of those that it has left. */
void requests_finish(requests_t *r);
/* If `good`, gives the file its name. Returns 0, or -1 and a message in err. */
int requests_close(requests_t *r, bool good, mrpb_err_t *err);
/* Whether somebody is to be told of the core's. */
bool requests_wanted(const requests_t *r, unsigned core);
/* The cycle of the cores, for what passes a station of the memory. */
void requests_clock(requests_t *r, const uint64_t *now);

/* The core's request was refused in cycle `now`: it begins with its first refusal. */
void requests_refused(requests_t *r, unsigned core, requests_key_t offer, uint64_t now);
/* It was accepted. `key` identifies its answer. */
void requests_accepted(requests_t *r, const requests_what_t *what, requests_key_t offer,
                       requests_key_t key, uint64_t now);
/* The answer to the oldest request of that key has come. requests_replied: with `p`; if that carries one
 * of the core's requests, it is the answer to that. */
void requests_answered(requests_t *r, unsigned core, requests_key_t key, uint64_t now);
void requests_replied(requests_t *r, unsigned core, requests_key_t key, const packet_t *p,
                      uint64_t now);
/* Accepted in cycle `now`, answered in cycle `end`. */
void requests_known(requests_t *r, const requests_what_t *what, requests_key_t offer, uint64_t now,
                    uint64_t end);

/* `p` carries the core's oldest accepted request of its line and direction that has no packet yet.
 * requests_carries_next: the one that is accepted next, if it is of that line and direction. */
void requests_carries(requests_t *r, unsigned core, const packet_t *p);
void requests_carries_next(requests_t *r, unsigned core, const packet_t *p);
/* `p` passes a station now; nothing happens if it carries none of these requests.
 * requests_looked_up: in the L2. requests_at_bank: its bank begins to serve it. requests_column: with its
 * last column, `row_hit`: without an activate of its own. requests_arrived: back at its core. */
void requests_passes(requests_t *r, const packet_t *p, requests_station_t station);
void requests_looked_up(requests_t *r, const packet_t *p, requests_l2_t found);
void requests_at_bank(requests_t *r, const packet_t *p);
void requests_column(requests_t *r, const packet_t *p, bool row_hit);
void requests_arrived(requests_t *r, const packet_t *p);

#endif
