/* SPDX-License-Identifier: Apache-2.0 */
/* A task's files in the folder of its batch: N.point holds what to run, N.result the outcome. Each
 * file is complete or absent. Internal to tb/studies/sweep. */
#ifndef SWEEP_RECORD_H
#define SWEEP_RECORD_H

#include "studies/sweep/sweep.h"

int record_write_point(const char *folder, unsigned n, const sweep_program_t *program,
                       const sweep_point_t *point, mrpb_err_t *err);
/* Reads the point into the empty list `l`, which then has this one point. Returns 0, or -1 and a
 * message in err if the file is missing, incomplete, or of another results version. */
int record_read_point(const char *folder, unsigned n, sweep_list_t *l, mrpb_err_t *err);

int record_write_result(const char *folder, unsigned n, const sweep_outcome_t *o, mrpb_err_t *err);
/* Returns false if there is no result. */
bool record_read_result(const char *folder, unsigned n, sweep_outcome_t *o);

/* Removes all files of a task. */
void record_remove(const char *folder, unsigned n);
/* Copies the last line that the task has printed; "" if there is none. */
void record_last_words(const char *folder, unsigned n, char *text, size_t size);

#endif
