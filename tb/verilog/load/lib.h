/* SPDX-License-Identifier: Apache-2.0 */
/* Verilated modules on demand: one shared object for each module, set of parameters and RTL folder,
 * built by tb/verilog/shim/verilate.sh and kept in a cache whose key covers everything that went into
 * it. */
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

/* The tools, where the project and its cache are, and the RTL folder. */
typedef struct rtl_env rtl_env_t;

/* Where the Verilog comes from, as it stands on the command line: a folder with MODULE.v (NULL: the project's own
 * rtl/), or a design for one module and the folder for the others. docs/verify/door.md */
typedef struct {
  const char *dir;
  design_args_t design;
  const char *lint; /* of a design: "off", "warn" (NULL) or "error" */
} rtl_from_t;

/* Whether any of it was given. */
bool rtl_given(const rtl_from_t *from);

/* Finds the project (from the running program's own path, else the working directory) and the
 * tools, builds Verilator's run-time library for these flags and runs the canary once per tool,
 * told by the contents of its programs. `from` (NULL: the project's own) must outlive it. `progress` (or
 * NULL) gets a line before each build. */
int rtl_env_open(rtl_env_t **out, const rtl_from_t *from, FILE *progress, mrpb_err_t *err);
/* The same for rtl_source_open alone: nothing is built with it. */
int rtl_env_open_source(rtl_env_t **out, const rtl_from_t *from, mrpb_err_t *err);
void rtl_env_close(rtl_env_t *env);

/* Modules opened from now on count how often each of their lines runs. */
void rtl_env_count_lines(rtl_env_t *env);

/* Modules opened from now on may take so many seconds for one call (hang.h); 60 unless told. */
void rtl_env_set_patience(rtl_env_t *env, unsigned seconds);

/* What a design that is not ours is run with when it is built twice (verilog/load/second.h). */
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
  /* Fills `to`, whose memory is there. 0, or -1 and a message. */
  int (*record)(const rtl_recording_t *r, twice_stimulus_t *to, mrpb_err_t *err);
  void *ctx;
  size_t cycles; /* 0: TWICE_CYCLES */
} rtl_stimulus_t;
void rtl_env_set_stimulus(rtl_env_t *env, const rtl_stimulus_t *stimulus);
/* Nothing that it opens is built twice: this program has made it of the project's own texts. */
void rtl_env_trust(rtl_env_t *env);

/* The project's folder, "Verilator 5.006 ..., g++ 12.2.0". */
const char *rtl_env_root(const rtl_env_t *env);
const char *rtl_env_tools(const rtl_env_t *env);
/* The Verilog of a module as the user gave it: a folder, or "miss_table by table.map". */
const char *rtl_env_place(const rtl_env_t *env, const module_class_t *cls);
/* The options that give it, each with a blank before it, "" for the project's own. */
const char *rtl_env_options(const rtl_env_t *env);

/* What its map says; NULL without a design. As long as the environment. */
const map_t *rtl_env_map(const rtl_env_t *env);

/* Its module's name; where what is built is kept. */
const char *rtl_env_top(const rtl_env_t *env);
const char *rtl_env_cache(const rtl_env_t *env);
/* What the design is made of, with the parameters that its map gives at a size of `cls`. RTL_OK, RTL_BAD_INPUT or
 * RTL_BAD_TOOL and a message. */
int rtl_env_describe(describe_t **out, const rtl_env_t *env, const module_class_t *cls,
                     const uint32_t *cfg, mrpb_err_t *err);

/* Whether a design was given; *module is ours that its map names, or NULL. */
bool rtl_env_design(const rtl_env_t *env, const char **module);

/* A design that was given is for this module: 0, or -1 and a message. */
int rtl_env_check_module(const rtl_env_t *env, const module_class_t *cls, mrpb_err_t *err);

/* The Verilog of one module at one size. */
typedef struct {
  char dir[FILES_PATH], tools_dir[FILES_PATH]; /* what `job` points to */
  lint_job_t job;
  lint_t lint;
  design_made_t *made; /* NULL: it is no design of the user's */
} rtl_source_t;

/* What it must pass of tb/verilog/lint: the rules for its text; the tools too; both, but it may be other hardware
 * with SYNTHESIS. */
typedef enum { RTL_TEXT, RTL_TOOLS, RTL_BOTH_READINGS } rtl_use_t;

/* Fills `s`; rtl_source_close frees it, also after a failure. */
int rtl_source_open(rtl_source_t *s, const rtl_env_t *env, const module_class_t *cls,
                    const uint32_t *cfg, rtl_use_t use, mrpb_err_t *err);
void rtl_source_close(rtl_source_t *s);

/* Loads the module, building it first if the cache lacks it. Ports, directions, widths and named
 * registers are compared with the ports table; what is missing or different is the message. One that is not ours is
 * built twice: RTL_BAD_TOOL and a message if the builds, or Icarus, show different outputs. */
int rtl_lib_open(rtl_lib_t **out, rtl_env_t *env, const module_class_t *cls, const uint32_t *cfg,
                 mrpb_err_t *err);
/* The netlist of mutants `dir`/mutants.v, of which `dir`/state.h lists `n_state` ports that are
 * words of registers, as a shared object beside it; not cached. */
int rtl_lib_open_mutants(rtl_lib_t **out, rtl_env_t *env, const module_class_t *cls,
                         const char *dir, unsigned n_state, mrpb_err_t *err);
void rtl_lib_close(rtl_lib_t *lib);
/* Of one that is not ours: who has looked at it ("by Verilator 5.006 -O3 and -O0 in 20000 cycles, Icarus 11.0 in
 * 1000"), and which output that counts is x; "": none, or it is ours. A verdict says the first, and there is none with the second. */
const char *rtl_lib_looked(const rtl_lib_t *lib);
const char *rtl_lib_unknown(const rtl_lib_t *lib);
/* Both as lines below a verdict; nothing of one that is ours. True: no output is x. */
bool rtl_lib_say(const rtl_lib_t *lib, FILE *out);
const shim_table_t *rtl_lib_table(const rtl_lib_t *lib);
/* What the map says of it; NULL if it is no design of the user's. As long as the library. */
const bind_t *rtl_lib_bind(const rtl_lib_t *lib);
/* All of it, and where its text lies. */
const design_made_t *rtl_lib_made(const rtl_lib_t *lib);
unsigned rtl_lib_patience(const rtl_lib_t *lib);

#endif
