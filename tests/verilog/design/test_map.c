/* SPDX-License-Identifier: Apache-2.0 */
/* The readers of maps and of their expressions: what is legal, and each line with which they refuse
 * something. */
#include "verilog/design/map.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Suite *test_map_suite(void);

/* Reads a map whose second line is `line`. */
static int read_line(map_t *m, const char *line, mrpb_err_t *err) {
  char path[] = "build/tmp/mrpb-map-XXXXXX";
  const int fd = mkstemp(path);
  ck_assert_int_ge(fd, 0);
  FILE *f = fdopen(fd, "w");
  ck_assert_ptr_nonnull(f);
  fprintf(f, "# the first line\n%s\n", line);
  ck_assert_int_eq(fclose(f), 0);
  const int rc = map_read(m, path, err);
  ck_assert_int_eq(unlink(path), 0);
  return rc;
}

/* What is behind the path and the line. */
static const struct {
  const char *line, *said;
} refused[] = {
    {"ouput a = b", "unknown statement 'ouput'; nearest: out; legal: module top param clock"},
    {"= b", "unknown statement '= b'"},
    {"module", "a name is missing; legal: module OURS"},
    {"top", "a name is missing; legal: top THEIRS"},
    {"top a b", "'b' behind the statement; legal: top THEIRS"},
    {"param = 1", "a name is missing; legal: param THEIRS = EXPR"},
    {"param A 1", "= is missing; legal: param THEIRS = EXPR"},
    {"param A =", "the line ends here; legal: a name, a number, (, {, or one of ~ ! & | ^ -"},
    {"param A.b = 1", "= is missing; legal: param"},
    {"size A 1", "= is missing; legal: size OURS = EXPR"},
    {"clock", "a name is missing; legal: clock THEIRS"},
    {"reset r", "a word is missing; legal: reset THEIRS high|low sync|async"},
    {"reset r high", "a word is missing; legal: reset"},
    {"reset r tall sync", "'tall'; legal: reset"},
    {"reset r high soon", "'soon'; legal: reset"},
    {"reset r high sync x", "'x' behind the statement; legal: reset"},
    {"in a", "= is missing; legal: in THEIRS = EXPR"},
    {"in = a", "'='; legal here: a name; legal: in"},
    {"in 2a = a", "'2a'; legal here: a name; legal: in"},
    {"in a. = b", "= is missing; legal: in"},
    {"in a[ = b", "'='; legal here: a name, a number"},
    {"in a[1 = b", "'='; legal here: ]; legal: in"},
    {"in a[1:] = b", "']'; legal here: a name, a number"},
    {"in a = b c", "'c' behind the statement; legal: in"},
    {"in a = b = c", "'= c' behind the statement; legal: in"},
    {"in a = (b", "the line ends here; legal: ); legal: in"},
    {"in a = {b", "the line ends here; legal: , or }; legal: in"},
    {"in a = {b, }", "'}'; legal here: a name, a number"},
    {"in a = {}", "'}'; legal here: a name, a number"},
    {"in a = {2{b}", "the line ends here; legal: }; legal: in"},
    {"in a = b ? c", "the line ends here; legal: :; legal: in"},
    {"in a = b +", "the line ends here; legal: a name, a number"},
    {"in a = * b", "'*'; legal here: a name, a number"},
    {"in a = b === c", "'='; legal here: a name, a number"},
    {"in a = 2'b12", "'2'; legal here: the end of a number"},
    {"in a = 2'd4", "the line ends here; legal: a number of at most 64 bits: 5, 2'b10, 'h1f"},
    {"in a = 65'd1", "the line ends here; legal: a number of at most 64 bits"},
    {"in a = 0'd0", "the line ends here; legal: a number of at most 64 bits"},
    {"in a = 2'x1", "'1'; legal here: a number of at most 64 bits"},
    {"in a = 18446744073709551616", "'18446744073709551616'; legal here: a number of at most 64"},
    {"in a = 5c", "'c'; legal here: the end of a number"},
    {"in a = clog2(b", "the line ends here; legal: ); legal: in"},
    {"in a = \"b\"", "'\"'; legal here: a name, a number"},
    {"out a", "= is missing; legal: out OURS = EXPR"},
    {"late a", "the cycles are missing; legal: late N OURS..., N from 1 to 16"},
    {"late 0 a", "0 cycles; legal: late"},
    {"late 17 a", "17 cycles; legal: late"},
    {"late 2", "a name is missing; legal: late"},
    {"late 2 a[0]", "'[0]' behind the statement; legal: late"},
    {"when a b", ": is missing; legal: when EXPR : OURS..."},
    {"when a :", "a name is missing; legal: when"},
    {"when : a", "':'; legal here: a name, a number"},
    {"none", "a name is missing; legal: none OURS..."},
    {"none a, b", "', b' behind the statement; legal: none"},
    {"reg a", "= is missing; legal: reg OURS = [!]PATH"},
    {"reg a =", "the line ends here; legal: a name; legal: reg"},
    {"reg a = !", "the line ends here; legal: a name; legal: reg"},
    {"reg a = !!b", "'!'; legal here: a name; legal: reg"},
    {"reg a = b + 1", "'+ 1' behind the statement; legal: reg"},
    {"show", "the line ends here; legal: a name; legal: show PATH"},
    {"show a b", "'b' behind the statement; legal: show PATH"},
    {"state a", "= is missing; legal: state NAME = EXPR, or NAME[HIGH:0] = EXPR"},
    {"hold", "a name is missing; legal: hold read"},
    {"off", "a name is missing; legal: off CLAUSE..."},
    {"top a\ntop b", "a second 'top', after line 2; legal: one"},
};

START_TEST(a_line_is_refused) {
  for (unsigned i = 0; i < sizeof refused / sizeof *refused; i++) {
    map_t m;
    mrpb_err_t err = {""};
    char place[32];
    const bool two = strchr(refused[i].line, '\n') != NULL;
    ck_assert_msg(read_line(&m, refused[i].line, &err) != 0, "%s", refused[i].line);
    map_free(&m);
    snprintf(place, sizeof place, ":%d: ", two ? 3 : 2);
    const char *said = strstr(err.text, place);
    ck_assert_msg(said && strncmp(err.text, "build/tmp/mrpb-map-", 19) == 0, "%s", err.text);
    ck_assert_msg(strncmp(said + 4, refused[i].said, strlen(refused[i].said)) == 0, "%s: %s",
                  refused[i].line, err.text);
    ck_assert_msg(strstr(said, "legal") && !strchr(said, '\n'), "%s", err.text);
  }
}
END_TEST

/* A value of constants, its bits, and the Verilog that is written for it. E is 5. */
static const struct {
  const char *line;
  uint64_t value;
  unsigned width;
  const char *verilog;
} values[] = {
    {"5", 5, 3, "5"},
    {"0", 0, 1, "0"},
    {"8'd5", 5, 8, "8'h5"},
    {"'h1F", 31, 5, "31"},
    {"4'b1_0_1", 5, 4, "4'h5"},
    {"6'o17", 15, 6, "6'hf"},
    {"E", 5, 3, "5"},
    {"E * 16 + 5", 85, 7, "85"},
    {"E - 1", 4, 3, "4"},
    {"E - 5", 0, 1, "0"},
    {"E + 3", 8, 4, "8"},
    {"1 << E", 32, 6, "32"},
    {"E >> 1", 2, 2, "2"},
    {"8'd200 + 8'd100", 300, 9, "9'h12c"},
    {"8'd1 + 8'd1", 2, 8, "8'h2"},
    {"8'hf0 & 8'h0f", 0, 8, "8'h0"},
    {"8'd1 + 1", 2, 2, "2"},
    {"8'd1 << 9", 512, 10, "10'h200"},
    {"E > 4 ? 200 : 1", 200, 8, "200"},
    {"E == 5 && E != 4", 1, 1, "1'h1"},
    {"!E", 0, 1, "1'h0"},
    {"clog2(E + 12)", 5, 3, "5"},
    {"$clog2(E)", 3, 2, "3"},
    {"(1 + 2) * 3 % 4 | 8", 9, 4, "9"},
    {"2 + 3 * 4", 14, 4, "14"},
    {"10 - 3 - 2", 5, 3, "5"},
    {"1 << 40", UINT64_C(1) << 40, 41, "64'd1099511627776"},
    {"0 - 1", UINT64_MAX, 64, "64'd18446744073709551615"},
};

static bool five(void *ctx, const char *name, uint64_t *value) {
  (void)ctx;
  return *value = 5, strcmp(name, "E") == 0;
}

static int no_signal(void *ctx, const step_t *path, signal_t *s, mrpb_err_t *err) {
  (void)ctx, (void)s;
  return mrpb_fail(err, "'%s' is nothing", path->name);
}

static const scope_t scope = {.constant = five, .signal = no_signal};

START_TEST(a_constant_is_as_wide_as_its_value) {
  for (unsigned i = 0; i < sizeof values / sizeof *values; i++) {
    map_t m;
    mrpb_err_t err = {""};
    char line[128], text[128] = "";
    uint64_t value = 0;
    unsigned width = 0;
    snprintf(line, sizeof line, "in a = %s", values[i].line);
    ck_assert_msg(read_line(&m, line, &err) == 0, "%s", err.text);
    const expr_t *e = m.statement[0].from;
    ck_assert_msg(expr_constant(e, &scope, &value, &err) == 0, "%s", err.text);
    ck_assert_msg(expr_width(e, &scope, &width, &err) == 0, "%s", err.text);
    FILE *f = fmemopen(text, sizeof text, "w");
    ck_assert_ptr_nonnull(f);
    expr_print(e, &scope, f);
    ck_assert_int_eq(fclose(f), 0);
    ck_assert_msg(value == values[i].value && width == values[i].width, "%s: %llu of %u bits", line,
                  (unsigned long long)value, width);
    ck_assert_str_eq(text, values[i].verilog);
    ck_assert_uint_eq(expr_eval(e, &scope), value);
    map_free(&m);
  }
}
END_TEST

static const struct {
  const char *line, *said;
} not_constant[] = {
    {"F", "'F' is no parameter of ours and no number"},
    {"E / 0", "a division by 0"},
    {"E % (E - 5)", "a division by 0"},
    {"~E", "~: not in a constant; legal: numbers, parameters of ours"},
    {"&E", "&: not in a constant; legal"},
    {"{E}", "{}: not in a constant; legal"},
    {"clog2(F)", "'F' is no parameter of ours and no number"},
};

START_TEST(what_is_no_constant_is_refused) {
  for (unsigned i = 0; i < sizeof not_constant / sizeof *not_constant; i++) {
    map_t m;
    mrpb_err_t err = {""};
    char line[128];
    uint64_t value;
    snprintf(line, sizeof line, "param P = %s", not_constant[i].line);
    ck_assert_msg(read_line(&m, line, &err) == 0, "%s", err.text);
    ck_assert_int_ne(expr_constant(m.statement[0].from, &scope, &value, &err), 0);
    ck_assert_msg(strncmp(err.text, not_constant[i].said, strlen(not_constant[i].said)) == 0,
                  "%s: %s", line, err.text);
    map_free(&m);
  }
}
END_TEST

Suite *test_map_suite(void) {
  Suite *s = suite_create("map");
  TCase *t = tcase_create("map");
  tcase_add_test(t, a_line_is_refused);
  tcase_add_test(t, a_constant_is_as_wide_as_its_value);
  tcase_add_test(t, what_is_no_constant_is_refused);
  suite_add_tcase(s, t);
  return s;
}
