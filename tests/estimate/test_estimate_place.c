/* SPDX-License-Identifier: Apache-2.0 */
/* What is read of the tools of --place and --fpga: lines that they wrote, and lines that are broken.
 * No tool is run here. */
#include "estimate/place/fpga.h"
#include "estimate/place/layout.h"
#include "estimate/place/timing.h"
#include "estimate/place/wires.h"
#include "base/memory_file.h"
#include "base/output.h"
#include "base/sizes.h"
#include "recorded.h"

#include <check.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- LEF ---- */

#define LAYERS                                                                                     \
  "LAYER poly\n  TYPE MASTERSLICE ;\nEND poly\n"                                                   \
  "LAYER metal1\n  TYPE ROUTING ;\n  DIRECTION HORIZONTAL ;\n  WIDTH 0.3 ;\n"                      \
  "  RESISTANCE RPERSQ 0.08 ;\n  CAPACITANCE CPERSQDIST 3.8e-05 ;\n"                               \
  "  EDGECAPACITANCE 8.000000e-05 ;\nEND metal1\n"                                                 \
  "LAYER metal2\n  TYPE ROUTING ;\n  WIDTH 0.3 ;\n  CAPACITANCE CPERSQDIST 1.9e-05 ;\n"            \
  "  EDGECAPACITANCE 6.000000e-05 ;\nEND metal2\n"
#define VIA                                                                                        \
  "VIA M2_M1 DEFAULT\n  LAYER metal1 ;\n    RECT -0.2 -0.2 0.2 0.2 ;\nEND M2_M1\n"                 \
  "VIARULE viagen21 GENERATE\n  LAYER metal1 ;\n    WIDTH 0.3 TO 60 ;\nEND viagen21\n"
#define CELLS                                                                                      \
  "MACRO FILL\n  SIZE 0.8 BY 10 ;\nEND FILL\n"                                                     \
  "MACRO INVX1\n  SIZE 1.6 BY 10 ;\n  PIN A\n    PORT\n    LAYER metal1 ;\n"                       \
  "      RECT 0 1 2 3 ;\n    END\n  END A\nEND INVX1\n"                                            \
  "MACRO BUFX2\n  SIZE 2.4 BY 10 ;\n  OBS\n    LAYER metal1 ;\n  END\nEND BUFX2\nEND LIBRARY\n"

static layout_lef_t small_lef(void) {
  layout_lef_t lef;
  mrpb_err_t err = {""};
  ck_assert_msg(layout_lef(&lef, LAYERS VIA CELLS, &err) == 0, "%s", err.text);
  return lef;
}

START_TEST(lef) {
  layout_lef_t l = small_lef();
  ck_assert_uint_eq(l.n_layers, 2);
  ck_assert_str_eq(l.layer[1].name, "metal2");
  ck_assert_double_eq_tol(l.layer[0].area_ff_um2, 0.038, 1e-9);
  /* 0.3 um * 0.019 fF/um2, and two edges of 0.06 fF/um */
  ck_assert_double_eq_tol(layout_ff_um(&l.layer[1]), 0.1257, 1e-9);
  ck_assert_uint_eq(l.n_cells, 3);
  ck_assert_double_eq_tol(l.cell[2].um2, 24, 1e-9);
  layout_lef_close(&l);
}
END_TEST

START_TEST(broken_lef) {
  static const struct {
    const char *text, *said;
  } bad[] = {{"", "no routing layer"},
             {LAYERS VIA, "no routing layer or no cell"},
             {LAYERS "MACRO INVX1\n  SIZE 1.6 BY\nEND INVX1\n", "SIZE x BY y"},
             {LAYERS "MACRO INVX1\n  SIZE 1.6 BY 10 ;\n  PIN A\n  END A\n", "END of a cell"},
             {"LAYER metal1\n  TYPE ROUTING ;\nEND metal1\n", "no WIDTH"},
             {"LAYER metal1\n  TYPE ROUTING ;\n", "END of a layer"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    layout_lef_t l;
    mrpb_err_t err = {""};
    ck_assert_int_eq(layout_lef(&l, bad[i].text, &err), -1);
    ck_assert_msg(strstr(err.text, bad[i].said) != NULL, "%zu: %s", i, err.text);
  }
}
END_TEST

/* ---- DEF ---- */

#define DEF_HEAD                                                                                   \
  "VERSION 5.6 ;\nDESIGN small ;\nUNITS DISTANCE MICRONS 100 ;\n"                                  \
  "DIEAREA ( -320 -300 ) ( 10640 6300 ) ;\nTRACKS Y -300 DO 67 STEP 100 LAYER metal1 ;\n"
#define DEF_CELLS                                                                                  \
  "COMPONENTS 3 ;\n- INVX1_1 INVX1 + PLACED ( 1000 50 ) FS ;\n"                                    \
  "- FILL_0_0_0 FILL + PLACED ( 2600 50 ) FS ;\n- BUFX2_1 BUFX2 + PLACED ( 3720 50 ) S ;\n"        \
  "END COMPONENTS\n"
#define DEF_PINS                                                                                   \
  "PINS 1 ;\n- n2 + NET n2\n  + LAYER metal2 ( -15 -15 ) ( 15 15 )\n"                              \
  "  + PLACED ( 3200 6300 ) N ;\nEND PINS\n"
#define DEF_N2                                                                                     \
  "- n2\n  ( PIN n2 ) \n  ( INVX1_1 A ) \n+ ROUTED metal2 ( 3200 6300 ) ( * 5500 ) M2_M1 ;\n"
#define DEF_N3                                                                                     \
  "- n3\n  ( INVX1_1 Y ) \n  ( BUFX2_1 A ) \n+ ROUTED metal1 ( 100 200 ) ( 400 * ) M2_M1 \n"       \
  "  NEW metal2 ( 400 200 ) ( * 700 ) M2_M1 \n  NEW metal1 ( 400 700 ) M2_M1 ;\n"
#define DEF_END                                                                                    \
  "END NETS\nSPECIALNETS 1 ;\n- n2\n+ ROUTED metal1 40 ( 225 2400 ) ( 290 * ) ;\n"                 \
  "END SPECIALNETS\nEND DESIGN\n"

START_TEST(def) {
  layout_lef_t l = small_lef();
  layout_def_t d;
  mrpb_err_t err = {""};
  const char *text = DEF_HEAD DEF_CELLS DEF_PINS "NETS 2 ;\n" DEF_N2 DEF_N3 DEF_END;
  ck_assert_msg(layout_def(&d, text, &l, 5, &err) == 0, "%s", err.text);
  ck_assert_double_eq_tol(d.width_um, 109.6, 1e-9);
  ck_assert_double_eq_tol(d.height_um, 66, 1e-9);
  ck_assert_uint_eq(d.cells, 2);
  ck_assert_double_eq_tol(d.cell_um2, 16 + 24, 1e-9);
  ck_assert_double_eq_tol(d.fill_um2, 8, 1e-9);
  ck_assert_double_eq_tol(d.net[2].um, 8, 1e-9);
  ck_assert_double_eq_tol(d.net[2].ff, 8 * 0.1257, 1e-9);
  /* 3 um of metal 1, of 0.0114 + 0.16 fF each, and 5 um of metal 2; a via has no length */
  ck_assert_double_eq_tol(d.net[3].um, 8, 1e-9);
  ck_assert_double_eq_tol(d.net[3].ff, 3 * 0.1714 + 5 * 0.1257, 1e-9);
  ck_assert_double_eq_tol(d.layer_um[1], 13, 1e-9);
  ck_assert_uint_eq(d.net[3].pins, 2);
  ck_assert_uint_eq(d.net[4].pins, 0);
  layout_def_close(&d);
  layout_lef_close(&l);
}
END_TEST

START_TEST(broken_def) {
  static const struct {
    const char *text, *said;
  } bad[] = {{"", "no outline"},
             {DEF_HEAD DEF_CELLS, "no outline, no cell or no net"},
             {DEF_HEAD "COMPONENTS 1 ;\n- X_1 NAND9X1 + PLACED ( 0 0 ) N ;\nEND COMPONENTS\n",
              "NAND9X1 where a cell of the LEF file"},
             {"DIEAREA ( 0 0 ) ( 1 1 ) ;\n", "behind the units"},
             {DEF_HEAD DEF_CELLS "NETS 1 ;\n- n99\n  ( PIN n99 ) ;\n", "a net of the netlist"},
             {DEF_HEAD DEF_CELLS "NETS 1 ;\n- n2\n+ ROUTED metal9 ( 1 1 ) ;\n", "a routing layer"},
             {DEF_HEAD DEF_CELLS "NETS 1 ;\n- n2\n+ ROUTED metal1 ( 1 x ) ;\n", "( x y )"},
             {DEF_HEAD DEF_CELLS "NETS 2 ;\n" DEF_N2, "END NETS"},
             {DEF_HEAD DEF_CELLS "NETS 1 ;\n- n2\n+ ROUTED metal1 ( 1 1 ) ( 2 * )\n", "; behind"}};
  layout_lef_t l = small_lef();
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    layout_def_t d;
    mrpb_err_t err = {""};
    ck_assert_int_eq(layout_def(&d, bad[i].text, &l, 5, &err), -1);
    ck_assert_msg(strstr(err.text, bad[i].said) != NULL, "%zu: %s", i, err.text);
  }
  layout_lef_close(&l);
}
END_TEST

/* ---- netlist, wires ---- */

/* n2 = clk_i, n3 = a_i, n4 = y_o; a_i -> INVX1_1 -> n5 -> BUFX2_1 and the SRAM -> n4. */
#define CELL(type, pins, ways)                                                                     \
  "{\"type\": \"" type "\", \"port_directions\": {" ways "}, \"connections\": {" pins "}}"
#define AY "\"A\": \"input\", \"Y\": \"output\""
static const char net_json[] =
    "{\"modules\": {\"small\": {\"ports\": {"
    "\"clk_i\": {\"direction\": \"input\", \"bits\": [2]},"
    "\"a_i\": {\"direction\": \"input\", \"bits\": [3]},"
    "\"y_o\": {\"direction\": \"output\", \"bits\": [4, \"0\", 3]}},"
    "\"cells\": {\"g0\": " CELL("INVX1", "\"A\": [3], \"Y\": [5]", AY) ", \"g1\": " CELL(
        "BUFX2", "\"A\": [5], \"Y\": [4]",
        AY) ", \"u_mem\": " CELL("sram_4x1", "\"we\": [\"1\"], \"wdata_0\": [5], \"rdata_0\": [6]",
                                 "\"we\": \"input\", \"wdata_0\": \"input\", \"rdata_0\": "
                                 "\"output\"") ", \"g2\": " CELL("INVX1", "\"A\": [6], \"Y\": [7]",
                                                                 AY) "}, \"netnames\": {}}}}";

static void open_small(place_netlist_t *n) {
  char path[] = "build/tmp/place_net_XXXXXX";
  mrpb_err_t err = {""};
  ck_assert_int_eq(output_folder("build/tmp", &err), 0);
  const int fd = mkstemp(path);
  FILE *f = fdopen(fd, "w");
  fputs(net_json, f);
  fclose(f);
  ck_assert_msg(place_netlist_open(n, path, "small", &err) == 0, "%s", err.text);
  unlink(path);
}

static char *written(const place_netlist_t *n,
                     int (*write)(const place_netlist_t *, FILE *, mrpb_err_t *)) {
  char *text;
  size_t size;
  mrpb_err_t err = {""};
  FILE *f = memory_file(&text, &size);
  ck_assert_int_eq(write(n, f, &err), 0);
  fclose(f);
  return text;
}

START_TEST(netlist) {
  place_netlist_t n;
  open_small(&n);
  ck_assert_uint_eq(n.cells, 3);
  ck_assert_uint_eq(n.macros, 1);
  ck_assert_uint_eq(n.macro_pins, 3);
  ck_assert_int_eq(n.clock, 2);
  ck_assert_uint_eq(n.pins, 4); /* a_i, y_o, and the SRAM's two; nothing placed takes the clock */
  char *blif = written(&n, place_netlist_blif), *verilog = written(&n, place_netlist_verilog);
  ck_assert_str_eq(blif, ".model small\n.inputs n3 n6\n.outputs n4 n5\n"
                         ".gate INVX1 A=n3 Y=n5\n.gate BUFX2 A=n5 Y=n4\n"
                         ".gate INVX1 A=n6 Y=n7\n.end\n");
  ck_assert_ptr_nonnull(strstr(verilog, "module small (n2, n3, n4);\n"));
  ck_assert_ptr_nonnull(strstr(verilog, "  input n3;\n  output n4;\n  wire n5;\n"));
  ck_assert_ptr_nonnull(strstr(verilog, "  INVX1 INVX1_2 (.A(n6), .Y(n7));\n"));
  ck_assert_ptr_nonnull(
      strstr(verilog, "  sram_4x1 sram_4x1_1 (.we(1'b1), .wdata_0(n5), .rdata_0(n6));\n"));
  free(blif);
  free(verilog);
  place_netlist_close(&n);
}
END_TEST

#define RC_N5 "n5 1 INVX1_1/Y 2 ( 2 0.002 ( 1 0.001 BUFX2_1/A ) , ( 3 0.001 PIN/n5 ) ) \n"
#define RC_N4 "n4 1 BUFX2_1/Y 1 ( 0.1 0.0001 PIN/n4 ) \n"
#define RC_N6 "n6 1 PIN/n6 1 ( 0.1 0.0001 INVX1_2/A ) \n"
#define RC_N3 "n3 1 PIN/n3 1 ( 0.64 0.0004 INVX1_1/A ) \n"

START_TEST(spef) {
  place_netlist_t n;
  layout_net_t wire[8] = {{0}};
  const layout_def_t d = {.net = wire, .n_nets = 8};
  mrpb_err_t err = {""};
  char *text;
  size_t size;
  open_small(&n);
  wire[5].ff = 8; /* qrouter counts 4 fF: each piece counts twice */
  FILE *f = memory_file(&text, &size);
  ck_assert_msg(wires_spef(RC_N3 "\n" RC_N4 RC_N6 RC_N5, &n, &d, f, &err) == 0, "%s", err.text);
  fclose(f);
  ck_assert_ptr_nonnull(strstr(text, "*P n3 I\n*I INVX1_1:A I\n"));
  const char *at = strstr(text, "*D_NET n5");
  ck_assert_ptr_nonnull(at);
  ck_assert_str_eq(at, "*D_NET n5 8\n*CONN\n*I INVX1_1:Y O\n*I BUFX2_1:A I\n"
                       "*I sram_4x1_1:wdata_0 I\n*CAP\n1 INVX1_1:Y 2\n2 n5:1 4\n3 n5:2 1\n"
                       "4 n5:3 1\n*RES\n1 INVX1_1:Y n5:1 2\n2 n5:1 n5:2 1\n"
                       "3 n5:2 BUFX2_1:A 0.001\n4 n5:1 n5:3 3\n"
                       "5 n5:3 sram_4x1_1:wdata_0 0.001\n*END\n");
  free(text);
  place_netlist_close(&n);
}
END_TEST

START_TEST(broken_wires) {
  static const struct {
    const char *text, *said;
  } bad[] = {{"", "no net in it"},
             {RC_N3, "n4 is not in it"},
             {"n5 1 INVX1_1/Y 2 ( 2 0.002 BUFX2_1/A ) \n", "n5: routed to 1 of its 2 sinks"},
             {"n3 2 PIN/n3 1 ( 0.64 0.0004 INVX1_1/A ) \n", "line 1: '2' where one driver"},
             {RC_N3 "n99 1 PIN/n3 1 \n", "line 2: 'n99' where a net"},
             {"n3 1 PIN/n3 1 ( 0.64 INVX1_1/A ) \n", "ohms and pF"},
             {"n3 1 PIN/n3 1 ( 0.64 0.0004 INVX1_1/A \n", "where ) was expected"},
             {"n3 1 PIN/n3 1 INVX1_1/A ) \n", "no more than was opened"},
             {"n3 1 PIN/n3 1 INVX1_1 \n", "a piece of wire or a pin"}};
  place_netlist_t n;
  layout_net_t wire[8] = {{0}};
  const layout_def_t d = {.net = wire, .n_nets = 8};
  open_small(&n);
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    mrpb_err_t err = {""};
    char *text;
    size_t size;
    FILE *f = memory_file(&text, &size);
    ck_assert_int_eq(wires_spef(bad[i].text, &n, &d, f, &err), -1);
    ck_assert_msg(strstr(err.text, bad[i].said) != NULL, "%zu: %s", i, err.text);
    fclose(f);
    free(text);
  }
  place_netlist_close(&n);
}
END_TEST

/* ---- OpenSTA ---- */

#define STA_SLACK(ns)                                                                              \
  "Startpoint: DFFPOSX1_3 (rising edge-triggered flip-flop clocked by clk)\n"                      \
  "---------------------------------------------------------\n"                                    \
  "            1.392013   data arrival time\n"                                                     \
  "-----------\n           " ns "   slack (VIOLATED)\n\n\n"
#define STA_BEFORE                                                                                 \
  "\nplace: without wires\n" STA_SLACK("-0.477000") "place: without wires, registers\n" STA_SLACK( \
      "0.250000")
#define STA_AFTER                                                                                  \
  "place: with wires\n" STA_SLACK("-0.565000") "place: with wires, registers\nNo paths found.\n"
#define STA_END "place: done\n"

START_TEST(periods) {
  place_times_t without, with;
  mrpb_err_t err = {""};
  ck_assert_msg(timing_read(STA_BEFORE STA_AFTER STA_END, &without, &with, &err) == 0, "%s",
                err.text);
  ck_assert_double_eq_tol(without.all, 1.477, 1e-9);
  ck_assert_double_eq_tol(without.registers, 0.75, 1e-9);
  ck_assert_double_eq_tol(with.all, 1.565, 1e-9);
  ck_assert_double_eq_tol(with.registers, 0, 1e-9);
}
END_TEST

START_TEST(broken_periods) {
  static const struct {
    const char *text, *said;
  } bad[] = {{STA_BEFORE STA_AFTER, "before its end"},
             {STA_BEFORE "Error: sta.tcl, 20 no such command.\n" STA_AFTER STA_END,
              "sta: Error: sta.tcl, 20 no such command."},
             {STA_BEFORE "Warning: small.spef, line 40 net n999 not found.\n" STA_AFTER STA_END,
              "not those of the netlist: .spef, line 40 net n999"},
             {"\nplace: without wires\nnothing\n" STA_AFTER STA_END, "no slack behind"}};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    place_times_t without, with;
    mrpb_err_t err = {""};
    ck_assert_int_eq(timing_read(bad[i].text, &without, &with, &err), -1);
    ck_assert_msg(strstr(err.text, bad[i].said) != NULL, "%zu: %s", i, err.text);
  }
}
END_TEST

/* ---- iCE40 ---- */

static const char ice_json[] =
    "{\"modules\": {\"m\": {\"ports\": {\"clk_i\": {\"direction\": \"input\", \"bits\": [2]},"
    "\"a_i\": {\"direction\": \"input\", \"bits\": [3, 4]},"
    "\"y_o\": {\"direction\": \"output\", \"bits\": [5, \"0\", 6]}},"
    "\"cells\": {\"a\": {\"type\": \"SB_LUT4\"}, \"b\": {\"type\": \"SB_LUT4\"},"
    "\"c\": {\"type\": \"SB_DFFSR\"}, \"d\": {\"type\": \"SB_CARRY\"},"
    "\"e\": {\"type\": \"SB_RAM40_4K\"}, \"s\": {\"type\": \"$scopeinfo\"}}}}}";

START_TEST(ice_count) {
  json_t *root = json_loads(ice_json, 0, NULL);
  fpga_result_t r = {.luts = 0};
  mrpb_err_t err = {""};
  char *text;
  size_t size;
  ck_assert_int_eq(fpga_count(root, "m", &r, &err), 0);
  ck_assert_uint_eq(r.luts, 2);
  ck_assert_uint_eq(r.flops, 1);
  ck_assert_uint_eq(r.carries, 1);
  ck_assert_uint_eq(r.rams, 1);
  ck_assert_uint_eq(r.in_bits, 2);
  ck_assert_uint_eq(r.out_bits, 3);
  ck_assert_uint_eq(fpga_around(&r), 2 + 2 * 3);
  FILE *f = memory_file(&text, &size);
  fpga_wrapper(f, root, "m");
  fclose(f);
  ck_assert_ptr_nonnull(strstr(text, "  m u_top (.clk_i(clk), .a_i(in[2:1]), .y_o(out[2:0]));\n"));
  ck_assert_ptr_nonnull(strstr(text, "  assign sh[0] = in[2];\n  assign shift_o = sh[3];\n"));
  free(text);
  ck_assert_int_eq(fpga_count(root, "other", &r, &err), -1);
  json_decref(root);
  root = json_loads("{\"modules\": {\"m\": {\"ports\": {}, \"cells\": {\"a\": {\"type\": "
                    "\"mystery\"}}}}}",
                    0, NULL);
  err.text[0] = '\0';
  ck_assert_int_eq(fpga_count(root, "m", &r, &err), -1);
  ck_assert_ptr_nonnull(strstr(err.text, "a cell mystery"));
  json_decref(root);
}
END_TEST

#define ICE_USED                                                                                   \
  "Info: Device utilisation:\nInfo: \t         ICESTORM_LC:    80/ 7680     1%\n"                  \
  "Info: \t        ICESTORM_RAM:     3/   32     0%\nInfo: \t               SB_IO:    21/  256\n"
#define ICE_CLOCK(mhz)                                                                             \
  "Info: Max frequency for clock 'clk$SB_IO_IN_$glb_clk': " mhz " MHz (FAIL at 200.00 MHz)\n"

START_TEST(ice_log) {
  unsigned cells, rams;
  double mhz;
  mrpb_err_t err = {""};
  ck_assert_int_eq(fpga_read_cells(ICE_USED, &cells, &rams, &err), 0);
  ck_assert_uint_eq(cells, 80);
  ck_assert_uint_eq(rams, 3);
  ck_assert_int_eq(fpga_read_cells("Info: none\n", &cells, &rams, &err), -1);
  /* after placement and after routing: the last counts */
  ck_assert_int_eq(fpga_read_clock(ICE_CLOCK("153.09") ICE_CLOCK("159.64"), &mhz, &err), 0);
  ck_assert_double_eq_tol(mhz, 159.64, 1e-9);
  err.text[0] = '\0';
  ck_assert_int_eq(fpga_read_clock(ICE_USED, &mhz, &err), -1);
  ck_assert_ptr_nonnull(strstr(err.text, "no frequency"));
  err.text[0] = '\0';
  ck_assert_int_eq(fpga_read_clock("ERROR: Unable to place cell 'x'\n" ICE_CLOCK("1"), &mhz, &err),
                   -1);
  ck_assert_str_eq(err.text, "nextpnr-ice40: Unable to place cell 'x'");
}
END_TEST

/* ---- the recorded table ---- */

START_TEST(recorded) {
  json_t *root = json_load_file("tests/estimate/placed.json", 0, NULL), *v;
  const json_t *modules = json_object_get(root, "modules");
  size_t i;
  ck_assert_uint_gt(json_array_size(modules), 0);
  json_array_foreach(modules, i, v) {
    const char *stem = json_string_value(json_object_get(v, "module"));
    ck_assert_ptr_nonnull(stem);
    recorded_for(stem, json_string_value(json_object_get(v, "rtl_hash")),
                 "make estimate-place-record");
  }
  json_decref(root);
}
END_TEST

Suite *test_estimate_place_suite(void);
Suite *test_estimate_place_suite(void) {
  Suite *s = suite_create("estimate_place");
  TCase *t = tcase_create("all");
  tcase_add_test(t, lef);
  tcase_add_test(t, broken_lef);
  tcase_add_test(t, def);
  tcase_add_test(t, broken_def);
  tcase_add_test(t, netlist);
  tcase_add_test(t, spef);
  tcase_add_test(t, broken_wires);
  tcase_add_test(t, periods);
  tcase_add_test(t, broken_periods);
  tcase_add_test(t, ice_count);
  tcase_add_test(t, ice_log);
  tcase_add_test(t, recorded);
  suite_add_tcase(s, t);
  return s;
}
