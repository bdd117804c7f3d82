/* SPDX-License-Identifier: Apache-2.0 */
/* Events in a cycle, in this order: the fill, the answers, the read, the request for a line. */
#include "verify/conform/model.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const conform_clause_t *conform_clause(unsigned number) {
  static const conform_clause_t clauses[] = {
#define CLAUSE(number, id, name, text) {name, text},
#include "verify/conform/clauses.def"
#undef CLAUSE
  };
  return &clauses[number - 1];
}

unsigned conform_clause_number(const char *text) {
  for (unsigned i = 1; i <= CONFORM_CLAUSES; i++) {
    char number[4];
    snprintf(number, sizeof number, "%u", i);
    if (strcmp(text, number) == 0 || strcmp(text, conform_clause(i)->name) == 0) return i;
  }
  return 0;
}

void conform_model_start(conform_model_t *m, const conform_cfg_t *cfg, const conform_has_t *has,
                         uint32_t off) {
  memset(m, 0, sizeof *m);
  m->cfg = *cfg;
  m->has = *has;
  m->off = off;
  m->limit = cfg->ENTRIES;
  const uint32_t all = cfg->ENTRIES * cfg->MERGES;
  m->patience = 64 + 2 * (cfg->READS && cfg->READS < all ? cfg->READS : all);
}

uint64_t conform_way(const uint64_t *words, unsigned w, unsigned width) {
  const unsigned at = w * width, k = at / 64, shift = at % 64;
  uint64_t v = words[k] >> shift;
  if (shift + width > 64) v |= words[k + 1] << (64 - shift);
  return v & bits_mask(width);
}

__attribute__((format(printf, 3, 4))) static void broke(conform_model_t *m, unsigned clause,
                                                        const char *format, ...) {
  if (m->clause || (m->off >> clause & 1)) return;
  va_list ap;
  m->clause = clause;
  va_start(ap, format);
  vsnprintf(m->text, sizeof m->text, format, ap);
  va_end(ap);
}

conform_entry_t *conform_model_find(conform_model_t *m, uint64_t addr) {
  for (unsigned i = m->n; i-- > 0;)
    if (m->e[i].addr == addr) return &m->e[i];
  return NULL;
}

static void reset(conform_model_t *m) {
  const unsigned tags = 1u << m->cfg.TAG_W;
  for (unsigned t = 0; m->reads && t < tags; t++) {
    if (m->of[t]) m->before[t] = 1;
    m->of[t] = 0;
  }
  m->n = 0;
  m->reads = m->fills = m->refused = m->unfilled = m->quiet = m->since_reset = 0;
  m->since_answer = UINT32_MAX / 2;
  m->was_fill = m->was_answer = m->was_line = false;
}

/* Whether a read that merged after its line had arrived is answered in this cycle: reads of a line on and on while it
 * leaves keep the others waiting, and such cycles count for nobody. */
static bool late_answer(const conform_model_t *m, const conform_in_t *in,
                        const conform_out_t *out) {
  const conform_cfg_t *c = &m->cfg;
  if (!in->answer_ready_i) return false;
  for (unsigned w = 0; w < c->WAYS; w++) {
    const uint64_t tag = conform_way(out->answer_tag_o, w, c->TAG_W);
    if ((out->answer_valid_o >> w & 1) && m->of[tag] && m->late[tag]) return true;
  }
  return false;
}

/* ---- the fill ---- */

static void fill(conform_model_t *m, const conform_in_t *in, bool ready, bool counts) {
  m->was_fill = in->fill_valid_i && !ready;
  if (!in->fill_valid_i) {
    m->unfilled = 0;
    return;
  }
  if (!ready) {
    if (in->answer_ready_i && (m->unfilled += counts) > m->patience)
      broke(m, CONFORM_FILL_TAKEN,
            "the fill of line 0x%" PRIx64 " is not taken for %" PRIu32 " cycles", in->fill_addr_i,
            m->unfilled);
    return;
  }
  m->unfilled = 0;
  for (unsigned i = 0; i < m->n; i++) {
    conform_entry_t *e = &m->e[i];
    if (e->addr != in->fill_addr_i || e->filled || !e->requested) continue;
    e->filled = true;
    e->waits = 0;
    m->fills--;
    return;
  }
}

/* ---- the answers ---- */

static conform_entry_t *entry_of(conform_model_t *m, uint32_t tag) {
  for (unsigned i = 0; i < m->n; i++)
    if (m->e[i].number == m->of[tag] - 1u) return &m->e[i];
  return NULL;
}

/* The place of a read in its entry, from the oldest; it is there. */
static unsigned place_of(const conform_entry_t *e, uint32_t tag) {
  unsigned k = 0;
  while (k < e->n && e->tag[(e->head + k) % CONFORM_LIST] != tag) k++;
  return k;
}

static void take_out(conform_entry_t *e, unsigned place) {
  for (; place > 0; place--)
    e->tag[(e->head + place) % CONFORM_LIST] = e->tag[(e->head + place - 1) % CONFORM_LIST];
  e->head = (uint16_t)((e->head + 1) % CONFORM_LIST);
  e->n--;
}

static void one_answer(conform_model_t *m, uint32_t tag, uint64_t addr) {
  if (!m->of[tag]) {
    if (m->before[tag])
      broke(m, CONFORM_RESET, "an answer with tag 0x%" PRIx32 ", a read of before the reset", tag);
    else
      broke(m, CONFORM_ONCE, "an answer with tag 0x%" PRIx32 ", which no outstanding read has",
            tag);
    return;
  }
  conform_entry_t *e = entry_of(m, tag);
  const unsigned place = place_of(e, tag);
  if (!e->filled)
    broke(m, CONFORM_AFTER_FILL,
          "tag 0x%" PRIx32 " is answered, but line 0x%" PRIx64 " has not arrived", tag, e->addr);
  if (m->has.answer_addr && addr != e->addr)
    broke(m, CONFORM_ADDRESS,
          "tag 0x%" PRIx32 " is answered as of line 0x%" PRIx64 "; it is of 0x%" PRIx64, tag, addr,
          e->addr);
  if (place > 0)
    broke(m, CONFORM_ORDER,
          "tag 0x%" PRIx32 " of line 0x%" PRIx64 " is answered before the older tag 0x%x", tag,
          e->addr, (unsigned)e->tag[e->head]);
  take_out(e, place);
  e->waits = 0;
  m->of[tag] = 0;
  m->reads--;
}

static bool same_answers(const conform_model_t *m, const conform_out_t *out) {
  const conform_cfg_t *c = &m->cfg;
  if ((out->answer_valid_o & m->last.answer_valid_o) != m->last.answer_valid_o) return false;
  for (unsigned w = 0; w < c->WAYS; w++) {
    if (!(m->last.answer_valid_o >> w & 1)) continue;
    if (conform_way(out->answer_tag_o, w, c->TAG_W) !=
        conform_way(m->last.answer_tag_o, w, c->TAG_W))
      return false;
  }
  return true;
}

static void answers(conform_model_t *m, const conform_in_t *in, const conform_out_t *out,
                    bool counts) {
  const conform_cfg_t *c = &m->cfg;
  if (m->was_answer && !same_answers(m, out))
    broke(m, CONFORM_HELD,
          "an answer that was offered and not taken (tag 0x%" PRIx64 ") is gone or changed",
          conform_way(m->last.answer_tag_o,
                      (unsigned)__builtin_ctzll(m->last.answer_valid_o | 1u << 31), c->TAG_W));
  m->was_answer = out->answer_valid_o && !in->answer_ready_i;
  if (!in->answer_ready_i) return;
  for (unsigned i = 0; i < m->n; i++) m->e[i].waits += m->e[i].filled && counts;
  for (uint64_t left = out->answer_valid_o; left && !m->clause; left &= left - 1) {
    const unsigned w = (unsigned)__builtin_ctzll(left);
    one_answer(m, (uint32_t)conform_way(out->answer_tag_o, w, c->TAG_W),
               m->has.answer_addr ? conform_way(out->answer_addr_o, w, c->ADDR_W) : 0);
  }
  for (unsigned i = 0; i < m->n; i++)
    if (m->e[i].n && m->e[i].waits > m->patience)
      broke(m, CONFORM_ANSWERED,
            "tag 0x%x of line 0x%" PRIx64 ", which has arrived, is not answered for %" PRIu32
            " cycles",
            (unsigned)m->e[i].tag[m->e[i].head], m->e[i].addr, m->e[i].waits);
}

/* ---- the read ---- */

typedef struct {
  bool full, lists;
} room_t;

/* Entries that count: those which, after the answers of this cycle, still have reads. */
static room_t room(const conform_model_t *m, uint64_t addr, const conform_entry_t *e, bool left) {
  const conform_cfg_t *c = &m->cfg;
  unsigned used = 0;
  for (unsigned i = 0; i < m->n; i++)
    used += (m->e[i].n > 0 || !left) && m->e[i].addr % c->SETS == addr % c->SETS;
  return (room_t){.full = used >= c->ENTRIES / c->SETS,
                  .lists = (e && e->n >= c->MERGES) || (c->READS && m->reads >= c->READS)};
}

static void refused(conform_model_t *m, const conform_in_t *in, const conform_out_t *out,
                    conform_entry_t *e, unsigned had, uint32_t reads) {
  const conform_cfg_t *c = &m->cfg;
  const room_t now = room(m, in->read_addr_i, e, false);
  const bool joins = e && e->n && !e->filled && !(m->off >> CONFORM_ONE_ENTRY & 1);
  const bool full = now.full && !joins;
  const bool lists = now.lists || had >= c->MERGES || (c->READS && reads >= c->READS);
  const bool stale = c->SLACK && m->since_answer <= c->SLACK;
  const bool fair = in->answer_ready_i && (in->line_ready_i || !m->has.line_ready);
  m->refused = full || lists ? 0 : m->refused + fair;
  if (m->refused > m->patience)
    broke(m, CONFORM_PROGRESS,
          "a read of line 0x%" PRIx64 ", for which there is room, is not accepted for %" PRIu32
          " cycles",
          in->read_addr_i, m->refused);
  if (!m->has.refuse) return;
  const unsigned why = (unsigned)out->read_refuse_o;
  const unsigned clause = m->since_reset < 4 && m->n == 0 ? CONFORM_RESET : CONFORM_REFUSAL;
  if (why == 0)
    broke(m, clause, "a read of line 0x%" PRIx64 " is refused without a reason", in->read_addr_i);
  if (why == 1 && !full && !stale)
    broke(m, clause,
          "a read of line 0x%" PRIx64 " is refused, no entry being free: %u of %" PRIu32
          " are in use%s",
          in->read_addr_i, m->n, c->ENTRIES, e ? ", one by this line" : "");
  if (why == 2 && !lists && !stale)
    broke(m, clause,
          "a read of line 0x%" PRIx64 " is refused, no place for it being free: %u of %" PRIu32
          " are taken",
          in->read_addr_i, e ? (unsigned)e->n : 0u, c->MERGES);
}

static bool merges(conform_model_t *m, const conform_in_t *in, const conform_out_t *out,
                   const conform_entry_t *e) {
  if (!m->has.merge) return e != NULL;
  if (!out->read_merge_o && e && !e->filled)
    broke(m, CONFORM_ONE_ENTRY, "a second entry for line 0x%" PRIx64 ", which is awaited",
          in->read_addr_i);
  if (out->read_merge_o && !e)
    broke(m, CONFORM_ONE_ENTRY, "a read of line 0x%" PRIx64 " merges, but the line has no entry",
          in->read_addr_i);
  return out->read_merge_o;
}

static conform_entry_t *new_entry(conform_model_t *m, const conform_in_t *in,
                                  const conform_out_t *out) {
  if (room(m, in->read_addr_i, NULL, true).full || m->n == CONFORM_OPEN)
    broke(m, CONFORM_ENTRIES, "an entry for line 0x%" PRIx64 ", but all %" PRIu32 " are in use",
          in->read_addr_i, m->cfg.ENTRIES / m->cfg.SETS);
  for (unsigned i = 0; m->has.ticket && i < m->n; i++)
    if (m->e[i].n && m->e[i].ticket == out->read_ticket_o)
      broke(m, CONFORM_ENTRIES,
            "number %" PRIu64 " is given to line 0x%" PRIx64 "; line 0x%" PRIx64 " has it",
            out->read_ticket_o, in->read_addr_i, m->e[i].addr);
  if (m->clause || m->n == CONFORM_OPEN) return NULL;
  conform_entry_t *e = &m->e[m->n++];
  e->addr = in->read_addr_i;
  e->ticket = m->has.ticket ? out->read_ticket_o : 0;
  e->waits = e->idle = 0;
  e->n = e->head = 0;
  e->filled = false;
  e->requested = !m->has.line;
  e->number = m->entries_made++ % 0xffff;
  m->fills += e->requested;
  return e;
}

static void read_event(conform_model_t *m, const conform_in_t *in, const conform_out_t *out,
                       unsigned had, uint32_t reads) {
  const conform_cfg_t *c = &m->cfg;
  if (!in->read_valid_i) return;
  conform_entry_t *e = conform_model_find(m, in->read_addr_i);
  if (!out->read_ready_o) {
    refused(m, in, out, e, had, reads);
    return;
  }
  m->refused = 0;
  if (!merges(m, in, out, e)) e = NULL;
  if (m->has.ticket && e && e->ticket != out->read_ticket_o)
    broke(m, CONFORM_ONE_ENTRY,
          "a read of line 0x%" PRIx64 " merges into entry %" PRIu64 "; its line has %" PRIu64,
          in->read_addr_i, out->read_ticket_o, e->ticket);
  if (e && e->n >= c->MERGES)
    broke(m, CONFORM_MERGES, "one read more of line 0x%" PRIx64 ", for which %u wait",
          in->read_addr_i, (unsigned)e->n);
  if (c->READS && m->reads >= c->READS)
    broke(m, CONFORM_MERGES, "one read more; %" PRIu32 " wait", m->reads);
  if (!e && !m->clause) e = new_entry(m, in, out);
  if (!e || m->clause || e->n == CONFORM_LIST) return;
  m->late[in->read_tag_i] = e->filled;
  e->tag[(e->head + e->n++) % CONFORM_LIST] = (uint16_t)in->read_tag_i;
  m->of[in->read_tag_i] = (uint16_t)(e->number + 1);
  m->before[in->read_tag_i] = 0;
  m->reads++;
}

/* ---- the request ---- */

static bool asks(const conform_model_t *m, const conform_entry_t *e, const conform_out_t *out) {
  return !e->requested && (!m->has.line_addr || e->addr == out->line_addr_o) &&
         (!m->has.line_ticket || !m->has.ticket || e->ticket == out->line_ticket_o);
}

static void line(conform_model_t *m, const conform_in_t *in, const conform_out_t *out) {
  if (!m->has.line) return;
  const bool changed = (m->has.line_addr && out->line_addr_o != m->last.line_addr_o) ||
                       (m->has.line_ticket && out->line_ticket_o != m->last.line_ticket_o);
  if (m->was_line && (!out->line_valid_o || changed))
    broke(m, CONFORM_HELD, "a request that was made and not taken is gone or changed");
  m->was_line = out->line_valid_o && !in->line_ready_i;
  unsigned i = 0;
  while (i < m->n && !asks(m, &m->e[i], out)) i++;
  if (out->line_valid_o && i == m->n)
    broke(m, m->since_reset < 2 && m->n == 0 ? CONFORM_RESET : CONFORM_REQUESTED,
          "line 0x%" PRIx64 " is asked for, but no entry has to ask for it", out->line_addr_o);
  if (out->line_valid_o && in->line_ready_i && i < m->n) {
    if (m->has.line_ticket && !m->has.ticket) m->e[i].ticket = out->line_ticket_o;
    m->e[i].requested = true;
    m->fills++;
  }
  for (i = 0; i < m->n && in->line_ready_i; i++)
    if (!m->e[i].requested && ++m->e[i].idle > m->patience)
      broke(m, CONFORM_REQUESTED, "line 0x%" PRIx64 " is not asked for in %" PRIu32 " cycles",
            m->e[i].addr, m->e[i].idle);
}

/* ---- a cycle ---- */

static void close_entries(conform_model_t *m) {
  unsigned left = 0;
  for (unsigned i = 0; i < m->n; i++) {
    if (m->e[i].n == 0) {
      m->fills -= m->e[i].requested && !m->e[i].filled;
      continue;
    }
    if (left != i) m->e[left] = m->e[i];
    left++;
  }
  m->n = left;
}

static void busy(conform_model_t *m, const conform_out_t *out) {
  m->quiet = m->n == 0 ? m->quiet + 1 : 0;
  if (!m->has.busy) return;
  if (m->n > 0 && !out->busy_o)
    broke(m, CONFORM_LEAK, "the table says that it is empty; %" PRIu32 " reads are outstanding",
          m->reads);
  if (m->n == 0 && out->busy_o && m->quiet > m->cfg.SLACK + 2)
    broke(m, m->since_reset == m->quiet - 1 ? CONFORM_RESET : CONFORM_LEAK,
          "the table says that it is busy; nothing is outstanding for %" PRIu32 " cycles",
          m->quiet);
}

bool conform_model_cycle(conform_model_t *m, const conform_in_t *in, const conform_out_t *out) {
  m->cycle++;
  if (!in->rst_ni) {
    reset(m);
    m->last_in = *in;
    return true;
  }
  conform_entry_t *e = in->read_valid_i ? conform_model_find(m, in->read_addr_i) : NULL;
  const unsigned had = e ? e->n : 0;
  const uint32_t reads = m->reads;
  const unsigned open = m->n;
  busy(m, out);
  const bool counts = !late_answer(m, in, out);
  m->since_answer = out->answer_valid_o && in->answer_ready_i ? 0 : m->since_answer + 1;
  fill(m, in, !m->has.fill_ready || out->fill_ready_o, counts);
  answers(m, in, out, counts);
  read_event(m, in, out, had, reads);
  line(m, in, out);
  if (m->reads < reads || m->n != open || m->reads == 0) close_entries(m);
  m->since_reset++;
  m->last_in = *in;
  m->last = *out;
  return m->clause == 0;
}

void conform_model_legal(const conform_model_t *m, conform_in_t *in) {
  const conform_cfg_t *c = &m->cfg;
  const unsigned tags = 1u << c->TAG_W;
  if (!m->has.answer_ready) in->answer_ready_i = 1;
  if (!m->has.line_ready) in->line_ready_i = 1;
  if (!in->rst_ni) in->read_valid_i = in->fill_valid_i = 0;
  const bool held = m->has.hold && in->rst_ni && m->last_in.rst_ni && m->last_in.read_valid_i &&
                    !m->last.read_ready_o;
  if (held) {
    in->read_valid_i = 1;
    in->read_addr_i = m->last_in.read_addr_i;
    in->read_tag_i = m->last_in.read_tag_i;
    if (!m->has.merge && in->fill_addr_i == in->read_addr_i) in->fill_valid_i = 0;
  }
  const bool again = m->was_fill && in->rst_ni;
  if (again) {
    in->fill_valid_i = 1;
    in->fill_addr_i = m->last_in.fill_addr_i;
  }
  const conform_entry_t *f = NULL;
  for (unsigned i = 0; in->fill_valid_i && i < m->n && !f; i++)
    if (m->e[i].addr == in->fill_addr_i && m->e[i].requested && !m->e[i].filled) f = &m->e[i];
  in->fill_valid_i = f != NULL;
  in->fill_addr_i = f ? f->addr : 0;
  in->fill_ticket_i = f ? f->ticket : 0;
  if (in->read_valid_i && !m->has.merge)
    for (unsigned i = 0; i < m->n; i++)
      if (m->e[i].addr == in->read_addr_i && (m->e[i].filled || f == &m->e[i]))
        in->read_valid_i = 0;
  unsigned k = 0;
  while (in->read_valid_i && k < tags && m->of[(in->read_tag_i + k) % tags]) k++;
  if (k == tags) in->read_valid_i = 0;
  in->read_tag_i = (in->read_tag_i + k) % tags;
  if (!in->read_valid_i) in->read_addr_i = in->read_tag_i = 0;
}
