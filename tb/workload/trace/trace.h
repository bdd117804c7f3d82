/* SPDX-License-Identifier: Apache-2.0 */
/* Traces of warp memory instructions: a stream recorded once and replayed into the memory path
 * without its kernel. The format is docs/trace.md's; Accel-Sim's kernel traces (.trace, .traceg,
 * .tracez) and lists of them (kernelslist.g) are read too. What a trace keeps of the other
 * instructions is how many there were and which loads they had to wait for. A trace of any length
 * is read once, whole, into a temporary file, and needs the same memory. */
#ifndef TRACE_H
#define TRACE_H

#include "err.h"
#include "workload/workload.h"

/* Opens `path`, plain or compressed, as a workload. -1 and "file:line: what; what is legal". `note` (may be
 * NULL) gets one line about what was passed over, if anything was. */
int trace_open(workload_t **out, const char *path, mrpb_err_t *note, mrpb_err_t *err);

/* A workload that is `inner` and writes what it issues to `path`: this project's format, compressed if
 * the name ends in .xz, .gz or .zst; Accel-Sim's if it ends in .tracez, or in .g (a list, and each
 * launch beside it). It takes `inner` over. The file appears, complete, when workload_check has been
 * called; what fails before ends the run as a fault. */
int trace_record(workload_t **out, workload_t *inner, const char *path, mrpb_err_t *err);

#endif
