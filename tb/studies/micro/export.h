/* SPDX-License-Identifier: Apache-2.0 */
/* What studies have found of a GPU as a configuration: of `mrpb micro`, or lines of Accel-Sim's. Each
 * number has its evidence beside it, and what was not measured says so. docs/silicon.md */
#ifndef MICRO_EXPORT_H
#define MICRO_EXPORT_H

#include "studies/micro/kernels/measured.h"
#include "studies/micro/plots/table.h"

typedef enum { EXPORT_NONE, EXPORT_MRPB, EXPORT_ACCEL_SIM } export_form_t;

/* "mrpb", "accel-sim"; -1 and a message. */
int export_form(const char *name, export_form_t *form, mrpb_err_t *err);

/* `like` is the configuration whose values stand for what was not measured, `name` its file. -1 and a
 * message: a number that no key can have. */
int export_write(export_form_t form, const micro_table_t *t, const measured_head_t *head,
                 const device_cfg_t *like, const char *name, FILE *out, mrpb_err_t *err);

#endif
