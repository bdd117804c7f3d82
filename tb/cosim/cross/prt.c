/* SPDX-License-Identifier: Apache-2.0 */
/* prt: crosses. */
#include "cosim/cross/cross.h"

#include "bits.h"
#include "prt.h"

enum { ALLOCATE, ISSUE, REPLY, RING };

#define REPLIES                                                                                    \
  { "none", "more to come", "the last", "ignored: not live", "ignored: lanes" }

static const cross_t crosses[] = {
    [ALLOCATE] = {"allocate",
                  "an instruction, as a reply arrives",
                  {{"instruction",
                    {"none", "all lanes", "one lane", "some lanes", "no lanes", "refused: table"}},
                   {"reply", REPLIES},
                   {"table", {"empty", "partly used", "full", "full: one released"}}}},
    [ISSUE] = {"issue",
               "a request, as a reply arrives",
               {{"request",
                 {"none", "lanes stay", "the last lanes", "refused: not live", "refused: lanes"}},
                {"reply", REPLIES},
                {"entry", {"different or none", "the same"}}}},
    [REPLY] = {"reply",
               "what an accepted reply brings",
               {{"requests in flight", {"one", "more"}}, {"lanes not issued", {"none", "some"}}}},
    [RING] = {"ring",
              "the two oldest entries, where they are released in order",
              {{"oldest", {"is not done", "gets its last reply", "is done"}},
               {"next", {"none", "is not done", "gets its last reply", "is done"}},
               {"entries in use", {"in a row", "around the end", "all"}}}},
};

static const cross_gap_t gaps[] = {
    {"allocate", "*, more to come|the last|ignored: lanes, empty", "there is no live entry"},
    {"allocate", "refused: table, *, empty|partly used|full: one released",
     "a free entry is always given"},
    {"allocate", "all lanes|one lane|some lanes, *, full", "no entry is free or released"},
    {"issue", "refused: not live, more to come|the last|ignored: lanes, the same",
     "the entry is live"},
    {"issue", "none, *, the same", "there is no request"},
    {"issue", "*, none, the same", "there is no reply"},
    {"ring", "gets its last reply, gets its last reply, *", "there is one reply a cycle"},
    {"ring", "*, none, around the end", "one entry is in a row"},
    {"ring", "is done, none, all", "the last reply of a ring's only entry releases it"},
};

static bool live(const cross_cycle_t *c, const prt_regs_t *r, uint64_t e) {
  return e < prt_sizes(c->cfg)->ENTRIES && (r->valid_q[e / 32] >> (e % 32) & 1);
}

static int8_t lanes_of(uint64_t mask, uint32_t lanes) {
  return mask == 0 ? 4 : mask == bits_mask(lanes) ? 1 : (mask & (mask - 1)) == 0 ? 2 : 3;
}

static int8_t issue_of(const cross_cycle_t *c, const prt_regs_t *r, const prt_in_t *i,
                       const prt_out_t *o) {
  const bool fresh = i->alloc_valid_i && o->alloc_ready_o && o->alloc_entry_o == i->issue_entry_i;
  if (!i->issue_valid_i) return 0;
  if (!fresh && !live(c, r, i->issue_entry_i)) return 3;
  if (!o->issue_ok_o) return 4;
  const int left = fresh ? __builtin_popcountll(i->alloc_mask_i) : r->left_q[i->issue_entry_i];
  return left == __builtin_popcountll(i->issue_mask_i) ? 2 : 1;
}

/* 0 not done, 1 this reply is its last one, 2 done. */
static int8_t state_of(const prt_regs_t *r, const prt_in_t *i, const prt_out_t *o, uint64_t e) {
  if (o->last_o && i->reply_entry_i == e) return 1;
  return r->done_q[e / 32] >> e % 32 & 1 ? 2 : 0;
}

static void sample_ring(const cross_cycle_t *c, int8_t value[CROSS_AXES]) {
  const prt_regs_t *r = prt_regs(c->model);
  const prt_in_t *i = (const prt_in_t *)(const void *)c->in;
  const prt_out_t *o = (const prt_out_t *)(const void *)c->out;
  const uint32_t entries = prt_sizes(c->cfg)->ENTRIES;
  if (!prt_sizes(c->cfg)->ORDER || r->count_q == 0) return;
  value[0] = state_of(r, i, o, r->head_q);
  value[1] =
      r->count_q == 1 ? 0 : (int8_t)(1 + state_of(r, i, o, ((uint32_t)r->head_q + 1) % entries));
  value[2] = r->count_q == entries ? 2 : (uint32_t)r->head_q + r->count_q > entries;
}

static void sample(const cross_cycle_t *c, cross_values_t value) {
  const prt_regs_t *r = prt_regs(c->model);
  const prt_in_t *i = (const prt_in_t *)(const void *)c->in;
  const prt_out_t *o = (const prt_out_t *)(const void *)c->out;
  if (!i->srst_ni) return;
  const uint64_t e = i->reply_entry_i;
  const int8_t reply = !i->reply_valid_i ? 0
                       : !live(c, r, e)  ? 3
                       : !o->reply_ok_o  ? 4
                                         : 1 + (o->last_o != 0);
  value[ALLOCATE][0] = !i->alloc_valid_i ? 0
                       : i->alloc_mask_i && !o->alloc_ready_o
                           ? 5
                           : lanes_of(i->alloc_mask_i, prt_sizes(c->cfg)->LANES);
  value[ALLOCATE][1] = value[ISSUE][1] = reply;
  value[ALLOCATE][2] = cross_level(o->count_o, prt_sizes(c->cfg)->ENTRIES);
  if (value[ALLOCATE][2] == 2 && o->release_o) value[ALLOCATE][2] = 3;
  value[ISSUE][0] = issue_of(c, r, i, o);
  value[ISSUE][2] = i->issue_valid_i && i->reply_valid_i && i->issue_entry_i == e;
  sample_ring(c, value[RING]);
  if (reply != 1 && reply != 2) return;
  value[REPLY][0] = r->pend_q[e] > 1;
  value[REPLY][1] = r->left_q[e] != 0;
}

const cross_class_t cross_prt = {.stem = "prt",
                                 .n = sizeof crosses / sizeof *crosses,
                                 .n_gaps = sizeof gaps / sizeof *gaps,
                                 .crosses = crosses,
                                 .gaps = gaps,
                                 .sample = sample};
