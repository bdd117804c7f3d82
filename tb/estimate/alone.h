/* SPDX-License-Identifier: Apache-2.0 */
/* Estimates one module at one size: its storage, area and longest paths, on one page. */
#ifndef ESTIMATE_ALONE_H
#define ESTIMATE_ALONE_H

#include "err.h"
#include "estimate/flow.h"
#include "module.h"

#include <stdio.h>

/* Writes the page. Returns 0, -1 and a message in err, or LOGIC_STOPPED. */
int alone_estimate(const module_class_t *cls, const uint32_t *cfg, const logic_options_t *opt,
                   FILE *out, mrpb_err_t *err);

/* Its parts, for a page of several designs: a table of a module's registers, and a table with a row
 * for each job under its label, with the jobs' longest paths. */
int alone_storage(const module_class_t *cls, const uint32_t *cfg, FILE *out, mrpb_err_t *err);
enum { ALONE_ROWS = 2 };
int alone_rows(const flow_t *f, const char *const *label, const logic_job_t *job, unsigned n,
               FILE *out, mrpb_err_t *err);

#endif
