/* SPDX-License-Identifier: Apache-2.0 */
/* The readers of the trace formats. Those of text take the lines behind the one that told the format.
 * 0, or -1 and a message with the place. */
#ifndef TRACE_READ_H
#define TRACE_READ_H

#include "base/lines.h"
#include "workload/trace/accel.h"
#include "workload/trace/store.h"

int trace_read_text(trace_store_t *s, lines_t *l, const char *path, mrpb_err_t *err);

/* A kernel of Accel-Sim's tracer, as text; `first` is its first line. `note` (may be NULL) gets the
 * latest line of the header that is not known. */
int trace_read_accelsim(trace_store_t *s, lines_t *l, const char *first, const char *path,
                        mrpb_err_t *note, mrpb_err_t *err);
/* The rest of one that is not grouped by thread blocks, from `first` on; `a` has its header. */
int trace_read_raw(accel_t *a, lines_t *l, const char *first, const char *path, mrpb_err_t *err);
/* A kernel in the file of Accel-Sim 2.0 that is grouped, indexed and compressed (.tracez). */
int trace_read_tracez(trace_store_t *s, const char *path, mrpb_err_t *note, mrpb_err_t *err);
/* A list of such kernels, names relative to the list's folder. */
int trace_read_list(trace_store_t *s, lines_t *l, const char *first, const char *path,
                    mrpb_err_t *note, mrpb_err_t *err);

/* Is `path` named as a .tracez? */
bool trace_is_tracez(const char *path);
/* What is said of a header line that is not known. */
void trace_note_unknown(accel_t *a, const char *path, unsigned long number, const char *line,
                        mrpb_err_t *note);

#endif
