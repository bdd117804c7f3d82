/* SPDX-License-Identifier: Apache-2.0 */
/* A kept case as text: sizes, and the inputs of every cycle (docs/conform/README.md, "Runs"). */
#ifndef CONFORM_CASEFILE_H
#define CONFORM_CASEFILE_H

#include "verify/conform/play.h"

/* Writes it. 0, or -1 and a message. */
int conform_casefile_write(const char *path, const char *top, const conform_cfg_t *cfg,
                           unsigned clause, const conform_case_t *c, mrpb_err_t *err);
/* Reads it; `cfg` gets its sizes, c->in is the caller's. 0, or -1 and "FILE:LINE: message". */
int conform_casefile_read(const char *path, conform_cfg_t *cfg, conform_case_t *c, mrpb_err_t *err);

#endif
