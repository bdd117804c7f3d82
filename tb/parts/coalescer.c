/* SPDX-License-Identifier: Apache-2.0 */
/* Coalescer: see coalescer.h. */
#include "parts/coalescer.h"

#include <string.h>

static unsigned segment_log2(unsigned elem) {
  return elem == 1 ? 5 : elem == 2 ? 6 : 7;
}

/* Bit s is set if the address is in 32 B sector s of its 128 B line. */
static unsigned sector_of(uint64_t addr) {
  return 1u << (addr % COALESCER_LINE / 32);
}

/* Shrinks a transaction to the smallest of 32, 64 and 128 aligned bytes that hold the touched
 * sectors. This never exceeds the segment, which holds them too. */
static void narrow(coalesced_t *t, unsigned sectors) {
  static const uint8_t bytes[16] = {0,  32,  32,  64,  32, 128, 128, 128,
                                    32, 128, 128, 128, 64, 128, 128, 128};
  unsigned first = (unsigned)__builtin_ctz(sectors) * 32u;
  t->bytes = bytes[sectors];
  t->addr = (t->addr & ~(uint64_t)(COALESCER_LINE - 1)) | (first & ~(t->bytes - 1u));
}

/* The bits in which the addresses of the lanes of `mask`, `first` among them, differ. */
static uint64_t differing(const uint64_t addr[COALESCER_LANES], uint32_t mask, unsigned first) {
  uint64_t differ = 0, base = addr[first];
  if (mask == UINT32_MAX) {
    for (unsigned lane = 1; lane < COALESCER_LANES; lane++) differ |= addr[lane] ^ base;
  } else {
    for (uint32_t left = mask & (mask - 1); left; left &= left - 1)
      differ |= addr[__builtin_ctz(left)] ^ base;
  }
  return differ;
}

/* Finds the segments of 1 << log2 bytes, with the touched sectors of each. */
static unsigned segments(const uint64_t addr[COALESCER_LANES], uint32_t mask, unsigned log2,
                         coalesced_t out[COALESCER_LANES], uint8_t sectors[COALESCER_LANES]) {
  unsigned n = 0, at = 0; /* the previous lane went to out[at - 1] */
  uint64_t last = 0;
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left);
    uint64_t segment = addr[lane] >> log2 << log2;
    uint8_t sector = (uint8_t)sector_of(addr[lane]);
    if (at > 0 && segment == last) { /* the usual case */
      out[at - 1].lanes |= left & -left;
      sectors[at - 1] |= sector;
      continue;
    }
    last = segment;
    at = n; /* addresses usually ascend with the lane: search from the back */
    while (at > 0 && out[at - 1].addr > segment) at--;
    if (at > 0 && out[at - 1].addr == segment) {
      out[at - 1].lanes |= left & -left;
      sectors[at - 1] |= sector;
      continue;
    }
    if (at < n) {
      memmove(&out[at + 1], &out[at], (n - at) * sizeof *out);
      memmove(&sectors[at + 1], &sectors[at], n - at);
    }
    out[at] = (coalesced_t){segment, left & -left, (uint8_t)(1u << log2)};
    sectors[at++] = sector;
    n++;
  }
  return n;
}

unsigned coalescer_run(const uint64_t addr[COALESCER_LANES], uint32_t mask, unsigned elem,
                       coalesced_t out[COALESCER_LANES]) {
  uint8_t sectors[COALESCER_LANES];
  unsigned log2 = segment_log2(elem);
  if (mask == 0) return 0;
  unsigned first = (unsigned)__builtin_ctz(mask);
  uint64_t differ = differing(addr, mask, first);
  if (differ >> log2 == 0) { /* one segment: the differing bits tell how much of it is touched */
    unsigned size = differ >> 6 ? 128 : differ >> 5 ? 64 : 32;
    out[0] = (coalesced_t){addr[first] & ~(uint64_t)(size - 1), mask, (uint8_t)size};
    return 1;
  }
  unsigned n = segments(addr, mask, log2, out, sectors);
  for (unsigned i = 0; i < n; i++) narrow(&out[i], sectors[i]);
  return n;
}

unsigned coalescer_lines(const uint64_t addr[COALESCER_LANES], uint32_t mask, unsigned log2,
                         coalesced_t out[COALESCER_LANES]) {
  uint8_t sectors[COALESCER_LANES];
  if (mask == 0) return 0;
  const unsigned first = (unsigned)__builtin_ctz(mask);
  if (differing(addr, mask, first) >> log2) return segments(addr, mask, log2, out, sectors);
  out[0] = (coalesced_t){addr[first] >> log2 << log2, mask, (uint8_t)(1u << log2)};
  return 1;
}

unsigned coalescer_words(const uint64_t addr[COALESCER_LANES], uint32_t mask, unsigned words,
                         uint64_t step, coalesced_t out[COALESCER_MOST]) {
  uint8_t sectors[COALESCER_MOST], more_sectors[COALESCER_LANES];
  coalesced_t more[COALESCER_LANES];
  uint64_t at[COALESCER_LANES];
  unsigned n = 0;
  for (unsigned w = 0; w < words; w++) {
    for (uint32_t left = mask; left; left &= left - 1) {
      const unsigned lane = (unsigned)__builtin_ctz(left);
      at[lane] = addr[lane] + w * step;
    }
    const unsigned m = segments(at, mask, 7, more, more_sectors);
    for (unsigned i = 0, k = 0; i < m; i++) { /* both lists are in ascending order */
      while (k < n && out[k].addr < more[i].addr) k++;
      if (k == n || out[k].addr != more[i].addr) {
        memmove(&out[k + 1], &out[k], (n - k) * sizeof *out);
        memmove(&sectors[k + 1], &sectors[k], n++ - k);
        out[k] = more[i];
        sectors[k] = 0;
      }
      out[k].lanes |= more[i].lanes;
      sectors[k] |= more_sectors[i];
    }
  }
  for (unsigned i = 0; i < n; i++) narrow(&out[i], sectors[i]);
  return n;
}

/* A transaction with the bytes of its line that its lanes access. */
typedef struct {
  coalesced_t t;
  uint64_t wanted[COALESCER_LINE / 64];
  uint8_t sectors;
} part_t;

/* Adds the lane's bytes to the first transaction of its segment that has none of them, or to a new
 * transaction after those. */
static unsigned add_lane(part_t *part, unsigned n, uint64_t addr, unsigned lane, unsigned elem,
                         unsigned log2) {
  const uint64_t segment = addr >> log2 << log2, at_byte = addr % COALESCER_LINE;
  const uint64_t bytes = ((UINT64_C(1) << elem) - 1) << at_byte % 64;
  unsigned at = 0;
  while (at < n && (part[at].t.addr < segment ||
                    (part[at].t.addr == segment && part[at].wanted[at_byte / 64] & bytes)))
    at++;
  if (at == n || part[at].t.addr != segment) {
    memmove(&part[at + 1], &part[at], (n - at) * sizeof *part);
    part[at] = (part_t){.t = {.addr = segment, .bytes = (uint8_t)(1u << log2)}};
    n++;
  }
  part[at].t.lanes |= UINT32_C(1) << lane;
  part[at].wanted[at_byte / 64] |= bytes;
  part[at].sectors |= (uint8_t)sector_of(addr);
  return n;
}

unsigned coalescer_atomic(const uint64_t addr[COALESCER_LANES], uint32_t mask, unsigned elem,
                          coalesced_t out[COALESCER_LANES]) {
  enum { HALF = COALESCER_LANES / 2 };
  unsigned total = 0;
  for (unsigned half = 0; half < 2; half++) {
    part_t part[HALF + 1];
    unsigned n = 0;
    for (unsigned lane = half * HALF; lane < (half + 1) * HALF; lane++)
      if (mask >> lane & 1) n = add_lane(part, n, addr[lane], lane, elem, segment_log2(elem));
    for (unsigned i = 0; i < n; i++) {
      out[total] = part[i].t;
      narrow(&out[total++], part[i].sectors);
    }
  }
  return total;
}
