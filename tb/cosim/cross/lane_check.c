/* SPDX-License-Identifier: Apache-2.0 */
/* lane_check: crosses. */
#include "cosim/cross/cross.h"

#include "lane_check.h"

enum { ISSUE, REPLY, SAME };

static const cross_t crosses[] = {
    [ISSUE] = {"issue",
               "the lanes of a request",
               {{"lanes", {"none", "all that are left", "some that are left", "others too"}},
                {"entry", {"allocated in this cycle", "live", "without lanes left"}}}},
    [REPLY] = {"reply",
               "the lanes of a reply",
               {{"lanes", {"none", "all that wait", "some that wait", "others too"}},
                {"requests in flight", {"none", "one", "more"}}}},
    [SAME] = {"same",
              "two or three of one entry in one cycle",
              {{"request", {"none or of another", "taken", "refused"}},
               {"reply", {"none or of another", "taken", "refused"}},
               {"entry", {"not allocated", "allocated"}}}},
};

static const cross_gap_t gaps[] = {
    {"issue", "all that are left|some that are left, without lanes left", "no lane is left"},
    {"reply", "all that wait|some that wait, none", "no lane waits"},
    {"same", "none or of another, none or of another, *", "one event alone is not counted"},
    {"same", "none or of another, taken|refused, not allocated", "one event alone is not counted"},
    {"same", "taken|refused, none or of another, not allocated", "one event alone is not counted"},
};

/* 0 none, 1 all of `want`, 2 some of it, 3 others too. */
static int8_t lanes_of(uint64_t mask, uint64_t want) {
  return mask == 0 ? 0 : mask & ~want ? 3 : mask == want ? 1 : 2;
}

static bool live(const lane_check_regs_t *r, uint64_t e) {
  return r->live_q[e / 32] >> e % 32 & 1;
}

static void sample(const cross_cycle_t *c, cross_values_t value) {
  const lane_check_regs_t *r = lane_check_regs(c->model);
  const lane_check_in_t *i = (const lane_check_in_t *)(const void *)c->in;
  const lane_check_out_t *o = (const lane_check_out_t *)(const void *)c->out;
  const uint32_t entries = lane_check_sizes(c->cfg)->ENTRIES;
  const uint64_t to = i->issue_entry_i, from = i->reply_entry_i;
  if (!i->srst_ni) return;
  if (i->issue_valid_i && to < entries) {
    const bool fresh = i->alloc_valid_i && i->alloc_entry_i == to;
    const uint64_t left = fresh ? i->alloc_mask_i : live(r, to) ? r->todo_q[to] : 0;
    value[ISSUE][0] = lanes_of(i->issue_mask_i, left);
    value[ISSUE][1] = fresh ? 0 : left ? 1 : 2;
  }
  if (i->reply_valid_i && from < entries) {
    const uint32_t pend = live(r, from) ? r->pend_q[from] : 0;
    value[REPLY][0] = lanes_of(i->reply_mask_i, live(r, from) ? r->wait_q[from] : 0);
    value[REPLY][1] = pend > 1 ? 2 : (int8_t)pend;
  }
  const uint64_t e = i->alloc_valid_i ? i->alloc_entry_i : to;
  const bool issue = i->issue_valid_i && to == e, reply = i->reply_valid_i && from == e;
  if (e >= entries || issue + reply + (i->alloc_valid_i != 0) < 2) return;
  value[SAME][0] = !issue ? 0 : o->issue_ok_o ? 1 : 2;
  value[SAME][1] = !reply ? 0 : o->reply_ok_o ? 1 : 2;
  value[SAME][2] = i->alloc_valid_i != 0;
}

const cross_class_t cross_lane_check = {.stem = "lane_check",
                                        .n = sizeof crosses / sizeof *crosses,
                                        .n_gaps = sizeof gaps / sizeof *gaps,
                                        .crosses = crosses,
                                        .gaps = gaps,
                                        .sample = sample};
