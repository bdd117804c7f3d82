/* SPDX-License-Identifier: Apache-2.0 */
/* Reads the paths that OpenSTA prints, and finds the source's names for what they touch. */
#ifndef ESTIMATE_STA_PATH_H
#define ESTIMATE_STA_PATH_H

#include "estimate/sta.h"

typedef struct sta_names sta_names_t;

/* Reads pre.json of `folder`. Returns NULL and a message in err if they cannot be
 * read. */
sta_names_t *sta_names_open(const synth_job_t *job, const char *folder, mrpb_err_t *err);
void sta_names_close(sta_names_t *n);

/* Reads the first path in `text`, for a clock of `period` ns. A missing path is not an error: see
 * p->found. */
int sta_path_read(const char *text, double period, const sta_names_t *names, sta_path_t *p,
                  mrpb_err_t *err);

#endif
