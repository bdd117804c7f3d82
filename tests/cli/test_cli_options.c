/* SPDX-License-Identifier: Apache-2.0 */
/* The table of options: what it accepts, and what it refuses in one line. */
#include "cli/cli.h"
#include "cli/options.h"

#include <check.h>
#include <string.h>

typedef struct {
  bool quick;
  const char *file, *words[2];
  uint64_t jobs;
  unsigned n;
  char line[200];
} args_t;

static int take_word(void *self, const char *name, const char *v, mrpb_err_t *err) {
  args_t *a = self;
  return cli_append(a->words, &a->n, 2, name ? name : "word", v, err);
}

static const cli_option_t options[] = {
    CLI_FLAG(args_t, quick, "--quick", "a flag"),
    CLI_TEXT(args_t, file, "--file", "FILE", "a text"),
    CLI_NUMBER(args_t, jobs, "--jobs", 1, 64, "a number"),
    CLI_MANY(take_word, "--word", "W", "one of several"),
};
static const cli_rule_t rules[] = {
    {"--quick --file", "--jobs --word", NULL, "--quick, --file: legal: with --jobs or --word"},
    {"--file", NULL, "--quick", "--file: legal: without --quick"},
};
static const cli_command_t with_rules = {
    .name = "try", .operands = "", .doc = "a test", CLI_OPTIONS(options), CLI_RULES(rules)};
static const cli_command_t with_operands = {.name = "try",
                                            .operands = "[WORD]...",
                                            .doc = "a test",
                                            CLI_OPTIONS(options),
                                            .operand = take_word};
static const cli_command_t without = {
    .name = "try", .operands = "", .doc = "a test", CLI_OPTIONS(options)};

enum { MAX_ARGS = 12 };

/* The words of `line` as a command line. */
static int parse(const cli_command_t *c, args_t *a, const char *line, mrpb_err_t *err) {
  char *argv[MAX_ARGS + 1] = {NULL}, *save = NULL;
  int argc = 0;
  *a = (args_t){.jobs = 7};
  *err = (mrpb_err_t){""};
  snprintf(a->line, sizeof a->line, "try %s", line);
  for (char *w = strtok_r(a->line, " ", &save); w && argc < MAX_ARGS;
       w = strtok_r(NULL, " ", &save))
    argv[argc++] = w;
  return cli_parse(c, a, argc, argv, err);
}

START_TEST(takes_each_kind) {
  args_t a;
  mrpb_err_t err;
  ck_assert_int_eq(parse(&with_operands, &a, "--jobs 64 --file - --word -x y --quick", &err), 0);
  ck_assert_str_eq(err.text, "");
  ck_assert(a.quick);
  ck_assert_uint_eq(a.jobs, 64);
  ck_assert_str_eq(a.file, "-");
  ck_assert_uint_eq(a.n, 2);
  ck_assert_str_eq(a.words[0], "-x");
  ck_assert_str_eq(a.words[1], "y");
  ck_assert_int_eq(parse(&with_operands, &a, "", &err), CLI_PARSED);
  ck_assert_uint_eq(a.jobs, 7);
  ck_assert(!a.quick && !a.file && a.n == 0);
}
END_TEST

static const struct {
  const cli_command_t *command;
  const char *line, *says;
} refused[] = {
    {&with_operands, "--job 3",
     "unknown option '--job'; nearest: --jobs; legal: --quick --file --jobs --word --help"},
    {&with_operands, "-", "unknown option '-'; legal: --quick --file --jobs --word --help"},
    {&with_operands, "--jobs", "--jobs needs a value: N"},
    {&with_operands, "--jobs 0", "--jobs 0: legal: 1 to 64"},
    {&with_operands, "--jobs 65", "--jobs 65: legal: 1 to 64"},
    {&with_operands, "--jobs 99999999999999999999", "--jobs 99999999999999999999: legal: 1 to 64"},
    {&with_operands, "--jobs -1", "--jobs -1: legal: 1 to 64"},
    {&with_operands, "--jobs 3x", "--jobs 3x: legal: 1 to 64"},
    {&with_operands, "a b c", "word c: legal: at most 2 of these"},
    {&with_rules, "--quick", "--quick, --file: legal: with --jobs or --word"},
    {&with_rules, "--file f", "--quick, --file: legal: with --jobs or --word"},
    {&with_rules, "--jobs 2 --file f --quick", "--file: legal: without --quick"},
    {&without, "a", "'a': legal: options only; `mrpb try --help` lists them"},
};

START_TEST(refuses_in_one_line) {
  args_t a;
  mrpb_err_t err;
  ck_assert_int_eq(parse(refused[_i].command, &a, refused[_i].line, &err), -1);
  ck_assert_str_eq(err.text, refused[_i].says);
}
END_TEST

START_TEST(rules_let_the_rest_pass) {
  args_t a;
  mrpb_err_t err;
  ck_assert_int_eq(parse(&with_rules, &a, "", &err), CLI_PARSED);
  ck_assert_int_eq(parse(&with_rules, &a, "--jobs 2", &err), CLI_PARSED);
  ck_assert_int_eq(parse(&with_rules, &a, "--word w --file f", &err), CLI_PARSED);
  ck_assert_int_eq(parse(&with_rules, &a, "--jobs 2 --quick", &err), CLI_PARSED);
}
END_TEST

/* Whether the command has all options of a list of names. */
static bool has_all(const cli_command_t *c, const char *names) {
  char list[1024], *rest = list;
  snprintf(list, sizeof list, "%s", names ? names : "");
  for (char *name; (name = strtok_r(rest, " ", &rest));) {
    bool has = false;
    for (unsigned i = 0; i < c->n_options; i++) has |= strcmp(c->options[i].name, name) == 0;
    if (!has) return false;
  }
  return true;
}

static bool rules_known(const cli_command_t *c) {
  for (unsigned i = 0; i < c->n_rules; i++) {
    const cli_rule_t *r = &c->rules[i];
    if (!has_all(c, r->options) || !has_all(c, r->with) || !has_all(c, r->without)) return false;
  }
  return true;
}

START_TEST(rules_name_options) {
  static const cli_rule_t wrong[] = {{"--quick", NULL, "--fil", ""}};
  const cli_command_t misspelt = {.options = options, .n_options = 4, CLI_RULES(wrong)};
  const cli_command_t *const with[] = {&cmd_run,     &cmd_cosim, &cmd_conform, &cmd_export,
                                       &cmd_figures, &cmd_micro, &cmd_mutate,  &cmd_silicon,
                                       &cmd_streams, &cmd_sweep, &with_rules};
  ck_assert(!rules_known(&misspelt));
  for (size_t i = 0; i < sizeof with / sizeof *with; i++) {
    ck_assert_uint_gt(with[i]->n_rules, 0);
    ck_assert_msg(rules_known(with[i]), "%s", with[i]->name);
  }
}
END_TEST

START_TEST(synopsis_is_made_from_the_table) {
  char text[200] = "";
  FILE *f = fmemopen(text, sizeof text, "w");
  cli_synopsis(f, &with_operands);
  fclose(f);
  ck_assert_str_eq(text, "mrpb try [WORD]... [--quick] [--file FILE] [--jobs N] [--word W]...\n");
}
END_TEST

Suite *test_cli_options_suite(void);

Suite *test_cli_options_suite(void) {
  Suite *s = suite_create("cli_options");
  TCase *c = tcase_create("table");
  tcase_add_test(c, takes_each_kind);
  tcase_add_loop_test(c, refuses_in_one_line, 0, sizeof refused / sizeof *refused);
  tcase_add_test(c, rules_let_the_rest_pass);
  tcase_add_test(c, rules_name_options);
  tcase_add_test(c, synopsis_is_made_from_the_table);
  suite_add_tcase(s, c);
  return s;
}
