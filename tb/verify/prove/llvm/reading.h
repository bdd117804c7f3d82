/* SPDX-License-Identifier: Apache-2.0 */
/* Whether two compilers read the same text: gcc compiles what simulations run, clang what is
 * proved. */
#ifndef PROVE_READING_H
#define PROVE_READING_H

#include "err.h"

/* Compares what two preprocessors made of a source, but for the headers of the system and the way
 * numbers and spaces are written. 0, or -1 and a message that names the first line that differs. */
int reading_compare(const char *gcc, const char *clang, mrpb_err_t *err);

#endif
