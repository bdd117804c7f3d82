/* SPDX-License-Identifier: Apache-2.0 */
/* queue_selector: all three IDs at random, or counting through every combination of them. */
#include "cosim/stim/stim.h"

#include "queue_selector.h"

typedef struct {
  prng_t rng;
  uint32_t sizes[2], step;
} state_t;

static bool wraps(const uint32_t *cfg) {
  return queue_selector_sizes(cfg)->QUEUES < 64;
}

#define BINS(X)                                                                                    \
  X(queue_first, NULL, "the request goes to queue 0")                                              \
  X(queue_last, NULL, "the request goes to the last queue")                                        \
  X(all_ones, NULL, "every ID has all its bits")                                                   \
  X(shared, wraps, "a signature of QUEUES or more wraps around")
#include "cosim/stim/bins.h"

static void start(void *state, const uint32_t *cfg, uint64_t seed) {
  state_t *s = state;
  *s =
      (state_t){.rng = prng_seed(seed, 1),
                .sizes = {queue_selector_sizes(cfg)->QUEUES, queue_selector_sizes(cfg)->SIGNATURE}};
}

static void next(void *state, const void *model, uint64_t *in) {
  state_t *s = state;
  queue_selector_in_t *i = (queue_selector_in_t *)(void *)in;
  uint64_t r = prng_next(&s->rng);
  (void)model;
  i->warp_i = r & 63;
  i->block_i = r >> 8 & 63;
  i->block_warp_i = r >> 16 & 63;
  if (r >> 24 & 1) { /* every combination in half a million cycles */
    uint32_t n = s->step++;
    i->warp_i = n & 63;
    i->block_i = n >> 6 & 63;
    i->block_warp_i = n >> 12 & 63;
  } else if ((r >> 26 & 31) == 0) {
    i->warp_i = stim_at_edge(r >> 31, 6);
    i->block_i = r >> 31 & 1 ? i->warp_i : stim_at_edge(r >> 32, 6);
    i->block_warp_i = r >> 32 & 1 ? i->block_i : stim_at_edge(r >> 34, 6);
  }
}

static uint64_t signature(const uint32_t *cfg, const queue_selector_in_t *i) {
  return queue_selector_sizes(cfg)->SIGNATURE == 0   ? i->block_i
         : queue_selector_sizes(cfg)->SIGNATURE == 1 ? i->warp_i
                                                     : i->block_warp_i;
}

static uint64_t sample(void *state, const void *model, const uint64_t *in, const uint64_t *out) {
  const state_t *s = state;
  const queue_selector_out_t *o = (const queue_selector_out_t *)(const void *)out;
  (void)model;
  return HIT(all_ones, (in[0] & in[1] & in[2] & 63) == 63) | HIT(queue_first, o->queue_o == 0) |
         HIT(queue_last, o->queue_o == s->sizes[0] - 1) |
         HIT(shared,
             signature(s->sizes, (const queue_selector_in_t *)(const void *)in) >= s->sizes[0]);
}

static bool active(const uint64_t *in) {
  (void)in;
  return true;
}

static void describe(const uint32_t *cfg, const uint64_t *in, const uint64_t *out, char *text) {
  const queue_selector_in_t *i = (const queue_selector_in_t *)(const void *)in;
  const queue_selector_out_t *o = (const queue_selector_out_t *)(const void *)out;
  (void)cfg;
  stim_say(text, "warp %u block %u block-warp %u -> q%u", (unsigned)i->warp_i, (unsigned)i->block_i,
           (unsigned)i->block_warp_i, (unsigned)o->queue_o);
}

static void occupancy(const uint32_t *cfg, const void *model, char *text) {
  (void)cfg;
  (void)model;
  stim_say(text, "combinational, no tables");
}

const stim_class_t stim_queue_selector = {.stem = "queue_selector",
                                          .size = sizeof(state_t),
                                          .start = start,
                                          .next = next,
                                          .sample = sample,
                                          .active = active,
                                          .describe = describe,
                                          .occupancy = occupancy,
                                          .bins = bins,
                                          .n_bins = N_BINS};
