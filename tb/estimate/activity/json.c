/* SPDX-License-Identifier: Apache-2.0 */
/* Writes activity.json: everything except the single bits. */
#include "estimate/activity/state.h"
#include "base/json_out.h"

#include <inttypes.h>

static void put(json_t **o, const char *name, uint64_t v) {
  json_out_set(o, name, json_integer((json_int_t)v));
}

static json_t *occupancy(const uint64_t *level) {
  json_t *o = json_object(), *h = json_array();
  uint64_t sum = 0, cycles = 0;
  unsigned max = 0;
  for (unsigned n = 0; n < ACTIVITY_LEVELS; n++) {
    sum += n * level[n];
    cycles += level[n];
    if (level[n]) max = n;
  }
  for (unsigned n = 0; n <= max; n++) json_out_append(&h, json_integer((json_int_t)level[n]));
  json_out_set(&o, "mean", json_real(activity_rate(sum, cycles)));
  put(&o, "max", max);
  json_out_set(&o, "cycles_at", h);
  return o;
}

static json_t *parameters(const activity_unit_t *u) {
  json_t *o = json_object();
  for (unsigned i = 0; i < u->cls->n_params; i++) put(&o, u->cls->params[i].name, u->params[i]);
  return o;
}

static json_t *events(const activity_unit_t *u) {
  json_t *o = json_object();
  for (unsigned i = 0; i < u->events->n_events; i++)
    put(&o, u->events->events[i], activity_side(u)->events[i]);
  return o;
}

static void put_access(json_t **o, const char *name, const activity_side_t *s, int event) {
  if (event != ACTIVITY_NONE) put(o, name, s->events[event]);
}

static json_t *arrays(const activity_unit_t *u) {
  const activity_side_t *s = activity_side(u);
  json_t *list = json_array();
  for (unsigned i = 0; i < u->events->n_arrays; i++) {
    const activity_access_t *a = &u->events->arrays[i];
    activity_signal_t signal;
    uint64_t ones;
    if (!activity_array(u, a, &signal)) continue;
    json_t *o = json_object();
    json_out_set(&o, "name", json_string(a->reg));
    put(&o, "words", signal.words);
    put(&o, "bits", signal.width);
    put_access(&o, "reads", s, a->reads);
    put_access(&o, "writes", s, a->writes);
    put_access(&o, "searches", s, a->searches);
    put_access(&o, "both", s, a->both);
    put(&o, "bit_toggles", activity_sum(u, &signal, &ones));
    json_out_append(&list, o);
  }
  return list;
}

/* The ports, or the registers, with sums over their bits. */
static json_t *signals(const activity_unit_t *u, bool ports) {
  json_t *list = json_array();
  activity_signal_t s;
  for (unsigned i = 0; activity_signal(u, activity_side(u), i, &s); i++) {
    uint64_t ones;
    if ((s.kind == ACTIVITY_IN || s.kind == ACTIVITY_OUT) != ports) continue;
    json_t *o = json_object();
    json_out_set(&o, "name", json_string(s.name));
    json_out_set(&o, "kind", json_string(activity_kind_name(s.kind)));
    put(&o, "words", s.words);
    put(&o, "bits", s.width);
    put(&o, "bit_toggles", activity_sum(u, &s, &ones));
    put(&o, "bit_ones", ones);
    if (!ports) put(&o, "changes", s.track->changes);
    json_out_append(&list, o);
  }
  return list;
}

static json_t *unit(const activity_unit_t *u) {
  json_t *o = json_object();
  json_out_set(&o, "unit", json_string(u->cls->stem));
  put(&o, "cycles", u->cycles);
  json_out_set(&o, "parameters", parameters(u));
  json_out_set(&o, "events", events(u));
  json_out_set(&o, "occupancy", occupancy(activity_side(u)->level));
  json_out_set(&o, "arrays", arrays(u));
  json_out_set(&o, "ports", signals(u, true));
  json_out_set(&o, "registers", signals(u, false));
  return o;
}

json_t *activity_json(const activity_t *a, const json_t *run) {
  json_t *o = json_object(), *units = json_array();
  char hash[24];
  snprintf(hash, sizeof hash, "%016" PRIx64, config_hash(a->cfg));
  json_out_set(&o, "format", json_string("mrpb activity 1"));
  json_out_set(&o, "config_hash", json_string(hash));
  put(&o, "clock_mhz", config_sm_mhz(a->cfg));
  put(&o, "sm", a->watch.sm);
  json_out_set(&o, "run", run ? json_deep_copy(run) : json_object());
  for (unsigned i = 0; i < a->n_units; i++) json_out_append(&units, unit(&a->unit[i]));
  json_out_set(&o, "units", units);
  return o;
}
