/* SPDX-License-Identifier: Apache-2.0 */
/* Part `alu`: the SP and SFU pipelines, from OC_EX to write-back. */
#ifndef SM_ALU_H
#define SM_ALU_H

#include "gpu/pipeline/run.h"
#include "gpu/pipeline/sm.h"

enum {
  SM_STAGE_TO_WB = 2, /* cycles from the last SP or SFU stage to write-back */
  SM_WHEEL = 512,     /* longer than any ALU latency + SM_STAGE_TO_WB */
  SM_RESULTS = 2 * SM_WHEEL,
  SM_ALUS = 3 /* SP, SP, SFU */
};

/* One cycle of the last stages of SP, SP, SFU: which are taken (bits), and the results on the two
 * result buses. */
typedef struct {
  uint8_t units, results; /* results <= 2 */
  uint16_t result[2];
} sm_stage_t;

/* A result of SP or SFU, from acceptance to write-back. */
typedef struct {
  const warp_inst_t *inst;
  uint8_t warp;
  uint16_t next_free;
} sm_result_t;

/* in_flight is the number of results in all stages; that many of result[] are not on the list that
 * begins at `free`. A result leaves two cycles after its stage, so a stage that is written back is
 * empty again long before the wheel returns to it. */
typedef struct {
  sm_result_t result[SM_RESULTS];
  sm_stage_t stage[SM_WHEEL];
  uint64_t free_at[SM_ALUS]; /* cycle from which each accepts again */
  uint32_t in_flight;
  uint16_t free; /* index of an sm_result_t */
} sm_alu_t;

void sm_alu_init(sm_alu_t *a);

/* sm_alu_writeback: EX/WB, results are written. sm_alu_accept: SP, SP and SFU accept from OC_EX. */
void sm_alu_writeback(sm_t *sm, uint64_t now);
void sm_alu_accept(sm_t *sm, uint64_t now);

/* While results are in flight every cycle differs from the last one. */
static inline uint64_t sm_alu_next(const sm_alu_t *a, uint64_t from) {
  return a->in_flight > 0 ? from : SM_ON_INPUT;
}

#endif
