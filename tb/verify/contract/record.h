/* SPDX-License-Identifier: Apache-2.0 */
/* Records the environment's stimulus, with which the builds of a design are compared
 * (docs/verify/simulators.md). */
#ifndef CONTRACT_RECORD_H
#define CONTRACT_RECORD_H

#include "verify/contract/play.h"
#include "verilog/twice/stimulus.h"

/* Records what the environment offers to the design of `setup`, and in which cycles the contract
 * looks at which outputs. After a violated clause other episodes follow, in which no output
 * counts. Returns 0, or -1 and a message in err. */
int contract_record(const contract_setup_t *setup, twice_stimulus_t *to, mrpb_err_t *err);

#endif
