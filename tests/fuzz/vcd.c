/* SPDX-License-Identifier: Apache-2.0 */
#include "fuzz.h"
#include "base/waves/vcd_in.h"

int fuzz_vcd(const char *path, mrpb_err_t *err) {
  vcd_in_t *v;
  uint64_t time, seen = 0;
  if (vcd_in_open(&v, path, err) != 0) return -1;
  const unsigned n = vcd_in_n_vars(v);
  int rc = 1;
  for (unsigned i = 0; rc > 0 && i < n; i++)
    if (vcd_in_var(v, i)->valued && vcd_in_watch(v, vcd_in_var(v, i)->id, err) != 0) rc = -1;
  while (rc > 0 && (rc = vcd_in_step(v, &time, err)) > 0)
    for (unsigned i = 0; i < n; i++)
      if (vcd_in_var(v, i)->valued) {
        const unsigned last = (vcd_in_var(v, i)->width - 1) / 64, id = vcd_in_var(v, i)->id;
        seen += vcd_in_ones(v, id)[last] & vcd_in_unknown(v, id)[last];
      }
  vcd_in_close(v);
  return rc < 0 ? -1 : seen == 0 ? 0 : mrpb_fail(err, "%s: a bit both one and unknown", path);
}
