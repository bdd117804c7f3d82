/* SPDX-License-Identifier: Apache-2.0 */
/* The environment's own stimulus, for the builds of a design (docs/verify/simulators.md). */
#ifndef CONFORM_RECORD_H
#define CONFORM_RECORD_H

#include "verify/conform/play.h"
#include "verilog/twice/stimulus.h"

/* Records what the environment offers to the design of `setup`, and where the contract looks at outputs; behind a violated
 * clause random inputs, of which nothing counts. 0, or -1 and a message. */
int conform_record(const conform_setup_t *setup, twice_stimulus_t *to, mrpb_err_t *err);

#endif
