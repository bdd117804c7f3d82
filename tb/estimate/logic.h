/* SPDX-License-Identifier: Apache-2.0 */
/* The logic of one module at one size, with one Liberty file: area, gates, and longest paths.
 * Results are kept in a folder under a key of everything that decides them, and reused. */
#ifndef ESTIMATE_LOGIC_H
#define ESTIMATE_LOGIC_H

#include "estimate/logic_options.h"
#include "estimate/proof.h"
#include "estimate/sta.h"

#include <jansson.h>

enum { LOGIC_PATH = 1024 };

/* A library in which the netlist is timed. */
typedef struct {
  const liberty_t *lib;
  double derate; /* of the macros' access times: FO4 there over FO4 of the job's library */
} logic_corner_t;

enum { LOGIC_VIEWS = 1 + LOGIC_CORNERS };

typedef struct {
  synth_job_t synth;
  logic_corner_t corner[LOGIC_VIEWS]; /* the job's own library first; none: only the ideal paths */
  unsigned n_corners;
  double wire_ff;
  const char *cache; /* folder for results and scratch files; created if missing */
  unsigned prove;    /* seconds for each question of the netlist's proof; 0: it is not proved */
} logic_job_t;

typedef struct {
  synth_result_t synth;
  sta_result_t sta; /* with its own library, without wires */
  sta_corner_t corner[LOGIC_VIEWS];
  double nand2; /* area in NAND2s of the library */
  double macro_area_um2;
  char folder[LOGIC_PATH]; /* net.v, sta.tcl, sta.log and *.lib are here */
  bool cached;
  char proof[PROOF_TEXT]; /* of the netlist (proof.h); "": none was asked for */
  char proof_hash[20];    /* the prover that said so */
  unsigned proof_seconds; /* its limit */
} logic_result_t;

/* Measures the FO4 delay of a library in a folder below `cache`. */
int logic_fo4(const liberty_t *lib, const char *cache, double *ns, mrpb_err_t *err);

/* Fills in a job for module `cls`, whose SRAMs have no access time yet. */
int logic_job(logic_job_t *job, const module_class_t *cls, const uint32_t *cfg, mrpb_err_t *err);

/* Finds the result, or makes it. Returns -1 and one line in err for any failure. */
int logic_estimate(const logic_job_t *job, logic_result_t *r, mrpb_err_t *err);

/* The same for `n` jobs, up to `at_once` at the same time, each in its own process. Returns
 * LOGIC_STOPPED and the line "interrupted" if stop(), which may be NULL, returned true. */
enum { LOGIC_STOPPED = -2 };
int logic_estimate_all(const logic_job_t *job, logic_result_t *r, unsigned n, unsigned at_once,
                       bool (*stop)(void), mrpb_err_t *err);

/* Converts a result to JSON. */
json_t *logic_json(const logic_result_t *r);

/* Hashes the Verilog of which a module is made. */
int logic_rtl_hash(const synth_job_t *job, uint64_t *hash, mrpb_err_t *err);

#endif
