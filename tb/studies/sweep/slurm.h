/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a sweep through Slurm. Internal to tb/studies/sweep. */
#ifndef SWEEP_SLURM_H
#define SWEEP_SLURM_H

#include "studies/sweep/sweep.h"

/* Does sweep_run's work if s->slurm is set. Returns what sweep_run returns. */
int slurm_run(const sweep_t *s, mrpb_err_t *err);

#endif
