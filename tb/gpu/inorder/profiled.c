/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/inorder/profiled.h"

#include <stdlib.h>

/* An instruction, and an address that it accesses. */
typedef struct {
  uint32_t pc;
  uint64_t addr;
} place_t;

struct core_profiled {
  profile_core_t *to; /* the same one for all cores, which one thread runs: it stays in the cache */
  inorder_stats_t before;    /* the present look-up */
  place_t not_taken;         /* what the MRPB refused last */
  uint32_t *pass;            /* by number in the load/store unit's pool: the pass's instruction */
  uint64_t line[CORE_LOADS]; /* of each load of the load/store unit: its first */
  /* By warp, instructions: issued last; the last one whose data are not the load/store unit's; the
   * load that ended its last wait for one. */
  uint32_t issued[CORE_WARPS], space[CORE_WARPS], load[CORE_WARPS];
  uint32_t writer[WARP_REGS][CORE_WARPS]; /* the instruction that wrote the register last */
};

int core_profiled_create(core_t *c, mrpb_err_t *err) {
  if (!c->all->profile) return 0;
  core_profiled_t *p = c->profiled = calloc(1, sizeof *p);
  if (p) p->pass = calloc(lsu_passes(c), sizeof *p->pass);
  if (!p || !p->pass) return mrpb_fail(err, "profile: out of memory");
  p->to = profile_core(c->all->profile, 0);
  return 0;
}

void core_profiled_destroy(core_t *c) {
  if (c->profiled) free(c->profiled->pass);
  free(c->profiled);
}

static void add(const core_profiled_t *p, place_t at, profile_column_t column, uint64_t n) {
  if (n > 0) profile_add_at(p->to, at.pc, at.addr, column, n);
}

/* ---- issue --------------------------------------------------------------------- */

/* A warp that has just come has issued nothing. */
void core_profiled_start(core_t *c, unsigned w) {
  c->profiled->issued[w] = PROFILE_NOWHERE;
}

void core_profiled_issue(core_t *c, unsigned w, const warp_inst_t *i, unsigned lanes) {
  core_profiled_t *p = c->profiled;
  profile_add(p->to, i->pc, PROFILE_ISSUES, 1);
  profile_add(p->to, i->pc, PROFILE_THREADS, lanes);
  p->issued[w] = i->pc;
  for (unsigned k = 0; k < 4 && i->dst[k]; k++) p->writer[i->dst[k]][w] = i->pc;
}

void core_profiled_space(core_t *c, const core_warp_t *w, const warp_inst_t *i) {
  c->profiled->space[w - c->warp] = i->pc;
}

static uint32_t *pass_of(const core_t *c, const core_inst_t *x) {
  return &c->profiled->pass[x - c->lsu.pool];
}

static place_t line_of(const core_t *c, const core_inst_t *x, unsigned k) {
  return (place_t){*pass_of(c, x), x->line[k].addr};
}

/* The first pass of a load brings all parts that it has so far. */
void core_profiled_pass(core_t *c, const core_inst_t *x, const warp_inst_t *i, const uint64_t *addr,
                        uint32_t mask) {
  core_profiled_t *p = c->profiled;
  if (i->atomic) profile_changes(p->to, i->pc, addr, mask);
  *pass_of(c, x) = i->pc;
  for (unsigned k = 0; k < x->n; k++) {
    add(p, line_of(c, x, k), PROFILE_LINES, 1);
    add(p, line_of(c, x, k), PROFILE_SECTORS, core_sectors(x->sectors[k]));
    if (x->load == CORE_NONE) add(p, line_of(c, x, k), PROFILE_WRITES, 1);
  }
  if (x->load != CORE_NONE && c->load[x->load].parts == x->n) p->line[x->load] = x->line[0].addr;
}

/* ---- the load/store unit ------------------------------------------------------- */

void core_profiled_looks(core_t *c) {
  c->profiled->before = c->all->stats;
}

void core_profiled_looked(core_t *c, const core_inst_t *x, unsigned k) {
  const core_profiled_t *p = c->profiled;
  const inorder_stats_t *before = &p->before, *now = &c->all->stats;
  const place_t at = line_of(c, x, k);
  add(p, at, PROFILE_HITS, now->l1_hits - before->l1_hits);
  add(p, at, PROFILE_MISSES, now->l1_misses - before->l1_misses);
  add(p, at, PROFILE_MERGES, now->merges - before->merges);
  add(p, at, PROFILE_REFUSED_ASSOC, now->stall_line - before->stall_line);
  add(p, at, PROFILE_REFUSED_MSHR, now->stall_table - before->stall_table);
  add(p, at, PROFILE_REFUSED_MERGE, now->stall_merge - before->stall_merge);
}

void core_profiled_bypasses(core_t *c, const core_inst_t *x, unsigned k) {
  add(c->profiled, line_of(c, x, k), PROFILE_BYPASSES, 1);
}

void core_profiled_no_entry(core_t *c, const core_inst_t *x) {
  add(c->profiled, line_of(c, x, 0), PROFILE_REFUSED_MSHR, 1);
}

void core_profiled_not_taken(core_t *c, const core_inst_t *x) {
  c->profiled->not_taken = line_of(c, x, x->at);
  core_profiled_not_taken_again(c, 1);
}

void core_profiled_not_taken_again(core_t *c, uint64_t n) {
  add(c->profiled, c->profiled->not_taken, PROFILE_REFUSED_MRPB, n);
}

/* ---- waits --------------------------------------------------------------------- */

/* A texture load that the load/store unit does not take has no line. */
void core_profiled_loaded(core_t *c, const core_load_t *l) {
  const core_profiled_t *p = c->profiled;
  if (lsu_takes(c, l->inst))
    profile_loaded(p->to, l->inst->pc, p->line[l - c->load], c->all->now - l->issued);
}

void core_profiled_woken(core_t *c, const core_load_t *l) {
  c->profiled->load[l->warp] = l->inst->pc;
}

/* The instruction that wrote the operand which came last. If none did, the warp was held by the one
 * before: a branch, a constant or the clock. */
static uint32_t operand_of(const core_t *c, unsigned w, stack_part_t part) {
  const core_profiled_t *p = c->profiled;
  const warp_inst_t *i = c->warp[w].next;
  if (part == STACK_FETCH) return i->pc;
  if (part != STACK_SCOREBOARD) return p->space[w];
  for (unsigned k = 0; k < WARP_OPERANDS; k++)
    if (i->regs[k] && *core_ready(c, w, i->regs[k]) == c->can_issue[w])
      return p->writer[i->regs[k]][w];
  return p->issued[w];
}

static uint32_t awaited_by(const core_t *c, unsigned w, core_awaits_t awaits, stack_part_t part) {
  switch (awaits) {
  case AWAITS_UNIT:
    return c->warp[w].next->pc;
  case AWAITS_OPERAND:
    return operand_of(c, w, part);
  case AWAITS_LOAD:
    return c->profiled->load[w];
  case AWAITS_BARRIER:
    break;
  }
  return c->profiled->issued[w]; /* the barrier */
}

void core_profiled_waited(core_t *c, unsigned w, core_awaits_t awaits, stack_part_t part,
                          uint64_t n) {
  static const profile_column_t column[STACK_PARTS] = {[STACK_SCOREBOARD] =
                                                           PROFILE_STACK_SCOREBOARD,
                                                       [STACK_UNITS] = PROFILE_STACK_UNITS,
                                                       [STACK_FETCH] = PROFILE_STACK_FETCH,
                                                       [STACK_CONSTANTS] = PROFILE_STACK_CONSTANTS,
                                                       [STACK_SHARED] = PROFILE_STACK_SHARED,
                                                       [STACK_LSU] = PROFILE_STACK_LSU,
                                                       [STACK_TABLE] = PROFILE_STACK_TABLE,
                                                       [STACK_LINES] = PROFILE_STACK_LINES,
                                                       [STACK_L1] = PROFILE_STACK_L1,
                                                       [STACK_L2] = PROFILE_STACK_L2,
                                                       [STACK_DRAM] = PROFILE_STACK_DRAM,
                                                       [STACK_BARRIER] = PROFILE_STACK_BARRIER};
  const uint32_t pc = awaited_by(c, w, awaits, part);
  profile_add(c->profiled->to, pc, PROFILE_STALLED, n);
  profile_add(c->profiled->to, pc, column[part], n);
}
