/* SPDX-License-Identifier: Apache-2.0 */
/* State of the interconnect, shared by the files of this folder only. */
#ifndef ICNT_STATE_H
#define ICNT_STATE_H

#include "gpu/icnt/icnt.h"

enum { MAX_PORTS = SET_MEMBERS, NO_PORT = MAX_PORTS };

/* A sender: its injection buffer, followed by the input buffer of its crossbar port. Flits keep
 * their order, so counts and the packet list describe both buffers. */
typedef struct {
  packet_queue_t q; /* packets with flits that have not passed the crossbar */
  uint32_t
      inject_flits;   /* those of them in the injection buffer; may exceed it by write_room_bug */
  uint32_t vc_flits;  /* those in the input buffer */
  uint32_t head_left; /* flits of the oldest packet not yet forwarded */
  bool head_new;      /* that is all of its flits */
  uint32_t out;       /* output held by the oldest packet, NO_PORT if none */
} sender_t;

/* A receiver: ejection buffer, then clock boundary buffer. `ring` lists the packets of both in the
 * order of arrival of their heads. */
typedef struct {
  packet_t **ring;
  uint32_t head, entering,
      tail;          /* oldest, first not complete in the boundary buffer, next free; masked */
  uint32_t to_enter; /* flits of `entering` outside the boundary buffer, 0 if all are outside */
  uint32_t eject_flits, boundary_flits, complete;
  uint32_t grant;   /* sender with priority at the next arbitration */
  uint32_t holder;  /* sender whose packet holds this output */
  uint32_t credits; /* free places of the ejection buffer that are not yet reported */
} receiver_t;

/* One word of each set of ports. */
typedef struct {
  /* Senders: flits in the injection buffer; input buffer full. */
  uint64_t injecting, full;
  /* Receivers: requested by a packet without an output; held; held by a packet with flits in the
   * input buffer; credits full; flits in the ejection buffer; no room behind it; credits to report;
   * a complete packet. */
  uint64_t wanted, held, sending, no_credit, ejecting, no_room, owing, waiting;
} icnt_word_t;

typedef struct {
  uint64_t time; /* interconnect cycles */
  uint32_t in_flight;
  uint32_t n_in, n_out;
  icnt_word_t at[SET_WORDS];
  sender_t in[MAX_PORTS];
  receiver_t out[MAX_PORTS];
  set_t want[MAX_PORTS]; /* by receiver: the senders that request it */
  icnt_stats_t stats;
} crossbar_t;

struct icnt {
  icnt_cfg_t cfg;
  unsigned words; /* of a set of SMs; a set of partitions has one */
  uint32_t ring_mask;
  crossbar_t net[ICNT_DIRECTIONS];
  packet_t **rings;
};

static inline uint64_t icnt_bit(uint32_t i) {
  return UINT64_C(1) << i % SET_WORD;
}

/* The word of port `i`. */
static inline icnt_word_t *icnt_word(crossbar_t *x, uint32_t i) {
  return &x->at[i / SET_WORD];
}

#endif
