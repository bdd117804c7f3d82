/* SPDX-License-Identifier: Apache-2.0 */
/* An SM is made of parts. Each part has a header with its struct and its invariants, and source
 * files of the same name: part P is P.[ch] and P_*.c, and no other file touches its members
 * (tests/layout.sh). Functions that join several parts take the whole SM; functions of one part
 * take that part. */
#ifndef SM_STATE_H
#define SM_STATE_H

#include "base/pool.h"
#include "gpu/pipeline/alu.h"
#include "gpu/pipeline/bypass.h"
#include "gpu/pipeline/fetch.h"
#include "gpu/pipeline/l1_path.h"
#include "gpu/pipeline/later.h"
#include "gpu/pipeline/ldst.h"
#include "gpu/pipeline/levels.h"
#include "gpu/pipeline/mrpb_path.h"
#include "gpu/pipeline/pipe.h"
#include "gpu/pipeline/port.h"
#include "gpu/pipeline/profiled.h"
#include "gpu/pipeline/run.h"
#include "gpu/pipeline/sched.h"
#include "gpu/pipeline/side.h"
#include "gpu/pipeline/sm.h"
#include "gpu/pipeline/warps.h"
#include "parts/jitter.h"

/* The state of all SMs passes through the host's first-level cache in each cycle, so members that
 * every cycle reads are adjacent. Of two neighbouring large parts, the first has such members at
 * its end and the second at its beginning; the small parts lie in between. */
struct sm {
  _Alignas(64) sm_ldst_t ldst;
  sm_run_t run;
  sm_fetch_t fetch;
  l1d_t *l1d;
  void (*hook)(void *ctx, sm_t *sm);
  check_sm_t *check;       /* NULL: packets carry no data */
  requests_t *requests;    /* NULL: nobody records them */
  sm_profiled_t *profiled; /* NULL: nobody profiles */
  timeline_t *timeline;    /* NULL: none */
  sm_port_t port;
  sm_later_t later;
  sm_levels_t levels;
  sm_side_t side;
  sm_bypass_t bypass;
  sm_mrpb_path_t mrpb_path; /* unused without an MRPB */

  _Alignas(64) sm_alu_t alu;
  sm_pipe_t pipe;

  _Alignas(64) sm_warps_t warps;
  sm_sched_t sched;

  _Alignas(64) sm_l1_path_t l1_path; /* unused unless l1_top is the SM's L1 */

  _Alignas(64) sm_stats_t stats; /* the most frequent counts first; each part counts its own */

  /* Set at creation; constant throughout a run. */
  unsigned id;
  uint32_t hazards;
  void *hook_ctx;
  pool_t *home; /* the memory that holds the SM */
  config_t cfg;
};

static inline bool sm_jitter(const sm_t *sm, jitter_place_t place, uint64_t now) {
  const jitter_t j = {sm->cfg.jitter, sm->cfg.jitter_seed};
  return j.percent && jitter_stalls(j, jitter_place(place, sm->id), now);
}

/* run.c */
void sm_run_count(sm_t *sm, uint64_t n); /* `n` cycles end in the current state */
/* Ends cycle `now`: decides what comes next. */
void sm_run_end(sm_t *sm, uint64_t now);

#endif
