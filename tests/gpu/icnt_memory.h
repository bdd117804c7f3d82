/* SPDX-License-Identifier: Apache-2.0 */
/* An interconnect as the memory of one SM: what is behind it, the test plays. */
#ifndef ICNT_MEMORY_H
#define ICNT_MEMORY_H

#include "gpu/memories/memory.h"

typedef struct {
  gpu_memory_t base;
  icnt_t *icnt;
} icnt_memory_t;

static inline icnt_t *icnt_memory_of(const gpu_memory_t *m) {
  return ((const icnt_memory_t *)(const void *)m)->icnt;
}

static inline bool icnt_memory_room(const gpu_memory_t *m, unsigned sm, memory_request_t kind,
                                    uint32_t bytes) {
  return kind == MEMORY_ATOMIC
             ? icnt_atomic_room(icnt_memory_of(m), sm, bytes)
             : icnt_request_room(icnt_memory_of(m), sm, kind == MEMORY_WRITE, bytes);
}

static inline void icnt_memory_push(gpu_memory_t *m, packet_t *p) {
  icnt_request_push(icnt_memory_of(m), p);
}

static inline packet_t *icnt_memory_pop(gpu_memory_t *m, unsigned sm) {
  return icnt_reply_pop(icnt_memory_of(m), sm);
}

static inline void icnt_memory_open(icnt_memory_t *m, icnt_t *icnt, packet_pool_t *pool) {
  static const gpu_memory_class_t cls = {
      .room = icnt_memory_room, .push = icnt_memory_push, .pop = icnt_memory_pop};
  *m = (icnt_memory_t){.base = {.cls = &cls, .pool = pool, .map = {1, 8}}, .icnt = icnt};
}

#endif
