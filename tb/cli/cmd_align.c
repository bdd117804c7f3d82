/* SPDX-License-Identifier: Apache-2.0 */
/* build/mrpb align: where do two timed streams of requests differ first? */
#include "cli/cli.h"
#include "verify/align/run.h"

#include <errno.h>
#include <stdlib.h>

typedef struct {
  align_command_t run;
  unsigned n;
} args_t;

static int take_file(void *self, const char *name, const char *v, mrpb_err_t *err) {
  args_t *a = self;
  (void)name;
  return cli_append(a->run.file, &a->n, 2, "file", v, err);
}

static int take_shift(void *self, const char *name, const char *v, mrpb_err_t *err) {
  args_t *a = self;
  char *end;
  errno = 0;
  a->run.shift = strtoll(v, &end, 10);
  if (errno || end == v || *end || llabs(a->run.shift) > INT64_MAX / 4)
    return mrpb_fail(err, "%s %.40s; legal: a number of cycles, -3 or 12", name, v);
  return 0;
}

static const cli_option_t options[] = {
    CLI_TEXT(args_t, run.map, "--map", "FILE", "streams and kinds of a wave (VCD or FST)"),
    CLI_TEXT(args_t, run.scope, "--scope", "PATH", "the instance in the wave"),
    CLI_TEXT(args_t, run.kinds, "--kinds", "KIND,...", "only requests of these kinds"),
    CLI_TEXT(args_t, run.who, "--who", "PREFIX", "only requests of those whose name begins so"),
    CLI_FLAG(args_t, run.accepted, "--accepted", "a request begins when it is accepted"),
    CLI_TAKE(take_shift, "--shift", "N", "cycles added to the second side (0)"),
};

static int run(int argc, char **argv) {
  mrpb_err_t err = {""};
  args_t a = {.run = {.out = stdout}};
  int rc = cli_parse(&cmd_align, &a, argc, argv, &err);
  if (rc == CLI_HELPED) return CLI_OK;
  if (rc == CLI_PARSED && a.n != 2)
    rc = mrpb_fail(&err, "%u files; legal: two, of requests (`mrpb run --requests`) or waves", a.n);
  if (rc != CLI_PARSED) return cli_fail("align", &err);
  rc = align_command(&a.run, &err);
  if (err.text[0]) (void)cli_fail("align", &err);
  return rc;
}

const cli_command_t cmd_align = {
    .name = "align",
    .operands = "A B",
    .doc = "aligns two timed streams of requests: the first that differs, and by kind",
    .details = "Each is a file of requests (`mrpb run --requests`, or of a model of yours) or a "
               "wave.\nExit 0 all agree, 1 they differ, 2 wrong input, 5 a tool is missing.\n"
               "docs/align.md",
    .operand = take_file,
    CLI_OPTIONS(options),
    .run = run,
};
