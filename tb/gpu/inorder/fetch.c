/* SPDX-License-Identifier: Apache-2.0 */
/* Instruction buffers of two instructions, the instruction cache of the SM, blocks that are fetched
 * from it at once, and a prefetch of some of them (paper 004, section IV-J). */
#include "gpu/inorder/inorder_state.h"
#include "gpu/inorder/request.h"

/* Instructions and constants share the L2 and L3, so code is placed away from constants. */
#define FETCH_CODE (UINT64_C(1) << 40)

static uint64_t address_of(const core_t *c, uint32_t pc) {
  return FETCH_CODE + (uint64_t)(pc / WARP_PC_STEP) * c->all->cfg.inst_bytes;
}

void fetch_launch(core_t *c, uint32_t pc) {
  if (c->all->code_there) return;
  c->all->code_there = true;
  if (c->all->ports && c->inst1.tags) ports_prefetch(c->all->ports, address_of(c, pc));
}

/* When the line of `addr` arrives, which gets *place, if it is requested at `at`. NEVER: with the
 * reply to its request. */
static uint64_t line_at(core_t *c, uint64_t addr, uint64_t at, uint32_t *place) {
  const cache_answer_t a = cache_access(&c->inst1, addr);
  uint64_t *when = &c->inst1.when[a.place];
  *place = a.place;
  if (a.hit) return *when;
  if (c->all->ports) return *when = at + ports_beyond(c->all->ports, c->id, addr, at);
  request_read(c, addr, 1u << c->inst1.log2);
  request_fills(c, REQUEST_INSTRUCTION, a.place);
  return *when = NEVER;
}

/* The warp's instruction is in line `place`, which has not arrived; it is there no earlier than at
 * `at`. */
static void await(core_t *c, const core_warp_t *w, uint32_t place, uint64_t at) {
  const event_t event = {.at = at, .kind = EVENT_FETCH, .id = (uint32_t)(w - c->warp)};
  request_await(c, &c->requests.inst[place], NULL, 1, &event);
}

void fetch_arrived(core_t *c, unsigned warp) {
  c->warp[warp].fetched = c->all->now;
  issue_next(c, warp);
}

void fetch_next(core_t *c, core_warp_t *w, uint64_t before, bool jumped) {
  const config_t *cfg = &c->all->cfg;
  uint64_t at = w->fetched + cfg->fetch_cycles;
  if (at < before) at = before;
  if (jumped) at = c->all->now + cfg->branch_cycles;
  w->fetched = at;
  const uint64_t block = address_of(c, w->next->pc) >> cfg->fetch_block;
  if (!c->inst1.tags || block == w->block_pc) return;
  w->block_pc = block;
  for (uint64_t ahead = 0; ahead <= cfg->prefetch; ahead++) {
    uint32_t place;
    uint64_t there = line_at(c, (block + ahead) << cfg->fetch_block, at, &place);
    if (ahead == 0 && there == NEVER) await(c, w, place, at);
    if (ahead == 0 && there > w->fetched) w->fetched = there;
  }
}
