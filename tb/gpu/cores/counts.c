/* SPDX-License-Identifier: Apache-2.0 */
/* The table of counts: see counts.h. */
#include "gpu/cores/counts.h"

#include <string.h>

static const gpu_count_t counts[] = {
#define COUNT(part, name, value, title, unit, meaning)                                             \
  {part, name, title, unit, meaning, true, false},
#define BOTH(part, name, value, title, unit, meaning)                                              \
  {part, name, title, unit, meaning, true, true},
#define ORDERED(part, name, value, title, unit, meaning)                                           \
  {part, name, title, unit, meaning, false, true},
#include "gpu/cores/counts.def"
#undef COUNT
};

const gpu_count_t *gpu_count(unsigned i) {
  return &counts[i];
}

bool gpu_count_shown(unsigned i, gpu_shows_t shows) {
  const gpu_count_t *c = &counts[i];
  const bool memory = strncmp(c->part, "interconnect", 12) == 0 || strcmp(c->part, "l2") == 0 ||
                      strcmp(c->part, "dram") == 0;
  const bool other = memory ? shows.ports : shows.in_order;
  if (other ? !c->in_order : !c->pipeline) return false;
  if (strcmp(counts[i].part, "mrpb") == 0) return shows.mrpb;
  return strcmp(counts[i].part, "check") != 0 || shows.check;
}

void gpu_counts_of(const gpu_counted_t *c, uint64_t values[GPU_COUNTS]) {
#define COUNT(part, name, value, title, unit, meaning) *values++ = value;
#include "gpu/cores/counts.def"
#undef COUNT
}

void gpu_counts_help(FILE *out) {
  fprintf(out, "| count | unit | meaning |\n| --- | --- | --- |\n");
  for (unsigned i = 0; i < GPU_COUNTS; i++)
    fprintf(out, "| `%s%s%s` | %s | %s |\n", counts[i].part, counts[i].part[0] ? "." : "",
            counts[i].name, counts[i].unit, counts[i].meaning);
}
