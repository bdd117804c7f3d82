/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the host code of the Rodinia programs whose inputs are integers or that exist in two
 * forms. */
#ifndef RODINIA_H
#define RODINIA_H

#include "workload/programs/program.h"

/* Writes n pseudo-random integers from low to high, a fixed sequence from `seed`. */
void rodinia_random_i32(int32_t *to, uint64_t n, uint64_t seed, int32_t low, int32_t high);

/* --size, or the paper's size; 0, or -1 and a message if it is not a multiple of `multiple`. */
int rodinia_size(uint32_t *size, const program_host_t *h, uint32_t paper, uint32_t multiple,
                 mrpb_err_t *err);
/* --steps, or the paper's; 0, or -1 and a message if there are more than `most`. */
int rodinia_steps(uint32_t *steps, const program_host_t *h, uint32_t paper, uint32_t most,
                  mrpb_err_t *err);

/* The shape of a launch of `kernel`: blocks of bx x by threads on a grid of gx x gy. */
typedef struct {
  const char *kernel;
  uint32_t gx, gy, bx, by, regs;
} rodinia_launch_t;

/* The launch with its integer and address parameters, in order. */
void rodinia_launch(const program_host_t *h, simt_launch_t *l, const rodinia_launch_t *shape,
                    const uint64_t *params, unsigned n_params);

#endif
