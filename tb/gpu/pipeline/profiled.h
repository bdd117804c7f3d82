/* SPDX-License-Identifier: Apache-2.0 */
/* Part `profiled`: counts by instruction and by array (parts/profile.h). Called only if somebody
 * profiles. Each count is one that the SM itself counts, given to an instruction. */
#ifndef SM_PROFILED_H
#define SM_PROFILED_H

#include "gpu/pipeline/ldst.h"
#include "gpu/pipeline/sched.h"
#include "gpu/pipeline/sm.h"
#include "parts/profile.h"

/* An instruction, and an address that it accesses. */
typedef struct {
  uint32_t pc;
  uint64_t addr;
} sm_place_t;

/* Who writes a register that is awaited; of a load from global memory: its first line, and when it
 * issued. */
typedef struct {
  sm_place_t at;
  uint64_t since;
  bool load;
} sm_writer_t;

/* What happens in cycle after cycle is counted here, and told when it changes. */
typedef struct {
  sm_place_t at;
  profile_column_t column;
  uint64_t n;
} sm_tally_t;
typedef enum {
  SM_TALLY_REFUSED,
  SM_TALLY_WAITS,
  SM_TALLY_STAYS,
  SM_TALLY_NOT_TAKEN,
  SM_TALLIES
} sm_tally_of_t;

/* The instruction that a scheduler's state is due to since cycle `since`, if it does not issue. */
typedef struct {
  uint32_t pc;
  sm_sched_outcome_t state;
  uint64_t since;
} sm_due_t;

/* `refused`: the access that the L1D refused last. `waits`: the read that tried to bypass last.
 * `cycles`: those that sm_profiled_stalls was told. */
typedef struct {
  profile_core_t *to;
  sm_place_t refused, waits;
  sm_tally_t tally[SM_TALLIES];
  sm_due_t due[SM_SCHEDULERS];
  uint64_t cycles;
  sm_writer_t writer[WARP_REGS][SM_MAX_WARPS];
} sm_profiled_t;

/* Kept out of the way of a run that nobody profiles. */
#define SM_SELDOM __attribute__((cold))

/* NULL in *out if nobody profiles. Returns 0, or -1 and a message in err. */
int sm_profiled_create(sm_profiled_t **out, profile_core_t *to, mrpb_err_t *err);

/* Warp `w` issues `i`. sm_profiled_lines: its transactions to global memory, which lie in `a`; its lanes'
 * addresses. */
SM_SELDOM void sm_profiled_issue(sm_t *sm, unsigned w, const warp_inst_t *i, uint32_t mask,
                                 uint64_t now);
SM_SELDOM void sm_profiled_lines(sm_t *sm, unsigned w, const warp_inst_t *i, const uint64_t *addr,
                                 uint32_t mask, const sm_accesses_t *a);
/* A load has all of its data. */
SM_SELDOM void sm_profiled_loaded(sm_t *sm, unsigned w, unsigned reg, uint64_t now);

/* The L1D has answered `r`; it had counted `before`. sm_profiled_refused: it refuses the same access
 * for `n` more cycles. */
SM_SELDOM void sm_profiled_tried(sm_t *sm, const l1d_request_t *r, const l1d_answer_t *a,
                                 const l1d_stats_t *before);
SM_SELDOM void sm_profiled_refused(sm_t *sm, l1d_reason_t reason, uint64_t n);

/* A read tries to bypass; it does. The read that tried last waits for `n` cycles. */
SM_SELDOM void sm_profiled_tries_bypass(sm_t *sm, uint32_t pc, uint64_t addr);
SM_SELDOM void sm_profiled_bypasses(sm_t *sm);
SM_SELDOM void sm_profiled_waits(sm_t *sm, uint64_t n);

/* The instruction in the dispatch register stays there for `n` cycles; its access, or the barrier in
 * its place, is not taken by the MRPB. */
SM_SELDOM void sm_profiled_stays(sm_t *sm, uint64_t n);
SM_SELDOM void sm_profiled_not_taken(sm_t *sm, bool barrier, uint64_t n);

/* All schedulers have made their choice. sm_profiled_stalls: `n` cycles of all end in their state. */
SM_SELDOM void sm_profiled_scheduled(sm_t *sm);
static inline void sm_profiled_stalls(sm_profiled_t *p, uint64_t n) {
  p->cycles += n;
}

/* Tells the profile what is counted here. */
SM_SELDOM void sm_profiled_told(sm_t *sm);

#endif
