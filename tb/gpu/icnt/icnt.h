/* SPDX-License-Identifier: Apache-2.0 */
/* Interconnect between SMs and memory partitions: two single-stage crossbars (requests, replies)
 * with flits, credit flow control, wormhole switching with one virtual channel per port, and
 * round-robin output arbitration. Timing: an unblocked packet of F flits is complete at the far
 * side F interconnect cycles after it was handed over; throughput is one flit per port and cycle.
 * Follows GPGPU-Sim 3.2.0 (intersim, fly k=23 n=1). Not modelled: more than one virtual channel,
 * router and channel delays (all 0 in the release), and the input speed-up of 2, which has no
 * effect with one virtual channel. */
#ifndef ICNT_H
#define ICNT_H

#include "base/set.h"
#include "config/config.h"
#include "err.h"
#include "parts/packet.h"

/* The keys of keys.def whose part is ICNT, with their ranges and defaults, followed by the fields
 * that no key sets. */
typedef struct {
#define PART_ICNT(field, to, ...) uint32_t to;
#include "config/each_key.h"
  uint32_t sms;            /* 1 .. 256; 14 */
  uint32_t header_bytes;   /* 1 .. 16: read request, write acknowledgement, header of data; 8 */
  uint32_t max_data_bytes; /* 32 .. 128, largest data part of a packet (the line); 128 */
  uint32_t double_drain; /* 0 .. 1; 1: ejection -> boundary moves 2 flits per cycle, as in 3.2.0 */
  uint32_t by_flit;      /* 0 .. 1; 1: no packet passes at once: the same results, but slower; 0 */
} icnt_cfg_t;

typedef enum { ICNT_REQUEST, ICNT_REPLY, ICNT_DIRECTIONS } icnt_direction_t;

typedef struct {
  uint64_t packets, flits; /* handed over by the senders */
  uint64_t bytes;          /* of these packets: headers and data */
  uint64_t delivered;      /* packets complete in the receiver's boundary buffer */
  uint64_t latency_sum; /* interconnect cycles from hand-over to completion, sum over `delivered` */
  uint64_t latency_max;
  uint64_t flits_moved;                 /* through the crossbar */
  uint64_t read_packets, write_packets; /* request: read / write; reply: data / acknowledgement */
} icnt_stats_t;

typedef struct icnt icnt_t;

/* The values of the reference: the keys' defaults, and the figures after the semicolons above. */
void icnt_defaults(icnt_cfg_t *cfg);
/* The same, overridden by the keys of `c`. */
icnt_cfg_t icnt_configured(const config_t *c);

/* Returns 0, or -1 and a message in err that names the field, its value and the legal values. */
int icnt_check(const icnt_cfg_t *cfg, mrpb_err_t *err);
int icnt_create(icnt_t **out, const icnt_cfg_t *cfg, mrpb_err_t *err);
void icnt_destroy(icnt_t *ic);

/* SM side: true if the SM's injection buffer has room for a request of this kind and data size
 * (bytes). With write_room_bug set, writes are checked by their data size alone, so the buffer may
 * overflow by the header's flit, as in the release. */
bool icnt_request_room(const icnt_t *ic, uint32_t sm, bool is_write, uint32_t bytes);
/* The same for an atomic, whose data travel both ways. The check includes the header, as in the
 * release. */
bool icnt_atomic_room(const icnt_t *ic, uint32_t sm, uint32_t bytes);
/* For an SM that counts its room itself for some cycles: its injection buffer, and the input buffer of
 * its crossbar port, in flits. Each interconnect cycle moves a flit from the first to the second, if
 * there is one, and room for it. icnt_flits_of: those of a request. icnt_checked_flits:
 * those for which icnt_request_room looks. */
typedef struct {
  uint32_t held, room, port, port_room;
} icnt_injection_t;
icnt_injection_t icnt_injection(const icnt_t *ic, uint32_t sm);
uint32_t icnt_flits_of(const icnt_t *ic, bool is_write, uint32_t bytes);
uint32_t icnt_checked_flits(const icnt_t *ic, bool is_write, uint32_t bytes);
/* Hands over a request; p->sm, partition, kind and bytes must be set. The caller must have checked
 * for room. */
void icnt_request_push(icnt_t *ic, packet_t *p);
/* Next complete reply at this SM, NULL if none. One call per SM cycle models the release's cluster
 * port. */
packet_t *icnt_reply_pop(icnt_t *ic, uint32_t sm);

/* Partition side: next complete request, NULL if none. */
packet_t *icnt_request_pop(icnt_t *ic, uint32_t partition);
/* True if there is room for the reply to p (acknowledgement: header; data: header and p->bytes). */
bool icnt_reply_room(const icnt_t *ic, const packet_t *p);
void icnt_reply_push(icnt_t *ic, packet_t *p);

/* For a memory that replaces the crossbars (gpu/flits/user_memory.h), while only icnt_skip counts the
 * cycles. icnt_injected: the oldest request in an SM's injection buffer, NULL if none;
 * icnt_injected_pop takes it. icnt_deliver puts a reply straight into an SM's boundary buffer. */
packet_t *icnt_injected(const icnt_t *ic, uint32_t sm);
packet_t *icnt_injected_pop(icnt_t *ic, uint32_t sm);
bool icnt_deliver_room(const icnt_t *ic, const packet_t *p);
void icnt_deliver(icnt_t *ic, packet_t *p);

/* One interconnect cycle of both crossbars, or of one. Neither reads what the other one holds. */
void icnt_cycle(icnt_t *ic);
void icnt_cycle_one(icnt_t *ic, icnt_direction_t d);

/* True if cycles change nothing but the cycle number until something is pushed (complete packets
 * may still wait in boundary buffers). */
bool icnt_idle(const icnt_t *ic);
/* Has the effect of n calls of icnt_cycle on an idle interconnect. */
void icnt_skip(icnt_t *ic, uint64_t n);
/* The SMs, or (as bits) the partitions, at which a complete packet waits: no scan. */
set_t icnt_replies_waiting(const icnt_t *ic);
bool icnt_any_reply_waiting(const icnt_t *ic);
uint32_t icnt_requests_waiting(const icnt_t *ic);
/* Packets anywhere inside, in both directions; requests among them. */
uint32_t icnt_in_flight(const icnt_t *ic);
uint32_t icnt_requests(const icnt_t *ic);

const icnt_stats_t *icnt_stats(const icnt_t *ic, icnt_direction_t d);
/* Flits of a packet with `bytes` of data (0: a header alone). */
uint32_t icnt_flits(const icnt_cfg_t *cfg, uint32_t bytes);

#endif
