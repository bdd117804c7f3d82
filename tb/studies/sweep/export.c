/* SPDX-License-Identifier: Apache-2.0 */
/* Writes the points of a sweep and their results as a table. */
#include "studies/sweep/sweep.h"

#include "base/grow.h"
#include "base/json_out.h"
#include "config/config_json.h"

#include <stdlib.h>
#include <string.h>

enum { PATH = 256, VALUE = 128, MOST_DEPTH = 8 };

typedef struct {
  const sweep_list_t *list;
  bool *key;   /* per key: whether the points differ in it */
  char **stat; /* names of the columns of statistics */
  size_t n_stats, room;
  bool json;
  bool named;   /* the columns are those that --stat names */
  bool notes;   /* some point is derived or ended: the rows say so */
  json_t *rows; /* the rows of a JSON table */
  FILE *out;
} table_t;

/* A point and its result. */
typedef struct {
  const sweep_point_t *p;
  bool there;
  const sweep_outcome_t *o;
  json_t *result;
} row_t;

/* ---- statistics -------------------------------------------------------------------------------- */

static bool is_leaf(const json_t *v) {
  return json_is_number(v) || json_is_string(v) || json_is_boolean(v);
}

static int add_stat(table_t *t, const char *name, mrpb_err_t *err) {
  char **stat = grow(t->stat, t->n_stats + 1, &t->room, sizeof *stat);
  if (stat) t->stat = stat;
  if (!stat || !(stat[t->n_stats] = strdup(name))) return mrpb_fail(err, "out of memory");
  t->n_stats++;
  return 0;
}

static bool has_stat(const table_t *t, const char *name) {
  for (size_t i = 0; i < t->n_stats; i++)
    if (strcmp(t->stat[i], name) == 0) return true;
  return false;
}

/* Adds every number and word of a result that is in no list and not already a column. */
static int add_all(table_t *t, json_t *result, const char *above, unsigned depth, mrpb_err_t *err) {
  const char *key;
  json_t *v;
  json_object_foreach(result, key, v) {
    char name[PATH];
    snprintf(name, sizeof name, "%s%s%s", above, above[0] ? "." : "", key);
    if (strcmp(name, "configuration") == 0 || strcmp(name, "config_hash") == 0) continue;
    if (json_is_object(v) && depth < MOST_DEPTH) {
      if (add_all(t, v, name, depth + 1, err) != 0) return -1;
    } else if (is_leaf(v) && !has_stat(t, name) && add_stat(t, name, err) != 0) {
      return -1;
    }
  }
  return 0;
}

/* Follows a path such as "l1d.mshr.cycles_at[3]"; NULL if there is no such value. */
static const json_t *at_path(const json_t *v, const char *path) {
  while (v && *path) {
    char part[PATH];
    const size_t n = strcspn(path, ".[");
    snprintf(part, sizeof part, "%.*s", (int)n, path);
    if (n > 0) v = json_object_get(v, part);
    path += n;
    if (*path == '[') {
      char *end;
      v = json_array_get(v, strtoul(path + 1, &end, 10));
      if (*end != ']') return NULL;
      path = end + 1;
    }
    path += *path == '.';
  }
  return v;
}

/* Looks among what the store knows about the run itself. The value is the caller's; false: no such
 * name. */
static bool of_run(const sweep_outcome_t *o, const char *name, json_t **v) {
  const bool message = strcmp(name, "message") == 0 && o->message[0];
  if (strcmp(name, "cpu_seconds") == 0)
    *v = json_real(o->cpu_seconds);
  else if (strcmp(name, "memory_kb") == 0)
    *v = json_integer(o->memory_kb);
  else if (message || strcmp(name, "host") == 0 || strcmp(name, "started") == 0)
    *v = json_string(message ? o->message : name[0] == 'h' ? o->host : o->started);
  else
    return false;
  return true;
}

/* The value is the caller's, NULL if it does not exist. Returns -1 if out of memory. */
static int value_of(const row_t *r, const char *stat, json_t **v) {
  bool there;
  *v = NULL;
  if (strncmp(stat, "run.", 4) == 0) {
    there = r->there && of_run(r->o, stat + 4, v);
  } else {
    const json_t *at = at_path(r->result, stat);
    there = is_leaf(at);
    if (there) *v = json_deep_copy(at);
  }
  return there && !*v ? -1 : 0;
}

/* ---- CSV --------------------------------------------------------------------------------------- */

static void put_text(FILE *f, const char *text) {
  if (!strpbrk(text, ",\"\n")) {
    fputs(text, f);
    return;
  }
  fputc('"', f);
  for (; *text; text++) fprintf(f, *text == '"' ? "\"\"" : "%c", *text);
  fputc('"', f);
}

static void put_value(FILE *f, const json_t *v) {
  fputc(',', f);
  if (json_is_integer(v)) fprintf(f, "%lld", (long long)json_integer_value(v));
  if (json_is_real(v)) fprintf(f, "%.10g", json_real_value(v));
  if (json_is_boolean(v)) fputs(json_is_true(v) ? "true" : "false", f);
  if (json_is_string(v)) put_text(f, json_string_value(v));
}

static void put_header(const table_t *t) {
  fputs("program,configuration", t->out);
  for (unsigned k = 0; k < config_count(); k++)
    if (t->key[k]) fprintf(t->out, ",%s", config_key(k)->name);
  fputs(t->notes ? ",exit,note" : ",exit", t->out);
  for (size_t i = 0; i < t->n_stats; i++) {
    fputc(',', t->out);
    put_text(t->out, t->stat[i]);
  }
  fputc('\n', t->out);
}

/* ---- rows -------------------------------------------------------------------------------------- */

/* How the point was not run, or not to its end. */
static const char *note_of(const row_t *r) {
  return r->there && (r->o->from || r->o->ended) ? r->o->message : "";
}

/* A run that a signal ended gets the exit code that a shell would report. */
static int exit_of(const sweep_outcome_t *o) {
  return o->exited ? o->code : 128 + o->code;
}

static int csv_row(const table_t *t, const row_t *r, const char *hash) {
  char value[VALUE];
  json_t *v;
  put_text(t->out, t->list->program[r->p->program].options);
  fprintf(t->out, ",%s", hash);
  for (unsigned k = 0; k < config_count(); k++) {
    if (!t->key[k]) continue;
    value[0] = '\0';
    if (config_has(&r->p->cfg, k)) config_print_value(&r->p->cfg, k, value, sizeof value);
    fprintf(t->out, ",%s", value);
  }
  fputc(',', t->out);
  if (r->there && !r->o->ended) fprintf(t->out, "%d", exit_of(r->o));
  if (t->notes) fprintf(t->out, ",%s", note_of(r));
  for (size_t i = 0; i < t->n_stats; i++) {
    if (value_of(r, t->stat[i], &v) != 0) return -1;
    put_value(t->out, v);
    json_decref(v);
  }
  fputc('\n', t->out);
  return 0;
}

static int json_row(table_t *t, const row_t *r, const char *hash) {
  json_t *row = json_object(), *stats = json_object(), *v;
  json_out_set(&row, "program", json_string(t->list->program[r->p->program].options));
  json_out_set(&row, "configuration", json_string(hash));
  json_out_set(&row, "keys", config_json(&r->p->cfg, t->key));
  json_out_set(&row, "exit", r->there && !r->o->ended ? json_integer(exit_of(r->o)) : json_null());
  if (note_of(r)[0]) json_out_set(&row, "note", json_string(note_of(r)));
  int rc = 0;
  for (size_t i = 0; i < t->n_stats && rc == 0; i++) {
    rc = value_of(r, t->stat[i], &v);
    if (v) json_out_set(&stats, t->stat[i], v);
  }
  json_out_set(&row, "stats", stats);
  json_out_append(&t->rows, row);
  return rc;
}

typedef int (*each_t)(table_t *t, const row_t *r, mrpb_err_t *err);

static int write_row(table_t *t, const row_t *r, mrpb_err_t *err) {
  char hash[SWEEP_HASH];
  sweep_hash_text(r->p->hash, hash);
  if ((t->json ? json_row(t, r, hash) : csv_row(t, r, hash)) == 0) return 0;
  return mrpb_fail(err, "out of memory");
}

static int collect(table_t *t, const row_t *r, mrpb_err_t *err) {
  t->notes = t->notes || note_of(r)[0];
  if (t->named) return 0;
  return add_all(t, r->result, "", 0, err);
}

static int for_each(table_t *t, sweep_store_t *s, each_t take, mrpb_err_t *err) {
  int rc = 0;
  for (size_t i = 0; i < t->list->n && rc == 0; i++) {
    const sweep_point_t *p = &t->list->point[i];
    sweep_outcome_t o;
    bool there;
    if (sweep_store_get(s, t->list->program[p->program].hash, p->hash, &there, &o, err) != 0)
      return -1;
    const row_t row = {p, there, &o, o.json ? json_loads(o.json, 0, NULL) : NULL};
    rc = o.json && !row.result ? mrpb_fail(err, "out of memory") : take(t, &row, err);
    json_decref(row.result);
    free(o.json);
  }
  return rc;
}

/* ---- all of it --------------------------------------------------------------------------------- */

static int find_columns(table_t *t, sweep_store_t *s, const sweep_export_t *how, mrpb_err_t *err) {
  t->key = sweep_list_keys(t->list);
  if (!t->key) return mrpb_fail(err, "out of memory");
  for (unsigned i = 0; i < how->n_stats; i++)
    if (add_stat(t, how->stat[i], err) != 0) return -1;
  t->named = how->n_stats > 0;
  return for_each(t, s, collect, err);
}

static int write_json(table_t *t, mrpb_err_t *err) {
  json_t *root = json_object();
  json_out_set(&root, "points", t->rows);
  t->rows = NULL;
  const int rc = json_out_write(root, t->out, JSON_INDENT(2) | JSON_REAL_PRECISION(10));
  json_decref(root);
  return rc == 0 ? 0 : mrpb_fail(err, "the export could not be written");
}

int sweep_export(const sweep_list_t *l, sweep_store_t *s, const sweep_export_t *how, FILE *out,
                 mrpb_err_t *err) {
  table_t t = {.list = l, .json = how->json, .out = out};
  int rc = find_columns(&t, s, how, err);
  if (rc == 0 && how->json && !(t.rows = json_array())) rc = mrpb_fail(err, "out of memory");
  if (rc == 0 && !how->json) put_header(&t);
  if (rc == 0) rc = for_each(&t, s, write_row, err);
  if (rc == 0 && how->json) rc = write_json(&t, err);
  json_decref(t.rows);
  for (size_t i = 0; i < t.n_stats; i++) free(t.stat[i]);
  free(t.stat);
  free(t.key);
  return rc;
}
