/* SPDX-License-Identifier: Apache-2.0 */
/* Sizes as constants in a PTX text: what a compiler writes where a size is a constant of the
 * source. The texts of model C (docs/programs/polybench.md) have names in braces there. */
#ifndef PROGRAM_FOLD_H
#define PROGRAM_FOLD_H

#include "err.h"

#include <stddef.h>
#include <stdint.h>

/* Clang writes another text for less: loops that it unrolls, offsets that it folds further. */
enum { FOLD_LEAST_SIZE = 8, FOLD_LEAST_CUT = 3 };

/* Whether clang's text for `size` rows and columns, a power of two, and `cut` iterations has the
 * shape of ours; else -1 and a message. */
int fold_check(const char *program, uint32_t size, uint32_t cut, mrpb_err_t *err);

/* The text with numbers in place of {N}, {N-1}, {N+1}, {-N}, {4N}, {NN}, {-NN}, {4NN}, {logN},
 * {2logN} and {4K}, N being `size`, K being `cut`; *length is the new one. NULL and a message
 * without memory. The caller frees it. */
char *fold_text(const char *text, size_t n, uint32_t size, uint32_t cut, size_t *length,
                mrpb_err_t *err);

#endif
