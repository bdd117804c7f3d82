/* SPDX-License-Identifier: Apache-2.0 */
/* A set of numbers below SET_MEMBERS: of the SMs of a GPU. */
#ifndef SET_H
#define SET_H

#include <stdbool.h>
#include <stdint.h>

enum { SET_MEMBERS = 256, SET_WORD = 64, SET_WORDS = SET_MEMBERS / SET_WORD };

typedef struct {
  uint64_t word[SET_WORDS]; /* bit b of word w: the number w * SET_WORD + b */
} set_t;

static inline bool set_has(const set_t *s, unsigned i) {
  return s->word[i / SET_WORD] >> i % SET_WORD & 1;
}

static inline void set_add(set_t *s, unsigned i) {
  s->word[i / SET_WORD] |= UINT64_C(1) << i % SET_WORD;
}

static inline void set_remove(set_t *s, unsigned i) {
  s->word[i / SET_WORD] &= ~(UINT64_C(1) << i % SET_WORD);
}

static inline bool set_empty(const set_t *s) {
  uint64_t any = 0;
  for (unsigned w = 0; w < SET_WORDS; w++) any |= s->word[w];
  return any == 0;
}

/* The least member that is at least `from`; SET_MEMBERS if there is none. */
static inline unsigned set_next(const set_t *s, unsigned from) {
  for (unsigned w = from / SET_WORD; w < SET_WORDS; w++) {
    const uint64_t left =
        s->word[w] & (w == from / SET_WORD ? UINT64_MAX << from % SET_WORD : UINT64_MAX);
    if (left) return w * SET_WORD + (unsigned)__builtin_ctzll(left);
  }
  return SET_MEMBERS;
}

/* Words that the numbers below `n` need. */
static inline unsigned set_words(unsigned n) {
  return (n + SET_WORD - 1) / SET_WORD;
}

/* Runs what follows for each member `i`, in ascending order. `members` is the set as an expression
 * of its word `w`, of the first `words` ones. It is taken once, so what follows may change the set.
 * Not to be left by `break`. */
#define SET_EACH(i, w, words, members)                                                             \
  for (unsigned w = 0, i = 0; w < (words); w++)                                                    \
    for (uint64_t left_ = (members);                                                               \
         left_ && ((i = w * SET_WORD + (unsigned)__builtin_ctzll(left_)), true);                   \
         left_ &= left_ - 1)

#endif
