/* SPDX-License-Identifier: Apache-2.0 */
/* Hidden GPUs: configurations with some keys changed at random, which studies measure without
 * seeing them; their rows are compared afterwards. docs/micro/blind.md */
#ifndef MICRO_HIDDEN_H
#define MICRO_HIDDEN_H

#include "config/device_cfg.h"
#include "studies/micro/plots/table.h"

#include <stdint.h>

/* Changes 1 to 8 keys of *cfg, as `seed` says, to a quarter up to four times what they are (a word:
 * to any), so that the whole can be built; of every tenth seed NOISE, too. The changes as
 * " --set KEY=VALUE ..." into `sets`. -1 and a message: nothing was found that can be built. */
int hidden_change(device_cfg_t *cfg, uint64_t seed, char *sets, size_t size, mrpb_err_t *err);

typedef struct {
  size_t right, open, wrong;
  size_t wrong_exact; /* of the wrong ones: called exact */
} hidden_count_t;

/* `blind` was made without the configuration, `seeing` with it, by the same studies: gives the rows
 * of `blind` what was configured, and counts those that have it. -1 and a message: what was deduced
 * is not the same, so that something has seen the configuration. */
int hidden_compare(micro_table_t *blind, const micro_table_t *seeing, hidden_count_t *count,
                   mrpb_err_t *err);

#endif
