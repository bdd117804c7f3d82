/* SPDX-License-Identifier: Apache-2.0 */
/* Conversions from and to 16 bits: every 16-bit number, and for each two neighbours the values in
 * the middle and just beside it, from every type and with every rounding. */
#include "half_help.h"

enum { ALL = 65536 };

static const struct {
  const char *word;
  int mode;
} roundings[] = {
    {"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};

static uint64_t bits32_of(float f) {
  uint32_t u;
  memcpy(&u, &f, 4);
  return u;
}
static uint64_t bits64_of(double d) {
  uint64_t u;
  memcpy(&u, &d, 8);
  return u;
}

/* ---- to 16 bits ------------------------------------------------------------------------------- */

/* The point between the number h and the next, moved by `step` places of f32 or f64. */
static double beside(uint32_t h, bool brain, bool wide, int step) {
  const half_table_t *t = half_table(brain);
  const uint32_t size = h & 0x7FFF;
  if (size >= t->infinity) return size == t->infinity ? (double)INFINITY : (double)NAN;
  double x = step == 9 ? t->value[size] : (t->value[size] + t->value[size + 1]) / 2;
  for (int k = 0; step != 9 && k != step; k += step < 0 ? -1 : 1) {
    const double to = step < 0 ? -(double)INFINITY : (double)INFINITY;
    x = wide ? nextafter(x, to) : (double)nextafterf((float)x, (float)to);
  }
  return h & 0x8000 ? -x : x;
}

static void to_half(bool brain, bool wide, unsigned r, const char *words) {
  static const int steps[] = {9, 0, -1, 1};
  const bool relu = strstr(words, "relu") != NULL, finite = strstr(words, "satfinite") != NULL;
  const bool sat = strstr(words, ".sat") != NULL && !finite;
  const uint32_t infinity = half_table(brain)->infinity;
  triple_t *in = calloc(4 * ALL, sizeof *in);
  char inst[96];
  ck_assert_ptr_nonnull(in);
  for (uint32_t i = 0; i < 4 * ALL; i++) {
    const double x = beside(i % ALL, brain, wide, steps[i / ALL]);
    in[i].a = wide ? bits64_of(x) : bits32_of((float)x);
  }
  snprintf(inst, sizeof inst, "cvt.%s%s.%s.%s %%h0, %%%c1", roundings[r].word, words,
           brain ? "bf16" : "f16", wide ? "f64" : "f32", wide ? 'g' : 'f');
  uint64_t *out = run_half(inst, 'h', in, 4 * ALL);
  for (uint32_t i = 0; i < 4 * ALL; i++) {
    const double x = beside(i % ALL, brain, wide, steps[i / ALL]);
    uint32_t want = ref_round(wide ? x : (double)(float)x, brain, roundings[r].mode);
    if (wide && isnan(x)) want = (brain ? 0x7FC0 : 0x7E00) | (signbit(x) ? 0x8000 : 0);
    if (finite && (want & 0x7FFF) == infinity) want--;
    if (relu && want & 0x8000) want = 0;
    if (sat) want = ref_is_nan(want, brain) || want & 0x8000 ? 0 : want > 0x3C00 ? 0x3C00 : want;
    ck_assert_msg(out[i] == want, "%s of %a: 0x%04x, expected 0x%04x", inst, x, (unsigned)out[i],
                  want);
  }
  free(in), free(out);
}

START_TEST(from_real) {
  const unsigned r = (unsigned)_i % 4;
  to_half(_i / 8, _i / 4 % 2, r, "");
}
END_TEST

/* Sign and upper bits of a double that is no number, quiet; and f16 keeps small floats under .ftz. */
START_TEST(from_real_bits) {
  static const struct {
    const char *inst;
    uint64_t bits, to;
  } c[] = {{"cvt.rn.f16.f64 %h0, %g1", 0x7FFD6C8D552F5A8D, 0x7F5B},
           {"cvt.rz.bf16.f64 %h0, %g1", 0xFFF0123456789ABC, 0xFFC0},
           {"cvt.rm.ftz.f16.f32 %h0, %f1", 0x80000001, 0x8001},
           {"cvt.rp.ftz.sat.f16.f32 %h0, %f1", 1, 1},
           {"cvt.rp.ftz.bf16.f32 %h0, %f1", 1, 0}};
  for (unsigned i = 0; i < sizeof c / sizeof *c; i++) {
    triple_t in[HALF_BLOCK] = {{0}};
    in[0].a = c[i].bits;
    uint64_t *out = run_half(c[i].inst, 'h', in, HALF_BLOCK);
    ck_assert_msg(out[0] == c[i].to, "%s: 0x%04x", c[i].inst, (unsigned)out[0]);
    free(out);
  }
}
END_TEST

START_TEST(from_real_with_words) {
  to_half(false, false, 0, ".relu");
  to_half(true, false, 1, ".relu.satfinite");
  to_half(false, false, 0, ".satfinite");
  to_half(false, false, 0, ".sat");
}
END_TEST

/* Both numbers of a pair, the first one high. */
START_TEST(from_two) {
  const bool brain = _i % 2;
  const unsigned r = (unsigned)_i / 2;
  triple_t *in = calloc(ALL, sizeof *in);
  char inst[96];
  for (uint32_t i = 0; i < ALL; i++) {
    in[i].a = bits32_of((float)beside(i, brain, false, 0));
    in[i].b = bits32_of((float)beside(ALL - 1 - i, brain, false, 1));
  }
  snprintf(inst, sizeof inst, "cvt.%s.%s.f32 %%r0, %%f1, %%f2", roundings[r].word,
           brain ? "bf16x2" : "f16x2");
  uint64_t *out = run_half(inst, 'r', in, ALL);
  for (uint32_t i = 0; i < ALL; i++) {
    const uint32_t high = ref_round((float)beside(i, brain, false, 0), brain, roundings[r].mode);
    const uint32_t low =
        ref_round((float)beside(ALL - 1 - i, brain, false, 1), brain, roundings[r].mode);
    ck_assert_uint_eq(out[i], high << 16 | low);
  }
  free(in), free(out);
}
END_TEST

/* Beside 2^k, 2^k + half a place, with all digits below: what is rounded twice is found. */
START_TEST(from_integers) {
  const bool brain = _i % 2, has_sign = _i / 2 % 2;
  const unsigned r = (unsigned)_i / 4;
  enum { MANY = 64 * 64 * 8 };
  triple_t *in = calloc(MANY, sizeof *in);
  char inst[96];
  for (uint64_t i = 0; i < MANY; i++) {
    const unsigned k = i % 64, low = i / 64 % 64;
    const uint64_t one = UINT64_C(1) << k, half = k > low ? UINT64_C(1) << low : 0;
    in[i].a = one + half + (i / 4096 % 4) - 1;
    if (i / 4096 >= 4) in[i].a = 0 - in[i].a;
  }
  snprintf(inst, sizeof inst, "cvt.%s.%s.%c64 %%h0, %%d1", roundings[r].word,
           brain ? "bf16" : "f16", has_sign ? 's' : 'u');
  uint64_t *out = run_half(inst, 'h', in, MANY);
  for (uint32_t i = 0; i < MANY; i++) {
    typedef long double wide_t; /* 64 bits of fraction: exact */
    const wide_t x = has_sign ? (wide_t)(int64_t)in[i].a : (wide_t)in[i].a;
    double d = (double)x; /* toward zero and odd, as the sum of ref_fma is */
    if ((wide_t)d != x) {
      if ((wide_t)fabs(d) > (x < 0 ? -x : x)) d = nextafter(d, 0);
      uint64_t bits = bits64_of(d) | 1;
      memcpy(&d, &bits, 8);
    }
    ck_assert_msg(out[i] == ref_round(d, brain, roundings[r].mode), "%s of %#lx: 0x%04x", inst,
                  (unsigned long)in[i].a, (unsigned)out[i]);
  }
  free(in), free(out);
}
END_TEST

/* ---- from 16 bits ----------------------------------------------------------------------------- */

static triple_t *every(void) {
  triple_t *in = calloc(ALL, sizeof *in);
  ck_assert_ptr_nonnull(in);
  for (uint32_t i = 0; i < ALL; i++) in[i].a = i;
  return in;
}

/* As floats f16 leaves one NaN; as doubles it keeps its bits, and bf16 always does. */
START_TEST(to_real) {
  triple_t *in = every();
  uint64_t *f = run_half("cvt.f32.f16 %f0, %h1", 'f', in, ALL);
  uint64_t *g = run_half("cvt.f64.f16 %g0, %h1", 'g', in, ALL);
  uint64_t *b = run_half("cvt.f32.bf16 %f0, %h1", 'f', in, ALL);
  uint64_t *other = run_half("cvt.rn.bf16.f16 %h0, %h1", 'h', in, ALL);
  for (uint32_t i = 0; i < ALL; i++) {
    const double x = ref_value(i, false);
    ck_assert_uint_eq(f[i], isnan(x) ? 0x7FFFFFFF : bits32_of((float)x));
    const uint64_t nan =
        (i & UINT64_C(0x8000)) << 48 | UINT64_C(0x7FF8) << 48 | (i & UINT64_C(0x3FF)) << 42;
    ck_assert_uint_eq(g[i], isnan(x) ? nan : bits64_of(x));
    ck_assert_uint_eq(b[i], i << 16);
    ck_assert_uint_eq(other[i], ref_round(x, true, FE_TONEAREST));
  }
  free(in), free(f), free(g), free(b), free(other);
}
END_TEST

static double whole(double x, unsigned how) {
  return how == 0 ? nearbyint(x) : how == 1 ? trunc(x) : how == 2 ? floor(x) : ceil(x);
}

START_TEST(to_integers) {
  static const char *const how[] = {"rni", "rzi", "rmi", "rpi"};
  const unsigned bits = 16u << _i / 2 % 3;
  const bool has_sign = _i % 2, brain = _i / 6;
  triple_t *in = every();
  char inst[96];
  for (unsigned r = 0; r < 4; r++) {
    const char letter = bits == 16 ? 'h' : bits == 32 ? 'r' : 'd';
    const uint64_t most = UINT64_MAX >> (64 - bits) >> has_sign;
    const double least = has_sign ? -ldexp(1, (int)bits - 1) : 0,
                 end = ldexp(1, (int)bits - has_sign);
    snprintf(inst, sizeof inst, "cvt.%s.%c%u.%s %%%c0, %%h1", how[r], has_sign ? 's' : 'u', bits,
             brain ? "bf16" : "f16", letter);
    uint64_t *out = run_half(inst, letter, in, ALL);
    for (uint32_t i = 0; i < ALL; i++) {
      const double x = whole(ref_value(i, brain), r);
      uint64_t want = isnan(x)     ? (bits == 64 ? UINT64_C(1) << 63 : 0)
                      : x >= end   ? most
                      : x <= least ? 0 - (uint64_t)(has_sign ? most + 1 : 0)
                                   : (uint64_t)(int64_t)(x < 0x1p63 ? x : 0);
      if (x >= 0x1p63 && x < end) want = (uint64_t)x;
      want &= UINT64_MAX >> (64 - bits);
      ck_assert_msg(out[i] == want, "%s of 0x%04x: %#lx, expected %#lx", inst, i,
                    (unsigned long)out[i], (unsigned long)want);
    }
    free(out);
  }
  free(in);
}
END_TEST

/* Whole numbers of the type itself; a copy. */
START_TEST(within) {
  triple_t *in = every();
  uint64_t *down = run_half("cvt.rmi.f16.f16 %h0, %h1", 'h', in, ALL);
  uint64_t *even = run_half("cvt.rni.bf16.bf16 %h0, %h1", 'h', in, ALL);
  for (uint32_t i = 0; i < ALL; i++) {
    ck_assert_uint_eq(down[i], ref_round(floor(ref_value(i, false)), false, FE_TONEAREST));
    ck_assert_uint_eq(even[i], ref_round(nearbyint(ref_value(i, true)), true, FE_TONEAREST));
  }
  free(in), free(down), free(even);
}
END_TEST

/* 13 bits away: the middle, beside it, the largest, what is no number. */
START_TEST(tf32) {
  static const struct {
    const char *inst;
    uint32_t from, to;
  } c[] = {{"cvt.rna.tf32.f32", 0x3F801000, 0x3F802000},
           {"cvt.rna.tf32.f32", 0xBF800FFF, 0xBF800000},
           {"cvt.rna.tf32.f32", 0x7F7FF000, 0x7F800000},
           {"cvt.rna.satfinite.tf32.f32", 0x7F7FF000, 0x7F7FE000},
           {"cvt.rna.satfinite.tf32.f32", 0xFF800000, 0xFF7FE000},
           {"cvt.rna.tf32.f32", 0xFF812345, 0xFF812000},
           {"cvt.rna.satfinite.tf32.f32", 0xFF812345, 0xFF810000},
           {"cvt.rn.tf32.f32", 0xFF812345, 0x7FFFE000},
           {"cvt.rn.tf32.f32", 0x3F801000, 0x3F800000},
           {"cvt.rn.tf32.f32", 0x3F803000, 0x3F804000},
           {"cvt.rn.tf32.f32", 0x3F801001, 0x3F802000},
           {"cvt.rz.tf32.f32", 0x3F803FFF, 0x3F802000},
           {"cvt.rz.relu.tf32.f32", 0xBF800000, 0x00000000},
           {"cvt.rn.tf32.f32", 0x00000FFF, 0x00000000},
           {"cvt.rn.tf32.f32", 0x80001800, 0x80002000}};
  for (unsigned i = 0; i < sizeof c / sizeof *c; i++) {
    triple_t in[HALF_BLOCK] = {{0}};
    char inst[80];
    in[0].a = c[i].from;
    snprintf(inst, sizeof inst, "%s %%r0, %%f1", c[i].inst);
    uint64_t *out = run_half(inst, 'r', in, HALF_BLOCK);
    ck_assert_msg(out[0] == c[i].to, "%s of %08x: %08x", inst, c[i].from, (unsigned)out[0]);
    free(out);
  }
}
END_TEST

Suite *test_simt_half_cvt_suite(void);

Suite *test_simt_half_cvt_suite(void) {
  Suite *s = suite_create("simt_half_cvt");
  TCase *t = tcase_create("simt_half_cvt");
  tcase_set_timeout(t, 60);
  tcase_set_tags(t, "heavy");
  tcase_add_loop_test(t, from_real, 0, 16);
  tcase_add_test(t, from_real_bits);
  tcase_add_test(t, from_real_with_words);
  tcase_add_loop_test(t, from_two, 0, 4);
  tcase_add_loop_test(t, from_integers, 0, 16);
  tcase_add_test(t, to_real);
  tcase_add_loop_test(t, to_integers, 0, 12);
  tcase_add_test(t, within);
  tcase_add_test(t, tf32);
  suite_add_tcase(s, t);
  return s;
}
