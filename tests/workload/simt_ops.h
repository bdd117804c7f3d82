/* SPDX-License-Identifier: Apache-2.0 */
/* Compares one instruction with a function in C: for special and random values, with and without
 * AVX2, in all lanes and in some. */
#ifndef SIMT_OPS_H
#define SIMT_OPS_H

#include "prng.h"
#include "simt_help.h"

#include <math.h>
#include <stdio.h>

enum { BLOCKS = 8, THREADS = 120, N = BLOCKS * THREADS };

typedef uint64_t (*expect_t)(uint64_t a, uint64_t b, uint64_t c);

/* Options of a conversion. */
typedef struct {
  ptx_type_t to, from;
  ptx_round_t round;
  bool sat, ftz;
} cvt_t;

/* `regs`: the registers of an instruction, destination first: h 16, w 32, d 64 bits, p
 * predicate. */
typedef struct {
  const char *inst, *regs;
  expect_t expect;
  uint64_t (*convert)(const cvt_t *how, uint64_t a); /* instead of `expect` */
  cvt_t how;
} case_t;

/* ---- values ---------------------------------------------------------------- */

static inline float f32(uint64_t bits) {
  uint32_t low = (uint32_t)bits;
  float f;
  memcpy(&f, &low, 4);
  return f;
}
static inline uint64_t bits32(float f) {
  uint32_t u;
  memcpy(&u, &f, 4);
  return u;
}
static inline double f64(uint64_t bits) {
  double d;
  memcpy(&d, &bits, 8);
  return d;
}
static inline uint64_t bits64(double d) {
  uint64_t u;
  memcpy(&u, &d, 8);
  return u;
}
/* A float as a result: every NaN becomes the one NaN. */
static inline uint64_t r32(float f) {
  return isnan(f) ? 0x7FFFFFFF : bits32(f);
}
/* The 64-bit result of `n` operands. A NaN becomes the second, third or first operand that is a
 * NaN, made quiet; or else a NaN with a sign. */
static inline uint64_t r64(double d, unsigned n, double a, double b, double c) {
  const uint64_t quiet = UINT64_C(1) << 51;
  if (n > 1 && isnan(b)) return bits64(b) | quiet;
  if (n > 2 && isnan(c)) return bits64(c) | quiet;
  if (isnan(a)) return bits64(a) | quiet;
  return isnan(d) ? UINT64_C(0xFFF8000000000000) : bits64(d);
}
static inline float ftz(float f) {
  return fpclassify(f) == FP_SUBNORMAL ? copysignf(0, f) : f;
}
static inline uint64_t z32(float f) {
  return r32(ftz(f));
}

static inline uint64_t pick(prng_t *rng) {
  static const uint32_t words[] = {
      0,          1,          2,          7,          31,         32,         33,
      0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0xFFFFFFFE, 0x00007FFF, 0x00008000, 0x0000FFFF,
      0x3F800000, 0xBF800000, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001, 0xFFC12345,
      0x00000003, 0x807FFFFF, 0x00800000, 0x7F7FFFFF, 0x4F000000, 0xCF000000, 0x4F800000,
      0x3F000000, 0x40200000, 0xC0200000, 0x4B000001, 0x5F000000, 0x00FFFFFF, 0x01000000};
  static const uint64_t longs[] = {
      UINT64_C(0x8000000000000000), UINT64_C(0x7FFFFFFFFFFFFFFF), UINT64_MAX,
      UINT64_C(0x3FF0000000000000), UINT64_C(0x7FF0000000000000), UINT64_C(0xFFF8000000000001),
      UINT64_C(0x7FF0000000000001), UINT64_C(0x000FFFFFFFFFFFFF), UINT64_C(0x41E0000000000000),
      UINT64_C(0x43E0000000000000), UINT64_C(0xC3E0000000000000), UINT64_C(0x3FE0000000000000),
      UINT64_C(0x47EFFFFFF0000000), UINT64_C(0x36A0000000000000), UINT64_C(0xBFF8000000000000)};
  uint64_t x = prng_next(rng);
  switch (prng_next(rng) % 5) {
  case 0:
    return words[x % (sizeof words / sizeof *words)];
  case 1:
    return (x << 32) | words[x % (sizeof words / sizeof *words)];
  case 2:
    return longs[x % (sizeof longs / sizeof *longs)];
  case 3: /* a float near 1, so that sums and products are not all extreme */
    return (x & 0xFFFFFFFF807FFFFF) | (UINT64_C(120) + (x >> 60)) << 23;
  default:
    return x;
  }
}

#define FN(name, EXPR)                                                                             \
  static uint64_t name(uint64_t a, uint64_t b, uint64_t c) {                                       \
    (void)a, (void)b, (void)c;                                                                     \
    return (uint64_t)(EXPR);                                                                       \
  }
#define A32 ((uint32_t)a)
#define B32 ((uint32_t)b)
#define C32 ((uint32_t)c)
#define SA ((int32_t)(uint32_t)a)
#define SB ((int32_t)(uint32_t)b)
#define HA ((uint16_t)a)
#define HB ((uint16_t)b)
#define SHA ((int16_t)(uint16_t)a)
#define SHB ((int16_t)(uint16_t)b)
#define LA ((int64_t)a)
#define LB ((int64_t)b)
#define FA f32(a)
#define FB f32(b)
#define FC f32(c)
#define DA f64(a)
#define DB f64(b)
#define DC f64(c)
__extension__ typedef __int128 i128;
__extension__ typedef unsigned __int128 u128;

/* ---- one case -------------------------------------------------------------- */

/* Loads register `i` of the class from the i-th input. */
static inline size_t write_load(char *to, size_t room, char class, unsigned i) {
  switch (class) {
  case 'h':
    return (size_t)snprintf(to, room, "cvt.u16.u64 %%h%u, %%rd%u;\n", i, i);
  case 'w':
    return (size_t)snprintf(to, room, "cvt.u32.u64 %%w%u, %%rd%u;\n", i, i);
  case 'd':
    return (size_t)snprintf(to, room, "mov.b64 %%d%u, %%rd%u;\n", i, i);
  default:
    return (size_t)snprintf(to, room, "and.b64 %%rd9, %%rd%u, 1; setp.ne.u64 %%p%u, %%rd9, 0;\n", i,
                            i);
  }
}

/* The kernel reads a, b and c, moves them to registers of the requested sizes, starts the
 * destination as all ones, and executes the instruction: in all threads, and then in some threads
 * into another buffer. */
static inline void write_kernel(char *to, size_t room, const case_t *c) {
  static const char *const store[] = {['h' - 'a'] = "cvt.u64.u16 %rd8, %h0;\n",
                                      ['w' - 'a'] = "cvt.u64.u32 %rd8, %w0;\n",
                                      ['d' - 'a'] = "mov.b64 %rd8, %d0;\n",
                                      ['p' - 'a'] = "selp.b64 %rd8, 1, 0, %p0;\n"};
  static const char *const clear[] = {['h' - 'a'] = "mov.b16 %h0, -1;\n",
                                      ['w' - 'a'] = "mov.b32 %w0, -1;\n",
                                      ['d' - 'a'] = "mov.b64 %d0, -1;\n",
                                      ['p' - 'a'] = "setp.eq.u32 %p0, %r1, %r1;\n"};
  size_t n = (size_t)snprintf(
      to, room,
      PTX_HEAD
      ".visible .entry k(.param .u64 in, .param .u64 out) {\n"
      ".reg .b16 %%h<5>; .reg .b32 %%w<5>; .reg .b64 %%d<5>; .reg .pred %%p<9>;\n"
      ".reg .b64 %%rd<12>; .reg .b32 %%r<9>;\n"
      "ld.param.u64 %%rd0, [in]; ld.param.u64 %%rd5, [out];\n"
      "mov.u32 %%r1, %%ctaid.x; mov.u32 %%r2, %%ntid.x; mov.u32 %%r3, %%tid.x;\n"
      "mad.lo.s32 %%r4, %%r1, %%r2, %%r3; mul.wide.s32 %%rd6, %%r4, 24;\n"
      "add.s64 %%rd0, %%rd0, %%rd6; mul.wide.s32 %%rd6, %%r4, 16; add.s64 %%rd5, %%rd5, %%rd6;\n"
      "ld.global.u64 %%rd1, [%%rd0]; ld.global.u64 %%rd2, [%%rd0+8]; "
      "ld.global.u64 %%rd3, [%%rd0+16];\n"
      "and.b32 %%r5, %%r3, 5; setp.eq.u32 %%p7, %%r5, 4;\n");
  for (unsigned i = 1; c->regs[i]; i++) n += write_load(to + n, room - n, c->regs[i], i);
  for (unsigned pass = 0; pass < 2; pass++)
    n += (size_t)snprintf(to + n, room - n, "%s%s%s;\n%sst.global.u64 [%%rd5+%u], %%rd8;\n",
                          clear[c->regs[0] - 'a'], pass ? "@%p7 " : "", c->inst,
                          store[c->regs[0] - 'a'], 8 * pass);
  snprintf(to + n, room - n, "ret;\n}\n");
}

static inline uint64_t untouched(char reg) {
  return reg == 'p' ? 1 : reg == 'h' ? 0xFFFF : reg == 'w' ? UINT32_MAX : UINT64_MAX;
}

static inline void run_case(const case_t *c, bool portable, uint64_t seed) {
  char text[4096];
  rig_t r = {.portable = portable};
  prng_t rng = prng_seed(seed, 7);
  write_kernel(text, sizeof text, c);
  ck_assert_msg(rig_open(&r, text, BLOCKS, THREADS) == 0, "%s: %s", c->inst, r.err.text);
  uint64_t *in = rig_buffer(&r, 0, 24 * N), *out = rig_buffer(&r, 1, 16 * N);
  for (unsigned i = 0; i < 3 * N; i++) in[i] = pick(&rng);
  ck_assert_msg(rig_run(&r) == 0, "%s: %s", c->inst, r.err.text);
  for (unsigned i = 0; i < N; i++) {
    const uint64_t *a = &in[3 * i];
    uint64_t want = c->convert ? c->convert(&c->how, a[0]) : c->expect(a[0], a[1], a[2]);
    uint64_t some = (i % THREADS & 5) == 4 ? want : untouched(c->regs[0]);
    ck_assert_msg(out[2 * i] == want && out[2 * i + 1] == some,
                  "%s%s, thread %u: a %#lx b %#lx c %#lx: %#lx, guarded %#lx; expected %#lx, %#lx",
                  c->inst, portable ? " (portable)" : "", i, (unsigned long)a[0],
                  (unsigned long)a[1], (unsigned long)a[2], (unsigned long)out[2 * i],
                  (unsigned long)out[2 * i + 1], (unsigned long)want, (unsigned long)some);
  }
  rig_close(&r);
}

static inline void run_cases(const case_t *c, unsigned n) {
  for (unsigned i = 0; i < n; i++)
    for (unsigned p = 0; p < 2; p++) run_case(&c[i], p, 1000 + i);
}

#endif
