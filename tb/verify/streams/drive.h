/* SPDX-License-Identifier: Apache-2.0 */
/* The random patterns of streams: equal on both sides, for they depend on nothing but the seed, the
 * stream, and the cycle or the item's number. */
#ifndef STREAMS_DRIVE_H
#define STREAMS_DRIVE_H

#include "verify/streams/spec.h"

typedef enum { DRIVE_OFFER, DRIVE_READY, DRIVE_ITEM, DRIVE_DELAY, DRIVE_IDLE } drive_use_t;

uint64_t drive_hash(uint64_t seed, drive_use_t use, uint64_t stream, uint64_t n);
/* Whether a source offers, or a consumer is ready, in this cycle: in phases of different
 * densities. */
bool drive_now(uint64_t seed, drive_use_t use, unsigned stream, uint64_t cycle);
/* Item `n` of a stream. With `unique`, its tags differ until all have been used, or 2^16. */
void drive_item(uint64_t seed, unsigned stream, const streams_spec_t *spec, uint64_t n, bool unique,
                uint64_t w[STREAMS_WORDS]);
/* Fills an item with bits that depend on `key` only. */
void drive_fill(const streams_spec_t *spec, uint64_t key, uint64_t w[STREAMS_WORDS]);
/* Cycles until a served item is due. */
uint64_t drive_delay(uint64_t seed, unsigned stream, uint64_t n);

#endif
