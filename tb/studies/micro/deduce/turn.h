/* SPDX-License-Identifier: Apache-2.0 */
/* Reads whose data are delivered in the order of the requests: each waits for the latest of those
 * before. */
#ifndef MICRO_TURN_H
#define MICRO_TURN_H

#include <stddef.h>
#include <stdint.h>

/* `reads` reads (1 or more) are issued at once; a read alone takes one of the `n` ascending cycle
 * counts in `latency`, at random. Returns the mean cycles that a read waits for those before it. */
double turn_wait(const uint32_t *latency, size_t n, unsigned reads);

#endif
