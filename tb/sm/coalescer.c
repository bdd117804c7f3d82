/* Coalescer: see coalescer.h. */
#include "sm/coalescer.h"

#include <string.h>

static unsigned segment_log2(unsigned elem) {
  return elem == 1 ? 5 : elem == 2 ? 6 : 7;
}

/* Halves the transaction while only one half of it is touched; `sectors` are the 32 B sectors of
 * the 128 B line that are. */
static void shrink(coalesced_t *t, unsigned sectors) {
  while (t->bytes > 32) {
    unsigned half = t->bytes / 64u, first = (unsigned)(t->addr % COALESCER_LINE) / 32u;
    unsigned low = (1u << half) - 1;
    if ((sectors >> first & low) == 0)
      t->addr += 32u * half;
    else if ((sectors >> (first + half) & low) != 0)
      return;
    t->bytes = (uint8_t)(t->bytes / 2u);
  }
}

/* In which bits the addresses of a full warp differ; all ones for a partial warp. */
static uint64_t differing(const uint64_t addr[COALESCER_LANES], uint32_t mask) {
  uint64_t differ = 0;
  if (mask != UINT32_MAX) return UINT64_MAX;
  for (unsigned lane = 1; lane < COALESCER_LANES; lane++) differ |= addr[lane] ^ addr[0];
  return differ;
}

/* Segments of 1 << log2 bytes with the sectors that are touched in each. */
static unsigned segments(const uint64_t addr[COALESCER_LANES], uint32_t mask, unsigned log2,
                         coalesced_t out[COALESCER_LANES], uint8_t sectors[COALESCER_LANES]) {
  unsigned n = 0;
  uint64_t differ = differing(addr, mask);
  if (differ >> log2 ==
      0) { /* the common case: a full warp in one segment, or even in one sector */
    unsigned touched = 1u << (addr[0] % COALESCER_LINE / 32);
    for (unsigned lane = 1; lane < COALESCER_LANES && differ >= 32; lane++)
      touched |= 1u << (addr[lane] % COALESCER_LINE / 32);
    out[0] = (coalesced_t){addr[0] >> log2 << log2, mask, (uint8_t)(1u << log2)};
    sectors[0] = (uint8_t)touched;
    return 1;
  }
  for (uint32_t left = mask; left; left &= left - 1) {
    unsigned lane = (unsigned)__builtin_ctz(left);
    uint64_t segment = addr[lane] >> log2 << log2;
    uint8_t sector = (uint8_t)(1u << (addr[lane] % COALESCER_LINE / 32));
    unsigned at = n; /* addresses mostly ascend with the lane: search from the back */
    while (at > 0 && out[at - 1].addr > segment) at--;
    if (at > 0 && out[at - 1].addr == segment) {
      out[at - 1].lanes |= UINT32_C(1) << lane;
      sectors[at - 1] |= sector;
      continue;
    }
    memmove(&out[at + 1], &out[at], (n - at) * sizeof *out);
    memmove(&sectors[at + 1], &sectors[at], n - at);
    out[at] = (coalesced_t){segment, UINT32_C(1) << lane, (uint8_t)(1u << log2)};
    sectors[at] = sector;
    n++;
  }
  return n;
}

unsigned coalescer_run(const uint64_t addr[COALESCER_LANES], uint32_t mask, unsigned elem,
                       coalesced_t out[COALESCER_LANES]) {
  uint8_t sectors[COALESCER_LANES];
  unsigned n = segments(addr, mask, segment_log2(elem), out, sectors);
  for (unsigned i = 0; i < n; i++) shrink(&out[i], sectors[i]);
  return n;
}

unsigned coalescer_lines(const uint64_t addr[COALESCER_LANES], uint32_t mask, unsigned log2,
                         coalesced_t out[COALESCER_LANES]) {
  uint8_t sectors[COALESCER_LANES];
  return segments(addr, mask, log2, out, sectors);
}
