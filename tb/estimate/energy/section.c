/* SPDX-License-Identifier: Apache-2.0 */
/* The report's energy of events, and of the run by events beside the counted activity. */
#include "estimate/energy/energy.h"

#include "base/json_out.h"
#include "config/verilog_params.h"
#include "estimate/activity/run.h"
#include "estimate/flow.h"
#include "estimate/sections.h"

#include <math.h>
#include <string.h>

typedef struct {
  estimate_t *e;
  json_t *const *of;
  FILE *md;
  json_t *list;
  double mhz;
} page_t;

static const uint32_t *sizes(const config_t *c, const char *module,
                             uint32_t cfg[MODULE_MAX_PARAMS]) {
  const mrpb_cfg_t mrpb = config_mrpb_params(c);
  const mshr_cfg_t mshr = config_mshr_params(c);
  const prt_cfg_t prt = config_prt_params(c);
  if (strcmp(module, "mrpb") == 0) return memcpy(cfg, &mrpb, sizeof mrpb);
  if (strcmp(module, "mshr") == 0) return memcpy(cfg, &mshr, sizeof mshr);
  return memcpy(cfg, &prt, sizeof prt);
}

static double percent(double is, double of) {
  return of != 0 ? 100 * (is / of - 1) : 0;
}

/* A row for each event: its energy, how often it happened, and both multiplied. */
static void put_events(const page_t *p, const energy_t *e, const json_t *unit, json_t **events) {
  fputs("| event | pJ | with random data, pJ | times in the run | nJ in the run |\n"
        "| --- | ---: | ---: | ---: | ---: |\n",
        p->md);
  for (unsigned i = 0; i < e->n; i++) {
    const energy_value_t *v = &e->value[i];
    const double times = energy_times(e->module->stem, v->term, unit);
    char random[32] = "";
    if (v->random >= 0) snprintf(random, sizeof random, "%.3f", v->random);
    fprintf(p->md, "| %s | %.4f | %s | %.0f | %.2f |\n", v->term->name, v->pj, random, times,
            v->pj * times / 1000);
    json_t *o = json_object();
    json_out_set(&o, "event", json_string(v->term->name));
    json_out_set(&o, "pj", json_real(v->pj));
    if (v->random >= 0) json_out_set(&o, "random_pj", json_real(v->random));
    json_out_set(&o, "times_in_scene", json_real(v->times));
    json_out_set(&o, "times", json_real(times));
    json_out_append(events, o);
  }
}

/* The run's energy, above that of as many idle cycles, and in all. */
static void put_sums(const page_t *p, const energy_t *e, const json_t *unit,
                     const activity_logic_t *power, json_t **o) {
  const double cycles = activity_number(unit, "cycles"), idle = e->value[0].pj * cycles;
  const double watts = power->flops.internal + power->flops.switching + power->gates.internal +
                       power->gates.switching;
  const double counted = 1e6 / p->mhz * watts * cycles, by_events = energy_of(e, unit);
  fprintf(p->md,
          "\nThe run by events: %.2f nJ; by its counted activity: %.2f nJ (%+.1f %%). Above idle: "
          "%.2f nJ and %.2f nJ (%+.0f %%).\n\n",
          by_events / 1000, counted / 1000, percent(by_events, counted), (by_events - idle) / 1000,
          (counted - idle) / 1000, percent(by_events - idle, counted - idle));
  json_out_set(o, "by_events_nj", json_real(by_events / 1000));
  json_out_set(o, "counted_nj", json_real(counted / 1000));
  json_out_set(o, "idle_nj", json_real(idle / 1000));
}

static int one_module(void *ctx, unsigned column, const char *library, const char *module,
                      const char *folder, const activity_logic_t *power, mrpb_err_t *err) {
  const page_t *p = ctx;
  uint32_t cfg[MODULE_MAX_PARAMS];
  char scratch[ESTIMATE_PATH];
  energy_t e;
  const json_t *unit = activity_unit_of(p->of[column], module);
  const uint32_t *size = sizes(&p->e->column[column].cfg, module, cfg);
  if (estimate_path(p->e, "", scratch, err) != 0 ||
      energy_measure(module_class(module), size, folder, scratch, &e, err) != 0)
    return -1;
  json_t *o = json_object(), *events = json_array();
  fprintf(p->md, "`%s`, %s, %s:\n\n", module, library, p->e->column[column].name);
  json_out_set(&o, "module", json_string(module));
  json_out_set(&o, "library", json_string(library));
  json_out_set(&o, "alternative", json_string(p->e->column[column].name));
  put_events(p, &e, unit, &events);
  json_out_set(&o, "events", events);
  put_sums(p, &e, unit, power, &o);
  json_out_append(&((page_t *)ctx)->list, o);
  return 0;
}

int energy_section(estimate_t *e, json_t *const *of, FILE *md, json_t **json, mrpb_err_t *err) {
  page_t p = {e, of, md, json_array(), 1000 * estimate_clock(e, 0)};
  int rc = 0;
  fprintf(md,
          "### Energy by events\n\nEach event's energy comes from a stream of that event alone "
          "(docs/estimate/energy.md), on the same netlists.\nWithout SRAMs, clock tree, wires and "
          "clock gating. Bits that toggle are counted apart from the events, since real\ndata "
          "toggle fewer than random data.\n\n");
  for (unsigned c = 0; c < e->n_columns && rc == 0; c++)
    if (of[c]) rc = activity_power(e, c, of[c], one_module, &p, err);
  json_out_set(json, "events", p.list);
  return rc;
}
