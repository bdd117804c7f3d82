/* SPDX-License-Identifier: Apache-2.0 */
/* Splits a line of a user's list into words: blanks separate them, words in double quotes may
 * contain blanks, and # starts a comment. */
#ifndef BASE_SPLIT_H
#define BASE_SPLIT_H

#include "err.h"

/* Splits `line` in place. Returns the number of words, or -1 and a message: an unclosed quote, or
 * more than `most` words. */
int split_words(char *line, char **word, int most, mrpb_err_t *err);

#endif
