/* SPDX-License-Identifier: Apache-2.0 */
/* Memory of a module: an arena of chunks, and growing arrays. */
#include "workload/ptx/parse.h"

#include "base/grow.h"
#include <stdlib.h>
#include <string.h>

struct arena_chunk {
  arena_chunk_t *next;
  size_t used, size;
  max_align_t data[];
};

enum { CHUNK = 16384 };

void *ptx_alloc(parser_t *p, size_t bytes) {
  bytes = (bytes + sizeof(max_align_t) - 1) / sizeof(max_align_t) * sizeof(max_align_t);
  arena_chunk_t *c = p->m->arena;
  if (!c || c->size - c->used < bytes) {
    size_t size = bytes > CHUNK ? bytes : CHUNK;
    c = calloc(1, sizeof *c + size);
    if (!c) {
      ptx_no_memory(p, p->line);
      return NULL;
    }
    *c = (arena_chunk_t){p->m->arena, 0, size};
    p->m->arena = c;
  }
  void *at = (char *)c->data + c->used;
  c->used += bytes;
  return at;
}

char *ptx_copy_name(parser_t *p, const char *at, size_t length) {
  char *to = ptx_alloc(p, length + 1);
  if (to) memcpy(to, at, length);
  return to;
}

void *ptx_grow(parser_t *p, void *array, size_t n, size_t *room, size_t elem) {
  void *to = grow(array, n + 1, room, elem);
  if (!to) ptx_no_memory(p, p->line);
  return to ? to : array;
}

void ptx_free_arena(ptx_module_t *m) {
  for (arena_chunk_t *c = m->arena, *next; c; c = next) {
    next = c->next;
    free(c);
  }
}
