/* The list of workloads. */
#include "workload/kernels.h"

#include <string.h>

const char *workload_name(unsigned i) {
  return i == 0 ? "atax" : kernels_micro_name(i - 1);
}

const char *workload_doc(unsigned i) {
  return i == 0 ? "both kernels of PolyBench atax, 2048 x 2048" : kernels_micro_doc(i - 1);
}

/* Letters in common from the front: enough to guess what was meant. */
static const char *nearest(const char *name) {
  const char *best = workload_name(0);
  size_t most = 0;
  for (unsigned i = 0; workload_name(i); i++) {
    const char *known = workload_name(i);
    size_t n = 0;
    while (name[n] && name[n] == known[n]) n++;
    if (n > most) {
      most = n;
      best = known;
    }
  }
  return best;
}

int workload_open(workload_t **w, const char *name, const workload_options_t *options,
                  mrpb_err_t *err) {
  *w = NULL;
  for (unsigned i = 0; workload_name(i); i++) {
    if (strcmp(workload_name(i), name) != 0) continue;
    *w = i == 0 ? kernels_atax(options) : kernels_micro(i - 1, options);
    return *w ? 0 : mrpb_fail(err, "%s: out of memory", name);
  }
  return mrpb_fail(err, "--kernel %s: unknown; nearest: %s; `mrpb help` lists them", name,
                   nearest(name));
}
