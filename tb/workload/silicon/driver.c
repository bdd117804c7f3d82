/* SPDX-License-Identifier: Apache-2.0 */
/* Loads NVIDIA's driver: see driver.h. */
#define _DEFAULT_SOURCE /* setenv */
#include "workload/silicon/driver.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LIBRARY "libcuda.so.1"

const char *driver_says(const driver_t *d, int result, driver_text_t *t) {
  const char *name = NULL, *text = NULL;
  if (d->error_name(result, &name) != DRIVER_OK || !name) name = "unknown";
  if (d->error_text(result, &text) != DRIVER_OK || !text) text = "no text";
  snprintf(t->text, sizeof t->text, "%.60s: %.90s", name, text);
  return t->text;
}

static int find_functions(driver_t *d, mrpb_err_t *err) {
  static const struct {
    const char *symbol;
    size_t at;
  } function[] = {
#define DRIVER(name, symbol, args) {symbol, offsetof(driver_t, name)},
#include "workload/silicon/driver.def"
#undef DRIVER
  };
  for (size_t i = 0; i < sizeof function / sizeof *function; i++) {
    void *f = dlsym(d->library, function[i].symbol);
    if (!f)
      return mrpb_fail(err, LIBRARY ": has no %s; legal: a driver of CUDA 12 or 13",
                       function[i].symbol);
    memcpy((char *)d + function[i].at, &f, sizeof f);
  }
  return 0;
}

static int start(driver_t *d, mrpb_err_t *err) {
  driver_text_t t;
  int count = 0, result = d->init(0);
  if (result == DRIVER_OK) result = d->count(&count);
  if (result != DRIVER_OK)
    return mrpb_fail(err, "GPU: the driver does not start: %s", driver_says(d, result, &t));
  return count > 0 ? 0 : mrpb_fail(err, "GPU: the driver finds no GPU in this machine");
}

/* Disables the driver's cache, which would keep copies of compiled code below the user's home. */
int driver_open(driver_t *d, mrpb_err_t *err) {
  (void)setenv("CUDA_CACHE_DISABLE", "1", 0);
  *d = (driver_t){.library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL)};
  if (!d->library)
    return mrpb_fail(err, "GPU: no driver: %s; needs a machine with an NVIDIA GPU and its driver",
                     dlerror());
  if (find_functions(d, err) == 0 && start(d, err) == 0) return 0;
  driver_close(d);
  return -1;
}

/* The library itself stays loaded: its threads may be active until the program ends. */
void driver_close(driver_t *d) {
  *d = (driver_t){0};
}
