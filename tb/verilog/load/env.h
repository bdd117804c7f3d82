/* SPDX-License-Identifier: Apache-2.0 */
/* The contents of an environment; internal to this folder. */
#ifndef VERILOG_ENV_H
#define VERILOG_ENV_H

#include "verilog/load/lib.h"

struct rtl_env {
  char root[FILES_PATH], cache[FILES_PATH], runtime[FILES_PATH], script[FILES_PATH];
  char dir[FILES_PATH], tools_dir[FILES_PATH]; /* the Verilog: as given, and for tools */
  rtl_from_t from;
  design_t *design; /* NULL: none */
  lint_level_t level;
  char place[FILES_PATH], options[4 * FILES_PATH];
  char tools[256];
  uint64_t key; /* of tools, flags and shim */
  bool lines;   /* with line coverage */
  bool writes;  /* with registers that can be written */
  unsigned patience;
  rtl_stimulus_t stimulus;
  bool trusted; /* skip the second build */
  FILE *progress;
};

/* Whether the given design is module `cls`. */
bool env_design_of(const rtl_env_t *env, const module_class_t *cls);

#endif
