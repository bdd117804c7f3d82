/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by all logic jobs of a run: the tools, the Liberty file, its FO4 delay, and folders. */
#ifndef ESTIMATE_FLOW_H
#define ESTIMATE_FLOW_H

#include "estimate/logic.h"
#include "estimate/logic_options.h"
#include "estimate/sram_lib.h"

typedef struct {
  const logic_options_t *opt;
  tools_t tools;
  liberty_t lib, corner[LOGIC_CORNERS];
  double fo4_ns, corner_fo4_ns[LOGIC_CORNERS];
  unsigned n_corners;
  sram_lib_t memories; /* of --sram-lib; none: n is 0 */
  char rtl[LOGIC_PATH], cache[LOGIC_PATH];
} flow_t;

/* Opens the flow with Liberty file number `i` of the options. Returns -1 and one line in err for
 * whatever is missing. */
int flow_open(flow_t *f, const logic_options_t *opt, unsigned i, mrpb_err_t *err);
void flow_close(flow_t *f);
/* Fails unless the other library has all cells that a netlist of the flow's may have: OpenSTA would
 * take a cell that is missing for a black box. */
int flow_same_cells(const flow_t *f, const liberty_t *corner, mrpb_err_t *err);

/* flow_liberties is the number of Liberty files: at least one. */
unsigned flow_liberties(const logic_options_t *opt);
unsigned flow_jobs(const logic_options_t *opt);
/* The capacitance of a wire in fF a sink, and the share of the area that cells may have. */
double flow_wire(const flow_t *f);
double flow_utilisation(const flow_t *f);

/* Makes a job of this flow. */
int flow_job(const flow_t *f, const module_class_t *cls, const uint32_t *cfg, logic_job_t *job,
             mrpb_err_t *err);

/* The same for a user's design, whose memories have the default access time. */
void flow_job_of(const flow_t *f, const synth_source_t *source, const sram_t *sram, unsigned n,
                 logic_job_t *job);

/* What decides results, besides the Verilog and the sizes: tools and Liberty file, for the head of
 * a report and for baselines. */
json_t *flow_json(const flow_t *f);
void flow_print(FILE *md, const flow_t *f);

#endif
