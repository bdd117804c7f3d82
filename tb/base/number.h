/* SPDX-License-Identifier: Apache-2.0 */
/* Decimal numbers as a user writes them. */
#ifndef NUMBER_H
#define NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* True if all of `text` is the digits of a number of at most `max`, which *value then is; else
 * *value is unspecified. */
bool number_decimal(const char *text, uint64_t max, uint64_t *value);

#endif
