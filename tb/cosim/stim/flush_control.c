/* SPDX-License-Identifier: Apache-2.0 */
/* flush_control: every row of its table, with both consistent and arbitrary full and empty maps. */
#include "cosim/stim/stim.h"

#include "flush_control.h"

#include <string.h>

typedef struct {
  flush_control_cfg_t cfg;
  prng_t offer, maps;
  stim_phase_t phase;
} state_t;

static bool odd_queues(const uint32_t *cfg) {
  return (1u << bits_index_w(flush_control_sizes(cfg)->QUEUES)) > flush_control_sizes(cfg)->QUEUES;
}
static bool flush_several(const uint32_t *cfg) {
  return flush_control_sizes(cfg)->FLUSH == 1 && flush_control_sizes(cfg)->QUEUES > 1;
}
static bool flush(const uint32_t *cfg) {
  return flush_control_sizes(cfg)->FLUSH == 1;
}
static bool no_flush(const uint32_t *cfg) {
  return flush_control_sizes(cfg)->FLUSH == 0;
}

#define BINS(X)                                                                                    \
  X(idle, NULL, "nothing is offered")                                                              \
  X(read_stored, NULL, "a read is stored")                                                         \
  X(read_flushes, flush, "a read for a full queue flushes it (rule 1)")                            \
  X(read_waits, no_flush, "a read for a full queue waits")                                         \
  X(write_flushes, flush, "a write flushes its queue (rule 2)")                                    \
  X(write_passes, flush, "a write passes")                                                         \
  X(write_waits_slot, flush, "a write waits for the outbound buffer")                              \
  X(write_stored, no_flush, "a write is stored")                                                   \
  X(write_waits, no_flush, "a write for a full queue waits")                                       \
  X(barrier_waits, NULL, "a barrier waits for its block")                                          \
  X(barrier_passes, NULL, "a barrier passes")                                                      \
  X(bad_queue_read, odd_queues, "a read for a queue that does not exist")                          \
  X(bad_queue_write, odd_queues, "a write for a queue that does not exist")                        \
  X(full_and_empty, NULL, "the maps say full and empty of one queue")                              \
  X(all_full, NULL, "a request while every queue is full")                                         \
  X(all_empty, NULL, "a request while every queue is empty")                                       \
  X(all_but_own_full, NULL, "a request for the only queue that is not full")                       \
  X(only_own_full, NULL, "a request for the only queue that is full")                              \
  X(all_but_own_empty, NULL, "a request for the only queue that is not empty")                     \
  X(only_own_empty, NULL, "a request for the only queue that is empty")                            \
  X(other_left, flush_several, "a write passes while one queue, another one, is not empty")
#include "cosim/stim/bins.h"

static void start(void *state, const uint32_t *cfg, uint64_t seed) {
  state_t *s = state;
  memset(s, 0, sizeof *s);
  memcpy(&s->cfg, cfg, sizeof s->cfg);
  s->offer = prng_seed(seed, 1);
  s->maps = prng_seed(seed, 2);
  s->phase.rng = prng_seed(seed, 3);
}

/* Now and then sets all bits of a map, none, or one queue apart from all others: any queue, or the
 * requested one. */
static void edges(const state_t *s, uint64_t r, flush_control_in_t *i) {
  const uint64_t all = bits_mask(s->cfg.QUEUES), own = UINT64_C(1) << i->in_queue_i & all;
  if ((r & 15) == 0) i->full_i = stim_at_edge(r >> 4, s->cfg.QUEUES);
  if ((r >> 24 & 7) == 0) i->empty_i = stim_at_edge(r >> 11, s->cfg.QUEUES);
  if ((r >> 28 & 31) == 0) i->full_i = r >> 33 & 1 ? own : all & ~own;
  if ((r >> 34 & 31) == 0) i->empty_i = r >> 39 & 1 ? own : all & ~own;
}

static void next(void *state, const void *model, uint64_t *in) {
  state_t *s = state;
  flush_control_in_t *i = (flush_control_in_t *)(void *)in;
  (void)model;
  stim_phase(&s->phase, 5, 200);
  uint64_t a = prng_next(&s->maps), b = prng_next(&s->maps), r = prng_next(&s->offer);
  i->in_valid_i = (r & 15) != 0;
  i->in_kind_i = r >> 4 & 3;
  i->slot_i = r >> 6 & 1;
  i->block_busy_i = r >> 7 & 1;
  i->in_queue_i = stim_index(&s->offer, s->cfg.QUEUES, bits_index_w(s->cfg.QUEUES));
  switch (s->phase.kind) {
  case 0:
    i->full_i = a & b, i->empty_i = ~a & b;
    break;
  case 1:
    i->full_i = 0, i->empty_i = a;
    break;
  case 2:
    i->full_i = a, i->empty_i = 0;
    break;
  case 3:
    i->full_i = UINT64_C(1) << i->in_queue_i, i->empty_i = ~i->full_i;
    break;
  default:
    i->full_i = a, i->empty_i = b;
    break;
  }
  edges(s, r >> 8, i);
}

/* What the maps say of the requested queue and of all others. */
static uint64_t map_bins(const state_t *s, const flush_control_in_t *i, bool pass) {
  const uint64_t all = bits_mask(s->cfg.QUEUES), own = UINT64_C(1) << i->in_queue_i & all;
  const uint64_t full = i->full_i & all, empty = i->empty_i & all, held = all & ~empty;
  const uint64_t others = all & ~own, f = full & ~own, e = empty & ~own;
  const uint64_t left = HIT(other_left, pass && held && (held & (held - 1)) == 0);
  if (f && f != others && e && e != others) return left; /* the usual case */
  return left | HIT(all_full, full == all) | HIT(all_empty, empty == all) |
         HIT(all_but_own_full, own && full == others) | HIT(only_own_full, own && full == own) |
         HIT(all_but_own_empty, own && held == own) | HIT(only_own_empty, own && empty == own);
}

static uint64_t sample(void *state, const void *model, const uint64_t *in, const uint64_t *out) {
  const state_t *s = state;
  const flush_control_in_t *i = (const flush_control_in_t *)(const void *)in;
  const flush_control_out_t *o = (const flush_control_out_t *)(const void *)out;
  (void)model;
  if (!i->in_valid_i) return HIT(idle, true);
  bool read = i->in_kind_i == MRPB_KIND_READ, write = i->in_kind_i == MRPB_KIND_WRITE,
       barrier = i->in_kind_i >= MRPB_KIND_BARRIER;
  bool on = s->cfg.FLUSH == 1, exists = i->in_queue_i < s->cfg.QUEUES;
  bool wait = !o->in_ready_o && !o->force_valid_o;
  uint64_t both = exists ? i->full_i >> i->in_queue_i & i->empty_i >> i->in_queue_i & 1 : 0;
  return HIT(read_stored, read && o->store_o) | HIT(read_flushes, o->flush_full_o) |
         HIT(read_waits, read && !on && wait) | HIT(write_flushes, o->flush_write_o) |
         HIT(write_passes, o->pass_o) | HIT(write_waits_slot, write && on && wait) |
         HIT(write_stored, write && o->store_o) | HIT(write_waits, write && !on && wait) |
         HIT(barrier_waits, barrier && !o->in_ready_o) |
         HIT(barrier_passes, barrier && o->in_ready_o) | HIT(bad_queue_read, read && !exists) |
         HIT(bad_queue_write, write && !exists) | HIT(full_and_empty, both) |
         (barrier ? 0 : map_bins(s, i, o->pass_o));
}

static bool active(const uint64_t *in) {
  return ((const flush_control_in_t *)(const void *)in)->in_valid_i != 0;
}

static void describe(const uint32_t *cfg, const uint64_t *in, const uint64_t *out, char *text) {
  static const char *const kinds[] = {"read", "write", "barrier", "barrier"};
  const flush_control_in_t *i = (const flush_control_in_t *)(const void *)in;
  const flush_control_out_t *o = (const flush_control_out_t *)(const void *)out;
  (void)cfg;
  stim_say(text, "%s%s q%u full 0x%llx empty 0x%llx busy %u slot %u ->",
           i->in_valid_i ? "" : "(no) ", kinds[i->in_kind_i & 3], (unsigned)i->in_queue_i,
           (unsigned long long)i->full_i, (unsigned long long)i->empty_i, (unsigned)i->block_busy_i,
           (unsigned)i->slot_i);
  stim_say(text, "%s%s%s%s", o->in_ready_o ? " accepted" : " waits", o->store_o ? " stored" : "",
           o->pass_o ? " passes" : "", o->force_valid_o ? " flushes" : "");
}

static void occupancy(const uint32_t *cfg, const void *model, char *text) {
  (void)cfg;
  (void)model;
  stim_say(text, "combinational, no tables");
}

const stim_class_t stim_flush_control = {.stem = "flush_control",
                                         .size = sizeof(state_t),
                                         .start = start,
                                         .next = next,
                                         .sample = sample,
                                         .active = active,
                                         .describe = describe,
                                         .occupancy = occupancy,
                                         .bins = bins,
                                         .n_bins = N_BINS};
