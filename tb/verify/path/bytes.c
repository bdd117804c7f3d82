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

static void note(bytes_byte_t *k, uint8_t value) {
  k->ever[value / 32] |= 1u << value % 32;
}

bool bytes_had(const bytes_byte_t *k, uint8_t value) {
  return k->ever[value / 32] >> value % 32 & 1;
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
    note(&line->byte[i], line->byte[i].stored);
  }
  return line;
}

static void set_memory(bytes_t *b, bytes_byte_t *k, uint8_t stored, uint8_t memory) {
  b->unwritten -= k->stored != k->memory;
  k->stored = stored;
  k->memory = memory;
  b->unwritten += k->stored != k->memory;
}

void bytes_store(bytes_t *b, bytes_byte_t *k, uint8_t value) {
  set_memory(b, k, value, k->memory);
  note(k, value);
  if (k->n == BYTES_PENDING) {
    memmove(k->pending, k->pending + 1, BYTES_PENDING - 1);
    k->n--;
    k->more = true;
  }
  k->pending[k->n++] = value;
}

/* Takes the first `n` pending values out. */
static void take_out(bytes_byte_t *k, unsigned n) {
  memmove(k->pending, k->pending + n, k->n - n);
  k->n = (uint8_t)(k->n - n);
}

bytes_kind_t bytes_write(bytes_t *b, bytes_byte_t *k, uint8_t value) {
  const bool same = value == k->memory, more = k->more;
  for (unsigned i = 0; i < k->n; i++) {
    if (k->pending[i] != value) continue;
    take_out(k, i + 1);
    k->more = false;
    set_memory(b, k, k->stored, value);
    return BYTES_OF_STORE;
  }
  set_memory(b, k, k->stored, value);
  return more ? BYTES_OF_STORE : same ? BYTES_SAME : BYTES_WRONG;
}

void bytes_change(bytes_byte_t *k, uint8_t value) {
  k->was = k->memory;
  k->changed = true;
  k->stored = k->memory = value;
  k->n = 0;
  k->more = false;
  note(k, value);
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
