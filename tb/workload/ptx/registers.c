/* SPDX-License-Identifier: Apache-2.0 */
/* Registers: declarations by scope, numbers in the order of first use, and nearest names for
 * messages. */
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

/* The register number stored in `*at`; assigns the next number if it has none yet. */
static int number(parser_t *p, uint32_t *at, ptx_type_t type, const char *name, size_t length) {
  body_t *b = p->body;
  if (*at) return (int)*at;
  if (PTX_GROW(p, b, regs, n_regs)) return -1;
  char *copy = ptx_copy_name(p, name, length);
  if (!copy) return -1;
  b->regs[b->n_regs] = (ptx_reg_t){copy, (uint8_t)type, bank_of(name, length)};
  *at = (uint32_t)b->n_regs++;
  return (int)*at;
}

int ptx_element(char c) {
  static const char names[] = "xyzwrgba";
  const char *at = c ? strchr(names, c) : NULL;
  return at ? (int)(at - names) % 4 : -1;
}

const reg_decl_t *ptx_vector_register(const body_t *b, const char *at, size_t length) {
  uint32_t index;
  for (size_t i = b->n_decls; i-- > 0;)
    if (b->decls[i].vector && declares(&b->decls[i], at, length, &index)) return &b->decls[i];
  return NULL;
}

/* Element `k` of the vector. */
static int element(parser_t *p, const token_t *t, int k) {
  uint32_t index = 0;
  const reg_decl_t *d = ptx_vector_register(p->body, t->at, t->length - 2);
  if (!d || k >= d->vector) return 0;
  (void)declares(d, t->at, t->length - 2, &index);
  return number(p, &d->number[index * d->vector + (uint32_t)k], d->type, t->at, t->length);
}

int ptx_register(parser_t *p, const token_t *t) {
  body_t *b = p->body;
  uint32_t index;
  if (t->length > 2 && t->at[t->length - 2] == '.')
    return element(p, t, ptx_element(t->at[t->length - 1]));
  for (size_t i = b->n_decls; i-- > 0;) {
    const reg_decl_t *d = &b->decls[i];
    if (d->vector == 0 && declares(d, t->at, t->length, &index))
      return number(p, &d->number[index], d->type, t->at, t->length);
  }
  return 0;
}

int ptx_hidden_register(parser_t *p, unsigned k) {
  return number(p, &p->body->copy[k], PTX_B32, "%copy", strlen("%copy"));
}

int ptx_carry(parser_t *p) {
  return number(p, &p->body->carry, PTX_PRED, "%carry", strlen("%carry"));
}

int ptx_fresh_register(parser_t *p, ptx_type_t type) {
  uint32_t at = 0;
  return number(p, &at, type, "%fresh", strlen("%fresh"));
}

/* Whether a range and the declaration `other` overlap. If `other` is a range, its first register is
 * compared, as it has the smallest number. */
static bool range_hits(const reg_decl_t *range, const reg_decl_t *other) {
  uint32_t index = 0;
  const size_t n = range->length;
  if (other->count == 0) return in_range(range, other->name, other->length, &index);
  if (other->length == n) return memcmp(other->name, range->name, n) == 0;
  return in_range(range, other->name, other->length, &index) && index && /* a 0 appended */
         UINT64_C(10) * index < range->count;
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
  for (size_t i = 0; i < b->n_decls; i++)
    if (collide(&b->decls[i], d))
      return ptx_fail(p, d->line, "register '%.*s' again, first on line %u", (int)d->length,
                      d->name, b->decls[i].line);
  const size_t elements = (d->count ? d->count : 1) * (d->vector ? d->vector : 1u);
  d->number = ptx_alloc(p, elements * sizeof *d->number);
  b->n_vectors += d->vector > 0;
  if (!d->number || PTX_GROW(p, b, decls, n_decls)) return -1;
  b->decls[b->n_decls++] = *d;
  return 0;
}

void ptx_leave_scope(parser_t *p) {
  body_t *b = p->body;
  while (b->n_decls && b->decls[b->n_decls - 1].depth == b->depth) b->n_decls--;
  b->depth--;
}

static void consider(names_near_t *n, const char *at, size_t length) {
  char name[PTX_NAME];
  if (length >= sizeof name) return;
  memcpy(name, at, length);
  name[length] = '\0';
  if (strcmp(name, n->asked) != 0) names_offer(n, name);
}

void ptx_suggest(parser_t *p, const token_t *t, char *out, size_t size) {
  body_t *b = p->body;
  char name[PTX_NAME];
  uint32_t index;
  snprintf(name, sizeof name, "%.*s", (int)t->length, t->at);
  names_near_t n = names_near(name);
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
  if (n.text[0])
    snprintf(out, size, "%s", n.text);
  else if (*name == '%')
    snprintf(out, size, "; docs/ptx.md lists the special registers");
}
