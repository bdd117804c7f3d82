/* SPDX-License-Identifier: Apache-2.0 */
/* Schemas of JSON files: see json_schema.h. */
#include "cli/json_schema.h"

#include "base/json_out.h"
#include "config/config.h"
#include "gpu/cores/counts.h"

#include <string.h>

typedef struct {
  const char *name, *command, *call;
} file_t;

typedef struct {
  const char *file, *path, *type, *unit, *doc;
} field_t;

typedef void (*each_t)(void *ctx, const field_t *f);

#define JSON_FILE(file, command, call) {#file, command, call},
#define JSON_FIELD(...)
static const file_t files[] = {
#include "cli/json_fields.def"
};
#undef JSON_FILE
#undef JSON_FIELD
#define JSON_FILE(...)
#define JSON_FIELD(file, path, type, unit, doc) {#file, path, type, unit, doc},
static const field_t fields[] = {
#include "cli/json_fields.def"
};
#undef JSON_FILE
#undef JSON_FIELD

enum {
  N_FILES = sizeof files / sizeof *files,
  N_FIELDS = sizeof fields / sizeof *fields,
  PATH = 120,
  WORDS = 200
};

/* ---- all fields of a file --------------------------------------------------- */

static void each_count(const char *file, const char *inside, each_t each, void *ctx) {
  const bool in_order = strcmp(file, "run_in_order") == 0;
  char path[PATH];
  for (unsigned i = 0; i < GPU_COUNTS; i++) {
    const gpu_count_t *c = gpu_count(i);
    if (in_order ? !c->in_order : !c->pipeline) continue;
    snprintf(path, sizeof path, "%s%s%s%s", inside, c->part, c->part[0] ? "." : "", c->name);
    each(ctx, &(field_t){file, path, "integer", c->unit, c->meaning});
  }
}

static void each_key(const char *file, uint32_t core, uint32_t memory, each_t each, void *ctx) {
  char path[PATH], words[WORDS];
  config_t cfg;
  config_defaults_of(&cfg, core, memory);
  for (unsigned i = 0; i < config_count(); i++) {
    const config_key_t *k = config_key(i);
    if (!config_has(&cfg, i)) continue;
    snprintf(path, sizeof path, "configuration.%s", k->name);
    snprintf(words, sizeof words, "=%s", k->words ? k->words : "");
    each(ctx,
         &(field_t){file, path, k->words ? words : "integer", k->unit[0] ? k->unit : "1", k->doc});
  }
}

static void each_field(const file_t *file, each_t each, void *ctx) {
  const bool in_order = strcmp(file->name, "run_in_order") == 0;
  each(ctx, &(field_t){file->name, "mrpb_version", "string", "", "of the program that wrote it"});
  for (unsigned i = 0; i < N_FIELDS; i++)
    if (strcmp(fields[i].file, file->name) == 0) each(ctx, &fields[i]);
  if (!in_order && strcmp(file->name, "run") != 0) return;
  each_count(file->name, "", each, ctx);
  each_count(file->name, "kernels[].", each, ctx);
  if (in_order)
    each_key(file->name, CONFIG_CORE_IN_ORDER, CONFIG_MEMORY_PORTS, each, ctx);
  else
    each_key(file->name, CONFIG_CORE_PIPELINE, CONFIG_MEMORY_FLITS, each, ctx);
}

/* ---- the schema -------------------------------------------------------------- */

/* Returns the member `name` of `at`, or `made` as that member if there is none yet; `at` owns
 * both. */
static json_t *member(json_t *at, const char *name, json_t *made) {
  json_t *old = json_object_get(at, name);
  if (!old) return json_object_set_new(at, name, made) == 0 ? made : NULL;
  json_decref(made);
  return old;
}

/* A value with members or elements is an object or a list, unless its own line gives its type. */
static json_t *typed(json_t *at, const char *type) {
  return at && (json_object_get(at, "type") ||
                json_object_set_new(at, "type", json_string(type)) == 0)
             ? at
             : NULL;
}

/* Returns the member `name` of the object `at`. A new member is required, unless `maybe`. */
static json_t *property(json_t *at, const char *name, bool maybe) {
  if (!typed(at, "object")) return NULL;
  json_t *all = member(at, "properties", json_object());
  json_t *always = member(at, "required", json_array());
  if (!all || !always || !member(at, "additionalProperties", json_false())) return NULL;
  json_t *old = json_object_get(all, name);
  if (old) return old;
  if (!maybe && json_array_append_new(always, json_string(name)) != 0) return NULL;
  return member(all, name, json_object());
}

/* Returns the schema of the value that `path` names, within the schema of the file; schemas on the
 * way are made if missing. */
static json_t *walk(json_t *at, const char *path, bool maybe) {
  char text[PATH], *save = NULL;
  snprintf(text, sizeof text, "%s", path);
  for (char *part = strtok_r(text, ".", &save), *next; part && at; part = next) {
    next = strtok_r(NULL, ".", &save);
    const size_t name = strcspn(part, "[{");
    const char *inside = part + name;
    const char kind = *inside;
    part[name] = '\0';
    at = property(at, part, maybe && !next && !kind);
    for (char c = kind; c && at; c = *(inside += 2)) {
      const bool list = c == '[';
      at = typed(at, list ? "array" : "object");
      if (at) at = member(at, list ? "items" : "additionalProperties", json_object());
    }
  }
  return at;
}

static json_t *split(const char *words) {
  json_t *all = json_array();
  for (const char *at = words; *at;) {
    const size_t n = strcspn(at, "|");
    json_out_append(&all, json_stringn(at, n));
    at += n + (at[n] == '|');
  }
  return all;
}

static void add(void *ctx, const field_t *f) {
  json_t **file = ctx;
  const bool maybe = f->type[0] == '?';
  const char *type = f->type + maybe;
  json_t *at = *file ? json_incref(walk(*file, f->path, maybe)) : NULL;
  if (at && type[0] == '=')
    json_out_set(&at, "enum", split(type + 1));
  else if (at)
    json_out_set(&at, "type", strchr(type, '|') ? split(type) : json_string(type));
  if (at && f->unit[0]) json_out_set(&at, "unit", json_string(f->unit));
  if (at) json_out_set(&at, "description", json_string(f->doc));
  if (!at) json_decref(*file), *file = NULL;
  json_decref(at);
}

static json_t *file_schema(const file_t *file) {
  json_t *o = json_object();
  json_out_set(&o, "title", json_string(file->call));
  each_field(file, add, &o);
  return o;
}

json_t *json_schema(const char *command) {
  char path[PATH];
  json_t *o = json_object(), *all = json_object(), *any = json_array();
  for (unsigned i = 0; i < N_FILES; i++) {
    if (command && strcmp(files[i].command, command) != 0) continue;
    json_t *one = json_object();
    snprintf(path, sizeof path, "#/$defs/%s", files[i].name);
    json_out_set(&one, "$ref", json_string(path));
    json_out_append(&any, one);
    json_out_set(&all, files[i].name, file_schema(&files[i]));
  }
  json_out_set(&o, "$schema", json_string("https://json-schema.org/draft/2020-12/schema"));
  json_out_set(&o, "title", json_string("JSON files of mrpb; unit is that of a figure"));
  json_out_set(&o, "anyOf", any);
  json_out_set(&o, "$defs", all);
  return o;
}

bool json_schema_has(const char *command) {
  for (unsigned i = 0; i < N_FILES; i++)
    if (strcmp(files[i].command, command) == 0) return true;
  return false;
}

const char *json_schema_command(unsigned i) {
  for (unsigned k = 0; k < N_FILES; k++)
    if (k == 0 || strcmp(files[k].command, files[k - 1].command) != 0)
      if (i-- == 0) return files[k].command;
  return NULL;
}

/* ---- the page ---------------------------------------------------------------- */

static void print_type(FILE *out, const field_t *f) {
  const bool maybe = f->type[0] == '?', words = f->type[maybe] == '=';
  if (maybe) fputs("if there: ", out);
  for (const char *c = f->type + maybe + words; *c; c++)
    fputs(*c == '|' ? ", " : (char[]){*c, 0}, out);
}

static void print_field(void *ctx, const field_t *f) {
  FILE *out = ctx;
  if (strncmp(f->path, "configuration.", strlen("configuration.")) == 0) return;
  fprintf(out, "| `%s` | ", f->path);
  print_type(out, f);
  fprintf(out, " | %s | %s |\n", f->unit, f->doc);
}

void json_schema_page(FILE *out) {
  for (unsigned i = 0; i < N_FILES; i++) {
    fprintf(out, "%s### `%s`\n\n| field | type | unit | meaning |\n| --- | --- | --- | --- |\n",
            i ? "\n" : "", files[i].call);
    each_field(&files[i], print_field, out);
  }
}
