/* SPDX-License-Identifier: Apache-2.0 */
/* `mrpb run --maps`: docs/maps.md */
#ifndef CLI_RUN_MAPS_H
#define CLI_RUN_MAPS_H

#include "gpu/maps.h"

#include <jansson.h>

/* The member `maps`; NULL if out of memory. */
json_t *run_maps_json(const maps_t *m);

#endif
