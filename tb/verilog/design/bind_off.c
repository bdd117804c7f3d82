/* SPDX-License-Identifier: Apache-2.0 */
/* Ports of an option that is 0. An output of it is 0 and an input has no effect, so a design without
 * the option lacks nothing. */
#include "verilog/design/bind.h"

#include <string.h>

bool bind_off(const module_class_t *cls, const uint32_t *cfg, const char *port) {
  static const struct {
    const char *option, *port;
  } ports[] = {{"PARITY", "error_o"},       {"STORES", "store_valid_i"},
               {"STORES", "store_addr_i"},  {"STORES", "store_hit_o"},
               {"STORES", "store_entry_o"}, {"STORES", "fill_written_o"}};
  for (unsigned k = 0; k < sizeof ports / sizeof *ports; k++)
    if (strcmp(port, ports[k].port) == 0 && module_param_index(cls, ports[k].option) >= 0)
      return module_option(cls, cfg, ports[k].option) == 0;
  return false;
}
