/* SPDX-License-Identifier: Apache-2.0 */
/* l1_control: loads and stores, tags that say what a set says (one of here, reserved, full, free)
 * or anything, tables and queues that have room often or seldom, bypasses after refusals or at any
 * time. */
#include "cosim/stim/stim.h"

#include "l1_control.h"

#include <string.h>

enum { HITS, MISSES, MERGES, STORES, CROWDED, QUIET, WILD, RUSH, KINDS };

typedef struct {
  l1_control_cfg_t cfg;
  prng_t req, data, tags, room;
  stim_phase_t phase, reset;
  bool refused; /* the cycle before refused a load */
} state_t;

/* Sizes at which a line has more than one sector, or a beat. */
static bool sectors(const uint32_t *cfg) {
  return l1_control_sizes(cfg)->SECTORS > 1;
}
static bool sectors_and_beats(const uint32_t *cfg) {
  return sectors(cfg) && l1_control_sizes(cfg)->BEATS > 1;
}
static bool odd_bypasses(const uint32_t *cfg) {
  const uint32_t n = l1_control_sizes(cfg)->BYPASSES;
  return (1u << bits_index_w(n)) > n;
}

#define BINS(X)                                                                                    \
  X(hit, NULL, "a hit")                                                                            \
  X(hit_wait, NULL, "a hit is refused: no room in the read queue")                                 \
  X(merge, NULL, "a merge")                                                                        \
  X(merge_full, NULL, "a merge is refused: the entry's list is full")                              \
  X(merge_late, NULL, "a merge is refused: the last read of the entry leaves in this cycle")       \
  X(lacks_sector, NULL, "a load of a reserved line is refused: a sector is not on the way")        \
  X(full, NULL, "answer 1: every way is reserved")                                                 \
  X(miss, NULL, "a miss of a line that is not here")                                               \
  X(miss_sector, NULL, "a miss of a sector of a line that is here")                                \
  X(miss_some, sectors, "a miss of some of its sectors: the others are here")                      \
  X(store_other, NULL, "a store is taken while another one of its line is in flight")              \
  X(wait_store, NULL, "a miss is refused by nothing but a store in flight")                        \
  X(wait_read, NULL, "a miss is refused by nothing but a read of its place")                       \
  X(wait_mshr, NULL, "a miss is refused by nothing but the MSHR table: no entry")                  \
  X(wait_merge, NULL, "a miss is refused by nothing but an entry of its line")                     \
  X(wait_queue, NULL, "a miss is refused by nothing but the miss queue")                           \
  X(store_hit, NULL, "a store evicts its line")                                                    \
  X(store_miss, NULL, "a store of a line that is not here")                                        \
  X(store_pending, NULL, "a store is refused by nothing but the reserved tag")                     \
  X(store_mshr, NULL, "a store is refused by nothing but the MSHR table")                          \
  X(store_bypass, NULL, "a store is refused by nothing but the bypass table")                      \
  X(store_flight, NULL, "a store is refused by nothing but the flight queue")                      \
  X(store_queue, NULL, "a store is refused by nothing but the miss queue")                         \
  X(bypass, NULL, "a bypass")                                                                      \
  X(bypass_table, NULL, "no bypass: the bypass table alone")                                       \
  X(bypass_store, NULL, "no bypass: a store in flight alone")                                      \
  X(bypass_queue, NULL, "no bypass: the miss queue alone")                                         \
  X(bypass_write, NULL, "no bypass: a store is presented")                                         \
  X(bypass_late, NULL, "no bypass: A is not empty")                                                \
  X(bypass_none, NULL, "no bypass: nothing is presented")                                          \
  X(bypass_odd, odd_bypasses, "a bypass entry that does not exist")                                \
  X(drop_two, NULL, "a refusal drops a request in D and a presented one")                          \
  X(drop_one, NULL, "a refusal drops a request in D")                                              \
  X(drop_presented, NULL, "a refusal drops a presented request")                                   \
  X(taken_three, NULL, "a request is taken, with others in D and T")                               \
  X(flush, NULL, "a flush")                                                                        \
  X(flush_a, NULL, "no flush: A alone is not empty")                                               \
  X(flush_d, NULL, "no flush: D alone is not empty")                                               \
  X(flush_t, NULL, "no flush: a presented request alone")                                          \
  X(flush_busy, NULL, "no flush: the rest of the L1 alone")                                        \
  X(one_sector, NULL, "the fetch of one sector")                                                   \
  X(all_sectors, sectors, "the fetch of every sector")                                             \
  X(gap, sectors_and_beats, "a fetch from the first beat to the last, of two sectors or more")     \
  X(reset, NULL, "reset with requests in D and A")
#include "cosim/stim/bins.h"

static void start(void *state, const uint32_t *cfg, uint64_t seed) {
  state_t *s = state;
  memset(s, 0, sizeof *s);
  memcpy(&s->cfg, cfg, sizeof s->cfg);
  s->req = prng_seed(seed, 1);
  s->data = prng_seed(seed, 2);
  s->tags = prng_seed(seed, 3);
  s->room = prng_seed(seed, 4);
  s->phase.rng = prng_seed(seed, 5);
  s->reset.rng = prng_seed(seed, 6);
}

/* A value of this width; half of them are a corner value or a single bit. */
static uint64_t value(prng_t *rng, unsigned width) {
  const uint64_t v = prng_next(rng);
  return v & 1 ? stim_at_edge(v >> 1, width) : bits(v >> 1, width);
}

static void request(state_t *s, l1_control_in_t *i) {
  static const uint16_t valid[KINDS] = {900, 900, 900, 900, 950, 150, 500, 1000};
  static const uint16_t write[KINDS] = {100, 100, 100, 900, 400, 300, 500, 0};
  const l1_control_cfg_t *c = &s->cfg;
  const uint64_t v = prng_next(&s->data);
  i->req_valid_i = prng_chance(&s->req, valid[s->phase.kind]);
  i->req_write_i = prng_chance(&s->req, write[s->phase.kind]);
  i->req_line_i = value(&s->data, c->ADDR_W);
  i->req_entry_i = value(&s->data, c->ENTRY_W);
  i->req_number_i = value(&s->data, c->NUMBER_W);
  i->req_sectors_i = value(&s->data, c->SECTORS);
  if ((v & 7) == 0) i->req_sectors_i = bits_mask(c->SECTORS);
  if ((v & 7) == 1) /* the outer two */
    i->req_sectors_i = 1 | UINT64_C(1) << (c->SECTORS - 1);
}

/* What the tags say of A's line. */
static void tags(state_t *s, const l1_control_regs_t *r, l1_control_in_t *i) {
  /* Of each kind, how often a line is here, reserved, or in a full set, in sixteenths. */
  static const uint8_t here[KINDS] = {12, 3, 2, 6, 5, 5, 0, 16},
                       reserved[KINDS] = {2, 2, 12, 3, 5, 4, 0, 0},
                       full[KINDS] = {1, 3, 1, 1, 4, 2, 0, 0};
  const uint32_t kind = s->phase.kind;
  const uint64_t v = prng_next(&s->tags), at = v & 15;
  i->hit_i = at < here[kind];
  i->pending_i = !i->hit_i && at < (uint64_t)here[kind] + reserved[kind];
  i->full_i = !i->hit_i && !i->pending_i && v >> 4 & 1 && (v >> 5 & 7) < 2u * full[kind];
  if (kind == WILD) {
    i->hit_i = v >> 8 & 1;
    i->pending_i = (v >> 9 & 3) == 0;
    i->full_i = (v >> 11 & 3) == 0;
  }
  const bool line = i->hit_i || i->pending_i || kind == WILD;
  i->have_i = line ? value(&s->tags, s->cfg.SECTORS) : 0;
  if (line && (v >> 16 & 7) < 5) i->have_i |= r->a_sectors_q;
  if (line && (v >> 16 & 7) == 5) /* it lacks the lowest sector */
    i->have_i = (i->have_i | r->a_sectors_q) & ~(r->a_sectors_q & -(uint64_t)r->a_sectors_q);
  i->place_i = value(&s->tags, bits_index_w(s->cfg.LINES));
}

/* The tables, the queues and the store buffer. */
static void rooms(state_t *s, l1_control_in_t *i) {
  static const uint16_t room[KINDS] = {950, 950, 950, 950, 600, 950, 500, 1000};
  const uint32_t kind = s->phase.kind, often = room[kind];
  const uint64_t v = prng_next(&s->room);
  i->mshr_ready_i = prng_chance(&s->room, often);
  i->mshr_merge_i = i->pending_i ? (v & 15) != 0 : (v & 31) == 0;
  i->mshr_store_hit_i = (i->pending_i && (v >> 4 & 7) != 0) || (v >> 4 & 31) == 0;
  if (kind == WILD) i->mshr_merge_i = v >> 9 & 1;
  i->mshr_entry_i = value(&s->room, bits_index_w(s->cfg.MSHRS));
  i->bypass_ready_i = prng_chance(&s->room, often);
  i->bypass_store_hit_i = !prng_chance(&s->room, often);
  i->bypass_entry_i = stim_index(&s->room, s->cfg.BYPASSES, bits_index_w(s->cfg.BYPASSES));
  i->find_i = !prng_chance(&s->room, often);
  i->read_ready_i = prng_chance(&s->room, often);
  i->read_find_i = !prng_chance(&s->room, often);
  i->miss_ready_i = prng_chance(&s->room, often);
  i->flight_ready_i = prng_chance(&s->room, often);
  i->flush_i = v >> 16 & 1;
  i->idle_i = (v >> 17 & 3) != 0;
}

static void next(void *state, const void *model, uint64_t *in) {
  state_t *s = state;
  const l1_control_regs_t *r = l1_control_regs(model);
  l1_control_in_t *i = (l1_control_in_t *)(void *)in;
  stim_phase(&s->phase, KINDS, 300);
  request(s, i);
  tags(s, r, i);
  rooms(s, i);
  const bool may = s->refused && prng_chance(&s->req, 700);
  i->byp_valid_i = may || prng_chance(&s->req, s->phase.kind == WILD ? 500 : 20);
  if (may) i->req_valid_i = 1;
  if (may && prng_chance(&s->req, 950)) i->req_write_i = 0;
  if (stim_rst_open(&s->reset) && r->a_valid_q && r->d_valid_q) stim_rst_now(&s->reset);
  i->srst_ni = stim_rst_n(&s->reset);
}

static void rush(void *state, bool on) {
  stim_rush(&((state_t *)state)->phase, RUSH, on);
}

/* Of conditions that refuse, the number of the only one that holds, from 1 on; 0 for none or
 * several. */
static unsigned alone(const bool *refuses, unsigned n) {
  unsigned which = 0, all = 0;
  for (unsigned i = 0; i < n; i++)
    if (refuses[i]) which = i + 1, all++;
  return all == 1 ? which : 0;
}

static uint64_t sample_load(const l1_control_regs_t *r, const l1_control_in_t *i,
                            const l1_control_out_t *o) {
  const bool load = r->a_valid_q && !r->a_write_q;
  const bool covered = (r->a_sectors_q & ~i->have_i) == 0;
  const bool hit = load && i->hit_i && covered, pending = load && !hit && i->pending_i;
  const bool miss = load && !hit && !i->pending_i && !i->full_i;
  const bool refuses[] = {i->find_i, i->read_find_i, !i->mshr_ready_i, i->mshr_merge_i,
                          !i->miss_ready_i};
  const unsigned why = miss ? alone(refuses, 5) : 0;
  const bool some = (r->a_sectors_q & i->have_i) != 0 && !covered;
  return HIT(hit, hit && o->read_valid_o) | HIT(hit_wait, hit && !o->read_valid_o) |
         HIT(merge, pending && o->mshr_valid_o) |
         HIT(merge_full, pending && covered && !i->mshr_ready_i && i->mshr_merge_i) |
         HIT(merge_late, pending && covered && i->mshr_ready_i && !i->mshr_merge_i) |
         HIT(lacks_sector, pending && !covered && i->mshr_ready_i && i->mshr_merge_i) |
         HIT(full, o->answer_o == 1) | HIT(miss, o->reserve_o && !i->hit_i) |
         HIT(miss_sector, o->reserve_o && i->hit_i) | HIT(miss_some, o->reserve_o && some) |
         HIT(wait_store, why == 1) | HIT(wait_read, why == 2) | HIT(wait_mshr, why == 3) |
         HIT(wait_merge, why == 4) | HIT(wait_queue, why == 5);
}

static uint64_t sample_store(const l1_control_regs_t *r, const l1_control_in_t *i,
                             const l1_control_out_t *o) {
  const bool store = r->a_valid_q && r->a_write_q;
  const bool refuses[] = {i->pending_i, i->mshr_store_hit_i, i->bypass_store_hit_i,
                          !i->flight_ready_i, !i->miss_ready_i};
  const unsigned why = store ? alone(refuses, 5) : 0;
  return HIT(store_hit, o->evict_o) | HIT(store_other, o->send_valid_o && i->find_i) |
         HIT(store_miss, o->send_valid_o && !o->evict_o) | HIT(store_pending, why == 1) |
         HIT(store_mshr, why == 2) | HIT(store_bypass, why == 3) | HIT(store_flight, why == 4) |
         HIT(store_queue, why == 5);
}

static uint64_t sample_bypass(const state_t *s, const l1_control_regs_t *r,
                              const l1_control_in_t *i, const l1_control_out_t *o) {
  const bool refuses[] = {!i->bypass_ready_i, i->find_i,    !i->miss_ready_i,
                          i->req_write_i,     r->a_valid_q, !i->req_valid_i};
  const unsigned why = i->byp_valid_i ? alone(refuses, 6) : 0;
  return HIT(bypass, o->bypass_valid_o) | HIT(bypass_table, why == 1) |
         HIT(bypass_store, why == 2) | HIT(bypass_queue, why == 3) | HIT(bypass_write, why == 4) |
         HIT(bypass_late, why == 5) | HIT(bypass_none, why == 6) |
         HIT(bypass_odd, o->bypass_valid_o && i->bypass_entry_i >= s->cfg.BYPASSES);
}

static uint64_t sample(void *state, const void *model, const uint64_t *in, const uint64_t *out) {
  state_t *s = state;
  const l1_control_regs_t *r = l1_control_regs(model);
  const l1_control_in_t *i = (const l1_control_in_t *)(const void *)in;
  const l1_control_out_t *o = (const l1_control_out_t *)(const void *)out;
  const bool refused = o->answer_o != 0, d = r->d_valid_q, t = i->req_valid_i;
  s->refused = i->srst_ni && refused && !r->a_write_q;
  if (!i->srst_ni) return HIT(reset, d && r->a_valid_q);
  const bool fulls[] = {r->a_valid_q, d, t, !i->idle_i};
  const unsigned busy = i->flush_i ? alone(fulls, 4) : 0;
  const uint64_t every = bits_mask(s->cfg.SECTORS), top = UINT64_C(1) << (s->cfg.SECTORS - 1);
  const uint64_t wanted = s->cfg.FETCH ? every : r->a_sectors_q;
  const uint64_t fetch = r->a_valid_q ? wanted & ~i->have_i : i->req_sectors_i;
  const bool several = o->start_valid_o && fetch & (fetch - 1);
  return sample_load(r, i, o) | sample_store(r, i, o) | sample_bypass(s, r, i, o) |
         HIT(drop_two, refused && d && t) | HIT(drop_one, refused && d && !t) |
         HIT(drop_presented, refused && !d && t) |
         HIT(taken_three, r->a_valid_q && !refused && d && t) | HIT(flush, o->clear_o) |
         HIT(flush_a, busy == 1) | HIT(flush_d, busy == 2) | HIT(flush_t, busy == 3) |
         HIT(flush_busy, busy == 4) | HIT(one_sector, o->start_valid_o && fetch && !several) |
         HIT(all_sectors, several && fetch == every) |
         HIT(gap, several && fetch & 1 && fetch & top);
}

static bool active(const uint64_t *in) {
  const l1_control_in_t *i = (const l1_control_in_t *)(const void *)in;
  return !i->srst_ni || i->req_valid_i || i->flush_i;
}

static void describe(const uint32_t *cfg, const uint64_t *in, const uint64_t *out, char *text) {
  static const char *const events[8] = {"hit",   "miss",           "merge",   "bypass",
                                        "store", "refused (ways)", "refused", "evicts"};
  const l1_control_in_t *i = (const l1_control_in_t *)(const void *)in;
  const l1_control_out_t *o = (const l1_control_out_t *)(const void *)out;
  (void)cfg;
  if (!i->srst_ni) stim_say(text, "reset ");
  if (i->req_valid_i)
    stim_say(text, "T: %s 0x%llx ", i->req_write_i ? "store" : "load",
             (unsigned long long)i->req_line_i);
  for (unsigned e = 0; e < 8; e++)
    if (o->event_o >> e & 1)
      stim_say(text, "%s%s ", e == 3 ? "" : e == 7 ? "and " : "A: ", events[e]);
  if (o->flush_done_o) stim_say(text, "flush done");
}

static void occupancy(const uint32_t *cfg, const void *model, char *text) {
  const l1_control_regs_t *r = l1_control_regs(model);
  (void)cfg;
  stim_say(text, "D: %s, A: %s",
           !r->d_valid_q  ? "empty"
           : r->d_write_q ? "a store"
                          : "a load",
           !r->a_valid_q  ? "empty"
           : r->a_write_q ? "a store"
                          : "a load");
}

const stim_class_t stim_l1_control = {.stem = "l1_control",
                                      .size = sizeof(state_t),
                                      .start = start,
                                      .next = next,
                                      .sample = sample,
                                      .active = active,
                                      .describe = describe,
                                      .occupancy = occupancy,
                                      .bins = bins,
                                      .n_bins = N_BINS,
                                      .rush = rush};
