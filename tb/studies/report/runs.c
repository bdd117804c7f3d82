/* SPDX-License-Identifier: Apache-2.0 */
/* Runs of `mrpb run --json`, as they are: the page shows what they have. */
#include "studies/report/parts.h"

#include "base/json_in.h"

json_t *report_run(const char *path, mrpb_err_t *err) {
  static const char legal[] = "what `mrpb run --json` wrote";
  json_t *file = json_in_load(path, 0, legal, err), *o = NULL;
  if (!file) return NULL;
  if (json_is_string(json_object_get(file, "kernel")) &&
      json_is_integer(json_object_get(file, "cycles")) &&
      json_is_object(json_object_get(file, "configuration")))
    o = json_object();
  else
    (void)mrpb_fail(err, "%s: not a run of the model; legal: %s", path, legal);
  if (!o) {
    json_decref(file);
    return NULL;
  }
  json_out_set(&o, "source", json_string(path));
  json_out_set(&o, "run", file);
  if (!o) (void)mrpb_fail(err, "out of memory for the report");
  return o;
}
