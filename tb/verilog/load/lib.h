/* SPDX-License-Identifier: Apache-2.0 */
/* Verilated modules on demand: one shared object for each module, set of parameters and RTL folder,
 * built by tb/verilog/shim/verilate.sh and kept in a cache whose key covers everything that went into
 * it. */
#ifndef RTL_LIB_H
#define RTL_LIB_H

#include "err.h"
#include "verilog/build.h" /* RTL_OK and so on */
#include "verilog/lint/lint.h"
#include "module.h"
#include "verilog/shim/shim.h"

#include <stdio.h>

/* The tools, where the project and its cache are, and the RTL folder. */
typedef struct rtl_env rtl_env_t;

/* Finds the project (from the running program's own path, else the working directory) and the
 * tools, builds Verilator's run-time library for these flags and runs the canary once per tool,
 * told by the contents of its programs. `rtl_dir` NULL is the project's own rtl/. `progress` (or
 * NULL) gets a line before each build. */
int rtl_env_open(rtl_env_t **out, const char *rtl_dir, FILE *progress, mrpb_err_t *err);
void rtl_env_close(rtl_env_t *env);

/* Modules opened from now on count how often each of their lines runs. */
void rtl_env_count_lines(rtl_env_t *env);

/* Modules opened from now on may take so many seconds for one call (hang.h); 60 unless told. */
void rtl_env_set_patience(rtl_env_t *env, unsigned seconds);

/* The project's folder, the RTL folder as the user gave it, "Verilator 5.006 ..., g++ 12.2.0". */
const char *rtl_env_root(const rtl_env_t *env);
const char *rtl_env_dir(const rtl_env_t *env);
const char *rtl_env_tools(const rtl_env_t *env);

/* Has the Verilog of a module at a size pass tb/verilog/lint; `job` and `lint` are filled. */
int rtl_env_lint(const rtl_env_t *env, const module_class_t *cls, const uint32_t *cfg,
                 lint_job_t *job, lint_t *lint, mrpb_err_t *err);

typedef struct rtl_lib rtl_lib_t;

/* Loads the module, building it first if the cache lacks it. Ports, directions, widths and named
 * registers are compared with the ports table; what is missing or different is the message. */
int rtl_lib_open(rtl_lib_t **out, rtl_env_t *env, const module_class_t *cls, const uint32_t *cfg,
                 mrpb_err_t *err);
/* The netlist of mutants `dir`/mutants.v, of which `dir`/state.h lists `n_state` ports that are
 * words of registers, as a shared object beside it; not cached. */
int rtl_lib_open_mutants(rtl_lib_t **out, rtl_env_t *env, const module_class_t *cls,
                         const char *dir, unsigned n_state, mrpb_err_t *err);
void rtl_lib_close(rtl_lib_t *lib);
const shim_table_t *rtl_lib_table(const rtl_lib_t *lib);
unsigned rtl_lib_patience(const rtl_lib_t *lib);

#endif
