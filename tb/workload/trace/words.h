/* SPDX-License-Identifier: Apache-2.0 */
/* Words and numbers in the lines of a trace. */
#ifndef WORDS_H
#define WORDS_H

#include <stdbool.h>
#include <stdint.h>

/* Splits a line at blanks and tabs in place. Returns the number of words, or `max` + 1 if there are
 * more. A carriage return at the end belongs to no word. */
unsigned trace_words(char *line, char **word, unsigned max);
/* Reads all of `text` as a number in base 10 or 16 (with or without 0x), at most `max`; false if it
 * is none. */
bool trace_number(const char *text, int base, uint64_t max, uint64_t *v);
/* Reads all of `text` as a decimal number with or without a sign; false if it is none. */
bool trace_signed(const char *text, int64_t *v);
/* Reads a 32-bit decimal number that is followed by blanks, and moves *at behind them; false if
 * there is none. */
bool trace_take_number(const char **at, uint64_t *v);

#endif
