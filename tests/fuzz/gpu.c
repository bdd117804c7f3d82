/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "config/config.h"
#include "fuzz.h"

#include <stdlib.h>
#include <string.h>

/* What is written of it reads back as the same. */
static int read_back(const config_t *cfg, mrpb_err_t *err) {
  config_t again;
  char *text = NULL;
  size_t n = 0;
  FILE *f = open_memstream(&text, &n);
  if (!f) return mrpb_fail(err, "out of memory");
  config_dump(f, cfg, "what was read");
  int rc = fclose(f) == 0 && (f = fmemopen(text, n, "r")) ? 0 : mrpb_fail(err, "out of memory");
  if (rc == 0) {
    rc = config_read(&again, f, "again", err);
    fclose(f);
  }
  free(text);
  if (rc != 0 || memcmp(cfg, &again, sizeof again) != 0 || config_hash(cfg) != config_hash(&again))
    abort();
  return 0;
}

int fuzz_gpu(const char *path, mrpb_err_t *err) {
  config_t cfg;
  if (config_load_device(&cfg, path, err) != 0 || config_check(&cfg, path, err) != 0) return -1;
  return read_back(&cfg, err);
}
