/* SPDX-License-Identifier: Apache-2.0 */
/* The writers of traces. A file gets its name only when it is complete. */
#ifndef TRACE_WRITE_H
#define TRACE_WRITE_H

#include "workload/trace/store.h"

/* Where a record comes from. */
typedef struct {
  uint32_t block, warp;
  uint64_t loads; /* of the warp, before the record */
  uint64_t insts; /* of the warp, before the record's gap */
} trace_from_t;

typedef struct trace_writer trace_writer_t;

/* The functions return 0, or -1 and a message; after an error, only close may be called. */
struct trace_writer {
  int (*launch)(trace_writer_t *w, const launch_t *l, mrpb_err_t *err);
  int (*record)(trace_writer_t *w, const trace_from_t *from, const trace_record_t *r,
                mrpb_err_t *err);
  /* Completes the output and gives it its name. */
  int (*end)(trace_writer_t *w, mrpb_err_t *err);
  /* Removes output that is not complete. */
  void (*close)(trace_writer_t *w);
};

/* This project's text format, compressed according to the name. */
int trace_write_text(trace_writer_t **out, const char *path, mrpb_err_t *err);
/* Accel-Sim 2.0's files: one kernel launch as `path` (.tracez), or, if `path` is a list (.g), each
 * launch as kernel-N.tracez beside it. */
int trace_write_tracez(trace_writer_t **out, const char *path, mrpb_err_t *err);

#endif
