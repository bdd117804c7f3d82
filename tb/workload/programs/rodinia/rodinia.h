/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the host code of the Rodinia programs whose inputs are integers or come in two forms.
 */
#ifndef RODINIA_H
#define RODINIA_H

#include "workload/programs/program.h"

/* n pseudo-random integers from low to high, a fixed sequence from `seed`. */
void rodinia_random_i32(int32_t *to, uint64_t n, uint64_t seed, int32_t low, int32_t high);

/* --size, or the paper's; -1 and a message if it is no multiple of `multiple`. */
int rodinia_size(uint32_t *size, const program_host_t *h, uint32_t paper, uint32_t multiple,
                 mrpb_err_t *err);
/* --steps, or `paper` of them; -1 and a message if there are more than `most`. */
int rodinia_steps(uint32_t *steps, const program_host_t *h, uint32_t paper, uint32_t most,
                  mrpb_err_t *err);

/* A launch of `kernel`: block bx x by on grid gx x gy. */
typedef struct {
  const char *kernel;
  uint32_t gx, gy, bx, by, regs;
} rodinia_launch_t;

/* The launch with its integer and address parameters, in order. */
void rodinia_launch(const program_host_t *h, simt_launch_t *l, const rodinia_launch_t *shape,
                    const uint64_t *params, unsigned n_params);

#endif
