/* SPDX-License-Identifier: Apache-2.0 */
/* JSON that is either complete or absent: a value for which memory runs out invalidates everything
 * that contains it, so a report needs only one check, at its end. */
#ifndef JSON_OUT_H
#define JSON_OUT_H

#include "version.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

/* Takes over `value`. If out of memory (or without value or object), *object becomes NULL. */
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

/* Returns a new object: "mrpb_version", then the members of the object `root`. NULL if out of
 * memory or without root. */
static inline json_t *json_out_signed(json_t *root) {
  json_t *o = json_object();
  json_out_set(&o, "mrpb_version", json_string(mrpb_version()));
  if (o && json_object_update(o, root) == 0) return o;
  json_decref(o);
  return NULL;
}

/* Returns the object as text, which the caller frees; NULL if out of memory or without root. */
static inline char *json_out_text(json_t *root, size_t flags) {
  json_t *o = json_out_signed(root);
  char *text = o ? json_dumps(o, flags) : NULL;
  json_decref(o);
  return text;
}

/* Writes the object to an open file, with a newline. Returns 0, or -1 if out of memory, without
 * root, or for the reason in errno. */
static inline int json_out_write(json_t *root, FILE *f, size_t flags) {
  json_t *o = json_out_signed(root);
  int rc = o && json_dumpf(o, f, flags) == 0 && fputc('\n', f) != EOF ? 0 : -1;
  json_decref(o);
  return rc;
}

#endif
