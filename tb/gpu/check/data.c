/* SPDX-License-Identifier: Apache-2.0 */
/* Bytes in flight, and the contents of the DRAM: see check_state.h. */
#include "gpu/check/check_state.h"

#include <stdlib.h>
#include <string.h>

enum { DATA_BLOCK = 64 };

struct check_block_of_data {
  check_block_of_data_t *next;
  check_data_t data[DATA_BLOCK];
};

void *check_block(check_t *c, size_t bytes) {
  void *array = c->blocks;
  if (c->n_blocks == c->room_blocks && !check_grow(c, &array, &c->room_blocks, sizeof *c->blocks))
    return NULL;
  c->blocks = array;
  void *b = calloc(1, bytes);
  if (b)
    c->blocks[c->n_blocks++] = b;
  else
    check_no_memory(c);
  return b;
}

static void more_data(check_t *c) {
  check_block_of_data_t *b = check_block(c, sizeof *b);
  if (!b) return;
  b->next = c->data;
  c->data = b;
  for (unsigned i = 0; i < DATA_BLOCK; i++) {
    b->data[i].next = c->free_data;
    c->free_data = &b->data[i];
  }
}

check_data_t *check_data_new(check_t *c, uint64_t line) {
  if (!c->free_data) more_data(c);
  check_data_t *d = c->free_data ? c->free_data : &c->spare_data;
  c->free_data = d->next;
  memset(d, 0, sizeof *d);
  d->line = line;
  return d;
}

check_data_t *check_data_copy(check_t *c, const check_data_t *from) {
  check_data_t *d = check_data_new(c, from->line);
  *d = *from;
  d->next = NULL;
  d->way = CHECK_ELSEWHERE;
  return d;
}

void check_data_drop(check_t *c, check_data_t *d) {
  if (!d) return;
  check_atomic_drop(c, d->atomic);
  d->atomic = NULL;
  d->way = CHECK_ELSEWHERE;
  if (d == &c->spare_data) return;
  d->next = c->free_data;
  c->free_data = d;
}

void check_data_each(check_t *c, void (*visit)(check_t *c, check_data_t *d)) {
  for (check_block_of_data_t *b = c->data; b; b = b->next)
    for (unsigned i = 0; i < DATA_BLOCK; i++)
      if (b->data[i].way != CHECK_ELSEWHERE) visit(c, &b->data[i]);
}

void check_data_over(check_data_t *to, const check_data_t *from) {
  for (unsigned i = 0; i < LINE; i++) {
    if (!check_data_has(from, i)) continue;
    to->byte[i] = from->byte[i];
    to->store[i] = from->store[i];
  }
}

void check_data_mark(check_data_t *d, unsigned first, unsigned bytes) {
  for (unsigned i = first; i < first + bytes && i < LINE; i++)
    d->has[i / 64] |= UINT64_C(1) << i % 64;
}

void check_data_answer(check_t *c, packet_t *p, check_data_t *d) {
  if (p->data) {
    memcpy(d->has, p->data->has, sizeof d->has);
  } else if (p->bytes < LINE) {
    memset(d->has, 0, sizeof d->has);
    check_data_mark(d, (unsigned)(p->addr % LINE), p->bytes);
  }
  check_data_drop(c, p->data);
  p->data = d;
}

bool check_functional(const check_t *c, uint64_t addr, uint8_t *to, unsigned bytes) {
  if (!c->workload->ops->initial || !c->workload->ops->values || warp_is_local(addr)) {
    memset(to, 0, bytes);
    return false;
  }
  c->workload->ops->initial(c->workload, addr, to, bytes);
  return true;
}

/* ---- image ----------------------------------------------------------------- */

static uint32_t slot_of(const check_t *c, uint64_t line) {
  uint64_t h = line / LINE * UINT64_C(0x9E3779B97F4A7C15);
  uint32_t at = (uint32_t)(h >> 32) & (c->room_image - 1);
  while (c->image[at] && c->image[at]->line != line) at = (at + 1) & (c->room_image - 1);
  return at;
}

image_line_t *check_image(const check_t *c, uint64_t line) {
  return c->room_image ? c->image[slot_of(c, line)] : NULL;
}

static bool more_image(check_t *c) {
  uint32_t room = c->room_image;
  image_line_t **old = c->image;
  if (2 * c->n_image < room) return true;
  image_line_t **image = calloc(room ? 2 * room : 1024, sizeof(image_line_t *));
  if (!image) {
    check_no_memory(c);
    return false;
  }
  c->image = image;
  c->room_image = room ? 2 * room : 1024;
  for (uint32_t i = 0; i < room; i++)
    if (old[i]) c->image[slot_of(c, old[i]->line)] = old[i];
  free(old);
  return true;
}

image_line_t *check_image_make(check_t *c, uint64_t line) {
  if (!more_image(c)) return NULL;
  uint32_t at = slot_of(c, line);
  if (c->image[at]) return c->image[at];
  image_line_t *m = check_block(c, sizeof *m);
  if (!m) return NULL;
  m->line = line;
  (void)check_functional(c, line, m->byte, LINE);
  memcpy(m->last_byte, m->byte, LINE);
  c->image[at] = m;
  c->n_image++;
  return m;
}

void check_image_read(const check_t *c, check_data_t *d) {
  const image_line_t *m = check_image(c, d->line);
  check_data_mark(d, 0, LINE);
  if (m) {
    memcpy(d->byte, m->byte, sizeof d->byte);
    memcpy(d->store, m->store, sizeof d->store);
  } else {
    (void)check_functional(c, d->line, d->byte, LINE);
    memset(d->store, 0, sizeof d->store);
  }
}

void check_image_write(check_t *c, const check_data_t *d, bool newer) {
  image_line_t *m = check_image_make(c, d->line);
  if (!m) return;
  for (unsigned i = 0; i < LINE; i++) {
    if (!check_data_has(d, i)) continue;
    if (newer && check_store(c, d->store[i])->performed < check_store(c, m->store[i])->performed)
      continue;
    m->byte[i] = d->byte[i];
    m->store[i] = d->store[i];
  }
}
