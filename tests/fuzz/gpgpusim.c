/* SPDX-License-Identifier: Apache-2.0 */
#include "config/gpgpusim.h"
#include "fuzz.h"

#include <stdlib.h>

/* A configuration of GPGPU-Sim; what can be imported is a configuration of ours. */
int fuzz_gpgpusim(const char *path, mrpb_err_t *err) {
  gpgpusim_t m;
  config_t again;
  char *text = NULL;
  size_t size;
  if (gpgpusim_import(&m, path, NULL, 0, err) != 0) return gpgpusim_free(&m.file), -1;
  FILE *f = open_memstream(&text, &size);
  if (!f) abort();
  gpgpusim_write(f, &m);
  if (fclose(f) != 0 || !(f = fmemopen(text, size, "r"))) abort();
  if (config_read(&again, f, "imported", err) != 0 || config_hash(&again) != config_hash(&m.cfg))
    abort();
  fclose(f);
  free(text);
  gpgpusim_free(&m.file);
  return 0;
}
