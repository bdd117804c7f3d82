/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/contract/contract.h"

#include <string.h>

const contract_clause_t *contract_clause(const contract_t *of, unsigned number) {
  return &of->clause[number - 1];
}

unsigned contract_clause_number(const contract_t *of, const char *text) {
  for (unsigned i = 1; i <= of->n_clauses; i++) {
    char number[12];
    snprintf(number, sizeof number, "%u", i);
    if (strcmp(text, number) == 0 || strcmp(text, contract_clause(of, i)->name) == 0) return i;
  }
  return 0;
}

void contract_broke(contract_broken_t *b, uint32_t off, unsigned clause, const char *format,
                    va_list ap) {
  if (b->clause || (off >> clause & 1)) return;
  b->clause = clause;
  vsnprintf(b->text, sizeof b->text, format, ap);
}
