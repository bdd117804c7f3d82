/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/streams/spec.h"

#include "base/names.h"
#include "bits.h"
#include "verilog/design/resolve.h"

#include <string.h>

enum { PAYLOAD_MOST = 64 * (STREAMS_WORDS - 1), TAG_MOST = 64 };

/* ---- names ------------------------------------------------------------------------------------ */

static const streams_port_t *find(const streams_names_t *n, const char *name) {
  for (unsigned i = 0; i < n->n_ports; i++)
    if (strcmp(n->port[i].name, name) == 0) return &n->port[i];
  return NULL;
}

static int no_port(const streams_names_t *n, const char *name, mrpb_err_t *err) {
  names_near_t near = names_near(name);
  for (unsigned i = 0; i < n->n_ports; i++) names_offer(&near, n->port[i].name);
  return mrpb_fail(err, "'%s' is no port that streams can use%s", name, near.text);
}

static int signal_of(void *ctx, const step_t *path, signal_t *s, mrpb_err_t *err) {
  const streams_names_t *n = ctx;
  const scope_t ours = bind_ours(n->bind);
  if (!find(n, path->name)) return no_port(n, path->name, err);
  if (!n->theirs) return ours.signal(ours.ctx, path, s, err);
  resolved_t r;
  if (resolve(n->bind->design, n->bind->top, path, &ours, "port", &r, err) != 0) return -1;
  if (r.array || strcmp(r.name, path->name) != 0)
    return mrpb_fail(err, "'%s' is an array of unpacked elements; legal: a vector", r.name);
  snprintf(s->name, sizeof s->name, "%s", path->name);
  s->lsb = r.lsb;
  s->width = r.width;
  s->whole = r.whole;
  return 0;
}

static bool constant(void *ctx, const char *name, uint64_t *value) {
  const streams_names_t *n = ctx;
  const scope_t ours = bind_ours(n->bind);
  return ours.constant(ours.ctx, name, value);
}

static uint64_t value(void *ctx, const signal_t *s) {
  const streams_names_t *n = ctx;
  const streams_port_t *p = find(n, s->name);
  return p ? words_get(p->input ? n->in : n->out, p->bit + s->lsb, s->width) : 0;
}

scope_t streams_scope(const streams_names_t *names) {
  return (scope_t){
      .ctx = (void *)(uintptr_t)names, .constant = constant, .signal = signal_of, .value = value};
}

/* ---- bits ------------------------------------------------------------------------------------- */

void streams_get(const streams_value_t *v, const streams_names_t *names, uint64_t *to) {
  const scope_t scope = streams_scope(names);
  for (unsigned i = 0, at = 0; i < v->n; at += v->leaf[i++].width) {
    const streams_leaf_t *l = &v->leaf[i];
    words_put(to, at, l->width,
              l->expr ? expr_eval(l->expr, &scope)
                      : words_get(l->input ? names->in : names->out, l->bit, l->width));
  }
}

bool streams_is(const streams_value_t *v, const streams_names_t *names) {
  uint64_t word[2] = {0, 0};
  streams_get(v, names, word);
  return (word[0] != 0) != v->low;
}

void streams_put(const streams_value_t *v, const uint64_t *from, uint64_t *in) {
  for (unsigned i = 0, at = 0; i < v->n; at += v->leaf[i++].width)
    words_put(in, v->leaf[i].bit, v->leaf[i].width,
              words_get(from, at, v->leaf[i].width) ^ (v->low ? 1 : 0));
}

/* ---- the statements --------------------------------------------------------------------------- */

/* Adds a port's bits, or an expression. */
static int add_leaf(streams_value_t *v, const expr_t *e, const streams_names_t *n,
                    mrpb_err_t *err) {
  const scope_t scope = streams_scope(n);
  unsigned width;
  signal_t s;
  if (expr_width(e, &scope, &width, err) != 0) return -1;
  const bool path = e->kind == EXPR_PATH;
  if (!path && width > 64) return mrpb_fail(err, "%u bits of an expression; legal: 64", width);
  if (path && signal_of((void *)(uintptr_t)n, e->path, &s, err) != 0) return -1;
  const streams_port_t *p = path ? find(n, s.name) : NULL;
  for (unsigned done = 0; done < width; done += 64) {
    const unsigned part = width - done < 64 ? width - done : 64;
    if (v->n == STREAMS_LEAVES)
      return mrpb_fail(err, "more than %d ports in a stream", (int)STREAMS_LEAVES);
    v->leaf[v->n++] = (streams_leaf_t){.expr = path ? NULL : e,
                                       .input = p && p->input,
                                       .bit = p ? p->bit + s.lsb + done : 0,
                                       .width = part};
  }
  v->width += width;
  return 0;
}

static int add_concat(streams_value_t *v, const expr_t *e, const streams_names_t *n,
                      mrpb_err_t *err) {
  const expr_t *item[STREAMS_LEAVES];
  unsigned k = 0;
  if (e->kind != EXPR_CONCAT) return add_leaf(v, e, n, err);
  for (const expr_t *a = e->a; a; a = a->next) {
    if (k == STREAMS_LEAVES)
      return mrpb_fail(err, "more than %d ports in a stream", (int)STREAMS_LEAVES);
    item[k++] = a;
  }
  while (k-- > 0) /* the last one is lowest */
    if (add_concat(v, item[k], n, err) != 0) return -1;
  return 0;
}

static bool driven(const streams_value_t *v) {
  for (unsigned i = 0; i < v->n; i++)
    if (v->leaf[i].expr || !v->leaf[i].input) return false;
  return v->n > 0;
}

/* A valid or ready that may be an input, straight or inverted. */
static int add_handshake(streams_value_t *v, const expr_t *e, const streams_names_t *n,
                         mrpb_err_t *err) {
  const bool not = e->kind == EXPR_UNARY && (e->op[0] == '!' || e->op[0] == '~') && !e->op[1] &&
                   e->a->kind == EXPR_PATH;
  if (add_leaf(v, not ? e->a : e, n, err) != 0) return -1;
  v->low = not ;
  return 0;
}

static int add_contents(streams_spec_t *s, const map_statement_t *m, const streams_names_t *n,
                        mrpb_err_t *err) {
  if (m->payload && add_concat(&s->payload, m->payload, n, err) != 0) return -1;
  if (m->tag && add_concat(&s->tag, m->tag, n, err) != 0) return -1;
  if (s->payload.width > PAYLOAD_MOST || s->tag.width > TAG_MOST)
    return mrpb_fail(err, "a payload of %u bits, a tag of %u; legal: at most %d, %d",
                     s->payload.width, s->tag.width, (int)PAYLOAD_MOST, (int)TAG_MOST);
  if (s->enters && ((m->payload && !driven(&s->payload)) || (m->tag && !driven(&s->tag))))
    return mrpb_fail(err, "'%s' enters, so its payload and tag are inputs, or parts of inputs",
                     s->name);
  if (!s->enters && s->payload.width + s->tag.width == 0)
    return mrpb_fail(err,
                     "'%s' leaves and has nothing to compare; legal: payload= or tag=", s->name);
  return 0;
}

static int add_stream(streams_spec_t *s, const map_statement_t *m, const streams_names_t *n,
                      mrpb_err_t *err) {
  *s = (streams_spec_t){.line = m->line, .of = -1, .latency = m->latency};
  snprintf(s->name, sizeof s->name, "%s", m->name);
  if (add_handshake(&s->valid, m->valid, n, err) != 0) return -1;
  s->enters = driven(&s->valid);
  s->has_ready = m->ready != NULL;
  s->has_tag = m->tag != NULL;
  if (m->ready && add_handshake(&s->ready, m->ready, n, err) != 0) return -1;
  if (m->ready && !s->enters && !driven(&s->ready))
    return mrpb_fail(err, "'%s' leaves, so its ready is an input", s->name);
  if ((s->enters && s->valid.width > 1) || (!s->enters && s->ready.width > 1))
    return mrpb_fail(err, "a driven valid or ready of more than one bit");
  if (s->enters && (*m->of || m->latency != MAP_LATENCY_FREE))
    return mrpb_fail(err, "'%s' enters; legal: of= and latency= of a stream that leaves", s->name);
  return add_contents(s, m, n, err);
}

static int index_of(const streams_spec_t *spec, unsigned n, const char *name) {
  for (unsigned i = 0; i < n; i++)
    if (strcmp(spec[i].name, name) == 0) return (int)i;
  return -1;
}

static int find_of(streams_spec_t *spec, unsigned n, unsigned i, const char *name,
                   mrpb_err_t *err) {
  spec[i].of = index_of(spec, n, name);
  snprintf(spec[i].of_name, sizeof spec[i].of_name, "%s", name);
  if (spec[i].of < 0 || !spec[spec[i].of].enters)
    return mrpb_fail(err, "of=%s: legal: a stream that enters", name);
  if (spec[i].has_tag && spec[spec[i].of].tag.width != spec[i].tag.width)
    return mrpb_fail(err, "of=%s: tags of %u and %u bits; legal: as many", name,
                     spec[spec[i].of].tag.width, spec[i].tag.width);
  return 0;
}

/* Where the bits of a port are in an item: -1 if it is not there. */
static int place(const streams_value_t *v, unsigned first, unsigned bit, unsigned width) {
  for (unsigned i = 0, at = first; i < v->n; at += v->leaf[i++].width) {
    const streams_leaf_t *l = &v->leaf[i];
    if (bit >= l->bit && bit + width <= l->bit + l->width) return (int)(at + bit - l->bit);
  }
  return -1;
}

static int add_give(streams_spec_t *s, const map_statement_t *m, const streams_names_t *n,
                    mrpb_err_t *err) {
  const scope_t scope = streams_scope(n);
  signal_t to;
  unsigned width;
  if (signal_of((void *)(uintptr_t)n, m->to, &to, err) != 0 ||
      expr_width(m->from, &scope, &width, err) != 0)
    return -1;
  const streams_port_t *p = find(n, to.name);
  if (width > to.width || to.width > 64)
    return mrpb_fail(err, "'%s': %u bits from %u; legal: as many, at most 64", to.name, to.width,
                     width);
  int at = place(&s->tag, 0, p->bit + to.lsb, to.width);
  if (at < 0) at = place(&s->payload, 64, p->bit + to.lsb, to.width);
  if (at < 0 || !p->input)
    return mrpb_fail(err, "'%s' is not in the payload or tag of '%s'", to.name, s->name);
  if (s->n_gives == STREAMS_GIVES) return mrpb_fail(err, "more than %d ports", (int)STREAMS_GIVES);
  s->give[s->n_gives++] = (streams_give_t){m->from, (unsigned)at, to.width};
  return 0;
}

static int add_serve(streams_spec_t *spec, unsigned n, const map_statement_t *m,
                     const streams_names_t *names, mrpb_err_t *err) {
  const scope_t scope = streams_scope(names);
  const int i = index_of(spec, n, m->name);
  unsigned width;
  if (i < 0 || !spec[i].enters)
    return mrpb_fail(err, "serve %s: legal: a stream that enters", m->name);
  if (spec[i].when && spec[i].when != m->valid)
    return mrpb_fail(err, "serve %s again; legal: one line for a stream", m->name);
  spec[i].when = m->valid;
  if (expr_width(m->valid, &scope, &width, err) != 0) return -1;
  if (width > 64) return mrpb_fail(err, "a condition of %u bits; legal: at most 64", width);
  return m->to ? add_give(&spec[i], m, names, err) : 0;
}

int streams_spec(streams_spec_t spec[STREAMS_MOST], unsigned *n, const streams_names_t *names,
                 mrpb_err_t *err) {
  const map_t *map = names->bind->map;
  for (unsigned pass = *n = 0; pass < 2; pass++)
    for (unsigned i = 0, k = 0; i < map->n; i++) {
      const map_statement_t *m = &map->statement[i];
      mrpb_err_t why = {""};
      int rc = 0;
      if (pass == 0 && m->kind == MAP_STREAM) {
        if (*n == STREAMS_MOST)
          rc = mrpb_fail(&why, "more than %d streams", (int)STREAMS_MOST);
        else if (index_of(spec, *n, m->name) >= 0)
          rc = mrpb_fail(&why, "stream %s again", m->name);
        else
          rc = add_stream(&spec[(*n)++], m, names, &why);
      }
      if (pass == 1 && m->kind == MAP_STREAM && *m->of) rc = find_of(spec, *n, k, m->of, &why);
      if (pass == 1 && m->kind == MAP_SERVE) rc = add_serve(spec, *n, m, names, &why);
      k += m->kind == MAP_STREAM;
      if (rc != 0) return map_fail(map, m, err, "%s", why.text);
    }
  for (unsigned i = 0; i < *n; i++)
    if (!spec[i].enters) return 0;
  return mrpb_fail(err,
                   "%s: no stream that leaves, so nothing to compare; legal: stream NAME "
                   "valid=OUTPUT ...",
                   map->file);
}

/* What one of the maps says of time holds for both sides. */
static void share(streams_spec_t *a, streams_spec_t *b, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    const streams_spec_t *of = *b[i].of_name ? &b[i] : &a[i];
    const streams_spec_t *latency = b[i].latency != MAP_LATENCY_FREE ? &b[i] : &a[i];
    a[i].of = b[i].of = *of->of_name ? index_of(b, n, of->of_name) : -1;
    a[i].latency = b[i].latency = latency->latency;
  }
}

int streams_spec_same(streams_spec_t *a, unsigned n, streams_spec_t *b, unsigned m,
                      const map_t *map, mrpb_err_t *err) {
  for (unsigned i = 0; i < n; i++) {
    const int k = index_of(b, m, a[i].name);
    if (k < 0 || n != m)
      return mrpb_fail(err, "%s: %u streams, the other map %u with a '%s'; legal: the same streams",
                       map->file, m, n, a[i].name);
    if (a[i].enters != b[k].enters || a[i].payload.width != b[k].payload.width ||
        a[i].tag.width != b[k].tag.width || !a[i].when != !b[k].when)
      return mrpb_fail(err,
                       "%s:%u: stream %s: %s, payload of %u bits, tag of %u; in the other map "
                       "%s, %u, %u",
                       map->file, b[k].line, a[i].name, b[k].enters ? "enters" : "leaves",
                       b[k].payload.width, b[k].tag.width, a[i].enters ? "enters" : "leaves",
                       a[i].payload.width, a[i].tag.width);
    const streams_spec_t one = b[i];
    b[i] = b[k];
    b[k] = one;
  }
  share(a, b, n);
  return 0;
}

static bool uses(const streams_value_t *v, const streams_port_t *p) {
  for (unsigned i = 0; i < v->n; i++) {
    const streams_leaf_t *l = &v->leaf[i];
    if (l->expr ? expr_names(l->expr, p->name)
                : l->input == p->input && l->bit < p->bit + p->width && p->bit < l->bit + l->width)
      return true;
  }
  return false;
}

bool streams_uses(const streams_spec_t *spec, unsigned n, const streams_port_t *port) {
  for (unsigned i = 0; i < n; i++) {
    for (unsigned k = 0; k < spec[i].n_gives; k++)
      if (expr_names(spec[i].give[k].from, port->name)) return true;
    if (uses(&spec[i].valid, port) || uses(&spec[i].ready, port) || uses(&spec[i].payload, port) ||
        uses(&spec[i].tag, port) || (spec[i].when && expr_names(spec[i].when, port->name)))
      return true;
  }
  return false;
}
