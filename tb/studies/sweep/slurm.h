/* SPDX-License-Identifier: Apache-2.0 */
/* A sweep by Slurm: internal to tb/studies/sweep. */
#ifndef SWEEP_SLURM_H
#define SWEEP_SLURM_H

#include "studies/sweep/sweep.h"

/* sweep_run with s->slurm. */
int slurm_run(const sweep_t *s, mrpb_err_t *err);

#endif
