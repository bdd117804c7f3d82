/* SPDX-License-Identifier: Apache-2.0 */
/* order_check: crosses. */
#include "cosim/cross/cross.h"

#include "bits.h"
#include "order_check.h"

enum { BOTH, WARP, BLOCK };

static const cross_t crosses[] = {
    [BOTH] = {"both",
              "what enters and what leaves in one cycle",
              {{"accepted", {"nothing", "read", "write", "barrier"}},
               {"leaves",
                {"nothing", "the oldest", "wrong payload", "wrong kind", "warp holds none"}}}},
    [WARP] = {"warp",
              "what the warp of an accepted request holds",
              {{"accepted", {"read", "write"}},
               {"holds", {"nothing", "one", "more", "DEPTH + 1"}},
               {"leaves", {"another warp's or nothing", "the same warp's"}}}},
    [BLOCK] = {"block",
               "what the block of an accepted one holds",
               {{"accepted", {"read", "write", "barrier"}},
                {"holds", {"nothing", "one", "more"}},
                {"leaves", {"another block's or nothing", "the same block's"}}}},
};

static uint64_t counter(const uint32_t *cfg, uint64_t block) {
  return block < order_check_sizes(cfg)->BLOCKS ? block : order_check_sizes(cfg)->BLOCKS - 1;
}

static int8_t leaves(const cross_cycle_t *c, const order_check_regs_t *r,
                     const order_check_in_t *i) {
  const uint64_t w = i->out_warp_i;
  if (!i->out_valid_i) return 0;
  if (r->len_q[w] == 0) return 4;
  const uint64_t oldest = r->list_q[w * (order_check_sizes(c->cfg)->DEPTH + 1) + r->head_q[w]];
  if (i->out_data_i != bits(oldest, order_check_sizes(c->cfg)->DATA_W)) return 2;
  return i->out_write_i == (oldest >> order_check_sizes(c->cfg)->DATA_W & 1) ? 1 : 3;
}

static void sample(const cross_cycle_t *c, cross_values_t value) {
  const order_check_regs_t *r = order_check_regs(c->model);
  const order_check_in_t *i = (const order_check_in_t *)(const void *)c->in;
  if (!i->srst_ni) return;
  const int8_t kind = (int8_t)(i->in_kind_i >= MRPB_KIND_BARRIER ? 2 : i->in_kind_i);
  const uint64_t block = counter(c->cfg, i->in_block_i), held = r->block_q[block];
  value[BOTH][0] = (int8_t)(i->in_valid_i ? kind + 1 : 0);
  value[BOTH][1] = leaves(c, r, i);
  if (!i->in_valid_i) return;
  if (kind < 2) {
    value[WARP][0] = kind;
    value[WARP][1] = cross_level4(r->len_q[i->in_warp_i], order_check_sizes(c->cfg)->DEPTH + 1);
    value[WARP][2] = i->out_valid_i && i->out_warp_i == i->in_warp_i;
  }
  value[BLOCK][0] = kind;
  value[BLOCK][1] = held > 1 ? 2 : (int8_t)held;
  value[BLOCK][2] = i->out_valid_i && counter(c->cfg, i->out_block_i) == block;
}

const cross_class_t cross_order_check = {.stem = "order_check",
                                         .n = sizeof crosses / sizeof *crosses,
                                         .crosses = crosses,
                                         .sample = sample};
