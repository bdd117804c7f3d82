/* SPDX-License-Identifier: Apache-2.0 */
/* queue_selector: crosses. */
#include "cosim/cross/cross.h"

#include "bits.h"
#include "queue_selector.h"

static const cross_t crosses[] = {
    {"route",
     "where a request goes",
     {{"signature", {"block", "warp", "warp in block"}},
      {"value", {"below QUEUES", "wraps around"}},
      {"queue", {"first", "inner", "last"}}}},
};

static void sample(const cross_cycle_t *c, cross_values_t value) {
  const queue_selector_in_t *i = (const queue_selector_in_t *)(const void *)c->in;
  const queue_selector_out_t *o = (const queue_selector_out_t *)(const void *)c->out;
  const uint64_t signature[] = {i->block_i, i->warp_i, i->block_warp_i};
  value[0][0] = (int8_t)queue_selector_sizes(c->cfg)->SIGNATURE;
  value[0][1] =
      signature[queue_selector_sizes(c->cfg)->SIGNATURE] >= queue_selector_sizes(c->cfg)->QUEUES;
  value[0][2] = o->queue_o == 0                                          ? 0
                : o->queue_o == queue_selector_sizes(c->cfg)->QUEUES - 1 ? 2
                                                                         : 1;
}

const cross_class_t cross_queue_selector = {.stem = "queue_selector",
                                            .n = sizeof crosses / sizeof *crosses,
                                            .crosses = crosses,
                                            .sample = sample};
