/* SPDX-License-Identifier: Apache-2.0 */
/* PTX from templates: each construct, and what is refused. */
#include "base/memory_file.h"
#include "workload/ptx/template.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static const char *written; /* the template that is read */

static const char *find(const char *name, size_t *n) {
  static const char macros[] = "#macro twice reg\n  add.u32 $reg, $reg, $reg;\n#end\n";
  const char *text = strcmp(name, "macros") == 0 ? macros : strcmp(name, "t") == 0 ? written : NULL;
  if (text) *n = strlen(text);
  return text;
}

static int write_out(const char *template, char **text, mrpb_err_t *err) {
  static const ptx_value_t values[] = {{"n", 3, NULL},
                                       {"bytes", 128, NULL},
                                       {"no", 0, NULL},
                                       {"op", 0, "ld.global"},
                                       {NULL, 0, NULL}};
  size_t size;
  FILE *f = memory_file(text, &size);
  ck_assert_ptr_nonnull(f);
  written = template;
  const int rc = ptx_template_write("t", find, values, f, err);
  ck_assert_int_eq(fclose(f), 0);
  return rc;
}

static const struct {
  const char *from, *to;
} cases[] = {
    {"// a comment\n\n  $op.u32 %r1, [%rd1+$(2*bytes)];\n", "  ld.global.u32 %r1, [%rd1+256];\n"},
    {"  mov.u32 %a, $n; ret;\n", "  mov.u32 %a, 3;\n  ret;\n"},
    {"L:  ret;\n{  .reg .pred %p; ret;\n", "L:\n  ret;\n{\n  .reg .pred %p;\n  ret;\n"},
    {"#repeat i n:  st %v$i;\n", "  st %v0;\n  st %v1;\n  st %v2;\n"},
    {"#repeat i 1 n\n#repeat k i\n  a $i, $k;\n#end\n#end\n", "  a 1, 0;\n  a 2, 0;\n  a 2, 1;\n"},
    {"#if n==3&&!no\n  a;\n#else\n  b;\n#end\n#if no:  c;\n", "  a;\n"},
    {"#if no\n#if n:  a;\n#if n\n  b;\n#end\n#else\n  c;\n#end\n", "  c;\n"},
    {"#include macros\n#twice %r$n\n", "  add.u32 %r3, %r3, %r3;\n"},
    {"#macro m a b\n  $a $b $(b+1);\n#end\n#m x 2*n\n", "  x 6 7;\n"},
    {"#let at n*n-1\n  a $at, $(at)x;\n", "  a 8, 8x;\n"},
    {"#macro op_of k\n  k $k;\n#end\n#op_of (7-n)*2%5/2\n", "  k 1;\n"},
    {"$(op)2 $(1<2) $(4>>1)\n", "ld.global2 1 2\n"},
    /* Directives are no instructions, and neither is what begins with a dot. */
    {".reg\n  .reg .u32 %r;\n  a; b;\nL:  c;\n  x $count;\n",
     ".reg\n  .reg .u32 %r;\n  a;\n  b;\nL:\n  c;\n  x 3;\n"},
};

START_TEST(constructs) {
  mrpb_err_t err = {{0}};
  char *text = NULL;
  ck_assert_msg(write_out(cases[_i].from, &text, &err) == 0, "%s", err.text);
  ck_assert_str_eq(text, cases[_i].to);
  free(text);
}
END_TEST

static const struct {
  const char *from, *says;
} wrong[] = {
    {"  a $none;\n", "'  a $none;': no name or expression that has a value"},
    {"#if n\n  a;\n", "has no #end"},
    {"#none 1\n", "no such macro"},
    {"#include none\n", "no such template"},
    {"#include macros\n#twice\n", "another number of arguments"},
    {"#if none:  a;\n", "no expression of known names"},
    {"#repeat i none:  a;\n", "legal: #repeat NAME [FROM] TO"},
    {"#let i\n", "legal: #let NAME EXPRESSION"},
    {"#macro m\n#m\n#end\n#m\n", "blocks too deep"},
};

START_TEST(refused) {
  mrpb_err_t err = {{0}};
  char *text = NULL;
  ck_assert_int_eq(write_out(wrong[_i].from, &text, &err), -1);
  ck_assert_msg(strstr(err.text, wrong[_i].says) != NULL, "%s", err.text);
  free(text);
}
END_TEST

Suite *test_template_suite(void);
Suite *test_template_suite(void) {
  Suite *s = suite_create("template");
  TCase *t = tcase_create("all");
  tcase_add_loop_test(t, constructs, 0, sizeof cases / sizeof *cases);
  tcase_add_loop_test(t, refused, 0, sizeof wrong / sizeof *wrong);
  suite_add_tcase(s, t);
  return s;
}
