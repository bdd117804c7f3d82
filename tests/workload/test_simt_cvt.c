/* SPDX-License-Identifier: Apache-2.0 */
/* cvt between every two types, with every rounding and saturation. */
#include "simt_ops.h"

#include <fenv.h>

__extension__ typedef __int128 i128;

static bool is_real(ptx_type_t t) {
  return t == PTX_F32 || t == PTX_F64;
}
static bool is_signed(ptx_type_t t) {
  return t == PTX_S8 || t == PTX_S16 || t == PTX_S32 || t == PTX_S64;
}
static unsigned bits_of(ptx_type_t t) {
  return 8 * ptx_type_bytes(t);
}

static i128 least(ptx_type_t t) {
  return is_signed(t) ? -((i128)1 << (bits_of(t) - 1)) : 0;
}
static i128 most(ptx_type_t t) {
  return ((i128)1 << (bits_of(t) - is_signed(t))) - 1;
}

/* The number that the low bits are. */
static i128 integer(ptx_type_t t, uint64_t a) {
  i128 v = a & (uint64_t)(((i128)1 << bits_of(t)) - 1);
  return v > most(t) ? v - ((i128)1 << bits_of(t)) : v;
}

/* As a register of the type's size, at least 32 bits, shows it. */
static uint64_t shown(ptx_type_t t, i128 v) {
  v = integer(t, (uint64_t)v);
  return bits_of(t) == 64 ? (uint64_t)v : (uint32_t)v;
}

static int direction(ptx_round_t r) {
  return r == PTX_ROUND_RZ   ? FE_TOWARDZERO
         : r == PTX_ROUND_RM ? FE_DOWNWARD
         : r == PTX_ROUND_RP ? FE_UPWARD
                             : FE_TONEAREST;
}

/* The integer that a modifier with i asks for. */
static double whole(double x, ptx_round_t r) {
  double down = floor(x), up = ceil(x);
  if (r == PTX_ROUND_RMI) return down;
  if (r == PTX_ROUND_RPI) return up;
  if (r == PTX_ROUND_RZI) return x < 0 ? up : down;
  if (x - down != up - x) return x - down < up - x ? down : up;
  return fmod(down, 2) == 0 ? down : up; /* a tie, or already whole */
}

static double source_real(const cvt_t *h, uint64_t a) {
  if (h->from == PTX_F64) return f64(a);
  return (double)(h->ftz ? ftz(f32(a)) : f32(a));
}

/* Not a number: between two widths as many of its bits as fit stay; what only moves, moves. */
static uint64_t none_to_real(const cvt_t *h, uint64_t a) {
  const bool plain = h->round == PTX_ROUND_NONE && !h->ftz;
  if (h->sat) return 0;
  if (h->to == PTX_F32 && h->from == PTX_F32) return plain ? (uint32_t)a : 0x7FFFFFFF;
  if (h->to == PTX_F32) return (a >> 32 & 0x80000000) | 0x7FC00000 | (a >> 29 & 0x7FFFFF);
  if (h->from == PTX_F64) return plain ? a : a | UINT64_C(1) << 51;
  if (h->ftz) return UINT64_C(0x7FFFFFFFE0000000);
  return (a & 0x80000000) << 32 | UINT64_C(0x7FF8) << 48 | (a & 0x7FFFFF) << 29;
}

static uint64_t real_to_real(const cvt_t *h, uint64_t a) {
  if (isnan(source_real(h, a))) return none_to_real(h, a);
  volatile double x = source_real(h, a);
  if (h->round >= PTX_ROUND_RNI) x = whole(x, h->round);
  fesetround(direction(h->round));
  if (h->sat) x = isnan(x) || x < 0 || x == 0 ? 0 : x > 1 ? 1 : x;
  volatile float f = (float)x;
  fesetround(FE_TONEAREST);
  if (h->to == PTX_F64) return bits64(x);
  return h->ftz ? z32(f) : r32(f);
}

static uint64_t int_to_real(const cvt_t *h, uint64_t a) {
  volatile int64_t s = (int64_t)integer(h->from, a);
  volatile uint64_t u = (uint64_t)integer(h->from, a);
  fesetround(direction(h->round));
  volatile float f = is_signed(h->from) ? (float)s : (float)u;
  volatile double d = is_signed(h->from) ? (double)s : (double)u;
  fesetround(FE_TONEAREST);
  if (h->sat) f = f < 0 ? 0 : f > 1 ? 1 : f, d = d < 0 ? 0 : d > 1 ? 1 : d;
  return h->to == PTX_F64 ? bits64(d) : bits32(f);
}

static uint64_t real_to_int(const cvt_t *h, uint64_t a) {
  double x = whole(source_real(h, a), h->round);
  if (isnan(x) && h->from != PTX_F64 && bits_of(h->to) < 64) return 0;
  if (isnan(x))
    return shown(h->to, is_signed(h->to) ? least(h->to) : (i128)1 << (bits_of(h->to) - 1));
  if (x >= 0x1p100 || x <= -0x1p100) return shown(h->to, x > 0 ? most(h->to) : least(h->to));
  i128 v = (i128)x;
  return shown(h->to, v > most(h->to) ? most(h->to) : v < least(h->to) ? least(h->to) : v);
}

static uint64_t convert(const cvt_t *h, uint64_t a) {
  if (is_real(h->to)) return is_real(h->from) ? real_to_real(h, a) : int_to_real(h, a);
  if (is_real(h->from)) return real_to_int(h, a);
  i128 v = integer(h->from, a);
  if (h->sat) v = v > most(h->to) ? most(h->to) : v < least(h->to) ? least(h->to) : v;
  return shown(h->to, v);
}

static void run(cvt_t h) {
  static const char *const rounds[] = {"",     ".rn",  ".rz",  ".rm", ".rp",
                                       ".rni", ".rzi", ".rmi", ".rpi"};
  char inst[80], regs[3] = "ww";
  regs[0] = bits_of(h.to) == 64 ? 'd' : 'w';
  regs[1] = bits_of(h.from) == 64 ? 'd' : 'w';
  snprintf(inst, sizeof inst, "cvt%s%s%s.%s.%s %%%c0, %%%c1", rounds[h.round], h.ftz ? ".ftz" : "",
           h.sat ? ".sat" : "", ptx_type_name(h.to), ptx_type_name(h.from), regs[0], regs[1]);
  const case_t c = {.inst = inst, .regs = regs, .convert = convert, .how = h};
  run_cases(&c, 1);
}

static const ptx_type_t ints[] = {PTX_U8,  PTX_S8,  PTX_U16, PTX_S16,
                                  PTX_U32, PTX_S32, PTX_U64, PTX_S64};

START_TEST(int_to_int) {
  run((cvt_t){ints[_i / 8], ints[_i % 8], PTX_ROUND_NONE, false, false});
  run((cvt_t){ints[_i / 8], ints[_i % 8], PTX_ROUND_NONE, true, false});
}
END_TEST

START_TEST(int_and_real) {
  for (unsigned k = 0; k < 2; k++) {
    ptx_type_t real = k ? PTX_F64 : PTX_F32;
    for (ptx_round_t r = PTX_ROUND_RN; r <= PTX_ROUND_RP; r++)
      run((cvt_t){real, ints[_i], r, false, false});
    run((cvt_t){real, ints[_i], PTX_ROUND_RN, true, false});
    for (ptx_round_t r = PTX_ROUND_RNI; r <= PTX_ROUND_RPI; r++)
      run((cvt_t){ints[_i], real, r, false, false});
    run((cvt_t){ints[_i], real, PTX_ROUND_RPI, false, real == PTX_F32});
  }
}
END_TEST

START_TEST(real_and_real) {
  for (ptx_round_t r = PTX_ROUND_RN; r <= PTX_ROUND_RP; r++)
    run((cvt_t){PTX_F32, PTX_F64, r, false, false});
  run((cvt_t){PTX_F32, PTX_F64, PTX_ROUND_RN, true, false});
  run((cvt_t){PTX_F32, PTX_F64, PTX_ROUND_RN, false, true});
  run((cvt_t){PTX_F64, PTX_F32, PTX_ROUND_NONE, false, false});
  run((cvt_t){PTX_F64, PTX_F32, PTX_ROUND_NONE, false, true});
  run((cvt_t){PTX_F64, PTX_F32, PTX_ROUND_NONE, true, false});
  for (ptx_round_t r = PTX_ROUND_RNI; r <= PTX_ROUND_RPI; r++) {
    run((cvt_t){PTX_F32, PTX_F32, r, false, false});
    run((cvt_t){PTX_F32, PTX_F32, r, false, true});
    run((cvt_t){PTX_F64, PTX_F64, r, false, false});
  }
  run((cvt_t){PTX_F32, PTX_F32, PTX_ROUND_RNI, true, false});
}
END_TEST

Suite *test_simt_cvt_suite(void);

Suite *test_simt_cvt_suite(void) {
  Suite *s = suite_create("simt_cvt");
  TCase *t = tcase_create("simt_cvt");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, int_to_int, 0, 8);
  tcase_add_loop_test(t, int_and_real, 0, 1);
  tcase_add_test(t, real_and_real);
  TCase *more = tcase_create("more types");
  tcase_set_timeout(more, 60);
  tcase_set_tags(more, "heavy"); /* many, and alike: not under valgrind */
  tcase_add_loop_test(more, int_to_int, 8, 64);
  tcase_add_loop_test(more, int_and_real, 1, 8);
  suite_add_tcase(s, t);
  suite_add_tcase(s, more);
  return s;
}
