/* SPDX-License-Identifier: Apache-2.0 */
/* The event of a read: it is accepted or refused. */
#include "verify/conform/parts.h"

#include <inttypes.h>

typedef struct {
  bool full, lists;
} room_t;

/* The reads that may wait in the line's entry: while some are undecided, those of the entry before
 * count as well. */
static unsigned waiting(conform_model_t *m, const conform_entry_t *e) {
  const conform_entry_t *b = e && e->maybe ? conform_undecided_before(m, e) : NULL;
  return e ? e->n + (b ? b->n : 0u) : 0;
}

/* What may be in use at most: a refusal may refer to that much. */
static room_t room(conform_model_t *m, uint64_t addr, const conform_entry_t *e) {
  const conform_cfg_t *c = &m->cfg;
  return (room_t){.full = conform_undecided_used(m, addr, true) >= c->ENTRIES / c->SETS,
                  .lists = waiting(m, e) >= c->MERGES || (c->READS && m->reads >= c->READS)};
}

static void refused(conform_model_t *m, const conform_in_t *in, const conform_out_t *out,
                    conform_entry_t *e, unsigned had, uint32_t reads) {
  const conform_cfg_t *c = &m->cfg;
  const room_t now = room(m, in->read_addr_i, e);
  const bool joins = e && e->n > e->maybe && !e->filled && !(m->off >> CONFORM_ONE_ENTRY & 1);
  const bool full = now.full && !joins;
  const bool lists = now.lists || had >= c->MERGES || (c->READS && reads >= c->READS);
  const bool stale = c->SLACK && m->since_answer <= c->SLACK;
  const bool fair = in->answer_ready_i && (in->line_ready_i || !m->has.line_ready);
  m->refused = full || lists ? 0 : m->refused + fair;
  if (m->refused > m->patience)
    conform_broke(m, CONFORM_PROGRESS,
                  "a read of line 0x%" PRIx64
                  ", for which there is room, is not accepted for %" PRIu32 " cycles",
                  in->read_addr_i, m->refused);
  if (!m->has.refuse) return;
  const unsigned why = (unsigned)out->read_refuse_o;
  const unsigned clause = m->since_reset < 4 && m->n == 0 ? CONFORM_RESET : CONFORM_REFUSAL;
  if (why == 0)
    conform_broke(m, clause, "a read of line 0x%" PRIx64 " is refused without a reason",
                  in->read_addr_i);
  if (why == 1 && !full && !stale)
    conform_broke(m, clause,
                  "a read of line 0x%" PRIx64 " is refused, no entry being free: %u of %" PRIu32
                  " are in use%s",
                  in->read_addr_i, m->n, c->ENTRIES, e ? ", one by this line" : "");
  if (why == 2 && !lists && !stale)
    conform_broke(m, clause,
                  "a read of line 0x%" PRIx64
                  " is refused, no place for it being free: %u of %" PRIu32 " are taken",
                  in->read_addr_i, e ? (unsigned)e->n : 0u, c->MERGES);
}

/* The entry that the read says it joins, or NULL for a new one. */
static conform_entry_t *merges(conform_model_t *m, const conform_in_t *in,
                               const conform_out_t *out) {
  conform_entry_t *e = conform_model_find(m, in->read_addr_i);
  if (!out->read_merge_o && e && !e->filled)
    conform_broke(m, CONFORM_ONE_ENTRY, "a second entry for line 0x%" PRIx64 ", which is awaited",
                  in->read_addr_i);
  if (out->read_merge_o && !e)
    conform_broke(m, CONFORM_ONE_ENTRY,
                  "a read of line 0x%" PRIx64 " merges, but the line has no entry",
                  in->read_addr_i);
  return out->read_merge_o ? e : NULL;
}

/* Whether the read surely opens an entry. An undecided read does not, while the entry that it may
 * be in has reads. */
static bool opens(conform_model_t *m, uint64_t addr, bool maybe) {
  const conform_entry_t *e = maybe ? conform_model_find(m, addr) : NULL;
  return !e || e->n == 0;
}

static conform_entry_t *new_entry(conform_model_t *m, const conform_in_t *in,
                                  const conform_out_t *out, bool maybe, bool now) {
  const uint32_t most = m->cfg.ENTRIES / m->cfg.SETS;
  const unsigned used = conform_undecided_used(m, in->read_addr_i, false);
  if ((used >= most && opens(m, in->read_addr_i, maybe) && !now) || m->n == CONFORM_OPEN)
    conform_broke(m, CONFORM_ENTRIES,
                  "an entry for line 0x%" PRIx64 ", but all %" PRIu32 " are in use",
                  in->read_addr_i, most);
  for (unsigned i = 0; m->has.ticket && i < m->n; i++)
    if (m->e[i].n && m->e[i].ticket == out->read_ticket_o)
      conform_broke(m, CONFORM_ENTRIES,
                    "number %" PRIu64 " is given to line 0x%" PRIx64 "; line 0x%" PRIx64 " has it",
                    out->read_ticket_o, in->read_addr_i, m->e[i].addr);
  if (m->broken.clause || m->n == CONFORM_OPEN) return NULL;
  conform_entry_t *e = &m->e[m->n++];
  e->addr = in->read_addr_i;
  e->ticket = m->has.ticket ? out->read_ticket_o : 0;
  e->waits = e->idle = 0;
  e->n = e->head = e->maybe = 0;
  e->filled = false;
  e->requested = !m->has.line && !maybe;
  e->number = m->entries_made++;
  m->fills += e->requested;
  return e;
}

/* Breaks a clause if the read may not join this entry. */
static void check_joins(conform_model_t *m, const conform_in_t *in, const conform_out_t *out,
                        const conform_entry_t *e) {
  const conform_cfg_t *c = &m->cfg;
  if (m->has.ticket && e->ticket != out->read_ticket_o)
    conform_broke(m, CONFORM_ONE_ENTRY,
                  "a read of line 0x%" PRIx64 " merges into entry %" PRIu64
                  "; its line has %" PRIu64,
                  in->read_addr_i, out->read_ticket_o, e->ticket);
  if (e->n - e->maybe >= (int)c->MERGES || (e->maybe && waiting(m, e) >= 2 * c->MERGES))
    conform_broke(m, CONFORM_MERGES, "one read more of line 0x%" PRIx64 ", for which %u wait",
                  in->read_addr_i, (unsigned)e->n);
}

void conform_read(conform_model_t *m, const conform_in_t *in, const conform_out_t *out,
                  unsigned had, uint32_t reads, bool now) {
  const conform_cfg_t *c = &m->cfg;
  bool maybe = false;
  if (!in->read_valid_i) return;
  if (!out->read_ready_o) {
    refused(m, in, out, conform_model_find(m, in->read_addr_i), had, reads);
    return;
  }
  m->refused = 0;
  conform_entry_t *e =
      m->has.merge ? merges(m, in, out) : conform_undecided_read(m, in, out, &maybe);
  if (e && !now) check_joins(m, in, out, e);
  if (c->READS && m->reads >= c->READS && !now)
    conform_broke(m, CONFORM_MERGES, "one read more; %" PRIu32 " wait", m->reads);
  if (!e && !m->broken.clause) e = new_entry(m, in, out, maybe, now);
  if (!e || m->broken.clause || e->n == CONFORM_LIST) return;
  m->late[in->read_tag_i] = e->filled || maybe;
  e->tag[(e->head + e->n++) % CONFORM_LIST] = (uint16_t)in->read_tag_i;
  e->maybe = (uint16_t)(e->maybe + maybe);
  m->of[in->read_tag_i] = e->number + 1;
  m->before[in->read_tag_i] = 0;
  m->reads++;
}
