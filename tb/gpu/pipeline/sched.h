/* SPDX-License-Identifier: Apache-2.0 */
/* Part `sched`: warp schedulers and scoreboard. Bit w of a mask is warp w. */
#ifndef SM_SCHED_H
#define SM_SCHED_H

#include "gpu/pipeline/run.h"
#include "gpu/pipeline/sm.h"
#include "gpu/pipeline/warps.h"

enum { SM_SCHEDULERS = 4 };

typedef enum {
  SM_SCHED_ISSUED,
  SM_SCHED_IDLE,
  SM_SCHED_SCOREBOARD,
  SM_SCHED_PIPELINE,
  SM_SCHED_OUTCOMES
} sm_sched_outcome_t;

/* A bit of `ready` is set for one unit only, and only if it is set in `looked`. A bit of `busy` is
 * set from issue to write-back of the instruction that writes that register; two instructions never
 * hold the same one. The result of a look at a warp stands until its next instruction comes or a
 * register is released. The result of the schedulers stands until they are woken: state[] is the
 * outcome of every cycle in between. `allowed` is all ones if there is no limit. */
typedef struct {
  uint64_t looked;                   /* i-buffer head is on the true path; scoreboard checked */
  uint64_t ready[4];                 /* and awaits no register; by warp_unit_t */
  uint64_t allowed;                  /* may issue under SWL_LIMIT */
  uint64_t mask[SM_SCHEDULERS];      /* warps of each scheduler */
  uint8_t n;                         /* number of schedulers */
  bool greedy;                       /* SCHEDULER = gto */
  bool awake;                        /* something the schedulers read has changed */
  bool limit_stale;                  /* `allowed` must be recomputed */
  uint8_t last[SM_SCHEDULERS];       /* warp that each issued from last */
  uint8_t state[SM_SCHEDULERS];      /* sm_sched_outcome_t of each in the last cycle */
  uint32_t limit;                    /* SWL_LIMIT, 0: none */
  uint64_t count[SM_SCHED_OUTCOMES]; /* scheduler cycles by outcome */
  uint64_t busy[WARP_REGS / 64]
               [SM_MAX_WARPS]; /* bit r % 64 of word r / 64: register r is awaited */
} sm_sched_t;

void sm_sched_init(sm_sched_t *s, const config_t *c);

/* Each scheduler issues at most one instruction. */
void sm_sched_cycle(sm_t *sm, uint64_t now);

/* `n` cycles end in the current state. */
static inline void sm_sched_count(sm_sched_t *s, uint64_t n) {
  for (unsigned i = 0; i < s->n; i++) s->count[s->state[i]] += n;
}

static inline uint64_t sm_sched_cycles(const sm_sched_t *s, sm_sched_outcome_t outcome) {
  return s->count[outcome];
}

static inline unsigned sm_sched_number(const sm_sched_t *s) {
  return s->n;
}
/* How the last cycle of scheduler `k` ended. */
static inline sm_sched_outcome_t sm_sched_state(const sm_sched_t *s, unsigned k) {
  return (sm_sched_outcome_t)s->state[k];
}
/* The warps that scheduler `k` may issue. */
static inline uint64_t sm_sched_warps(const sm_sched_t *s, unsigned k) {
  return s->mask[k] & s->allowed;
}
/* The first of `warps`, which are not none, behind the one that scheduler `k` issued last. */
static inline unsigned sm_sched_first(const sm_sched_t *s, unsigned k, uint64_t warps) {
  const uint64_t behind = warps & UINT64_MAX << s->last[k] << 1;
  return (unsigned)__builtin_ctzll(behind ? behind : warps);
}

static inline uint64_t sm_sched_next(const sm_sched_t *s, uint64_t from) {
  return s->awake ? from : SM_ON_INPUT;
}

/* Warps that await no register; warp `w` awaits this one. */
static inline uint64_t sm_sched_ready(const sm_sched_t *s) {
  return s->ready[0] | s->ready[1] | s->ready[2] | s->ready[3];
}
static inline bool sm_sched_awaits(const sm_sched_t *s, unsigned w, unsigned reg) {
  return s->busy[reg / 64][w] >> reg % 64 & 1;
}

/* The most of `warps` that one scheduler has. */
static inline unsigned sm_sched_most(const sm_sched_t *s, uint64_t warps) {
  unsigned most = 0;
  for (unsigned k = 0; k < s->n; k++) {
    const unsigned n = (unsigned)__builtin_popcountll(warps & s->mask[k]);
    if (n > most) most = n;
  }
  return most;
}

/* sm_sched_wake: something that a scheduler reads has changed. sm_sched_warps_changed: besides,
 * warps have arrived, ended, reached a barrier or left one. */
static inline void sm_sched_wake(sm_sched_t *s) {
  s->awake = true;
}
static inline void sm_sched_warps_changed(sm_sched_t *s) {
  s->awake = s->limit_stale = true;
}

/* The destination registers of `i` are no longer awaited. */
static inline void sm_sched_release(sm_sched_t *s, sm_warps_t *warps, unsigned w,
                                    const warp_inst_t *i) {
  for (unsigned k = 0; k < 4 && i->dst[k]; k++) {
    s->busy[i->dst[k] / 64][w] &= ~(UINT64_C(1) << i->dst[k] % 64);
    sm_warps_register_came(warps, w);
  }
  s->looked &=
      ~(UINT64_C(1) << w) | sm_sched_ready(s); /* what waited for a register is looked at again */
  s->awake = true;
}

#endif
