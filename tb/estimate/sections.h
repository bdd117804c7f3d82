/* SPDX-License-Identifier: Apache-2.0 */
/* The sections of a report (report.h), one function each. */
#ifndef ESTIMATE_SECTIONS_H
#define ESTIMATE_SECTIONS_H

#include "estimate/estimate.h"

#include <stdio.h>

int storage_section(estimate_t *e, FILE *md, json_t **json, mrpb_err_t *err);
/* Writes the inputs of all arrays and of the paper's structures, and runs them if a binary is
 * named. */
int cacti_section(estimate_t *e, FILE *md, json_t **json, mrpb_err_t *err);
int paper_section(estimate_t *e, FILE *md, json_t **json, mrpb_err_t *err);
/* Runs the kernel that the options name, or reads the files of an earlier run. */
int activity_section(estimate_t *e, FILE *md, json_t **json, mrpb_err_t *err);

/* Part of the section on activity with --energy: energy of each event, and of the runs whose
 * activity is in `of`, one for each column or NULL. */
int energy_section(estimate_t *e, json_t *const *of, FILE *md, json_t **json, mrpb_err_t *err);

/* Runs Yosys, ABC and OpenSTA on the modules of the configuration; does nothing unless
 * opt.logic.on. */
int logic_section(estimate_t *e, FILE *md, json_t **json, mrpb_err_t *err);
/* Shared by the two CACTI sections: the paper's inputs, and a row of results. */
int paper_inputs(estimate_t *e, mrpb_err_t *err);
void paper_input_name(cacti_paper_t which, cacti_version_t v, char name[ESTIMATE_PATH]);
json_t *cacti_result_json(const cacti_result_t *r);
void cacti_result_head(FILE *md, const char *label);
/* `accesses`: how many accesses of a cycle share a port. */
void cacti_result_cells(FILE *md, const cacti_input_t *in, const cacti_result_t *r,
                        unsigned accesses);

#endif
