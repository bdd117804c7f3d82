/* SPDX-License-Identifier: Apache-2.0 */
/* A sweep's points, the keys in which they differ, and their statistics. They come from its store,
 * or from what `mrpb sweep --export` wrote as JSON or as CSV. */
#include "studies/report/parts.h"

#include "base/files.h"
#include "base/home.h"
#include "base/json_in.h"
#include "base/memory_file.h"
#include "studies/sweep/sweep.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CONFIGS = 128, WORD = 128 };

/* Configurations that the points may be based on. */
typedef struct {
  config_t cfg[MOST_CONFIGS];
  char name[MOST_CONFIGS][FILES_PATH];
  unsigned n, last; /* last: the one that matched the previous point */
} bases_t;

/* ---- which command made a point ------------------------------------------------------------------ */

static int add_config(bases_t *b, const char *name, const char *path, mrpb_err_t *err) {
  if (b->n == MOST_CONFIGS)
    return mrpb_fail(err, "%s: legal: %d configurations", path, MOST_CONFIGS);
  if (config_load(&b->cfg[b->n], path, err) != 0) return -1;
  snprintf(b->name[b->n++], FILES_PATH, "%s", name);
  return 0;
}

static int is_conf(const struct dirent *d) {
  const size_t n = strlen(d->d_name);
  return n > 5 && strcmp(d->d_name + n - 5, ".conf") == 0;
}

/* Adds the files of configs/ that `mrpb run` takes; the others describe other machines. */
static int add_own(bases_t *b, mrpb_err_t *err) {
  char own[FILES_PATH], path[FILES_PATH], name[FILES_PATH];
  const char *folder = home_config(own, "configs");
  struct dirent **entry;
  const int n = scandir(folder, &entry, is_conf, alphasort);
  int rc = 0;
  for (int i = 0; i < n; i++) {
    mrpb_err_t unheard = {{0}};
    if (!files_path(path, "%s/%s", folder, entry[i]->d_name) ||
        !files_path(name, "configs/%s", entry[i]->d_name))
      rc = mrpb_fail(err, "%s: legal: shorter names", folder);
    else
      (void)add_config(b, name, path, &unheard);
    free(entry[i]);
  }
  if (n >= 0) free(entry);
  return rc;
}

static int make_bases(bases_t *b, const report_inputs_t *in, mrpb_err_t *err) {
  for (unsigned i = 0; i < in->n_configs; i++)
    if (add_config(b, in->config[i], in->config[i], err) != 0) return -1;
  return add_own(b, err);
}

/* "KEY=VALUE" */
static bool assignment(const char *key, const json_t *v, char text[WORD]) {
  const int n = json_is_string(v)
                    ? snprintf(text, WORD, "%s=%s", key, json_string_value(v))
                    : snprintf(text, WORD, "%s=%" JSON_INTEGER_FORMAT, key, json_integer_value(v));
  return n > 0 && n < WORD;
}

/* The GPU of a point need not have each key. */
static bool is_nothing(const json_t *v) {
  return json_is_null(v) || (json_is_string(v) && !json_string_value(v)[0]);
}

static bool gives(const config_t *base, const json_t *keys, const json_t *values, const char *hash,
                  config_t *cfg) {
  char text[WORD];
  mrpb_err_t unheard = {{0}};
  *cfg = *base;
  for (size_t i = 0; i < json_array_size(keys); i++) {
    const json_t *v = json_array_get(values, i);
    if (is_nothing(v)) continue;
    if (!assignment(json_string_value(json_array_get(keys, i)), v, text) ||
        config_set(cfg, text, &unheard) != 0)
      return false;
  }
  snprintf(text, sizeof text, "%016" PRIx64, config_hash(cfg));
  return strcmp(text, hash) == 0;
}

/* Finds the base configuration that has the hash once the keys have these values. */
static bool find_base(bases_t *b, const json_t *keys, const json_t *values, const char *hash,
                      config_t *cfg) {
  for (unsigned i = 0; i < b->n; i++) {
    const unsigned at = (b->last + i) % b->n;
    if (!gives(&b->cfg[at], keys, values, hash, cfg)) continue;
    b->last = at;
    return true;
  }
  return false;
}

static json_t *command(const char *base, const char *program, const json_t *differs) {
  char *text = NULL;
  size_t size, i;
  json_t *key;
  FILE *f = memory_file(&text, &size);
  if (!f) return NULL;
  fprintf(f, "build/mrpb run -c %s %s", base, program);
  json_array_foreach(differs, i, key)
      fprintf(f, " --set %s=%s", json_string_value(json_object_get(key, "key")),
              json_string_value(json_object_get(key, "value")));
  json_t *o = fclose(f) == 0 ? json_string(text) : NULL;
  free(text);
  return o;
}

static unsigned distance(const config_t *a, const config_t *b) {
  unsigned n = config_parts(a) == config_parts(b) ? 0 : config_count();
  for (unsigned i = 0; i < config_count(); i++) n += config_value(a, i) != config_value(b, i);
  return n;
}

/* Finds the nearest base; if several are equally near, it is the same one for all points. */
static void nearest_base(bases_t *b, const config_t *cfg) {
  for (unsigned i = 0; i < b->n; i++)
    if (distance(&b->cfg[i], cfg) < distance(&b->cfg[b->last], cfg)) b->last = i;
}

/* `known` is the point's configuration; NULL: it must be found. */
static void trace(bases_t *b, json_t *sweep, json_t **point, const config_t *known) {
  const json_t *keys = json_object_get(sweep, "keys"), *values = json_object_get(*point, "keys");
  const char *hash = json_string_value(json_object_get(*point, "configuration"));
  const char *program = json_string_value(json_object_get(*point, "program"));
  config_t cfg;
  if (known) {
    b->last = 0;
    nearest_base(b, known);
    cfg = *known;
  }
  const bool near = b->n > 0 && known && config_parts(known) == config_parts(&b->cfg[b->last]);
  if (near || (b->n > 0 && !known && find_base(b, keys, values, hash, &cfg))) {
    json_t *differs = report_differs(&b->cfg[b->last], &cfg);
    json_out_set(point, "from", json_string(b->name[b->last]));
    json_out_set(point, "command", command(b->name[b->last], program, differs));
    json_out_set(point, "differs", differs);
  } else {
    json_out_set(point, "command", json_null());
  }
}

/* ---- CSV ----------------------------------------------------------------------------------------- */

/* program,configuration,KEY...,exit,STATISTIC... */
enum { PROGRAM, CONFIGURATION, KEYS };

static size_t exit_column(const report_table_t *t) {
  size_t at = KEYS;
  while (at < t->columns && strcmp(report_cell(t, 0, at), "exit") != 0) at++;
  return at;
}

static json_t *cells(const report_table_t *t, size_t row, size_t from, size_t to) {
  json_t *list = json_array();
  for (size_t i = from; i < to; i++)
    json_out_append(&list, row ? report_json_cell(report_cell(t, row, i))
                               : json_string(report_cell(t, 0, i)));
  return list;
}

static json_t *from_csv(const char *path, mrpb_err_t *err) {
  report_table_t t;
  if (report_table_csv(&t, path, err) != 0) return NULL;
  const size_t at = exit_column(&t);
  json_t *o = NULL, *points = json_array();
  if (at < t.columns && strcmp(report_cell(&t, 0, PROGRAM), "program") == 0 &&
      strcmp(report_cell(&t, 0, CONFIGURATION), "configuration") == 0)
    o = json_object();
  else
    (void)mrpb_fail(err, "%s:1: legal: program,configuration,KEY...,exit,STATISTIC...", path);
  for (size_t r = 1; o && r < t.rows; r++) {
    json_t *p = json_object();
    json_out_set(&p, "program", json_string(report_cell(&t, r, PROGRAM)));
    json_out_set(&p, "configuration", json_string(report_cell(&t, r, CONFIGURATION)));
    json_out_set(&p, "keys", cells(&t, r, KEYS, at));
    json_out_set(&p, "exit", report_json_cell(report_cell(&t, r, at)));
    json_out_set(&p, "stats", cells(&t, r, at + 1, t.columns));
    json_out_append(&points, p);
  }
  if (o) {
    json_out_set(&o, "keys", cells(&t, 0, KEYS, at));
    json_out_set(&o, "stats", cells(&t, 0, at + 1, t.columns));
    json_out_set(&o, "points", points);
  } else {
    json_decref(points);
  }
  report_table_free(&t);
  return o;
}

/* ---- JSON ---------------------------------------------------------------------------------------- */

/* All names that the points have below `part`, in the order in which they first occur. */
static json_t *names(json_t *points, const char *part) {
  json_t *seen = json_object(), *list = json_array(), *p, *v;
  const char *name;
  size_t i;
  json_array_foreach(points, i, p) json_object_foreach(json_object_get(p, part), name, v) {
    if (json_object_get(seen, name)) continue;
    json_out_set(&seen, name, json_true());
    json_out_append(&list, json_string(name));
  }
  json_decref(seen);
  return list;
}

static json_t *or_null(json_t *v) {
  return v ? json_incref(v) : json_null();
}

static json_t *in_order(json_t *list, const json_t *of) {
  json_t *values = json_array(), *name;
  size_t i;
  json_array_foreach(list, i, name)
      json_out_append(&values, or_null(json_object_get(of, json_string_value(name))));
  return values;
}

static const char legal[] = "what `mrpb sweep --export json` wrote";

/* Takes over `file`; if that is NULL, err already has the reason. */
static json_t *from_json(const char *path, json_t *file, mrpb_err_t *err) {
  json_t *points, *p, *list = json_array();
  if (!file) return json_decref(list), NULL;
  points = json_object_get(file, "points");
  json_t *o = json_object(), *keys = names(points, "keys"), *stats = names(points, "stats");
  bool good = json_is_array(points);
  size_t i;
  json_array_foreach(points, i, p) {
    json_t *q = json_object();
    good = good && json_is_string(json_object_get(p, "program")) &&
           json_is_string(json_object_get(p, "configuration"));
    json_out_set(&q, "program", json_incref(json_object_get(p, "program")));
    json_out_set(&q, "configuration", json_incref(json_object_get(p, "configuration")));
    json_out_set(&q, "exit", or_null(json_object_get(p, "exit")));
    json_out_set(&q, "keys", in_order(keys, json_object_get(p, "keys")));
    json_out_set(&q, "stats", in_order(stats, json_object_get(p, "stats")));
    json_out_append(&list, q);
  }
  json_out_set(&o, "keys", keys);
  json_out_set(&o, "stats", stats);
  json_out_set(&o, "points", list);
  json_decref(file);
  if (good && o) return o;
  if (!good) (void)mrpb_fail(err, "%s: legal: %s", path, legal);
  json_decref(o);
  return NULL;
}

/* ---- the store ----------------------------------------------------------------------------------- */

static bool is_store(const char *path) {
  static const char magic[] = "SQLite format 3";
  char head[sizeof magic];
  FILE *f = fopen(path, "rb");
  if (!f) return false;
  const bool is =
      fread(head, 1, sizeof head, f) == sizeof head && memcmp(head, magic, sizeof head) == 0;
  fclose(f);
  return is;
}

static json_t *exported(const sweep_list_t *l, sweep_store_t *s, mrpb_err_t *err) {
  const sweep_export_t how = {.json = true};
  char *text = NULL;
  size_t size;
  json_t *o = NULL;
  FILE *f = memory_file(&text, &size);
  int rc = f ? sweep_export(l, s, &how, f, err) : mrpb_fail(err, "out of memory for the report");
  if (f && fclose(f) != 0) rc = -1;
  if (rc == 0) o = json_loads(text, 0, NULL);
  free(text);
  return o;
}

/* Takes all results in the store, including those of other sweeps. The points are those of the
 * list, in the same order. */
static json_t *from_store(const char *path, sweep_list_t *l, mrpb_err_t *err) {
  sweep_store_t *s;
  if (sweep_store_read(&s, path, err) != 0) return NULL;
  json_t *o = sweep_store_list(s, l, err) == 0 ? from_json(path, exported(l, s, err), err) : NULL;
  sweep_store_close(s);
  return o;
}

/* ---- any of them --------------------------------------------------------------------------------- */

static json_t *points_of(const char *path, sweep_list_t *l, mrpb_err_t *err) {
  const size_t n = strlen(path);
  if (is_store(path)) return from_store(path, l, err);
  if (n > 5 && strcmp(path + n - 5, ".json") == 0)
    return from_json(path, json_in_load(path, 0, legal, err), err);
  return from_csv(path, err);
}

json_t *report_sweep(const report_inputs_t *in, const char *path, mrpb_err_t *err) {
  sweep_list_t list = {0};
  json_t *o = points_of(path, &list, err), *p;
  bases_t *b = calloc(1, sizeof *b);
  int rc = o && b ? make_bases(b, in, err) : -1;
  size_t i;
  if (rc == 0) {
    json_array_foreach(json_object_get(o, "points"), i, p) {
      trace(b, o, &p, i < list.n ? &list.point[i].cfg : NULL);
      if (!p) rc = -1;
      if (rc != 0) break;
    }
    json_out_set(&o, "source", json_string(path));
  }
  free(b);
  sweep_list_free(&list);
  if (rc == 0) return o;
  json_decref(o);
  return NULL;
}
