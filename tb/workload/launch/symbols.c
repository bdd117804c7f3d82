/* SPDX-License-Identifier: Apache-2.0 */
/* Names, texts and arrays of a program: see launch_state.h. */
#include "workload/launch/launch_state.h"

#include "base/files.h"
#include "base/grow.h"
#include "base/names.h"

#include <stdlib.h>
#include <string.h>

void *launch_push(launch_program_t *p, void **array, size_t *n, size_t *room, size_t size,
                  mrpb_err_t *err) {
  uint8_t *to = grow(*array, *n + 1, room, size);
  if (!to) return mrpb_fail(err, "%s: out of memory", p->name), NULL;
  *array = to;
  to += *n * size;
  memset(to, 0, size);
  ++*n;
  return to;
}

const char *launch_keep(launch_program_t *p, const char *text, mrpb_err_t *err) {
  char **to = LAUNCH_PUSH(p, texts, err);
  if (to) *to = strdup(text);
  if (to && !*to) mrpb_fail(err, "%s: out of memory", p->name);
  return to ? *to : NULL;
}

const char *launch_path(launch_program_t *p, const char *name, bool input, mrpb_err_t *err) {
  char path[FILES_PATH];
  const char *slash = strrchr(p->name, '/');
  const int folder = slash && name[0] != '/' && input ? (int)(slash + 1 - p->name) : 0;
  if (!files_path(path, "%.*s%s", folder, p->name, name))
    return mrpb_fail(err, "\"%.60s...\": legal: a path of %d characters", name, FILES_PATH - 1),
           NULL;
  const char *kept = launch_keep(p, path, err);
  if (!kept || !input) return kept;
  const char **to = LAUNCH_PUSH(p, inputs, err);
  return to ? *to = kept : NULL;
}

uint32_t launch_find(const launch_program_t *p, const char *name) {
  for (size_t s = 1; s < p->n_symbols; s++)
    if (p->symbols[s].kind != LAUNCH_HIDDEN && strcmp(p->symbols[s].name, name) == 0)
      return (uint32_t)s;
  return 0;
}

uint32_t launch_name_new(launch_reader_t *r, launch_kind_t kind) {
  const char *name = r->token.text;
  if (r->token.kind != LAUNCH_IDENTIFIER) return launch_expected(r, "a name"), 0;
  if (strcmp(name, "i") == 0 || strcmp(name, "random") == 0 || strcmp(name, "inf") == 0 ||
      strcmp(name, "nan") == 0 || launch_type_of(name) < LAUNCH_TYPES)
    return mrpb_fail(r->err, "%s: reserved; legal: another name", name), 0;
  if (launch_find(r->p, name))
    return mrpb_fail(r->err, "%.60s: already defined; legal: another name", name), 0;
  if (strlen(name) >= LAUNCH_WORD)
    return mrpb_fail(r->err, "%.40s...: legal: up to %d characters", name, LAUNCH_WORD - 1), 0;
  launch_symbol_t *s = LAUNCH_PUSH(r->p, symbols, r->err);
  if (!s) return 0;
  memcpy(s->name, name, strlen(name) + 1);
  s->kind = kind;
  launch_next(r);
  return (uint32_t)(r->p->n_symbols - 1);
}

/* Offers the names of all symbols with elements; false if there are none. */
static bool offer_elements(const launch_program_t *p, names_near_t *near) {
  bool any = false;
  for (size_t s = 1; s < p->n_symbols; s++) {
    const launch_symbol_t *known = &p->symbols[s];
    if (known->kind != LAUNCH_ON_GPU && known->kind != LAUNCH_ON_HOST) continue;
    names_offer(near, known->name);
    any = true;
  }
  return any;
}

uint32_t launch_name_elements(launch_reader_t *r) {
  const char *name = r->token.text;
  if (r->token.kind != LAUNCH_IDENTIFIER)
    return launch_expected(r, "a buffer, an array or a variable"), 0;
  const uint32_t s = launch_find(r->p, name);
  names_near_t near = names_near(name);
  const bool any = offer_elements(r->p, &near);
  if (!s || r->p->symbols[s].kind == LAUNCH_VALUE)
    return mrpb_fail(r->err, "%.60s: not a buffer, array or variable of the PTX text%s", name,
                     any ? near.text : "; there is none yet"),
           0;
  launch_next(r);
  return s;
}
