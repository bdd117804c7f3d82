/* SPDX-License-Identifier: Apache-2.0 */
/* Shrinking: the remaining case still differs, and contains nothing that could be left out. */
#include "cosim/vectors/play.h"
#include "cosim/shrink/shrink.h"
#include "cosim/stim/sources.h"
#include "cosim_help.h"

#include <inttypes.h>

enum { CYCLES = 2000 };

typedef struct {
  const char *file, *from, *to, *stem, *sizes;
} bug_t;

static const bug_t bugs[] = {
    {"fifo_bank", "(head_q[i] == PTR_LAST)", "(&head_q[i])", "fifo_bank", "QUEUES=5 DEPTH=3"},
    {"flush_control", "passing && !empty;", "passing && full;", "flush_control", "QUEUES=5"},
    {"mshr", "(order_sum >= ORDER_RING)", "(order_sum > ORDER_RING)", "mshr", "ENTRIES=5 MERGES=3"},
    {"prt", "(~(valid_q | next_at))", "(~valid_q)", "prt", "ENTRIES=5 LANES=4"},
    {"prt", "issue_reply ? issue_pend : issue_pend + LANE_ONE", "issue_pend + LANE_ONE", "prt", ""},
};
enum { N_BUGS = sizeof bugs / sizeof *bugs };

/* A broken copy of a module, and the stimulus of a run that finds it. */
typedef struct {
  bench_t bench;
  rtl_lib_t *lib;
  vectors_t v;
} rig_t;

static void open_rig_for(rig_t *r, const bug_t *bug, uint64_t cycles) {
  bench_t *b = &r->bench;
  char path[128];
  open_bench(b);
  copy_rtl(b, bug->file, bug->from, bug->to);
  b->from.dir = b->dir;
  set_job(b, bug->stem, bug->sizes, cycles);
  snprintf(path, sizeof path, "%s/run.vec", b->dir);
  b->job.record = path;
  ck_assert_msg(run(b) == COSIM_DIFFERENT, "%s%s", b->text, b->err.text);
  ck_assert_msg(vectors_read(&r->v, path, &b->err) == 0, "%s", b->err.text);
  ck_assert_int_eq(rtl_lib_open(&r->lib, b->env, r->v.cls, r->v.cfg, &b->err), 0);
}

static void open_rig(rig_t *r, const bug_t *bug) {
  open_rig_for(r, bug, CYCLES);
}

static void close_rig(rig_t *r) {
  vectors_free(&r->v);
  rtl_lib_close(r->lib);
  close_bench(&r->bench);
}

static bool differs(rig_t *r, const vectors_t *v) {
  play_t play;
  ck_assert_msg(play_run(&play, v, r->lib, &r->bench.err) == 0, "%s", r->bench.err.text);
  return play.differs;
}

static void shrink_it(rig_t *r, shrink_t *result, uint64_t budget, bool (*stop)(void)) {
  int rc = shrink(&r->v, r->lib, budget, stop, result, &r->bench.err);
  ck_assert_msg(rc == 0, "%d: %s", rc, r->bench.err.text);
  ck_assert(differs(r, &r->v));
  ck_assert_uint_eq(result->play.cycle, r->v.n - 1);
  ck_assert_uint_eq(result->transactions, shrink_transactions(&r->v));
}

/* A transaction, as a mask of its source in its cycle. */
typedef struct {
  uint64_t cycle;
  uint32_t source;
} part_t;

/* No two can be left out, whatever lies between them. */
static void no_two_can(rig_t *r) {
  enum { MOST = 64 };
  part_t parts[MOST];
  unsigned n = 0;
  sources_t s;
  sources_init(&s, r->v.cls, r->v.cfg);
  for (uint64_t t = s.starts_reset; t < r->v.n; t++)
    for (uint32_t left = sources_active(&s, vectors_cycle(&r->v, t)); left; left &= left - 1) {
      ck_assert_uint_lt(n, MOST);
      parts[n++] = (part_t){t, left & (~left + 1)};
    }
  for (unsigned i = 0; i < n; i++)
    for (unsigned k = i + 1; k < n; k++) {
      const size_t words = r->v.cls->in_words * sizeof *r->v.in;
      uint64_t *a = r->v.in + parts[i].cycle * r->v.cls->in_words, keep_a[MODULE_MAX_WORDS];
      uint64_t *b = r->v.in + parts[k].cycle * r->v.cls->in_words, keep_b[MODULE_MAX_WORDS];
      memcpy(keep_a, a, words);
      memcpy(keep_b, b, words);
      sources_silence(&s, parts[i].source, a);
      sources_silence(&s, parts[k].source, b);
      ck_assert_msg(!differs(r, &r->v), "cycles %" PRIu64 " and %" PRIu64, parts[i].cycle,
                    parts[k].cycle);
      memcpy(b, keep_b, words);
      memcpy(a, keep_a, words);
    }
}

/* The stimulus with the sources of `mask` idle in cycle `at`, or without the cycle. */
static vectors_t without(rig_t *r, uint64_t at, uint32_t mask) {
  const vectors_t *v = &r->v;
  uint64_t in[MODULE_MAX_WORDS];
  sources_t s;
  vectors_t less;
  sources_init(&s, v->cls, v->cfg);
  ck_assert_int_eq(vectors_init(&less, v->cls, v->cfg, v->seed, &r->bench.err), 0);
  for (uint64_t t = 0; t < v->n; t++) {
    if (t == at && mask == 0) continue;
    memcpy(in, vectors_cycle(v, t), v->cls->in_words * sizeof *in);
    if (t == at) sources_silence(&s, mask, in);
    ck_assert_int_eq(vectors_add(&less, in, &r->bench.err), 0);
  }
  return less;
}

START_TEST(nothing_can_be_left_out) {
  rig_t r;
  shrink_t result;
  sources_t s;
  open_rig(&r, &bugs[_i]);
  sources_init(&s, r.v.cls, r.v.cfg);
  shrink_it(&r, &result, SHRINK_BUDGET, NULL);
  ck_assert(!result.bounded);
  ck_assert_uint_le(result.transactions, 20);
  ck_assert_uint_lt(result.transactions, result.transactions_before);
  for (uint64_t t = s.starts_reset; t < r.v.n; t++) {
    uint32_t active = sources_active(&s, vectors_cycle(&r.v, t));
    for (uint32_t left = active | !active; left; left &= left - 1) {
      vectors_t less = without(&r, t, active ? left & (~left + 1) : 0);
      ck_assert_msg(less.n == 0 || !differs(&r, &less), "cycle %" PRIu64 ", sources %x", t, left);
      vectors_free(&less);
    }
  }
  no_two_can(&r);
  close_rig(&r);
}
END_TEST

/* What cancels out goes: an entry that came and went, a whole turn of a ring, a queue's. Each with
 * the fewest transactions that can show it, counted by hand. No
 * index leaves its array: what Verilog does there is not defined. */
typedef struct {
  bug_t bug;
  uint64_t cycles, fewest;
} deep_t;
static const deep_t deep[] = {
    /* 17 entries in and out of one queue */
    {{"fifo_bank", "(head_q[i] == PTR_LAST)", "(&head_q[i])", "fifo_bank", "QUEUES=3 DEPTH=17"},
     20000,
     34},
    /* four entries come and go, then five are filled and one of these leaves */
    {{"mshr", "(order_head_q == ENTRY_LAST) ? {ENTRY_W{1'b0}}",
      "(order_head_q == ENTRY_LAST) ? "
      "((order_len_q == ENTRIES[COUNT_W-1:0]) ? ENTRY_ONE : {ENTRY_W{1'b0}})",
      "mshr", "ENTRIES=5 MERGES=2"},
     20000,
     23},
    /* 16 entries of a ring come and go, then 17 come, and the first of these leaves */
    {{"prt", "(head_q == ENTRY_LAST) ? {ENTRY_W{1'b0}}",
      "(head_q == ENTRY_LAST) ? (full_q ? ENTRY_ONE : {ENTRY_W{1'b0}})", "prt",
      "ENTRIES=17 LANES=5 ORDER=1 CHECK=1"},
     20000,
     3 * 16 + 17 + 2},
};
enum { N_DEEP = sizeof deep / sizeof *deep };

START_TEST(what_cancels_out_is_left_out) {
  rig_t r;
  shrink_t result;
  open_rig_for(&r, &deep[_i].bug, deep[_i].cycles);
  shrink_it(&r, &result, SHRINK_BUDGET, NULL);
  ck_assert(!result.bounded);
  ck_assert_uint_le(result.transactions, deep[_i].fewest);
  close_rig(&r);
}
END_TEST

START_TEST(the_result_is_the_same_again) {
  rig_t r, again;
  shrink_t one, two;
  open_rig(&r, &bugs[_i]);
  open_rig(&again, &bugs[_i]);
  shrink_it(&r, &one, SHRINK_BUDGET, NULL);
  shrink_it(&again, &two, SHRINK_BUDGET, NULL);
  ck_assert_uint_eq(vectors_hash(&r.v), vectors_hash(&again.v));
  ck_assert_uint_eq(one.tried, two.tried);
  close_rig(&again);
  close_rig(&r);
}
END_TEST

static bool at_once(void) {
  return true;
}

/* A search that is cut off, by time or by the user, leaves a longer case, but a case. */
START_TEST(a_bounded_search_says_so) {
  rig_t r, other;
  shrink_t result;
  open_rig(&r, &bugs[2]);
  open_rig(&other, &bugs[2]);
  shrink_it(&r, &result, 0, NULL);
  ck_assert(result.bounded && !result.interrupted);
  uint64_t bounded = result.transactions;
  shrink_it(&r, &result, SHRINK_BUDGET, NULL);
  ck_assert(!result.bounded);
  ck_assert_uint_lt(result.transactions, bounded);
  shrink_it(&other, &result, SHRINK_BUDGET, at_once);
  ck_assert(result.bounded && result.interrupted);
  close_rig(&other);
  close_rig(&r);
}
END_TEST

START_TEST(what_does_not_differ_is_left_alone) {
  rig_t r;
  shrink_t result;
  open_rig(&r, &bugs[2]);
  r.v.n = 3; /* nothing has filled yet */
  const uint64_t before = vectors_hash(&r.v);
  ck_assert(!differs(&r, &r.v));
  ck_assert_int_eq(shrink(&r.v, r.lib, SHRINK_BUDGET, NULL, &result, &r.bench.err), 1);
  ck_assert_uint_eq(vectors_hash(&r.v), before);
  close_rig(&r);
}
END_TEST

Suite *test_shrink_suite(void);

Suite *test_shrink_suite(void) {
  Suite *s = suite_create("shrink");
  TCase *t = tcase_create("core");
  tcase_add_loop_test(t, nothing_can_be_left_out, 0, N_BUGS);
  tcase_add_loop_test(t, the_result_is_the_same_again, 1, 3);
  tcase_add_loop_test(t, what_cancels_out_is_left_out, 0, N_DEEP);
  tcase_add_test(t, a_bounded_search_says_so);
  tcase_add_test(t, what_does_not_differ_is_left_alone);
  tcase_set_tags(t, "long"); /* builds Verilog of its own */
  suite_add_tcase(s, t);
  return s;
}
