/* SPDX-License-Identifier: Apache-2.0 */
/* mrpb: a stream of requests and barriers of many warps, against an L1 that accepts, stalls or does
 * not look. Every pair of warp and block comes in turn. Resets come as each block's request leaves,
 * and while each queue's entry is at the end of a full latency line. A warp keeps its block as long
 * as anything is held, so the order rule must hold. Only in wild phases, which end with a reset, do
 * warps change their block from request to request. */
#include "cosim/stim/mrpb_view.h"
#include "cosim/stim/counts.h"
#include "cosim/stim/stim.h"

#include "fifo_bank.h"
#include "mrpb.h"

#include <string.h>

enum { FLOW, FILL, EMPTY, STALLS, WRITES, HOT, BARRIERS, SPARSE, SWEEP, PAIRS, WILD, KINDS };
enum { PAIRS_CYCLES = 768 }; /* once the buffer is empty; about four times all warps */

typedef struct {
  mrpb_cfg_t cfg;
  prng_t in, out, data;
  stim_phase_t phase, reset;
  uint32_t stride, shift, crowd, base, few; /* warp -> block and in-block warp; the warps in play */
  uint32_t clear;                           /* cycles of the reset that ends a wild phase */
  uint32_t sweep; /* requests offered in a sweep, or in turn; 0 until the buffer is empty */
  stim_pairs_t pairs;
  /* What was presented in the previous cycle and has not left; and what has met a reset: a block's
   * read or write as it leaves, or a queue's entry at the end of a full line. */
  bool waits, waits_write;
  uint32_t waits_block;
  uint64_t left_in_reset[2], line_in_reset;
  bool wild, taken; /* taken: the offer was accepted */
  mrpb_in_t offer;
  const uint8_t *more, *hold; /* registers of the drain selector */
  const uint8_t *head, *tail; /* registers of the bank */
  const uint64_t *full, *nonempty;
  const uint16_t *block_held;
} state_t;

static bool flush(const uint32_t *cfg) {
  return mrpb_sizes(cfg)->FLUSH == 1;
}
static bool no_flush(const uint32_t *cfg) {
  return mrpb_sizes(cfg)->FLUSH == 0;
}
static bool bypass(const uint32_t *cfg) {
  return mrpb_sizes(cfg)->BYPASS != 0;
}
static bool bypass_some(const uint32_t *cfg) {
  return mrpb_sizes(cfg)->BYPASS == 2;
}
static bool bypass_write(const uint32_t *cfg) {
  return mrpb_sizes(cfg)->BYPASS != 0;
}
static bool flush_several(const uint32_t *cfg) {
  return flush(cfg) && mrpb_sizes(cfg)->QUEUES > 1;
}
static bool two_entries(const uint32_t *cfg) {
  return mrpb_sizes(cfg)->QUEUES * mrpb_sizes(cfg)->DEPTH > 1;
}
static bool line_fits(const uint32_t *cfg) {
  return mrpb_sizes(cfg)->QUEUES * mrpb_sizes(cfg)->DEPTH >= mrpb_sizes(cfg)->LATENCY - 2;
}
static bool short_queue(const uint32_t *cfg) {
  return mrpb_sizes(cfg)->FLUSH == 1 && mrpb_sizes(cfg)->DEPTH + 2 <= mrpb_sizes(cfg)->LATENCY;
}
static bool greedy(const uint32_t *cfg) {
  return mrpb_sizes(cfg)->POLICY % 2 == 1 && mrpb_sizes(cfg)->DEPTH > 1;
}
static bool shared(const uint32_t *cfg) {
  return mrpb_sizes(cfg)->BLOCKS < 64;
}
static bool crowd(const uint32_t *cfg) {
  return mrpb_sizes(cfg)->QUEUES > 1 && mrpb_sizes(cfg)->BLOCKS > 1 &&
         mrpb_sizes(cfg)->SIGNATURE != 0;
}
static bool one_counter(const uint32_t *cfg) {
  return mrpb_sizes(cfg)->BLOCKS == 1;
}
static bool later(const uint32_t *cfg) {
  return mrpb_sizes(cfg)->ANSWER > 0;
}
static bool later_several(const uint32_t *cfg) {
  return later(cfg) && mrpb_sizes(cfg)->SIGNATURE != MRPB_SIGNATURE_BLOCK_WARP &&
         mrpb_sizes(cfg)->QUEUES > 1;
}
static bool bypass_again(const uint32_t *cfg) {
  return mrpb_sizes(cfg)->ANSWER > 1 && bypass(cfg);
}
static bool can_mix(const uint32_t *cfg) {
  return mrpb_sizes(cfg)->SIGNATURE != 1 && mrpb_sizes(cfg)->QUEUES > 1;
}

#define BINS(X)                                                                                    \
  X(store, NULL, "a read is stored")                                                               \
  X(store_write, no_flush, "a write is stored")                                                    \
  X(pass, flush, "a write passes")                                                                 \
  X(pass_first, flush_several, "a write passes while the policy has a queue to drain")             \
  X(write_waits_slot, flush, "a write waits for the outbound buffer")                              \
  X(read_waits, no_flush, "a read waits for its full queue")                                       \
  X(flush_full, flush, "a read flushes its full queue (rule 1)")                                   \
  X(flush_full_later, short_queue, "rule 1, and nothing of the full queue is drainable yet")       \
  X(flush_write, flush, "a write flushes its queue (rule 2)")                                      \
  X(forced_drain, flush, "the flushed queue is drained")                                           \
  X(barrier_waits, NULL, "a barrier waits for its block")                                          \
  X(barrier_passes, NULL, "a barrier passes")                                                      \
  X(barrier_left, NULL, "a barrier passes in the cycle after its block's last request left")       \
  X(barrier_shared, shared, "a barrier of a block without its own counter")                        \
  X(drain, NULL, "the drain policy fills the outbound buffer")                                     \
  X(drain_store, two_entries, "a drain and a store in one cycle")                                  \
  X(greedy_hold, greedy, "the greedy policy stays with its queue")                                 \
  X(accepted, NULL, "the L1 takes what is presented")                                              \
  X(assoc_stall, NULL, "an associativity stall")                                                   \
  X(other_stall, NULL, "another stall")                                                            \
  X(not_looked_at, NULL, "the L1 does not look")                                                   \
  X(bypass, bypass, "a read bypasses the L1")                                                      \
  X(bypass_waits, bypass, "a read is to bypass, but the path is not ready")                        \
  X(bypass_not_other, bypass_some, "another stall is no reason to bypass")                         \
  X(bypass_not_write, bypass_write, "a write does not bypass")                                     \
  X(queue_full, NULL, "what is offered meets a full queue")                                        \
  X(all_full, NULL, "every queue is full and all places behind them are occupied")                 \
  X(empty, NULL, "nothing is held")                                                                \
  X(line_full, line_fits, "every stage of the latency line holds an entry")                        \
  X(block_both, NULL, "one block's request leaves as another is accepted")                         \
  X(left_both, NULL, "a request is accepted as one of its block, which has left, is uncounted")    \
  X(block_shared, shared, "a request of a block without its own counter")                          \
  X(block_crowd, crowd, "warps of one block hold more than a queue could")                         \
  X(pass_ones, flush, "a write with data of ones only passes")                                     \
  X(store_ones, NULL, "a read with data of ones only is stored")                                   \
  X(block_most, one_counter, "one counter of blocks counts all that can be held")                  \
  X(pairs, NULL, "a request of every pair of warp and block has been accepted")                    \
  X(refused, later, "a request is refused and presented again")                                    \
  X(withdrawn, later, "a refusal withdraws what was presented after it")                           \
  X(withdrawn_all, later, "a refusal while the line is full and the outbound entry is presented")  \
  X(withdrawn_write, later, "a refusal withdraws a write")                                         \
  X(withdrawn_other, later_several, "a refusal withdraws the request of another queue")            \
  X(again_behind, later, "the outbound entry waits for withdrawn requests")                        \
  X(again_bypass, bypass_again, "a read bypasses while requests withdrawn with it wait")           \
  X(reset_in_use, NULL, "reset while requests are held")                                           \
  X(order_provoked, can_mix, "a warp without a fixed block breaks the order, and it is noticed")   \
  X(order_broken, stim_never, "order_err_o although every warp kept its block")
#include "cosim/stim/bins.h"

static void start(void *state, const uint32_t *cfg, uint64_t seed) {
  state_t *s = state;
  memset(s, 0, sizeof *s);
  memcpy(&s->cfg, cfg, sizeof s->cfg);
  s->in = prng_seed(seed, 1);
  s->out = prng_seed(seed, 2);
  s->data = prng_seed(seed, 3);
  s->phase.rng = prng_seed(seed, 4);
  s->reset.rng = prng_seed(seed, 5);
  s->stride = 1;
  s->few = 64;
}

static void find_registers(state_t *s, const void *model) {
  module_reg_t regs[MODULE_MAX_REGS];
  mrpb_class.regs(model, regs);
  for (unsigned i = 0; i < mrpb_class.n_regs; i++) {
    if (strcmp(regs[i].name, "block_held_q") == 0) s->block_held = regs[i].data;
    if (strcmp(regs[i].name, "u_fifo_bank.head_q") == 0) s->head = regs[i].data;
    if (strcmp(regs[i].name, "u_fifo_bank.tail_q") == 0) s->tail = regs[i].data;
    if (strcmp(regs[i].name, "u_fifo_bank.full_q") == 0) s->full = regs[i].data;
    if (strcmp(regs[i].name, "u_drain_selector.more_q") == 0) s->more = regs[i].data;
    if (strcmp(regs[i].name, "u_drain_selector.nonempty_q") == 0) s->nonempty = regs[i].data;
    if (strcmp(regs[i].name, "u_drain_selector.hold_q") == 0) s->hold = regs[i].data;
  }
}

static void new_phase(state_t *s, const mrpb_regs_t *r) {
  static const uint8_t warps[] = {1, 3, 16, 64};
  prng_t *rng = &s->phase.rng;
  if (s->wild && s->phase.kind != WILD) s->clear = 2;
  s->base = prng_below(rng, 64);
  s->few = s->phase.kind == FILL ? 64 : s->phase.kind == HOT ? 1 : warps[prng_below(rng, 4)];
  s->sweep = 0;
  if (s->phase.kind == PAIRS) s->phase.left = r->held_q + PAIRS_CYCLES;
  if (s->phase.kind == SWEEP) s->phase.left = r->held_q + s->cfg.QUEUES * s->cfg.DEPTH + 64;
  if (s->phase.kind == WILD) s->wild = true;
  if (r->held_q != 0 || s->wild) return;
  s->stride = 1 + 2 * prng_below(rng, 32);
  s->shift = prng_below(rng, 64);
  s->crowd = 3 * prng_below(rng, 3); /* a block is a warp, 8 warps or all warps */
}

/* Returns the warp whose signature is `id`: the inverse of the mapping in next_offer. */
static uint64_t warp_of(const state_t *s, uint64_t id) {
  uint64_t shift = s->cfg.SIGNATURE == MRPB_SIGNATURE_BLOCK ? s->shift : 7 * s->shift, w = 0;
  if (s->cfg.SIGNATURE == MRPB_SIGNATURE_WARP) return id;
  while (w < 63 && ((w * s->stride + shift) & 63) != id) w++;
  return w;
}

/* Pairs each warp with the next block, for a round of pairs that is not complete yet. */
static void start_pairs(state_t *s) {
  if (s->wild) return;
  s->stride = 1;
  s->crowd = 0;
  for (unsigned n = 0; n < 64; n++) {
    s->shift = (s->shift + 1) & 63;
    if (s->pairs.seen[s->shift] != UINT64_MAX) return;
  }
}

/* A reset is wanted if something that has not met a reset leaves, or is next in a full line. */
static bool wants_reset(const state_t *s, const mrpb_regs_t *r) {
  const uint32_t stages = s->cfg.LATENCY - 2;
  if (s->reset.more & 1)
    return s->waits && !(s->left_in_reset[s->waits_write] >> s->waits_block & 1);
  return s->offer.in_valid_i && r->line_valid_q == bits_mask(stages) &&
         !(s->line_in_reset >> r->line_queue_q[0] & 1);
}

/* In most cycles of a reset the L1 accepts what is presented. */
static void met_reset(state_t *s, const mrpb_regs_t *r, mrpb_in_t *i, bool takes) {
  if (takes) i->l1_answer_i = MRPB_L1_ACCEPTED;
  if (s->waits && takes) s->left_in_reset[s->waits_write] |= UINT64_C(1) << s->waits_block;
  if (r->line_valid_q == bits_mask(s->cfg.LATENCY - 2) && i->in_valid_i)
    s->line_in_reset |= UINT64_C(1) << r->line_queue_q[0];
}

static void next_offer(state_t *s) {
  static const uint16_t rate[KINDS] = {950, 1000, 30, 700, 900, 950, 800, 80, 1000, 1000, 800};
  static const uint16_t writes[KINDS] = {100, 5, 100, 100, 500, 30, 100, 150, 0, 100, 150};
  static const uint16_t barriers[KINDS] = {20, 0, 100, 30, 20, 5, 300, 50, 0, 0, 50};
  uint32_t kind = s->phase.kind;
  mrpb_in_t *o = &s->offer;
  o->in_valid_i = prng_chance(&s->in, rate[kind]);
  uint64_t w = (s->base + prng_below(&s->in, s->few)) & 63, r = prng_next(&s->in);
  if (kind == SWEEP) w = warp_of(s, s->sweep++ % s->cfg.QUEUES);
  if (kind == PAIRS && s->sweep++ == 0) start_pairs(s);
  if (kind == PAIRS) w = (s->sweep - 1) & 63;
  o->in_kind_i = r % 1000 < writes[kind]             ? 1
                 : (r >> 32) % 1000 < barriers[kind] ? 2 + (r >> 31 & 1)
                                                     : 0;
  o->in_warp_i = w;
  o->in_block_i = s->crowd == 6 ? s->shift & 7 : ((w * s->stride + s->shift) & 63) >> s->crowd;
  o->in_block_warp_i = (w * s->stride + 7 * s->shift) & 63;
  o->in_data_i = stim_edge(prng_next(&s->data), s->cfg.DATA_W);
  if (kind != WILD || s->cfg.SIGNATURE == MRPB_SIGNATURE_WARP) return;
  o->in_block_i = r >> 10 & 63;
  o->in_block_warp_i = r >> 16 & 63;
}

static void next(void *state, const void *model, uint64_t *in) {
  /* How often, of 16, the L1 accepts, stalls for associativity, or stalls otherwise. In the
   * remaining cases it does not look. */
  static const uint8_t answers[KINDS][3] = {{13, 1, 1}, {0, 0, 8},  {15, 0, 0}, {3, 7, 4},
                                            {10, 2, 2}, {8, 3, 3},  {9, 2, 2},  {8, 2, 2},
                                            {0, 0, 0},  {13, 1, 1}, {11, 2, 2}};
  state_t *s = state;
  const mrpb_regs_t *r = mrpb_regs(model);
  mrpb_in_t *i = (mrpb_in_t *)(void *)in;
  if (!s->full) find_registers(s, model);
  bool begun = stim_phase(&s->phase, KINDS, 500);
  if (begun) new_phase(s, r);
  /* A request that was not accepted is mostly offered again. A wild offer may not outlive its
   * phase. */
  const bool in_turn = s->phase.kind == SWEEP || s->phase.kind == PAIRS;
  uint32_t give_up = s->phase.kind == SWEEP   ? 1000
                     : s->phase.kind == PAIRS ? 0
                     : s->phase.kind == FILL  ? 500
                                              : 30;
  if (s->phase.kind == PAIRS && s->sweep == 64 && s->taken) s->sweep = 0; /* with other blocks */
  bool emptying = in_turn && s->sweep == 0 && r->held_q > 0;
  if (emptying)
    s->offer.in_valid_i = 0;
  else if (!s->offer.in_valid_i || s->taken || begun || prng_chance(&s->in, give_up))
    next_offer(s);
  if (s->cfg.ANSWER > 0) { /* the one that the L1 answers in this cycle */
    s->waits = r->due_q & 1;
    s->waits_write = r->sent_q[0] >> s->cfg.DATA_W >> 12 & 1;
    s->waits_block = (uint32_t)(r->sent_q[0] >> s->cfg.DATA_W & 63);
  }
  if (stim_rst_open(&s->reset) && wants_reset(s, r)) stim_rst_now(&s->reset);
  uint64_t reset = stim_rst_n(&s->reset), v = prng_next(&s->out);
  *i = s->offer;
  i->srst_ni = reset && s->clear == 0;
  const uint8_t *a = answers[emptying ? EMPTY : s->phase.kind];
  unsigned draw = v & 15, taken = a[0], assoc = taken + a[1], other = assoc + a[2];
  i->l1_answer_i = draw < taken   ? MRPB_L1_ACCEPTED
                   : draw < assoc ? MRPB_L1_ASSOC_STALL
                   : draw < other ? MRPB_L1_OTHER_STALL
                                  : MRPB_L1_NOT_ASKED;
  i->byp_ready_i = s->phase.kind == FILL     ? 0
                   : s->phase.kind == STALLS ? v >> 8 & 1
                                             : (v >> 8 & 3) != 0;
  if (!i->srst_ni) met_reset(s, r, i, (v >> 12 & 3) != 0);
}

static uint64_t queue_of(const state_t *s, const mrpb_in_t *i) {
  uint64_t id = s->cfg.SIGNATURE == MRPB_SIGNATURE_BLOCK  ? i->in_block_i
                : s->cfg.SIGNATURE == MRPB_SIGNATURE_WARP ? i->in_warp_i
                                                          : i->in_block_warp_i;
  return id % s->cfg.QUEUES;
}

static uint64_t counter(const state_t *s, uint64_t block) {
  return block < s->cfg.BLOCKS ? block : s->cfg.BLOCKS - 1;
}

static uint64_t offer_bins(const state_t *s, const mrpb_in_t *i, const mrpb_out_t *o, bool slot,
                           bool drainable) {
  bool on = s->cfg.FLUSH == 1, ready = o->in_ready_o;
  bool read = i->in_kind_i == MRPB_KIND_READ, write = i->in_kind_i == MRPB_KIND_WRITE,
       barrier = i->in_kind_i >= MRPB_KIND_BARRIER;
  uint64_t q = queue_of(s, i);
  if (!i->in_valid_i) return 0;
  if (barrier)
    return HIT(barrier_waits, !ready) | HIT(barrier_passes, ready) |
           HIT(barrier_left, ready && s->block_held[counter(s, i->in_block_i)] > 0) |
           HIT(barrier_shared, i->in_block_i >= s->cfg.BLOCKS);
  bool full = *s->full >> q & 1, flushes = o->flush_full_o || o->flush_write_o;
  return HIT(store, read && ready) | HIT(store_write, write && ready && !on) |
         HIT(pass, write && ready && on) | HIT(pass_first, write && ready && on && drainable) |
         HIT(write_waits_slot, write && on && !ready && !o->flush_write_o && !slot) |
         HIT(read_waits, read && !on && !ready) | HIT(flush_full, o->flush_full_o) |
         HIT(flush_full_later, o->flush_full_o && !(*s->nonempty >> q & 1)) |
         HIT(flush_write, o->flush_write_o) |
         HIT(forced_drain, flushes && slot && (*s->nonempty >> q & 1)) | HIT(queue_full, full) |
         HIT(block_shared, ready && i->in_block_i >= s->cfg.BLOCKS) |
         HIT(block_crowd, i->in_block_i + 1 < s->cfg.BLOCKS &&
                              s->block_held[i->in_block_i] > s->cfg.DEPTH + 1 + s->cfg.ANSWER);
}

static uint64_t answer_bins(const state_t *s, const mrpb_in_t *i, const mrpb_out_t *o,
                            const mrpb_view_t *v) {
  uint64_t a = i->l1_answer_i;
  bool stalled =
      a == MRPB_L1_ASSOC_STALL || (a == MRPB_L1_OTHER_STALL && s->cfg.BYPASS == MRPB_BYPASS_STALL);
  uint64_t hit = HIT(bypass, o->byp_valid_o && i->byp_ready_i) |
                 HIT(bypass_waits, o->byp_valid_o && !i->byp_ready_i);
  if (!v->answered) return hit;
  return hit | HIT(accepted, a == 0) | HIT(assoc_stall, a == 1) | HIT(other_stall, a == 2) |
         HIT(not_looked_at, a == 3) |
         HIT(bypass_not_other,
             s->cfg.BYPASS == MRPB_BYPASS_ASSOC_STALL && a == MRPB_L1_OTHER_STALL && !v->write) |
         HIT(bypass_not_write, s->cfg.BYPASS != MRPB_BYPASS_OFF && stalled && v->write);
}

/* The queue of a presented request. With in-block warp IDs no request tells it: all have queue 0. */
static uint64_t queue_of_ids(const state_t *s, uint64_t warp, uint64_t block) {
  if (s->cfg.SIGNATURE == MRPB_SIGNATURE_BLOCK_WARP) return 0;
  return (s->cfg.SIGNATURE == MRPB_SIGNATURE_WARP ? warp : block) % s->cfg.QUEUES;
}

/* ANSWER > 0: what a refusal does to the requests presented after the refused one. */
static uint64_t later_bins(const state_t *s, const mrpb_regs_t *r, const mrpb_in_t *i,
                           const mrpb_out_t *o, const mrpb_view_t *v) {
  const unsigned due = (unsigned)__builtin_popcount(r->due_q);
  if (s->cfg.ANSWER == 0) return 0;
  const uint64_t own = queue_of_ids(s, v->warp, v->block);
  bool write = o->out_write_o,
       other = o->out_valid_o && queue_of_ids(s, o->out_warp_o, o->out_block_o) != own;
  for (unsigned n = 1; n < due; n++) {
    const uint64_t ids = r->sent_q[n] >> s->cfg.DATA_W;
    write |= ids >> 12 & 1;
    other |= queue_of_ids(s, ids >> 6 & 63, ids & 63) != own;
  }
  return HIT(refused, v->refused) | HIT(withdrawn, v->refused && v->withdrawn > 0) |
         HIT(withdrawn_all, v->refused && v->withdrawn == s->cfg.ANSWER) |
         HIT(withdrawn_write, v->refused && write) | HIT(withdrawn_other, v->refused && other) |
         HIT(again_behind, v->sent > due && r->out_valid_q) |
         HIT(again_bypass, o->byp_valid_o && i->byp_ready_i && v->sent > 1);
}

static uint64_t sample(void *state, const void *model, const uint64_t *in, const uint64_t *out) {
  state_t *s = state;
  const mrpb_regs_t *r = mrpb_regs(model);
  const mrpb_in_t *i = (const mrpb_in_t *)(const void *)in;
  const mrpb_out_t *o = (const mrpb_out_t *)(const void *)out;
  if (!s->full) find_registers(s, model); /* in an SM nothing calls `next` */
  s->taken = i->srst_ni && o->in_ready_o;
  uint64_t order = HIT(order_provoked, o->order_err_o && s->wild) |
                   HIT(order_broken, o->order_err_o && !s->wild);
  /* A reset may come late (cosim/stim/tempo.h), in the next wild phase. */
  if (!i->srst_ni && s->clear > 0 && --s->clear == 0) s->wild = s->phase.kind == WILD;
  const mrpb_view_t v = mrpb_view(&s->cfg, r, i, o);
  const bool leave = v.leaves, slot = v.slot, drainable = *s->nonempty != 0;
  const uint32_t most = s->cfg.QUEUES * s->cfg.DEPTH + 1 + s->cfg.ANSWER;
  s->waits = i->srst_ni && o->out_valid_o && !leave;
  s->waits_write = o->out_write_o;
  s->waits_block = (uint32_t)o->out_block_o;
  if (!i->srst_ni) return HIT(reset_in_use, o->held_o > 0) | order;
  bool accepted = i->in_valid_i && o->in_ready_o && i->in_kind_i < MRPB_KIND_BARRIER;
  bool pass = accepted && i->in_kind_i == MRPB_KIND_WRITE && s->cfg.FLUSH == 1,
       drain = slot && !pass && drainable;
  bool forced = (o->flush_full_o || o->flush_write_o) && (*s->nonempty >> queue_of(s, i) & 1);
  unsigned stages = s->cfg.LATENCY - 2;
  const bool ones = (~i->in_data_i & bits_mask(s->cfg.DATA_W)) == 0;
  if (accepted) stim_pair(&s->pairs, i->in_warp_i, i->in_block_i);
  return order | HIT(pairs, s->pairs.n == STIM_PAIRS) | offer_bins(s, i, o, slot, drainable) |
         answer_bins(s, i, o, &v) | later_bins(s, r, i, o, &v) | HIT(drain, drain) |
         HIT(drain_store, drain && accepted) | HIT(greedy_hold, drain && !forced && *s->hold) |
         HIT(pass_ones, pass && ones) | HIT(store_ones, accepted && !i->in_kind_i && ones) |
         HIT(block_most, s->cfg.BLOCKS == 1 && s->block_held[0] == most) |
         HIT(all_full, o->held_o == most) | HIT(empty, o->held_o == 0) |
         HIT(line_full, r->line_valid_q == bits_mask(stages)) |
         HIT(block_both, accepted && leave && counter(s, i->in_block_i) == counter(s, v.block)) |
         HIT(left_both, accepted && r->left_valid_q &&
                            counter(s, i->in_block_i) == counter(s, r->left_block_q));
}

static bool active(const uint64_t *in) {
  const mrpb_in_t *i = (const mrpb_in_t *)(const void *)in;
  return i->in_valid_i || i->l1_answer_i != MRPB_L1_NOT_ASKED || !i->srst_ni;
}

static void describe(const uint32_t *cfg, const uint64_t *in, const uint64_t *out, char *text) {
  static const char *const kinds[] = {"read", "write", "barrier", "barrier"};
  static const char *const answers[] = {"accepted", "assoc. stall", "other stall", "not looked at"};
  const mrpb_in_t *i = (const mrpb_in_t *)(const void *)in;
  const mrpb_out_t *o = (const mrpb_out_t *)(const void *)out;
  const bool later = mrpb_sizes(cfg)->ANSWER > 0;
  if (!i->srst_ni) stim_say(text, "reset; ");
  if (i->in_valid_i)
    stim_say(text, "in %s w%u b%u bw%u 0x%llx %s%s; ", kinds[i->in_kind_i & 3],
             (unsigned)i->in_warp_i, (unsigned)i->in_block_i, (unsigned)i->in_block_warp_i,
             (unsigned long long)i->in_data_i, o->in_ready_o ? "accepted" : "waits",
             o->flush_full_o || o->flush_write_o ? " flushing" : "");
  if (o->out_valid_o)
    stim_say(text, "out %s w%u b%u 0x%llx %s%s", o->out_write_o ? "write" : "read",
             (unsigned)o->out_warp_o, (unsigned)o->out_block_o, (unsigned long long)o->out_data_o,
             later ? "" : answers[i->l1_answer_i & 3],
             !o->byp_valid_o  ? ""
             : i->byp_ready_i ? ", bypasses"
                              : ", bypass not ready");
  if (later) stim_say(text, "; L1 %s", answers[i->l1_answer_i & 3]);
}

static void occupancy(const uint32_t *cfg, const void *model, char *text) {
  state_t s = {.full = NULL};
  const mrpb_regs_t *r = mrpb_regs(model);
  find_registers(&s, model);
  stim_say(text, "%u held, outbound %u, line 0x%x, left %u", r->held_q, r->out_valid_q,
           r->line_valid_q, r->left_valid_q);
  if (mrpb_sizes(cfg)->ANSWER > 0)
    stim_say(text, ", sent 0x%x, due 0x%x, byp %u", r->sent_valid_q, r->due_q, r->byp_q);
  const char *before = "; ";
  for (unsigned q = 0; q < mrpb_sizes(cfg)->QUEUES; q++) {
    const uint32_t depth = mrpb_sizes(cfg)->DEPTH,
                   stored = counts_ring(s.head[q], s.tail[q], *s.full >> q & 1, depth);
    if (!stored) continue;
    stim_say(text, "%sq%u:%u/%u", before, q, (unsigned)(*s.nonempty >> q & 1) + s.more[q], stored);
    before = " ";
  }
}

static void rush(void *state, bool on) {
  stim_rush(&((state_t *)state)->phase, FLOW, on);
}

const stim_class_t stim_mrpb = {.stem = "mrpb",
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
