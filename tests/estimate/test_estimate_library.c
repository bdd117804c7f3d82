/* SPDX-License-Identifier: Apache-2.0 */
/* Libraries of several files, what their copy leaves out, memory macros, and what a module needs of
 * a clock: all worked out by hand. */
#include "estimate/liberty.h"
#include "estimate/sram_lib.h"
#include "estimate/timing.h"
#include "mrpb.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 64 };

#define HEAD(name)                                                                                 \
  "library (" name ") { time_unit : \"1ns\"; capacitive_load_unit (1, pf);\n nom_process : 1; "    \
  "nom_voltage : 1; nom_temperature : 25;\n"
#define INPUT(n) "pin (" n ") { direction : input; capacitance : 0.002; }\n"
#define OUTPUT(n, f) "pin (" n ") { direction : output; function : \"" f "\"; }\n"
#define CELL(name, area, pins) "cell (" name ") { area : " area "; " pins "}\n"
#define NAND2 CELL("NAND2", "2", INPUT("A") INPUT("B") OUTPUT("Y", "!(A B)"))
#define INV CELL("INV", "1", INPUT("A") OUTPUT("Y", "!A"))
#define BUF CELL("BUF", "2", INPUT("A") OUTPUT("Y", "A"))
#define FF(name, area, inside, pins)                                                               \
  "cell (" name ") { area : " area "; ff (IQ, IQN) { clocked_on : CK; " inside " }\n" INPUT("D")   \
      INPUT("CK") pins "}\n"
#define DFF FF("DFF", "9", "next_state : D;", OUTPUT("Q", "IQ"))

static void put(char path[PATH], const char *text) {
  strcpy(path, "build/tmp/library.XXXXXX");
  const int fd = mkstemp(path);
  ck_assert_int_ge(fd, 0);
  ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
  close(fd);
}

/* Reads a library of up to two texts. */
static int open_texts(liberty_t *lib, const char *one, const char *two,
                      const liberty_dont_use_t *dont_use, mrpb_err_t *err) {
  char first[PATH], second[PATH] = "", both[2 * PATH];
  put(first, one);
  if (two) put(second, two);
  snprintf(both, sizeof both, "%s%s%s", first, two ? "," : "", second);
  const int rc = liberty_open(lib, both, dont_use, err);
  unlink(first);
  if (two) unlink(second);
  return rc;
}

START_TEST(wire_loads_are_left_out) {
  liberty_t lib;
  mrpb_err_t err = {""};
  ck_assert_msg(open_texts(&lib,
                           HEAD("t") "default_wire_load : \"small\";\n"
                                     "wire_load (\"small\") { slope : 5; fanout_length (1, 2); }\n"
                                     "wire_load_selection (\"s\") { wire_load_from_area (0, 1, "
                                     "\"small\"); }\n" NAND2 INV BUF DFF "}",
                           NULL, NULL, &err) == 0,
                "%s", err.text);
  ck_assert(lib.wire_load);
  ck_assert_ptr_null(strstr(lib.copy, "wire_load"));
  ck_assert_ptr_nonnull(strstr(lib.copy, "cell (DFF)"));
  liberty_close(&lib);
}
END_TEST

START_TEST(two_files) {
  liberty_t lib;
  mrpb_err_t err = {""};
  ck_assert_msg(
      open_texts(&lib, HEAD("a") "lu_table_template (t) { }\n" NAND2 INV "}",
                 HEAD("b") "lu_table_template (t) { }\nlu_table_template (u) { }\n" BUF DFF "}",
                 NULL, &err) == 0,
      "%s", err.text);
  ck_assert_uint_eq(lib.n_cells, 4);
  ck_assert_uint_eq(lib.n_files, 2);
  ck_assert_str_eq(lib.name, "a");
  const char *t = strstr(lib.copy, "template (t)");
  ck_assert_ptr_nonnull(t);
  ck_assert_ptr_null(strstr(t + 1, "template (t)"));
  ck_assert_ptr_nonnull(strstr(lib.copy, "template (u)"));
  ck_assert_ptr_null(strstr(lib.copy, "library (b)"));
  liberty_close(&lib);
}
END_TEST

static const struct {
  const char *one, *two, *says;
} refused[] = {
    {HEAD("a") NAND2 INV "}", HEAD("b") INV BUF DFF "}", "cell INV is in another file"},
    {HEAD("a") NAND2 INV "}",
     "library (b) { time_unit : \"1ns\"; capacitive_load_unit (1, pf); "
     "nom_process : 1; nom_voltage : 0.9; nom_temperature : 25;" BUF DFF "}",
     "0.9 V, 25 C; legal: process 1, 1 V, 25 C"},
    {HEAD("a") NAND2 INV "}",
     "library (b) { time_unit : \"1ps\"; capacitive_load_unit (1, pf); "
     "nom_process : 1; nom_voltage : 1; nom_temperature : 25;" BUF DFF "}",
     "other units"},
    {HEAD("a") NAND2 INV BUF FF("L", "5", "next_state : D; clear : !R;", OUTPUT("Q", "IQ")) "}",
     NULL, "no rising-edge D flip-flop"}, /* its clear is no pin */
};

START_TEST(refused_libraries) {
  liberty_t lib;
  mrpb_err_t err = {""};
  ck_assert_int_eq(open_texts(&lib, refused[_i].one, refused[_i].two, NULL, &err), -1);
  ck_assert_msg(strstr(err.text, refused[_i].says) != NULL, "'%s' instead of '%s'", err.text,
                refused[_i].says);
}
END_TEST

START_TEST(unused_cells) {
  static const liberty_dont_use_t globs = {{"INV*", "NAND2?"}, 2};
  liberty_t lib;
  mrpb_err_t err = {""};
  ck_assert_msg(open_texts(&lib,
                           HEAD("t") NAND2 INV CELL("NAND2B", "1",
                                                    INPUT("A") INPUT("B") OUTPUT("Y", "(A B)'"))
                               CELL("NOT", "3", INPUT("A") OUTPUT("Y", "A'")) BUF DFF "}",
                           NULL, &globs, &err) == 0,
                "%s", err.text);
  ck_assert_uint_eq(lib.n_unused, 2);
  ck_assert_str_eq(lib.inverter->name, "NOT");
  ck_assert_str_eq(lib.nand2->name, "NAND2");
  ck_assert_ptr_null(strstr(lib.copy, "NAND2B"));
  ck_assert_ptr_null(strstr(lib.copy, "cell (INV)"));
  ck_assert_ptr_nonnull(strstr(lib.copy, "cell (NOT)"));
  liberty_close(&lib);
}
END_TEST

/* A clock cell is an inverter only if there is no other. */
START_TEST(clock_cells) {
  liberty_t lib;
  mrpb_err_t err = {""};
  ck_assert_int_eq(open_texts(&lib,
                              HEAD("t") CELL("clkinv", "1", INPUT("A") OUTPUT("Y", "!A"))
                                  NAND2 INV CELL("ClkBuf", "1", INPUT("A") OUTPUT("Y", "A")) DFF
                              "}",
                              NULL, NULL, &err),
                   0);
  ck_assert_str_eq(lib.inverter->name, "INV");
  ck_assert_str_eq(lib.buffer->name, "ClkBuf");
  liberty_close(&lib);
}
END_TEST

static const struct {
  const char *flop, *out;
  bool inverted;
} flops[] = {
    {FF("F", "9", "next_state : D;", OUTPUT("Q", "IQ")), "Q", false},
    {FF("F", "9", "next_state : D;", OUTPUT("QN", "IQN")), "QN", true},
    {FF("F", "9", "next_state : D;", OUTPUT("QN", "!IQ")), "QN", true},
    {FF("F", "9", "next_state : \"!D\";", OUTPUT("QN", "IQ")), "QN", true}, /* ASAP7 */
    {FF("F", "9", "next_state : \"!D\";", OUTPUT("Q", "IQN")), "Q", false},
    {FF("F", "9", "next_state : D;", OUTPUT("QN", "IQN") OUTPUT("Q", "IQ")), "Q", false},
    {FF("F", "9", "next_state : D; clear : \"!R\";", OUTPUT("Q", "IQ") INPUT("R")), "Q",
     false}, /* IHP */
    {FF("F", "9", "next_state : D; clear : !R ;", OUTPUT("Q", "IQ") INPUT("R")), "Q",
     false}, /* GF180 */
};

START_TEST(kinds_of_flops) {
  char text[2048];
  liberty_t lib;
  mrpb_err_t err = {""};
  snprintf(text, sizeof text, "%s%s}", HEAD("t") NAND2 INV BUF, flops[_i].flop);
  ck_assert_msg(open_texts(&lib, text, NULL, NULL, &err) == 0, "%s", err.text);
  ck_assert_str_eq(lib.flop->name, "F");
  ck_assert_str_eq(lib.flop->in, "D");
  ck_assert_str_eq(lib.flop->out, flops[_i].out);
  ck_assert_int_eq(lib.flop->inverted, flops[_i].inverted);
  ck_assert_ptr_null(strstr(lib.copy, ": !R"));
  if (strstr(text, "!R")) ck_assert_ptr_nonnull(strstr(lib.copy, "clear : \"!R\""));
  liberty_close(&lib);
}
END_TEST

/* ---- memories ---- */

#define MACRO(name, address, width, area, access, read)                                            \
  "cell (" name ") { area : " area "; memory () { type : ram; address_width : " address            \
  "; word_width : " width "; }\n"                                                                  \
  "bus (q) { direction : output; memory_read () { address : " read "; }\n"                         \
  " timing () { related_pin : clk; timing_type : rising_edge;\n"                                   \
  "  cell_rise (s) { values (\"0.1, 0.2\", \"0.15, " access "\"); } } }\n"                         \
  "bus (d) { direction : input; memory_write () { address : aw; }\n"                               \
  " timing () { related_pin : clk; timing_type : setup_rising;\n"                                  \
  "  rise_constraint (s) { values (\"0.05\"); } fall_constraint (s) { values (\"0.06\"); } }\n"    \
  " timing () { timing_type : hold_rising; rise_constraint (s) { values (\"7\"); } } } }\n"

START_TEST(macros) {
  char path[PATH];
  sram_lib_t lib;
  mrpb_err_t err = {""};
  put(path, "library (m) { time_unit : \"1ns\";\n" MACRO("small", "6", "32", "100", "0.3", "ar")
                MACRO("large", "9", "64", "1500", "0.5", "aw") "}");
  ck_assert_msg(sram_lib_open(&lib, path, &err) == 0, "%s", err.text);
  unlink(path);
  ck_assert_uint_eq(lib.n, 2);
  ck_assert_uint_eq(lib.macro[0].words, 64);
  ck_assert_uint_eq(lib.macro[0].bits, 32);
  ck_assert_double_eq_tol(lib.macro[0].access_ns, 0.3, 1e-9);
  ck_assert_double_eq_tol(lib.macro[0].setup_ns, 0.06, 1e-9);
  ck_assert(!lib.macro[0].one_port);
  ck_assert(lib.macro[1].one_port);
  /* 384 x 64 needs 6 x 2 of the small ones, 1200 um2, or one large. */
  sram_t s = {.words = 384, .bits = 64, .clocked = true};
  ck_assert(sram_lib_take(&lib, &s));
  ck_assert_double_eq_tol(s.area_um2, 1200, 1e-9);
  ck_assert_double_eq_tol(s.access_ns, 0.3, 1e-9);
  ck_assert_str_eq(s.source, "12 x small");
  s = (sram_t){.words = 512, .bits = 64, .clocked = true}; /* 16 small ones are 1600 */
  ck_assert(sram_lib_take(&lib, &s));
  ck_assert_str_eq(s.source, "1 x large, one port");
  s = (sram_t){.words = 16, .bits = 8};
  ck_assert(!sram_lib_take(&lib, &s));
  ck_assert_double_eq_tol(s.area_um2, 0, 1e-9);
}
END_TEST

static const struct {
  const char *text, *says;
} no_macros[] = {
    {HEAD("t") INV "}", "no cell with a group `memory`"},
    {"library (m) { cell (x) { memory () { address_width : 3; word_width : 8; } } }",
     "memory x: legal: with area"},
    {"library (m) { cell (x) { area : 1", "the file ends inside a group"},
};

START_TEST(broken_macros) {
  char path[PATH];
  sram_lib_t lib;
  mrpb_err_t err = {""};
  put(path, no_macros[_i].text);
  ck_assert_int_eq(sram_lib_open(&lib, path, &err), -1);
  ck_assert_msg(strstr(err.text, no_macros[_i].says) != NULL, "%s", err.text);
  unlink(path);
}
END_TEST

/* ---- what a module needs ---- */

typedef struct {
  logic_job_t job;
  logic_result_t result;
  timing_row_t row;
} rig_t;

/* An MRPB: its longest paths in ns, by kind. */
static void begin(rig_t *r, uint32_t answer) {
  static const double ns[STA_KINDS] = {0.6, 0.5, 0.4, 0.3, 0.35, 0.45};
  *r = (rig_t){.job = {.synth = {.cls = &mrpb_class}, .n_corners = 1}};
  module_defaults(&mrpb_class, r->job.synth.cfg);
  r->job.synth.cfg[module_param_index(&mrpb_class, "ANSWER")] = answer;
  memcpy(r->result.corner[0].bare.ns, ns, sizeof ns);
  r->row = (timing_row_t){"mrpb", &r->job, &r->result, 1.0};
}

static const struct {
  uint32_t answer;
  double input, output, uncertainty, l1; /* below 0: not stated */
  double needs, left;
  const char *by;
} needs[] = {
    {0, 0, 0, 0, -1, 0.6, 0.4, "between registers"},
    {0, 0.2, 0, 0, -1, 0.7, 0.3, "from an input"},
    {0, 0, 0.25, 0.1, -1, 0.65, 0.25, "to an output"},
    {0, 0.2, 0.3, 0, -1, 0.8, 0.2, "from an input to an output"},
    /* 0.35 request + 0.3 + 0.45 answer */
    {0, 0, 0, 0, 0.3, 1.1, -0.1, "by way of the L1"},
    /* The L1's registers are between: 0.3 + 0.45. */
    {2, 0, 0, 0, 0.3, 0.75, 0.25, "from the L1's answer"},
    {2, 0, 0, 0, 0.1, 0.6, 0.4, "between registers"},
};

START_TEST(needed) {
  rig_t r;
  begin(&r, needs[_i].answer);
  const logic_surroundings_t around = {
      .input = {true, needs[_i].input},
      .output = {true, needs[_i].output},
      .uncertainty = {true, needs[_i].uncertainty},
      .l1 = {needs[_i].l1 >= 0, needs[_i].l1 >= 0 ? needs[_i].l1 : 0}};
  const timing_need_t need = timing_need(&r.row, &r.result.corner[0].bare, &around);
  ck_assert_double_eq_tol(need.ns, needs[_i].needs, 1e-12);
  ck_assert_str_eq(need.by, needs[_i].by);
  ck_assert_double_eq_tol(timing_left(&r.row, &need, &around), needs[_i].left, 1e-12);
}
END_TEST

Suite *test_estimate_library_suite(void);
Suite *test_estimate_library_suite(void) {
  Suite *s = suite_create("estimate_library");
  TCase *t = tcase_create("library");
  tcase_add_test(t, wire_loads_are_left_out);
  tcase_add_test(t, two_files);
  tcase_add_loop_test(t, refused_libraries, 0, (int)(sizeof refused / sizeof *refused));
  tcase_add_test(t, unused_cells);
  tcase_add_test(t, clock_cells);
  tcase_add_loop_test(t, kinds_of_flops, 0, (int)(sizeof flops / sizeof *flops));
  tcase_add_test(t, macros);
  tcase_add_loop_test(t, broken_macros, 0, (int)(sizeof no_macros / sizeof *no_macros));
  tcase_add_loop_test(t, needed, 0, (int)(sizeof needs / sizeof *needs));
  suite_add_tcase(s, t);
  return s;
}
