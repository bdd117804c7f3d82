/* SPDX-License-Identifier: Apache-2.0 */
/* Plays a recorded stimulus in lockstep. */
#include "cosim/vectors/play.h"

play_t play_on(lockstep_t *ls, const vectors_t *v, play_fn each, void *ctx) {
  for (uint64_t t = 0; t < v->n; t++) {
    bool same = lockstep_comb(ls, vectors_cycle(v, t));
    if (each) each(ctx, ls);
    if (!same) return (play_t){.differs = true, .cycle = t};
    if (!lockstep_edge(ls)) return (play_t){.differs = true, .regs = true, .cycle = t};
  }
  return (play_t){.cycle = v->n};
}

int play_run(play_t *play, const vectors_t *v, const rtl_lib_t *lib, mrpb_err_t *err) {
  lockstep_t *ls;
  if (lockstep_open_twin(&ls, v->cls, v->cfg, lib, v->seed, err) != 0) return -1;
  *play = play_on(ls, v, NULL, NULL);
  lockstep_close(ls);
  return 0;
}
