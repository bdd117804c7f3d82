/* SPDX-License-Identifier: Apache-2.0 */
/* Steps that lower the values of inputs. */
#include "cosim/shrink/steps.h"

#include <string.h>

enum { SMALL_VALUES = 4, MOST_PARTS = 16 };

static bool same_kind(const char *a, const char *b) {
  return strcmp(a + strcspn(a, "_"), b + strcspn(b, "_")) == 0;
}

void fields_kin(const search_t *s, unsigned port, bool all, kin_t *kin) {
  const module_port_t *in = s->sources.in;
  kin->n = 0;
  for (unsigned i = 0; i < s->best.cls->n_in; i++)
    if (i == port || (all && in[i].width <= 64 && same_kind(in[i].name, in[port].name)))
      kin->sources[kin->n] = s->sources.source[i], kin->words[kin->n++] = in[i].word;
}

/* Replaces every occurrence of `old` by `new`. */
static void replace(search_t *s, const kin_t *kin, uint64_t old, uint64_t new) {
  search_begin(s);
  for (uint64_t t = search_head(s); t < s->trial.n; t++)
    for (unsigned k = 0; k < kin->n; k++) {
      uint64_t *value = search_cycle(s, t) + kin->words[k];
      if (*value == old) *value = new;
    }
}

static bool seen_before(const search_t *s, uint64_t at, unsigned word, uint64_t value) {
  for (uint64_t t = search_head(s); t < at; t++)
    if (vectors_cycle(&s->best, t)[word] == value) return true;
  return false;
}

/* Lowers equal values together, so that an address that must be the same in several transactions
 * stays the same. */
static void lower_values(search_t *s, unsigned port, bool all) {
  const unsigned word = s->sources.in[port].word;
  kin_t kin;
  fields_kin(s, port, all, &kin);
  if (all && kin.n == 1) return;
  for (uint64_t t = search_head(s); t < s->best.n && search_goes_on(s); t++) {
    const uint64_t value = vectors_cycle(&s->best, t)[word];
    if (value == s->sources.idle[word] || seen_before(s, t, word, value)) continue;
    bool done = false;
    for (uint64_t low = 0; low < SMALL_VALUES && low < value && !done; low++) {
      replace(s, &kin, value, low);
      done = search_try(s);
    }
  }
}

/* Lowers each value alone: to idle, or else to as few bits as possible. */
static void lower_alone(search_t *s, unsigned port) {
  const module_port_t *p = &s->sources.in[port];
  for (uint64_t t = search_head(s); t < s->best.n && search_goes_on(s); t++) {
    if (sources_port_idle(&s->sources, port, vectors_cycle(&s->best, t))) continue;
    search_begin(s);
    sources_port_clear(&s->sources, port, search_cycle(s, t));
    if (search_try(s)) continue;
    for (unsigned b = p->width < 64 ? p->width : 64; p->width <= 64 && b-- > 0 && t < s->best.n;) {
      uint64_t value = vectors_cycle(&s->best, t)[p->word], bit = UINT64_C(1) << b;
      if (!(value & bit) || value == bit) continue;
      search_begin(s);
      search_cycle(s, t)[p->word] = value & ~bit;
      search_try(s);
    }
  }
}

bool fields_has(const search_t *s, unsigned port) {
  const char *name = s->sources.in[port].name;
  return !sources_strobe(name) && strcmp(name, "srst_ni") != 0;
}

void fields_lower(search_t *s) {
  for (unsigned i = 0; i < s->best.cls->n_in && search_goes_on(s); i++) {
    if (!fields_has(s, i)) continue;
    if (s->sources.in[i].width <= 64) {
      lower_values(s, i, true);
      lower_values(s, i, false);
    }
    lower_alone(s, i);
  }
}

/* Sets all values of `kin` in n cycles from `at` on to `low`. Returns false if they have that value
 * already. */
static bool flatten(search_t *s, const kin_t *kin, uint64_t at, uint64_t n, uint64_t low) {
  bool some = false;
  search_begin(s);
  for (uint64_t t = at; t < at + n && t < s->trial.n; t++)
    for (unsigned k = 0; k < kin->n; k++) {
      uint64_t *value = search_cycle(s, t) + kin->words[k];
      if (*value <= low || *value == s->sources.idle[kin->words[k]]) continue;
      *value = low;
      some = true;
    }
  return some;
}

void fields_lower_together(search_t *s) {
  for (unsigned i = 0; i < s->best.cls->n_in; i++) {
    if (!fields_has(s, i) || s->sources.in[i].width > 64 || s->sources.in[i].width < 2) continue;
    kin_t kin;
    fields_kin(s, i, true, &kin);
    for (uint64_t low = 0; low < 2; low++)
      for (uint64_t n = s->best.n; n > 0 && n * MOST_PARTS >= s->best.n; n /= 2)
        for (uint64_t at = search_head(s); at < s->best.n && search_goes_on(s); at += n)
          if (flatten(s, &kin, at, n, low)) search_try(s);
  }
}
