/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/energy/energy.h"

#include "base/files.h"
#include "base/output.h"
#include "estimate/activity/run.h"
#include "estimate/energy/solve.h"

#include <string.h>

/* The scenes of a module: what each counted, and its power. */
typedef struct {
  json_t *unit[ENERGY_TERMS];
  energy_power_t power[ENERGY_TERMS];
} scenes_t;

/* Plays the scene of the next term, unless the module cannot do it, or its bits are in an SRAM. */
static int play(const module_class_t *cls, const uint32_t *cfg, const energy_term_t *t,
                const char *scratch, energy_t *e, scenes_t *s, mrpb_err_t *err) {
  char name[16];
  snprintf(name, sizeof name, "%u.tcl", e->n);
  FILE *f = output_into(scratch, name, err);
  if (!f) return -1;
  int rc = energy_play(cls, cfg, t, &s->unit[e->n], f, err);
  if (output_into_end(f, rc != 0, scratch, name, err) != 0 || rc != 0) return -1;
  if (s->unit[e->n] && energy_times(cls->stem, t, s->unit[e->n]) > 0) {
    e->value[e->n++].term = t;
  } else {
    json_decref(s->unit[e->n]);
    s->unit[e->n] = NULL;
  }
  return 0;
}

static bool is_event(const energy_term_t *t) {
  return t->event && strcmp(t->event, "cycles") != 0;
}

static int solve(energy_t *e, const scenes_t *s, mrpb_err_t *err) {
  double times[ENERGY_TERMS][ENERGY_TERMS], sum[ENERGY_TERMS], value[ENERGY_TERMS];
  const char *name[ENERGY_TERMS];
  const char *stem = e->module->stem;
  for (unsigned i = 0; i < e->n; i++) {
    name[i] = e->value[i].term->name;
    for (unsigned k = 0; k < e->n; k++)
      times[i][k] = energy_times(stem, e->value[k].term, s->unit[i]);
    sum[i] = (s->power[i].flops + s->power[i].gates) * activity_number(s->unit[i], "cycles");
  }
  if (energy_solve(e->n, times, sum, name, value, err) != 0) return -1;
  for (unsigned i = 0; i < e->n; i++) {
    energy_value_t *v = &e->value[i];
    double bits = 0;
    for (unsigned k = 0; k < e->n; k++)
      if (!e->value[k].term->event) bits += times[i][k] * value[k];
    v->pj = value[i];
    v->times = times[i][i];
    v->random = is_event(v->term) ? value[i] + bits / times[i][i] : -1;
  }
  return 0;
}

int energy_measure(const module_class_t *cls, const uint32_t *cfg, const char *folder,
                   const char *scratch, energy_t *e, mrpb_err_t *err) {
  scenes_t s = {.unit = {NULL}};
  char temp[FILES_PATH];
  *e = (energy_t){.module = energy_module(cls->stem)};
  if (!e->module) return mrpb_fail(err, "energy: no scenes for %s", cls->stem);
  if (files_temp_folder(temp, scratch, err) != 0) return -1;
  int rc = 0;
  for (unsigned i = 0; i < e->module->n && rc == 0; i++)
    rc = play(cls, cfg, &e->module->term[i], temp, e, &s, err);
  if (rc == 0) rc = energy_sta(cls->stem, folder, temp, e->n, s.power, err);
  if (rc == 0) rc = solve(e, &s, err);
  e->leakage_mw = s.power[0].leakage_mw;
  e->clock_pj = s.power[0].flops;
  e->flops = s.power[0].n_flops;
  for (unsigned i = 0; i < e->n; i++) json_decref(s.unit[i]);
  files_remove_tree(temp, NULL);
  return rc;
}

double energy_of(const energy_t *e, const json_t *unit) {
  double sum = 0;
  for (unsigned i = 0; i < e->n; i++)
    sum += e->value[i].pj * energy_times(e->module->stem, e->value[i].term, unit);
  return sum;
}
