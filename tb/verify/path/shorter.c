/* SPDX-License-Identifier: Apache-2.0 */
/* The transactions of a path's case, and what makes them simpler. */
#include "verify/path/path.h"

#include <string.h>

typedef enum { REQUEST, STALL, MEM_STALL, FLUSH, RESET } source_t;

static const path_in_t *of(const uint64_t *in) {
  return (const path_in_t *)(const void *)in;
}

bool path_shorter_has(const contract_setup_t *s, const uint64_t *row, unsigned source) {
  const path_in_t *in = of(row);
  const path_has_t *has = path_has(s);
  const uint64_t lanes = bits_mask(path_sizes(s->cfg)->LANES);
  if (source == RESET) return !in->srst_ni;
  if (!in->srst_ni) return false;
  if (source == REQUEST) return in->req_valid_i;
  if (source == STALL) return has->rsp_ready && in->rsp_ready_i != lanes;
  if (source == FLUSH) return in->flush_i;
  return has->axi ? has->axi_ready && !(in->ar_ready_i && in->aw_ready_i && in->w_ready_i)
                  : has->mem_ready && !in->mem_ready_i;
}

void path_shorter_silence(const contract_setup_t *s, uint64_t *row, unsigned source) {
  path_in_t *in = (path_in_t *)(void *)row;
  const path_cfg_t *c = path_sizes(s->cfg);
  const path_request_t none = {.write = false};
  switch ((source_t)source) {
  case REQUEST:
    in->req_valid_i = 0;
    for (unsigned l = 0; l < c->LANES; l++) path_request_put(c, in, l, &none);
    break;
  case STALL:
    in->rsp_ready_i = bits_mask(c->LANES);
    break;
  case MEM_STALL:
    in->mem_ready_i = in->ar_ready_i = in->aw_ready_i = in->w_ready_i = 1;
    break;
  case FLUSH:
    in->flush_i = 0;
    break;
  case RESET:
    in->srst_ni = 1;
    break;
  }
}

/* The lanes of a request that is offered again are among those of the cycle before. */
static bool same_request(const path_cfg_t *c, const path_in_t *was, const path_in_t *in) {
  if (in->req_valid_i & ~was->req_valid_i) return false;
  for (unsigned l = 0; l < c->LANES; l++) {
    const path_request_t a = path_request(c, was, l), b = path_request(c, in, l);
    if ((in->req_valid_i >> l & 1) && (a.addr != b.addr || a.tag != b.tag || a.write != b.write ||
                                       a.data != b.data || a.mask != b.mask))
      return false;
  }
  return true;
}

bool path_shorter_goes_with(const contract_setup_t *s, const uint64_t *before, const uint64_t *row,
                            unsigned source) {
  const path_in_t *in = of(row), *was = of(before);
  if (source == RESET) return !was->srst_ni;
  if (source == FLUSH) return was->flush_i;
  if (source == REQUEST) return same_request(path_sizes(s->cfg), was, in);
  return false;
}

/* The request of the cycle before is offered again. */
void path_shorter_stay(const contract_setup_t *s, const uint64_t *before, uint64_t *row) {
  const path_cfg_t *c = path_sizes(s->cfg);
  const path_in_t *was = of(before);
  path_in_t *in = (path_in_t *)(void *)row;
  if (!was->req_valid_i) return;
  in->req_valid_i = was->req_valid_i;
  for (unsigned l = 0; l < c->LANES; l++) {
    const path_request_t q = path_request(c, was, l);
    path_request_put(c, in, l, &q);
  }
}

/* Memory answers as soon as there is something to answer. */
void path_shorter_prompt(const contract_setup_t *s, uint64_t *row) {
  path_in_t *in = (path_in_t *)(void *)row;
  (void)s;
  in->mem_rsp_valid_i = in->r_valid_i = in->b_valid_i = 1;
}

static path_in_t *row(contract_case_t *c, size_t t) {
  return (path_in_t *)(void *)contract_row(&path_contract, c, t);
}

/* Replaces line `from` by `to` wherever it is asked for. */
static void rename_line(const path_cfg_t *g, contract_case_t *c, uint64_t from, uint64_t to) {
  for (size_t t = 0; t < c->n; t++)
    for (unsigned l = 0; l < g->LANES; l++) {
      path_request_t q = path_request(g, row(c, t), l);
      if (!(row(c, t)->req_valid_i >> l & 1) || (q.addr & ~(uint64_t)(g->LINE - 1)) != from)
        continue;
      q.addr = to + (q.addr - from);
      path_request_put(g, row(c, t), l, &q);
    }
}

static bool asks_for(const path_cfg_t *g, contract_case_t *c, uint64_t line) {
  for (size_t t = CONTRACT_HEAD; t < c->n; t++)
    for (unsigned l = 0; l < g->LANES; l++)
      if ((row(c, t)->req_valid_i >> l & 1) &&
          (path_request(g, row(c, t), l).addr & ~(uint64_t)(g->LINE - 1)) == line)
        return true;
  return false;
}

enum { LANE_OUT, WORD_0, WHOLE, PLAIN, CACHED, LINES, WAYS = LINES + 6 };

/* The line's way `k` to become another: 0, the next ones, or one without its highest bit. */
static uint64_t other_line(const path_cfg_t *g, uint64_t line, unsigned k) {
  if (k < 5) return (uint64_t)k * g->LINE;
  return line ? line & ~(UINT64_C(1) << (63 - __builtin_clzll(line))) : 0;
}

/* A lane's request is left out, or becomes one of the first word, of whole words, of other data, or
 * through the cache. */
static contract_simpler_t change(const path_cfg_t *g, path_in_t *in, unsigned l, unsigned way,
                                 size_t t, bool apply) {
  const path_request_t old = path_request(g, in, l);
  path_request_t q = old;
  if (way == LANE_OUT) {
    if (!(in->req_valid_i & (in->req_valid_i - 1))) return CONTRACT_SKIP;
    if (apply) in->req_valid_i &= ~(UINT64_C(1) << l);
    q = (path_request_t){.write = false};
  }
  if (way == WORD_0) q.addr &= ~(uint64_t)(g->LINE - 1);
  if (way == WHOLE) q.mask = bits_mask(g->WORD);
  if (way == PLAIN && q.write)
    q.data = (t & 0xff) * UINT64_C(0x0101010101010101) & bits_mask(8 * g->WORD);
  if (way == CACHED) q.bypass = false;
  if (apply) path_request_put(g, in, l, &q);
  return way == LANE_OUT || memcmp(&q, &old, sizeof q) != 0 ? CONTRACT_TRY : CONTRACT_SKIP;
}

contract_simpler_t path_shorter_simpler(const contract_setup_t *s, contract_case_t *c, size_t k,
                                        bool apply) {
  const path_cfg_t *g = path_sizes(s->cfg);
  const size_t t = CONTRACT_HEAD + k / (WAYS * g->LANES);
  const unsigned l = (unsigned)(k / WAYS % g->LANES), way = (unsigned)(k % WAYS);
  if (t >= c->n) return CONTRACT_END;
  path_in_t *in = row(c, t);
  if (!(in->req_valid_i >> l & 1)) return CONTRACT_SKIP;
  if (way < LINES) return change(g, in, l, way, t, apply);
  const uint64_t line = path_request(g, in, l).addr & ~(uint64_t)(g->LINE - 1);
  const uint64_t to = other_line(g, line, way - LINES);
  if (apply) rename_line(g, c, line, to);
  return apply || (to < line && !asks_for(g, c, to)) ? CONTRACT_TRY : CONTRACT_SKIP;
}

static int order(uint64_t a, uint64_t b) {
  return a < b ? -1 : a > b;
}

int path_shorter_compare(const contract_setup_t *s, const uint64_t *a, const uint64_t *b) {
  const path_cfg_t *g = path_sizes(s->cfg);
  const uint64_t all = bits_mask(g->WORD);
  int by = order((uint64_t)__builtin_popcountll(of(a)->req_valid_i),
                 (uint64_t)__builtin_popcountll(of(b)->req_valid_i));
  for (unsigned l = 0; l < g->LANES && by == 0; l++) {
    const path_request_t x = path_request(g, of(a), l), y = path_request(g, of(b), l);
    by = order(x.addr, y.addr);
    if (by == 0) by = order(x.bypass, y.bypass);
    if (by == 0) by = order(x.mask != all, y.mask != all);
    if (by == 0) by = order(x.data, y.data);
  }
  return by;
}
