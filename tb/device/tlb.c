/* SPDX-License-Identifier: Apache-2.0 */
/* Translation: a first and a second TLB, a victim TLB, the page walk, the active window of the page
 * table (paper 003, section 4.2; paper 004, section IV-H). Each is a cache of pages. */
#include "device/device_state.h"

/* Page table entries are read through the L2; each page has a sector of its own. */
#define TLB_TABLE (UINT64_C(1) << 44)
enum { TLB_ENTRY = 32 };

int tlb_create(device_t *d, mrpb_err_t *err) {
  const device_cfg_t *c = &d->cfg;
  const cache_cfg_t one = {.sets = c->tlb1_sets,
                           .ways = c->tlb1_ways,
                           .replacement = c->tlb1_replacement,
                           .log2 = c->page};
  const cache_cfg_t two = {.sets = c->tlb1_sets ? c->tlb2_sets : 0,
                           .ways = c->tlb2_ways,
                           .extra = c->tlb2_extra,
                           .replacement = c->tlb2_replacement,
                           .log2 = c->page};
  const cache_cfg_t three = {
      .sets = two.sets && c->tlb3_ways, .ways = c->tlb3_ways, .log2 = c->page};
  d->window = NEVER;
  if (cache_open(&d->tlb1, &one, err) != 0 || cache_open(&d->tlb2, &two, err) != 0) return -1;
  return cache_open(&d->tlb3, &three, err);
}

void tlb_close(device_t *d) {
  cache_close(&d->tlb1);
  cache_close(&d->tlb2);
  cache_close(&d->tlb3);
}

static uint32_t walk(device_t *d, uint64_t addr) {
  const device_cfg_t *c = &d->cfg;
  uint64_t entry = TLB_TABLE + (addr >> c->page) * TLB_ENTRY;
  uint32_t cycles = uncore_l2(d, entry).hit ? c->walk_l2 : c->walk_dram;
  d->stats.walks++;
  if (c->window == 0) return cycles;
  uint64_t window = addr >> c->window;
  if (window == d->window) return cycles;
  if (d->window != NEVER) {
    d->stats.windows++;
    cycles += c->window_miss;
  }
  d->window = window;
  return cycles;
}

/* Keeps what TLB2 replaced. With TLB3_HOLDS = set, victims of a set other than the last victim's
 * are dropped. */
static void keep_victim(device_t *d, uint64_t addr) {
  uint64_t set = (addr >> d->cfg.page) % d->cfg.tlb2_sets;
  if (!d->tlb3.tags) return;
  if (d->cfg.tlb3_holds == DEVICE_TLB3_SET && set != d->tlb3_set)
    for (uint32_t i = 0; i < d->tlb3.places; i++)
      cache_drop(&d->tlb3, d->tlb3.line[i] << d->cfg.page);
  d->tlb3_set = set;
  (void)cache_access(&d->tlb3, addr);
}

uint32_t tlb_cycles(device_t *d, uint64_t addr) {
  const device_cfg_t *c = &d->cfg;
  if (!d->tlb1.tags || cache_access(&d->tlb1, addr).hit) return 0;
  d->stats.tlb1_misses++;
  cache_answer_t two = cache_access(&d->tlb2, addr);
  if (!d->tlb2.tags || two.hit) return c->tlb1_miss;
  d->stats.tlb2_misses++;
  bool victim = cache_holds(&d->tlb3, addr);
  if (victim) cache_drop(&d->tlb3, addr);
  if (two.replaced) keep_victim(d, two.victim);
  if (!victim) return c->tlb1_miss + walk(d, addr);
  d->stats.tlb3_hits++;
  return c->tlb1_miss + c->tlb3_hit;
}
