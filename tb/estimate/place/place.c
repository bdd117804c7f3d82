/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/place/place.h"

#include "base/files.h"
#include "base/hash.h"
#include "base/json_out.h"
#include "base/output.h"
#include "estimate/logic_options.h"
#include "estimate/place/apart.h"
#include "estimate/place/layout.h"
#include "estimate/place/steps.h"
#include "estimate/place/timing.h"
#include "estimate/place/wires.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { YOSYS_LIMIT = 600, FLOW = 1 }; /* FLOW: raised when results are computed in another way */

int place_library(const liberty_t *lib, mrpb_err_t *err) {
  uint64_t hash = HASH_START;
  if (!files_exists(LOGIC_LIBERTY))
    return mrpb_fail(err,
                     "%s: not there; install the package qflow-tech-osu018 (" PLACE_PACKAGES
                     "), which Debian 13 does not have",
                     LOGIC_LIBERTY);
  if (hash_file(&hash, LOGIC_LIBERTY, err) != 0) return -1;
  if (hash == lib->hash) return 0;
  return mrpb_fail(err, "--place: legal: with Debian's OSU018, %s, and no other library",
                   LOGIC_LIBERTY);
}

/* ---- what decides a result ---- */

static int key_of(const place_job_t *job, char key[96], mrpb_err_t *err) {
  char path[FILES_PATH];
  uint64_t hash = HASH_START;
  const unsigned flow = FLOW;
  if (steps_find(&hash, err) != 0) return -1;
  if (!files_path(path, "%s/net.v", job->folder) || hash_file(&hash, path, err) != 0) return -1;
  hash = hash_bytes(hash, &flow, sizeof flow);
  hash = hash_bytes(hash, &job->utilisation, sizeof job->utilisation);
  hash = hash_bytes(hash, &job->synth->lib->hash, sizeof job->synth->lib->hash);
  hash = hash_bytes(hash, job->synth->tools->hash, sizeof job->synth->tools->hash);
  for (unsigned i = 0; i < job->synth->n_srams; i++)
    if (!files_path(path, "%s/%s.lib", job->folder, job->synth->sram[i].macro) ||
        hash_file(&hash, path, err) != 0)
      return -1;
  snprintf(key, 96, "%.60s.placed.%016" PRIx64, job->synth->cls->stem, hash);
  return 0;
}

/* ---- the netlist ---- */

static int link_file(const place_job_t *job, const char *folder, const char *name,
                     mrpb_err_t *err) {
  char to[FILES_PATH], from[FILES_PATH], here[FILES_PATH] = "";
  const bool whole = job->folder[0] == '/';
  if ((whole || getcwd(here, sizeof here)) &&
      files_path(from, "%s%s%s/%s", here, whole ? "" : "/", job->folder, name) &&
      files_path(to, "%s/%s", folder, name) && symlink(from, to) == 0)
    return 0;
  return mrpb_fail(err, "%s/%s: %s", folder, name, strerror(errno));
}

/* Yosys turns net.v into JSON: it knows which pins of the cells are outputs. */
static int read_netlist(const place_job_t *job, const char *folder, place_netlist_t *n,
                        mrpb_err_t *err) {
  static const char *const argv[] = {"yosys", "-q", "-s", "read.ys", NULL};
  const synth_job_t *s = job->synth;
  char path[FILES_PATH];
  if (link_file(job, folder, "net.v", err) != 0 || link_file(job, folder, "cells.lib", err) != 0)
    return -1;
  FILE *f = output_into(folder, "read.ys", err);
  if (!f) return -1;
  fputs("read_liberty -lib -ignore_miss_func cells.lib\n", f);
  for (unsigned i = 0; i < s->n_srams; i++)
    fprintf(f, "read_liberty -lib -ignore_miss_func %s.lib\n", s->sram[i].macro);
  fprintf(f, "read_verilog net.v\nhierarchy -check -top %s\nwrite_json net.json\n", s->cls->stem);
  if (output_into_end(f, false, folder, "read.ys", err) != 0) return -1;
  for (unsigned i = 0; i < s->n_srams; i++) {
    char name[SRAM_NAME + 8];
    snprintf(name, sizeof name, "%s.lib", s->sram[i].macro);
    if (link_file(job, folder, name, err) != 0) return -1;
  }
  if (tools_run(folder, argv, "yosys.log", YOSYS_LIMIT, err) != 0) return -1;
  if (!files_path(path, "%s/net.json", folder)) return mrpb_fail(err, "path too long");
  return place_netlist_open(n, path, s->cls->stem, err);
}

/* ---- figures ---- */

static char *read_file(const char *folder, const char *top, const char *ending, mrpb_err_t *err) {
  char path[FILES_PATH];
  char *text = files_path(path, "%s/%s%s", folder, top, ending) ? files_read(path, NULL) : NULL;
  if (!text) mrpb_fail(err, "%s: %s", path, strerror(errno));
  return text;
}

static void sum_wires(const place_netlist_t *n, const layout_def_t *def, place_result_t *r) {
  for (int i = 2; i < n->n_nets && i < def->n_nets; i++) {
    const place_netlist_net_t *net = &n->net[i];
    const layout_net_t *wire = &def->net[i];
    const unsigned sinks = net->sinks + (net->driven && place_netlist_is_pin(net));
    if (wire->pins == 0) continue;
    if (i == n->clock) {
      r->clock_um = wire->um;
      r->clock_sinks = sinks;
      continue;
    }
    r->nets++;
    r->sinks += sinks;
    r->wire_um += wire->um;
    r->wire_ff += wire->ff;
  }
}

/* Writes placed.v and TOP.spef from the routed layout, and takes its figures. */
static int read_layout(const place_netlist_t *n, const char *folder, place_result_t *r,
                       mrpb_err_t *err) {
  char name[PLACE_NAME + 8];
  layout_lef_t lef = {.n_cells = 0};
  layout_def_t def = {.cells = 0};
  char *lef_text = read_file("/", STEPS_LEF, "", err);
  char *def_text = lef_text ? read_file(folder, n->top, "_route.def", err) : NULL;
  char *rc_text = def_text ? read_file(folder, n->top, "_route.rc", err) : NULL;
  int rc = rc_text ? layout_lef(&lef, lef_text, err) : -1;
  if (rc == 0) rc = layout_def(&def, def_text, &lef, n->n_nets, err);
  if (rc == 0 && def.cells != n->cells)
    rc = mrpb_fail(err, "%s: %u cells placed of %u", n->top, def.cells, n->cells);
  snprintf(name, sizeof name, "%s.spef", n->top);
  FILE *f = rc == 0 ? output_into(folder, name, err) : NULL;
  if (rc == 0) rc = f ? wires_spef(rc_text, n, &def, f, err) : -1;
  if (f && output_into_end(f, rc != 0, folder, name, rc == 0 ? err : NULL) != 0) rc = -1;
  if (rc == 0 && !(f = output_into(folder, "placed.v", err))) rc = -1;
  if (rc == 0) {
    rc = place_netlist_verilog(n, f, err);
    if (output_into_end(f, rc != 0, folder, "placed.v", err) != 0) rc = -1;
    r->cell_um2 = def.cell_um2;
    r->placed_um2 = def.width_um * def.height_um;
    sum_wires(n, &def, r);
  }
  layout_def_close(&def);
  layout_lef_close(&lef);
  free(lef_text);
  free(def_text);
  free(rc_text);
  return rc;
}

static int make(const place_job_t *job, const char *folder, place_result_t *r, mrpb_err_t *err) {
  place_netlist_t n;
  steps_cost_t cost = {.place = 0};
  if (read_netlist(job, folder, &n, err) != 0) return -1;
  r->cells = n.cells;
  r->pins = n.pins;
  r->macro_pins = n.macro_pins;
  int rc = steps_run(&n, folder, job->seconds, job->utilisation, &cost, err);
  if (rc == 0) rc = read_layout(&n, folder, r, err);
  if (rc == 0) rc = timing_run(job->synth, &n, folder, &r->without, &r->with, err);
  r->place_s = cost.place;
  r->route_s = cost.route;
  place_netlist_close(&n);
  return rc;
}

/* ---- one job ---- */

static json_t *to_json(void *result) {
  return place_json(result);
}

static int from_json(const json_t *o, void *result) {
  return place_from_json(o, result);
}

static int make_one(const void *job, const char *folder, void *result, mrpb_err_t *err) {
  return make(job, folder, result, err);
}

int place_run(const place_job_t *job, place_result_t *r, bool (*stop)(void), mrpb_err_t *err) {
  apart_t a = {.job = job,
               .result = r,
               .cache = job->cache,
               .make = make_one,
               .to_json = to_json,
               .from_json = from_json,
               .stop = stop};
  *r = (place_result_t){.cells = 0};
  if (place_library(job->synth->lib, err) != 0 || key_of(job, a.key, err) != 0) return -1;
  const int rc = apart_run(&a, err);
  r->cached = a.cached;
  memcpy(r->folder, a.folder, sizeof r->folder);
  return rc;
}
