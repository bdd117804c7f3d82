/* SPDX-License-Identifier: Apache-2.0 */
/* Slurm's commands: sbatch, squeue, scancel. Internal to tb/studies/sweep. */
#ifndef SWEEP_QUEUE_H
#define SWEEP_QUEUE_H

#include "studies/sweep/sweep.h"

enum { QUEUE_NAME = 64 };

/* A batch: the job array whose tasks are in `folder`. Its name is the job's, of nobody else's. */
typedef struct {
  char name[QUEUE_NAME];
  char *folder;
  unsigned n, foreign; /* tasks; those that are another sweep's, and have no result yet */
  size_t *point;       /* of each task, in the list; QUEUE_NONE: of another sweep, or done with */
  bool *listed;        /* of each task: the queue has it */
  bool *runs;
  unsigned char *absent; /* how often, one time after the other, the queue has not had it */
} queue_batch_t;

#define QUEUE_NONE SIZE_MAX

/* Submits it: folder/task.sh with the options of the user. -1 and a message: what sbatch said. */
int queue_submit(const queue_batch_t *b, const char *program, const sweep_slurm_t *how,
                 bool (*stop)(void), mrpb_err_t *err);
/* Which of the tasks of all batches the queue has: fills in `listed`. -1 and a message: nobody knows
 * at the moment. A task that Slurm holds back for good is cancelled, and counts as gone. */
int queue_look(queue_batch_t *batch, size_t n, bool (*stop)(void), mrpb_err_t *err);

#endif
