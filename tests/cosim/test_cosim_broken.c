/* SPDX-License-Identifier: Apache-2.0 */
/* The lockstep engine on broken Verilog: a broken line is reported within one screen, Verilog
 * that does not fit is refused in one line, and a simulator that computes wrong values is not
 * trusted. */
#include "base/files.h"
#include "cosim_help.h"

#include <sys/stat.h>

Suite *test_cosim_broken_suite(void);

/* Many more broken lines: tests/verify/bugs. */
START_TEST(a_broken_line_is_reported) {
  bench_t b;
  open_bench(&b);
  copy_rtl(&b, "mshr", "(ready_q & ~released)", "ready_q");
  b.from.dir = b.dir;
  set_job(&b, "mshr", "ENTRIES=5 MERGES=3", 200000);
  ck_assert_int_eq(run(&b), COSIM_DIFFERENT);
  has(b.text, "MISMATCH mshr, cycle 14, after its edge, seed 1\n");
  has(b.text, "  module      mshr ENTRIES=5 MERGES=3 ADDR_W=25 DATA_W=16 STORES=0 READ_REG=0 "
              "PARITY=0\n");
  has(b.text, b.dir);
  has(b.text, "  first       register ready_q[4:0] ");
  has(b.text, "  C 0x00  RTL 0x01  XOR 0x01\n");
  has(b.text, "\n  last transactions, as the C model saw them");
  has(b.text, "\n  ->         14  ");
  has(b.text, "\n  C tables    ");
  has(b.text, "\n  repeat      build/mrpb cosim mshr --set ENTRIES=5 --set ");
  close_bench(&b);
}
END_TEST

static unsigned lines(const char *text) {
  unsigned n = 0;
  for (; *text; text++) n += *text == '\n';
  return n;
}

/* A screen has 24 lines, however much differs and however long the stimulus was. */
START_TEST(a_report_is_one_screen) {
  bench_t b;
  open_bench(&b);
  copy_rtl(&b, "prt", "issue_reply ? issue_pend", "issue_reply ? ~issue_pend");
  b.from.dir = b.dir;
  set_job(&b, "prt", "", 200000);
  ck_assert_int_eq(run(&b), COSIM_DIFFERENT);
  ck_assert_uint_le(lines(b.text), 24);
  b.job.shrink = true;
  ck_assert_int_eq(run(&b), COSIM_DIFFERENT);
  ck_assert_uint_le(lines(b.text), 24);
  has(b.text, "\n  shrunk to   ");
  close_bench(&b);
}
END_TEST

/* A case that is long, and as short as can be, shows its end and says what it fills. */
START_TEST(a_long_case_shows_its_end) {
  bench_t b;
  open_bench(&b);
  copy_rtl(&b, "fifo_bank", "meets(tail_q[i], head_q[i])",
           "meets(tail_q[i], head_q[i]) && (i != 1)");
  b.from.dir = b.dir;
  set_job(&b, "fifo_bank", "QUEUES=2 DEPTH=30", 200000);
  b.job.shrink = true;
  ck_assert_int_eq(run(&b), COSIM_DIFFERENT);
  ck_assert_uint_le(lines(b.text), 24);
  has(b.text, "\n  shrunk to   30 transactions in 31 cycles, of ");
  has(b.text, "\n                 (21 cycles more)\n");
  has(b.text, "\n             29  enq q1 ");
  has(b.text, "\n  ->         30  enq q1 ");
  has(b.text,
      "\n  needed      all 30 are: no one and no two can be left out. They fill: 30 of 60 ");
  close_bench(&b);
}
END_TEST

/* What hardware leaves as it powers up differs from C before it is written. */
START_TEST(a_register_that_is_not_set_is_named) {
  static const char *const edits[][4] = {
      {"sram_1r1w", "    rdata_q = {WIDTH{1'b0}};", "", "u_mem.rdata_q"},
      {"fifo_bank", "        tail_q[i] <= {PTR_W{1'b0}};", "", "tail_q"},
      {"fifo_bank", "(head_q[i] == PTR_LAST)", "(&head_q[i])", NULL},
  };
  bench_t b;
  char line[64];
  for (unsigned k = 0; k < sizeof edits / sizeof *edits; k++) {
    const char *name = edits[k][3];
    open_bench(&b);
    copy_rtl(&b, edits[k][0], edits[k][1], edits[k][2]);
    b.from.dir = b.dir;
    set_job(&b, "fifo_bank", "QUEUES=5 DEPTH=3 DATA_W=8", 2000);
    b.job.shrink = true;
    ck_assert_int_eq(run(&b), COSIM_DIFFERENT);
    snprintf(line, sizeof line, "\n  not set     %s has what", name ? name : "");
    if (name) has(b.text, line);
    ck_assert_int_eq(strstr(b.text, "not set") != NULL, name != NULL);
    close_bench(&b);
  }
}
END_TEST

/* Of a design what nothing has set is not compared, so no difference is that. This one looked so: the design powers up
 * with zeros whatever the seed is, and the broken register holds a 0. */
START_TEST(no_register_of_a_design_is_said_not_to_be_set) {
  bench_t b;
  char design[FILES_PATH], list[FILES_PATH];
  open_bench(&b);
  snprintf(design, sizeof design, "%s/miss_table.sv", b.dir);
  snprintf(list, sizeof list, "%s/miss_table.f", b.dir);
  char *text = files_read("tests/verilog/design/miss_table.sv", NULL);
  ck_assert_ptr_nonnull(text);
  text = edited(text, "filled <= 1'b1", "filled <= fill.line[0]");
  write_text(design, text);
  free(text);
  write_text(list, design);
  b.from.lint = "off";
  b.from.design =
      (design_args_t){.map = "tests/verilog/design/miss_table.map", .list = {list}, .n_lists = 1};
  set_job(&b, "mshr", "ENTRIES=5 MERGES=8", 2000);
  b.job.shrink = true;
  ck_assert_msg(run(&b) == COSIM_DIFFERENT, "%s", b.err.text);
  has(b.text, "  shrunk to ");
  has(b.text, "register ready_q");
  ck_assert_ptr_null(strstr(b.text, "not set"));
  close_bench(&b);
}
END_TEST

/* The command in the report ends at the same difference, and not a cycle earlier. */
START_TEST(the_repeat_command_repeats_it) {
  bench_t b;
  char first[TEXT];
  open_bench(&b);
  copy_rtl(&b, "mshr", "(ready_q & ~released)", "ready_q");
  b.from.dir = b.dir;
  set_job(&b, "mshr", "ENTRIES=5 MERGES=3", 200000);
  ck_assert_int_eq(run(&b), COSIM_DIFFERENT);
  memcpy(first, b.text, sizeof first);
  char *cycles = strstr(b.text, "--cycles ");
  ck_assert_ptr_nonnull(cycles);
  b.job.cycles = strtoull(cycles + 9, NULL, 10);
  ck_assert_int_eq(run(&b), COSIM_DIFFERENT);
  ck_assert_str_eq(first, b.text);
  b.job.cycles--;
  ck_assert_int_eq(run(&b), COSIM_MATCHED);
  close_bench(&b);
}
END_TEST

START_TEST(a_check_of_the_verilog_counts) {
  bench_t b;
  open_bench(&b);
  copy_rtl(&b, "fifo_bank", "  assign deq_data_o = rdata;\n",
           "  assign deq_data_o = rdata;\n`ifndef SYNTHESIS\n"
           "  always @(posedge clk_i) if (srst_ni && enqueue && &enq_data_i[3:0]) begin\n"
           "    $display(\"an entry that ends in f\"); $stop;\n  end\n`endif\n");
  b.from.dir = b.dir;
  set_job(&b, "fifo_bank", "QUEUES=5 DEPTH=3", 200000);
  ck_assert_int_eq(run(&b), COSIM_DIFFERENT);
  has(b.text, "  RTL check   $stop at fifo_bank.v:");
  has(b.text, ": an entry that ends in f\n");
  close_bench(&b);
}
END_TEST

START_TEST(a_mismatch_leaves_a_wave) {
  bench_t b;
  char path[128];
  size_t size = 0;
  open_bench(&b);
  copy_rtl(&b, "fifo_bank", "if (down[i] && !up[i])", "if (down[i])");
  snprintf(path, sizeof path, "%s/wave.vcd", b.dir);
  b.from.dir = b.dir;
  b.job.vcd = path;
  set_job(&b, "fifo_bank", "QUEUES=3 DEPTH=2 DATA_W=8", 200000);
  ck_assert_int_eq(run(&b), COSIM_DIFFERENT);
  char *wave = files_read(path, &size);
  ck_assert_ptr_nonnull(wave);
  has(b.text, path);
  has(wave, "$scope module fifo_bank $end");
  has(wave, " ref_head_q[2] ");
  has(wave, " diff_head_q[2] ");
  has(wave, " clk_i ");
  has(wave, " head_q[2] ");
  has(wave, " enq_data_i ");
  free(wave);
  close_bench(&b);
}
END_TEST

/* ---- what is refused ------------------------------------------------------------------------- */

typedef struct {
  const char *file, *from,
      *to; /* the change of the copy; `from` "" replaces the whole file, NULL removes it */
  const char *stem;
  const char *parts[3]; /* of the message */
} refusal_t;

#define HEAD "`default_nettype none\nmodule queue_selector #(parameter integer QUEUES = 48, "
#define SIGN "parameter integer SIGNATURE = 1) ("
#define INS "input wire [5:0] block_i, input wire [5:0] block_warp_i, "
static const char lacks_parameter[] =
    "`default_nettype none\nmodule queue_selector #(parameter integer QUEUES = 48) (" INS
    "input wire [5:0] warp_i, output wire [5:0] queue_o);\n"
    "assign queue_o = (warp_i ^ block_i ^ block_warp_i) % QUEUES[5:0];\nendmodule\n";
static const char lacks_output[] =
    HEAD SIGN INS "input wire [5:0] warp_i, output wire [5:0] queue);\n"
                  "assign queue = ((SIGNATURE == 0) ? block_i : warp_i ^ block_warp_i) % "
                  "QUEUES[5:0];\nendmodule\n";
static const char narrow_input[] =
    HEAD SIGN INS "input wire [4:0] warp_i, output wire [5:0] queue_o);\n"
                  "assign queue_o = ((SIGNATURE == 0) ? block_i : {1'b0, warp_i} ^ block_warp_i) % "
                  "QUEUES[5:0];\nendmodule\n";
static const char wrong_way[] = HEAD SIGN INS
    "output wire [5:0] warp_i, output wire [5:0] queue_o);\nassign warp_i = block_i;\n"
    "assign queue_o = ((SIGNATURE == 0) ? block_i : block_warp_i) % QUEUES[5:0];\nendmodule\n";
static const char one_more[] =
    HEAD SIGN INS "input wire more_i, input wire [5:0] warp_i, output wire [5:0] queue_o);\n"
                  "assign queue_o = more_i ? 6'd0 : ((SIGNATURE == 0) ? block_i : warp_i ^ "
                  "block_warp_i) % QUEUES[5:0];\n"
                  "endmodule\n";
static const char other_name[] =
    "module queue_selecter (input wire a_i, output wire b_o);\nassign b_o = a_i;\nendmodule\n";

static const refusal_t refusals[] = {
    {"mshr", NULL, NULL, "mshr", {"module mshr is missing", "no mshr.v", ""}},
    {"priority_encoder", NULL, NULL, "mshr", {"mshr.v:", "module priority_encoder is missing", ""}},
    {"queue_selector",
     "",
     other_name,
     "queue_selector",
     {"queue_selector.v:1:", "'queue_selecter'", ""}},
    {"queue_selector",
     "",
     lacks_parameter,
     "queue_selector",
     {"queue_selector.v: module queue_selector lacks parameter SIGNATURE", "queue_selector.ports.h",
      ""}},
    {"queue_selector",
     "",
     lacks_output,
     "queue_selector",
     {"queue_selector.v: module queue_selector lacks output queue_o of 6 bits",
      "queue_selector.ports.h", ""}},
    {"queue_selector",
     "",
     narrow_input,
     "queue_selector",
     {"input warp_i has 5 bits", "expects 6 with QUEUES=48 SIGNATURE=1", ""}},
    {"queue_selector",
     "",
     wrong_way,
     "queue_selector",
     {"port warp_i is an output", "expects an input of 6 bits", ""}},
    {"queue_selector",
     "",
     one_more,
     "queue_selector",
     {"has a port more_i that", "does not list", ""}},
    {"fifo_bank",
     ".WORDS(QUEUES * DEPTH)",
     ".WORDS(QUEUES * DEPTH + 1)",
     "fifo_bank",
     {"register u_mem.mem_q has 385 x 64 bits", "expects 384 x 64 with QUEUES=48", ""}},
    {"fifo_bank",
     "reg [PTR_W-1:0] tail_q",
     "reg [PTR_W:0] tail_q",
     "fifo_bank",
     {"register tail_q has 48 x 4 bits", "expects 48 x 3 with QUEUES=48", ""}},
    {"fifo_bank",
     "wire enqueue = ",
     "wire [1:0] enqueue = ",
     "fifo_bank",
     {"fifo_bank.v:", "WIDTH", "errors"}},
    {"drain_selector",
     "assign forced_o    =",
     "reg hold_r;\n  always @(posedge clk_i) hold_r <= hold_q;\n  assign forced_o =",
     "drain_selector",
     {"drain_selector.v:", "UNUSED", "hold_r"}},
    {"mshr",
     "assign count_o = count_q;",
     "assign count_o = count_q",
     "mshr",
     {"mshr.v:", "syntax error", ""}},
};
enum { N_REFUSALS = sizeof refusals / sizeof *refusals };

START_TEST(unfit_verilog_is_refused) {
  const refusal_t *r = &refusals[_i];
  bench_t b;
  char path[128];
  open_bench(&b);
  bool whole = r->from && r->from[0] == '\0';
  copy_rtl(&b, whole ? NULL : r->file, r->from, r->to);
  snprintf(path, sizeof path, "%s/%s.v", b.dir, r->file);
  if (whole) write_text(path, r->to);
  b.from.dir = b.dir;
  set_job(&b, r->stem, "", 100);
  ck_assert_msg(run(&b) == COSIM_BAD_INPUT, "%s%s", b.text, b.err.text);
  for (unsigned i = 0; i < 3; i++) has(b.err.text, r->parts[i]);
  has(b.err.text, b.dir);
  ck_assert_ptr_null(strchr(b.err.text, '\n'));
  ck_assert_str_eq(b.text, "");
  close_bench(&b);
}
END_TEST

/* A register that has gone, though nothing else has changed: every use has another name. */
START_TEST(a_missing_register_is_refused) {
  bench_t b;
  char path[128];
  open_bench(&b);
  copy_rtl(&b, NULL, NULL, NULL);
  snprintf(path, sizeof path, "%s/fifo_bank.v", b.dir);
  char *text = files_read(path, NULL);
  for (char *at = strstr(text, "tail_q"); at; at = strstr(at, "tail_q")) at[5] = 'r';
  write_text(path, text);
  free(text);
  b.from.dir = b.dir;
  set_job(&b, "fifo_bank", "", 100);
  ck_assert_int_eq(run(&b), COSIM_BAD_INPUT);
  has(b.err.text, "fifo_bank.v: module fifo_bank lacks register tail_q");
  close_bench(&b);
}
END_TEST

START_TEST(a_failing_line_fails_the_list) {
  bench_t b;
  open_bench(&b);
  copy_rtl(&b, "mshr", "(ready_q & ~released)", "ready_q");
  ck_assert_int_eq(rtl_env_open(&b.env, &(rtl_from_t){.dir = b.dir}, NULL, &b.err), RTL_OK);
  ck_assert_int_eq(
      run_list(&b, "mshr ENTRIES=5 MERGES=3 cycles=50000\nfifo_bank QUEUES=3 DEPTH=2\n", 2),
      COSIM_DIFFERENT);
  has(b.text, "MISMATCH mshr, cycle ");
  has(b.text, "\n1 passed, 1 failed\n");
  close_bench(&b);
}
END_TEST

START_TEST(a_mismatch_in_an_sm_is_reported) {
  bench_t b;
  unit_rtl_set_t *set;
  FILE *report = tmpfile();
  open_bench(&b);
  copy_rtl(&b, "mshr", "(ready_q & ~released)", "ready_q");
  ck_assert_int_eq(
      unit_rtl_set_open(&set, &(rtl_from_t){.dir = b.dir}, 1, report, "the command", NULL, &b.err),
      RTL_OK);
  ck_assert_uint_eq(unit_hash(&b, set, UNIT_BOTH, 3000), 0);
  ck_assert_int_eq(unit_rtl_exit_code(set), 1);
  has(b.err.text, "C model and Verilog differ: sm3.mshr, cycle ");
  has(b.err.text, ": register ready_q[4:0]: C 0x");
  rewind(report);
  b.text[fread(b.text, 1, TEXT - 1, report)] = '\0';
  has(b.text, "MISMATCH sm3.mshr, cycle ");
  has(b.text, "\n  -> ");
  has(b.text, "the command");
  fclose(report);
  unit_rtl_set_close(set);
  close_bench(&b);
}
END_TEST

/* A Verilator that computes wrong values: it gets an expression of the canary with an error. The
 * canary must notice, whatever version is installed. */
START_TEST(a_wrong_tool_is_not_trusted) {
  bench_t b;
  char path[256];
  open_bench(&b);
  snprintf(path, sizeof path, "%s/verilator", b.dir);
  write_text(path, "#!/bin/bash\nreal=/usr/bin/verilator\nargs=(\"$@\")\n"
                   "[ \"$1\" = --version ] && { echo \"Verilator of test_cosim $$\"; exit; }\n"
                   "last=${args[-1]}\n"
                   "if [ \"${last##*/}\" = canary.v ]; then\n"
                   "  sed 's/(x_q & y_q) >> 5/(x_q | y_q) >> 5/' \"$last\" > \"${0%/*}/canary.v\"\n"
                   "  args[-1]=${0%/*}/canary.v\nfi\n"
                   "exec \"$real\" \"${args[@]}\"\n");
  ck_assert_int_eq(chmod(path, 0755), 0);
  char *old = strdup(getenv("PATH"));
  snprintf(path, sizeof path, "%s:/usr/bin:/bin", b.dir);
  ck_assert_int_eq(setenv("PATH", path, 1), 0);
  int rc = rtl_env_open(&b.env, NULL, NULL, &b.err);
  ck_assert_int_eq(setenv("PATH", "/nowhere", 1), 0);
  mrpb_err_t none = {""};
  rtl_env_t *env;
  int rc_none = rtl_env_open(&env, NULL, NULL, &none);
  setenv("PATH", old, 1);
  free(old);
  ck_assert_msg(rc == RTL_BAD_TOOL, "%s", b.err.text);
  has(b.err.text, "computes wrong values");
  ck_assert_int_eq(rc_none, RTL_BAD_TOOL);
  has(none.text, "verilator: not found");
  close_bench(&b);
}
END_TEST

/* Which version it is, which line of whose file, and what to write instead where that is known. */
START_TEST(an_error_of_verilator_is_named) {
  bench_t b;
  char path[256];
  open_bench(&b);
  snprintf(path, sizeof path, "%s/verilator", b.dir);
  write_text(path, "#!/bin/sh\necho 'Verilator 5.032 2025-01-01 rev (Debian 5.032-1)'\n");
  ck_assert_int_eq(chmod(path, 0755), 0);
  ck_assert_int_eq(setenv("VERILATOR", path, 1), 0);
  mrpb_err_t index = {""}, other = {""};
  ck_assert(!rtl_is_internal("%Error: t.sv:40:75: syntax error"));
  ck_assert_int_eq(rtl_internal("%Error: Internal Error: t.sv:40:75: ../V3Delayed.cpp:937: "
                                "Multiple Write refs on LHS of NBA",
                                &index),
                   RTL_BAD_TOOL);
  ck_assert_int_eq(rtl_internal("%Error: Internal Error: ../V3Ast.cpp:9: so it is", &other),
                   RTL_BAD_TOOL);
  unsetenv("VERILATOR");
  ck_assert_str_eq(index.text,
                   "t.sv:40:75: internal error of Verilator 5.032, 'Multiple Write refs on LHS of "
                   "NBA'; 5.030 to 5.032 take no function in an index to the left of '<=' "
                   "(Verilator #5736): give its result to a signal, and index by the signal");
  ck_assert_str_eq(other.text, "internal error of Verilator 5.032, 'so it is'; another version may "
                               "read it: VERILATOR=PATH");
  close_bench(&b);
}
END_TEST

Suite *test_cosim_broken_suite(void) {
  Suite *suite = suite_create("cosim_broken");
  TCase *tcase = tcase_create("broken");
  tcase_set_tags(tcase, "long"); /* each builds a Verilog of its own */
  tcase_add_test(tcase, a_broken_line_is_reported);
  tcase_add_test(tcase, a_report_is_one_screen);
  tcase_add_test(tcase, a_long_case_shows_its_end);
  tcase_add_test(tcase, a_register_that_is_not_set_is_named);
  tcase_add_test(tcase, no_register_of_a_design_is_said_not_to_be_set);
  tcase_add_test(tcase, the_repeat_command_repeats_it);
  tcase_add_test(tcase, a_check_of_the_verilog_counts);
  tcase_add_test(tcase, a_mismatch_leaves_a_wave);
  tcase_add_loop_test(tcase, unfit_verilog_is_refused, 0, N_REFUSALS);
  tcase_add_test(tcase, a_missing_register_is_refused);
  tcase_add_test(tcase, a_failing_line_fails_the_list);
  tcase_add_test(tcase, a_mismatch_in_an_sm_is_reported);
  tcase_add_test(tcase, a_wrong_tool_is_not_trusted);
  tcase_add_test(tcase, an_error_of_verilator_is_named);
  suite_add_tcase(suite, tcase);
  return suite;
}
