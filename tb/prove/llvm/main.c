/* build/mrpb-prove, which `mrpb prove` calls: C == Verilog, one module at one size after another. */
#include "cosim/matrix.h"
#include "prove/llvm/prove.h"

#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  mrpb_err_t err = {""};
  cosim_job_t sizes = {.cls = matrix_module(argc > 1 ? argv[1] : "", &err)};
  prove_job_t job = {.root = ".", .rtl = "rtl", .limit = 600, .unroll = 4096};
  if (sizes.cls) module_defaults(sizes.cls, sizes.cfg);
  for (int i = 2; i < argc && sizes.cls; i++)
    if (strncmp(argv[i], "rtl=", 4) == 0) job.rtl = argv[i] + 4;
    else if (strncmp(argv[i], "inv=", 4) == 0) job.inv = argv[i] + 4;
    else matrix_set(&sizes, argv[i], &err);
  job.cls = sizes.cls;
  memcpy(job.cfg, sizes.cfg, sizeof job.cfg);
  int rc = err.text[0] ? 2 : prove_run(&job, stdout, &err);
  if (err.text[0]) fprintf(stderr, "mrpb prove: %s\n", err.text);
  return rc;
}
