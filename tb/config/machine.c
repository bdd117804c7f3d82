/* SPDX-License-Identifier: Apache-2.0 */
/* A configuration of either kind: see machine.h. */
#include "config/machine.h"

const key_table_t *machine_table(const machine_t *m) {
  return m->in_order ? &device_cfg_table : &config_table;
}

const uint32_t *machine_values(const machine_t *m) {
  return m->in_order ? (const uint32_t *)(const void *)&m->ordered
                     : (const uint32_t *)(const void *)&m->paper;
}

static uint32_t *to_change(machine_t *m) {
  return m->in_order ? (uint32_t *)(void *)&m->ordered : (uint32_t *)(void *)&m->paper;
}

int machine_load(machine_t *m, const char *path, mrpb_err_t *err) {
  mrpb_err_t why = {""};
  m->in_order = false;
  const int rc = keyfile_load(machine_table(m), to_change(m), path, &why);
  if (rc == 0) return 0;
  if (rc != KEYFILE_OTHER) return mrpb_fail(err, "%s", why.text);
  m->in_order = true;
  return keyfile_load(machine_table(m), to_change(m), path, err) == 0 ? 0 : -1;
}

int machine_set(machine_t *m, const char *assignment, mrpb_err_t *err) {
  return keyfile_set(machine_table(m), to_change(m), assignment, err);
}

int machine_check(const machine_t *m, const char *where, mrpb_err_t *err) {
  return machine_table(m)->check(machine_values(m), where, err);
}

uint64_t machine_hash(const machine_t *m) {
  return keyfile_hash(machine_table(m), machine_values(m));
}

unsigned machine_sms(const machine_t *m) {
  return m->in_order ? m->ordered.sms : m->paper.sms;
}
