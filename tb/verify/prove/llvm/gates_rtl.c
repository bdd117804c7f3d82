/* SPDX-License-Identifier: Apache-2.0 */
/* The netlist against the Verilog of which it was made: no C model and no invariant are needed,
 * because registers correspond one by one and the logic between them is compared. */
#include "verify/prove/llvm/gates.h"

#include "verify/prove/netlist_memory.h"
#include "verilog/lint/lint.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 20 };

/* Both over the same variables, in any cycle and in a reset. */
typedef struct {
  const prove_job_t *job;
  match_t *m;
  bv_ctx_t x;
  netlist_t *rtl, *gates;
  bool *taken;        /* memories of the Verilog that are a macro */
  uint32_t *memory;   /* for each macro, its memory of the Verilog */
  bv_t *raddr, *word; /* of the Verilog's memories: what they read, and where */
  bool reset;
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  bv_t in_bits[MODULE_MAX_PORTS];
  lit_t *held, *next,
      *flop; /* of the bits; their next values in the Verilog; those of flip-flops */
} pair_t;

/* A question: `bad`, and what it is about. */
typedef struct {
  lit_t bad;
  uint32_t flop, bit; /* 1 + its number; 0: none */
  const char *output, *macro, *pins;
} item_t;

typedef struct {
  item_t *item;
  uint32_t n;
  size_t room;
} items_t;

static void claim(items_t *t, item_t item) {
  if (item.bad == AIG_FALSE) return;
  t->item = prove_room(t->item, t->n + 1, &t->room, sizeof *t->item);
  t->item[t->n++] = item;
}

static bool of_checker(const pair_t *p, const char *name) {
  const lint_checker_t *c = lint_checker(p->m->cls->stem);
  const size_t n = c ? strlen(c->instance) : 0;
  return c && strncmp(name, c->instance, n) == 0 && name[n] == '.';
}

static bool is_memory(const pair_t *p, const char *name) {
  for (uint32_t i = 0; i < netlist_memories(p->rtl); i++)
    if (strcmp(netlist_memory_name(p->rtl, i), name) == 0) return true;
  return false;
}

static lit_t value_by(match_to_t to, const lit_t *bit) {
  if (to.kind == MATCH_CONSTANT) return to.inverted ? AIG_TRUE : AIG_FALSE;
  return to.inverted ? aig_not(bit[to.bit]) : bit[to.bit];
}

/* In a reset, what is claimed of bits without a flip-flop need not hold before it. */
static void set_ports_and_registers(pair_t *p) {
  match_t *m = p->m;
  for (unsigned i = 0; i < m->cls->n_in; i++) {
    const bool reset = p->reset && strcmp(p->in[i].name, "srst_ni") == 0;
    p->in_bits[i] = reset ? bv_const(&p->x, 1, 0) : bv_fresh(&p->x, p->in[i].width);
    netlist_set_port(p->rtl, p->in[i].name, p->in_bits[i]);
    netlist_set_port(p->gates, p->in[i].name, p->in_bits[i]);
  }
  p->held = prove_alloc((m->n_bits + 1) * sizeof *p->held);
  p->next = prove_alloc((m->n_bits + 1) * sizeof *p->next);
  for (uint32_t b = 0; b < m->n_bits; b++)
    if (p->reset || m->bit[b].equal.kind == MATCH_NONE) p->held[b] = aig_input(p->x.g);
  for (uint32_t b = 0; b < m->n_bits && !p->reset; b++)
    if (m->bit[b].equal.kind != MATCH_NONE) p->held[b] = value_by(m->bit[b].equal, p->held);
  memcpy(p->next, p->held, m->n_bits * sizeof *p->next); /* for registers that are no hardware */
}

/* Of a check that is no hardware, or the words of a memory that is cut. */
static bool not_here(const pair_t *p, const char *name) {
  return of_checker(p, name) || is_memory(p, name);
}

/* Sets the Verilog's registers, or evaluates them. Returns -1 and a message if one has no flip-flops
 * there. */
static int registers(pair_t *p, bool set, mrpb_err_t *err) {
  match_t *m = p->m;
  for (unsigned r = 0; r < m->cls->n_regs; r++)
    for (unsigned w = 0; w < m->reg[r].words && !not_here(p, m->reg[r].name); w++) {
      const module_reg_t *reg = &m->reg[r];
      bv_t v = bv_new(&p->x, reg->width);
      const uint32_t at = match_bit_at(m, r, w, 0);
      if (netlist_register(p->rtl, reg->name, reg->words, w, reg->width) != reg->width)
        return mrpb_fail(err, "register %s[%u] of the Verilog has not %u flip-flops", reg->name, w,
                         reg->width);
      memcpy(v.b, p->held + at, reg->width * sizeof *v.b);
      if (set) {
        netlist_set_register(p->rtl, reg->name, reg->words, w, v);
        continue;
      }
      v = netlist_next(p->rtl, &p->x, reg->name, reg->words, w, reg->width);
      memcpy(p->next + at, v.b, reg->width * sizeof *v.b);
    }
  return netlist_check(p->rtl, err);
}

/* A flip-flop holds any value before a reset that makes the register's bit a constant. That is known
 * from the Verilog's next values. */
static void set_flops(pair_t *p) {
  match_t *m = p->m;
  for (uint32_t f = 0; f < m->n_flops; f++) {
    const match_to_t to = m->flop[f].to;
    const bool any = p->reset && (to.kind == MATCH_CONSTANT || aig_is_const(p->next[to.bit]));
    if (to.kind != MATCH_NONE)
      netlist_flop_set(p->gates, f, any ? aig_input(p->x.g) : value_by(to, p->held));
  }
}

static int evaluate_gates(pair_t *p, mrpb_err_t *err) {
  match_t *m = p->m;
  p->flop = prove_alloc((m->n_flops + 1) * sizeof *p->flop);
  for (uint32_t f = 0; f < m->n_flops; f++)
    p->flop[f] =
        m->flop[f].to.kind == MATCH_NONE ? AIG_FALSE : netlist_flop_next(p->gates, &p->x, f);
  return netlist_check(p->gates, err);
}

/* ---- macros ---- */

/* Pairs each macro with a memory of the Verilog: of its name, or the next of its size. */
static int pair_memories(pair_t *p, const netlist_t *rtl, mrpb_err_t *err) {
  const netlist_t *gates = p->m->netlist;
  const uint32_t n = netlist_memories(gates), others = netlist_memories(rtl);
  p->memory = prove_alloc((n + 1) * sizeof *p->memory);
  p->taken = prove_alloc((others + 1) * sizeof *p->taken);
  memset(p->taken, 0, (others + 1) * sizeof *p->taken);
  for (uint32_t i = 0; i < n; i++) {
    const unsigned words = netlist_memory_words(gates, i), bits = netlist_memory_bits(gates, i);
    const char *name = netlist_memory_name(gates, i);
    p->memory[i] = netlist_memory_find(rtl, name, words, bits, p->taken);
    if (p->memory[i] == MEMORY_NONE)
      return mrpb_fail(err, "macro %s: the Verilog has no memory of %u words of %u bits", name,
                       words, bits);
    p->taken[p->memory[i]] = true;
  }
  for (uint32_t i = 0; i < others; i++)
    if (!p->taken[i])
      return mrpb_fail(err, "memory %s of the Verilog has no macro", netlist_memory_name(rtl, i));
  return 0;
}

/* The Verilog's bits beyond those of a macro must be 0. */
static lit_t differ(pair_t *p, bv_t gates, bv_t rtl) {
  lit_t bad = AIG_FALSE;
  for (uint32_t k = 0; k < gates.n || k < rtl.n; k++) {
    const lit_t a = k < gates.n ? gates.b[k] : AIG_FALSE, b = k < rtl.n ? rtl.b[k] : AIG_FALSE;
    bad = aig_or(p->x.g, bad, aig_xor(p->x.g, a, b));
  }
  return bad;
}

/* The Verilog's memories read any word; each under its own address, which may depend on none of
 * them. */
static void read_rtl(pair_t *p) {
  const uint32_t n = netlist_memories(p->rtl);
  p->raddr = prove_alloc((n + 1) * sizeof *p->raddr);
  p->word = prove_alloc((n + 1) * sizeof *p->word);
  for (uint32_t i = 0; i < n; i++) p->raddr[i] = netlist_memory_raddr(p->rtl, &p->x, i);
  for (uint32_t i = 0; i < n; i++) {
    p->word[i] = bv_fresh(&p->x, netlist_memory_bits(p->rtl, i));
    netlist_memory_show(p->rtl, i, p->word[i]);
  }
}

/* Both memories have the same words before the edge, so a macro reads the same word if its address
 * is the same. It must be where the word is used, but not in the cycle of a reset. */
static void read_gates(pair_t *p, items_t *t) {
  const uint32_t n = netlist_memories(p->gates);
  for (uint32_t i = 0; i < n; i++) {
    const bv_t a = netlist_memory_raddr(p->gates, &p->x, i);
    const lit_t reads = netlist_memory_reads(p->gates, &p->x, i);
    if (!p->reset)
      claim(t, (item_t){.bad = aig_and(p->x.g, reads, differ(p, a, p->raddr[p->memory[i]])),
                        .macro = netlist_memory_name(p->m->netlist, i),
                        .pins = "raddr"});
  }
  for (uint32_t i = 0; i < n; i++) {
    const bv_t word = p->word[p->memory[i]];
    netlist_memory_show(p->gates, i, p->reset ? bv_fresh(&p->x, word.n) : word);
  }
}

/* After the edge they have the same words again. */
static void write_memories(pair_t *p, items_t *t) {
  for (uint32_t i = 0; i < netlist_memories(p->gates); i++) {
    const memory_write_t a = netlist_memory_write(p->gates, &p->x, i);
    const memory_write_t b = netlist_memory_write(p->rtl, &p->x, p->memory[i]);
    const char *macro = netlist_memory_name(p->m->netlist, i);
    aig_t *g = p->x.g;
    lit_t bad = AIG_FALSE, any = AIG_FALSE, data = AIG_FALSE;
    for (uint32_t k = 0; k < b.enable.n; k++) { /* the Verilog's are for a bit each */
      const lit_t we = a.enable.b[k / a.part];
      any = aig_or(g, any, we);
      bad = aig_or(g, bad, aig_xor(g, we, b.enable.b[k]));
      data = aig_or(g, data, aig_and(g, we, aig_xor(g, a.data.b[k], b.data.b[k])));
    }
    const lit_t address = aig_and(g, any, differ(p, a.address, b.address));
    claim(t, (item_t){.bad = bad, .macro = macro, .pins = "we"});
    claim(t, (item_t){.bad = address, .macro = macro, .pins = "waddr"});
    claim(t, (item_t){.bad = data, .macro = macro, .pins = "wdata"});
  }
}

/* Each flip-flop, each bit without one, each output. */
static void claims(pair_t *p, items_t *t) {
  match_t *m = p->m;
  aig_t *g = p->x.g;
  for (uint32_t f = 0; f < m->n_flops; f++) {
    const match_to_t to = m->flop[f].to;
    if (to.kind != MATCH_NONE)
      claim(t, (item_t){.bad = aig_xor(g, p->flop[f], value_by(to, p->next)), .flop = f + 1});
  }
  for (uint32_t b = 0; b < m->n_bits; b++)
    if (m->bit[b].equal.kind != MATCH_NONE)
      claim(t, (item_t){.bad = aig_xor(g, p->next[b], value_by(m->bit[b].equal, p->next)),
                        .bit = b + 1});
  for (unsigned i = 0; i < m->cls->n_out && !p->reset; i++) {
    const bv_t a = netlist_output(p->rtl, &p->x, p->out[i].name);
    const bv_t b = netlist_output(p->gates, &p->x, p->out[i].name);
    lit_t bad = AIG_FALSE;
    for (uint32_t k = 0; k < a.n; k++) bad = aig_or(g, bad, aig_xor(g, a.b[k], b.b[k]));
    claim(t, (item_t){.bad = bad, .output = p->out[i].name});
  }
}

static int evaluate(pair_t *p, items_t *t, mrpb_err_t *err) {
  if (registers(p, true, err) != 0) return -1;
  read_rtl(p);
  if (registers(p, false, err) != 0) return -1;
  set_flops(p);
  read_gates(p, t);
  if (evaluate_gates(p, err) != 0) return -1;
  write_memories(p, t);
  return 0;
}

/* Adds one of the two cases to the questions. */
static int add(pair_t *p, netlist_t *rtl, bool reset, items_t *t, mrpb_err_t *err) {
  match_t *m = p->m;
  p->reset = reset;
  p->rtl = netlist_again(rtl);
  p->gates = netlist_cells_again(m->netlist);
  p->flop = NULL;
  p->raddr = p->word = NULL;
  m->cls->ports(m->cfg, p->in, p->out);
  set_ports_and_registers(p);
  int rc = evaluate(p, t, err);
  if (rc == 0) claims(p, t);
  if (rc == 0) rc = netlist_check(p->rtl, err) == 0 ? netlist_check(p->gates, err) : -1;
  netlist_close(p->rtl);
  netlist_close(p->gates);
  free(p->held);
  free(p->next);
  free(p->flop);
  free(p->raddr);
  free(p->word);
  return rc;
}

/* Refuses what the case shows to be wrong, and names the first of it. */
static bool refuse(pair_t *p, const items_t *t, const uint8_t *cex, char said[GATES_TEXT]) {
  uint64_t *in = prove_alloc((aig_inputs(p->x.g) + 1) * sizeof *in);
  uint64_t *node = prove_alloc((aig_nodes(p->x.g) + 1) * sizeof *node);
  char name[96];
  bool other = false;
  said[0] = '\0';
  for (uint32_t i = 0; i < aig_inputs(p->x.g); i++) in[i] = cex[i];
  aig_simulate(p->x.g, in, node);
  for (uint32_t i = 0; i < t->n; i++) {
    const item_t *c = &t->item[i];
    if (!(aig_value(node, c->bad) & 1)) continue;
    if (c->flop)
      snprintf(name, sizeof name, "flip-flop %.80s", netlist_flop_name(p->m->netlist, c->flop - 1));
    else if (c->bit)
      match_bit_name(p->m, c->bit - 1, name, sizeof name);
    else
      snprintf(name, sizeof name, "output %s", c->output);
    if (c->macro) snprintf(name, sizeof name, "%s of macro %.70s", c->pins, c->macro);
    if (!said[0]) snprintf(said, GATES_TEXT, "%s differs in some state", name);
    if (c->flop) other |= match_refuse_flop(p->m, c->flop - 1);
    if (c->bit) other |= match_refuse_bit(p->m, c->bit - 1);
  }
  free(in);
  free(node);
  if (other) match_decide(p->m);
  return other;
}

static int ask(pair_t *p, const items_t *t, const char *temp, char said[GATES_TEXT],
               mrpb_err_t *err) {
  uint32_t ands = 0;
  lit_t *bad = prove_alloc((t->n + 1) * sizeof *bad);
  uint8_t *cex = prove_alloc(aig_inputs(p->x.g) + 1);
  for (uint32_t i = 0; i < t->n; i++) bad[i] = t->item[i].bad;
  const question_t q = {.g = p->x.g,
                        .bad = bad,
                        .n_bad = t->n,
                        .temp = temp,
                        .seconds = p->job->limit,
                        .engine = p->job->engine,
                        .doing = p->job->doing,
                        .context = p->job->context};
  const decide_t is = decide_question(&q, cex, &ands, err);
  int rc = is == DECIDE_NO_TOOL ? PROVE_BAD_TOOL : PROVE_UNKNOWN;
  const match_counts_t n = match_counts(p->m);
  if (is == DECIDE_NEVER) rc = PROVE_YES;
  if (is == DECIDE_DISAGREE) rc = PROVE_DISAGREE;
  if (is == DECIDE_TRUE && refuse(p, t, cex, said)) rc = PROVE_AGAIN;
  if (is == DECIDE_NEVER)
    snprintf(said, GATES_TEXT,
             "%u flip-flops (%u inverted, %u repeated, %u constant; %u register bits need none), "
             "%u macros, %u gates",
             n.flops, n.inverted, n.repeated, n.constant, n.removed,
             netlist_memories(p->m->netlist), ands);
  free(bad);
  free(cex);
  return rc;
}

static int once(pair_t *p, netlist_t *rtl, const char *temp, char said[GATES_TEXT],
                mrpb_err_t *err) {
  items_t t = {0};
  int rc = PROVE_UNKNOWN;
  p->x = (bv_ctx_t){.g = aig_open()};
  if (add(p, rtl, false, &t, err) == 0 && add(p, rtl, true, &t, err) == 0)
    rc = ask(p, &t, temp, said, err);
  free(t.item);
  bv_free(&p->x);
  aig_close(p->x.g);
  return rc;
}

/* The reading of synthesis. */
static int open_rtl(const prove_job_t *job, rtl_source_t *source, netlist_t **n, const char *temp,
                    mrpb_err_t *err) {
  int rc = rtl_source_open(source, job->env, job->cls, job->cfg, RTL_BOTH_READINGS, err);
  if (rc != 0) return rc;
  const bool conditional = source->lint.conditional;
  if (netlist_memories(job->match->netlist) == 0)
    return netlist_open(n, &source->job, &source->lint, conditional, temp, err);
  return netlist_cut_open(n, &source->job, &source->lint, conditional, job->match->netlist, temp,
                          err);
}

int gates_rtl(const prove_job_t *job, const char *temp, char said[GATES_TEXT], mrpb_err_t *err) {
  rtl_source_t source;
  netlist_t *rtl = NULL;
  pair_t p = {.job = job, .m = job->match};
  if (job->doing) job->doing(job->context, "gates = Verilog", job->limit);
  int rc = open_rtl(job, &source, &rtl, temp, err);
  if (rc == 0) rc = pair_memories(&p, rtl, err) == 0 ? PROVE_AGAIN : PROVE_UNKNOWN;
  for (unsigned i = 0; i < ROUNDS && rc == PROVE_AGAIN; i++) rc = once(&p, rtl, temp, said, err);
  free(p.memory);
  free(p.taken);
  netlist_close(rtl);
  rtl_source_close(&source);
  return rc == PROVE_AGAIN ? PROVE_UNKNOWN : rc;
}
