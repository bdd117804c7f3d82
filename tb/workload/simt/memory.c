/* SPDX-License-Identifier: Apache-2.0 */
/* The image is one reservation of address space; the host's kernel provides pages that are
 * written. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS, MAP_NORESERVE */
#include "workload/simt/memory.h"

#include <inttypes.h>
#include <stdlib.h>
#include <sys/mman.h>

struct memory {
  uint8_t *map;   /* address of MEMORY_BASE - MEMORY_FRONT */
  uint64_t begin; /* the first allocated byte */
  uint64_t end;   /* one past the last allocated byte */
  uint64_t next;  /* the next allocation, aligned to a granule */
  arrays_t arrays;
  uint8_t constant[MEMORY_CONST];
};

static const size_t map_bytes = (size_t)MEMORY_CAPACITY + MEMORY_FRONT;

int memory_create(memory_t **out, mrpb_err_t *err) {
  *out = NULL;
  memory_t *m = calloc(1, sizeof *m);
  if (!m) return mrpb_fail(err, "memory image: out of memory");
  void *map = mmap(NULL, map_bytes, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (map == MAP_FAILED) {
    free(m);
    return mrpb_fail(err, "memory image: no %zu bytes of address space", map_bytes);
  }
  m->map = map;
  m->begin = m->end = m->next = MEMORY_BASE;
  *out = m;
  return 0;
}

void memory_destroy(memory_t *m) {
  if (!m) return;
  munmap(m->map, map_bytes);
  arrays_free(&m->arrays);
  free(m);
}

void memory_align(memory_t *m, uint64_t bytes) {
  const uint64_t at = (m->next + bytes - 1) / bytes * bytes;
  if (at <= MEMORY_BASE + MEMORY_CAPACITY) m->next = at;
}

uint64_t memory_array(memory_t *m, const char *name, uint64_t bytes, mrpb_err_t *err) {
  uint64_t room = MEMORY_BASE + MEMORY_CAPACITY - m->next;
  if (bytes == 0 || bytes > room) {
    mrpb_fail(err, "global memory: %" PRIu64 " bytes requested; legal: 1 to the %" PRIu64 " left",
              bytes, room);
    return 0;
  }
  uint64_t addr = m->next;
  if (!arrays_add(&m->arrays, name, addr, bytes)) {
    mrpb_fail(err, "global memory: out of memory");
    return 0;
  }
  m->end = addr + bytes;
  m->next = (m->end + MEMORY_GRANULE - 1) / MEMORY_GRANULE * MEMORY_GRANULE;
  return addr;
}

uint64_t memory_alloc(memory_t *m, uint64_t bytes, mrpb_err_t *err) {
  return memory_array(m, NULL, bytes, err);
}

int memory_front(memory_t *m, uint64_t bytes, mrpb_err_t *err) {
  if (bytes > MEMORY_FRONT)
    return mrpb_fail(err, "global memory: %" PRIu64 " bytes in front requested; legal: 0 to %d",
                     bytes, MEMORY_FRONT);
  m->begin = MEMORY_BASE - bytes;
  return 0;
}

const arrays_t *memory_arrays(const memory_t *m) {
  return &m->arrays;
}

uint64_t memory_begin(const memory_t *m) {
  return m->begin;
}

uint64_t memory_end(const memory_t *m) {
  return m->end;
}

void *memory_at(const memory_t *m, uint64_t addr, uint64_t bytes) {
  if (addr < m->begin || addr > m->end || bytes > m->end - addr) return NULL;
  return memory_bias(m) + addr;
}

uint8_t *memory_bias(const memory_t *m) {
  return m->map - (MEMORY_BASE - MEMORY_FRONT);
}

uint8_t *memory_const(memory_t *m) {
  return m->constant;
}
