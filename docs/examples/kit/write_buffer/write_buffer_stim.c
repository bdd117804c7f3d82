/* SPDX-License-Identifier: Apache-2.0 */
/* The stimulus of write_buffer: writes and reads among a few lines, so that they meet, in phases of different pressure. */
#include "cosim/stim/stim.h"

#include "kit.h"
#include "write_buffer.h"

typedef struct {
  prng_t rng;
  stim_phase_t phase, reset;
  unsigned bytes, addr_w;
  uint64_t base;
} state_t;

static bool several(const uint32_t *cfg) {
  return write_buffer_sizes(cfg)->ENTRIES > 1;
}
static bool twice(const uint32_t *cfg) {
  return several(cfg) && write_buffer_sizes(cfg)->BYTES > 1;
}
/* More lines than the oldest and the waiting ones can be. */
static bool fills(const uint32_t *cfg) {
  const uint32_t w = write_buffer_sizes(cfg)->ADDR_W;
  return w > 4 || (UINT32_C(1) << w) + 1 >= write_buffer_sizes(cfg)->ENTRIES;
}
static bool refuses(const uint32_t *cfg) {
  const uint32_t w = write_buffer_sizes(cfg)->ADDR_W;
  return w > 4 || (UINT32_C(1) << w) >= write_buffer_sizes(cfg)->ENTRIES;
}

#define BINS(X)                                                                                    \
  X(store, NULL, "a write takes a place")                                                          \
  X(merge, several, "a write is merged")                                                           \
  X(merge_full, both_full, "a write is merged while all places are taken")                         \
  X(refused, refuses, "a write is refused")                                                        \
  X(oldest, several, "a write to the line that is the oldest takes another place")                 \
  X(leave, NULL, "a line leaves")                                                                  \
  X(both, several, "a line leaves while a write takes a place")                                    \
  X(leave_merge, several, "a line leaves while a write is merged")                                 \
  X(full, fills, "all places are taken")                                                           \
  X(read_old, NULL, "a read finds bytes of the oldest alone")                                      \
  X(read_new, several, "a read finds bytes of a waiting line")                                     \
  X(read_both, twice, "a read finds bytes of both")                                                \
  X(reset, NULL, "a reset while lines are held")
static bool both_full(const uint32_t *cfg) {
  return several(cfg) && fills(cfg);
}
#include "cosim/stim/bins.h"

static void start(void *state, const uint32_t *cfg, uint64_t seed) {
  state_t *s = state;
  *s = (state_t){.rng = prng_seed(seed, 1),
                 .phase = {.rng = prng_seed(seed, 2)},
                 .reset = {.rng = prng_seed(seed, 3)},
                 .bytes = write_buffer_sizes(cfg)->BYTES,
                 .addr_w = write_buffer_sizes(cfg)->ADDR_W};
}

/* A line: most of the time one of a few. */
static uint64_t line(state_t *s) {
  static const uint32_t few[] = {2, 4, 8, 32, 3};
  const uint64_t any = bits(prng_next(&s->rng), s->addr_w);
  if (prng_chance(&s->rng, 60)) return stim_edge(any, s->addr_w);
  return bits(s->base + prng_below(&s->rng, few[s->phase.kind]), s->addr_w);
}

static void next(void *state, const void *model, uint64_t *in) {
  static const unsigned write[] = {700, 950, 500, 900, 300}, out[] = {300, 100, 900, 400, 200};
  state_t *s = state;
  write_buffer_in_t *i = (write_buffer_in_t *)(void *)in;
  (void)model;
  if (stim_phase(&s->phase, sizeof write / sizeof *write, 400)) s->base = prng_next(&s->rng);
  i->srst_ni = stim_rst_n(&s->reset);
  i->wr_valid_i = prng_chance(&s->rng, write[s->phase.kind]);
  i->wr_addr_i = line(s);
  i->wr_mask_i = stim_edge(bits(prng_next(&s->rng), s->bytes), s->bytes);
  i->wr_data_i = stim_edge(bits(prng_next(&s->rng), 8 * s->bytes), 8 * s->bytes);
  i->out_ready_i = prng_chance(&s->rng, out[s->phase.kind]);
  i->rd_addr_i = line(s);
}

/* Whether a place waits that holds the line. */
static bool waits(const write_buffer_regs_t *r, uint64_t addr) {
  for (unsigned e = 0; e < 16; e++)
    if (e != r->head_q && (r->valid_q >> e & 1) && r->addr_q[e] == addr && r->mask_q[e])
      return true;
  return false;
}

static uint64_t sample(void *state, const void *model, const uint64_t *in, const uint64_t *out) {
  const write_buffer_in_t *i = (const write_buffer_in_t *)(const void *)in;
  const write_buffer_out_t *o = (const write_buffer_out_t *)(const void *)out;
  const write_buffer_regs_t *r = write_buffer_regs(model);
  (void)state;
  if (!i->srst_ni) return HIT(reset, o->out_valid_o);
  const bool ask = i->wr_valid_i, merge = ask && o->wr_merge_o,
             leave = i->out_ready_i && o->out_valid_o;
  const bool store = ask && o->wr_ready_o && !o->wr_merge_o;
  const bool head = o->out_valid_o && o->out_addr_o == i->rd_addr_i && o->out_mask_o;
  const bool young = waits(r, i->rd_addr_i);
  bool all = true;
  for (unsigned e = 0; e < 16; e++) all = all && (r->valid_q >> e & 1 || !(r->valid_q >> e));
  all = all && r->head_q == r->tail_q && o->out_valid_o;
  return HIT(store, store) | HIT(merge, merge) | HIT(merge_full, merge && all) |
         HIT(refused, ask && !o->wr_ready_o) |
         HIT(oldest, store && o->out_valid_o && o->out_addr_o == i->wr_addr_i) | HIT(leave, leave) |
         HIT(both, leave && store) | HIT(leave_merge, leave && merge) | HIT(full, all) |
         HIT(read_old, head && !young) | HIT(read_new, young && !head) |
         HIT(read_both, young && head && (o->rd_mask_o != o->out_mask_o));
}

static bool active(const uint64_t *in) {
  const write_buffer_in_t *i = (const write_buffer_in_t *)(const void *)in;
  return !i->srst_ni || i->wr_valid_i || i->out_ready_i;
}

static void describe(const uint32_t *cfg, const uint64_t *in, const uint64_t *out, char *text) {
  const write_buffer_in_t *i = (const write_buffer_in_t *)(const void *)in;
  const write_buffer_out_t *o = (const write_buffer_out_t *)(const void *)out;
  (void)cfg;
  if (!i->srst_ni) stim_say(text, "reset ");
  if (i->wr_valid_i)
    stim_say(text, "write 0x%llx mask 0x%llx %s; ", (unsigned long long)i->wr_addr_i,
             (unsigned long long)i->wr_mask_i,
             o->wr_merge_o   ? "merged"
             : o->wr_ready_o ? "stored"
                             : "refused");
  if (i->out_ready_i && o->out_valid_o)
    stim_say(text, "0x%llx leaves", (unsigned long long)o->out_addr_o);
}

static void occupancy(const uint32_t *cfg, const void *model, char *text) {
  stim_say(text, "%d of %u lines", __builtin_popcount(write_buffer_regs(model)->valid_q),
           (unsigned)write_buffer_sizes(cfg)->ENTRIES);
}

KIT_MODULE(write_buffer)
KIT_STIMULUS = {.stem = "write_buffer",
                .size = sizeof(state_t),
                .start = start,
                .next = next,
                .sample = sample,
                .active = active,
                .describe = describe,
                .occupancy = occupancy,
                .bins = bins,
                .n_bins = N_BINS};
