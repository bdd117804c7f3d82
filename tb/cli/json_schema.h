/* SPDX-License-Identifier: Apache-2.0 */
/* The format of the commands' JSON files, as a JSON schema and as a page. It is made from
 * json_fields.def, the counts of a run and the keys of its configuration. */
#ifndef JSON_SCHEMA_H
#define JSON_SCHEMA_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* The schema (JSON Schema 2020-12) of every kind of file that `command` writes, or of all with
 * NULL: "$defs" has one for each kind, and a file is one of them. NULL if out of memory. */
json_t *json_schema(const char *command);

/* True if `command` writes JSON. */
bool json_schema_has(const char *command);
/* The commands that write JSON, one after the other; NULL after the last one. */
const char *json_schema_command(unsigned i);

/* Prints a table for each kind of file. */
void json_schema_page(FILE *out);

#endif
