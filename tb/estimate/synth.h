/* SPDX-License-Identifier: Apache-2.0 */
/* Takes one module through Yosys and ABC: scripts, runs, and figures of the netlists. */
#ifndef ESTIMATE_SYNTH_H
#define ESTIMATE_SYNTH_H

#include "estimate/liberty.h"
#include "estimate/sram.h"
#include "estimate/synth_source.h"
#include "estimate/tools.h"

/* The target period for ABC's sizing, in ps: shorter than any module's, so sizing is always for
 * speed. */
enum { SYNTH_TARGET_PS = 200 };

/* Modules with more flip-flops than this skip ABC's SAT sweeping and structural choices, which
 * would take minutes. */
enum { SYNTH_LARGE = 2048 };

typedef struct {
  synth_source_t source;
  const module_class_t *cls; /* a module of ours, and its size; NULL: a design of a user's */
  uint32_t cfg[MODULE_MAX_PARAMS];
  const char *rtl; /* folder of our Verilog */
  const liberty_t *lib;
  const tools_t *tools;
  sram_t sram[SRAM_MAX];
  unsigned n_srams;
  /* 0, or another number for an equivalent netlist in another order, to see how much ABC varies */
  unsigned seed;
  bool stock; /* Yosys' own script for ABC, which maps for area first; else the one for speed */
} synth_job_t;

typedef struct {
  double area_um2; /* of the library's cells */
  unsigned cells, flops;
  unsigned aig_nodes, aig_levels; /* of the logic before it is mapped, after ABC's dc2 */
} synth_result_t;

/* Writes the scripts to `folder`. They name files in the working folder only, and decide the
 * result. Returns 0, or -1 and a message in err. */
int synth_write(const synth_job_t *job, const char *folder, mrpb_err_t *err);

/* Links the Verilog of a module of ours into `folder`/rtl. Returns 0, or -1 and a message in err. */
int synth_link_rtl(const synth_job_t *job, const char *folder, mrpb_err_t *err);

/* Writes the commands that read a user's text and elaborate it, without initial values, which cells
 * do not have, and assertions. What had an initial value is listed in init.txt. */
void synth_read_text(FILE *f, const synth_source_t *s);

/* Runs the scripts there. They leave pre.json (gates), mapped.json (cells) and net.v. */
int synth_run(const synth_job_t *job, const char *folder, synth_result_t *r, mrpb_err_t *err);

/* Adds a job's scripts to a hash; they identify the flow, independently of the Verilog. */
int synth_hash(const synth_job_t *job, uint64_t *hash, mrpb_err_t *err);

/* Whether a module is large in that sense, by its registers that are not SRAMs. */
bool synth_large(const synth_job_t *job);

/* "stock" or "speed". */
const char *synth_script_name(bool stock);

/* The load of an output in fF: four inputs of the smallest NAND2. */
double synth_load_ff(const liberty_t *lib);

#endif
