/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/contract/record.h"

#include <stdlib.h>
#include <string.h>

enum { SEED = 1 };

/* Returns the number of cycles played until a clause is violated. */
static size_t play(const contract_setup_t *s, contract_play_t *p, void *env, twice_stimulus_t *to) {
  const contract_t *of = s->of;
  of->env_start(env, SEED, of->episode[0]); /* an ordinary episode: with resets */
  for (size_t t = 0; t < to->n; t++) {
    uint64_t *now = to->in + t * of->cls->in_words;
    of->env_next(env, contract_play_model(p), now);
    const bool good = contract_play_cycle(p, now);
    if (t >= CONTRACT_HEAD)
      of->counts(s, now, contract_play_out(p), to->counts + t * of->cls->out_words);
    if (!good) return t + 1;
  }
  return to->n;
}

static void go_on(const contract_setup_t *s, twice_stimulus_t *to, size_t from) {
  const module_class_t *cls = s->of->cls;
  twice_field_t field[TWICE_FIELDS];
  twice_stimulus_t rest = {.n = to->n - from,
                           .in = to->in + from * cls->in_words,
                           .counts = to->counts + from * cls->out_words};
  const unsigned n = twice_stimulus_fields(cls, s->cfg, field);
  twice_stimulus_random(&rest, cls, s->cfg, field, n, SEED);
  memset(rest.counts, 0, rest.n * cls->out_words * sizeof *rest.counts);
}

int contract_record(const contract_setup_t *s, twice_stimulus_t *to, mrpb_err_t *err) {
  void *env = calloc(1, s->of->env_bytes);
  contract_play_t *p = env ? contract_play_open(s, SEED) : NULL;
  if (p) go_on(s, to, play(s, p, env, to));
  const int rc = p ? 0 : mrpb_fail(err, "out of memory");
  contract_play_close(p);
  free(env);
  return rc;
}
