/* SPDX-License-Identifier: Apache-2.0 */
/* A bit that changes by itself. For each bit of each register the Verilog is evaluated once more,
 * with that bit inverted, in any state that satisfies the invariant. Where error_o is 0, the cycle
 * must answer as if nothing had happened: the outputs are equal, and after the edge no other bit
 * differs. So the same holds in the next cycle, until the bit is written or error_o is 1.
 *
 * One bit more may differ where a memory has a read register: the bit that was read from it. The
 * two together are evaluated, too. */
#include "verify/prove/llvm/prove.h"

#include <string.h>

/* Memories and their read registers. */
static const struct {
  const char *memory, *read;
} reads[] = {
    {"data_q", "read_q"},    {"gen_parity.data_par_q", "gen_parity.read_par_q"},
    {"mem_q", "rdata_q"},    {"code_q", "rcode_q"},
    {"tag_q", "read_q"},     {"gen_parity.tag_par_q", "gen_parity.read_par_q"},
    {"known_q", "rknown_q"}, {"twin_q", "rtwin_q"},
};

/* A bit of the state. */
typedef struct {
  unsigned reg, word, bit;
} flip_t;

static bool guarded(const model_t *m, const uint32_t *cfg) {
  bool shows = false;
  for (unsigned i = 0; i < m->n_out; i++) shows = shows || strcmp(m->out[i].name, "error_o") == 0;
  return shows && module_option(m->cls, cfg, "PARITY");
}

/* The register of hardware: with SYNTHESIS, if that is another text. */
static netlist_t *hardware(const sides_t *s) {
  return s->synthesis ? s->synthesis : s->netlist;
}

static bv_t next_now(const sides_t *s, unsigned element) {
  return s->synthesis ? s->next_syn[element] : s->next_rtl[element];
}

/* False for a register of a check that is not hardware. */
static bool present(const sides_t *s, unsigned reg) {
  return next_now(s, s->first[reg]).n > 0;
}

/* lane_check has no parity: it repeats what others have to do. */
static bool has_parity(const sides_t *s, unsigned reg) {
  return present(s, reg) && !strstr(s->model.reg[reg].name, "u_lane_check.");
}

static netlist_t *with_flips(sides_t *s, const flip_t *flip, unsigned n_flips) {
  const model_t *m = &s->model;
  bv_ctx_t *x = exec_bv(m->exec);
  netlist_t *n = netlist_again(hardware(s));
  for (unsigned i = 0; i < m->n_in; i++) netlist_set_port(n, m->in[i].name, s->in[i]);
  for (unsigned r = 0; r < m->n_regs; r++)
    for (unsigned i = 0; i < m->reg[r].words && present(s, r); i++) {
      const bv_t is = s->state[s->first[r] + i];
      bv_t v = bv_new(x, is.n);
      memcpy(v.b, is.b, is.n * sizeof *v.b);
      for (unsigned k = 0; k < n_flips; k++)
        if (flip[k].reg == r && flip[k].word == i) v.b[flip[k].bit] = aig_not(v.b[flip[k].bit]);
      netlist_set_register(n, m->reg[r].name, m->reg[r].words, i, v);
    }
  return n;
}

/* True where an output other than error_o differs. */
static lit_t answers_differ(sides_t *s, netlist_t *n) {
  const model_t *m = &s->model;
  bv_ctx_t *x = exec_bv(m->exec);
  lit_t differ = AIG_FALSE;
  for (unsigned i = 0; i < m->n_out; i++) {
    if (strcmp(m->out[i].name, "error_o") == 0) continue;
    const bv_t is = s->synthesis ? s->out_syn[i] : s->out_rtl[i];
    differ = aig_or(s->g, differ, aig_not(bv_eq(x, netlist_output(n, x, m->out[i].name), is)));
  }
  return differ;
}

/* True where a bit that was not flipped has another next value. The read register of a flipped
 * memory word (`read`, or n_regs) may differ in the bit of the same number. */
static lit_t spreads(sides_t *s, netlist_t *n, const flip_t *flip, unsigned n_flips,
                     unsigned read) {
  const model_t *m = &s->model;
  lit_t differ = AIG_FALSE;
  for (unsigned r = 0; r < m->n_regs; r++)
    for (unsigned i = 0; i < m->reg[r].words && present(s, r); i++) {
      const bv_t is = next_now(s, s->first[r] + i);
      const bv_t v =
          netlist_next(n, exec_bv(m->exec), m->reg[r].name, m->reg[r].words, i, m->reg[r].width);
      for (uint32_t k = 0; k < v.n; k++) {
        bool may = r == read && k == flip[0].bit;
        for (unsigned f = 0; f < n_flips; f++)
          may = may || (flip[f].reg == r && flip[f].word == i && flip[f].bit == k);
        if (!may) differ = aig_or(s->g, differ, aig_xor(s->g, v.b[k], is.b[k]));
      }
    }
  return differ;
}

/* The register that `reg` is read into, or n_regs. */
static unsigned read_register(const model_t *m, unsigned reg) {
  for (unsigned k = 0; k < sizeof reads / sizeof *reads; k++) {
    const char *name = m->reg[reg].name;
    const size_t all = strlen(name), tail = strlen(reads[k].memory);
    if (all < tail || strcmp(name + all - tail, reads[k].memory) != 0) continue;
    if (all > tail && name[all - tail - 1] != '.') continue;
    for (unsigned r = 0; r < m->n_regs; r++)
      if (strncmp(m->reg[r].name, name, all - tail) == 0 &&
          strcmp(m->reg[r].name + all - tail, reads[k].read) == 0)
        return r;
  }
  return m->n_regs;
}

static int claim_flips(sides_t *s, const flip_t *flip, unsigned n_flips, unsigned read,
                       mrpb_err_t *err) {
  const model_reg_t *reg = &s->model.reg[flip[0].reg];
  netlist_t *n = with_flips(s, flip, n_flips);
  /* In the order of evaluate_rtl, so that each x is the same variable. */
  const lit_t differ = answers_differ(s, n);
  const lit_t error = netlist_output(n, exec_bv(s->model.exec), "error_o").b[0];
  const lit_t spread = spreads(s, n, flip, n_flips, read);
  lit_t bad = aig_and(s->g, aig_or(s->g, differ, spread), aig_not(error));
  for (unsigned i = 0; i < s->model.n_in; i++)
    if (strcmp(s->model.in[i].name, "srst_ni") == 0) bad = aig_and(s->g, bad, s->in[i].b[0]);
  sides_claim(s, aig_and(s->g, s->holds, bad), "%s, word %u: a flip of bit %u%s is silent",
              reg->name, flip[0].word, flip[0].bit, n_flips > 1 ? " and of its copy" : "");
  const int rc = netlist_check(n, err);
  netlist_close(n);
  return rc;
}

int upsets_claims(sides_t *s, mrpb_err_t *err) {
  const model_t *m = &s->model;
  if (s->bind || !guarded(m, s->cfg)) return 0;
  for (unsigned r = 0; r < m->n_regs; r++) {
    const unsigned read = read_register(m, r);
    for (unsigned i = 0; i < m->reg[r].words && has_parity(s, r); i++)
      for (unsigned k = 0; k < m->reg[r].width; k++) {
        const flip_t flip[2] = {{r, i, k}, {read, 0, k}};
        if (claim_flips(s, flip, 1, read, err) != 0) return -1;
        if (read < m->n_regs && claim_flips(s, flip, 2, read, err) != 0) return -1;
        s->n_upsets++;
      }
  }
  return 0;
}
