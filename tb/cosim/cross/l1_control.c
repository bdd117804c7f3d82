/* SPDX-License-Identifier: Apache-2.0 */
/* l1_control: crosses. */
#include "cosim/cross/cross.h"

#include "l1_control.h"

enum { LOAD, STORE, PIPE, BYPASS };

#define LINE                                                                                       \
  { "valid", "reserved", "not here", "ways reserved" }

static const cross_t crosses[] = {
    [LOAD] = {"load",
              "a load in A",
              {{"line", LINE},
               {"sectors", {"all on hand", "some missing"}},
               {"decision", {"hit", "merge", "miss", "answer 1", "answer 2"}}}},
    [STORE] = {"store",
               "a store in A",
               {{"line", LINE}, {"decision", {"taken", "evicts", "answer 2"}}}},
    [PIPE] = {"pipe",
              "the three stages, and whether A's request is taken",
              {{"A", {"empty", "load taken", "load refused", "store taken", "store refused"}},
               {"D", {"empty", "a load", "a store"}},
               {"T", {"empty", "a load", "a store"}}}},
    [BYPASS] = {"bypass",
                "what may bypass",
                {{"bypass", {"no", "yes"}},
                 {"T", {"empty", "a load", "a store"}},
                 {"A", {"empty", "a load", "a store"}}}},
};

static const cross_gap_t gaps[] = {
    {"load", "valid, all on hand, merge|miss|answer 1", "it is a hit, or waits for the read queue"},
    {"load", "valid, some missing, hit|merge|answer 1", "it is a miss of the sectors"},
    {"load", "reserved, *, hit|miss|answer 1", "it merges or waits"},
    {"load", "reserved, some missing, merge", "the sectors are not on the way"},
    {"load", "not here|ways reserved, *, hit|merge", "there is no line"},
    {"load", "not here, *, answer 1", "a way is left"},
    {"load", "ways reserved, *, miss|answer 2", "no way is left"},
    {"store", "valid, taken", "the line is evicted"},
    {"store", "reserved, taken|evicts", "the line would become valid later"},
    {"store", "not here|ways reserved, evicts", "there is no line"},
    {"bypass", "yes, empty|a store, *", "only a load bypasses"},
    {"bypass", "yes, a load, a load|a store", "A is empty in the cycle of a bypass"},
};

static int8_t kind(bool valid, bool write) {
  return valid ? 1 + write : 0;
}

static void sample(const cross_cycle_t *c, cross_values_t value) {
  const l1_control_regs_t *r = l1_control_regs(c->model);
  const l1_control_in_t *i = (const l1_control_in_t *)(const void *)c->in;
  const l1_control_out_t *o = (const l1_control_out_t *)(const void *)c->out;
  if (!i->srst_ni) return;
  const int8_t t = kind(i->req_valid_i, i->req_write_i), a = kind(r->a_valid_q, r->a_write_q);
  const bool refused = o->answer_o != 0;
  value[PIPE][0] = a == 0 ? 0 : a == 1 ? 1 + refused : 3 + refused;
  value[PIPE][1] = kind(r->d_valid_q, r->d_write_q);
  value[PIPE][2] = t;
  value[BYPASS][0] = o->bypass_valid_o != 0;
  value[BYPASS][1] = t;
  value[BYPASS][2] = a;
  /* Only what tags can say of a line. */
  if (a == 0 || i->hit_i + i->pending_i + i->full_i > 1) return;
  const int8_t line = i->hit_i ? 0 : i->pending_i ? 1 : i->full_i ? 3 : 2;
  if (a == 2) {
    value[STORE][0] = line;
    value[STORE][1] = refused ? 2 : o->evict_o != 0;
    return;
  }
  value[LOAD][0] = line;
  value[LOAD][1] = (r->a_sectors_q & ~i->have_i) != 0;
  value[LOAD][2] = o->answer_o == 1 ? 3 : refused ? 4 : o->touch_o ? 0 : o->reserve_o ? 2 : 1;
}

const cross_class_t cross_l1_control = {.stem = "l1_control",
                                        .n = sizeof crosses / sizeof *crosses,
                                        .n_gaps = sizeof gaps / sizeof *gaps,
                                        .crosses = crosses,
                                        .gaps = gaps,
                                        .sample = sample};
