/* SPDX-License-Identifier: Apache-2.0 */
/* A module's own stimulus, for the builds of a design that is not ours (docs/verify/simulators.md). */
#ifndef COSIM_RECORDING_H
#define COSIM_RECORDING_H

#include "verilog/load/lib.h"

/* Designs that `env` opens from now on are compared under it. */
void recording_set(rtl_env_t *env);

#endif
