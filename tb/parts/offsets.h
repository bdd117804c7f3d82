/* SPDX-License-Identifier: Apache-2.0 */
/* Offsets of a warp's lanes in their lines, side by side as the PRT's port takes them. */
#ifndef OFFSETS_H
#define OFFSETS_H

#include <stdint.h>

enum { OFFSETS_LANES = 32, OFFSETS_W = 7, OFFSETS_WORDS = 4 };

/* Lane i's offset, `offset[i]` of 0 to 127, is bits 7 i to 7 i + 6 of `packed`; that of a lane which
 * is not in `lanes` is 0 there. */
void offsets_pack(uint64_t packed[OFFSETS_WORDS], const uint8_t offset[OFFSETS_LANES],
                  uint32_t lanes);

#endif
