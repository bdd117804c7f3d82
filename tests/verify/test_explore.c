/* SPDX-License-Identifier: Apache-2.0 */
/* Every reachable state: exact counts where they can be worked out by hand, the shortest stimulus
 * for a broken line, and limits that are reported. */
#include "cosim/vectors/play.h"
#include "cosim/cosim_help.h"
#include "verify/explore/explore_run.h"

Suite *test_explore_suite(void);

static explore_line_t line_of(const char *text) {
  explore_line_t line;
  mrpb_err_t err = {""};
  bool used;
  ck_assert_msg(explore_parse(text, &line, &used, &err) == 0 && used, "%s", err.text);
  return line;
}

/* The result; the caller frees result.path. */
static explore_t search(bench_t *b, const char *text) {
  const explore_line_t line = line_of(text);
  rtl_lib_t *lib;
  explore_t result;
  ck_assert_msg(open_env(b) == RTL_OK, "%s", b->err.text);
  ck_assert_msg(rtl_lib_open(&lib, b->env, line.job.cls, line.job.cfg, &b->err) == RTL_OK, "%s",
                b->err.text);
  ck_assert_msg(explore(&result, &line.job, lib, &b->err) == 0, "%s", b->err.text);
  rtl_lib_close(lib);
  return result;
}

/* Two queues of a memory of two bits (4), a head (2) and as many lengths (3) each, 24 * 24, times
 * the bit read last; the tail follows. That bit stands in front of a head, unless that queue is
 * full since (2 * 8 * 8 states less), or a reset took the heads back (32 more). A single FIFO of
 * one entry: 2 lengths, 8 data, 8 read last. Three counters from 0 to 2 for the fixed order. */
static const struct {
  const char *text;
  uint64_t states, inputs;
} counts[] = {
    {"fifo_bank QUEUES=2 DEPTH=2 DATA_W=1", 2 * (24 * 24 - 8 * 8) + 32, 128},
    {"fifo_bank QUEUES=1 DEPTH=1 DATA_W=3", 2 * 8 * 8, 512},
    {"drain_selector QUEUES=3 DEPTH=2 POLICY=0", 27, 256},
    {"flush_control QUEUES=3 FLUSH=1", 1, 8192},
};

START_TEST(states_are_counted) {
  bench_t b;
  open_bench(&b);
  explore_t r = search(&b, counts[_i].text);
  ck_assert_int_eq(r.verdict, EXPLORE_EQUAL);
  ck_assert_uint_eq(r.states, counts[_i].states);
  ck_assert_uint_eq(r.inputs, counts[_i].inputs);
  ck_assert_uint_eq(r.transitions, r.states * r.inputs);
  close_bench(&b);
}
END_TEST

/* A queue of three that wraps too late: three entries must have gone in, and out a cycle later. */
START_TEST(the_shortest_stimulus_is_found) {
  bench_t b;
  open_bench(&b);
  copy_rtl(&b, "fifo_bank", "(head_q[i] == PTR_LAST)", "(&head_q[i])");
  b.from.dir = b.dir;
  explore_t r = search(&b, "fifo_bank QUEUES=2 DEPTH=3 DATA_W=1");
  ck_assert_int_eq(r.verdict, EXPLORE_DIFFERENT);
  ck_assert_uint_eq(r.path.n, 1 + 4);
  vectors_free(&r.path);
  close_bench(&b);
}
END_TEST

START_TEST(a_difference_is_shown_and_kept) {
  bench_t b;
  char results[96];
  FILE *out = tmpfile();
  open_bench(&b);
  copy_rtl(&b, "mshr", "(ready_q & ~released)", "ready_q");
  snprintf(results, sizeof results, "%s/results", b.dir);
  ck_assert_int_eq(rtl_env_open(&b.env, &(rtl_from_t){.dir = b.dir}, NULL, &b.err), RTL_OK);
  const explore_setup_t setup = {
      .rtl = b.dir, .results = results, .program = "build/mrpb", .out = out};
  const explore_line_t line = line_of("mshr ENTRIES=2 MERGES=1 ADDR_W=1 DATA_W=1");
  int rc = explore_run(&line, &setup, b.env, &b.err);
  rewind(out);
  b.text[fread(b.text, 1, TEXT - 1, out)] = '\0';
  fclose(out);
  ck_assert_msg(rc == EXPLORE_RUN_DIFFERENT, "%s%s", b.text, b.err.text);
  has(b.text, "DIFFERENT");
  has(b.text, "register ready_q");
  char *path = strstr(b.text, "cosim --replay ");
  ck_assert_ptr_nonnull(path);
  path += strlen("cosim --replay ");
  path[strcspn(path, " ")] = '\0';
  vectors_t v;
  ck_assert_msg(vectors_read(&v, path, &b.err) == 0, "%s", b.err.text);
  ck_assert_uint_eq(v.n, 1 + 3); /* reset; a read, its fill, its return */
  vectors_free(&v);
  close_bench(&b);
}
END_TEST

START_TEST(a_cut_is_said) {
  bench_t b;
  open_bench(&b);
  explore_t r = search(&b, "fifo_bank QUEUES=2 DEPTH=2 DATA_W=1 states=100");
  ck_assert_int_eq(r.verdict, EXPLORE_CUT);
  ck_assert_uint_eq(r.states, 100);
  close_bench(&b);
}
END_TEST

START_TEST(what_is_typed_wrong_is_one_line) {
  static const char *const wrong[][2] = {
      {"mshrs", "mshr"},
      {"mshr ENTRIES=2 MERGES=2", "more than 65536 inputs"},
      {"mshr ENTRIES=0", "ENTRIES_must_be_1_to_128"},
      {"drain_selector QUEUES=2 take=0", "no input 'take'; nearest: take_i"},
      {"drain_selector QUEUES=2 take_i=2", "legal: values of 1 bits"},
      {"drain_selector QUEUES=2 take_i=", "legal: values of 1 bits"},
      {"drain_selector QUEUES=2 states=0", "states=0: legal: 1 to"},
  };
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    explore_line_t line;
    mrpb_err_t err = {""};
    bool used;
    ck_assert_msg(explore_parse(wrong[i][0], &line, &used, &err) == -1, "%s", wrong[i][0]);
    has(err.text, wrong[i][1]);
  }
}
END_TEST

Suite *test_explore_suite(void) {
  Suite *suite = suite_create("explore");
  TCase *text = tcase_create("text");
  tcase_add_test(text, what_is_typed_wrong_is_one_line);
  suite_add_tcase(suite, text);
  TCase *tools = tcase_create("search");
  tcase_set_tags(tools, "long"); /* each builds a Verilog of its own */
  tcase_add_loop_test(tools, states_are_counted, 0, (int)(sizeof counts / sizeof *counts));
  tcase_add_test(tools, the_shortest_stimulus_is_found);
  tcase_add_test(tools, a_difference_is_shown_and_kept);
  tcase_add_test(tools, a_cut_is_said);
  suite_add_tcase(suite, tools);
  return suite;
}
