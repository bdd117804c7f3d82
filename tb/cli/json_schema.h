/* SPDX-License-Identifier: Apache-2.0 */
/* What the JSON files of commands look like: json_fields.def, the counts of a run and the keys of its
 * configuration, as a JSON schema and as a page. */
#ifndef JSON_SCHEMA_H
#define JSON_SCHEMA_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* The schema (JSON Schema 2020-12) of every kind of file that `command` writes, or with NULL of all:
 * "$defs" has one for each, and a file is one of them. NULL when out of memory. */
json_t *json_schema(const char *command);

/* `command` writes JSON. */
bool json_schema_has(const char *command);
/* The commands that do, one after the other; NULL behind the last one. */
const char *json_schema_command(unsigned i);

/* A table for each kind of file. */
void json_schema_page(FILE *out);

#endif
