/* SPDX-License-Identifier: Apache-2.0 */
/* Compares the outputs of both sides cycle by cycle from a reset. This needs no register map and no
 * invariant. docs/verify/prove.md */
#include "verify/prove/llvm/cells.h"
#include "verify/prove/llvm/mapped.h"

#include <stdlib.h>
#include <string.h>

static void make_inputs(sides_t *s, unsigned k) {
  const model_t *m = &s->model;
  bv_ctx_t *x = exec_bv(m->exec);
  bounded_t *c = &s->cycle[k];
  for (unsigned i = 0; i < m->n_in; i++) {
    const bool reset = k == 0 && strcmp(m->in[i].name, "srst_ni") == 0;
    c->in[i] = reset ? bv_const(x, 1, 0) : bv_fresh(x, m->in[i].width);
    netlist_set_port(c->netlist, m->in[i].name, c->in[i]);
  }
}

/* Compares the model's output of cycle `then` with the Verilog's output of cycle `now`. The first
 * cycle, which is the reset, is not compared. */
static void compare(sides_t *s, unsigned i, unsigned then, unsigned now) {
  const bounded_t *c = &s->cycle[then];
  lit_t counts = aig_and(s->g, s->holds, mapped_when(s, i, c->in, c->out));
  for (unsigned k = 0; k < mapped_resets(s, i); k++)
    counts = aig_and(s->g, counts, aig_not(mapped_reset(s, s->cycle[then + k].in)));
  s->counts[i] = aig_or(s->g, s->counts[i], counts);
  if (counts == AIG_FALSE) return;
  bv_t rtl = netlist_output(s->cycle[now].netlist, exec_bv(s->model.exec), s->model.out[i].name);
  const bv_t expected = prove_cells_output(s, i, c->out[i]);
  claim_t *claim = sides_claim(s, aig_and(s->g, counts, sides_differ(s, expected, rtl)),
                               "cycle %u: %s", now, s->model.out[i].name);
  claim->pair = true;
  claim->c = expected;
  claim->rtl = rtl;
}

static int step(sides_t *s, mem_t **state, unsigned k, mrpb_err_t *err) {
  mem_t *after = NULL;
  model_t *m = &s->model;
  bounded_t *c = &s->cycle[k];
  c->netlist = k ? netlist_later(s->cycle[k - 1].netlist) : s->netlist;
  make_inputs(s, k);
  s->holds = aig_and(s->g, s->holds, mapped_assumed(s, c->in));
  int rc = model_comb(m, *state, c->in, c->out, &after, err);
  mem_close(after);
  for (unsigned i = 0; rc == 0 && i < m->n_out; i++)
    if (k > mapped_late(s, i)) compare(s, i, k - mapped_late(s, i), k);
  if (rc == 0) rc = model_edge(m, state, c->in, err);
  exec_forget(m->exec);
  return rc == 0 && netlist_check(c->netlist, err) != 0 ? PROVE_BAD_INPUT : rc;
}

int bounded_open(sides_t *s, const prove_job_t *job, const char *temp, mrpb_err_t *err) {
  int rc = sides_start(s, job, temp, err);
  if (rc != 0) return rc;
  netlist_power_up(s->netlist);
  if (s->match) prove_cells_power_up(s);
  s->holds = AIG_TRUE;
  for (unsigned i = 0; i < s->model.n_out; i++) s->counts[i] = AIG_FALSE;
  s->cycle = calloc(job->depth + 1, sizeof *s->cycle);
  if (!s->cycle) return mrpb_fail(err, "out of memory"), PROVE_BAD_TOOL;
  mem_t *state = mem_share(s->model.made);
  for (unsigned k = 0; rc == 0 && k <= job->depth; k++) {
    rc = step(s, &state, k, err);
    s->n_cycles = k + 1;
  }
  mem_close(state);
  return rc;
}
