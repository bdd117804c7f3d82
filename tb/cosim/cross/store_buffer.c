/* SPDX-License-Identifier: Apache-2.0 */
/* store_buffer: crosses. */
#include "cosim/cross/cross.h"

#include "store_buffer.h"

enum { PUT, ENTRY };

static const cross_t crosses[] = {
    [PUT] = {"put",
             "a request that comes",
             {{"lanes", {"none", "of one half", "of both halves"}},
              {"entries in use", {"none", "some", "all"}},
              {"an instruction", {"does not come", "comes"}}}},
    [ENTRY] = {"entry",
               "the entry that is shown",
               {{"entry", {"not in use", "in use"}},
                {"second pass", {"none", "of another entry", "of this entry"}},
                {"free", {"none", "of another entry", "of this entry"}}}},
};

static const cross_gap_t gaps[] = {
    {"entry", "not in use, of this entry, *", "the entry of a second pass is in use"},
};

static void sample(const cross_cycle_t *c, cross_values_t value) {
  const store_buffer_regs_t *r = store_buffer_regs(c->model);
  const store_buffer_in_t *i = (const store_buffer_in_t *)(const void *)c->in;
  const store_buffer_cfg_t *p = store_buffer_sizes(c->cfg);
  const uint64_t lower = i->put_lanes_i & bits_mask((p->LANES + 1) / 2), f = i->free_entry_i;
  if (!i->srst_ni) return;
  if (i->put_valid_i) {
    value[PUT][0] = !i->put_lanes_i ? 0 : !lower || lower == i->put_lanes_i ? 1 : 2;
    value[PUT][1] = cross_level(r->count_q, p->STORES);
    value[PUT][2] = i->lanes_valid_i != 0;
  }
  const uint64_t e = i->beat_entry_i;
  if (e >= p->STORES) return;
  value[ENTRY][0] = (int8_t)(r->used_q >> e & 1);
  value[ENTRY][1] = !r->pass_q ? 0 : r->pass_entry_q == e ? 2 : 1;
  value[ENTRY][2] = !i->free_valid_i ? 0 : f == e ? 2 : 1;
}

const cross_class_t cross_store_buffer = {.stem = "store_buffer",
                                          .n = sizeof crosses / sizeof *crosses,
                                          .n_gaps = sizeof gaps / sizeof *gaps,
                                          .crosses = crosses,
                                          .gaps = gaps,
                                          .sample = sample};
