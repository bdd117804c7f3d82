/* SPDX-License-Identifier: Apache-2.0 */
/* Decimal numbers as users write them. */
#ifndef NUMBER_H
#define NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* True if `text` consists of the digits of a number of at most `max`, which is then stored in
 * *value; otherwise *value is unspecified. */
bool number_decimal(const char *text, uint64_t max, uint64_t *value);

#endif
