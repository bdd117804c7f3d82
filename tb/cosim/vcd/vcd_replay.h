/* SPDX-License-Identifier: Apache-2.0 */
/* A designer's own VCD of a module against the C model: its inputs drive the model, the outputs
 * that it has are compared. Of a design of the user's only the stimulus is taken. docs/verify/waves.md */
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
  const bind_t *design; /* the dump is of that, at this size; NULL: of our module */
  const char *path;
  const char *vcd;     /* the wave around the first difference, or NULL */
  const char *program; /* how to call it again: "build/mrpb" */
  FILE *out;
  bool (*stop)(void); /* asked now and then: true ends the run; may be NULL */
  json_t **result;    /* as that of cosim_job_t (cosim/run.h) */
} vcd_replay_t;

/* Runs it and prints the outcome. `keep`, which may be NULL, becomes the stimulus: the caller frees
 * it. Returns the exit code (COSIM_..., cosim/run.h); input that is wrong leaves a message. */
int vcd_replay_run(vcd_replay_t *job, vectors_t *keep, mrpb_err_t *err);

/* The command that does it again. */
void vcd_replay_command(const vcd_replay_t *job, char *text, size_t size);

#endif
