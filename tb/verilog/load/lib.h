/* SPDX-License-Identifier: Apache-2.0 */
/* Verilated modules on demand: one shared object for each module, set of parameters and RTL folder,
 * built by tb/verilog/shim/verilate.sh. They are kept in a cache whose key covers everything that
 * went into them. */
#ifndef RTL_LIB_H
#define RTL_LIB_H

#include "err.h"
#include "verilog/build.h" /* RTL_OK and so on */
#include "verilog/design/design.h"
#include "verilog/lint/lint.h"
#include "verilog/twice/twice.h"
#include "module.h"
#include "verilog/shim/shim.h"

#include <stdio.h>

/* The tools, the locations of the project and its cache, and the RTL folder. */
typedef struct rtl_env rtl_env_t;

/* Where the Verilog comes from, as on the command line: a folder with MODULE.v (NULL: the project's
 * own rtl/), or a design for one module and the folder for the others. docs/verify/door.md */
typedef struct {
  const char *dir;
  design_args_t design;
  const char *lint; /* for a design: "off", "warn" (NULL) or "error" */
} rtl_from_t;

/* Whether any of these was given. */
bool rtl_given(const rtl_from_t *from);

/* Finds the project (from the running program's path, otherwise from the working directory) and the
 * tools, builds Verilator's run-time library for these flags, and runs the canary once per tool;
 * tools are identified by the contents of their programs. `from` (NULL: the project's own) must
 * outlive the environment. `progress` (or NULL) gets a line before each build. Returns RTL_OK, or
 * RTL_BAD_INPUT or RTL_BAD_TOOL and a message in err. */
int rtl_env_open(rtl_env_t **out, const rtl_from_t *from, FILE *progress, mrpb_err_t *err);
/* The same, for rtl_source_open only: nothing can be built with it. */
int rtl_env_open_source(rtl_env_t **out, const rtl_from_t *from, mrpb_err_t *err);
void rtl_env_close(rtl_env_t *env);

/* Modules opened from now on count how often each of their lines runs. */
void rtl_env_count_lines(rtl_env_t *env);

/* Modules opened from now on have registers that can be written between two cycles: what a view of
 * the shim shows may be changed after `edge`, and the next `comb` computes from the new value. They
 * are builds of their own, because Verilator must not assume that it alone writes a register. */
void rtl_env_write_registers(rtl_env_t *env);

/* Sets the seconds that one call may take in modules opened from now on (hang.h); the default is
 * 60. */
void rtl_env_set_patience(rtl_env_t *env, unsigned seconds);

/* The stimulus of a design that is not ours, for its second build (verilog/load/second.h). */
typedef struct rtl_lib rtl_lib_t;
typedef struct {
  const rtl_env_t *env;
  void *ctx;
  const rtl_lib_t *lib; /* the build that is used */
  const module_class_t *cls;
  const uint32_t *cfg;
} rtl_recording_t;
typedef struct {
  const char *name; /* NULL: random inputs */
  /* Fills `to`, which is already allocated. Returns 0, or -1 and a message in err. */
  int (*record)(const rtl_recording_t *r, twice_stimulus_t *to, mrpb_err_t *err);
  void *ctx;
  size_t cycles; /* 0: TWICE_CYCLES */
} rtl_stimulus_t;
void rtl_env_set_stimulus(rtl_env_t *env, const rtl_stimulus_t *stimulus);
/* Skips the second build of everything that it opens: this program has made it from the project's
 * own texts. */
void rtl_env_trust(rtl_env_t *env);

/* The project's folder, and "Verilator 5.006 ..., g++ 12.2.0". */
const char *rtl_env_root(const rtl_env_t *env);
const char *rtl_env_tools(const rtl_env_t *env);
/* The Verilog of a module as the user gave it: a folder, or "miss_table by table.map". */
const char *rtl_env_place(const rtl_env_t *env, const module_class_t *cls);
/* The options that give it, each after a blank; "" for the project's own. */
const char *rtl_env_options(const rtl_env_t *env);

/* The design's map; NULL without a design. It lives as long as the environment. */
const map_t *rtl_env_map(const rtl_env_t *env);

/* The name of the design's module, and the folder that keeps what is built. */
const char *rtl_env_top(const rtl_env_t *env);
const char *rtl_env_cache(const rtl_env_t *env);
/* Describes the contents of the design, with the parameters that its map gives at a size of `cls`.
 * Returns RTL_OK, or RTL_BAD_INPUT or RTL_BAD_TOOL and a message in err. */
int rtl_env_describe(describe_t **out, const rtl_env_t *env, const module_class_t *cls,
                     const uint32_t *cfg, mrpb_err_t *err);

/* Whether a design was given. *module is the module of ours that its map names, or NULL. */
bool rtl_env_design(const rtl_env_t *env, const char **module);

/* Checks that a given design is for this module. Returns 0, or -1 and a message in err. */
int rtl_env_check_module(const rtl_env_t *env, const module_class_t *cls, mrpb_err_t *err);

/* The Verilog of one module at one size. */
typedef struct {
  char dir[FILES_PATH], tools_dir[FILES_PATH]; /* `job` points to these */
  lint_job_t job;
  lint_t lint;
  design_made_t *made; /* NULL: it is not a user's design */
} rtl_source_t;

/* What the source must pass in tb/verilog/lint: the rules for its text; the tools as well; or both,
 * although it may be different hardware with SYNTHESIS. */
typedef enum { RTL_TEXT, RTL_TOOLS, RTL_BOTH_READINGS } rtl_use_t;

/* Fills `s`; rtl_source_close frees it, also after a failure. */
int rtl_source_open(rtl_source_t *s, const rtl_env_t *env, const module_class_t *cls,
                    const uint32_t *cfg, rtl_use_t use, mrpb_err_t *err);
void rtl_source_close(rtl_source_t *s);

/* Loads the module, after building it if it is not in the cache. Ports, directions, widths and
 * named registers are compared with the ports table; the message says what is missing or different.
 * A module that is not ours is built twice. Returns RTL_OK or an exit code and a message in err;
 * RTL_BAD_TOOL if the builds, or Icarus, show different outputs. */
int rtl_lib_open(rtl_lib_t **out, rtl_env_t *env, const module_class_t *cls, const uint32_t *cfg,
                 mrpb_err_t *err);
/* Loads the netlist of mutants `dir`/mutants.v as a shared object beside it; it is not cached.
 * `dir`/state.h lists `n_state` ports that are words of registers. */
int rtl_lib_open_mutants(rtl_lib_t **out, rtl_env_t *env, const module_class_t *cls,
                         const char *dir, unsigned n_state, mrpb_err_t *err);
void rtl_lib_close(rtl_lib_t *lib);
/* For a module that is not ours: rtl_lib_looked says which tools have checked it ("by Verilator
 * 5.006 -O3 and -O0 in 20000 cycles, Icarus 11.0 in 1000"), and rtl_lib_unknown which output that
 * counts is x. "" means none, or that the module is ours. A verdict prints the first; with the
 * second there is no verdict. */
const char *rtl_lib_looked(const rtl_lib_t *lib);
const char *rtl_lib_unknown(const rtl_lib_t *lib);
/* Prints both as lines below a verdict, and nothing for a module of ours. Returns true if no output
 * is x. */
bool rtl_lib_say(const rtl_lib_t *lib, FILE *out);
const shim_table_t *rtl_lib_table(const rtl_lib_t *lib);
/* The binding to its map; NULL if it is not a user's design. It lives as long as the library. */
const bind_t *rtl_lib_bind(const rtl_lib_t *lib);
/* The whole design as made, and where its text is. */
const design_made_t *rtl_lib_made(const rtl_lib_t *lib);
unsigned rtl_lib_patience(const rtl_lib_t *lib);

#endif
