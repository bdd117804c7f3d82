/* SPDX-License-Identifier: Apache-2.0 */
/* The section "Activity": accesses, events, occupancy and switching of a kernel, side by side, and
 * energy where CACTI gave the energy of an access. */
#include "estimate/activity/run.h"
#include "estimate/flow.h"
#include "estimate/report.h"
#include "estimate/sections.h"
#include "base/json_out.h"

#include <string.h>

typedef struct {
  const estimate_t *e;
  json_t *of[ESTIMATE_COLUMNS];
  FILE *md;
} page_t;

/* Marks a number that a column does not have. */
#define NO_NUMBER (-1.0)

static double rate(const json_t *unit, double n) {
  return n / activity_number(unit, "cycles");
}

/* Prints a row, a label and a number for each column, if any column has one. */
static void row(const page_t *p, const char *label, const double *value, bool whole) {
  bool any = false;
  for (unsigned c = 0; c < p->e->n_columns; c++) any = any || value[c] >= 0;
  if (!any) return;
  fprintf(p->md, "| %s |", label);
  for (unsigned c = 0; c < p->e->n_columns; c++) {
    char text[48] = "-";
    if (value[c] >= 0) snprintf(text, sizeof text, "%.*f", whole ? 0 : 4, value[c]);
    fprintf(p->md, " %s |", text);
  }
  fputc('\n', p->md);
}

/* ---- accesses -------------------------------------------------------------- */

/* Accesses of one kind to an array, per cycle, in a column. */
static double access_rate(const json_t *activity, const char *unit, const char *array,
                          const char *kind) {
  const json_t *u = activity_unit_of(activity, unit);
  const json_t *a = activity_named(json_object_get(u, "arrays"), array);
  if (!json_object_get(a, kind)) return NO_NUMBER;
  return rate(u, activity_number(a, kind));
}

static void access_rows(const page_t *p, const char *unit, const char *array) {
  static const struct {
    const char *key, *text;
  } kinds[] = {{"reads", "read"},
               {"writes", "written"},
               {"searches", "searched"},
               {"both", "read and written in one cycle"}};
  for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    double value[ESTIMATE_COLUMNS];
    char label[160];
    for (unsigned c = 0; c < p->e->n_columns; c++)
      value[c] = access_rate(p->of[c], unit, array, kinds[k].key);
    snprintf(label, sizeof label, "`%s.%s` %s", unit, array, kinds[k].text);
    row(p, label, value, false);
  }
}

/* ---- events, occupancy, switching -------------------------------------------- */

static const char *const units[] = {"mrpb", "mshr", "prt"};
enum { N_UNITS = sizeof units / sizeof *units };

static void event_rows(const page_t *p, const char *unit) {
  json_t *events = NULL;
  const char *name;
  json_t *value;
  for (unsigned c = 0; c < p->e->n_columns && !events; c++)
    events = json_object_get(activity_unit_of(p->of[c], unit), "events");
  json_object_foreach(events, name, value) {
    double number[ESTIMATE_COLUMNS];
    char label[120];
    for (unsigned c = 0; c < p->e->n_columns; c++) {
      const json_t *u = activity_unit_of(p->of[c], unit);
      number[c] = u ? rate(u, activity_number(json_object_get(u, "events"), name)) : NO_NUMBER;
    }
    snprintf(label, sizeof label, "`%s` %s", unit, name);
    row(p, label, number, false);
  }
}

static void occupancy_rows(const page_t *p, const char *unit) {
  static const char *const keys[] = {"mean", "max"};
  for (unsigned k = 0; k < 2; k++) {
    double number[ESTIMATE_COLUMNS];
    char label[80];
    for (unsigned c = 0; c < p->e->n_columns; c++) {
      const json_t *u = activity_unit_of(p->of[c], unit);
      number[c] = u ? activity_number(json_object_get(u, "occupancy"), keys[k]) : NO_NUMBER;
    }
    snprintf(label, sizeof label, "`%s` entries in use, %s", unit, keys[k]);
    row(p, label, number, k == 1);
  }
}

/* Toggles per cycle, over all signals of one kind. */
static double toggles(const json_t *activity, const char *unit, const char *list,
                      const char *kind) {
  const json_t *u = activity_unit_of(activity, unit);
  double sum = 0;
  size_t i;
  json_t *s;
  if (!u) return NO_NUMBER;
  json_array_foreach(json_object_get(u, list), i, s) {
    const char *is = json_string_value(json_object_get(s, "kind"));
    if (is && strcmp(is, kind) == 0) sum += activity_number(s, "bit_toggles");
  }
  return rate(u, sum);
}

static void switching_rows(const page_t *p, const char *unit) {
  static const struct {
    const char *list, *kind, *text;
  } kinds[] = {{"ports", "in", "inputs"},
               {"ports", "out", "outputs"},
               {"registers", "reg", "registers of one word"},
               {"registers", "mem", "registers of several words"}};
  for (unsigned k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    double number[ESTIMATE_COLUMNS];
    char label[80];
    for (unsigned c = 0; c < p->e->n_columns; c++)
      number[c] = toggles(p->of[c], unit, kinds[k].list, kinds[k].kind);
    snprintf(label, sizeof label, "`%s` %s", unit, kinds[k].text);
    row(p, label, number, false);
  }
}

/* ---- energy ---------------------------------------------------------------- */

/* What an SM's arrays take in a column: pJ per cycle for accesses, mW of leakage. */
typedef struct {
  double dynamic, leakage;
} power_t;

/* Gets reads, writes and searches per cycle of array `i` of a column. Returns false if they are not
 * known. */
static bool accesses(const page_t *p, unsigned column, unsigned i, double rates[3]) {
  static const char *const kinds[] = {"reads", "writes", "searches"};
  const storage_array_t *a = &p->e->column[column].storage.array[i];
  const char *name = strchr(a->name, '.');
  bool any = false;
  if (strcmp(a->name, "l1d.data") == 0) {
    const json_t *run = json_object_get(p->of[column], "run"), *l1d = json_object_get(run, "l1d");
    double n = activity_number(run, "cycles") * p->e->column[column].cfg.sms;
    rates[0] = (activity_number(l1d, "hits") + activity_number(l1d, "pending_hits") +
                activity_number(l1d, "misses")) /
               n;
    rates[1] = activity_number(l1d, "fills") / n;
    rates[2] = 0;
    return l1d != NULL && n > 0;
  }
  for (unsigned k = 0; k < 3 && name; k++) {
    rates[k] = access_rate(p->of[column], a->unit, name + 1, kinds[k]);
    any = any || rates[k] >= 0;
    if (rates[k] < 0) rates[k] = 0;
  }
  return any;
}

/* In pJ per cycle. CACTI 6.5 prints no energy of a write and has no searches; the energy of a read
 * stands in for them. */
static double energy(const cacti_result_t *r, const double rates[3]) {
  double write = r->write > 0 ? r->write : r->read, find = r->find > 0 ? r->find : r->read;
  return 1000 * (rates[0] * r->read + rates[1] * write + rates[2] * find);
}

static void energy_table(const page_t *p, unsigned column, json_t **arrays, power_t *sum) {
  const estimate_column_t *c = &p->e->column[column];
  double mhz = activity_number(p->of[column], "clock_mhz");
  if (p->e->n_columns > 1) fprintf(p->md, "%s:\n\n", c->name);
  fprintf(p->md,
          "| array | reads a cycle | writes | searches | pJ a cycle | mW at %.0f MHz | "
          "leakage, mW |\n| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n",
          mhz);
  *sum = (power_t){0, 0};
  for (unsigned i = 0; i < c->storage.n; i++) {
    double rates[3];
    if (!c->cacti[i].good || !accesses(p, column, i, rates)) continue;
    const cacti_result_t *r = &c->cacti[i].result;
    double pj = energy(r, rates);
    fprintf(p->md, "| `%s` | %.4f | %.4f | %.4f | %.4f | %.4f | %.3f |\n", c->storage.array[i].name,
            rates[0], rates[1], rates[2], pj, pj * mhz / 1000, r->leakage);
    json_t *o = json_object();
    json_out_set(&o, "pj_per_cycle", json_real(pj));
    json_out_set(&o, "dynamic_mw", json_real(pj * mhz / 1000));
    json_out_set(&o, "leakage_mw", json_real(r->leakage));
    json_out_set(arrays, c->storage.array[i].name, o);
    sum->dynamic += pj;
    sum->leakage += r->leakage;
  }
  fprintf(p->md, "| together | | | | %.4f | %.4f | %.3f |\n\n", sum->dynamic,
          sum->dynamic * mhz / 1000, sum->leakage);
}

static void energy_part(const page_t *p, json_t **columns) {
  fprintf(p->md,
          "### Energy of the arrays\n\nAccesses a cycle times CACTI's energy of one, in one SM. "
          "%s`l1d.data` is the mean of all SMs:\naccepted reads look it up, fills write it; "
          "refused look-ups are not in it.\n\n",
          p->e->cacti.version == CACTI_6_5
              ? "6.5 prints no energy of a write and has\nno CAM: that of a read stands for both. "
              : "");
  for (unsigned c = 0; c < p->e->n_columns; c++) {
    power_t sum;
    json_t *arrays = json_object(), *o = json_object();
    if (p->of[c]) energy_table(p, c, &arrays, &sum);
    json_out_set(&o, "arrays", arrays);
    json_out_set(columns, p->e->column[c].name, o);
  }
}

/* ---- power of the logic ------------------------------------------------------ */

typedef struct {
  const page_t *p;
  json_t *list;
  double mhz;
} logic_t;

static int power_row(void *ctx, unsigned column, const char *library, const char *module,
                     const char *folder, const activity_logic_t *power, mrpb_err_t *err) {
  logic_t *l = ctx;
  const json_t *unit = activity_unit_of(l->p->of[column], module);
  const double pj = 1e6 / l->mhz, mw = l->mhz / 1000; /* of a cycle, for a watt; for a pJ */
  const double flops = pj * (power->flops.internal + power->flops.switching);
  const double gates = pj * (power->gates.internal + power->gates.switching);
  const double clock = pj * power->clock.internal, rest = flops - clock;
  const activity_gated_t g = activity_gated(module, unit, clock, power->n_flops);
  (void)folder;
  (void)err;
  fprintf(l->p->md, "| `%s`, %s, %s | %u | %.3f | %.3f (%u) | %.4f | %.4f | %.3f | %.3f | %.5f |\n",
          module, library, l->p->e->column[column].name, power->n_flops, clock, g.pj, g.gates, rest,
          gates, mw * (flops + gates), mw * (g.pj + rest + gates), 1000 * power->both.leakage);
  json_t *o = json_object();
  json_out_set(&o, "module", json_string(module));
  json_out_set(&o, "library", json_string(library));
  json_out_set(&o, "alternative", json_string(l->p->e->column[column].name));
  json_out_set(&o, "flops_pj_per_cycle", json_real(flops));
  json_out_set(&o, "clock_pj_per_cycle", json_real(clock));
  json_out_set(&o, "gated_clock_pj_per_cycle", json_real(g.pj));
  json_out_set(&o, "clock_gates", json_integer(g.gates));
  json_out_set(&o, "gates_pj_per_cycle", json_real(gates));
  json_out_set(&o, "leakage_mw", json_real(1000 * power->both.leakage));
  json_out_append(&l->list, o);
  return 0;
}

static int logic_part(const page_t *p, json_t **json, mrpb_err_t *err) {
  const double mhz = 1000 * estimate_clock(p->e, 0);
  logic_t l = {p, json_array(), mhz};
  int rc = 0;
  fprintf(p->md,
          "### Power of the logic\n\nOpenSTA with this activity, at %.0f MHz; the pJ of a cycle "
          "hold for every clock. Without clock tree, wires and\nSRAMs. Gated: a register word is "
          "clocked only in cycles in which it is written, or else changes (a lower limit);\na gate "
          "costs a flip-flop's clock pin; a word has one only where that saves energy in this "
          "run.\n\n"
          "| module | flip-flops | their clock pins, pJ a cycle | gated, pJ (gates) | rest of the "
          "flip-flops, pJ | gates, pJ | ungated, mW | gated, mW | leakage, mW |\n"
          "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |\n",
          mhz);
  for (unsigned c = 0; c < p->e->n_columns && rc == 0; c++)
    if (p->of[c]) rc = activity_power(p->e, c, p->of[c], power_row, &l, err);
  fputc('\n', p->md);
  json_out_set(json, "logic", l.list);
  return rc;
}

/* ---- the section ----------------------------------------------------------- */

static void say_run(const page_t *p, unsigned c) {
  const json_t *run = json_object_get(p->of[c], "run");
  const char *kernel = json_string_value(json_object_get(run, "kernel"));
  double cut = activity_number(run, "cut"), size = activity_number(run, "size");
  fprintf(p->md, "- %s: `%s`", p->e->column[c].name, kernel ? kernel : "?");
  if (size > 0) fprintf(p->md, ", size %.0f", size);
  if (cut > 0) fprintf(p->md, ", cut to %.0f", cut);
  fprintf(p->md, ", SM %.0f of %u, %.0f cycles at %.0f MHz\n", activity_number(p->of[c], "sm"),
          p->e->column[c].cfg.sms, activity_number(run, "cycles"),
          activity_number(p->of[c], "clock_mhz"));
}

static void tables(const page_t *p) {
  const json_t *list = NULL;
  json_t *a;
  size_t k;
  fprintf(p->md, "\n### Accesses a cycle\n\n");
  estimate_table(p->md, p->e, "array");
  for (unsigned i = 0; i < N_UNITS; i++) {
    list = NULL;
    for (unsigned c = 0; c < p->e->n_columns && !list; c++)
      list = json_object_get(activity_unit_of(p->of[c], units[i]), "arrays");
    json_array_foreach(list, k, a) {
      const char *name = json_string_value(json_object_get(a, "name"));
      if (name) access_rows(p, units[i], name);
    }
  }
  fprintf(p->md, "\n### Events a cycle, and occupancy\n\n");
  estimate_table(p->md, p->e, "event");
  for (unsigned i = 0; i < N_UNITS; i++) occupancy_rows(p, units[i]);
  for (unsigned i = 0; i < N_UNITS; i++) event_rows(p, units[i]);
  fprintf(p->md, "\n### Bits that toggle in a cycle\n\n");
  estimate_table(p->md, p->e, "of");
  for (unsigned i = 0; i < N_UNITS; i++) switching_rows(p, units[i]);
  fputc('\n', p->md);
}

static void columns_json(const page_t *p, json_t **json) {
  json_t *columns = json_object();
  for (unsigned c = 0; c < p->e->n_columns; c++)
    if (p->of[c]) json_out_set(&columns, p->e->column[c].name, json_incref(p->of[c]));
  json_out_set(json, "activity", columns);
}

int activity_section(estimate_t *e, FILE *md, json_t **json, mrpb_err_t *err) {
  page_t p = {.e = e, .md = md};
  bool any = false;
  int rc = activity_columns(e, p.of, err);
  for (unsigned c = 0; c < e->n_columns && rc == 0; c++) any = any || p.of[c];
  if (rc == 0 && !any) fprintf(md, "Not asked for.\n");
  if (any) {
    for (unsigned c = 0; c < e->n_columns; c++)
      if (p.of[c]) say_run(&p, c);
    if (!e->opt.activity)
      fprintf(md, "\nEvery bit: `activity/`, as CSV, SAIF and Tcl for OpenSTA.\n");
    tables(&p);
    columns_json(&p, json);
    json_t *energy_json = json_object();
    if (e->opt.cacti.binary) energy_part(&p, &energy_json);
    json_out_set(json, "energy", energy_json);
    if (e->opt.logic.on) rc = logic_part(&p, json, err);
    if (e->opt.logic.on && e->opt.energy && rc == 0) rc = energy_section(e, p.of, md, json, err);
  }
  for (unsigned c = 0; c < ESTIMATE_COLUMNS; c++) json_decref(p.of[c]);
  return rc;
}
