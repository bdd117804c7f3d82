/* SPDX-License-Identifier: Apache-2.0 */
/* One run of `mrpb run` in a child process. The configuration goes in and the result and messages
 * come out through pipes, so that nothing touches a disk. Internal to tb/studies/sweep. */
#ifndef SWEEP_CHILD_H
#define SWEEP_CHILD_H

#include "base/bound.h"
#include "base/jobs.h"
#include "studies/sweep/sweep.h"

typedef struct {
  char *text;
  size_t n, room;
  int from; /* read end; -1: none */
  int to;   /* the child's end */
} child_stream_t;

/* Must be all zeros at first. */
typedef struct {
  bool open;
  child_stream_t json, said;
  int config;     /* read end of a pipe that holds the whole configuration */
  bound_t *bound; /* NULL: none */
  int bound_fd;
  char started[24];
} child_t;

/* Call in the parent before the fork. Returns 0, or -1 and a message in err. */
int child_open(child_t *c, const sweep_point_t *point, mrpb_err_t *err);
/* Call before the fork: the run ends after so many cycles, which may be lowered later. */
int child_bind(child_t *c, uint64_t cycles, mrpb_err_t *err);
/* Call in the child: replaces it by `mrpb run`. Returns 127 if it cannot. */
int child_become(const child_t *c, const char *program, const sweep_program_t *what);
/* Call in the parent from time to time: reads what has arrived, so that the child does not
 * block. */
void child_drain(child_t *c);
/* Call in the parent when the child has ended: fills in the outcome and closes everything. A run
 * that ended well without a result of `point` counts as failed. */
void child_end(child_t *c, const sweep_point_t *point, const jobs_end_t *end, sweep_outcome_t *o);

/* Closes everything; the child's output is lost. */
void child_close(child_t *c);

#endif
