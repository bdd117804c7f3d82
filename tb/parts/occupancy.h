/* SPDX-License-Identifier: Apache-2.0 */
/* Computes how many blocks of a launch an SM holds at once. */
#ifndef OCCUPANCY_H
#define OCCUPANCY_H

#include <stddef.h>
#include <stdint.h>

/* The resources of an SM, and the units in which it allocates them. */
typedef struct {
  uint32_t warps, blocks; /* the most that can be resident */
  uint32_t registers;     /* size of the register file */
  uint32_t register_unit; /* a thread's registers are rounded up to a multiple of this, >= 1 */
  uint32_t thread_unit;   /* the file's threads are rounded down to a multiple of this, >= 1 */
  uint32_t shared;        /* bytes of shared memory */
} occupancy_sm_t;

/* The threads of a block, rounded up to whole warps of 32. */
uint32_t occupancy_threads(uint32_t threads);

/* Number of blocks that fit, of `threads` threads (at least 1) with `regs` registers each, and
 * `shared` bytes of shared memory; 0 if not even one fits. */
uint32_t occupancy_blocks(const occupancy_sm_t *sm, uint32_t threads, uint32_t regs,
                          uint32_t shared);

/* For a block that does not fit: writes what is lacking, such as "49156 bytes of shared memory, of
 * 49152 (SHARED_BYTES)", with the configuration key that says how much an SM has. */
void occupancy_explain(const occupancy_sm_t *sm, uint32_t threads, uint32_t regs, uint32_t shared,
                       char *text, size_t size);

#endif
