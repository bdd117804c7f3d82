/* SPDX-License-Identifier: Apache-2.0 */
/* Chunks of whole large pages; each is used up before the next is allocated. */
#define _DEFAULT_SOURCE /* madvise */
#include "pool.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { LINE = 64, SMALL_PAGE = 4096 };
static const size_t large_page = (size_t)2 << 20;

struct pool {
  pool_t *before;
  size_t used, bytes; /* of this chunk, including this header */
};

static size_t up(size_t bytes, size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

static pool_t *new_chunk(size_t bytes) {
  pool_t *p = aligned_alloc(large_page, bytes);
  if (!p) return NULL;
#ifdef MADV_HUGEPAGE
  (void)madvise(p, bytes, MADV_HUGEPAGE);
#endif
  memset(p, 0, bytes);
  p->used = up(sizeof *p, LINE);
  p->bytes = bytes;
  return p;
}

void pool_large(void *memory, size_t bytes) {
#ifdef MADV_HUGEPAGE
  const size_t over = (uintptr_t)memory % SMALL_PAGE, skip = over ? SMALL_PAGE - over : 0;
  if (bytes >= large_page) (void)madvise((char *)memory + skip, bytes - skip, MADV_HUGEPAGE);
#else
  (void)memory, (void)bytes;
#endif
}

void *pool_take(pool_t **pool, size_t bytes) {
  bytes = up(bytes, LINE);
  if (!*pool || (*pool)->bytes - (*pool)->used < bytes) {
    pool_t *p = new_chunk(up(up(sizeof *p, LINE) + bytes, large_page));
    if (!p) return NULL;
    p->before = *pool;
    *pool = p;
  }
  void *piece = (char *)*pool + (*pool)->used;
  (*pool)->used += bytes;
  return piece;
}

void pool_free(pool_t *pool) {
  while (pool) {
    pool_t *before = pool->before;
    free(pool);
    pool = before;
  }
}
