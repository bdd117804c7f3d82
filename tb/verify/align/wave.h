/* SPDX-License-Identifier: Apache-2.0 */
/* Requests taken from a wave by a map with streams. docs/align.md */
#ifndef ALIGN_WAVE_H
#define ALIGN_WAVE_H

#include "verify/align/rows.h"

/* `scope` NULL: the first with all names of the map. Returns 0, or a message in err and -1 or
 * VCD_IN_NO_TOOL (base/waves/vcd_in.h). */
int align_wave(align_rows_t *r, const char *path, const char *map, const char *scope,
               align_words_t *words, mrpb_err_t *err);

#endif
