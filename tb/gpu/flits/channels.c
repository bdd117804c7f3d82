/* SPDX-License-Identifier: Apache-2.0 */
/* The DRAM channels and their sleep: see channels.h. */
#include "gpu/flits/channels.h"

#include <stdlib.h>

#define BIT(i) (UINT32_C(1) << (i))
enum { MAX_CHANNELS = 32 };

struct channels {
  unsigned n;
  dram_t *dram[MAX_CHANNELS];
  uint32_t busy, awake;      /* channels with work; those of them that do not sleep */
  uint64_t cycles;           /* DRAM cycles so far */
  uint64_t at[MAX_CHANNELS]; /* the DRAM cycle that a channel has reached */
  /* A channel sleeps until that DRAM cycle or that SM cycle; the first of all channels. */
  uint64_t wake[MAX_CHANNELS], ready[MAX_CHANNELS], next, next_ready;
};

int channels_create(channels_t **out, const dram_cfg_t *cfg, unsigned n, packet_pool_t *pool,
                    mrpb_err_t *err) {
  channels_t *c = calloc(1, sizeof *c);
  *out = c;
  if (!c) return mrpb_fail(err, "dram: out of memory");
  c->n = n;
  for (unsigned i = 0; i < n; i++)
    if (dram_create(&c->dram[i], cfg, pool, err) != 0) {
      channels_destroy(c);
      *out = NULL;
      return -1;
    }
  return 0;
}

void channels_destroy(channels_t *c) {
  if (!c) return;
  for (unsigned i = 0; i < c->n; i++) dram_destroy(c->dram[i]);
  free(c);
}

dram_t *channels_dram(const channels_t *c, unsigned i) {
  return c->dram[i];
}

/* Brings an idle channel to cycle `to`. */
static void catch_up(channels_t *c, unsigned i, uint64_t to) {
  dram_skip(c->dram[i], to - c->at[i]);
  c->at[i] = to;
}

void channels_catch_up(channels_t *c) {
  for (unsigned i = 0; i < c->n; i++) catch_up(c, i, c->cycles);
}

void channels_wake(channels_t *c, unsigned i) {
  c->busy |= BIT(i);
  c->awake |= BIT(i);
}

/* Wakes the channels whose sleep is over. */
static void wake(channels_t *c, uint64_t now) {
  c->next = c->next_ready = UINT64_MAX;
  for (uint32_t m = c->busy & ~c->awake; m; m &= m - 1) {
    const unsigned i = (unsigned)__builtin_ctz(m);
    if (c->cycles >= c->wake[i] || now >= c->ready[i]) {
      c->awake |= BIT(i);
      continue;
    }
    if (c->wake[i] < c->next) c->next = c->wake[i];
    if (c->ready[i] < c->next_ready) c->next_ready = c->ready[i];
  }
}

static void rest(channels_t *c, unsigned i) {
  const uint64_t quiet = dram_quiet(c->dram[i], &c->ready[i]);
  if (!dram_in_flight(c->dram[i]))
    c->busy &= ~BIT(i);
  else if (!quiet)
    return;
  c->awake &= ~BIT(i);
  c->wake[i] = quiet < UINT64_MAX - c->cycles - 1 ? c->cycles + 1 + quiet : UINT64_MAX;
  if (c->wake[i] < c->next) c->next = c->wake[i];
  if (c->ready[i] < c->next_ready) c->next_ready = c->ready[i];
}

static __attribute__((noinline)) void run(channels_t *c, l2_t *const l2[], uint64_t now,
                                          uint32_t *filled) {
  const uint64_t cycle = c->cycles;
  if (cycle >= c->next || now >= c->next_ready) wake(c, now);
  for (uint32_t m = c->awake; m; m &= m - 1) {
    const unsigned i = (unsigned)__builtin_ctz(m);
    packet_queue_t *from = l2_to_dram(l2[i]), *to = l2_from_dram(l2[i]);
    if (c->at[i] != cycle - 1) catch_up(c, i, cycle - 1);
    dram_cycle(c->dram[i], from, to, now);
    c->at[i] = cycle;
    if (to->count) *filled |= BIT(i);
    if (!from->count || dram_full(c->dram[i])) rest(c, i);
  }
}

void channels_cycle(channels_t *c, l2_t *const l2[], uint64_t now, uint32_t *filled) {
  c->cycles++;
  if (c->awake || c->cycles >= c->next || now >= c->next_ready) run(c, l2, now, filled);
}
