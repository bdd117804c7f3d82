/* SPDX-License-Identifier: Apache-2.0 */
/* The functional image of global memory: one contiguous range from 0x80000000 on, allocated by the
 * reference's bump allocator (256-byte granules, nothing is ever given back), and the constant
 * bank. Pages never touched cost nothing. */
#ifndef MEMORY_H
#define MEMORY_H

#include "err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MEMORY_BASE UINT64_C(0x80000000)
#define MEMORY_CAPACITY (UINT64_C(1) << 30)

enum {
  MEMORY_GRANULE = 256,
  MEMORY_FRONT = 65536, /* most bytes before MEMORY_BASE */
  MEMORY_TEXTURE = 512, /* a GPU's textures begin at multiples of it */
  MEMORY_CONST = 65536  /* bytes of the constant bank, addressed from 0 */
};

typedef struct memory memory_t;

int memory_create(memory_t **out, mrpb_err_t *err);
void memory_destroy(memory_t *m);

/* The next allocation begins at a multiple of `bytes`, a power of two. */
void memory_align(memory_t *m, uint64_t bytes);
/* The next `bytes` bytes, zeroed; their address, or 0 and a message if the capacity is exceeded. */
uint64_t memory_alloc(memory_t *m, uint64_t bytes, mrpb_err_t *err);
/* `bytes` bytes just before the first allocation, zeroed, for a program that reads before its array:
 * with them the array is where it was. -1 and a message: more than MEMORY_FRONT. */
int memory_front(memory_t *m, uint64_t bytes, mrpb_err_t *err);
/* The first byte handed out, and one past the last. */
uint64_t memory_begin(const memory_t *m);
uint64_t memory_end(const memory_t *m);

/* Where the host finds `bytes` bytes at `addr`: stays valid. NULL if not all of them are allocated.
 */
void *memory_at(const memory_t *m, uint64_t addr, uint64_t bytes);

/* For the executor: host address = memory_bias(m) + address, for allocated addresses. */
uint8_t *memory_bias(const memory_t *m);
uint8_t *memory_const(memory_t *m);

#endif
