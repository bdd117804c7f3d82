/* SPDX-License-Identifier: Apache-2.0 */
/* Checks that two compilers read the same text: gcc compiles what simulations run, clang compiles
 * what is proved. */
#ifndef PROVE_READING_H
#define PROVE_READING_H

#include "err.h"

/* Compares the outputs of two preprocessors for one source, except system headers and the way
 * numbers and spaces are written. Returns 0, or -1 and a message in err that names the first line
 * that differs. */
int reading_compare(const char *gcc, const char *clang, mrpb_err_t *err);

#endif
