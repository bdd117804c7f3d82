/* SPDX-License-Identifier: Apache-2.0 */
/* What a full set replaces: a part of deduce_cache. */
#ifndef MICRO_CACHE_POLICY_H
#define MICRO_CACHE_POLICY_H

#include "studies/micro/deduce/cache_map.h"

/* The replacement, watched in the set `set`. */
int cache_policy(deduce_cache_t *out, chase_t *c, uint32_t set);

#endif
