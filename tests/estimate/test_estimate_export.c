/* SPDX-License-Identifier: Apache-2.0 */
/* Activity of a wave, and properties taken apart, with small texts. */
#include "base/files.h"
#include "estimate/export/state.h"
#include "estimate/export/sva_text.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- SAIF ---- */

/* a: 1 from 10 to 40, of 100. b[1:0]: x until 20, then 01, then 10 from 60. n, one instance down,
 * is the same signal as a. m is not below the instance. */
static const char wave[] = "$timescale 1ps $end\n$scope module tb $end\n"
                           "$var wire 1 * m $end\n$scope module dut $end\n"
                           "$var wire 1 ! a $end\n$var wire 2 # b [1:0] $end\n"
                           "$scope module u_x $end\n$var wire 1 ! \\n[3] $end\n$upscope $end\n"
                           "$upscope $end\n$upscope $end\n$enddefinitions $end\n"
                           "#0\n0!\nbx #\n1*\n#10\n1!\n#20\nb01 #\n#40\n0!\n#60\nb10 #\n#100\n0*\n";

static char *saif_of(const char *text, const char *scope, mrpb_err_t *err) {
  char path[] = "build/tmp/saif.XXXXXX", *said = NULL;
  size_t size;
  const int fd = mkstemp(path);
  ck_assert_int_ge(fd, 0);
  ck_assert_int_eq(write(fd, text, strlen(text)), (ssize_t)strlen(text));
  close(fd);
  FILE *f = open_memstream(&said, &size);
  const int rc = export_saif(path, scope, "dut", f, err);
  fclose(f);
  unlink(path);
  if (rc == 0) return said;
  free(said);
  return NULL;
}

static void has(const char *text, const char *part) {
  ck_assert_msg(strstr(text, part) != NULL, "no %s in:\n%s", part, text);
}

START_TEST(activity_of_a_wave) {
  mrpb_err_t err = {""};
  char *said = saif_of(wave, "tb.dut", &err);
  ck_assert_msg(said != NULL, "%s", err.text);
  has(said, "(DURATION 100)");
  has(said, "(a (T0 70) (T1 30) (TX 0) (TC 2) (IG 0))");
  has(said, "(b\\[0\\] (T0 40) (T1 40) (TX 20) (TC 1) (IG 0))");
  has(said, "(b\\[1\\] (T0 40) (T1 40) (TX 20) (TC 1) (IG 0))");
  has(said, "(INSTANCE u_x");
  has(said, "(n\\[3\\] (T0 70) (T1 30) (TX 0) (TC 2) (IG 0))");
  ck_assert_ptr_null(strstr(said, "(m "));
  free(said);
}
END_TEST

START_TEST(no_instance) {
  mrpb_err_t err = {""};
  ck_assert_ptr_null(saif_of(wave, "tb.other", &err));
  ck_assert_msg(strstr(err.text, "no instance tb.other"), "%s", err.text);
  err.text[0] = '\0';
  ck_assert_ptr_null(saif_of("$var nonsense", "tb.dut", &err));
  ck_assert_str_ne(err.text, "");
}
END_TEST

/* ---- properties ---- */

static const char props[] =
    "// a comment; with words\n"
    "reg f_live = 1'b0;\n"
    "always @(posedge clk_i) f_live <= 1'b1;\n"
    "always @* if (!f_live) assume (!srst_ni);\n"
    "(* anyconst *) wire [W-1:0] f_q; // any one\n"
    "reg [3:0] f_list [0:7], f_n;\n"
    "function [1:0] f_of(input [5:0] warp, input block);\n  f_of = warp[1:0] ^ block;\n"
    "endfunction\n"
    "always @(posedge clk_i) begin\n  if (f_q == 2'd1) f_n <= f_n + a_i; else f_list[0] <= 0;\n"
    "end\n"
    "always @* if (f_live && (f_q < N)) begin\n"
    "  first: assert (f_n == (a_i\n    || b_o));\n"
    "  inv_second: assert (f_list[0] == len_q);\n"
    "  third: cover (f_n == 3);\n"
    "end\n";

START_TEST(items) {
  static const sva_kind_t kinds[] = {SVA_DECLARATION, SVA_BLOCK,       SVA_ASSUMPTION,
                                     SVA_CHOICE,      SVA_DECLARATION, SVA_DECLARATION,
                                     SVA_BLOCK,       SVA_PROPERTIES};
  sva_text_t t = {.n = 0};
  char range[SVA_WORD], name[SVA_WORD];
  ck_assert_int_eq(sva_read(props, &t), 0);
  ck_assert_uint_eq(t.n, sizeof kinds / sizeof *kinds);
  for (unsigned i = 0; i < t.n; i++) ck_assert_int_eq(t.item[i].kind, kinds[i]);
  ck_assert(sva_declares(&t.item[4], "f_list") && sva_declares(&t.item[4], "f_n"));
  ck_assert(sva_is_array(&t.item[4], "f_list") && !sva_is_array(&t.item[4], "f_n"));
  ck_assert(sva_declares(&t.item[5], "f_of") && sva_declares(&t.item[5], "warp"));
  ck_assert(sva_declares(&t.item[5], "block") && !sva_declares(&t.item[5], "a_i"));
  ck_assert(sva_assigns(&t.item[6], &t.item[4]) && !sva_assigns(&t.item[6], &t.item[0]));
  sva_choice(&t.item[3], range, name);
  ck_assert_str_eq(range, "[W-1:0]");
  ck_assert_str_eq(name, "f_q");
  sva_free(&t);
}
END_TEST

START_TEST(properties) {
  sva_text_t t = {.n = 0};
  sva_property_t *p = calloc(1, sizeof *p);
  ck_assert_ptr_nonnull(p);
  ck_assert_int_eq(sva_read(props, &t), 0);
  const char *at = sva_first_property(&t.item[t.n - 1], p);
  ck_assert_ptr_nonnull(at);
  ck_assert_str_eq(p->guard, "f_live && (f_q < N)");
  ck_assert_str_eq(p->label, "first");
  ck_assert_str_eq(p->text, "f_n == (a_i\n    || b_o)");
  ck_assert_ptr_nonnull(at = sva_next_property(at, p));
  ck_assert_str_eq(p->label, "inv_second");
  ck_assert_ptr_nonnull(at = sva_next_property(at, p));
  ck_assert_str_eq(p->label, "third");
  ck_assert(p->cover);
  ck_assert_ptr_null(sva_next_property(at, p));
  sva_free(&t);
  free(p);
}
END_TEST

START_TEST(words) {
  static const char *const want[] = {"f_n", "a_i", "b_o"};
  char word[SVA_WORD];
  const char *at = "f_n + 2'd3 == $clog2(8) // not this\n ? a_i[0] : 4'hf ^ b_o";
  for (unsigned i = 0; i < 3; i++) {
    ck_assert(sva_next_word(&at, word));
    ck_assert_str_eq(word, want[i]);
  }
  ck_assert(!sva_next_word(&at, word));
}
END_TEST

START_TEST(other_forms) {
  sva_text_t t = {.n = 0};
  ck_assert_int_eq(sva_read("initial f_a = 0;\n", &t), -1);
  ck_assert_int_eq(sva_read("always @* begin f_a = 0;\n", &t), -1);
  sva_free(&t);
}
END_TEST

Suite *test_estimate_export_suite(void);
Suite *test_estimate_export_suite(void) {
  Suite *s = suite_create("estimate_export");
  TCase *t = tcase_create("export");
  tcase_add_test(t, activity_of_a_wave);
  tcase_add_test(t, no_instance);
  tcase_add_test(t, items);
  tcase_add_test(t, properties);
  tcase_add_test(t, words);
  tcase_add_test(t, other_forms);
  suite_add_tcase(s, t);
  return s;
}
