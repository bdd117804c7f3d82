/* SPDX-License-Identifier: Apache-2.0 */
/* The parts of the logic estimate that need no tool: Liberty files, SRAM macros, netlists,
 * medians. */
#include "estimate/gates.h"
#include "estimate/liberty.h"
#include "estimate/sram.h"
#include "estimate/storage.h"
#include "estimate/study.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- Liberty ---- */

START_TEST(functions) {
  static const char *const ab[] = {"A", "B"}, *const three[] = {"A1", "A2", "B[0]"};
  static const struct {
    const char *text;
    int64_t table;
  } of_two[] = {{"!(A B)", 7},   {"(A*B)'", 7}, {"!A | !B", 7},     {"A' + B'", 7},
                {"A&B", 8},      {"A ^ B", 6},  {"A B'", 2},        {"!A", 5},
                {"(((B)))", 12}, {"1", 15},     {"A + B A ^ B", 14}};
  for (size_t i = 0; i < sizeof of_two / sizeof *of_two; i++)
    ck_assert_msg(liberty_function(of_two[i].text, ab, 2) == of_two[i].table, "%s gives %d",
                  of_two[i].text, (int)liberty_function(of_two[i].text, ab, 2));
  ck_assert_int_eq(liberty_function("!((A1 & A2) | B[0])", three, 3), 0x07);
  static const char *const bad[] = {"", "A &", "(A", "A)", "C", "A B)", "!", "()"};
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    ck_assert_msg(liberty_function(bad[i], ab, 2) == -1, "'%s' is taken", bad[i]);
}
END_TEST

#define HEAD                                                                                       \
  "/* a comment { */ library (tiny) {\n time_unit : \"1ns\"; nom_process : 1; nom_voltage : 2;\n"  \
  " nom_temperature : 25; capacitive_load_unit (1, pf);\n"                                         \
  " default_operating_conditions : hot;\n"                                                         \
  " operating_conditions (cold) { process : 3; voltage : 4; temperature : -5; }\n"                 \
  " operating_conditions (\"hot\") { process : 0.5; voltage : 1.5; temperature : 125; }\n"
#define PIN_IN(n) " pin (" n ") { direction : input; capacitance : 0.002; }\n"
#define PIN_OUT(n, f)                                                                              \
  " pin (" n ") { direction : output; function : \"" f "\";\n"                                     \
  "  timing () { related_pin : \"A\"; cell_rise (t) { values (\"1, 2\", \\\n \"3, 4\"); } } }\n"
#define NAND2_BIG " cell (NAND2B) { area : 3;" PIN_IN("A") PIN_IN("B") PIN_OUT("Y", "!(A B)") " }\n"
#define NAND2 " cell (NAND2) { area : 2;" PIN_IN("A") PIN_IN("B") PIN_OUT("Y", "!(A&B)") " }\n"
#define NOT_USED                                                                                   \
  " cell (NAND2X) { area : 1; dont_use : true;" PIN_IN("A") PIN_IN("B")                            \
      PIN_OUT("Y", "!(A B)") " }\n"
#define INV " cell (INV) { area : 1;" PIN_IN("A") PIN_OUT("Y", "A'") " }\n"
#define BUF " cell (BUF) { area : 2;" PIN_IN("A") PIN_OUT("Y", "A") " }\n"
#define DFF                                                                                        \
  " cell (DFF) { area : 9; ff (IQ, IQN) { next_state : \"D\"; clocked_on : \"CK\"; }\n" PIN_IN(    \
      "D") " pin (CK) { direction : input; clock : true; capacitance : 0.001; }\n" PIN_OUT("QN",   \
                                                                                           "IQN")  \
      PIN_OUT("Q", "IQ") " }\n"
#define DFFN                                                                                       \
  " cell (DFFN) { area : 4; ff (IQ, IQN) { next_state : \"D\"; clocked_on : \"!CK\"; }\n" PIN_IN(  \
      "D") PIN_IN("CK") PIN_OUT("Q", "IQ") " }\n"

static int read_text(liberty_t *lib, const char *text, size_t n, mrpb_err_t *err) {
  char path[] = "build/tmp/liberty.XXXXXX";
  int fd = mkstemp(path);
  ck_assert_int_ge(fd, 0);
  ck_assert_int_eq(write(fd, text, n), (ssize_t)n);
  close(fd);
  int rc = liberty_open(lib, path, NULL, err);
  unlink(path);
  return rc;
}

START_TEST(library) {
  static const char text[] = HEAD NAND2_BIG NOT_USED NAND2 INV BUF DFFN DFF "}\n";
  liberty_t lib;
  mrpb_err_t err = {""};
  ck_assert_msg(read_text(&lib, text, strlen(text), &err) == 0, "%s", err.text);
  ck_assert_str_eq(lib.name, "tiny");
  ck_assert_str_eq(lib.corner, "hot");
  ck_assert_double_eq_tol(lib.process, 0.5, 1e-12);
  ck_assert_double_eq_tol(lib.voltage, 1.5, 1e-12);
  ck_assert_double_eq_tol(lib.temperature, 125, 1e-12);
  ck_assert_double_eq_tol(lib.load_ff, 1000, 1e-9);
  ck_assert_str_eq(lib.nand2->name, "NAND2");
  ck_assert_double_eq_tol(lib.nand2_cap_ff, 2, 1e-9);
  ck_assert_str_eq(lib.inverter->name, "INV");
  ck_assert_str_eq(lib.buffer->name, "BUF");
  ck_assert_str_eq(lib.flop->name, "DFF");
  ck_assert_str_eq(lib.flop->in, "D");
  ck_assert_str_eq(lib.flop->out, "Q");
  ck_assert_uint_eq(lib.n_cells, 7);
  ck_assert(liberty_cell(&lib, "DFFN")->flop);
  ck_assert_ptr_null(liberty_cell(&lib, "DFFX"));
  liberty_close(&lib);
}
END_TEST

static const struct {
  const char *text, *says;
} broken[] = {
    {HEAD INV BUF DFF "}", "no 2-input NAND among its 3 cells"},
    {HEAD NOT_USED INV BUF DFF "}", "no 2-input NAND"},
    {HEAD NAND2 BUF DFF "}", "no inverter"},
    {HEAD NAND2 INV DFF "}", "no buffer"},
    {HEAD NAND2 INV BUF DFFN "}", "no rising-edge D flip-flop"},
    {HEAD NAND2 INV BUF DFF, "the file ends inside a group"},
    {"", "no `library (`"},
    {"cell (x) { }", "no `library (`"},
    {"library (x", "arguments without an end"},
    {"library (x) ;", "no `{`"},
    {"library (x) { area }", "neither an attribute nor a group"},
    {"library (t) { time_unit : \"1ns\";" NAND2 INV BUF DFF "}", "no capacitive_load_unit"},
    {"library (t) { capacitive_load_unit (1,ff);" NAND2 INV BUF DFF "}", "no time_unit"},
};

START_TEST(broken_library) {
  liberty_t lib;
  mrpb_err_t err = {""};
  const char *text = broken[_i].text;
  ck_assert_int_eq(read_text(&lib, text, strlen(text), &err), -1);
  ck_assert_msg(strstr(err.text, broken[_i].says) != NULL, "'%s' instead of '%s'", err.text,
                broken[_i].says);
  ck_assert_ptr_null(strchr(err.text, '\n'));
}
END_TEST

START_TEST(no_library) {
  liberty_t lib;
  mrpb_err_t err = {""};
  ck_assert_int_eq(liberty_open(&lib, "/nowhere/x.lib", NULL, &err), -1);
  ck_assert_ptr_nonnull(strstr(err.text, "/nowhere/x.lib: cannot read: No such file"));
  err.text[0] = '\0';
  ck_assert_int_eq(liberty_open(&lib, "/tmp", NULL, &err), -1);
  ck_assert_ptr_nonnull(strstr(err.text, "cannot read"));
  err.text[0] = '\0';
  ck_assert_int_eq(read_text(&lib, "library\0(x) {}", 14, &err), -1);
  ck_assert_ptr_nonnull(strstr(err.text, "a zero byte"));
}
END_TEST

/* Every cut of a good file is refused, none is a crash. */
START_TEST(cut_library) {
  static const char text[] = HEAD NAND2 INV BUF DFF "}";
  for (size_t n = 0; n + 1 < sizeof text; n += 3) {
    liberty_t lib;
    mrpb_err_t err = {""};
    ck_assert_msg(read_text(&lib, text, n, &err) == -1, "%zu bytes are taken", n);
  }
}
END_TEST

/* ---- SRAMs ---- */

START_TEST(srams_of_modules) {
  sram_t s[SRAM_MAX];
  uint32_t cfg[MODULE_MAX_PARAMS];
  mrpb_err_t err = {""};
  const module_class_t *cls = module_class("mrpb");
  module_defaults(cls, cfg);
  ck_assert_int_eq(sram_of(cls, cfg, s, &err), 1);
  ck_assert_str_eq(s[0].array, "u_fifo_bank.u_mem.mem_q");
  ck_assert_str_eq(s[0].macro, "sram_384x64");
  ck_assert_uint_eq(sram_address_bits(&s[0]), 9);
  cls = module_class("prt");
  module_defaults(cls, cfg);
  ck_assert_int_eq(sram_of(cls, cfg, s, &err), 2);
  cls = module_class("drain_selector");
  module_defaults(cls, cfg);
  ck_assert_int_eq(sram_of(cls, cfg, s, &err), 0);
}
END_TEST

/* Words that are written in parts, and arrays of modules inside another. */
START_TEST(srams_in_parts) {
  static const struct {
    const char *stem, *array, *cell;
    unsigned n, enables;
  } want[] = {
      {"tags", "tag_q", "sram_32x96w24_sync", 1, 4},
      {"lane_table", "number_q", "sram_44x160w5", 2, 32},
      {"line_data", "mem_q", "sram_132x1024w256_sync", 1, 4},
      {"l1_top", "u_data.mem_q", "sram_132x1024w256_sync", 9, 4},
      {"l1_top", "u_mrpb.u_fifo_bank.u_mem.mem_q", "sram_384x53_sync", 9, 1},
      {"l1_top", "u_bypass.data_q", "sram_4x11", 9, 1},
  };
  for (unsigned i = 0; i < sizeof want / sizeof *want; i++) {
    sram_t s[SRAM_MAX];
    uint32_t cfg[MODULE_MAX_PARAMS];
    char cell[SRAM_NAME + 8] = "";
    mrpb_err_t err = {""};
    const module_class_t *cls = module_class(want[i].stem);
    module_defaults(cls, cfg);
    const int n = sram_of(cls, cfg, s, &err);
    ck_assert_int_eq(n, (int)want[i].n);
    for (int k = 0; k < n; k++) {
      if (strcmp(s[k].array, want[i].array) != 0) continue;
      sram_cell(&s[k], cell);
      ck_assert_uint_eq(sram_enables(&s[k]), want[i].enables);
    }
    ck_assert_str_eq(cell, want[i].cell);
  }
}
END_TEST

/* The last part of a word may be short, and the parity bits are beside their array. */
START_TEST(srams_short_part) {
  sram_t s[SRAM_MAX];
  uint32_t cfg[MODULE_MAX_PARAMS];
  mrpb_err_t err = {""};
  const module_class_t *cls = module_class("line_data");
  module_defaults(cls, cfg);
  cfg[module_param_index(cls, "WORDS")] = 20;
  ck_assert_int_eq(sram_of(cls, cfg, s, &err), 1);
  ck_assert_str_eq(s[0].macro, "sram_132x640w256");
  ck_assert_uint_eq(sram_enables(&s[0]), 3);
  cls = module_class("l1_top");
  module_defaults(cls, cfg);
  cfg[module_param_index(cls, "PARITY")] = 1;
  const int n = sram_of(cls, cfg, s, &err);
  ck_assert_int_eq(n, 12);
  for (int i = 1; i < n; i++)
    if (s[i].bits == 1) ck_assert_int_eq(strncmp(s[i].array, s[i - 1].array, 5), 0);
  ck_assert_str_eq(s[n - 2].array, "u_bypass.gen_parity.data_par_q");
}
END_TEST

/* What the storage table of a report calls an SRAM or a register file of the Verilog is taken out,
 * and nothing else; the one has a register behind its read, the other not. */
START_TEST(srams_of_the_table) {
  config_t cfg;
  storage_t all;
  mrpb_err_t err = {""};
  unsigned n = 0;
  config_defaults(&cfg);
  ck_assert_int_eq(config_set(&cfg, "MRPB=1", &err), 0);
  ck_assert_msg(storage_of(&cfg, &all, &err) == 0, "%s", err.text);
  for (unsigned i = 0; i < all.n; i++) {
    const storage_array_t *a = &all.array[i];
    if (!a->rtl) continue;
    bool is = sram_is(a->unit, strchr(a->name, '.') + 1);
    ck_assert_msg(is == (a->kind == STORAGE_SRAM || a->kind == STORAGE_FILE), "%s", a->name);
    if (is) {
      sram_t s[SRAM_MAX];
      uint32_t params[MODULE_MAX_PARAMS];
      const module_class_t *cls = module_class(a->unit);
      module_defaults(cls, params);
      int count = sram_of(cls, params, s, &err);
      for (int k = 0; k < count; k++)
        if (strcmp(s[k].array, strchr(a->name, '.') + 1) == 0)
          ck_assert_msg(s[k].clocked == (a->kind == STORAGE_SRAM), "%s", a->name);
    }
    n += is;
  }
  ck_assert_uint_eq(n, 4);
}
END_TEST

START_TEST(stub_is_liberty) {
  sram_t s = {.macro = "sram_5x3", .words = 5, .bits = 3, .access_ns = 0.5, .setup_ns = 0.1};
  char *text = NULL;
  size_t size;
  liberty_t lib;
  mrpb_err_t err = {""};
  FILE *f = open_memstream(&text, &size);
  sram_liberty(f, &s, 12);
  fclose(f);
  ck_assert_ptr_nonnull(strstr(text, "related_pin : \"raddr_0 raddr_1 raddr_2\""));
  ck_assert_ptr_null(strstr(text, "raddr_3"));
  ck_assert_ptr_nonnull(strstr(text, "values (\"0.5\")"));
  /* Readable from end to end: what is wrong with it is only that it has no gates. */
  ck_assert_int_eq(read_text(&lib, text, strlen(text), &err), -1);
  ck_assert_ptr_nonnull(strstr(err.text, "no 2-input NAND among its 2 cells"));
  free(text);
}
END_TEST

/* ---- netlists ---- */

#define GATE(n, t, a, b, y)                                                                        \
  "\"" n "\": {\"type\": \"" t "\", \"connections\": {\"A\": [" a "], \"B\": [" b "], \"Y\": [" y  \
  "]}}"

/* 2 AND 3 -> 4, 4 OR 2 -> 5, 5 XOR 3 -> 6; 6 is what register 7 becomes. */
static const char netlist[] =
    "{\"modules\": {\"m\": {\"ports\": {"
    "\"a_i\": {\"direction\": \"input\", \"bits\": [2]},"
    "\"o\": {\"direction\": \"output\", \"bits\": [6]}},"
    "\"cells\": {" GATE("g1", "$_AND_", "2", "3", "4") "," GATE(
        "g2", "$_OR_", "4", "2",
        "5") "," GATE("g3", "$_XOR_", "5", "3",
                      "6") ","
                           "\"ff\": {\"type\": \"$_DFF_P_\", \"connections\": {\"C\": [9], \"D\": "
                           "[6], \"Q\": [7]}}},"
                           "\"netnames\": {"
                           "\"u_a.count_q[3]\": {\"hide_name\": 0, \"bits\": [8, 7]},"
                           "\"u_b.short\": {\"hide_name\": 0, \"bits\": [7]},"
                           "\"$hidden\": {\"hide_name\": 1, \"bits\": [4]},"
                           "\"a_i\": {\"hide_name\": 0, \"bits\": [2]}, \"o\": {\"hide_name\": 0, "
                           "\"bits\": [6]}}}}}";

static void open_text(gates_t *g, const char *text) {
  char path[] = "build/tmp/gates.XXXXXX";
  mrpb_err_t err = {""};
  int fd = mkstemp(path);
  ck_assert_int_ge(fd, 0);
  ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
  close(fd);
  ck_assert_msg(gates_open(g, path, "m", &err) == 0, "%s", err.text);
  unlink(path);
}

START_TEST(names) {
  gates_t g;
  char text[GATES_NAME];
  open_text(&g, netlist);
  const gates_alias_t *a = gates_name(&g, gates_pin(&g, "ff", "Q"));
  ck_assert_ptr_nonnull(a);
  gates_print(a, text);
  ck_assert_str_eq(text, "u_a.count_q[3][1]"); /* the register, though another name is shorter */
  ck_assert_ptr_null(gates_name(&g, 4));
  ck_assert_int_eq(gates_net(&g, "u_a.count_q[3]", 1), 7);
  ck_assert_int_eq(gates_net(&g, "nothing", 0), -1);
  ck_assert_str_eq(gates_type(&g, "ff"), "$_DFF_P_");
  gates_close(&g);
}
END_TEST

START_TEST(ways) {
  gates_t g;
  int *way;
  open_text(&g, netlist);
  ck_assert_int_eq(gates_way(&g, 2, 6, &way), 4); /* by way of the AND, not straight to the OR */
  ck_assert_int_eq(way[0], 2);
  ck_assert_int_eq(way[1], 4);
  ck_assert_int_eq(way[3], 6);
  free(way);
  ck_assert_int_eq(gates_way(&g, 7, 6, &way), 0);
  ck_assert_int_eq(gates_way(&g, 2, -1, &way), 0);
  gates_close(&g);
}
END_TEST

START_TEST(blif) {
  gates_t g;
  char *text = NULL;
  size_t size;
  mrpb_err_t err = {""};
  open_text(&g, netlist);
  FILE *f = open_memstream(&text, &size);
  ck_assert_int_eq(gates_blif(&g, f, &err), 0);
  fclose(f);
  ck_assert_ptr_nonnull(strstr(text, ".inputs n2 n7\n"));
  ck_assert_ptr_nonnull(strstr(text, ".outputs n6 n6\n"));
  ck_assert_ptr_nonnull(strstr(text, ".names n2 n3 n4\n11 1\n"));
  free(text);
  gates_close(&g);
}
END_TEST

/* ---- noise ---- */

START_TEST(spreads) {
  static const double v[] = {3, 1, 2, 5, 4}, over[] = {6, 8, 7}, under[] = {2, 1, 4};
  spread_t s = study_spread(v, 5);
  ck_assert_double_eq_tol(s.median, 3, 1e-12);
  ck_assert_double_eq_tol(s.least, 1, 1e-12);
  ck_assert_double_eq_tol(s.most, 5, 1e-12);
  ck_assert_double_eq_tol(study_spread(v, 4).median, 2, 1e-12);
  s = study_ratio(over, under, 3);
  ck_assert_double_eq_tol(s.least, 1.5, 1e-12);
  ck_assert_double_eq_tol(s.most, 8, 1e-12);
  ck_assert_double_eq_tol(s.median, 3.5, 1e-12);
}
END_TEST

Suite *test_estimate_logic_suite(void);
Suite *test_estimate_logic_suite(void) {
  Suite *s = suite_create("estimate_logic");
  TCase *t = tcase_create("logic");
  tcase_add_test(t, functions);
  tcase_add_test(t, library);
  tcase_add_loop_test(t, broken_library, 0, (int)(sizeof broken / sizeof *broken));
  tcase_add_test(t, no_library);
  tcase_add_test(t, cut_library);
  tcase_add_test(t, srams_of_modules);
  tcase_add_test(t, srams_in_parts);
  tcase_add_test(t, srams_short_part);
  tcase_add_test(t, srams_of_the_table);
  tcase_add_test(t, stub_is_liberty);
  tcase_add_test(t, names);
  tcase_add_test(t, ways);
  tcase_add_test(t, blif);
  tcase_add_test(t, spreads);
  suite_add_tcase(s, t);
  return s;
}
