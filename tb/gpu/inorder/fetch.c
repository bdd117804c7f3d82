/* SPDX-License-Identifier: Apache-2.0 */
/* Instruction buffers of two instructions, the instruction cache of the SM, blocks that are fetched
 * from it at once, and a prefetch of some of them (paper 004, section IV-J). */
#include "gpu/inorder/inorder_state.h"

/* Instructions and constants share the L2 and L3, so code is placed away from constants. */
#define FETCH_CODE (UINT64_C(1) << 40)

/* When the line of `addr` arrives if it is requested at `at`. */
static uint64_t line_at(core_t *c, uint64_t addr, uint64_t at) {
  cache_answer_t a = cache_access(&c->inst1, addr);
  if (!a.hit) c->inst1.when[a.place] = at + ports_beyond(c->all->ports, c->id, addr, at);
  return c->inst1.when[a.place];
}

void fetch_next(core_t *c, core_warp_t *w, uint64_t before, bool jumped) {
  const device_cfg_t *cfg = &c->all->cfg;
  uint64_t at = w->fetched + cfg->fetch_cycles;
  if (at < before) at = before;
  if (jumped) at = c->all->now + cfg->branch_cycles;
  w->fetched = at;
  uint64_t block = w->next->pc >> cfg->fetch_block;
  if (!c->inst1.tags || block == w->block_pc) return;
  w->block_pc = block;
  for (uint64_t ahead = 0; ahead <= cfg->prefetch; ahead++) {
    uint64_t there = line_at(c, FETCH_CODE + ((block + ahead) << cfg->fetch_block), at);
    if (ahead == 0 && there > w->fetched) w->fetched = there;
  }
}
