/* SPDX-License-Identifier: Apache-2.0 */
/* One run of `mrpb run` in a child process: its configuration comes, its result and what it says go
 * through pipes, so that nothing of it is on a disk. Internal to tb/studies/sweep. */
#ifndef SWEEP_CHILD_H
#define SWEEP_CHILD_H

#include "base/jobs.h"
#include "studies/sweep/sweep.h"

typedef struct {
  char *text;
  size_t n, room;
  int from; /* read end; -1: none */
  int to;   /* the child's end */
} child_stream_t;

/* Begins as all zeros. */
typedef struct {
  bool open;
  child_stream_t json, said;
  int config; /* read end, with all of the configuration in it */
  char started[24];
} child_t;

/* In the parent, before the fork: -1 and a message. */
int child_open(child_t *c, const sweep_point_t *point, mrpb_err_t *err);
/* In the child: becomes `mrpb run`; 127 if it cannot. */
int child_become(const child_t *c, const char *program, const sweep_program_t *what);
/* In the parent: reads what is there, now and then, lest the child waits. */
void child_drain(child_t *c);
/* In the parent, when it has ended: what became of it, and nothing of it is left open. A run that
 * ended well without a result of `point` is a failed one. */
void child_end(child_t *c, const sweep_point_t *point, const jobs_end_t *end, sweep_outcome_t *o);

/* Nothing of it is left open; what it was is lost. */
void child_close(child_t *c);

#endif
