/* SPDX-License-Identifier: Apache-2.0 */
/* Draws phases of 16 to some hundred cycles, each with its own densities, lines and memory. */
#include "verify/path/env.h"

#include <string.h>

enum { OLDEST, NEWEST, ANY, ORDERS };
enum { ONE_WORD, ONE_LINE, CONSECUTIVE, ANYWHERE, SPREADS }; /* of the lanes */
enum { FEW = 4 };      /* lines of a long phase without stalls */
enum { TRIES = 16 };   /* for a line of which nothing is unanswered */
enum { STARVED = 64 }; /* cycles after which a burst is answered although it is not complete */

void path_env_start(path_env_t *e, uint64_t seed, size_t cycles) {
  memset(e, 0, sizeof *e);
  e->rng = prng_seed(seed, 1);
  e->steady = cycles > PATH_EPISODE;
}

/* ---- phases ---- */

/* Draws the lines of a phase: consecutive ones, a power of two apart, or any. */
static void new_pool(path_env_t *e, const path_cfg_t *c) {
  prng_t *r = &e->rng;
  const uint64_t mask = bits_mask(c->ADDR_W) & ~(uint64_t)(c->LINE - 1);
  const unsigned kind = prng_below(r, 4), lines = c->ADDR_W - bits_index_w(c->LINE);
  const uint64_t base = prng_chance(r, 500) ? 0 : prng_next(r);
  const uint64_t step = kind == 0 ? c->LINE : (uint64_t)c->LINE << prng_below(r, lines + 1);
  const unsigned few = 1 + prng_below(r, 4), many = 1 + prng_below(r, PATH_POOL);
  e->n_pool = prng_chance(r, 100) ? 1 : prng_chance(r, 500) ? few : many;
  for (unsigned i = 0; i < e->n_pool; i++)
    e->pool[i] = (kind < 3 ? base + i * step : prng_next(r)) & mask;
}

static unsigned density(path_env_t *e, unsigned from) {
  static const unsigned densities[] = {0, 30, 250, 500, 800, 1000, 1000};
  enum { N = sizeof densities / sizeof *densities };
  return densities[from + prng_below(&e->rng, N - from)];
}

static void new_memory(path_env_t *e) {
  prng_t *r = &e->rng;
  static const unsigned times[] = {0, 0, 4, 20, 100};
  e->least = times[prng_below(r, 5)];
  e->most = e->least + times[prng_below(r, 5)];
  e->order = prng_below(r, ORDERS);
  e->burst = prng_chance(r, 250) ? 2 + prng_below(r, 6) : 0;
  e->pouring = false;
  e->mem_ready = density(e, 1);
}

/* Nothing waits. In a long episode for a long time, so that thousands of requests follow each
 * other. */
static void flow(path_env_t *e) {
  e->request = e->ready = e->mem_ready = 1000;
  e->least = e->most = e->burst = e->flush = 0;
  if (e->steady) e->left += prng_below(&e->rng, 4096);
}

/* Some requests wait, and others of other lines go on, for so long that those which wait are overdue. */
static void pass_by(path_env_t *e, const path_model_t *m) {
  e->shun = true;
  e->stay = 0;
  e->store = prng_chance(&e->rng, 700) ? 1000 : 0;
  e->left += (prng_chance(&e->rng, 250) ? 17 : 2) * m->patience;
}

static void new_phase(path_env_t *e, const path_model_t *m) {
  prng_t *r = &e->rng;
  e->left = 16 + prng_below(r, 300);
  e->request = density(e, 1);
  e->ready = density(e, 2);
  e->lane = density(e, 1);
  e->store = prng_chance(r, 200) ? 0 : density(e, 1);
  e->part = density(e, 0);
  e->bypass = prng_chance(r, 300) ? density(e, 0) : 0;
  e->again = prng_chance(r, 400) ? 400 : 30;
  e->fetched = prng_chance(r, 400) ? 500 : 0;
  e->stay = prng_chance(r, 700) ? 1000 : 500;
  e->flush = prng_chance(r, 300) ? 1 + prng_below(r, 20) : 0;
  e->reset = prng_chance(r, 100) && !e->steady ? 10 : 0;
  e->lanes = prng_below(r, SPREADS);
  new_memory(e);
  if (prng_chance(r, m->cfg.BACK ? 10 : 40)) e->request = 0; /* stores must drain */
  const bool flows = prng_chance(r, e->steady ? 400 : 150);
  if (flows) flow(e);
  if (!e->request) e->left += 2 * m->patience;
  e->shun = false;
  if (flows && e->steady && prng_chance(r, 100)) pass_by(e, m);
  if (prng_chance(r, 400)) new_pool(e, &m->cfg);
  if (flows && e->steady && e->n_pool > FEW) e->n_pool = FEW; /* many hits */
}

/* ---- requests ---- */

static uint64_t word_in(path_env_t *e, const path_cfg_t *c, uint64_t line) {
  return line + c->WORD * prng_below(&e->rng, c->LINE / c->WORD);
}

static bool awaited(const path_model_t *m, uint64_t addr) {
  for (unsigned i = 0; i < m->n_open; i++) {
    const path_open_t *o = &m->of[m->open[i] / PATH_TAGS][m->open[i] % PATH_TAGS];
    if ((o->addr ^ addr) < m->cfg.LINE) return true;
  }
  return false;
}

static uint64_t any_addr(path_env_t *e, const path_model_t *m) {
  const path_cfg_t *c = &m->cfg;
  if (prng_chance(&e->rng, e->again)) return e->last;
  if (m->memory.n && prng_chance(&e->rng, e->fetched)) {
    const uint64_t addr = m->memory.job[prng_below(&e->rng, m->memory.n)].addr;
    return word_in(e, c, addr & ~(uint64_t)(c->LINE - 1));
  }
  return word_in(e, c, e->pool[prng_below(&e->rng, e->n_pool)]);
}

static uint64_t draw_addr(path_env_t *e, const path_model_t *m) {
  uint64_t addr = any_addr(e, m);
  for (unsigned k = 0; k < TRIES && e->shun && awaited(m, addr); k++) addr = any_addr(e, m);
  return addr;
}

static uint64_t lane_addr(path_env_t *e, const path_model_t *m, uint64_t first, unsigned lane) {
  const path_cfg_t *c = &m->cfg;
  if (lane == 0 || e->lanes == ONE_WORD) return first;
  if (e->lanes == ONE_LINE) return word_in(e, c, first & ~(uint64_t)(c->LINE - 1));
  if (e->lanes == CONSECUTIVE) return (first + lane * c->WORD) & bits_mask(c->ADDR_W);
  return draw_addr(e, m);
}

static void offer_requests(path_env_t *e, const path_model_t *m, path_in_t *in) {
  const path_cfg_t *c = &m->cfg;
  prng_t *r = &e->rng;
  const bool write = prng_chance(r, e->store), bypass = prng_chance(r, e->bypass);
  const uint64_t first = draw_addr(e, m);
  e->tag += prng_chance(r, 900) ? 1 : prng_below(r, 64);
  for (unsigned l = 0; l < c->LANES; l++) {
    if (l && !prng_chance(r, e->lane)) continue;
    const path_request_t q = {.write = c->JOINT ? write : prng_chance(r, e->store),
                              .bypass = c->JOINT ? bypass : prng_chance(r, e->bypass),
                              .addr = lane_addr(e, m, first, l),
                              .tag = (e->tag + (c->JOINT ? 0 : l)) & bits_mask(c->TAG_W),
                              .mask = prng_chance(r, e->part) ? prng_next(r) : UINT64_MAX,
                              .data = prng_next(r)};
    if (c->LANES > 1 && l == 0 && !prng_chance(r, 900)) continue;
    path_request_put(c, in, l, &q);
    in->req_valid_i |= UINT64_C(1) << l;
  }
  e->last = first;
}

/* Requests that were refused stay, or others take their place. */
static void requests(path_env_t *e, const path_model_t *m, path_in_t *in) {
  const path_cfg_t *c = &m->cfg;
  const bool stay = m->remaining && prng_chance(&e->rng, e->stay);
  if (stay && c->JOINT) {
    in->req_valid_i = m->remaining;
  } else if (prng_chance(&e->rng, e->request)) {
    offer_requests(e, m, in);
    if (stay) in->req_valid_i |= m->remaining;
  }
  for (unsigned l = 0; l < c->LANES && stay; l++) {
    const path_request_t old = path_request(c, &m->last_in, l);
    if (m->remaining >> l & 1) path_request_put(c, in, l, &old);
  }
}

/* ---- memory ---- */

/* Whether memory has had the time that it takes for this request. */
static bool due(const path_env_t *e, const path_model_t *m, const owed_t *j) {
  const unsigned span = e->most - e->least + 1;
  return m->cycle >= j->since + 1 + e->least + bytes_hash(m->seed, j->number) % span;
}

/* The request that is answered next, of these kinds. */
static const owed_t *choose(path_env_t *e, const path_model_t *m, unsigned kinds, bool apart) {
  const owed_t *found = NULL;
  unsigned n = 0;
  for (unsigned i = 0; i < m->memory.n; i++) {
    const owed_t *j = &m->memory.job[i];
    if (!(kinds >> j->write & 1) || !due(e, m, j) || !owed_may_answer(&m->memory, j, apart))
      continue;
    n++;
    if (!found || e->order == NEWEST || (e->order == ANY && prng_below(&e->rng, n) == 0)) found = j;
  }
  return found;
}

static bool answers_now(path_env_t *e, const path_model_t *m) {
  if (!e->burst || m->memory.n == 0) {
    e->pouring = false;
    return true;
  }
  if (m->memory.n >= e->burst || m->cycle > m->memory.job[0].since + STARVED) e->pouring = true;
  return e->pouring;
}

static void memory(path_env_t *e, const path_model_t *m, path_in_t *in) {
  const bool now = answers_now(e, m);
  const owed_t *j = now ? choose(e, m, m->has.axi ? 1 : 3, m->has.axi) : NULL;
  in->mem_ready_i = prng_chance(&e->rng, e->mem_ready);
  in->ar_ready_i = prng_chance(&e->rng, e->mem_ready);
  in->aw_ready_i = prng_chance(&e->rng, e->mem_ready);
  in->w_ready_i = prng_chance(&e->rng, e->mem_ready);
  if (m->has.axi) {
    const owed_t *b = now ? choose(e, m, 2, true) : NULL;
    in->r_valid_i = j != NULL;
    in->r_id_i = j ? j->id : 0;
    in->b_valid_i = b != NULL;
    in->b_id_i = b ? b->id : 0;
  } else {
    in->mem_rsp_valid_i = j != NULL;
    in->mem_rsp_id_i = j ? j->id : 0;
  }
}

void path_env_next(path_env_t *e, path_model_t *m, path_in_t *in) {
  memset(in, 0, sizeof *in);
  if (e->n_pool == 0) new_pool(e, &m->cfg);
  if (e->left-- == 0) new_phase(e, m);
  if (e->resetting == 0 && e->reset && prng_chance(&e->rng, e->reset))
    e->resetting = 1 + prng_below(&e->rng, 2);
  in->srst_ni = m->cycle >= CONTRACT_HEAD && e->resetting == 0;
  e->resetting -= e->resetting > 0;
  in->rsp_ready_i = 0;
  const bool all = prng_chance(&e->rng, e->ready);
  for (unsigned l = 0; l < m->cfg.LANES; l++)
    in->rsp_ready_i |= (uint64_t)(m->cfg.JOINT ? all : prng_chance(&e->rng, e->ready)) << l;
  memory(e, m, in);
  if (in->srst_ni) {
    in->flush_i = e->flush && prng_chance(&e->rng, e->flush);
    requests(e, m, in);
  }
  path_model_legal(m, in);
}
