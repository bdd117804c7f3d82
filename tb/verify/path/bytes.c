/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/path/bytes.h"

#include "prng.h"

#include <stddef.h>
#include <string.h>

uint64_t bytes_hash(uint64_t a, uint64_t b) {
  uint64_t x = a ^ (b + UINT64_C(0x632be59bd9b4e019)) * UINT64_C(0xd1342543de82ef95);
  return prng_splitmix(&x);
}

void bytes_start(bytes_t *b, uint64_t seed, unsigned line_bytes) {
  b->seed = seed;
  b->line_bytes = line_bytes;
}

static void note(uint32_t set[8], uint8_t value) {
  set[value / 32] |= 1u << value % 32;
}

static bool has(const uint32_t set[8], uint8_t value) {
  return set[value / 32] >> value % 32 & 1;
}

bool bytes_had(const bytes_byte_t *k, uint8_t value) {
  return has(k->ever, value);
}

bytes_line_t *bytes_line(bytes_t *b, uint64_t addr, bool make) {
  enum { PLACES = 2 * BYTES_LINES };
  unsigned at = (unsigned)(bytes_hash(addr, 1) % PLACES);
  for (; b->place[at]; at = (at + 1) % PLACES)
    if (b->line[b->place[at] - 1].addr == addr) return &b->line[b->place[at] - 1];
  if (!make || b->n == BYTES_LINES) return NULL;
  bytes_line_t *line = &b->line[b->n++];
  b->place[at] = (uint16_t)b->n;
  line->addr = addr;
  for (unsigned i = 0; i < b->line_bytes; i++) {
    line->byte[i].stored = line->byte[i].memory = (uint8_t)bytes_hash(b->seed, addr + i);
    note(line->byte[i].ever, line->byte[i].stored);
  }
  return line;
}

static void set_memory(bytes_t *b, bytes_byte_t *k, uint8_t stored, uint8_t memory) {
  b->unwritten -= k->stored != k->memory;
  k->stored = stored;
  k->memory = memory;
  b->unwritten += k->stored != k->memory;
}

/* A value may be one of several, since stores may be of equal values. It counts as the oldest of
 * them: otherwise a later write of one in between would be an alarm, and a false one. */

/* Takes the first `n` pending values out. */
static void take_out(bytes_byte_t *k, unsigned n) {
  memmove(k->pending, k->pending + n, k->n - n);
  k->n = (uint8_t)(k->n - n);
}

void bytes_store(bytes_t *b, bytes_byte_t *k, uint8_t value) {
  set_memory(b, k, value, k->memory);
  note(k->ever, value);
  if (k->n == BYTES_PENDING) {
    if (!k->more) memset(k->older, 0, sizeof k->older);
    note(k->older, k->pending[0]);
    take_out(k, 1);
    k->more = true;
  }
  k->pending[k->n++] = value;
}

bytes_kind_t bytes_write(bytes_t *b, bytes_byte_t *k, uint8_t value, bool rewrite) {
  const bool same = value == k->memory;
  set_memory(b, k, k->stored, value);
  if (same && rewrite) return BYTES_SAME;
  if (k->more && has(k->older, value)) return BYTES_OF_STORE;
  for (unsigned i = 0; i < k->n; i++) {
    if (k->pending[i] != value) continue;
    take_out(k, i + 1);
    k->more = false;
    return BYTES_OF_STORE;
  }
  return same ? BYTES_SAME : BYTES_WRONG;
}

void bytes_change(bytes_byte_t *k, uint8_t value) {
  k->was = k->memory;
  k->changed = true;
  k->stored = k->memory = value;
  k->n = 0;
  k->more = false;
  note(k->ever, value);
}

void bytes_reset(bytes_t *b) {
  for (unsigned i = 0; i < b->n; i++) {
    bytes_line_t *line = &b->line[i];
    line->open = line->flush = 0;
    for (unsigned j = 0; j < b->line_bytes; j++) {
      bytes_byte_t *k = &line->byte[j];
      k->stored = k->memory;
      k->n = 0;
      k->more = k->changed = false;
    }
  }
  b->unwritten = 0;
}
