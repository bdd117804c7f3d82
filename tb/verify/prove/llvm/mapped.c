/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/prove/llvm/mapped.h"

#include "verify/prove/expr_bv.h"
#include "verify/prove/llvm/cells.h"

#include <stdlib.h>
#include <string.h>

void mapped_open(sides_t *s) {
  if (!s->source.made) return;
  s->bind = &s->source.made->bind;
  netlist_map(s->netlist, s->bind);
  if (s->synthesis) netlist_map(s->synthesis, s->bind);
}

void mapped_close(sides_t *s) {
  while (s->n_late > 0) netlist_close(s->late[--s->n_late]);
  while (s->n_cycles > 1) netlist_close(s->cycle[--s->n_cycles].netlist);
  free(s->cycle);
}

unsigned mapped_late(const sides_t *s, unsigned i) {
  return s->bind ? s->bind->output[i].late : 0;
}

netlist_t *mapped_cycle(sides_t *s, unsigned late) {
  const model_t *m = &s->model;
  while (s->n_late < late) {
    const unsigned k = s->n_late++;
    s->late[k] = netlist_later(k ? s->late[k - 1] : s->netlist);
    for (unsigned i = 0; i < m->n_in; i++) {
      s->late_in[k][i] = bv_fresh(exec_bv(m->exec), m->in[i].width);
      netlist_set_port(s->late[k], m->in[i].name, s->late_in[k][i]);
    }
  }
  return late ? s->late[late - 1] : s->netlist;
}

/* ---- which outputs count ---- */

typedef struct {
  const sides_t *s;
  const bv_t *in, *out_c;
} cycle_t;

static bv_t port_now(void *ctx, const signal_t *at) {
  const cycle_t *c = ctx;
  const model_t *m = &c->s->model;
  for (unsigned i = 0; i < m->n_in; i++)
    if (strcmp(m->in[i].name, at->name) == 0) return c->in[i];
  for (unsigned i = 0; i < m->n_out; i++)
    if (strcmp(m->out[i].name, at->name) == 0) return c->out_c[i];
  return bv_const(exec_bv(m->exec), at->whole, 0);
}

lit_t mapped_when(const sides_t *s, unsigned i, const bv_t *in, const bv_t *out_c) {
  bv_ctx_t *x = exec_bv(s->model.exec);
  cycle_t cycle = {s, in, out_c};
  if (!s->bind) return AIG_TRUE;
  const bind_output_t *o = &s->bind->output[i];
  if (!o->there || !o->when) return o->there ? AIG_TRUE : AIG_FALSE;
  const scope_t ours = bind_ours(s->bind);
  const expr_bv_t values = {.x = x, .scope = &ours, .ctx = &cycle, .signal = port_now};
  return bv_any(x, expr_bv(&values, o->when));
}

lit_t mapped_assumed(const sides_t *s, const bv_t *in) {
  bv_ctx_t *x = exec_bv(s->model.exec);
  const cycle_t cycle = {s, in, s->out_c};
  lit_t all = AIG_TRUE;
  if (!s->bind) return all;
  const scope_t ours = bind_ours(s->bind);
  const expr_bv_t values = {
      .x = x, .scope = &ours, .ctx = (void *)(uintptr_t)&cycle, .signal = port_now};
  for (unsigned i = 0; i < s->bind->map->n; i++)
    if (s->bind->map->statement[i].kind == MAP_ASSUME)
      all = aig_and(s->g, all, bv_any(x, expr_bv(&values, s->bind->map->statement[i].from)));
  return aig_or(s->g, all, mapped_reset(s, in));
}

lit_t mapped_reset(const sides_t *s, const bv_t *in) {
  const model_t *m = &s->model;
  for (unsigned i = 0; i < m->n_in; i++)
    if (strcmp(m->in[i].name, "srst_ni") == 0) return aig_not(in[i].b[0]);
  return AIG_FALSE;
}

/* One for each cycle of the output's delay. An asynchronous reset also acts in the cycle itself. */
unsigned mapped_resets(const sides_t *s, unsigned i) {
  return s->bind ? s->bind->output[i].late + s->bind->reset_async : 0;
}

lit_t mapped_counts(sides_t *s, unsigned i) {
  lit_t counts = aig_and(s->g, s->holds, mapped_when(s, i, s->in, s->out_c));
  for (unsigned k = 0; k < mapped_resets(s, i); k++)
    counts = aig_and(s->g, counts, aig_not(mapped_reset(s, k ? s->late_in[k - 1] : s->in)));
  return counts;
}

/* ---- registers ---- */

bool mapped_names(const sides_t *s, unsigned r, unsigned i) {
  bool named = !s->bind;
  for (unsigned k = 0; k < s->model.reg[r].width && !named; k++)
    named = netlist_named(s->netlist, s->model.reg[r].name, i, k);
  return named;
}

bv_t mapped_named(sides_t *s, unsigned r, unsigned i, bv_t c) {
  const bv_t rtl = s->next_rtl[s->first[r] + i];
  if (!s->bind) return rtl;
  bv_t v = bv_new(exec_bv(s->model.exec), rtl.n);
  for (uint32_t k = 0; k < v.n; k++)
    v.b[k] = netlist_named(s->netlist, s->model.reg[r].name, i, k) ? rtl.b[k] : c.b[k];
  return v;
}

int mapped_no_register(const sides_t *s, const char *name, unsigned i, mrpb_err_t *err) {
  const bind_reg_t *r = NULL;
  for (unsigned k = 0; !r && k < 64; k++) r = bind_said_reg(s->bind, name, i, k);
  if (r && r->line)
    return mrpb_fail(err,
                     "%s:%u: '%s' is not a register, of which each bit is a flip-flop of its own",
                     s->bind->map->file, r->line, r->path);
  return mrpb_fail(err, "'%s' of %s is not a register, of which each bit is a flip-flop of its own",
                   name, s->bind->top);
}

/* `none`: the invariant says everything about it. */
static bool needless(const map_t *map, const char *name) {
  for (unsigned i = 0; i < map->n; i++)
    if (map->statement[i].kind == MAP_NONE && strcmp(map->statement[i].name, name) == 0)
      return true;
  return false;
}

static const char *unnamed_register(const sides_t *s) {
  const model_t *m = &s->model;
  for (unsigned r = 0; r < m->n_regs; r++)
    for (unsigned i = 0; i < m->reg[r].words; i++)
      for (unsigned k = 0; k < m->reg[r].width; k++)
        if (!netlist_named(s->netlist, m->reg[r].name, i, k) &&
            !needless(s->bind->map, m->reg[r].name))
          return m->reg[r].name;
  return NULL;
}

bool mapped_loose(const sides_t *s, char *text, size_t size) {
  const char *theirs = "";
  if (!s->bind) return false;
  const unsigned n = netlist_free(s->netlist, &theirs);
  const char *ours = unnamed_register(s);
  if (n > 0)
    snprintf(text, size, "no line of the map names %u flip-flops of the design (%s)", n, theirs);
  else if (ours)
    snprintf(text, size, "no line of the map names %s of ours", ours);
  return n > 0 || ours;
}

/* ---- the verdict ---- */

/* A condition of the map need not be true in any cycle; in that case nothing was compared. */
static bool ever(const sides_t *s, const prove_job_t *job, const char *temp, lit_t counts,
                 mrpb_err_t *err) {
  uint32_t ands;
  const question_t question = {.g = s->g,
                               .bad = &counts,
                               .n_bad = 1,
                               .temp = temp,
                               .seconds = job->limit,
                               .engine = job->engine};
  uint8_t *cex = prove_alloc(aig_inputs(s->g) * sizeof *cex);
  const bool is = decide_question(&question, cex, &ands, err) == DECIDE_TRUE;
  free(cex);
  return is;
}

int mapped_verdict(sides_t *s, const prove_job_t *job, const char *temp, verdict_t *v,
                   mrpb_err_t *err) {
  mrpb_err_t unheard = {""};
  if (verdict_open(v, job->cls, job->cfg, s->bind, err) != 0) return PROVE_BAD_TOOL;
  if (job->depth) verdict_outputs_only(v);
  if (s->match) prove_cells_verdict(s, v);
  for (unsigned i = 0; i < s->model.n_out; i++) {
    const bool may = s->counts[i] != AIG_FALSE, asks = s->bind && s->bind->output[i].when;
    unsigned same = 0;
    while (same < i && s->counts[same] != s->counts[i]) same++;
    if (same < i)
      v->cycles[i] = v->cycles[same];
    else if (!may || (asks && !ever(s, job, temp, s->counts[i], &unheard)))
      v->cycles[i] = 0;
  }
  return verdict_check(v, err) == 0 ? 0 : PROVE_BAD_INPUT;
}
