/* Bank conflicts of one warp access to shared memory: 32 banks of 4-byte words; lanes at the same
 * word share the access. Twin: none. */
#ifndef SHARED_H
#define SHARED_H

#include <stdint.h>

enum { SHARED_BANKS = 32, SHARED_WORD = 4, SHARED_LANES = 32 };

/* Cycles that the access takes: different words in the busiest bank, 1 to 32; 1 if no lane is
 * active. An element wider than a word counts by its first word, as in the reference. */
unsigned shared_cycles(const uint64_t addr[SHARED_LANES], uint32_t mask);

#endif
