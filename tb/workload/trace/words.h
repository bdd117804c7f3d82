/* SPDX-License-Identifier: Apache-2.0 */
/* Words and numbers of a trace's lines. */
#ifndef WORDS_H
#define WORDS_H

#include <stdbool.h>
#include <stdint.h>

/* Splits a line at blanks and tabs in place; the number of words, `max` + 1 if there are more. A
 * carriage return at the end belongs to none. */
unsigned trace_words(char *line, char **word, unsigned max);
/* All of `text` as a number in base 10 or 16 (with or without 0x). */
bool trace_number(const char *text, int base, uint64_t max, uint64_t *v);
/* All of `text` as a decimal number with or without a sign. */
bool trace_signed(const char *text, int64_t *v);
/* A decimal number of 32 bits and the blanks behind it; *at moves behind them. */
bool trace_take_number(const char **at, uint64_t *v);

#endif
