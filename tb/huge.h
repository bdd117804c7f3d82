/* Memory in large pages: what every cycle goes through would otherwise lie in more pages than the
 * host's first-level TLB has entries. */
#ifndef HUGE_H
#define HUGE_H

#include <stddef.h>

/* `bytes` of zeroes, in pages of 2 MB where the host has them; NULL without memory. Nothing is
 * taken from the host before it is touched. */
void *huge_alloc(size_t bytes);
/* What huge_alloc(bytes) has returned, or NULL. */
void huge_free(void *p, size_t bytes);

#endif
