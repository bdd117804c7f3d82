/* SPDX-License-Identifier: Apache-2.0 */
/* l1_reply: crosses. */
#include "cosim/cross/cross.h"

#include "l1_reply.h"

enum { TURN, STAGE };

static const cross_t crosses[] = {
    [TURN] = {"turn",
              "which source is taken, after which",
              {{"taken", {"none", "a hit", "of the MSHR table", "of the bypass table"}},
               {"after", {"a hit", "one of the MSHR table", "one of the bypass table"}},
               {"valid sources", {"none", "one", "two", "three"}}}},
    [STAGE] = {"stage",
               "the request in the stage, as another is taken or not",
               {{"request", {"none", "offered", "starts", "starts and ends", "started", "ends"}},
                {"next", {"none waits", "waits", "is taken"}}}},
};

static const cross_gap_t gaps[] = {
    {"turn", "a hit|of the MSHR table|of the bypass table, *, none", "no source can be taken"},
    {"turn", "a hit, a hit, two|three", "the others come first"},
    {"turn", "of the MSHR table, one of the MSHR table, two|three", "the others come first"},
    {"turn", "of the bypass table, one of the bypass table, two|three", "the others come first"},
    {"turn", "a hit, one of the MSHR table, three", "the bypass table comes before"},
    {"turn", "of the MSHR table, one of the bypass table, three", "the read queue comes before"},
    {"turn", "of the bypass table, a hit, three", "the MSHR table comes before"},
    {"stage", "none|starts and ends|ends, waits", "the stage is free"},
    {"stage", "offered|starts|started, is taken", "the stage is not free"},
};

static void sample(const cross_cycle_t *c, cross_values_t value) {
  const l1_reply_regs_t *r = l1_reply_regs(c->model);
  const l1_reply_in_t *i = (const l1_reply_in_t *)(const void *)c->in;
  const l1_reply_out_t *o = (const l1_reply_out_t *)(const void *)c->out;
  if (!i->srst_ni) return;
  const uint64_t valid = i->read_valid_i + i->mshr_valid_i + i->bypass_valid_i;
  value[TURN][0] = o->read_ready_o ? 1 : o->mshr_ready_o ? 2 : o->bypass_ready_o ? 3 : 0;
  value[TURN][1] = (int8_t)r->last_q;
  value[TURN][2] = (int8_t)valid;
  value[STAGE][0] = !r->valid_q       ? 0
                    : r->started_q    ? (i->line_done_i ? 5 : 4)
                    : !i->out_ready_i ? 1
                    : i->line_done_i  ? 3
                                      : 2;
  value[STAGE][1] = valid == 0 ? 0 : o->data_read_o ? 2 : 1;
}

const cross_class_t cross_l1_reply = {.stem = "l1_reply",
                                      .n = sizeof crosses / sizeof *crosses,
                                      .n_gaps = sizeof gaps / sizeof *gaps,
                                      .crosses = crosses,
                                      .gaps = gaps,
                                      .sample = sample};
