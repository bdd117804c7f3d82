/* SPDX-License-Identifier: Apache-2.0 */
/* What deductions do with numbers again and again. */
#ifndef MICRO_NUMBERS_H
#define MICRO_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

/* The greatest common divisor; of 0 and b: b. */
uint64_t numbers_gcd(uint64_t a, uint64_t b);

/* Sorts `v`; 0 of no numbers. */
double numbers_median(double *v, size_t n);

/* Both sort in place. */
void numbers_sort(double *v, size_t n);
void numbers_sort32(uint32_t *v, size_t n);

#endif
