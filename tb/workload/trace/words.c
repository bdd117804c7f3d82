/* SPDX-License-Identifier: Apache-2.0 */
/* Words and numbers: see words.h. They account for most of the time of reading a trace. */
#include "workload/trace/words.h"

static bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

unsigned trace_words(char *line, char **word, unsigned max) {
  unsigned n = 0;
  for (char *at = line;;) {
    while (blank(*at)) at++;
    if (!*at) return n;
    if (n == max) return max + 1;
    word[n++] = at;
    while (*at && !blank(*at)) at++;
    if (!*at) return n;
    *at++ = '\0';
  }
}

/* The value of a digit; 16 if it is none. */
static unsigned digit_of(char c) {
  if (c >= '0' && c <= '9') return (unsigned)(c - '0');
  c = (char)(c | 0x20);
  return c >= 'a' && c <= 'f' ? (unsigned)(c - 'a') + 10 : 16;
}

bool trace_number(const char *text, int base, uint64_t max, uint64_t *v) {
  const unsigned b = (unsigned)base;
  uint64_t sum = 0;
  if (b == 16 && text[0] == '0' && (text[1] | 0x20) == 'x') text += 2;
  if (!*text) return false;
  for (; *text; text++) {
    const unsigned d = digit_of(*text);
    if (d >= b || sum > (UINT64_MAX - d) / b) return false;
    sum = sum * b + d;
  }
  *v = sum;
  return sum <= max;
}

bool trace_take_number(const char **at, uint64_t *v) {
  const char *p = *at;
  for (*v = 0; *p >= '0' && *p <= '9' && *v <= UINT32_MAX; p++) *v = *v * 10 + (uint64_t)(*p - '0');
  if (p == *at || *p != ' ' || *v > UINT32_MAX) return false;
  while (*p == ' ') p++;
  *at = p;
  return true;
}

bool trace_signed(const char *text, int64_t *v) {
  uint64_t size;
  const bool minus = text[0] == '-';
  if (!trace_number(text + (minus || text[0] == '+'), 10, (uint64_t)INT64_MAX + minus, &size))
    return false;
  *v = minus ? (int64_t)(0 - size) : (int64_t)size;
  return true;
}
