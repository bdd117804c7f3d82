/* SPDX-License-Identifier: Apache-2.0 */
/* mshr: few or many lines, fills that are delayed or immediate and in any order, illegal fills, and
 * back-pressure. The ring is turned to its last place and the table filled up. A probe drives
 * entries towards events that they have not seen yet. */
#include "cosim/stim/mshr_probe.h"
#include "cosim/stim/stim.h"

#include <string.h>

enum {
  FILL_UP,
  DRAIN,
  BALANCED,
  ONE_LINE,
  FEW_LINES,
  WALK,
  STALL,
  SPARSE,
  LAST_PLACE,
  PROBE,
  KINDS
};
enum { POOL = 256 };

typedef struct {
  mshr_cfg_t cfg;
  unsigned entry_w;
  prng_t req, fill, out, data, store;
  stim_phase_t phase, reset;
  uint64_t pool[POOL];
  uint32_t used;          /* lines of the pool that this phase uses */
  bool may_fill, patient; /* patient: stay at the last place until every entry is filled */
  bool stores;            /* stores mark entries */
  mshr_probe_t probe;
} state_t;

static uint64_t lines(const uint32_t *cfg) {
  return mshr_sizes(cfg)->ADDR_W >= 32 ? UINT32_MAX : UINT64_C(1) << mshr_sizes(cfg)->ADDR_W;
}
static bool odd_entries(const uint32_t *cfg) {
  return (1u << bits_index_w(mshr_sizes(cfg)->ENTRIES)) > mshr_sizes(cfg)->ENTRIES;
}
static bool merges(const uint32_t *cfg) {
  return mshr_sizes(cfg)->MERGES > 1;
}
static bool can_fill_up(const uint32_t *cfg) {
  return lines(cfg) >= mshr_sizes(cfg)->ENTRIES;
}
static bool can_refuse(const uint32_t *cfg) {
  return lines(cfg) > mshr_sizes(cfg)->ENTRIES;
}
static bool several(const uint32_t *cfg) {
  return mshr_sizes(cfg)->ENTRIES > 1;
}
static bool last_of_several(const uint32_t *cfg) {
  return several(cfg) && can_fill_up(cfg);
}
static bool beside_others(const uint32_t *cfg) {
  return mshr_sizes(cfg)->ENTRIES > 2;
}
static bool several_merges(const uint32_t *cfg) {
  return mshr_sizes(cfg)->ENTRIES > 1 && mshr_sizes(cfg)->MERGES > 1;
}

static bool stores(const uint32_t *cfg) {
  return mshr_sizes(cfg)->STORES;
}
static bool stores_and_merges(const uint32_t *cfg) {
  return stores(cfg) && merges(cfg);
}

#define BINS(X)                                                                                    \
  X(allocate, NULL, "a read allocates an entry")                                                   \
  X(merge, merges, "a read merges")                                                                \
  X(full, can_fill_up, "every entry is in use")                                                    \
  X(refuse_entries, can_refuse, "a read is refused: no free entry")                                \
  X(refuse_merges, NULL, "a read is refused: the entry lists MERGES reads")                        \
  X(fill, NULL, "a line arrives")                                                                  \
  X(fill_ready, NULL, "a second fill of an entry is ignored")                                      \
  X(fill_free, NULL, "a fill of a free entry is ignored")                                          \
  X(fill_released, NULL, "a fill of the entry released in this cycle is ignored")                  \
  X(fill_no_entry, odd_entries, "a fill of an entry that does not exist")                          \
  X(drain, merges, "a read leaves, others of its entry stay")                                      \
  X(release, NULL, "the last read of an entry leaves")                                             \
  X(stall, NULL, "a read could leave but is not taken")                                            \
  X(merge_ones, merges, "a merge of the highest address")                                          \
  X(merge_zero, merges, "a merge of address 0")                                                    \
  X(last_merge_fill, merges, "the merge that fills an entry's list, in the cycle of its fill")     \
  X(refuse_fill, NULL, "a read is refused by a full list in the cycle of the entry's fill")        \
  X(merge_fill, merges, "a merge in the cycle of the entry's fill")                                \
  X(merge_draining, merges, "a merge into the entry that is draining")                             \
  X(merge_ready, several_merges, "a merge into an entry that is filled and waits to drain")        \
  X(merge_when_drained, merges, "a merge into a full list from which a read leaves in this cycle") \
  X(merge_too_late, NULL, "a read of the line whose last read leaves in this cycle allocates")     \
  X(allocate_released, can_fill_up,                                                                \
    "all entries are in use, an allocation takes the one released in this cycle")                  \
  X(allocate_last, can_fill_up, "an allocation takes the last free entry")                         \
  X(allocate_last_release, last_of_several,                                                        \
    "an allocation takes the last free entry, another one is released in this cycle")              \
  X(allocate_beside_release, beside_others,                                                        \
    "an allocation takes a free entry, other entries are free and one is released")                \
  X(release_full, can_fill_up, "all entries are in use, one is released and none allocated")       \
  X(reads_wrap, merges, "a list of reads wraps around")                                            \
  X(order_wraps, NULL, "the ring of filled entries wraps around")                                  \
  X(all_ready, can_fill_up, "every entry is filled and none has drained")                          \
  X(all_at_once, several, "allocation, fill and drain in one cycle")                               \
  X(full_last, can_fill_up,                                                                        \
    "every entry is in use, the ring of filled entries is at its last place")                      \
  X(reset_full_last, can_fill_up, "reset in that state")                                           \
  X(reset_in_use, NULL, "reset while entries are in use")                                          \
  X(store_marks, stores, "a store marks an entry that awaits its line")                            \
  X(store_marks_ready, stores, "a store marks an entry that is filled")                            \
  X(store_again, stores, "a store finds its entry marked")                                         \
  X(store_misses, stores, "a store finds no entry")                                                \
  X(store_allocated, stores, "a store marks the entry that is allocated in this cycle")            \
  X(store_released, stores, "a store to the line whose last read leaves in this cycle")            \
  X(store_merge, stores_and_merges, "a store to the line of a read that merges in this cycle")     \
  X(store_fill, stores, "a store to the line that arrives in this cycle")                          \
  X(fill_written, stores, "a line arrives whose entry is marked")                                  \
  X(refuse_written, stores, "a read is refused: its entry is marked")
#include "cosim/stim/bins.h"

/* Neighbours differ in a single bit, so that each bit of the comparison matters. */
static void make_pool(state_t *s) {
  for (unsigned k = 0; k < s->used; k++) {
    uint64_t r = prng_next(&s->phase.rng);
    s->pool[k] =
        k > 0 && (r & 1) ? s->pool[k - 1] ^ UINT64_C(1) << (r >> 8) % s->cfg.ADDR_W : r >> 2;
    if (k == 0 || (r >> 48 & 7) == 0)
      s->pool[k] = r >> 51 & 1 ? stim_at_edge(r >> 2, s->cfg.ADDR_W) : r >> 2;
    s->pool[k] = bits(s->pool[k], s->cfg.ADDR_W);
  }
}

static void start(void *state, const uint32_t *cfg, uint64_t seed) {
  state_t *s = state;
  memset(s, 0, sizeof *s);
  memcpy(&s->cfg, cfg, sizeof s->cfg);
  s->entry_w = bits_index_w(s->cfg.ENTRIES);
  s->req = prng_seed(seed, 1);
  s->fill = prng_seed(seed, 2);
  s->out = prng_seed(seed, 3);
  s->data = prng_seed(seed, 4);
  s->phase.rng = prng_seed(seed, 5);
  s->reset.rng = prng_seed(seed, 6);
  s->store = prng_seed(seed, 8);
  mshr_probe_start(&s->probe, &s->cfg, seed);
}

/* An entry that waits for its line, if there is one near a random place. */
static uint64_t awaiting(state_t *s, const mshr_regs_t *r) {
  uint64_t set[2];
  for (unsigned w = 0; w < 2; w++) {
    const uint64_t low = r->valid_q[2 * w] & ~r->ready_q[2 * w];
    set[w] = low | (uint64_t)(r->valid_q[2 * w + 1] & ~r->ready_q[2 * w + 1]) << 32;
  }
  return stim_pick(&s->fill, set, s->cfg.ENTRIES, 8);
}

static void new_phase(state_t *s) {
  static const uint16_t lines_of[KINDS] = {POOL, POOL, POOL, 1, 4, POOL, POOL, 16, POOL, POOL};
  s->used = lines_of[s->phase.kind];
  if (s->phase.kind == BALANCED) s->used = 1 + s->cfg.ENTRIES;
  make_pool(s);
  if (s->phase.kind == FILL_UP) s->phase.left += 3 * s->cfg.ENTRIES;
  if (s->phase.kind == LAST_PLACE) s->phase.left += 3 * s->cfg.ENTRIES;
  if (s->phase.kind == PROBE) s->phase.left = mshr_probe_turn(&s->probe);
  s->may_fill = s->phase.kind != FILL_UP || prng_chance(&s->phase.rng, 300);
  s->patient = prng_chance(&s->phase.rng, 500);
  s->stores = s->phase.kind != PROBE && prng_chance(&s->store, s->cfg.STORES ? 500 : 50);
}

/* A store to the line of a read, a fill or an entry, or to any line. */
static void store(state_t *s, const mshr_regs_t *r, mshr_in_t *i) {
  const uint64_t v = prng_next(&s->store), any = (v >> 16) % s->cfg.ENTRIES;
  const uint64_t e = v >> 8 & 1 ? any : r->order_q[r->order_head_q];
  uint64_t addr = s->pool[(v >> 32) % s->used];
  addr = stim_choose(v >> 9 & 1, i->req_addr_i, addr);
  addr = stim_choose((v >> 10 & 3) == 0, r->addr_q[e], addr);
  const bool of_fill = (v >> 12 & 7) == 0, exists = i->fill_entry_i < s->cfg.ENTRIES;
  addr = stim_choose(of_fill & exists, r->addr_q[i->fill_entry_i], addr);
  i->store_valid_i = s->stores & ((v & 7) == 0);
  i->store_addr_i = addr;
}

/* Turns the ring of filled entries to its last place, fills the table there, and stays for a while
 * with reads, fills and takes of all kinds. */
static void last_place(state_t *s, const mshr_regs_t *r, mshr_in_t *i) {
  const uint64_t v = prng_next(&s->out);
  if (r->order_head_q != s->cfg.ENTRIES - 1) return;
  i->out_ready_i = 0;
  i->req_valid_i = 1;
  if (r->count_q < s->cfg.ENTRIES) return;
  if (r->order_len_q < s->cfg.ENTRIES && s->patient) return;
  const uint32_t drains = r->order_q[r->order_head_q], any = (uint32_t)(v >> 8) % s->cfg.ENTRIES;
  i->out_ready_i = (v & 3) == 0;
  i->req_valid_i = (v >> 2 & 7) != 0;
  if (v >> 5 & 1) i->req_addr_i = r->addr_q[v >> 6 & 1 ? drains : any];
  if ((v >> 24 & 3) == 0) i->fill_entry_i = r->order_len_q && v >> 26 & 1 ? drains : any;
  if ((v >> 32 & 31) == 0) i->srst_ni = 0;
}

static void probe(state_t *s, const mshr_regs_t *r, mshr_in_t *i) {
  i->req_addr_i = s->pool[prng_below(&s->req, POOL)];
  mshr_probe_next(&s->probe, r, i);
}

/* A reset is wanted if the draining entry has not met one in its state, or if something reaches the
 * last entry. */
static bool wants_reset(const state_t *s, const mshr_regs_t *r, const mshr_in_t *i) {
  const uint32_t last = s->cfg.ENTRIES - 1;
  if (s->reset.more & 1) return mshr_probe_wants_reset(&s->probe, r);
  return s->reset.more & 2
             ? i->fill_valid_i && i->fill_entry_i == last && mshr_probe_bit(r->valid_q, last)
             : i->req_valid_i && r->count_q == last && !mshr_probe_bit(r->valid_q, last);
}

/* The usual inputs of a phase. */
static void usual(state_t *s, const mshr_regs_t *r, mshr_in_t *i) {
  static const uint16_t req_rate[KINDS] = {950, 100, 600, 800, 800, 950, 700, 80, 950};
  static const uint16_t fill_rate[KINDS] = {20, 900, 300, 200, 250, 900, 500, 80, 900};
  static const uint16_t out_rate[KINDS] = {300, 950, 700, 500, 600, 950, 30, 900, 950};
  const uint32_t kind = s->phase.kind, e = r->order_q[r->order_head_q];
  i->req_valid_i = prng_chance(&s->req, req_rate[kind]);
  uint64_t addr = s->pool[prng_below(&s->req, s->used)], fill;
  i->fill_valid_i = prng_chance(&s->fill, s->may_fill ? fill_rate[kind] : 0);
  i->out_ready_i = prng_chance(&s->out, out_rate[kind]);
  uint64_t pick = prng_next(&s->fill);
  if ((pick & 15) == 0)
    fill = stim_index(&s->fill, s->cfg.ENTRIES, s->entry_w);
  else if ((pick & 15) == 1 || !i->fill_valid_i) /* without a fill any value will do */
    fill = bits(pick >> 8, s->entry_w);
  else
    fill = awaiting(s, r);
  /* now and then the line that drains, or that arrives */
  const bool drains = r->order_len_q != 0;
  addr = stim_choose(drains & ((pick >> 4 & 7) == 0), r->addr_q[e], addr);
  fill = stim_choose(drains & ((pick >> 4 & 31) == 1), e, fill);
  const bool arrives = (pick >> 9 & 7) == 0, exists = fill < s->cfg.ENTRIES;
  addr = stim_choose(arrives & exists & mshr_probe_bit(r->valid_q, fill), r->addr_q[fill], addr);
  i->req_addr_i = addr;
  i->fill_entry_i = fill;
}

static void next(void *state, const void *model, uint64_t *in) {
  state_t *s = state;
  const mshr_regs_t *r = mshr_regs(model);
  mshr_in_t *i = (mshr_in_t *)(void *)in;
  if (stim_phase(&s->phase, KINDS, 500)) new_phase(s);
  i->srst_ni = 1;
  i->req_data_i = stim_edge(prng_next(&s->data), s->cfg.DATA_W);
  if (s->phase.kind == PROBE)
    probe(s, r, i);
  else
    usual(s, r, i);
  if (s->phase.kind == LAST_PLACE) last_place(s, r, i);
  store(s, r, i);
  if (stim_rst_open(&s->reset) && wants_reset(s, r, i)) stim_rst_now(&s->reset);
  if (!stim_rst_n(&s->reset)) i->srst_ni = 0;
}

static uint64_t allocate_bins(uint32_t left, bool allocate, bool release) {
  return HIT(allocate_last, allocate && left == 1) |
         HIT(allocate_last_release, allocate && left == 1 && release) |
         HIT(allocate_beside_release, allocate && left > 1 && release) |
         HIT(release_full, release && left == 0 && !allocate);
}

static uint64_t read_bins(const state_t *s, const mshr_regs_t *r, const mshr_in_t *i,
                          const mshr_out_t *o, bool drain) {
  uint32_t e = (uint32_t)o->out_entry_o, h = (uint32_t)o->req_entry_o;
  bool release = drain && o->out_last_o, accepted = i->req_valid_i && o->req_ready_o;
  bool merge = accepted && o->req_merge_o, allocate = accepted && !merge;
  bool of_draining = o->out_valid_o && r->addr_q[e] == i->req_addr_i;
  uint64_t hits = HIT(allocate, allocate) | HIT(merge, merge) |
                  HIT(refuse_entries, i->req_valid_i && o->req_refuse_o == 1) |
                  HIT(refuse_merges, i->req_valid_i && o->req_refuse_o == 2) |
                  HIT(merge_too_late, allocate && release && of_draining) |
                  HIT(allocate_released, allocate && release && h == e) |
                  allocate_bins(s->cfg.ENTRIES - r->count_q, allocate, release);
  if (!merge) {
    if (!(hits & HIT(refuse_merges, true)) || !i->fill_valid_i || o->fill_err_o) return hits;
    return hits | HIT(refuse_fill, r->addr_q[i->fill_entry_i] == i->req_addr_i);
  }
  bool own = drain && h == e;
  const uint64_t highest = bits_mask(s->cfg.ADDR_W);
  const bool filled = i->fill_valid_i && !o->fill_err_o && i->fill_entry_i == h;
  return hits | HIT(merge_fill, filled) | HIT(merge_ones, i->req_addr_i == highest) |
         HIT(merge_zero, i->req_addr_i == 0) |
         HIT(last_merge_fill, filled && r->len_q[h] == (int)s->cfg.MERGES - 1) |
         HIT(merge_draining, o->out_valid_o && h == e) |
         HIT(merge_ready, mshr_probe_bit(r->ready_q, h) && h != e) |
         HIT(merge_when_drained, own && r->len_q[h] == s->cfg.MERGES) |
         HIT(reads_wrap, r->head_q[h] + r->len_q[h] >= (int)s->cfg.MERGES);
}

static uint64_t store_bins(const mshr_regs_t *r, const mshr_in_t *i, const mshr_out_t *o) {
  const uint64_t h = o->store_entry_o;
  const bool valid = i->store_valid_i, mark = valid && o->store_hit_o;
  const bool own_read = i->req_valid_i && o->req_ready_o && i->req_addr_i == i->store_addr_i;
  const bool release = i->out_ready_i && o->out_last_o;
  return HIT(store_marks, mark && !mshr_probe_bit(r->ready_q, h)) |
         HIT(store_marks_ready, mark && mshr_probe_bit(r->ready_q, h)) |
         HIT(store_again, mark && mshr_probe_bit(r->written_q, h)) |
         HIT(store_misses, valid && !mark) |
         HIT(store_allocated, valid && own_read && !o->req_merge_o) |
         HIT(store_released, valid && release && r->addr_q[o->out_entry_o] == i->store_addr_i) |
         HIT(store_merge, mark && own_read && o->req_merge_o) |
         HIT(store_fill, mark && i->fill_valid_i && !o->fill_err_o && i->fill_entry_i == h) |
         HIT(fill_written, o->fill_written_o) |
         HIT(refuse_written, i->req_valid_i && o->req_refuse_o == 3);
}

static uint64_t sample(void *state, const void *model, const uint64_t *in, const uint64_t *out) {
  state_t *s = state;
  const mshr_regs_t *r = mshr_regs(model);
  const mshr_in_t *i = (const mshr_in_t *)(const void *)in;
  const mshr_out_t *o = (const mshr_out_t *)(const void *)out;
  const bool full_last = o->count_o == s->cfg.ENTRIES && r->order_head_q == s->cfg.ENTRIES - 1;
  if (!i->srst_ni) {
    mshr_probe_reset(&s->probe, r);
    return HIT(reset_in_use, o->count_o > 0) | HIT(reset_full_last, full_last);
  }
  uint32_t f = (uint32_t)i->fill_entry_i;
  bool drain = o->out_valid_o && i->out_ready_i, release = drain && o->out_last_o;
  bool fill = i->fill_valid_i && !o->fill_err_o, exists = f < s->cfg.ENTRIES;
  bool bad = i->fill_valid_i && o->fill_err_o && exists;
  bool allocate = i->req_valid_i && o->req_ready_o && !o->req_merge_o;
  return read_bins(s, r, i, o, drain) | (s->cfg.STORES ? store_bins(r, i, o) : 0) |
         HIT(full, o->count_o == s->cfg.ENTRIES) | HIT(full_last, full_last) | HIT(fill, fill) |
         HIT(fill_ready, bad && mshr_probe_bit(r->ready_q, f) && mshr_probe_bit(r->valid_q, f)) |
         HIT(fill_free, bad && !mshr_probe_bit(r->valid_q, f)) |
         HIT(fill_released, bad && release && f == o->out_entry_o) |
         HIT(fill_no_entry, i->fill_valid_i && !exists) | HIT(drain, drain && !release) |
         HIT(release, release) | HIT(stall, o->out_valid_o && !drain) |
         HIT(order_wraps, release && r->order_head_q == s->cfg.ENTRIES - 1) |
         HIT(all_ready, r->order_len_q == s->cfg.ENTRIES) |
         HIT(all_at_once, allocate && fill && drain);
}

static bool active(const uint64_t *in) {
  const mshr_in_t *i = (const mshr_in_t *)(const void *)in;
  return i->req_valid_i || i->fill_valid_i || i->store_valid_i || !i->srst_ni;
}

static void describe(const uint32_t *cfg, const uint64_t *in, const uint64_t *out, char *text) {
  static const char *const refusals[] = {"-", "entries", "merges", "marked"};
  const mshr_in_t *i = (const mshr_in_t *)(const void *)in;
  const mshr_out_t *o = (const mshr_out_t *)(const void *)out;
  (void)cfg;
  if (!i->srst_ni) stim_say(text, "reset; ");
  if (o->out_valid_o)
    stim_say(text, "out e%u 0x%llx%s%s; ", (unsigned)o->out_entry_o,
             (unsigned long long)o->out_data_o, o->out_last_o ? " last" : "",
             i->out_ready_i ? "" : " not taken");
  if (i->fill_valid_i)
    stim_say(text, "fill e%u%s; ", (unsigned)i->fill_entry_i, o->fill_err_o ? " ignored" : "");
  if (i->store_valid_i)
    stim_say(text, "store 0x%llx%s; ", (unsigned long long)i->store_addr_i,
             o->store_hit_o ? " marks" : "");
  if (!i->req_valid_i) return;
  stim_say(text, "read 0x%llx (0x%llx) ", (unsigned long long)i->req_addr_i,
           (unsigned long long)i->req_data_i);
  if (o->req_ready_o)
    stim_say(text, "%s e%u", o->req_merge_o ? "merges into" : "allocates",
             (unsigned)o->req_entry_o);
  else
    stim_say(text, "refused: %s", refusals[o->req_refuse_o & 3]);
}

static void occupancy(const uint32_t *cfg, const void *model, char *text) {
  const mshr_regs_t *r = mshr_regs(model);
  stim_say(text, "%u of %u entries, %u filled;", r->count_q, mshr_sizes(cfg)->ENTRIES,
           r->order_len_q);
  for (uint32_t e = 0; e < mshr_sizes(cfg)->ENTRIES; e++)
    if (mshr_probe_bit(r->valid_q, e))
      stim_say(text, " e%u%s:%u", e, mshr_probe_bit(r->ready_q, e) ? "*" : "", r->len_q[e]);
}

static void rush(void *state, bool on) {
  stim_rush(&((state_t *)state)->phase, WALK, on);
}

const stim_class_t stim_mshr = {.stem = "mshr",
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
