/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates one module at one size: its storage, area and longest paths, on one page. */
#ifndef ESTIMATE_ALONE_H
#define ESTIMATE_ALONE_H

#include "estimate/logic_options.h"
#include "err.h"
#include "module.h"

#include <stdio.h>

/* Writes the page. Returns 0, -1 and a message in err, or LOGIC_STOPPED. */
int alone_estimate(const module_class_t *cls, const uint32_t *cfg, const logic_options_t *opt,
                   FILE *out, mrpb_err_t *err);

#endif
