/* SPDX-License-Identifier: Apache-2.0 */
/* The order of an export. */
#include "estimate/export/export.h"

#include "base/home.h"
#include "base/sizes.h"
#include "config/config.h"
#include "estimate/export/state.h"

#include <stdlib.h>
#include <string.h>

void export_defaults(export_options_t *o) {
  *o = (export_options_t){
      .run = true, .cycles = 1000, .seed = 1, .utilisation = 0.7, .layer = "metal3"};
  o->logic.on = true;
}

static int prepare(export_t *e, mrpb_err_t *err) {
  config_t config;
  if (e->cls->check(e->cfg, err) != 0 || home_find(e->root, err) != 0) return -1;
  e->cls->ports(e->cfg, e->in, e->out);
  sizes_text(e->cls, e->cfg, "", e->sizes, sizeof e->sizes);
  config_defaults(&config);
  e->clock_ghz = e->opt->logic.clock_ghz > 0 ? e->opt->logic.clock_ghz : config.clock_sm / 1000.0;
  return files_path(e->rtl, "%s/rtl", e->root) ? 0 : mrpb_fail(err, "path too long");
}

static int open_flow(export_t *e, mrpb_err_t *err) {
  if (!e->opt->logic.on) return 0;
  if (flow_open(&e->flow, &e->opt->logic, 0, err) != 0) return -1;
  e->flow_is_open = true;
  return flow_job(&e->flow, e->cls, e->cfg, &e->job, err);
}

/* Whatever can be wrong with the options is found before the folder is made. */
static int write_all(export_t *e, mrpb_err_t *err) {
  int (*const part[])(export_t *, mrpb_err_t *) = {export_sources, export_formal, export_sva,
                                                   export_netlist, export_outline};
  for (unsigned i = 0; i < sizeof part / sizeof *part; i++) {
    const int rc = part[i](e, err);
    if (rc != 0) return rc;
  }
  const int rc = e->opt->logic.on ? export_models(e, err) : 0;
  if (rc != 0) return rc;
  if (export_bench(e, err) != 0 || export_readme(e, err) != 0) return -1;
  if (e->opt->logic.stop && e->opt->logic.stop())
    return mrpb_fail(err, "interrupted"), LOGIC_STOPPED;
  return export_commit(e, err);
}

int export_run(const module_class_t *cls, const uint32_t *cfg, const export_options_t *opt,
               mrpb_err_t *err) {
  export_t *e = calloc(1, sizeof *e);
  if (!e) return mrpb_fail(err, "out of memory");
  e->cls = cls;
  e->opt = opt;
  memcpy(e->cfg, cfg, cls->n_params * sizeof *cfg);
  int rc = prepare(e, err);
  if (rc == 0) rc = open_flow(e, err);
  if (rc == 0) rc = export_begin(e, err);
  if (rc == 0) rc = write_all(e, err);
  if (rc < 0 && opt->logic.stop && opt->logic.stop())
    rc = LOGIC_STOPPED; /* a tool was ended, too */
  if (rc != 0) export_discard(e);
  if (e->flow_is_open) flow_close(&e->flow);
  free(e);
  return rc;
}
