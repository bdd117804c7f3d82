/* Verilator, Icarus and Yosys on the files of a module, in each of its readings. Internal to
 * tb/lint. */
#ifndef LINT_TOOLS_H
#define LINT_TOOLS_H

#include "lint/lint.h"

/* As lint_check, for what `lint` lists; a verdict that was good is kept in the cache. */
int lint_tools(const lint_job_t *job, const lint_t *lint, mrpb_err_t *err);

#endif
