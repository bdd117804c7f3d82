/* SPDX-License-Identifier: Apache-2.0 */
/* Runs 64 instances of the compiled C model beside the netlist. Both start with a reset; the netlist
 * powers up with any values where a reset decides the next one, and with the model's elsewhere. */
#include "verify/prove/llvm/match.h"

#include "bits.h"
#include "cosim/stim/stim.h"
#include "verify/prove/llvm/draw.h"
#include "verify/prove/llvm/lanes.h"
#include "verify/prove/llvm/match_memory.h"
#include "verify/prove/llvm/plan.h"
#include "verilog/lint/lint.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
  WORDS = MODULE_MAX_WORDS,
  RESET = 4,               /* cycles of the first reset */
  RESETS = 16,             /* instances with many resets */
  LEAST = 200,             /* cycles */
  MOST = 4000,             /* and no more */
  WORK = 600 * 1000 * 1000 /* evaluated gates */
};

typedef struct {
  match_t *m;
  bv_ctx_t x;
  netlist_t *n;
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  bv_t in_bits[MODULE_MAX_PORTS], out_bits[MODULE_MAX_PORTS];
  lit_t *held, *next;     /* of each flip-flop */
  match_memory_t *memory; /* that are cut */
  plan_t *plan;
  uint64_t *value; /* of the graph's variables */
  uint64_t *flop;  /* what the flip-flops hold */
  const stim_class_t *stim;
  void *state[LANES], *self[LANES];
  module_reg_t (*reg)[MODULE_MAX_REGS];
  draw_t draw[LANES];
  prng_t prng;
  uint64_t words[LANES][WORDS], said[LANES][WORDS];
} run_t;

/* ---- the netlist as a graph ---- */

static int build(run_t *r, mrpb_err_t *err) {
  match_t *m = r->m;
  const module_class_t *cls = m->cls;
  lit_t *wanted = NULL;
  size_t n = 0, room = 0;
  cls->ports(m->cfg, r->in, r->out);
  r->x.g = aig_open();
  r->n = netlist_cells_again(m->netlist);
  for (unsigned i = 0; i < cls->n_in; i++) {
    r->in_bits[i] = bv_fresh(&r->x, r->in[i].width);
    netlist_set_port(r->n, r->in[i].name, r->in_bits[i]);
  }
  r->held = prove_alloc((m->n_flops + 1) * sizeof *r->held);
  r->next = prove_alloc((m->n_flops + 1) * sizeof *r->next);
  for (uint32_t f = 0; f < m->n_flops; f++)
    netlist_flop_set(r->n, f, r->held[f] = aig_input(r->x.g));
  r->memory = match_memory_open(r->n, &r->x);
  for (unsigned i = 0; i < cls->n_out; i++) {
    r->out_bits[i] = netlist_output(r->n, &r->x, r->out[i].name);
    wanted = prove_room(wanted, n + r->out_bits[i].n, &room, sizeof *wanted);
    memcpy(wanted + n, r->out_bits[i].b, r->out_bits[i].n * sizeof *wanted);
    n += r->out_bits[i].n;
  }
  wanted = prove_room(wanted, n + m->n_flops, &room, sizeof *wanted);
  for (uint32_t f = 0; f < m->n_flops; f++)
    wanted[n++] = r->next[f] = netlist_flop_next(r->n, &r->x, f);
  match_memory_want(r->memory, &wanted, &n, &room);
  r->plan = plan_net_open(r->x.g, wanted, n);
  r->value = prove_alloc((aig_inputs(r->x.g) + 1) * sizeof *r->value);
  r->flop = prove_alloc((m->n_flops + 1) * sizeof *r->flop);
  free(wanted);
  return netlist_check(r->n, err);
}

static int open_models(run_t *r, mrpb_err_t *err) {
  const match_t *m = r->m;
  r->stim = stim_class(m->cls->stem);
  r->reg = prove_alloc(LANES * sizeof *r->reg);
  r->prng = prng_seed(7, 0);
  for (unsigned i = 0; i < LANES; i++) {
    if (m->cls->create(&r->self[i], m->cfg, err) != 0) return -1;
    if (m->cls->n_regs) m->cls->regs(r->self[i], r->reg[i]);
    r->draw[i] = (draw_t){.prng = prng_seed(8, i)};
    if (!r->stim) continue;
    r->state[i] = prove_alloc(r->stim->size);
    memset(r->state[i], 0, r->stim->size);
    r->stim->start(r->state[i], m->cfg, i + 1);
  }
  return 0;
}

static void close_run(run_t *r) {
  for (unsigned i = 0; i < LANES; i++) {
    if (r->self[i]) r->m->cls->destroy(r->self[i]);
    free(r->state[i]);
  }
  plan_net_close(r->plan);
  match_memory_close(r->memory);
  netlist_close(r->n);
  bv_free(&r->x);
  aig_close(r->x.g);
  free(r->held);
  free(r->next);
  free(r->value);
  free(r->flop);
  free(r->reg);
  free(r);
}

/* ---- values ---- */

static void set(run_t *r, lit_t a, uint64_t value) {
  r->value[aig_input_number(r->x.g, a)] = value;
}

static void rows(lanes_row_t row, uint64_t (*words)[WORDS]) {
  for (unsigned i = 0; i < LANES; i++) row[i] = (unsigned char *)words[i];
}

static void set_inputs(run_t *r) {
  lanes_row_t row;
  uint64_t bit[8];
  rows(row, r->words);
  for (unsigned i = 0; i < r->m->cls->n_in; i++)
    for (uint32_t k = 0; k < r->in_bits[i].n; k++) {
      if (k % 8 == 0) lanes_gather(row, r->in[i].word * 8 + k / 8, bit);
      set(r, r->in_bits[i].b[k], bit[k % 8]);
    }
}

static void draw_inputs_of(run_t *r, uint64_t cycle) {
  const module_class_t *cls = r->m->cls;
  for (unsigned lane = 0; lane < LANES; lane++) {
    uint64_t *in = r->words[lane];
    const bool reset = cycle < RESET || (lane < RESETS && prng_below(&r->prng, 40) == 0);
    if (r->stim && lane % 4 != 3)
      r->stim->next(r->state[lane], r->self[lane], in);
    else
      draw_inputs(&r->draw[lane], r->in, cls->n_in, in);
    for (unsigned i = 0; i < cls->n_in; i++) {
      uint64_t *last = &in[r->in[i].word + (r->in[i].width - 1) / 64];
      *last &= bits_mask((r->in[i].width - 1) % 64 + 1); /* the stimulus may draw more bits */
      if (reset && strcmp(r->in[i].name, "srst_ni") == 0) *last = 0;
    }
  }
}

/* Runs the netlist in a reset with any other inputs and values held: some next values are always the
 * same. Then sets what the flip-flops hold at power-up. */
static void power_up(run_t *r) {
  match_t *m = r->m;
  for (uint32_t f = 0; f < m->n_flops; f++) m->flop[f].resets = true;
  for (unsigned times = 0; times < 8; times++) {
    for (uint32_t i = 0; i < aig_inputs(r->x.g); i++) r->value[i] = prng_next(&r->prng);
    for (unsigned i = 0; i < m->cls->n_in; i++)
      if (strcmp(r->in[i].name, "srst_ni") == 0) set(r, r->in_bits[i].b[0], 0);
    plan_run(r->plan, r->value);
    for (uint32_t f = 0; f < m->n_flops; f++) {
      const uint64_t v = plan_value(r->plan, r->next[f]);
      m->flop[f].resets =
          m->flop[f].resets && (v == 0 || v == UINT64_MAX) && (times == 0 || v == r->flop[f]);
      r->flop[f] = v;
    }
  }
  for (uint32_t f = 0; f < m->n_flops; f++) {
    const match_flop_t *p = &m->flop[f];
    r->flop[f] = p->resets                             ? prng_next(&r->prng)
                 : p->n > 0 && p->proposal[0].inverted ? UINT64_MAX
                                                       : 0;
  }
}

static void see(match_seen_t *s, uint64_t v) {
  for (unsigned i = 0; i < 2; i++)
    s->hash[i] = (s->hash[i] ^ (i ? ~v : v)) * UINT64_C(0x9e3779b97f4a7c15) ^ s->hash[i] >> 29;
  s->zero = s->zero || v != UINT64_MAX;
  s->one = s->one || v != 0;
}

static void see_registers(run_t *r) {
  match_t *m = r->m;
  lanes_row_t row;
  uint64_t bit[8];
  for (unsigned g = 0; g < m->cls->n_regs; g++) {
    const module_reg_t *reg = &m->reg[g];
    for (unsigned i = 0; i < LANES; i++) row[i] = (unsigned char *)(uintptr_t)r->reg[i][g].data;
    for (unsigned w = 0; w < reg->words && !m->cut[g]; w++)
      for (unsigned k = 0; k < reg->width; k++) {
        if (k % 8 == 0) lanes_gather(row, w * reg->elem_bytes + k / 8, bit);
        see(&m->bit[match_bit_at(m, g, w, k)].seen, bit[k % 8]);
      }
  }
}

/* ---- outputs ---- */

static void print_inputs(const run_t *r, unsigned lane, FILE *f) {
  for (unsigned i = 0; i < r->m->cls->n_in; i++) {
    const unsigned words = (r->in[i].width + 63) / 64;
    fprintf(f, " %s=", r->in[i].name);
    for (unsigned k = words; k-- > 0;)
      fprintf(f, k + 1 == words ? "%" PRIx64 : "%016" PRIx64, r->words[lane][r->in[i].word + k]);
  }
}

static uint64_t low_bits(const run_t *r, unsigned out, unsigned lane, bool netlist) {
  uint64_t v = 0;
  for (uint32_t k = 0; netlist && k < r->out[out].width && k < 64; k++)
    v |= (plan_value(r->plan, r->out_bits[out].b[k]) >> lane & 1) << k;
  return netlist ? v : r->said[lane][r->out[out].word];
}

static void tell(const run_t *r, unsigned out, unsigned lane, uint64_t cycle, FILE *f) {
  fprintf(f, "  input    cycle %" PRIu64 ":", cycle);
  print_inputs(r, lane, f);
  fprintf(f,
          "\n  differs  cycle %" PRIu64 " after power-up, run %u of the stimulus: %s: C %" PRIx64
          ", netlist %" PRIx64 "\n",
          cycle, lane, r->out[out].name, low_bits(r, out, lane, false),
          low_bits(r, out, lane, true));
}

/* An output that is a check is 0 in hardware. */
static bool same_outputs(run_t *r, uint64_t cycle, FILE *trace) {
  const lint_checker_t *checker = lint_checker(r->m->cls->stem);
  lanes_row_t row;
  uint64_t bit[8];
  rows(row, r->said);
  for (unsigned i = 0; i < r->m->cls->n_out; i++) {
    const bool none = checker && strcmp(checker->output, r->out[i].name) == 0;
    for (uint32_t k = 0; k < r->out[i].width; k++) {
      if (k % 8 == 0) lanes_gather(row, r->out[i].word * 8 + k / 8, bit);
      const uint64_t bad = (none ? 0 : bit[k % 8]) ^ plan_value(r->plan, r->out_bits[i].b[k]);
      if (!bad) continue;
      tell(r, i, (unsigned)__builtin_ctzll(bad), cycle, trace);
      return false;
    }
  }
  return true;
}

/* Before the first edge only modules without registers are compared. */
static bool cycle(run_t *r, uint64_t now, FILE *trace) {
  match_t *m = r->m;
  const bool after = now > 0 || m->cls->n_regs == 0;
  draw_inputs_of(r, now);
  set_inputs(r);
  for (uint32_t f = 0; f < m->n_flops; f++) set(r, r->held[f], r->flop[f]);
  match_memory_read(r->memory, r->value);
  plan_run(r->plan, r->value);
  for (unsigned i = 0; i < LANES; i++) m->cls->comb(r->self[i], r->words[i], r->said[i]);
  if (after && !same_outputs(r, now, trace)) return false;
  for (unsigned i = 0; i < LANES && m->cls->n_regs; i++) m->cls->edge(r->self[i], r->words[i]);
  for (uint32_t f = 0; f < m->n_flops; f++) {
    r->flop[f] = plan_value(r->plan, r->next[f]);
    see(&m->flop[f].seen, r->flop[f]);
  }
  match_memory_write(r->memory, r->plan);
  see_registers(r);
  return true;
}

match_end_t match_simulate(match_t *m, FILE *trace, mrpb_err_t *err) {
  run_t *r = prove_alloc(sizeof *r);
  memset(r, 0, sizeof *r);
  r->m = m;
  match_end_t end = build(r, err) == 0 && open_models(r, err) == 0 ? MATCH_EQUAL : MATCH_TROUBLE;
  if (end == MATCH_EQUAL) {
    const uint64_t gates = aig_nodes(r->x.g) + 8 * (uint64_t)m->n_bits + 20000;
    uint64_t cycles = WORK / gates < MOST ? WORK / gates : MOST;
    if (cycles < LEAST) cycles = LEAST;
    for (uint32_t i = 0; i < aig_inputs(r->x.g); i++) r->value[i] = prng_next(&r->prng);
    power_up(r);
    for (m->cycles = 0; end == MATCH_EQUAL && m->cycles < cycles; m->cycles++)
      if (!cycle(r, m->cycles, trace)) end = MATCH_DIFFERENT;
  }
  close_run(r);
  return end;
}
