/* SPDX-License-Identifier: Apache-2.0 */
/* A task's files in the folder of its batch: N.point says what to run, N.result what became of it.
 * Each is complete or not there. Internal to tb/studies/sweep. */
#ifndef SWEEP_RECORD_H
#define SWEEP_RECORD_H

#include "studies/sweep/sweep.h"

int record_write_point(const char *folder, unsigned n, const sweep_program_t *program,
                       const sweep_point_t *point, mrpb_err_t *err);
/* Into an empty list, which then has this one point. -1 and a message: not there, not whole, or of
 * another version of results. */
int record_read_point(const char *folder, unsigned n, sweep_list_t *l, mrpb_err_t *err);

int record_write_result(const char *folder, unsigned n, const sweep_outcome_t *o, mrpb_err_t *err);
/* False: it is not there. */
bool record_read_result(const char *folder, unsigned n, sweep_outcome_t *o);

/* Removes all of a task. */
void record_remove(const char *folder, unsigned n);
/* The last line that the task has printed; "" if there is none. */
void record_last_words(const char *folder, unsigned n, char *text, size_t size);

#endif
