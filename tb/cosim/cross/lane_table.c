/* SPDX-License-Identifier: Apache-2.0 */
/* lane_table: crosses. */
#include "cosim/cross/cross.h"

#include "lane_table.h"

enum { WRITE, READ, SAME };

static const cross_t crosses[] = {
    [WRITE] = {"write",
               "the lanes of a request that is entered",
               {{"request", {"first", "later"}},
                {"entry", {"not begun", "begun"}},
                {"lanes", {"none", "one", "more", "all"}}}},
    [READ] = {"read",
              "the lanes of a request that is read",
              {{"entry", {"not begun", "begun"}},
               {"number", {"0", "more"}},
               {"lanes", {"none", "some", "all"}}}},
    [SAME] = {"same",
              "a request is entered and one is read",
              {{"entries", {"one", "two"}},
               {"read", {"not begun", "begun"}},
               {"entered", {"first", "later"}}}},
};

static const cross_gap_t gaps[] = {
    {"read", "not begun, *, some|all", "an entry that has not begun has no requests"},
};

static bool live(const lane_table_regs_t *r, uint64_t e) {
  return r->live_q[e / 32] >> e % 32 & 1;
}

static void sample(const cross_cycle_t *c, cross_values_t value) {
  const lane_table_cfg_t *cfg = lane_table_sizes(c->cfg);
  const lane_table_regs_t *r = lane_table_regs(c->model);
  const lane_table_in_t *i = (const lane_table_in_t *)(const void *)c->in;
  const lane_table_out_t *o = (const lane_table_out_t *)(const void *)c->out;
  const uint64_t all = bits_mask(cfg->LANES), m = i->write_lanes_i, n = o->read_lanes_o;
  const bool write = i->write_valid_i && i->write_entry_i < cfg->ENTRIES;
  const bool read = i->read_valid_i && i->read_entry_i < cfg->ENTRIES;
  if (!i->srst_ni) return;
  if (write) {
    value[WRITE][0] = !i->write_first_i;
    value[WRITE][1] = live(r, i->write_entry_i);
    value[WRITE][2] = m == 0 ? 0 : m == all ? 3 : (m & (m - 1)) == 0 ? 1 : 2;
  }
  if (read) {
    value[READ][0] = live(r, i->read_entry_i);
    value[READ][1] = i->read_number_i != 0;
    value[READ][2] = n == 0 ? 0 : n == all ? 2 : 1;
  }
  if (write && read) {
    value[SAME][0] = i->write_entry_i != i->read_entry_i;
    value[SAME][1] = live(r, i->read_entry_i);
    value[SAME][2] = !i->write_first_i;
  }
}

const cross_class_t cross_lane_table = {.stem = "lane_table",
                                        .n = sizeof crosses / sizeof *crosses,
                                        .n_gaps = sizeof gaps / sizeof *gaps,
                                        .crosses = crosses,
                                        .gaps = gaps,
                                        .sample = sample};
