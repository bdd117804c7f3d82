/* SPDX-License-Identifier: Apache-2.0 */
/* mshr: crosses. */
#include "cosim/cross/cross.h"

#include "bits.h"
#include "mshr.h"

enum { REQUEST, FILL, MERGE, STORE };

#define REQUESTS                                                                                   \
  { "none", "allocates", "merges", "refused: table", "refused: merges", "refused: marked" }

static const cross_t crosses[] = {
    [REQUEST] = {"request",
                 "a read that missed, as another one drains",
                 {{"request", REQUESTS},
                  {"drain", {"idle", "stalled", "a read leaves", "the last leaves"}},
                  {"table", {"empty", "partly used", "full"}}}},
    [FILL] = {"fill",
              "a fill as a read misses",
              {{"request", REQUESTS},
               {"fill",
                {"none", "accepted", "ignored: free", "ignored: filled", "ignored: no entry"}}}},
    [MERGE] = {"merge",
               "the entry that a read merges into",
               {{"entry", {"awaits its line", "is filled now", "waits to drain", "drains"}},
                {"lists", {"one read", "several", "MERGES"}}}},
    [STORE] = {"store",
               "the entry of a store's line",
               {{"store", {"asks", "marks"}},
                {"entry",
                 {"none", "is allocated now", "awaits its line", "is filled now", "waits to drain",
                  "drains", "is released now"}},
                {"marked", {"not yet", "already"}}}},
};

static const cross_gap_t gaps[] = {
    {"request", "*, stalled|a read leaves|the last leaves, empty", "nothing can drain"},
    {"request", "merges|refused: merges|refused: marked, *, empty", "there is no entry"},
    {"request", "refused: table, *, empty|partly used", "a free entry is always given"},
    {"request", "refused: table, the last leaves, full", "the released entry is given"},
    {"request", "allocates, idle|stalled|a read leaves, full", "no entry is free or released"},
    {"fill", "refused: table, ignored: free", "no entry is free"},
    {"merge", "awaits its line|is filled now|waits to drain, MERGES",
     "a full list takes a read only as another one leaves it"},
    {"store", "*, none|is allocated now, already", "there was no entry"},
};

static bool bit(const uint32_t *words, uint64_t i) {
  return words[i / 32] >> (i % 32) & 1;
}

static int8_t fill_of(const cross_cycle_t *c, const mshr_regs_t *r, const mshr_in_t *i) {
  const uint64_t f = i->fill_entry_i;
  if (!i->fill_valid_i) return 0;
  if (f >= mshr_sizes(c->cfg)->ENTRIES) return 4;
  return !bit(r->valid_q, f) ? 2 : bit(r->ready_q, f) ? 3 : 1;
}

/* What happens to the entry of the store's line, and whether it is marked already. */
static void sample_store(const cross_cycle_t *c, const mshr_in_t *i, const mshr_out_t *o,
                         int8_t *value) {
  const mshr_regs_t *r = mshr_regs(c->model);
  const mshr_cfg_t *s = mshr_sizes(c->cfg);
  uint32_t e = 0;
  if (!s->STORES) return;
  while (e < s->ENTRIES && !(bit(r->valid_q, e) && r->addr_q[e] == i->store_addr_i)) e++;
  const bool drains = o->out_valid_o && o->out_entry_o == e;
  const bool allocates = i->req_valid_i && o->req_ready_o && !o->req_merge_o;
  value[0] = (int8_t)i->store_valid_i;
  value[2] = e < s->ENTRIES && bit(r->written_q, e);
  if (e == s->ENTRIES)
    value[1] = allocates && i->req_addr_i == i->store_addr_i;
  else if (drains)
    value[1] = i->out_ready_i && o->out_last_o ? 6 : 5;
  else
    value[1] = bit(r->ready_q, e) ? 4 : i->fill_valid_i && i->fill_entry_i == e ? 3 : 2;
}

static void sample(const cross_cycle_t *c, cross_values_t value) {
  const mshr_regs_t *r = mshr_regs(c->model);
  const mshr_in_t *i = (const mshr_in_t *)(const void *)c->in;
  const mshr_out_t *o = (const mshr_out_t *)(const void *)c->out;
  if (!i->srst_ni) return;
  const uint64_t e = o->req_entry_o;
  const bool merges = i->req_valid_i && o->req_ready_o && o->req_merge_o;
  sample_store(c, i, o, value[STORE]);
  /* A refusal's place in REQUESTS is its number + 2. */
  const unsigned request = o->req_ready_o ? 1u + merges : 2u + (unsigned)o->req_refuse_o;
  value[REQUEST][0] = value[FILL][0] = (int8_t)(i->req_valid_i ? request : 0);
  value[REQUEST][1] = !o->out_valid_o ? 0 : !i->out_ready_i ? 1 : o->out_last_o ? 3 : 2;
  value[REQUEST][2] = cross_level(o->count_o, mshr_sizes(c->cfg)->ENTRIES);
  value[FILL][1] = fill_of(c, r, i);
  if (!merges) return;
  value[MERGE][0] = bit(r->ready_q, e) ? (o->out_valid_o && o->out_entry_o == e ? 3 : 2)
                                       : i->fill_valid_i && i->fill_entry_i == e;
  value[MERGE][1] = r->len_q[e] == mshr_sizes(c->cfg)->MERGES ? 2 : r->len_q[e] > 1;
}

const cross_class_t cross_mshr = {.stem = "mshr",
                                  .n = sizeof crosses / sizeof *crosses,
                                  .n_gaps = sizeof gaps / sizeof *gaps,
                                  .crosses = crosses,
                                  .gaps = gaps,
                                  .sample = sample};
