/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/contract/record.h"

#include <stdlib.h>

enum { SEED = 1 };

/* Plays an ordinary episode from cycle `from` on, from a reset; what the outputs are counts only if
 * `counts`. Returns the cycle in which a clause is violated, which does not count, since what
 * breaks it may be a power-up value; else the number of cycles. */
static size_t play(const contract_setup_t *s, contract_play_t *p, void *env, twice_stimulus_t *to,
                   size_t from, bool counts) {
  const contract_t *of = s->of;
  of->env_start(env, SEED + from, of->episode[0]); /* with resets */
  for (size_t t = from; t < to->n; t++) {
    uint64_t *now = to->in + t * of->cls->in_words;
    of->env_next(env, contract_play_model(p), now);
    if (!contract_play_cycle(p, now)) return t;
    if (counts && t >= CONTRACT_HEAD)
      of->counts(s, now, contract_play_out(p), to->counts + t * of->cls->out_words);
  }
  return to->n;
}

int contract_record(const contract_setup_t *s, twice_stimulus_t *to, mrpb_err_t *err) {
  void *env = calloc(1, s->of->env_bytes);
  int rc = env ? 0 : -1;
  for (size_t t = 0; rc == 0 && t < to->n;) {
    contract_play_t *p = contract_play_open(s, SEED);
    if (!p) rc = -1;
    const size_t next = p ? play(s, p, env, to, t, t == 0) : to->n;
    t = next < to->n ? next + 1 : next;
    contract_play_close(p);
  }
  if (rc != 0) mrpb_fail(err, "out of memory");
  free(env);
  return rc;
}
