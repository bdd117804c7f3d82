/* SPDX-License-Identifier: Apache-2.0 */
/* Resolves expressions into bits. A bit that cannot be resolved does not affect the others. */
#include "verilog/design/inverse.h"

#include <string.h>

typedef struct {
  const bind_t *b;
  scope_t scope;
} reader_t;

static int input_of(const bind_t *b, const char *name) {
  for (unsigned i = 0; i < b->cls->n_in; i++)
    if (strcmp(b->in[i].name, name) == 0) return (int)i;
  return -1;
}

static void zeros(inverse_bit_t *to, unsigned from, unsigned n) {
  for (unsigned i = from; i < n; i++) to[i] = (inverse_bit_t){.kind = INVERSE_CONSTANT};
}

static unsigned width_of(const reader_t *r, const expr_t *e) {
  unsigned w = 1;
  mrpb_err_t unheard = {""};
  (void)expr_width(e, &r->scope, &w, &unheard); /* bind_open has accepted it already */
  return w;
}

static bool constant(const reader_t *r, const expr_t *e, uint64_t *value) {
  mrpb_err_t unheard = {""};
  return expr_constant(e, &r->scope, value, &unheard) == 0;
}

static void read_bits(const reader_t *r, const expr_t *e, inverse_bit_t *to, unsigned n);

static void read_path(const reader_t *r, const expr_t *e, inverse_bit_t *to, unsigned n) {
  signal_t at;
  mrpb_err_t unheard = {""};
  if (r->scope.signal(r->scope.ctx, e->path, &at, &unheard) != 0) return;
  const int port = input_of(r->b, at.name);
  zeros(to, 0, n);
  for (unsigned i = 0; i < at.width && i < n && port >= 0; i++)
    to[i] = (inverse_bit_t){.kind = INVERSE_PORT, .port = (unsigned)port, .bit = at.lsb + i};
}

/* The last part is the lowest. */
static void read_list(const reader_t *r, const expr_t *e, inverse_bit_t *to, unsigned n) {
  unsigned top = width_of(r, e);
  zeros(to, 0, n);
  for (const expr_t *part = e->a; part; part = part->next) {
    const unsigned w = width_of(r, part);
    top -= w;
    if (top + w <= n) read_bits(r, part, to + top, w);
  }
}

static void read_repeat(const reader_t *r, const expr_t *e, inverse_bit_t *to, unsigned n) {
  const unsigned w = width_of(r, e->b), all = width_of(r, e);
  zeros(to, 0, n);
  for (unsigned at = 0; at + w <= all && at + w <= n; at += w) read_bits(r, e->b, to + at, w);
}

/* As in Verilog, ~ also inverts the zeros with which its operand is extended. */
static void read_unary(const reader_t *r, const expr_t *e, inverse_bit_t *to, unsigned n) {
  const bool each = e->op[0] == '~', flips = each || e->op[0] == '!';
  if (!each && (e->op[0] == '-' || width_of(r, e->a) > 1)) {
    if (e->op[0] != '-') zeros(to, 1, n);
    return;
  }
  zeros(to, 0, n);
  const unsigned m = each ? n : 1;
  read_bits(r, e->a, to, m);
  for (unsigned i = 0; i < m; i++) to[i].one ^= flips;
}

/* Resolves `n` bits of `e`, extended with zeros. */
static void read_bits(const reader_t *r, const expr_t *e, inverse_bit_t *to, unsigned n) {
  uint64_t value = 0;
  memset(to, 0, n * sizeof *to);
  if (e->kind == EXPR_CONCAT) {
    read_list(r, e, to, n);
  } else if (e->kind == EXPR_REPEAT) {
    read_repeat(r, e, to, n);
  } else if (e->kind == EXPR_UNARY && e->op[0] == '~') {
    read_unary(r, e, to, n);
  } else if (constant(r, e, &value)) {
    zeros(to, 0, n);
    for (unsigned i = 0; i < n && i < 64; i++) to[i].one = value >> i & 1;
  } else if (e->kind == EXPR_UNARY) {
    read_unary(r, e, to, n);
  } else if (e->kind == EXPR_CHOICE && constant(r, e->a, &value)) {
    read_bits(r, value ? e->b : e->c, to, n);
  } else if (e->kind == EXPR_PATH) {
    read_path(r, e, to, n);
  }
}

void inverse_part(const bind_t *b, const bind_part_t *p, inverse_bit_t *bits) {
  const reader_t r = {.b = b, .scope = bind_in(b)};
  zeros(bits, 0, p->width);
  if (p->from) {
    read_bits(&r, p->from, bits, p->bits < p->width ? p->bits : p->width);
    return;
  }
  for (unsigned i = 0; i < p->width && i < b->in[p->same].width; i++)
    bits[i] = (inverse_bit_t){.kind = INVERSE_PORT, .port = p->same, .bit = i};
}

bool inverse_mentions(const bind_t *b, const bind_part_t *p, unsigned port) {
  return p->from ? expr_names(p->from, b->in[port].name) : p->same == port;
}
