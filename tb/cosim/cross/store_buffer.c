/* SPDX-License-Identifier: Apache-2.0 */
/* store_buffer: crosses. */
#include "cosim/cross/cross.h"

#include "store_buffer.h"

enum { PUT, ENTRY, LINE };

static const cross_t crosses[] = {
    [PUT] = {"put",
             "a request that comes",
             {{"lanes", {"none", "of one half", "of both halves"}},
              {"entries in use", {"none", "some", "all"}},
              {"an instruction", {"does not come", "comes"}}}},
    [ENTRY] = {"entry",
               "a send and a free of one entry",
               {{"entry", {"not in use", "in use", "in flight"}},
                {"send", {"no", "yes"}},
                {"free", {"no", "yes"}}}},
    [LINE] = {"line",
              "a line that is looked up, and what is sent and freed beside it",
              {{"line", {"not in flight", "in flight"}},
               {"send", {"no", "yes"}},
               {"free", {"of no entry in flight", "of another line", "of this line"}}}},
};

static const cross_gap_t gaps[] = {
    {"line", "not in flight, *, of this line", "the entry that is freed is in flight"},
};

static void sample(const cross_cycle_t *c, cross_values_t value) {
  const store_buffer_regs_t *r = store_buffer_regs(c->model);
  const store_buffer_in_t *i = (const store_buffer_in_t *)(const void *)c->in;
  const store_buffer_out_t *o = (const store_buffer_out_t *)(const void *)c->out;
  const store_buffer_cfg_t *p = store_buffer_sizes(c->cfg);
  const uint64_t lower = i->put_lanes_i & bits_mask((p->LANES + 1) / 2), f = i->free_entry_i;
  if (!i->srst_ni) return;
  if (i->put_valid_i) {
    value[PUT][0] = !i->put_lanes_i ? 0 : !lower || lower == i->put_lanes_i ? 1 : 2;
    value[PUT][1] = cross_level(r->count_q, p->STORES);
    value[PUT][2] = i->lanes_valid_i != 0;
  }
  const uint64_t e = i->send_valid_i ? i->send_entry_i : f;
  if (e < p->STORES) {
    value[ENTRY][0] = (int8_t)(r->flight_q >> e & 1 ? 2 : r->used_q >> e & 1);
    value[ENTRY][1] = i->send_valid_i != 0;
    value[ENTRY][2] = i->free_valid_i && f == e;
  }
  const bool done = i->free_valid_i && f < p->STORES && (r->flight_q >> f & 1);
  value[LINE][0] = o->find_o != 0;
  value[LINE][1] = i->send_valid_i != 0;
  value[LINE][2] = !done ? 0 : r->line_q[f] == i->find_line_i ? 2 : 1;
}

const cross_class_t cross_store_buffer = {.stem = "store_buffer",
                                          .n = sizeof crosses / sizeof *crosses,
                                          .n_gaps = sizeof gaps / sizeof *gaps,
                                          .crosses = crosses,
                                          .gaps = gaps,
                                          .sample = sample};
