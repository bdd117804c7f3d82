/* SPDX-License-Identifier: Apache-2.0 */
/* A configuration as JSON. */
#ifndef CONFIG_JSON_H
#define CONFIG_JSON_H

#include "config/config.h"

#include <jansson.h>

/* Returns the keys that the GPU has, with their values: numbers, or words. Of all keys, or of those
 * for which `only` is true (config_count() values). NULL if out of memory; the caller releases it. */
json_t *config_json(const config_t *c, const bool *only);

#endif
