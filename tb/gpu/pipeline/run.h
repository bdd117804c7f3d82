/* SPDX-License-Identifier: Apache-2.0 */
/* Part `run`: the SM's progress, and the one scheme by which all its parts are idle.
 *
 * Each part P that can have work to do says when:
 *   uint64_t sm_P_next(..., uint64_t from): the first cycle, `from` or later, in which it has
 *     work if it receives no input; SM_ON_ROOM or SM_ON_INPUT if there is none.
 * The SM's next work is at the least of them (run.c). A part without work in a cycle repeats what
 * it did in the cycle before, so such cycles need not be run:
 *   void sm_P_idle(sm, uint64_t n): counts what n more cycles like the last one would have counted.
 * The SM as a whole sleeps this way. The schedulers and the path through the MRPB also do so on
 * their own, in cycles in which other parts have work. */
#ifndef SM_RUN_H
#define SM_RUN_H

#include <stdbool.h>
#include <stdint.h>

/* SM_ON_INPUT: no work until a packet or a block arrives. SM_ON_ROOM: no work until then or until
 * the interconnect has room. Both are later than any cycle; SM_ON_ROOM is the smaller one, as room
 * may come first. */
#define SM_ON_INPUT UINT64_MAX
#define SM_ON_ROOM (UINT64_MAX - 1)

/* cycles <= the number of cycles of the GPU's clock always: cycles without a block may not count.
 * moved concerns only the cycle that is run. */
typedef struct {
  uint64_t cycles;   /* run or slept through */
  uint64_t until;    /* first cycle that is neither */
  uint64_t next;     /* the least of the parts' next cycles, at the end of the last cycle run */
  uint64_t progress; /* instructions issued, replies taken */
  bool moved;        /* something changed in this cycle, so the next one may differ */
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
