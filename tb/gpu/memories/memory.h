/* SPDX-License-Identifier: Apache-2.0 */
/* The memory of a GPU: it takes the requests of the cores, and answers each. A class of memories is
 * one way to do so: with flits (gpu/flits), or with ports (gpu/ports). */
#ifndef MEMORIES_MEMORY_H
#define MEMORIES_MEMORY_H

#include "base/set.h"
#include "err.h"
#include "gpu/check/check.h"
#include "gpu/dram/dram.h"
#include "gpu/icnt/icnt.h"
#include "gpu/l2/l2.h"
#include "parts/packet.h"
#include "parts/requests.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

typedef struct gpu_memory gpu_memory_t;

/* An atomic is a PACKET_READ that carries data both ways. */
typedef enum { MEMORY_READ, MEMORY_WRITE, MEMORY_ATOMIC, MEMORY_REQUESTS } memory_request_t;

/* Bytes; ports count them. */
typedef struct {
  uint64_t asked; /* by the cores */
  uint64_t l2_read, l2_hit, l2_written, dram_read, dram_written;
} memory_bytes_t;

typedef struct {
  icnt_stats_t icnt[ICNT_DIRECTIONS];
  l2_stats_t l2;
  dram_stats_t dram;
  memory_bytes_t bytes;
} memory_stats_t;

/* The clocks of a memory that has its own, and its stages in the order of coinciding edges. */
typedef enum {
  MEMORY_CLOCK_ICNT,
  MEMORY_CLOCK_L2,
  MEMORY_CLOCK_DRAM,
  MEMORY_CLOCKS
} memory_clock_t;
enum {
  MEMORY_STAGE_INJECT, /* interconnect: replies into it */
  MEMORY_STAGE_DRAM,
  MEMORY_STAGE_L2,
  MEMORY_STAGE_TRANSFER, /* interconnect */
  MEMORY_STAGES
};

/* A function that is NULL is one that this class does not need. */
typedef struct {
  void (*destroy)(gpu_memory_t *m);

  /* room: core `sm` can send such a request of `bytes` of data in this cycle. push: it leaves; sm,
   * addr, bytes, kind and atomic are set, and there is room. */
  bool (*room)(const gpu_memory_t *m, unsigned sm, memory_request_t kind, uint32_t bytes);
  void (*push)(gpu_memory_t *m, packet_t *p);
  /* The cores for which there is a reply. pop: the next one for core `sm`, at most one in a cycle;
   * NULL if there is none. */
  set_t (*waiting)(const gpu_memory_t *m);
  packet_t *(*pop)(gpu_memory_t *m, unsigned sm);
  /* A core's instruction reads or writes `words` (bit i: word i of 4 bytes) of line `line` of 128
   * bytes of global memory; it takes effect now. */
  void (*touches)(gpu_memory_t *m, uint64_t line, uint32_t words, bool write);
  /* A request of a core is not answered. */
  bool (*busy)(const gpu_memory_t *m);

  /* Runs the next edges of its clocks, at most `n`: in each, a bit for each MEMORY_STAGE_*. Stops
   * before an edge that is the cores' too (MEMORY_STAGES) if a reply waits for them, or in their cycle
   * `until`; behind one at which it does not stop their next cycle begins. Returns the number of those
   * that were run. NULL: it has no clocks of its own. */
  unsigned (*edges)(gpu_memory_t *m, const uint8_t *edge, unsigned n, uint64_t *now,
                    uint64_t until);
  /* The first stage of an SM cycle, before the cores take their replies. */
  void (*deliver)(gpu_memory_t *m);
  /* A launch begins. */
  void (*start)(gpu_memory_t *m);
  /* Brings sleeping parts up to date, so that their statistics are current. */
  void (*catch_up)(gpu_memory_t *m);

  /* From now on packets carry data (docs/check.md); NULL: only the hazards that are allowed. */
  void (*set_check)(gpu_memory_t *m, check_t *check, uint32_t hazards);
  /* From now on the stations of the requests that packets carry are noted. */
  void (*set_requests)(gpu_memory_t *m, requests_t *requests);
  /* The answer of a user's memory to request `id`: gpu_reply. */
  int (*reply)(gpu_memory_t *m, uint64_t id, mrpb_err_t *err);
  /* A fault of an external part; NULL if there is none. */
  const mrpb_err_t *(*fault)(const gpu_memory_t *m);
  void (*count)(const gpu_memory_t *m, memory_stats_t *stats);
  void (*dump)(const gpu_memory_t *m, FILE *out);
} gpu_memory_class_t;

/* The beginning of each class's object. */
struct gpu_memory {
  const gpu_memory_class_t *cls;
  const uint64_t *now; /* the cycle of the cores */
  packet_pool_t *pool; /* of its requests; who takes a reply gives the packet back */
  packet_map_t map;    /* for the addresses of requests */
  uint64_t hz[MEMORY_CLOCKS];
  bool looks;    /* `touches` is to be called */
  bool delivers; /* `deliver` is to be called, in each cycle */
};

/* The kind of request that `p` is sent as; `p` is not an atomic. */
static inline memory_request_t gpu_memory_kind(const packet_t *p) {
  return p->kind == PACKET_WRITE ? MEMORY_WRITE : MEMORY_READ;
}

static inline bool gpu_memory_room(const gpu_memory_t *m, unsigned sm, memory_request_t kind,
                                   uint32_t bytes) {
  return m->cls->room(m, sm, kind, bytes);
}

/* Sends a request of core `sm` to the address that it has. */
static inline void gpu_memory_send(gpu_memory_t *m, unsigned sm, packet_t *p) {
  packet_set_address(p, &m->map, p->addr);
  p->sm = (uint16_t)sm;
  m->cls->push(m, p);
}

#endif
