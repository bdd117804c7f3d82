/* SPDX-License-Identifier: Apache-2.0 */
/* Error outputs, and the faults that raise the error outputs of a correct module. */
#include "cosim/lockstep/fault.h"

#include "mrpb.h"

#include <inttypes.h>
#include <string.h>

enum {
  STREAM = 77,
  WORDS_A_FLIP = 256,
  FLIP_EVERY = 4,
  IDS_W = 13,
  OFTEN = 5 /* the warp of every second request, so that what the SRAM loses of one warp adds up */
};

/* ---- mrpb: what the order check reports of entries that the SRAM has changed ---- */

static bool leaves(const mrpb_in_t *i, const mrpb_out_t *o) {
  return o->out_valid_o &&
         (i->l1_answer_i == MRPB_L1_ACCEPTED || (o->byp_valid_o && i->byp_ready_i));
}

static bool alone(const uint64_t *in, const uint64_t *out, bool leaving, bool barrier) {
  const mrpb_in_t *i = (const mrpb_in_t *)(const void *)in;
  const mrpb_out_t *o = (const mrpb_out_t *)(const void *)out;
  bool accepted = i->in_valid_i && o->in_ready_o;
  if (!o->order_err_o || leaves(i, o) != leaving || accepted == leaving) return false;
  return leaving || (i->in_kind_i >= MRPB_KIND_BARRIER) == barrier;
}

static bool order_seen(const uint64_t *in, const uint64_t *out) {
  return alone(in, out, true, false);
}
static bool barrier_seen(const uint64_t *in, const uint64_t *out) {
  return alone(in, out, false, true);
}
static bool overflow_seen(const uint64_t *in, const uint64_t *out) {
  return alone(in, out, false, false);
}
static bool several_blocks(const uint32_t *cfg) {
  return ((const mrpb_cfg_t *)(const void *)cfg)->BLOCKS > 1;
}

/* Looks for a block whose counter is one below the number of its held requests, because a request
 * of another block left under its number. It offers a request of that block, and then a barrier of
 * it, which nothing stops. */
static void offer(prng_t *rng, unsigned *aim, const uint32_t *cfg, const void *model,
                  uint64_t *in) {
  const mrpb_cfg_t *c = (const mrpb_cfg_t *)(const void *)cfg;
  const uint16_t *held = mrpb_regs(model)->block_held_q;
  const uint64_t minus_one = bits_mask(bits_count_w(c->QUEUES * c->DEPTH + 1));
  mrpb_in_t *i = (mrpb_in_t *)(void *)in;
  if (prng_chance(rng, 500)) i->in_warp_i = OFTEN;
  if (*aim && held[*aim - 1] == 0 && prng_chance(rng, 900)) {
    *i = (mrpb_in_t){.srst_ni = 1,
                     .in_valid_i = 1,
                     .in_kind_i = MRPB_KIND_BARRIER,
                     .l1_answer_i = MRPB_L1_NOT_ASKED};
    i->in_block_i = *aim - 1;
    return;
  }
  *aim = 0;
  unsigned b = prng_below(rng, c->BLOCKS);
  for (unsigned n = 0; n < c->BLOCKS && !*aim; n++, b = (b + 1) % c->BLOCKS)
    if (held[b] == minus_one) *aim = b + 1;
  if (!*aim) return;
  i->in_kind_i = MRPB_KIND_READ;
  i->in_block_i = *aim - 1;
}

static const fault_bin_t mrpb_bins[] = {
    {"fault_order", "order_err_o as a request leaves that the SRAM has changed", NULL, order_seen},
    {"fault_barrier", "order_err_o as a barrier passes whose block was counted down by another's",
     several_blocks, barrier_seen},
    {"fault_overflow", "order_err_o as a warp has more requests than can be", NULL, overflow_seen},
};

static const fault_class_t classes[] = {
    {"mrpb", "u_fifo_bank.u_mem.mem_q", offer, sizeof mrpb_bins / sizeof *mrpb_bins, mrpb_bins},
};

/* Returns the faults of a module, or NULL if it needs none. */
static const fault_class_t *fault_class(const char *stem) {
  for (unsigned i = 0; i < sizeof classes / sizeof *classes; i++)
    if (strcmp(classes[i].stem, stem) == 0) return &classes[i];
  return NULL;
}

/* ---- any module ------------------------------------------------------------ */

static bool is_error(const char *name) {
  const size_t n = strlen(name), end = strlen("_err_o");
  return n > end && strcmp(name + n - end, "_err_o") == 0;
}

void fault_start(faults_t *f, const lockstep_t *ls, uint64_t cycles, uint64_t seed) {
  const module_class_t *cls = lockstep_class(ls);
  /* A register that a map names cannot be flipped. */
  *f = (faults_t){.cls = lockstep_foreign(ls) ? NULL : fault_class(cls->stem),
                  .rng = prng_seed(seed, STREAM)};
  /* With parity the Verilog would notice the flip, which the C model does not: mrpb upset. */
  const bool unfaulted = f->cls && module_option(cls, lockstep_cfg(ls), "PARITY");
  if (unfaulted) f->cls = NULL;
  for (unsigned i = 0; i < cls->n_out && !unfaulted; i++) {
    if (!is_error(lockstep_outputs(ls)[i].name)) continue;
    f->error[f->n_errors] = i;
    f->error_word[f->n_errors++] = lockstep_outputs(ls)[i].word;
  }
  if (!f->cls) return;
  while (f->memory + 1 < cls->n_regs &&
         strcmp(lockstep_regs_c(ls)[f->memory].name, f->cls->memory) != 0)
    f->memory++;
  f->first = LOCKSTEP_RESET_CYCLES + cycles;
  f->cycles = cycles / FAULT_SHARE < FAULT_CYCLES ? cycles / FAULT_SHARE : FAULT_CYCLES;
}

bool fault_now(const faults_t *f, const lockstep_t *ls) {
  return f->cls && lockstep_cycle(ls) >= f->first;
}

void fault_make(faults_t *f, lockstep_t *ls, uint64_t *in) {
  const module_reg_t *r = &lockstep_regs_c(ls)[f->memory];
  f->cls->offer(&f->rng, &f->aim, lockstep_cfg(ls), lockstep_model(ls), in);
  if (prng_below(&f->rng, FLIP_EVERY) != 0) return;
  for (unsigned n = 0; n <= r->words / WORDS_A_FLIP; n++) {
    unsigned from_top = prng_below(&f->rng, prng_chance(&f->rng, 500) ? IDS_W : r->width);
    lockstep_flip(ls, f->memory, prng_below(&f->rng, r->words), r->width - 1 - from_top);
  }
}

void fault_count(faults_t *f, const lockstep_t *ls, bool now) {
  const uint64_t *out = lockstep_out_c(ls);
  for (unsigned i = 0; i < f->n_errors; i++) f->raised[i] += out[f->error_word[i]];
  for (unsigned i = 0; now && i < f->cls->n_bins; i++)
    f->seen[i] += f->cls->bins[i].seen(lockstep_in(ls), out);
}

static bool judge(const lockstep_t *ls, const char *name, const char *doc, uint64_t n, bool list,
                  FILE *out) {
  if (list) fprintf(out, "  %-20s %12" PRIu64 "  %s\n", name, n, doc);
  if (n == 0)
    fprintf(out, "%s: bin %s was never hit in %" PRIu64 " cycles: %s\n", lockstep_class(ls)->stem,
            name, lockstep_cycle(ls) - LOCKSTEP_RESET_CYCLES, doc);
  return n > 0;
}

bool fault_judge(const faults_t *f, const lockstep_t *ls, bool list, FILE *out, unsigned *hit,
                 unsigned *possible) {
  const unsigned before = *possible - *hit;
  for (unsigned i = 0; i < f->n_errors; i++, ++*possible)
    *hit += judge(ls, lockstep_outputs(ls)[f->error[i]].name, "this error output is raised",
                  f->raised[i], list, out);
  for (unsigned i = 0; f->cls && i < f->cls->n_bins; i++) {
    const fault_bin_t *b = &f->cls->bins[i];
    if (b->possible && !b->possible(lockstep_cfg(ls))) continue;
    *hit += judge(ls, b->name, b->doc, f->seen[i], list, out);
    ++*possible;
  }
  return *possible - *hit == before;
}
