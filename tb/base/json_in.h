/* SPDX-License-Identifier: Apache-2.0 */
/* JSON files that a user names. */
#ifndef JSON_IN_H
#define JSON_IN_H

#include "err.h"

#include <jansson.h>

enum { JSON_IN_MOST = 1 << 26 /* bytes of a file */ };

/* Returns the file's value; release it with json_decref. `flags` are jansson's; `legal` says what
 * kind of file is expected: "a file that `mrpb run --json` wrote". Returns NULL and a message on
 * failure. */
json_t *json_in_load(const char *path, size_t flags, const char *legal, mrpb_err_t *err);

/* The value at `path`, names of members with dots between them; NULL if there is none. */
const json_t *json_in_at(const json_t *value, const char *path);

#endif
