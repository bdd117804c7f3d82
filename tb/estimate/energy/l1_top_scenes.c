/* SPDX-License-Identifier: Apache-2.0 */
/* Scenes of the whole L1: full warps, each in one line, and a memory that answers at once. Registers
 * and data are random, so the energy of an event has the bits that they toggle. */
#include "estimate/energy/bench.h"

#include "bits.h"
#include "l1_top.h"

enum { LINES = 8, PENDING = 64, WARM = 64 };

/* What memory has taken and not answered. */
typedef struct {
  energy_bench_t *b;
  uint64_t id[PENDING], beats[PENDING], bypass_id; /* bypass_id: the bit of an id that says so */
  unsigned n, writes;
  bool holds; /* only bypassed reads are answered */
} path_t;

static const l1_top_cfg_t *size(const energy_bench_t *b) {
  return (const l1_top_cfg_t *)(const void *)b->cfg;
}
static l1_top_in_t *input(energy_bench_t *b) {
  return (l1_top_in_t *)(void *)b->in;
}
static const l1_top_out_t *output(const energy_bench_t *b) {
  return (const l1_top_out_t *)(const void *)b->out;
}

static path_t begin(energy_bench_t *b) {
  const l1_top_cfg_t *c = size(b);
  const uint32_t most = (c->MSHRS - 1) | (c->BYPASSES - 1) | (c->STORES - 1);
  return (path_t){.b = b, .bypass_id = UINT64_C(1) << bits_index_w(most + 1)};
}

static void random_words(energy_bench_t *b, uint64_t *words, unsigned bits) {
  for (unsigned k = 0; k < bits; k += 32) words_put(words, k, 32, energy_random(b, 32));
}

/* The read that is answered next; the beats of one come together. */
static unsigned next_read(const path_t *p) {
  unsigned i = 0;
  while (i < p->n && p->holds && !(p->id[i] & p->bypass_id)) i++;
  return i;
}

/* A cycle with what is on the input: the core takes every answer, memory everything. */
static void cycle(path_t *p) {
  l1_top_in_t *in = input(p->b);
  const unsigned i = next_read(p);
  in->out_ready_i = in->ar_ready_i = in->aw_ready_i = in->w_ready_i = 1;
  in->b_valid_i = p->writes > 0;
  if (i < p->n) {
    in->r_valid_i = 1;
    in->r_id_i = p->id[i];
    in->r_last_i = p->beats[i] == 1;
    random_words(p->b, in->r_data_i, 32 * size(p->b)->BUS_WORDS);
  }
  p->writes -= p->writes > 0;
  energy_cycle(p->b);
  if (i < p->n && --p->beats[i] == 0) {
    p->n--;
    for (unsigned k = i; k < p->n; k++) p->id[k] = p->id[k + 1], p->beats[k] = p->beats[k + 1];
  }
  const l1_top_out_t *out = output(p->b);
  if (out->ar_valid_o && p->n < PENDING) {
    p->id[p->n] = out->ar_id_o;
    p->beats[p->n++] = out->ar_len_o + 1;
  }
  p->writes += out->w_valid_o && out->w_last_o;
}

/* A warp's instruction with all lanes in `line`, and the idle cycles up to the next. */
static void instruction(path_t *p, uint64_t line, bool write) {
  energy_bench_t *b = p->b;
  const l1_top_cfg_t *c = size(b);
  const unsigned word_w = bits_index_w(c->WORDS);
  l1_top_in_t *in = input(b);
  in->in_valid_i = 1;
  in->in_write_i = write;
  in->in_warp_i = energy_random(b, 6);
  in->in_tag_i = energy_random(b, c->TAG_W);
  in->in_mask_i = bits_mask(c->LANES);
  for (unsigned l = 0; l < c->LANES; l++) {
    words_put(in->in_line_i, l * c->ADDR_W, c->ADDR_W, line);
    words_put(in->in_word_i, l * word_w, word_w, l % c->WORDS);
  }
  if (write) random_words(b, in->in_data_i, 32 * c->LANES);
  for (unsigned l = 0; write && l < c->LANES; l++) words_put(in->in_bytes_i, 4 * l, 4, 15);
  cycle(p);
  for (unsigned i = 1; i < ENERGY_SPACING; i++) cycle(p);
}

static void rest(path_t *p, unsigned cycles) {
  while (cycles--) cycle(p);
}

static void play_idle(energy_bench_t *b) {
  path_t p = begin(b);
  for (unsigned i = 0; i < WARM; i++) instruction(&p, energy_random(b, size(b)->ADDR_W), i % 2);
  rest(&p, WARM);
  energy_count(b, true);
  rest(&p, ENERGY_CYCLES);
}

/* Lines of the lowest sets, which are fetched before the counting begins. */
static void play_hit(energy_bench_t *b) {
  path_t p = begin(b);
  const l1_top_cfg_t *c = size(b);
  const uint64_t lines = c->SETS * c->WAYS < LINES ? c->SETS * c->WAYS : LINES;
  if (c->HASH || bits_clog2((uint32_t)lines) > c->ADDR_W) return;
  for (unsigned i = 0; i < WARM; i++) instruction(&p, i % lines, false);
  energy_count(b, true);
  while (b->left > 0) instruction(&p, energy_random(b, 16) % lines, false);
}

static void random_lines(energy_bench_t *b, bool write) {
  path_t p = begin(b);
  for (unsigned i = 0; i < WARM; i++) instruction(&p, energy_random(b, size(b)->ADDR_W), write);
  energy_count(b, true);
  while (b->left > 0) instruction(&p, energy_random(b, size(b)->ADDR_W), write);
}
static void play_miss(energy_bench_t *b) {
  random_lines(b, false);
}
static void play_store(energy_bench_t *b) {
  random_lines(b, true);
}

/* All ways of set 0 are reserved by reads that memory does not answer; other lines of it bypass. */
static void play_bypass(energy_bench_t *b) {
  path_t p = begin(b);
  const l1_top_cfg_t *c = size(b);
  const unsigned set_w = bits_clog2(c->SETS);
  if (!c->BYPASS || c->HASH || c->MSHRS <= c->WAYS || c->ADDR_W < set_w + 8) return;
  p.holds = true;
  for (unsigned i = 0; i < c->WAYS; i++) instruction(&p, (uint64_t)i * c->SETS, false);
  for (unsigned i = 0; i < WARM + ENERGY_CYCLES / ENERGY_SPACING; i++) {
    if (i == WARM) energy_count(b, true);
    const uint64_t line = c->WAYS + energy_random(b, c->ADDR_W - set_w) / 2;
    instruction(&p, line * c->SETS & bits_mask(c->ADDR_W), false);
  }
}

static const energy_term_t terms[] = {
    {"idle cycle", "cycles", {NULL}, play_idle},
    {"hit", "hit", {NULL}, play_hit},
    {"miss: fetched, filled, answered", "miss", {NULL}, play_miss},
    {"bypass: refused, fetched, answered", "bypass", {NULL}, play_bypass},
    {"store: gathered and sent", "store", {NULL}, play_store},
};

const energy_module_t energy_l1_top = {"l1_top", terms, sizeof terms / sizeof *terms};
