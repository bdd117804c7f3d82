/* SPDX-License-Identifier: Apache-2.0 */
/* The verdict, and the trace of a refutation. */
#include "verify/prove/llvm/cells.h"
#include "base/seconds.h"
#include "verify/prove/llvm/gates.h"
#include "verify/prove/llvm/mapped.h"
#include "verify/prove/llvm/net.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void print_bits(FILE *out, const uint64_t *node, bv_t v) {
  uint32_t top = v.n;
  while (top > 1 && !(aig_value(node, v.b[top - 1]) & 1)) top--;
  if (top > 12) fputs("0x", out);
  if (top <= 12) {
    unsigned value = 0;
    for (uint32_t i = 0; i < top; i++) value |= (unsigned)(aig_value(node, v.b[i]) & 1) << i;
    fprintf(out, "%u", value);
    return;
  }
  for (uint32_t d = (top + 3) / 4; d-- > 0;) {
    unsigned digit = 0;
    for (uint32_t i = 4 * d; i < 4 * d + 4 && i < v.n; i++)
      digit |= (unsigned)(aig_value(node, v.b[i]) & 1) << i % 4;
    fprintf(out, "%x", digit);
  }
}

static bool any_bit(const uint64_t *node, bv_t v) {
  for (uint32_t i = 0; i < v.n; i++)
    if (aig_value(node, v.b[i]) & 1) return true;
  return false;
}

static void print_register(const sides_t *s, unsigned r, const uint64_t *node, FILE *out) {
  const model_reg_t *reg = &s->model.reg[r];
  const bv_t *v = s->state + s->first[r];
  unsigned last = reg->words, first = 0;
  while (last > 0 && !any_bit(node, v[last - 1])) last--;
  if (last == 0) return; /* all 0 */
  while (!any_bit(node, v[first])) first++;
  if (reg->words == 1)
    fprintf(out, "  state    %s=", reg->name);
  else if (last - first == 1)
    fprintf(out, "  state    %s[%u]=", reg->name, first);
  else
    fprintf(out, "  state    %s[%u..%u]=", reg->name, first, last - 1);
  for (unsigned i = first; i < last; i++) {
    if (i > first) putc(' ', out);
    print_bits(out, node, v[i]);
  }
  putc('\n', out);
}

static void print_inputs(const sides_t *s, const char *name, const bv_t *in, const uint64_t *node,
                         FILE *out) {
  const model_t *m = &s->model;
  fputs(name, out);
  for (unsigned i = 0; i < m->n_in; i++) {
    fprintf(out, " %s=", m->in[i].name);
    print_bits(out, node, in[i]);
  }
  putc('\n', out);
}

/* Prints the cycles up to the first one with a difference. */
static void print_cycles(const sides_t *s, const uint64_t *node, FILE *out) {
  char name[32];
  unsigned last = s->n_cycles - 1;
  for (unsigned i = s->n_checks; i-- > 0;)
    if (aig_value(node, s->check[i].bad) & 1) sscanf(s->check[i].what, "cycle %u", &last);
  for (unsigned k = 0; k <= last; k++) {
    snprintf(name, sizeof name, "  cycle %-3u", k);
    print_inputs(s, name, s->cycle[k].in, node, out);
  }
}

void prove_trace(const sides_t *s, const uint8_t *cex, FILE *out) {
  const model_t *m = &s->model;
  uint64_t *in = prove_alloc(aig_inputs(s->g) * sizeof *in);
  uint64_t *node = prove_alloc(aig_nodes(s->g) * sizeof *node);
  for (uint32_t i = 0; i < aig_inputs(s->g); i++) in[i] = cex[i];
  aig_simulate(s->g, in, node);
  if (s->cycle) print_cycles(s, node, out);
  if (!s->cycle) print_inputs(s, "  input   ", s->in, node, out);
  for (unsigned k = 0; k < s->n_late; k++) print_inputs(s, "  then    ", s->late_in[k], node, out);
  for (unsigned r = 0; r < m->n_regs && !s->cycle; r++) print_register(s, r, node, out);
  for (unsigned i = 0; i < s->n_checks; i++) {
    const claim_t *c = &s->check[i];
    if (!(aig_value(node, c->bad) & 1)) continue;
    fprintf(out, c->pair ? "  differs  %s: C " : "  fails    %s", c->what);
    if (c->pair) {
      print_bits(out, node, c->c);
      fputs(", Verilog ", out);
      print_bits(out, node, c->rtl);
    }
    putc('\n', out);
  }
  free(in);
  free(node);
}

void prove_name(const prove_job_t *job, FILE *out) {
  fprintf(out, "%s", job->cls->stem);
  for (unsigned i = 0; i < job->cls->n_params; i++)
    fprintf(out, " %s=%u", job->cls->params[i].name, job->cfg[i]);
}

static void print_name(const prove_job_t *job, const char *verdict, FILE *out) {
  fprintf(out, "%s ", verdict);
  prove_name(job, out);
}

/* All checks that the graph alone does not decide. */
static lit_t *open_checks(const sides_t *s, uint32_t *n) {
  lit_t *bad = prove_alloc((s->n_checks + 1) * sizeof *bad);
  *n = 0;
  for (unsigned i = 0; i < s->n_checks; i++)
    if (s->check[i].bad != AIG_FALSE) bad[(*n)++] = s->check[i].bad;
  return bad;
}

/* Why a difference in some state need not be one from a reset; false if it is one. */
static bool may_be_spurious(const sides_t *s, char *text, size_t size) {
  if (!s->match) return mapped_loose(s, text, size);
  snprintf(text, size, "the correspondence of flip-flops and registers does not hold in it");
  return true;
}

/* Prints the engine's case: a difference, or one that may be spurious. */
static int print_case(const sides_t *s, const prove_job_t *job, const uint8_t *cex, FILE *out) {
  char why[NETLIST_NAME + 80];
  const bool loose = !job->depth && may_be_spurious(s, why, sizeof why);
  print_name(job, loose ? "not decided" : "refuted", out);
  if (loose)
    fprintf(out,
            ": a difference, but %s: the state may be one that is never reached; --depth N asks "
            "from a reset\n",
            why);
  else
    fputs(job->depth ? ": from a reset, with these inputs\n"
                     : ": for this state, which satisfies the invariant, and these inputs\n",
          out);
  prove_trace(s, cex, out);
  return loose ? PROVE_UNKNOWN : PROVE_NO;
}

/* Checks in the program what is proved of the text, and prints the verdict. */
static int print_proved(sides_t *s, const prove_job_t *job, const char *temp, const char *tail,
                        FILE *out, mrpb_err_t *err) {
  verdict_t v;
  char all[512] = "";
  uint64_t states = 0;
  int rc = mapped_verdict(s, job, temp, &v, err);
  if (rc == 0) rc = net_check(s, job, temp, &states, out, err);
  if (rc != 0) return rc == PROVE_NO ? PROVE_BAD_TOOL : rc;
  print_name(job, "proved", out);
  if (job->depth) fprintf(out, " for %u cycles from a reset", job->depth);
  if (s->n_upsets) snprintf(all, sizeof all, "; no flip of %u bits is silent", s->n_upsets);
  if (s->match) prove_cells_text(s, all, sizeof all);
  const size_t n = strlen(all);
  snprintf(all + n, sizeof all - n, "%s; the compiled program is equal in %" PRIu64 " states", tail,
           states);
  verdict_write(&v, out, all, "%s", "");
  return PROVE_YES;
}

static int decide_sides(sides_t *s, const prove_job_t *job, const char *temp, double start,
                        FILE *out, mrpb_err_t *err) {
  uint32_t ands, n_bad;
  lit_t *bad = open_checks(s, &n_bad);
  const question_t question = {.g = s->g,
                               .bad = bad,
                               .n_bad = n_bad,
                               .temp = temp,
                               .seconds = job->limit,
                               .engine = job->engine,
                               .doing = job->doing,
                               .context = job->context};
  char tail[160];
  double built = seconds_now();
  uint8_t *cex = prove_alloc(aig_inputs(s->g));
  int rc = PROVE_UNKNOWN;
  switch (decide_question(&question, cex, &ands, err)) {
  case DECIDE_NEVER:
    snprintf(tail, sizeof tail, ": %u checks, %u gates, built in %.1f s, decided in %.1f s by %s",
             s->n_checks, ands, built - start, seconds_now() - built, decide_name(job->engine));
    rc = print_proved(s, job, temp, tail, out, err);
    break;
  case DECIDE_TRUE:
    if (s->match && !job->depth && prove_cells_refuse(s, job->match, cex))
      rc = PROVE_AGAIN;
    else
      rc = print_case(s, job, cex, out);
    break;
  case DECIDE_UNKNOWN:
    print_name(job, "not decided", out);
    fprintf(out, ": %u checks, %u gates: %s\n", s->n_checks, ands, err->text);
    err->text[0] = '\0';
    break;
  case DECIDE_NO_TOOL:
    rc = PROVE_BAD_TOOL;
    break;
  case DECIDE_DISAGREE:
    rc = PROVE_DISAGREE;
    break;
  }
  free(cex);
  free(bad);
  return rc;
}

int prove_once(const prove_job_t *job, const char *temp, FILE *out, mrpb_err_t *err) {
  sides_t s;
  double start = seconds_now();
  if (job->doing) job->doing(job->context, "building", 0);
  int rc = job->depth ? bounded_open(&s, job, temp, err) : sides_open(&s, job, temp, err);
  if (rc == 0) rc = decide_sides(&s, job, temp, start, out, err);
  if (rc == PROVE_UNKNOWN && err->text[0]) {
    print_name(job, "not decided", out);
    fprintf(out, ": %s\n", err->text);
    err->text[0] = '\0';
  }
  sides_close(&s);
  return rc;
}

int prove_run(const prove_job_t *job, const char *temp, FILE *out, mrpb_err_t *err) {
  if (job->cells && job->cells->netlist) return gates_run(job, temp, out, err);
  return prove_once(job, temp, out, err);
}
