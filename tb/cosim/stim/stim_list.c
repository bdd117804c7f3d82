/* SPDX-License-Identifier: Apache-2.0 */
/* The list of stimuli. */
#include "cosim/stim/stim.h"

#include "base/modules.h"
#include "kit.h"

#include <string.h>

const stim_class_t *stim_class(const char *stem) {
  static const stim_class_t *const all[] = {
      &stim_queue_selector, &stim_fifo_bank,   &stim_drain_selector,
      &stim_flush_control,  &stim_order_check, &stim_mrpb,
      &stim_mshr,           &stim_lane_check,  &stim_prt};
  for (unsigned i = 0; i < sizeof all / sizeof *all; i++)
    if (strcmp(all[i]->stem, stem) == 0) return all[i];
  return modules_symbol(stem, KIT_STIMULUS_SYMBOL);
}
