/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/place/fpga.h"

#include "base/files.h"
#include "base/hash.h"
#include "base/memory_file.h"
#include "base/output.h"
#include "base/process.h"
#include "estimate/place/apart.h"
#include "verilog/build.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NEXTPNR "nextpnr-ice40"

/* ---- scripts ---- */

/* `fsm_encoding "none"`: Yosys would code the pointer of round-robin order as a state machine. */
static void put_synth(FILE *f, const synth_job_t *s) {
  fputs("read_verilog -defer -DSYNTHESIS rtl/*.v\nchparam", f);
  for (unsigned i = 0; i < s->cls->n_params; i++)
    fprintf(f, " -set %s %u", s->cls->params[i].name, s->cfg[i]);
  fprintf(f,
          " %s\nhierarchy -check -top %s\n"
          "synth_ice40 -top %s -run begin:coarse\n"
          "setattr -set fsm_encoding \"none\" w:*\n"
          "synth_ice40 -top %s -run coarse:check\n"
          "opt_clean -purge\nwrite_json alone.json\nwrite_rtlil alone.il\n",
          s->cls->stem, s->cls->stem, s->cls->stem, s->cls->stem);
}

static const char join[] = "read_rtlil alone.il\nread_verilog pins.v\n"
                           "hierarchy -check -top fpga_pins\nflatten\nwrite_json pins.json\n";

static const char *const pack_argv[] = {NEXTPNR,       "--hx8k", "--package",  "ct256",
                                        "--pack-only", "--json", "alone.json", NULL};

static const char *const place_argv[] = {NEXTPNR,
                                         "--hx8k",
                                         "--package",
                                         "ct256",
                                         "--pcf-allow-unconstrained",
                                         "--json",
                                         "pins.json",
                                         "--asc",
                                         "pins.asc",
                                         "--seed",
                                         "1",
                                         "--freq",
                                         "200",
                                         "--timing-allow-fail",
                                         NULL};

static int write_text(const char *folder, const char *name, const char *text, mrpb_err_t *err) {
  FILE *f = output_into(folder, name, err);
  if (f) fputs(text, f);
  return f ? output_into_end(f, false, folder, name, err) : -1;
}

/* ---- what decides a result ---- */

int fpga_version(char version[FPGA_VERSION], mrpb_err_t *err) {
  static const char *const argv[] = {NEXTPNR, "--version", NULL};
  static const char mark[] = "(Version ";
  const process_t p = {.argv = argv, .seconds = 60, .most = 4096};
  char path[FILES_PATH];
  process_result_t r;
  if (!process_find(NEXTPNR, path, sizeof path))
    return mrpb_fail(err,
                     NEXTPNR ": not found; install the package nextpnr-ice40 (" FPGA_PACKAGES ")");
  if (process_run(&p, &r, err) != 0) return -1;
  const char *at = r.text ? strstr(r.text, mark) : NULL;
  version[0] = '\0';
  if (at)
    snprintf(version, FPGA_VERSION, "%.*s", (int)strcspn(at + strlen(mark), ")\n"),
             at + strlen(mark));
  free(r.text);
  return version[0] ? 0
                    : mrpb_fail(err, NEXTPNR ": `" NEXTPNR " --version` does not say a version");
}

static int key_of(const fpga_job_t *job, char key[96], mrpb_err_t *err) {
  const synth_job_t *s = job->synth;
  char version[FPGA_VERSION];
  uint64_t hash;
  if (fpga_version(version, err) != 0 || logic_rtl_hash(s, &hash, err) != 0) return -1;
  hash = hash_text(hash, version);
  hash = hash_bytes(hash, &s->tools->hash[TOOLS_YOSYS], sizeof s->tools->hash[TOOLS_YOSYS]);
  for (unsigned i = 0; place_argv[i]; i++) hash = hash_text(hash, place_argv[i]);
  for (unsigned i = 0; pack_argv[i]; i++) hash = hash_text(hash, pack_argv[i]);
  hash = hash_text(hash, join);
  char *text = NULL;
  size_t size;
  FILE *f = memory_file(&text, &size);
  if (!f) return mrpb_fail(err, "out of memory");
  put_synth(f, s);
  const bool bad = ferror(f) | fclose(f);
  if (!bad) hash = hash_text(hash, text);
  free(text);
  if (bad) return mrpb_fail(err, "out of memory");
  snprintf(key, 96, "%.60s.ice40.%016" PRIx64, s->cls->stem, hash);
  return 0;
}

/* ---- making ---- */

static int run_yosys(const fpga_job_t *job, const char *folder, const char *script,
                     const char *makes, mrpb_err_t *err) {
  const char *const argv[] = {"yosys", "-q", "-s", script, NULL};
  char log[40], path[FILES_PATH];
  snprintf(log, sizeof log, "%s.log", script);
  if (tools_run(folder, argv, log, job->seconds, err) != 0) return -1;
  if (files_path(path, "%s/%s", folder, makes) && files_exists(path)) return 0;
  return mrpb_fail(err, "yosys: ended without an error and without %s", makes);
}

static int synthesize(const fpga_job_t *job, const char *folder, fpga_result_t *r,
                      mrpb_err_t *err) {
  char path[FILES_PATH];
  FILE *f =
      synth_link_rtl(job->synth, folder, err) == 0 ? output_into(folder, "synth.ys", err) : NULL;
  if (!f) return -1;
  put_synth(f, job->synth);
  if (output_into_end(f, false, folder, "synth.ys", err) != 0) return -1;
  if (run_yosys(job, folder, "synth.ys", "alone.json", err) != 0) return -1;
  if (!files_path(path, "%s/alone.json", folder)) return mrpb_fail(err, "path too long");
  json_t *root = json_load_file(path, 0, NULL);
  if (!root) return mrpb_fail(err, "%s: Yosys wrote no netlist that can be read", path);
  int rc = fpga_count(root, job->synth->cls->stem, r, err);
  f = rc == 0 ? output_into(folder, "pins.v", err) : NULL;
  if (f) {
    fpga_wrapper(f, root, job->synth->cls->stem);
    rc = output_into_end(f, false, folder, "pins.v", err);
  }
  json_decref(root);
  if (!f || rc != 0 || write_text(folder, "pins.ys", join, err) != 0) return -1;
  return run_yosys(job, folder, "pins.ys", "pins.json", err);
}

/* Runs nextpnr. Returns the text of its log, which the caller frees. */
static char *run_nextpnr(const fpga_job_t *job, const char *folder, const char *const *argv,
                         const char *log, int *rc, mrpb_err_t *why) {
  char path[FILES_PATH];
  *rc = tools_run(folder, argv, log, job->seconds, why);
  char *text = files_path(path, "%s/%s", folder, log) ? files_read(path, NULL) : NULL;
  if (!text && !why->text[0]) mrpb_fail(why, "%s/%s: cannot read", folder, log);
  return text;
}

/* Packs the module alone: its ports take no cells, and it does not matter that the package has not
 * enough pins for them. */
static int pack(const fpga_job_t *job, const char *folder, fpga_result_t *r, mrpb_err_t *err) {
  unsigned rams = 0;
  int rc;
  char *text = run_nextpnr(job, folder, pack_argv, "pack.log", &rc, err);
  if (text && rc == 0) rc = fpga_read_cells(text, &r->cells, &rams, err);
  free(text);
  r->fits = r->cells <= FPGA_CELLS && rams <= FPGA_RAMS;
  return text && rc == 0 ? 0 : -1;
}

/* Places and routes the module with the registers around it. It is no failure if only these make it
 * too large. */
static int place(const fpga_job_t *job, const char *folder, fpga_result_t *r, mrpb_err_t *err) {
  unsigned cells = 0, rams = 0;
  mrpb_err_t why = {""}, none = {""};
  int rc;
  char *text = run_nextpnr(job, folder, place_argv, "nextpnr.log", &rc, &why);
  if (text && rc == 0) {
    rc = fpga_read_clock(text, &r->mhz, &why);
    r->placed = rc == 0;
  } else if (text && fpga_read_cells(text, &cells, &rams, &none) == 0 && cells > FPGA_CELLS) {
    rc = 0;
  }
  free(text);
  return rc == 0 && text ? 0 : mrpb_fail(err, "%s", why.text);
}

static int make(const void *job, const char *folder, void *result, mrpb_err_t *err) {
  if (synthesize(job, folder, result, err) != 0) return -1;
  if (pack(job, folder, result, err) != 0) return -1;
  return ((fpga_result_t *)result)->fits ? place(job, folder, result, err) : 0;
}

static json_t *to_json(void *result) {
  return fpga_json(result);
}

static int from_json(const json_t *o, void *result) {
  return fpga_from_json(o, result);
}

int fpga_run(const fpga_job_t *job, fpga_result_t *r, bool (*stop)(void), mrpb_err_t *err) {
  apart_t a = {.job = job,
               .result = r,
               .cache = job->cache,
               .make = make,
               .to_json = to_json,
               .from_json = from_json,
               .stop = stop};
  *r = (fpga_result_t){.luts = 0};
  if (key_of(job, a.key, err) != 0) return -1;
  const int rc = apart_run(&a, err);
  r->cached = a.cached;
  memcpy(r->folder, a.folder, sizeof r->folder);
  return rc;
}
