/* SPDX-License-Identifier: Apache-2.0 */
/* Writes what the studies have found about a GPU as a configuration, for `mrpb micro` or as lines
 * for Accel-Sim. Each number has its evidence beside it, and values that were not measured are
 * marked. docs/silicon.md */
#ifndef MICRO_EXPORT_H
#define MICRO_EXPORT_H

#include "studies/micro/kernels/measured.h"
#include "studies/micro/plots/table.h"

typedef enum { EXPORT_NONE, EXPORT_MRPB, EXPORT_ACCEL_SIM } export_form_t;

/* Parses "mrpb" or "accel-sim". Returns 0, or -1 and a message in err. */
int export_form(const char *name, export_form_t *form, mrpb_err_t *err);

/* `like` is the configuration that supplies the values that were not measured; `name` is its file.
 * Returns 0, or -1 and a message in err if a number is not legal for its key. */
int export_write(export_form_t form, const micro_table_t *t, const measured_head_t *head,
                 const config_t *like, const char *name, FILE *out, mrpb_err_t *err);

#endif
