/* SPDX-License-Identifier: Apache-2.0 */
#include "cosim/lockstep/recording.h"

#include "cosim/lockstep/lockstep.h"
#include "cosim/stim/stim.h"

#include <stdlib.h>
#include <string.h>

enum { SEED = 1 };

/* Which outputs count: of our own modules every output after the reset, of a design the outputs
 * that its map says. */
static void count(const lockstep_t *ls, uint64_t *counts) {
  const module_class_t *cls = lockstep_class(ls);
  const foreign_t *design = lockstep_foreign(ls);
  if (lockstep_cycle(ls) < LOCKSTEP_RESET_CYCLES) return;
  for (unsigned i = 0; i < cls->n_out; i++)
    if (!design || foreign_counts(design, i))
      twice_stimulus_count(counts, &lockstep_outputs(ls)[i]);
}

static void draw(const lockstep_t *ls, const stim_class_t *stim, void *state, uint64_t *in) {
  for (unsigned n = 0; n < LOCKSTEP_DRAWS; n++) {
    stim->next(state, lockstep_model(ls), in);
    if (lockstep_assumed(ls, in)) return;
  }
  lockstep_idle(ls, in);
}

/* Plays in lockstep, and goes on after a difference: the questions to a model depend on the model
 * alone. */
static void play(lockstep_t *ls, const stim_class_t *stim, void *state, twice_stimulus_t *to) {
  const module_class_t *cls = lockstep_class(ls);
  for (size_t t = 0; t < to->n; t++) {
    uint64_t *in = to->in + t * cls->in_words;
    if (t >= LOCKSTEP_RESET_CYCLES) draw(ls, stim, state, in);
    (void)lockstep_comb(ls, in);
    memcpy(in, lockstep_in(ls), cls->in_words * sizeof *in);
    if (t >= LOCKSTEP_RESET_CYCLES)
      (void)stim->sample(state, lockstep_model(ls), in, lockstep_out_c(ls));
    count(ls, to->counts + t * cls->out_words);
    (void)lockstep_edge(ls);
  }
}

static int record(const rtl_recording_t *r, twice_stimulus_t *to, mrpb_err_t *err) {
  const stim_class_t *stim = stim_class(r->cls->stem);
  lockstep_t *ls = NULL;
  if (!stim) return mrpb_fail(err, "%s: no stimulus for this module", r->cls->stem);
  void *state = malloc(stim->size);
  int rc = state ? lockstep_open(&ls, r->cls, r->cfg, r->lib, SEED, err)
                 : mrpb_fail(err, "%s: out of memory", r->cls->stem);
  if (rc == 0) {
    stim->start(state, r->cfg, SEED);
    play(ls, stim, state, to);
  }
  lockstep_close(ls);
  free(state);
  return rc;
}

void recording_set(rtl_env_t *env) {
  rtl_env_set_stimulus(env, &(rtl_stimulus_t){.name = "cosim", .record = record});
}
