/* SPDX-License-Identifier: Apache-2.0 */
/* Draws phases of 16 to some hundred cycles. Each has its own densities, lines and order of the
 * fills. In long episodes some phases have up to 2^17 cycles. */
#include "verify/conform/env.h"

#include <string.h>

enum { OLDEST, NEWEST, ANY, ALL_BUT_OLDEST, ALL_BUT_NEWEST, ONLY_NEWEST, ORDERS = ONLY_NEWEST };
/* What does not happen in a long phase. */
enum { NO_ANSWERS, NO_REQUESTS, NO_FILLS, NO_OLD_FILLS, NO_READS, LACKS };
enum { SHORTEST_LONG = 12, LONGEST_LONG = 17 };

void conform_env_start(conform_env_t *e, uint64_t seed, size_t cycles) {
  memset(e, 0, sizeof *e);
  e->rng = prng_seed(seed, 1);
  e->steady = cycles > CONFORM_EPISODE;
  e->cycles = cycles;
}

/* Draws the lines of a phase: consecutive ones, lines of one set, lines a single bit apart, or
 * any. */
static void new_pool(conform_env_t *e, const conform_cfg_t *c) {
  const uint64_t mask = bits_mask(c->ADDR_W);
  const unsigned kind = prng_below(&e->rng, 4);
  const unsigned most = 2 * c->ENTRIES + 2 < CONFORM_POOL ? 2 * c->ENTRIES + 2 : CONFORM_POOL;
  const uint64_t base = prng_chance(&e->rng, 500) ? 0 : prng_next(&e->rng);
  const uint64_t step = kind == 1 ? c->SETS : UINT64_C(1) << prng_below(&e->rng, c->ADDR_W);
  e->n_pool =
      prng_chance(&e->rng, 250) ? 1 + prng_below(&e->rng, 2) : 1 + prng_below(&e->rng, most);
  for (unsigned i = 0; i < e->n_pool; i++)
    e->pool[i] = (kind == 0 ? base + i : kind < 3 ? base + i * step : prng_next(&e->rng)) & mask;
}

/* A phase without stalls or gaps. */
static void flow(conform_env_t *e, const conform_model_t *m) {
  e->read = e->fill = e->ready = e->line = 1000;
  e->burst = false;
  e->order = prng_below(&e->rng, ANY + 1);
  e->left = 256 + prng_below(&e->rng, 64 * m->cfg.ENTRIES);
}

/* A phase of 2^12 to 2^17 cycles in which one thing does not happen, if the episode has enough
 * cycles left. */
static void long_phase(conform_env_t *e, const conform_model_t *m) {
  const unsigned lacks = prng_below(&e->rng, LACKS);
  const unsigned power = SHORTEST_LONG + prng_below(&e->rng, LONGEST_LONG - SHORTEST_LONG + 1);
  if (m->cycle + (UINT64_C(1) << power) >= e->cycles) return;
  flow(e, m);
  e->left = (1u << power) + prng_below(&e->rng, 64);
  e->read = prng_chance(&e->rng, 500) ? 1000 : 30;
  if (lacks == NO_ANSWERS) e->ready = 0;
  if (lacks == NO_REQUESTS) e->line = 0;
  if (lacks == NO_FILLS) e->fill = 0;
  if (lacks == NO_OLD_FILLS) e->order = ONLY_NEWEST;
  if (lacks == NO_READS) e->read = 0;
}

static void new_phase(conform_env_t *e, const conform_model_t *m) {
  static const unsigned densities[] = {0, 30, 250, 500, 800, 1000, 1000};
  enum { N = sizeof densities / sizeof *densities };
  prng_t *r = &e->rng;
  e->left = 16 + prng_below(r, 32 + 8 * m->cfg.ENTRIES);
  e->read = densities[1 + prng_below(r, N - 1)];
  e->fill = densities[prng_below(r, N)];
  e->ready = densities[2 + prng_below(r, N - 2)];
  e->line = densities[1 + prng_below(r, N - 1)];
  e->again = prng_chance(r, 300) ? 500 : 0;
  e->reset = prng_chance(r, 300) ? 20 : 0;
  e->order = prng_below(r, ORDERS);
  e->burst = prng_chance(r, 200);
  e->pouring = false;
  if (prng_chance(r, 120)) { /* drain the table, which must then be empty */
    e->read = prng_chance(r, 500) ? 0 : 30;
    e->fill = e->ready = e->line = 1000;
    e->burst = false;
    e->order = OLDEST;
    e->left = 16 + (prng_chance(r, 300) ? 2 * m->patience : prng_below(r, 8 * m->cfg.ENTRIES));
  }
  if (e->steady) {
    e->reset = 0;
    if (prng_chance(r, 250)) flow(e, m);
    if (prng_chance(r, 30)) long_phase(e, m);
  }
  if (prng_chance(r, 400)) new_pool(e, &m->cfg);
}

static const conform_entry_t *choose(conform_env_t *e, const conform_model_t *m) {
  const unsigned n = m->fills;
  const bool hold = e->order >= ALL_BUT_OLDEST;
  if (n == 0 || (hold && n < 2)) return NULL;
  unsigned k = prng_below(&e->rng, n);
  if (e->order == OLDEST) k = 0;
  if (e->order == NEWEST || e->order == ONLY_NEWEST) k = n - 1;
  if (e->order == ALL_BUT_OLDEST) k = 1 + prng_below(&e->rng, n - 1);
  if (e->order == ALL_BUT_NEWEST) k = prng_below(&e->rng, n - 1);
  for (unsigned i = 0; i < m->n; i++)
    if (m->e[i].requested && !m->e[i].filled && k-- == 0) return &m->e[i];
  return NULL;
}

static void offer_fill(conform_env_t *e, const conform_model_t *m, conform_in_t *in) {
  if (e->burst) {
    if (m->n >= m->limit) e->pouring = true;
    if (m->fills == 0) e->pouring = false;
    if (!e->pouring && !prng_chance(&e->rng, 4)) return;
  } else if (!prng_chance(&e->rng, e->fill)) {
    return;
  }
  const conform_entry_t *f = choose(e, m);
  if (!f) return;
  in->fill_valid_i = 1;
  in->fill_addr_i = e->last_fill = f->addr;
}

static void offer_read(conform_env_t *e, const conform_model_t *m, conform_in_t *in) {
  if (!prng_chance(&e->rng, e->read)) return;
  in->read_valid_i = 1;
  in->read_addr_i = e->pool[prng_below(&e->rng, e->n_pool)];
  if (prng_chance(&e->rng, e->again)) {
    in->read_addr_i = e->last_fill;
    if (m->n > 0 && prng_chance(&e->rng, 500))
      in->read_addr_i = m->e[prng_below(&e->rng, m->n)].addr;
  }
  in->read_tag_i = prng_chance(&e->rng, 900) ? e->tag++ : prng_next(&e->rng);
  in->read_tag_i &= bits_mask(m->cfg.TAG_W);
}

void conform_env_next(conform_env_t *e, conform_model_t *m, conform_in_t *in) {
  memset(in, 0, sizeof *in);
  if (e->n_pool == 0) new_pool(e, &m->cfg);
  if (e->left-- == 0) new_phase(e, m);
  if (e->resetting == 0 && e->reset && prng_chance(&e->rng, e->reset))
    e->resetting = 1 + prng_below(&e->rng, 2);
  in->srst_ni = m->cycle >= 2 && e->resetting == 0;
  e->resetting -= e->resetting > 0;
  in->answer_ready_i = prng_chance(&e->rng, e->ready);
  in->line_ready_i = prng_chance(&e->rng, e->line);
  if (in->srst_ni) {
    offer_fill(e, m, in);
    offer_read(e, m, in);
  }
  conform_model_legal(m, in);
}
