/* SPDX-License-Identifier: Apache-2.0 */
/* A port with a limited data rate. Internal times are in hundredths of a cycle, so that the time of
 * a transfer need not be a whole number of cycles. */
#ifndef PORTS_PORT_H
#define PORTS_PORT_H

#include <stdint.h>

typedef struct {
  uint32_t rate;    /* bytes in 100 cycles; 0: unlimited */
  uint32_t request; /* minimum per request, in hundredths of a cycle */
  uint64_t free;    /* when it is free, in hundredths of a cycle */
} port_t;

/* `bytes` are ready at cycle `at` and pass in the order of the calls. Returns the cycle in which
 * they begin to pass. */
static inline uint64_t port_pass(port_t *p, uint64_t at, uint32_t bytes) {
  uint64_t cost = p->rate ? (uint64_t)bytes * 10000 / p->rate : 0;
  if (cost < p->request) cost = p->request;
  uint64_t start = at * 100 > p->free ? at * 100 : p->free;
  p->free = start + cost;
  return (start + 99) / 100;
}

#endif
