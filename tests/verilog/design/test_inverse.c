/* SPDX-License-Identifier: Apache-2.0 */
/* A map read backwards, for a design with ports of its own for the lines that are tried. */
#include "base/files.h"
#include "verilog/build.h"
#include "verilog/design/inverse.h"
#include "verilog/design/design.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

Suite *test_inverse_suite(void);

/* An mshr as somebody else has it: only its ports matter. */
static const char design[] = "module other (input logic clk_i, input logic [7:0] a, output o);\n"
                             "  assign o = a[0];\nendmodule\n";

static void write_file(const char *dir, const char *name, const char *text) {
  char path[FILES_PATH];
  snprintf(path, sizeof path, "%s/%s", dir, name);
  FILE *f = fopen(path, "w");
  ck_assert_ptr_nonnull(f);
  fputs(text, f);
  ck_assert_int_eq(fclose(f), 0);
}

/* Each bit of `a`, the highest first: 0 1 a constant, ? unknown, else the first letter of our input's name behind req_
 * or out_ and its bit, ~ before it. */
static void read_back(const bind_t *b, char *text) {
  inverse_bit_t bits[EXPR_WIDEST];
  for (unsigned i = 0; i < b->n_parts; i++) {
    const bind_part_t *p = &b->part[i];
    if (strcmp(b->port[p->port].port->name, "a") != 0) continue;
    inverse_part(b, p, bits);
    for (unsigned k = p->width; k-- > 0;) {
      const inverse_bit_t *is = &bits[k];
      if (is->kind == INVERSE_PORT)
        text += sprintf(text, " %s%c%u", is->one ? "~" : "", b->in[is->port].name[4], is->bit);
      else
        text += sprintf(text, " %s", is->kind == INVERSE_UNKNOWN ? "?" : is->one ? "1" : "0");
    }
  }
}

/* What the line does not name is said not to be there, but for one output: a map needs one. */
static void write_map(const char *line, char *text, size_t size) {
  static const char *const ours[] = {
      "srst_ni",       "req_valid_i",   "req_addr_i",   "req_data_i",  "fill_valid_i",
      "fill_entry_i",  "out_ready_i",   "req_ready_o",  "req_merge_o", "req_refuse_o",
      "req_entry_o",   "fill_err_o",    "out_valid_o",  "out_data_o",  "out_entry_o",
      "count_o",       "store_valid_i", "store_addr_i", "store_hit_o", "store_entry_o",
      "fill_written_o"};
  int n = snprintf(text, size, "in %s\nout out_last_o = o\n", line);
  for (unsigned i = 0; i < sizeof ours / sizeof *ours; i++)
    if (!strstr(line, ours[i])) n += snprintf(text + n, size - (size_t)n, "none %s\n", ours[i]);
}

typedef struct {
  const char *line, *bits;
} case_t;

/* d: req_data_i of 4 bits, a: req_addr_i of 4, v: req_valid_i, r: out_ready_i */
static const case_t cases[] = {
    {"a = {req_addr_i, req_data_i}", " a3 a2 a1 a0 d3 d2 d1 d0"},
    {"a = req_data_i", " 0 0 0 0 d3 d2 d1 d0"},
    {"a = ~req_data_i", " 0 0 0 0 ~d3 ~d2 ~d1 ~d0"},
    {"a = {~req_data_i}", " 0 0 0 0 ~d3 ~d2 ~d1 ~d0"},
    {"a = {2{req_addr_i[2:1], 1'b1}}", " 0 0 a2 a1 1 a2 a1 1"},
    {"a = !out_ready_i", " 0 0 0 0 0 0 0 ~r0"},
    {"a = !req_data_i", " 0 0 0 0 0 0 0 ?"},
    {"a = !(!out_ready_i)", " 0 0 0 0 0 0 0 r0"},
    {"a = ~(~req_data_i)", " 0 0 0 0 d3 d2 d1 d0"},
    {"a = {req_valid_i && out_ready_i, req_addr_i + 4'd1, req_data_i[2:0]}", " ? ? ? ? ? d2 d1 d0"},
    {"a = ENTRIES > 3 ? req_data_i : req_addr_i", " 0 0 0 0 a3 a2 a1 a0"},
    {"a = ENTRIES * 8'd16 + 5", " 0 0 1 1 0 1 0 1"},
    {"a = ENTRIES * 16 + 5", " 0 0 1 1 0 1 0 1"},
    {"a = {8'd200 + 8'd55}", " 1 1 1 1 1 1 1 1"},
    {"a = {4'd9 + 4'd9, 3'd1}", " 1 0 0 1 0 0 0 1"},
    {"a = req_data_i + -4'd1", " 0 0 0 0 ? ? ? ?"},
    {"a = -4'd1", " 0 0 0 0 1 1 1 1"},
    {"a = {8'b10100101}", " 1 0 1 0 0 1 0 1"},
    {"a = req_valid_i ? 8'd1 : 8'd2", " ? ? ? ? ? ? ? ?"},
    {"a = req_addr_i[MERGES - 1]", " 0 0 0 0 0 0 0 a1"},
};

START_TEST(bits_of_a_line) {
  const case_t *c = &cases[_i];
  static const uint32_t cfg[MODULE_MAX_PARAMS] = {3, 2, 4, 4};
  char dir[] = "build/tmp/mrpb-inverse-XXXXXX", list[FILES_PATH], map[FILES_PATH], text[1024],
       said[256];
  mrpb_err_t err = {""};
  design_t *d;
  design_made_t *made;
  ck_assert_ptr_nonnull(mkdtemp(dir));
  write_file(dir, "other.sv", design);
  snprintf(text, sizeof text, "%s/other.sv\n", dir);
  write_file(dir, "other.f", text);
  write_map(c->line, text, sizeof text);
  write_file(dir, "other.map", text);
  snprintf(list, sizeof list, "%s/other.f", dir);
  snprintf(map, sizeof map, "%s/other.map", dir);
  const design_args_t args = {
      .top = "other", .map = map, .list = {list}, .n_lists = 1, .outputs_only = true};
  ck_assert_msg(design_open(&d, &args, dir, &err) == RTL_OK, "%s", err.text);
  ck_assert_msg(design_make(&made, d, module_class("mshr"), cfg, &err) == RTL_OK, "%s", err.text);
  read_back(&made->bind, said);
  ck_assert_str_eq(said, c->bits);
  design_unmake(made);
  design_close(d);
  files_remove_tree(dir, NULL);
}
END_TEST

Suite *test_inverse_suite(void) {
  Suite *s = suite_create("inverse");
  TCase *t = tcase_create("inverse");
  tcase_add_loop_test(t, bits_of_a_line, 0, sizeof cases / sizeof *cases);
  suite_add_tcase(s, t);
  return s;
}
