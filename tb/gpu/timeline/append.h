/* SPDX-License-Identifier: Apache-2.0 */
/* Writes text behind `to`, where there is room, and returns the new end. By hand: with fprintf, a
 * timeline takes twice as long as its run. */
#ifndef APPEND_H
#define APPEND_H

#include <stdint.h>
#include <string.h>

static inline char *append_text(char *to, const char *text) {
  const size_t n = strlen(text);
  memcpy(to, text, n);
  return to + n;
}

static inline char *append_number(char *to, uint64_t n) {
  static const char two[] = "0001020304050607080910111213141516171819"
                            "2021222324252627282930313233343536373839"
                            "4041424344454647484950515253545556575859"
                            "6061626364656667686970717273747576777879"
                            "8081828384858687888990919293949596979899";
  unsigned digits = 1;
  for (uint64_t power = 10; n >= power && digits < 20; power *= 10) digits++;
  char *const end = to + digits;
  for (to = end; n >= 100; n /= 100) memcpy(to -= 2, two + 2 * (n % 100), 2);
  if (n >= 10)
    memcpy(to - 2, two + 2 * n, 2);
  else
    to[-1] = (char)('0' + n);
  return end;
}

static inline char *append_hex(char *to, uint64_t n) {
  unsigned shift = 0;
  while (shift < 60 && n >> shift >> 4) shift += 4;
  to = append_text(to, "0x");
  for (;; shift -= 4) {
    *to++ = "0123456789abcdef"[n >> shift & 15];
    if (shift == 0) return to;
  }
}

/* A short text, copied with a few instructions: all of it is, whatever its length. */
enum { APPEND_ROOM = 56 };
typedef struct {
  char text[APPEND_ROOM];
  size_t n;
} append_word_t;
#define APPEND_WORD(literal)                                                                       \
  { literal, sizeof(literal) - 1 }

static inline char *append_word(char *to, const append_word_t *w) {
  memcpy(to, w->text, APPEND_ROOM);
  return to + w->n;
}

/* The end of a word that was written with the functions above. */
static inline void append_end(append_word_t *w, const char *end) {
  w->n = (size_t)(end - w->text);
}

#endif
