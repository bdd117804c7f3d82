/* SPDX-License-Identifier: Apache-2.0 */
/* The SM as a whole: creation, the order of its parts in a cycle. */
#include "config/verilog_params.h"
#include "gpu/pipeline/sm_state.h"

#include <stdlib.h>

/* Each SM begins at a larger page offset than the previous one, by an odd number of lines of the
 * host's first-level cache. This spreads the beginnings of all SMs over the sets of that cache. */
enum { SM_PLACES = 32, SM_STEP = 41 * 64, SM_HOME = sizeof(sm_t) + (SM_PLACES - 1) * SM_STEP };

l1d_cfg_t sm_l1d_cfg(const config_t *c) {
  l1d_cfg_t l = {.mshr = config_mshr_params(c)};
#define PART_L1D(field, to, ...) l.to = c->field;
#include "config/each_key.h"
  return l;
}

/* Creates everything that can fail. */
static int create_parts(sm_t *sm, const unit_choice_t *choice, mrpb_err_t *err) {
  l1d_cfg_t l = sm_l1d_cfg(&sm->cfg);
  if (sm_l1_path_create(sm, choice, err) != 0) return -1;
  sm_ldst_init(&sm->ldst, &sm->cfg, sm_l1_path_there(&sm->l1_path));
  if (l1d_create(&sm->l1d, &l, choice, sm->id, sm_port_pool(&sm->port), err) != 0) return -1;
  if (sm_fetch_create(sm, err) != 0 || sm_side_create(sm, err) != 0) return -1;
  if (sm_mrpb_path_create(sm, choice, err) != 0) return -1;
  return sm_bypass_create(sm, choice, err);
}

int sm_create(sm_t **out, const sm_setup_t *setup, mrpb_err_t *err) {
  pool_t *pages = NULL;
  *out = NULL;
  char *home = pool_take(&pages, SM_HOME);
  if (!home) return mrpb_fail(err, "sm%u: out of memory", setup->id);
  sm_t *sm = (sm_t *)(void *)(home + setup->id % SM_PLACES * SM_STEP);
  sm->home = pages;
  sm->cfg = *setup->cfg;
  sm->id = setup->id;
  sm->requests = setup->requests;
  sm->timeline = setup->timeline;
  sm_port_init(&sm->port, setup);
  sm_sched_init(&sm->sched, setup->cfg);
  sm_pipe_init(&sm->pipe);
  sm_alu_init(&sm->alu);
  if (sm_profiled_create(&sm->profiled, setup->profile, err) != 0 ||
      create_parts(sm, setup->choice, err) != 0) {
    sm_destroy(sm);
    return -1;
  }
  sm_set_hazards(sm, 0);
  sm_run_init(&sm->run, setup->no_sleep || sm_every_cycle(sm));
  *out = sm;
  return 0;
}

void sm_set_check(sm_t *sm, check_sm_t *check) {
  sm->check = check;
  l1d_set_check(sm->l1d, check);
}

void sm_set_hazards(sm_t *sm, uint32_t hazards) {
  sm->hazards = hazards | (sm->cfg.memory_order == CONFIG_ORDER_REFERENCE ? HAZARDS_REFERENCE : 0);
  l1d_set_hazards(sm->l1d, sm->hazards);
}

void sm_set_hook(sm_t *sm, void (*hook)(void *ctx, sm_t *sm), void *ctx) {
  sm->hook = hook;
  sm->hook_ctx = ctx;
}

void sm_destroy(sm_t *sm) {
  if (!sm) return;
  sm_warps_close(sm);
  sm_port_destroy(&sm->port);
  l1d_destroy(sm->l1d);
  sm_fetch_destroy(sm);
  sm_side_destroy(sm);
  sm_mrpb_path_destroy(&sm->mrpb_path);
  sm_bypass_destroy(&sm->bypass);
  sm_l1_path_destroy(sm);
  free(sm->profiled);
  pool_free(sm->home);
}

/* ---- the cycle ------------------------------------------------------------- */

/* The edge of the units: MSHR table, MRPB, PRT. */
static int edge(sm_t *sm, uint64_t now, mrpb_err_t *err) {
  if (sm_l1_path_there(&sm->l1_path)) return sm_l1_path_edge(sm, err);
  int rc = l1d_edge(sm->l1d, err);
  if (!sm_bypass_there(&sm->bypass)) return rc;
  rc |= sm_mrpb_path_edge(sm, now, err);
  return rc | sm_bypass_edge(&sm->bypass, err);
}

int sm_idle_cycle(sm_t *sm, uint64_t now, mrpb_err_t *err) {
  return edge(sm, now, err);
}

/* The parts run from the end of the pipeline to its beginning, as in the reference. The place that
 * a part frees is seen by the preceding part of the pipeline in the same cycle; the inputs that it
 * takes were there at the end of the previous cycle. The steps are those of docs/sm.md; step 1 is
 * sm_receive. */
void sm_cycle_begin(sm_t *sm, uint64_t now) {
  sm_run_begin(&sm->run);
  sm_alu_writeback(sm, now); /* 2 */
  sm_alu_accept(sm, now);    /* 3 */
  sm_ldst_cycle(sm, now);    /* 4, with the operand collectors, side, mrpb_path and bypass */
  sm_ldst_accept(sm);
  sm_sched_cycle(sm, now); /* 5 */
  sm_fetch_decode(sm);     /* 6 */
  sm_fetch_cycle(sm, now);
}

int sm_cycle_end(sm_t *sm, uint64_t now, mrpb_err_t *err) {
  sm_fetch_misses(sm);
  sm_run_count(sm, 1);
  if (sm->hook) sm->hook(sm->hook_ctx, sm);
  int rc = edge(sm, now, err); /* 7 */
  sm_run_end(sm, now);
  return rc;
}
