/* SPDX-License-Identifier: Apache-2.0 */
/* How full tables are: see levels.h. Only changes cost time. */
#include "gpu/pipeline/sm_state.h"

static sm_occupancy_t *occupancy(sm_stats_t *s, unsigned table) {
  return table == SM_LEVEL_MSHR         ? &s->mshr
         : table == SM_LEVEL_MISS_QUEUE ? &s->miss_queue
         : table == SM_LEVEL_MRPB       ? &s->mrpb
                                        : &s->prt;
}

/* Counts the cycles since the last change of `table` at its old level, up to cycle `cycles` of the SM.
 * The new level is `used`. */
static void change(sm_t *sm, unsigned table, unsigned used, uint64_t cycles) {
  sm_occupancy_t *o = occupancy(&sm->stats, table);
  sm_level_t *l = &sm->levels.level[table];
  o->cycles[l->used < 512 ? l->used : 512] += cycles - l->since;
  *l = (sm_level_t){cycles, used, used > l->max ? used : l->max};
}

static inline void look(sm_t *sm, unsigned table, unsigned used) {
  if (used != sm->levels.level[table].used) change(sm, table, used, sm_run_cycles(&sm->run));
}

/* The tables of l1_top. */
static void look_at_path(sm_t *sm) {
  for (unsigned t = 0; t < SM_LEVELS; t++) look(sm, t, sm_l1_path_level(&sm->l1_path, t));
}

void sm_levels_look(sm_t *sm) {
  if (sm_l1_path_there(&sm->l1_path)) {
    look_at_path(sm);
    return;
  }
  look(sm, SM_LEVEL_MSHR, l1d_mshrs(sm->l1d));
  if (!sm_later_on(&sm->later)) look(sm, SM_LEVEL_MISS_QUEUE, l1d_miss_queue(sm->l1d));
  if (!sm_bypass_there(&sm->bypass)) return;
  look(sm, SM_LEVEL_MRPB, sm_mrpb_path_held(&sm->mrpb_path));
  look(sm, SM_LEVEL_PRT, sm_bypass_used(&sm->bypass));
}

void sm_levels_miss_queue(sm_t *sm, uint64_t cycles, unsigned used) {
  if (used != sm->levels.level[SM_LEVEL_MISS_QUEUE].used)
    change(sm, SM_LEVEL_MISS_QUEUE, used, cycles);
}

void sm_levels_finish(sm_t *sm) {
  const bool all = sm_bypass_there(&sm->bypass) || sm_l1_path_there(&sm->l1_path);
  unsigned tables = all ? SM_LEVELS : SM_LEVEL_MRPB;
  for (unsigned t = 0; t < tables; t++) {
    change(sm, t, sm->levels.level[t].used, sm_run_cycles(&sm->run));
    occupancy(&sm->stats, t)->max = sm->levels.level[t].max;
  }
}
