/* SPDX-License-Identifier: Apache-2.0 */
/* Maps against both sides: parameters that bind by name, and the lines that refuse a wrong
 * statement. */
#include "base/files.h"
#include "verilog/build.h"
#include "verilog/design/bind_values.h"
#include "verilog/design/design.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Suite *test_bind_suite(void);

/* An mshr as somebody else has it: only its interface matters. MERGES is no parameter, SETS none of ours. */
static const char design[] = "(* keep *) module other #(parameter ENTRIES, parameter DATA_W = 3, "
                             "parameter SETS = 2, bit [1:0] N = 1,\n"
                             "    localparam MERGES = 7) (input logic clk_i, input logic [7:0] a,\n"
                             "    input logic [DATA_W-1:0] req_data_i, input logic [SETS-1:0] b,\n"
                             "    output logic [7:0] o, output logic [ENTRIES-1:0] e);\n"
                             "  logic [1:0] m [1:3]; logic [1:0] n [2][3]; logic [2048:0] w;\n"
                             "  logic [7:0] r; always_ff @(posedge clk_i) r <= a;\n"
                             "  initial $display(\"a \\\\\" , \"module othes; mshr\");\n"
                             "  sub mshr (.x(clk_i));\n"
                             "endmodule\n"
                             "module automatic sub #(parameter ADDR_W = 3) (input x);\nendmodule\n";

typedef struct {
  char dir[64], list[FILES_PATH], map[FILES_PATH];
  design_t *design;
  design_made_t *made;
  mrpb_err_t err;
} bench_t;

static void write_file(const char *dir, const char *name, const char *text) {
  char path[FILES_PATH];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  FILE *f = fopen(path, "w");
  ck_assert_ptr_nonnull(f);
  fputs(text, f);
  ck_assert_int_eq(fclose(f), 0);
}

static void open_bench(bench_t *b) {
  char text[FILES_PATH];
  *b = (bench_t){.dir = "build/tmp/mrpb-bind-XXXXXX"};
  ck_assert_ptr_nonnull(mkdtemp(b->dir));
  write_file(b->dir, "other.sv", design);
  snprintf(text, sizeof text, "%s/other.sv\n", b->dir);
  write_file(b->dir, "other.f", text);
  snprintf(b->list, sizeof b->list, "%s/other.f", b->dir);
  snprintf(b->map, sizeof b->map, "%s/other.map", b->dir);
}

static void close_bench(bench_t *b) {
  design_unmake(b->made);
  design_close(b->design);
  files_remove_tree(b->dir, NULL);
}

/* What the lines do not name is said not to be there, but for one output: a map needs one. */
static void write_map(const bench_t *b, const char *lines) {
  static const char *const ours[] = {
      "srst_ni",       "req_valid_i",  "req_addr_i",  "fill_valid_i",  "fill_entry_i",
      "out_ready_i",   "req_ready_o",  "req_merge_o", "req_refuse_o",  "req_entry_o",
      "fill_err_o",    "out_valid_o",  "out_data_o",  "out_entry_o",   "count_o",
      "store_valid_i", "store_addr_i", "store_hit_o", "store_entry_o", "fill_written_o"};
  char text[2048];
  int n = snprintf(text, sizeof text, "%s\nout out_last_o = o[0]\n", lines);
  for (unsigned i = 0; i < sizeof ours / sizeof *ours; i++)
    if (!strstr(lines, ours[i]))
      n += snprintf(text + n, sizeof text - (size_t)n, "none %s\n", ours[i]);
  write_file(b->dir, "other.map", text);
}

static int make(bench_t *b, const char *top, const char *lines) {
  static const uint32_t cfg[MODULE_MAX_PARAMS] = {5, 2, 4, 4};
  const design_args_t args = {.top = top, .map = b->map, .list = {b->list}, .n_lists = 1};
  write_map(b, lines);
  const int rc = design_open(&b->design, &args, b->dir, &b->err);
  return rc == RTL_OK ? design_make(&b->made, b->design, module_class("mshr"), cfg, &b->err) : rc;
}

static unsigned width(const bench_t *b, const char *port) {
  const bind_t *is = &b->made->bind;
  for (unsigned i = 0; i < is->n_ports; i++)
    if (strcmp(is->port[i].port->name, port) == 0) return is->port[i].width;
  return 0;
}

/* ENTRIES and DATA_W are ours; SETS stays as it is, ADDR_W is one of another module, MERGES none. */
START_TEST(parameters_bind_by_their_names) {
  bench_t b;
  char path[2 * FILES_PATH];
  open_bench(&b);
  ck_assert_msg(make(&b, "other", "in a = 1\nin b = 1") == RTL_OK, "%s", b.err.text);
  ck_assert_uint_eq(width(&b, "e"), 5);
  ck_assert_uint_eq(width(&b, "req_data_i"), 4);
  ck_assert_uint_eq(width(&b, "b"), 2);
  ck_assert_uint_eq(b.made->bind.n_params, 2);
  snprintf(path, sizeof path, "%s/mshr.v", b.made->dir);
  char *text = files_read(path, NULL);
  ck_assert_ptr_nonnull(text);
  ck_assert_ptr_nonnull(strstr(text, "other #(.ENTRIES(5), .DATA_W(4)) u_dut"));
  ck_assert_ptr_nonnull(strstr(text, "\"a \\\\\" , \"module othes; mshr\")"));
  ck_assert_ptr_nonnull(strstr(text, "sub mshr_theirs "));
  free(text);
  close_bench(&b);
}
END_TEST

START_TEST(a_line_overrides_a_name) {
  bench_t b;
  open_bench(&b);
  ck_assert_msg(make(&b, "other",
                     "param ENTRIES = ENTRIES * 2\nparam SETS = MERGES + 1\nin a = 1\n"
                     "in b = 3'd4") == RTL_OK,
                "%s", b.err.text);
  ck_assert_uint_eq(width(&b, "e"), 10);
  ck_assert_uint_eq(width(&b, "b"), 3);
  ck_assert_uint_eq(b.made->bind.n_params, 3);
  close_bench(&b);
}
END_TEST

/* The whole of what is refused before a tool has read the design, or while it does. */
static const struct {
  const char *top, *lines, *said;
} unmade[] = {
    {"other", "param ENTRIS = 5",
     "other.map:1: 'ENTRIS' is no parameter of other; nearest: ENTRIES"},
    {"other", "param MERGES = 5", "other.map:1: 'MERGES' is no parameter of other"},
    {"other", "param SETS = 1\nparam SETS = 2",
     "other.map:2: parameter 'SETS' a second time, after line 1"},
    {"other", "param SETS = 0 - 1",
     "other.map:1: parameter 'SETS' is 18446744073709551615; legal: 0 to 2147483647"},
    {"other", "param SETS = F", "other.map:1: 'F' is no parameter of ours and no number"},
    {"other", "param N = 5", "parameter 'N' of other has 2 bits, too few for 5; legal: a smaller"},
    {"othe", "in a = 1", "no module 'othe' in the files; nearest: other"},
    {"subs", "in a = 1", "no module 'subs' in the files; nearest: sub"},
    {"automatic", "in a = 1", "no module 'automatic' in the files"},
    {"other", "param DATA_W = 51\nin a = 1\nin b = 1",
     "other: input req_data_i has 51 bits, ours of that name 4; legal: as many, with a size or a "
     "parameter that is another, or in req_data_i = EXPR"},
};

START_TEST(what_is_not_made) {
  bench_t b;
  open_bench(&b);
  ck_assert_int_eq(make(&b, unmade[_i].top, unmade[_i].lines), RTL_BAD_INPUT);
  ck_assert_msg(strstr(b.err.text, unmade[_i].said) && !strchr(b.err.text, '\n'), "%s", b.err.text);
  close_bench(&b);
}
END_TEST

/* Words of the inputs: srst_ni, req_valid_i, req_addr_i. In a reset nothing is broken. */
START_TEST(assumptions_are_kept_or_broken) {
  bench_t b;
  open_bench(&b);
  ck_assert_msg(make(&b, "other",
                     "in a = req_addr_i\nin b = req_valid_i\n"
                     "assume !req_valid_i || req_addr_i != 3\nassume req_addr_i < 9") == RTL_OK,
                "%s", b.err.text);
  uint64_t in[MODULE_MAX_PORTS] = {1, 1, 3};
  ck_assert(!bind_assumed(&b.made->bind, in));
  in[0] = 0;
  ck_assert(bind_assumed(&b.made->bind, in));
  in[0] = 1, in[1] = 0;
  ck_assert(bind_assumed(&b.made->bind, in));
  in[2] = 9;
  ck_assert(!bind_assumed(&b.made->bind, in));
  close_bench(&b);
}
END_TEST

START_TEST(shown_signals) {
  static const char *const path[] = {"m[1]", "m[2]", "m[3]", "r[3:1]"};
  bench_t b;
  open_bench(&b);
  ck_assert_msg(make(&b, "other", "in a = 1\nin b = 1\nshow m\nshow r[3:1]") == RTL_OK, "%s",
                b.err.text);
  const bind_t *is = &b.made->bind;
  ck_assert_uint_eq(is->n_shows, 4);
  for (unsigned i = 0; i < 4; i++) {
    ck_assert_str_eq(is->show[i].path, path[i]);
    ck_assert_uint_eq(is->show[i].width, i < 3 ? 2 : 3);
  }
  close_bench(&b);
}
END_TEST

/* Of a design that has been read: ports and registers. */
static const struct {
  const char *lines, *said;
} unbound[] = {
    {"in a = 256", "other.map:1: 'a' has 8 bits, too few for 256; legal: 0 to 255"},
    {"in a = ENTRIES * 60", "other.map:1: 'a' has 8 bits, too few for 300; legal: 0 to 255"},
    {"in a = ENTRIES - 6", "other.map:1: 'a' has 8 bits, too few for -1; legal: 0 to 255"},
    {"in a = 9'd1", "other.map:1: 'a' has 8 bits, too few for 9; legal: a part of what comes"},
    {"in a = {ENTRIES << 1}", "other.map:1: a number without a size between { and }; legal: 2'd0"},
    {"in a = {ENTRIES + 1}", "other.map:1: a number without a size between { and }; legal: 2'd0"},
    {"in a = {0{req_addr_i}}", "other.map:1: {0{...}}: legal: 1 to 4096 bits"},
    {"in a = req_addr_i / (ENTRIES - 5)", "other.map:1: a division by 0"},
    {"in a = req_addr_i[4]", "other.map:1: 'req_addr_i[4:4]': legal: 3 to 0, the higher bit first"},
    {"in a = req_addr_i[1:2]", "other.map:1: 'req_addr_i[1:2]': legal: 3 to 0, the higher bit"},
    {"in b = req_addr_i + 1 == 0", "other.map:1: Verilog keeps a carry"},
    {"in b = ~req_addr_i == 0", "other.map:1: Verilog keeps a carry"},
    {"in a = (req_addr_i + 8) >> 1", "other.map:1: Verilog keeps a carry"},
    {"in b = {1'b0, req_addr_i} == req_addr_i + 4'd1", "other.map:1: Verilog keeps a carry"},
    {"in b = !(req_addr_i - 1)", "other.map:1: Verilog keeps a carry"},
    {"when -req_addr_i < 3 : count_o", "other.map:1: Verilog keeps a carry"},
    {"in a = req_addr_i.b", "other.map:1: 'req_addr_i' has no fields; legal: a bit or a part"},
    {"in a = count_o", "other.map:1: 'count_o' is no input of mshr"},
    {"assume count_o == 0", "other.map:1: 'count_o' is no input of mshr"},
    {"assume {17{req_addr_i}}", "other.map:1: a condition of 68 bits; legal: at most 64"},
    {"in o = 1", "other.map:1: 'o' is no input of other"},
    {"in a[8] = 1", "other.map:1: 'a' has no element or bit 8; legal: 0 to 7"},
    {"in a[2:4] = 1", "other.map:1: 'a[2:4]': the higher bit comes first"},
    {"in a.b = 1", "other.map:1: 'b': 'a' has no fields"},
    {"in a[6:0] = 1\nin b = 1", "other: a[7] of input a gets nothing; legal: in a... = EXPR"},
    {"in a = 1\nin a[3] = 1\nin b = 1", "a[3] gets something a second time, after line 1"},
    {"in clk_i = 1\nclock clk_i", "other.map:2: 'clk_i' a second time"},
    {"clock a", "other.map:1: 'a' has 8 bits; legal for a clock or a reset: 1"},
    {"out count_o = o", "other.map:1: 'count_o' has 3 bits, what comes has 8; legal: as many"},
    {"out count_o = o[1:0]", "other.map:1: 'count_o' has 3 bits, what comes has 2; legal: as many"},
    {"out count_o = 8", "other.map:1: 'count_o' has 3 bits, too few for 8; legal: 0 to 7"},
    {"out count_o = -ENTRIES", "other.map:1: 'count_o' has 3 bits, too few for -5; legal: 0 to 7"},
    {"out count_o = 4'd8", "other.map:1: 'count_o' has 3 bits, too few for 8; legal: 0 to 7"},
    {"out count_o[0] = o[0]", "other.map:1: 'count_o' is no output of mshr"},
    {"none count_p", "other.map:1: 'count_p' is no register of mshr; nearest: count_q"},
    {"late 1 count_o\nlate 2 count_o", "other.map:2: 'count_o' is late already"},
    {"when 1 : count_o\nwhen 1 : count_o", "other.map:2: 'count_o' has a condition already"},
    {"reg valid_r = r", "other.map:1: 'valid_r' is no register of mshr; nearest: valid_q"},
    {"reg valid_q = r", "other.map:1: 'r' has 8 bits, 'valid_q' 5; legal: as many"},
    {"reg len_q = r[1:0]", "other.map:1: 'len_q' has 5 elements; legal: len_q[i]"},
    {"reg len_q[i] = r[i + 4:i + 3]\nreg len_q[0] = r[1:0]", "'r' has no element or bit 8"},
    {"show s", "other.map:1: 's' is no signal of other"},
    {"show r[8]", "other.map:1: 'r' has no element or bit 8; legal: 0 to 7"},
    {"show a", "other.map:1: 'a' is a port, which every wave shows; legal: a signal inside"},
    {"show w", "other.map:1: 'w' has 2049 bits; legal: 1 to 2048"},
    {"show n", "other.map:1: 'n' is an array of arrays; legal: an element"},
    {"show m\nshow m[2]", "other.map:2: 'm[2]' a second time, after line 1"},
    {"size ENTRIES = 2", "other.map:1: size, state, hold, off: legal: in a map for `mrpb conform`"},
};

START_TEST(what_is_not_bound) {
  bench_t b;
  open_bench(&b);
  ck_assert_msg(make(&b, "other", "in a = 1\nin b = 1") == RTL_OK, "%s", b.err.text);
  const bind_t *made = &b.made->bind;
  for (unsigned i = 0; i < sizeof unbound / sizeof *unbound; i++) {
    bind_t *is = calloc(1, sizeof *is);
    map_t map;
    mrpb_err_t err = {""};
    ck_assert_ptr_nonnull(is);
    write_map(&b, unbound[i].lines);
    ck_assert_msg(map_read(&map, b.map, &err) == 0, "%s", err.text);
    ck_assert_msg(bind_open(is, &map, made->design, "other", made->cls, made->cfg, true, &err) != 0,
                  "%s", unbound[i].lines);
    ck_assert_msg(strstr(err.text, unbound[i].said) && !strchr(err.text, '\n'), "%s: %s",
                  unbound[i].lines, err.text);
    bind_close(is);
    free(is);
    map_free(&map);
  }
  close_bench(&b);
}
END_TEST

Suite *test_bind_suite(void) {
  Suite *s = suite_create("bind");
  TCase *t = tcase_create("bind");
  tcase_add_test(t, parameters_bind_by_their_names);
  tcase_add_test(t, a_line_overrides_a_name);
  tcase_add_loop_test(t, what_is_not_made, 0, sizeof unmade / sizeof *unmade);
  tcase_add_test(t, shown_signals);
  tcase_add_test(t, what_is_not_bound);
  tcase_add_test(t, assumptions_are_kept_or_broken);
  suite_add_tcase(s, t);
  return s;
}
