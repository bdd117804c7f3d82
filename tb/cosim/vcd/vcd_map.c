/* SPDX-License-Identifier: Apache-2.0 */
/* Computes our inputs from those of a user's design, bit by bit. */
#include "cosim/vcd/vcd_map.h"

#include "base/grow.h"
#include "verilog/design/inverse.h"
#include "verilog/design/resolve.h"

#include <stdlib.h>
#include <string.h>

/* What one bit of the user's design is. */
typedef struct {
  unsigned port, bit; /* port of the user's design, in the bind */
  unsigned at;        /* position in the words of the face's inputs, or outputs */
  bool optional;      /* in the face's outputs */
  unsigned line;
  inverse_bit_t is;
} link_t;

struct vcd_map {
  const bind_t *bind;
  vcd_face_t face;
  module_port_t port[BIND_PORTS]; /* inputs, then outputs */
  link_t *link;
  size_t n_links, room;
  uint64_t others, first_time; /* cycles with a bit that differs from the map */
  const link_t *first;
  bool first_has;
  expr_pool_t *paths; /* paths of members in the dump */
};

static bool bit_of(const uint64_t *words, unsigned at) {
  return words[at / 64] >> at % 64 & 1;
}

/* ---- opening ---- */

static int add(vcd_map_t *m, link_t link) {
  if (m->n_links == m->room) {
    link_t *more = grow(m->link, m->n_links + 1, &m->room, sizeof *m->link);
    if (!more) return -1;
    m->link = more;
  }
  m->link[m->n_links++] = link;
  return 0;
}

/* Finds every bit of the design's inputs about which the map says something. */
static int find_links(vcd_map_t *m, const char *dump, mrpb_err_t *err) {
  const bind_t *b = m->bind;
  inverse_bit_t bits[EXPR_WIDEST];
  int rc = 0;
  for (unsigned i = 0; i < b->n_parts && rc == 0; i++) {
    const bind_part_t *p = &b->part[i];
    if (p->width > EXPR_WIDEST)
      return mrpb_fail(err, "%s: %s has more than %d bits", dump, b->port[p->port].port->name,
                       (int)EXPR_WIDEST);
    inverse_part(b, p, bits);
    for (unsigned k = 0; k < p->width && rc == 0; k++)
      rc = add(m, (link_t){.port = p->port, .bit = p->lsb + k, .line = p->line, .is = bits[k]});
  }
  for (unsigned i = 0; i < b->n_ports && rc == 0; i++)
    for (unsigned k = 0; k < b->cls->n_in && b->port[i].role == BIND_RESET && rc == 0; k++)
      if (strcmp(b->in[k].name, "srst_ni") == 0)
        rc = add(
            m, (link_t){.port = i, .is = {.kind = INVERSE_PORT, .one = b->reset_high, .port = k}});
  return rc == 0 ? 0 : mrpb_fail(err, "%s: out of memory", dump);
}

/* The map's line with our input `port`, if it cannot be read backwards. */
static unsigned bad_line(const vcd_map_t *m, unsigned port) {
  const bind_t *b = m->bind;
  for (unsigned i = 0; i < b->n_parts; i++)
    for (size_t k = 0; k < m->n_links && inverse_mentions(b, &b->part[i], port); k++)
      if (m->link[k].line == b->part[i].line && m->link[k].is.kind == INVERSE_UNKNOWN)
        return b->part[i].line;
  return 0;
}

static int missing(const vcd_map_t *m, unsigned port, unsigned bit, const char *dump,
                   mrpb_err_t *err) {
  const bind_t *b = m->bind;
  const unsigned line = bad_line(m, port);
  char at[16] = "";
  if (b->in[port].width > 1) snprintf(at, sizeof at, "[%u]", bit);
  if (line)
    return mrpb_fail(
        err,
        "%s: our input %s%s cannot be derived from it: %s:%u cannot be read backwards; "
        "legal there: names, parts, { }, constants, ~",
        dump, b->in[port].name, at, b->map->file, line);
  const bool reset = strcmp(b->in[port].name, "srst_ni") == 0;
  return mrpb_fail(
      err,
      "%s: our input %s%s cannot be derived from it: no line of %s gives it to %s; legal: "
      "%s%s",
      dump, b->in[port].name, at, b->map->file, b->called,
      reset ? "reset THEIRS high|low sync|async" : "none ", reset ? "" : b->in[port].name);
}

/* An input whose line says `none` has no source and is 0. The reset is never left out: a reset that
 * is 0 for ever would match anything. */
static bool left_out(const bind_t *b, unsigned port) {
  return b->in_unused[port] && strcmp(b->in[port].name, "srst_ni") != 0;
}

static int all_there(const vcd_map_t *m, const char *dump, mrpb_err_t *err) {
  const bind_t *b = m->bind;
  for (unsigned i = 0; i < b->cls->n_in; i++) {
    for (unsigned bit = 0; bit < b->in[i].width && !left_out(b, i); bit++) {
      bool found = false;
      for (size_t k = 0; k < m->n_links && !found; k++) {
        const inverse_bit_t *is = &m->link[k].is;
        found = is->kind == INVERSE_PORT && is->port == i && is->bit == bit;
      }
      if (!found) return missing(m, i, bit, dump, err);
    }
  }
  return 0;
}

/* Ports that give one of our inputs must be in the dump. The others are read if they are there. */
static void lay_out(vcd_map_t *m) {
  const bind_t *b = m->bind;
  module_port_t *to = m->port;
  for (unsigned optional = 0; optional < 2; optional++) {
    unsigned word = 0;
    const module_port_t *begin = to;
    for (unsigned i = 0; i < b->n_ports; i++) {
      bool ours = false;
      if (b->port[i].role != BIND_INPUT && b->port[i].role != BIND_RESET) continue;
      for (size_t k = 0; k < m->n_links; k++)
        ours = ours || (m->link[k].port == i && m->link[k].is.kind == INVERSE_PORT);
      if (ours == optional) continue;
      *to++ =
          (module_port_t){.name = b->port[i].port->name, .width = b->port[i].width, .word = word};
      for (size_t k = 0; k < m->n_links; k++)
        if (m->link[k].port == i) {
          m->link[k].at = 64 * word + m->link[k].bit;
          m->link[k].optional = optional;
        }
      word += (b->port[i].width + 63) / 64;
    }
    if (!optional) m->face.in = begin, m->face.n_in = (unsigned)(to - begin);
    if (optional) m->face.out = begin, m->face.n_out = (unsigned)(to - begin);
  }
}

static bool no_constant(void *ctx, const char *name, uint64_t *value) {
  (void)ctx;
  (void)name;
  (void)value;
  return false;
}

/* The bits of a port that a path of the dump names, by the design's types. */
static bool member(void *ctx, const char *path, unsigned *at, unsigned *width) {
  vcd_map_t *m = ctx;
  const bind_t *b = m->bind;
  const scope_t none = {.ctx = NULL, .constant = no_constant};
  mrpb_err_t unheard = {""};
  resolved_t r;
  bool port = false;
  for (unsigned i = 0; i < b->n_ports && !port; i++) {
    const char *name = b->port[i].port->name;
    port = strncmp(path, name, strlen(name)) == 0 && strchr(".[", path[strlen(name)]);
  }
  const step_t *step = port ? expr_parse_path(m->paths, &path, &unheard) : NULL;
  if (!step || *path || resolve(b->design, b->called, step, &none, "", &r, &unheard) != 0)
    return false;
  *at = r.lsb;
  *width = r.width;
  return !r.array;
}

static void set_face(vcd_map_t *m) {
  const bind_t *b = m->bind;
  m->face.name = b->called;
  m->face.cls = b->cls;
  m->face.types = (vcd_types_t){member, m};
  for (unsigned i = 0; i < b->n_ports && !m->face.clock; i++)
    if (b->port[i].role == BIND_CLOCK) m->face.clock = b->port[i].port->name;
  m->face.n_params = b->n_params < VCD_BIND_PARAMS ? b->n_params : VCD_BIND_PARAMS;
  for (unsigned i = 0; i < m->face.n_params; i++) m->face.param[i] = b->param[i].name;
  lay_out(m);
}

int vcd_map_open(vcd_map_t **out, const bind_t *bind, const char *dump, mrpb_err_t *err) {
  vcd_map_t *m = calloc(1, sizeof *m);
  *out = NULL;
  if (!m) return mrpb_fail(err, "%s: out of memory", dump);
  m->bind = bind;
  m->paths = expr_pool_open();
  if (!m->paths || find_links(m, dump, err) != 0 || all_there(m, dump, err) != 0) {
    vcd_map_close(m);
    return -1;
  }
  set_face(m);
  *out = m;
  return 0;
}

void vcd_map_close(vcd_map_t *m) {
  if (!m) return;
  expr_pool_close(m->paths);
  free(m->link);
  free(m);
}

const vcd_face_t *vcd_map_face(const vcd_map_t *m) {
  return &m->face;
}
uint64_t vcd_map_param(const vcd_map_t *m, unsigned i) {
  return m->bind->param[i].value;
}

/* ---- cycles ---- */

static bool known(const link_t *l, const vcd_theirs_t *t) {
  return l->optional ? bit_of(t->out_known, l->at) : !bit_of(t->in_unknown, l->at);
}

static bool value(const link_t *l, const vcd_theirs_t *t) {
  return bit_of(l->optional ? t->out : t->in, l->at);
}

/* If a bit has several sources in the design, the first of them that is 0 or 1 counts. */
void vcd_map_inputs(const vcd_map_t *m, const vcd_theirs_t *theirs, uint64_t *in,
                    uint64_t *unknown) {
  const bind_t *b = m->bind;
  for (unsigned i = 0; i < b->cls->n_in; i++)
    for (unsigned k = 0; k < b->in[i].width && !left_out(b, i); k++)
      unknown[b->in[i].word + k / 64] |= UINT64_C(1) << k % 64;
  for (size_t k = 0; k < m->n_links; k++) {
    const link_t *l = &m->link[k];
    if (l->is.kind != INVERSE_PORT || !known(l, theirs)) continue;
    const unsigned word = b->in[l->is.port].word + l->is.bit / 64;
    const uint64_t bit = UINT64_C(1) << l->is.bit % 64;
    if (unknown[word] & bit && value(l, theirs) != l->is.one) in[word] |= bit;
    unknown[word] &= ~bit;
  }
}

void vcd_map_compare(vcd_map_t *m, const vcd_theirs_t *theirs, const uint64_t *in,
                     const uint64_t *unknown, uint64_t time) {
  const bind_t *b = m->bind;
  bool other = false;
  for (size_t k = 0; k < m->n_links && !other; k++) {
    const link_t *l = &m->link[k];
    if (l->is.kind == INVERSE_UNKNOWN || !known(l, theirs)) continue;
    bool want = l->is.one;
    if (l->is.kind == INVERSE_PORT) {
      const unsigned at = 64 * b->in[l->is.port].word + l->is.bit;
      if (bit_of(unknown, at)) continue;
      want ^= bit_of(in, at);
    }
    if (value(l, theirs) == want) continue;
    other = true;
    if (m->others++ > 0) continue;
    m->first = l;
    m->first_time = time;
    m->first_has = !want;
  }
}

uint64_t vcd_map_others(const vcd_map_t *m, char *place, size_t size, bool *has, uint64_t *time) {
  if (!m->first) return 0;
  snprintf(place, size, "%s[%u], line %u of the map", m->bind->port[m->first->port].port->name,
           m->first->bit, m->first->line);
  *has = m->first_has;
  *time = m->first_time;
  return m->others;
}

void vcd_map_said(const vcd_map_t *m, unsigned port, char *text, size_t size) {
  const link_t *low = NULL, *high = NULL;
  for (size_t k = 0; k < m->n_links; k++) {
    const link_t *l = &m->link[k];
    if (l->is.kind != INVERSE_PORT || l->is.port != port) continue;
    if (!low) low = high = l;
    if (l->port == low->port && l->bit < low->bit) low = l;
    if (l->port == low->port && l->bit > high->bit) high = l;
  }
  if (!low)
    snprintf(text, size, "%s", m->bind->in[port].name);
  else if (m->bind->port[low->port].width == high->bit - low->bit + 1)
    snprintf(text, size, "%s", m->bind->port[low->port].port->name);
  else if (low == high)
    snprintf(text, size, "%s[%u]", m->bind->port[low->port].port->name, low->bit);
  else
    snprintf(text, size, "%s[%u:%u]", m->bind->port[low->port].port->name, high->bit, low->bit);
}
