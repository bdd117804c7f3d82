/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/streams/items.h"

#include <string.h>

enum { PAST = 32, STARVED = 16 /* times patience, while others pass */ };

const char *items_kind(items_kind_t kind) {
  static const char *const names[] = {"good",  "payload", "lost", "doubled",
                                      "order", "made up", "late"};
  return names[kind];
}

void items_range_add(items_range_t *r, int64_t value) {
  if (r->n == 0 || value < r->least) r->least = value;
  if (r->n == 0 || value > r->most) r->most = value;
  r->sum += value;
  r->n++;
}

void items_open(items_t *m, const streams_spec_t *spec, uint64_t patience) {
  *m = (items_t){.spec = spec, .patience = patience};
  m->words = 1 + (spec->payload.width + 63) / 64;
}

void items_close(items_t *m) {
  for (unsigned s = 0; s < 2; s++) {
    items_list_close(&m->ahead[s]);
    items_list_close(&m->past[s]);
    items_list_close(&m->tail[s]);
  }
}

void items_reset(items_t *m) {
  for (unsigned s = 0; s < 2; s++) {
    m->ahead[s].n = m->past[s].n = 0;
    m->seen[s] = 0;
  }
}

static bool same(const items_t *m, const items_item_t *a, const items_item_t *b) {
  return memcmp(a->w, b->w, m->words * sizeof *a->w) == 0;
}

static void push(items_t *m, items_list_t *l, const items_item_t *item) {
  if (!items_list_push(l, item)) m->out_of_memory = true;
}

static void remember(items_t *m, unsigned side, const items_item_t *item) {
  push(m, &m->past[side], item);
  if (m->past[side].n > PAST) items_list_pop(&m->past[side]);
}

/* ---- mismatches ------------------------------------------------------------------------------- */

/* The two items do not agree: the rest of the list, and what comes later, will tell. */
static void broken_pair(items_t *m, unsigned side, const items_item_t *mine,
                        const items_item_t *other) {
  const unsigned o = 1 - side;
  m->broken = true;
  m->side = 1;
  m->has_expected = m->has_came = true;
  m->expected = side == 0 ? *mine : *other;
  m->came = side == 1 ? *mine : *other;
  push(m, &m->tail[side], mine);
  push(m, &m->tail[o], other);
  for (size_t i = 0; i < m->ahead[o].n; i++) push(m, &m->tail[o], items_list_at(&m->ahead[o], i));
}

static bool find_twin(items_t *m, unsigned side, const items_item_t *item) {
  for (size_t i = m->past[side].n; i-- > 0;) {
    const items_item_t *p = items_list_at(&m->past[side], i);
    if (p->n == item->n || !same(m, p, item)) continue;
    m->twin = *p;
    return true;
  }
  return false;
}

/* `item` of `side` has no counterpart on the other side. */
static void alone(items_t *m, unsigned side, const items_item_t *item, items_kind_t missing) {
  m->broken = true;
  m->side = 1;
  if (side == 0) {
    m->kind = missing;
    m->has_expected = true;
    m->expected = *item;
  } else {
    m->kind = find_twin(m, 1, item) ? ITEMS_DOUBLED : ITEMS_MADE_UP;
    m->has_came = true;
    m->came = *item;
  }
}

static void goes_after(items_t *m, unsigned side, const items_item_t *item) {
  if (m->tail[side].n < ITEMS_AFTER) push(m, &m->tail[side], item);
}

void items_unasked(items_t *m, unsigned side, uint64_t cycle, const uint64_t *w) {
  items_item_t item = {.n = m->seen[side]++, .cycle = cycle};
  memcpy(item.w, w, m->words * sizeof *w);
  if (m->broken) {
    goes_after(m, side, &item);
    return;
  }
  m->broken = m->has_came = m->unasked = true;
  m->side = side;
  m->came = item;
  m->kind = find_twin(m, side, &item) ? ITEMS_DOUBLED : ITEMS_MADE_UP;
}

/* ---- items ------------------------------------------------------------------------------------ */

static void matched(items_t *m, unsigned side, const items_item_t *mine,
                    const items_item_t *other) {
  const int64_t later = (int64_t)(mine->cycle - other->cycle);
  items_range_add(&m->later, side == 1 ? later : -later);
  m->compared++;
}

static void in_order(items_t *m, unsigned side, const items_item_t *item) {
  const items_item_t *first = items_list_at(&m->ahead[1 - side], 0);
  if (!first) {
    push(m, &m->ahead[side], item);
    return;
  }
  const items_item_t other = *first;
  items_list_pop(&m->ahead[1 - side]);
  if (same(m, item, &other))
    matched(m, side, item, &other);
  else
    broken_pair(m, side, item, &other);
}

static void by_tag(items_t *m, unsigned side, const items_item_t *item) {
  items_list_t *l = &m->ahead[1 - side];
  for (size_t i = 0; i < l->n; i++) {
    const items_item_t other = *items_list_at(l, i);
    if (other.w[0] != item->w[0]) continue;
    items_list_remove(l, i);
    if (same(m, item, &other)) {
      matched(m, side, item, &other);
    } else {
      broken_pair(m, side, item, &other);
      m->kind = ITEMS_PAYLOAD;
    }
    return;
  }
  push(m, &m->ahead[side], item);
}

void items_item(items_t *m, unsigned side, uint64_t cycle, const uint64_t *w) {
  items_item_t item = {.n = m->seen[side]++, .cycle = cycle, .ready = m->ready[1 - side]};
  memcpy(item.w, w, m->words * sizeof *w);
  m->moved[side] = m->ready[side];
  if (m->broken) {
    goes_after(m, side, &item);
    return;
  }
  if (m->spec->has_tag)
    by_tag(m, side, &item);
  else
    in_order(m, side, &item);
  remember(m, side, &item);
}

void items_wait(items_t *m) {
  const bool bounded = m->spec->latency <= MAP_LATENCY_MOST;
  /* A slow side has up to 64 items to send before the one that is awaited. */
  for (unsigned s = 0; s < 2 && !m->broken; s++) {
    const items_item_t *first = items_list_at(&m->ahead[s], 0);
    if (!first) continue;
    const uint64_t waited = m->ready[1 - s] - first->ready;
    const bool late = s == 0 && bounded && waited > m->spec->latency;
    const uint64_t idle = m->ready[1 - s] - m->moved[1 - s];
    const bool lost =
        waited > STARVED * m->patience || (waited > m->patience && idle > m->patience);
    if (late || lost) alone(m, s, first, late ? ITEMS_LATE : ITEMS_LOST);
  }
}

void items_end(items_t *m) {
  for (unsigned s = 0; s < 2 && !m->broken; s++)
    if (m->ahead[s].n > 0) alone(m, s, items_list_at(&m->ahead[s], 0), ITEMS_LOST);
}

/* ---- the judgement ---------------------------------------------------------------------------- */

bool items_known(const items_t *m) {
  return m->broken &&
         (m->kind != ITEMS_GOOD || (m->tail[0].n >= ITEMS_AFTER && m->tail[1].n >= ITEMS_AFTER));
}

/* Where `item` stands in a tail: from 1 on, 0 if it does not. */
static size_t stands(const items_t *m, const items_list_t *tail, const items_item_t *item) {
  for (size_t i = 1; i < tail->n; i++)
    if (same(m, items_list_at(tail, i), item)) return i;
  return 0;
}

/* Whether the rest of a tail from `i` on agrees with the other from `k` on, as far as both go; at
 * least one item must. If nothing follows, both must go as far. */
static bool goes_on(const items_t *m, size_t i, size_t k) {
  size_t n = 0;
  if (m->complete && m->tail[0].n - i != m->tail[1].n - k && m->tail[0].n < ITEMS_AFTER &&
      m->tail[1].n < ITEMS_AFTER)
    return false;
  for (; items_list_at(&m->tail[0], i + n) && items_list_at(&m->tail[1], k + n); n++)
    if (!same(m, items_list_at(&m->tail[0], i + n), items_list_at(&m->tail[1], k + n)))
      return false;
  return n > 0;
}

void items_judge(items_t *m) {
  if (m->kind != ITEMS_GOOD) return;
  const size_t later = stands(m, &m->tail[1], &m->expected); /* the expected item comes after all */
  const size_t early = stands(m, &m->tail[0], &m->came);
  if (goes_on(m, 0, 1))
    m->kind = find_twin(m, 1, &m->came) ? ITEMS_DOUBLED : ITEMS_MADE_UP;
  else if (goes_on(m, 1, 1))
    m->kind = ITEMS_PAYLOAD;
  else if (early && (!later || goes_on(m, early, 0)))
    m->kind = ITEMS_LOST;
  else if (early && later)
    m->kind = ITEMS_ORDER;
  else
    m->kind = ITEMS_PAYLOAD;
}
