/* SPDX-License-Identifier: Apache-2.0 */
/* What the tests of the interconnect share: one with its packets, and random load on two of them. */
#ifndef ICNT_RIG_H
#define ICNT_RIG_H

#include "gpu/icnt/icnt.h"

#include "prng.h"

#include <check.h>

enum { SMS = 14, PARTS = 6, LOAD = 20000 };

typedef struct {
  icnt_cfg_t cfg;
  icnt_t *ic;
  packet_pool_t *pool;
} rig_t;

static inline void rig_open(rig_t *r, const icnt_cfg_t *cfg) {
  mrpb_err_t err = {{0}};
  r->cfg = *cfg;
  r->pool = packet_pool_create(64);
  ck_assert_ptr_nonnull(r->pool);
  ck_assert_msg(icnt_create(&r->ic, cfg, &err) == 0, "%s", err.text);
}

static inline packet_t *make(rig_t *r, uint32_t sm, uint32_t part, packet_kind_t kind,
                             uint32_t bytes) {
  packet_t *p = packet_alloc(r->pool);
  ck_assert_ptr_nonnull(p);
  p->sm = (uint16_t)sm;
  p->partition = part;
  p->kind = kind;
  p->bytes = bytes;
  return p;
}

/* SM `sm` of both, of which the first has number first[i] + sm, takes a reply and sends a request. */
static inline void pass_both(rig_t r[2], const uint32_t first[2], uint32_t sm, prng_t *rng) {
  const bool takes = prng_chance(rng, 500), sends = prng_chance(rng, 300);
  const packet_kind_t kind = prng_chance(rng, 300) ? PACKET_WRITE : PACKET_READ;
  const uint32_t bytes = 32u << prng_below(rng, 3), part = prng_below(rng, PARTS);
  bool came[2] = {false}, went[2] = {false};
  for (unsigned i = 0; i < 2; i++) {
    packet_t *p = takes ? icnt_reply_pop(r[i].ic, first[i] + sm) : NULL;
    came[i] = p != NULL;
    if (p) packet_free(r[i].pool, p);
    went[i] = sends && icnt_request_room(r[i].ic, first[i] + sm, kind == PACKET_WRITE, bytes);
    if (went[i]) icnt_request_push(r[i].ic, make(&r[i], first[i] + sm, part, kind, bytes));
  }
  ck_assert(came[0] == came[1]);
  ck_assert(went[0] == went[1]);
}

static inline void answer(rig_t *r, uint32_t part) {
  packet_t *p = icnt_request_pop(r->ic, part);
  if (p && icnt_reply_room(r->ic, p))
    icnt_reply_push(r->ic, p);
  else if (p)
    packet_free(r->pool, p);
}

#endif
