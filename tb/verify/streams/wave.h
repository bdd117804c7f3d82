/* SPDX-License-Identifier: Apache-2.0 */
/* The ports of both sides as a wave. */
#ifndef STREAMS_WAVE_H
#define STREAMS_WAVE_H

#include "verify/streams/pair.h"

/* Plays the script and writes its wave (VCD), and a save file for GTKWave beside it (NAME.gtkw).
 * Returns 0, or -1 and a message in err. */
int streams_wave(const char *path, pair_t *b, const script_t *script, mrpb_err_t *err);

#endif
