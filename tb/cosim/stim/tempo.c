/* SPDX-License-Identifier: Apache-2.0 */
/* Long phases. */
#include "cosim/stim/tempo.h"

#include "bits.h"

#include <string.h>

enum { GAP, STALL, UPTIME };

/* The long phases that a million cycles contain. The stimulus alone runs for about a third of that
 * time. */
static const struct {
  uint8_t kind, log2;
} phases[TEMPO_PHASES] = {{GAP, 17},   {GAP, 14},   {GAP, 12},   {UPTIME, 18}, {STALL, 17},
                          {STALL, 15}, {STALL, 13}, {STALL, 13}, {STALL, 13},  {STALL, 13},
                          {STALL, 13}, {STALL, 13}, {STALL, 12}};
enum { MOST_LOG2 = 30 };
enum { BETWEEN = 1 << 14, VARIES = 1 << 14 }; /* cycles of the stimulus alone */

static void shuffle(tempo_t *t) {
  for (unsigned i = 0; i < TEMPO_PHASES; i++) t->deck[i] = (uint8_t)i;
  for (unsigned i = TEMPO_PHASES - 1; i > 0; i--) {
    const uint32_t k = prng_below(&t->rng, i + 1);
    const uint8_t other = t->deck[k];
    t->deck[k] = t->deck[i];
    t->deck[i] = other;
  }
  t->dealt = 0;
}

void tempo_start(tempo_t *t, const module_class_t *cls, const uint32_t *cfg, uint64_t seed,
                 const stim_class_t *stim, void *state) {
  memset(t, 0, sizeof *t);
  if (seed % TEMPO_ONE_SEED_OF != 0) return;
  sources_init(&t->sources, cls, cfg);
  t->on = t->sources.starts_reset; /* a module without state has no use for long phases */
  t->stim = stim;
  t->state = state;
  t->rng = prng_seed(seed, UINT64_C(0x7e3b0));
  t->left = BETWEEN;
  shuffle(t);
}

/* Whether the input is the number of an entry, a queue or a warp. */
static bool is_index(const char *name) {
  const size_t n = strlen(name);
  return sources_entry(name) || (n > 8 && strcmp(name + n - 8, "_queue_i") == 0) ||
         (n > 7 && strcmp(name + n - 7, "_warp_i") == 0);
}

/* The sources take turns. If the source names an entry, a queue or a warp, two stalls in five
 * affect only one of them. */
static void choose_stall(tempo_t *t) {
  const sources_t *s = &t->sources;
  const uint32_t reset = s->source[s->reset];
  do t->stalled = t->next_stall++ % s->n;
  while (t->stalled == reset && s->n > 1);
  const bool one = prng_chance(&t->rng, 400);
  t->port = -1;
  for (unsigned i = 0; i < s->cls->n_in && one; i++) {
    if (s->source[i] != t->stalled || !is_index(s->in[i].name)) continue;
    t->port = (int)i;
    t->value = bits(prng_next(&t->rng), s->in[i].width);
  }
}

static void rush(const tempo_t *t, bool on) {
  if (t->stim->rush) t->stim->rush(t->state, on);
}

static void turn(tempo_t *t) {
  if (t->within) {
    if (phases[t->deck[t->dealt++]].kind == UPTIME) rush(t, false);
    if (t->dealt == TEMPO_PHASES) {
      shuffle(t);
      t->rounds++;
    }
    t->left = BETWEEN + prng_below(&t->rng, VARIES);
  } else {
    unsigned log2 = phases[t->deck[t->dealt]].log2;
    if (phases[t->deck[t->dealt]].kind == UPTIME) {
      log2 = log2 + t->rounds < MOST_LOG2 ? log2 + t->rounds : MOST_LOG2;
      rush(t, true);
    }
    t->left = UINT64_C(1) << log2;
    if (phases[t->deck[t->dealt]].kind == STALL) choose_stall(t);
  }
  t->within = !t->within;
}

void tempo_cycle(tempo_t *t, uint64_t *in) {
  const sources_t *s = &t->sources;
  if (!t->on) return;
  if (t->left-- == 0) turn(t);
  if (!t->within) return;
  const unsigned kind = phases[t->deck[t->dealt]].kind;
  if (kind == GAP) memcpy(in, s->idle, s->cls->in_words * sizeof *in);
  if (kind == STALL && (t->port < 0 || in[s->in[t->port].word] == t->value))
    sources_silence(s, UINT32_C(1) << t->stalled, in);
  in[s->reset] = 1;
}

void tempo_end(tempo_t *t) {
  if (t->on) rush(t, false);
  t->on = false;
}
