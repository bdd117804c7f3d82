/* SPDX-License-Identifier: Apache-2.0 */
/* What the environment may offer, and what it withholds because of the map. */
#include "verify/path/parts.h"

#include "bits.h"

#include <string.h>

void path_withhold(path_model_t *m, path_withheld_t kind, bool drawn) {
  m->seen.withheld[kind] += drawn;
}

/* ---- what the design cannot see ---- */

static void stalls(path_model_t *m, path_in_t *in) {
  const uint64_t lanes = path_lanes(&m->cfg);
  in->rsp_ready_i &= lanes;
  if (m->cfg.JOINT) in->rsp_ready_i = in->rsp_ready_i & 1 ? lanes : 0;
  if (!m->has.rsp_ready) {
    path_withhold(m, PATH_WITHHELD_STALL, in->rsp_ready_i != lanes);
    in->rsp_ready_i = lanes;
  }
  const bool stalled =
      m->has.axi ? !(in->ar_ready_i && in->aw_ready_i && in->w_ready_i) : !in->mem_ready_i;
  if (m->has.axi ? m->has.axi_ready : m->has.mem_ready) return;
  path_withhold(m, PATH_WITHHELD_MEM_STALL, stalled);
  in->mem_ready_i = in->ar_ready_i = in->aw_ready_i = in->w_ready_i = 1;
}

static void flush(path_model_t *m, path_in_t *in) {
  path_withhold(m, PATH_WITHHELD_FLUSH, in->flush_i && !m->has.flush);
  in->flush_i = in->srst_ni && m->has.flush && (in->flush_i || m->flushing);
}

/* ---- requests ---- */

typedef struct {
  path_model_t *m;
  path_in_t *in;
  uint64_t kept; /* lanes that stay as they were */
} requests_t;

static void drop(const requests_t *r, unsigned lane) {
  static const path_request_t none = {.write = false};
  r->in->req_valid_i &= ~(UINT64_C(1) << lane);
  path_request_put(&r->m->cfg, r->in, lane, &none);
}

/* Lanes that were refused stay: those of an instruction that is partly accepted, and all of a
 * design that needs it. */
static void keep(requests_t *r) {
  path_model_t *m = r->m;
  const uint64_t was = m->remaining;
  if (!was || !(m->went_on || m->has.hold)) return;
  path_withhold(m, PATH_WITHHELD_HOLD, m->has.hold && (r->in->req_valid_i & was) != was);
  if (m->cfg.JOINT) r->in->req_valid_i = was;
  r->in->req_valid_i |= was;
  r->kept = was;
  for (unsigned l = 0; l < m->cfg.LANES; l++) {
    const path_request_t old = path_request(&m->cfg, &m->last_in, l);
    if (was >> l & 1) path_request_put(&m->cfg, r->in, l, &old);
  }
}

/* Whether the request needs a tag of its own. */
static bool needs_tag(const path_model_t *m, const path_request_t *q) {
  return !q->write || m->cfg.ACKS;
}

static bool tag_free(const path_model_t *m, unsigned lane, uint64_t tag) {
  for (unsigned l = 0; l < m->cfg.LANES; l++)
    if ((m->cfg.JOINT || l == lane) && m->of[l][tag].open) return false;
  return true;
}

/* Finds the next free tag of the thread. Returns false if there is none. */
static bool find_tag(path_model_t *m, unsigned lane, path_request_t *q) {
  const unsigned tags = 1u << m->cfg.TAG_W;
  for (unsigned k = 0; k < tags; k++) {
    const uint64_t tag = (q->tag + k) % tags;
    if (tag % m->cfg.THREADS != q->tag % m->cfg.THREADS || !tag_free(m, lane, tag)) continue;
    q->tag = tag;
    return true;
  }
  path_withhold(m, PATH_WITHHELD_TAGS, true);
  return false;
}

/* A store needs no tag of its own, but one that differs from that of the last request which was
 * accepted in its lane: then a request that stays as it is has been refused. */
static void other_tag(const path_model_t *m, unsigned lane, path_request_t *q) {
  const path_request_t last = path_request(&m->cfg, &m->last_in, lane);
  const bool accepted = (m->last_in.req_valid_i & ~m->remaining) >> lane & 1;
  if (accepted && last.tag == q->tag) q->tag = (q->tag + m->cfg.THREADS) & bits_mask(m->cfg.TAG_W);
}

/* What the ports of one lane may say. */
static void shape(path_model_t *m, path_request_t *q) {
  const path_cfg_t *c = &m->cfg;
  path_withhold(m, PATH_WITHHELD_STORES, q->write && !m->has.write);
  path_withhold(m, PATH_WITHHELD_BYPASS, q->bypass && !m->has.bypass);
  q->write &= m->has.write;
  q->bypass &= m->has.bypass;
  q->addr &= ~(uint64_t)(c->WORD - 1);
  if (q->write && path_owner(m, q->addr) != q->tag % c->THREADS) {
    path_withhold(m, PATH_WITHHELD_THREADS, true);
    q->write = false;
  }
  const uint64_t all = bits_mask(c->WORD);
  path_withhold(m, PATH_WITHHELD_MASKS, q->write && !m->has.mask && (q->mask & all) != all);
  if (!q->write || !m->has.mask || !(q->mask & all)) q->mask = all;
  if (!q->write) q->data = 0;
}

/* Whether lane a's request is of a byte of lane b's, and one of them stores. */
static bool collide(const requests_t *r, unsigned a, unsigned b) {
  const path_request_t p = path_request(&r->m->cfg, r->in, a);
  const path_request_t q = path_request(&r->m->cfg, r->in, b);
  return (p.write || q.write) && p.addr == q.addr && (p.mask & q.mask);
}

static bool has_room(path_model_t *m, uint64_t addr) {
  const uint64_t line = addr & ~(uint64_t)(m->cfg.LINE - 1);
  return m->bytes.n < BYTES_OFFERED || bytes_line(&m->bytes, line, false);
}

/* Makes the request of a new lane legal; `first` is that of the instruction's first lane, if any.
 * Returns false if there is none. */
static bool one(requests_t *r, unsigned l, const path_request_t *first) {
  path_model_t *m = r->m;
  path_request_t q = path_request(&m->cfg, r->in, l);
  if (first) {
    q.write = first->write;
    q.bypass = first->bypass;
    q.tag = first->tag;
  }
  shape(m, &q);
  if (first && q.write != first->write) return false;
  if (!has_room(m, q.addr)) return false;
  if (!first && !needs_tag(m, &q)) other_tag(m, l, &q);
  if (!first && needs_tag(m, &q) && !find_tag(m, l, &q)) return false;
  path_request_put(&m->cfg, r->in, l, &q);
  for (unsigned k = 0; k < m->cfg.LANES; k++) {
    const bool before = k < l || (r->kept >> k & 1);
    if (k != l && before && (r->in->req_valid_i >> k & 1) && collide(r, l, k)) return false;
  }
  return true;
}

static void requests(path_model_t *m, path_in_t *in) {
  requests_t r = {.m = m, .in = in};
  path_request_t first;
  bool any = false;
  in->req_valid_i &= in->srst_ni ? path_lanes(&m->cfg) : 0;
  if (in->srst_ni) keep(&r);
  for (unsigned l = 0; l < m->cfg.LANES; l++) {
    if (r.kept >> l & 1) continue;
    if (!(in->req_valid_i >> l & 1) || !one(&r, l, m->cfg.JOINT && any ? &first : NULL)) {
      drop(&r, l);
      continue;
    }
    if (!any) first = path_request(&m->cfg, in, l);
    any = true;
  }
}

void path_model_legal(path_model_t *m, path_in_t *in) {
  in->srst_ni &= 1;
  stalls(m, in);
  flush(m, in);
  requests(m, in);
  if (m->has.axi)
    path_axi_legal(m, in);
  else
    path_simple_legal(m, in);
}
