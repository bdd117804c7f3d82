/* SPDX-License-Identifier: Apache-2.0 */
/* See json_in.h. The text is read first because jansson's own file reader has no size limit. */
#include "json_in.h"

#include "input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

json_t *json_in_load(const char *path, size_t flags, const char *legal, mrpb_err_t *err) {
  json_error_t why = {.line = 0};
  size_t n = 0;
  char *text = input_text(path, JSON_IN_MOST, &n, err);
  if (!text) return NULL;
  json_t *json = json_loadb(text, n, flags, &why);
  free(text);
  if (!json && !why.text[0]) mrpb_fail(err, "%s: out of memory", path);
  if (!json) mrpb_fail(err, "%s:%d: %.200s; legal: %s", path, why.line, why.text, legal);
  return json;
}

const json_t *json_in_at(const json_t *value, const char *path) {
  char member[128];
  while (value && *path) {
    const size_t n = strcspn(path, ".");
    snprintf(member, sizeof member, "%.*s", (int)n, path);
    value = json_object_get(value, member);
    path += n + (path[n] == '.');
  }
  return value;
}
