/* SPDX-License-Identifier: Apache-2.0 */
/* axi_port: reads, writes and both, against a memory whose three channels are each fast, slow or
 * stopped. Now and then a request has beats that its line does not have. */
#include "cosim/stim/stim.h"

#include "axi_port.h"

#include <string.h>

enum { READS, WRITES, BOTH, FAST, NO_ADDRESS, NO_DATA, SLOW, KINDS };

typedef struct {
  axi_port_cfg_t cfg;
  uint32_t beats;
  unsigned beat_w;
  prng_t request, memory, data;
  stim_phase_t phase, reset;
} state_t;

static uint32_t beats_of(const uint32_t *cfg) {
  const axi_port_cfg_t *c = axi_port_sizes(cfg);
  return (c->WORDS + c->BUS_WORDS - 1) / c->BUS_WORDS;
}

#define BINS(X)                                                                                    \
  X(read_now, NULL, "a read is taken by memory in its own cycle")                                  \
  X(read_kept, NULL, "a read is not taken at once: the register keeps it")                         \
  X(read_later, NULL, "a read that was kept is taken")                                             \
  X(read_refused, NULL, "a read is refused: another one is kept")                                  \
  X(read_past_write, NULL, "a read is taken by memory while a write is sent")                      \
  X(read_several, NULL, "a read of several beats is taken by memory")                              \
  X(write_taken, NULL, "a write is taken, none is sent")                                           \
  X(write_behind, NULL, "a write is taken in the cycle in which the one before ends")              \
  X(write_refused_address, NULL, "a write is refused: the address of another waits")               \
  X(write_refused_data, NULL, "a write is refused: beats of another wait")                         \
  X(write_refused_both, NULL, "a write is refused: address and beats of another wait")             \
  X(address_first, NULL, "the address of a write is taken before its last beat")                   \
  X(data_first, NULL, "the last beat of a write is taken before its address")                      \
  X(end_together, NULL, "the address and the last beat are taken in one cycle")                    \
  X(beat, NULL, "a beat is taken that is not the last")                                            \
  X(beat_waits, NULL, "a beat is not taken")                                                       \
  X(beat_wraps, NULL, "the beats of a write go on at beat 0")                                      \
  X(write_one, NULL, "a write of one beat is taken")                                               \
  X(write_all, NULL, "a write of all beats of the line is taken")                                  \
  X(all, NULL, "a read, an address and a beat are taken by memory")                                \
  X(idle, NULL, "nothing waits")                                                                   \
  X(reset_write, NULL, "reset while a write is sent, of which nothing was taken")                  \
  X(reset_address, NULL, "reset while only the address of a write is left")                        \
  X(reset_data, NULL, "reset while only beats of a write are left")                                \
  X(reset_read, NULL, "reset while a read is kept")
#include "cosim/stim/bins.h"

static void start(void *state, const uint32_t *cfg, uint64_t seed) {
  state_t *s = state;
  memset(s, 0, sizeof *s);
  memcpy(&s->cfg, cfg, sizeof s->cfg);
  s->beats = beats_of(cfg);
  s->beat_w = bits_index_w(s->beats);
  s->request = prng_seed(seed, 1);
  s->memory = prng_seed(seed, 2);
  s->data = prng_seed(seed, 3);
  s->phase.rng = prng_seed(seed, 4);
  s->reset.rng = prng_seed(seed, 5);
}

static uint64_t next_request(state_t *s) {
  static const uint16_t writes[KINDS] = {100, 900, 500, 600, 700, 700, 500};
  const uint64_t id = stim_edge(prng_next(&s->request), s->cfg.ID_W);
  const uint64_t line = stim_edge(prng_next(&s->request), s->cfg.ADDR_W);
  const uint64_t v = prng_next(&s->request);
  uint64_t first = prng_below(&s->request, s->beats);
  uint64_t last = first + prng_below(&s->request, s->beats - (uint32_t)first);
  if ((v & 7) == 0) last = first;
  if ((v & 7) == 1) first = 0, last = s->beats - 1;
  if ((v >> 3 & 15) == 0) first = v >> 8, last = v >> 16; /* any beats */
  const uint64_t write = prng_chance(&s->request, writes[s->phase.kind]);
  const uint64_t beats = bits(first, s->beat_w) << s->beat_w | bits(last, s->beat_w);
  const uint64_t place = (id << s->cfg.ADDR_W | line) << (2 * s->beat_w) | beats;
  return write << (s->cfg.ID_W + s->cfg.ADDR_W + 2 * s->beat_w) | place;
}

/* Random words of `width` bits in all. */
static void next_words(state_t *s, uint64_t *word, unsigned width) {
  for (unsigned at = 0; at < width; at += 64) {
    const unsigned w = width - at < 64 ? width - at : 64;
    word[at / 64] = stim_edge(bits(prng_next(&s->data), w), w);
  }
}

static void next(void *state, const void *model, uint64_t *in) {
  static const uint16_t req[KINDS] = {800, 800, 700, 1000, 800, 800, 300};
  static const uint16_t ar[KINDS] = {300, 500, 700, 1000, 600, 600, 50};
  static const uint16_t aw[KINDS] = {500, 600, 700, 1000, 40, 800, 80};
  static const uint16_t w[KINDS] = {500, 600, 700, 1000, 900, 40, 80};
  state_t *s = state;
  const axi_port_regs_t *r = axi_port_regs(model);
  axi_port_in_t *i = (axi_port_in_t *)(void *)in;
  stim_phase(&s->phase, KINDS, 300);
  const uint32_t kind = s->phase.kind;
  i->req_valid_i = prng_chance(&s->request, req[kind]);
  i->req_data_i = next_request(s);
  i->ar_ready_i = prng_chance(&s->memory, ar[kind]);
  i->aw_ready_i = prng_chance(&s->memory, aw[kind]);
  i->w_ready_i = prng_chance(&s->memory, w[kind]);
  next_words(s, i->beat_data_i, s->cfg.BUS_WORDS * 32);
  next_words(s, i->beat_strobe_i, s->cfg.BUS_WORDS * 4);
  if (stim_rst_open(&s->reset) && (r->read_valid_q || r->aw_valid_q != r->w_valid_q) &&
      prng_chance(&s->reset.rng, 100))
    stim_rst_now(&s->reset);
  i->srst_ni = stim_rst_n(&s->reset);
}

static uint64_t read_bins(const axi_port_regs_t *r, const axi_port_in_t *i, const axi_port_out_t *o,
                          bool write) {
  const bool offer = i->req_valid_i && !write, kept = r->read_valid_q;
  const bool taken = o->ar_valid_o && i->ar_ready_i;
  return HIT(read_now, taken && !kept) | HIT(read_kept, offer && !kept && !taken) |
         HIT(read_later, taken && kept) | HIT(read_refused, offer && kept) |
         HIT(read_past_write, taken && (r->aw_valid_q || r->w_valid_q)) |
         HIT(read_several, taken && o->ar_len_o);
}

static uint64_t write_bins(const state_t *s, const axi_port_regs_t *r, const axi_port_in_t *i,
                           const axi_port_out_t *o) {
  const bool offer = i->req_valid_i, aw = r->aw_valid_q, w = r->w_valid_q, sent = aw || w;
  const uint64_t last = bits(i->req_data_i, s->beat_w);
  const uint64_t first = bits(i->req_data_i >> s->beat_w, s->beat_w);
  const bool aw_left = aw && !i->aw_ready_i, w_left = w && !(i->w_ready_i && o->w_last_o);
  return HIT(write_taken, offer && o->req_ready_o && !sent) |
         HIT(write_behind, offer && o->req_ready_o && sent) |
         HIT(write_refused_address, offer && aw_left && !w_left) |
         HIT(write_refused_data, offer && !aw_left && w_left) |
         HIT(write_refused_both, offer && aw_left && w_left) |
         HIT(write_one, offer && o->req_ready_o && first == last) |
         HIT(write_all, offer && o->req_ready_o && first == 0 && last == s->beats - 1);
}

static uint64_t channel_bins(const state_t *s, const axi_port_regs_t *r, const axi_port_in_t *i,
                             const axi_port_out_t *o) {
  const bool aw = r->aw_valid_q, w = r->w_valid_q, beat = w && i->w_ready_i;
  const bool end = beat && o->w_last_o, address = aw && i->aw_ready_i;
  const bool wraps = beat && !end && r->beat_q == bits_mask(s->beat_w);
  return HIT(address_first, address && w && !end) | HIT(data_first, end && aw && !address) |
         HIT(end_together, end && address) | HIT(beat, beat && !end) |
         HIT(beat_waits, w && !i->w_ready_i) | HIT(beat_wraps, wraps) |
         HIT(all, address && beat && o->ar_valid_o && i->ar_ready_i) | HIT(idle, o->idle_o);
}

static bool is_write(const axi_port_cfg_t *c, const axi_port_in_t *i) {
  const uint32_t beats = (c->WORDS + c->BUS_WORDS - 1) / c->BUS_WORDS;
  return i->req_data_i >> (c->ID_W + c->ADDR_W + 2 * bits_index_w(beats)) & 1;
}

static uint64_t sample(void *state, const void *model, const uint64_t *in, const uint64_t *out) {
  const state_t *s = state;
  const axi_port_regs_t *r = axi_port_regs(model);
  const axi_port_in_t *i = (const axi_port_in_t *)(const void *)in;
  const axi_port_out_t *o = (const axi_port_out_t *)(const void *)out;
  const bool write = is_write(&s->cfg, i);
  if (!i->srst_ni)
    return HIT(reset_write, r->aw_valid_q && r->w_valid_q) | HIT(reset_read, r->read_valid_q) |
           HIT(reset_address, r->aw_valid_q && !r->w_valid_q) |
           HIT(reset_data, !r->aw_valid_q && r->w_valid_q);
  return read_bins(r, i, o, write) | (write ? write_bins(s, r, i, o) : 0) |
         channel_bins(s, r, i, o);
}

static bool active(const uint64_t *in) {
  const axi_port_in_t *i = (const axi_port_in_t *)(const void *)in;
  return i->req_valid_i || i->aw_ready_i || i->w_ready_i || !i->srst_ni;
}

static void describe(const uint32_t *cfg, const uint64_t *in, const uint64_t *out, char *text) {
  const axi_port_in_t *i = (const axi_port_in_t *)(const void *)in;
  const axi_port_out_t *o = (const axi_port_out_t *)(const void *)out;
  const axi_port_cfg_t *c = axi_port_sizes(cfg);
  const unsigned beat_w = bits_index_w(beats_of(cfg));
  if (!i->srst_ni) stim_say(text, "reset; ");
  if (i->req_valid_i)
    stim_say(text, "%s id %u line 0x%llx beats %u-%u%s; ", is_write(c, i) ? "write" : "read",
             (unsigned)bits(i->req_data_i >> (c->ADDR_W + 2 * beat_w), c->ID_W),
             (unsigned long long)bits(i->req_data_i >> 2 * beat_w, c->ADDR_W),
             (unsigned)bits(i->req_data_i >> beat_w, beat_w), (unsigned)bits(i->req_data_i, beat_w),
             o->req_ready_o ? "" : " refused");
  if (o->ar_valid_o && i->ar_ready_i) stim_say(text, "AR ");
  if (o->aw_valid_o && i->aw_ready_i) stim_say(text, "AW ");
  if (o->w_valid_o && i->w_ready_i)
    stim_say(text, "W beat %u%s ", (unsigned)o->beat_number_o, o->w_last_o ? ", the last" : "");
  if (o->free_valid_o) stim_say(text, "free e%u", (unsigned)o->free_entry_o);
}

static void occupancy(const uint32_t *cfg, const void *model, char *text) {
  const axi_port_regs_t *r = axi_port_regs(model);
  (void)cfg;
  stim_say(text, "%s; %s%s%s", r->read_valid_q ? "a read waits" : "no read waits",
           r->aw_valid_q || r->w_valid_q ? "of a write wait:" : "no write waits",
           r->aw_valid_q ? " address" : "", r->w_valid_q ? " beats" : "");
}

static void rush(void *state, bool on) {
  stim_rush(&((state_t *)state)->phase, FAST, on);
}

const stim_class_t stim_axi_port = {.stem = "axi_port",
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
