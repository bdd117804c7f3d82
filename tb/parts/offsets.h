/* SPDX-License-Identifier: Apache-2.0 */
/* Packs the offsets of a warp's lanes within their lines as the PRT's port takes them. */
#ifndef OFFSETS_H
#define OFFSETS_H

#include <stdint.h>

enum { OFFSETS_LANES = 32, OFFSETS_W = 7, OFFSETS_WORDS = 4 };

/* Lane i's offset, `offset[i]` of 0 to 127, goes to bits 7 i to 7 i + 6 of `packed`; the field of a
 * lane that is not in `lanes` is 0. */
void offsets_pack(uint64_t packed[OFFSETS_WORDS], const uint8_t offset[OFFSETS_LANES],
                  uint32_t lanes);

#endif
