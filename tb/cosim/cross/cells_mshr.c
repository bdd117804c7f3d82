/* SPDX-License-Identifier: Apache-2.0 */
/* mshr: cells of (entry x state x event). */
#include "cosim/cross/cells.h"
#include "cosim/stim/mshr_probe.h"

static bool one_merge(const uint32_t *cfg) {
  return mshr_sizes(cfg)->MERGES == 1;
}
static bool several_merges(const uint32_t *cfg) {
  return !one_merge(cfg);
}
static bool two_merges(const uint32_t *cfg) {
  return mshr_sizes(cfg)->MERGES <= 2;
}
static bool one_entry(const uint32_t *cfg) {
  return mshr_sizes(cfg)->ENTRIES == 1;
}

/* There are fewer line addresses than entries. */
static bool never_full(const uint32_t *cfg) {
  const mshr_cfg_t *s = mshr_sizes(cfg);
  return s->ADDR_W < 8 && 1u << s->ADDR_W < s->ENTRIES;
}

/* In the order of mshr_probe_state_t and mshr_probe_event_t. */
#define IN_USE "waits 1|waits some|waits MERGES|ready 1|ready some|ready MERGES"
#define DRAINS "drains 1|drains some|drains MERGES"

static const cells_gap_t gaps[] = {
    {"waits 1|ready 1|drains 1, *", one_merge, "one read is MERGES"},
    {"waits some|ready some|drains some, *", two_merges, "there is nothing between one and MERGES"},
    {"ready 1|ready some|ready MERGES, *", one_entry, "the only entry drains at once"},
    {"free, merge|refused|fill|take|take+bad fill|take+merge|all three", NULL, "it has no line"},
    {IN_USE ", allocate", NULL, "it is in use"},
    {"drains some, allocate", NULL, "it is not released"},
    {"drains 1, take+merge|all three", NULL, "it is released: a read of its line allocates"},
    {"drains MERGES, take+merge|all three|merge", one_merge,
     "it is released: a read of its line allocates"},
    {"drains MERGES, allocate", several_merges, "it is not released"},
    {DRAINS ", allocate", never_full, "another entry is free"},
    {"waits MERGES|ready MERGES, merge", NULL, "its list is full"},
    {"waits 1|waits some|ready 1|ready some|drains 1|drains some, refused", NULL,
     "its list has room"},
    {"ready 1|ready some|ready MERGES|" DRAINS ", fill", NULL, "it is filled"},
    {"waits 1|waits some|waits MERGES, bad fill|take+bad fill|all three", NULL,
     "it awaits its line"},
    {IN_USE ", take|take+bad fill|take+merge|all three", NULL, "it does not drain"},
};

/* There cannot be more outstanding lines than line addresses. Their entries are the lowest ones and
 * one more, which next_q names. */
static uint32_t entries(const uint32_t *cfg) {
  const mshr_cfg_t *s = mshr_sizes(cfg);
  return never_full(cfg) ? (1u << s->ADDR_W) + 1 : s->ENTRIES;
}

static void count(cells_t *cells, const cross_cycle_t *c, uint64_t e, mshr_probe_event_t event) {
  const mshr_cfg_t *s = mshr_sizes(c->cfg);
  if (e >= s->ENTRIES) return;
  cells_count(cells, (uint32_t)e, mshr_probe_state(mshr_regs(c->model), s->MERGES, (uint32_t)e),
              event);
}

static uint32_t entry_of(const cross_cycle_t *c, uint64_t line) {
  const mshr_regs_t *r = mshr_regs(c->model);
  uint32_t e = 0;
  while (e < mshr_sizes(c->cfg)->ENTRIES &&
         !(mshr_probe_bit(r->valid_q, e) && r->addr_q[e] == line))
    e++;
  return e;
}

static void sample(const cross_cycle_t *c, cells_t *cells) {
  const mshr_in_t *i = (const mshr_in_t *)(const void *)c->in;
  const mshr_out_t *o = (const mshr_out_t *)(const void *)c->out;
  const uint64_t drains = o->out_entry_o;
  if (!i->srst_ni) {
    for (uint32_t e = 0; e < mshr_sizes(c->cfg)->ENTRIES; e++) count(cells, c, e, MSHR_PROBE_RESET);
    return;
  }
  const bool merge = i->req_valid_i && o->req_ready_o && o->req_merge_o;
  const bool take = o->out_valid_o && i->out_ready_i;
  const bool again = take && o->fill_err_o && i->fill_entry_i == drains;
  const bool more = take && merge && o->req_entry_o == drains;
  if (merge) count(cells, c, o->req_entry_o, MSHR_PROBE_MERGE);
  if (i->req_valid_i && o->req_ready_o && !o->req_merge_o)
    count(cells, c, o->req_entry_o, MSHR_PROBE_ALLOCATE);
  if (i->req_valid_i && o->req_refuse_o == 2)
    count(cells, c, entry_of(c, i->req_addr_i), MSHR_PROBE_REFUSED);
  if (i->fill_valid_i)
    count(cells, c, i->fill_entry_i, o->fill_err_o ? MSHR_PROBE_BAD_FILL : MSHR_PROBE_FILL);
  if (take) count(cells, c, drains, MSHR_PROBE_TAKE);
  if (again) count(cells, c, drains, MSHR_PROBE_TAKE_BAD_FILL);
  if (more) count(cells, c, drains, MSHR_PROBE_TAKE_MERGE);
  if (again && more) count(cells, c, drains, MSHR_PROBE_ALL_THREE);
}

const cells_class_t cells_mshr = {
    .stem = "mshr",
    .entry = "entry",
    .states = {"free", "waits 1", "waits some", "waits MERGES", "ready 1", "ready some",
               "ready MERGES", "drains 1", "drains some", "drains MERGES"},
    .events = {"allocate", "merge", "refused", "fill", "bad fill", "take", "reset", "take+bad fill",
               "take+merge", "all three"},
    .entries = entries,
    .gaps = gaps,
    .n_gaps = sizeof gaps / sizeof *gaps,
    .sample = sample};
