/* SPDX-License-Identifier: Apache-2.0 */
/* Scenes of the MSHR table. Reads are stored for random lines. */
#include "estimate/energy/bench.h"
#include "mshr.h"

enum { SPARSE = 6 /* random bits of a line address where few bits are to toggle */ };

static const mshr_cfg_t *size(const energy_bench_t *b) {
  return (const mshr_cfg_t *)(const void *)b->cfg;
}
static mshr_in_t *input(energy_bench_t *b) {
  return (mshr_in_t *)(void *)b->in;
}
static const mshr_out_t *output(const energy_bench_t *b) {
  return (const mshr_out_t *)(const void *)b->out;
}

/* Puts a line on the input that has no entry, with `bits` random bits. */
static void new_line(energy_bench_t *b, unsigned bits) {
  if (bits > size(b)->ADDR_W) bits = size(b)->ADDR_W;
  for (unsigned tries = 0; tries < 256; tries++) {
    input(b)->req_addr_i = energy_random(b, bits);
    energy_look(b);
    if (input(b)->req_addr_i != 0 && !output(b)->req_merge_o) return;
  }
}

static void allocate(energy_bench_t *b, unsigned bits) {
  new_line(b, bits);
  input(b)->req_valid_i = 1;
  input(b)->req_data_i = energy_random(b, bits < size(b)->DATA_W ? bits : size(b)->DATA_W);
}

/* Allocates up to `n` entries in consecutive cycles, and merges `merges` reads into each. */
static void fill_table(energy_bench_t *b, unsigned n, unsigned merges, uint64_t *line) {
  for (unsigned i = 0; i < n; i++) {
    allocate(b, 64);
    line[i] = input(b)->req_addr_i;
    energy_cycle(b);
    for (unsigned k = 0; k < merges; k++) {
      *input(b) = (mshr_in_t){.srst_ni = 1, .req_valid_i = 1, .req_addr_i = line[i]};
      input(b)->req_data_i = energy_random(b, size(b)->DATA_W);
      energy_cycle(b);
    }
  }
}

/* Fills entries, in an order that is random but for its start; `each` sends an input on its way. */
static void fill_entries(energy_bench_t *b, unsigned n, void (*each)(energy_bench_t *)) {
  unsigned order[128];
  for (unsigned i = 0; i < n; i++) {
    const unsigned k = (unsigned)energy_random(b, 16) % (i + 1);
    order[i] = order[k];
    order[k] = i;
  }
  for (unsigned i = 0; i < n && (b->left > 0 || !b->counting); i++) {
    input(b)->fill_valid_i = 1;
    input(b)->fill_entry_i = order[i];
    each(b);
  }
}

static void drain_all(energy_bench_t *b) {
  energy_wait(b, 1);
  for (;;) {
    input(b)->out_ready_i = 1;
    energy_look(b);
    const bool more = output(b)->out_valid_o;
    energy_cycle(b);
    if (!more) return;
  }
}

static void empty(energy_bench_t *b) {
  fill_entries(b, size(b)->ENTRIES, energy_cycle);
  drain_all(b);
}

/* Leaves random old contents in a table that holds nothing. */
static void age(energy_bench_t *b) {
  uint64_t line[128];
  for (unsigned i = 0; i < 2; i++) {
    fill_table(b, size(b)->ENTRIES, i < size(b)->MERGES ? i : 0, line);
    empty(b);
  }
}

static void play_idle(energy_bench_t *b) {
  age(b);
  energy_count(b, true);
  energy_wait(b, ENERGY_CYCLES);
}

static void look_up(energy_bench_t *b, unsigned bits) {
  uint64_t line[128];
  age(b);
  fill_table(b, size(b)->ENTRIES / 2, 0, line);
  energy_wait(b, 1);
  energy_count(b, true);
  while (b->left > 0) {
    new_line(b, bits);
    energy_event(b);
  }
}

static void play_look_up(energy_bench_t *b) {
  look_up(b, 64);
}
static void play_sparse_look_up(energy_bench_t *b) {
  look_up(b, SPARSE);
}

static void allocations(energy_bench_t *b, unsigned bits) {
  age(b);
  while (b->left > 0) {
    energy_count(b, true);
    for (unsigned i = 0; i < size(b)->ENTRIES && b->left > 0; i++) {
      allocate(b, bits);
      energy_event(b);
    }
    energy_count(b, false);
    empty(b);
    energy_wait(b, 1);
  }
}

static void play_allocate(energy_bench_t *b) {
  allocations(b, 64);
}
static void play_sparse_allocate(energy_bench_t *b) {
  allocations(b, SPARSE + 1);
}

static void play_merge(energy_bench_t *b) {
  uint64_t line[128];
  const unsigned n = size(b)->ENTRIES, merges = size(b)->MERGES - 1;
  if (merges == 0) return;
  age(b);
  while (b->left > 0) {
    fill_table(b, n, 0, line);
    energy_wait(b, 1);
    energy_count(b, true);
    for (unsigned i = 0; i < n * merges && b->left > 0; i++) {
      input(b)->req_valid_i = 1;
      input(b)->req_addr_i = line[i % n];
      input(b)->req_data_i = energy_random(b, size(b)->DATA_W);
      energy_event(b);
    }
    energy_count(b, false);
    empty(b);
  }
}

static void play_fill(energy_bench_t *b) {
  uint64_t line[128];
  age(b);
  while (b->left > 0) {
    fill_table(b, size(b)->ENTRIES, 0, line);
    energy_wait(b, 1);
    energy_count(b, true);
    fill_entries(b, size(b)->ENTRIES, energy_event);
    energy_count(b, false);
    if (b->left > 0) drain_all(b);
    energy_wait(b, 1);
  }
}

/* Drains all reads; those that are the last of their entry are counted, or the others. */
static void drain(energy_bench_t *b, unsigned merges, bool last) {
  uint64_t line[128];
  age(b);
  while (b->left > 0) {
    fill_table(b, size(b)->ENTRIES, merges, line);
    fill_entries(b, size(b)->ENTRIES, energy_cycle);
    energy_wait(b, 1);
    for (energy_look(b); output(b)->out_valid_o && b->left > 0; energy_look(b)) {
      if (b->counting != (output(b)->out_last_o == last)) energy_count(b, !b->counting);
      input(b)->out_ready_i = 1;
      energy_event(b);
    }
    energy_count(b, false);
  }
}

static void play_drain(energy_bench_t *b) {
  if (size(b)->MERGES > 1) drain(b, size(b)->MERGES - 1, false);
}
static void play_release(energy_bench_t *b) {
  drain(b, 0, true);
}

/* A store looks for its line among the entries. */
static void play_store(energy_bench_t *b) {
  uint64_t line[128];
  age(b);
  fill_table(b, size(b)->ENTRIES / 2, 0, line);
  energy_wait(b, 1);
  energy_count(b, true);
  while (b->left > 0) {
    input(b)->store_valid_i = 1;
    input(b)->store_addr_i = energy_random(b, size(b)->ADDR_W);
    energy_event(b);
  }
}

static const energy_term_t terms[] = {
    {"idle cycle", "cycles", {NULL}, play_idle},
    {"look-up", "look_up", {NULL}, play_look_up},
    {"allocate", "allocate", {NULL}, play_allocate},
    {"merge", "merge", {NULL}, play_merge},
    {"fill", "fill", {NULL}, play_fill},
    {"drain", "drain", {NULL}, play_drain},
    {"release, on top of its drain", "release", {NULL}, play_release},
    {"a bit of the address input toggles", NULL, {"req_addr_i"}, play_sparse_look_up},
    {"a bit of a store's look-up toggles", NULL, {"store_valid_i", "store_addr_i"}, play_store},
    {"a bit of a stored address toggles", NULL, {"addr_q"}, play_sparse_allocate},
};

const energy_module_t energy_mshr = {"mshr", terms, sizeof terms / sizeof *terms};
