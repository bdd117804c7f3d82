/* Coalescer: see coalescer.h. */
#include "sm/coalescer.h"

static unsigned segment_bytes(unsigned elem) {
  return elem == 1 ? 32 : elem == 2 ? 64 : 128;
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

unsigned coalescer_run(const uint64_t addr[COALESCER_LANES], uint32_t mask, unsigned elem,
                       coalesced_t out[COALESCER_LANES]) {
  unsigned n = 0, bytes = segment_bytes(elem);
  uint8_t sectors[COALESCER_LANES];
  for (unsigned lane = 0; lane < COALESCER_LANES; lane++) {
    if (!(mask >> lane & 1)) continue;
    uint64_t segment = addr[lane] & ~(uint64_t)(bytes - 1);
    unsigned sector = 1u << (addr[lane] % COALESCER_LINE / 32);
    unsigned at = n; /* addresses mostly ascend with the lane: search from the back */
    while (at > 0 && out[at - 1].addr > segment) at--;
    if (at > 0 && out[at - 1].addr == segment) {
      out[at - 1].lanes |= UINT32_C(1) << lane;
      sectors[at - 1] |= (uint8_t)sector;
      continue;
    }
    for (unsigned i = n; i > at; i--) {
      out[i] = out[i - 1];
      sectors[i] = sectors[i - 1];
    }
    out[at] = (coalesced_t){segment, UINT32_C(1) << lane, (uint8_t)bytes};
    sectors[at] = (uint8_t)sector;
    n++;
  }
  for (unsigned i = 0; i < n; i++) shrink(&out[i], sectors[i]);
  return n;
}
