/* SPDX-License-Identifier: Apache-2.0 */
/* Instructions between issue and execution: see pipe.h. */
#include "gpu/pipeline/sm_state.h"

void sm_pipe_cycle(sm_t *sm) {
  sm_pipe_t *p = &sm->pipe;
  unsigned moved = collector_step(&p->collector, sm_run_cycles(&sm->run), p->inst, p->warp);
  if (moved) sm_run_moved(&sm->run);
  if (moved & COLLECTOR_FREED) sm_sched_wake(&sm->sched);
}
