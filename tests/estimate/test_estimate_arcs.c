/* SPDX-License-Identifier: Apache-2.0 */
/* The delays of ports, of a netlist of five cells whose delays depend on nothing. */
#include "base/files.h"
#include "estimate/arcs.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { PATH = 512 };

/* Delays: INV 0.1 ns, NAND2 0.15, BUF 0.2, DFF 0.3 with setup 0.05 and hold 0.02. */
#define DELAY(ns)                                                                                  \
  "cell_rise (scalar) { values (\"" ns "\"); } cell_fall (scalar) { values (\"" ns "\"); }"        \
  " rise_transition (scalar) { values (\"0.01\"); } fall_transition (scalar) { values "            \
  "(\"0.01\"); }"
#define CHECK(ns)                                                                                  \
  "rise_constraint (scalar) { values (\"" ns "\"); } fall_constraint (scalar) { values (\"" ns     \
  "\"); }"
#define INPUT(pin, pf, more)                                                                       \
  " pin (" pin ") { direction : input; capacitance : " pf "; " more " }\n"
#define OUTPUT(pin, text, from, ns)                                                                \
  " pin (" pin ") { direction : output; function : \"" text                                        \
  "\"; timing () { related_pin : \"" from "\"; timing_sense : non_unate; " DELAY(ns) " } }\n"

static const char cells[] =
    "library (tiny) { delay_model : table_lookup; time_unit : \"1ns\"; voltage_unit : \"1V\";\n"
    " current_unit : \"1uA\"; pulling_resistance_unit : \"1kohm\"; leakage_power_unit : \"1nW\";\n"
    " capacitive_load_unit (1,pf); input_threshold_pct_rise : 50; input_threshold_pct_fall : 50;\n"
    " output_threshold_pct_rise : 50; output_threshold_pct_fall : 50;\n"
    " slew_lower_threshold_pct_rise : 20; slew_upper_threshold_pct_rise : 80;\n"
    " slew_lower_threshold_pct_fall : 20; slew_upper_threshold_pct_fall : 80;\n"
    "cell (INV) { area : 1;\n" INPUT("A", "0.020", "") OUTPUT(
        "Y", "!A", "A",
        "0.1") "}\n"
               "cell (BUF) { area : 2;\n" INPUT("A", "0.020", "") OUTPUT(
                   "Y", "A", "A",
                   "0.2") "}\n"
                          "cell (NAND2) { area : 2;\n" INPUT("A", "0.010", "")
                              INPUT("B", "0.010", "") OUTPUT(
                                  "Y", "!(A B)", "A B",
                                  "0.15") "}\n"
                                          "cell (DFF) { area : 6; ff (IQ, IQN) { next_state : "
                                          "\"D\"; clocked_on : \"C\"; }\n" INPUT("C", "0.030",
                                                                                 "clock : true;")
                                              INPUT(
                                                  "D", "0.010",
                                                  "timing () { related_pin : \"C\"; timing_type : "
                                                  "setup_rising; " CHECK(
                                                      "0.05") " }"
                                                              " timing () { related_pin : \"C\"; "
                                                              "timing_type : hold_rising; " CHECK(
                                                                  "0.02") " }") " pin (Q) { "
                                                                                "direction : "
                                                                                "output; function "
                                                                                ": \"IQ\"; timing "
                                                                                "() { related_pin "
                                                                                ": \"C\";"
                                                                                " timing_type : "
                                                                                "rising_edge;"
                                                                                " " DELAY(
                                                                                    "0.3") " } "
                                                                                           "}\n}\n}"
                                                                                           "\n";

static const char net[] = "module tiny (clk_i, a_i, b_i, y_o, w_o);\n"
                          "  input clk_i, b_i;\n  input [1:0] a_i;\n"
                          "  output [1:0] y_o;\n  output w_o;\n  wire n1, n2;\n"
                          "  INV g1 (.A(a_i[1]), .Y(n2));\n"
                          "  NAND2 g2 (.A(a_i[0]), .B(n2), .Y(n1));\n"
                          "  DFF g3 (.C(clk_i), .D(n1), .Q(y_o[0]));\n"
                          "  INV g4 (.A(y_o[0]), .Y(y_o[1]));\n"
                          "  NAND2 g5 (.A(b_i), .B(y_o[0]), .Y(w_o));\n"
                          "endmodule\n";

/* Without a clock: a_i reaches w_o by two cells or one, and y_o is a wire. */
static const char wires[] = "module tiny (a_i, y_o, w_o);\n"
                            "  input [1:0] a_i;\n  output y_o, w_o;\n  wire n1;\n"
                            "  assign y_o = a_i[1];\n"
                            "  INV g1 (.A(a_i[1]), .Y(n1));\n"
                            "  NAND2 g2 (.A(a_i[0]), .B(n1), .Y(w_o));\n"
                            "endmodule\n";

typedef struct {
  char folder[PATH], liberty[PATH];
  module_class_t cls;
  liberty_t lib;
  synth_job_t job;
  arcs_t arcs;
  mrpb_err_t err;
} rig_t;

static void write_in(const char *folder, const char *name, const char *text) {
  char path[FILES_PATH];
  ck_assert(files_path(path, "%s/%s", folder, name));
  FILE *f = fopen(path, "w");
  ck_assert_ptr_nonnull(f);
  ck_assert_int_ge(fputs(text, f), 0);
  ck_assert_int_eq(fclose(f), 0);
}

static void begin(rig_t *r, const char *netlist, bool clock) {
  char here[PATH / 2];
  *r = (rig_t){.folder = "build/tmp/arcs.XXXXXX", .cls = {.stem = "tiny", .n_regs = clock}};
  ck_assert_ptr_nonnull(mkdtemp(r->folder));
  ck_assert_ptr_nonnull(getcwd(here, sizeof here));
  write_in(r->folder, "net.v", netlist);
  write_in(r->folder, "cells.lib", cells);
  snprintf(r->liberty, PATH, "%s/%.200s/cells.lib", here, r->folder);
  ck_assert_msg(liberty_open(&r->lib, r->liberty, NULL, &r->err) == 0, "%s", r->err.text);
  r->job = (synth_job_t){.source = synth_source_module(&r->cls), .cls = &r->cls, .lib = &r->lib};
}

static int measure(rig_t *r, arcs_outside_t outside) {
  return arcs_run(&r->job, r->folder, r->liberty, &outside, &r->arcs, &r->err);
}

static void end(rig_t *r) {
  arcs_free(&r->arcs);
  liberty_close(&r->lib);
  files_remove_tree(r->folder, NULL);
}

static void expect(const rig_t *r, const char *from, const char *to, double max, double min) {
  const arc_t *a = arcs_find(&r->arcs, from, to);
  ck_assert_msg(a != NULL, "no arc from '%s' to '%s'", from, to);
  ck_assert_double_eq_tol(a->max_ns, max, 2e-6);
  ck_assert_double_eq_tol(a->min_ns, min, 2e-6);
}

/* a_i[1] to the register: 0.1 + 0.15 and setup; the shortest is a_i[0]: 0.15 less the hold time.
 * y_o is the register, or an inverter more. The same with a buffer at the inputs: its delay does
 * not depend on its load, so it adds nothing. */
START_TEST(ports) {
  rig_t r;
  begin(&r, net, true);
  arcs_outside_t outside = {.slew_ns = _i ? 0.05 : 0, .load_ff = _i ? 7 : 0};
  ck_assert_msg(measure(&r, outside) == 0, "%s", r.err.text);
  ck_assert_uint_eq(r.arcs.n, 4);
  expect(&r, "a_i", "", 0.30, 0.13);
  expect(&r, "b_i", "w_o", 0.15, 0.15);
  expect(&r, "", "y_o", 0.40, 0.30);
  expect(&r, "", "w_o", 0.45, 0.45);
  ck_assert_uint_eq(r.arcs.n_loads, 3);
  ck_assert_double_eq_tol(arcs_load(&r.arcs, "a_i"), 20, 1e-4);
  ck_assert_double_eq_tol(arcs_load(&r.arcs, "b_i"), 10, 1e-4);
  ck_assert_double_eq_tol(arcs_load(&r.arcs, "clk_i"), 30, 1e-4);
  ck_assert_double_eq_tol(arcs_slew(&r.arcs, "y_o"), 0.01, 1e-6);
  end(&r);
}
END_TEST

START_TEST(bits) {
  rig_t r;
  begin(&r, net, true);
  ck_assert_msg(measure(&r, (arcs_outside_t){.bits = true}) == 0, "%s", r.err.text);
  ck_assert_uint_eq(r.arcs.n, 6);
  expect(&r, "a_i[0]", "", 0.20, 0.13);
  expect(&r, "a_i[1]", "", 0.30, 0.23);
  expect(&r, "", "y_o[0]", 0.30, 0.30);
  expect(&r, "", "y_o[1]", 0.40, 0.40);
  ck_assert_double_eq_tol(arcs_load(&r.arcs, "a_i[0]"), 10, 1e-4);
  ck_assert_double_eq_tol(arcs_load(&r.arcs, "a_i[1]"), 20, 1e-4);
  end(&r);
}
END_TEST

/* The load of the output that is a wire is not one of the input's. */
START_TEST(no_clock) {
  rig_t r;
  begin(&r, wires, false);
  ck_assert_msg(measure(&r, (arcs_outside_t){.slew_ns = 0.05}) == 0, "%s", r.err.text);
  ck_assert_uint_eq(r.arcs.n, 2);
  expect(&r, "a_i", "w_o", 0.25, 0.15);
  expect(&r, "a_i", "y_o", 0, 0);
  ck_assert_double_eq_tol(arcs_load(&r.arcs, "a_i"), 20, 1e-4);
  end(&r);
}
END_TEST

/* A memory whose stub says no hold time: its input has one of 0. */
START_TEST(no_hold) {
  rig_t r;
  char text[sizeof cells];
  begin(&r, net, true);
  memcpy(text, cells, sizeof cells);
  char *hold = strstr(text, "hold_rising");
  memcpy(hold, "skew_rising", strlen("skew_rising"));
  write_in(r.folder, "cells.lib", text);
  ck_assert_msg(measure(&r, (arcs_outside_t){.slew_ns = 0.05}) == 0, "%s", r.err.text);
  expect(&r, "a_i", "", 0.30, 0);
  ck_assert(arcs_find(&r.arcs, "a_i", "")->no_hold);
  ck_assert(!arcs_find(&r.arcs, "b_i", "w_o")->no_hold);
  end(&r);
}
END_TEST

/* Another corner: the same cells in another file, with an INV of 0.5 ns. */
START_TEST(corner) {
  rig_t r;
  char slow[sizeof cells];
  begin(&r, net, true);
  memcpy(slow, cells, sizeof cells);
  for (char *at = slow; (at = strstr(at, "\"0.1\"")) != NULL;) memcpy(at, "\"0.5\"", 5);
  write_in(r.folder, "slow.lib", slow);
  char *name = strstr(r.liberty, "cells.lib");
  memcpy(name, "slow.lib", sizeof "slow.lib");
  ck_assert_msg(measure(&r, (arcs_outside_t){.slew_ns = 0}) == 0, "%s", r.err.text);
  expect(&r, "a_i", "", 0.70, 0.13);
  expect(&r, "", "y_o", 0.80, 0.30);
  end(&r);
}
END_TEST

/* A library without one of the netlist's cells. */
START_TEST(no_cell) {
  rig_t r;
  char text[sizeof cells];
  begin(&r, net, true);
  memcpy(text, cells, sizeof cells);
  char *name = strstr(text, "cell (INV)");
  memcpy(name, "cell (VNI)", strlen("cell (VNI)"));
  write_in(r.folder, "cells.lib", text);
  ck_assert_int_eq(measure(&r, (arcs_outside_t){.slew_ns = 0}), -1);
  ck_assert_msg(strstr(r.err.text, "cells.lib: not the netlist's cells: ") &&
                    strstr(r.err.text, "INV"),
                "%s", r.err.text);
  end(&r);
}
END_TEST

START_TEST(broken) {
  rig_t r;
  begin(&r, "module other (a_i);\n  input a_i;\nendmodule\n", true);
  ck_assert_int_eq(measure(&r, (arcs_outside_t){.slew_ns = 0}), -1);
  ck_assert_msg(strstr(r.err.text, "sta: Error"), "%s", r.err.text);
  end(&r);
}
END_TEST

Suite *test_estimate_arcs_suite(void);
Suite *test_estimate_arcs_suite(void) {
  Suite *s = suite_create("estimate_arcs");
  TCase *t = tcase_create("arcs");
  tcase_add_loop_test(t, ports, 0, 2);
  tcase_add_test(t, bits);
  tcase_add_test(t, no_clock);
  tcase_add_test(t, no_hold);
  tcase_add_test(t, corner);
  tcase_add_test(t, no_cell);
  tcase_add_test(t, broken);
  suite_add_tcase(s, t);
  return s;
}
