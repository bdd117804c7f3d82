/* SPDX-License-Identifier: Apache-2.0 */
/* The cache of verilated modules: builds missing ones, and loads them. */
#include "verilog/load/env.h"

#include "base/files.h"
#include "base/hash.h"
#include "base/output.h"
#include "base/process.h"
#include "verilog/build.h"
#include "verilog/design/wrapper.h"
#include "verilog/load/second.h"
#include "verilog/load/trial.h"
#include "verilog/lint/lint.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

struct rtl_lib {
  void *handle;
  const shim_table_t *table;
  unsigned patience;
  design_made_t *made;
  twice_found_t found; /* for a design that is not ours */
};

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
const char *rtl_lib_looked(const rtl_lib_t *lib) {
  return lib->found.looked;
}
const char *rtl_lib_unknown(const rtl_lib_t *lib) {
  return lib->found.unknown;
}
bool rtl_lib_say(const rtl_lib_t *lib, FILE *out) {
  const bool unknown = lib->found.unknown[0] != '\0';
  if (lib->found.looked[0]) fprintf(out, "  %-12s%s\n", "simulated", lib->found.looked);
  if (unknown) fprintf(out, "  %-12s%s\n", "x", lib->found.unknown);
  fflush(out);
  return !unknown;
}

int rtl_source_open(rtl_source_t *s, const rtl_env_t *env, const module_class_t *cls,
                    const uint32_t *cfg, rtl_use_t use, mrpb_err_t *err) {
  *s = (rtl_source_t){.made = NULL};
  if (cls->check(cfg, err) != 0) return RTL_BAD_INPUT;
  int rc = env_design_of(env, cls) ? design_make(&s->made, env->design, cls, cfg, err) : RTL_OK;
  if (rc != RTL_OK) return rc;
  if (use != RTL_TEXT && s->made && bind_no_after(&s->made->bind, err) != 0) return RTL_BAD_INPUT;
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
  if (env->writes) *key = hash_text(*key, "registers written");
  for (unsigned i = 0; i < cls->n_params; i++) *key = hash_text(*key, job->param[i]);
  for (unsigned i = 0; i < sizeof files / sizeof *files; i++)
    if (!files_path(path, "%s/%s", env->root, files[i]) || hash_file(key, path, err) != 0)
      return RTL_BAD_TOOL;
  char ports[FILES_PATH]; /* a class without a model comes from tb/verify, as the contract does */
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

/* Lists the registers that Verilator must leave readable (or writable as well), so the Verilog need
 * not change. The wrapper of a design itself says which. */
static int write_public(const char *dir, const module_reg_t *regs, unsigned n, bool writes,
                        mrpb_err_t *err) {
  FILE *f = output_into(dir, "public.vlt", err);
  if (!f) return -1;
  fputs("`verilator_config\n", f);
  for (unsigned i = 0; i < n; i++) {
    const char *dot = strrchr(regs[i].name, '.'), *own = dot ? dot + 1 : regs[i].name;
    fprintf(f, "public_flat_%s -module \"%s\" -var \"%s\"\n", writes ? "rw" : "rd", regs[i].module,
            own);
  }
  return output_into_end(f, false, dir, "public.vlt", err);
}

/* Lists the registers that the shim shows, with Verilator's names for them. */
static int write_views(const char *dir, const module_reg_t *regs, unsigned n, mrpb_err_t *err) {
  FILE *f = output_into(dir, "regs.h", err);
  if (!f) return -1;
  for (unsigned i = 0; i < n; i++) {
    fprintf(f, "REGISTER(\"%s\", ", regs[i].name);
    for (const char *c = regs[i].name; *c; c++)
      if (*c == '.')
        fputs("__DOT__", f);
      else
        fputc(*c, f);
    fputs(")\n", f);
  }
  return output_into_end(f, false, dir, "regs.h", err);
}

static int write_registers(const char *dir, const module_class_t *cls, const uint32_t *cfg,
                           const rtl_source_t *source, bool writes, mrpb_err_t *err) {
  module_reg_t regs[MODULE_MAX_REGS];
  void *self = NULL;
  if (cls->n_regs > 0) {
    if (cls->create(&self, cfg, err) != 0) return -1;
    cls->regs(self, regs);
    cls->destroy(self);
  }
  if (write_views(dir, regs, cls->n_regs, err) != 0) return -1;
  return write_public(dir, regs, source->made ? 0 : cls->n_regs, writes, err);
}

/* Lists the ports of a design that a wave shows. */
static int write_theirs(const char *dir, const design_made_t *made, mrpb_err_t *err) {
  FILE *f = made ? output_into(dir, "theirs.h", err) : NULL;
  if (!f) return made ? -1 : 0;
  wrapper_theirs(&made->bind, f);
  return output_into_end(f, false, dir, "theirs.h", err);
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
  /* The wrapper of a design itself says what must stay readable. */
  if (write_registers(temp, cls, cfg, source, env->writes, err) != 0 ||
      write_theirs(temp, source->made, err) != 0 || !files_path(log, "%s/log", temp) ||
      !files_path(made, "%s/Vdut___024root.h", temp)) {
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

/* Finds the shared object of `s` in the cache, or builds it. */
static int find_object(const rtl_env_t *env, const module_class_t *cls, const uint32_t *cfg,
                       const rtl_source_t *s, char object[FILES_PATH], uint64_t *key,
                       mrpb_err_t *err) {
  char final[FILES_PATH];
  int rc = module_key(env, cls, &s->job, &s->lint, key, err);
  if (rc != RTL_OK) return rc;
  if (!files_path(final, "%s/%s-%016llx", env->cache, cls->stem, (unsigned long long)*key) ||
      !files_path(object, "%s/%s-%016llx/dut.so", env->cache, cls->stem, (unsigned long long)*key))
    return RTL_BAD_INPUT;
  return files_exists(object) ? lint_tools(&s->job, &s->lint, err)
                              : build(env, cls, cfg, s, final, err);
}

/* Whether the Verilog is a user's design, a user's folder, or a module of -m. */
static bool is_foreign(const rtl_env_t *env, const module_class_t *cls) {
  const bool kit = cls->comb && !module_class(cls->stem);
  return !env->trusted && (env_design_of(env, cls) || env->from.dir || kit);
}

static int record(void *ctx, twice_stimulus_t *to, mrpb_err_t *err) {
  const rtl_recording_t *r = ctx;
  twice_field_t field[TWICE_FIELDS];
  if (r->env->stimulus.record) return r->env->stimulus.record(r, to, err);
  const unsigned n = twice_stimulus_fields(r->cls, r->cfg, field);
  twice_stimulus_random(to, r->cls, r->cfg, field, n, 1);
  return 0;
}

static int ask_twice(rtl_lib_t *lib, const rtl_env_t *env, const module_class_t *cls,
                     const uint32_t *cfg, const rtl_source_t *s, const char *object, uint64_t key,
                     mrpb_err_t *err) {
  rtl_recording_t r = {env, env->stimulus.ctx, lib, cls, cfg};
  const rtl_stimulus_t *stimulus = &env->stimulus;
  const second_t second = {.cls = cls,
                           .cfg = cfg,
                           .bind = s->made ? &s->made->bind : NULL,
                           .job = &s->job,
                           .lint = &s->lint,
                           .cache = env->cache,
                           .script = env->script,
                           .runtime = env->runtime,
                           .tools = env->tools,
                           .object = object,
                           .place = rtl_env_place(env, cls),
                           .key = key,
                           .stimulus = stimulus->name ? stimulus->name : "random",
                           .record = record,
                           .ctx = &r,
                           .cycles = stimulus->cycles ? stimulus->cycles : TWICE_CYCLES,
                           .patience = env->patience,
                           .progress = env->progress};
  return second_opinion(&second, &lib->found, err);
}

int rtl_lib_open(rtl_lib_t **out, rtl_env_t *env, const module_class_t *cls, const uint32_t *cfg,
                 mrpb_err_t *err) {
  rtl_source_t s;
  rtl_lib_t *lib = NULL;
  char object[FILES_PATH];
  uint64_t key = 0;
  *out = NULL;
  int rc = rtl_source_open(&s, env, cls, cfg, RTL_TEXT, err);
  if (rc == RTL_OK) rc = find_object(env, cls, cfg, &s, object, &key, err);
  if (rc == RTL_OK) rc = open_object(&lib, env, object, cls, cls->n_regs, err);
  if (rc == RTL_OK) {
    lib->made = s.made; /* the stimulus may need it */
    if (is_foreign(env, cls)) rc = ask_twice(lib, env, cls, cfg, &s, object, key, err);
    s.made = NULL;
  }
  if (rc == RTL_OK)
    *out = lib;
  else
    rtl_lib_close(lib);
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
