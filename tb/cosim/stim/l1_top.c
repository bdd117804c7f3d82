/* SPDX-License-Identifier: Apache-2.0 */
/* l1_top: a core that offers instructions of many warps to few lines, and an AXI memory. Lanes are
 * in one line, in neighbouring ones, or anywhere. The memory answers what was asked and nothing
 * else: it keeps a list of the reads that it has taken, and answers them in any order, beats mixed or
 * not. Writes have one id; it counts them, and answers one for one. Warps keep their blocks. A flush lasts until it is done. */
#include "cosim/stim/stim.h"

#include "bits.h"
#include "l1_top.h"

#include <string.h>

enum { FLOW, FILL, SLOW, STORES, HOT, SPREAD, BARRIERS, DRAIN, KINDS };
enum { POOL = 24, READS = 160 };

typedef struct {
  uint64_t id;
  unsigned beats;
} read_t;

typedef struct {
  l1_top_cfg_t cfg;
  unsigned word_w, id_w;
  prng_t core, memory, data;
  stim_phase_t phase, reset;
  uint64_t pool[POOL];
  uint32_t lines; /* of the pool in this phase */
  l1_top_in_t offer;
  bool taken, flushing, mixed;
  /* What memory has taken and not answered. */
  read_t read[READS];
  unsigned n_reads, n_writes, n_whole; /* writes: addresses, and last beats */
  const uint16_t *prt_count, *held;
  const uint8_t *miss_count, *flight_count, *read_count, *response_count, *stores_count;
  const uint8_t *mshr_count;
} state_t;

static bool lanes(const uint32_t *cfg) {
  return l1_top_sizes(cfg)->LANES > 1;
}
static bool merges(const uint32_t *cfg) {
  return l1_top_sizes(cfg)->MERGES > 1;
}
static bool bypasses(const uint32_t *cfg) {
  return l1_top_sizes(cfg)->BYPASS != 0;
}
static bool assoc(const uint32_t *cfg) {
  return l1_top_sizes(cfg)->MSHRS > l1_top_sizes(cfg)->WAYS;
}
/* A sector need not have all beats; a line has several. */
static bool sectors(const uint32_t *cfg) {
  const l1_top_cfg_t *c = l1_top_sizes(cfg);
  return c->SECTORS > 1 && c->WORDS > c->BUS_WORDS;
}
static bool beats(const uint32_t *cfg) {
  return l1_top_sizes(cfg)->WORDS > l1_top_sizes(cfg)->BUS_WORDS;
}
static bool several(const uint32_t *cfg) {
  return beats(cfg) && l1_top_sizes(cfg)->MSHRS > 1;
}
static bool few_mshrs(const uint32_t *cfg) {
  return l1_top_sizes(cfg)->MSHRS <= l1_top_sizes(cfg)->SETS * l1_top_sizes(cfg)->WAYS &&
         l1_top_sizes(cfg)->MSHRS <= 16;
}
static bool few_entries(const uint32_t *cfg) {
  return l1_top_sizes(cfg)->ENTRIES <= 64;
}
static bool few_misses(const uint32_t *cfg) {
  return l1_top_sizes(cfg)->MISSES <= 8;
}
static bool few_reads(const uint32_t *cfg) {
  return l1_top_sizes(cfg)->READS <= 4;
}

#define BINS(X)                                                                                    \
  X(load, NULL, "a load is taken")                                                                 \
  X(store, NULL, "a store is taken")                                                               \
  X(nothing, NULL, "an instruction without lanes is taken")                                        \
  X(waits, NULL, "an instruction waits")                                                           \
  X(hit, NULL, "a hit")                                                                            \
  X(miss, NULL, "a miss")                                                                          \
  X(merge, merges, "a read merges")                                                                \
  X(bypass, bypasses, "a read bypasses the L1")                                                    \
  X(sent, NULL, "a store is sent")                                                                 \
  X(refused_assoc, assoc, "a read is refused: every way is reserved")                              \
  X(refused, NULL, "a request is refused for another reason")                                      \
  X(evict, NULL, "a store evicts a line")                                                          \
  X(sector_miss, sectors, "a read from memory of some sectors of a line")                          \
  X(long_read, beats, "a read from memory of several beats")                                       \
  X(mixed, several, "a beat of another read between those of a read")                              \
  X(read_waits, NULL, "a read waits for memory")                                                   \
  X(write_waits, NULL, "a write waits for memory")                                                 \
  X(beat_first, NULL, "a beat is taken before its write's address")                                \
  X(stored, NULL, "memory has performed a store")                                                  \
  X(answer, NULL, "an answer is taken")                                                            \
  X(answer_waits, NULL, "an answer waits for the core")                                            \
  X(answer_part, lanes, "an answer that is not its load's last")                                   \
  X(barrier, NULL, "a barrier is taken")                                                           \
  X(barrier_waits, NULL, "a barrier waits")                                                        \
  X(flushed, NULL, "the cache is flushed")                                                         \
  X(flush_waits, NULL, "a flush waits")                                                            \
  X(all_mshrs, few_mshrs, "every entry of the MSHR table is in use")                               \
  X(all_entries, few_entries, "every entry of the PRT is in use")                                  \
  X(all_stores, NULL, "every entry of the store buffer is in use")                                 \
  X(many_writes, NULL, "as many stores are in flight as the queue holds, or eight")                \
  X(all_misses, few_misses, "the miss queue is full")                                              \
  X(all_reads, few_reads, "the read queue is full")                                                \
  X(all_answers, NULL, "the response queue is full")                                               \
  X(idle, NULL, "nothing is under way")                                                            \
  X(reset_in_use, NULL, "reset while loads are outstanding")
#include "cosim/stim/bins.h"

static void start(void *state, const uint32_t *cfg, uint64_t seed) {
  state_t *s = state;
  memset(s, 0, sizeof *s);
  memcpy(&s->cfg, cfg, sizeof s->cfg);
  s->word_w = bits_index_w(s->cfg.WORDS);
  s->id_w =
      1 + bits_index_w(((s->cfg.MSHRS - 1) | (s->cfg.BYPASSES - 1) | (s->cfg.STORES - 1)) + 1);
  s->core = prng_seed(seed, 1);
  s->memory = prng_seed(seed, 2);
  s->data = prng_seed(seed, 3);
  s->phase.rng = prng_seed(seed, 4);
  s->reset.rng = prng_seed(seed, 5);
}

static void find_registers(state_t *s, const void *model) {
  module_reg_t regs[MODULE_MAX_REGS];
  l1_top_class.regs(model, regs);
  for (unsigned i = 0; i < l1_top_class.n_regs; i++) {
    const char *name = regs[i].name;
    if (strcmp(name, "u_prt.count_q") == 0) s->prt_count = regs[i].data;
    if (strcmp(name, "u_mrpb.held_q") == 0) s->held = regs[i].data;
    if (strcmp(name, "u_miss.count_q") == 0) s->miss_count = regs[i].data;
    if (strcmp(name, "u_flight.count_q") == 0) s->flight_count = regs[i].data;
    if (strcmp(name, "u_read.count_q") == 0) s->read_count = regs[i].data;
    if (strcmp(name, "u_response.count_q") == 0) s->response_count = regs[i].data;
    if (strcmp(name, "u_store_buffer.count_q") == 0) s->stores_count = regs[i].data;
    if (strcmp(name, "u_mshr.count_q") == 0) s->mshr_count = regs[i].data;
  }
}

/* ---- the core ------------------------------------------------------------------------------- */

/* A phase: lines that are neighbours, in one set, or anywhere. */
static void new_phase(state_t *s) {
  static const uint8_t lines[KINDS] = {12, 24, 16, 8, 2, 24, 8, 6};
  prng_t *rng = &s->phase.rng;
  const uint64_t base = prng_next(rng), step = prng_below(rng, 2) ? s->cfg.SETS : 1;
  s->lines = lines[s->phase.kind];
  s->mixed = prng_below(rng, 2);
  for (unsigned k = 0; k < POOL; k++) {
    uint64_t line = base + k * step;
    if (s->phase.kind == SPREAD) line = stim_edge(prng_next(rng), s->cfg.ADDR_W);
    s->pool[k] = bits(line, s->cfg.ADDR_W);
  }
}

/* Lanes in a row of words from a word on, lanes in one line, or lanes anywhere. */
static void place_lanes(state_t *s, l1_top_in_t *o) {
  prng_t *rng = &s->core;
  const uint32_t shape = prng_below(rng, 4), first = prng_below(rng, s->lines);
  const uint32_t word = shape == 0 ? 0 : prng_below(rng, s->cfg.WORDS);
  for (uint32_t l = 0; l < s->cfg.LANES; l++) {
    const uint64_t r = prng_next(rng);
    uint32_t line = first, at = (word + l) % s->cfg.WORDS;
    if (shape == 1) line = (first + (word + l) / s->cfg.WORDS) % s->lines;
    if (shape == 2) at = (uint32_t)(r >> 8 & 0xff) * s->cfg.WORDS >> 8;
    if (shape == 3) {
      line = (uint32_t)((r & 0xff) * s->lines >> 8);
      at = (uint32_t)(r >> 8 & 0xff) * s->cfg.WORDS >> 8;
    }
    words_put(o->in_line_i, l * s->cfg.ADDR_W, s->cfg.ADDR_W, s->pool[line]);
    words_put(o->in_word_i, l * s->word_w, s->word_w, at);
    words_put(o->in_data_i, l * 32, 32, bits(stim_edge(prng_next(&s->data), 32), 32));
    words_put(o->in_bytes_i, l * 4, 4, r >> 32 & 7 ? 15 : r >> 40 & 15);
  }
}

static void next_offer(state_t *s) {
  static const uint16_t rate[KINDS] = {800, 1000, 900, 900, 950, 900, 500, 60};
  static const uint16_t writes[KINDS] = {200, 60, 150, 800, 150, 200, 200, 200};
  l1_top_in_t *o = &s->offer;
  memset(o, 0, sizeof *o);
  o->in_valid_i = prng_chance(&s->core, rate[s->phase.kind]);
  if (!o->in_valid_i) return;
  const uint64_t r = prng_next(&s->core);
  o->in_write_i = prng_chance(&s->core, writes[s->phase.kind]);
  o->in_warp_i = r & 63;
  o->in_block_i = (r & 63) >> 2;
  o->in_block_warp_i = r & 3;
  o->in_tag_i = bits(r >> 8, s->cfg.TAG_W);
  o->in_split_i = r >> 32 & 3 ? r >> 34 & 3 : 0;
  o->in_mask_i = bits(r >> 36 & 1 ? UINT64_MAX : prng_next(&s->core), s->cfg.LANES);
  if ((r >> 40 & 15) == 0) o->in_mask_i = bits(UINT64_C(1) << (r >> 44 & 31), s->cfg.LANES);
  if ((r >> 50 & 63) == 0) o->in_mask_i = 0;
  place_lanes(s, o);
}

/* ---- memory --------------------------------------------------------------------------------- */

static void memory_answers(state_t *s, l1_top_in_t *i) {
  /* Of 1000: beats of reads, acknowledgments of writes, readies. */
  static const uint16_t r[KINDS] = {800, 250, 80, 500, 700, 600, 600, 900};
  static const uint16_t b[KINDS] = {600, 200, 60, 250, 500, 400, 500, 900};
  static const uint16_t ready[KINDS] = {900, 500, 150, 500, 900, 600, 900, 1000};
  prng_t *rng = &s->memory;
  const uint32_t kind = s->phase.kind;
  i->ar_ready_i = prng_chance(rng, ready[kind]);
  i->aw_ready_i = prng_chance(rng, ready[kind]);
  i->w_ready_i = prng_chance(rng, ready[kind]);
  if (s->n_reads > 0 && prng_chance(rng, r[kind])) {
    const read_t *read = &s->read[s->mixed ? prng_below(rng, s->n_reads) : 0];
    i->r_valid_i = 1;
    i->r_id_i = read->id;
    i->r_last_i = read->beats == 1;
    for (unsigned w = 0; w < s->cfg.BUS_WORDS; w++)
      words_put(i->r_data_i, 32 * w, 32, bits(stim_edge(prng_next(&s->data), 32), 32));
  }
  const unsigned whole = s->n_whole < s->n_writes ? s->n_whole : s->n_writes;
  i->b_valid_i = whole > 0 && prng_chance(rng, b[kind]);
}

static void remove_read(state_t *s, uint64_t id) {
  unsigned k = 0;
  while (k < s->n_reads && s->read[k].id != id) k++;
  if (k == s->n_reads || --s->read[k].beats > 0) return;
  s->n_reads--;
  memmove(&s->read[k], &s->read[k + 1], (s->n_reads - k) * sizeof *s->read);
}

static void memory_takes(state_t *s, const l1_top_in_t *i, const l1_top_out_t *o) {
  if (i->r_valid_i) remove_read(s, i->r_id_i);
  if (i->b_valid_i && s->n_writes && s->n_whole) s->n_writes--, s->n_whole--;
  if (o->ar_valid_o && i->ar_ready_i && s->n_reads < READS)
    s->read[s->n_reads++] = (read_t){o->ar_id_o, (unsigned)o->ar_len_o + 1};
  s->n_writes += o->aw_valid_o && i->aw_ready_i;
  s->n_whole += o->w_valid_o && i->w_ready_i && o->w_last_o;
}

/* ---- cycles --------------------------------------------------------------------------------- */

static void next(void *state, const void *model, uint64_t *in) {
  static const uint16_t takes[KINDS] = {950, 300, 700, 900, 800, 700, 950, 1000};
  static const uint16_t barriers[KINDS] = {10, 0, 5, 10, 10, 10, 400, 5};
  state_t *s = state;
  l1_top_in_t *i = (l1_top_in_t *)(void *)in;
  if (!s->held) find_registers(s, model);
  const bool begun = stim_phase(&s->phase, KINDS, 600);
  if (begun) new_phase(s);
  if (!s->offer.in_valid_i || s->taken || begun || prng_chance(&s->core, 30)) next_offer(s);
  *i = s->offer;
  i->srst_ni = stim_rst_n(&s->reset);
  const uint64_t r = prng_next(&s->core);
  i->barrier_valid_i = prng_chance(&s->core, barriers[s->phase.kind]);
  i->barrier_block_i = r >> 8 & 15;
  i->out_ready_i = prng_chance(&s->core, takes[s->phase.kind]);
  if (!s->flushing && s->phase.kind == DRAIN) s->flushing = prng_chance(&s->core, 10);
  if (!s->flushing) s->flushing = (r >> 16 & 0x7ff) == 0;
  i->flush_i = s->flushing;
  memory_answers(s, i);
}

static uint64_t core_bins(const state_t *s, const l1_top_in_t *i, const l1_top_out_t *o) {
  const bool taken = i->in_valid_i && o->in_ready_o;
  (void)s;
  return HIT(load, taken && !i->in_write_i && i->in_mask_i) |
         HIT(store, taken && i->in_write_i && i->in_mask_i) | HIT(nothing, taken && !i->in_mask_i) |
         HIT(waits, i->in_valid_i && !o->in_ready_o) |
         HIT(answer, o->out_valid_o && i->out_ready_i) |
         HIT(answer_waits, o->out_valid_o && !i->out_ready_i) |
         HIT(answer_part, o->out_valid_o && i->out_ready_i && !o->out_last_o) |
         HIT(barrier, i->barrier_valid_i && o->barrier_ready_o) |
         HIT(barrier_waits, i->barrier_valid_i && !o->barrier_ready_o) |
         HIT(flushed, o->flush_done_o) | HIT(flush_waits, i->flush_i && !o->flush_done_o);
}

static uint64_t memory_bins(const state_t *s, const l1_top_in_t *i, const l1_top_out_t *o) {
  const uint64_t whole = (s->cfg.WORDS + s->cfg.BUS_WORDS - 1) / s->cfg.BUS_WORDS;
  bool begun = false;
  for (unsigned k = 1; k < s->n_reads; k++) begun |= i->r_valid_i && s->read[k].id == i->r_id_i;
  return HIT(sector_miss, o->ar_valid_o && o->ar_len_o + 1 < whole) |
         HIT(long_read, o->ar_valid_o && o->ar_len_o > 0) | HIT(mixed, begun) |
         HIT(read_waits, o->ar_valid_o && !i->ar_ready_i) |
         HIT(write_waits, o->aw_valid_o && !i->aw_ready_i) |
         HIT(beat_first, o->aw_valid_o && !i->aw_ready_i && o->w_valid_o && i->w_ready_i) |
         HIT(stored, o->stored_valid_o);
}

static uint64_t event_bins(const state_t *s, const l1_top_out_t *o) {
  const uint64_t e = o->event_o;
  const l1_top_cfg_t *c = &s->cfg;
  return HIT(hit, e & 1) | HIT(miss, e >> 1 & 1) | HIT(merge, e >> 2 & 1) |
         HIT(bypass, e >> 3 & 1) | HIT(sent, e >> 4 & 1) | HIT(refused_assoc, e >> 5 & 1) |
         HIT(refused, e >> 6 & 1) | HIT(evict, e >> 7 & 1) |
         HIT(all_mshrs, *s->mshr_count == c->MSHRS) |
         HIT(all_entries, *s->prt_count == c->ENTRIES) |
         HIT(all_stores, *s->stores_count == c->STORES) |
         HIT(many_writes, *s->flight_count >= (c->WRITES < 8 ? c->WRITES : 8)) |
         HIT(all_misses, *s->miss_count == c->MISSES) | HIT(all_reads, *s->read_count == c->READS) |
         HIT(all_answers, *s->response_count == c->ANSWERS) |
         HIT(idle, *s->prt_count == 0 && *s->flight_count == 0 && *s->held == 0);
}

static uint64_t sample(void *state, const void *model, const uint64_t *in, const uint64_t *out) {
  state_t *s = state;
  const l1_top_in_t *i = (const l1_top_in_t *)(const void *)in;
  const l1_top_out_t *o = (const l1_top_out_t *)(const void *)out;
  if (!s->held) find_registers(s, model);
  s->taken = i->srst_ni && i->in_valid_i && o->in_ready_o;
  if (o->flush_done_o) s->flushing = false;
  if (!i->srst_ni) {
    s->n_reads = s->n_writes = s->n_whole = 0;
    s->flushing = false;
    return HIT(reset_in_use, *s->prt_count > 0);
  }
  const uint64_t hit = core_bins(s, i, o) | memory_bins(s, i, o) | event_bins(s, o);
  memory_takes(s, i, o);
  return hit;
}

static bool active(const uint64_t *in) {
  const l1_top_in_t *i = (const l1_top_in_t *)(const void *)in;
  return i->in_valid_i || i->r_valid_i || i->b_valid_i || i->barrier_valid_i || !i->srst_ni;
}

static void describe(const uint32_t *cfg, const uint64_t *in, const uint64_t *out, char *text) {
  const l1_top_in_t *i = (const l1_top_in_t *)(const void *)in;
  const l1_top_out_t *o = (const l1_top_out_t *)(const void *)out;
  (void)cfg;
  if (!i->srst_ni) stim_say(text, "reset; ");
  if (i->in_valid_i)
    stim_say(text, "%s w%u lanes 0x%llx %s; ", i->in_write_i ? "store" : "load",
             (unsigned)i->in_warp_i, (unsigned long long)i->in_mask_i,
             o->in_ready_o ? "taken" : "waits");
  if (i->barrier_valid_i)
    stim_say(text, "barrier b%u %s; ", (unsigned)i->barrier_block_i,
             o->barrier_ready_o ? "passes" : "waits");
  if (o->event_o) stim_say(text, "event 0x%x; ", (unsigned)o->event_o);
  if (o->ar_valid_o && i->ar_ready_i)
    stim_say(text, "read 0x%llx id %u, %u beats; ", (unsigned long long)o->ar_addr_o,
             (unsigned)o->ar_id_o, (unsigned)o->ar_len_o + 1);
  if (i->r_valid_i)
    stim_say(text, "beat of id %u%s; ", (unsigned)i->r_id_i, i->r_last_i ? ", last" : "");
  if (o->aw_valid_o && i->aw_ready_i)
    stim_say(text, "write 0x%llx; ", (unsigned long long)o->aw_addr_o);
  if (i->b_valid_i) stim_say(text, "written; ");
  if (o->out_valid_o)
    stim_say(text, "answer w%u lanes 0x%llx%s%s", (unsigned)o->out_warp_o,
             (unsigned long long)o->out_mask_o, o->out_last_o ? " last" : "",
             i->out_ready_i ? "" : " not taken");
}

static void occupancy(const uint32_t *cfg, const void *model, char *text) {
  state_t s = {.held = NULL};
  find_registers(&s, model);
  (void)cfg;
  stim_say(text,
           "MRPB %u, loads %u, stores %u, in flight %u, MSHRs %u; queues: misses %u, reads %u, "
           "answers %u",
           *s.held, *s.prt_count, *s.stores_count, *s.flight_count, *s.mshr_count, *s.miss_count,
           *s.read_count, *s.response_count);
}

static void rush(void *state, bool on) {
  stim_rush(&((state_t *)state)->phase, FLOW, on);
}

const stim_class_t stim_l1_top = {.stem = "l1_top",
                                  .size = sizeof(state_t),
                                  .start = start,
                                  .next = next,
                                  .sample = sample,
                                  .active = active,
                                  .describe = describe,
                                  .occupancy = occupancy,
                                  .bins = bins,
                                  .n_bins = N_BINS,
                                  .rush = rush};
