/* SPDX-License-Identifier: Apache-2.0 */
/* mrpb: crosses. */
#include "cosim/cross/cross.h"

#include "cosim/stim/mrpb_view.h"

#include "bits.h"
#include "mrpb.h"

enum { OFFER, BYPASS, FLUSH, LATER };

static const cross_t crosses[] = {
    [OFFER] = {"offer",
               "ANSWER 0: what is offered, as the L1 answers",
               {{"offer",
                 {"nothing", "read stored", "read waits", "write stored", "write passes",
                  "write waits", "barrier passes", "barrier waits"}},
                {"L1",
                 {"nothing presented", "accepts", "assoc stall", "other stall", "does not look"}},
                {"buffer", {"empty", "holds some", "full"}}}},
    [BYPASS] = {"bypass",
                "ANSWER 0: what a stall makes of the presented request",
                {{"mode", {"off", "every stall", "assoc stalls"}},
                 {"stall", {"assoc", "other"}},
                 {"request",
                  {"a write stays", "a read stays", "a read waits for the path",
                   "a read bypasses"}}}},
    [FLUSH] = {"flush",
               "flushes under each policy",
               {{"policy",
                 {"fixed", "greedy fixed", "round robin", "greedy round robin", "longest",
                  "greedy longest"}},
                {"flush", {"none", "read, full queue", "write"}},
                {"outbound buffer", {"free or freed", "occupied"}}}},
    [LATER] = {"later",
               "ANSWER > 0: an answer, and what is presented meanwhile",
               {{"oldest", {"no answer due", "accepted", "refused", "waits to bypass", "bypasses"}},
                {"sent requests", {"none", "some", "full"}},
                {"presented", {"nothing", "outbound entry", "withdrawn request"}}}},
};

static const cross_gap_t gaps[] = {
    {"offer", "*, accepts|assoc stall|other stall|does not look, empty", "nothing is held"},
    {"offer", "*, nothing presented, full", "full includes the outbound buffer"},
    {"offer", "read waits|write waits|barrier waits, *, empty", "nothing to wait for"},
    {"offer", "read stored|write stored|write passes, *, full", "every queue is full"},
    {"offer", "write passes, does not look, *", "a write needs a free outbound buffer"},
    {"bypass", "off, *, a read waits for the path|a read bypasses", "without the option"},
    {"bypass", "assoc stalls, other, a read waits for the path|a read bypasses",
     "another stall is no reason in this mode"},
    {"bypass", "every stall, *, a read stays", "every stalled read is to bypass"},
    {"bypass", "assoc stalls, assoc, a read stays", "a read with an assoc stall is to bypass"},
    {"later", "accepted|refused|waits to bypass|bypasses, none, *", "there is no oldest request"},
    {"later", "no answer due, none, withdrawn request", "it would be among the sent ones"},
    {"later", "no answer due, full, nothing|outbound entry",
     "ANSWER requests in as many cycles: the first is answered"},
    {"later", "accepted|refused, *, withdrawn request",
     "all are presented again before the first of them is answered"},
    {"later", "waits to bypass|bypasses, *, nothing|outbound entry",
     "what may bypass is itself presented again"},
};

static int8_t offer_of(const mrpb_in_t *i, const mrpb_out_t *o, bool flush) {
  if (!i->in_valid_i) return 0;
  if (i->in_kind_i >= MRPB_KIND_BARRIER) return o->in_ready_o ? 6 : 7;
  if (i->in_kind_i == MRPB_KIND_WRITE) return !o->in_ready_o ? 5 : flush ? 4 : 3;
  return o->in_ready_o ? 1 : 2;
}

static void sample(const cross_cycle_t *c, cross_values_t value) {
  const mrpb_in_t *i = (const mrpb_in_t *)(const void *)c->in;
  const mrpb_out_t *o = (const mrpb_out_t *)(const void *)c->out;
  if (!i->srst_ni) return;
  const mrpb_regs_t *r = mrpb_regs(c->model);
  const mrpb_view_t v = mrpb_view(mrpb_sizes(c->cfg), r, i, o);
  value[FLUSH][0] = (int8_t)mrpb_sizes(c->cfg)->POLICY;
  value[FLUSH][1] = o->flush_full_o ? 1 : o->flush_write_o ? 2 : 0;
  value[FLUSH][2] = !v.slot;
  if (mrpb_sizes(c->cfg)->ANSWER > 0) {
    const bool again = v.sent > (unsigned)__builtin_popcount(r->due_q);
    value[LATER][0] = o->byp_valid_o ? (i->byp_ready_i ? 4 : 3) : v.refused ? 2 : v.leaves ? 1 : 0;
    value[LATER][1] = cross_level(v.sent, mrpb_sizes(c->cfg)->ANSWER);
    value[LATER][2] = again ? 2 : o->out_valid_o ? 1 : 0;
    return;
  }
  const bool stalled = o->out_valid_o && (i->l1_answer_i == MRPB_L1_ASSOC_STALL ||
                                          i->l1_answer_i == MRPB_L1_OTHER_STALL);
  value[OFFER][0] = offer_of(i, o, mrpb_sizes(c->cfg)->FLUSH == 1);
  value[OFFER][1] = (int8_t)(o->out_valid_o ? 1 + i->l1_answer_i : 0);
  value[OFFER][2] =
      cross_level(o->held_o, mrpb_sizes(c->cfg)->QUEUES * mrpb_sizes(c->cfg)->DEPTH + 1);
  if (!stalled) return;
  value[BYPASS][0] = (int8_t)mrpb_sizes(c->cfg)->BYPASS;
  value[BYPASS][1] = i->l1_answer_i == MRPB_L1_OTHER_STALL;
  value[BYPASS][2] = o->out_write_o ? 0 : !o->byp_valid_o ? 1 : i->byp_ready_i ? 3 : 2;
}

const cross_class_t cross_mrpb = {.stem = "mrpb",
                                  .n = sizeof crosses / sizeof *crosses,
                                  .n_gaps = sizeof gaps / sizeof *gaps,
                                  .crosses = crosses,
                                  .gaps = gaps,
                                  .sample = sample};
