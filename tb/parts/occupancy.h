/* SPDX-License-Identifier: Apache-2.0 */
/* How many blocks of a launch an SM holds at once. */
#ifndef OCCUPANCY_H
#define OCCUPANCY_H

#include <stddef.h>
#include <stdint.h>

/* What an SM has, and in which units it gives it out. */
typedef struct {
  uint32_t warps, blocks; /* resident at most */
  uint32_t registers;     /* of the register file */
  uint32_t register_unit; /* a thread's registers are rounded up to a multiple of this, >= 1 */
  uint32_t thread_unit;   /* threads that the file has room for are rounded down to one, >= 1 */
  uint32_t shared;        /* bytes of shared memory */
} occupancy_sm_t;

/* Threads of a block, in whole warps of 32. */
uint32_t occupancy_threads(uint32_t threads);

/* Blocks of `threads` threads (at least 1), each with `regs` registers, and `shared` bytes; 0 if not
 * even one fits. */
uint32_t occupancy_blocks(const occupancy_sm_t *sm, uint32_t threads, uint32_t regs,
                          uint32_t shared);

/* Of a block that does not fit: what is lacking, "49156 bytes of shared memory, of 49152 (SHARED_BYTES)", with
 * the key of a configuration file that says how much an SM has. */
void occupancy_explain(const occupancy_sm_t *sm, uint32_t threads, uint32_t regs, uint32_t shared,
                       char *text, size_t size);

#endif
