/* SPDX-License-Identifier: Apache-2.0 */
/* Binds the signals that a wave shows. */
#include "verilog/design/bind_shows.h"

#include "base/grow.h"
#include "verilog/design/resolve.h"
#include "verilog/design/wrapper.h"

#include <string.h>

enum { MOST_SHOWS = 4096 };

static int add(bind_t *b, const bind_show_t *show, mrpb_err_t *err) {
  if (show->width > WRAPPER_WIDEST)
    return mrpb_fail(err, "'%s' has %u bits; legal: 1 to %d", show->path, show->width,
                     (int)WRAPPER_WIDEST);
  for (size_t i = 0; i < b->n_shows; i++)
    if (strcmp(b->show[i].path, show->path) == 0)
      return mrpb_fail(err, "'%s' a second time, after line %u", show->path, b->show[i].line);
  if (b->n_shows == MOST_SHOWS) return mrpb_fail(err, "more than %d signals", (int)MOST_SHOWS);
  bind_show_t *more = grow(b->show, b->n_shows + 1, &b->room_shows, sizeof *more);
  if (!more) return mrpb_fail(err, "out of memory");
  b->show = more;
  b->show[b->n_shows++] = *show;
  return 0;
}

/* The whole array, element by element in the order of the indices. */
static int add_elements(bind_t *b, const resolved_t *at, const bind_show_t *whole,
                        mrpb_err_t *err) {
  const type_t *t = describe_type(b->design, at->item->type);
  const type_t *of = t ? describe_type(b->design, t->of) : NULL;
  if (!t || t->kind != TYPE_UNPACKED || strcmp(at->name, whole->path) != 0 || !of ||
      of->kind == TYPE_UNPACKED)
    return mrpb_fail(err, "'%s' is an array of arrays; legal: an element", whole->path);
  const int first = t->left < t->right ? t->left : t->right;
  const int last = t->left < t->right ? t->right : t->left;
  for (int i = first; i <= last; i++) {
    bind_show_t one = {.width = describe_width(b->design, t->of), .line = whole->line};
    const int n = snprintf(one.path, sizeof one.path, "%s[%d]", whole->path, i);
    if (n < 0 || (size_t)n >= sizeof one.path) return mrpb_fail(err, "too long a name");
    if (add(b, &one, err) != 0) return -1;
  }
  return 0;
}

int bind_show(bind_t *b, const map_statement_t *s, mrpb_err_t *err) {
  char what[2 * MAP_NAME];
  resolved_t at;
  const scope_t ours = bind_ours(b);
  bind_show_t show = {.line = s->line};
  snprintf(what, sizeof what, "signal of %s", b->called);
  if (resolve(b->design, b->top, s->path, &ours, what, &at, err) != 0) return -1;
  expr_path_text(s->path, &ours, show.path, sizeof show.path);
  if (!s->path->next && (at.item->kind == DECL_INPUT || at.item->kind == DECL_OUTPUT))
    return mrpb_fail(err, "'%s' is a port, which every wave shows; legal: a signal inside",
                     show.path);
  if (at.array) return add_elements(b, &at, &show, err);
  show.width = at.width;
  return add(b, &show, err);
}
