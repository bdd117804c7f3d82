/* SPDX-License-Identifier: Apache-2.0 */
/* A kept case as text: sizes, and the inputs of every cycle (docs/conform/README.md, "Runs"). */
#ifndef CONFORM_CASEFILE_H
#define CONFORM_CASEFILE_H

#include "verify/conform/play.h"

/* Writes a case. Returns 0, or -1 and a message in err. */
int conform_casefile_write(const char *path, const char *top, const conform_cfg_t *cfg,
                           unsigned clause, const conform_case_t *c, mrpb_err_t *err);
/* Reads a case into `c` and its sizes into `cfg`; the caller frees c->in. Returns 0, or -1 and
 * "FILE:LINE: message" in err. */
int conform_casefile_read(const char *path, conform_cfg_t *cfg, conform_case_t *c, mrpb_err_t *err);

#endif
