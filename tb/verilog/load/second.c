/* SPDX-License-Identifier: Apache-2.0 */
#include "verilog/load/second.h"

#include "base/files.h"
#include "base/hash.h"
#include "base/output.h"
#include "base/process.h"
#include "verilog/build.h"
#include "verilog/tool.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = 8 + MODULE_MAX_PARAMS + LINT_FILES };

static const char other[] = "VERILATOR_SECOND"; /* another Verilator, docs/verify/simulators.md */

static const char *other_path(void) {
  const char *path = getenv(other);
  return path && *path ? path : NULL;
}

/* "Verilator 5.006" from "Verilator 5.006 2023-01-22 rev ...". */
static void short_name(const char *version, const char *flags, char *name, size_t size) {
  size_t n = strcspn(version, " ");
  n += version[n] ? 1 + strcspn(version + n + 1, " ,") : 0;
  snprintf(name, size, "%.*s %s", (int)(n < 40 ? n : 40), version, flags);
}

/* Besides the object, the answer depends on the stimulus and on the other tools that are asked. */
static int verdict_path(const second_t *s, twice_job_t *job, char path[FILES_PATH],
                        mrpb_err_t *err) {
  static const char *const icarus[] = {"iverilog", "-V"};
  char version[128];
  mrpb_err_t unheard = {""};
  uint64_t key = hash_text(s->key, s->stimulus), tool = HASH_START;
  key = hash_bytes(key, &s->cycles, sizeof s->cycles);
  if (tool_hash(&tool, s->cache, icarus[0], &unheard) == 0 &&
      tool_version(version, sizeof version, s->cache, tool, icarus, &unheard) == 0) {
    const char *number = strstr(version, "version ");
    number = number ? number + 8 : "";
    snprintf(job->icarus, sizeof job->icarus, "Icarus %.*s", (int)strcspn(number, " "), number);
  }
  key = hash_bytes(key, &tool, sizeof tool);
  if (other_path() && tool_hash(&key, s->cache, other_path(), err) != 0) return -1;
  if (files_path(path, "%s/twice-%s-%016llx", s->cache, s->cls->stem, (unsigned long long)key))
    return 0;
  return mrpb_fail(err, "%s: the path is too long", s->cache);
}

/* Reads two lines: which tools have checked, and what is x. */
static bool recall(const char *path, twice_found_t *found) {
  FILE *f = fopen(path, "r");
  const bool good =
      f && fgets(found->looked, TWICE_TEXT, f) && fgets(found->unknown, TWICE_TEXT, f);
  if (f) fclose(f);
  if (!good) return false;
  found->looked[strcspn(found->looked, "\n")] = '\0';
  found->unknown[strcspn(found->unknown, "\n")] = '\0';
  return true;
}

/* Only a cache: an answer that cannot be kept is computed again. */
static void keep(const char *path, const char *temp, const twice_found_t *found) {
  char part[FILES_PATH];
  FILE *f = files_path(part, "%s/found", temp) ? fopen(part, "w") : NULL;
  if (!f) return;
  const bool good = fprintf(f, "%s\n%s\n", found->looked, found->unknown) > 0;
  if (fclose(f) == 0 && good) (void)rename(part, path);
}

/* Builds dut.so in `dir`; words[0 .. n-1] come before the design on the command line. */
static int build(const second_t *s, const char *const *word, unsigned n, const char *runtime,
                 const char *dir, const char *by, mrpb_err_t *err) {
  char log[FILES_PATH], vlt[FILES_PATH];
  const char *argv[WORDS + 1] = {NULL};
  for (unsigned i = 0; i < n; i++) argv[i] = word[i];
  argv[n++] = s->bind ? "design" : "module";
  argv[n++] = dir;
  argv[n++] = runtime;
  argv[n++] = s->job->tools_dir;
  argv[n++] = s->cls->stem;
  for (unsigned i = 0; i < s->cls->n_params; i++) argv[n++] = s->job->param[i];
  for (unsigned i = 1; i < s->lint->n_files; i++) argv[n++] = s->lint->file[i];
  FILE *f = files_path(log, "%s/log", dir) && files_path(vlt, "%s/public.vlt", dir)
                ? output_into(dir, "public.vlt", err)
                : NULL;
  if (f) fputs("`verilator_config\n", f); /* nothing needs to stay readable */
  if (!f || output_into_end(f, false, dir, "public.vlt", err) != 0) return RTL_BAD_INPUT;
  if (process_log(argv, log) == 0) return RTL_OK;
  char *said = files_read(log, NULL), *at = said ? strstr(said, "%Error") : NULL;
  if (!at) at = said ? strstr(said, "rror") : NULL;
  if (at) at[strcspn(at, "\n")] = '\0';
  mrpb_fail(err, "%s: %s cannot build it: %.200s", s->place, by, at ? at : "no message");
  free(said);
  return RTL_BAD_TOOL;
}

/* What verilate.sh says that it has built the plain object with. */
static char *flags_of(const char *dir) {
  char path[FILES_PATH];
  char *flags = files_path(path, "%s/flags", dir) ? files_read(path, NULL) : NULL;
  if (flags) flags[strcspn(flags, "\n")] = '\0';
  return flags;
}

static void name_flags(const second_t *s, const char *dir, twice_build_t *b) {
  char *flags = flags_of(dir);
  if (flags) short_name(s->tools, flags, b->by, sizeof b->by);
  free(flags);
}

static bool plain_path(const second_t *s, char path[FILES_PATH]) {
  return files_path(path, "%s/plain-%s-%016llx", s->cache, s->cls->stem,
                    (unsigned long long)s->key);
}

/* A plain object that agreed is kept, since another stimulus needs it again. */
static void keep_plain(const second_t *s, const char *temp) {
  char dir[FILES_PATH], final[FILES_PATH];
  mrpb_err_t unheard = {""};
  if (!files_path(dir, "%s/plain", temp) || !plain_path(s, final) || !files_exists(dir)) return;
  char *flags = flags_of(dir);
  files_remove_tree(dir, "dut.so");
  FILE *f = flags ? output_into(dir, "flags", &unheard) : NULL;
  if (f) fprintf(f, "%s\n", flags);
  if (f && output_into_end(f, false, dir, "flags", &unheard) == 0)
    (void)files_publish(dir, final, &unheard);
  free(flags);
}

static int build_plain(const second_t *s, twice_job_t *job, char object[FILES_PATH],
                       mrpb_err_t *err) {
  char dir[FILES_PATH];
  twice_build_t *b = &job->build[job->n_builds++];
  const char *const word[] = {s->script, "plain"};
  short_name(s->tools, "-O0", b->by, sizeof b->by);
  b->object = object;
  int rc = RTL_OK;
  if (!plain_path(s, dir) || !files_path(object, "%s/dut.so", dir)) return RTL_BAD_INPUT;
  if (!files_exists(object)) {
    if (!files_path(dir, "%s/plain", job->temp) || !files_path(object, "%s/dut.so", dir) ||
        output_folder(dir, err) != 0)
      return RTL_BAD_INPUT;
    rc = build(s, word, 2, s->runtime, dir, b->by, err);
  }
  if (rc == RTL_OK) name_flags(s, dir, b);
  return rc;
}

/* The Verilator of VERILATOR_SECOND needs its own run-time library. */
static int build_other(const second_t *s, twice_job_t *job, char object[FILES_PATH],
                       mrpb_err_t *err) {
  char dir[FILES_PATH], runtime[FILES_PATH], log[FILES_PATH], version[128];
  const char *const asked[] = {other_path(), "--version"};
  uint64_t tool = HASH_START;
  twice_build_t *b = &job->build[job->n_builds++];
  if (tool_hash(&tool, s->cache, other_path(), err) != 0 ||
      tool_version(version, sizeof version, s->cache, tool, asked, err) != 0)
    return RTL_BAD_TOOL;
  short_name(version, "-O3", b->by, sizeof b->by);
  b->object = object;
  if (!files_path(dir, "%s/other", job->temp) || !files_path(object, "%s/dut.so", dir) ||
      !files_path(runtime, "%s/other-runtime", job->temp) || !files_path(log, "%s/log", runtime) ||
      output_folder(dir, err) != 0 || output_folder(runtime, err) != 0)
    return RTL_BAD_INPUT;
  const char *const word[] = {s->script}, *const argv[] = {s->script, "runtime", runtime,
                                                           other_path(), NULL};
  if (process_log(argv, log) != 0)
    return mrpb_fail(err, "%s=%s: %s does not pass the canary, or cannot be built with", other,
                     other_path(), b->by),
           RTL_BAD_TOOL;
  return build(s, word, 1, runtime, dir, b->by, err);
}

static int look(const second_t *s, twice_job_t *job, twice_found_t *found, mrpb_err_t *err) {
  char plain[FILES_PATH], others[FILES_PATH];
  twice_stimulus_t stimulus;
  job->build[0].object = s->object;
  short_name(s->tools, "-O3", job->build[0].by, sizeof job->build[0].by);
  job->n_builds = 1;
  int rc = twice_stimulus_open(&stimulus, s->cls, s->cycles, err) == 0 &&
                   s->record(s->ctx, &stimulus, err) == 0
               ? RTL_OK
               : RTL_BAD_INPUT;
  if (rc == RTL_OK) rc = build_plain(s, job, plain, err);
  if (rc == RTL_OK && other_path()) rc = build_other(s, job, others, err);
  if (rc == RTL_OK) rc = twice_run(job, &stimulus, found, err);
  twice_stimulus_close(&stimulus);
  return rc;
}

int second_opinion(const second_t *s, twice_found_t *found, mrpb_err_t *err) {
  char path[FILES_PATH], temp[FILES_PATH];
  twice_job_t job = {.cls = s->cls,
                     .cfg = s->cfg,
                     .bind = s->bind,
                     .place = s->place,
                     .dir = s->job->tools_dir,
                     .temp = temp,
                     .patience = s->patience};
  if (verdict_path(s, &job, path, err) != 0) return RTL_BAD_TOOL;
  if (recall(path, found)) return RTL_OK;
  if (s->progress) fprintf(s->progress, "  TWICE    %s\n", s->cls->stem);
  if (files_temp_folder(temp, s->cache, err) != 0) return RTL_BAD_INPUT;
  const int rc = look(s, &job, found, err);
  if (rc == RTL_OK) {
    keep(path, temp, found);
    keep_plain(s, temp);
  }
  files_remove_tree(temp, NULL);
  return rc;
}
