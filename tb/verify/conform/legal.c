/* SPDX-License-Identifier: Apache-2.0 */
/* What the environment may offer, and what it withholds because of the map. */
#include "verify/conform/model.h"

const char *conform_withheld_text(conform_withheld_t kind) {
  static const char *const texts[] = {
#define WITHHELD(id, text) text,
#include "verify/conform/withheld.def"
#undef WITHHELD
  };
  return texts[kind];
}

void conform_seen_add(conform_seen_t *to, const conform_seen_t *more) {
  for (unsigned i = 0; i < CONFORM_READS; i++) {
    to->offered[i] += more->offered[i];
    to->accepted[i] += more->accepted[i];
  }
  for (unsigned i = 0; i < CONFORM_WITHHELD; i++) to->withheld[i] += more->withheld[i];
  to->fills += more->fills;
  to->resets += more->resets;
  if (more->longest > to->longest) to->longest = more->longest;
}

bool conform_undecided_tells(const conform_has_t *h) {
  return !h->merge && (!h->line || h->line_addr || (h->ticket && h->line_ticket));
}

/* Whether the map cannot tell which entry a read of an arrived line is in. */
static bool blind(const conform_has_t *h) {
  return !h->merge && !conform_undecided_tells(h);
}

bool conform_withheld_may(conform_withheld_t kind, const conform_cfg_t *c,
                          const conform_has_t *has) {
  const uint32_t all = c->ENTRIES * c->MERGES;
  switch (kind) {
  case CONFORM_WITHHELD_STALL:
    return !has->answer_ready;
  case CONFORM_WITHHELD_LINE_STALL:
    return has->line && !has->line_ready;
  case CONFORM_WITHHELD_HOLD:
    return has->hold;
  case CONFORM_WITHHELD_TAGS:
    return 1u << c->TAG_W <= (c->READS && c->READS < all ? c->READS : all);
  case CONFORM_WITHHELD_BLIND:
    return blind(has);
  case CONFORM_WITHHELD_UNDECIDED:
    return !has->merge && !has->line;
  case CONFORM_WITHHELD:
    break;
  }
  return false;
}

static void withhold(conform_model_t *m, conform_withheld_t kind, bool drawn) {
  m->seen.withheld[kind] += drawn;
}

/* Withholds stalls that the design cannot see. */
static void stalls(conform_model_t *m, conform_in_t *in) {
  if (!m->has.answer_ready) {
    withhold(m, CONFORM_WITHHELD_STALL, !in->answer_ready_i);
    in->answer_ready_i = 1;
  }
  if (!m->has.line_ready && m->has.line)
    withhold(m, CONFORM_WITHHELD_LINE_STALL, !in->line_ready_i);
  if (!m->has.line_ready) in->line_ready_i = 1;
}

/* Offers a refused read again, if the design requires that it be held. */
static void hold(conform_model_t *m, conform_in_t *in) {
  const conform_in_t *last = &m->last_in;
  if (!m->has.hold || !in->srst_ni || !last->srst_ni || !last->read_valid_i || m->last.read_ready_o)
    return;
  withhold(m, CONFORM_WITHHELD_HOLD, !in->read_valid_i || in->read_addr_i != last->read_addr_i);
  in->read_valid_i = 1;
  in->read_addr_i = last->read_addr_i;
  in->read_tag_i = last->read_tag_i;
}

static void fills(conform_model_t *m, conform_in_t *in) {
  const conform_entry_t *f = NULL;
  if (m->was_fill && in->srst_ni) {
    in->fill_valid_i = 1;
    in->fill_addr_i = m->last_in.fill_addr_i;
  }
  for (unsigned i = 0; in->fill_valid_i && i < m->n && !f; i++)
    if (m->e[i].addr == in->fill_addr_i && m->e[i].requested && !m->e[i].filled) f = &m->e[i];
  in->fill_valid_i = f != NULL;
  in->fill_addr_i = f ? f->addr : 0;
  in->fill_ticket_i = f ? f->ticket : 0;
  bool undecided = false;
  for (unsigned i = 0; i < m->n && !m->has.merge && !m->has.line; i++)
    undecided |= m->e[i].maybe > 0 && m->e[i].maybe == m->e[i].n;
  withhold(m, CONFORM_WITHHELD_UNDECIDED, undecided && in->srst_ni);
}

static void reads(conform_model_t *m, conform_in_t *in) {
  const unsigned tags = 1u << m->cfg.TAG_W;
  const conform_entry_t *e =
      in->read_valid_i && blind(&m->has) ? conform_model_find(m, in->read_addr_i) : NULL;
  if (e && (e->filled || (in->fill_valid_i && in->fill_addr_i == e->addr))) {
    withhold(m, CONFORM_WITHHELD_BLIND, true);
    in->read_valid_i = 0;
  }
  unsigned k = 0;
  while (in->read_valid_i && k < tags && m->of[(in->read_tag_i + k) % tags]) k++;
  withhold(m, CONFORM_WITHHELD_TAGS, k == tags);
  if (k == tags) in->read_valid_i = 0;
  in->read_tag_i = (in->read_tag_i + k) % tags;
  if (!in->read_valid_i) in->read_addr_i = in->read_tag_i = 0;
}

void conform_model_legal(conform_model_t *m, conform_in_t *in) {
  stalls(m, in);
  if (!in->srst_ni) in->read_valid_i = in->fill_valid_i = 0;
  hold(m, in);
  fills(m, in);
  reads(m, in);
}
