/* SPDX-License-Identifier: Apache-2.0 */
/* Scenes of the PRT. Instructions have random lanes and offsets, and one request unless said. */
#include "estimate/energy/bench.h"
#include "prt.h"

static const prt_cfg_t *size(const energy_bench_t *b) {
  return (const prt_cfg_t *)(const void *)b->cfg;
}
static prt_in_t *input(energy_bench_t *b) {
  return (prt_in_t *)(void *)b->in;
}
static const prt_out_t *output(const energy_bench_t *b) {
  return (const prt_out_t *)(const void *)b->out;
}

static uint64_t lanes(energy_bench_t *b) {
  return energy_random(b, size(b)->LANES) | 1;
}

/* An instruction on the input; with `same`, all its lanes have offset 0. */
static void offer(energy_bench_t *b, uint64_t mask, bool same) {
  const unsigned bits = size(b)->LANES * size(b)->OFFSET_W;
  input(b)->alloc_mask_i = mask;
  input(b)->alloc_tag_i = energy_random(b, same ? 4 : size(b)->TAG_W);
  for (unsigned i = 0; i < bits && !same; i += 64)
    input(b)->alloc_offset_i[i / 64] = energy_random(b, bits - i < 64 ? bits - i : 64);
}

static void request(energy_bench_t *b, unsigned entry, uint64_t mask) {
  input(b)->issue_valid_i = 1;
  input(b)->issue_entry_i = entry;
  input(b)->issue_mask_i = mask;
}

static void reply(energy_bench_t *b, unsigned entry, uint64_t mask) {
  input(b)->reply_valid_i = 1;
  input(b)->reply_entry_i = entry;
  input(b)->reply_mask_i = mask;
}

/* The lanes of each entry, the entries in a random order, and in that of their allocation. */
typedef struct {
  uint64_t mask[512];
  unsigned order[512], at[512];
  unsigned n;
} table_t;

/* Allocates all entries; each is sent on its way by `each`. */
static void allocate_all(energy_bench_t *b, table_t *t, bool same, void (*each)(energy_bench_t *)) {
  for (t->n = 0; t->n < size(b)->ENTRIES && (b->left > 0 || !b->counting); t->n++) {
    const uint64_t mask = lanes(b);
    offer(b, mask, same);
    input(b)->alloc_valid_i = 1;
    energy_look(b);
    const unsigned k = (unsigned)energy_random(b, 16) % (t->n + 1);
    t->order[t->n] = t->order[k];
    t->order[k] = (unsigned)output(b)->alloc_entry_o;
    t->at[t->n] = t->order[k];
    t->mask[t->order[k]] = mask;
    each(b);
  }
}

/* Sends the request of each entry, in random order. */
static void issue_all(energy_bench_t *b, const table_t *t, void (*each)(energy_bench_t *)) {
  for (unsigned i = 0; i < t->n && (b->left > 0 || !b->counting); i++) {
    request(b, t->order[i], t->mask[t->order[i]]);
    each(b);
  }
}

/* With ORDER 1 entries are released in the order of their allocation: replies come in it, too. */
static void reply_all(energy_bench_t *b, const table_t *t, void (*each)(energy_bench_t *)) {
  for (unsigned i = 0; i < t->n && (b->left > 0 || !b->counting); i++) {
    const unsigned entry = size(b)->ORDER ? t->at[i] : t->order[i];
    reply(b, entry, t->mask[entry]);
    each(b);
  }
}

static void age(energy_bench_t *b, table_t *t) {
  allocate_all(b, t, false, energy_cycle);
  issue_all(b, t, energy_cycle);
  reply_all(b, t, energy_cycle);
  energy_wait(b, 1);
}

static void play_idle(energy_bench_t *b) {
  table_t t;
  age(b, &t);
  energy_count(b, true);
  energy_wait(b, ENERGY_CYCLES);
}

static void play_input(energy_bench_t *b) {
  table_t t;
  age(b, &t);
  energy_count(b, true);
  while (b->left > 0) {
    offer(b, lanes(b), false);
    energy_event(b);
  }
}

static void play_allocate(energy_bench_t *b) {
  table_t t;
  age(b, &t);
  while (b->left > 0) {
    energy_count(b, true);
    allocate_all(b, &t, false, energy_event);
    energy_count(b, false);
    issue_all(b, &t, energy_cycle);
    reply_all(b, &t, energy_cycle);
    energy_wait(b, 1);
  }
}

static void issues(energy_bench_t *b, void (*each)(energy_bench_t *)) {
  table_t t;
  age(b, &t);
  while (b->left > 0) {
    allocate_all(b, &t, false, energy_cycle);
    energy_wait(b, 1);
    energy_count(b, true);
    issue_all(b, &t, each);
    energy_count(b, false);
    reply_all(b, &t, energy_cycle);
    energy_wait(b, 1);
  }
}

static void play_issue(energy_bench_t *b) {
  issues(b, energy_event);
}
/* One in each cycle: the input does not go back to 0 between them. */
static void play_issue_stream(energy_bench_t *b) {
  issues(b, energy_cycle);
}

static void replies(energy_bench_t *b, bool same, void (*each)(energy_bench_t *)) {
  table_t t;
  age(b, &t);
  while (b->left > 0) {
    allocate_all(b, &t, same, energy_cycle);
    issue_all(b, &t, energy_cycle);
    energy_wait(b, 1);
    energy_count(b, true);
    reply_all(b, &t, each);
    energy_count(b, false);
    energy_wait(b, 1);
  }
}

static void play_reply(energy_bench_t *b) {
  replies(b, false, energy_event);
}
static void play_same_reply(energy_bench_t *b) {
  replies(b, true, energy_event);
}
static void play_reply_stream(energy_bench_t *b) {
  replies(b, false, energy_cycle);
}

static const energy_term_t terms[] = {
    {"idle cycle", "cycles", {NULL}, play_idle},
    {"allocate", "allocate", {NULL}, play_allocate},
    {"issue", "issue", {NULL}, play_issue},
    {"reply, the instruction's last", "reply", {NULL}, play_reply},
    {"a bit of the instruction's input toggles",
     NULL,
     {"alloc_mask_i", "alloc_tag_i", "alloc_offset_i"},
     play_input},
    {"a bit of the issue's valid and entry toggles",
     NULL,
     {"issue_valid_i", "issue_entry_i"},
     play_issue_stream},
    {"a bit of the reply's valid and entry toggles",
     NULL,
     {"reply_valid_i", "reply_entry_i"},
     play_reply_stream},
    {"a bit of the reply's output toggles",
     NULL,
     {"reply_tag_o", "reply_offset_o"},
     play_same_reply},
};

const energy_module_t energy_prt = {"prt", terms, sizeof terms / sizeof *terms};
