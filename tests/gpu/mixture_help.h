/* SPDX-License-Identifier: Apache-2.0 */
/* A GPU whose cores and memory come from two configurations. */
#ifndef MIXTURE_HELP_H
#define MIXTURE_HELP_H

#include "config/config.h"

#include <check.h>

/* Cores and memory each from the configuration that describes them: the paper's, or `device`. */
static inline config_t mixture(bool in_order, bool ports, const char *device) {
  mrpb_err_t err = {{0}};
  char path[64];
  config_t paper, other;
  snprintf(path, sizeof path, "configs/%s.conf", device);
  ck_assert_msg(config_load(&paper, "configs/base-s-mrpb.conf", &err) == 0, "%s", err.text);
  ck_assert_msg(config_load(&other, path, &err) == 0, "%s", err.text);
  config_t c = in_order ? other : paper;
  const config_t *memory = ports ? &other : &paper;
  const unsigned has = ports ? CONFIG_HAS_PORTS : CONFIG_HAS_FLITS;
  for (unsigned i = 0; i < config_count(); i++)
    if (config_key(i)->has != CONFIG_HAS_ANY && config_key(i)->has & has)
      ((uint32_t *)&c)[i] = config_value(memory, i);
  c.memory = memory->memory;
  return c;
}

#endif
