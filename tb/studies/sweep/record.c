/* SPDX-License-Identifier: Apache-2.0 */
/* Points and results as files: see record.h. */
#include "studies/sweep/record.h"

#include "base/files.h"
#include "base/json_out.h"
#include "base/output.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const endings[] = {"point", "result", "log"};
enum { POINT, RESULT, LOG, ENDINGS };

static void name_file(char path[OUTPUT_NAME], const char *folder, unsigned n, unsigned ending) {
  snprintf(path, OUTPUT_NAME, "%s/%u.%s", folder, n, endings[ending]);
}

static int write_json(const char *folder, unsigned n, unsigned ending, json_t *json,
                      mrpb_err_t *err) {
  char path[OUTPUT_NAME], temp[OUTPUT_NAME];
  name_file(path, folder, n, ending);
  FILE *f = output_open(path, temp, err);
  const int rc =
      f ? output_close(f, json_out_write(json, f, JSON_COMPACT) != 0, path, temp, err) : -1;
  json_decref(json);
  return rc;
}

static json_t *read_json(const char *folder, unsigned n, unsigned ending) {
  char path[OUTPUT_NAME];
  name_file(path, folder, n, ending);
  return json_load_file(path, 0, NULL);
}

/* ---- the point --------------------------------------------------------------------------------- */

int record_write_point(const char *folder, unsigned n, const sweep_program_t *program,
                       const sweep_point_t *point, mrpb_err_t *err) {
  char hash[SWEEP_HASH];
  json_t *o = json_object(), *words = json_array();
  char *text = sweep_config_text(&point->cfg, point->hash);
  sweep_hash_text(program->hash, hash);
  json_out_set(&o, "version", json_integer(SWEEP_RESULTS_VERSION));
  json_out_set(&o, "name", json_string(program->name));
  json_out_set(&o, "program", json_string(hash));
  for (unsigned i = 0; i < program->n_words; i++)
    json_out_append(&words, json_string(program->word[i]));
  json_out_set(&o, "words", words);
  json_out_set(&o, "configuration", text ? json_string(text) : NULL);
  free(text);
  return write_json(folder, n, POINT, o, err);
}

static int read_config(const json_t *o, config_t *cfg, mrpb_err_t *err) {
  const char *text = json_string_value(json_object_get(o, "configuration"));
  char *copy = text && text[0] ? strdup(text) : NULL;
  FILE *f = copy ? fmemopen(copy, strlen(copy), "r") : NULL;
  const int rc = f ? config_read(cfg, f, "configuration", err) : mrpb_fail(err, "no configuration");
  if (f) fclose(f);
  free(copy);
  return rc;
}

static int take_point(const json_t *o, sweep_list_t *l, mrpb_err_t *err) {
  const char *word[SWEEP_MOST_WORDS], *name = json_string_value(json_object_get(o, "name"));
  const char *hash = json_string_value(json_object_get(o, "program"));
  const json_t *words = json_object_get(o, "words");
  const unsigned n = (unsigned)json_array_size(words);
  config_t cfg;
  if (json_integer_value(json_object_get(o, "version")) != SWEEP_RESULTS_VERSION)
    return mrpb_fail(err, "of another version of results than %d", SWEEP_RESULTS_VERSION);
  if (!name || !hash || n == 0 || n > SWEEP_MOST_WORDS) return mrpb_fail(err, "no program");
  for (unsigned i = 0; i < n; i++)
    if (!(word[i] = json_string_value(json_array_get(words, i))))
      return mrpb_fail(err, "no program");
  if (read_config(o, &cfg, err) != 0) return -1;
  const int p = sweep_list_program(l, name, word, n, false, strtoull(hash, NULL, 16), err);
  return p < 0 ? -1 : sweep_list_add(l, (unsigned)p, &cfg, err);
}

int record_read_point(const char *folder, unsigned n, sweep_list_t *l, mrpb_err_t *err) {
  mrpb_err_t why = {{0}};
  json_t *o = read_json(folder, n, POINT);
  *l = (sweep_list_t){0};
  const int rc = o ? take_point(o, l, &why) : mrpb_fail(&why, "not a point of a sweep");
  json_decref(o);
  if (rc == 0) return 0;
  sweep_list_free(l);
  return mrpb_fail(err, "%s/%u.point: %s", folder, n, why.text);
}

/* ---- the result -------------------------------------------------------------------------------- */

int record_write_result(const char *folder, unsigned n, const sweep_outcome_t *r, mrpb_err_t *err) {
  json_t *o = json_object();
  json_out_set(&o, "exited", json_boolean(r->exited));
  json_out_set(&o, "code", json_integer(r->code));
  json_out_set(&o, "cpu_seconds", json_real(r->cpu_seconds));
  json_out_set(&o, "memory_kb", json_integer(r->memory_kb));
  json_out_set(&o, "host", json_string(r->host));
  json_out_set(&o, "started", json_string(r->started));
  json_out_set(&o, "message", json_string(r->message));
  if (r->json) json_out_set(&o, "json", json_string(r->json));
  return write_json(folder, n, RESULT, o, err);
}

static void take_text(const json_t *o, const char *name, char *to, size_t size) {
  const char *text = json_string_value(json_object_get(o, name));
  snprintf(to, size, "%s", text ? text : "");
}

bool record_read_result(const char *folder, unsigned n, sweep_outcome_t *r) {
  json_t *o = read_json(folder, n, RESULT);
  *r = (sweep_outcome_t){0};
  if (!o) return false;
  const char *json = json_string_value(json_object_get(o, "json"));
  r->exited = json_is_true(json_object_get(o, "exited"));
  r->code = (int)json_integer_value(json_object_get(o, "code"));
  r->cpu_seconds = json_number_value(json_object_get(o, "cpu_seconds"));
  r->memory_kb = (long)json_integer_value(json_object_get(o, "memory_kb"));
  take_text(o, "host", r->host, sizeof r->host);
  take_text(o, "started", r->started, sizeof r->started);
  take_text(o, "message", r->message, sizeof r->message);
  if (json) r->json = strdup(json);
  const bool whole = r->exited && r->code == 0 ? r->json != NULL : true;
  json_decref(o);
  return whole;
}

void record_remove(const char *folder, unsigned n) {
  char path[OUTPUT_NAME];
  for (unsigned i = 0; i < ENDINGS; i++) {
    name_file(path, folder, n, i);
    unlink(path);
  }
}

void record_last_words(const char *folder, unsigned n, char *text, size_t size) {
  char path[OUTPUT_NAME], line[512];
  name_file(path, folder, n, LOG);
  FILE *f = fopen(path, "r");
  text[0] = '\0';
  while (f && fgets(line, sizeof line, f))
    if (line[0] != '\n') snprintf(text, size, "%.*s", (int)strcspn(line, "\n"), line);
  if (f) fclose(f);
}
