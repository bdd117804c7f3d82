/* SPDX-License-Identifier: Apache-2.0 */
/* The list of stimuli: stim_NAME of each module NAME that has a file here. */
#include "cosim/stim/stim.h"

#include "base/modules.h"
#include "kit.h"

#include <string.h>

#define MODULE_STEM(stem) extern const stim_class_t stim_##stem;
#include "stimuli.def"
#undef MODULE_STEM

const stim_class_t *stim_class(const char *stem) {
  static const stim_class_t *const all[] = {
#define MODULE_STEM(stem) &stim_##stem,
#include "stimuli.def"
  };
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(all[i]->stem, stem) == 0) return all[i];
  return modules_symbol(stem, KIT_STIMULUS_SYMBOL);
}
