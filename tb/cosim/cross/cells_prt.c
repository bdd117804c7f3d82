/* SPDX-License-Identifier: Apache-2.0 */
/* prt: cells of (entry x state x event). */
#include "cosim/cross/cells.h"

#include "prt.h"

enum { FREE, NEW, PART_1, PART_MORE, OUT_1, OUT_MORE, DONE };
enum {
  ALLOCATE,
  ALLOCATE_ISSUE,
  ISSUE,
  ISSUE_LAST,
  BAD_ISSUE,
  REPLY,
  REPLY_ISSUE,
  LAST_REPLY,
  BAD_REPLY,
  RELEASE,
  RESET
};

static bool one_lane(const uint32_t *cfg) {
  return prt_sizes(cfg)->LANES == 1;
}
static bool two_lanes(const uint32_t *cfg) {
  return prt_sizes(cfg)->LANES <= 2;
}
static bool three_lanes(const uint32_t *cfg) {
  return prt_sizes(cfg)->LANES <= 3;
}
static bool never_waits(const uint32_t *cfg) {
  return prt_sizes(cfg)->ORDER == 0 || prt_sizes(cfg)->ENTRIES == 1;
}

static bool trusts(const uint32_t *cfg) {
  return prt_sizes(cfg)->CHECK == 0;
}

static const cells_gap_t gaps[] = {
    {"*, bad request|bad reply", trusts, "without CHECK the surroundings keep the rules"},
    {"done, *", never_waits, "with its last reply it is released"},
    {"issued in part: 1 out|issued in part: more out|issued: more out, *", one_lane,
     "one lane is one request"},
    {"issued in part: more out, *", two_lanes, "two requests and a lane are three lanes"},
    {"new, a request", one_lane, "one lane is the last"},
    {"issued in part: 1 out, a request", two_lanes, "two requests and a lane are three lanes"},
    {"issued in part: more out, a request", three_lanes, "three requests and a lane are four"},
    {"free, a request|the last request|a reply|reply+request|the last reply|release", NULL,
     "there is no instruction"},
    {"new|issued in part: 1 out|issued in part: more out|issued: more out, "
     "allocate|allocate+request|the last reply|release",
     NULL, "it is not complete"},
    {"new, a reply|reply+request", NULL, "nothing is in flight"},
    {"issued: 1 out|issued: more out|done, a request|the last request|reply+request", NULL,
     "every lane is issued"},
    {"issued: 1 out, a reply", NULL, "it is the last one"},
    {"done, a reply|the last reply", NULL, "nothing is in flight"},
};

static uint32_t entries(const uint32_t *cfg) {
  return prt_sizes(cfg)->ENTRIES;
}

static unsigned state_of(const prt_regs_t *r, uint64_t e) {
  if (!(r->valid_q[e / 32] >> e % 32 & 1)) return FREE;
  if (r->left_q[e]) return r->pend_q[e] == 0 ? NEW : r->pend_q[e] == 1 ? PART_1 : PART_MORE;
  return r->pend_q[e] == 0 ? DONE : r->pend_q[e] == 1 ? OUT_1 : OUT_MORE;
}

static void count(cells_t *cells, const cross_cycle_t *c, uint64_t e, unsigned event) {
  if (e < prt_sizes(c->cfg)->ENTRIES)
    cells_count(cells, (uint32_t)e, state_of(prt_regs(c->model), e), event);
}

static void sample(const cross_cycle_t *c, cells_t *cells) {
  const prt_regs_t *r = prt_regs(c->model);
  const prt_in_t *i = (const prt_in_t *)(const void *)c->in;
  const prt_out_t *o = (const prt_out_t *)(const void *)c->out;
  const uint64_t to = i->issue_entry_i, from = i->reply_entry_i;
  if (!i->srst_ni) {
    for (uint32_t e = 0; e < prt_sizes(c->cfg)->ENTRIES; e++) count(cells, c, e, RESET);
    return;
  }
  const bool allocate = i->alloc_valid_i && o->alloc_ready_o;
  const bool fresh = allocate && i->issue_valid_i && o->issue_ok_o && o->alloc_entry_o == to;
  if (allocate) count(cells, c, o->alloc_entry_o, fresh ? ALLOCATE_ISSUE : ALLOCATE);
  if (i->issue_valid_i && !o->issue_ok_o) count(cells, c, to, BAD_ISSUE);
  const bool issue = i->issue_valid_i && o->issue_ok_o && !fresh;
  const int lanes = __builtin_popcountll(i->issue_mask_i);
  if (issue) count(cells, c, to, lanes == r->left_q[to] ? ISSUE_LAST : ISSUE);
  if (i->reply_valid_i)
    count(cells, c, from, !o->reply_ok_o ? BAD_REPLY : o->last_o ? LAST_REPLY : REPLY);
  if (issue && o->reply_ok_o && to == from) count(cells, c, to, REPLY_ISSUE);
  if (o->release_o) count(cells, c, prt_sizes(c->cfg)->ORDER ? r->head_q : from, RELEASE);
}

const cells_class_t cells_prt = {
    .stem = "prt",
    .entry = "entry",
    .states = {"free", "new", "issued in part: 1 out", "issued in part: more out", "issued: 1 out",
               "issued: more out", "done"},
    .events = {"allocate", "allocate+request", "a request", "the last request", "bad request",
               "a reply", "reply+request", "the last reply", "bad reply", "release", "reset"},
    .entries = entries,
    .gaps = gaps,
    .n_gaps = sizeof gaps / sizeof *gaps,
    .sample = sample};
