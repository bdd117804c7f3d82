/* SPDX-License-Identifier: Apache-2.0 */
/* Properties of the Verilog: a broken line is refuted with a trace, a vacuous proof does not count,
 * and mistyped input gives one line. */
#include "base/files.h"
#include "cosim/cosim_help.h"
#include "verify/properties/properties.h"

Suite *test_properties_suite(void);

/* One job on the copy of rtl/ in b->dir; its exit code, what it said in b->text. */
static int decide(bench_t *b, const char *text, const char *only) {
  properties_line_t line;
  bool used;
  char root[FILES_PATH], results[96];
  FILE *out = tmpfile();
  ck_assert_ptr_nonnull(out);
  ck_assert_ptr_nonnull(getcwd(root, sizeof root));
  snprintf(results, sizeof results, "%s/results", b->dir);
  ck_assert_msg(properties_parse(text, &line, &used, &b->err) == 0 && used, "%s", b->err.text);
  const properties_setup_t setup = {.root = root,
                                    .rtl = b->dir,
                                    .results = results,
                                    .only = only,
                                    .program = "build/mrpb",
                                    .timeout = 300,
                                    .out = out};
  int rc = properties_job(&line, &setup, &b->err);
  rewind(out);
  b->text[fread(b->text, 1, TEXT - 1, out)] = '\0';
  fclose(out);
  return rc;
}

typedef struct {
  const char *file, *from, *to;
  const char *line, *fails;
} bug_t;

static const bug_t bugs[] = {
    {"fifo_bank", "(head_q[i] == PTR_LAST)", "(&head_q[i])",
     "fifo_bank QUEUES=2 DEPTH=3 DATA_W=1 depth=8", "in_order_with_its_data"},
    {"fifo_bank", "(down[i] && !up[i])", "(down[i])", "fifo_bank QUEUES=2 DEPTH=2 DATA_W=1 depth=8",
     "empty_iff_none"},
    {"drain_selector", "(policy_take && !KEEP_LAST)", "(take && !KEEP_LAST)",
     "drain_selector QUEUES=3 DEPTH=2 POLICY=3", "inv_same_state"},
    {"mshr", "found && !(release_e && same)", "found", "mshr ENTRIES=1 MERGES=2 ADDR_W=1 DATA_W=1",
     "merges_iff_outstanding"},
    {"lane_check", "((reply_pend == PEND_ONE) == (reply_mask_i == reply_wait))", "1'b1",
     "lane_check ENTRIES=2 LANES=2", "last_reply_brings_all"},
    {"tags", "d_used[g] && (last_is[g] ? last_same", "d_used[g] && (1'b0 ? last_same",
     "tags SETS=2 WAYS=2 SECTORS=1 ADDR_W=2 depth=6", "hits_iff_valid"},
    {"prt", "with_issue && (others == NO_LANES)", "with_issue",
     "prt ENTRIES=2 LANES=2 OFFSET_W=1 TAG_W=1", "last_when_all_answered"},
    {"prt", "(last_o && (reply_entry_i == head_q))", "last_o",
     "prt ENTRIES=2 LANES=2 OFFSET_W=1 TAG_W=1 ORDER=1", "releases_when_all_answered"},
    {"prt", "(!full_q || release_o)", "1'b1", "prt ENTRIES=2 LANES=1 OFFSET_W=1 TAG_W=1 ORDER=1",
     "allocates_iff_free"},
    {"reg_fifo", "|(held_q & same)", "|same", "reg_fifo DATA_W=2 DEPTH=2 FIND_W=1",
     "finds_iff_held"},
    {"line_fill", "if (begins) begin\n        place_q",
     "if (begins && !mshr_good) begin\n        place_q",
     "line_fill MSHRS=2 BYPASSES=1 LINES=2 BEATS=2 BUS_WORDS=1 ID_W=3 depth=7", "writes_its_place"},
};
enum { N_BUGS = sizeof bugs / sizeof *bugs };

START_TEST(a_broken_line_is_refuted) {
  const bug_t *bug = &bugs[_i];
  bench_t b;
  char path[128];
  open_bench(&b);
  copy_rtl(&b, bug->file, bug->from, bug->to);
  const bool invariant = strncmp(bug->fails, "inv_", 4) == 0;
  int rc = decide(&b, bug->line, invariant ? NULL : bug->fails);
  ck_assert_msg(rc == PROPERTIES_REFUTED, "%s in %s: exit %d: %s%s", bug->to, bug->file, rc, b.text,
                b.err.text);
  has(b.text, "REFUTED");
  has(b.text, bug->fails);
  snprintf(path, sizeof path, "%s/results/%s.vcd", b.dir, bug->file);
  char *vcd = files_read(path, NULL);
  ck_assert_msg(vcd != NULL, "no trace %s: %s", path, b.text);
  has(vcd, "$enddefinitions");
  free(vcd);
  close_bench(&b);
}
END_TEST

START_TEST(a_proof_about_nothing_is_none) {
  bench_t b;
  open_bench(&b);
  copy_rtl(&b, NULL, NULL, NULL);
  /* The FIFOs cannot be full two cycles after power-up. */
  int rc = decide(&b, "fifo_bank QUEUES=2 DEPTH=2 DATA_W=1 depth=2 cover=2", NULL);
  ck_assert_msg(rc == PROPERTIES_UNDECIDED, "exit %d: %s%s", rc, b.text, b.err.text);
  has(b.text, "not reached in 2 cycles: reached_");
  rc = decide(&b, "fifo_bank QUEUES=2 DEPTH=1 DATA_W=1 depth=2 cover=6", NULL);
  ck_assert_msg(rc == PROPERTIES_HOLD, "exit %d: %s%s", rc, b.text, b.err.text);
  has(b.text, "proved (induction, 1)");
  close_bench(&b);
}
END_TEST

START_TEST(what_is_typed_wrong_is_one_line) {
  static const char *const wrong[][2] = {
      {"Mshr", "'Mshr': not the name of a module"},
      {"mshr entries=2", "'entries=2': legal: PARAMETER=VALUE"},
      {"mshr depth=101", "'depth=101': legal: 0 to 100"},
      {"mshr depth=-1", "'depth=-1': legal: 0 to 100"},
      {"mshr depth=2 induction=2", "depth=2: legal with induction=2: 3 or more"},
  };
  for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
    properties_line_t line;
    mrpb_err_t err = {""};
    bool used;
    ck_assert_int_eq(properties_parse(wrong[i][0], &line, &used, &err), -1);
    has(err.text, wrong[i][1]);
  }
}
END_TEST

START_TEST(wrong_jobs_are_refused) {
  bench_t b;
  open_bench(&b);
  copy_rtl(&b, NULL, NULL, NULL);
  ck_assert_int_eq(decide(&b, "mshrs ENTRIES=2", NULL), PROPERTIES_BAD_INPUT);
  has(b.err.text, "module 'mshrs' has no properties");
  b.err.text[0] = '\0';
  ck_assert_int_eq(decide(&b, "mshr ENTRIES=2", "one_entry_a_line"), PROPERTIES_BAD_INPUT);
  has(b.err.text, "nearest: one_entry_per_line");
  b.err.text[0] = '\0';
  ck_assert_int_eq(decide(&b, "fifo_bank QUEUES=65", NULL), PROPERTIES_BAD_INPUT);
  has(b.err.text, "ERROR_fifo_bank_QUEUES_must_be_1_to_64");
  close_bench(&b);
}
END_TEST

Suite *test_properties_suite(void) {
  Suite *suite = suite_create("properties");
  TCase *text = tcase_create("text");
  tcase_add_test(text, what_is_typed_wrong_is_one_line);
  suite_add_tcase(suite, text);
  TCase *tools = tcase_create("tools");
  tcase_set_tags(tools, "long"); /* each calls Yosys and z3 */
  tcase_add_loop_test(tools, a_broken_line_is_refuted, 0, N_BUGS);
  tcase_add_test(tools, a_proof_about_nothing_is_none);
  tcase_add_test(tools, wrong_jobs_are_refused);
  suite_add_tcase(suite, tools);
  return suite;
}
