/* SPDX-License-Identifier: Apache-2.0 */
/* flush_control: crosses. */
#include "cosim/cross/cross.h"

#include "bits.h"
#include "flush_control.h"

enum { OFFER, OUTCOME, BUSY };

static const cross_t crosses[] = {
    [OFFER] = {"offer",
               "what is offered for which queue",
               {{"flush", {"off", "on"}},
                {"kind", {"read", "write", "barrier 2", "barrier 3"}},
                {"queue", {"empty", "holds entries", "full", "said to be both", "no queue"}}}},
    [OUTCOME] = {"outcome",
                 "what becomes of it",
                 {{"flush", {"off", "on"}},
                  {"kind", {"read", "write", "barrier"}},
                  {"outcome",
                   {"waits", "is stored", "passes", "flushes: full", "flushes: write"}}}},
    [BUSY] = {"busy",
              "the block and the outbound buffer meanwhile",
              {{"kind", {"nothing", "read", "write", "barrier"}},
               {"block", {"idle", "busy"}},
               {"outbound buffer", {"occupied", "free"}}}},
};

static const cross_gap_t gaps[] = {
    {"outcome", "*, read, passes", "only writes and barriers pass"},
    {"outcome", "*, read, flushes: write", "rule 2 is for writes"},
    {"outcome", "*, write, flushes: full", "a write is stored or passes: rule 1 is for reads"},
    {"outcome", "off, *, flushes: full|flushes: write", "without the option nothing flushes"},
    {"outcome", "off, write, passes", "without the option writes are stored"},
    {"outcome", "on, read, waits", "a read that finds no place flushes its queue"},
    {"outcome", "on, write, is stored", "with the option writes pass"},
    {"outcome", "*, barrier, is stored|flushes: full|flushes: write", "a barrier waits or passes"},
};

static void sample(const cross_cycle_t *c, cross_values_t value) {
  const flush_control_in_t *i = (const flush_control_in_t *)(const void *)c->in;
  const flush_control_out_t *o = (const flush_control_out_t *)(const void *)c->out;
  const uint64_t q = i->in_queue_i;
  const bool exists = q < flush_control_sizes(c->cfg)->QUEUES,
             full = exists && (i->full_i >> q & 1), empty = exists && (i->empty_i >> q & 1);
  value[BUSY][0] = (int8_t)(!i->in_valid_i                      ? 0
                            : i->in_kind_i >= MRPB_KIND_BARRIER ? 3
                                                                : i->in_kind_i + 1);
  value[BUSY][1] = (int8_t)i->block_busy_i;
  value[BUSY][2] = (int8_t)i->slot_i;
  if (!i->in_valid_i) return;
  value[OFFER][0] = value[OUTCOME][0] = (int8_t)flush_control_sizes(c->cfg)->FLUSH;
  value[OFFER][1] = (int8_t)i->in_kind_i;
  value[OFFER][2] = !exists ? 4 : full && empty ? 3 : full ? 2 : empty ? 0 : 1;
  value[OUTCOME][1] = (int8_t)(i->in_kind_i >= MRPB_KIND_BARRIER ? 2 : i->in_kind_i);
  value[OUTCOME][2] = o->flush_full_o    ? 3
                      : o->flush_write_o ? 4
                      : o->store_o       ? 1
                      : o->in_ready_o    ? 2
                                         : 0;
}

const cross_class_t cross_flush_control = {.stem = "flush_control",
                                           .n = sizeof crosses / sizeof *crosses,
                                           .n_gaps = sizeof gaps / sizeof *gaps,
                                           .crosses = crosses,
                                           .gaps = gaps,
                                           .sample = sample};
