/* SPDX-License-Identifier: Apache-2.0 */
/* The configuration of any GPU: the paper's SMs with flits (config.h), or in-order cores with ports
 * (device_cfg.h). A file says by its keys which of them it is. */
#ifndef MACHINE_H
#define MACHINE_H

#include "config/config.h"
#include "config/device_cfg.h"

typedef struct {
  bool in_order;
  config_t paper;       /* if not in_order */
  device_cfg_t ordered; /* if in_order */
} machine_t;

/* Reads `path`. Returns 0, or -1 and one line (file:line: what; what is legal) on the first
 * error. */
int machine_load(machine_t *m, const char *path, mrpb_err_t *err);
/* Applies one `KEY=VALUE`, like config_set. */
int machine_set(machine_t *m, const char *assignment, mrpb_err_t *err);
/* Like config_check. */
int machine_check(const machine_t *m, const char *where, mrpb_err_t *err);
uint64_t machine_hash(const machine_t *m);
unsigned machine_sms(const machine_t *m);

/* The table of its keys, and their values in the order of the table. */
const key_table_t *machine_table(const machine_t *m);
const uint32_t *machine_values(const machine_t *m);

#endif
