/* SPDX-License-Identifier: Apache-2.0 */
/* Registers: declarations by scope, numbers in the order of first use, nearest names. */
#include "workload/ptx/parse.h"

#include "base/names.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Whether the range `d` declares the name; its index. */
static bool in_range(const reg_decl_t *d, const char *at, size_t length, uint32_t *index) {
  if (d->count == 0 || length <= d->length || memcmp(d->name, at, d->length) != 0) return false;
  if (length > d->length + 1 && at[d->length] == '0') return false;
  uint64_t v = 0;
  for (size_t i = d->length; i < length; i++) {
    if (!isdigit((unsigned char)at[i]) || v > UINT32_MAX) return false;
    v = v * 10 + (uint64_t)(at[i] - '0');
  }
  *index = (uint32_t)v;
  return v < d->count;
}

static bool declares(const reg_decl_t *d, const char *at, size_t length, uint32_t *index) {
  if (d->count) return in_range(d, at, length, index);
  *index = 0;
  return d->length == length && memcmp(d->name, at, length) == 0;
}

static uint8_t bank_of(const char *at, size_t length) {
  size_t i = 0;
  unsigned n = 0;
  while (i < length && !isdigit((unsigned char)at[i])) i++;
  for (; i < length && isdigit((unsigned char)at[i]); i++)
    n = (n * 10 + (unsigned)(at[i] - '0')) & 0xffff;
  return (uint8_t)n;
}

/* A number for register `index` of `d`, the same one every time. */
static int number(parser_t *p, const reg_decl_t *d, uint32_t index, const token_t *t) {
  body_t *b = p->body;
  for (size_t i = 1; i < b->n_regs; i++)
    if (b->keys[i].decl == d->id && b->keys[i].index == index) return (int)i;
  if (b->n_regs >= WARP_REGS)
    return ptx_fail(p, t->line, "kernel '%.60s' uses more than %d registers", b->k.name,
                    WARP_REGS - 1);
  if (PTX_GROW(p, b, regs, n_regs) || PTX_GROW(p, b, keys, n_regs)) return -1;
  char *name = ptx_copy_name(p, t->at, t->length);
  if (!name) return -1;
  b->regs[b->n_regs] = (ptx_reg_t){name, (uint8_t)d->type};
  b->keys[b->n_regs] = (reg_key_t){d->id, index, bank_of(t->at, t->length)};
  return (int)b->n_regs++;
}

int ptx_register(parser_t *p, const token_t *t) {
  body_t *b = p->body;
  uint32_t index;
  for (size_t i = b->n_decls; i-- > 0;)
    if (declares(&b->decls[i], t->at, t->length, &index)) return number(p, &b->decls[i], index, t);
  return 0;
}

/* Register `k` of a declaration that no text has; `id` is none of a text's. */
static int hidden(parser_t *p, const char *name, uint32_t id, ptx_type_t type, unsigned k) {
  const reg_decl_t d = {.id = id, .type = type};
  const token_t t = {.kind = TOKEN_NAME, .at = name, .length = strlen(name), .line = p->tok.line};
  return number(p, &d, k, &t);
}

int ptx_hidden_register(parser_t *p, unsigned k) {
  return hidden(p, "%copy", UINT32_MAX, PTX_B32, k);
}

int ptx_carry(parser_t *p) {
  return hidden(p, "%carry", UINT32_MAX - 1, PTX_PRED, 0);
}

/* Whether a range and what `other` declares overlap: of another range the first one, whose number
 * is the smallest. */
static bool range_hits(const reg_decl_t *range, const reg_decl_t *other) {
  char first[PTX_NAME + 1];
  uint32_t index;
  snprintf(first, sizeof first, "%.*s%s", (int)other->length, other->name, other->count ? "0" : "");
  return in_range(range, first, strlen(first), &index);
}

/* Whether the declarations overlap within a scope. */
static bool collide(const reg_decl_t *a, const reg_decl_t *b) {
  if (a->depth != b->depth) return false;
  if (!a->count && !b->count) return a->length == b->length && !memcmp(a->name, b->name, a->length);
  return (a->count && range_hits(a, b)) || (b->count && range_hits(b, a));
}

int ptx_add_decl(parser_t *p, reg_decl_t *d) {
  body_t *b = p->body;
  d->depth = b->depth;
  d->id = b->next_decl++;
  for (size_t i = 0; i < b->n_decls; i++)
    if (collide(&b->decls[i], d))
      return ptx_fail(p, d->line, "register '%.*s' again, first on line %u", (int)d->length,
                      d->name, b->decls[i].line);
  if (PTX_GROW(p, b, decls, n_decls)) return -1;
  b->decls[b->n_decls++] = *d;
  return 0;
}

void ptx_leave_scope(parser_t *p) {
  body_t *b = p->body;
  while (b->n_decls && b->decls[b->n_decls - 1].depth == b->depth) b->n_decls--;
  b->depth--;
}

typedef struct {
  const char *of;
  char best[PTX_NAME];
  unsigned distance;
} nearest_t;

static void consider(nearest_t *n, const char *at, size_t length) {
  char name[PTX_NAME];
  memcpy(name, at, length);
  name[length] = '\0';
  unsigned d = names_distance(n->of, name);
  if (d == 0 || d >= n->distance) return;
  n->distance = d;
  memcpy(n->best, name, length + 1);
}

void ptx_suggest(parser_t *p, const token_t *t, char *out, size_t size) {
  body_t *b = p->body;
  char name[PTX_NAME];
  uint32_t index;
  snprintf(name, sizeof name, "%.*s", (int)t->length, t->at);
  nearest_t n = {name, "", (unsigned)t->length / 2 + 1};
  *out = '\0';
  for (size_t i = b->n_decls; i-- > 0;) {
    const reg_decl_t *d = &b->decls[i];
    reg_decl_t wide = *d;
    wide.count = d->count ? UINT32_MAX : 0;
    if (d->count && in_range(&wide, t->at, t->length, &index)) {
      snprintf(out, size, "; line %u declares %.*s0 to %.*s%u", d->line, (int)d->length, d->name,
               (int)d->length, d->name, d->count - 1);
      return;
    }
    if (!d->count) consider(&n, d->name, d->length);
  }
  for (size_t i = 1; i < b->n_regs; i++) consider(&n, b->regs[i].name, strlen(b->regs[i].name));
  for (size_t i = 0; i < b->n_params; i++)
    consider(&n, b->params[i].name, strlen(b->params[i].name));
  for (size_t i = 0; i < p->m->n_variables; i++) {
    const variable_t *v = &p->m->variables[i];
    if (v->kernel == PTX_NO_KERNEL || v->kernel == b->index)
      consider(&n, v->v.name, strlen(v->v.name));
  }
  for (unsigned i = 0; ptx_special_name(i); i++)
    consider(&n, ptx_special_name(i), strlen(ptx_special_name(i)));
  if (*n.best)
    snprintf(out, size, "; nearest: %.80s", n.best);
  else if (*name == '%')
    snprintf(out, size, "; docs/ptx.md lists the special registers");
}
