/* SPDX-License-Identifier: Apache-2.0 */
/* Writes sizes as constants into a PTX text, as a compiler does if a size is a constant of the
 * source. The texts of model C (docs/programs/polybench.md) have names in braces in these
 * places. */
#ifndef PROGRAM_FOLD_H
#define PROGRAM_FOLD_H

#include "err.h"

#include <stddef.h>
#include <stdint.h>

/* For smaller values clang writes a different text: it unrolls loops and folds offsets further. */
enum { FOLD_LEAST_SIZE = 8, FOLD_LEAST_CUT = 3 };

/* Checks whether clang's text for `size` rows and columns, a power of two, and `cut` iterations has
 * the shape of ours. Returns 0, or -1 and a message in err. */
int fold_check(const char *program, uint32_t size, uint32_t cut, mrpb_err_t *err);

/* Returns the text with numbers in place of {N}, {N-1}, {N+1}, {-N}, {4N}, {NN}, {-NN}, {4NN},
 * {logN}, {2logN} and {4K}, where N is `size` and K is `cut`; *length is the new length. NULL and a
 * message if out of memory. The caller frees it. */
char *fold_text(const char *text, size_t n, uint32_t size, uint32_t cut, size_t *length,
                mrpb_err_t *err);

#endif
