/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"
#include "verify/explore/explore_run.h"
#include "verify/properties/properties.h"

/* A line is of one list or of the other; what both refuse is refused. */
static int read_line(const char *text, mrpb_err_t *err) {
  properties_line_t property;
  explore_line_t exploration;
  mrpb_err_t why = {""};
  bool used;
  if (explore_parse(text, &exploration, &used, &why) == 0) return 0;
  return why.text[0] ? properties_parse(text, &property, &used, err) : -1;
}

int fuzz_lists(const char *path, mrpb_err_t *err) {
  char text[600];
  FILE *f = fopen(path, "r");
  int rc = f ? 0 : mrpb_fail(err, "%s: cannot read", path);
  while (rc == 0 && fgets(text, sizeof text, f)) rc = read_line(text, err);
  if (f) fclose(f);
  return rc;
}
