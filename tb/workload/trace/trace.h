/* SPDX-License-Identifier: Apache-2.0 */
/* Traces of warp memory instructions: a stream that is recorded once and replayed into the memory
 * path without its kernel. docs/trace.md defines the format; Accel-Sim's kernel traces (.trace,
 * .traceg, .tracez) and lists of them (kernelslist.g) are read as well. Of all other instructions,
 * a trace keeps only how many there were and which loads they waited for. A trace is read once,
 * completely, into a temporary file; the memory needed does not depend on its length. */
#ifndef TRACE_H
#define TRACE_H

#include "err.h"
#include "workload/workload.h"

/* Opens `path`, plain or compressed, as a workload. Returns 0, or -1 and "file:line: what; what is
 * legal" in err. `note` (may be NULL) receives one line about ignored header lines, if there were
 * any. */
int trace_open(workload_t **out, const char *path, mrpb_err_t *note, mrpb_err_t *err);

/* Creates a workload that behaves as `inner` and writes what it issues to `path`: in this project's
 * format, compressed if the name ends in .xz, .gz or .zst; in Accel-Sim's if it ends in .tracez, or
 * in .g (a list, with each launch in a file beside it). It takes ownership of `inner`. The complete
 * file appears when workload_check is called; a failure before that ends the run as a fault. */
int trace_record(workload_t **out, workload_t *inner, const char *path, mrpb_err_t *err);

#endif
