/* SPDX-License-Identifier: Apache-2.0 */
/* Examines a source before any preprocessing: which parts depend on the compiler or on the place
 * where it is compiled. */
#ifndef PROVE_RESERVED_H
#define PROVE_RESERVED_H

#include "err.h"

/* Names that C reserves (__FILE__, _Pragma), directives and pragmas must be on a list of those that
 * are the same everywhere. Returns 0, or -1 and a message in err that names the first one that is
 * not. */
int reserved_check(const char *path, mrpb_err_t *err);

#endif
