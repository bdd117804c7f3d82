/* SPDX-License-Identifier: Apache-2.0 */
/* What the hardware costs: the recorded figures of the modules, and reports of `mrpb estimate`. */
#include "studies/report/parts.h"

#include "base/files.h"
#include "base/home.h"
#include "base/json_in.h"

#include <inttypes.h>
#include <string.h>

enum { COMMAND = 512 };

/* A copy of the given value, or null. */
static json_t *copy(const json_t *o, const char *name) {
  const json_t *v = json_object_get(o, name);
  return v ? json_deep_copy(v) : json_null();
}

/* ---- modules ------------------------------------------------------------------------------------- */

static json_t *module_command(const json_t *m) {
  char text[COMMAND];
  const char *key, *name = json_string_value(json_object_get(m, "module"));
  json_t *v;
  size_t n = (size_t)snprintf(text, sizeof text, "build/mrpb estimate %s", name);
  json_object_foreach(json_object_get(m, "parameters"), key, v) {
    if (n < sizeof text)
      n += (size_t)snprintf(text + n, sizeof text - n, " --set %s=%" JSON_INTEGER_FORMAT, key,
                            json_integer_value(v));
  }
  return json_string(text);
}

static json_t *module(const json_t *m, mrpb_err_t *err, const char *path) {
  if (!json_is_string(json_object_get(m, "module")) ||
      !json_is_object(json_object_get(m, "figures")))
    return (void)mrpb_fail(err, "%s: legal: what `mrpb estimate --record` wrote", path), NULL;
  json_t *o = json_object();
  json_out_set(&o, "module", copy(m, "module"));
  json_out_set(&o, "parameters", copy(m, "parameters"));
  json_out_set(&o, "figures", copy(m, "figures"));
  json_out_set(&o, "command", module_command(m));
  return o;
}

json_t *report_modules(const char *path, mrpb_err_t *err) {
  json_t *file = json_in_load(path, 0, "what `mrpb estimate --record` wrote", err), *m;
  json_t *rows = json_array(), *o = json_object();
  size_t i;
  int rc = file ? 0 : -1;
  json_array_foreach(json_object_get(file, "modules"), i, m) {
    json_t *one = rc == 0 ? module(m, err, path) : NULL;
    rc = one ? 0 : -1;
    if (one) json_out_append(&rows, one);
  }
  json_out_set(&o, "source", json_string(path));
  json_out_set(&o, "command", json_string("make estimate-check"));
  json_out_set(&o, "made_with", file ? copy(file, "made_with") : json_null());
  json_out_set(&o, "rows", rows);
  json_decref(file);
  if (rc == 0) return o;
  json_decref(o);
  return NULL;
}

/* ---- reports ------------------------------------------------------------------------------------- */

/* The command, if the configuration of that name still has the recorded hash. */
static json_t *estimate_command(const json_t *file) {
  char text[COMMAND], path[FILES_PATH], hash[32];
  const char *name = json_string_value(json_object_get(file, "configuration"));
  const json_t *first = json_array_get(json_object_get(file, "columns"), 0);
  const char *is = json_string_value(json_object_get(first, "config_hash"));
  mrpb_err_t unheard = {{0}};
  config_t cfg;
  if (!name || !is || strchr(name, '/')) return json_null();
  snprintf(text, sizeof text, "configs/%s.conf", name);
  if (config_load(&cfg, home_config(path, text), &unheard) != 0) return json_null();
  snprintf(hash, sizeof hash, "%016" PRIx64, config_hash(&cfg));
  if (strcmp(is, hash) != 0) return json_null();
  snprintf(text, sizeof text, "build/mrpb estimate -c configs/%s.conf", name);
  return json_string(text);
}

static json_t *array_of(const json_t *array) {
  static const char *const key[] = {"name",          "kind",           "words",
                                    "bits",          "total_bits",     "copies",
                                    "reads_a_cycle", "writes_a_cycle", "searches_a_cycle"};
  json_t *o = json_object();
  for (size_t i = 0; i < sizeof key / sizeof *key; i++)
    json_out_set(&o, key[i], copy(array, key[i]));
  return o;
}

json_t *report_estimate(const char *path, mrpb_err_t *err) {
  static const char legal[] = "estimate.json of `mrpb estimate`";
  json_t *file = json_in_load(path, 0, legal, err), *list, *array;
  if (!file) return NULL;
  const json_t *section = json_object_get(json_object_get(file, "sections"), "storage");
  json_t *arrays = json_object_get(section, "arrays"), *o = NULL, *columns = json_array();
  const char *name;
  size_t i;
  if (json_is_object(arrays)) o = json_object();
  json_object_foreach(o ? arrays : NULL, name, list) {
    json_t *column = json_object(), *rows = json_array();
    json_array_foreach(list, i, array) json_out_append(&rows, array_of(array));
    json_out_set(&column, "name", json_string(name));
    json_out_set(&column, "arrays", rows);
    json_out_append(&columns, column);
  }
  if (o) {
    json_out_set(&o, "source", json_string(path));
    json_out_set(&o, "configuration", copy(file, "configuration"));
    json_out_set(&o, "command", estimate_command(file));
    json_out_set(&o, "columns", columns);
  } else {
    json_decref(columns);
    (void)mrpb_fail(err, "%s: no arrays; legal: %s", path, legal);
  }
  json_decref(file);
  return o;
}
