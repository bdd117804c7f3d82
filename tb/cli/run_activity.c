/* SPDX-License-Identifier: Apache-2.0 */
#include "cli/run_activity.h"

#include "cli/cli.h"

int run_activity_open(const char *folder, unsigned sm, const config_t *m, unit_choice_t *choice,
                      activity_t **activity, mrpb_err_t *err) {
  if (!folder) return CLI_OK;
  if (activity_open(activity, m, sm, err) != 0 || activity_probe(folder, err) != 0)
    return cli_fail("run", err);
  choice->watch = activity_watch(*activity);
  return CLI_OK;
}

int run_activity_end(const activity_t *a, const char *folder, json_t *report, mrpb_err_t *err) {
  int rc = CLI_OK;
  if (activity_check(a, err) != 0) {
    fprintf(stderr, "mrpb run: %s\n", err->text);
    rc = CLI_DIFFERENT;
  } else if (!report) {
    mrpb_fail(err, "%s: out of memory; nothing was written", folder);
    rc = cli_fail("run", err);
  } else if (activity_write(a, folder, report, err) != 0) {
    rc = cli_fail("run", err);
  } else {
    activity_print(a, stdout);
  }
  json_decref(report);
  return rc;
}
