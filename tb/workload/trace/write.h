/* SPDX-License-Identifier: Apache-2.0 */
/* The writers of traces. What they write gets its name when it is complete, and only then. */
#ifndef TRACE_WRITE_H
#define TRACE_WRITE_H

#include "workload/trace/store.h"

/* Where a record comes from. */
typedef struct {
  uint32_t block, warp;
  uint64_t loads; /* of the warp before it */
  uint64_t insts; /* of the warp before its gap */
} trace_from_t;

typedef struct trace_writer trace_writer_t;

/* All: 0, or -1 and a message, after which only close may follow. */
struct trace_writer {
  int (*launch)(trace_writer_t *w, const launch_t *l, mrpb_err_t *err);
  int (*record)(trace_writer_t *w, const trace_from_t *from, const trace_record_t *r,
                mrpb_err_t *err);
  /* Everything is there: it gets its name. */
  int (*end)(trace_writer_t *w, mrpb_err_t *err);
  /* Removes what is not complete. */
  void (*close)(trace_writer_t *w);
};

/* This project's text, compressed as the name says. */
int trace_write_text(trace_writer_t **out, const char *path, mrpb_err_t *err);
/* Accel-Sim 2.0's files: a kernel launch as `path` (.tracez), or, if `path` is a list (.g), each as
 * kernel-N.tracez beside it. */
int trace_write_tracez(trace_writer_t **out, const char *path, mrpb_err_t *err);

#endif
