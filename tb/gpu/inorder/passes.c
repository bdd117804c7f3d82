/* SPDX-License-Identifier: Apache-2.0 */
/* An instruction enters the load/store unit: its load, and its passes with their lines and
 * sectors. See docs/device/README.md. */
#include "gpu/inorder/checked.h"
#include "gpu/inorder/inorder_state.h"
#include "gpu/inorder/profiled.h"
#include "gpu/inorder/stack.h"
#include "workload/ptx/ptx.h"

#include <string.h>

uint16_t lsu_new_load(core_t *c, unsigned w, const warp_inst_t *i) {
  uint16_t id = c->free_load;
  core_load_t *l = &c->load[id];
  core_warp_t *warp = &c->warp[w];
  c->free_load = l->next_free;
  *l = (core_load_t){.inst = i,
                     .number = c->n_loads++,
                     .before = warp->last,
                     .after = CORE_NONE,
                     .warp = (uint8_t)w};
  if (warp->last == CORE_NONE)
    warp->first = id;
  else
    c->load[warp->last].after = id;
  warp->last = id;
  warp->loads++;
  stack_load(c, l);
  return id;
}

/* All lanes access line 0: loops without branches, which the compiler vectorises. */
static uint8_t sectors_of_one(core_inst_t *x, const uint64_t addr[WARP_LANES]) {
  uint8_t sectors = 0;
  for (unsigned lane = 0; lane < WARP_LANES; lane++)
    x->offset[lane] = (uint8_t)(addr[lane] % CORE_LINE);
  for (unsigned lane = 0; lane < WARP_LANES; lane++) {
    const uint8_t at = x->offset[lane] / CORE_SECTOR;
    sectors |= (uint8_t)((at == 0) | (at == 1) << 1 | (at == 2) << 2 | (at == 3) << 3);
  }
  return sectors;
}

/* Returns how many there are. */
static unsigned sectors_of(core_inst_t *x, const uint64_t addr[WARP_LANES]) {
  unsigned n = 0;
  if (x->n == 1 && x->line[0].lanes == UINT32_MAX) {
    x->sectors[0] = sectors_of_one(x, addr);
    return core_sectors(x->sectors[0]);
  }
  for (unsigned k = 0; k < x->n; k++) {
    x->sectors[k] = 0;
    for (uint32_t m = x->line[k].lanes; m; m &= m - 1) {
      unsigned lane = (unsigned)__builtin_ctz(m);
      x->sectors[k] |= (uint8_t)(1u << (addr[lane] % CORE_LINE / CORE_SECTOR));
      x->offset[lane] = (uint8_t)(addr[lane] % CORE_LINE);
    }
    n += core_sectors(x->sectors[k]);
  }
  return n;
}

/* Each lane's bytes count once, so lanes that write the same bytes may pass for a whole. */
static bool is_whole(const warp_inst_t *i, uint32_t mask, unsigned sectors) {
  return (unsigned)__builtin_popcount(mask) * i->elem >= sectors * CORE_SECTOR;
}

/* The atomics that ptxas makes one access of if all lanes access one word: the lanes' operands can be
 * reduced first, and each lane's result follows from that of the one access. */
static bool may_join(const warp_inst_t *i) {
  const bool sum = i->variant == PTX_ATOMIC_ADD;
  if (i->elem != 4 || i->type == PTX_F32) return false;
  return sum || (!i->dst[0] && (i->variant == PTX_ATOMIC_MIN || i->variant == PTX_ATOMIC_MAX ||
                                i->variant == PTX_ATOMIC_AND || i->variant == PTX_ATOMIC_OR ||
                                i->variant == PTX_ATOMIC_XOR));
}

unsigned lsu_lines(const core_t *c, const warp_inst_t *i, const uint64_t addr[WARP_LANES],
                   uint32_t mask, coalesced_t line[WARP_LANES]) {
  if (!i->atomic) return coalescer_lines(addr, mask, CORE_LINE_LOG2, line);
  const unsigned n = coalescer_atomic(addr, mask, i->elem, line);
  uint32_t others = mask;
  if (n < 2 || !c->all->cfg.atomic_join || !may_join(i)) return n;
  while (others && addr[__builtin_ctz(others)] == addr[__builtin_ctz(mask)]) others &= others - 1;
  if (others) return n;
  line[0].lanes = mask;
  return 1;
}

/* Adds one pass of an instruction: the lanes' words at `addr`. */
static void add_pass(core_t *c, unsigned w, unsigned scheduler, const warp_inst_t *i,
                     const uint64_t addr[WARP_LANES], uint32_t mask, uint16_t load) {
  const inorder_t *d = c->all;
  core_lsu_t *u = &c->lsu;
  uint16_t id = u->free;
  core_inst_t *x = &u->pool[id];
  u->free = x->next_free;
  memset(x, 0, offsetof(core_inst_t, offset)); /* the rest is of the lanes and lines that it has */
  x->load = load;
  x->entry = CORE_NONE;
  x->warp = (uint8_t)w;
  x->issued = d->now;
  x->pc = i->pc;
  c->block[c->warp[w].block].in_lsu++;
  x->n = (uint8_t)lsu_lines(c, i, addr, mask, x->line);
  x->atomic = i->atomic != 0;
  x->due = d->now + d->cfg.lsu_latency;
  x->cached = c->l1d.tags && !i->bypass;
  const unsigned sectors = sectors_of(x, addr);
  x->whole = is_whole(i, mask, sectors);
  if (load != CORE_NONE) {
    c->load[load].parts += x->n;
    c->all->stats.load_lines += x->n;
    c->all->stats.load_sectors += sectors;
  } else {
    c->all->stats.store_lines += x->n;
    c->all->stats.store_sectors += sectors;
  }
  if (c->check) core_check_pass(c, x);
  if (c->profiled) core_profiled_pass(c, x, i, addr, mask);
  lsu_queue(c, scheduler, id);
}

/* Each word of a local element is a pass of its own. The queues take all passes if they have room
 * for one. */
void lsu_issue(core_t *c, unsigned w, unsigned scheduler, const warp_inst_t *i) {
  const workload_t *l = c->all->workload;
  const uint32_t mask = warp_stream_mask(l, c->warp[w].stream);
  const uint16_t load = i->cls == WARP_LOAD ? lsu_new_load(c, w, i) : CORE_NONE;
  uint64_t addr[WARP_LANES] = {0};
  c->all->stats.loads += i->cls == WARP_LOAD;
  c->all->stats.stores += i->cls != WARP_LOAD;
  c->all->stats.atomics += i->atomic != 0;
  warp_stream_addresses(l, c->warp[w].stream, addr);
  if (c->check) core_check_issue(c, w, i, addr, mask);
  add_pass(c, w, scheduler, i, addr, mask, load);
  for (unsigned part = 1; part < warp_inst_parts(i); part++) {
    for (unsigned lane = 0; lane < WARP_LANES; lane++) addr[lane] += WARP_LOCAL_STEP;
    add_pass(c, w, scheduler, i, addr, mask, load);
  }
  core_soon(c, c->all->now + 1);
}
