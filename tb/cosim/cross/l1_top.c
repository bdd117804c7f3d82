/* SPDX-License-Identifier: Apache-2.0 */
/* l1_top: crosses. */
#include "cosim/cross/cross.h"

#include "l1_top.h"

enum { DECIDED, MEMORY, CORE };

static const cross_t crosses[] = {
    [DECIDED] = {"decided",
                 "what is decided while memory and the core are busy or not",
                 {{"event", {"hit", "miss", "merge", "bypass", "store", "refused"}},
                  {"read", {"none", "taken", "waits"}},
                  {"answer", {"none", "taken", "waits"}}}},
    [MEMORY] = {"memory",
                "channels of the bus in one cycle",
                {{"read", {"none", "taken", "waits"}},
                 {"write", {"none", "taken", "waits"}},
                 {"beat", {"none", "a beat of a line", "the last one"}}}},
    [CORE] = {"core",
              "an instruction that is offered",
              {{"kind", {"load", "store", "nothing"}},
               {"it is", {"taken", "refused"}},
               {"besides", {"nothing", "a barrier", "a flush"}}}},
};

static const cross_gap_t gaps[] = {
    {"core", "*, taken, a flush", "nothing is taken during a flush"},
    {"memory", "none, none, none", "a cycle without any of them is not counted"},
};

static int8_t offered(uint64_t valid, uint64_t ready) {
  return !valid ? 0 : ready ? 1 : 2;
}

static void sample(const cross_cycle_t *c, cross_values_t value) {
  const l1_top_in_t *i = (const l1_top_in_t *)(const void *)c->in;
  const l1_top_out_t *o = (const l1_top_out_t *)(const void *)c->out;
  if (!i->srst_ni) return;
  const int8_t read = offered(o->ar_valid_o, i->ar_ready_i);
  const uint64_t events = (o->event_o & 31) | (o->event_o >> 5 & 3 ? 32 : 0);
  if (events) {
    value[DECIDED][0] = (int8_t)__builtin_ctzll(events);
    value[DECIDED][1] = read;
    value[DECIDED][2] = offered(o->out_valid_o, i->out_ready_i);
  }
  if (o->ar_valid_o || o->aw_valid_o || i->r_valid_i) {
    value[MEMORY][0] = read;
    value[MEMORY][1] = offered(o->aw_valid_o, i->aw_ready_i);
    value[MEMORY][2] = !i->r_valid_i ? 0 : i->r_last_i ? 2 : 1;
  }
  if (i->in_valid_i) {
    value[CORE][0] = !i->in_mask_i ? 2 : i->in_write_i ? 1 : 0;
    value[CORE][1] = !o->in_ready_o;
    value[CORE][2] = i->flush_i ? 2 : i->barrier_valid_i ? 1 : 0;
  }
}

const cross_class_t cross_l1_top = {.stem = "l1_top",
                                    .n = sizeof crosses / sizeof *crosses,
                                    .n_gaps = sizeof gaps / sizeof *gaps,
                                    .crosses = crosses,
                                    .gaps = gaps,
                                    .sample = sample};
