/* SPDX-License-Identifier: Apache-2.0 */
/* The functional image of global memory: one contiguous range from 0x80000000, allocated by the
 * reference's bump allocator (256-byte granules, nothing is ever freed), and the constant bank.
 * Pages that are never touched use no host memory. */
#ifndef MEMORY_H
#define MEMORY_H

#include "err.h"
#include "parts/arrays.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MEMORY_BASE UINT64_C(0x80000000)
#define MEMORY_CAPACITY (UINT64_C(1) << 30)

enum {
  MEMORY_GRANULE = 256,
  MEMORY_FRONT = 65536, /* maximum bytes before MEMORY_BASE */
  MEMORY_TEXTURE = 512, /* textures of a GPU begin at multiples of this */
  MEMORY_CONST = 65536  /* bytes of the constant bank, addressed from 0 */
};

typedef struct memory memory_t;

int memory_create(memory_t **out, mrpb_err_t *err);
void memory_destroy(memory_t *m);

/* Aligns the next allocation to a multiple of `bytes`, a power of two. */
void memory_align(memory_t *m, uint64_t bytes);
/* Allocates the next `bytes` bytes, zeroed. Returns their address, or 0 and a message if the
 * capacity is exceeded. memory_array: for an array of that name. */
uint64_t memory_alloc(memory_t *m, uint64_t bytes, mrpb_err_t *err);
uint64_t memory_array(memory_t *m, const char *name, uint64_t bytes, mrpb_err_t *err);
/* What has been allocated. */
const arrays_t *memory_arrays(const memory_t *m);
/* Adds `bytes` zeroed bytes just before the first allocation, for a program that reads before its
 * array; the array itself does not move. Returns 0, or -1 and a message if there are more than
 * MEMORY_FRONT. */
int memory_front(memory_t *m, uint64_t bytes, mrpb_err_t *err);
/* The first allocated byte, and one past the last. */
uint64_t memory_begin(const memory_t *m);
uint64_t memory_end(const memory_t *m);

/* The host address of `bytes` bytes at `addr`, which stays valid. NULL if not all of them are
 * allocated. */
void *memory_at(const memory_t *m, uint64_t addr, uint64_t bytes);

/* For the executor: host address = memory_bias(m) + address, for allocated addresses. */
uint8_t *memory_bias(const memory_t *m);
uint8_t *memory_const(memory_t *m);

#endif
