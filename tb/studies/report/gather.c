/* SPDX-License-Identifier: Apache-2.0 */
/* Gathers the document: one key for each part. */
#include "studies/report/parts.h"

#include "base/files.h"

#include <string.h>

json_t *report_differs(const config_t *base, const config_t *cfg) {
  json_t *list = json_array();
  for (unsigned i = 0; i < config_count(); i++) {
    char value[64];
    if (!config_has(cfg, i) || config_value(base, i) == config_value(cfg, i)) continue;
    json_t *key = json_object();
    json_out_set(&key, "key", json_string(config_key(i)->name));
    config_print_value(base, i, value, sizeof value);
    json_out_set(&key, "base", json_string(value));
    config_print_value(cfg, i, value, sizeof value);
    json_out_set(&key, "value", json_string(value));
    json_out_append(&list, key);
  }
  return list;
}

/* If `part` is NULL, its maker has already put the reason into err. */
static int put(json_t **document, const char *name, json_t *part) {
  if (!part) return -1;
  json_out_set(document, name, part);
  return 0;
}

static int put_lists(json_t **document, const report_inputs_t *in, mrpb_err_t *err) {
  json_t *estimates = json_array(), *sweeps = json_array(), *runs = json_array();
  int rc = 0;
  for (unsigned i = 0; i < in->n_runs && rc == 0; i++) {
    json_t *part = report_run(in->run[i], err);
    rc = part ? 0 : -1;
    if (part) json_out_append(&runs, part);
  }
  for (unsigned i = 0; i < in->n_estimates && rc == 0; i++) {
    json_t *part = report_estimate(in->estimate[i], err);
    rc = part ? 0 : -1;
    if (part) json_out_append(&estimates, part);
  }
  for (unsigned i = 0; i < in->n_sweeps && rc == 0; i++) {
    json_t *part = report_sweep(in, in->sweep[i], err);
    rc = part ? 0 : -1;
    if (part) json_out_append(&sweeps, part);
  }
  json_out_set(document, "runs", runs);
  json_out_set(document, "estimates", estimates);
  json_out_set(document, "sweeps", sweeps);
  return rc;
}

json_t *report_gather(const report_inputs_t *in, mrpb_err_t *err) {
  json_t *document = json_object();
  int rc = 0;
  if (in->figures) rc = put(&document, "figures", report_figures(in, err));
  if (rc == 0 && in->accuracy) rc = put(&document, "accuracy", report_accuracy(in->accuracy, err));
  if (rc == 0 && in->modules) rc = put(&document, "modules", report_modules(in->modules, err));
  if (rc == 0 && in->studies) rc = put(&document, "studies", report_studies(in->studies, err));
  if (rc == 0) rc = put_lists(&document, in, err);
  if (rc == 0 && document) return document;
  if (rc == 0 || err->text[0] == '\0') (void)mrpb_fail(err, "out of memory for the report");
  json_decref(document);
  return NULL;
}
