/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/conform/record.h"

#include "verify/conform/env.h"

#include <stdlib.h>
#include <string.h>

enum { SEED = 1, POWERED = 2 /* cycles of the first reset */ };

/* Whether the contract looks at this output: the signals of a request or an acceptance count only
 * while there is one. */
static bool looks_at(const char *name, const conform_in_t *in, const conform_out_t *out) {
  const struct {
    const char *name;
    bool when;
  } rule[] = {{"read_ready_o", in->read_valid_i},
              {"read_merge_o", in->read_valid_i && out->read_ready_o},
              {"read_ticket_o", in->read_valid_i && out->read_ready_o},
              {"read_refuse_o", in->read_valid_i && !out->read_ready_o},
              {"line_addr_o", out->line_valid_o},
              {"line_ticket_o", out->line_valid_o},
              {"fill_ready_o", in->fill_valid_i}};
  for (size_t i = 0; i < sizeof rule / sizeof *rule; i++)
    if (strcmp(rule[i].name, name) == 0) return in->srst_ni && rule[i].when;
  return in->srst_ni;
}

/* Of the tags and lines of answers, those of the valid ways count. */
static void count_ways(uint64_t *counts, const module_port_t *port, uint64_t valid, unsigned ways) {
  const unsigned each = port->width / ways;
  for (unsigned bit = 0; bit < port->width; bit++)
    if (valid >> bit / each & 1) counts[port->word + bit / 64] |= UINT64_C(1) << bit % 64;
}

static void count(const conform_setup_t *s, const module_port_t *port, const conform_in_t *in,
                  const conform_out_t *out, uint64_t *counts) {
  for (unsigned i = 0; i < CONFORM_OUTS; i++) {
    const bool ways =
        strcmp(port[i].name, "answer_tag_o") == 0 || strcmp(port[i].name, "answer_addr_o") == 0;
    if (!s->bind->output[i].there) continue;
    if (ways && in->srst_ni)
      count_ways(counts, &port[i], out->answer_valid_o, s->cfg.WAYS);
    else if (!ways && looks_at(port[i].name, in, out))
      twice_stimulus_count(counts, &port[i]);
  }
}

/* Returns the number of cycles played until a clause is violated. */
static size_t play(const conform_setup_t *s, conform_play_t *p, conform_env_t *env,
                   twice_stimulus_t *to) {
  module_port_t in[CONFORM_INS], out[CONFORM_OUTS];
  conform_ports(&s->cfg, in, out);
  conform_env_start(env, SEED, CONFORM_EPISODE); /* an ordinary episode: with resets */
  for (size_t t = 0; t < to->n; t++) {
    conform_in_t *now = (conform_in_t *)(void *)(to->in + t * CONFORM_IN_WORDS);
    conform_env_next(env, conform_play_model(p), now);
    const bool good = conform_play_cycle(p, now);
    if (t >= POWERED) count(s, out, now, conform_play_out(p), to->counts + t * CONFORM_OUT_WORDS);
    if (!good) return t + 1;
  }
  return to->n;
}

static void go_on(const conform_setup_t *s, twice_stimulus_t *to, size_t from) {
  const uint32_t *cfg = (const uint32_t *)(const void *)&s->cfg;
  twice_field_t field[TWICE_FIELDS];
  twice_stimulus_t rest = {.n = to->n - from,
                           .in = to->in + from * CONFORM_IN_WORDS,
                           .counts = to->counts + from * CONFORM_OUT_WORDS};
  const unsigned n = twice_stimulus_fields(&conform_class, cfg, field);
  twice_stimulus_random(&rest, &conform_class, cfg, field, n, SEED);
  memset(rest.counts, 0, rest.n * CONFORM_OUT_WORDS * sizeof *rest.counts);
}

int conform_record(const conform_setup_t *s, twice_stimulus_t *to, mrpb_err_t *err) {
  conform_env_t *env = malloc(sizeof *env);
  conform_play_t *p = env ? conform_play_open(s, SEED) : NULL;
  if (p) go_on(s, to, play(s, p, env, to));
  const int rc = p ? 0 : mrpb_fail(err, "out of memory");
  conform_play_close(p);
  free(env);
  return rc;
}
