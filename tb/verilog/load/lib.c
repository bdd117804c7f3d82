/* SPDX-License-Identifier: Apache-2.0 */
/* The cache of Verilated modules: finds the project and the tools, builds what is missing, loads
 * it. */
#include "base/home.h"
#include "verilog/load/lib.h"

#include "base/output.h"
#include "base/process.h"
#include "base/files.h"
#include "base/hash.h"
#include "verilog/build.h"
#include "verilog/load/trial.h"
#include "verilog/tool.h"
#include "base/hang.h"
#include "verilog/lint/lint.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

struct rtl_env {
  char root[FILES_PATH], cache[FILES_PATH], runtime[FILES_PATH], script[FILES_PATH];
  char dir[FILES_PATH], tools_dir[FILES_PATH]; /* the Verilog: as it was given, and for tools */
  rtl_from_t from;
  design_t *design; /* NULL: none */
  lint_level_t level;
  char place[FILES_PATH], options[4 * FILES_PATH];
  char tools[256];
  uint64_t key; /* of tools, flags and shim */
  bool lines;   /* with line coverage */
  unsigned patience;
  FILE *progress;
};

struct rtl_lib {
  void *handle;
  const shim_table_t *table;
  unsigned patience;
  design_made_t *made;
};

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
const shim_table_t *rtl_lib_table(const rtl_lib_t *lib) {
  return lib->table;
}

const design_made_t *rtl_lib_made(const rtl_lib_t *lib) {
  return lib->made;
}

const bind_t *rtl_lib_bind(const rtl_lib_t *lib) {
  return lib->made ? &lib->made->bind : NULL;
}

unsigned rtl_lib_patience(const rtl_lib_t *lib) {
  return lib->patience;
}
void rtl_env_set_patience(rtl_env_t *env, unsigned seconds) {
  env->patience = seconds;
}

static int find_tools(rtl_env_t *env, mrpb_err_t *err) {
  static const char *const files[] = {"tb/verilog/shim/verilate.sh",
                                      "tb/verilog/shim/rtl_runtime.h", "tb/verilog/canary/canary.v",
                                      "tb/verilog/canary/canary.cpp"};
  const char *const programs[] = {tool_verilator(), "verilator_bin", "g++"};
  const char *const of_verilator[] = {tool_verilator(), "--version"};
  static const char *const of_compiler[] = {"g++", "-dumpfullversion"};
  char verilator[128], compiler[64], path[FILES_PATH];
  env->key = HASH_START;
  for (unsigned i = 0; i < sizeof programs / sizeof *programs; i++)
    if (tool_hash(&env->key, env->cache, programs[i], err) != 0) return RTL_BAD_TOOL;
  if (tool_version(verilator, sizeof verilator, env->cache, env->key, of_verilator, err) != 0 ||
      tool_version(compiler, sizeof compiler, env->cache, env->key, of_compiler, err) != 0)
    return RTL_BAD_TOOL;
  snprintf(env->tools, sizeof env->tools, "%s, g++ %s", verilator, compiler);
  env->key = hash_text(env->key, env->tools);
  for (unsigned i = 0; i < sizeof files / sizeof *files; i++)
    if (!files_path(path, "%s/%s", env->root, files[i]) || hash_file(&env->key, path, err) != 0)
      return RTL_BAD_TOOL;
  return RTL_OK;
}

/* The run-time library is published only after the canary has passed: its presence is the proof. */
static int make_runtime(rtl_env_t *env, mrpb_err_t *err) {
  char temp[FILES_PATH], log[FILES_PATH];
  if (!files_path(env->runtime, "%s/runtime-%016llx", env->cache, (unsigned long long)env->key))
    return RTL_BAD_TOOL;
  if (files_exists(env->runtime)) return RTL_OK;
  if (env->progress) fprintf(env->progress, "  CANARY   %s\n", env->tools);
  if (files_temp_folder(temp, env->cache, err) != 0) return RTL_BAD_INPUT;
  const char *argv[] = {env->script, "runtime", temp, NULL};
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

/* " --rtl DIR" as a shell takes it. */
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
  add_option(env, " --rtl", env->from.dir);
  if (!env->design) return;
  for (unsigned i = 0; i < d->n_lists; i++) add_option(env, " -f", d->list[i]);
  for (unsigned i = 0; i < d->n_words; i++) add_option(env, "", d->word[i]);
  add_option(env, " --top", d->top);
  add_option(env, " --map", d->map);
  add_option(env, " --lint", env->from.lint);
  const size_t n = strlen(env->options);
  if (d->outputs_only) snprintf(env->options + n, sizeof env->options - n, " --outputs-only");
  snprintf(env->place, sizeof env->place, "%s of %s%s%s", design_top(env->design),
           d->n_lists ? d->list[0] : d->word[0], d->map ? ", by " : "", d->map ? d->map : "");
}

static bool is_design(const rtl_env_t *env, const module_class_t *cls) {
  const char *module = env->design ? design_module(env->design) : NULL;
  return env->design && (!module || strcmp(module, cls->stem) == 0);
}

bool rtl_env_design(const rtl_env_t *env, const char **module) {
  *module = env->design ? design_module(env->design) : NULL;
  return env->design != NULL;
}

int rtl_env_check_module(const rtl_env_t *env, const module_class_t *cls, mrpb_err_t *err) {
  if (!env->design || is_design(env, cls)) return 0;
  return mrpb_fail(err, "%s is module %s of ours; this is %s", env->place,
                   design_module(env->design), cls->stem);
}

const char *rtl_env_place(const rtl_env_t *env, const module_class_t *cls) {
  return is_design(env, cls) ? env->place : env->dir;
}

static int check_from(rtl_env_t *env, mrpb_err_t *err) {
  static const char *const levels[] = {"error", "warn", "off"};
  const char *lint = env->from.lint ? env->from.lint : "warn";
  const bool design = design_given(&env->from.design);
  if (!design && (env->from.lint || env->from.design.outputs_only))
    return mrpb_fail(err,
                     "--lint and --outputs-only: legal: for a design of yours (-f, --top, --map)");
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

void rtl_env_close(rtl_env_t *env) {
  if (env) design_close(env->design);
  free(env);
}

int rtl_source_open(rtl_source_t *s, const rtl_env_t *env, const module_class_t *cls,
                    const uint32_t *cfg, rtl_use_t use, mrpb_err_t *err) {
  *s = (rtl_source_t){.made = NULL};
  if (cls->check(cfg, err) != 0) return RTL_BAD_INPUT;
  int rc = is_design(env, cls) ? design_make(&s->made, env->design, cls, cfg, err) : RTL_OK;
  if (rc != RTL_OK) return rc;
  (void)files_path(s->dir, "%s", s->made ? s->made->dir : env->dir);
  (void)files_path(s->tools_dir, "%s", s->made ? s->made->dir : env->tools_dir);
  s->job = (lint_job_t){.cache = env->cache,
                        .dir = s->dir,
                        .tools_dir = s->tools_dir,
                        .design = s->made != NULL,
                        .level = env->level,
                        .notes = stderr};
  lint_job(&s->job, cls, cfg);
  rc = lint_text(&s->job, use != RTL_BOTH_READINGS, &s->lint, err);
  return rc == RTL_OK && use != RTL_TEXT ? lint_tools(&s->job, &s->lint, err) : rc;
}

void rtl_source_close(rtl_source_t *s) {
  design_unmake(s->made);
  s->made = NULL;
}

static int module_key(const rtl_env_t *env, const module_class_t *cls, const lint_job_t *job,
                      const lint_t *lint, uint64_t *key, mrpb_err_t *err) {
  static const char *const files[] = {
      "tb/verilog/shim/shim.cpp", "tb/verilog/shim/shim.h", "cmodel/ports/declare.h",
      "cmodel/ports/clear.h",     "cmodel/bits.h",          "cmodel/module.h"};
  char path[FILES_PATH];
  *key = hash_text(env->key, cls->stem);
  if (env->lines) *key = hash_text(*key, "line coverage");
  for (unsigned i = 0; i < cls->n_params; i++) *key = hash_text(*key, job->param[i]);
  for (unsigned i = 0; i < sizeof files / sizeof *files; i++)
    if (!files_path(path, "%s/%s", env->root, files[i]) || hash_file(key, path, err) != 0)
      return RTL_BAD_TOOL;
  char ports[FILES_PATH]; /* a class without a model is of tb/verify, as the contract */
  const bool found =
      cls->comb ? files_path(path, "%s/cmodel/%s.h", env->root, cls->stem) &&
                      files_path(ports, "%s/cmodel/ports/%s.ports.h", env->root, cls->stem)
                : files_path(path, "%s/tb/verify/%s/iface.h", env->root, cls->stem) &&
                      files_path(ports, "%s/tb/verify/%s/iface.ports.h", env->root, cls->stem);
  if (!found || hash_file(key, path, err) != 0 || hash_file(key, ports, err) != 0)
    return RTL_BAD_TOOL;
  *key = hash_bytes(*key, &lint->hash, sizeof lint->hash);
  return RTL_OK;
}

/* Which registers Verilator must leave readable; no change of the Verilog is needed. */
static int write_public(const char *dir, const module_class_t *cls, const uint32_t *cfg,
                        mrpb_err_t *err) {
  static const char *const instances[][2] = {{"u_fifo_bank", "fifo_bank"},
                                             {"u_drain_selector", "drain_selector"},
                                             {"u_order_check", "order_check"}};
  module_reg_t regs[MODULE_MAX_REGS];
  void *self = NULL;
  FILE *f = output_into(dir, "public.vlt", err);
  if (!f) return -1;
  fputs("`verilator_config\n", f);
  if (cls->n_regs > 0 && cfg && cls->create(&self, cfg, err) != 0) {
    fclose(f);
    return -1;
  }
  if (self) cls->regs(self, regs);
  for (unsigned i = 0; self && i < cls->n_regs; i++) {
    const char *module = cls->stem, *dot = strchr(regs[i].name, '.');
    for (unsigned k = 0; dot && k < sizeof instances / sizeof *instances; k++)
      if (strncmp(instances[k][0], regs[i].name, (size_t)(dot - regs[i].name)) == 0)
        module = instances[k][1];
    fprintf(f, "public_flat_rd -module \"%s\" -var \"%s\"\n", module, dot ? dot + 1 : regs[i].name);
  }
  if (self) cls->destroy(self);
  return output_into_end(f, false, dir, "public.vlt", err);
}

static int build(const rtl_env_t *env, const module_class_t *cls, const uint32_t *cfg,
                 const rtl_source_t *source, const char *final, mrpb_err_t *err) {
  const lint_job_t *job = &source->job;
  const lint_t *lint = &source->lint;
  char temp[FILES_PATH], log[FILES_PATH], made[FILES_PATH];
  if (env->progress) {
    fprintf(env->progress, "  VERILATE %s", cls->stem);
    for (unsigned i = 0; i < cls->n_params; i++) fprintf(env->progress, " %s", job->param[i]);
    fputc('\n', env->progress);
  }
  if (files_temp_folder(temp, env->cache, err) != 0) return RTL_BAD_INPUT;
  const char *argv[6 + MODULE_MAX_PARAMS + LINT_FILES + 1] = {env->script,
                                                              env->lines     ? "cover"
                                                              : source->made ? "design"
                                                                             : "module",
                                                              temp,
                                                              env->runtime,
                                                              source->tools_dir,
                                                              cls->stem};
  for (unsigned i = 0; i < cls->n_params; i++) argv[6 + i] = job->param[i];
  for (unsigned i = 1; i < lint->n_files; i++) argv[5 + cls->n_params + i] = lint->file[i];
  /* The wrapper of a design says itself what must stay readable. */
  if (write_public(temp, cls, source->made ? NULL : cfg, err) != 0 ||
      !files_path(log, "%s/log", temp) || !files_path(made, "%s/Vdut___024root.h", temp)) {
    files_remove_tree(temp, NULL);
    return RTL_BAD_INPUT;
  }
  int status = process_log(argv, log), rc = RTL_OK;
  if (files_exists(made) && rtl_check(temp, source->dir, cls, cfg, err) != 0)
    rc = RTL_BAD_INPUT;
  else
    rc = lint_tools(job, lint, err);
  if (rc == RTL_OK && status != 0)
    rc = rtl_explain(log, cls->stem, source->dir, source->tools_dir, err);
  if (rc == RTL_OK && source->made && files_path(made, "%s/dut.so", temp))
    rc = trial_run(made, source->made->bind.top, cls, err);
  if (rc != RTL_OK) {
    files_remove_tree(temp, NULL);
    return rc;
  }
  files_remove_tree(temp, "dut.so");
  return files_publish(temp, final, err) == 0 ? RTL_OK : RTL_BAD_INPUT;
}

static int load(rtl_lib_t *lib, const char *path, const module_class_t *cls, unsigned n_regs,
                mrpb_err_t *err) {
  lib->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!lib->handle) {
    mrpb_fail(err, "%s", dlerror());
    return RTL_BAD_TOOL;
  }
  lib->table = dlsym(lib->handle, SHIM_SYMBOL);
  if (!lib->table || strcmp(lib->table->stem, cls->stem) != 0 ||
      lib->table->in_words != cls->in_words || lib->table->out_words != cls->out_words ||
      lib->table->n_regs != n_regs) {
    mrpb_fail(err, "%s: is not the shim of %s", path, cls->stem);
    return RTL_BAD_TOOL;
  }
  return RTL_OK;
}

static int open_object(rtl_lib_t **out, const rtl_env_t *env, const char *path,
                       const module_class_t *cls, unsigned n_regs, mrpb_err_t *err) {
  rtl_lib_t *lib = calloc(1, sizeof *lib);
  if (!lib) {
    mrpb_fail(err, "out of memory");
    return RTL_BAD_TOOL;
  }
  lib->patience = env->patience;
  int rc = load(lib, path, cls, n_regs, err);
  if (rc == RTL_OK)
    *out = lib;
  else
    rtl_lib_close(lib);
  return rc;
}

/* The shared object of what `s` is, from the cache or built. */
static int find_object(const rtl_env_t *env, const module_class_t *cls, const uint32_t *cfg,
                       const rtl_source_t *s, char object[FILES_PATH], mrpb_err_t *err) {
  char final[FILES_PATH];
  uint64_t key = 0;
  int rc = module_key(env, cls, &s->job, &s->lint, &key, err);
  if (rc != RTL_OK) return rc;
  if (!files_path(final, "%s/%s-%016llx", env->cache, cls->stem, (unsigned long long)key) ||
      !files_path(object, "%s/%s-%016llx/dut.so", env->cache, cls->stem, (unsigned long long)key))
    return RTL_BAD_INPUT;
  return files_exists(object) ? lint_tools(&s->job, &s->lint, err)
                              : build(env, cls, cfg, s, final, err);
}

int rtl_lib_open(rtl_lib_t **out, rtl_env_t *env, const module_class_t *cls, const uint32_t *cfg,
                 mrpb_err_t *err) {
  rtl_source_t s;
  char object[FILES_PATH];
  *out = NULL;
  int rc = rtl_source_open(&s, env, cls, cfg, RTL_TEXT, err);
  if (rc == RTL_OK) rc = find_object(env, cls, cfg, &s, object, err);
  if (rc == RTL_OK) rc = open_object(out, env, object, cls, cls->n_regs, err);
  if (rc == RTL_OK) {
    (*out)->made = s.made;
    s.made = NULL;
  }
  rtl_source_close(&s);
  return rc;
}

int rtl_lib_open_mutants(rtl_lib_t **out, rtl_env_t *env, const module_class_t *cls,
                         const char *dir, unsigned n_state, mrpb_err_t *err) {
  char log[FILES_PATH], object[FILES_PATH];
  *out = NULL;
  if (!files_path(log, "%s/log", dir) || !files_path(object, "%s/dut.so", dir)) {
    mrpb_fail(err, "%s: the path is too long", dir);
    return RTL_BAD_INPUT;
  }
  const char *argv[] = {env->script, "mutants", dir, env->runtime, cls->stem, NULL};
  if (process_log(argv, log) == 0) return open_object(out, env, object, cls, n_state, err);
  mrpb_fail(err, "Verilator or g++ failed on the mutants of %s: see %s", cls->stem, log);
  return RTL_BAD_TOOL;
}

void rtl_lib_close(rtl_lib_t *lib) {
  if (lib && lib->handle) dlclose(lib->handle);
  if (lib) design_unmake(lib->made);
  free(lib);
}
