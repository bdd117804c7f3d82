/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/placed.h"

#include "estimate/place/fpga.h"
#include "estimate/place/place.h"

#include <inttypes.h>

int placed_alone(const flow_t *f, const logic_job_t *job, const logic_result_t *r, FILE *out,
                 mrpb_err_t *err) {
  const unsigned seconds = f->opt->place_seconds ? f->opt->place_seconds : PLACE_SECONDS;
  const place_job_t p = {.synth = &job->synth,
                         .folder = r->folder,
                         .cache = f->cache,
                         .seconds = seconds,
                         .utilisation = flow_utilisation(f)};
  place_result_t placed;
  if (f->opt->place) {
    const int rc = place_run(&p, &placed, f->opt->stop, err);
    if (rc != 0) return rc;
    place_print(out, &placed, r);
  }
  if (f->opt->fpga) {
    const fpga_job_t g = {.synth = &job->synth, .cache = f->cache, .seconds = seconds};
    fpga_result_t fitted;
    const int rc = fpga_run(&g, &fitted, f->opt->stop, err);
    if (rc != 0) return rc;
    fpga_print(out, &fitted);
  }
  uint64_t rtl;
  if (logic_rtl_hash(&job->synth, &rtl, err) != 0) return -1;
  fprintf(out, "\nMade from Verilog with hash %016" PRIx64 ".\n", rtl);
  return 0;
}
