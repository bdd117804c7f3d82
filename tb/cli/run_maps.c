/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run_maps.h"

#include "base/json_out.h"

/* A list for each interval: a count for each place. */
static json_t *layer(const maps_t *m, maps_layer_t which) {
  json_t *rows = json_array();
  for (size_t i = 0; i < maps_intervals(m); i++) {
    json_t *row = json_array();
    for (unsigned k = 0; k < maps_places(m, which); k++)
      json_out_append(&row, json_integer((json_int_t)maps_at(m, which, i, k)));
    json_out_append(&rows, row);
  }
  return rows;
}

json_t *run_maps_json(const maps_t *m) {
  json_t *o = json_object(), *part = NULL;
  for (unsigned i = 0; i < MAPS_LAYERS; i++) {
    const maps_about_t *about = maps_about((maps_layer_t)i);
    if (!maps_places(m, (maps_layer_t)i)) continue;
    part = json_object_get(o, about->of);
    if (!part) {
      json_out_set(&o, about->of, json_object());
      part = json_object_get(o, about->of);
    }
    if (part) json_object_set_new(part, about->name, layer(m, (maps_layer_t)i));
  }
  return maps_complete(m) ? o : NULL;
}
