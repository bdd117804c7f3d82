/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for many pieces that live as long as their pool. It lies in the host's large pages if the
 * host has them: data that all warps of a GPU touch in turn would otherwise take one TLB entry for
 * each small page. */
#ifndef POOL_H
#define POOL_H

#include <stddef.h>

typedef struct pool pool_t;

/* Returns the next piece of `bytes` bytes, zeroed and aligned to 64; NULL if out of memory. *pool
 * must be NULL at first. */
void *pool_take(pool_t **pool, size_t bytes);
void pool_free(pool_t *pool);

/* Memory of its own that is touched all over, zeroed pages that the host has not provided yet: they
 * are to be large ones. */
void pool_large(void *memory, size_t bytes);

#endif
