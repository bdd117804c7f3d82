/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/by_slurm.h"

#include <stdio.h>
#include <unistd.h>

int by_slurm_program(char program[OUTPUT_NAME], mrpb_err_t *err) {
  const ssize_t n = readlink("/proc/self/exe", program, OUTPUT_NAME - 1);
  program[n > 0 ? n : 0] = '\0';
  return n > 0 ? 0 : mrpb_fail(err, "/proc/self/exe: cannot be read");
}

int by_slurm_check(const by_slurm_t *b, bool runs, mrpb_err_t *err) {
  if (!b->asked && (b->n_options || b->folder))
    return mrpb_fail(err, "--sbatch and --folder: legal: with --slurm");
  if (b->asked && !runs)
    return mrpb_fail(err, "--slurm with an option that runs nothing; legal: one of them");
  return 0;
}

int by_slurm_choose(by_slurm_t *b, const char *db, sweep_t *s, mrpb_err_t *err) {
  if (!b->asked) return 0;
  const int n = snprintf(b->own_folder, sizeof b->own_folder, "%s.slurm", db);
  if (n >= (int)sizeof b->own_folder) return mrpb_fail(err, "%.60s...: name too long", db);
  if (by_slurm_program(b->program, err) != 0) return -1;
  b->how = (sweep_slurm_t){b->folder ? b->folder : b->own_folder, b->option, b->n_options};
  s->program = b->program;
  s->slurm = &b->how;
  return 0;
}
