/* SPDX-License-Identifier: Apache-2.0 */
/* Reads for which it is not yet decided whether they merged. */
#include "verify/conform/parts.h"

bool conform_undecided(const conform_entry_t *e) {
  return e->maybe > 0 && e->maybe == e->n;
}

conform_entry_t *conform_undecided_before(conform_model_t *m, const conform_entry_t *e) {
  for (const conform_entry_t *b = e; b-- > m->e;)
    if (b->addr == e->addr) return &m->e[b - m->e];
  return NULL;
}

static const conform_entry_t *after(const conform_model_t *m, unsigned i) {
  for (unsigned k = i + 1; k < m->n; k++)
    if (m->e[k].addr == m->e[i].addr) return &m->e[k];
  return NULL;
}

bool conform_undecided_keeps(const conform_model_t *m, unsigned i) {
  const conform_entry_t *next = m->has.merge ? NULL : after(m, i);
  return next && next->maybe > 0;
}

/* Whether entry i surely counts: it has reads that are its own for certain, or undecided reads that
 * are either its own or those of an entry before it that does not count. */
static bool surely(const conform_model_t *m, unsigned i) {
  const conform_entry_t *e = &m->e[i];
  if (e->n == 0 || e->n > e->maybe) return e->n > 0;
  for (unsigned k = i; k-- > 0;)
    if (m->e[k].addr == e->addr) return !surely(m, k);
  return true;
}

unsigned conform_undecided_used(const conform_model_t *m, uint64_t addr, bool most) {
  unsigned used = 0;
  for (unsigned i = 0; i < m->n; i++)
    used += m->e[i].addr % m->cfg.SETS == addr % m->cfg.SETS && (most || surely(m, i));
  return used;
}

/* At most `maybe` of the entry's reads are still undecided. */
static void decide(conform_model_t *m, conform_entry_t *e, unsigned maybe) {
  const bool was = conform_undecided(e);
  if (maybe >= e->maybe) return;
  e->maybe = (uint16_t)maybe;
  m->closing = true;
  if (!was || m->has.line) return;
  e->requested = true;
  m->fills++;
}

/* The oldest `n` reads of the entry had merged into the one before it. Entries move if the entry
 * has no others. */
static void give_back(conform_model_t *m, conform_entry_t *e, unsigned n) {
  conform_entry_t *b = conform_undecided_before(m, e);
  for (; n > 0; n--) {
    const uint16_t tag = e->tag[e->head];
    if (b->n >= m->cfg.MERGES)
      conform_broke(m, CONFORM_MERGES, "more reads than MERGES wait for line 0x%llx",
                    (unsigned long long)e->addr);
    b->tag[(b->head + b->n++) % CONFORM_LIST] = tag;
    m->of[tag] = b->number + 1;
    e->head = (uint16_t)((e->head + 1) % CONFORM_LIST);
    e->n--;
    e->maybe--;
  }
  m->closing = true;
  if (e->n > 0) return;
  /* the entry never existed */
  for (const conform_entry_t *end = m->e + --m->n; e < end; e++) *e = e[1];
}

/* Decides a read of a line that has arrived by the number of its entry. */
static conform_entry_t *by_ticket(conform_model_t *m, conform_entry_t *e, uint64_t ticket,
                                  bool *maybe) {
  const bool same = e->ticket == ticket;
  if (conform_undecided(e) && same) return *maybe = true, e;
  if (conform_undecided(e)) return give_back(m, e, e->n), NULL;
  if (same && e->n > 0) return e;
  *maybe = same; /* its number becomes free in this cycle */
  return NULL;
}

conform_entry_t *conform_undecided_read(conform_model_t *m, const conform_in_t *in,
                                        const conform_out_t *out, bool *maybe) {
  conform_entry_t *e = conform_model_find(m, in->read_addr_i);
  *maybe = false;
  if (!e || (!e->filled && !conform_undecided(e))) return e;
  if (m->has.ticket) return by_ticket(m, e, out->read_ticket_o, maybe);
  *maybe = true;
  return conform_undecided(e) ? e : NULL;
}

bool conform_undecided_answer(conform_model_t *m, conform_entry_t *e, unsigned place) {
  const conform_entry_t *b = place < e->maybe ? conform_undecided_before(m, e) : NULL;
  if (!b) return false;
  if (!e->filled) return give_back(m, e, place + 1), true;
  /* Both entries have arrived. Behind a read of the entry before, or of its own, the order clause
   * makes it the first read of this one. */
  if (!(m->off >> CONFORM_ORDER & 1) && (place > 0 || b->n > 0)) decide(m, e, place);
  return false;
}

void conform_undecided_left(conform_model_t *m, conform_entry_t *e) {
  e->waits = 0;
  for (unsigned i = 0; i < m->n && !m->has.merge; i++)
    if (m->e[i].addr == e->addr) m->e[i].waits = 0;
}

void conform_undecided_asked(conform_model_t *m, conform_entry_t *e) {
  if (e->maybe == e->n && e->n > 0) decide(m, e, e->n - 1u);
}

void conform_undecided_wait(conform_model_t *m) {
  for (unsigned i = 0; i < m->n && !m->has.merge; i++) {
    const conform_entry_t *b = m->e[i].maybe ? conform_undecided_before(m, &m->e[i]) : NULL;
    if (b && b->n == 0 && b->waits > m->patience) decide(m, &m->e[i], 0);
  }
}
