/* SPDX-License-Identifier: Apache-2.0 */
/* coalescer: crosses. */
#include "cosim/cross/cross.h"

#include "coalescer.h"

enum { FLOW, SPLIT, PLACE, RESET };

static const cross_t crosses[] = {
    [FLOW] = {"flow",
              "an instruction at the input, the first stage and the output register",
              {{"instruction", {"none", "without lanes", "with lanes"}},
               {"first stage", {"free", "search", "the last request", "more requests"}},
               {"output", {"free", "taken", "waits"}}}},
    [SPLIT] = {"split",
               "the lanes of an instruction that is taken, and how they share requests",
               {{"split", {"line", "half", "quarter", "3"}},
                {"lanes", {"none", "one", "some", "all"}}}},
    [PLACE] = {"place",
               "a request that leaves, and the lanes that it serves",
               {{"request", {"the only one", "first", "in the middle", "last"}},
                {"lanes", {"one", "neighbours", "apart"}}}},
    [RESET] = {"reset",
               "what a reset meets",
               {{"first stage", {"free", "lanes left"}}, {"output", {"free", "a request"}}}},
};

static int8_t lanes_of(uint64_t mask, uint32_t lanes) {
  return mask == 0 ? 0 : mask == bits_mask(lanes) ? 3 : mask & (mask - 1) ? 2 : 1;
}

static int8_t first_stage(const coalescer_regs_t *r, const coalescer_cfg_t *cfg,
                          const coalescer_out_t *would) {
  if (r->left_q == 0) return 0;
  if (cfg->ORDER && !r->found_q) return 1;
  return would->in_ready_o ? 2 : 3;
}

/* What in_ready_o would be if the output register became free: it says which request is next. */
static coalescer_out_t with_room(const cross_cycle_t *c, const coalescer_in_t *in) {
  coalescer_in_t free = *in;
  coalescer_out_t out;
  free.out_ready_i = 1;
  coalescer_comb(c->model, &free, &out);
  return out;
}

static void sample(const cross_cycle_t *c, cross_values_t value) {
  const coalescer_cfg_t *cfg = coalescer_sizes(c->cfg);
  const coalescer_regs_t *r = coalescer_regs(c->model);
  const coalescer_in_t *i = (const coalescer_in_t *)(const void *)c->in;
  const coalescer_out_t *o = (const coalescer_out_t *)(const void *)c->out;
  if (!i->srst_ni) {
    value[RESET][0] = r->left_q != 0;
    value[RESET][1] = r->out_valid_q != 0;
    return;
  }
  const coalescer_out_t would = with_room(c, i);
  value[FLOW][0] = !i->in_valid_i ? 0 : i->in_mask_i == 0 ? 1 : 2;
  value[FLOW][1] = first_stage(r, cfg, &would);
  value[FLOW][2] = !o->out_valid_o ? 0 : i->out_ready_i ? 1 : 2;
  if (i->in_valid_i && o->in_ready_o) {
    value[SPLIT][0] = (int8_t)i->in_split_i;
    value[SPLIT][1] = lanes_of(i->in_mask_i, cfg->LANES);
  }
  if (!o->out_valid_o || !i->out_ready_i) return;
  const uint64_t m = o->out_lanes_o, row = m >> __builtin_ctzll(m);
  value[PLACE][0] = o->out_first_o ? (o->out_last_o ? 0 : 1) : o->out_last_o ? 3 : 2;
  value[PLACE][1] = row == 1 ? 0 : row & (row + 1) ? 2 : 1;
}

const cross_class_t cross_coalescer = {.stem = "coalescer",
                                       .n = sizeof crosses / sizeof *crosses,
                                       .crosses = crosses,
                                       .sample = sample};
