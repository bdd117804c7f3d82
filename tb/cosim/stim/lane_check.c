/* SPDX-License-Identifier: Apache-2.0 */
/* lane_check: what a table and its surroundings do, mostly as the rules say, with each rule broken
 * now and then: allocations of entries without open lanes, requests of lanes that are left, replies
 * that leave a lane for each request still in flight. The registers themselves say what fits. */
#include "cosim/stim/stim.h"

#include "lane_check.h"

#include <string.h>

enum { FILL_UP, EMPTY, BALANCED, SINGLE, KINDS };

typedef struct {
  lane_check_cfg_t cfg;
  unsigned entry_w;
  uint32_t lanes; /* mask of all lanes */
  prng_t alloc, issue, reply;
  stim_phase_t phase, reset;
  uint32_t hot;
  uint32_t cleared; /* cycles that ask for lanes which a reset has cleared */
} state_t;

static bool odd_entries(const uint32_t *cfg) {
  return (1u << bits_index_w(lane_check_sizes(cfg)->ENTRIES)) > lane_check_sizes(cfg)->ENTRIES;
}
static bool wide(const uint32_t *cfg) {
  return lane_check_sizes(cfg)->LANES > 1;
}

#define BINS(X)                                                                                    \
  X(allocate, NULL, "an entry is allocated")                                                       \
  X(alloc_open, NULL, "an entry with open lanes is allocated")                                     \
  X(alloc_no_entry, odd_entries, "an entry that does not exist is allocated")                      \
  X(issue_part, wide, "a request, lanes are left")                                                 \
  X(issue_last, NULL, "a request of the last lanes")                                               \
  X(issue_new, NULL, "a request of the entry allocated in this cycle")                             \
  X(issue_new_bad, NULL, "a request of the entry allocated in this cycle names other lanes")       \
  X(issue_twice, wide, "a request names lanes that were issued")                                   \
  X(issue_free, NULL, "a request of an entry without open lanes")                                  \
  X(issue_cleared, NULL, "a request of lanes that a reset has cleared")                            \
  X(issue_no_entry, odd_entries, "a request of an entry that does not exist")                      \
  X(issue_no_lanes, NULL, "a request without lanes")                                               \
  X(reply, wide, "a reply, more are to come")                                                      \
  X(reply_last, NULL, "the last reply")                                                            \
  X(reply_free, NULL, "a reply to an entry without requests in flight")                            \
  X(reply_no_entry, odd_entries, "a reply to an entry that does not exist")                        \
  X(reply_no_lanes, NULL, "a reply without lanes")                                                 \
  X(reply_other, NULL, "a reply brings lanes that do not wait")                                    \
  X(reply_all_early, wide, "a reply brings all lanes while others are in flight")                  \
  X(reply_part_last, wide, "the last reply brings only a part")                                    \
  X(reply_issue_same, wide, "a reply and a request of one entry in one cycle")                     \
  X(all_at_once, NULL, "reply, allocation and request of one entry in one cycle")                  \
  X(most_pending, NULL, "as many requests in flight as lanes")                                     \
  X(reset_open, NULL, "reset while lanes are open")
#include "cosim/stim/bins.h"

static void start(void *state, const uint32_t *cfg, uint64_t seed) {
  state_t *s = state;
  memset(s, 0, sizeof *s);
  memcpy(&s->cfg, cfg, sizeof s->cfg);
  s->entry_w = bits_index_w(s->cfg.ENTRIES);
  s->lanes = (uint32_t)bits_mask(s->cfg.LANES);
  s->alloc = prng_seed(seed, 1);
  s->issue = prng_seed(seed, 2);
  s->reply = prng_seed(seed, 3);
  s->phase.rng = prng_seed(seed, 4);
  s->reset.rng = prng_seed(seed, 5);
}

typedef enum { CLOSED, LEFT, FLYING } wanted_t;

static bool live(const lane_check_regs_t *r, uint64_t e) {
  return r->live_q[e / 32] >> e % 32 & 1;
}

static bool is(const lane_check_regs_t *r, uint32_t e, wanted_t wanted) {
  if (!live(r, e)) return wanted == CLOSED;
  if (wanted == LEFT) return r->todo_q[e] != 0;
  return wanted == FLYING ? r->pend_q[e] > 0 : r->todo_q[e] == 0 && r->pend_q[e] == 0;
}

/* An entry in the wanted state, if one is found among the next 48. */
static uint32_t pick(const state_t *s, prng_t *rng, const lane_check_regs_t *r, wanted_t wanted) {
  uint32_t e = s->phase.kind == SINGLE ? s->hot : prng_below(rng, s->cfg.ENTRIES);
  for (unsigned n = 0; n < 48 && !is(r, e, wanted); n++) e = e + 1 >= s->cfg.ENTRIES ? 0 : e + 1;
  return e;
}

/* Some of the lanes of `mask`: all, the lowest, or a random part. */
static uint32_t part(uint64_t random, uint32_t mask) {
  const uint32_t some = mask & (uint32_t)(random >> 32);
  return (random & 3) == 0 ? mask : (random & 3) == 1 || !some ? mask & (~mask + 1) : some;
}

static void next_reply(state_t *s, const lane_check_regs_t *r, lane_check_in_t *i) {
  const uint64_t v = prng_next(&s->reply);
  const uint32_t e = pick(s, &s->reply, r, FLYING), wait = r->wait_q[e];
  uint32_t m = r->pend_q[e] > 1 ? part(v, wait) : wait;
  const unsigned others = r->pend_q[e] > 1 ? r->pend_q[e] - 1u : 0;
  while ((unsigned)__builtin_popcount(m) + others > (unsigned)__builtin_popcount(wait) && m)
    m &= m - 1;
  i->reply_entry_i = e;
  i->reply_mask_i = m;
  switch (v >> 2 & 31) { /* wrong in some way */
  case 0:
    i->reply_entry_i = bits(v >> 8, s->entry_w);
    break;
  case 1:
    i->reply_mask_i = 0;
    break;
  case 2:
    i->reply_mask_i = m | (s->lanes & (uint32_t)(v >> 32));
    break;
  case 3:
    i->reply_mask_i = wait;
    break;
  case 4:
    i->reply_mask_i = m & (m - 1);
    break;
  default:
    break;
  }
}

static void next_issue(state_t *s, const lane_check_regs_t *r, lane_check_in_t *i) {
  const uint64_t v = prng_next(&s->issue);
  const bool fresh = i->alloc_valid_i && i->alloc_entry_i < s->cfg.ENTRIES && (v >> 8 & 3) == 0;
  const uint32_t e = fresh ? (uint32_t)i->alloc_entry_i : pick(s, &s->issue, r, LEFT);
  const uint32_t left = fresh ? (uint32_t)i->alloc_mask_i : r->todo_q[e];
  i->issue_entry_i = e;
  i->issue_mask_i = s->phase.kind == SINGLE ? left & (~left + 1) : part(v, left);
  switch (v >> 2 & 31) { /* wrong in some way, or of the reply's entry */
  case 0:
    i->issue_entry_i = bits(v >> 10, s->entry_w);
    break;
  case 1:
    i->issue_mask_i = 0;
    break;
  case 2:
    i->issue_mask_i = s->lanes & (uint32_t)(v >> 32);
    break;
  case 3:
    i->issue_mask_i |= s->lanes & (UINT64_C(1) << (v >> 32 & 31));
    break;
  case 4:
  case 5:
    i->issue_entry_i = i->reply_entry_i;
    i->issue_mask_i = part(v, r->todo_q[i->reply_entry_i & 511]);
    break;
  default:
    break;
  }
}

static void next_alloc(state_t *s, const lane_check_regs_t *r, lane_check_in_t *i) {
  const uint64_t v = prng_next(&s->alloc);
  i->alloc_entry_i = pick(s, &s->alloc, r, CLOSED);
  i->alloc_mask_i = (v & 3) == 0 ? s->lanes : s->lanes & v >> 32;
  if (s->phase.kind == SINGLE) i->alloc_mask_i = s->lanes;
  if ((v >> 2 & 31) == 0) i->alloc_entry_i = bits(v >> 8, s->entry_w);
  if ((v >> 2 & 31) == 1) i->alloc_entry_i = i->reply_entry_i;
  if (i->alloc_entry_i < s->cfg.ENTRIES && !is(r, (uint32_t)i->alloc_entry_i, CLOSED) &&
      (v >> 7 & 7) != 0)
    i->alloc_valid_i = 0;
}

static void ask_cleared(state_t *s, const lane_check_regs_t *r, lane_check_in_t *i) {
  uint32_t e = prng_below(&s->reset.rng, s->cfg.ENTRIES);
  for (unsigned n = 0; n < 48 && (live(r, e) || !r->todo_q[e]); n++)
    e = e + 1 >= s->cfg.ENTRIES ? 0 : e + 1;
  i->alloc_valid_i = 0;
  i->issue_valid_i = 1;
  i->issue_entry_i = e;
  i->issue_mask_i = r->todo_q[e];
  s->cleared--;
}

static void next(void *state, const void *model, uint64_t *in) {
  static const uint16_t alloc_rate[KINDS] = {950, 30, 500, 300};
  static const uint16_t issue_rate[KINDS] = {300, 900, 700, 950};
  static const uint16_t reply_rate[KINDS] = {30, 950, 600, 10};
  state_t *s = state;
  const lane_check_regs_t *r = lane_check_regs(model);
  lane_check_in_t *i = (lane_check_in_t *)(void *)in;
  if (stim_phase(&s->phase, KINDS, 500)) {
    s->hot = prng_below(&s->phase.rng, s->cfg.ENTRIES);
    if (s->phase.kind == FILL_UP) s->phase.left += s->cfg.ENTRIES;
  }
  const uint32_t kind = s->phase.kind;
  i->srst_ni = stim_rst_n(&s->reset);
  i->alloc_valid_i = prng_chance(&s->alloc, alloc_rate[kind]);
  i->issue_valid_i = prng_chance(&s->issue, issue_rate[kind]);
  i->reply_valid_i = prng_chance(&s->reply, reply_rate[kind]);
  next_reply(s, r, i);
  next_alloc(s, r, i);
  next_issue(s, r, i);
  if (!i->srst_ni) s->cleared = prng_below(&s->reset.rng, 5);
  if (i->srst_ni && s->cleared) ask_cleared(s, r, i);
}

static uint64_t issue_bins(const state_t *s, const lane_check_regs_t *r, const lane_check_in_t *i,
                           const lane_check_out_t *o) {
  const uint64_t e = i->issue_entry_i, n = i->issue_mask_i;
  if (!i->issue_valid_i) return 0;
  if (e >= s->cfg.ENTRIES) return HIT(issue_no_entry, true);
  const bool fresh = i->alloc_valid_i && i->alloc_entry_i == e;
  const uint64_t left = fresh ? i->alloc_mask_i : live(r, e) ? r->todo_q[e] : 0;
  const bool reply = o->reply_ok_o && i->reply_entry_i == e;
  return HIT(issue_part, o->issue_ok_o && n != left) | HIT(issue_last, o->issue_ok_o && n == left) |
         HIT(issue_new, o->issue_ok_o && fresh) | HIT(issue_new_bad, fresh && (n & ~left)) |
         HIT(issue_twice, !fresh && left && (n & ~left)) |
         HIT(issue_free, !fresh && is(r, (uint32_t)e, CLOSED)) | HIT(issue_no_lanes, n == 0) |
         HIT(issue_cleared, !fresh && !live(r, e) && n && n == r->todo_q[e]) |
         HIT(reply_issue_same, o->issue_ok_o && reply && !fresh) |
         HIT(all_at_once, o->issue_ok_o && reply && fresh);
}

static uint64_t reply_bins(const state_t *s, const lane_check_regs_t *r, const lane_check_in_t *i,
                           const lane_check_out_t *o) {
  const uint64_t e = i->reply_entry_i, m = i->reply_mask_i;
  if (!i->reply_valid_i) return 0;
  if (e >= s->cfg.ENTRIES) return HIT(reply_no_entry, true);
  const uint64_t wait = live(r, e) ? r->wait_q[e] : 0;
  const uint32_t pend = live(r, e) ? r->pend_q[e] : 0;
  const bool within = m != 0 && (m & ~wait) == 0;
  return HIT(reply, o->reply_ok_o && pend > 1) | HIT(reply_last, o->reply_ok_o && pend == 1) |
         HIT(reply_free, pend == 0) | HIT(reply_no_lanes, m == 0) |
         HIT(reply_other, (m & ~wait) != 0) |
         HIT(reply_all_early, within && m == wait && pend > 1) |
         HIT(reply_part_last, within && m != wait && pend == 1) |
         HIT(most_pending, pend == s->cfg.LANES);
}

static bool any_open(const state_t *s, const lane_check_regs_t *r) {
  for (uint32_t e = 0; e < s->cfg.ENTRIES; e++)
    if (!is(r, e, CLOSED)) return true;
  return false;
}

static uint64_t sample(void *state, const void *model, const uint64_t *in, const uint64_t *out) {
  state_t *s = state;
  const lane_check_regs_t *r = lane_check_regs(model);
  const lane_check_in_t *i = (const lane_check_in_t *)(const void *)in;
  const lane_check_out_t *o = (const lane_check_out_t *)(const void *)out;
  if (!i->srst_ni) return HIT(reset_open, any_open(s, r));
  const bool alloc = i->alloc_valid_i, exists = i->alloc_entry_i < s->cfg.ENTRIES;
  return issue_bins(s, r, i, o) | reply_bins(s, r, i, o) | HIT(allocate, alloc && exists) |
         HIT(alloc_no_entry, alloc && !exists) |
         HIT(alloc_open, alloc && exists && !is(r, (uint32_t)i->alloc_entry_i, CLOSED));
}

static bool active(const uint64_t *in) {
  const lane_check_in_t *i = (const lane_check_in_t *)(const void *)in;
  return i->alloc_valid_i || i->issue_valid_i || i->reply_valid_i || !i->srst_ni;
}

static void describe(const uint32_t *cfg, const uint64_t *in, const uint64_t *out, char *text) {
  const lane_check_in_t *i = (const lane_check_in_t *)(const void *)in;
  const lane_check_out_t *o = (const lane_check_out_t *)(const void *)out;
  (void)cfg;
  if (!i->srst_ni) stim_say(text, "reset; ");
  if (i->reply_valid_i)
    stim_say(text, "reply e%u lanes 0x%llx%s; ", (unsigned)i->reply_entry_i,
             (unsigned long long)i->reply_mask_i, o->reply_ok_o ? "" : " wrong");
  if (i->alloc_valid_i)
    stim_say(text, "allocate e%u lanes 0x%llx; ", (unsigned)i->alloc_entry_i,
             (unsigned long long)i->alloc_mask_i);
  if (i->issue_valid_i)
    stim_say(text, "issue e%u lanes 0x%llx%s", (unsigned)i->issue_entry_i,
             (unsigned long long)i->issue_mask_i, o->issue_ok_o ? "" : " wrong");
}

static void occupancy(const uint32_t *cfg, const void *model, char *text) {
  const lane_check_regs_t *r = lane_check_regs(model);
  stim_say(text, "%u entries;", lane_check_sizes(cfg)->ENTRIES);
  for (uint32_t e = 0; e < lane_check_sizes(cfg)->ENTRIES; e++)
    if (!is(r, e, CLOSED))
      stim_say(text, " e%u:%x/%x/%u", e, r->todo_q[e], r->wait_q[e], r->pend_q[e]);
}

static void rush(void *state, bool on) {
  stim_rush(&((state_t *)state)->phase, BALANCED, on);
}

const stim_class_t stim_lane_check = {.stem = "lane_check",
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
