/* SPDX-License-Identifier: Apache-2.0 */
/* A bit that is 1 from cycle r to cycle f, exclusive, was 1 for f - r cycles. So `ones` gets + f at
 * a fall and - r at a rise, modulo 2^64, and the present cycle at the end if the bit is 1 then. */
#include "estimate/activity/track.h"

#include <stdlib.h>
#include <string.h>

enum { WORD = sizeof(uint64_t), CHUNK = 8 /* words */ };

static size_t words_of(const track_t *t) {
  return (t->bytes + WORD - 1) / WORD;
}

int track_open(track_t *t, size_t bytes, mrpb_err_t *err) {
  *t = (track_t){.bytes = bytes};
  size_t words = words_of(t) + !bytes;
  t->last = calloc(words, sizeof *t->last);
  t->toggles = calloc(words * 64, sizeof *t->toggles);
  t->ones = calloc(words * 64, sizeof *t->ones);
  return t->last && t->toggles && t->ones ? 0 : mrpb_fail(err, "activity: out of memory");
}

void track_close(track_t *t) {
  free(t->last);
  free(t->toggles);
  free(t->ones);
  free(t->seen);
  *t = (track_t){.bytes = 0};
}

int track_words(track_t *t, size_t word_bytes, mrpb_err_t *err) {
  t->word_bytes = word_bytes;
  t->seen = calloc(t->bytes / word_bytes + 1, sizeof *t->seen);
  return t->seen ? 0 : mrpb_fail(err, "activity: out of memory");
}

/* Notes the words that the bits `changed` of 64-bit word `word` belong to. */
static void note(track_t *t, size_t word, uint64_t changed, uint64_t now) {
  for (size_t b = 0; b < WORD; b++) {
    if (!(changed >> (8 * b) & 0xff)) continue;
    uint64_t *seen = &t->seen[(word * WORD + b) / t->word_bytes];
    t->changes += *seen != now + 1;
    *seen = now + 1;
  }
}

static void change(track_t *t, size_t word, uint64_t value, uint64_t now) {
  uint64_t *toggles = t->toggles + word * 64, *ones = t->ones + word * 64;
  const bool count = now > 0 && !t->still;
  if (count && t->seen) note(t, word, value ^ t->last[word], now);
  for (uint64_t m = value ^ t->last[word]; m; m &= m - 1) {
    unsigned b = (unsigned)__builtin_ctzll(m);
    toggles[b] += count;
    ones[b] += value >> b & 1 ? -now : now;
  }
  t->last[word] = value;
}

static uint64_t load(const char *at) {
  uint64_t value;
  memcpy(&value, at, sizeof value);
  return value;
}

void track_cycle(track_t *t, const void *value, uint64_t now) {
  const char *at = value;
  const size_t whole = t->bytes / WORD, rest = t->bytes % WORD;
  size_t w = 0;
  for (; w + CHUNK <= whole; w += CHUNK) {
    if (memcmp(at + w * WORD, t->last + w, (size_t)CHUNK * WORD) == 0) continue;
    for (size_t k = w; k < w + CHUNK; k++) {
      uint64_t v = load(at + k * WORD);
      if (v != t->last[k]) change(t, k, v, now);
    }
  }
  for (; w < whole; w++) {
    uint64_t v = load(at + w * WORD);
    if (v != t->last[w]) change(t, w, v, now);
  }
  if (rest == 0) return;
  uint64_t v = 0;
  memcpy(&v, at + whole * WORD, rest);
  if (v != t->last[whole]) change(t, whole, v, now);
}

uint64_t track_toggles(const track_t *t, size_t bit) {
  return t->toggles[bit];
}

uint64_t track_ones(const track_t *t, size_t bit, uint64_t cycles) {
  return t->ones[bit] + (t->last[bit / 64] >> bit % 64 & 1 ? cycles : 0);
}
