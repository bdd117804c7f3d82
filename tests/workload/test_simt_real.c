/* SPDX-License-Identifier: Apache-2.0 */
/* Floating point and comparisons against plain C. */
#include "simt_ops.h"

#include <fenv.h>

/* ---- floating point */

FN(fadd, r32(FA + FB))
FN(fsub, r32(FA - FB))
FN(fmul, r32(FA *FB))
FN(fdiv, r32(FA / FB))
FN(ffma, r32(fmaf(FA, FB, FC)))
FN(frcp, r32(1.0f / FA))
FN(fsqrt, r32(sqrtf(FA)))
FN(faddz, z32(ftz(FA) + ftz(FB)))
FN(fsubz, z32(ftz(FA) - ftz(FB)))
FN(fmulz, z32(ftz(FA) * ftz(FB)))
FN(fdivz, z32(ftz(FA) / ftz(FB)))
FN(ffmaz, z32(fmaf(ftz(FA), ftz(FB), ftz(FC))))
FN(frcpz, z32(1.0f / ftz(FA)))
FN(fsqrtz, z32(sqrtf(ftz(FA))))
FN(frsqrt, r32((float)(1.0 / sqrt((double)FA))))
FN(fsin, r32((float)sin((double)FA)))
FN(fcos, r32((float)cos((double)FA)))
FN(flg2, r32((float)log2((double)FA)))
FN(fex2, r32((float)exp2((double)FA)))
FN(fex2z, z32((float)exp2((double)ftz(FA))))
FN(fabsolute, r32(fabsf(FA)))
FN(fnegate, r32(-FA))
FN(fcopysign, (A32 & 0x80000000) | (B32 & 0x7FFFFFFF))
FN(dadd, r64(DA + DB, 2, DA, DB, 0))
FN(dsub, r64(DA - DB, 2, DA, DB, 0))
FN(dmul, r64(DA *DB, 2, DA, DB, 0))
FN(ddiv, r64(DA / DB, 2, DB, DA, 0))
FN(dfma, r64(fma(DA, DB, DC), 3, DA, DB, DC))
FN(drcp, r64(1.0 / DA, 1, DA, 0, 0))
FN(dsqrt, r64(sqrt(DA), 1, DA, 0, 0))
FN(drsqrt, r64(1.0 / sqrt(DA), 1, DA, 0, 0))
FN(dabs, r64(fabs(DA), 1, DA, 0, 0))
FN(dneg, r64(-DA, 1, DA, 0, 0))
FN(dcopysign, (a & (UINT64_C(1) << 63)) | (b & INT64_MAX))

static uint64_t choose32(float x, float y, bool smaller) {
  if (isnan(x)) return r32(y);
  if (isnan(y)) return r32(x);
  if (x == y)
    return signbit(x) ? (smaller ? bits32(x) : bits32(y)) : (smaller ? bits32(y) : bits32(x));
  return bits32((x < y) == smaller ? x : y);
}
static uint64_t choose64(double x, double y, bool smaller) {
  if (isnan(x)) return r64(y, 1, y, 0, 0);
  if (isnan(y)) return bits64(x);
  if (x == y)
    return signbit(x) ? (smaller ? bits64(x) : bits64(y)) : (smaller ? bits64(y) : bits64(x));
  return bits64((x < y) == smaller ? x : y);
}
FN(fmin32, choose32(FA, FB, true))
FN(fmax32, choose32(FA, FB, false))
FN(fmin32z, choose32(ftz(FA), ftz(FB), true))
FN(fmin64, choose64(DA, DB, true))
FN(fmax64, choose64(DA, DB, false))

/* With a rounding direction. */
static uint64_t rounded(int mode, char op, float x, float y, float z) {
  volatile float a = x, b = y, c = z, r;
  fesetround(mode);
  switch (op) {
  case '+':
    r = a + b;
    break;
  case '-':
    r = a - b;
    break;
  case '*':
    r = a * b;
    break;
  case '/':
    r = a / b;
    break;
  case 'r':
    r = 1.0f / a;
    break;
  case 's':
    r = sqrtf(a);
    break;
  default:
    r = fmaf(a, b, c);
    break;
  }
  fesetround(FE_TONEAREST);
  return r32(r);
}
FN(add_rz, rounded(FE_TOWARDZERO, '+', FA, FB, 0))
FN(add_rm, rounded(FE_DOWNWARD, '+', FA, FB, 0))
FN(sub_rp, rounded(FE_UPWARD, '-', FA, FB, 0))
FN(mul_rz, rounded(FE_TOWARDZERO, '*', FA, FB, 0))
FN(fma_rm, rounded(FE_DOWNWARD, 'f', FA, FB, FC))
FN(div_rp, rounded(FE_UPWARD, '/', FA, FB, 0))
FN(rcp_rm, rounded(FE_DOWNWARD, 'r', FA, 0, 0))
FN(sqrt_rz, rounded(FE_TOWARDZERO, 's', FA, 0, 0))
static uint64_t sat32(float x) {
  return isnan(x) || x <= 0 ? 0 : x >= 1 ? 0x3F800000 : bits32(x);
}
FN(add_sat32, sat32(FA + FB))
FN(mul_sat32, sat32(FA *FB))
FN(fma_sat32z, sat32(ftz(fmaf(ftz(FA), ftz(FB), ftz(FC)))))

/* ---- comparisons */

FN(eq_u16, HA == HB)
FN(ne_u16, HA != HB)
FN(lt_u16, HA < HB)
FN(le_u16, HA <= HB)
FN(gt_u16, HA > HB)
FN(ge_u16, HA >= HB)
FN(eq_s16, SHA == SHB)
FN(ne_s16, SHA != SHB)
FN(lt_s16, SHA < SHB)
FN(le_s16, SHA <= SHB)
FN(gt_s16, SHA > SHB)
FN(ge_s16, SHA >= SHB)
FN(eq_u32, A32 == B32)
FN(ne_u32, A32 != B32)
FN(lt_u32, A32 < B32)
FN(le_u32, A32 <= B32)
FN(gt_u32, A32 > B32)
FN(ge_u32, A32 >= B32)
FN(eq_s32, SA == SB)
FN(ne_s32, SA != SB)
FN(lt_s32, SA < SB)
FN(le_s32, SA <= SB)
FN(gt_s32, SA > SB)
FN(ge_s32, SA >= SB)
FN(eq_u64, a == b)
FN(ne_u64, a != b)
FN(lt_u64, a < b)
FN(le_u64, a <= b)
FN(gt_u64, a > b)
FN(ge_u64, a >= b)
FN(eq_s64, LA == LB)
FN(ne_s64, LA != LB)
FN(lt_s64, LA < LB)
FN(le_s64, LA <= LB)
FN(gt_s64, LA > LB)
FN(ge_s64, LA >= LB)
FN(eq_f32, FA == FB && !isunordered(FA, FB))
FN(equ_f32, FA == FB || isunordered(FA, FB))
FN(ne_f32, FA != FB && !isunordered(FA, FB))
FN(neu_f32, FA != FB || isunordered(FA, FB))
FN(lt_f32, FA < FB && !isunordered(FA, FB))
FN(ltu_f32, FA < FB || isunordered(FA, FB))
FN(le_f32, FA <= FB && !isunordered(FA, FB))
FN(leu_f32, FA <= FB || isunordered(FA, FB))
FN(gt_f32, FA > FB && !isunordered(FA, FB))
FN(gtu_f32, FA > FB || isunordered(FA, FB))
FN(ge_f32, FA >= FB && !isunordered(FA, FB))
FN(geu_f32, FA >= FB || isunordered(FA, FB))
FN(num_f32, !isunordered(FA, FB))
FN(nan_f32, isunordered(FA, FB))
FN(eq_f64, DA == DB && !isunordered(DA, DB))
FN(equ_f64, DA == DB || isunordered(DA, DB))
FN(ne_f64, DA != DB && !isunordered(DA, DB))
FN(neu_f64, DA != DB || isunordered(DA, DB))
FN(lt_f64, DA < DB && !isunordered(DA, DB))
FN(ltu_f64, DA < DB || isunordered(DA, DB))
FN(le_f64, DA <= DB && !isunordered(DA, DB))
FN(leu_f64, DA <= DB || isunordered(DA, DB))
FN(gt_f64, DA > DB && !isunordered(DA, DB))
FN(gtu_f64, DA > DB || isunordered(DA, DB))
FN(ge_f64, DA >= DB && !isunordered(DA, DB))
FN(geu_f64, DA >= DB || isunordered(DA, DB))
FN(num_f64, !isunordered(DA, DB))
FN(nan_f64, isunordered(DA, DB))
FN(lt_f32z, ftz(FA) < ftz(FB))
FN(hi_u32c, A32 > B32)
FN(and_c, (A32 < B32) & c & 1)
FN(or_c, (A32 < B32) | (~c & 1))
FN(xor_c, (A32 < B32) ^ (c & 1))
FN(second, A32 >= B32)
FN(second_and, (A32 >= B32) & c & 1)
FN(set_u32, FA < FB ? UINT32_MAX : 0)
FN(set_f32, SA < SB ? 0x3F800000 : 0)
FN(set_and, (SA < SB) & c & 1 ? UINT32_MAX : 0)

#define DDD(op) op " %d0, %d1, %d2"
#define WWW(op) op " %w0, %w1, %w2"
#define WWWW(op) op " %w0, %w1, %w2, %w3"
#define DDDD(op) op " %d0, %d1, %d2, %d3"
#define WW(op) op " %w0, %w1"
#define DD(op) op " %d0, %d1"

static const case_t real[] = {
    {WWW("add.f32"), "www", .expect = fadd},
    {WWW("add.rn.f32"), "www", .expect = fadd},
    {WWW("sub.f32"), "www", .expect = fsub},
    {WWW("mul.f32"), "www", .expect = fmul},
    {WWW("div.rn.f32"), "www", .expect = fdiv},
    {WWW("div.approx.f32"), "www", .expect = fdiv},
    {WWW("div.full.f32"), "www", .expect = fdiv},
    {WWW("min.f32"), "www", .expect = fmin32},
    {WWW("max.f32"), "www", .expect = fmax32},
    {WWW("min.ftz.f32"), "www", .expect = fmin32z},
    {WWW("copysign.f32"), "www", .expect = fcopysign},
    {WWW("add.ftz.f32"), "www", .expect = faddz},
    {WWW("sub.ftz.f32"), "www", .expect = fsubz},
    {WWW("mul.ftz.f32"), "www", .expect = fmulz},
    {WWW("div.rn.ftz.f32"), "www", .expect = fdivz},
    {WWW("add.rz.f32"), "www", .expect = add_rz},
    {WWW("add.rm.f32"), "www", .expect = add_rm},
    {WWW("sub.rp.f32"), "www", .expect = sub_rp},
    {WWW("mul.rz.f32"), "www", .expect = mul_rz},
    {WWW("div.rp.f32"), "www", .expect = div_rp},
    {WWW("add.sat.f32"), "www", .expect = add_sat32},
    {WWW("mul.sat.f32"), "www", .expect = mul_sat32},
    {WWWW("fma.rn.f32"), "wwww", .expect = ffma},
    {WWWW("mad.rn.f32"), "wwww", .expect = ffma},
    {WWWW("fma.rn.ftz.f32"), "wwww", .expect = ffmaz},
    {WWWW("fma.rm.f32"), "wwww", .expect = fma_rm},
    {WWWW("fma.rn.ftz.sat.f32"), "wwww", .expect = fma_sat32z},
    {WW("rcp.rn.f32"), "ww", .expect = frcp},
    {WW("rcp.approx.f32"), "ww", .expect = frcp},
    {WW("rcp.approx.ftz.f32"), "ww", .expect = frcpz},
    {WW("rcp.rm.f32"), "ww", .expect = rcp_rm},
    {WW("sqrt.rn.f32"), "ww", .expect = fsqrt},
    {WW("sqrt.approx.f32"), "ww", .expect = fsqrt},
    {WW("sqrt.approx.ftz.f32"), "ww", .expect = fsqrtz},
    {WW("sqrt.rz.f32"), "ww", .expect = sqrt_rz},
    {WW("rsqrt.approx.f32"), "ww", .expect = frsqrt},
    {WW("sin.approx.f32"), "ww", .expect = fsin},
    {WW("cos.approx.f32"), "ww", .expect = fcos},
    {WW("lg2.approx.f32"), "ww", .expect = flg2},
    {WW("ex2.approx.f32"), "ww", .expect = fex2},
    {WW("ex2.approx.ftz.f32"), "ww", .expect = fex2z},
    {WW("abs.f32"), "ww", .expect = fabsolute},
    {WW("neg.f32"), "ww", .expect = fnegate},
    {DDD("add.f64"), "ddd", .expect = dadd},
    {DDD("sub.f64"), "ddd", .expect = dsub},
    {DDD("mul.f64"), "ddd", .expect = dmul},
    {DDD("div.rn.f64"), "ddd", .expect = ddiv},
    {DDD("min.f64"), "ddd", .expect = fmin64},
    {DDD("max.f64"), "ddd", .expect = fmax64},
    {DDD("copysign.f64"), "ddd", .expect = dcopysign},
    {DDDD("fma.rn.f64"), "dddd", .expect = dfma},
    {DD("rcp.rn.f64"), "dd", .expect = drcp},
    {DD("sqrt.rn.f64"), "dd", .expect = dsqrt},
    {DD("rsqrt.approx.f64"), "dd", .expect = drsqrt},
    {DD("abs.f64"), "dd", .expect = dabs},
    {DD("neg.f64"), "dd", .expect = dneg},
};

static const case_t comparisons[] = {
    {"setp.eq.u16 %p0, %h1, %h2", "phh", .expect = eq_u16},
    {"setp.ne.u16 %p0, %h1, %h2", "phh", .expect = ne_u16},
    {"setp.lt.u16 %p0, %h1, %h2", "phh", .expect = lt_u16},
    {"setp.le.u16 %p0, %h1, %h2", "phh", .expect = le_u16},
    {"setp.gt.u16 %p0, %h1, %h2", "phh", .expect = gt_u16},
    {"setp.ge.u16 %p0, %h1, %h2", "phh", .expect = ge_u16},
    {"setp.eq.s16 %p0, %h1, %h2", "phh", .expect = eq_s16},
    {"setp.ne.s16 %p0, %h1, %h2", "phh", .expect = ne_s16},
    {"setp.lt.s16 %p0, %h1, %h2", "phh", .expect = lt_s16},
    {"setp.le.s16 %p0, %h1, %h2", "phh", .expect = le_s16},
    {"setp.gt.s16 %p0, %h1, %h2", "phh", .expect = gt_s16},
    {"setp.ge.s16 %p0, %h1, %h2", "phh", .expect = ge_s16},
    {"setp.eq.u32 %p0, %w1, %w2", "pww", .expect = eq_u32},
    {"setp.ne.u32 %p0, %w1, %w2", "pww", .expect = ne_u32},
    {"setp.lt.u32 %p0, %w1, %w2", "pww", .expect = lt_u32},
    {"setp.le.u32 %p0, %w1, %w2", "pww", .expect = le_u32},
    {"setp.gt.u32 %p0, %w1, %w2", "pww", .expect = gt_u32},
    {"setp.ge.u32 %p0, %w1, %w2", "pww", .expect = ge_u32},
    {"setp.eq.s32 %p0, %w1, %w2", "pww", .expect = eq_s32},
    {"setp.ne.s32 %p0, %w1, %w2", "pww", .expect = ne_s32},
    {"setp.lt.s32 %p0, %w1, %w2", "pww", .expect = lt_s32},
    {"setp.le.s32 %p0, %w1, %w2", "pww", .expect = le_s32},
    {"setp.gt.s32 %p0, %w1, %w2", "pww", .expect = gt_s32},
    {"setp.ge.s32 %p0, %w1, %w2", "pww", .expect = ge_s32},
    {"setp.eq.u64 %p0, %d1, %d2", "pdd", .expect = eq_u64},
    {"setp.ne.u64 %p0, %d1, %d2", "pdd", .expect = ne_u64},
    {"setp.lt.u64 %p0, %d1, %d2", "pdd", .expect = lt_u64},
    {"setp.le.u64 %p0, %d1, %d2", "pdd", .expect = le_u64},
    {"setp.gt.u64 %p0, %d1, %d2", "pdd", .expect = gt_u64},
    {"setp.ge.u64 %p0, %d1, %d2", "pdd", .expect = ge_u64},
    {"setp.eq.s64 %p0, %d1, %d2", "pdd", .expect = eq_s64},
    {"setp.ne.s64 %p0, %d1, %d2", "pdd", .expect = ne_s64},
    {"setp.lt.s64 %p0, %d1, %d2", "pdd", .expect = lt_s64},
    {"setp.le.s64 %p0, %d1, %d2", "pdd", .expect = le_s64},
    {"setp.gt.s64 %p0, %d1, %d2", "pdd", .expect = gt_s64},
    {"setp.ge.s64 %p0, %d1, %d2", "pdd", .expect = ge_s64},
    {"setp.eq.f32 %p0, %w1, %w2", "pww", .expect = eq_f32},
    {"setp.equ.f32 %p0, %w1, %w2", "pww", .expect = equ_f32},
    {"setp.ne.f32 %p0, %w1, %w2", "pww", .expect = ne_f32},
    {"setp.neu.f32 %p0, %w1, %w2", "pww", .expect = neu_f32},
    {"setp.lt.f32 %p0, %w1, %w2", "pww", .expect = lt_f32},
    {"setp.ltu.f32 %p0, %w1, %w2", "pww", .expect = ltu_f32},
    {"setp.le.f32 %p0, %w1, %w2", "pww", .expect = le_f32},
    {"setp.leu.f32 %p0, %w1, %w2", "pww", .expect = leu_f32},
    {"setp.gt.f32 %p0, %w1, %w2", "pww", .expect = gt_f32},
    {"setp.gtu.f32 %p0, %w1, %w2", "pww", .expect = gtu_f32},
    {"setp.ge.f32 %p0, %w1, %w2", "pww", .expect = ge_f32},
    {"setp.geu.f32 %p0, %w1, %w2", "pww", .expect = geu_f32},
    {"setp.num.f32 %p0, %w1, %w2", "pww", .expect = num_f32},
    {"setp.nan.f32 %p0, %w1, %w2", "pww", .expect = nan_f32},
    {"setp.eq.f64 %p0, %d1, %d2", "pdd", .expect = eq_f64},
    {"setp.equ.f64 %p0, %d1, %d2", "pdd", .expect = equ_f64},
    {"setp.ne.f64 %p0, %d1, %d2", "pdd", .expect = ne_f64},
    {"setp.neu.f64 %p0, %d1, %d2", "pdd", .expect = neu_f64},
    {"setp.lt.f64 %p0, %d1, %d2", "pdd", .expect = lt_f64},
    {"setp.ltu.f64 %p0, %d1, %d2", "pdd", .expect = ltu_f64},
    {"setp.le.f64 %p0, %d1, %d2", "pdd", .expect = le_f64},
    {"setp.leu.f64 %p0, %d1, %d2", "pdd", .expect = leu_f64},
    {"setp.gt.f64 %p0, %d1, %d2", "pdd", .expect = gt_f64},
    {"setp.gtu.f64 %p0, %d1, %d2", "pdd", .expect = gtu_f64},
    {"setp.ge.f64 %p0, %d1, %d2", "pdd", .expect = ge_f64},
    {"setp.geu.f64 %p0, %d1, %d2", "pdd", .expect = geu_f64},
    {"setp.num.f64 %p0, %d1, %d2", "pdd", .expect = num_f64},
    {"setp.nan.f64 %p0, %d1, %d2", "pdd", .expect = nan_f64},
    {"setp.lt.ftz.f32 %p0, %w1, %w2", "pww", .expect = lt_f32z},
    {"setp.hi.u32 %p0, %w1, %w2", "pww", .expect = hi_u32c},
    {"setp.lt.and.u32 %p0, %w1, %w2, %p3", "pwwp", .expect = and_c},
    {"setp.lt.or.u32 %p0, %w1, %w2, !%p3", "pwwp", .expect = or_c},
    {"setp.lt.xor.u32 %p0, %w1, %w2, %p3", "pwwp", .expect = xor_c},
    {"setp.lt.u32 %p4|%p0, %w1, %w2", "pww", .expect = second},
    {"setp.lt.and.u32 %p4|%p0, %w1, %w2, %p3", "pwwp", .expect = second_and},
    {"set.lt.u32.f32 %w0, %w1, %w2", "www", .expect = set_u32},
    {"set.lt.f32.s32 %w0, %w1, %w2", "www", .expect = set_f32},
    {"set.lt.and.u32.s32 %w0, %w1, %w2, %p3", "wwwp", .expect = set_and},
};

#define ALL(cases) run_cases(cases, sizeof cases / sizeof *cases)

START_TEST(real_all) {
  ALL(real);
}
END_TEST

START_TEST(comparisons_all) {
  ALL(comparisons);
}
END_TEST

Suite *test_simt_real_suite(void);

Suite *test_simt_real_suite(void) {
  Suite *s = suite_create("simt_real");
  TCase *t = tcase_create("simt_real");
  tcase_set_timeout(t, 60);
  tcase_set_tags(t, "heavy"); /* valgrind 3.19 takes AVX's unordered comparisons for ordered ones */
  tcase_add_test(t, real_all);
  tcase_add_test(t, comparisons_all);
  suite_add_tcase(s, t);
  return s;
}
