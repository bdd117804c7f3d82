/* SPDX-License-Identifier: Apache-2.0 */
/* JSON that is complete or not there at all: what finds no memory takes all that it belongs to with
 * it, so that a report is checked once, at its end. */
#ifndef JSON_OUT_H
#define JSON_OUT_H

#include "version.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

/* Takes `value` over; without memory (or without value or object) *object becomes NULL. */
static inline void json_out_set(json_t **object, const char *name, json_t *value) {
  if (json_object_set_new(*object, name, value) == 0) return;
  json_decref(*object);
  *object = NULL;
}

/* The same for an array. */
static inline void json_out_append(json_t **array, json_t *value) {
  if (json_array_append_new(*array, value) == 0) return;
  json_decref(*array);
  *array = NULL;
}

/* ---- writing: the only way out, so that every file says which version made it ---- */

/* A new object: "mrpb_version", then what `root` (an object) has. NULL without memory or root. */
static inline json_t *json_out_signed(json_t *root) {
  json_t *o = json_object();
  json_out_set(&o, "mrpb_version", json_string(mrpb_version()));
  if (o && json_object_update(o, root) == 0) return o;
  json_decref(o);
  return NULL;
}

/* As text, which the caller frees; NULL without memory or root. */
static inline char *json_out_text(json_t *root, size_t flags) {
  json_t *o = json_out_signed(root);
  char *text = o ? json_dumps(o, flags) : NULL;
  json_decref(o);
  return text;
}

/* To an open file, with an end of line: 0, or -1 without memory or root, or as errno says. */
static inline int json_out_write(json_t *root, FILE *f, size_t flags) {
  json_t *o = json_out_signed(root);
  int rc = o && json_dumpf(o, f, flags) == 0 && fputc('\n', f) != EOF ? 0 : -1;
  json_decref(o);
  return rc;
}

#endif
