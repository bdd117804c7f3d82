/* SPDX-License-Identifier: Apache-2.0 */
/* Processes the events of a cycle in this order: the fill, the answers, the read, the request for a
 * line, and last the answer of a read that is accepted in this cycle. */
#include "verify/conform/parts.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

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

void conform_broke(conform_model_t *m, unsigned clause, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  contract_broke(&m->broken, m->off, clause, format, ap);
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
  m->seen.resets += m->seen.steady > 0;
  m->seen.steady = 0;
  m->was_fill = m->was_answer = m->was_line = false;
}

/* Whether a read that merged after its line had arrived is answered in this cycle. Reading a
 * leaving line again and again keeps the other reads waiting, so such cycles count against nobody's
 * patience. */
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
      conform_broke(m, CONFORM_FILL_TAKEN,
                    "the fill of line 0x%" PRIx64 " is not taken for %" PRIu32 " cycles",
                    in->fill_addr_i, m->unfilled);
    return;
  }
  m->unfilled = 0;
  for (unsigned i = 0; i < m->n; i++) {
    conform_entry_t *e = &m->e[i];
    if (e->addr != in->fill_addr_i || e->filled || !e->requested) continue;
    e->filled = true;
    e->waits = 0;
    m->fills--;
    m->seen.fills++;
    return;
  }
}

/* ---- the answers ---- */

static conform_entry_t *entry_of(conform_model_t *m, uint32_t tag) {
  for (unsigned i = 0; i < m->n; i++)
    if (m->e[i].number == m->of[tag] - 1u) return &m->e[i];
  return NULL;
}

/* The place of a read in its entry, counted from the oldest; the entry holds the read. */
static unsigned place_of(const conform_entry_t *e, uint32_t tag) {
  unsigned k = 0;
  while (k < e->n && e->tag[(e->head + k) % CONFORM_LIST] != tag) k++;
  return k;
}

static void take_out(conform_entry_t *e, unsigned place) {
  e->maybe = (uint16_t)(e->maybe - (place < e->maybe));
  for (; place > 0; place--)
    e->tag[(e->head + place) % CONFORM_LIST] = e->tag[(e->head + place - 1) % CONFORM_LIST];
  e->head = (uint16_t)((e->head + 1) % CONFORM_LIST);
  e->n--;
}

/* The read's entry, as its answer decides it; *place: the read's place in that entry. */
static conform_entry_t *told(conform_model_t *m, uint32_t tag, unsigned *place) {
  conform_entry_t *e = entry_of(m, tag);
  *place = place_of(e, tag);
  if (!conform_undecided_answer(m, e, *place)) return e;
  e = entry_of(m, tag);
  *place = place_of(e, tag);
  return e;
}

static void one_answer(conform_model_t *m, uint32_t tag, uint64_t addr) {
  unsigned place;
  if (!m->of[tag]) {
    if (m->before[tag])
      conform_broke(m, CONFORM_RESET,
                    "an answer with tag 0x%" PRIx32 ", a read from before the reset", tag);
    else
      conform_broke(m, CONFORM_ONCE,
                    "an answer with tag 0x%" PRIx32 ", which no outstanding read has", tag);
    return;
  }
  conform_entry_t *e = told(m, tag, &place);
  if (!e->filled)
    conform_broke(m, CONFORM_AFTER_FILL,
                  "tag 0x%" PRIx32 " is answered, but line 0x%" PRIx64 " has not arrived", tag,
                  e->addr);
  if (m->has.answer_addr && addr != e->addr)
    conform_broke(m, CONFORM_ADDRESS,
                  "tag 0x%" PRIx32 " is answered as of line 0x%" PRIx64 "; it is of 0x%" PRIx64,
                  tag, addr, e->addr);
  if (place > e->maybe)
    conform_broke(m, CONFORM_ORDER,
                  "tag 0x%" PRIx32 " of line 0x%" PRIx64 " is answered before the older tag 0x%x",
                  tag, e->addr, (unsigned)e->tag[(e->head + e->maybe) % CONFORM_LIST]);
  take_out(e, place);
  conform_undecided_left(m, e);
  m->of[tag] = 0;
  m->reads--;
  m->closing = true;
}

static bool same_answers(const conform_model_t *m, const conform_out_t *out) {
  const conform_cfg_t *c = &m->cfg;
  if ((out->answer_valid_o & m->was_ways) != m->was_ways) return false;
  for (unsigned w = 0; w < c->WAYS; w++) {
    if (!(m->was_ways >> w & 1)) continue;
    if (conform_way(out->answer_tag_o, w, c->TAG_W) !=
        conform_way(m->last.answer_tag_o, w, c->TAG_W))
      return false;
  }
  return true;
}

/* Whether the answer in way w belongs to the read that is offered in this cycle. */
static bool of_this_read(const conform_model_t *m, const conform_in_t *in, const conform_out_t *out,
                         unsigned w) {
  return in->read_valid_i && !m->of[in->read_tag_i] && (out->answer_valid_o >> w & 1) &&
         conform_way(out->answer_tag_o, w, m->cfg.TAG_W) == in->read_tag_i;
}

/* An answer that was offered and not taken must stay, except the answer of a read that was not
 * accepted, which may vanish with the read. */
static void held(conform_model_t *m, const conform_in_t *in, const conform_out_t *out) {
  if (m->was_answer && !same_answers(m, out))
    conform_broke(
        m, CONFORM_HELD,
        "an answer that was offered and not taken (tag 0x%" PRIx64 ") has vanished or changed",
        conform_way(m->last.answer_tag_o, (unsigned)__builtin_ctzll(m->was_ways), m->cfg.TAG_W));
  m->was_ways = in->answer_ready_i ? 0 : out->answer_valid_o;
  for (unsigned w = 0; w < m->cfg.WAYS && m->was_ways && !out->read_ready_o; w++)
    if (of_this_read(m, in, out, w)) m->was_ways &= ~(UINT64_C(1) << w);
  m->was_answer = m->was_ways != 0;
}

/* Whether `tag`, answered in a younger way than this cycle's read, belongs to the entry that this
 * read joins. */
static bool overtaken(conform_model_t *m, const conform_in_t *in, uint32_t tag) {
  const conform_entry_t *e = m->of[tag] ? entry_of(m, tag) : NULL;
  return e && e == conform_model_find(m, in->read_addr_i);
}

/* Returns the way that answers the read accepted in this cycle, which is processed last; WAYS if
 * none does. */
static unsigned answers(conform_model_t *m, const conform_in_t *in, const conform_out_t *out,
                        bool counts) {
  const conform_cfg_t *c = &m->cfg;
  unsigned now = c->WAYS;
  held(m, in, out);
  if (!in->answer_ready_i) return now;
  for (unsigned i = 0; i < m->n; i++) m->e[i].waits += m->e[i].filled && counts;
  for (uint64_t left = out->answer_valid_o; left && !m->broken.clause; left &= left - 1) {
    const unsigned w = (unsigned)__builtin_ctzll(left);
    const uint32_t tag = (uint32_t)conform_way(out->answer_tag_o, w, c->TAG_W);
    if (now == c->WAYS && out->read_ready_o && of_this_read(m, in, out, w)) {
      now = w;
      continue;
    }
    if (now < w && overtaken(m, in, tag))
      conform_broke(m, CONFORM_ORDER,
                    "tag 0x%" PRIx64 ", accepted in this cycle, is answered before tag 0x%" PRIx32,
                    in->read_tag_i, tag);
    one_answer(m, tag, m->has.answer_addr ? conform_way(out->answer_addr_o, w, c->ADDR_W) : 0);
  }
  for (unsigned i = 0; i < m->n; i++)
    if (m->e[i].n && m->e[i].waits > m->patience)
      conform_broke(m, CONFORM_ANSWERED,
                    "tag 0x%x of line 0x%" PRIx64
                    ", which has arrived, is not answered for %" PRIu32 " cycles",
                    (unsigned)m->e[i].tag[m->e[i].head], m->e[i].addr, m->e[i].waits);
  conform_undecided_wait(m);
  return now;
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
    conform_broke(m, CONFORM_HELD, "a request that was made and not taken has vanished or changed");
  m->was_line = out->line_valid_o && !in->line_ready_i;
  unsigned i = 0;
  while (i < m->n && !asks(m, &m->e[i], out)) i++;
  if (out->line_valid_o && i == m->n)
    conform_broke(m, m->since_reset < 2 && m->n == 0 ? CONFORM_RESET : CONFORM_REQUESTED,
                  "line 0x%" PRIx64 " is requested, but no entry needs it", out->line_addr_o);
  if (out->line_valid_o && i < m->n) conform_undecided_asked(m, &m->e[i]);
  if (out->line_valid_o && in->line_ready_i && i < m->n) {
    if (m->has.line_ticket && !m->has.ticket) m->e[i].ticket = out->line_ticket_o;
    m->e[i].requested = true;
    m->fills++;
  }
  for (i = 0; i < m->n && in->line_ready_i; i++)
    if (!m->e[i].requested && !conform_undecided(&m->e[i]) && ++m->e[i].idle > m->patience)
      conform_broke(m, CONFORM_REQUESTED,
                    "line 0x%" PRIx64 " is not requested within %" PRIu32 " cycles", m->e[i].addr,
                    m->e[i].idle);
}

/* ---- a cycle ---- */

static void close_entries(conform_model_t *m) {
  unsigned left = 0;
  for (unsigned i = 0; i < m->n; i++) {
    if (m->e[i].n == 0 && !conform_undecided_keeps(m, i)) {
      m->fills -= m->e[i].requested && !m->e[i].filled;
      continue;
    }
    if (left != i) m->e[left] = m->e[i];
    left++;
  }
  m->n = left;
  m->closing = false;
}

static void busy(conform_model_t *m, const conform_out_t *out) {
  m->quiet = m->n == 0 ? m->quiet + 1 : 0;
  if (!m->has.busy) return;
  if (m->n > 0 && !out->busy_o)
    conform_broke(m, CONFORM_LEAK,
                  "the table says that it is empty; %" PRIu32 " reads are outstanding", m->reads);
  if (m->n == 0 && out->busy_o && m->quiet > m->cfg.SLACK + 2)
    conform_broke(m, m->since_reset == m->quiet - 1 ? CONFORM_RESET : CONFORM_LEAK,
                  "the table says that it is busy; nothing is outstanding for %" PRIu32 " cycles",
                  m->quiet);
}

/* The kind of the read. */
static unsigned kind_of(const conform_in_t *in, const conform_entry_t *e, bool filled) {
  if (!e || !filled) return CONFORM_ANY;
  return in->fill_valid_i && in->fill_addr_i == e->addr ? CONFORM_ARRIVING : CONFORM_LEAVING;
}

static void see(conform_model_t *m, const conform_in_t *in, const conform_out_t *out) {
  conform_seen_t *s = &m->seen;
  if (++s->steady > s->longest) s->longest = s->steady;
  if (!in->read_valid_i) return;
  const conform_entry_t *e = conform_model_find(m, in->read_addr_i);
  const unsigned kind = kind_of(in, e, e && e->filled);
  s->offered[CONFORM_ANY]++;
  s->accepted[CONFORM_ANY] += out->read_ready_o;
  if (kind == CONFORM_ANY) return;
  s->offered[kind]++;
  s->accepted[kind] += out->read_ready_o;
}

/* Processes the answer of the read that is accepted in this cycle. */
static void last_answer(conform_model_t *m, const conform_in_t *in, const conform_out_t *out,
                        unsigned way) {
  if (way == m->cfg.WAYS || m->broken.clause) return;
  one_answer(m, (uint32_t)in->read_tag_i,
             m->has.answer_addr ? conform_way(out->answer_addr_o, way, m->cfg.ADDR_W) : 0);
}

bool conform_model_cycle(conform_model_t *m, const conform_in_t *in, const conform_out_t *out) {
  m->cycle++;
  if (!in->srst_ni) {
    reset(m);
    m->last_in = *in;
    return true;
  }
  const conform_entry_t *e = in->read_valid_i ? conform_model_find(m, in->read_addr_i) : NULL;
  const unsigned had = e ? e->n : 0;
  const uint32_t reads = m->reads;
  busy(m, out);
  const bool counts = !late_answer(m, in, out);
  m->since_answer = out->answer_valid_o && in->answer_ready_i ? 0 : m->since_answer + 1;
  fill(m, in, !m->has.fill_ready || out->fill_ready_o, counts);
  see(m, in, out);
  const unsigned now = answers(m, in, out, counts);
  conform_read(m, in, out, had, reads, now < m->cfg.WAYS);
  line(m, in, out);
  last_answer(m, in, out, now);
  if (m->closing) close_entries(m);
  m->since_reset++;
  m->last_in = *in;
  m->last = *out;
  return m->broken.clause == 0;
}
