/* SPDX-License-Identifier: Apache-2.0 */
#include "config/config.h"
#include "fuzz.h"

int fuzz_config(const char *path, mrpb_err_t *err) {
  config_t cfg;
  config_defaults(&cfg);
  return config_load(&cfg, path, err) == 0 ? config_check(&cfg, path, err) : -1;
}
