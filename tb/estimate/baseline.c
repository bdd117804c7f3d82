/* SPDX-License-Identifier: Apache-2.0 */
/* Baselines: an entry is a module with its parameters, the hashes of everything from which its
 * figures were made, and the figures. The figures are medians over a few equivalent netlists,
 * because a single netlist varies by more than the differences of interest. */
#include "estimate/baseline.h"
#include "base/sizes.h"

#include "base/hash.h"
#include "estimate/study.h"
#include "base/output.h"
#include "base/json_in.h"
#include "base/json_out.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { ENTRIES = 64, NETLISTS = 5, WORD = 96 };

typedef struct {
  const json_t *json; /* as recorded */
  const module_class_t *cls;
  uint32_t cfg[MODULE_MAX_PARAMS];
  unsigned netlists, first; /* its jobs */
} entry_t;

typedef struct {
  const char *path;
  flow_t flow;
  json_t *file;
  entry_t entry[ENTRIES];
  unsigned n, n_jobs;
  logic_job_t job[ENTRIES * NETLISTS];
  logic_result_t result[ENTRIES * NETLISTS];
} baseline_t;

/* "ok", "IMPROVED", "REGRESSION", "STALE". */
static const char *baseline_name(baseline_verdict_t v) {
  static const char *const names[] = {"ok", "IMPROVED", "REGRESSION", "STALE"};
  return v < BASELINE_VERDICTS ? names[v] : "";
}

static double area(const logic_result_t *r) {
  return r->synth.area_um2;
}
static double flops(const logic_result_t *r) {
  return r->synth.flops;
}
static double period(const logic_result_t *r) {
  return r->sta.all.period_ns;
}
static double register_period(const logic_result_t *r) {
  return r->sta.reg.period_ns;
}
static double nodes(const logic_result_t *r) {
  return r->synth.aig_nodes;
}

enum { FIGURES = 5 };

/* The figures that are compared; for all of them less is better. */
static const struct {
  const char *name;
  double (*of)(const logic_result_t *);
} figures[FIGURES] = {{"area_um2", area},
                      {"flops", flops},
                      {"period_ns", period},
                      {"register_period_ns", register_period},
                      {"aig_nodes", nodes}};

/* ---- the file ---- */

static int bad_entry(const baseline_t *b, unsigned i, const char *what, const mrpb_err_t *why,
                     mrpb_err_t *err) {
  return mrpb_fail(err, "%s: module %u: %s%s", b->path, i + 1, what, why ? why->text : "");
}

static int read_parameters(baseline_t *b, unsigned i, mrpb_err_t *err) {
  entry_t *e = &b->entry[i];
  json_t *all = json_object_get(e->json, "parameters"), *v;
  const char *name;
  mrpb_err_t why = {""};
  module_defaults(e->cls, e->cfg);
  json_object_foreach(all, name, v) {
    char text[WORD];
    snprintf(text, sizeof text, "%.60s=%lld", name, (long long)json_integer_value(v));
    if (!json_is_integer(v)) return bad_entry(b, i, "a parameter that is not a number", NULL, err);
    if (sizes_set(e->cls, e->cfg, text, &why) != 0) return bad_entry(b, i, "", &why, err);
  }
  if (e->cls->check(e->cfg, &why) != 0) return bad_entry(b, i, "", &why, err);
  return 0;
}

static int read_entry(baseline_t *b, unsigned i, const json_t *json, mrpb_err_t *err) {
  entry_t *e = &b->entry[b->n++];
  mrpb_err_t why = {""};
  e->json = json;
  const char *module = json_string_value(json_object_get(json, "module"));
  const json_t *netlists = json_object_get(json, "netlists");
  if (!module) return bad_entry(b, i, "no \"module\"", NULL, err);
  if (!(e->cls = sizes_module(module, &why))) return bad_entry(b, i, "", &why, err);
  e->netlists = netlists ? (unsigned)json_integer_value(netlists) : 3;
  if (e->netlists < 1 || e->netlists > NETLISTS)
    return bad_entry(b, i, "\"netlists\": legal: 1 to 5", NULL, err);
  return read_parameters(b, i, err);
}

static int read_file(baseline_t *b, mrpb_err_t *err) {
  size_t i;
  json_t *v;
  b->file = json_in_load(b->path, JSON_REJECT_DUPLICATES, "a baseline file", err);
  if (!b->file) return -1;
  const json_t *modules = json_object_get(b->file, "modules");
  if (json_array_size(modules) == 0 || json_array_size(modules) > ENTRIES)
    return mrpb_fail(err, "%s: legal: a list \"modules\" of 1 to %d entries", b->path,
                     (int)ENTRIES);
  json_array_foreach(modules, i, v) {
    if (read_entry(b, (unsigned)i, v, err) != 0) return -1;
  }
  return 0;
}

/* ---- inputs that decide the figures ---- */

static json_t *hex(uint64_t v) {
  char text[24];
  snprintf(text, sizeof text, "%016" PRIx64, v);
  return json_string(text);
}

/* Hashes the flow: its scripts for one module of no particular size, as far as they are fixed. */
static int flow_hash(const baseline_t *b, uint64_t *hash, mrpb_err_t *err) {
  *hash = HASH_START;
  for (unsigned i = 0; i < b->n_jobs; i++)
    if (synth_hash(&b->job[i].synth, hash, err) != 0) return -1;
  return 0;
}

static uint64_t configuration_hash(const entry_t *e) {
  uint64_t hash = hash_text(HASH_START, e->cls->stem);
  for (unsigned i = 0; i < e->cls->n_params; i++) {
    hash = hash_text(hash, e->cls->params[i].name);
    hash = hash_bytes(hash, &e->cfg[i], sizeof e->cfg[i]);
  }
  return hash;
}

/* Gets "tools", "liberty", ... as in flow_json, and the hash of the scripts. */
static json_t *made_with(const baseline_t *b, mrpb_err_t *err) {
  uint64_t hash;
  if (flow_hash(b, &hash, err) != 0) return NULL;
  json_t *o = flow_json(&b->flow);
  json_out_set(&o, "flow_hash", hex(hash));
  if (!o) mrpb_fail(err, "out of memory");
  return o;
}

/* Writes the first thing that differs as a line. Returns 0 if nothing differs. */
static int differs(const json_t *was, const json_t *is, char text[256]) {
  const char *name;
  json_t *v, *old;
  json_object_foreach((json_t *)(uintptr_t)is, name, v) {
    old = json_object_get(was, name);
    if (json_is_object(v)) {
      if (differs(old, v, text)) return 1;
      continue;
    }
    if (json_is_real(v) && fabs(json_number_value(v) - json_number_value(old)) <
                               1e-6 * fabs(json_number_value(v)) + 1e-12)
      continue;
    if (json_equal(v, old)) continue;
    char *a = old ? json_dumps(old, JSON_ENCODE_ANY) : NULL, *c = json_dumps(v, JSON_ENCODE_ANY);
    snprintf(text, 256, "%.40s was %.90s, is %.90s", name, a ? a : "not recorded", c ? c : "?");
    free(a);
    free(c);
    return 1;
  }
  return 0;
}

/* ---- figures ---- */

static double figure(const baseline_t *b, const entry_t *e, unsigned k) {
  double v[NETLISTS] = {0};
  for (unsigned i = 0; i < e->netlists; i++) v[i] = figures[k].of(&b->result[e->first + i]);
  return study_spread(v, e->netlists).median;
}

static int add_jobs(baseline_t *b, mrpb_err_t *err) {
  for (unsigned i = 0; i < b->n; i++) {
    entry_t *e = &b->entry[i];
    e->first = b->n_jobs;
    for (unsigned k = 0; k < e->netlists; k++) {
      logic_job_t *job = &b->job[b->n_jobs++];
      if (flow_job(&b->flow, e->cls, e->cfg, job, err) != 0) return -1;
      job->synth.seed = k;
    }
  }
  return 0;
}

static int measure(baseline_t *b, mrpb_err_t *err) {
  return logic_estimate_all(b->job, b->result, b->n_jobs, flow_jobs(b->flow.opt), b->flow.opt->stop,
                            err);
}

static void put_sizes(FILE *out, const entry_t *e) {
  const char *name;
  json_t *v;
  fprintf(out, "%s", e->cls->stem);
  json_object_foreach(json_object_get(e->json, "parameters"), name, v)
      fprintf(out, " %s=%lld", name, (long long)json_integer_value(v));
}

/* Compares one module with its entry, and names every figure beyond the limit. */
static baseline_verdict_t compare(const baseline_t *b, const entry_t *e, FILE *out) {
  baseline_verdict_t verdict = BASELINE_HOLDS;
  const json_t *was = json_object_get(e->json, "figures");
  char text[FIGURES * 80] = "";
  for (unsigned k = 0; k < FIGURES; k++) {
    double old = json_number_value(json_object_get(was, figures[k].name)), now = figure(b, e, k);
    if (old == 0 && now == 0) continue;
    double change = old > 0 ? now / old - 1 : INFINITY;
    if (fabs(change) <= BASELINE_LIMIT) continue;
    baseline_verdict_t one = change > 0 ? BASELINE_REGRESSED : BASELINE_IMPROVED;
    if (one > verdict) verdict = one;
    size_t at = strlen(text);
    snprintf(text + at, sizeof text - at, "; %s %.6g -> %.6g (%+.1f %%)", figures[k].name, old, now,
             100 * change);
  }
  fprintf(out, "%-10s ", baseline_name(verdict));
  put_sizes(out, e);
  fprintf(out, "%s\n", text);
  return verdict;
}

static void advise(const baseline_t *b, baseline_verdict_t v, const char *program, FILE *out) {
  static const char *const why[] = {
      "", "better figures are recorded too, or the next loss hides behind them",
      "a change that is wanted is recorded", "the figures have to be made anew"};
  if (v == BASELINE_HOLDS) return;
  fprintf(out, "%s: %s: %s estimate --record %s", baseline_name(v), why[v], program, b->path);
  for (unsigned i = 0; i < b->flow.opt->n_liberties; i++)
    fprintf(out, " --liberty %s", b->flow.opt->liberty[i]);
  fputc('\n', out);
}

static int open_all(baseline_t *b, const char *path, const logic_options_t *opt, mrpb_err_t *err) {
  b->path = path;
  if (opt->n_liberties > 1)
    return mrpb_fail(err, "--liberty: a baseline is of one Liberty file; legal: one");
  if (read_file(b, err) != 0 || flow_open(&b->flow, opt, 0, err) != 0) return -1;
  if (add_jobs(b, err) == 0) return 0;
  flow_close(&b->flow);
  return -1;
}

static baseline_t *new_baseline(mrpb_err_t *err) {
  baseline_t *b = calloc(1, sizeof *b);
  if (!b) mrpb_fail(err, "out of memory");
  return b;
}

static void close_all(baseline_t *b) {
  json_decref(b->file);
  free(b);
}

int baseline_check(const char *path, const logic_options_t *opt, const char *program, FILE *out,
                   baseline_verdict_t *verdict, mrpb_err_t *err) {
  char text[256];
  baseline_t *b = new_baseline(err);
  int rc = b ? open_all(b, path, opt, err) : -1;
  *verdict = BASELINE_HOLDS;
  if (rc == 0) {
    json_t *with = made_with(b, err);
    rc = with ? 0 : -1;
    if (rc == 0 && differs(json_object_get(b->file, "made_with"), with, text)) {
      *verdict = BASELINE_STALE;
      fprintf(out, "STALE      %s: %s\n", path, text);
    } else if (rc == 0) {
      rc = measure(b, err);
      for (unsigned i = 0; i < b->n && rc == 0; i++) {
        baseline_verdict_t one = compare(b, &b->entry[i], out);
        if (one > *verdict) *verdict = one;
      }
    }
    if (rc == 0) advise(b, *verdict, program, out);
    json_decref(with);
    flow_close(&b->flow);
  }
  if (b) close_all(b);
  return rc;
}

/* ---- recording ---- */

static json_t *entry_json(const baseline_t *b, const entry_t *e, mrpb_err_t *err) {
  uint64_t rtl;
  json_t *o = json_object(), *p = json_object(), *f = json_object();
  if (logic_rtl_hash(&b->job[e->first].synth, &rtl, err) != 0) rtl = 0;
  for (unsigned i = 0; i < e->cls->n_params; i++)
    json_out_set(&p, e->cls->params[i].name, json_integer(e->cfg[i]));
  for (unsigned k = 0; k < FIGURES; k++)
    json_out_set(&f, figures[k].name, json_real(figure(b, e, k)));
  json_out_set(&o, "module", json_string(e->cls->stem));
  json_out_set(&o, "parameters", p);
  json_out_set(&o, "netlists", json_integer(e->netlists));
  json_out_set(&o, "configuration_hash", hex(configuration_hash(e)));
  json_out_set(&o, "rtl_hash", hex(rtl));
  json_out_set(&o, "figures", f);
  return o;
}

static int write_file(const baseline_t *b, json_t *o, mrpb_err_t *err) {
  char temp[OUTPUT_NAME];
  FILE *f = output_open(b->path, temp, err);
  if (!f) return -1;
  bool bad = json_out_write(o, f, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) != 0;
  return output_close(f, bad, b->path, temp, err);
}

int baseline_record(const char *path, const logic_options_t *opt, FILE *out, mrpb_err_t *err) {
  baseline_t *b = new_baseline(err);
  int rc = b ? open_all(b, path, opt, err) : -1;
  if (rc == 0) {
    rc = measure(b, err);
    json_t *with = rc == 0 ? made_with(b, err) : NULL, *o = json_object(), *list = json_array();
    if (!with) rc = rc ? rc : -1;
    for (unsigned i = 0; i < b->n && rc == 0; i++)
      json_out_append(&list, entry_json(b, &b->entry[i], err));
    json_out_set(&o, "made_with", with ? with : json_null());
    json_out_set(&o, "modules", list);
    if (rc == 0 && !o) rc = mrpb_fail(err, "out of memory");
    if (rc == 0) rc = write_file(b, o, err);
    if (rc == 0) fprintf(out, "%s: %u modules recorded\n", path, b->n);
    json_decref(o);
    flow_close(&b->flow);
  }
  if (b) close_all(b);
  return rc;
}
