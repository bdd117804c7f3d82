/* SPDX-License-Identifier: Apache-2.0 */
/* Hidden GPUs: configurations with some keys changed at random. The studies measure them without
 * seeing them, and their rows are compared afterwards. docs/micro/blind.md */
#ifndef MICRO_HIDDEN_H
#define MICRO_HIDDEN_H

#include "config/config.h"
#include "studies/micro/plots/table.h"

#include <stdint.h>

/* Changes 1 to 8 keys of *cfg at random (from `seed`) to between a quarter and four times their
 * values, a word to any word, so that the configuration can still be built. For every tenth seed
 * NOISE changes as well. `sets` gets the changes as " --set KEY=VALUE ...". Returns 0, or -1 and a
 * message in err if no configuration was found that can be built. */
int hidden_change(config_t *cfg, uint64_t seed, char *sets, size_t size, mrpb_err_t *err);

typedef struct {
  size_t right, open, wrong;
  size_t wrong_exact; /* the wrong rows that were called exact */
} hidden_count_t;

/* The same studies made `blind` without the configuration and `seeing` with it. Gives the rows of
 * `blind` their configured values, and counts the rows that have one. Returns 0, or -1 and a
 * message in err if the deductions differ, because then something has seen the configuration. */
int hidden_compare(micro_table_t *blind, const micro_table_t *seeing, hidden_count_t *count,
                   mrpb_err_t *err);

#endif
