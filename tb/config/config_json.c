/* SPDX-License-Identifier: Apache-2.0 */
/* See config_json.h. */
#include "config/config_json.h"
#include "base/json_out.h"

json_t *config_json(const config_t *c, const bool *only) {
  json_t *o = json_object();
  for (unsigned i = 0; i < config_count(); i++) {
    char text[64];
    if (!config_has(c, i) || (only && !only[i])) continue;
    config_print_value(c, i, text, sizeof text);
    json_out_set(&o, config_key(i)->name,
                 config_key(i)->words ? json_string(text) : json_integer(config_value(c, i)));
  }
  return o;
}
