/* SPDX-License-Identifier: Apache-2.0 */
/* A single bit may equal its power-up value by chance; in many runs it does not. */
#include "cosim/shrink/unset.h"

#include "cosim/vectors/play.h"

#include <stdio.h>
#include <string.h>

enum { RUNS = 16, ENOUGH = 3 };

/* The piece of a register that the difference is about, as an instance holds it now. */
static uint64_t piece_of(const lockstep_t *ls, const lockstep_diff_t *d) {
  const shim_view_t *views = lockstep_regs_rtl(ls);
  const unsigned byte = d->lsb / 8;
  uint64_t value = 0;
  for (unsigned i = 0; i < lockstep_class(ls)->n_regs; i++) {
    if (strcmp(views[i].name, d->name) != 0 || byte >= views[i].elem_bytes) continue;
    const unsigned left = views[i].elem_bytes - byte;
    memcpy(&value, (const char *)views[i].data + (size_t)d->elem * views[i].elem_bytes + byte,
           left < 8 ? left : 8);
  }
  return value;
}

typedef enum { NO_DIFFERENCE, AS_POWERED_UP, WRITTEN } unset_t;

static unset_t one_run(const vectors_t *v, const rtl_lib_t *lib, uint64_t seed,
                       lockstep_diff_t *diff) {
  lockstep_t *ls, *fresh = NULL;
  unset_t result = WRITTEN;
  if (lockstep_open(&ls, v->cls, v->cfg, lib, seed, NULL) != 0) return WRITTEN;
  const play_t play = play_on(ls, v, NULL, NULL);
  if (!play.differs)
    result = NO_DIFFERENCE;
  else if (play.regs && play.cycle + 1 == v->n && lockstep_diffs(ls, true, diff, 1) > 0 &&
           lockstep_open(&fresh, v->cls, v->cfg, lib, seed, NULL) == 0)
    result = piece_of(fresh, diff) == diff->rtl ? AS_POWERED_UP : WRITTEN;
  lockstep_close(fresh);
  lockstep_close(ls);
  return result;
}

bool unset_register(const vectors_t *v, const rtl_lib_t *lib, char *name, size_t size) {
  unsigned found = 0;
  lockstep_diff_t diff;
  if (rtl_lib_bind(lib)) return false; /* in a design, unset state is not compared */
  for (uint64_t k = 0; k < RUNS; k++) {
    const unset_t run = one_run(v, lib, v->seed + k, &diff);
    if (run == WRITTEN) return false;
    if (run == NO_DIFFERENCE) continue;
    if (found++ == 0) snprintf(name, size, "%s", diff.name);
  }
  return found >= ENOUGH;
}
