/* SPDX-License-Identifier: Apache-2.0 */
/* Checks a designer's own VCD of a module against the C model: its inputs drive the model, and the
 * outputs that it contains are compared. Of a user's design only the stimulus is used.
 * docs/verify/waves.md */
#ifndef COSIM_VCD_REPLAY_H
#define COSIM_VCD_REPLAY_H

#include "cosim/vcd/vcd_bind.h"
#include "cosim/vectors/vectors.h"
#include "verilog/design/bind.h"

#include <jansson.h>
#include <stdio.h>

typedef struct {
  const module_class_t *cls;
  uint32_t cfg[MODULE_MAX_PARAMS]; /* set where the dump has the parameters */
  vcd_choice_t choice;
  const bind_t *design; /* the design in the dump, at this size; NULL: our module */
  const char *path;
  const char *vcd;     /* the wave around the first difference, or NULL */
  const char *program; /* how to call it again: "build/mrpb" */
  FILE *out;
  bool (*stop)(void); /* polled; true ends the run; may be NULL */
  json_t **result;    /* as in cosim_job_t (cosim/run.h) */
} vcd_replay_t;

/* Runs the replay and prints the outcome. `keep`, which may be NULL, receives the stimulus, and the
 * caller frees it. Returns the exit code (COSIM_..., cosim/run.h); wrong input leaves a message in
 * err. */
int vcd_replay_run(vcd_replay_t *job, vectors_t *keep, mrpb_err_t *err);

/* Writes the command that repeats the replay. */
void vcd_replay_command(const vcd_replay_t *job, char *text, size_t size);

#endif
