/* SPDX-License-Identifier: Apache-2.0 */
/* Steps that remove transactions and idle cycles. */
#include "cosim/shrink/entries.h"
#include "cosim/shrink/steps.h"

#include <string.h>

enum {
  MOST_SHIFTS = 4,   /* places from which a partner is searched for */
  MOST_TRIPLES = 28, /* up to this many transactions, any three are tried */
  MOST_VALUES = 128, /* values of an input that are tried */
  MOST_WIDTH = 9,    /* width of an input that is an index */
};

/* Lists the best case's transactions of the sources in `mask`; mask 0 lists its idle cycles. */
static void drop_items(const search_t *s, uint32_t mask, items_t *items) {
  items->n = 0;
  for (uint64_t t = search_head(s); t < s->best.n; t++) {
    uint32_t active = sources_active(&s->sources, vectors_cycle(&s->best, t));
    if (mask == 0 && !active) items->items[items->n++] = (item_t){t, 0};
    for (active &= mask; active; active &= active - 1)
      items->items[items->n++] = (item_t){t, active & (~active + 1)};
  }
}

static void silence(search_t *s, const item_t *item) {
  sources_silence(&s->sources, item->source, search_cycle(s, item->cycle));
}

/* Makes the trial from the best case, without n items from `at` on. */
static void without(search_t *s, drop_t kind, const item_t *items, uint64_t n) {
  if (kind != GAPS) {
    search_begin(s);
    for (uint64_t k = 0; k < n; k++) silence(s, &items[k]);
    if (kind == ENTRIES) entries_follow(s);
    return;
  }
  uint64_t to = 0, from = 0;
  for (uint64_t k = 0; k < n; k++) {
    search_copy(&s->trial, to, &s->best, from, items[k].cycle - from);
    to = s->trial.n;
    from = items[k].cycle + 1;
  }
  search_copy(&s->trial, to, &s->best, from, s->best.n - from);
}

/* Tries without all idle cycles at once. */
static void drop_gaps_at_once(search_t *s, items_t *items) {
  drop_items(s, 0, items);
  if (items->n == 0) return;
  without(s, GAPS, items->items, items->n);
  search_try(s);
}

void shrink_drop(search_t *s, drop_t kind, items_t *items) {
  const uint32_t mask = kind == GAPS ? 0 : UINT32_MAX;
  if (kind == ENTRIES && !s->entries) return;
  drop_items(s, mask, items);
  for (uint64_t size = items->n; size > 0; size /= 2) {
    bool some = false;
    for (uint64_t at = 0; at < items->n && search_goes_on(s);) {
      const uint64_t n = items->n - at < size ? items->n - at : size;
      without(s, kind, items->items + at, n);
      if (search_try(s)) {
        some = true;
        drop_items(s, mask, items);
      } else {
        at += n;
      }
    }
    if (some && kind != GAPS) { /* it makes the following trials faster */
      drop_gaps_at_once(s, items);
      drop_items(s, mask, items);
    }
  }
}

/* ---- by value ---- */

/* Makes the trial from the best case, without the transactions in which an input of the kin is
 * `value`, or (`others`) without those in which it has another value. */
static void without_value(search_t *s, const kin_t *kin, uint64_t value, bool others) {
  search_begin(s);
  for (uint64_t t = search_head(s); t < s->best.n; t++) {
    const uint64_t *in = vectors_cycle(&s->best, t);
    uint32_t mask = 0;
    for (unsigned k = 0; k < kin->n; k++)
      if ((in[kin->words[k]] == value) != others) mask |= UINT32_C(1) << kin->sources[k];
    sources_silence(&s->sources, mask, search_cycle(s, t));
  }
}

/* The values of the last cycles come first, because the difference is there. */
static void drop_kin(search_t *s, const kin_t *kin, bool others) {
  uint64_t tried[MOST_VALUES];
  unsigned n = 0;
  for (uint64_t t = s->best.n; t-- > search_head(s) && n < MOST_VALUES && search_goes_on(s);) {
    for (unsigned k = 0; k < kin->n && n < MOST_VALUES && t < s->best.n; k++) {
      const uint64_t value = vectors_cycle(&s->best, t)[kin->words[k]];
      bool before = false;
      for (unsigned i = 0; i < n; i++) before = before || tried[i] == value;
      if (before) continue;
      tried[n++] = value;
      without_value(s, kin, value, others);
      if (search_try(s) && others) return;
    }
  }
}

void drop_by_value(search_t *s) {
  for (int others = 1; others >= 0; others--)
    for (unsigned i = 0; i < s->best.cls->n_in; i++) {
      const unsigned width = s->sources.in[i].width;
      kin_t kin;
      if (!fields_has(s, i) || width < 2 || width > MOST_WIDTH) continue;
      fields_kin(s, i, true, &kin);
      drop_kin(s, &kin, others == 1);
    }
}

/* ---- matched runs of several sources ---- */

/* A set of sources and their transactions. */
typedef struct {
  uint32_t set, lead; /* lead: the first source of the set */
  uint64_t n_lead;    /* transactions of the lead */
  uint64_t size;      /* how many of the lead to remove, and of each other source */
  unsigned shift;     /* how many of the others, from the first on, are kept */
  bool follow;        /* entries follow (shrink/entries.h) */
} match_t;

static void match_list(const search_t *s, match_t *m, items_t *items) {
  drop_items(s, m->set, items);
  m->lead = m->set & (~m->set + 1);
  m->n_lead = 0;
  for (uint64_t k = 0; k < items->n; k++) m->n_lead += items->items[k].source == m->lead;
}

/* Silences `size` of the lead's items from its `at`-th on, and as many of each other source,
 * beginning no earlier than the lead's. Returns false if another source has too few. */
static bool without_match(search_t *s, const match_t *m, const items_t *items, uint64_t at) {
  search_begin(s);
  uint64_t seen = 0, first = UINT64_MAX, begin = 0;
  for (uint64_t k = 0; k < items->n; k++) {
    if (items->items[k].source != m->lead) continue;
    if (seen >= at && seen < at + m->size) silence(s, &items->items[k]);
    if (seen++ == at) first = items->items[k].cycle, begin = k;
  }
  if (first == UINT64_MAX) return false;
  while (begin > 0 && items->items[begin - 1].cycle == first) begin--;
  for (uint32_t left = m->set & ~m->lead; left; left &= left - 1) {
    const uint32_t source = left & (~left + 1);
    uint64_t others = 0;
    for (uint64_t k = begin; k < items->n && others < m->shift + m->size; k++) {
      if (items->items[k].source != source) continue;
      if (others++ >= m->shift) silence(s, &items->items[k]);
    }
    if (others < m->shift + m->size) return false;
  }
  if (m->follow) entries_follow(s);
  return true;
}

/* Tries all positions in the lead, at one size and shift. */
static void drop_at(search_t *s, match_t *m, items_t *items) {
  for (uint64_t at = 0; at < m->n_lead && search_goes_on(s);) {
    if (without_match(s, m, items, at) && search_try(s))
      match_list(s, m, items);
    else
      at += m->size;
  }
}

static void drop_size(search_t *s, match_t *m, uint64_t size, items_t *items) {
  if (size == 0 || size > m->n_lead) return;
  m->size = size;
  for (m->shift = 0; m->shift < MOST_SHIFTS && m->shift < size + 2; m->shift++)
    for (int follow = 0; follow <= (s->entries != NULL) && search_goes_on(s); follow++) {
      m->follow = follow == 1;
      drop_at(s, m, items);
    }
}

/* A full turn of a ring is as long as a parameter says. Where the ring's pointer matters, no
 * shorter run can be removed, so the parameters' values are tried as sizes too. */
static void drop_set(search_t *s, uint32_t set, items_t *items) {
  match_t m = {.set = set};
  match_list(s, &m, items);
  for (uint64_t size = m.n_lead; size > 0; size /= 2) drop_size(s, &m, size, items);
  for (unsigned i = 0; i < s->best.cls->n_params; i++) drop_size(s, &m, s->best.cfg[i], items);
}

static void drop_lives(search_t *s, uint64_t size) {
  for (uint64_t at = 0; size > 0 && search_goes_on(s) && at < entries_allocations(s);)
    if (!entries_without(s, at, size) || !search_try(s)) at += size;
}

void drop_entries(search_t *s, items_t *items) {
  if (!s->entries) return;
  for (uint64_t size = entries_allocations(s); size > 0; size /= 2) drop_lives(s, size);
  for (unsigned i = 0; i < s->best.cls->n_params; i++) drop_lives(s, s->best.cfg[i]);
  drop_gaps_at_once(s, items);
}

void drop_matched(search_t *s, items_t *items) {
  uint32_t all = 0;
  if (!s->sources.starts_reset) return; /* no state is held from one cycle to the next */
  for (uint64_t t = search_head(s); t < s->best.n; t++)
    all |= sources_active(&s->sources, vectors_cycle(&s->best, t));
  all &= ~UINT32_C(1); /* the reset is the first source */
  for (uint32_t set = all; set; set = (set - 1) & all)
    if (set & (set - 1)) drop_set(s, set, items);
  drop_gaps_at_once(s, items);
}

/* ---- any two, any three ---- */

/* Tries without items i, j and k; k may equal j. */
static bool drop_three(search_t *s, const items_t *items, uint64_t i, uint64_t j, uint64_t k) {
  for (int follow = 0; follow <= (s->entries != NULL); follow++) {
    search_begin(s);
    silence(s, &items->items[i]);
    silence(s, &items->items[j]);
    silence(s, &items->items[k]);
    if (follow) entries_follow(s);
    if (search_try(s)) return true;
  }
  return false;
}

static void drop_triples(search_t *s, items_t *items) {
  for (uint64_t i = 0; i + 2 < items->n; i++)
    for (uint64_t j = i + 1; j + 1 < items->n; j++)
      for (uint64_t k = j + 1; k < items->n; k++) {
        if (!search_goes_on(s)) return;
        if (drop_three(s, items, i, j, k)) {
          drop_items(s, UINT32_MAX, items);
          j = i, k = items->n;
        }
      }
}

void drop_pairs(search_t *s, items_t *items) {
  drop_items(s, UINT32_MAX, items);
  for (uint64_t apart = 1; apart < items->n; apart++)
    for (uint64_t i = 0; i + apart < items->n;) {
      if (!search_goes_on(s)) return;
      if (drop_three(s, items, i, i + apart, i + apart))
        drop_items(s, UINT32_MAX, items);
      else
        i++;
    }
  drop_gaps_at_once(s, items);
  drop_items(s, UINT32_MAX, items);
  if (items->n <= MOST_TRIPLES) drop_triples(s, items);
}
