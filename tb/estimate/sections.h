/* The sections of a report (report.h), one function each. */
#ifndef ESTIMATE_SECTIONS_H
#define ESTIMATE_SECTIONS_H

#include "estimate/estimate.h"

#include <stdio.h>

int storage_section(estimate_t *e, FILE *md, json_t **json, mrpb_err_t *err);

#endif
