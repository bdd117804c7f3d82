/* SPDX-License-Identifier: Apache-2.0 */
/* An SM is made of parts, each with a header that has its struct and what holds of it, and files of
 * its name: part P is P.[ch] and P_*.c, and nobody else touches its members (tests/layout.sh). What
 * joins several parts takes the whole SM, what concerns one takes that part. */
#ifndef SM_STATE_H
#define SM_STATE_H

#include "base/pool.h"
#include "gpu/sm/alu.h"
#include "gpu/sm/bypass.h"
#include "gpu/sm/fetch.h"
#include "gpu/sm/ldst.h"
#include "gpu/sm/levels.h"
#include "gpu/sm/mrpb_path.h"
#include "gpu/sm/pipe.h"
#include "gpu/sm/port.h"
#include "gpu/sm/run.h"
#include "gpu/sm/sched.h"
#include "gpu/sm/side.h"
#include "gpu/sm/sm.h"
#include "gpu/sm/warps.h"

/* What every cycle looks at is together at the front, and in each part before its tables; the
 * largest parts come last: the state of all SMs passes through the host's first-level cache in each
 * cycle. */
struct sm {
  _Alignas(64) sm_run_t run;
  sm_fetch_t fetch;
  l1d_t *l1d;
  void (*hook)(void *ctx, sm_t *sm);
  check_sm_t *check; /* NULL: no data travel */
  sm_port_t port;
  sm_side_t side;
  sm_levels_t levels;
  _Alignas(64) sm_mrpb_path_t mrpb_path;
  _Alignas(64) sm_bypass_t bypass;
  _Alignas(64) sm_pipe_t pipe;
  _Alignas(64) sm_stats_t stats; /* what is counted most often first; each part counts its own */
  _Alignas(64) sm_warps_t warps;
  _Alignas(64) sm_sched_t sched;
  _Alignas(64) sm_alu_t alu;

  /* What it was built with; the same throughout a run. */
  unsigned id;
  uint32_t hazards;
  void *hook_ctx;
  pool_t *home; /* the memory in which the SM is */
  config_t cfg;

  _Alignas(64) sm_ldst_t ldst;
};

/* view.c: requests that wait in an SM, unit by unit, are for everybody to see: sm.h. run.c: */
uint64_t sm_run_next(const sm_t *sm, uint64_t from);
void sm_run_count(sm_t *sm, uint64_t n); /* `n` cycles end in the present state */
/* The end of cycle `now`: what comes next is decided. */
void sm_run_end(sm_t *sm, uint64_t now);

#endif
