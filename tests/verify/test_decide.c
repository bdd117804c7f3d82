/* SPDX-License-Identifier: Apache-2.0 */
/* The two forms of a question about a graph: the clauses against the graph itself, for all
 * assignments of random small graphs, and what both engines answer. */
#include "base/files.h"
#include "prng.h"
#include "verify/prove/cnf.h"
#include "verify/prove/decide.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Suite *test_decide_suite(void);

enum { INPUTS = 6, ASSIGNMENTS = 1 << INPUTS, BADS = 5, VARS = 512, LITS = 1 << 14, GRAPHS = 300 };

typedef struct {
  aig_t *g;
  lit_t given, bad[BADS];
  uint64_t truth[BADS]; /* by assignment: given and bad */
  uint64_t given_truth;
} question_case_t;

/* What was written: literals as in DIMACS, clauses ended by 0. */
typedef struct {
  int lit[LITS], cube[BADS];
  unsigned n, cubes, vars;
} clauses_t;

/* Random gates over what there is; many of them multiplexers and ANDs of several, which the clauses
 * join. The assignments are the 64 lanes of a simulation. */
static void random_case(question_case_t *c, uint64_t seed, unsigned gates) {
  prng_t p = prng_seed(seed, 0);
  lit_t pool[INPUTS + 128];
  unsigned n = INPUTS;
  c->g = aig_open();
  for (unsigned i = 0; i < INPUTS; i++) pool[i] = aig_input(c->g);
  for (unsigned i = 0; i < gates; i++) {
    lit_t x[3];
    for (unsigned k = 0; k < 3; k++) {
      unsigned near = (unsigned)(prng_next(&p) % 6);
      unsigned at = prng_next(&p) % 2 && near < n ? n - 1 - near : (unsigned)(prng_next(&p) % n);
      x[k] = pool[at] ^ (lit_t)(prng_next(&p) & 1);
    }
    unsigned kind = (unsigned)(prng_next(&p) % 4);
    pool[n++] = kind == 0   ? aig_mux(c->g, x[0], x[1], x[2])
                : kind == 1 ? aig_xor(c->g, x[0], x[1])
                            : aig_and(c->g, x[0], x[1]);
  }
  c->given = prng_next(&p) % 3 ? pool[prng_next(&p) % n] : AIG_TRUE;
  for (unsigned i = 0; i < BADS; i++)
    c->bad[i] = pool[n - 1 - prng_next(&p) % n] ^ (lit_t)(prng_next(&p) & 1);
  uint64_t in[INPUTS] = {0}, *node = prove_alloc(aig_nodes(c->g) * sizeof *node);
  for (unsigned a = 0; a < ASSIGNMENTS; a++)
    for (unsigned i = 0; i < INPUTS; i++) in[i] |= (uint64_t)(a >> i & 1) << a;
  aig_simulate(c->g, in, node);
  c->given_truth = aig_value(node, c->given);
  for (unsigned i = 0; i < BADS; i++) c->truth[i] = c->given_truth & aig_value(node, c->bad[i]);
  free(node);
}

static void parse(const char *text, clauses_t *c) {
  ck_assert_int_eq(strncmp(text, "p inccnf\n", 9), 0);
  memset(c, 0, sizeof *c);
  for (const char *p = text + 9; *p; p++) {
    char *end;
    bool cube = *p == 'a';
    if (cube) p++;
    for (long v = 1; v != 0; p = end) {
      v = strtol(p, &end, 10);
      ck_assert(end != p && labs(v) < VARS);
      if ((unsigned)labs(v) > c->vars) c->vars = (unsigned)labs(v);
      ck_assert_uint_lt(c->n, LITS);
      if (!cube) c->lit[c->n++] = (int)v;
      if (cube && v) c->cube[c->cubes++] = (int)v;
    }
    ck_assert_int_eq(*p, '\n');
  }
}

/* Makes what follows from `value` (1, -1, 0 unknown); false if a clause is contradicted. */
static bool propagate(const clauses_t *c, int value[VARS]) {
  for (bool more = true; more;) {
    more = false;
    for (unsigned i = 0, first = 0; i < c->n; i++) {
      if (c->lit[i] != 0) continue;
      unsigned open = 0;
      int unit = 0;
      bool satisfied = false;
      for (unsigned k = first; k < i; k++) {
        int v = value[abs(c->lit[k])] * (c->lit[k] < 0 ? -1 : 1);
        satisfied |= v > 0;
        if (v == 0) open++, unit = c->lit[k];
      }
      first = i + 1;
      if (satisfied || open > 1) continue;
      if (open == 0) return false;
      value[abs(unit)] = unit < 0 ? -1 : 1;
      more = true;
    }
  }
  return true;
}

/* With the inputs set, everything follows: a contradiction where `given` is false, and otherwise
 * each cube's literal is what the graph computes. */
START_TEST(clauses_equal_the_graph) {
  static clauses_t c;
  question_case_t q;
  uint32_t inputs[INPUTS], n_inputs, ands;
  random_case(&q, (uint64_t)_i + 1, 1 + (unsigned)_i % 60);
  char *text = NULL;
  size_t size;
  FILE *f = open_memstream(&text, &size);
  ck_assert(f && cnf_write(q.g, q.given, q.bad, BADS, f, inputs, &n_inputs, &ands));
  ck_assert_int_eq(fclose(f), 0);
  parse(text, &c);
  ck_assert_uint_eq(c.cubes, BADS);
  ck_assert_uint_le(c.vars, n_inputs + ands + 1);
  for (unsigned a = 0; a < ASSIGNMENTS; a++) {
    int value[VARS] = {0};
    for (unsigned i = 0; i < n_inputs; i++) value[i + 1] = a >> inputs[i] & 1 ? 1 : -1;
    bool possible = propagate(&c, value);
    ck_assert_msg(possible == (q.given_truth >> a & 1), "graph %d, assignment %u", _i, a);
    for (unsigned v = 1; v <= c.vars && possible; v++) ck_assert_int_ne(value[v], 0);
    for (unsigned i = 0; i < BADS && possible; i++) {
      int v = value[abs(c.cube[i])] * (c.cube[i] < 0 ? -1 : 1);
      ck_assert_msg((v > 0) == (q.truth[i] >> a & 1), "graph %d, assignment %u", _i, a);
    }
  }
  free(text);
  aig_close(q.g);
}
END_TEST

/* Two laws that structural hashing does not see: never true. */
static lit_t never(aig_t *g, lit_t x, lit_t y, lit_t z, bool first) {
  if (first)
    return aig_xor(g, aig_or(g, aig_and(g, x, y), aig_and(g, x, z)),
                   aig_and(g, x, aig_or(g, y, z)));
  return aig_xor(g, aig_xor(g, x, aig_xor(g, y, z)), aig_xor(g, aig_xor(g, x, y), z));
}

/* Each engine, and both, against the truth of all assignments; most checks have a condition in
 * common, and every other graph has none that can fail. */
START_TEST(engines_tell_the_truth) {
  char temp[] = "build/tmp/mrpb-check-XXXXXX";
  question_case_t c;
  mrpb_err_t err = {""};
  uint8_t cex[INPUTS];
  uint32_t ands;
  random_case(&c, 1000 + (uint64_t)_i, 4 + (unsigned)_i % 40);
  lit_t bad[BADS];
  uint64_t any = 0;
  for (unsigned i = 0; i < BADS; i++) {
    lit_t fails = c.bad[i];
    if (_i % 2) fails = never(c.g, fails, c.bad[(i + 1) % BADS], c.bad[(i + 2) % BADS], i & 1);
    bad[i] = aig_and(c.g, c.given, fails);
    any |= _i % 2 ? 0 : c.truth[i];
  }
  ck_assert(mkdtemp(temp));
  question_t q = {.g = c.g, .bad = bad, .n_bad = BADS, .temp = temp, .seconds = 60};
  for (unsigned e = ENGINE_ABC; e <= ENGINE_BOTH; e++) {
    q.engine = (engine_t)e;
    decide_t verdict = decide_question(&q, cex, &ands, &err);
    ck_assert_msg(verdict == (any ? DECIDE_TRUE : DECIDE_NEVER), "%d by %s: %d %s", _i,
                  decide_name(q.engine), (int)verdict, err.text);
    unsigned at = 0;
    for (unsigned i = 0; i < INPUTS; i++) at |= (unsigned)cex[i] << i;
    ck_assert(!any || (any >> at & 1));
  }
  files_remove_tree(temp, NULL);
  aig_close(c.g);
}
END_TEST

Suite *test_decide_suite(void) {
  Suite *suite = suite_create("decide");
  TCase *text = tcase_create("text");
  tcase_add_loop_test(text, clauses_equal_the_graph, 0, GRAPHS);
  suite_add_tcase(suite, text);
  TCase *tools = tcase_create("tools");
  tcase_set_tags(tools, "long"); /* each calls ABC and cadical */
  tcase_add_loop_test(tools, engines_tell_the_truth, 0, 24);
  suite_add_tcase(suite, tools);
  return suite;
}
