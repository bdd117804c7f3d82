/* SPDX-License-Identifier: Apache-2.0 */
/* tags: lines of one, two or all sets, that differ in single bits. A line is looked up again at
 * once, so that the decisions on the requests before it matter; the line that was replaced is
 * looked up, too. Decisions are legal ones, and now and then any. Fills are fast, slow, or do not
 * come until the sets are full. */
#include "cosim/stim/stim.h"

#include "tags.h"

#include <string.h>

enum { MIXED, ONE_SET, TWO_SETS, ONE_LINE, NO_FILLS, REPLACE, EVICTS, SPARSE, ANY, KINDS };
enum { POOL = 64, TRIES = 64 };

typedef struct {
  tags_cfg_t cfg;
  unsigned place_w;
  prng_t look, decide, fill, other;
  stim_phase_t phase, reset;
  uint64_t pool[POOL];
  uint32_t used;      /* lines of the pool that this phase uses */
  uint64_t before[2]; /* the lines looked up last */
  uint64_t replaced;  /* the line whose place was reserved last */
  uint32_t fill_next; /* where to look for a reserved place */
} state_t;

/* The page's set number. */
static uint32_t home(const tags_cfg_t *c, uint64_t x) {
  uint64_t v = x;
  if (c->HASH) {
    const uint64_t low = x & 31, high = c->SETS > 32 ? x & 32 : 0;
    const uint64_t with = (x >> 6 & 1) | (x >> 7 & 1) << 1 | (x >> 8 & 1) << 2 |
                          (x >> 10 & 1) << 3 | (x >> 12 & 1) << 4;
    v = (low ^ with) | high;
  }
  return (uint32_t)(v % c->SETS);
}

/* A set has at most `n` lines, of all addresses. */
static bool lines_above(const uint32_t *cfg, uint32_t n) {
  const tags_cfg_t *c = tags_sizes(cfg);
  uint32_t lines[64] = {0};
  const uint32_t all = c->ADDR_W < 10 ? 1u << c->ADDR_W : 1024;
  for (uint32_t x = 0; x < all; x++)
    if (++lines[home(c, x)] > n) return true;
  return false;
}

static bool several_ways(const uint32_t *cfg) {
  return tags_sizes(cfg)->WAYS > 1;
}
static bool two_lines(const uint32_t *cfg) {
  return lines_above(cfg, 1);
}
static bool two_lines_ways(const uint32_t *cfg) {
  return several_ways(cfg) && two_lines(cfg);
}
static bool can_fill_up(const uint32_t *cfg) {
  return lines_above(cfg, tags_sizes(cfg)->WAYS - 1);
}
static bool ways_and_lines(const uint32_t *cfg) {
  return several_ways(cfg) && can_fill_up(cfg);
}
static bool two_places(const uint32_t *cfg) {
  return tags_sizes(cfg)->SETS * tags_sizes(cfg)->WAYS > 1;
}
static bool can_replace(const uint32_t *cfg) {
  return lines_above(cfg, tags_sizes(cfg)->WAYS);
}
static bool replaces_ways(const uint32_t *cfg) {
  return can_replace(cfg) && several_ways(cfg);
}
static bool fermi(const uint32_t *cfg) {
  return replaces_ways(cfg) && tags_sizes(cfg)->REPLACEMENT == 2;
}
static bool fermi_three(const uint32_t *cfg) {
  return fermi(cfg) && tags_sizes(cfg)->WAYS > 2;
}
static bool in_order(const uint32_t *cfg) {
  return replaces_ways(cfg) && tags_sizes(cfg)->REPLACEMENT != 2;
}
static bool in_order_three(const uint32_t *cfg) {
  return in_order(cfg) && tags_sizes(cfg)->WAYS > 2;
}
static bool sectors(const uint32_t *cfg) {
  return tags_sizes(cfg)->SECTORS > 1;
}
static bool odd_places(const uint32_t *cfg) {
  const uint32_t lines = tags_sizes(cfg)->SETS * tags_sizes(cfg)->WAYS;
  return (1u << bits_index_w(lines)) > lines;
}

/* "Now": the decision that stage D sees at the inputs. "Last": the one of the cycle before it. */
#define BINS(X)                                                                                    \
  X(hit, NULL, "the line is here")                                                                 \
  X(pending, NULL, "the line is reserved")                                                         \
  X(part, sectors, "the line is here in part")                                                     \
  X(miss_invalid, NULL, "the line is not here, a way is invalid")                                  \
  X(miss_valid, can_replace, "the line is not here, no way is invalid")                            \
  X(full, can_replace, "every way is reserved")                                                    \
  X(touch, NULL, "a hit is used")                                                                  \
  X(evict, NULL, "a line is evicted")                                                              \
  X(reserve, NULL, "a place is reserved")                                                          \
  X(reserve_here, NULL, "more sectors of a line are reserved")                                     \
  X(fill, NULL, "a line becomes valid")                                                            \
  X(fill_ignored, NULL, "a fill of a place that is not reserved")                                  \
  X(fill_no_place, odd_places, "a fill of a place that does not exist")                            \
  X(fill_now, NULL, "a fill of a place in the cycle in which it is reserved")                      \
  X(fill_next, NULL, "a fill in the cycle after the reservation")                                  \
  X(fill_pending, NULL, "a fill of the line that the answer calls pending")                        \
  X(fill_decided, two_lines_ways, "a fill of the set of which another way is decided")             \
  X(fill_last_way, can_replace, "a fill of one way of a set that is full for the answer")          \
  X(idle_decision, NULL, "a decision without an answer")                                           \
  X(reserve_pending, NULL, "a reservation of a pending line is ignored")                           \
  X(reserve_full, can_replace, "a reservation in a full set is ignored")                           \
  X(touch_ignored, NULL, "a use of a line that is not valid is ignored")                           \
  X(evict_ignored, NULL, "an eviction of a line that is not valid is ignored")                     \
  X(evict_reserve, NULL, "an eviction together with a reservation")                                \
  X(now_same, NULL, "the place is reserved for the line that is being compared")                   \
  X(now_replaced, can_replace, "the line that is being compared is replaced")                      \
  X(now_evicted, NULL, "the line that is being compared is evicted")                               \
  X(last_same, NULL, "the tag was written when it was read: for this line")                        \
  X(last_replaced, two_lines, "the tag was written when it was read: the line was replaced")       \
  X(last_sector, two_lines_ways, "both decisions matter: to two ways of the set")                  \
  X(both, NULL, "both decisions matter: to one way")                                               \
  X(stale, several_ways, "an invalid way has the tag of a line that is in another way")            \
  X(stale_compared, NULL, "an invalid way has the tag that is compared, no other way has it")      \
  X(oldest_not_last, in_order, "the victim is not the last way")                                   \
  X(skip_reserved, in_order_three, "the oldest way is reserved, so another is the victim")         \
  X(fermi_first, fermi, "the victim is way 1")                                                     \
  X(fermi_other, fermi, "the victim is one of the other ways")                                     \
  X(fermi_skip, fermi_three, "the other way whose turn it is is reserved")                         \
  X(fermi_only, fermi, "the turn is the others', but way 1 alone is valid")                        \
  X(fermi_reserved, fermi, "the turn is way 1's, but it is reserved")                              \
  X(three_looks, NULL, "one line in all stages")                                                   \
  X(clear, NULL, "all lines become invalid")                                                       \
  X(clear_decision, two_places,                                                                    \
    "all lines become invalid in the cycle of a reservation and a fill")                           \
  X(reset_in_use, NULL, "reset while lines are held")                                              \
  X(reset_stages, NULL, "reset while requests are in every stage")                                 \
  X(top_way, ways_and_lines, "a line is in way 0, all others are in use")
#include "cosim/stim/bins.h"

/* A line of set `set`, if the address has enough bits: the lowest six are tried. */
static uint64_t line_of(state_t *s, uint64_t x, uint32_t set) {
  const uint64_t mask = bits_mask(s->cfg.ADDR_W);
  const uint64_t from = prng_next(&s->phase.rng);
  for (uint64_t k = 0; k < TRIES; k++) {
    const uint64_t line = ((x & ~UINT64_C(63)) | ((from + k) & 63)) & mask;
    if (home(&s->cfg, line) == set) return line;
  }
  return x & mask;
}

/* Neighbours differ in a single bit above the set number, or not in many. */
static void make_pool(state_t *s) {
  const uint32_t first = prng_below(&s->phase.rng, s->cfg.SETS);
  const uint32_t kind = s->phase.kind;
  uint64_t x = stim_edge(prng_next(&s->phase.rng), s->cfg.ADDR_W);
  for (uint32_t k = 0; k < POOL; k++) {
    const uint64_t r = prng_next(&s->phase.rng);
    x ^= UINT64_C(1) << r % s->cfg.ADDR_W;
    if ((r >> 16 & 7) == 0) x = stim_edge(r >> 20, s->cfg.ADDR_W);
    x &= bits_mask(s->cfg.ADDR_W);
    const bool any = kind == MIXED || kind == SPARSE || kind == ANY;
    uint32_t set = any ? home(&s->cfg, x) : first;
    if (kind == TWO_SETS && (r >> 24 & 1)) set = (first + 1) % s->cfg.SETS;
    s->pool[k] = line_of(s, x, set);
  }
}

static void new_phase(state_t *s) {
  const uint32_t ways = s->cfg.WAYS, kind = s->phase.kind;
  s->used = kind == ONE_LINE                       ? 1 + prng_below(&s->phase.rng, 3)
            : kind == MIXED || kind == SPARSE      ? POOL
            : kind == TWO_SETS || kind == NO_FILLS ? 4 * ways
                                                   : ways + 1 + prng_below(&s->phase.rng, ways + 2);
  make_pool(s);
}

static void start(void *state, const uint32_t *cfg, uint64_t seed) {
  state_t *s = state;
  memset(s, 0, sizeof *s);
  memcpy(&s->cfg, cfg, sizeof s->cfg);
  s->place_w = bits_index_w(s->cfg.SETS * s->cfg.WAYS);
  s->look = prng_seed(seed, 1);
  s->decide = prng_seed(seed, 2);
  s->fill = prng_seed(seed, 3);
  s->other = prng_seed(seed, 4);
  s->phase.rng = prng_seed(seed, 5);
  s->reset.rng = prng_seed(seed, 6);
}

static uint32_t used_ways(const tags_regs_t *r, uint32_t set) {
  return r->valid_q[set] | r->reserved_q[set];
}

/* The line looked up. */
static void look(state_t *s, tags_in_t *i) {
  static const uint16_t rate[KINDS] = {800, 900, 800, 950, 900, 950, 800, 100, 700};
  const uint64_t v = prng_next(&s->look);
  i->look_valid_i = prng_chance(&s->look, rate[s->phase.kind]);
  i->look_line_i = s->pool[(v >> 32) % s->used];
  if ((v & 3) == 0) i->look_line_i = s->before[v >> 2 & 1];
  if ((v >> 3 & 7) == 0) i->look_line_i = s->replaced;
  if ((v >> 6 & 63) == 0) i->look_line_i = stim_edge(v >> 12, s->cfg.ADDR_W);
  i->look_line_i = bits(i->look_line_i, s->cfg.ADDR_W);
  if (!i->look_valid_i) return;
  s->before[1] = s->before[0];
  s->before[0] = i->look_line_i;
}

/* A decision that fits the answer, rarely any. */
static void decide(state_t *s, const tags_t *model, tags_in_t *i) {
  static const uint16_t evicts[KINDS] = {30, 20, 30, 200, 5, 5, 400, 30, 100};
  static const uint16_t refuse[KINDS] = {200, 100, 100, 200, 20, 20, 100, 100, 200};
  const uint64_t v = prng_next(&s->decide);
  const uint64_t mask = bits_mask(s->cfg.SECTORS);
  tags_out_t o;
  tags_comb(model, i, &o);
  i->reserve_sectors_i = v >> 40 & 1 ? mask & (v >> 8 | o.have_o) : mask & v >> 8;
  if (v >> 41 & 1) i->reserve_sectors_i = o.have_o | UINT64_C(1) << (v >> 42) % s->cfg.SECTORS;
  if ((v & 15) == 0 || (s->phase.kind == ANY && (v & 3) == 0)) {
    i->touch_i = v >> 4 & 1;
    i->reserve_i = v >> 5 & 1;
    i->evict_i = v >> 6 & 1;
    return;
  }
  if (prng_chance(&s->decide, refuse[s->phase.kind])) return;
  if (o.hit_o) {
    i->evict_i = prng_chance(&s->decide, evicts[s->phase.kind]);
    i->reserve_i = !i->evict_i && prng_chance(&s->decide, 100);
    i->touch_i = !i->evict_i && !i->reserve_i;
  } else if (!o.pending_o && !o.full_o) {
    i->reserve_i = 1;
  }
}

/* The next reserved place, the place of the answer, or any. */
static void fill(state_t *s, const tags_t *model, tags_in_t *i) {
  static const uint16_t rate[KINDS] = {300, 400, 300, 300, 10, 950, 500, 100, 300};
  const tags_regs_t *r = tags_regs(model);
  const uint32_t lines = s->cfg.SETS * s->cfg.WAYS;
  const uint64_t v = prng_next(&s->fill);
  tags_out_t o;
  i->fill_valid_i = prng_chance(&s->fill, rate[s->phase.kind]);
  i->fill_place_i = stim_index(&s->fill, lines, s->place_w);
  if ((v & 15) == 0) return;
  uint32_t place = v >> 4 & 1 ? (uint32_t)(v >> 8) % lines : s->fill_next;
  tags_comb(model, i, &o);
  if ((v >> 5 & 3) == 0) place = (uint32_t)o.place_o;
  for (uint32_t n = 0; n < lines; n++) {
    const uint32_t at = place + n < lines ? place + n : place + n - lines;
    if (!(r->reserved_q[at / s->cfg.WAYS] >> at % s->cfg.WAYS & 1)) continue;
    i->fill_place_i = at;
    break;
  }
  if ((v >> 40 & 15) == 0) i->fill_place_i = o.place_o; /* of a place that is being reserved */
  const uint32_t beyond = (1u << s->place_w) - lines;   /* places that do not exist */
  if (beyond && (v >> 44 & 15) == 0) i->fill_place_i = lines + (v >> 48) % beyond;
  if (i->fill_valid_i)
    s->fill_next = i->fill_place_i + 1 < lines ? (uint32_t)i->fill_place_i + 1 : 0;
}

static uint64_t tag_in(const state_t *s, const uint32_t *rows, uint32_t set, uint32_t way) {
  const bool odd = s->cfg.SETS & (s->cfg.SETS - 1);
  const uint32_t shift = odd ? 0 : bits_clog2(s->cfg.SETS);
  const uint32_t tag_w = s->cfg.ADDR_W > shift ? s->cfg.ADDR_W - shift : 1;
  const uint32_t way_w = s->cfg.SECTORS + tag_w, words = (s->cfg.WAYS * way_w + 31) / 32;
  uint64_t v = 0;
  for (uint32_t k = 0; k < tag_w; k++) {
    const uint32_t at = way * way_w + k;
    v |= (uint64_t)(rows[set * words + at / 32] >> at % 32 & 1) << k;
  }
  return v;
}

/* The line whose tag a way has. */
static uint64_t line_in(const state_t *s, const tags_regs_t *r, uint32_t set, uint32_t way) {
  const uint64_t tag = tag_in(s, r->tag_q, set, way);
  if (s->cfg.SETS & (s->cfg.SETS - 1)) return tag;
  const uint64_t upper = tag << bits_clog2(s->cfg.SETS);
  for (uint64_t k = 0; k < s->cfg.SETS; k++)
    if (home(&s->cfg, upper | k) == set) return bits(upper | k, s->cfg.ADDR_W);
  return 0;
}

static void next(void *state, const void *model, uint64_t *in) {
  state_t *s = state;
  const tags_regs_t *r = tags_regs(model);
  tags_in_t *i = (tags_in_t *)(void *)in;
  if (stim_phase(&s->phase, KINDS, 400)) new_phase(s);
  memset(i, 0, sizeof *i);
  look(s, i);
  decide(s, model, i);
  fill(s, model, i);
  i->clear_i = prng_chance(&s->other, s->phase.kind == ANY ? 20 : 2);
  i->srst_ni = stim_rst_n(&s->reset);
  if (!i->reserve_i) return;
  tags_out_t o;
  tags_comb(model, i, &o);
  s->replaced = line_in(s, r, (uint32_t)o.place_o / s->cfg.WAYS, (uint32_t)o.place_o % s->cfg.WAYS);
}

static void rush(void *state, bool on) {
  stim_rush(&((state_t *)state)->phase, REPLACE, on);
}

/* ---- Bins ----------------------------------------------------------------------- */

static uint64_t answer_bins(const state_t *s, const tags_regs_t *r, const tags_in_t *i,
                            const tags_out_t *o) {
  if (!r->a_valid_q) return HIT(idle_decision, i->touch_i || i->evict_i || i->reserve_i);
  const uint32_t set = home(&s->cfg, r->a_line_q), all = (1u << s->cfg.WAYS) - 1;
  const uint32_t used = used_ways(r, set), way = (uint32_t)(o->place_o % s->cfg.WAYS);
  const bool here = o->hit_o || o->pending_o, miss = !here && !o->full_o;
  return HIT(hit, o->hit_o) | HIT(pending, o->pending_o) |
         HIT(part, here && o->have_o && o->have_o != bits_mask(s->cfg.SECTORS)) |
         HIT(miss_invalid, miss && used != all) | HIT(miss_valid, miss && used == all) |
         HIT(full, o->full_o) | HIT(touch, i->touch_i && o->hit_o) |
         HIT(evict, i->evict_i && o->hit_o) | HIT(reserve, i->reserve_i && miss) |
         HIT(reserve_here, i->reserve_i && o->hit_o) |
         HIT(reserve_pending, i->reserve_i && o->pending_o) |
         HIT(reserve_full, i->reserve_i && o->full_o) |
         HIT(touch_ignored, i->touch_i && !o->hit_o) | HIT(evict_ignored, i->evict_i && !o->hit_o) |
         HIT(evict_reserve, i->evict_i && i->reserve_i && o->hit_o) |
         HIT(three_looks, i->look_valid_i && r->d_valid_q && i->look_line_i == r->d_line_q &&
                              r->d_line_q == r->a_line_q) |
         HIT(top_way, s->cfg.WAYS > 1 && here && way == 0 && used == all);
}

/* Of a miss in a set without an invalid way. */
static uint64_t victim_bins(const state_t *s, const tags_regs_t *r, const tags_out_t *o) {
  const uint32_t set = home(&s->cfg, r->a_line_q), ways = s->cfg.WAYS, all = (1u << ways) - 1;
  const uint32_t valid = r->valid_q[set], way = (uint32_t)(o->place_o % ways);
  if (!r->a_valid_q || o->hit_o || o->pending_o || o->full_o || used_ways(r, set) != all) return 0;
  if (s->cfg.REPLACEMENT == 2)
    return HIT(fermi_first, ways > 1 && way == 1) | HIT(fermi_other, ways > 1 && way != 1) |
           HIT(fermi_skip, way != 1 && r->other_q[set] != 1 && way != r->other_q[set]) |
           HIT(fermi_only, ways > 1 && way == 1 && r->turn_q[set]) |
           HIT(fermi_reserved, ways > 1 && way != 1 && !r->turn_q[set]);
  bool older = false; /* a reserved way is older than the victim */
  for (uint32_t w = 0; w < ways; w++) {
    if (w == way || (valid >> w & 1)) continue;
    const uint32_t low = w < way ? w : way, high = w < way ? way : w;
    const bool low_newer = r->order_q[set] >> (high * (high - 1) / 2 + low) & 1;
    older |= w == low ? !low_newer : low_newer;
  }
  return HIT(oldest_not_last, way != ways - 1) | HIT(skip_reserved, ways > 2 && older);
}

/* Stage D, and the decisions that the reading has not seen. */
static uint64_t forward_bins(const state_t *s, const tags_regs_t *r, const tags_in_t *i,
                             const tags_out_t *o) {
  if (!r->d_valid_q) return 0;
  const uint32_t set = home(&s->cfg, r->d_line_q), used = used_ways(r, set);
  const bool in_set = r->a_valid_q && home(&s->cfg, r->a_line_q) == set;
  const bool reserve = in_set && i->reserve_i && !o->pending_o && !o->full_o;
  const uint32_t way = (uint32_t)(o->place_o % s->cfg.WAYS);
  const bool last = r->last_valid_q && home(&s->cfg, r->last_line_q) == set;
  const bool replaces = reserve && (used >> way & 1) && r->a_line_q != r->d_line_q &&
                        line_in(s, r, set, way) == r->d_line_q;
  uint64_t hits = HIT(now_same, reserve && r->a_line_q == r->d_line_q) |
                  HIT(now_replaced, replaces) |
                  HIT(now_evicted, in_set && i->evict_i && o->hit_o && !i->reserve_i &&
                                       r->a_line_q == r->d_line_q) |
                  HIT(last_same, last && r->last_line_q == r->d_line_q) |
                  HIT(last_sector, last && reserve && way != r->last_way_q) |
                  HIT(both, last && reserve && way == r->last_way_q);
  if (last && (used >> r->last_way_q & 1)) {
    const uint64_t tag = tag_in(s, r->read_q, 0, r->last_way_q);
    const uint64_t own = tag_in(s, r->tag_q, set, r->last_way_q);
    const uint32_t shift = s->cfg.SETS & (s->cfg.SETS - 1) ? 0 : bits_clog2(s->cfg.SETS);
    hits |= HIT(last_replaced, tag != own && tag == r->d_line_q >> shift);
  }
  unsigned with_tag = 0, invalid = 0;
  for (uint32_t w = 0; w < s->cfg.WAYS; w++) {
    if (line_in(s, r, set, w) != r->d_line_q) continue;
    if (used >> w & 1)
      with_tag++;
    else
      invalid++;
  }
  return hits | HIT(stale, with_tag && invalid) | HIT(stale_compared, !with_tag && invalid);
}

static uint64_t fill_bins(const state_t *s, const tags_regs_t *r, const tags_in_t *i,
                          const tags_out_t *o) {
  if (!i->fill_valid_i) return 0;
  const uint64_t place = i->fill_place_i, ways = s->cfg.WAYS;
  if (place >= s->cfg.SETS * ways) return HIT(fill_no_place, true) | HIT(fill_ignored, true);
  const uint32_t set = (uint32_t)(place / ways), way = (uint32_t)(place % ways);
  const bool mine = r->a_valid_q && place == o->place_o && !o->full_o;
  const bool reserve = r->a_valid_q && i->reserve_i && !o->pending_o && !o->full_o;
  const bool decided = reserve || (r->a_valid_q && i->evict_i && o->hit_o);
  if (!(r->reserved_q[set] >> way & 1))
    return HIT(fill_ignored, true) | HIT(fill_now, mine && reserve);
  return HIT(fill, true) | HIT(fill_pending, mine && o->pending_o) |
         HIT(fill_next,
             r->last_valid_q && home(&s->cfg, r->last_line_q) == set && r->last_way_q == way) |
         HIT(fill_decided, decided && o->place_o / ways == set) |
         HIT(fill_last_way, o->full_o && home(&s->cfg, r->a_line_q) == set) |
         HIT(clear_decision, i->clear_i && reserve);
}

static uint64_t sample(void *state, const void *model, const uint64_t *in, const uint64_t *out) {
  const state_t *s = state;
  const tags_regs_t *r = tags_regs(model);
  const tags_in_t *i = (const tags_in_t *)(const void *)in;
  const tags_out_t *o = (const tags_out_t *)(const void *)out;
  bool used = false;
  for (uint32_t k = 0; k < s->cfg.SETS; k++) used |= used_ways(r, k) != 0;
  if (!i->srst_ni)
    return HIT(reset_in_use, used) |
           HIT(reset_stages, r->d_valid_q && r->a_valid_q && r->last_valid_q);
  return answer_bins(s, r, i, o) | victim_bins(s, r, o) | forward_bins(s, r, i, o) |
         fill_bins(s, r, i, o) | HIT(clear, i->clear_i && used);
}

static bool active(const uint64_t *in) {
  const tags_in_t *i = (const tags_in_t *)(const void *)in;
  return !i->srst_ni || i->look_valid_i || i->touch_i || i->reserve_i || i->evict_i ||
         i->fill_valid_i || i->clear_i;
}

static void describe(const uint32_t *cfg, const uint64_t *in, const uint64_t *out, char *text) {
  const tags_in_t *i = (const tags_in_t *)(const void *)in;
  const tags_out_t *o = (const tags_out_t *)(const void *)out;
  const unsigned long long place = o->place_o;
  (void)cfg;
  if (!i->srst_ni) stim_say(text, "reset ");
  if (i->clear_i) stim_say(text, "clear ");
  if (i->look_valid_i) stim_say(text, "look 0x%llx ", (unsigned long long)i->look_line_i);
  if (o->hit_o || o->pending_o)
    stim_say(text, "%s in %llu, sectors 0x%llx ", o->hit_o ? "hit" : "pending", place,
             (unsigned long long)o->have_o);
  if (i->touch_i) stim_say(text, "touch %llu ", place);
  if (i->evict_i) stim_say(text, "evict %llu ", place);
  if (i->reserve_i)
    stim_say(text, "reserve %llu 0x%llx%s ", place, (unsigned long long)i->reserve_sectors_i,
             o->full_o ? " (full)" : "");
  if (i->fill_valid_i) stim_say(text, "fill %llu", (unsigned long long)i->fill_place_i);
}

static void occupancy(const uint32_t *cfg, const void *model, char *text) {
  const tags_regs_t *r = tags_regs(model);
  const uint32_t sets = tags_sizes(cfg)->SETS;
  unsigned valid = 0, reserved = 0;
  for (uint32_t s = 0; s < sets; s++) {
    valid += (unsigned)__builtin_popcount(r->valid_q[s]);
    reserved += (unsigned)__builtin_popcount(r->reserved_q[s]);
  }
  stim_say(text, "%u lines valid, %u reserved, of %u", valid, reserved,
           (unsigned)(sets * tags_sizes(cfg)->WAYS));
}

const stim_class_t stim_tags = {.stem = "tags",
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
