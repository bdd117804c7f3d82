/* SPDX-License-Identifier: Apache-2.0 */
/* Records a module's own stimulus for the builds of a user's design (docs/verify/simulators.md). */
#ifndef COSIM_RECORDING_H
#define COSIM_RECORDING_H

#include "verilog/load/lib.h"

/* From now on, designs that `env` opens are compared under this stimulus. */
void recording_set(rtl_env_t *env);

#endif
