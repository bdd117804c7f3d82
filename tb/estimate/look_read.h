/* SPDX-License-Identifier: Apache-2.0 */
/* Reads what Yosys left of a look at a design; internal to look.c. */
#ifndef ESTIMATE_LOOK_READ_H
#define ESTIMATE_LOOK_READ_H

#include "estimate/look.h"

/* Fills in the look from look.json, memory.json and init.txt of `folder`, and refuses what has no
 * single clock. */
int look_read(look_t *l, const synth_source_t *s, const char *folder, mrpb_err_t *err);

#endif
