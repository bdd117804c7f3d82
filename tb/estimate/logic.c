/* SPDX-License-Identifier: Apache-2.0 */
/* Jobs, their keys, and kept results: see logic.h. */
#include "estimate/logic.h"
#include "estimate/port_table.h"

#include "base/files.h"
#include "base/hash.h"
#include "verilog/build.h"
#include "base/output.h"
#include "base/json_out.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LOGIC_KEY = 80 };

int logic_rtl_hash(const synth_job_t *job, uint64_t *hash, mrpb_err_t *err) {
  *hash = HASH_START;
  if (job->source.text) return hash_file(hash, job->source.text, err);
  return rtl_hash_sources(hash, job->rtl, job->cls->stem, err);
}

/* Hashes everything that decides a result: the Verilog, the Liberty file, the tools, and the
 * scripts, which contain the sizes. */
static int key_of(const logic_job_t *job, const char *folder, char key[LOGIC_KEY],
                  mrpb_err_t *err) {
  static const char *const scripts[] = {"synth.ys", "io.constr", "aig.abc", "sta.tcl"};
  const synth_job_t *s = &job->synth;
  char path[FILES_PATH];
  uint64_t hash;
  if (logic_rtl_hash(s, &hash, err) != 0) return -1;
  hash = hash_bytes(hash, &s->lib->hash, sizeof s->lib->hash);
  hash = hash_bytes(hash, s->tools->hash, sizeof s->tools->hash);
  for (unsigned i = 0; i < sizeof scripts / sizeof *scripts; i++)
    if (!files_path(path, "%s/%s", folder, scripts[i]) || hash_file(&hash, path, err) != 0)
      return -1;
  for (unsigned i = 0; i < s->n_srams; i++)
    if (!files_path(path, "%s/%s.lib", folder, s->sram[i].macro) ||
        hash_file(&hash, path, err) != 0)
      return -1;
  snprintf(key, LOGIC_KEY, "%.48s.%016" PRIx64, s->source.name, hash);
  return 0;
}

/* ---- JSON ---- */

static json_t *path_json(const sta_path_t *p) {
  if (!p->found) return json_null();
  json_t *o = json_object();
  json_out_set(&o, "period_ns", json_real(p->period_ns));
  json_out_set(&o, "depth", json_integer(p->depth));
  json_out_set(&o, "start", json_string(p->start));
  json_out_set(&o, "end", json_string(p->end));
  json_out_set(&o, "through", json_string(p->through));
  return o;
}

json_t *logic_json(const logic_result_t *r) {
  json_t *o = json_object();
  json_out_set(&o, "area_um2", json_real(r->synth.area_um2));
  json_out_set(&o, "nand2", json_real(r->nand2));
  json_out_set(&o, "macro_area_um2", json_real(r->macro_area_um2));
  json_out_set(&o, "cells", json_integer(r->synth.cells));
  json_out_set(&o, "flops", json_integer(r->synth.flops));
  json_out_set(&o, "aig_nodes", json_integer(r->synth.aig_nodes));
  json_out_set(&o, "aig_levels", json_integer(r->synth.aig_levels));
  json_out_set(&o, "path", path_json(&r->sta.all));
  json_out_set(&o, "register_path", path_json(&r->sta.reg));
  json_out_set(&o, "proof", json_string(r->proof));
  json_out_set(&o, "proof_hash", json_string(r->proof_hash));
  json_out_set(&o, "proof_seconds", json_integer(r->proof_seconds));
  return o;
}

static void copy_text(char *to, size_t size, const json_t *o, const char *name) {
  const char *text = json_string_value(json_object_get(o, name));
  snprintf(to, size, "%.*s", (int)size - 1, text ? text : "");
}

static void path_from(const json_t *o, sta_path_t *p) {
  *p = (sta_path_t){.found = json_is_object(o)};
  if (!p->found) return;
  p->period_ns = json_number_value(json_object_get(o, "period_ns"));
  p->depth = (unsigned)json_integer_value(json_object_get(o, "depth"));
  copy_text(p->start, sizeof p->start, o, "start");
  copy_text(p->end, sizeof p->end, o, "end");
  copy_text(p->through, sizeof p->through, o, "through");
}

static unsigned count_from(const json_t *o, const char *name) {
  return (unsigned)json_integer_value(json_object_get(o, name));
}

static int logic_from_json(const json_t *o, logic_result_t *r) {
  *r = (logic_result_t){.nand2 = json_number_value(json_object_get(o, "nand2"))};
  r->synth.area_um2 = json_number_value(json_object_get(o, "area_um2"));
  r->macro_area_um2 = json_number_value(json_object_get(o, "macro_area_um2"));
  r->synth.cells = count_from(o, "cells");
  r->synth.flops = count_from(o, "flops");
  r->synth.aig_nodes = count_from(o, "aig_nodes");
  r->synth.aig_levels = count_from(o, "aig_levels");
  copy_text(r->proof, sizeof r->proof, o, "proof");
  copy_text(r->proof_hash, sizeof r->proof_hash, o, "proof_hash");
  r->proof_seconds = count_from(o, "proof_seconds");
  path_from(json_object_get(o, "path"), &r->sta.all);
  path_from(json_object_get(o, "register_path"), &r->sta.reg);
  /* A module of wires only has no cells, so only the presence of the numbers is checked. */
  return json_is_integer(json_object_get(o, "cells")) &&
                 json_is_number(json_object_get(o, "area_um2"))
             ? 0
             : -1;
}

/* ---- kept results ---- */

/* A folder without a readable result does not count, and is removed because it would block a new
 * one. */
static bool find_kept(const char *folder, logic_result_t *r) {
  char path[FILES_PATH];
  json_t *o = files_path(path, "%s/result.json", folder) ? json_load_file(path, 0, NULL) : NULL;
  bool found = o && logic_from_json(o, r) == 0;
  json_decref(o);
  if (!found && files_exists(folder)) files_remove_tree(folder, NULL);
  return found;
}

static int keep(const logic_result_t *r, const char *folder, mrpb_err_t *err) {
  static const char *const large[] = {"pre.json", "mapped.json", "pre.blif"};
  char path[FILES_PATH];
  json_t *o = logic_json(r);
  FILE *f = o && files_path(path, "%s/result.json", folder) ? fopen(path, "w") : NULL;
  int rc = f ? json_out_write(o, f, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) : -1;
  if (f && fclose(f) != 0) rc = -1;
  json_decref(o);
  for (unsigned i = 0; i < sizeof large / sizeof *large; i++)
    if (files_path(path, "%s/%s", folder, large[i])) unlink(path);
  return rc == 0 ? 0 : mrpb_fail(err, "%s: cannot write the result: %s", folder, strerror(errno));
}

/* Proves the netlist, unless this prover has said enough; a kept result is replaced by one with the
 * verdict. */
static void prove(const logic_job_t *job, const char *folder, logic_result_t *r) {
  char path[FILES_PATH], temp[OUTPUT_NAME], hash[sizeof r->proof_hash];
  mrpb_err_t unheard = {""};
  if (job->prove == 0 || !job->synth.cls) return;
  snprintf(hash, sizeof hash, "%016" PRIx64, proof_hash());
  if (strcmp(hash, r->proof_hash) == 0 &&
      (strcmp(r->proof, "proved") == 0 || r->proof_seconds >= job->prove))
    return;
  memcpy(r->proof_hash, hash, sizeof hash);
  r->proof_seconds = job->prove;
  if (!proof_netlist(&job->synth, folder, job->prove, r->proof)) return;
  json_t *o = logic_json(r);
  FILE *f =
      o && files_path(path, "%s/result.json", folder) ? output_open(path, temp, &unheard) : NULL;
  const int rc = f ? json_out_write(o, f, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) : -1;
  if (f) (void)output_close(f, rc != 0, path, temp, &unheard); /* only a cache */
  json_decref(o);
}

/* The scripts exist: runs them, and keeps their results as `final`. */
static int run(const logic_job_t *job, const char *temp, const char *final, logic_result_t *r,
               mrpb_err_t *err) {
  if (synth_run(&job->synth, temp, &r->synth, err) != 0 ||
      sta_run(&job->synth, temp, &r->sta, err) != 0)
    return -1;
  /* For wires only, OpenSTA would report the driver of an input. */
  if (r->synth.cells == 0 && job->synth.n_srams == 0)
    r->sta.all = r->sta.reg = (sta_path_t){.found = false};
  r->nand2 = r->synth.area_um2 / job->synth.lib->nand2->area;
  for (unsigned i = 0; i < job->synth.n_srams; i++)
    r->macro_area_um2 += job->synth.sram[i].area_um2;
  if (keep(r, temp, err) != 0) return -1;
  return files_publish(temp, final, err);
}

static int write_scripts(const logic_job_t *job, const char *folder, mrpb_err_t *err) {
  if (synth_write(&job->synth, folder, err) != 0) return -1;
  FILE *f = output_into(folder, "sta.tcl", err);
  if (!f) return -1;
  sta_script(f, &job->synth, "cells.lib", 1);
  return output_into_end(f, false, folder, "sta.tcl", err);
}

/* ---- corners ---- */

static int read_view(const json_t *o, const char *name, sta_view_t *v) {
  const json_t *list = json_object_get(o, name);
  for (unsigned k = 0; k < STA_KINDS; k++) {
    const json_t *path = json_array_get(list, k), *ns = json_object_get(path, "ns");
    if (!json_is_number(ns)) return -1;
    v->ns[k] = json_number_value(ns);
    copy_text(v->from[k], STA_END, path, "from");
    copy_text(v->to[k], STA_END, path, "to");
  }
  return 0;
}

static json_t *view_json(const sta_view_t *v) {
  json_t *list = json_array();
  for (unsigned k = 0; k < STA_KINDS; k++) {
    json_t *o = json_object();
    json_out_set(&o, "ns", json_real(v->ns[k]));
    json_out_set(&o, "from", json_string(v->from[k]));
    json_out_set(&o, "to", json_string(v->to[k]));
    json_out_append(&list, o);
  }
  return list;
}

static bool find_corner(const char *path, sta_corner_t *r) {
  json_t *o = json_load_file(path, 0, NULL);
  const bool found =
      o && read_view(o, "bare", &r->bare) == 0 && read_view(o, "wired", &r->wired) == 0;
  json_decref(o);
  return found;
}

static int keep_corner(const char *path, const sta_corner_t *r, mrpb_err_t *err) {
  char temp[OUTPUT_NAME];
  FILE *f = output_open(path, temp, err);
  if (!f) return -1;
  json_t *o = json_object();
  json_out_set(&o, "bare", view_json(&r->bare));
  json_out_set(&o, "wired", view_json(&r->wired));
  const bool bad = json_out_write(o, f, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) != 0;
  json_decref(o);
  return output_close(f, bad, path, temp, err);
}

/* What decides the delays of a netlist in one corner. The scripts do, too: CORNER_SCRIPTS counts
 * their versions. */
enum { CORNER_SCRIPTS = 2 };

static uint64_t corner_key(const logic_job_t *job, const logic_corner_t *c) {
  const double number[] = {c->derate, job->wire_ff, CORNER_SCRIPTS};
  uint64_t hash = hash_bytes(HASH_START, &c->lib->hash, sizeof c->lib->hash);
  hash = hash_bytes(hash, &job->synth.tools->hash[TOOLS_STA], sizeof(uint64_t));
  return hash_bytes(hash, number, sizeof number);
}

/* Finds the netlist's delays in every corner of the job, or measures them. */
static int time_corners(const logic_job_t *job, logic_result_t *r, mrpb_err_t *err) {
  char path[FILES_PATH], temp[FILES_PATH];
  int rc = 0;
  for (unsigned i = 0; i < job->n_corners && rc == 0; i++) {
    const logic_corner_t *c = &job->corner[i];
    if (!files_path(path, "%s/corner.%016" PRIx64 ".json", r->folder, corner_key(job, c)))
      return mrpb_fail(err, "%s: path too long", r->folder);
    if (find_corner(path, &r->corner[i])) continue;
    if (files_temp_folder(temp, job->cache, err) != 0) return -1;
    rc = sta_corner(&job->synth, r->folder, temp, c->lib, c->derate, job->wire_ff, &r->corner[i],
                    err);
    if (rc == 0) rc = keep_corner(path, &r->corner[i], err);
    files_remove_tree(temp, NULL);
  }
  return rc;
}

/* ---- a job ---- */

int logic_estimate(const logic_job_t *job, logic_result_t *r, mrpb_err_t *err) {
  char temp[FILES_PATH], folder[LOGIC_PATH], key[LOGIC_KEY];
  mrpb_err_t why = {""};
  *r = (logic_result_t){.nand2 = 0};
  if (output_folder(job->cache, err) != 0 || files_temp_folder(temp, job->cache, err) != 0)
    return -1;
  int rc = write_scripts(job, temp, err);
  if (rc == 0) rc = key_of(job, temp, key, err);
  if (rc == 0 && !files_path(folder, "%s/%s", job->cache, key))
    rc = mrpb_fail(err, "%s: path too long", job->cache);
  if (rc == 0 && find_kept(folder, r)) {
    r->cached = true;
  } else if (rc == 0) {
    *r = (logic_result_t){.nand2 = 0}; /* keep nothing of an invalid result */
    if (run(job, temp, folder, r, &why) != 0)
      rc = mrpb_fail(err, "%s: %s", job->synth.source.name, why.text);
  }
  if (rc == 0) snprintf(r->folder, sizeof r->folder, "%s", folder);
  if (rc == 0) prove(job, folder, r);
  files_remove_tree(temp, NULL);
  /* Wires alone have no delays. */
  if (rc == 0 && (r->synth.cells || job->synth.n_srams)) {
    if (job->n_corners && port_table_make(&job->synth, r->folder, err) != 0) return -1;
    return time_corners(job, r, err);
  }
  for (unsigned i = 0; i < job->n_corners; i++)
    for (unsigned k = 0; k < STA_KINDS; k++)
      r->corner[i].bare.ns[k] = r->corner[i].wired.ns[k] = -1;
  return rc;
}

int logic_job(logic_job_t *job, const module_class_t *cls, const uint32_t *cfg, mrpb_err_t *err) {
  synth_job_t *s = &job->synth;
  s->source = synth_source_module(cls);
  s->cls = cls;
  memcpy(s->cfg, cfg, cls->n_params * sizeof *cfg);
  int n = sram_of(cls, cfg, s->sram, err);
  if (n < 0) return -1;
  s->n_srams = (unsigned)n;
  return 0;
}

int logic_fo4(const liberty_t *lib, const char *cache, double *ns, mrpb_err_t *err) {
  char temp[FILES_PATH];
  if (output_folder(cache, err) != 0 || files_temp_folder(temp, cache, err) != 0) return -1;
  int rc = sta_fo4(lib, temp, ns, err);
  files_remove_tree(temp, NULL);
  return rc;
}
