/* SPDX-License-Identifier: Apache-2.0 */
/* A kept case as text: sizes, and the inputs of every cycle (docs/conform/README.md, "Runs"). */
#ifndef CONTRACT_CASEFILE_H
#define CONTRACT_CASEFILE_H

#include "verify/contract/play.h"

/* Writes a case that breaks `clause`. Returns 0, or -1 and a message in err. */
int contract_casefile_write(const char *path, const contract_setup_t *setup, unsigned clause,
                            const contract_case_t *c, mrpb_err_t *err);
/* Reads a case into `c` and its sizes into `cfg`; the caller frees c->in. Returns 0, or -1 and
 * "FILE:LINE: message" in err. */
int contract_casefile_read(const char *path, const contract_t *of, uint32_t *cfg,
                           contract_case_t *c, mrpb_err_t *err);

#endif
