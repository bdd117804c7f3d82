/* build/mrpb properties: what the Verilog promises, proved or refuted. */
#include "cli/cli.h"
#include "cosim/rtl_build.h"
#include "prove/properties.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char usage[] =
    "usage: mrpb properties [MODULE] [--set PARAMETER=VALUE]... [--rtl DIR] [--only NAME] "
    "[--names]\n"
    "                       [--depth N] [--induction N] [--cover N] [--list FILE] [--short]\n"
    "                       [--jobs N] [--timeout SECONDS] [--out DIR]\n"
    "Decides the properties in rtl/formal/ of the Verilog in rtl/ (or DIR): with --set those of "
    "one\n"
    "module at that size, else the lines of tests/prove/properties.list (of MODULE, if given; "
    "with\n"
    "--short those of `make test`). --only: one property by its label, without induction. A trace "
    "of\n"
    "what is refuted goes to build/prove (or --out DIR).\n"
    "Exit 0 all hold, 1 refuted, 2 wrong input, 3 not decided, 5 a tool is missing or failed.\n";

enum { MAX_LINES = 256, TEXT = 512 };

typedef struct {
  properties_setup_t setup;
  const char *module, *list;
  char line[TEXT], root[RTL_PATH], results[RTL_PATH], rtl[RTL_PATH], list_path[RTL_PATH];
  bool sized, brief, help;
  uint64_t jobs, timeout;
  properties_line_t lines[MAX_LINES];
  unsigned n;
} args_t;

static int add_word(args_t *a, const char *name, const char *v, mrpb_err_t *err) {
  size_t at = strlen(a->line);
  const char *key = strcmp(name, "--set") == 0 ? "" : name + 2;
  int n = snprintf(a->line + at, TEXT - at, " %s%s%s", key, key[0] ? "=" : "", v);
  a->sized = true;
  return n > 0 && (size_t)n < TEXT - at ? 0 : mrpb_fail(err, "%s %s: too many options", name, v);
}

static int take_option(args_t *a, const char *name, const char *v, mrpb_err_t *err) {
  if (strcmp(name, "--jobs") == 0) {
    if (cli_number(name, v, 64, &a->jobs, err) != 0) return -1;
    return a->jobs > 0 ? 0 : mrpb_fail(err, "--jobs 0: legal: 1 to 64");
  }
  if (strcmp(name, "--timeout") == 0) {
    if (cli_number(name, v, 86400, &a->timeout, err) != 0) return -1;
    return a->timeout > 0 ? 0 : mrpb_fail(err, "--timeout 0: legal: 1 to 86400");
  }
  if (strcmp(name, "--rtl") == 0) return a->setup.rtl = v, 0;
  if (strcmp(name, "--only") == 0) return a->setup.only = v, 0;
  if (strcmp(name, "--list") == 0) return a->list = v, 0;
  if (strcmp(name, "--out") == 0) return a->setup.results = v, 0;
  return add_word(a, name, v, err);
}

static int parse(args_t *a, int argc, char **argv, mrpb_err_t *err) {
  static const char *const options[] = {"--set",  "--depth", "--induction", "--cover",   "--rtl",
                                        "--only", "--list",  "--jobs",      "--timeout", "--out"};
  for (int i = 1; i < argc; i++) {
    const char *name = argv[i], *value;
    bool known = false;
    if (strcmp(name, "--help") == 0) return a->help = true, 0;
    if (strcmp(name, "--names") == 0 || strcmp(name, "--short") == 0) {
      *(name[2] == 'n' ? &a->setup.names : &a->brief) = true;
      continue;
    }
    if (name[0] != '-') {
      if (a->module) return mrpb_fail(err, "'%s': one module at a time", name);
      a->module = name;
      continue;
    }
    for (unsigned k = 0; k < sizeof options / sizeof *options; k++)
      known = known || strcmp(name, options[k]) == 0;
    if (!known)
      return mrpb_fail(err,
                       "unknown option '%s'; legal: --set --rtl --only --names --depth "
                       "--induction --cover --list --short --jobs --timeout --out --help",
                       name);
    value = cli_value(argc, argv, &i, err);
    if (!value || take_option(a, name, value, err) != 0) return -1;
  }
  if (a->sized && (!a->module || a->list || a->brief))
    return mrpb_fail(err, "--set, --depth, --induction and --cover need a module and no list");
  if (a->setup.only && !a->module) return mrpb_fail(err, "--only needs a module");
  return 0;
}

/* The project's folder: above this program, or above the working directory. */
static bool climb(char *path) {
  char probe[RTL_PATH];
  for (char *slash; (slash = strrchr(path, '/')); *slash = '\0')
    if (rtl_path(probe, "%s/rtl/formal", path) && rtl_exists(probe)) return true;
  return false;
}

static int find_folders(args_t *a, mrpb_err_t *err) {
  ssize_t n = readlink("/proc/self/exe", a->root, sizeof a->root - 1);
  a->root[n > 0 ? n : 0] = '\0';
  if (!climb(a->root) && !(getcwd(a->root, sizeof a->root) && climb(a->root)))
    return mrpb_fail(err, "cannot find the project's folder (rtl/formal) above this program");
  if (!rtl_path(a->rtl, "%s/rtl", a->root) || !rtl_path(a->results, "%s/build/prove", a->root) ||
      !rtl_path(a->list_path, "%s/tests/prove/properties.list", a->root))
    return mrpb_fail(err, "the path of the project is too long");
  a->setup.root = a->root;
  if (!a->setup.rtl) a->setup.rtl = a->rtl;
  if (!a->setup.results) a->setup.results = a->results;
  if (!a->list) a->list = a->list_path;
  return 0;
}

static int read_list(args_t *a, mrpb_err_t *err) {
  char text[TEXT];
  FILE *f = fopen(a->list, "r");
  if (!f) return mrpb_fail(err, "%s: cannot read: %s", a->list, strerror(errno));
  for (unsigned at = 1; fgets(text, sizeof text, f) && !err->text[0]; at++) {
    properties_line_t line;
    mrpb_err_t why = {""};
    bool used;
    if (properties_parse(text, &line, &used, &why) != 0)
      mrpb_fail(err, "%s:%u: %s", a->list, at, why.text);
    if (!used || (a->brief && !line.brief)) continue;
    if (a->module && strcmp(a->module, line.module) != 0) continue;
    if (a->n == MAX_LINES) mrpb_fail(err, "%s:%u: more than %d lines", a->list, at, MAX_LINES);
    if (!err->text[0]) a->lines[a->n++] = line;
  }
  fclose(f);
  if (err->text[0]) return -1;
  if (a->n == 0)
    return mrpb_fail(err, "%s: no line %s%s", a->list, a->module ? "of module " : "to decide",
                     a->module ? a->module : "");
  return 0;
}

static int make_lines(args_t *a, mrpb_err_t *err) {
  char text[2 * TEXT];
  bool used;
  if (!a->sized) return read_list(a, err);
  snprintf(text, sizeof text, "%s%s", a->module, a->line);
  a->n = 1;
  return properties_parse(text, &a->lines[0], &used, err);
}

int cmd_properties(int argc, char **argv) {
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
  int rc = CLI_USAGE;
  if (parse(a, argc, argv, &err) == 0) {
    a->setup.timeout = (unsigned)a->timeout;
    if (a->help) {
      fputs(usage, stdout);
      rc = CLI_OK;
    } else if (find_folders(a, &err) == 0 && make_lines(a, &err) == 0) {
      cli_hold_signals();
      rc = properties_run(a->lines, a->n, (unsigned)a->jobs, &a->setup, &err);
    }
  }
  if (err.text[0]) cli_fail("properties", &err);
  free(a);
  return rc;
}
