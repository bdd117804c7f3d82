/* SPDX-License-Identifier: Apache-2.0 */
/* What an SM sees as its memory: the memory itself, or, while it runs apart from the others, lists of
 * replies and requests with their cycles, and what it can know of its room (docs/threads.md). */
#ifndef WINDOW_PORT_H
#define WINDOW_PORT_H

#include "gpu/flits/flits.h"
#include "gpu/pipeline/sm.h"
#include "gpu/windows/touched.h"

enum { WINDOW_CYCLES = 64, WINDOW_REQUESTS = 512 };

typedef struct {
  packet_t *packet;
  uint64_t at;
} window_packet_t;

/* Replies of a window. `room`: those that the SM takes for certain even if what is in its FIFOs stays
 * there; it may: `wait`. */
typedef struct {
  unsigned n;
  int room;
  bool wait;
  window_packet_t reply[WINDOW_CYCLES];
} window_replies_t;

typedef struct {
  gpu_memory_t base; /* with a pool of packets of its own */
  gpu_memory_t *memory;
  icnt_t *icnt;
  unsigned sm;
  bool apart, broken; /* broken: the SM asked what it could not know, or sent too much */
  bool *unknown;      /* &broken, for functions that only read the rest */

  /* Injection buffer, in flits: bounds of those held, and the most that the port buffer holds.
   * edges[k]: edges of the interconnect's clock up to the SM's part of cycle from + k. */
  uint64_t from, at;
  const uint32_t *edges;
  uint32_t edges_seen;
  uint32_t least, most, port_most;
  icnt_injection_t injection; /* as it was when it was known */

  /* `taken` of the window's replies have been; those of the next window. */
  unsigned taken;
  window_replies_t *in, *coming, replies[2];

  unsigned n_out, next_out;
  window_packet_t out[WINDOW_REQUESTS];
  touched_t touched;
} window_port_t;

/* The port of SM `sm` to `memory`, one with flits, which must outlive it. Returns 0, or -1 and a message
 * in err. The port must outlive the SM. */
int window_port_create(window_port_t **out, gpu_memory_t *memory, unsigned sm, mrpb_err_t *err);
void window_port_destroy(window_port_t *p);

/* The SM runs apart from cycle `from` on, with the replies that were coming. window_port_renew: the requests that it has sent have entered
 * the interconnect, which has come to its cycle. window_port_end: it is with the others again. */
void window_port_begin(window_port_t *p, uint64_t from, const uint32_t *edges);
void window_port_renew(window_port_t *p);
void window_port_end(window_port_t *p);

/* Replies are coming for a window: the next one of SM `sm`. Or, while it runs apart, the one that
 * follows; false if it cannot be known what it will take then. */
void window_port_expect(window_port_t *p, const sm_t *sm);
bool window_port_looks_ahead(window_port_t *p);
/* A reply reaches the SM in cycle `at`. */
void window_port_reply(window_port_t *p, packet_t *reply, uint64_t at);
/* The SM's cluster FIFO will not be full in the next cycle. */
bool window_port_can_take(const window_port_t *p);
/* Sends what the SM has sent in cycle `at`. */
void window_port_send(window_port_t *p, uint64_t at);

/* For the SM: see sms_sight_t. */
bool window_port_go(gpu_memory_t *own, uint64_t at);
bool window_port_knows(const gpu_memory_t *own, const sm_sends_t *sends, unsigned n);
uint64_t window_port_next(const gpu_memory_t *own);

#endif
