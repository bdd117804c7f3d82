/* SPDX-License-Identifier: Apache-2.0 */
/* Sets up the environment: the project, its cache, the tools and the run-time library. */
#include "verilog/load/env.h"

#include "base/files.h"
#include "base/hang.h"
#include "base/hash.h"
#include "base/home.h"
#include "base/process.h"
#include "verilog/build.h"
#include "verilog/tool.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

bool rtl_given(const rtl_from_t *from) {
  return from->dir || design_given(&from->design);
}

const char *rtl_env_root(const rtl_env_t *env) {
  return env->root;
}
const char *rtl_env_options(const rtl_env_t *env) {
  return env->options;
}
const map_t *rtl_env_map(const rtl_env_t *env) {
  return env->design ? design_map(env->design) : NULL;
}
const char *rtl_env_tools(const rtl_env_t *env) {
  return env->tools;
}
void rtl_env_set_stimulus(rtl_env_t *env, const rtl_stimulus_t *stimulus) {
  env->stimulus = *stimulus;
}
const char *rtl_env_top(const rtl_env_t *env) {
  return design_top(env->design);
}
const char *rtl_env_cache(const rtl_env_t *env) {
  return env->cache;
}
int rtl_env_describe(describe_t **out, const rtl_env_t *env, const module_class_t *cls,
                     const uint32_t *cfg, mrpb_err_t *err) {
  return design_describe(out, env->design, cls, cfg, err);
}
void rtl_env_trust(rtl_env_t *env) {
  env->trusted = true;
}
void rtl_env_set_patience(rtl_env_t *env, unsigned seconds) {
  env->patience = seconds;
}

static int find_tools(rtl_env_t *env, mrpb_err_t *err) {
  static const char *const files[] = {"tb/verilog/shim/verilate.sh", "tb/verilog/shim/reroll.awk",
                                      "tb/verilog/shim/rtl_runtime.h", "tb/verilog/canary/canary.v",
                                      "tb/verilog/canary/canary.cpp"};
  const char *const programs[] = {tool_verilator(), PROCESS_VERILATOR, "g++"};
  const char *const of_verilator[] = {programs[0], "--version"};
  static const char *const of_compiler[] = {"g++", "-dumpfullversion"};
  char verilator[128], compiler[64], path[FILES_PATH];
  env->key = HASH_START;
  for (unsigned i = 0; i < sizeof programs / sizeof *programs; i++)
    if (tool_hash(&env->key, env->cache, programs[i], err) != 0) return RTL_BAD_TOOL;
  if (tool_version(verilator, sizeof verilator, env->cache, env->key, of_verilator, err) != 0 ||
      tool_version(compiler, sizeof compiler, env->cache, env->key, of_compiler, err) != 0)
    return RTL_BAD_TOOL;
  snprintf(env->tools, sizeof env->tools, "%s, g++ %s", verilator, compiler);
  env->key =
      hash_text(hash_text(env->key, env->tools), programs[0]); /* the library stores its path */
  for (unsigned i = 0; i < sizeof files / sizeof *files; i++)
    if (!files_path(path, "%s/%s", env->root, files[i]) || hash_file(&env->key, path, err) != 0)
      return RTL_BAD_TOOL;
  return RTL_OK;
}

/* The run-time library is published only after the canary has passed, so its presence proves that
 * it did. */
static int make_runtime(rtl_env_t *env, mrpb_err_t *err) {
  char temp[FILES_PATH], log[FILES_PATH];
  if (!files_path(env->runtime, "%s/runtime-%016llx", env->cache, (unsigned long long)env->key))
    return RTL_BAD_TOOL;
  if (files_exists(env->runtime)) return RTL_OK;
  if (env->progress) fprintf(env->progress, "  CANARY   %s\n", env->tools);
  if (files_temp_folder(temp, env->cache, err) != 0) return RTL_BAD_INPUT;
  const char *argv[] = {env->script, "runtime", temp, tool_verilator(), NULL};
  int status = files_path(log, "%s/log", temp) ? process_log(argv, log) : -1;
  if (status != 0) {
    char last[FILES_PATH] = "";
    FILE *f = fopen(log, "r");
    for (char line[256]; !last[0] && f && fgets(line, sizeof line, f);)
      if (strstr(line, status == 3 ? "canary:" : "rror") ||
          (status != 3 && strstr(line, "%Warning")))
        snprintf(last, sizeof last, "%s", line);
    if (f) fclose(f);
    last[strcspn(last, "\n")] = '\0';
    files_remove_tree(temp, NULL);
    if (status == 3)
      mrpb_fail(err, "%s computes wrong values, so nothing it says is trusted: %s", env->tools,
                last);
    else
      mrpb_fail(err, "building Verilator's run-time library failed: %s", last);
    return RTL_BAD_TOOL;
  }
  return files_publish(temp, env->runtime, err) == 0 ? RTL_OK : RTL_BAD_INPUT;
}

/* Adds " --rtl DIR" in the form that a shell takes. */
static void add_option(rtl_env_t *env, const char *option, const char *value) {
  static const char plain[] =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./=,:+-";
  const size_t n = strlen(env->options);
  if (!value) return;
  const char *quote = value[0] && value[strspn(value, plain)] == '\0' ? "" : "'";
  snprintf(env->options + n, sizeof env->options - n, "%s %s%s%s", option, quote, value, quote);
}

static void write_options(rtl_env_t *env) {
  const design_args_t *d = &env->from.design;
  const char *map = d->map_said ? d->map_said : d->map;
  add_option(env, " --rtl", env->from.dir);
  if (!env->design) return;
  for (unsigned i = 0; i < d->n_lists; i++) add_option(env, " -f", d->list[i]);
  for (unsigned i = 0; i < d->n_words; i++) add_option(env, "", d->word[i]);
  add_option(env, " --top", d->top);
  add_option(env, " --map", map);
  add_option(env, " --lint", env->from.lint);
  const size_t n = strlen(env->options);
  if (d->outputs_only) snprintf(env->options + n, sizeof env->options - n, " --outputs-only");
  snprintf(env->place, sizeof env->place, "%s of %s%s%s", design_top(env->design),
           d->n_lists ? d->list[0] : d->word[0], map ? ", by " : "", map ? map : "");
}

bool env_design_of(const rtl_env_t *env, const module_class_t *cls) {
  const char *module = env->design ? design_module(env->design) : NULL;
  return env->design && (!module || strcmp(module, cls->stem) == 0);
}

bool rtl_env_design(const rtl_env_t *env, const char **module) {
  *module = env->design ? design_module(env->design) : NULL;
  return env->design != NULL;
}

int rtl_env_check_module(const rtl_env_t *env, const module_class_t *cls, mrpb_err_t *err) {
  if (!env->design || env_design_of(env, cls)) return 0;
  return mrpb_fail(err, "%s is module %s of ours; this is %s", env->place,
                   design_module(env->design), cls->stem);
}

const char *rtl_env_place(const rtl_env_t *env, const module_class_t *cls) {
  return env_design_of(env, cls) ? env->place : env->dir;
}

static int check_from(rtl_env_t *env, mrpb_err_t *err) {
  static const char *const levels[] = {"error", "warn", "off"};
  const char *lint = env->from.lint ? env->from.lint : "warn";
  const bool design = design_given(&env->from.design);
  if (!design && (env->from.lint || env->from.design.outputs_only))
    return mrpb_fail(
        err, "--lint and --outputs-only: legal: for a design of yours (-f, --top, --map); with "
             "--rtl a warning is an error, and registers are compared");
  for (unsigned i = 0; i < 3; i++)
    if (strcmp(levels[i], lint) == 0) return env->level = (lint_level_t)i, 0;
  return mrpb_fail(err, "--lint %.60s: legal: off, warn, error", lint);
}

static int open_env(rtl_env_t *env, const char *rtl_dir, bool builds, mrpb_err_t *err) {
  if (check_from(env, err) != 0) return RTL_BAD_INPUT;
  if (home_find(env->root, err) != 0) return RTL_BAD_TOOL;
  if (!files_path(env->script, "%s/tb/verilog/shim/verilate.sh", env->root) ||
      !(rtl_dir ? files_path(env->dir, "%s", rtl_dir)
                : files_path(env->dir, "%s/rtl", env->root))) {
    mrpb_fail(err, "the path of the project or of the RTL folder is too long");
    return RTL_BAD_INPUT;
  }
  if (rtl_check_dir(env->dir, err) != 0) return RTL_BAD_INPUT;
  if (lint_cache(env->cache, env->root, err) != 0) return RTL_BAD_INPUT;
  if (rtl_tool_dir(env->cache, env->dir, env->tools_dir, err) != 0) return RTL_BAD_INPUT;
  int rc = builds ? find_tools(env, err) : RTL_OK;
  if (rc == RTL_OK && design_given(&env->from.design))
    rc = design_open(&env->design, &env->from.design, env->cache, err);
  if (rc == RTL_OK) write_options(env);
  return rc == RTL_OK && builds ? make_runtime(env, err) : rc;
}

static int new_env(rtl_env_t **out, const rtl_from_t *from, bool builds, FILE *progress,
                   mrpb_err_t *err) {
  *out = NULL;
  rtl_env_t *env = calloc(1, sizeof *env);
  if (!env) {
    mrpb_fail(err, "out of memory");
    return RTL_BAD_TOOL;
  }
  env->progress = progress;
  env->patience = HANG_SECONDS;
  errno = 0;
  if (from) env->from = *from;
  int rc = open_env(env, env->from.dir, builds, err);
  if (rc != RTL_OK) {
    rtl_env_close(env);
    return rc;
  }
  *out = env;
  return RTL_OK;
}

int rtl_env_open(rtl_env_t **out, const rtl_from_t *from, FILE *progress, mrpb_err_t *err) {
  return new_env(out, from, true, progress, err);
}

int rtl_env_open_source(rtl_env_t **out, const rtl_from_t *from, mrpb_err_t *err) {
  return new_env(out, from, false, NULL, err);
}

void rtl_env_count_lines(rtl_env_t *env) {
  env->lines = true;
}

void rtl_env_write_registers(rtl_env_t *env) {
  env->writes = true;
}

void rtl_env_close(rtl_env_t *env) {
  if (env) design_close(env->design);
  free(env);
}
