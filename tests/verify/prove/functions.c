/* SPDX-License-Identifier: Apache-2.0 */
#include "functions.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

uint64_t f_arithmetic(uint64_t a, uint64_t b) {
  return (a + b * 5) - (a ^ b) + (a & ~b) * 3;
}

uint64_t f_divide(uint64_t a, uint64_t b) {
  uint32_t n = (uint32_t)a & 0xfff, d = ((uint32_t)b & 63) + 1;
  return (uint64_t)(n / d) << 32 | n % d;
}

uint64_t f_narrow(uint64_t a, uint64_t b) {
  uint8_t x = (uint8_t)(a + b);
  int16_t y = (int16_t)(a * 3);
  int64_t z = (int8_t)b;
  return (uint64_t)(z + y) + x;
}

uint64_t f_signed_compare(uint64_t a, uint64_t b) {
  int64_t x = (int64_t)a, y = (int64_t)b;
  return (uint64_t)(x < y) | (uint64_t)(x <= y) << 1 | (uint64_t)((int8_t)x > (int8_t)y) << 2 |
         (uint64_t)(a < b) << 3 | (uint64_t)(a >= b) << 4 | (uint64_t)(a == b) << 5;
}

uint64_t f_shifts(uint64_t a, uint64_t b) {
  unsigned n = b & 63;
  return (a << n) ^ (a >> n) ^ (uint64_t)((int64_t)a >> n) ^ ((uint32_t)a << (n & 31));
}

uint64_t f_bit_counts(uint64_t a, uint64_t b) {
  uint64_t n = (uint64_t)__builtin_popcountll(a);
  if (a) n = n << 8 | (uint64_t)__builtin_ctzll(a);
  if (b) n = n << 8 | (uint64_t)__builtin_clzll(b);
  return n;
}

uint64_t f_rotate(uint64_t a, uint64_t b) {
  unsigned n = b & 63;
  return (a << n | a >> (-n & 63)) + ((uint32_t)a >> 7 | (uint32_t)a << 25);
}

uint64_t f_swap(uint64_t a, uint64_t b) {
  return __builtin_bswap64(a) ^ __builtin_bswap32((uint32_t)b);
}

uint64_t f_decide(uint64_t a, uint64_t b) {
  if ((a & 1) && (b & 1)) return a;
  if ((a & 2) || (b & 2)) return a > b ? a - b : b - a;
  return a & 4 ? 7 : b;
}

uint64_t f_jump(uint64_t a, uint64_t b) {
  switch (a & 7) {
  case 0:
    return b;
  case 1:
    b += 3;
    break;
  case 2:
  case 5:
    b ^= a;
    break;
  case 6:
    b *= 2;
    return b + 1;
  default:
    b = 9;
  }
  return b + 100;
}

uint64_t f_early(uint64_t a, uint64_t b) {
  for (unsigned i = 0; i < 16; i++) {
    if (!(a >> i & 1)) continue;
    if (b >> i & 1) return i;
    if (b >> (i + 16) & 1) break;
  }
  return a + b;
}

uint64_t f_loop_data(uint64_t a, uint64_t b) {
  uint64_t n = 0;
  for (uint64_t x = a & 0xff; x != 0; x >>= 1) n += x & b;
  return n;
}

uint64_t f_loop_nested(uint64_t a, uint64_t b) {
  uint64_t n = 0;
  for (unsigned i = 0; i < (a & 3); i++)
    for (unsigned j = 0; j <= (b & 3); j++) n = n * 3 + i + j;
  return n;
}

uint64_t f_table(uint64_t a, uint64_t b) {
  static const uint16_t table[10] = {3, 1, 4, 1, 5, 9, 2, 6, 5, 35};
  return table[(a & 0xff) % 10] + (b < 10 ? table[b] : 77u);
}

typedef struct {
  uint8_t kind;
  uint32_t word[5];
  uint64_t sum;
} record_t;

uint64_t f_table_write(uint64_t a, uint64_t b) {
  record_t r[3];
  memset(r, 0, sizeof r);
  uint64_t i = (a & 15) % 3, k = (b & 15) % 5;
  r[i].word[k] = (uint32_t)a;
  r[1].word[2] += 5;
  r[i].kind = (uint8_t)b;
  r[2].sum = b;
  return r[i].word[k] + r[0].word[2] + r[1].word[2] + r[1].kind + r[i].sum;
}

uint64_t f_two_objects(uint64_t a, uint64_t b) {
  uint64_t x = a, y = b;
  uint64_t *p = a & 1 ? &x : &y, **pp = &p;
  **pp += 10;
  if (b & 1) *pp = &x;
  *p ^= 3;
  return x * 7 + y;
}

uint64_t f_copy(uint64_t a, uint64_t b) {
  uint8_t from[16], to[16];
  memcpy(from, &a, 8);
  memcpy(from + 8, &b, 8);
  memmove(to, from + 3, 13);
  memset(to + 13, (int)(a & 255), 3);
  memmove(to + 2, to, 9);
  memcpy(&a, to + 1, 8);
  memcpy(&b, to + 8, 8);
  return a + b;
}

static __attribute__((noinline)) record_t change(record_t r, uint64_t by) {
  r.word[by & 3] += 4;
  r.sum += by;
  return r;
}

uint64_t f_by_value(uint64_t a, uint64_t b) {
  record_t r = {.kind = 1, .word = {1, 2, 3, 4, 5}, .sum = a};
  record_t s = change(r, b);
  return s.sum * 2 + r.sum + s.word[1] + r.word[1] + s.kind;
}

static uint64_t twice(uint64_t a) {
  return 2 * a;
}

static uint64_t less(uint64_t a) {
  return a - 1;
}

uint64_t f_pointer_call(uint64_t a, uint64_t b) {
  uint64_t (*const steps[])(uint64_t) = {twice, less, twice};
  for (unsigned i = 0; i < 3; i++) a = steps[i](a) ^ b;
  return a;
}

static __attribute__((noinline)) uint64_t sum_to(uint64_t a, unsigned n) {
  return n == 0 ? a : sum_to(a + n, n - 1) ^ n;
}

uint64_t f_recursion(uint64_t a, uint64_t b) {
  return sum_to(a, 5) + b;
}

uint64_t f_heap(uint64_t a, uint64_t b) {
  uint64_t *p = calloc(4, sizeof *p);
  if (!p) return 0;
  p[a & 3] = b;
  p[b & 3] += 1;
  uint64_t n = p[0] + 3 * p[1] + 5 * p[2] + p[3];
  free(p);
  return n;
}

/* Links in an array: the loop ends by data. */
uint64_t f_walk(uint64_t a, uint64_t b) {
  uint8_t next[4];
  for (unsigned i = 0; i < 4; i++) next[i] = (uint8_t)(a >> 8 * i & 255);
  uint64_t at = b & 3, n = 0;
  while (at < 4 && n < 6) {
    n++;
    at = next[at];
  }
  return n << 8 | at;
}

uint64_t f_saturate(uint64_t a, uint64_t b) {
  uint64_t least = a < b ? a : b;
  int32_t x = (int32_t)(a & 0xffff) - (int32_t)(b & 0xffff);
  return (a > b ? a - b : 0) + least + (uint64_t)(x < 0 ? -x : x);
}

uint64_t f_bytes(uint64_t a, uint64_t b) {
  bool flags[8];
  uint64_t n = 0;
  for (unsigned i = 0; i < 8; i++) flags[i] = (a >> i & 1) && !(b >> i & 1);
  for (unsigned i = 0; i < 8; i++) n |= (uint64_t)flags[i ^ (b >> 8 & 1)] << i;
  return n;
}

uint64_t f_signed_divide(uint64_t a, uint64_t b) {
  int16_t n = (int16_t)a;
  int32_t d = (int32_t)(b & 63) - 32;
  if (d == 0) d = 7;
  return (uint64_t)(n / d) ^ (uint64_t)(n % d) << 20;
}

typedef struct {
  uint32_t kind : 3, place : 13, low : 16;
  uint8_t tail;
} fields_t;

/* Each field is set beside others that are not set yet; the rest of the word never is. */
uint64_t f_bit_fields(uint64_t a, uint64_t b) {
  fields_t f, g;
  f.kind = a & 7;
  f.place = b & 0x1fff;
  f.tail = (uint8_t)b;
  g = f;
  return (uint64_t)g.kind << 40 | (uint64_t)g.place << 8 | g.tail;
}

uint64_t f_distance(uint64_t a, uint64_t b) {
  uint32_t word[8] = {0};
  const uint32_t *p = word + (a & 7), *q = word + (b & 7);
  return (uint64_t)(p - q) ^ (uint64_t)(p < q) << 40;
}

/* What is not set is not looked at. */
uint64_t f_partly_set(uint64_t a, uint64_t b) {
  uint64_t x, word[4];
  if (a & 1) x = b;
  word[a & 3] = a;
  return (a & 1 ? x : a) + word[a & 3];
}

uint64_t f_lives(uint64_t a, uint64_t b) {
  uint64_t n = 0;
  for (unsigned i = 0; i < 4; i++) {
    uint64_t part[2];
    part[0] = a >> i;
    part[1] = i & 1 ? b : part[0];
    n = n * 3 + part[b & 1];
  }
  return n;
}

uint64_t f_narrow_shift(uint64_t a, uint64_t b) {
  uint8_t x = (uint8_t)a;
  int16_t y = (int16_t)b;
  return (uint64_t)(uint32_t)(x << 20) + (uint64_t)(y >> 14);
}

uint64_t f_bad_index(uint64_t a, uint64_t b) {
  uint64_t place[4] = {0};
  place[a & 7] = b; /* 4..7 lie outside */
  return place[b & 3];
}

uint64_t f_bad_divide(uint64_t a, uint64_t b) {
  return (a & 15) / (b & 3);
}

uint64_t f_bad_loop(uint64_t a, uint64_t b) {
  uint64_t n = 0;
  for (volatile uint64_t x = a & 3; x != 2; x = (x + 2) & 3) n += b; /* 1 never gets there */
  return n;
}

uint64_t f_bad_abort(uint64_t a, uint64_t b) {
  if (a == b + 1) abort();
  return a;
}

uint64_t f_bad_overflow(uint64_t a, uint64_t b) {
  int32_t x = (int32_t)(uint32_t)a, y = (int32_t)(uint32_t)b;
  return (uint64_t)(x - y);
}

uint64_t f_bad_product(uint64_t a, uint64_t b) {
  int32_t x = (int16_t)a;
  return (uint64_t)(x * (int32_t)(b & 0x1ffff));
}

uint64_t f_bad_quotient(uint64_t a, uint64_t b) {
  int32_t x = INT32_MIN + (int32_t)(a & 1), y = (int32_t)(b & 3) - 1;
  return (uint64_t)(x / y);
}

uint64_t f_bad_shift(uint64_t a, uint64_t b) {
  return (uint64_t)((uint32_t)a << (b & 63));
}

uint64_t f_bad_sign(uint64_t a, uint64_t b) {
  return (uint64_t)((int32_t)(a & 255) << (b & 31));
}

uint64_t f_bad_unset(uint64_t a, uint64_t b) {
  uint64_t x[2];
  x[a & 1] = b;
  return x[1] > 5;
}

uint64_t f_bad_part(uint64_t a, uint64_t b) {
  fields_t f;
  f.kind = a & 7;
  if (b & 1) f.place = 3;
  return f.place == 3 ? a : b;
}

uint64_t f_bad_pointer(uint64_t a, uint64_t b) {
  uint64_t word[4] = {0};
  const uint64_t *p = word + (a & 7); /* the end is 4 */
  return p == word + (b & 3);
}

uint64_t f_bad_row(uint64_t a, uint64_t b) {
  uint8_t row[4][4] = {{0}};
  return row[a & 3][b & 7];
}
