/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run_maps.h"

#include "base/json_out.h"

/* A count for each place of the first interval, then of the next one, and so on. */
static json_t *layer(const maps_t *m, maps_layer_t which) {
  json_t *list = json_array();
  for (size_t i = 0; i < maps_intervals(m); i++)
    for (unsigned k = 0; k < maps_places(m, which); k++)
      json_out_append(&list, json_integer((json_int_t)maps_at(m, which, i, k)));
  return list;
}

static bool same_places(unsigned i, unsigned k) {
  return maps_about((maps_layer_t)i)->of == maps_about((maps_layer_t)k)->of;
}

/* The layers from `first` on that have the same places. */
static json_t *part(const maps_t *m, unsigned first) {
  json_t *o = json_object();
  json_out_set(&o, "places", json_integer(maps_places(m, (maps_layer_t)first)));
  for (unsigned i = first; i < MAPS_LAYERS && same_places(i, first); i++)
    json_out_set(&o, maps_about((maps_layer_t)i)->name, layer(m, (maps_layer_t)i));
  return o;
}

json_t *run_maps_json(const maps_t *m) {
  json_t *o = json_object();
  for (unsigned i = 0; i < MAPS_LAYERS; i++)
    if (maps_places(m, (maps_layer_t)i) && (i == 0 || !same_places(i, i - 1)))
      json_out_set(&o, maps_about((maps_layer_t)i)->of, part(m, i));
  if (maps_complete(m)) return o;
  json_decref(o);
  return NULL;
}
