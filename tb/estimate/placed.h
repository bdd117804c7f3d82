/* SPDX-License-Identifier: Apache-2.0 */
/* `mrpb estimate MODULE --place` and `--fpga`: what follows the logic on the page of one module. */
#ifndef ESTIMATE_PLACED_H
#define ESTIMATE_PLACED_H

#include "estimate/flow.h"

/* Whether the options can be done at all: their tools and the library. Returns 0, or -1 and a message
 * in err. */
int placed_check(const logic_options_t *opt, mrpb_err_t *err);

/* Does what the options ask for, if anything. Returns 0, -1 and a message in err, or
 * LOGIC_STOPPED. */
int placed_alone(const flow_t *f, const logic_job_t *job, const logic_result_t *r, FILE *out,
                 mrpb_err_t *err);

#endif
