/* SPDX-License-Identifier: Apache-2.0 */
/* Both sides over the same variables, and the list of claims. */
#include "verify/prove/llvm/cells.h"
#include "verify/prove/llvm/fast.h"
#include "verify/prove/llvm/mapped.h"
#include "verify/prove/llvm/prove.h"

#include "base/files.h"
#include "verilog/build.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

claim_t *sides_claim(sides_t *s, lit_t bad, const char *format, ...) {
  s->check = prove_room(s->check, s->n_checks + 1, &s->room, sizeof *s->check);
  claim_t *c = &s->check[s->n_checks++];
  *c = (claim_t){.bad = bad};
  va_list ap;
  va_start(ap, format);
  vsnprintf(c->what, sizeof c->what, format, ap);
  va_end(ap);
  return c;
}

lit_t sides_differ(sides_t *s, bv_t c, bv_t rtl) {
  bv_ctx_t *x = exec_bv(s->model.exec);
  return aig_not(bv_eq(x, c, bv_slice(x, rtl, 0, c.n)));
}

static int check_ports(sides_t *s, mrpb_err_t *err) {
  const model_t *m = &s->model;
  const char *what = s->match ? "netlist" : "Verilog";
  unsigned expected = m->n_in + m->n_out + (m->n_regs > 0), width;
  bool input;
  for (unsigned i = 0; i < netlist_ports(s->netlist); i++) {
    const char *name = netlist_port(s->netlist, i, &width, &input);
    bool known = m->n_regs > 0 && strcmp(name, "clk_i") == 0;
    for (unsigned k = 0; k < m->n_in && input; k++)
      known = known || (strcmp(name, m->in[k].name) == 0 && width == m->in[k].width);
    for (unsigned k = 0; k < m->n_out && !input; k++)
      known = known || (strcmp(name, m->out[k].name) == 0 && width == m->out[k].width);
    if (!known)
      return mrpb_fail(err,
                       "port %s of the %s (%u bits) is not in cmodel/ports/%s.ports.h at this size",
                       name, what, width, m->cls->stem);
  }
  if (netlist_ports(s->netlist) != expected)
    return mrpb_fail(err, "the %s has %u ports, cmodel/ports/%s.ports.h lists %u", what,
                     netlist_ports(s->netlist), m->cls->stem, expected);
  return 0;
}

/* The state: a variable for each bit of each register, on both sides. */
static int make_state(sides_t *s, mem_t **state, mrpb_err_t *err) {
  model_t *m = &s->model;
  bv_ctx_t *x = exec_bv(m->exec);
  *state = mem_share(m->made);
  for (unsigned i = 0; i < m->n_parts; i++)
    for (uint32_t at = 0; at < m->part[i].bytes; at++)
      for (unsigned k = 0; k < 8; k++)
        mem_set_byte(state, m->part[i].object, m->part[i].offset + at)[k] = aig_input(s->g);
  for (unsigned r = 0; r < m->n_regs; r++) s->first[r + 1] = s->first[r] + m->reg[r].words;
  unsigned n = s->first[m->n_regs];
  s->state = prove_alloc(n * sizeof *s->state);
  s->next_c = prove_alloc(n * sizeof *s->next_c);
  s->next_rtl = prove_alloc(n * sizeof *s->next_rtl);
  s->next_syn = prove_alloc(n * sizeof *s->next_syn);
  for (unsigned i = 0; i < n; i++) s->next_syn[i] = (bv_t){0};
  for (unsigned i = 0; i < m->n_in; i++) {
    s->in[i] = bv_fresh(x, m->in[i].width);
    netlist_set_port(s->netlist, m->in[i].name, s->in[i]);
  }
  if (s->match) prove_cells_state(s, state);
  for (unsigned r = 0; r < m->n_regs && !s->match; r++) {
    const model_reg_t *reg = &m->reg[r];
    for (unsigned i = 0; i < reg->words; i++) {
      unsigned width = netlist_register(s->netlist, reg->name, reg->words, i, reg->width);
      if (width != reg->width && s->bind) return mapped_no_register(s, reg->name, i, err);
      if (width != reg->width)
        return mrpb_fail(err,
                         "register %s, element %u: %u flip-flops in the Verilog, %u bits in "
                         "cmodel/ports/%s.ports.h",
                         reg->name, i, width, reg->width, m->cls->stem);
      bv_t v = bv_fresh(x, width);
      s->state[s->first[r] + i] = v;
      model_set(m, state, r, i, v);
      netlist_set_register(s->netlist, reg->name, reg->words, i, v);
    }
  }
  return 0;
}

/* True if it belongs to a check that is not hardware. */
static bool of_checker(const model_t *m, const char *name) {
  const lint_checker_t *c = lint_checker(m->cls->stem);
  size_t n = c ? strlen(c->instance) : 0;
  return c && strncmp(name, c->instance, n) == 0 && name[n] == '.';
}

/* Evaluates the other reading over the same variables. */
static int evaluate_synthesis(sides_t *s, mrpb_err_t *err) {
  model_t *m = &s->model;
  bv_ctx_t *x = exec_bv(m->exec);
  netlist_t *n = s->synthesis;
  if (!n) return 0;
  netlist_share(n, s->netlist);
  for (unsigned i = 0; i < m->n_in; i++) netlist_set_port(n, m->in[i].name, s->in[i]);
  for (unsigned r = 0; r < m->n_regs; r++)
    for (unsigned i = 0; i < m->reg[r].words && !of_checker(m, m->reg[r].name); i++) {
      const model_reg_t *reg = &m->reg[r];
      if (netlist_register(n, reg->name, reg->words, i, reg->width) != reg->width)
        return mrpb_fail(err, "register %s, element %u, with SYNTHESIS: not %u flip-flops",
                         reg->name, i, reg->width);
      netlist_set_register(n, reg->name, reg->words, i, s->state[s->first[r] + i]);
    }
  for (unsigned i = 0; i < m->n_out; i++) s->out_syn[i] = netlist_output(n, x, m->out[i].name);
  for (unsigned r = 0; r < m->n_regs; r++)
    for (unsigned i = 0; i < m->reg[r].words && !of_checker(m, m->reg[r].name); i++)
      s->next_syn[s->first[r] + i] =
          netlist_next(n, x, m->reg[r].name, m->reg[r].words, i, m->reg[r].width);
  return netlist_check(n, err);
}

static bool same_bits(bv_t a, bv_t b) {
  if (a.n != b.n) return false;
  for (uint32_t i = 0; i < a.n; i++)
    if (a.b[i] != b.b[i]) return false;
  return true;
}

static int evaluate_rtl(sides_t *s, mrpb_err_t *err) {
  model_t *m = &s->model;
  bv_ctx_t *x = exec_bv(m->exec);
  for (unsigned i = 0; i < m->n_out; i++)
    s->out_rtl[i] = netlist_output(mapped_cycle(s, mapped_late(s, i)), x, m->out[i].name);
  if (s->match) prove_cells_next(s);
  for (unsigned r = 0; r < m->n_regs && !s->match; r++)
    for (unsigned i = 0; i < m->reg[r].words; i++)
      s->next_rtl[s->first[r] + i] =
          netlist_next(s->netlist, x, m->reg[r].name, m->reg[r].words, i, m->reg[r].width);
  for (unsigned k = 0; k < s->n_late; k++)
    if (netlist_check(s->late[k], err) != 0) return -1;
  return netlist_check(s->netlist, err);
}

static void element_name(const model_reg_t *reg, unsigned i, char *text, size_t size) {
  if (reg->words == 1)
    snprintf(text, size, "%s", reg->name);
  else
    snprintf(text, size, "%s[%u]", reg->name, i);
}

/* Compares an element of a register with the flip-flops of a netlist. */
static void compare_cells(sides_t *s, unsigned r, unsigned i, bv_t c, lit_t when, bool reset) {
  const model_reg_t *reg = &s->model.reg[r];
  char name[80];
  const int own = match_register(s->match, reg->name);
  if (own < 0 || !prove_cells_names(s, r, i)) return;
  const bv_t rtl = prove_cells_named(s, r, i, c, reset);
  element_name(reg, i, name, sizeof name);
  claim_t *check = sides_claim(s, aig_and(s->g, when, sides_differ(s, c, rtl)), "%s %s", name,
                               reset ? "after a reset" : "after the edge");
  check->pair = true;
  check->c = c;
  check->rtl = rtl;
  check->element = match_bit_at(s->match, (unsigned)own, i, 0) + 1;
}

/* Compares the registers in `mem` with the Verilog's next values, where `when` holds. */
static void compare_registers(sides_t *s, const mem_t *mem, lit_t when, bool reset) {
  const model_t *m = &s->model;
  const char *text = reset ? "after a reset" : "after the edge";
  char name[80];
  for (unsigned r = 0; r < m->n_regs; r++)
    for (unsigned i = 0; i < m->reg[r].words; i++) {
      if (s->match) compare_cells(s, r, i, model_get(m, mem, r, i), when, reset);
      if (s->match || !mapped_names(s, r, i)) continue;
      bv_t c = model_get(m, mem, r, i), rtl = mapped_named(s, r, i, c);
      element_name(&m->reg[r], i, name, sizeof name);
      lit_t bad = aig_and(s->g, when, sides_differ(s, c, rtl));
      claim_t *check = sides_claim(s, bad, "%s %s", name, text);
      check->pair = true;
      check->c = c;
      check->rtl = rtl;
      bv_t syn = s->next_syn[s->first[r] + i];
      if (syn.n == 0 || same_bits(syn, rtl)) continue;
      check = sides_claim(s, aig_and(s->g, when, sides_differ(s, c, syn)), "%s %s, with SYNTHESIS",
                          name, text);
      check->pair = true;
      check->c = c;
      check->rtl = syn;
    }
}

static lit_t byte_differs(sides_t *s, const mem_t *a, const mem_t *b, uint32_t id, uint32_t at) {
  const lit_t *p = mem_byte(a, id, at), *q = mem_byte(b, id, at);
  lit_t bad = AIG_FALSE;
  for (unsigned k = 0; k < 8 && p != q; k++) bad = aig_or(s->g, bad, aig_xor(s->g, p[k], q[k]));
  return bad;
}

/* Checks memory that existed before: `what` must not free it. */
static bool freed(sides_t *s, const mem_t *before, const mem_t *after, uint32_t id, lit_t when,
                  const char *what) {
  bool gone = mem_size(before, id) > 0 && mem_size(after, id) == 0;
  if (gone) sides_claim(s, when, "%s frees object %u of the C model", what, id - s->model.first);
  return gone;
}

static lit_t byte_unset(sides_t *s, const mem_t *m, uint32_t id, uint32_t at) {
  lit_t bad = AIG_FALSE;
  for (unsigned k = 0; k < 8; k++) bad = aig_or(s->g, bad, mem_unset(m, id, at)[k]);
  return bad;
}

/* Checks the rest of the model in `after`. Members derived from the registers must be so derived
 * (`again` is `after` derived anew), private parts may have any value, and everything else must be
 * unchanged. */
static void compare_rest(sides_t *s, const mem_t *state, const mem_t *after, const mem_t *again,
                         lit_t when) {
  const model_t *m = &s->model;
  for (uint32_t id = m->first; id < m->end; id++) {
    if (freed(s, state, after, id, when, "edge")) continue;
    for (uint32_t at = 0; at < mem_size(m->made, id); at++) {
      if (model_register(m, id, at)) continue;
      bool private = model_is_private(m, id, at);
      bool derived = byte_differs(s, m->made, state, id, at) != AIG_FALSE;
      lit_t bad = private ? byte_unset(s, after, id, at)
                          : byte_differs(s, after, derived ? again : state, id, at);
      if (bad == AIG_FALSE) continue;
      sides_claim(s, aig_and(s->g, when, bad),
                  private ? "byte %u of object %u of the C model is not set"
                  : derived
                      ? "byte %u of object %u of the C model does not follow from the registers"
                      : "byte %u of object %u of the C model changes, but is no register",
                  at, id - m->first);
    }
  }
}

/* comb must change nothing that existed before it, inside the model or outside. */
static void compare_comb(sides_t *s, const mem_t *before, const mem_t *after) {
  const model_t *m = &s->model;
  for (uint32_t id = 0; id < mem_objects(before); id++) {
    if (mem_same(before, after, id) || freed(s, before, after, id, s->holds, "comb")) continue;
    for (uint32_t at = 0; at < mem_size(before, id); at++) {
      const model_reg_t *reg = model_register(m, id, at);
      lit_t bad = byte_differs(s, before, after, id, at);
      if (bad == AIG_FALSE) continue;
      bad = aig_and(s->g, s->holds, bad);
      if (reg)
        sides_claim(s, bad, "comb changes %s, byte %u", reg->name, at - reg->offset);
      else
        sides_claim(s, bad, "comb changes byte %u of object %u of the C model", at, id - m->first);
    }
  }
}

/* The model as `made`, with the registers of `after` and the members derived from them. */
static int derive_again(sides_t *s, const mem_t *after, mem_t **again, mrpb_err_t *err) {
  model_t *m = &s->model;
  *again = mem_share(m->made);
  for (unsigned r = 0; r < m->n_regs; r++)
    for (unsigned i = 0; i < m->reg[r].words; i++)
      model_set(m, again, r, i, model_get(m, after, r, i));
  for (unsigned i = 0; i < m->n_parts; i++)
    for (uint32_t at = m->part[i].offset, n = 0; n < m->part[i].bytes; n++)
      memcpy(mem_set_byte(again, m->part[i].object, at + n),
             mem_byte(after, m->part[i].object, at + n), 8 * sizeof(lit_t));
  return model_derive(m, again, err);
}

/* Registers that a reset does not change must power up alike where the Verilog gives a value. */
static void compare_power_up(sides_t *s, const mem_t *after) {
  const model_t *m = &s->model;
  char name[80];
  for (unsigned r = 0; r < m->n_regs; r++)
    for (unsigned i = 0; i < m->reg[r].words; i++) {
      bv_t c = model_get(m, after, r, i), made = model_get(m, m->made, r, i);
      bv_t before = s->state[s->first[r] + i];
      for (uint32_t k = 0; k < before.n; k++) {
        int init = netlist_init(s->netlist, m->reg[r].name, m->reg[r].words, i, k);
        if (c.b[k] != before.b[k] || init < 0 || made.b[k] == (init ? AIG_TRUE : AIG_FALSE))
          continue;
        element_name(&m->reg[r], i, name, sizeof name);
        sides_claim(s, AIG_TRUE, "%s bit %u: powers up as %d in the Verilog, not in C; no reset",
                    name, k, init);
        break;
      }
    }
}

/* An edge from `state`, and the claims that must hold after it where `when` does. */
static int check_edge(sides_t *s, mem_t *state, const bv_t *in, lit_t when, bool reset,
                      mrpb_err_t *err) {
  model_t *m = &s->model;
  mem_t *after = mem_share(state), *again;
  lit_t inv;
  int rc = model_edge(m, &after, in, err);
  if (rc != MODEL_OK) return rc;
  rc = derive_again(s, after, &again, err);
  if (rc == MODEL_OK) rc = model_inv(m, again, &inv, err);
  if (rc != MODEL_OK) return rc;
  if (reset && s->match && prove_cells_reset(s, after, in, err) != 0) rc = MODEL_UNKNOWN;
  if (rc != MODEL_OK) return rc;
  compare_registers(s, after, when, reset);
  if (s->match) prove_cells_claims(s, when, reset);
  compare_rest(s, state, after, again, when);
  sides_claim(s, aig_and(s->g, when, aig_not(inv)), "the invariant does not hold %s",
              reset ? "after a reset" : "after the edge");
  if (reset && !s->match) compare_power_up(s, after);
  if (!reset)
    for (unsigned r = 0; r < m->n_regs; r++)
      for (unsigned i = 0; i < m->reg[r].words; i++)
        s->next_c[s->first[r] + i] = model_get(m, after, r, i);
  if (!reset) {
    rc = fast_check(s, state, after, err);
    s->after = mem_share(after);
  }
  mem_close(after);
  mem_close(again);
  return rc;
}

static void take_obligations(sides_t *s, lit_t when) {
  unsigned n;
  const obligation_t *o = exec_obligations(s->model.exec, &n);
  for (unsigned i = 0; i < n; i++)
    sides_claim(s, aig_and(s->g, when, o[i].bad), "%s (%s)", o[i].why, o[i].where);
  exec_forget(s->model.exec);
}

/* Compares the outputs of the other reading if they are other gates; those of a check must be 0. */
static void check_synthesis(sides_t *s) {
  const model_t *m = &s->model;
  const lint_checker_t *checker = lint_checker(m->cls->stem);
  for (unsigned i = 0; i < m->n_out && s->synthesis; i++) {
    bool none = checker && strcmp(checker->output, m->out[i].name) == 0;
    bv_t expected = none ? bv_const(exec_bv(m->exec), m->out[i].width, 0) : s->out_c[i];
    if (!none && same_bits(s->out_syn[i], s->out_rtl[i])) continue;
    claim_t *c = sides_claim(s, aig_and(s->g, s->holds, sides_differ(s, expected, s->out_syn[i])),
                             "%s with SYNTHESIS", m->out[i].name);
    c->pair = true;
    c->c = expected;
    c->rtl = s->out_syn[i];
  }
}

static int check_step(sides_t *s, mem_t *state, mrpb_err_t *err) {
  model_t *m = &s->model;
  mem_t *after = NULL;
  int rc = model_inv(m, state, &s->inv, err);
  if (rc == MODEL_OK) s->holds = aig_and(s->g, s->inv, mapped_assumed(s, s->in));
  if (rc == MODEL_OK) rc = model_comb(m, state, s->in, s->out_c, &after, err);
  if (rc == MODEL_OK) compare_comb(s, state, after);
  mem_close(after);
  for (unsigned i = 0; rc == MODEL_OK && i < m->n_out; i++) {
    s->counts[i] = mapped_counts(s, i);
    if (s->counts[i] == AIG_FALSE) continue;
    const bv_t expected = prove_cells_output(s, i, s->out_c[i]);
    lit_t bad = aig_and(s->g, s->counts[i], sides_differ(s, expected, s->out_rtl[i]));
    claim_t *c = sides_claim(s, bad, "%s", m->out[i].name);
    c->pair = true;
    c->c = expected;
    c->rtl = s->out_rtl[i];
  }
  if (rc == MODEL_OK) check_synthesis(s);
  if (rc == MODEL_OK) rc = check_edge(s, state, s->in, s->holds, false, err);
  if (rc == MODEL_OK) take_obligations(s, s->holds);
  return rc;
}

/* Starts from any state: even members derived from the registers may have any value. */
static int check_reset(sides_t *s, mem_t *state, mrpb_err_t *err) {
  model_t *m = &s->model;
  bv_ctx_t *x = exec_bv(m->exec);
  bv_t in[MODULE_MAX_PORTS];
  lit_t reset = AIG_FALSE;
  mem_t *any = mem_share(state);
  for (uint32_t id = m->first; id < m->end; id++)
    for (uint32_t at = 0; at < mem_size(m->made, id); at++)
      if (!model_register(m, id, at) && byte_differs(s, m->made, state, id, at) != AIG_FALSE)
        for (unsigned k = 0; k < 8; k++) mem_set_byte(&any, id, at)[k] = aig_input(s->g);
  for (unsigned i = 0; i < m->n_in; i++) {
    in[i] = s->in[i];
    if (strcmp(m->in[i].name, "srst_ni") != 0) continue;
    reset = aig_not(s->in[i].b[0]);
    in[i] = bv_const(x, 1, 0);
  }
  int rc = check_edge(s, any, in, reset, true, err);
  if (rc == MODEL_OK) take_obligations(s, reset);
  mem_close(any);
  return rc;
}

/* The state that create makes must satisfy the invariant too, without a reset. */
static int check_made(sides_t *s, mrpb_err_t *err) {
  model_t *m = &s->model;
  mem_t *again = mem_share(m->made);
  lit_t inv;
  int rc = model_derive(m, &again, err);
  if (rc == MODEL_OK) rc = model_inv(m, m->made, &inv, err);
  if (rc == MODEL_OK) {
    compare_rest(s, again, m->made, again, AIG_TRUE);
    sides_claim(s, aig_not(inv), "the invariant does not hold in what %s_create makes",
                m->cls->stem);
  }
  mem_close(again);
  return rc;
}

/* Opens both readings if their texts differ, after all the checks that precede a proof. */
static int open_netlists(sides_t *s, const prove_job_t *job, const char *temp, mrpb_err_t *err) {
  rtl_source_t *r = &s->source;
  s->match = job->match;
  if (s->match) {
    s->netlist = netlist_cells_again(s->match->netlist);
    return 0;
  }
  int rc = rtl_source_open(r, job->env, job->cls, job->cfg, RTL_BOTH_READINGS, err);
  if (rc == 0) rc = netlist_open(&s->netlist, &r->job, &r->lint, false, temp, err);
  if (rc == 0 && r->lint.conditional)
    rc = netlist_open(&s->synthesis, &r->job, &r->lint, true, temp, err);
  if (rc == 0) mapped_open(s);
  return rc;
}

int sides_start(sides_t *s, const prove_job_t *job, const char *temp, mrpb_err_t *err) {
  const sources_t from = {.root = job->root, .inv = job->inv, .c = job->c, .temp = temp};
  memset(s, 0, sizeof *s);
  s->cfg = job->cfg;
  s->g = aig_open();
  int rc = model_open(&s->model, s->g, &from, job->cls, job->cfg, job->unroll, err);
  if (rc == 0) rc = open_netlists(s, job, temp, err);
  return rc == 0 && check_ports(s, err) != 0 ? PROVE_BAD_INPUT : rc;
}

int sides_open(sides_t *s, const prove_job_t *job, const char *temp, mrpb_err_t *err) {
  int rc = sides_start(s, job, temp, err);
  if (rc == 0 && (make_state(s, &s->before, err) != 0 || evaluate_rtl(s, err) != 0 ||
                  evaluate_synthesis(s, err) != 0))
    rc = s->match ? PROVE_UNKNOWN : PROVE_BAD_INPUT;
  if (rc == 0) take_obligations(s, AIG_TRUE); /* of create */
  if (rc == 0) rc = model_derive(&s->model, &s->before, err);
  if (rc == 0) rc = check_step(s, s->before, err);
  if (rc == 0 && !s->match && upsets_claims(s, err) != 0) rc = PROVE_BAD_INPUT;
  if (rc == 0 && s->model.n_regs > 0) rc = check_reset(s, s->before, err);
  if (rc == 0 && s->model.n_regs > 0) rc = check_made(s, err);
  if (rc == 0 && s->model.n_regs > 0) rc = fast_check_made(s, err);
  if (rc == 0 && s->model.n_regs > 0 && s->match) rc = prove_cells_made(s, err);
  return rc;
}

void sides_close(sides_t *s) {
  mem_close(s->before);
  mem_close(s->after);
  model_close(&s->model);
  mapped_close(s);
  prove_cells_close(s);
  netlist_close(s->netlist);
  netlist_close(s->synthesis);
  rtl_source_close(&s->source);
  aig_close(s->g);
  free(s->state);
  free(s->next_c);
  free(s->next_rtl);
  free(s->next_syn);
  free(s->check);
}

void sides_refuse(sides_t *s, lit_t bad, const char *what) {
  sides_claim(s, bad, "%s", what);
}
