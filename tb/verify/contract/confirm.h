/* SPDX-License-Identifier: Apache-2.0 */
/* A violation counts only if all builds of the design agree about its case. */
#ifndef CONTRACT_CONFIRM_H
#define CONTRACT_CONFIRM_H

#include "verify/contract/contract.h"

/* Runs the case in all builds of the design, as the stimulus of a second opinion
 * (docs/verify/simulators.md). Returns RTL_OK, and in `looked` which tools agree, "" for Verilog of
 * the project and for other languages; else an exit code, and a message in err. */
int contract_confirm(const contract_setup_t *s, const contract_case_t *c, char looked[TWICE_TEXT],
                     mrpb_err_t *err);

#endif
