/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration of a GPU of in-order cores with ports, which `mrpb micro` measures. */
#ifndef DEVICE_CFG_H
#define DEVICE_CFG_H

#include "config/config.h"

typedef config_t device_cfg_t;

/* The defaults: a Tesla M2070. */
void device_cfg_defaults(device_cfg_t *cfg);
/* Reads a configuration of such a GPU, like config_load. */
int device_cfg_load(device_cfg_t *cfg, const char *path, mrpb_err_t *err);

/* The combinations that in-order cores and ports cannot have; part of config_check. */
int device_cfg_check(const device_cfg_t *cfg, const char *where, mrpb_err_t *err);

#endif
