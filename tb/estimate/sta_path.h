/* SPDX-License-Identifier: Apache-2.0 */
/* Paths as OpenSTA prints them, with the names that the source has for what they touch. */
#ifndef ESTIMATE_STA_PATH_H
#define ESTIMATE_STA_PATH_H

#include "estimate/sta.h"

typedef struct sta_names sta_names_t;

/* Reads mapped.json and pre.json of `folder`. NULL and a message if they cannot be read. */
sta_names_t *sta_names_open(const synth_job_t *job, const char *folder, mrpb_err_t *err);
void sta_names_close(sta_names_t *n);

/* Reads the first path in `text`, of a clock of `period` ns. A path that is not there is no error:
 * p->found. */
int sta_path_read(const char *text, double period, const sta_names_t *names, sta_path_t *p,
                  mrpb_err_t *err);

#endif
