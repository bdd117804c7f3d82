/* SPDX-License-Identifier: Apache-2.0 */
/* Scenes of the MRPB. Requests are reads of random warps with random payloads, unless said. */
#include "estimate/energy/bench.h"
#include "mrpb.h"

#include <string.h>

enum { SPARSE = 8 /* random bits of a payload where few bits are to toggle */ };

static const mrpb_cfg_t *size(const energy_bench_t *b) {
  return (const mrpb_cfg_t *)(const void *)b->cfg;
}
static mrpb_in_t *input(energy_bench_t *b) {
  return (mrpb_in_t *)(void *)b->in;
}
static mrpb_in_t *idle(energy_bench_t *b) {
  return (mrpb_in_t *)(void *)b->idle;
}
static const mrpb_out_t *output(const energy_bench_t *b) {
  return (const mrpb_out_t *)(const void *)b->out;
}

/* The L1's answer in all cycles in which nothing else is said. */
static void answer(energy_bench_t *b, unsigned what) {
  idle(b)->l1_answer_i = input(b)->l1_answer_i = what;
}

static void request(energy_bench_t *b, unsigned bits) {
  const uint32_t width = size(b)->DATA_W;
  const unsigned warp = (unsigned)energy_random(b, 16) % size(b)->QUEUES;
  input(b)->in_warp_i = warp;
  input(b)->in_block_i = warp % 8;
  input(b)->in_block_warp_i = warp / 8;
  input(b)->in_data_i = energy_random(b, bits < width ? bits : width);
}

static void drain_all(energy_bench_t *b) {
  answer(b, MRPB_L1_ACCEPTED);
  energy_wait(b, size(b)->QUEUES * size(b)->DEPTH + size(b)->LATENCY + 8);
  answer(b, MRPB_L1_OTHER_STALL);
}

/* Stores up to `n` requests; each is sent on its way by `each`. Stops before one that is refused. */
static void store(energy_bench_t *b, unsigned n, unsigned bits, void (*each)(energy_bench_t *)) {
  for (unsigned i = 0; i < n && (b->left > 0 || !b->counting); i++) {
    request(b, bits);
    input(b)->in_valid_i = 1;
    energy_look(b);
    if (!output(b)->in_ready_o) {
      memcpy(b->in, b->idle, sizeof b->in); /* not offered after all */
      return;
    }
    each(b);
  }
}

/* Leaves old contents in a buffer that holds nothing. */
static void age(energy_bench_t *b) {
  answer(b, MRPB_L1_OTHER_STALL);
  store(b, size(b)->QUEUES * size(b)->DEPTH, 64, energy_cycle);
  drain_all(b);
}

static unsigned half(const energy_bench_t *b) {
  return (size(b)->QUEUES * size(b)->DEPTH + 1) / 2;
}

static void play_idle(energy_bench_t *b) {
  age(b);
  energy_wait(b, 1);
  energy_count(b, true);
  energy_wait(b, ENERGY_CYCLES);
}

static void play_input(energy_bench_t *b) {
  age(b);
  energy_wait(b, 1);
  energy_count(b, true);
  while (b->left > 0) {
    request(b, 64);
    energy_event(b);
  }
}

/* The first request goes to the outbound buffer, uncounted, and waits there. */
static void enqueue(energy_bench_t *b, unsigned bits, void (*each)(energy_bench_t *)) {
  age(b);
  while (b->left > 0) {
    store(b, 1, bits, energy_cycle);
    energy_wait(b, size(b)->LATENCY + 2);
    energy_count(b, true);
    store(b, half(b), bits, each);
    energy_count(b, false);
    drain_all(b);
    energy_wait(b, 1);
  }
}

static void play_enqueue(energy_bench_t *b) {
  enqueue(b, 64, energy_event);
}
/* One in each cycle: the input does not go back to 0 between them. */
static void play_stream(energy_bench_t *b) {
  enqueue(b, 64, energy_cycle);
}

/* The L1 takes a request in one cycle of ENERGY_SPACING. */
static void dequeue(energy_bench_t *b, unsigned bits) {
  if (size(b)->ANSWER > 0) return;
  age(b);
  while (b->left > 0) {
    store(b, half(b), bits, energy_cycle);
    energy_wait(b, size(b)->LATENCY + 2);
    energy_look(b);
    const unsigned held = (unsigned)output(b)->held_o;
    energy_count(b, true);
    for (unsigned i = 1; i < held && b->left > 0; i++) {
      input(b)->l1_answer_i = MRPB_L1_ACCEPTED;
      energy_event(b);
    }
    energy_count(b, false);
    drain_all(b);
    energy_wait(b, 1);
  }
}

static void play_dequeue(energy_bench_t *b) {
  dequeue(b, 64);
}
static void play_sparse_dequeue(energy_bench_t *b) {
  dequeue(b, SPARSE);
}

static void play_pass(energy_bench_t *b) {
  if (!size(b)->FLUSH || size(b)->ANSWER > 0) return;
  age(b);
  answer(b, MRPB_L1_ACCEPTED);
  energy_wait(b, 1);
  energy_count(b, true);
  while (b->left > 0) {
    request(b, 64);
    input(b)->in_valid_i = 1;
    input(b)->in_kind_i = MRPB_KIND_WRITE;
    energy_event(b);
  }
}

/* A presented request waits while the reason changes. */
static void play_answer(energy_bench_t *b) {
  if (size(b)->ANSWER > 0) return;
  age(b);
  store(b, half(b), 64, energy_cycle);
  energy_wait(b, size(b)->LATENCY + 2);
  energy_count(b, true);
  while (b->left > 0) {
    answer(b, MRPB_L1_ASSOC_STALL);
    energy_wait(b, ENERGY_SPACING / 2);
    answer(b, MRPB_L1_OTHER_STALL);
    energy_wait(b, ENERGY_SPACING / 2);
  }
}

static const energy_term_t terms[] = {
    {"idle cycle", "cycles", {NULL}, play_idle},
    {"enqueue", "store", {NULL}, play_enqueue},
    {"dequeue: drained, presented, leaves", "drain", {NULL}, play_dequeue},
    {"a write passes and leaves", "pass", {NULL}, play_pass},
    {"a bit of the request's data toggles", NULL, {"in_data_i"}, play_input},
    {"a bit of its valid, kind, warp toggles",
     NULL,
     {"in_valid_i", "in_kind_i", "in_warp_i", "in_block_i", "in_block_warp_i"},
     play_stream},
    {"a bit of the presented request toggles",
     NULL,
     {"out_write_o", "out_warp_o", "out_block_o", "out_data_o"},
     play_sparse_dequeue},
    {"a bit of the L1's answer toggles", NULL, {"l1_answer_i"}, play_answer},
};

const energy_module_t energy_mrpb = {"mrpb", terms, sizeof terms / sizeof *terms};
