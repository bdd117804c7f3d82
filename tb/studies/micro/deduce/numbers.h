/* SPDX-License-Identifier: Apache-2.0 */
/* Arithmetic that several deductions share. */
#ifndef MICRO_NUMBERS_H
#define MICRO_NUMBERS_H

#include <stddef.h>
#include <stdint.h>

/* The greatest common divisor; if a is 0, it is b. */
uint64_t numbers_gcd(uint64_t a, uint64_t b);

/* Sorts `v`. Returns 0 for an empty list. */
double numbers_median(double *v, size_t n);

/* Both sort in place. */
void numbers_sort(double *v, size_t n);
void numbers_sort32(uint32_t *v, size_t n);

#endif
