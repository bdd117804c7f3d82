/* SPDX-License-Identifier: Apache-2.0 */
/* Arguments of a user's kernel as given on the command line. */
#ifndef PTX_ARGS_H
#define PTX_ARGS_H

#include "workload/launch/launch.h"

/* Puts argument `i`, given as `text`, into the program's launch. If it is a buffer, allocates and
 * fills it, aligned to `align` (0: any). Legal: NUMBER, KIND:NUMBER (i8 .. i64, u8 .. u64, f32,
 * f64), buf:BYTES, buf:BYTES:rand[:SEED], buf:BYTES:iota, buf:@FILE, hex:DIGITS (the bytes of the
 * parameter). Returns the buffer's number, 0 for any other argument, or -1 and a message. */
int ptx_argument(launch_program_t *p, simt_launch_t *l, unsigned i, const char *text,
                 uint64_t align, mrpb_err_t *err);

/* Reads "X[,Y[,Z]]", each from 1 to `most`; missing ones are 1. */
int ptx_dimensions(const char *option, const char *text, uint32_t most, uint32_t d[3],
                   mrpb_err_t *err);

#endif
