/* SPDX-License-Identifier: Apache-2.0 */
/* line_align: crosses. */
#include "cosim/cross/cross.h"

#include "line_align.h"

enum { FLOW, HALVES, RESET };

#define STATES                                                                                     \
  { "empty", "answer, taken", "answer, waits", "second pass" }
#define LANES_OF                                                                                   \
  { "none", "lower half", "upper half", "both halves" }

static const cross_t crosses[] = {
    [FLOW] = {"flow",
              "a request at the input, and what the unit does",
              {{"unit", STATES}, {"request", {"none", "one half", "both halves"}}}},
    [HALVES] = {"halves",
                "the lanes of a request that is taken, after those of the answer that leaves",
                {{"answer", LANES_OF}, {"request", LANES_OF}}},
    [RESET] = {"reset", "what a reset meets", {{"unit", STATES}}},
};

static int8_t halves(uint64_t mask, uint32_t lanes) {
  const uint64_t lower = bits_mask((lanes + 1) / 2);
  return (int8_t)(((mask & lower) != 0) + 2 * ((mask & ~lower) != 0));
}

static void sample(const cross_cycle_t *c, cross_values_t value) {
  const line_align_cfg_t *cfg = line_align_sizes(c->cfg);
  const line_align_regs_t *r = line_align_regs(c->model);
  const line_align_in_t *i = (const line_align_in_t *)(const void *)c->in;
  const line_align_out_t *o = (const line_align_out_t *)(const void *)c->out;
  const int8_t state = r->more_q ? 3 : !r->out_valid_q ? 0 : i->out_ready_i ? 1 : 2;
  const int8_t asks = halves(i->in_mask_i, cfg->LANES);
  if (!i->srst_ni) {
    value[RESET][0] = state;
    return;
  }
  value[FLOW][0] = state;
  value[FLOW][1] = !i->in_valid_i ? 0 : asks == 3 ? 2 : 1;
  if (i->in_valid_i && o->in_ready_o && o->out_valid_o) {
    value[HALVES][0] = halves(r->mask_q, cfg->LANES);
    value[HALVES][1] = asks;
  }
}

const cross_class_t cross_line_align = {.stem = "line_align",
                                        .n = sizeof crosses / sizeof *crosses,
                                        .crosses = crosses,
                                        .sample = sample};
