/* SPDX-License-Identifier: Apache-2.0 */
/* Carries, products of bytes, lop3, fields, kinds of numbers and of addresses, min and max with
 * words. */
#include "half_help.h"
#include "simt_ops.h"

enum { MANY = 8192 };

static triple_t *random_triples(uint64_t seed) {
  prng_t rng = prng_seed(seed, 3);
  triple_t *in = calloc(MANY, sizeof *in);
  ck_assert_ptr_nonnull(in);
  for (unsigned i = 0; i < MANY; i++) in[i] = (triple_t){pick(&rng), pick(&rng), pick(&rng)};
  return in;
}

/* ---- one instruction -------------------------------------------------------------------------- */

FN(lop_and_or, ((A32 & B32) | C32))
FN(lop_xor, A32 ^ B32 ^ C32)
FN(lop_choose, ((A32 & B32) | (~A32 & C32)))
FN(lop_none, 0)

static uint32_t dots(uint64_t a, uint64_t b, uint64_t c, bool sa, bool sb) {
  uint32_t r = C32;
  for (unsigned k = 0; k < 4; k++) {
    const int x = sa ? (int8_t)(a >> 8 * k) : (int)(a >> 8 * k & 255);
    const int y = sb ? (int8_t)(b >> 8 * k) : (int)(b >> 8 * k & 255);
    r += (uint32_t)(x * y);
  }
  return r;
}
static uint32_t halves(uint64_t a, uint64_t b, uint64_t c, bool sa, bool sb, unsigned high) {
  uint32_t r = C32;
  for (unsigned k = 0; k < 2; k++) {
    const int64_t x = sa ? (int16_t)(a >> 16 * k) : (int64_t)(a >> 16 * k & 0xFFFF);
    const unsigned at = 8 * (k + 2 * high);
    const int64_t y = sb ? (int8_t)(b >> at) : (int64_t)(b >> at & 255);
    r += (uint32_t)(uint64_t)(x * y);
  }
  return r;
}
FN(dp4a_uu, dots(a, b, c, false, false))
FN(dp4a_us, dots(a, b, c, false, true))
FN(dp4a_su, dots(a, b, c, true, false))
FN(dp4a_ss, dots(a, b, c, true, true))
FN(dp2a_lo_ss, halves(a, b, c, true, true, 0))
FN(dp2a_hi_us, halves(a, b, c, false, true, 1))
FN(dp2a_hi_uu, halves(a, b, c, false, false, 1))

/* Bit by bit. */
static uint32_t ones(uint64_t a, uint64_t b, bool wrap) {
  uint32_t r = 0;
  const uint64_t from = wrap ? a & 31 : A32, n = wrap ? b & 31 : B32;
  for (uint64_t k = 0; k < 32; k++) r |= (uint32_t)(k >= from && k - from < n) << k;
  return r;
}
FN(bmsk_clamp, ones(a, b, false))
FN(bmsk_wrap, ones(a, b, true))
FN(szext_u, B32 >= 32 ? A32 : A32 & ((UINT32_C(1) << (B32 & 31)) - 1))
FN(szext_s, B32 >= 32  ? A32
            : B32 == 0 ? 0
                       : (uint32_t)((int32_t)(A32 << (32 - (B32 & 31))) >> (32 - (B32 & 31))))
FN(szext_w, A32 &((UINT32_C(1) << (B32 & 31)) - 1))

FN(top_u, A32 ? (unsigned)__builtin_clz(A32) : UINT32_MAX)
FN(top_s, (SA < 0 ? ~A32 : A32) ? (unsigned)__builtin_clz(SA < 0 ? ~A32 : A32) : UINT32_MAX)
FN(top_l, (LA < 0 ? ~a : a) ? (unsigned)__builtin_clzll(LA < 0 ? ~a : a) : UINT32_MAX)
FN(finite, isfinite(FA) != 0)
FN(infinite, isinf(FA) != 0)
FN(number32, !isnan(FA))
FN(nan32, isnan(FA) != 0)
FN(normal, isnormal(FA) || FA == 0) /* so says the PTX manual */
FN(subnormal, fpclassify(FA) == FP_SUBNORMAL)
FN(subnormal64, fpclassify(DA) == FP_SUBNORMAL)
FN(normal64, isnormal(DA) || DA == 0)

FN(tanh32, r32((float)tanh((double)FA)))
static uint64_t choose(float x, float y, bool smaller, bool nan) {
  if (isnan(x) || isnan(y))
    return nan || (isnan(x) && isnan(y)) ? 0x7FFFFFFF : bits32(isnan(x) ? y : x);
  if (x == y) return smaller ? bits32(x) | bits32(y) : bits32(x) & bits32(y);
  return bits32((x < y) == smaller ? x : y);
}
FN(min_nan, choose(FA, FB, true, true))
FN(max_nan_ftz, choose(ftz(FA), ftz(FB), false, true))
static uint64_t signs(uint64_t a, uint64_t b, bool smaller, bool nan) {
  const uint64_t r = choose(fabsf(FA), fabsf(FB), smaller, nan);
  return r == 0x7FFFFFFF ? r : r | ((a ^ b) & 0x80000000);
}
FN(min_sign, signs(a, b, true, false))
FN(max_nan_sign, signs(a, b, false, true))

#define C(text, regs, fn)                                                                          \
  {                                                                                                \
    text, regs, fn, NULL, {                                                                        \
      PTX_NONE, PTX_NONE, PTX_ROUND_NONE, false, false                                             \
    }                                                                                              \
  }
static const case_t cases[] = {C("lop3.b32 %w0, %w1, %w2, %w3, 0xEA", "wwww", lop_and_or),
                               C("lop3.b32 %w0, %w1, %w2, %w3, 0x96", "wwww", lop_xor),
                               C("lop3.b32 %w0, %w1, %w2, %w3, 0xCA", "wwww", lop_choose),
                               C("lop3.b32 %w0, %w1, %w2, %w3, 0", "wwww", lop_none),
                               C("dp4a.u32.u32 %w0, %w1, %w2, %w3", "wwww", dp4a_uu),
                               C("dp4a.u32.s32 %w0, %w1, %w2, %w3", "wwww", dp4a_us),
                               C("dp4a.s32.u32 %w0, %w1, %w2, %w3", "wwww", dp4a_su),
                               C("dp4a.s32.s32 %w0, %w1, %w2, %w3", "wwww", dp4a_ss),
                               C("dp2a.lo.s32.s32 %w0, %w1, %w2, %w3", "wwww", dp2a_lo_ss),
                               C("dp2a.hi.u32.s32 %w0, %w1, %w2, %w3", "wwww", dp2a_hi_us),
                               C("dp2a.hi.u32.u32 %w0, %w1, %w2, %w3", "wwww", dp2a_hi_uu),
                               C("bmsk.clamp.b32 %w0, %w1, %w2", "www", bmsk_clamp),
                               C("bmsk.wrap.b32 %w0, %w1, %w2", "www", bmsk_wrap),
                               C("szext.clamp.u32 %w0, %w1, %w2", "www", szext_u),
                               C("szext.clamp.s32 %w0, %w1, %w2", "www", szext_s),
                               C("szext.wrap.u32 %w0, %w1, %w2", "www", szext_w),
                               C("bfind.shiftamt.u32 %w0, %w1", "ww", top_u),
                               C("bfind.shiftamt.s32 %w0, %w1", "ww", top_s),
                               C("bfind.shiftamt.s64 %w0, %d1", "wd", top_l),
                               C("testp.finite.f32 %p0, %w1", "pw", finite),
                               C("testp.infinite.f32 %p0, %w1", "pw", infinite),
                               C("testp.number.f32 %p0, %w1", "pw", number32),
                               C("testp.notanumber.f32 %p0, %w1", "pw", nan32),
                               C("testp.normal.f32 %p0, %w1", "pw", normal),
                               C("testp.subnormal.f32 %p0, %w1", "pw", subnormal),
                               C("testp.subnormal.f64 %p0, %d1", "pd", subnormal64),
                               C("testp.normal.f64 %p0, %d1", "pd", normal64),
                               C("tanh.approx.f32 %w0, %w1", "ww", tanh32),
                               C("min.NaN.f32 %w0, %w1, %w2", "www", min_nan),
                               C("max.ftz.NaN.f32 %w0, %w1, %w2", "www", max_nan_ftz),
                               C("min.xorsign.abs.f32 %w0, %w1, %w2", "www", min_sign),
                               C("max.NaN.xorsign.abs.f32 %w0, %w1, %w2", "www", max_nan_sign)};

START_TEST(instructions) {
  run_cases(&cases[_i], 1);
}
END_TEST

/* ---- chains ----------------------------------------------------------------------------------- */

/* 128 bits in words of 64 and of 32; the guard leaves the carry of other lanes alone. */
START_TEST(long_sums) {
  triple_t *in = random_triples(11);
  uint64_t *high = run_half("add.cc.u64 %x5, %d1, %d2; addc.u64 %d0, %d3, %d1", 'd', in, MANY);
  uint64_t *minus = run_half("sub.cc.s64 %x5, %d1, %d2; subc.s64 %d0, %d3, %d1", 'd', in, MANY);
  uint64_t *third = run_half(
      "add.cc.u32 %y3, %r1, %r2; addc.cc.u32 %y3, %r2, %r3; addc.u32 %r0, %r1, 0", 'r', in, MANY);
  uint64_t *guarded = run_half("add.cc.u32 %y3, %r1, %r2; setp.lt.u32 %p2, %r3, 77;\n"
                               "@%p2 add.cc.u32 %y3, -1, 1; addc.u32 %r0, 0, 0",
                               'r', in, MANY);
  for (unsigned i = 0; i < MANY; i++) {
    const uint64_t a = in[i].a, b = in[i].b, c = in[i].c;
    const u128 x = (u128)c << 64 | a, y = (u128)a << 64 | b;
    ck_assert_uint_eq(high[i], (uint64_t)((x + y) >> 64));
    ck_assert_uint_eq(minus[i], (uint64_t)((x - y) >> 64));
    const uint64_t first = (uint64_t)A32 + B32, second = (uint64_t)B32 + C32 + (first >> 32);
    ck_assert_uint_eq(third[i], (uint32_t)(A32 + (second >> 32)));
    ck_assert_uint_eq(guarded[i], C32 < 77 ? 1 : first >> 32);
  }
  free(in), free(high), free(minus), free(third), free(guarded);
}
END_TEST

/* Three instructions, each of which takes the carry of the one before, whichever it is: a difference
 * leaves a carry where there was no borrow, and takes 1 more away where it finds none. */
typedef struct {
  char kind;      /* + and - of a and b; * and ^ for the low and the high half of a * b, plus c */
  bool is_signed; /* matters to ^ alone */
  unsigned bits;
} link_t;
static const link_t links[] = {
    {'+', false, 32}, {'+', false, 64}, {'-', false, 32}, {'-', false, 64}, {'*', false, 32},
    {'*', false, 64}, {'^', false, 32}, {'^', false, 64}, {'^', true, 32},  {'^', true, 64}};
enum { LINKS = sizeof links / sizeof *links };

/* The first of a chain takes no carry, the last leaves none; its result goes to number `to`. */
static void print_link(char text[96], const link_t *k, bool first, bool last, unsigned to) {
  static const char *const names[2][2] = {{"addc", "subc"}, {"add", "sub"}};
  const char wide = k->bits == 64 ? 'd' : 'r', result = k->bits == 64 ? 'x' : 'y';
  const bool sum = k->kind == '+' || k->kind == '-';
  char name[16];
  if (sum)
    snprintf(name, sizeof name, "%s", names[first][k->kind == '-']);
  else
    snprintf(name, sizeof name, "%s.%s", first ? "mad" : "madc", k->kind == '*' ? "lo" : "hi");
  int at = snprintf(text, 96, "%s%s.%c%u %%%c%u, %%%c1, %%%c2", name, last ? "" : ".cc",
                    k->is_signed ? 's' : 'u', k->bits, result, to, wide, wide);
  if (!sum) snprintf(text + at, 96 - (size_t)at, ", %%%c3", wide);
}

/* What a link gives, by sums and comparisons of 128 bits; `carry` of before and after. */
static uint64_t link_value(const link_t *k, const triple_t *in, bool first, unsigned *carry) {
  const u128 all = ((u128)1 << k->bits) - 1;
  const u128 a = in->a & all, b = in->b & all, c = in->c & all;
  const i128 sa = k->bits == 64 ? (int64_t)in->a : (int32_t)in->a;
  const i128 sb = k->bits == 64 ? (int64_t)in->b : (int32_t)in->b;
  const u128 high = k->is_signed ? (u128)(sa * sb) >> k->bits & all : a * b >> k->bits;
  const unsigned taken = first ? 0 : *carry, borrow = first ? 0 : !*carry;
  if (k->kind == '-') {
    *carry = a >= b + borrow;
    return (uint64_t)((a - b - borrow) & all);
  }
  const u128 sum = (k->kind == '+' ? a + b : (k->kind == '*' ? a * b & all : high) + c) + taken;
  *carry = sum > all;
  return (uint64_t)(sum & all);
}

static uint64_t chain_value(const link_t *const k[3], const triple_t *in) {
  unsigned carry = 0;
  uint64_t r = 0;
  for (unsigned i = 0; i < 3; i++) r = 5 * r + link_value(k[i], in, i == 0, &carry);
  return r;
}

/* All chains that begin with links[_i]. */
START_TEST(chains) {
  triple_t *in = random_triples(13 + (uint64_t)_i);
  for (unsigned n = 0; n < LINKS * LINKS; n++) {
    const link_t *const k[3] = {&links[_i], &links[n / LINKS], &links[n % LINKS]};
    char part[3][96], text[640];
    for (unsigned i = 0; i < 3; i++) print_link(part[i], k[i], i == 0, i == 2, 4 + i);
    int at = snprintf(text, sizeof text, "%s; %s; %s; mov.u64 %%d0, 0", part[0], part[1], part[2]);
    for (unsigned i = 0; i < 3; i++)
      at += snprintf(text + at, sizeof text - (size_t)at,
                     k[i]->bits == 64 ? "; mad.lo.u64 %%d0, %%d0, 5, %%x%u"
                                      : "; cvt.u64.u32 %%x7, %%y%u; mad.lo.u64 %%d0, %%d0, 5, %%x7",
                     4 + i);
    uint64_t *got = run_half(text, 'd', in, HALF_BLOCK);
    for (unsigned i = 0; i < HALF_BLOCK; i++)
      ck_assert_msg(got[i] == chain_value(k, &in[i]), "%s; %s; %s", part[0], part[1], part[2]);
    free(got);
  }
  free(in);
}
END_TEST

/* 128 bits by 64, as nvcc divides: the carry of a difference says whether the divisor fits. */
START_TEST(divisions) {
  triple_t *in = random_triples(14);
  for (unsigned i = 0; i < MANY; i++) in[i].c |= 1;
  uint64_t *got = run_half(
      "mov.u64 %x4, 0; mov.u64 %x5, %d1; mov.u64 %x6, %d2; mov.u32 %y3, 128;\n"
      "AGAIN: add.cc.u64 %x6, %x6, %x6; addc.cc.u64 %x5, %x5, %x5; addc.cc.u64 %x4, %x4, %x4;\n"
      "addc.u32 %y4, 0, 0; sub.cc.u64 %x7, %x4, %d3; addc.u32 %y5, 0, %y4;\n"
      "setp.ne.u32 %p2, %y5, 0; @%p2 mov.u64 %x4, %x7; @%p2 add.u64 %x6, %x6, 1;\n"
      "sub.u32 %y3, %y3, 1; setp.ne.u32 %p2, %y3, 0; @%p2 bra AGAIN;\n"
      "mad.lo.u64 %d0, %x6, 3, %x4",
      'd', in, MANY);
  for (unsigned i = 0; i < MANY; i++) {
    const u128 dividend = (u128)in[i].a << 64 | in[i].b;
    ck_assert_uint_eq(got[i], (uint64_t)(dividend / in[i].c * 3 + dividend % in[i].c));
  }
  free(in), free(got);
}
END_TEST

/* The upper half of a product of 64 bits, from words of 32: what nvcc writes for it. */
START_TEST(long_products) {
  triple_t *in = random_triples(12);
  uint64_t *high = run_half(
      "mov.b64 {%y3, %y4}, %d1; mov.b64 {%y5, %y6}, %d2; mul.lo.u32 %r0, %y3, %y5;\n"
      "mul.hi.u32 %r0, %y3, %y5; mad.lo.cc.u32 %r0, %y4, %y5, %r0; madc.hi.u32 %r1, %y4, %y5, 0;\n"
      "mad.lo.cc.u32 %r0, %y3, %y6, %r0; madc.hi.cc.u32 %r1, %y3, %y6, %r1; addc.u32 %r2, 0, 0;\n"
      "mad.lo.cc.u32 %r1, %y4, %y6, %r1; madc.hi.u32 %r2, %y4, %y6, %r2; mov.b64 %d0, {%r1, %r2}",
      'd', in, MANY);
  uint64_t *wide =
      run_half("mad.hi.cc.s64 %x5, %d1, %d2, %d3; madc.lo.s64 %d0, %d1, %d2, %d3", 'd', in, MANY);
  for (unsigned i = 0; i < MANY; i++) {
    const uint64_t a = in[i].a, b = in[i].b, c = in[i].c;
    ck_assert_uint_eq(high[i], (uint64_t)((u128)a * b >> 64));
    const uint64_t upper = (uint64_t)((u128)((i128)LA * LB) >> 64);
    ck_assert_uint_eq(wide[i], a * b + c + (upper + c < c));
  }
  free(in), free(high), free(wide);
}
END_TEST

/* Addresses of shared and local memory, of a parameter; and a global one. */
START_TEST(spaces) {
  static const char *const asked[] = {"shared", "local", "param", "global", "const"};
  const uint64_t at[5] = {0x01000010, 0x02000000, 0x03000008, 0x80000000, 0x04000100};
  triple_t in[HALF_BLOCK] = {{0}};
  for (unsigned i = 0; i < 5; i++) in[i].a = at[i];
  for (unsigned s = 0; s < 5; s++) {
    char inst[64];
    snprintf(inst, sizeof inst, "isspacep.%s %%p0, %%d1", asked[s]);
    uint64_t *out = run_half(inst, 'p', in, HALF_BLOCK);
    for (unsigned i = 0; i < 5; i++) ck_assert_uint_eq(out[i] & 1, i == s);
    free(out);
  }
}
END_TEST

Suite *test_simt_carry_suite(void);

Suite *test_simt_carry_suite(void) {
  Suite *s = suite_create("simt_carry");
  TCase *t = tcase_create("simt_carry");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, instructions, 0, sizeof cases / sizeof *cases);
  tcase_add_test(t, long_sums);
  tcase_add_test(t, long_products);
  tcase_add_test(t, divisions);
  tcase_add_test(t, spaces);
  suite_add_tcase(s, t);
  t = tcase_create("simt_carry_chains");
  tcase_set_tags(t, "heavy"); /* a thousand kernels: not under valgrind */
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, chains, 0, LINKS);
  suite_add_tcase(s, t);
  return s;
}
