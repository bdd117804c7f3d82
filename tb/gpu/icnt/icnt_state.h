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
  /* The flits in both buffers after `at` cycles; icnt_settle brings them up to date. */
  uint64_t at;
  uint32_t inject_flits; /* may exceed the injection buffer by write_room_bug */
  uint32_t vc_flits;
  uint32_t out; /* output held by the oldest packet, NO_PORT if none */
} sender_t;

/* A receiver: ejection buffer, then clock boundary buffer. `ring` lists the packets of both, and the
 * one that holds the output, in the order of their grants. */
typedef struct {
  packet_t **ring;
  uint32_t head, entering,
      tail;          /* oldest, first not complete in the boundary buffer, next free; masked */
  uint32_t to_enter; /* flits of `entering` outside the boundary buffer, 0 if all are outside */
  uint32_t eject_flits, boundary_flits, complete;
  uint32_t grant;   /* sender with priority at the next arbitration */
  uint32_t holder;  /* sender whose packet holds this output */
  uint32_t left;    /* by flit: flits of that packet not yet forwarded */
  uint32_t credits; /* free places of the ejection buffer that are not yet reported */
  uint64_t last;    /* at once: the cycle of the packet's last flit */
} receiver_t;

/* One word of each set of receivers: requested by a packet without an output; held; held by a packet
 * that passes at once; stepped flit by flit; a complete packet. */
typedef struct {
  uint64_t wanted, held, passing, by_flit, waiting;
} icnt_word_t;

typedef struct {
  uint64_t time;    /* interconnect cycles */
  uint64_t cycles;  /* of them, those in which flits could move */
  uint64_t due;     /* the first cycle that must be stepped, not only counted */
  uint32_t passing; /* packets that pass at once */
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

/* Brings a sender up to `cycles`, if its packet passes at once or waits for its output. In a cycle one
 * flit enters the input buffer, if there is one and the buffer was not full, and if the packet passes,
 * one leaves it. */
static inline void icnt_settle(sender_t *s, uint64_t cycles, uint32_t vc_cap) {
  uint64_t n = cycles - s->at;
  s->at = cycles;
  if (n == 0 || s->inject_flits + s->vc_flits == 0) return;
  const bool passes = s->out != NO_PORT;
  if (passes && s->vc_flits == vc_cap) s->vc_flits--, n--;
  const uint64_t room = passes ? n : vc_cap - s->vc_flits;
  const uint64_t most = n < room ? n : room;
  const uint32_t enter = s->inject_flits < most ? s->inject_flits : (uint32_t)most;
  s->inject_flits -= enter;
  s->vc_flits += enter;
  if (passes) s->vc_flits -= (uint32_t)n;
}

/* The oldest packet of sender `i` requests its output. */
static inline void icnt_ask(crossbar_t *x, uint32_t i, bool to_sms) {
  const packet_t *p = x->in[i].q.head;
  const uint32_t o = to_sms ? p->sm : p->partition;
  x->due = 0;
  set_add(&x->want[o], i);
  icnt_word(x, o)->wanted |= icnt_bit(o);
}

#endif
