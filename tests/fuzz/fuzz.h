/* SPDX-License-Identifier: Apache-2.0 */
/* The readers that get hostile input (docs/verify/fuzzing.md). Each reads the file `path` and does
 * all that follows from it. Returns 0, or -1 and a message in err. */
#ifndef FUZZ_H
#define FUZZ_H

#include "err.h"

#define READER(name, file) int fuzz_##name(const char *path, mrpb_err_t *err);
#include "readers.def"
#undef READER

/* Opens a trace of any format and walks through its warps. */
int fuzz_walk(const char *path, mrpb_err_t *err);

#endif
