/* SPDX-License-Identifier: Apache-2.0 */
/* JSON that is complete or not there at all: what finds no memory takes all that it belongs to with
 * it, so that a report is checked once, at its end. */
#ifndef JSON_OUT_H
#define JSON_OUT_H

#include <jansson.h>

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

#endif
