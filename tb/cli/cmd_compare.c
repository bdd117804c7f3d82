/* SPDX-License-Identifier: Apache-2.0 */
/* `mrpb compare`: the most important figures of two results of `mrpb run --json`, side by side. */
#include "cli/cli.h"
#include "base/json_in.h"

#include <math.h>
#include <string.h>

/* Rows: a path through the objects, and its title. */
static const struct {
  const char *path, *title;
} rows[] = {
    {"cycles", "cycles"},
    {"thread_instructions", "thread instructions"},
    {"ipc", "IPC"},
    {"l1d.hits", "L1D read hits"},
    {"l1d.misses", "L1D read misses"},
    {"l1d.pending_hits", "L1D pending hits"},
    {"l1d.bypasses", "L1D bypasses"},
    {"l1d.writes", "L1D writes"},
    {"l1d.refused.assoc", "refused: associativity"},
    {"l1d.refused.missq", "refused: miss queue"},
    {"l1d.refused.mshr", "refused: MSHR entries"},
    {"l1d.refused.merge", "refused: MSHR merges"},
    {"l1d.mshr.mean", "MSHRs in use, mean"},
    {"interconnect.requests.packets", "packets to L2"},
    {"interconnect.requests.flits", "flits to L2"},
    {"interconnect.replies.packets", "packets back"},
    {"interconnect.replies.flits", "flits back"},
    {"l2.read_hits", "L2 read hits"},
    {"l2.read_misses", "L2 read misses"},
    {"dram.reads", "DRAM column reads"},
    {"dram.writes", "DRAM column writes"},
    {"dram.activates", "DRAM activates"},
};

static double look_up(const json_t *o, const char *path) {
  return json_number_value(json_in_at(o, path)); /* 0 if it is not there */
}

static json_t *load(const char *path, mrpb_err_t *err) {
  json_t *j = json_in_load(path, 0, "a file that `mrpb run --json` wrote", err);
  if (j && !json_is_integer(json_object_get(j, "cycles"))) {
    mrpb_fail(err, "%s: not a result; legal: a file that `mrpb run --json` wrote", path);
    json_decref(j);
    return NULL;
  }
  return j;
}

static void print_number(double v) {
  if (v == floor(v))
    printf(" %14.0f", v);
  else
    printf(" %14.3f", v);
}

typedef struct {
  const char *file[2];
  unsigned n;
} args_t;

static int take_file(void *self, const char *name, const char *v, mrpb_err_t *err) {
  args_t *a = self;
  (void)name;
  return cli_append(a->file, &a->n, 2, "result", v, err);
}

static int run(int argc, char **argv) {
  mrpb_err_t err = {{0}};
  args_t args = {.n = 0};
  int rc = cli_parse(&cmd_compare, &args, argc, argv, &err);
  if (rc == CLI_HELPED) return CLI_OK;
  if (args.n != 2) mrpb_fail(&err, "legal: two files that `mrpb run --json` wrote");
  if (err.text[0]) return cli_fail("compare", &err);
  json_t *a = load(args.file[0], &err), *b = a ? load(args.file[1], &err) : NULL;
  if (b) {
    printf("%-24s %14s %14s %9s\n", "", "A", "B", "B / A");
    for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
      double x = look_up(a, rows[i].path), y = look_up(b, rows[i].path);
      printf("%-24s", rows[i].title);
      print_number(x);
      print_number(y);
      if (x > 0) printf(" %9.3f", y / x);
      printf("\n");
    }
    printf("A: %s\nB: %s\nspeed-up of B: %.2f\n", args.file[0], args.file[1],
           look_up(a, "cycles") / look_up(b, "cycles"));
  }
  json_decref(a);
  json_decref(b);
  return b ? CLI_OK : cli_fail("compare", &err);
}

const cli_command_t cmd_compare = {
    .name = "compare",
    .operands = "A.json B.json",
    .doc = "two results of run side by side",
    .operand = take_file,
    .run = run,
};
