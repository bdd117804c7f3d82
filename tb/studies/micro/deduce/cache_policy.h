/* SPDX-License-Identifier: Apache-2.0 */
/* Finds which line a full set replaces. A part of deduce_cache. */
#ifndef MICRO_CACHE_POLICY_H
#define MICRO_CACHE_POLICY_H

#include "studies/micro/deduce/cache_map.h"

/* Watches the replacement in the set `set`. Returns 0, or -1 on an error. */
int cache_policy(deduce_cache_t *out, chase_t *c, uint32_t set);

#endif
