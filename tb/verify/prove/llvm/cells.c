/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/prove/llvm/cells.h"

#include "verilog/lint/lint.h"

#include <stdlib.h>
#include <string.h>

/* The correspondence's bit `k` of element `i` of the model's register `r`. False for a register of
 * the proof alone, such as those of the order checker. */
static bool bit_of(const sides_t *s, unsigned r, unsigned i, unsigned k, uint32_t *bit) {
  const int reg = match_register(s->match, s->model.reg[r].name);
  if (reg < 0 || k >= s->match->reg[reg].width || i >= s->match->reg[reg].words) return false;
  *bit = match_bit_at(s->match, (unsigned)reg, i, k);
  return true;
}

/* What `to` says, over values of the bits. */
static lit_t value_by(match_to_t to, const lit_t *bit) {
  if (to.kind == MATCH_CONSTANT) return to.inverted ? AIG_TRUE : AIG_FALSE;
  return to.inverted ? aig_not(bit[to.bit]) : bit[to.bit];
}

/* Bits with a flip-flop, or of which nothing is claimed, are variables. */
static void make_variables(sides_t *s) {
  const match_t *m = s->match;
  s->held = prove_alloc((m->n_bits + 1) * sizeof *s->held);
  for (uint32_t b = 0; b < m->n_bits; b++)
    if (m->bit[b].equal.kind == MATCH_NONE) s->held[b] = aig_input(s->g);
  for (uint32_t b = 0; b < m->n_bits; b++)
    if (m->bit[b].equal.kind != MATCH_NONE) s->held[b] = value_by(m->bit[b].equal, s->held);
}

void prove_cells_state(sides_t *s, mem_t **state) {
  model_t *m = &s->model;
  bv_ctx_t *x = exec_bv(m->exec);
  uint32_t bit;
  make_variables(s);
  for (unsigned r = 0; r < m->n_regs; r++)
    for (unsigned i = 0; i < m->reg[r].words; i++) {
      bv_t v = bv_new(x, m->reg[r].width);
      for (uint32_t k = 0; k < v.n; k++)
        v.b[k] = bit_of(s, r, i, k, &bit) ? s->held[bit] : aig_input(s->g);
      s->state[s->first[r] + i] = v;
      model_set(m, state, r, i, v);
    }
  for (uint32_t f = 0; f < s->match->n_flops; f++)
    if (s->match->flop[f].to.kind != MATCH_NONE)
      netlist_flop_set(s->netlist, f, value_by(s->match->flop[f].to, s->held));
}

static lit_t *next_of(const sides_t *s, netlist_t *n) {
  const match_t *m = s->match;
  lit_t *next = prove_alloc((m->n_flops + 1) * sizeof *next);
  for (uint32_t f = 0; f < m->n_flops; f++)
    next[f] = m->flop[f].to.kind == MATCH_NONE ? AIG_FALSE
                                               : netlist_flop_next(n, exec_bv(s->model.exec), f);
  return next;
}

void prove_cells_next(sides_t *s) {
  s->flop_next = next_of(s, s->netlist);
}

/* For each bit of the correspondence, whether the model's reset makes it a constant. */
static void find_constants(sides_t *s, const mem_t *after) {
  const model_t *m = &s->model;
  uint32_t bit;
  s->reset_to = prove_alloc((s->match->n_bits + 1) * sizeof *s->reset_to);
  for (uint32_t b = 0; b < s->match->n_bits; b++) s->reset_to[b] = s->held[b];
  for (unsigned r = 0; r < m->n_regs; r++)
    for (unsigned i = 0; i < m->reg[r].words; i++) {
      const bv_t v = model_get(m, after, r, i);
      for (uint32_t k = 0; k < m->reg[r].width; k++)
        if (bit_of(s, r, i, k, &bit)) s->reset_to[bit] = v.b[k];
    }
}

int prove_cells_reset(sides_t *s, const mem_t *after, const bv_t *in, mrpb_err_t *err) {
  const match_t *m = s->match;
  find_constants(s, after);
  s->again = netlist_cells_again(m->netlist);
  for (unsigned i = 0; i < s->model.n_in; i++)
    netlist_set_port(s->again, s->model.in[i].name, in[i]);
  for (uint32_t f = 0; f < m->n_flops; f++) {
    const match_to_t to = m->flop[f].to;
    const bool any =
        to.kind == MATCH_CONSTANT || (to.kind == MATCH_BIT && aig_is_const(s->reset_to[to.bit]));
    if (to.kind != MATCH_NONE)
      netlist_flop_set(s->again, f, any ? aig_input(s->g) : value_by(to, s->held));
  }
  s->flop_reset = next_of(s, s->again);
  return netlist_check(s->again, err);
}

bv_t prove_cells_output(const sides_t *s, unsigned i, bv_t out_c) {
  const lint_checker_t *checker = lint_checker(s->model.cls->stem);
  if (!s->match || !checker || strcmp(checker->output, s->model.out[i].name) != 0) return out_c;
  return bv_const(exec_bv(s->model.exec), out_c.n, 0);
}

/* ---- registers ---- */

static bool claimed(const match_t *m, uint32_t bit) {
  return m->bit[bit].flop != MATCH_NO_FLOP || m->bit[bit].equal.kind != MATCH_NONE;
}

bool prove_cells_names(const sides_t *s, unsigned r, unsigned i) {
  uint32_t bit;
  for (unsigned k = 0; k < s->model.reg[r].width; k++)
    if (bit_of(s, r, i, k, &bit) && claimed(s->match, bit)) return true;
  return false;
}

/* The next value of a claimed bit by the netlist. */
static lit_t named(const sides_t *s, uint32_t bit, bool reset) {
  const match_bit_t *b = &s->match->bit[bit];
  if (b->flop == MATCH_NO_FLOP && b->equal.kind == MATCH_CONSTANT)
    return b->equal.inverted ? AIG_TRUE : AIG_FALSE;
  const uint32_t flop = b->flop != MATCH_NO_FLOP ? b->flop : s->match->bit[b->equal.bit].flop;
  const bool inverted =
      s->match->flop[flop].to.inverted ^ (b->flop == MATCH_NO_FLOP && b->equal.inverted);
  const lit_t v = (reset ? s->flop_reset : s->flop_next)[flop];
  return inverted ? aig_not(v) : v;
}

bv_t prove_cells_named(const sides_t *s, unsigned r, unsigned i, bv_t c, bool reset) {
  uint32_t bit;
  bv_t v = bv_new(exec_bv(s->model.exec), s->model.reg[r].width);
  for (uint32_t k = 0; k < v.n; k++)
    v.b[k] = bit_of(s, r, i, k, &bit) && claimed(s->match, bit) ? named(s, bit, reset) : c.b[k];
  return v;
}

void prove_cells_claims(sides_t *s, lit_t when, bool reset) {
  const match_t *m = s->match;
  for (uint32_t f = 0; f < m->n_flops; f++) {
    const match_to_t to = m->flop[f].to;
    if (to.kind == MATCH_NONE || (to.kind == MATCH_BIT && m->bit[to.bit].flop == f)) continue;
    const lit_t is = (reset ? s->flop_reset : s->flop_next)[f];
    const lit_t be = to.kind == MATCH_CONSTANT ? value_by(to, NULL)
                     : to.inverted             ? aig_not(named(s, to.bit, reset))
                                               : named(s, to.bit, reset);
    claim_t *c =
        sides_claim(s, aig_and(s->g, when, aig_xor(s->g, is, be)), "flip-flop %.60s %s",
                    netlist_flop_name(s->netlist, f), reset ? "after a reset" : "after the edge");
    c->flop = f + 1;
  }
}

/* The first reset: the model's registers begin as create makes them, which need not satisfy what is
 * claimed of bits without a flip-flop. */
int prove_cells_made(sides_t *s, mrpb_err_t *err) {
  model_t *m = &s->model;
  bv_t in[MODULE_MAX_PORTS];
  uint32_t bit;
  for (unsigned i = 0; i < m->n_in; i++)
    in[i] = strcmp(m->in[i].name, "srst_ni") == 0 ? bv_const(exec_bv(m->exec), 1, 0) : s->in[i];
  mem_t *after = mem_share(m->made);
  const int rc = model_edge(m, &after, in, err);
  exec_forget(m->exec); /* the obligations are those of a reset in any state */
  lit_t *is = prove_alloc((s->match->n_bits + 1) * sizeof *is);
  for (uint32_t b = 0; b < s->match->n_bits; b++) is[b] = AIG_FALSE;
  for (unsigned r = 0; r < m->n_regs; r++)
    for (unsigned i = 0; i < m->reg[r].words; i++) {
      const bv_t v = model_get(m, after, r, i);
      for (uint32_t k = 0; k < m->reg[r].width; k++)
        if (bit_of(s, r, i, k, &bit)) is[bit] = v.b[k];
    }
  for (uint32_t b = 0; b < s->match->n_bits; b++) {
    const match_to_t to = s->match->bit[b].equal;
    const bool fixed = aig_is_const(s->reset_to[b]);
    if (to.kind == MATCH_NONE && !fixed) continue;
    const lit_t be = to.kind != MATCH_NONE ? value_by(to, is) : s->reset_to[b];
    char name[80];
    match_bit_name(s->match, b, name, sizeof name);
    claim_t *c = sides_claim(s, aig_xor(s->g, is[b], be), "%s after the first reset", name);
    c->element = to.kind != MATCH_NONE ? b + 1 : 0;
  }
  free(is);
  mem_close(after);
  return rc;
}

/* A flip-flop that a reset does not set begins like the model's bit. */
void prove_cells_power_up(sides_t *s) {
  const match_t *m = s->match;
  const model_t *model = &s->model;
  uint32_t bit;
  lit_t *made = prove_alloc((m->n_bits + 1) * sizeof *made);
  for (uint32_t b = 0; b < m->n_bits; b++) made[b] = AIG_FALSE;
  for (unsigned r = 0; r < model->n_regs; r++)
    for (unsigned i = 0; i < model->reg[r].words; i++) {
      const bv_t v = model_get(model, model->made, r, i);
      for (uint32_t k = 0; k < model->reg[r].width; k++)
        if (bit_of(s, r, i, k, &bit)) made[bit] = v.b[k];
    }
  for (uint32_t f = 0; f < m->n_flops; f++)
    if (m->flop[f].to.kind != MATCH_NONE && !m->flop[f].resets)
      netlist_flop_set(s->netlist, f, value_by(m->flop[f].to, made));
  free(made);
}

/* ---- refused choices ---- */

/* The bits of an element that differ: the choice of the flip-flop, or what is claimed of the bit. */
static bool refuse_element(const claim_t *c, match_t *match, const uint64_t *node) {
  bool other = false;
  for (uint32_t k = 0; k < c->rtl.n; k++) {
    const uint32_t bit = c->element - 1 + k;
    if (!((aig_value(node, c->c.b[k]) ^ aig_value(node, c->rtl.b[k])) & 1)) continue;
    if (match->bit[bit].flop == MATCH_NO_FLOP)
      other |= match_refuse_bit(match, bit);
    else
      other |= match_refuse_flop(match, match->bit[bit].flop);
  }
  return other;
}

bool prove_cells_refuse(sides_t *s, match_t *match, const uint8_t *cex) {
  uint64_t *in = prove_alloc((aig_inputs(s->g) + 1) * sizeof *in);
  uint64_t *node = prove_alloc((aig_nodes(s->g) + 1) * sizeof *node);
  bool other = false;
  for (uint32_t i = 0; i < aig_inputs(s->g); i++) in[i] = cex[i];
  aig_simulate(s->g, in, node);
  for (unsigned i = 0; i < s->n_checks; i++) {
    const claim_t *c = &s->check[i];
    if (!(aig_value(node, c->bad) & 1)) continue;
    if (c->flop)
      other |= match_refuse_flop(match, c->flop - 1);
    else if (c->element && c->pair)
      other |= refuse_element(c, match, node);
    else if (c->element)
      other |= match_refuse_bit(match, c->element - 1);
  }
  free(in);
  free(node);
  if (other) match_decide(match);
  return other;
}

/* ---- the verdict ---- */

void prove_cells_verdict(const sides_t *s, verdict_t *v) {
  const match_t *m = s->match;
  for (unsigned r = 0; r < m->cls->n_regs; r++)
    for (uint32_t b = m->first[r]; b < m->first[r + 1] && v->bits[r] > 0; b++)
      v->bits[r] -= !claimed(m, b);
}

void prove_cells_text(const sides_t *s, char *text, size_t size) {
  const match_counts_t n = match_counts(s->match);
  snprintf(text, size,
           ": netlist of %u flip-flops (%u inverted, %u repeated, %u constant; %u register bits "
           "need none)",
           n.flops, n.inverted, n.repeated, n.constant, n.removed);
}

void prove_cells_close(sides_t *s) {
  netlist_close(s->again);
  free(s->held);
  free(s->flop_next);
  free(s->flop_reset);
  free(s->reset_to);
}
