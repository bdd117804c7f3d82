/* SPDX-License-Identifier: Apache-2.0 */
/* Slurm's commands sbatch, squeue and scancel. Internal to tb/studies/sweep. */
#ifndef SWEEP_QUEUE_H
#define SWEEP_QUEUE_H

#include "studies/sweep/sweep.h"

enum { QUEUE_NAME = 64 };

/* A batch: the job array whose tasks are in `folder`. The job has the batch's name, and no other
 * job has it. */
typedef struct {
  char name[QUEUE_NAME];
  char *folder;
  unsigned n, foreign; /* n: tasks; foreign: those of another sweep that have no result yet */
  size_t *point;       /* each task's point in the list; QUEUE_NONE: another sweep's, or finished */
  bool *listed;        /* per task: the queue knows it */
  bool *runs;
  unsigned char *absent; /* per task: how many times in a row the queue has not known it */
} queue_batch_t;

#define QUEUE_NONE SIZE_MAX

/* Submits the batch: folder/task.sh with the user's options. Returns 0, or -1 and sbatch's message
 * in err. */
int queue_submit(const queue_batch_t *b, const char *program, const sweep_slurm_t *how,
                 bool (*stop)(void), mrpb_err_t *err);
/* Asks the queue which tasks of all batches it knows, and fills in `listed`. Returns 0, or -1 and a
 * message in err if the queue cannot be asked now. A task that Slurm holds back for good is
 * cancelled and counts as gone. */
int queue_look(queue_batch_t *batch, size_t n, bool (*stop)(void), mrpb_err_t *err);

#endif
