/* SPDX-License-Identifier: Apache-2.0 */
/* What the shared object of a module outside the tree exports: docs/kit.md. One of its source files
 * contains KIT_MODULE(stem) and KIT_STIMULUS = {...}; everything else in the object is hidden. */
#ifndef MRPB_KIT_H
#define MRPB_KIT_H

#include "module.h"
#include "version.h"

#include <stddef.h>

#define KIT_VISIBLE __attribute__((visibility("default")))
#define KIT_SYMBOL "mrpb_kit"
#define KIT_STIMULUS_SYMBOL "mrpb_kit_stimulus"

typedef struct {
  const char *version; /* MRPB_VERSION when the object was compiled */
  size_t class_size;   /* size of module_class_t when the object was compiled */
  const module_class_t *cls;
} kit_t;

extern const kit_t mrpb_kit;

#define KIT_MODULE(stem)                                                                           \
  KIT_VISIBLE const kit_t mrpb_kit = {MRPB_VERSION, sizeof(module_class_t), &stem##_class};
/* KIT_STIMULUS = {...}; defines a stim_class_t (cosim/stim/stim.h) */
#define KIT_STIMULUS KIT_VISIBLE const stim_class_t mrpb_kit_stimulus

#endif
