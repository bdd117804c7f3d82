/* SPDX-License-Identifier: Apache-2.0 */
/* Proofs from peaks: see equal.h. */
#include "studies/sweep/equal.h"

#include "base/json_in.h"
#include "base/json_out.h"
#include "config/config_json.h"

#include <string.h>

typedef struct {
  const char *key, *stat;
  unsigned margin;
  bool none;
} rule_t;

static const rule_t rules[] = {
#define EQUAL(key, stat, margin, none, why) {#key, stat, margin, none},
#include "studies/sweep/equal.def"
#undef EQUAL
};

unsigned equal_key(unsigned i) {
  return (unsigned)keyfile_find(&config_table, rules[i].key);
}

static const rule_t *rule_of(unsigned k) {
  for (unsigned i = 0; i < EQUAL_RULES; i++)
    if (strcmp(rules[i].key, config_key(k)->name) == 0) return &rules[i];
  return NULL;
}

bool equal_is_key(unsigned k) {
  return rule_of(k) != NULL;
}

uint64_t equal_size(const config_t *cfg, unsigned k) {
  const rule_t *r = rule_of(k);
  const uint32_t v = config_value(cfg, k);
  return r && r->none && v == 0 ? UINT64_MAX : v;
}

void equal_look(const json_t *result, equal_peaks_t *peaks) {
  const json_t *cycles = json_object_get(result, "cycles");
  peaks->cycles = json_is_integer(cycles) ? (uint64_t)json_integer_value(cycles) : UINT64_MAX;
  for (unsigned i = 0; i < EQUAL_RULES; i++) {
    const json_t *v = json_in_at(result, rules[i].stat);
    peaks->peak[i] = json_is_integer(v) ? (uint64_t)json_integer_value(v) : UINT64_MAX;
  }
}

bool equal_proven(const config_t *of, const equal_peaks_t *peaks, const config_t *other) {
  for (unsigned k = 0; k < config_count(); k++) {
    if (config_has(of, k) != config_has(other, k)) return false;
    if (!config_has(of, k) || config_value(of, k) == config_value(other, k)) continue;
    const rule_t *r = rule_of(k);
    const uint64_t peak = r ? peaks->peak[r - rules] : UINT64_MAX;
    if (peak == UINT64_MAX || equal_size(of, k) < peak + r->margin ||
        equal_size(other, k) < peak + r->margin)
      return false;
  }
  return true;
}

char *equal_with(const char *result, const config_t *cfg, uint64_t hash) {
  char text[SWEEP_HASH];
  json_t *json = json_loads(result, 0, NULL);
  sweep_hash_text(hash, text);
  if (!json) return NULL;
  json_out_set(&json, "config_hash", json_string(text));
  if (json_object_get(json, "configuration"))
    json_out_set(&json, "configuration", config_json(cfg, NULL));
  char *out = json_out_text(json, JSON_COMPACT | JSON_REAL_PRECISION(10));
  json_decref(json);
  return out;
}

/* The version that made a result is no part of it: a release need not change the model. */
bool equal_results(const char *a, const char *b) {
  json_t *x = json_loads(a, 0, NULL), *y = json_loads(b, 0, NULL);
  json_object_del(x, "mrpb_version");
  json_object_del(y, "mrpb_version");
  const bool same = x && y && json_equal(x, y);
  json_decref(x);
  json_decref(y);
  return same;
}
