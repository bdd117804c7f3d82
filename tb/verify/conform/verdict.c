/* SPDX-License-Identifier: Apache-2.0 */
/* Prints the lines of a verdict. */
#include "verify/conform/verdict.h"

#include "verify/conform/assume.h"
#include "verilog/design/verdict.h"

#include <inttypes.h>

static void print_clauses(FILE *out, uint32_t clauses, const char *what) {
  if (!clauses) return;
  fprintf(out, "; %s:", what);
  for (unsigned i = 1; i <= CONFORM_CLAUSES; i++)
    if (clauses >> i & 1) fprintf(out, " %s", conform_clause(i)->name);
}

void conform_verdict_off(FILE *out, uint32_t off) {
  print_clauses(out, off, "not promised");
}

uint32_t conform_verdict_unseen(const conform_has_t *h) {
  return (h->answer_addr ? 0 : 1u << CONFORM_ADDRESS) | (h->refuse ? 0 : 1u << CONFORM_REFUSAL) |
         (h->busy ? 0 : 1u << CONFORM_LEAK) | (h->line ? 0 : 1u << CONFORM_REQUESTED) |
         (h->answer_ready || h->line ? 0 : 1u << CONFORM_HELD) |
         (h->merge || h->ticket ? 0 : 1u << CONFORM_ONE_ENTRY) |
         (h->fill_ready ? 0 : 1u << CONFORM_FILL_TAKEN);
}

void conform_verdict_not_seen(FILE *out, const conform_setup_t *s) {
  print_clauses(out, conform_verdict_unseen(&s->has) & ~s->off, "not visible through the map");
}

static void print_seen(FILE *out, const conform_seen_t *s) {
  fprintf(out,
          "  %-12s%" PRIu64 " offered, %" PRIu64 " accepted; of a line that arrives in that cycle "
          "%" PRIu64 ", %" PRIu64 "; of one that leaves %" PRIu64 ", %" PRIu64 "\n",
          "reads", s->offered[CONFORM_ANY], s->accepted[CONFORM_ANY], s->offered[CONFORM_ARRIVING],
          s->accepted[CONFORM_ARRIVING], s->offered[CONFORM_LEAVING], s->accepted[CONFORM_LEAVING]);
  fprintf(out,
          "  %-12s%" PRIu64 " fills, %" PRIu64 " resets; %" PRIu64
          " cycles at most without a reset\n",
          "others", s->fills, s->resets, s->longest);
}

static void print_withheld(FILE *out, const conform_setup_t *s, const conform_seen_t *seen) {
  for (unsigned i = 0; i < CONFORM_WITHHELD; i++) {
    const conform_withheld_t kind = (conform_withheld_t)i;
    if (seen ? seen->withheld[i] == 0 : !conform_withheld_may(kind, &s->cfg, &s->has)) continue;
    fprintf(out, "  %-12s%s", "not offered", conform_withheld_text(kind));
    if (seen) fprintf(out, " (%" PRIu64 " cycles)", seen->withheld[i]);
    fputc('\n', out);
  }
}

void conform_verdict_reach(FILE *out, const conform_setup_t *s, const conform_seen_t *seen) {
  if (seen) print_seen(out, seen);
  verdict_assumptions(s->bind->map, out);
  conform_assume_print(out, s->bind);
  print_withheld(out, s, seen);
}
