/* SPDX-License-Identifier: Apache-2.0 */
/* The readers of the trace formats. Readers of text begin behind the line that identified the
 * format. They return 0, or -1 and a message with the place. */
#ifndef TRACE_READ_H
#define TRACE_READ_H

#include "base/lines.h"
#include "workload/trace/accel.h"
#include "workload/trace/store.h"

/* Reads a kernel of Accel-Sim's tracer as text; `first` is its first line. `note` (may be NULL)
 * receives the latest header line that is unknown. */
int trace_read_accelsim(trace_store_t *s, lines_t *l, const char *first, const char *path,
                        mrpb_err_t *note, mrpb_err_t *err);
/* Reads the rest of a kernel that is not grouped by thread blocks, from line `first` on; `a` holds
 * its header. */
int trace_read_raw(accel_t *a, lines_t *l, const char *first, const char *path, mrpb_err_t *err);
/* Reads a kernel from a .tracez, the grouped, indexed and compressed file of Accel-Sim 2.0. */
int trace_read_tracez(trace_store_t *s, const char *path, mrpb_err_t *note, mrpb_err_t *err);
/* Reads a list of such kernels, whose names are relative to the list's folder. */
int trace_read_list(trace_store_t *s, lines_t *l, const char *first, const char *path,
                    mrpb_err_t *note, mrpb_err_t *err);

/* Whether `path` has the name of a .tracez. */
bool trace_is_tracez(const char *path);
/* Writes the note about an unknown header line, if the latest line has an unknown key. */
void trace_note_unknown(accel_t *a, const char *path, unsigned long number, const char *line,
                        mrpb_err_t *note);

#endif
