/* SPDX-License-Identifier: Apache-2.0 */
/* `mrpb help-json`: the schema of the JSON files that commands write. */
#include "cli/cli.h"
#include "cli/json_schema.h"
#include "base/json_out.h"

#include <string.h>

enum { LEGAL = 200 };

typedef struct {
  const char *command;
  bool markdown;
} args_t;

static const cli_option_t options[] = {
    CLI_FLAG(args_t, markdown, "--markdown", "everything as Markdown tables"),
};

static int take_command(void *self, const char *name, const char *v, mrpb_err_t *err) {
  args_t *a = self;
  char legal[LEGAL] = "";
  (void)name;
  for (unsigned i = 0; json_schema_command(i); i++) {
    const size_t n = strlen(legal);
    snprintf(legal + n, sizeof legal - n, "%s%s", i ? ", " : "", json_schema_command(i));
  }
  if (!json_schema_has(v))
    return mrpb_fail(err, "'%.40s': not a command that writes JSON; legal: %s", v, legal);
  return cli_once(&a->command, v, "one command at a time", err);
}

static int run(int argc, char **argv) {
  mrpb_err_t err = {""};
  args_t a = {NULL, false};
  int rc = cli_parse(&cmd_help_json, &a, argc, argv, &err);
  if (rc == CLI_HELPED) return CLI_OK;
  if (rc != CLI_PARSED) return cli_fail("help-json", &err);
  if (a.markdown) return json_schema_page(stdout), CLI_OK;
  json_t *schema = json_schema(a.command);
  rc = json_out_write(schema, stdout, JSON_INDENT(2));
  json_decref(schema);
  if (rc == 0 || ferror(stdout)) return CLI_OK; /* cli_finish reports the failed write */
  (void)mrpb_fail(&err, "out of memory");
  return cli_fail("help-json", &err);
}

const cli_command_t cmd_help_json = {
    .name = "help-json",
    .operands = "[COMMAND]",
    .doc = "the schema of the JSON files that commands write, with units",
    .details = "JSON Schema 2020-12, of one command or of all. docs/json.md",
    CLI_OPTIONS(options),
    .operand = take_command,
    .run = run,
};
