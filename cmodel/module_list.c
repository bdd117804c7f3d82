/* SPDX-License-Identifier: Apache-2.0 */
/* The list of modules: those with a ports table (cmodel/modules.sh). */
#include "module.h"

#include <string.h>

#define MODULE_STEM(stem) extern const module_class_t stem##_class;
#include "modules.def"
#undef MODULE_STEM
static const module_class_t *const classes[] = {
#define MODULE_STEM(stem) &stem##_class,
#include "modules.def"
};
enum { N_CLASSES = sizeof classes / sizeof *classes };

const module_class_t *module_class_at(unsigned i) {
  return i < N_CLASSES ? classes[i] : NULL;
}

const module_class_t *module_class(const char *stem) {
  for (unsigned i = 0; i < N_CLASSES; i++)
    if (strcmp(classes[i]->stem, stem) == 0) return classes[i];
  return NULL;
}
