/* SPDX-License-Identifier: Apache-2.0 */
/* reg_fifo: crosses. */
#include "cosim/cross/cross.h"

#include "bits.h"
#include "reg_fifo.h"

enum { ENDS, POINTER, FIND, RESET };

#define LEVELS                                                                                     \
  { "empty", "one", "more", "full" }

static const cross_t crosses[] = {
    [ENDS] = {"ends",
              "what happens at the two ends",
              {{"in", {"nothing", "offered"}}, {"out", {"not ready", "ready"}}, {"queue", LEVELS}}},
    [POINTER] = {"pointer",
                 "where in the ring an entry is written or read",
                 {{"transfer", {"comes", "leaves"}}, {"place", {"first", "inner", "last"}}}},
    [FIND] = {"find",
              "which entries have the key",
              {{"held", {"none", "the oldest alone", "another one alone", "more"}},
               {"other places", {"none", "some"}},
               {"entry offered", {"without the key", "with the key"}}}},
    [RESET] = {"reset", "what a reset meets", {{"in", {"nothing", "offered"}}, {"queue", LEVELS}}},
};

static int8_t place(uint64_t pointer, uint32_t depth) {
  return pointer == 0 ? 0 : pointer == depth - 1 ? 2 : 1;
}

/* Bit p: the low bits of place p are the key. */
static uint64_t with_key(const reg_fifo_cfg_t *cfg, const reg_fifo_regs_t *r, uint64_t wanted) {
  const uint32_t stride = (cfg->DATA_W + 31) / 32;
  uint64_t found = 0;
  for (uint32_t p = 0; p < cfg->DEPTH; p++) {
    const uint32_t *entry = &r->data_q[p * stride];
    const uint64_t low = entry[0] | (stride > 1 ? (uint64_t)entry[1] << 32 : 0);
    found |= (uint64_t)(bits(low, cfg->FIND_W) == wanted) << p;
  }
  return found;
}

static void sample(const cross_cycle_t *c, cross_values_t value) {
  const reg_fifo_cfg_t *cfg = reg_fifo_sizes(c->cfg);
  const reg_fifo_regs_t *r = reg_fifo_regs(c->model);
  const reg_fifo_in_t *i = (const reg_fifo_in_t *)(const void *)c->in;
  const reg_fifo_out_t *o = (const reg_fifo_out_t *)(const void *)c->out;
  const int8_t level = cross_level4(r->count_q, cfg->DEPTH);
  if (!i->srst_ni) {
    value[RESET][0] = i->in_valid_i != 0;
    value[RESET][1] = level;
    return;
  }
  value[ENDS][0] = i->in_valid_i != 0;
  value[ENDS][1] = i->out_ready_i != 0;
  value[ENDS][2] = level;
  /* A cycle in which an entry comes counts for it alone. */
  if (i->in_valid_i && o->in_ready_o) {
    value[POINTER][0] = 0;
    value[POINTER][1] = place(r->tail_q, cfg->DEPTH);
  } else if (i->out_ready_i && o->out_valid_o) {
    value[POINTER][0] = 1;
    value[POINTER][1] = place(r->head_q, cfg->DEPTH);
  }
  if (cfg->FIND_W == 0) return;
  const uint64_t all = with_key(cfg, r, i->find_i), held = all & r->held_q;
  value[FIND][0] = held == 0 ? 0 : held & (held - 1) ? 3 : held == UINT64_C(1) << r->head_q ? 1 : 2;
  value[FIND][1] = (all & ~held) != 0;
  value[FIND][2] = i->in_valid_i && bits(i->in_data_i[0], cfg->FIND_W) == i->find_i;
}

const cross_class_t cross_reg_fifo = {.stem = "reg_fifo",
                                      .n = sizeof crosses / sizeof *crosses,
                                      .crosses = crosses,
                                      .sample = sample};
