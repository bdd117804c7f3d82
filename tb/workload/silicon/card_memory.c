/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of the GPU at the addresses of the simulator's image, and pinned memory of the host. See
 * card.h. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "workload/silicon/card_state.h"

#include <sys/mman.h>

enum { PIECE = 64 << 20, FLUSH_OF_L2 = 8 };

/* Reserves `bytes` from address `from` on; nothing else may occupy them. */
static int reserve_at(card_t *c, uint64_t from, uint64_t bytes, mrpb_err_t *err) {
  const driver_t *d = &c->driver;
  uint64_t at = 0;
  if (card_check(c, d->reserve(&at, bytes, 0, from, 0), "its addresses", err) != 0) return -1;
  if (at == from) return 0;
  (void)d->free_address(at, bytes);
  return mrpb_fail(
      err,
      "GPU %u: addresses from 0x%llx on are not available; legal: a driver that grants "
      "the requested ones",
      c->info.number, (unsigned long long)from);
}

/* All addresses are reserved at once, so that a conflict shows at the start. */
static int reserve(card_t *c, const driver_alloc_t *a, mrpb_err_t *err) {
  const driver_t *d = &c->driver;
  size_t granule = 0;
  if (card_check(c, d->granularity(&granule, a, 1), "memory", err) != 0) return -1;
  c->piece = PIECE;
  if (granule == 0 || PIECE % granule != 0)
    return mrpb_fail(err, "GPU %u: maps memory in units of %zu bytes; legal: a divisor of %d",
                     c->info.number, granule, PIECE);
  if (reserve_at(c, MEMORY_BASE, MEMORY_CAPACITY, err) != 0) return -1;
  c->reserved = MEMORY_CAPACITY;
  return 0;
}

static int map_piece(card_t *c, const driver_alloc_t *a, uint64_t at, mrpb_err_t *err) {
  const driver_t *d = &c->driver;
  const driver_access_t both = {.location = a->location, .flags = 3};
  uint64_t *handle = &c->handle[c->n_handles];
  if (card_check(c, d->create(handle, c->piece, a, 0), "memory", err) != 0) return -1;
  c->n_handles++;
  if (card_check(c, d->map(at, c->piece, 0, *handle, 0), "memory", err) != 0) return -1;
  *(at < MEMORY_BASE ? &c->front : &c->mapped) += c->piece;
  return card_check(c, d->allow(at, c->piece, &both, 1), "memory", err);
}

int card_map(card_t *c, uint64_t bytes, mrpb_err_t *err) {
  const driver_alloc_t a = {.type = 1, .location = {1, c->device}};
  if (card_alive(c, err) != 0) return -1;
  if (bytes > MEMORY_CAPACITY)
    return mrpb_fail(err, "GPU %u: %llu bytes; legal: 0 to %llu", c->info.number,
                     (unsigned long long)bytes, (unsigned long long)MEMORY_CAPACITY);
  if (!c->reserved && reserve(c, &a, err) != 0) return -1;
  while (c->mapped < bytes)
    if (map_piece(c, &a, MEMORY_BASE + c->mapped, err) != 0) return -1;
  return 0;
}

int card_map_front(card_t *c, mrpb_err_t *err) {
  const driver_alloc_t a = {.type = 1, .location = {1, c->device}};
  if (card_map(c, 0, err) != 0) return -1;
  if (c->front) return 0;
  if (!c->front_reserved && reserve_at(c, MEMORY_BASE - c->piece, c->piece, err) != 0) return -1;
  c->front_reserved = c->piece;
  return map_piece(c, &a, MEMORY_BASE - c->piece, err);
}

int card_write(card_t *c, uint64_t to, const void *from, uint64_t bytes, mrpb_err_t *err) {
  if (bytes == 0) return 0;
  return card_check(c, c->driver.to_gpu(to, from, bytes), "a copy to it", err);
}

int card_read(card_t *c, void *to, uint64_t from, uint64_t bytes, mrpb_err_t *err) {
  if (bytes == 0) return 0;
  return card_check(c, c->driver.from_gpu(to, from, bytes), "a copy from it", err);
}

int card_clear(card_t *c, uint64_t at, uint64_t bytes, mrpb_err_t *err) {
  if (bytes == 0) return 0;
  return card_check(c, c->driver.fill(at, 0, bytes), "clearing memory", err);
}

void *card_pin(card_t *c, uint64_t bytes, mrpb_err_t *err) {
  void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED) {
    mrpb_fail(err, "GPU %u: no %llu bytes of the host's memory", c->info.number,
              (unsigned long long)bytes);
    return NULL;
  }
  if (card_check(c, c->driver.register_host(at, bytes, 0), "pinned memory", err) == 0) return at;
  munmap(at, bytes);
  return NULL;
}

void card_unpin(card_t *c, void *at, uint64_t bytes) {
  if (!at) return;
  if (!c->broken.text[0]) (void)c->driver.unregister_host(at);
  munmap(at, bytes);
}

/* Reads several times the L2's size, so that hardly any earlier line can have stayed. */
int card_flush(card_t *c, mrpb_err_t *err) {
  if (!c->flushed) {
    c->flush_bytes = (uint64_t)FLUSH_OF_L2 * c->info.l2_bytes;
    c->flush_bytes = (c->flush_bytes / PIECE + 1) * PIECE;
    if (card_check(c, c->driver.alloc(&c->flushed, c->flush_bytes), "memory to flush with", err) !=
        0)
      return -1;
    if (card_clear(c, c->flushed, c->flush_bytes, err) != 0) return -1;
  }
  const uint64_t arg[] = {c->flushed, c->flushed + c->flush_bytes, c->flushed};
  return card_own_launch(c, "flush", arg, 3, 4 * c->info.sms, NULL, err);
}
