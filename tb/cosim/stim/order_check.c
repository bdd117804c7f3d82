/* SPDX-License-Identifier: Apache-2.0 */
/* order_check: mostly requests in order, with each rule broken now and then; few warps, so that
 * lists fill up; every pair of warp and block, in turn. In floods, the lists of all warps fill up
 * with one block's requests, at times beyond, until the block's counter is at its limit. */
#include "cosim/stim/stim.h"

#include "order_check.h"

#include <string.h>

enum { FILL, DRAIN, BALANCED, HOT, SPARSE, WILD, PAIRS, KINDS, FLOOD = KINDS, RATES };
enum { WARPS = 64, COUNT_END = 1 << 13 };

typedef struct {
  order_check_cfg_t cfg;
  prng_t in, out, data;
  stim_phase_t phase, reset;
  uint32_t base, few;
  uint64_t flood_block;
  uint32_t pair; /* in PAIRS, the accepted pair: 64 * block + warp */
  stim_pairs_t accepted, leaving;
} state_t;

static bool shared(const uint32_t *cfg) {
  return order_check_sizes(cfg)->BLOCKS < 64;
}

#define BINS(X)                                                                                    \
  X(accept, NULL, "a request is accepted")                                                         \
  X(leave, NULL, "the oldest request of a warp leaves")                                            \
  X(wrong_data, NULL, "a request leaves with another payload than the oldest of its warp")         \
  X(wrong_kind, NULL, "a read leaves as a write or the other way round")                           \
  X(leave_empty, NULL, "a request leaves from a warp that holds none")                             \
  X(barrier_ok, NULL, "a barrier is accepted, its block holds nothing")                            \
  X(barrier_err, NULL, "a barrier is accepted while its block holds requests")                     \
  X(barrier_just, NULL, "a barrier in the cycle in which its block's last request leaves")         \
  X(overflow, NULL, "a request is accepted for a warp with DEPTH + 1")                             \
  X(overflow_just, NULL, "a request of a full warp is accepted as another one leaves")             \
  X(full, NULL, "a warp holds DEPTH + 1 requests")                                                 \
  X(list_wraps, NULL, "a warp's list wraps around")                                                \
  X(same_warp, NULL, "accept and leave of one warp in one cycle")                                  \
  X(same_block, NULL, "accept and leave of one block in one cycle")                                \
  X(block_empty, NULL, "a request leaves a block that counts none")                                \
  X(shared_block, shared, "a block without its own counter")                                       \
  X(leave_near_ones, NULL, "what leaves has all bits, the oldest all but one")                     \
  X(all_held, NULL, "a block counts as many requests as all lists hold")                           \
  X(count_ends, NULL, "the count of a block is at its end, and a request comes")                   \
  X(pairs, NULL, "a request of every pair of warp and block has been accepted")                    \
  X(pairs_left, NULL, "one of every pair has left")                                                \
  X(reset_in_use, NULL, "reset while requests are held")
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
  s->few = 4;
}

static uint64_t warp(const state_t *s, prng_t *rng) {
  return (s->base + prng_below(rng, s->few)) & 63;
}
/* A warp keeps its block most of the time. */
static uint64_t block_of(uint64_t w, uint64_t r) {
  return (r & 31) == 0 ? r >> 8 & 63 : w * 11 & 63;
}

static void start_flood(state_t *s) {
  const bool beyond = prng_chance(&s->phase.rng, 250);
  s->phase.kind = FLOOD;
  s->phase.left = WARPS * (s->cfg.DEPTH + 1) + 64;
  if (beyond) s->phase.left = COUNT_END + 64;
  s->flood_block = prng_below(&s->phase.rng, WARPS);
}

/* Accepts a request, while one of the pair half the warps further on leaves. */
static void pairs(state_t *s, order_check_in_t *i) {
  const uint32_t in = s->pair++, out = in + WARPS / 2;
  i->in_kind_i &= 1;
  i->in_warp_i = in & 63;
  i->in_block_i = in >> 6 & 63;
  i->out_warp_i = out & 63;
  i->out_block_i = out >> 6 & 63;
}

static void next(void *state, const void *model, uint64_t *in) {
  static const uint16_t in_rate[RATES] = {950, 30, 500, 800, 60, 700, 1000, 1000};
  static const uint16_t out_rate[RATES] = {30, 950, 500, 800, 60, 700, 1000, 0};
  static const uint8_t warps[] = {1, 2, 5, 64};
  state_t *s = state;
  const order_check_regs_t *r = order_check_regs(model);
  order_check_in_t *i = (order_check_in_t *)(void *)in;
  if (stim_phase(&s->phase, KINDS, 400)) {
    s->base = prng_below(&s->phase.rng, 64);
    s->few = s->phase.kind == HOT ? 1 : warps[prng_below(&s->phase.rng, 4)];
    if (prng_chance(&s->phase.rng, 16)) start_flood(s);
  }
  uint32_t kind = s->phase.kind, depth = s->cfg.DEPTH + 1;
  uint64_t a = prng_next(&s->in), b = prng_next(&s->out);
  i->srst_ni = kind == FLOOD || stim_rst_n(&s->reset);
  i->in_valid_i = prng_chance(&s->in, in_rate[kind]);
  i->in_kind_i = (a & 7) == 0 ? MRPB_KIND_BARRIER + (a >> 3 & 1) : a >> 3 & 1;
  i->in_warp_i = warp(s, &s->in);
  i->in_block_i = block_of(i->in_warp_i, a >> 8);
  i->in_data_i = stim_edge(prng_next(&s->data), s->cfg.DATA_W);
  if (kind == FLOOD) {
    i->in_kind_i &= 1;
    i->in_warp_i = s->phase.left % WARPS;
    i->in_block_i = s->flood_block;
  }
  i->out_valid_i = prng_chance(&s->out, out_rate[kind]);
  i->out_warp_i = warp(s, &s->out);
  for (unsigned n = 0; n < 4 && r->len_q[i->out_warp_i] == 0; n++) i->out_warp_i = warp(s, &s->out);
  i->out_block_i = block_of(i->out_warp_i, b >> 8);
  if (kind == PAIRS) pairs(s, i);
  uint64_t oldest = r->list_q[i->out_warp_i * depth + r->head_q[i->out_warp_i]];
  i->out_data_i = bits(oldest, s->cfg.DATA_W);
  i->out_write_i = oldest >> s->cfg.DATA_W & 1;
  if (kind != WILD && (b & 63) > 2) {
    if (r->len_q[i->out_warp_i] == 0) i->out_valid_i = 0;
    return;
  }
  if (b & 64) i->out_write_i ^= 1;
  const uint64_t bit = b & 256 ? (b >> 16) % s->cfg.DATA_W : b & 512 ? 0 : s->cfg.DATA_W - 1;
  if (b & 128) i->out_data_i ^= UINT64_C(1) << bit;
}

static uint64_t counter(const state_t *s, uint64_t block) {
  return block < s->cfg.BLOCKS ? block : s->cfg.BLOCKS - 1;
}

static uint64_t accept_bins(const state_t *s, const order_check_regs_t *r,
                            const order_check_in_t *i, const order_check_out_t *o) {
  uint64_t v = i->in_warp_i, b = counter(s, i->in_block_i);
  bool same = i->out_valid_i && i->out_warp_i == v;
  bool same_block = i->out_valid_i && counter(s, i->out_block_i) == b;
  if (!i->in_valid_i) return 0;
  if (i->in_kind_i >= MRPB_KIND_BARRIER)
    return HIT(barrier_ok, !o->barrier_err_o) | HIT(barrier_err, o->barrier_err_o) |
           HIT(barrier_just, !o->barrier_err_o && r->block_q[b] == 1 && same_block);
  return HIT(accept, true) | HIT(overflow, o->overflow_err_o) |
         HIT(overflow_just, same && r->len_q[v] == s->cfg.DEPTH + 1 && !o->overflow_err_o) |
         HIT(list_wraps, !o->overflow_err_o && r->head_q[v] + r->len_q[v] > (int)s->cfg.DEPTH) |
         HIT(same_warp, same) | HIT(same_block, same_block) |
         HIT(all_held, r->block_q[b] == WARPS * (s->cfg.DEPTH + 1)) |
         HIT(count_ends, r->block_q[b] == COUNT_END - 1 && !same_block) |
         HIT(shared_block, i->in_block_i >= s->cfg.BLOCKS);
}

static uint64_t sample(void *state, const void *model, const uint64_t *in, const uint64_t *out) {
  state_t *s = state;
  const order_check_regs_t *r = order_check_regs(model);
  const order_check_in_t *i = (const order_check_in_t *)(const void *)in;
  const order_check_out_t *o = (const order_check_out_t *)(const void *)out;
  uint64_t w = i->out_warp_i;
  if (!i->srst_ni) return HIT(reset_in_use, r->len_q[w] > 0 || r->len_q[i->in_warp_i] > 0);
  uint64_t oldest = r->list_q[w * (s->cfg.DEPTH + 1) + r->head_q[w]];
  bool held = i->out_valid_i && r->len_q[w] > 0;
  bool kind = i->out_write_i == (oldest >> s->cfg.DATA_W & 1);
  bool data = i->out_data_i == bits(oldest, s->cfg.DATA_W);
  const uint64_t ones = bits_mask(s->cfg.DATA_W), off = bits(oldest, s->cfg.DATA_W) ^ ones;
  if (i->in_valid_i && i->in_kind_i < MRPB_KIND_BARRIER)
    stim_pair(&s->accepted, i->in_warp_i, i->in_block_i);
  if (held) stim_pair(&s->leaving, w, i->out_block_i);
  return accept_bins(s, r, i, o) | HIT(pairs, s->accepted.n == STIM_PAIRS) |
         HIT(pairs_left, s->leaving.n == STIM_PAIRS) |
         HIT(leave_near_ones, held && i->out_data_i == ones && off && (off & (off - 1)) == 0) |
         HIT(leave, held && kind && data) | HIT(wrong_data, held && !data) |
         HIT(wrong_kind, held && data && !kind) | HIT(leave_empty, i->out_valid_i && !held) |
         HIT(full, r->len_q[w] == s->cfg.DEPTH + 1) |
         HIT(block_empty, i->out_valid_i && r->block_q[counter(s, i->out_block_i)] == 0);
}

static bool active(const uint64_t *in) {
  const order_check_in_t *i = (const order_check_in_t *)(const void *)in;
  return i->in_valid_i || i->out_valid_i || !i->srst_ni;
}

static void describe(const uint32_t *cfg, const uint64_t *in, const uint64_t *out, char *text) {
  const order_check_in_t *i = (const order_check_in_t *)(const void *)in;
  const order_check_out_t *o = (const order_check_out_t *)(const void *)out;
  (void)cfg;
  if (!i->srst_ni) stim_say(text, "reset; ");
  if (i->out_valid_i)
    stim_say(text, "%s leaves, warp %u block %u 0x%llx%s; ", i->out_write_i ? "write" : "read",
             (unsigned)i->out_warp_i, (unsigned)i->out_block_i, (unsigned long long)i->out_data_i,
             o->order_err_o ? " out of order" : "");
  if (i->in_valid_i && i->in_kind_i >= MRPB_KIND_BARRIER)
    stim_say(text, "barrier of block %u%s", (unsigned)i->in_block_i,
             o->barrier_err_o ? " too early" : "");
  else if (i->in_valid_i)
    stim_say(text, "%s accepted, warp %u block %u 0x%llx%s", i->in_kind_i ? "write" : "read",
             (unsigned)i->in_warp_i, (unsigned)i->in_block_i, (unsigned long long)i->in_data_i,
             o->overflow_err_o ? " one too many" : "");
}

static void occupancy(const uint32_t *cfg, const void *model, char *text) {
  const order_check_regs_t *r = order_check_regs(model);
  stim_say(text, "at most %u a warp;", order_check_sizes(cfg)->DEPTH + 1);
  for (unsigned w = 0; w < 64; w++)
    if (r->len_q[w]) stim_say(text, " w%u:%u", w, r->len_q[w]);
}

static void rush(void *state, bool on) {
  stim_rush(&((state_t *)state)->phase, BALANCED, on);
}

const stim_class_t stim_order_check = {.stem = "order_check",
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
