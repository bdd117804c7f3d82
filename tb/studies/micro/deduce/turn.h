/* SPDX-License-Identifier: Apache-2.0 */
/* Reads that come in the order in which they were asked for: each waits for the latest of those before. */
#ifndef MICRO_TURN_H
#define MICRO_TURN_H

#include <stddef.h>
#include <stdint.h>

/* Cycles that each of `reads` reads (1 or more) asked for at once waits in the mean for those before, if a
 * read for itself takes one of `latency` at random: n of them, ascending. */
double turn_wait(const uint32_t *latency, size_t n, unsigned reads);

#endif
