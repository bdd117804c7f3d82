/* SPDX-License-Identifier: Apache-2.0 */
/* The transactions of a table's case, and what makes them simpler. */
#include "verify/conform/table.h"

typedef enum { READ, FILL, STALL, LINE_STALL, RESET } source_t;

static const conform_in_t *of(const uint64_t *in) {
  return (const conform_in_t *)(const void *)in;
}

bool conform_shorter_has(const contract_setup_t *s, const uint64_t *row, unsigned source) {
  const conform_in_t *in = of(row);
  const conform_has_t *has = conform_has(s);
  switch ((source_t)source) {
  case READ:
    return in->read_valid_i;
  case FILL:
    return in->fill_valid_i;
  case STALL:
    return has->answer_ready && !in->answer_ready_i && in->srst_ni;
  case LINE_STALL:
    return has->line && has->line_ready && !in->line_ready_i && in->srst_ni;
  case RESET:
    return !in->srst_ni;
  }
  return false;
}

void conform_shorter_silence(const contract_setup_t *s, uint64_t *row, unsigned source) {
  conform_in_t *in = (conform_in_t *)(void *)row;
  (void)s;
  switch ((source_t)source) {
  case READ:
    in->read_valid_i = in->read_addr_i = in->read_tag_i = 0;
    break;
  case FILL:
    in->fill_valid_i = in->fill_addr_i = in->fill_ticket_i = 0;
    break;
  case STALL:
    in->answer_ready_i = 1;
    break;
  case LINE_STALL:
    in->line_ready_i = 1;
    break;
  case RESET:
    in->srst_ni = 1;
    break;
  }
}

/* A fill or read that was not taken and is offered again, or the next cycle of a reset, belongs to
 * the cycle before. */
bool conform_shorter_goes_with(const contract_setup_t *s, const uint64_t *before,
                               const uint64_t *row, unsigned source) {
  const conform_in_t *in = of(row), *was = of(before);
  (void)s;
  if (source == RESET) return !was->srst_ni;
  if (source == READ)
    return was->read_valid_i && was->read_addr_i == in->read_addr_i &&
           was->read_tag_i == in->read_tag_i;
  return source == FILL && was->fill_valid_i && was->fill_addr_i == in->fill_addr_i;
}

static conform_in_t *row(contract_case_t *c, size_t t) {
  return (conform_in_t *)(void *)contract_row(&conform_contract, c, t);
}

/* Replaces line `from` by `to` wherever it occurs. */
static void rename_line(contract_case_t *c, uint64_t from, uint64_t to) {
  for (size_t t = 0; t < c->n; t++) {
    conform_in_t *in = row(c, t);
    if (in->read_valid_i && in->read_addr_i == from) in->read_addr_i = to;
    if (in->fill_valid_i && in->fill_addr_i == from) in->fill_addr_i = to;
  }
}

/* For each cycle: its line becomes 0, 1, 2 or 3, unless another line is that; its tag becomes 0. */
contract_simpler_t conform_shorter_simpler(const contract_setup_t *s, contract_case_t *c, size_t k,
                                           bool apply) {
  enum { LINES = 4 };
  const size_t t = CONTRACT_HEAD + k / (LINES + 1);
  const uint64_t to = k % (LINES + 1);
  if (t >= c->n) return CONTRACT_END;
  conform_in_t *in = row(c, t);
  if (!in->read_valid_i) return CONTRACT_SKIP;
  if (to == LINES) {
    if (apply) in->read_tag_i = 0;
    return in->read_tag_i || apply ? CONTRACT_TRY : CONTRACT_SKIP;
  }
  if (apply) {
    rename_line(c, in->read_addr_i, to);
    return CONTRACT_TRY;
  }
  if (to >= in->read_addr_i || to > bits_mask(conform_sizes(s->cfg)->ADDR_W)) return CONTRACT_SKIP;
  for (size_t i = CONTRACT_HEAD; i < c->n; i++) /* two lines must not become one */
    if (row(c, i)->read_valid_i && row(c, i)->read_addr_i == to) return CONTRACT_SKIP;
  return CONTRACT_TRY;
}

int conform_shorter_compare(const contract_setup_t *s, const uint64_t *a, const uint64_t *b) {
  const conform_in_t *x = of(a), *y = of(b);
  (void)s;
  if (x->read_addr_i != y->read_addr_i) return x->read_addr_i < y->read_addr_i ? -1 : 1;
  if (x->read_tag_i != y->read_tag_i) return x->read_tag_i < y->read_tag_i ? -1 : 1;
  return 0;
}
