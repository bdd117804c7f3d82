/* SPDX-License-Identifier: Apache-2.0 */
/* mshr: drives entries towards (state x event) pairs that they have not seen yet. */
#include "cosim/stim/mshr_probe.h"

#include <string.h>

#define BIT(event) (1u << MSHR_PROBE_##event)

void mshr_probe_start(mshr_probe_t *p, const mshr_cfg_t *cfg, uint64_t seed) {
  memset(p, 0, sizeof *p);
  p->cfg = *cfg;
  p->rng = prng_seed(seed, 7);
}

uint32_t mshr_probe_turn(mshr_probe_t *p) {
  p->base = (p->base + MSHR_PROBE_HOT) % p->cfg.ENTRIES;
  return 2 * p->cfg.ENTRIES + MSHR_PROBE_HOT * (p->cfg.MERGES + 24);
}

static bool is_hot(const mshr_probe_t *p, uint32_t e) {
  return (e + p->cfg.ENTRIES - p->base) % p->cfg.ENTRIES < MSHR_PROBE_HOT;
}

/* One of the probed entries, chosen by three bits of a random number. */
static uint32_t hot(const mshr_probe_t *p, uint64_t random) {
  return (p->base + (uint32_t)(random & (MSHR_PROBE_HOT - 1))) % p->cfg.ENTRIES;
}

/* The events that can be caused for entry `e` now. A reset is listed only for a draining entry,
 * since the same reset reaches all other entries. */
static uint32_t possible(const mshr_probe_t *p, const mshr_regs_t *r, uint32_t e) {
  const mshr_probe_state_t state = mshr_probe_state(r, p->cfg.MERGES, e);
  const bool list_full = r->len_q[e] == p->cfg.MERGES, last = r->len_q[e] == 1;
  if (state == MSHR_PROBE_FREE) return BIT(BAD_FILL);
  const uint32_t events = list_full ? BIT(REFUSED) : BIT(MERGE);
  if (state < MSHR_PROBE_READY) return events | BIT(FILL);
  if (state < MSHR_PROBE_DRAINS) return events | BIT(BAD_FILL);
  return events | BIT(BAD_FILL) | BIT(TAKE) | BIT(RESET) | BIT(TAKE_BAD_FILL) |
         (last ? (r->count_q == p->cfg.ENTRIES ? BIT(ALLOCATE) : 0)
               : BIT(TAKE_MERGE) | BIT(ALL_THREE));
}

/* Chooses one of `events`. It prefers those that leave the entry in its state; a reset comes
 * last. */
static mshr_probe_event_t choose(mshr_probe_t *p, uint32_t events) {
  static const uint32_t order[] = {BIT(REFUSED) | BIT(BAD_FILL), BIT(TAKE_MERGE) | BIT(ALL_THREE),
                                   BIT(MERGE) | BIT(FILL) | BIT(TAKE_BAD_FILL) | BIT(TAKE)};
  for (unsigned k = 0; k < sizeof order / sizeof *order; k++)
    if (events & order[k]) {
      events &= order[k];
      break;
    }
  if ((events & (events - 1)) == 0) return (mshr_probe_event_t)__builtin_ctz(events);
  for (uint32_t skip = prng_below(&p->rng, (uint32_t)__builtin_popcount(events)); skip > 0; skip--)
    events &= events - 1;
  return (mshr_probe_event_t)__builtin_ctz(events);
}

static void make(mshr_probe_event_t event, const mshr_regs_t *r, uint32_t e, mshr_in_t *i) {
  static const uint32_t reads = BIT(MERGE) | BIT(REFUSED) | BIT(TAKE_MERGE) | BIT(ALL_THREE);
  static const uint32_t fills = BIT(FILL) | BIT(BAD_FILL) | BIT(TAKE_BAD_FILL) | BIT(ALL_THREE);
  static const uint32_t takes =
      BIT(TAKE) | BIT(ALLOCATE) | BIT(TAKE_BAD_FILL) | BIT(TAKE_MERGE) | BIT(ALL_THREE);
  if (event == MSHR_PROBE_RESET) i->srst_ni = 0;
  if (reads >> event & 1) i->req_addr_i = r->addr_q[e];
  i->req_valid_i = (reads | BIT(ALLOCATE)) >> event & 1;
  i->fill_valid_i = fills >> event & 1;
  i->fill_entry_i = e;
  i->out_ready_i = takes >> event & 1;
}

/* Nothing is left to do for the probed entries in their states: allocate more entries, lengthen
 * their lists, or drain the next one. */
static void go_on(const mshr_probe_t *p, const mshr_regs_t *r, uint32_t drains, uint64_t v,
                  mshr_in_t *i) {
  const uint32_t e = hot(p, v >> 24), f = hot(p, v >> 27);
  i->req_valid_i = 1;
  if (r->count_q == p->cfg.ENTRIES || (mshr_probe_bit(r->valid_q, e) && (v & 7)))
    i->req_addr_i = r->addr_q[e];
  i->fill_valid_i = mshr_probe_bit(r->valid_q, f) &&
                    (r->len_q[f] == p->cfg.MERGES ? (v >> 8 & 7) == 0 : (v >> 8 & 127) == 0);
  i->fill_entry_i = f;
  i->out_ready_i = r->order_len_q && (!is_hot(p, drains) || (v >> 16 & 3) == 0);
}

void mshr_probe_next(mshr_probe_t *p, const mshr_regs_t *r, mshr_in_t *i) {
  const uint32_t drains = r->order_len_q ? r->order_q[r->order_head_q] : p->cfg.ENTRIES;
  const uint64_t pick = prng_next(&p->rng);
  const uint32_t any = hot(p, pick >> 24);
  const uint32_t e = drains < p->cfg.ENTRIES && (pick & 3) ? drains : any;
  const mshr_probe_state_t state = mshr_probe_state(r, p->cfg.MERGES, e);
  uint32_t left = possible(p, r, e) & ~(uint32_t)p->done[e][state];
  if (pick >> 8 & 7 && left != BIT(RESET)) left &= ~BIT(RESET);
  if (state < MSHR_PROBE_DRAINS && r->len_q[e] < p->cfg.MERGES && pick >> 16 & 7)
    left &= ~BIT(FILL); /* its list is to grow first */
  if (!left) {
    go_on(p, r, drains, pick >> 32, i);
    return;
  }
  const mshr_probe_event_t event = choose(p, left);
  make(event, r, e, i);
  if (event != MSHR_PROBE_RESET) p->done[e][state] |= (uint16_t)(1u << event);
}

bool mshr_probe_wants_reset(const mshr_probe_t *p, const mshr_regs_t *r) {
  if (r->order_len_q == 0) return false;
  const uint32_t e = r->order_q[r->order_head_q];
  return !(p->done[e][mshr_probe_state(r, p->cfg.MERGES, e)] & BIT(RESET));
}

void mshr_probe_reset(mshr_probe_t *p, const mshr_regs_t *r) {
  for (uint32_t e = 0; e < p->cfg.ENTRIES; e++)
    p->done[e][mshr_probe_state(r, p->cfg.MERGES, e)] |= BIT(RESET);
}
