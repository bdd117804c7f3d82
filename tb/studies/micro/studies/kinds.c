/* SPDX-License-Identifier: Apache-2.0 */
/* Kinds of accesses: how many of each an SM takes before it takes no more, and which of them wait
 * for the same thing: half of the warps do one kind, half another. If both have a limit of their own,
 * more is taken than of the kind that takes less alone. docs/silicon.md */
#include "studies/micro/kernels/kinds.h"
#include "studies/micro/study.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const kind_t kinds[] = {{"ld.global.ca.u32", "ld.global.ca", 1, false},
                               {"ld.global.cg.u32", "ld.global.cg", 1, false},
                               {"ld.global.nc.u32", "ld.global.nc", 1, false},
                               {"st.global.u32", "st.global", 1, true}};
enum { KINDS = sizeof kinds / sizeof *kinds };

static int take(const study_t *s, const kind_t *even, const kind_t *odd, accepted_t *seen,
                mrpb_err_t *err) {
  kinds_bench_t b;
  int rc = kinds_open(&b, &s->on, even, odd, err);
  if (rc == 0) rc = kinds_run(&b, seen, err);
  kinds_close(&b);
  return rc;
}

/* Accesses taken before the pause; nothing if there was none. */
static void row(study_t *s, const char *what, const accepted_t *seen) {
  const bool paused = seen->accepted < seen->n;
  char note[64];
  snprintf(note, sizeof note, paused ? "then none for %u cycles" : "all of them: at least",
           seen->pause);
  study_row(s, what, "accesses", seen->accepted, (double)NAN, MICRO_EXACT, note);
}

static int alone(study_t *s, accepted_t *seen, uint32_t taken[KINDS], mrpb_err_t *err) {
  for (unsigned i = 0; i < KINDS; i++) {
    char what[64];
    if (take(s, &kinds[i], &kinds[i], seen, err) != 0) return -1;
    snprintf(what, sizeof what, "taken, %s", kinds[i].name);
    row(s, what, seen);
    taken[i] = seen->accepted;
  }
  return 0;
}

/* Two kinds share their limit if together not more is taken than of one of them alone; half of the
 * warps is too few to meet a limit of one kind alone. */
static int together(study_t *s, accepted_t *seen, const uint32_t taken[KINDS], mrpb_err_t *err) {
  enum { SLACK = 16 /* what lies between the schedulers and the queues */ };
  for (unsigned i = 0; i < KINDS; i++)
    for (unsigned j = i + 1; j < KINDS; j++) {
      char what[96], note[64];
      if (take(s, &kinds[i], &kinds[j], seen, err) != 0) return -1;
      const uint32_t more = taken[i] > taken[j] ? taken[i] : taken[j];
      snprintf(what, sizeof what, "%s with %s", kinds[i].name, kinds[j].name);
      snprintf(note, sizeof note, "%u of both; %u and %u alone", seen->accepted, taken[i],
               taken[j]);
      const char *found = more == seen->n                  ? "not decided"
                          : seen->accepted <= more + SLACK ? "one limit"
                                                           : "limits of their own";
      study_row_words(s, what, found, NULL, note);
    }
  return 0;
}

int study_kinds(study_t *s, mrpb_err_t *err) {
  uint32_t taken[KINDS];
  if (!s->on.limits.host || bench_threads(&s->on.limits, ACCEPT_REGISTERS) < 32 * ACCEPT_WARPS) {
    study_row_words(s, "kinds", "not measured", NULL,
                    "for a GPU with pinned host memory, and blocks of 1024 threads");
    return 0;
  }
  s->from = "clocks behind each access of all warps";
  accepted_t *seen = malloc(sizeof *seen);
  if (!seen) return mrpb_fail(err, "micro: out of memory");
  int rc = alone(s, seen, taken, err);
  if (rc == 0) rc = together(s, seen, taken, err);
  free(seen);
  return rc;
}
