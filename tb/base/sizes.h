/* SPDX-License-Identifier: Apache-2.0 */
/* A module and its parameters as a user names them: "mshr", "ENTRIES=5". */
#ifndef SIZES_H
#define SIZES_H

#include "module.h"
#include <stddef.h>

/* Room for the sizes of any module as a text, a prefix of a few characters before each. */
enum { SIZES_TEXT = 32 * MODULE_MAX_PARAMS };

/* Returns the module named `name`, or NULL and a message with the nearest known name. */
const module_class_t *sizes_module(const char *name, mrpb_err_t *err);

/* Sets a parameter in `cfg` (cls->n_params values) from "NAME=VALUE". Returns 0, or -1 and a
 * message that says what is legal and which name is nearest. cls->check enforces the limits. */
int sizes_set(const module_class_t *cls, uint32_t *cfg, const char *text, mrpb_err_t *err);

/* Writes "ENTRIES=5 MERGES=3 ...", with `prefix` before each, cut to `size` bytes. */
void sizes_text(const module_class_t *cls, const uint32_t *cfg, const char *prefix, char *text,
                size_t size);

#endif
