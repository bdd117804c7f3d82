/* SPDX-License-Identifier: Apache-2.0 */
/* The contract's model: for each clause, hand-made events that break it are reported under its name
 * and break no other clause. */
#include "verify/conform/table.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

Suite *test_conform_suite(void);

typedef struct {
  conform_model_t m;
  bool good;
} run_t;

/* Two entries of two reads each; everything is seen. */
static run_t *start(unsigned off) {
  conform_cfg_t cfg;
  const conform_has_t has = {.merge = true,
                             .refuse = true,
                             .ticket = true,
                             .line = true,
                             .line_addr = true,
                             .line_ticket = true,
                             .fill_ready = true,
                             .answer_addr = true,
                             .answer_ready = true,
                             .line_ready = true};
  run_t *r = calloc(1, sizeof *r);
  ck_assert_ptr_nonnull(r);
  module_defaults(&conform_class, (uint32_t *)&cfg);
  cfg.ENTRIES = cfg.MERGES = 2;
  conform_model_start(&r->m, &cfg, &has, off);
  r->good = true;
  return r;
}

static void cycle(run_t *r, const conform_in_t *in, const conform_out_t *out) {
  conform_in_t i = *in;
  i.srst_ni = !i.srst_ni; /* 1 in a test is a reset */
  i.line_ready_i = 1;
  if (r->good) r->good = conform_model_cycle(&r->m, &i, out);
}

static void idle(run_t *r, unsigned cycles) {
  const conform_in_t in = {.answer_ready_i = 1};
  const conform_out_t out = {.fill_ready_o = 1};
  while (cycles-- > 0) cycle(r, &in, &out);
}

/* A read that allocates entry `e`, or merges into it, and asks for its line at once. */
static void get(run_t *r, unsigned line, unsigned tag, unsigned e, bool merges) {
  const conform_in_t in = {
      .read_valid_i = 1, .read_addr_i = line, .read_tag_i = tag, .answer_ready_i = 1};
  const conform_out_t out = {.read_ready_o = 1,
                             .read_merge_o = merges,
                             .read_ticket_o = e,
                             .line_valid_o = !merges,
                             .line_addr_o = line,
                             .line_ticket_o = e};
  cycle(r, &in, &out);
}

static void refuse(run_t *r, unsigned line, unsigned why, unsigned cycles) {
  const conform_in_t in = {.read_valid_i = 1, .read_addr_i = line, .answer_ready_i = 1};
  const conform_out_t out = {.read_refuse_o = why};
  while (cycles-- > 0) cycle(r, &in, &out);
}

static void fill(run_t *r, unsigned line, unsigned e, bool taken) {
  const conform_in_t in = {
      .fill_valid_i = 1, .fill_addr_i = line, .fill_ticket_i = e, .answer_ready_i = 1};
  const conform_out_t out = {.fill_ready_o = taken};
  cycle(r, &in, &out);
}

static void answer(run_t *r, unsigned line, unsigned tag, bool taken) {
  const conform_in_t in = {.answer_ready_i = taken};
  const conform_out_t out = {.answer_valid_o = 1, .answer_tag_o[0] = tag, .answer_addr_o[0] = line};
  cycle(r, &in, &out);
}

static void reset(run_t *r) {
  const conform_in_t in = {.srst_ni = 1};
  const conform_out_t out = {.busy_o = 0};
  cycle(r, &in, &out);
}

/* ---- a way to break each ---- */

static void correct(run_t *r) {
  get(r, 5, 1, 0, false);
  get(r, 5, 2, 0, true);
  refuse(r, 5, 2, 2);
  get(r, 6, 3, 1, false);
  refuse(r, 7, 1, 2);
  fill(r, 6, 1, true);
  answer(r, 6, 3, false);
  answer(r, 6, 3, true);
  fill(r, 5, 0, false);
  fill(r, 5, 0, true);
  answer(r, 5, 1, true);
  answer(r, 5, 2, true);
  get(r, 9, 1, 0, false);
  reset(r);
  get(r, 5, 1, 1, false);
}
static void answered(run_t *r) {
  get(r, 5, 1, 0, false);
  fill(r, 5, 0, true);
  idle(r, r->m.patience + 1);
}
/* Line 6 waits while reads that merge into line 5 as it leaves are answered: no time for clause 1. */
static void late(run_t *r) {
  get(r, 5, 1, 0, false);
  get(r, 6, 2, 1, false);
  fill(r, 6, 1, true);
  fill(r, 5, 0, true);
  for (unsigned i = 0; i < 3 * r->m.patience; i++) {
    const conform_in_t in = {
        .read_valid_i = 1, .read_addr_i = 5, .read_tag_i = 3 + i % 2, .answer_ready_i = 1};
    const conform_out_t out = {.read_ready_o = 1,
                               .read_merge_o = 1,
                               .answer_valid_o = 1,
                               .answer_tag_o[0] = i == 0 ? 1 : 3 + (i - 1) % 2,
                               .answer_addr_o[0] = 5};
    cycle(r, &in, &out);
  }
}
/* The same with reads that came before their lines: an unfair choice of lines. */
static void starved(run_t *r) {
  get(r, 6, 2, 1, false);
  fill(r, 6, 1, true);
  for (unsigned i = 0; i < r->m.patience; i++) {
    get(r, 5, 1, 0, false);
    fill(r, 5, 0, true);
    answer(r, 5, 1, true);
  }
}
static void once(run_t *r) {
  get(r, 5, 1, 0, false);
  fill(r, 5, 0, true);
  answer(r, 5, 1, true);
  answer(r, 5, 1, true);
}
static void after_fill(run_t *r) {
  get(r, 5, 1, 0, false);
  answer(r, 5, 1, true);
}
static void address(run_t *r) {
  get(r, 5, 1, 0, false);
  fill(r, 5, 0, true);
  answer(r, 6, 1, true);
}
static void order(run_t *r) {
  get(r, 5, 1, 0, false);
  get(r, 5, 2, 0, true);
  fill(r, 5, 0, true);
  answer(r, 5, 2, true);
  answer(r, 5, 1, true);
}
static void second(run_t *r) {
  get(r, 5, 1, 0, false);
  get(r, 5, 2, 1, false);
}
static void nowhere(run_t *r) {
  get(r, 5, 1, 0, false);
  get(r, 5, 2, 1, true);
}
static void merges(run_t *r) {
  get(r, 5, 1, 0, false);
  get(r, 5, 2, 0, true);
  get(r, 5, 3, 0, true);
}
static void entries(run_t *r) {
  for (unsigned i = 0; i < 3; i++) get(r, 5 + i, i, i, false);
}
static void number(run_t *r) {
  get(r, 5, 1, 0, false);
  get(r, 6, 2, 0, false);
}
static void silent(run_t *r) {
  idle(r, 8);
  refuse(r, 5, 0, 1);
}
static void untrue(run_t *r) {
  get(r, 5, 1, 0, false);
  refuse(r, 6, 1, 1);
}
static void leak(run_t *r) {
  r->m.has.busy = true;
  get(r, 5, 1, 0, false); /* busy_o may rise with the next edge */
  idle(r, 1);
}
static void requested(run_t *r) {
  const conform_in_t in = {.answer_ready_i = 1};
  const conform_out_t out = {.line_valid_o = 1, .line_addr_o = 5};
  idle(r, 8);
  cycle(r, &in, &out);
}
static void held(run_t *r) {
  get(r, 5, 1, 0, false);
  get(r, 5, 2, 0, true);
  fill(r, 5, 0, true);
  answer(r, 5, 1, false);
  idle(r, 1);
}
static void fill_taken(run_t *r) {
  get(r, 5, 1, 0, false);
  for (unsigned i = 0; i <= r->m.patience; i++) fill(r, 5, 0, false);
}
static void before(run_t *r) {
  get(r, 5, 1, 0, false);
  reset(r);
  answer(r, 5, 1, true);
}
/* A read of line 5 with tag 2, which merges or not, and the answers of its cycle in ways 0 and 1 (0: none). */
static void at_once(run_t *r, bool accepted, bool merge, unsigned way0, unsigned way1) {
  const conform_in_t in = {
      .read_valid_i = 1, .read_addr_i = 5, .read_tag_i = 2, .answer_ready_i = 1};
  const conform_out_t out = {.read_ready_o = accepted,
                             .read_merge_o = merge,
                             .read_refuse_o = 3,
                             .read_ticket_o = merge ? 0 : 1,
                             .answer_valid_o = way1 ? 3 : 1,
                             .answer_tag_o[0] = way0 | way1 << 8,
                             .answer_addr_o[0] = 5 | 5 << 8};
  r->m.cfg.WAYS = 2;
  cycle(r, &in, &out);
}
static void now(run_t *r) {
  get(r, 5, 1, 0, false);
  fill(r, 5, 0, true);
  at_once(r, true, true, 1, 2);
}
static void now_first(run_t *r) { /* tag 2 in way 0, the older tag 1 in way 1 */
  get(r, 5, 1, 0, false);
  fill(r, 5, 0, true);
  at_once(r, true, true, 2, 1);
}
static void now_refused(run_t *r) {
  get(r, 5, 1, 0, false);
  fill(r, 5, 0, true);
  at_once(r, false, true, 1, 2);
}
static void now_early(run_t *r) {
  at_once(r, true, false, 2, 0);
}

/* Without read_merge_o and tickets, from here on. */
static void no_merge(run_t *r) {
  r->m.has.merge = r->m.has.ticket = r->m.has.line_ticket = false;
}
/* Line 5 has arrived, and read 2 of it comes: merged or not? */
static void undecided(run_t *r) {
  no_merge(r);
  get(r, 5, 1, 0, false);
  fill(r, 5, 0, true);
  get(r, 5, 2, 0, true);
}
static void merged(run_t *r) {
  undecided(r);
  answer(r, 5, 1, true);
  answer(r, 5, 2, true);
  get(r, 5, 3, 0, false); /* nothing is open */
}
static void asked(run_t *r) {
  const conform_in_t in = {.answer_ready_i = 1};
  const conform_out_t out = {.line_valid_o = 1, .line_addr_o = 5};
  undecided(r);
  answer(r, 5, 1, true);
  cycle(r, &in, &out);
  fill(r, 5, 0, true);
  answer(r, 5, 2, true);
}
static void
asked_early(run_t *r) { /* read 2 has opened an entry, and is answered before its line */
  const conform_in_t in = {.answer_ready_i = 1};
  const conform_out_t out = {.line_valid_o = 1, .line_addr_o = 5};
  undecided(r);
  cycle(r, &in, &out);
  answer(r, 5, 1, true);
  answer(r, 5, 2, true);
}
static void dropped(run_t *r) { /* neither: patience for the answer, then for the request */
  undecided(r);
  answer(r, 5, 1, true);
  idle(r, 2 * r->m.patience + 2);
}
static void dropped_without_line(run_t *r) { /* it is filled then */
  undecided(r);
  r->m.has.line = r->m.has.line_addr = false;
  answer(r, 5, 1, true);
  idle(r, r->m.patience + 1);
  fill(r, 5, 0, true);
  idle(r, r->m.patience + 1);
}
static void undecided_order(run_t *r) { /* read 3 came after read 2 */
  undecided(r);
  get(r, 5, 3, 0, true);
  answer(r, 5, 1, true);
  answer(r, 5, 3, true);
}

static void progress(run_t *r) {
  refuse(r, 5, 3, r->m.patience + 1);
}

static const struct {
  void (*play)(run_t *r);
  unsigned clause;
} cases[] = {
    {correct, 0},
    {late, 0},
    {now, 0},
    {now_first, CONFORM_ORDER},
    {now_refused, CONFORM_ONCE},
    {now_early, CONFORM_AFTER_FILL},
    {merged, 0},
    {asked, 0},
    {asked_early, CONFORM_AFTER_FILL},
    {dropped, CONFORM_REQUESTED},
    {dropped_without_line, CONFORM_ANSWERED},
    {undecided_order, CONFORM_ORDER},
    {answered, CONFORM_ANSWERED},
    {starved, CONFORM_ANSWERED},
    {once, CONFORM_ONCE},
    {after_fill, CONFORM_AFTER_FILL},
    {address, CONFORM_ADDRESS},
    {order, CONFORM_ORDER},
    {second, CONFORM_ONE_ENTRY},
    {nowhere, CONFORM_ONE_ENTRY},
    {merges, CONFORM_MERGES},
    {entries, CONFORM_ENTRIES},
    {number, CONFORM_ENTRIES},
    {silent, CONFORM_REFUSAL},
    {untrue, CONFORM_REFUSAL},
    {leak, CONFORM_LEAK},
    {requested, CONFORM_REQUESTED},
    {held, CONFORM_HELD},
    {fill_taken, CONFORM_FILL_TAKEN},
    {before, CONFORM_RESET},
    {progress, CONFORM_PROGRESS},
};
enum { CASES = sizeof cases / sizeof *cases };

START_TEST(test_each_clause) {
  const unsigned clause = cases[_i].clause;
  run_t *r = start(0);
  cases[_i].play(r);
  ck_assert_msg(r->m.broken.clause == clause, "clause %u, not %u: %s", r->m.broken.clause, clause,
                r->m.broken.text);
  free(r);
  r = start(1u << clause);
  cases[_i].play(r);
  ck_assert_msg(r->m.broken.clause == 0, "off, and clause %u is broken: %s", r->m.broken.clause,
                r->m.broken.text);
  free(r);
}
END_TEST

/* Clause 16 is of the engine: tests/conform/conform.sh. */
START_TEST(test_all_clauses) {
  for (unsigned n = 1; n < CONFORM_CLAUSES; n++) {
    bool found = false;
    for (unsigned i = 0; i < CASES; i++) found = found || cases[i].clause == n;
    ck_assert_msg(found, "no case breaks clause %u", n);
    ck_assert_uint_eq(
        contract_clause_number(&conform_contract, contract_clause(&conform_contract, n)->name), n);
  }
}
END_TEST

/* What the environment may not offer becomes what it may. */
START_TEST(test_legal_inputs) {
  run_t *r = start(0);
  conform_in_t in = {.srst_ni = 1, .fill_valid_i = 1, .fill_addr_i = 5};
  conform_model_legal(&r->m, &in);
  ck_assert_uint_eq(in.fill_valid_i, 0);
  get(r, 5, 1, 1, false);
  in = (conform_in_t){
      .srst_ni = 1, .fill_valid_i = 1, .fill_addr_i = 5, .read_valid_i = 1, .read_tag_i = 1};
  conform_model_legal(&r->m, &in);
  ck_assert_uint_eq(in.fill_valid_i, 1);
  ck_assert_uint_eq(in.fill_ticket_i, 1);
  ck_assert_uint_eq(in.read_tag_i, 2); /* 1 is outstanding */
  fill(r, 5, 1, false);
  in = (conform_in_t){.srst_ni = 1};
  conform_model_legal(&r->m, &in);
  ck_assert_uint_eq(in.fill_valid_i, 1); /* it was not taken */
  ck_assert_uint_eq(in.fill_addr_i, 5);
  free(r);
}
END_TEST

Suite *test_conform_suite(void) {
  Suite *s = suite_create("conform");
  TCase *tc = tcase_create("clauses");
  tcase_add_loop_test(tc, test_each_clause, 0, CASES);
  tcase_add_test(tc, test_all_clauses);
  tcase_add_test(tc, test_legal_inputs);
  suite_add_tcase(s, tc);
  return s;
}
