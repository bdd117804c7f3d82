/* SPDX-License-Identifier: Apache-2.0 */
/* 64 instances of a compiled model, and the locations of their bytes in memory: the program's
 * pointers are followed to find the executor's objects (model_t). */
#ifndef PROVE_LANES_H
#define PROVE_LANES_H

#include "verify/prove/llvm/model.h"
#include "verify/prove/llvm/object.h"

enum { LANES = 64 };

typedef unsigned char *lanes_row_t[LANES]; /* one pointer per instance */

typedef struct {
  const object_t *object;
  void *self[LANES];
  lanes_row_t *at; /* by object of the model, from the first one on; NULL: not searched */
  uint32_t n;
} lanes_t;

/* Creates the instances. Returns 0, or -1 and a message in err. With `m`, finds the objects of the
 * model. */
int lanes_open(lanes_t *l, const object_t *o, const model_t *m, const uint32_t *cfg,
               mrpb_err_t *err);
void lanes_close(lanes_t *l);
/* Finds the first byte of instance `lane`, pointers excepted, that differs from what create left in
 * the executor. Sets its object, from 0 on, and its offset. Bytes for which `but` (may be NULL) is
 * true are skipped. False if there is none. */
bool lanes_changed(const lanes_t *l, const model_t *m, unsigned lane,
                   bool (*but)(const void *ctx, uint32_t object, uint32_t offset), const void *ctx,
                   uint32_t *object, uint32_t *offset);

/* Reads the byte at `offset` from each pointer; bit[k] receives bit k of all of them. */
void lanes_gather(const lanes_row_t row, uint32_t offset, uint64_t bit[8]);
/* The reverse, for the instances in `which`. */
void lanes_scatter(const lanes_row_t row, uint32_t offset, const uint64_t bit[8], uint64_t which);

#endif
