/* SPDX-License-Identifier: Apache-2.0 */
/* Part `run`: how far the SM has come, and the one way of being idle that all its parts have.
 *
 * Each part P that can have something to do says when:
 *   uint64_t sm_P_next(..., uint64_t from): the first cycle, `from` or a later one, in which it has
 *     something to do if nothing comes to it; SM_ON_ROOM or SM_ON_INPUT if there is none.
 * What the SM does next is the least of them (run.c). Whoever has nothing to do in a cycle
 * does in it what it did in the one before, so such cycles need not be run:
 *   void sm_P_idle(sm, uint64_t n): counts what n further cycles like the last one would have.
 * The SM as a whole sleeps so, the schedulers and the path through the MRPB do in a cycle in which
 * others have work. */
#ifndef SM_RUN_H
#define SM_RUN_H

#include <stdbool.h>
#include <stdint.h>

/* Nothing to do until a packet or a block comes; until then or until there is room in the
 * interconnect. Both are later than any cycle, and room may come first. */
#define SM_ON_INPUT UINT64_MAX
#define SM_ON_ROOM (UINT64_MAX - 1)

/* cycles <= the number of cycles of the GPU's clock always: those without a block may not count.
 * moved is only of the cycle that is run. */
typedef struct {
  uint64_t cycles;   /* run or slept through */
  uint64_t until;    /* first cycle that is neither */
  uint64_t next;     /* the least of the parts' at the end of the last cycle that was run */
  uint64_t progress; /* instructions issued, replies taken */
  bool moved;        /* something has changed in this cycle: the next one may be another */
  bool no_sleep;     /* sm_setup_t, or a unit is clocked in every cycle */
} sm_run_t;

static inline void sm_run_init(sm_run_t *run, bool no_sleep) {
  run->no_sleep = no_sleep;
}

static inline void sm_run_moved(sm_run_t *run) {
  run->moved = true;
}

static inline void sm_run_progress(sm_run_t *run) {
  run->progress++;
}

static inline uint64_t sm_run_cycles(const sm_run_t *run) {
  return run->cycles;
}

/* The cycle that comes next. */
static inline uint64_t sm_run_until(const sm_run_t *run) {
  return run->until;
}

static inline void sm_run_begin(sm_run_t *run) {
  run->moved = false;
}

#endif
