/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for many pieces that live as long as their pool, in the host's large pages where it has
 * them: what all warps of a GPU touch in turn would take a TLB entry each in small ones. */
#ifndef POOL_H
#define POOL_H

#include <stddef.h>

typedef struct pool pool_t;

/* The next piece of `bytes` bytes, zero, at a multiple of 64; NULL out of memory. *pool is NULL at
 * first. */
void *pool_take(pool_t **pool, size_t bytes);
void pool_free(pool_t *pool);

#endif
