/* SPDX-License-Identifier: Apache-2.0 */
/* The statement `compare`: see launch_state.h. */
#include "workload/launch/launch_state.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct {
  bool given[3]; /* abs, rel, ulp */
  double most[3];
} tolerance_t;

static int read_tolerance(launch_program_t *p, const launch_statement_t *s, tolerance_t *t,
                          mrpb_err_t *err) {
  static const char *const words[] = {"abs", "rel", "ulp"};
  for (unsigned i = 0; i < 3; i++) {
    launch_value_t v;
    t->given[i] = s->expr[i] != 0;
    if (!t->given[i]) continue;
    if (launch_eval(p, s->expr[i], &v, err) != 0) return -1;
    t->most[i] = launch_as_real(v);
    if (!(t->most[i] >= 0))
      return mrpb_fail(err, "%s:%" PRIu32 ": %s %g; legal: 0 or more", p->name, s->line, words[i],
                       t->most[i]);
  }
  return 0;
}

/* Whether the values are equal or within one of the tolerances; two NaNs are equal. */
static bool equal(const tolerance_t *t, launch_type_t type, launch_value_t have,
                  launch_value_t want) {
  const bool real = launch_type_real(type) || want.real;
  const double a = launch_as_real(have), b = launch_as_real(want), off = fabs(a - b);
  if (real ? a == b || (isnan(a) && isnan(b)) : have.i == want.i) return true;
  if (t->given[0] && off <= t->most[0]) return true;
  if (t->given[1] && isfinite(b) && off <= t->most[1] * fabs(b)) return true;
  const uint64_t steps = t->given[2] ? launch_ulps(type, have, want) : UINT64_MAX;
  return steps != UINT64_MAX && (double)steps <= t->most[2];
}

static int differs(const launch_program_t *p, const launch_statement_t *s, uint64_t at,
                   launch_value_t have, launch_value_t want, uint64_t count, mrpb_err_t *err) {
  const launch_symbol_t *of = &p->symbols[s->symbol];
  char has[40], wants[40];
  launch_print(of->type, have, has, sizeof has);
  launch_print(want.real && !launch_type_real(of->type) ? LAUNCH_TYPE_f64 : of->type, want, wants,
               sizeof wants);
  mrpb_fail(err,
            "%s:%" PRIu32 ": %s[%" PRIu64 "] is %s, expected %s; %" PRIu64 " of %" PRIu64 " differ",
            p->name, s->line, of->name, at, has, wants, count, of->count);
  return WORKLOAD_DIFFERS;
}

int launch_compare(launch_program_t *p, const launch_statement_t *s, mrpb_err_t *err) {
  const launch_symbol_t *of = &p->symbols[s->symbol];
  const unsigned bytes = launch_type_bytes(of->type);
  launch_from_t from;
  launch_value_t have, want, first[2] = {launch_integer(0)};
  tolerance_t t;
  uint64_t count = 0, at = 0;
  if (read_tolerance(p, s, &t, err) != 0) return WORKLOAD_FAILED;
  int rc = launch_from_open(&from, p, &s->values, of->name, of->type, of->count, s->line, err);
  for (uint64_t i = 0; rc == 0 && i < of->count; i++) {
    if ((rc = launch_from_next(&from, i, &want, err)) != 0) break;
    have = launch_load(of->type, of->at + i * bytes);
    if (launch_type_real(of->type))
      want = launch_real(launch_round(of->type, launch_as_real(want)));
    if (equal(&t, of->type, have, want)) continue;
    if (count++ > 0) continue;
    at = i;
    first[0] = have;
    first[1] = want;
  }
  launch_from_close(&from);
  if (rc != 0) return WORKLOAD_FAILED;
  if (count > 0) return differs(p, s, at, first[0], first[1], count, err);
  p->compared++;
  return 0;
}
