/* SPDX-License-Identifier: Apache-2.0 */
/* Integer, bit and copy instructions against plain C; the bit operations bit by bit, as the PTX
 * manual defines them. */
#include "simt_ops.h"

FN(add16, (uint16_t)(HA + HB))
FN(add32, A32 + B32)
FN(add64, a + b)
FN(sub16, (uint16_t)(HA - HB))
FN(sub32, A32 - B32)
FN(sub64, a - b)
FN(mul16, (uint16_t)((uint32_t)HA *HB))
FN(mul32, A32 *B32)
FN(mul64, a *b)
FN(mad16, (uint16_t)((uint32_t)HA *HB + (uint16_t)c))
FN(mad32, A32 *B32 + C32)
FN(mad64, a *b + c)
FN(hi_u16, (uint16_t)((uint32_t)HA *HB >> 16))
FN(hi_s16, (uint16_t)((SHA * SHB) >> 16))
FN(hi_u32, (uint32_t)((u128)A32 *B32 >> 32))
FN(hi_s32, (uint32_t)((i128)SA *SB >> 32))
FN(hi_u64, (u128)a *b >> 64)
FN(hi_s64, (i128)LA *LB >> 64)
FN(mad_hi_u32, (uint32_t)((u128)A32 *B32 >> 32) + C32)
FN(mad_hi_s64, (uint64_t)((i128)LA *LB >> 64) + c)
FN(wide_u16, (uint32_t)HA *HB)
FN(wide_s16, (uint32_t)(SHA *SHB))
FN(wide_u32, (uint64_t)A32 *B32)
FN(wide_s32, (int64_t)SA *SB)
FN(mad_wide_u16, (uint32_t)HA *HB + C32)
FN(mad_wide_s16, (uint32_t)(SHA *SHB) + C32)
FN(mad_wide_u32, (uint64_t)A32 *B32 + c)
FN(mad_wide_s32, (uint64_t)((int64_t)SA *SB) + c)

static int64_t low24(uint64_t x, bool is_signed) {
  int64_t v = (int64_t)(x & 0xFFFFFF);
  return is_signed && v >= 0x800000 ? v - 0x1000000 : v;
}
FN(m24lo_u, (uint32_t)(low24(a, false) * low24(b, false)))
FN(m24lo_s, (uint32_t)(low24(a, true) * low24(b, true)))
FN(m24hi_u, (uint32_t)((uint64_t)(low24(a, false) * low24(b, false)) >> 16))
FN(m24hi_s, (uint32_t)((uint64_t)(low24(a, true) * low24(b, true)) >> 16))
FN(mad24lo_u, (uint32_t)(low24(a, false) * low24(b, false)) + C32)
FN(mad24hi_s, (uint32_t)((uint64_t)(low24(a, true) * low24(b, true)) >> 16) + C32)

FN(sad_u16, (uint16_t)((HA > HB ? HA - HB : HB - HA) + (uint16_t)c))
FN(sad_s16, (uint16_t)((SHA > SHB ? SHA - SHB : SHB - SHA) + (uint16_t)c))
FN(sad_u32, (A32 > B32 ? A32 - B32 : B32 - A32) + C32)
FN(sad_s32, (SA > SB ? A32 - B32 : B32 - A32) + C32)
FN(sad_u64, (a > b ? a - b : b - a) + c)
FN(sad_s64, (LA > LB ? a - b : b - a) + c)
FN(div_u16, HB ? HA / HB : 0xFFFF)
FN(div_s16, SHB ? (uint16_t)(SHA / SHB) : 0xFFFF)
FN(div_u32, B32 ? A32 / B32 : UINT32_MAX)
FN(div_s32, SB == 0 ? UINT32_MAX : (uint32_t)((int64_t)SA / SB))
FN(div_u64, b ? a / b : UINT64_MAX)
FN(div_s64, b == 0 ? UINT64_MAX : (uint64_t)((i128)LA / LB))
FN(rem_u16, HB ? HA % HB : 0xFFFF)
FN(rem_s16, SHB ? (uint16_t)(SHA % SHB) : 0xFFFF)
FN(rem_u32, B32 ? A32 % B32 : UINT32_MAX)
FN(rem_s32, SB == 0 ? UINT32_MAX : (uint32_t)((int64_t)SA % SB))
FN(rem_u64, b ? a % b : UINT64_MAX)
FN(rem_s64, b == 0 ? UINT64_MAX : (uint64_t)((i128)LA % LB))
FN(abs_s16, (uint16_t)(SHA < 0 ? -SHA : SHA))
FN(abs_s32, SA < 0 ? 0 - A32 : A32)
FN(abs_s64, LA < 0 ? 0 - a : a)
FN(neg_s16, (uint16_t)-SHA)
FN(neg_s32, 0 - A32)
FN(neg_s64, 0 - a)
FN(min_u16, HA < HB ? HA : HB)
FN(min_s16, (uint16_t)(SHA < SHB ? SHA : SHB))
FN(min_u32, A32 < B32 ? A32 : B32)
FN(min_s32, (uint32_t)(SA < SB ? SA : SB))
FN(min_u64, a < b ? a : b)
FN(min_s64, LA < LB ? LA : LB)
FN(max_u16, HA > HB ? HA : HB)
FN(max_s16, (uint16_t)(SHA > SHB ? SHA : SHB))
FN(max_u32, A32 > B32 ? A32 : B32)
FN(max_s32, (uint32_t)(SA > SB ? SA : SB))
FN(max_u64, a > b ? a : b)
FN(max_s64, LA > LB ? LA : LB)
static uint64_t clamp_s32(int64_t v) {
  return (uint32_t)(int32_t)(v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : v);
}
FN(adds, clamp_s32((int64_t)SA + SB))
FN(mads, clamp_s32((int64_t)((i128)SA *SB >> 32) + (int32_t)C32))
FN(mad24s, clamp_s32(((low24(a, true) * low24(b, true)) >> 16) + (int32_t)C32))
FN(subs, clamp_s32((int64_t)SA - SB))

FN(add_imm, A32 - 77)
FN(sub_imm, 5 - a)
FN(mad_same, A32 *A32 + A32)

/* ---- bits */

FN(and32, A32 &B32)
FN(and64, a &b)
FN(or32, A32 | B32)
FN(or64, a | b)
FN(xor16, HA ^ HB)
FN(xor64, a ^ b)
FN(not32, (uint32_t)~a)
FN(not64, ~a)
FN(cnot16, HA == 0)
FN(cnot32, A32 == 0)
FN(cnot64, a == 0)
FN(shl16, B32 < 16 ? (uint16_t)(HA << B32) : 0)
FN(shl32, B32 < 32 ? A32 << B32 : 0)
FN(shl64, B32 < 64 ? a << B32 : 0)
FN(shr_u16, B32 < 16 ? HA >> B32 : 0)
FN(shr_s16, (uint16_t)(SHA >> (B32 < 16 ? B32 : 15)))
FN(shr_u32, B32 < 32 ? A32 >> B32 : 0)
FN(shr_s32, (uint32_t)(SA >> (B32 < 32 ? B32 : 31)))
FN(shr_u64, B32 < 64 ? a >> B32 : 0)
FN(shr_s64, LA >> (B32 < 64 ? B32 : 63))
static uint64_t funnel(uint64_t a, uint64_t b, uint32_t n, bool left) {
  u128 x = (u128)(b & UINT32_MAX) << 32 | (a & UINT32_MAX);
  return (uint32_t)(left ? x << n >> 32 : x >> n);
}
FN(shf_lw, funnel(a, b, C32 & 31, true))
FN(shf_lc, funnel(a, b, C32 < 32 ? C32 : 32, true))
FN(shf_rw, funnel(a, b, C32 & 31, false))
FN(shf_rc, funnel(a, b, C32 < 32 ? C32 : 32, false))
/* Eight bits for a word of 32, all for one of 64. */
static int part(uint64_t x, int msb) {
  const uint64_t v = msb == 31 ? x & 255 : (uint32_t)x;
  return v > 256 ? 256 : (int)v;
}
static uint64_t field(uint64_t a, uint64_t pos, uint64_t len, int msb, bool is_signed) {
  uint64_t d = 0;
  int p = part(pos, msb), n = part(len, msb);
  int top = p + n - 1 < msb ? p + n - 1 : msb;
  uint64_t sign = is_signed && n ? a >> top & 1 : 0;
  for (int i = 0; i <= msb; i++) d |= (i < n && p + i <= msb ? a >> (p + i) & 1 : sign) << i;
  return d;
}
FN(bfe_u32, field(a, b, c, 31, false))
FN(bfe_s32, field(a, b, c, 31, true))
FN(bfe_u64, field(a, b, c, 63, false))
FN(bfe_s64, field(a, b, c, 63, true))
static uint64_t insert(uint64_t a, uint64_t b, uint64_t pos, uint64_t len, int msb) {
  uint64_t f = b;
  int p = part(pos, msb), n = part(len, msb);
  for (int i = 0; i < n && p + i <= msb; i++)
    f = (f & ~(UINT64_C(1) << (p + i))) | (a >> i & 1) << (p + i);
  return f;
}
FN(bfi_32, insert(A32, B32, c, 9, 31))
FN(bfi_64, insert(a, b, c, 9, 63))
static uint64_t reversed(uint64_t a, int bits) {
  uint64_t r = 0;
  for (int i = 0; i < bits; i++) r |= (a >> i & 1) << (bits - 1 - i);
  return r;
}
FN(brev32, reversed(a, 32))
FN(brev64, reversed(a, 64))
static uint64_t highest(uint64_t a) {
  uint64_t n = UINT32_MAX;
  for (unsigned i = 0; i < 64; i++)
    if (a >> i & 1) n = i;
  return n;
}
FN(clz32, A32 ? 31 - highest(A32) : 32)
FN(clz64, a ? 63 - highest(a) : 64)
static uint64_t ones(uint64_t a) {
  uint64_t n = 0;
  for (; a; a >>= 1) n += a & 1;
  return n;
}
FN(popc32, ones(A32))
FN(popc64, ones(a))
FN(bfind_u32, highest(A32))
FN(bfind_s32, highest(SA < 0 ? ~A32 : A32))
FN(bfind_u64, highest(a))
FN(bfind_s64, highest(LA < 0 ? ~a : a))
static uint64_t left_shift(uint64_t a, unsigned bits) {
  unsigned n = 0;
  if (a == 0) return UINT32_MAX;
  while (!(a >> (bits - 1) & 1)) a <<= 1, n++;
  return n;
}
FN(shift_u32, left_shift(A32, 32))
FN(shift_s32, left_shift(SA < 0 ? ~A32 : A32, 32))
FN(shift_u64, left_shift(a, 64))
FN(shift_s64, left_shift(LA < 0 ? ~a : a, 64))
static uint64_t permute(uint64_t a, uint64_t b, uint32_t how) {
  uint8_t from[8];
  uint32_t r = 0;
  for (int i = 0; i < 8; i++) from[i] = (uint8_t)((i < 4 ? a : b) >> 8 * (i & 3));
  for (int i = 0; i < 4; i++) {
    uint32_t s = how >> 4 * i & 15;
    uint8_t x = from[s & 7];
    if (s & 8) x = x >> 7 ? 255 : 0;
    r |= (uint32_t)x << 8 * i;
  }
  return r;
}
FN(prmt, permute(a, b, C32))
FN(pand, a &b & 1)
FN(por, (a | b) & 1)
FN(pxor, (a ^ b) & 1)
FN(pnot, ~a & 1)
FN(pmov, a & 1)
FN(shl_imm, A32 << 5)
FN(bfe_imm, A32 >> 4 & 127)
FN(mov16, HA)
FN(mov32, A32)
FN(mov64, a)
FN(mov_imm, UINT64_C(0x0123456789ABCDEF))
FN(join64, b << 32 | A32)
FN(join32, (uint32_t)HB << 16 | HA)
FN(high64, a >> 32)
FN(part3, a >> 48)
FN(join_4, (uint64_t)HA << 48 | (uint64_t)(uint16_t)c << 32 | (uint32_t)HB << 16 | HA)
FN(high32, A32 >> 16)
FN(selp32, c & 1 ? A32 : B32)
FN(selp64, c & 1 ? a : b)
FN(selp16, c & 1 ? HA : HB)
FN(slct32, (int32_t)C32 >= 0 ? A32 : B32)
FN(slct64, (int32_t)C32 >= 0 ? a : b)
FN(slctf, FC >= 0 ? A32 : B32)
FN(slctz, ftz(FC) >= 0 ? A32 : B32)

#define DDD(op) op " %d0, %d1, %d2"
#define WWW(op) op " %w0, %w1, %w2"
#define HHH(op) op " %h0, %h1, %h2"
#define WWWW(op) op " %w0, %w1, %w2, %w3"
#define DDDD(op) op " %d0, %d1, %d2, %d3"
#define HHHH(op) op " %h0, %h1, %h2, %h3"

static const case_t arithmetic[] = {
    {HHH("add.u16"), "hhh", .expect = add16},
    {HHH("sub.s16"), "hhh", .expect = sub16},
    {HHH("mul.lo.u16"), "hhh", .expect = mul16},
    {HHH("mul.hi.u16"), "hhh", .expect = hi_u16},
    {HHH("mul.hi.s16"), "hhh", .expect = hi_s16},
    {HHH("div.u16"), "hhh", .expect = div_u16},
    {HHH("div.s16"), "hhh", .expect = div_s16},
    {HHH("rem.u16"), "hhh", .expect = rem_u16},
    {HHH("rem.s16"), "hhh", .expect = rem_s16},
    {HHH("min.u16"), "hhh", .expect = min_u16},
    {HHH("min.s16"), "hhh", .expect = min_s16},
    {HHH("max.u16"), "hhh", .expect = max_u16},
    {HHH("max.s16"), "hhh", .expect = max_s16},
    {WWW("add.s32"), "www", .expect = add32},
    {WWW("add.u32"), "www", .expect = add32},
    {WWW("sub.s32"), "www", .expect = sub32},
    {WWW("mul.lo.s32"), "www", .expect = mul32},
    {WWW("mul.hi.u32"), "www", .expect = hi_u32},
    {WWW("mul.hi.s32"), "www", .expect = hi_s32},
    {WWW("mul24.lo.u32"), "www", .expect = m24lo_u},
    {WWW("mul24.lo.s32"), "www", .expect = m24lo_s},
    {WWW("mul24.hi.u32"), "www", .expect = m24hi_u},
    {WWW("mul24.hi.s32"), "www", .expect = m24hi_s},
    {WWW("div.u32"), "www", .expect = div_u32},
    {WWW("div.s32"), "www", .expect = div_s32},
    {WWW("rem.u32"), "www", .expect = rem_u32},
    {WWW("rem.s32"), "www", .expect = rem_s32},
    {WWW("min.u32"), "www", .expect = min_u32},
    {WWW("min.s32"), "www", .expect = min_s32},
    {WWW("max.u32"), "www", .expect = max_u32},
    {WWW("max.s32"), "www", .expect = max_s32},
    {WWW("add.sat.s32"), "www", .expect = adds},
    {WWW("sub.sat.s32"), "www", .expect = subs},
    {DDD("add.s64"), "ddd", .expect = add64},
    {DDD("sub.u64"), "ddd", .expect = sub64},
    {DDD("mul.lo.s64"), "ddd", .expect = mul64},
    {DDD("mul.hi.u64"), "ddd", .expect = hi_u64},
    {DDD("mul.hi.s64"), "ddd", .expect = hi_s64},
    {DDD("div.u64"), "ddd", .expect = div_u64},
    {DDD("div.s64"), "ddd", .expect = div_s64},
    {DDD("rem.u64"), "ddd", .expect = rem_u64},
    {DDD("rem.s64"), "ddd", .expect = rem_s64},
    {DDD("min.u64"), "ddd", .expect = min_u64},
    {DDD("min.s64"), "ddd", .expect = min_s64},
    {DDD("max.u64"), "ddd", .expect = max_u64},
    {DDD("max.s64"), "ddd", .expect = max_s64},
    {HHHH("mad.lo.s16"), "hhhh", .expect = mad16},
    {HHHH("sad.u16"), "hhhh", .expect = sad_u16},
    {HHHH("sad.s16"), "hhhh", .expect = sad_s16},
    {WWWW("mad.lo.s32"), "wwww", .expect = mad32},
    {WWWW("mad.hi.u32"), "wwww", .expect = mad_hi_u32},
    {WWWW("mad24.lo.u32"), "wwww", .expect = mad24lo_u},
    {WWWW("mad24.hi.s32"), "wwww", .expect = mad24hi_s},
    {WWWW("mad.hi.sat.s32"), "wwww", .expect = mads},
    {WWWW("mad24.hi.sat.s32"), "wwww", .expect = mad24s},
    {WWWW("sad.u32"), "wwww", .expect = sad_u32},
    {WWWW("sad.s32"), "wwww", .expect = sad_s32},
    {DDDD("mad.lo.u64"), "dddd", .expect = mad64},
    {DDDD("mad.hi.s64"), "dddd", .expect = mad_hi_s64},
    {DDDD("sad.u64"), "dddd", .expect = sad_u64},
    {DDDD("sad.s64"), "dddd", .expect = sad_s64},
    {"mul.wide.u16 %w0, %h1, %h2", "whh", .expect = wide_u16},
    {"mul.wide.s16 %w0, %h1, %h2", "whh", .expect = wide_s16},
    {"mul.wide.u32 %d0, %w1, %w2", "dww", .expect = wide_u32},
    {"mul.wide.s32 %d0, %w1, %w2", "dww", .expect = wide_s32},
    {"mad.wide.u16 %w0, %h1, %h2, %w3", "whhw", .expect = mad_wide_u16},
    {"mad.wide.s16 %w0, %h1, %h2, %w3", "whhw", .expect = mad_wide_s16},
    {"mad.wide.u32 %d0, %w1, %w2, %d3", "dwwd", .expect = mad_wide_u32},
    {"mad.wide.s32 %d0, %w1, %w2, %d3", "dwwd", .expect = mad_wide_s32},
    {"abs.s16 %h0, %h1", "hh", .expect = abs_s16},
    {"abs.s32 %w0, %w1", "ww", .expect = abs_s32},
    {"abs.s64 %d0, %d1", "dd", .expect = abs_s64},
    {"neg.s16 %h0, %h1", "hh", .expect = neg_s16},
    {"neg.s32 %w0, %w1", "ww", .expect = neg_s32},
    {"neg.s64 %d0, %d1", "dd", .expect = neg_s64},
    {"add.s32 %w0, %w1, -77", "ww", .expect = add_imm},
    {"sub.s64 %d0, 5, %d1", "dd", .expect = sub_imm},
    {"mad.lo.s32 %w0, %w1, %w1, %w1", "ww", .expect = mad_same},
};

static const case_t bit_operations[] = {
    {WWW("and.b32"), "www", .expect = and32},
    {WWW("or.b32"), "www", .expect = or32},
    {HHH("xor.b16"), "hhh", .expect = xor16},
    {DDD("and.b64"), "ddd", .expect = and64},
    {DDD("or.b64"), "ddd", .expect = or64},
    {DDD("xor.b64"), "ddd", .expect = xor64},
    {"not.b32 %w0, %w1", "ww", .expect = not32},
    {"not.b64 %d0, %d1", "dd", .expect = not64},
    {"cnot.b16 %h0, %h1", "hh", .expect = cnot16},
    {"cnot.b32 %w0, %w1", "ww", .expect = cnot32},
    {"cnot.b64 %d0, %d1", "dd", .expect = cnot64},
    {"and.pred %p0, %p1, %p2", "ppp", .expect = pand},
    {"or.pred %p0, %p1, %p2", "ppp", .expect = por},
    {"xor.pred %p0, %p1, %p2", "ppp", .expect = pxor},
    {"not.pred %p0, %p1", "pp", .expect = pnot},
    {"mov.pred %p0, %p1", "pp", .expect = pmov},
    {"shl.b16 %h0, %h1, %w2", "hhw", .expect = shl16},
    {"shl.b32 %w0, %w1, %w2", "www", .expect = shl32},
    {"shl.b64 %d0, %d1, %w2", "ddw", .expect = shl64},
    {"shr.u16 %h0, %h1, %w2", "hhw", .expect = shr_u16},
    {"shr.s16 %h0, %h1, %w2", "hhw", .expect = shr_s16},
    {"shr.u32 %w0, %w1, %w2", "www", .expect = shr_u32},
    {"shr.b32 %w0, %w1, %w2", "www", .expect = shr_u32},
    {"shr.s32 %w0, %w1, %w2", "www", .expect = shr_s32},
    {"shr.u64 %d0, %d1, %w2", "ddw", .expect = shr_u64},
    {"shr.s64 %d0, %d1, %w2", "ddw", .expect = shr_s64},
    {"shl.b32 %w0, %w1, 5", "ww", .expect = shl_imm},
    {WWWW("shf.l.wrap.b32"), "wwww", .expect = shf_lw},
    {WWWW("shf.l.clamp.b32"), "wwww", .expect = shf_lc},
    {WWWW("shf.r.wrap.b32"), "wwww", .expect = shf_rw},
    {WWWW("shf.r.clamp.b32"), "wwww", .expect = shf_rc},
    {WWWW("prmt.b32"), "wwww", .expect = prmt},
    {WWWW("bfe.u32"), "wwww", .expect = bfe_u32},
    {WWWW("bfe.s32"), "wwww", .expect = bfe_s32},
    {"bfe.u64 %d0, %d1, %w2, %w3", "ddww", .expect = bfe_u64},
    {"bfe.s64 %d0, %d1, %w2, %w3", "ddww", .expect = bfe_s64},
    {"bfi.b32 %w0, %w1, %w2, %w3, 9", "wwww", .expect = bfi_32},
    {"bfi.b64 %d0, %d1, %d2, %w3, 9", "dddw", .expect = bfi_64},
    {"bfe.u32 %w0, %w1, 4, 7", "ww", .expect = bfe_imm},
    {"brev.b32 %w0, %w1", "ww", .expect = brev32},
    {"brev.b64 %d0, %d1", "dd", .expect = brev64},
    {"clz.b32 %w0, %w1", "ww", .expect = clz32},
    {"clz.b64 %w0, %d1", "wd", .expect = clz64},
    {"popc.b32 %w0, %w1", "ww", .expect = popc32},
    {"popc.b64 %w0, %d1", "wd", .expect = popc64},
    {"bfind.u32 %w0, %w1", "ww", .expect = bfind_u32},
    {"bfind.shiftamt.u32 %w0, %w1", "ww", .expect = shift_u32},
    {"bfind.shiftamt.s32 %w0, %w1", "ww", .expect = shift_s32},
    {"bfind.shiftamt.u64 %w0, %d1", "wd", .expect = shift_u64},
    {"bfind.shiftamt.s64 %w0, %d1", "wd", .expect = shift_s64},
    {"bfind.s32 %w0, %w1", "ww", .expect = bfind_s32},
    {"bfind.u64 %w0, %d1", "wd", .expect = bfind_u64},
    {"bfind.s64 %w0, %d1", "wd", .expect = bfind_s64},
    {"mov.b16 %h0, %h1", "hh", .expect = mov16},
    {"mov.b32 %w0, %w1", "ww", .expect = mov32},
    {"mov.b64 %d0, %d1", "dd", .expect = mov64},
    {"mov.u64 %d0, 81985529216486895", "dd", .expect = mov_imm},
    {"mov.b64 %d0, {%w1, %w2}", "dww", .expect = join64},
    {"mov.b32 %w0, {%h1, %h2}", "whh", .expect = join32},
    {"mov.b64 {%w0, %w4}, %d1", "wd", .expect = mov32},
    {"mov.b64 {%w4, %w0}, %d1", "wd", .expect = high64},
    {"mov.b64 %d0, {%h1, %h2, %h3, %h1}", "dhhh", .expect = join_4},
    {"mov.b64 {%h4, %h2, %h3, %h0}, %d1", "hd", .expect = part3},
    {"mov.b32 {%h4, %h0}, %w1", "hw", .expect = high32},
    {"selp.b32 %w0, %w1, %w2, %p3", "wwwp", .expect = selp32},
    {"selp.b64 %d0, %d1, %d2, %p3", "dddp", .expect = selp64},
    {"selp.b16 %h0, %h1, %h2, %p3", "hhhp", .expect = selp16},
    {"slct.b32.s32 %w0, %w1, %w2, %w3", "wwww", .expect = slct32},
    {"slct.b64.s32 %d0, %d1, %d2, %w3", "dddw", .expect = slct64},
    {"slct.u32.f32 %w0, %w1, %w2, %w3", "wwww", .expect = slctf},
    {"slct.ftz.u32.f32 %w0, %w1, %w2, %w3", "wwww", .expect = slctz},
};

#define ALL(cases) run_cases(cases, sizeof cases / sizeof *cases)

START_TEST(arithmetic_all) {
  ALL(arithmetic);
}
END_TEST

START_TEST(bit_operations_all) {
  ALL(bit_operations);
}
END_TEST

Suite *test_simt_ops_suite(void);

Suite *test_simt_ops_suite(void) {
  Suite *s = suite_create("simt_ops");
  TCase *t = tcase_create("simt_ops");
  tcase_set_timeout(t, 60);
  tcase_add_test(t, arithmetic_all);
  tcase_add_test(t, bit_operations_all);
  suite_add_tcase(s, t);
  return s;
}
