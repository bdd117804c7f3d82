/* Shared-memory bank conflicts: see shared.h. */
#include "sm/shared.h"

unsigned shared_cycles(const uint64_t addr[SHARED_LANES], uint32_t mask) {
  uint64_t word[SHARED_BANKS][SHARED_LANES];
  uint8_t words[SHARED_BANKS] = {0};
  unsigned most = 1;
  for (; mask; mask &= mask - 1) {
    uint64_t w = addr[__builtin_ctz(mask)] / SHARED_WORD;
    unsigned bank = (unsigned)(w % SHARED_BANKS), i = 0;
    while (i < words[bank] && word[bank][i] != w) i++;
    if (i < words[bank]) continue;
    word[bank][words[bank]++] = w;
    if (words[bank] > most) most = words[bank];
  }
  return most;
}
