/* SPDX-License-Identifier: Apache-2.0 */
/* Results as JSON: see result.h. */
#include "cosim/lockstep/result.h"

#include "base/json_out.h"
#include "base/memory_file.h"

#include <inttypes.h>
#include <string.h>

void result_count(json_t **o, const char *name, uint64_t n) {
  if (o) json_out_set(o, name, json_integer((json_int_t)n));
}

void result_open(json_t **o, const module_class_t *cls, const uint32_t *cfg) {
  if (!o) return;
  json_t *sizes = json_object();
  for (unsigned i = 0; i < cls->n_params; i++)
    json_out_set(&sizes, cls->params[i].name, json_integer(cfg[i]));
  *o = json_object();
  json_out_set(o, "module", json_string(cls->stem));
  json_out_set(o, "parameters", sizes);
}

void result_witnesses(json_t **o, const char *a, const char *b) {
  if (!o) return;
  json_t *both = json_array();
  json_out_append(&both, json_string(a));
  json_out_append(&both, json_string(b));
  json_out_set(o, "witnesses", both);
}

/* The lines of the verdict without their prefix. */
static json_t *assumptions(const verdict_t *v) {
  static const char start[] = "  assuming    ";
  json_t *all = json_array();
  char *text = NULL, *save = NULL;
  size_t size;
  FILE *f = memory_file(&text, &size);
  if (f) verdict_rest(v, f);
  if (!f || fclose(f) != 0) json_out_append(&all, NULL);
  for (char *line = text ? strtok_r(text, "\n", &save) : NULL; line;
       line = strtok_r(NULL, "\n", &save))
    if (strncmp(line, start, strlen(start)) == 0)
      json_out_append(&all, json_string(line + strlen(start)));
  free(text);
  return all;
}

void result_compared(json_t **o, const verdict_t *v) {
  if (!o) return;
  const verdict_counts_t n = verdict_counts(v);
  result_count(o, "outputs", n.outputs);
  result_count(o, "of_outputs", v->cls->n_out);
  result_count(o, "registers", n.registers);
  result_count(o, "of_registers", v->cls->n_regs);
  result_count(o, "bits", n.bits);
  result_count(o, "of_bits", n.of_bits);
  json_out_set(o, "assumptions", assumptions(v));
}

static json_t *hex(uint64_t value) {
  char text[24];
  snprintf(text, sizeof text, "0x%" PRIx64, value);
  return json_string(text);
}

void result_difference(json_t **o, const lockstep_t *ls, const report_t *report) {
  if (!o) return;
  lockstep_diff_t d[LOCKSTEP_MAX_DIFFS];
  json_t *first = json_object();
  const unsigned n = lockstep_diffs(ls, report->regs, d, LOCKSTEP_MAX_DIFFS);
  result_count(&first, "cycle", report->cycle - report->skip);
  if (n > 0) {
    json_out_set(&first, "kind", json_string(d->reg ? "register" : "output"));
    json_out_set(&first, "name", json_string(d->name));
    result_count(&first, "element", d->elem);
    result_count(&first, "bit", d->lsb);
    result_count(&first, "width", d->width);
    json_out_set(&first, "c", hex(d->c));
    json_out_set(&first, "rtl", hex(d->rtl));
    result_count(&first, "others", n - 1);
  }
  if (lockstep_function(ls)) json_out_set(&first, "function", json_string(lockstep_function(ls)));
  if (lockstep_stopped(ls)) json_out_set(&first, "stopped", json_string(lockstep_stopped(ls)));
  json_out_set(o, "difference", first);
}
