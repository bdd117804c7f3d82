/* SPDX-License-Identifier: Apache-2.0 */
/* drain_selector: crosses. */
#include "cosim/cross/cross.h"
#include "cosim/stim/counts.h"

#include "bits.h"
#include "drain_selector.h"

enum { SELECT, TIE, TAKE, FORCE };

#define POLICIES                                                                                   \
  { "fixed", "greedy fixed", "round robin", "greedy round robin", "longest", "greedy longest" }

static const cross_t crosses[] = {
    [SELECT] = {"select",
                "why a queue is selected",
                {{"policy", POLICIES},
                 {"drainable queues", {"one", "some", "all"}},
                 {"cause", {"policy", "held", "forced"}}}},
    [TIE] = {"tie",
             "longest first: queues of the greatest length",
             {{"policy", {"longest", "greedy longest"}},
              {"longest queues", {"one", "two", "more"}},
              {"taken", {"no", "yes"}}}},
    [TAKE] = {"take",
              "an entry added in the cycle of a take",
              {{"added",
                {"nothing", "to the selected queue", "to another", "dropped: full",
                 "dropped: no queue"}},
               {"take", {"nothing selected", "not taken", "entries stay", "queue empties"}}}},
    [FORCE] = {"force",
               "a forced queue",
               {{"force", {"none", "drainable", "empty", "no queue"}},
                {"hold", {"no", "yes"}},
                {"taken", {"no", "yes"}}}},
};

static const cross_gap_t gaps[] = {
    {"select", "fixed|round robin|longest, *, held", "only the greedy forms hold a queue"},
    {"take", "to the selected queue, nothing selected", "there is no selected queue"},
    {"take", "dropped: full, nothing selected", "a full queue can be selected"},
};

static int8_t longest(const uint32_t *cfg, const drain_selector_regs_t *r, uint64_t queue) {
  unsigned n = 0;
  for (unsigned q = 0; q < drain_selector_sizes(cfg)->QUEUES; q++)
    n += counts_drainable(r, q) == counts_drainable(r, queue);
  return n > 2 ? 2 : (int8_t)(n - 1);
}

static void sample(const cross_cycle_t *c, cross_values_t value) {
  const uint32_t queues = drain_selector_sizes(c->cfg)->QUEUES,
                 policy = drain_selector_sizes(c->cfg)->POLICY;
  const drain_selector_regs_t *r = drain_selector_regs(c->model);
  const drain_selector_in_t *i = (const drain_selector_in_t *)(const void *)c->in;
  const drain_selector_out_t *o = (const drain_selector_out_t *)(const void *)c->out;
  if (!i->srst_ni) return;
  const uint64_t sel = o->sel_queue_o;
  const bool take = i->take_i && o->sel_valid_o;
  const int8_t cause = o->forced_o ? 2 : r->hold_q ? 1 : 0;
  if (o->sel_valid_o) {
    const unsigned n = (unsigned)__builtin_popcountll(o->nonempty_o);
    value[SELECT][0] = (int8_t)policy;
    value[SELECT][1] = n == 1 ? 0 : n < queues ? 1 : 2;
    value[SELECT][2] = cause;
  }
  if (o->sel_valid_o && cause == 0 && policy >= 4) {
    value[TIE][0] = (int8_t)(policy - 4);
    value[TIE][1] = longest(c->cfg, r, sel);
    value[TIE][2] = take;
  }
  value[TAKE][0] = !i->add_valid_i                           ? 0
                   : o->add_drop_o                           ? (i->add_queue_i < queues ? 3 : 4)
                   : o->sel_valid_o && i->add_queue_i == sel ? 1
                                                             : 2;
  value[TAKE][1] = !o->sel_valid_o ? 0 : !take ? 1 : r->more_q[sel] > 0 ? 2 : 3;
  value[FORCE][0] = !i->force_valid_i                       ? 0
                    : i->force_queue_i >= queues            ? 3
                    : o->nonempty_o >> i->force_queue_i & 1 ? 1
                                                            : 2;
  value[FORCE][1] = (int8_t)r->hold_q;
  value[FORCE][2] = take;
}

const cross_class_t cross_drain_selector = {.stem = "drain_selector",
                                            .n = sizeof crosses / sizeof *crosses,
                                            .n_gaps = sizeof gaps / sizeof *gaps,
                                            .crosses = crosses,
                                            .gaps = gaps,
                                            .sample = sample};
