/* SPDX-License-Identifier: Apache-2.0 */
/* A line of a user's list as words: parted by blanks, those in double quotes with the blanks in
 * them; # starts a comment. */
#ifndef BASE_SPLIT_H
#define BASE_SPLIT_H

#include "err.h"

/* Splits `line` in place; the number of words, or -1 and a message: an open quote, or more than
 * `most`. */
int split_words(char *line, char **word, int most, mrpb_err_t *err);

#endif
