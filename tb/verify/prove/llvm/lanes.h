/* SPDX-License-Identifier: Apache-2.0 */
/* 64 instances of a compiled model, and where in memory their bytes are: the executor's objects
 * (model_t) found again behind the pointers of the program. */
#ifndef PROVE_LANES_H
#define PROVE_LANES_H

#include "verify/prove/llvm/model.h"
#include "verify/prove/llvm/object.h"

enum { LANES = 64 };

typedef unsigned char *lanes_row_t[LANES]; /* a pointer of each instance */

typedef struct {
  const object_t *object;
  void *self[LANES];
  lanes_row_t *at; /* by object of the model, from the first one on; NULL: not looked for */
  uint32_t n;
} lanes_t;

/* Creates them; 0, or -1 and a message. With `m`, its objects are found. */
int lanes_open(lanes_t *l, const object_t *o, const model_t *m, const uint32_t *cfg,
               mrpb_err_t *err);
void lanes_close(lanes_t *l);
/* The first byte that is not as create has left it in the executor, pointers apart, of instance
 * `lane`: its object, from 0 on, and its offset. With `but`, bytes for which that is true are
 * passed over. False if there is none. */
bool lanes_changed(const lanes_t *l, const model_t *m, unsigned lane,
                   bool (*but)(const void *ctx, uint32_t object, uint32_t offset), const void *ctx,
                   uint32_t *object, uint32_t *offset);

/* Bit k of the byte `offset` bytes behind each pointer, in bit[k]. */
void lanes_gather(const lanes_row_t row, uint32_t offset, uint64_t bit[8]);
/* The other way round, for the instances in `which`. */
void lanes_scatter(const lanes_row_t row, uint32_t offset, const uint64_t bit[8], uint64_t which);

#endif
