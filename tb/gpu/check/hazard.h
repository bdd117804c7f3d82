/* SPDX-License-Identifier: Apache-2.0 */
/* The ordering hazards of docs/check.md, as a mask of those that are allowed to occur. 0 is the
 * rule of the model. Users reach only HAZARDS_REFERENCE, through MEMORY_ORDER = reference; the
 * others are for tests. */
#ifndef HAZARD_H
#define HAZARD_H

enum {
  HAZARD_BYPASS = 1,         /* a: a bypassed read overtakes a store in the miss queue */
  HAZARD_WRITTEN_FETCH = 2,  /* b: a line is written during its fetch */
  HAZARD_DRAINING = 4,       /* c: a merge into an L1D MSHR entry that drains */
  HAZARD_SAME_CYCLE = 8,     /* d: a look-up does not see the drain of the same cycle */
  HAZARD_L2_DRAINING = 16,   /* e: c in the L2 */
  HAZARD_L2_WRITE_BACK = 32, /* f: a misplaced write-back takes effect where it is served */
  HAZARD_COLLECTOR = 64,     /* g: a load overtakes a store of its warp in the operand collectors */
  HAZARD_STORE = 256,        /* i, in-order cores: a store leaves the line in the L1D */
  HAZARD_ATOMIC = 128,       /* h: an atomic leaves the line in the L1D that it changes in the L2 */
  HAZARDS_REFERENCE =
      HAZARD_WRITTEN_FETCH | HAZARD_DRAINING | HAZARD_L2_DRAINING | HAZARD_COLLECTOR | HAZARD_ATOMIC
};

#endif
