/* SPDX-License-Identifier: Apache-2.0 */
/* The options of commands that may run their work as tasks of Slurm: `mrpb sweep`, `mrpb
 * figures`. */
#ifndef CLI_BY_SLURM_H
#define CLI_BY_SLURM_H

#include "base/output.h"
#include "cli/options.h"
#include "studies/sweep/sweep.h"

enum { BY_SLURM_OPTIONS = 64 };

typedef struct {
  bool asked;
  const char *folder, *option[BY_SLURM_OPTIONS];
  unsigned n_options;
  /* Set by by_slurm_choose. */
  char own_folder[OUTPUT_NAME], program[OUTPUT_NAME];
  sweep_slurm_t how;
} by_slurm_t;

#define CLI_BY_SLURM(type, field)                                                                  \
  CLI_FLAG(type, field.asked, "--slurm", "runs the points as tasks of Slurm job arrays"),          \
      CLI_LIST(type, field.option, field.n_options, BY_SLURM_OPTIONS, "--sbatch", "OPTION",        \
               "an option of sbatch: --sbatch --partition=long"),                                  \
      CLI_TEXT(type, field.folder, "--folder", "DIR",                                              \
               "folder for the tasks' files, visible to every host (DB.slurm)")

/* Checks the options; `runs` says whether the command runs anything. Returns 0, or -1 and a
 * message. */
int by_slurm_check(const by_slurm_t *b, bool runs, mrpb_err_t *err);
/* Makes the sweep run through Slurm if the options ask for it. Returns 0, or -1 and a message. */
int by_slurm_choose(by_slurm_t *b, const char *db, sweep_t *s, mrpb_err_t *err);
/* Gives this program's path as other hosts see it. Returns 0, or -1 and a message. */
int by_slurm_program(char program[OUTPUT_NAME], mrpb_err_t *err);

#endif
