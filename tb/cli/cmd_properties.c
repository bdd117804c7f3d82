/* SPDX-License-Identifier: Apache-2.0 */
/* build/mrpb properties: proves or refutes the properties of the Verilog. */
#include "base/home.h"
#include "base/sizes.h"
#include "cli/cli.h"
#include "base/files.h"
#include "verilog/build.h"
#include "base/input.h"
#include "verify/properties/properties.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_LINES = 256, TEXT = 1024 };

typedef struct {
  properties_setup_t setup;
  const char *module, *list;
  rtl_from_t from;
  rtl_env_t *env; /* for a design */
  char line[TEXT], root[FILES_PATH], results[FILES_PATH], rtl[FILES_PATH], list_path[FILES_PATH];
  bool sized, brief;
  uint64_t jobs, timeout;
  properties_line_t lines[MAX_LINES];
  unsigned n, absent; /* n: lines; absent: those of modules that the folder lacks */
} args_t;

static int take_word(void *self, const char *name, const char *v, mrpb_err_t *err) {
  args_t *a = self;
  size_t at = strlen(a->line);
  const char *key = strcmp(name, "--set") == 0 ? "" : name + 2;
  int n = snprintf(a->line + at, TEXT - at, " %s%s%s", key, key[0] ? "=" : "", v);
  a->sized = true;
  return n > 0 && (size_t)n < TEXT - at ? 0 : mrpb_fail(err, "%s %s: too many options", name, v);
}

static int take_module(void *self, const char *name, const char *v, mrpb_err_t *err) {
  args_t *a = self;
  (void)name;
  return cli_once(&a->module, v, "one module at a time", err);
}

static const cli_option_t options[] = {
    CLI_MODULE,
    CLI_MANY(take_word, "--set", "PARAMETER=VALUE", "decide MODULE at this size"),
    CLI_TAKE(take_word, "--depth", "N", "cycles of the bounded check, at this size"),
    CLI_TAKE(take_word, "--induction", "N", "cycles of the induction, at this size"),
    CLI_TAKE(take_word, "--cover", "N",
             "cycles in which each situation must be reached, at this size"),
    CLI_TEXT(args_t, setup.only, "--only", "NAME",
             "one property of MODULE by its label, without induction"),
    CLI_FLAG(args_t, setup.names, "--names", "names the properties"),
    CLI_TEXT(args_t, list, "--list", "FILE",
             "lines of modules and sizes (tests/verify/prove/properties.list)"),
    CLI_FLAG(args_t, brief, "--short", "only the lines of the list that `make test` runs"),
    CLI_RTL(args_t, from),
    CLI_TEXT(args_t, setup.results, "--out", "DIR",
             "folder for the traces of refuted properties (build/prove)"),
    CLI_NUMBER(args_t, jobs, "--jobs", 1, 64, "lines run in parallel (1)"),
    CLI_NUMBER(args_t, timeout, "--timeout", 1, 86400, "seconds for each line (600)"),
};

static int check_options(const args_t *a, mrpb_err_t *err) {
  if (a->sized && (!a->module || a->list || a->brief))
    return mrpb_fail(err, "--set, --depth, --induction and --cover need a module and no list");
  if (a->setup.only && !a->module) return mrpb_fail(err, "--only needs a module");
  return 0;
}

static int find_folders(args_t *a, mrpb_err_t *err) {
  if (home_find(a->root, err) != 0) return -1;
  if (!files_path(a->rtl, "%s/rtl", a->root) ||
      !files_path(a->list_path, "%s/tests/verify/prove/properties.list", a->root))
    return mrpb_fail(err, "the path of the project is too long");
  if (home_build_path(a->results, a->root, "prove", err) != 0) return -1;
  a->setup.root = a->root;
  a->setup.rtl = a->from.dir;
  if (a->setup.rtl && rtl_check_dir(a->setup.rtl, err) != 0) return -1;
  if (!a->setup.rtl) a->setup.rtl = a->rtl;
  if (!a->setup.results) a->setup.results = a->results;
  if (!a->list) a->list = a->list_path;
  return 0;
}

static int open_design(args_t *a, mrpb_err_t *err) {
  if (!design_given(&a->from.design) && !a->from.lint && !a->from.design.outputs_only) return 0;
  if (!a->module) return mrpb_fail(err, "your own design is one module; legal: MODULE");
  a->setup.cls = sizes_module(a->module, err);
  if (!a->setup.cls || rtl_env_open_source(&a->env, &a->from, err) != RTL_OK) return -1;
  a->setup.env = a->env;
  return rtl_env_check_module(a->env, a->setup.cls, err);
}

static bool is_there(const args_t *a, const char *module) {
  char path[FILES_PATH];
  return files_path(path, "%s/%s.v", a->setup.rtl, module) && files_exists(path);
}

static int take_line(void *ctx, char *text, mrpb_err_t *why) {
  args_t *a = ctx;
  properties_line_t line;
  bool used;
  if (properties_parse(text, &line, &used, why) != 0) return -1;
  if (!used || (a->brief && !line.brief)) return 0;
  if (a->module && strcmp(a->module, line.module) != 0) return 0;
  /* A user's folder need not have all modules. */
  if (!a->module && !is_there(a, line.module)) {
    a->absent++;
    return 0;
  }
  if (a->n == MAX_LINES) return mrpb_fail(why, "legal: at most %d lines", MAX_LINES);
  a->lines[a->n++] = line;
  return 0;
}

static int read_list(args_t *a, mrpb_err_t *err) {
  if (input_lines(a->list, take_line, a, err) != 0) return -1;
  if (a->n && a->absent)
    printf("%u lines left out: their modules are not in %s\n", a->absent, a->setup.rtl);
  if (a->absent && !a->n)
    return mrpb_fail(err, "--rtl %.300s: it has no module of %.200s", a->setup.rtl, a->list);
  return a->n ? 0
              : mrpb_fail(err, "%s: no line %s%s%s", a->list,
                          a->module ? "of module " : "to decide", a->module ? a->module : "",
                          a->brief ? "; legal with --short: lines with the word short" : "");
}

static int make_lines(args_t *a, mrpb_err_t *err) {
  char text[2 * TEXT];
  bool used;
  if (!a->sized) return read_list(a, err);
  snprintf(text, sizeof text, "%s%s", a->module, a->line);
  a->n = 1;
  return properties_parse(text, &a->lines[0], &used, err);
}

static int run(int argc, char **argv) {
  char program[CLI_COMMAND];
  mrpb_err_t err = {""};
  args_t *a = calloc(1, sizeof *a);
  if (!a) {
    mrpb_fail(&err, "out of memory");
    return cli_fail("properties", &err);
  }
  cli_program(program);
  a->setup = (properties_setup_t){.out = stdout, .program = program, .stop = cli_signalled};
  a->jobs = 1;
  a->timeout = 600;
  int rc = CLI_USAGE, parsed = cli_parse(&cmd_properties, a, argc, argv, &err);
  if (parsed == CLI_HELPED) rc = CLI_OK;
  if (parsed == CLI_PARSED && check_options(a, &err) == 0 && find_folders(a, &err) == 0 &&
      open_design(a, &err) == 0 && make_lines(a, &err) == 0) {
    a->setup.timeout = (unsigned)a->timeout;
    rc = properties_run(a->lines, a->n, (unsigned)a->jobs, &a->setup, &err);
  }
  if (err.text[0]) cli_fail("properties", &err);
  rtl_env_close(a->env);
  free(a);
  return rc;
}

const cli_command_t cmd_properties = {
    .name = "properties",
    .operands = "[MODULE]",
    .doc = "proves or refutes the Verilog's properties",
    .details = "Decides the properties in rtl/formal/ of the Verilog: with --set those of one "
               "module at that size, "
               "else the\nlines of the list (of MODULE, if given). Exit 0 all hold, 1 refuted, 2 "
               "wrong input, 3 not "
               "decided, 5 a tool\nis missing or failed.",
    CLI_OPTIONS(options),
    .operand = take_module,
    .run = run,
};
