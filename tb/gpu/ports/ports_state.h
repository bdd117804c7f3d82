/* SPDX-License-Identifier: Apache-2.0 */
/* State of the memory with ports, shared by the files of this folder only. */
#ifndef PORTS_STATE_H
#define PORTS_STATE_H

#include "gpu/ports/cache.h"
#include "gpu/ports/port.h"
#include "gpu/ports/ports.h"

enum { PORTS_LINE = 1 << PORTS_LINE_LOG2, PORTS_SECTOR = 32 };
enum { PORTS_HALVES = 2 };
enum { PORTS_SECTORS = PORTS_LINE / PORTS_SECTOR, PORTS_WHOLE = (1 << PORTS_SECTORS) - 1 };

/* What lies between the memory and one SM. */
typedef struct {
  port_t l2_port, store_port;
  uint64_t host_last; /* when the last line that it reads from the host arrives */
  unsigned cluster;
  packet_queue_t replies; /* to requests, the next one first */
} ports_sm_t;

/* What a half of the L2 has of the line in a place; of each sector that was read: when it arrives.
 * Lines with sectors that were written are in a list, the one that was first written longest ago first. */
typedef struct ports_line {
  uint64_t when[PORTS_SECTORS];
  uint64_t addr;
  struct ports_line *older, *newer; /* if `written` */
  uint8_t has, written;             /* sectors, a bit each */
  bool alone;                       /* in one half only, as the host left it */
} ports_line_t;

typedef struct {
  cache_t cache;
  ports_line_t *line; /* per place */
  ports_line_t *oldest, *newest;
  uint32_t written, most_written; /* lines; UINT32_MAX: no limit */
} ports_half_t;

/* The result of a look-up in a half. */
typedef struct {
  ports_line_t *line; /* NULL: there is no L2 */
  bool hit;
  uint64_t
      written_back; /* when the port of the DRAM takes the line that this one replaced; 0: it need not */
} ports_answer_t;

/* The last request for a line that an LRC let pass. */
typedef struct {
  uint8_t requests; /* that it has answered or will */
  uint8_t sectors;
} lrc_line_t;

typedef struct {
  cache_t cache; /* the lines that it observes; when the data of that request arrive */
  lrc_line_t *line;
} lrc_t;

/* A slice of the L2. */
typedef struct {
  port_t reads, writes;
} slice_t;

/* A channel of the DRAM, and whether it wrote last. */
typedef struct {
  port_t port;
  bool writes;
} channel_t;

struct ports {
  gpu_memory_t base;
  config_t cfg;
  set_t replying; /* SMs with replies */
  check_t *check; /* of their data; NULL: values are not checked */
  prng_t noise;
  ports_sm_t *sm;
  cache_t tlb1, tlb2, tlb3, const3;
  ports_half_t half[PORTS_HALVES]; /* of the L2: the first L2_HALVES */
  slice_t *slice;                  /* of the L2 */
  port_t *atomic;                  /* the unit of each slice that performs atomics */
  channel_t *channel;
  cache_t *const2; /* one per cluster */
  lrc_t *lrc;
  port_t host, const3_port, *cluster_port;
  uint64_t *host_done; /* when the last HOST_READS lines from the host arrived, as a ring */
  uint64_t host_count;
  uint64_t window;   /* of the last walk */
  uint64_t tlb3_set; /* set in TLB2 of the last victim */
  uint64_t host_from, host_to;
  uint64_t launches;
  bool far; /* see ports_far */
  ports_stats_t stats;
};

/* answers.c */
extern const gpu_memory_class_t ports_class;

/* ports.c */
void ports_destroy(gpu_memory_t *m);

static inline uint32_t ports_bytes(unsigned sectors) {
  return (uint32_t)__builtin_popcount(sectors) * PORTS_SECTOR;
}

/* l2.c */
int ports_l2_open(ports_t *p, mrpb_err_t *err);
void ports_l2_close(ports_t *p);
void ports_l2_empty(ports_t *p);
static inline bool ports_has_l2(const ports_t *p) {
  return p->half[0].cache.tags != NULL;
}
/* Looks up a line in a half and allocates it; a written line that is replaced goes to the DRAM. */
ports_answer_t ports_l2(ports_t *p, unsigned half, uint64_t addr);
/* When `bytes` that are ready at `at` pass the port of the line's slice. */
uint64_t ports_l2_pass(ports_t *p, uint64_t addr, uint64_t at, uint32_t bytes, bool write);
/* The sectors to be fetched so that this half has all of `sectors`. */
unsigned ports_l2_missing(const ports_t *p, const ports_line_t *line, unsigned sectors);
void ports_l2_fetched(ports_line_t *line, unsigned sectors, uint64_t at);
/* When `sectors` are there; `at`, if they have been for long. */
uint64_t ports_l2_when(const ports_line_t *line, unsigned sectors, uint64_t at);
/* Sectors of a line are written in `half`. Returns when the port of the DRAM takes the line that is
 * written back for it; 0: none. */
uint64_t ports_l2_written(ports_t *p, unsigned half, ports_line_t *line, unsigned sectors);
void ports_l2_left(ports_t *p, unsigned half, uint64_t addr); /* by the host, in one half only */

/* lrc.c */
int ports_lrc_open(lrc_t *l, mrpb_err_t *err);
void ports_lrc_close(lrc_t *l);
/* Whether a request at `now` joins the one before, with `*when` the data arrive; at most `most` do.
 * Otherwise it passes, and *when must be set to when its data arrive. */
bool ports_lrc_joins(lrc_t *l, uint64_t addr, unsigned sectors, uint32_t most, uint64_t now,
                     uint64_t **when);

/* atomic.c */
int ports_atomic_open(ports_t *p, mrpb_err_t *err);
void ports_atomic_close(ports_t *p);
/* When an atomic of SM `sm` that is ready at `at` is performed; `far`: its line is in the other half. */
uint64_t ports_atomic_pass(ports_t *p, uint64_t addr, unsigned sectors, uint64_t at, bool far);

/* dram.c */
int ports_dram_open(ports_t *p, mrpb_err_t *err);
void ports_dram_close(ports_t *p);
/* When `bytes` of the line, ready at `at`, pass the port of its channel. */
uint64_t ports_dram_pass(ports_t *p, uint64_t addr, uint64_t at, uint32_t bytes, bool write);

/* tlb.c */
int tlb_create(ports_t *p, mrpb_err_t *err);
void tlb_close(ports_t *p);
uint32_t tlb_cycles(ports_t *p, uint64_t addr);

#endif
