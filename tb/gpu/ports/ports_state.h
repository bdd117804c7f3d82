/* SPDX-License-Identifier: Apache-2.0 */
/* State of the memory with ports, shared by the files of this folder only. */
#ifndef PORTS_STATE_H
#define PORTS_STATE_H

#include "gpu/ports/cache.h"
#include "gpu/ports/port.h"
#include "gpu/ports/ports.h"
#include "prng.h"

enum { PORTS_LINE_LOG2 = 7, PORTS_LINE = 1 << PORTS_LINE_LOG2, PORTS_SECTOR = 32 };

/* What lies between the memory and one SM. */
typedef struct {
  port_t l2_port;
  uint64_t host_last; /* when the last line that it reads from the host arrives */
  unsigned cluster;
  packet_queue_t replies; /* to requests, the next one first */
} ports_sm_t;

struct ports {
  gpu_memory_t base;
  device_cfg_t cfg;
  set_t replying; /* SMs with replies */
  prng_t noise;
  ports_sm_t *sm;
  cache_t l2, tlb1, tlb2, tlb3, const3;
  bool *l2_alone;        /* per place: its line is in one half only, as the host left it */
  cache_t *const2, *lrc; /* one per cluster */
  port_t dram, host, const3_port, *cluster_port;
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
/* Looks up and allocates a line of the L2. */
cache_answer_t ports_l2(ports_t *p, uint64_t addr);

/* tlb.c */
int tlb_create(ports_t *p, mrpb_err_t *err);
void tlb_close(ports_t *p);
uint32_t tlb_cycles(ports_t *p, uint64_t addr);

#endif
