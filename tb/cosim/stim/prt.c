/* SPDX-License-Identifier: Apache-2.0 */
/* prt: allocations, issues and replies in phases, each legal most of the time and wrong in every
 * way now and then; without CHECK, what would be wrong is left out. A reply brings a part of the
 * awaited lanes while several requests are in flight, and the last one all of them. The table is
 * filled up (with ORDER, when its oldest entry is at the last place), and every event reaches the
 * last entry. With ORDER there is one more phase, in which the oldest entry gets no reply, so that
 * the ring fills up behind it. */
#include "cosim/stim/prt_account.h"
#include "cosim/stim/stim.h"

#include <string.h>

enum { FILL_UP, EMPTY, BALANCED, FLY, SINGLE, NO_REPLY, SPARSE, LAST_PLACE, SLOW_HEAD, KINDS };

typedef struct {
  prt_cfg_t cfg;
  unsigned entry_w, offset_words;
  uint32_t lanes; /* mask of all lanes */
  prt_account_t acc;
  prng_t alloc, issue, reply, data;
  stim_phase_t phase, reset;
  uint32_t hot;
  uint32_t cleared; /* cycles that ask for entries which a reset has freed */
  uint32_t waiting; /* entries that are done and not released, according to the outputs */
  bool freed;       /* one of them was released in the previous cycle */
} state_t;

static bool checked(const uint32_t *cfg) {
  return prt_sizes(cfg)->CHECK != 0;
}
static bool odd_entries(const uint32_t *cfg) {
  return checked(cfg) && (1u << bits_index_w(prt_sizes(cfg)->ENTRIES)) > prt_sizes(cfg)->ENTRIES;
}
static bool wide(const uint32_t *cfg) {
  return prt_sizes(cfg)->LANES > 1;
}

static bool ordered(const uint32_t *cfg) {
  return prt_sizes(cfg)->ORDER != 0;
}
static bool waits(const uint32_t *cfg) {
  return ordered(cfg) && prt_sizes(cfg)->ENTRIES > 1;
}
static bool waits_checked(const uint32_t *cfg) {
  return waits(cfg) && checked(cfg);
}
/* next_q can point to different entries. */
static bool any_order(const uint32_t *cfg) {
  return !ordered(cfg) && prt_sizes(cfg)->ENTRIES > 1;
}

#define BINS(X)                                                                                    \
  X(allocate, NULL, "an entry is allocated")                                                       \
  X(full, NULL, "every entry is in use")                                                           \
  X(alloc_refused, NULL, "an allocation is refused: no free entry")                                \
  X(alloc_no_lanes, NULL, "an allocation without lanes")                                           \
  X(issue, NULL, "a request is issued")                                                            \
  X(issue_part, wide, "lanes are left to issue")                                                   \
  X(issue_last, NULL, "the last lanes are issued")                                                 \
  X(issue_new, NULL, "a request of the entry allocated in this cycle")                             \
  X(issue_bad, checked, "a request breaks the rules")                                              \
  X(issue_no_entry, odd_entries, "a request of an entry that does not exist")                      \
  X(reply, wide, "a reply, more are to come")                                                      \
  X(reply_todo, wide, "a reply leaves no request in flight, but lanes to issue")                   \
  X(release, NULL, "the last reply releases the entry")                                            \
  X(reply_bad, checked, "a reply breaks the rules")                                                \
  X(reply_no_entry, odd_entries, "a reply to an entry that does not exist")                        \
  X(reply_allocate, NULL, "a reply in the cycle of an allocation")                                 \
  X(reuse, NULL, "an allocation takes the entry released in this cycle")                           \
  X(allocate_when_full, NULL, "an allocation while all are in use, one released in this cycle")    \
  X(reply_issue_same, wide, "a reply and a request of one entry in one cycle")                     \
  X(all_at_once, NULL, "reply, allocation and request in one cycle")                               \
  X(most_pending, NULL, "as many requests in flight as lanes")                                     \
  X(tag_ones, NULL, "a reply to an entry with a tag of ones only")                                 \
  X(reply_lanes, NULL, "a reply to all lanes at once")                                             \
  X(next_other, any_order, "an allocation, and another entry is free for the next one")            \
  X(next_released, any_order, "the last free entry is taken, as another one is released")          \
  X(next_full, any_order, "an entry of a full table is released, and not taken at once")           \
  X(full_last, NULL, "every entry is in use, and the last reply to the last one comes")            \
  X(reset_full_last, NULL,                                                                         \
    "reset while every entry is in use, with ORDER the last one the oldest")                       \
  X(reset_in_use, NULL, "reset while entries are in use")                                          \
  X(last_waits, waits, "the last reply of an entry that is not the oldest")                        \
  X(reply_done, waits_checked, "a reply to an entry that waits for its release")                   \
  X(issue_done, waits_checked, "a request of an entry that waits for its release")                 \
  X(release_done, waits, "an entry is released that waited for it")                                \
  X(release_done_last, waits, "an entry is released that waited, as another one gets its last")    \
  X(release_train, waits, "two that waited are released in successive cycles")                     \
  X(all_wait, waits, "every entry is in use, and all but the oldest wait for their release")       \
  X(head_wraps, ordered, "the last entry is released, entry 0 is the oldest next")
#include "cosim/stim/bins.h"

static void start(void *state, const uint32_t *cfg, uint64_t seed) {
  state_t *s = state;
  memset(s, 0, sizeof *s);
  memcpy(&s->cfg, cfg, sizeof s->cfg);
  s->entry_w = bits_index_w(s->cfg.ENTRIES);
  s->offset_words = (s->cfg.LANES * s->cfg.OFFSET_W + 63) / 64;
  s->lanes = (uint32_t)bits_mask(s->cfg.LANES);
  s->alloc = prng_seed(seed, 1);
  s->issue = prng_seed(seed, 2);
  s->reply = prng_seed(seed, 3);
  s->data = prng_seed(seed, 4);
  s->phase.rng = prng_seed(seed, 5);
  s->reset.rng = prng_seed(seed, 6);
}

static bool valid(const prt_regs_t *r, uint64_t e) {
  return r->valid_q[e / 32] >> e % 32 & 1;
}

/* Returns some of the lanes of `mask`, at least one if it has any: all, one, or a random part. */
static uint32_t part(prng_t *rng, uint32_t mask) {
  uint64_t r = prng_next(rng);
  uint32_t some = mask & (uint32_t)(r >> 32);
  const uint64_t few = stim_choose(((r & 3) == 1) | (some == 0), mask & (~mask + 1), some);
  return (uint32_t)stim_choose((r & 3) == 0, mask, few);
}

/* Prefers an entry with a request in flight (`waiting`), or with lanes to issue. */
static uint32_t pick(const state_t *s, prng_t *rng, const prt_regs_t *r, bool waiting) {
  const uint64_t *wanted = waiting ? s->acc.flying : s->acc.open;
  uint64_t set[512 / 64];
  for (uint32_t w = 0; 64 * w < s->cfg.ENTRIES; w++) {
    const uint64_t in_use = r->valid_q[2 * w] | (uint64_t)r->valid_q[2 * w + 1] << 32;
    set[w] = in_use & wanted[w];
  }
  return stim_pick(rng, set, s->cfg.ENTRIES, 48);
}

static void next_reply(state_t *s, const prt_regs_t *r, prt_in_t *i) {
  uint32_t e = pick(s, &s->reply, r, true), wait = s->acc.wait[e], m = wait;
  uint64_t v = prng_next(&s->reply);
  if (r->pend_q[e] > 1) { /* a part that leaves one lane for each of the other requests */
    unsigned spare = (unsigned)__builtin_popcount(wait) - (r->pend_q[e] - 1u);
    m = part(&s->reply, wait);
    for (unsigned n = (unsigned)__builtin_popcount(m); n > spare; n--) m &= m - 1;
  }
  i->reply_entry_i = e;
  i->reply_mask_i = m;
  switch (v & 31) { /* wrong in some way */
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

static void next_issue(state_t *s, const prt_regs_t *r, prt_in_t *i) {
  uint64_t v = prng_next(&s->issue);
  bool fresh = (v & 7) < 3 && i->alloc_valid_i;
  uint32_t e = fresh ? r->next_q : pick(s, &s->issue, r, false);
  uint32_t todo = fresh ? (uint32_t)i->alloc_mask_i : s->acc.todo[e], m = part(&s->issue, todo);
  if (s->phase.kind == SINGLE) {
    if (!valid(r, s->hot) || s->acc.todo[s->hot] == 0) s->hot = e;
    e = s->hot;
    m = s->acc.todo[e] & (~s->acc.todo[e] + 1);
  }
  i->issue_entry_i = e;
  i->issue_mask_i = m;
  switch (v >> 3 & 31) {
  case 0:
    i->issue_entry_i = bits(v >> 8, s->entry_w);
    break;
  case 1:
    i->issue_mask_i = 0;
    break;
  case 2:
    i->issue_mask_i = s->lanes & (uint32_t)(v >> 32);
    break;
  case 3:
    i->issue_mask_i = m | (s->lanes & (UINT64_C(1) << (v >> 32 & 31)));
    break;
  case 4:
    i->issue_entry_i = i->reply_entry_i;
    break;
  case 5:
    i->issue_entry_i = i->reply_entry_i,
    i->issue_mask_i = part(&s->issue, s->acc.todo[i->reply_entry_i & 511]);
    break;
  default:
    break;
  }
}

/* Sends a reply to the entry of a request if one of its requests is in flight. */
static void reply_same(const state_t *s, const prt_regs_t *r, prt_in_t *i) {
  const uint64_t e = i->issue_entry_i;
  const uint32_t wait = s->acc.wait[e & 511], pend = r->pend_q[e & 511];
  if (pend == 0) return;
  i->issue_valid_i = i->reply_valid_i = 1;
  i->reply_entry_i = e;
  i->reply_mask_i = pend == 1 ? wait : wait & (~wait + 1);
}

/* Requests lanes that a reset has left in a free entry. */
static void ask_cleared(state_t *s, const prt_regs_t *r, prt_in_t *i) {
  uint32_t e = prng_below(&s->reset.rng, s->cfg.ENTRIES);
  for (unsigned n = 0; n < 48 && (valid(r, e) || s->acc.before[e] == 0); n++)
    e = e + 1 >= s->cfg.ENTRIES ? 0 : e + 1;
  i->alloc_valid_i = 0;
  i->issue_valid_i = 1;
  i->issue_entry_i = e;
  i->issue_mask_i = s->acc.before[e];
  s->cleared--;
}

/* Allocates one instruction per cycle, issues its only request at once, and replies to the oldest
 * entry. If the oldest has lanes left to issue, these are issued first. */
static void turn(const state_t *s, const prt_regs_t *r, prt_in_t *i) {
  const uint32_t head = r->head_q, wait = s->acc.wait[head];
  const bool left = valid(r, head) && s->acc.todo[head];
  i->alloc_mask_i = s->lanes & (~s->lanes + 1);
  i->alloc_valid_i = i->issue_valid_i = i->reply_valid_i = 1;
  i->issue_entry_i = left ? head : r->next_q;
  i->issue_mask_i = left ? s->acc.todo[head] : i->alloc_mask_i;
  i->reply_entry_i = head;
  i->reply_mask_i = r->pend_q[head] == 1 ? wait : wait & (~wait + 1);
}

/* Exercises the last entry in a table that is full or fills up. With ORDER it first turns the ring
 * until that entry is the oldest. Replies to the entry are withheld while the table fills (without
 * ORDER, all replies, half of the time). */
static void last_place(state_t *s, const prt_regs_t *r, prt_in_t *i) {
  const uint32_t last = s->cfg.ENTRIES - 1, full = r->count_q == s->cfg.ENTRIES;
  const uint64_t v = prng_next(&s->reply);
  if (s->cfg.ORDER && r->head_q != last) {
    turn(s, r, i);
    return;
  }
  if ((v & 7) == 0) i->alloc_mask_i = i->alloc_mask_i & (~i->alloc_mask_i + 1);
  if ((v >> 3 & 3) == 0 && valid(r, last) && s->acc.todo[last]) {
    i->issue_entry_i = last;
    i->issue_mask_i = part(&s->issue, s->acc.todo[last]);
  }
  if (!full && s->cfg.ORDER) {
    if (i->reply_entry_i == last) i->reply_valid_i = 0;
    return;
  }
  if (!full && s->hot & 1) i->reply_valid_i = 0;
  if (!full) return;
  if (v >> 8 & 1 && r->pend_q[last] == 1) {
    i->reply_valid_i = 1;
    i->reply_entry_i = last;
    i->reply_mask_i = s->acc.wait[last];
  }
  i->alloc_valid_i = (v >> 16 & 3) != 0;
  if (i->alloc_valid_i && v >> 18 & 1) {
    i->issue_valid_i = 1;
    i->issue_entry_i = s->cfg.ORDER ? r->head_q : i->reply_entry_i;
    i->issue_mask_i = part(&s->issue, (uint32_t)i->alloc_mask_i);
  }
  if ((v >> 24 & 31) == 0) i->srst_ni = 0;
}

/* A reset is wanted: something reaches the last entry, or the table is full. */
static bool at_last(const state_t *s, const prt_regs_t *r, const prt_in_t *i) {
  const uint32_t last = s->cfg.ENTRIES - 1;
  switch (s->reset.more & 3) {
  case 0:
    return i->alloc_valid_i && i->alloc_mask_i && r->next_q == last && !valid(r, last);
  case 1:
    return i->reply_valid_i && i->reply_entry_i == last && valid(r, last);
  case 2:
    return i->issue_valid_i && i->issue_entry_i == last && valid(r, last);
  default:
    return r->count_q == s->cfg.ENTRIES;
  }
}

/* Leaves out what breaks the rules. Random inputs break any of them, so that branches would be
 * guessed wrongly. */
static void keep_rules(const state_t *s, const prt_t *model, prt_in_t *i) {
  const prt_regs_t *r = prt_regs(model);
  const uint64_t from = i->reply_entry_i, to = i->issue_entry_i;
  const uint64_t m = i->reply_mask_i, n = i->issue_mask_i, wait = s->acc.wait[from & 511];
  const bool last = r->pend_q[from & 511] == 1;
  bool fresh = false;
  i->reply_valid_i &=
      (from < s->cfg.ENTRIES) & (m != 0) & ((m & ~wait) == 0) & (last == (m == wait));
  /* asks only for the entry that an allocation may take */
  if (i->issue_valid_i & i->alloc_valid_i & ((to == r->next_q) | (to == from))) {
    prt_out_t o;
    prt_control(model, i, &o);
    fresh = o.alloc_ready_o && o.alloc_entry_o == to;
  }
  const uint64_t todo = fresh ? i->alloc_mask_i : (uint64_t)s->acc.todo[to & 511];
  i->issue_valid_i &= (to < s->cfg.ENTRIES) & (n != 0) & ((n & ~todo) == 0);
}

static void next(void *state, const void *model, uint64_t *in) {
  static const uint16_t alloc_rate[KINDS] = {950, 30, 500, 900, 100, 600, 60, 1000, 900};
  static const uint16_t issue_rate[KINDS] = {300, 900, 700, 900, 950, 900, 60, 500, 980};
  static const uint16_t reply_rate[KINDS] = {30, 950, 600, 900, 10, 0, 60, 500, 980};
  state_t *s = state;
  const prt_regs_t *r = prt_regs(model);
  prt_in_t *i = (prt_in_t *)(void *)in;
  const bool many = s->phase.kind == SINGLE; /* requests in flight */
  bool reset = false;
  if (stim_phase(&s->phase, s->cfg.ORDER ? KINDS : SLOW_HEAD, 500)) {
    if (s->phase.kind == FILL_UP) s->phase.left += s->cfg.ENTRIES;
    if (s->phase.kind == LAST_PLACE) s->phase.left = (3 + s->cfg.ORDER) * s->cfg.ENTRIES + 96;
    if (s->phase.kind == SLOW_HEAD) s->phase.left += 8 * s->cfg.ENTRIES;
    s->hot = prng_below(&s->phase.rng, s->cfg.ENTRIES);
    reset = many && prng_chance(&s->phase.rng, 300);
  }
  uint32_t kind = s->phase.kind;
  i->srst_ni = 1;
  i->alloc_valid_i = prng_chance(&s->alloc, alloc_rate[kind]);
  i->issue_valid_i = prng_chance(&s->issue, issue_rate[kind]);
  i->reply_valid_i = prng_chance(&s->reply, reply_rate[kind]);
  uint64_t v = prng_next(&s->alloc);
  prng_t data = s->data;
  i->alloc_tag_i = stim_edge(prng_next(&data), s->cfg.TAG_W);
  for (unsigned w = 0; w < s->offset_words; w++)
    i->alloc_offset_i[w] = stim_edge(prng_next(&data), 64);
  s->data = data;
  i->alloc_mask_i = kind == SINGLE || (v & 3) == 0 ? s->lanes : (v >> 32 & s->lanes);
  if ((v & 63) == 5) i->alloc_mask_i = 0;
  if ((v & 31) == 9 && kind != SINGLE) i->alloc_mask_i = stim_at_edge(v >> 5, s->cfg.LANES);
  next_reply(s, r, i);
  if (kind == SLOW_HEAD && i->reply_entry_i == r->head_q) i->reply_valid_i = 0;
  next_issue(s, r, i);
  if ((kind == BALANCED || kind == FLY || kind == EMPTY) && (v >> 6 & 3) == 0) reply_same(s, r, i);
  if (kind == LAST_PLACE) last_place(s, r, i);
  if (s->phase.rush && v >> 6 & 31) turn(s, r, i);
  if (stim_rst_open(&s->reset) && at_last(s, r, i)) stim_rst_now(&s->reset);
  if (!stim_rst_n(&s->reset) || reset) i->srst_ni = 0;
  if (!i->srst_ni) s->cleared = prng_below(&s->reset.rng, 5);
  if (i->srst_ni && s->cleared) ask_cleared(s, r, i);
  if (!s->cfg.CHECK) keep_rules(s, model, i);
}

static bool done(const prt_regs_t *r, uint64_t e) {
  return r->done_q[e / 32] >> e % 32 & 1;
}

/* Bins of the ring. */
static uint64_t ring_bins(state_t *s, const prt_regs_t *r, const prt_in_t *i, const prt_out_t *o) {
  const uint64_t entries = s->cfg.ENTRIES, head = r->head_q;
  const bool own = o->last_o && i->reply_entry_i == head, waits = o->last_o && !own;
  const bool freed = o->release_o && !own, before = s->freed;
  const uint64_t hit =
      HIT(last_waits, waits) | HIT(release_done, freed) | HIT(release_train, freed && before) |
      HIT(release_done_last, freed && waits) |
      HIT(all_wait, o->count_o == entries && s->waiting == entries - 1 && entries > 1) |
      HIT(head_wraps, o->release_o && head == entries - 1) |
      HIT(reply_done, i->reply_valid_i && i->reply_mask_i && i->reply_entry_i < entries &&
                          done(r, i->reply_entry_i)) |
      HIT(issue_done, i->issue_valid_i && !o->issue_ok_o && i->issue_entry_i < entries &&
                          done(r, i->issue_entry_i));
  s->waiting += (uint32_t)waits - freed;
  s->freed = freed;
  return hit;
}

static uint64_t reply_bins(const state_t *s, const prt_regs_t *r, const prt_in_t *i,
                           const prt_out_t *o) {
  uint64_t e = i->reply_entry_i;
  if (!i->reply_valid_i) return 0;
  if (e >= s->cfg.ENTRIES) return HIT(reply_no_entry, true);
  return HIT(reply, o->reply_ok_o && r->pend_q[e] > 1) | HIT(reply_bad, !o->reply_ok_o) |
         HIT(release, o->last_o && o->release_o && (!s->cfg.ORDER || e == r->head_q)) |
         HIT(reply_todo, o->reply_ok_o && r->pend_q[e] == 1 && r->left_q[e] != 0) |
         HIT(tag_ones, o->reply_ok_o && r->tag_q[e] == bits_mask(s->cfg.TAG_W)) |
         HIT(reply_lanes, o->reply_ok_o && i->reply_mask_i == s->lanes);
}

static uint64_t issue_bins(const state_t *s, const prt_in_t *i, const prt_out_t *o,
                           bool allocated) {
  uint64_t e = i->issue_entry_i, n = i->issue_mask_i;
  if (!i->issue_valid_i) return 0;
  if (e >= s->cfg.ENTRIES) return HIT(issue_no_entry, true);
  if (!o->issue_ok_o) return HIT(issue_bad, true);
  bool fresh = allocated && e == o->alloc_entry_o;
  uint64_t todo = fresh ? i->alloc_mask_i : s->acc.todo[e];
  return HIT(issue, true) | HIT(issue_part, n != todo) | HIT(issue_last, n == todo) |
         HIT(issue_new, fresh) |
         HIT(reply_issue_same, o->reply_ok_o && e == i->reply_entry_i && !fresh);
}

static uint64_t next_bins(const state_t *s, const prt_out_t *o, bool allocated) {
  const bool take = allocated && o->count_o < s->cfg.ENTRIES;
  const bool last = o->count_o + 1 == s->cfg.ENTRIES;
  if (s->cfg.ORDER || s->cfg.ENTRIES == 1) return 0;
  return HIT(next_other, take && !last) | HIT(next_released, take && last && o->release_o) |
         HIT(next_full, o->count_o == s->cfg.ENTRIES && o->release_o && !allocated);
}

static uint64_t sample(void *state, const void *model, const uint64_t *in, const uint64_t *out) {
  state_t *s = state;
  const prt_regs_t *r = prt_regs(model);
  const prt_in_t *i = (const prt_in_t *)(const void *)in;
  const prt_out_t *o = (const prt_out_t *)(const void *)out;
  const bool full = o->count_o == s->cfg.ENTRIES;
  if (!i->srst_ni) {
    s->waiting = s->freed = 0;
    prt_account_reset(&s->acc);
    return HIT(reset_in_use, o->count_o > 0) |
           HIT(reset_full_last, full && (!s->cfg.ORDER || r->head_q == s->cfg.ENTRIES - 1));
  }
  bool allocated = i->alloc_valid_i && o->alloc_ready_o;
  bool most = i->issue_entry_i < s->cfg.ENTRIES && valid(r, i->issue_entry_i) &&
              r->pend_q[i->issue_entry_i] == s->cfg.LANES;
  const uint64_t released = s->cfg.ORDER ? r->head_q : i->reply_entry_i;
  const uint64_t ring = s->cfg.ORDER ? ring_bins(s, r, i, o) : 0;
  const uint64_t issued = issue_bins(s, i, o, allocated);
  prt_account_cycle(&s->acc, i, o);
  return reply_bins(s, r, i, o) | issued | ring | next_bins(s, o, allocated) |
         HIT(allocate, allocated) | HIT(full, full) |
         HIT(full_last, full && o->last_o && i->reply_entry_i == s->cfg.ENTRIES - 1) |
         HIT(alloc_refused, i->alloc_valid_i && i->alloc_mask_i && !allocated) |
         HIT(alloc_no_lanes, i->alloc_valid_i && !i->alloc_mask_i) |
         HIT(reply_allocate, allocated && o->reply_ok_o) |
         HIT(reuse, allocated && o->release_o && o->alloc_entry_o == released) |
         HIT(allocate_when_full, allocated && full) |
         HIT(all_at_once, allocated && o->reply_ok_o && o->issue_ok_o) | HIT(most_pending, most);
}

static bool active(const uint64_t *in) {
  const prt_in_t *i = (const prt_in_t *)(const void *)in;
  return i->alloc_valid_i || i->issue_valid_i || i->reply_valid_i || !i->srst_ni;
}

static void describe(const uint32_t *cfg, const uint64_t *in, const uint64_t *out, char *text) {
  const prt_in_t *i = (const prt_in_t *)(const void *)in;
  const prt_out_t *o = (const prt_out_t *)(const void *)out;
  const bool ordered = prt_sizes(cfg)->ORDER != 0;
  if (!i->srst_ni) stim_say(text, "reset; ");
  if (i->reply_valid_i)
    stim_say(text, "reply e%u lanes 0x%llx%s; ", (unsigned)i->reply_entry_i,
             (unsigned long long)i->reply_mask_i,
             !o->reply_ok_o ? " ignored"
             : !o->last_o   ? ""
             : ordered      ? " completes it"
                            : " releases it");
  if (ordered && o->release_o) stim_say(text, "release of the oldest; ");
  if (i->alloc_valid_i && o->alloc_ready_o)
    stim_say(text, "allocate e%u lanes 0x%llx; ", (unsigned)o->alloc_entry_o,
             (unsigned long long)i->alloc_mask_i);
  if (i->alloc_valid_i && !o->alloc_ready_o)
    stim_say(text, "allocate lanes 0x%llx refused; ", (unsigned long long)i->alloc_mask_i);
  if (i->issue_valid_i)
    stim_say(text, "issue e%u lanes 0x%llx%s", (unsigned)i->issue_entry_i,
             (unsigned long long)i->issue_mask_i, o->issue_ok_o ? "" : " ignored");
}

static void occupancy(const uint32_t *cfg, const void *model, char *text) {
  const prt_regs_t *r = prt_regs(model);
  stim_say(text, "%u of %u entries;", r->count_q, prt_sizes(cfg)->ENTRIES);
  if (prt_sizes(cfg)->ORDER) stim_say(text, " the oldest is e%u;", r->head_q);
  for (uint32_t e = 0; e < prt_sizes(cfg)->ENTRIES; e++)
    if (valid(r, e)) stim_say(text, " e%u:%u/%u", e, r->left_q[e], r->pend_q[e]);
}

static void rush(void *state, bool on) {
  stim_rush(&((state_t *)state)->phase, FLY, on);
}

const stim_class_t stim_prt = {.stem = "prt",
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
