/* SPDX-License-Identifier: Apache-2.0 */
/* A source as it is written, before any preprocessor: what in it depends on the compiler or on
 * where it is compiled. */
#ifndef PROVE_RESERVED_H
#define PROVE_RESERVED_H

#include "err.h"

/* Names that C reserves (__FILE__, _Pragma), directives and pragmas must be on a list of those that
 * are the same everywhere. 0, or -1 and a message that names the first that is not. */
int reserved_check(const char *path, mrpb_err_t *err);

#endif
