/* SPDX-License-Identifier: Apache-2.0 */
/* Follows paths through instances and generate blocks to a variable, and from there to bits of
 * it. */
#include "verilog/design/resolve.h"

#include "base/names.h"

#include <inttypes.h>
#include <string.h>

typedef struct {
  const describe_t *d;
  const scope_t *s;
  const char *what, *module;
  const step_t *path;
  resolved_t *r;
  mrpb_err_t *err;
} walk_t;

static int no_such(const walk_t *w, const char *text) {
  names_near_t near = names_near(text);
  const decl_t *item;
  unsigned n = 0;
  for (; (item = describe_item(w->d, w->module, n)); n++) names_offer(&near, item->name);
  return mrpb_fail(w->err, "'%s' is no %s%s", text, w->what, n ? near.text : ", which has none");
}

static int no_field(const walk_t *w, const type_t *t, const char *name) {
  names_near_t near = names_near(name);
  const member_t *m;
  unsigned n = 0;
  for (; (m = describe_member(w->d, t, n)); n++) names_offer(&near, m->name);
  if (n == 0) return mrpb_fail(w->err, "'%s': '%s' has no fields", name, w->r->name);
  return mrpb_fail(w->err, "'%s' is no field of '%s'%s", name, w->r->name, near.text);
}

/* Finds the item that the path's first steps name; *rest is what follows. */
static int find_item(walk_t *w, const step_t **rest) {
  char key[2 * EXPR_NAME_SIZE] = "";
  size_t n = 0, shown = 0;
  for (const step_t *at = w->path; at; at = at->next) {
    uint64_t index = 0;
    if (at->kind == STEP_RANGE) break;
    if (at->kind == STEP_INDEX && expr_constant(at->high, w->s, &index, w->err) != 0) return -1;
    if (at->kind == STEP_NAME)
      n += (size_t)snprintf(key + n, sizeof key - n, "%s%s", n ? "." : "", at->name);
    else
      n += (size_t)snprintf(key + n, sizeof key - n, "[%" PRIu64 "]", index);
    if (n >= sizeof key) return mrpb_fail(w->err, "%.60s...: too long a name", key);
    const decl_t *item = describe_find(w->d, w->module, key);
    if (!item) continue;
    shown += (size_t)snprintf(w->r->name + shown, sizeof w->r->name - shown, "%s%s",
                              shown ? "." : "", key);
    if (shown >= sizeof w->r->name)
      return mrpb_fail(w->err, "%.60s...: too long a name", w->r->name);
    if (item->kind != DECL_INSTANCE) return w->r->item = item, *rest = at->next, 0;
    w->module = item->of;
    n = 0;
    key[0] = '\0';
  }
  return no_such(w, key[0] ? key : w->r->name);
}

static unsigned span(const type_t *t) {
  return (unsigned)(t->left > t->right ? t->left - t->right : t->right - t->left) + 1;
}

/* The position of element `i`, counted from the right end; false if it does not exist. */
static bool place(const type_t *t, uint64_t i, unsigned *at) {
  const int64_t k = (int64_t)i - t->right, up = t->left >= t->right ? k : -k;
  if (i > INT32_MAX || up < 0 || up >= (int64_t)span(t)) return false;
  *at = (unsigned)up;
  return true;
}

static int beyond(const walk_t *w, const type_t *t, uint64_t i) {
  return mrpb_fail(w->err, "'%s' has no element or bit %" PRIu64 "; legal: %d to %d", w->r->name, i,
                   t->left < t->right ? t->left : t->right,
                   t->left < t->right ? t->right : t->left);
}

static int take_field(walk_t *w, const type_t *t, const char *name, int *type) {
  const member_t *m;
  unsigned above = 0, i = 0;
  for (; (m = describe_member(w->d, t, i)) && strcmp(m->name, name) != 0; i++)
    above += describe_width(w->d, m->type);
  if (!m) return no_field(w, t, name);
  const unsigned width = describe_width(w->d, m->type);
  if (t->kind == TYPE_STRUCT) w->r->lsb += w->r->width - above - width;
  w->r->width = width;
  *type = m->type;
  return 0;
}

/* Selects bits or elements high .. low. The result has no type of its own, so nothing may follow a
 * range. */
static int take_part(walk_t *w, const type_t *t, const step_t *at, int *type) {
  uint64_t high, low;
  unsigned top, bottom;
  if (expr_constant(at->high, w->s, &high, w->err) != 0) return -1;
  low = high;
  if (at->low && expr_constant(at->low, w->s, &low, w->err) != 0) return -1;
  if (!place(t, high, &top)) return beyond(w, t, high);
  if (!place(t, low, &bottom)) return beyond(w, t, low);
  if (top < bottom)
    return mrpb_fail(w->err, "'%s[%" PRIu64 ":%" PRIu64 "]': the higher bit comes first",
                     w->r->name, high, low);
  const unsigned one = t->kind == TYPE_BITS ? 1 : describe_width(w->d, t->of);
  if (t->kind == TYPE_UNPACKED) {
    const size_t n = strlen(w->r->name);
    if (at->low) return mrpb_fail(w->err, "'%s': one element at a time", w->r->name);
    snprintf(w->r->name + n, sizeof w->r->name - n, "[%" PRIu64 "]", high);
    w->r->whole = w->r->width = one;
  } else {
    w->r->lsb += bottom * one;
    w->r->width = (top - bottom + 1) * one;
  }
  *type = at->low ? DESCRIBE_NONE : t->of;
  return 0;
}

static int take_steps(walk_t *w, const step_t *at) {
  int type = w->r->item->type;
  w->r->whole = w->r->width = describe_width(w->d, type);
  for (; at; at = at->next) {
    const type_t *t = type == DESCRIBE_NONE ? NULL : describe_type(w->d, type);
    if (!t) return mrpb_fail(w->err, "'%s': it is a bit, or a part, and has no parts", w->r->name);
    const bool packed = t->kind == TYPE_BITS || t->kind == TYPE_PACKED || t->kind == TYPE_UNPACKED;
    if (at->kind == STEP_NAME) {
      if (take_field(w, t, at->name, &type) != 0) return -1;
    } else if (!packed) { /* a bit of a struct */
      const type_t flat = {.kind = TYPE_BITS, .left = (int)w->r->width - 1, .of = DESCRIBE_NONE};
      if (take_part(w, &flat, at, &type) != 0) return -1;
    } else if (take_part(w, t, at, &type) != 0) {
      return -1;
    } else if (t->kind == TYPE_BITS) {
      type = DESCRIBE_NONE;
    }
  }
  const type_t *t = type == DESCRIBE_NONE ? NULL : describe_type(w->d, type);
  w->r->array = t && t->kind == TYPE_UNPACKED;
  return w->r->width > 0 ? 0 : mrpb_fail(w->err, "'%s': its type is no vector of bits", w->r->name);
}

int resolve(const describe_t *d, const char *module, const step_t *path, const scope_t *s,
            const char *what, resolved_t *r, mrpb_err_t *err) {
  walk_t w = {d, s, what, module, path, r, err};
  const step_t *rest = NULL;
  *r = (resolved_t){.item = NULL};
  return find_item(&w, &rest) != 0 ? -1 : take_steps(&w, rest);
}
