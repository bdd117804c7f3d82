/* SPDX-License-Identifier: Apache-2.0 */
/* Schemas of JSON files: see json_schema.h. */
#include "cli/json_schema.h"

#include "base/json_out.h"
#include "cli/run_profile.h"
#include "config/config.h"
#include "gpu/cores/counts.h"
#include "gpu/cores/stacks.h"

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

/* The files of a run: cores and memory, and the file that has the fields of such cores. */
typedef struct {
  const char *file, *fields;
  uint32_t core, memory;
} run_t;
static const run_t runs[] = {
    {"run", "run", CONFIG_CORE_PIPELINE, CONFIG_MEMORY_FLITS},
    {"run_ports", "run", CONFIG_CORE_PIPELINE, CONFIG_MEMORY_PORTS},
    {"run_in_order", "run_in_order", CONFIG_CORE_IN_ORDER, CONFIG_MEMORY_PORTS},
    {"run_in_order_flits", "run_in_order", CONFIG_CORE_IN_ORDER, CONFIG_MEMORY_FLITS}};

/* NULL: it is of something else. */
static const run_t *run_of(const file_t *file) {
  for (unsigned i = 0; i < sizeof runs / sizeof *runs; i++)
    if (strcmp(runs[i].file, file->name) == 0) return &runs[i];
  return NULL;
}

/* All that such a run can show. */
static gpu_shows_t shows_of(const run_t *run) {
  return (gpu_shows_t){true, true, run->core == CONFIG_CORE_IN_ORDER,
                       run->memory == CONFIG_MEMORY_PORTS};
}

static void each_count(const run_t *run, const char *inside, each_t each, void *ctx) {
  const gpu_shows_t all = shows_of(run);
  char path[PATH];
  for (unsigned i = 0; i < GPU_COUNTS; i++) {
    const gpu_count_t *c = gpu_count(i);
    if (!gpu_count_shown(i, all)) continue;
    snprintf(path, sizeof path, "%s%s%s%s", inside, c->part, c->part[0] ? "." : "", c->name);
    each(ctx, &(field_t){run->file, path, "integer", c->unit, c->meaning});
  }
}

/* The columns of --by-pc or --by-buffer, or of the buffers of an instruction; those of an MRPB are not in
 * every file. */
static void each_column(const run_t *run, const char *list, bool by_array, each_t each, void *ctx) {
  const gpu_shows_t all = shows_of(run);
  gpu_shows_t least = all;
  char path[PATH];
  least.mrpb = false;
  for (unsigned i = 0; i < PROFILE_COLUMNS; i++) {
    const profile_column_t column = (profile_column_t)i;
    const profile_about_t *c = profile_about(column);
    if ((by_array && !c->by_array) || !run_profile_shown(column, all)) continue;
    const char *type = run_profile_shown(column, least) ? "integer" : "?integer";
    snprintf(path, sizeof path, "%s[].%s", list, c->name);
    each(ctx, &(field_t){run->file, path, type, c->unit, c->meaning});
  }
}

/* The parts of --interval-stacks. */
static void each_part(const run_t *run, each_t each, void *ctx) {
  const bool in_order = run->core == CONFIG_CORE_IN_ORDER;
  char path[PATH];
  for (unsigned i = 0; i < stacks_parts(in_order); i++) {
    const stacks_about_t *c = stacks_about(in_order, i);
    snprintf(path, sizeof path, "intervals[].stacks[].%s", c->name);
    each(ctx, &(field_t){run->file, path, "integer", c->unit, c->meaning});
  }
}

static void each_key(const run_t *run, each_t each, void *ctx) {
  char path[PATH], words[WORDS];
  config_t cfg;
  config_defaults_of(&cfg, run->core, run->memory);
  for (unsigned i = 0; i < config_count(); i++) {
    const config_key_t *k = config_key(i);
    if (!config_has(&cfg, i)) continue;
    snprintf(path, sizeof path, "configuration.%s", k->name);
    snprintf(words, sizeof words, "=%s", k->words ? k->words : "");
    each(ctx, &(field_t){run->file, path, k->words ? words : "integer", k->unit[0] ? k->unit : "1",
                         k->doc});
  }
}

/* A field of the memory with flits, whatever the cores. */
static bool of_flits(const field_t *f) {
  static const char *const parts[] = {"interconnect.", "l2.", "dram."};
  bool is = false;
  for (unsigned i = 0; i < sizeof parts / sizeof *parts; i++)
    is |= strncmp(f->path, parts[i], strlen(parts[i])) == 0;
  return is && strcmp(f->file, "run") == 0;
}

static bool has_field(const file_t *file, const run_t *run, const field_t *f) {
  if (run && of_flits(f)) return run->memory == CONFIG_MEMORY_FLITS;
  return strcmp(f->file, run ? run->fields : file->name) == 0;
}

static void each_field(const file_t *file, each_t each, void *ctx) {
  const run_t *run = run_of(file);
  each(ctx, &(field_t){file->name, "mrpb_version", "string", "", "of the program that wrote it"});
  for (unsigned i = 0; i < N_FIELDS; i++)
    if (has_field(file, run, &fields[i])) each(ctx, &fields[i]);
  if (!run) return;
  each_count(run, "", each, ctx);
  each_count(run, "kernels[].", each, ctx);
  each_count(run, "intervals[].", each, ctx);
  each_part(run, each, ctx);
  each_column(run, "by_pc", false, each, ctx);
  each_column(run, "by_pc[].buffers", true, each, ctx);
  each_column(run, "by_buffer", true, each, ctx);
  each_key(run, each, ctx);
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

/* Without mixtures, which have nothing that others do not have. */
void json_schema_page(FILE *out) {
  for (unsigned i = 0; i < N_FILES; i++) {
    const run_t *run = run_of(&files[i]);
    if (run && strcmp(run->file, run->fields) != 0) continue;
    fprintf(out, "%s### `%s`\n\n| field | type | unit | meaning |\n| --- | --- | --- | --- |\n",
            i ? "\n" : "", files[i].call);
    each_field(&files[i], print_field, out);
  }
}
