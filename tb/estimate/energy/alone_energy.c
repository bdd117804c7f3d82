/* SPDX-License-Identifier: Apache-2.0 */
/* The table of a module's events, and `mrpb estimate MODULE --energy`. */
#include "estimate/energy/energy.h"

#include "estimate/flow.h"

/* A table of the events of one module. */
static void energy_events_table(FILE *md, const energy_t *e) {
  fprintf(md,
          "| event of `%s` | pJ | with random data, pJ | times in its scene |\n"
          "| --- | ---: | ---: | ---: |\n",
          e->module->stem);
  for (unsigned i = 0; i < e->n; i++) {
    const energy_value_t *v = &e->value[i];
    fprintf(md, "| %s | %.4f | ", v->term->name, v->pj);
    if (v->random >= 0)
      fprintf(md, "%.3f | %.0f |\n", v->random, v->times);
    else
      fprintf(md, "| %.0f |\n", v->times);
  }
  fprintf(md, "\n");
}

static int put(const flow_t *f, const module_class_t *cls, const uint32_t *cfg, FILE *out,
               mrpb_err_t *err) {
  logic_job_t job;
  logic_result_t r;
  energy_t e;
  if (flow_job(f, cls, cfg, &job, err) != 0) return -1;
  const int rc = logic_estimate_all(&job, &r, 1, 1, f->opt->stop, err);
  if (rc != 0) return rc;
  if (energy_measure(cls, cfg, r.folder, f->cache, &e, err) != 0) return -1;
  fprintf(out,
          "\n## Energy of an event, library %s\n\nWithout arrays, clock tree and wires. An idle "
          "cycle is the clock pins of %u flip-flops\nwithout clock gating. Leakage %.4f mW.\n\n",
          f->lib.name, e.flops, e.leakage_mw);
  energy_events_table(out, &e);
  return 0;
}

int energy_alone(const module_class_t *cls, const uint32_t *cfg, const logic_options_t *opt,
                 FILE *out, mrpb_err_t *err) {
  flow_t f;
  int rc = 0;
  for (unsigned i = 0; rc == 0 && i < flow_liberties(opt); i++) {
    rc = flow_open(&f, opt, i, err);
    if (rc != 0) break;
    rc = put(&f, cls, cfg, out, err);
    flow_close(&f);
  }
  return rc;
}
