/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the lines of a verdict. */
#include "verify/contract/verdict.h"

#include "verify/contract/assume.h"
#include "verilog/design/verdict.h"

static void print_clauses(FILE *out, const contract_t *of, uint32_t clauses, const char *what) {
  if (!clauses) return;
  fprintf(out, "; %s:", what);
  for (unsigned i = 1; i <= of->n_clauses; i++)
    if (clauses >> i & 1) fprintf(out, " %s", contract_clause(of, i)->name);
}

void contract_verdict_off(FILE *out, const contract_setup_t *s) {
  print_clauses(out, s->of, s->off, "not promised");
}

void contract_verdict_not_seen(FILE *out, const contract_setup_t *s) {
  print_clauses(out, s->of, s->of->unseen(s) & ~s->off,
                s->bind ? "not visible through the map" : "not visible");
}

void contract_verdict_reach(FILE *out, const contract_setup_t *s, const void *seen) {
  if (seen) s->of->print_seen(out, s, seen);
  if (s->bind) verdict_assumptions(s->bind->map, out);
  if (s->bind) contract_assume_print(out, s->bind);
  s->of->print_withheld(out, s, seen);
}
