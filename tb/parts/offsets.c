/* SPDX-License-Identifier: Apache-2.0 */
#include "parts/offsets.h"

#include <string.h>

/* The low seven bits of the bytes of `x` selected by `lanes`, side by side. It handles eight lanes
 * at once because an entry is packed for every bypassed read. */
static uint64_t squeeze(uint64_t x, unsigned lanes) {
  uint64_t one = lanes * UINT64_C(0x0101010101010101) & UINT64_C(0x8040201008040201);
  uint64_t top = (one + UINT64_C(0x7f7f7f7f7f7f7f7f)) & UINT64_C(0x8080808080808080);
  x &= top - (top >> 7); /* the low seven bits of every byte whose lane is selected */
  x = (x & UINT64_C(0x007f007f007f007f)) | (x & UINT64_C(0x7f007f007f007f00)) >> 1;
  x = (x & UINT64_C(0x00003fff00003fff)) | (x & UINT64_C(0x3fff00003fff0000)) >> 2;
  return (x & UINT64_C(0x000000000fffffff)) | (x & UINT64_C(0x0fffffff00000000)) >> 4;
}

void offsets_pack(uint64_t packed[OFFSETS_WORDS], const uint8_t offset[OFFSETS_LANES],
                  uint32_t lanes) {
  uint64_t group[4];
  memcpy(group, offset, sizeof group); /* lane 0 in the lowest byte: needs a little-endian host */
  for (unsigned g = 0; g < 4; g++) group[g] = squeeze(group[g], lanes >> g * 8 & 0xff);
  packed[0] = group[0] | group[1] << 56;
  packed[1] = group[1] >> 8 | group[2] << 48;
  packed[2] = group[2] >> 16 | group[3] << 40;
  packed[3] = group[3] >> 24;
}
