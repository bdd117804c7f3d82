/* SPDX-License-Identifier: Apache-2.0 */
/* Translation: a first and a second TLB, a victim TLB, the page walk, the active window of the page
 * table (paper 003, section 4.2; paper 004, section IV-H). Each is a cache of pages. */
#include "gpu/ports/ports_state.h"

/* Page table entries are read through the L2; each page has a sector of its own. */
#define TLB_TABLE (UINT64_C(1) << 44)
enum { TLB_ENTRY = 32 };

int tlb_create(ports_t *p, mrpb_err_t *err) {
  const config_t *c = &p->cfg;
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
  p->window = UINT64_MAX;
  if (cache_open(&p->tlb1, &one, err) != 0 || cache_open(&p->tlb2, &two, err) != 0) return -1;
  return cache_open(&p->tlb3, &three, err);
}

void tlb_close(ports_t *p) {
  cache_close(&p->tlb1);
  cache_close(&p->tlb2);
  cache_close(&p->tlb3);
}

static uint32_t walk(ports_t *p, uint64_t addr) {
  const config_t *c = &p->cfg;
  uint64_t entry = TLB_TABLE + (addr >> c->page) * TLB_ENTRY;
  uint32_t cycles = ports_l2(p, 0, entry).hit ? c->walk_l2 : c->walk_dram;
  p->stats.walks++;
  if (c->window == 0) return cycles;
  uint64_t window = addr >> c->window;
  if (window == p->window) return cycles;
  if (p->window != UINT64_MAX) {
    p->stats.windows++;
    cycles += c->window_miss;
  }
  p->window = window;
  return cycles;
}

/* Keeps what TLB2 replaced. With TLB3_HOLDS = set, victims of a set other than the last victim's
 * are dropped. */
static void keep_victim(ports_t *p, uint64_t addr) {
  uint64_t set = (addr >> p->cfg.page) % p->cfg.tlb2_sets;
  if (!p->tlb3.tags) return;
  if (p->cfg.tlb3_holds == DEVICE_TLB3_SET && set != p->tlb3_set)
    for (uint32_t i = 0; i < p->tlb3.places; i++)
      cache_drop(&p->tlb3, p->tlb3.line[i] << p->cfg.page);
  p->tlb3_set = set;
  (void)cache_access(&p->tlb3, addr);
}

uint32_t tlb_cycles(ports_t *p, uint64_t addr) {
  const config_t *c = &p->cfg;
  if (!p->tlb1.tags || cache_access(&p->tlb1, addr).hit) return 0;
  p->stats.tlb1_misses++;
  cache_answer_t two = cache_access(&p->tlb2, addr);
  if (!p->tlb2.tags || two.hit) return c->tlb1_miss;
  p->stats.tlb2_misses++;
  bool victim = cache_holds(&p->tlb3, addr);
  if (victim) cache_drop(&p->tlb3, addr);
  if (two.replaced) keep_victim(p, two.victim);
  if (!victim) return c->tlb1_miss + walk(p, addr);
  p->stats.tlb3_hits++;
  return c->tlb1_miss + c->tlb3_hit;
}
