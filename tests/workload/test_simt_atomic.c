/* SPDX-License-Identifier: Apache-2.0 */
/* atom and red against plain C: every operation and type, in global and shared memory and at
 * generic addresses; many lanes on one word; and faults. */
#include "simt_ops.h"

/* What stands there afterwards. */
FN(add32, A32 + B32)
FN(add64, a + b)
FN(min_u32, A32 < B32 ? A32 : B32)
FN(max_u32, A32 > B32 ? A32 : B32)
FN(min_s32, (uint32_t)(SA < SB ? SA : SB))
FN(max_s32, (uint32_t)(SA > SB ? SA : SB))
FN(min_u64, a < b ? a : b)
FN(max_u64, a > b ? a : b)
FN(min_s64, LA < LB ? a : b)
FN(max_s64, LA > LB ? a : b)
FN(inc32, A32 >= B32 ? 0 : A32 + 1)
FN(dec32, A32 == 0 || A32 > B32 ? B32 : A32 - 1)
FN(and64, a &b)
FN(or64, a | b)
FN(xor64, a ^ b)
FN(exch64, b)
FN(cas16, HA == HB ? (uint16_t)c : HA)
FN(cas32, A32 == B32 ? C32 : A32)
FN(cas64, a == b ? c : a)
FN(add_f32, r32(FA + FB))
FN(add_f32z, z32(ftz(FA) + ftz(FB)))
/* What stands in memory wins; in shared memory it is made quiet. */
FN(add_f64, DB != DB ? b : DA != DA ? a : r64(DA + DB, 2, DA, DB, 0))
FN(add_f64s, DA != DA ? a | UINT64_C(1) << 51 : r64(DA + DB, 2, DA, DB, 0))

typedef struct {
  const char *words; /* "add.u32" */
  unsigned bytes;
  expect_t expect, in_shared; /* NULL: the same */
} op_t;

static const op_t ops[] = {
    {"add.u32", 4, add32, NULL},       {"add.s32", 4, add32, NULL},
    {"add.u64", 8, add64, NULL},       {"add.f32", 4, add_f32z, add_f32},
    {"add.f64", 8, add_f64, add_f64s}, {"min.u32", 4, min_u32, NULL},
    {"max.u32", 4, max_u32, NULL},     {"min.s32", 4, min_s32, NULL},
    {"max.s32", 4, max_s32, NULL},     {"min.u64", 8, min_u64, NULL},
    {"max.u64", 8, max_u64, NULL},     {"min.s64", 8, min_s64, NULL},
    {"max.s64", 8, max_s64, NULL},     {"inc.u32", 4, inc32, NULL},
    {"dec.u32", 4, dec32, NULL},       {"and.b32", 4, and64, NULL},
    {"and.b64", 8, and64, NULL},       {"or.b32", 4, or64, NULL},
    {"or.b64", 8, or64, NULL},         {"xor.b32", 4, xor64, NULL},
    {"xor.b64", 8, xor64, NULL},       {"exch.b32", 4, exch64, NULL},
    {"exch.b64", 8, exch64, NULL},     {"cas.b16", 2, cas16, NULL},
    {"cas.b32", 4, cas32, NULL},       {"cas.b64", 8, cas64, NULL},
};
enum { OPS = sizeof ops / sizeof *ops, SOME = 96 };

typedef enum { IN_GLOBAL, IN_SHARED, TO_GLOBAL, TO_SHARED, PLACES } place_t;

static bool has_red(const op_t *o) {
  return strncmp(o->words, "exch", 4) != 0 && strncmp(o->words, "cas", 3) != 0;
}

static uint64_t low(uint64_t v, unsigned bytes) {
  return bytes == 8 ? v : v & ((UINT64_C(1) << 8 * bytes) - 1);
}

/* Thread i finds old, b and c at in + 32 i, and leaves result and memory behind them. `same`: all
 * threads work on the word of thread 0. */
static void write_text(char *to, size_t room, const op_t *o, place_t place, bool red, bool same) {
  const bool shared = place == IN_SHARED || place == TO_SHARED;
  const char reg = o->bytes == 8 ? 'd' : o->bytes == 4 ? 'w' : 'h';
  const char *space = place == IN_GLOBAL ? ".global" : place == IN_SHARED ? ".shared" : "";
  const unsigned bits = 8 * o->bytes;
  size_t n = (size_t)snprintf(
      to, room,
      PTX_HEAD
      ".visible .entry k(.param .u64 in) {\n"
      ".reg .b16 %%h<5>; .reg .b32 %%w<5>; .reg .b64 %%d<9>; .reg .b32 %%r<9>; .reg .pred %%p<2>;\n"
      ".shared .align 8 .b8 s[1024];\n"
      "ld.param.u64 %%d5, [in]; mov.u32 %%r1, %%tid.x; mul.wide.u32 %%d6, %%r1, 32;\n"
      "add.u64 %%d6, %%d5, %%d6; mov.u32 %%r2, %u; mul.lo.u32 %%r3, %%r1, %%r2;\n"
      "mov.u64 %%d7, s; cvt.u64.u32 %%d8, %%r3; add.u64 %%d7, %%d7, %%d8;\n"
      "ld.global.b%u %%%c0, [%%d6]; ld.global.b%u %%%c1, [%%d6+8]; ld.global.b%u %%%c2, "
      "[%%d6+16];\n"
      "st.shared.b%u [%%d7], %%%c0;\nbar.sync 0;\n",
      same ? 0 : 8, bits, reg, bits, reg, bits, reg, bits, reg);
  if (same)
    n += (size_t)snprintf(to + n, room - n,
                          "ld.global.b%u %%%c0, [%%d5]; st.shared.b%u [%%d7], %%%c0; bar.sync 0;\n",
                          bits, reg, bits, reg);
  n += (size_t)snprintf(to + n, room - n, "mov.u64 %%d4, %s;\n",
                        shared ? "%d7"
                        : same ? "%d5"
                               : "%d6");
  if (place == TO_SHARED) n += (size_t)snprintf(to + n, room - n, "cvta.shared.u64 %%d4, %%d4;\n");
  n += (size_t)snprintf(to + n, room - n, "mov.b%u %%%c3, 0;\n", bits, reg);
  if (red)
    n += (size_t)snprintf(to + n, room - n, "red%s.%s [%%d4], %%%c1;\n", space, o->words, reg);
  else
    n += (size_t)snprintf(to + n, room - n, "atom%s.%s %%%c3, [%%d4], %%%c1", space, o->words, reg,
                          reg);
  if (!red && strncmp(o->words, "cas", 3) == 0)
    n += (size_t)snprintf(to + n, room - n, ", %%%c2", reg);
  n += (size_t)snprintf(to + n, room - n, ";\nst.global.b%u [%%d6+24], %%%c3;\nbar.sync 0;\n", bits,
                        reg);
  if (shared)
    n += (size_t)snprintf(to + n, room - n,
                          "ld.shared.b%u %%%c3, [%%d7]; st.global.b%u [%s], %%%c3;\n", bits, reg,
                          bits, same ? "%d5" : "%d6", reg);
  snprintf(to + n, room - n, "ret;\n}\n");
}

static void fill(uint64_t *in, const op_t *o, prng_t *rng) {
  for (unsigned i = 0; i < SOME; i++) {
    for (unsigned k = 0; k < 4; k++) in[4 * i + k] = pick(rng);
    if (o->bytes == 4 && strcmp(o->words, "add.f32") != 0 && i % 3 == 0) in[4 * i + 1] = in[4 * i];
    if (i % 4 == 0) in[4 * i + 1] = in[4 * i];
    if (i % 16 == 3) in[4 * i] = UINT64_C(0xfff0000000abc000) + i; /* signalling */
    if (i % 32 == 3) in[4 * i + 1] = UINT64_C(0x7ff8000000012300) + i;
    if (i % 8 == 1) in[4 * i] &= ~(uint64_t)0x7F800000; /* denormal numbers */
  }
}

static void compare(const op_t *o, place_t place, bool red, const uint64_t *was,
                    const uint64_t *is) {
  const bool shared = place == IN_SHARED || place == TO_SHARED;
  const expect_t f = shared && o->in_shared ? o->in_shared : o->expect;
  for (unsigned i = 0; i < SOME; i++) {
    const uint64_t *x = &was[4 * i], *y = &is[4 * i];
    const uint64_t now = low(f(low(x[0], o->bytes), x[1], x[2]), o->bytes);
    const uint64_t gives = red ? 0 : low(x[0], o->bytes);
    ck_assert_msg(low(y[0], o->bytes) == now && low(y[3], o->bytes) == gives,
                  "%s %s, place %d: %#lx with %#lx %#lx: gives %#lx, leaves %#lx; expected %#lx, "
                  "%#lx",
                  red ? "red" : "atom", o->words, (int)place, (unsigned long)x[0],
                  (unsigned long)x[1], (unsigned long)x[2], (unsigned long)low(y[3], o->bytes),
                  (unsigned long)low(y[0], o->bytes), (unsigned long)gives, (unsigned long)now);
  }
}

START_TEST(every_operation) {
  const op_t *o = &ops[_i];
  char text[4096];
  uint64_t was[4 * SOME];
  prng_t rng = prng_seed(5, (uint64_t)_i);
  for (unsigned place = 0; place < PLACES; place++)
    for (unsigned red = 0; red < 2; red++) {
      rig_t r = {.portable = place % 2};
      if (red && !has_red(o)) continue;
      write_text(text, sizeof text, o, (place_t)place, red, false);
      ck_assert_msg(rig_open(&r, text, 1, SOME) == 0, "%s\n%s", r.err.text, text);
      uint64_t *in = rig_buffer(&r, 0, sizeof was);
      fill(in, o, &rng);
      memcpy(was, in, sizeof was);
      ck_assert_msg(rig_run(&r) == 0, "%s", r.err.text);
      compare(o, (place_t)place, red, was, in);
      rig_close(&r);
    }
}
END_TEST

/* All lanes on one word: each finds what the lane before it left, warp after warp. */
START_TEST(one_word) {
  const op_t *o = &ops[_i];
  char text[4096];
  uint64_t was[4 * SOME];
  prng_t rng = prng_seed(6, (uint64_t)_i);
  for (unsigned place = 0; place < PLACES; place++) {
    const bool shared = place == IN_SHARED || place == TO_SHARED;
    const expect_t f = shared && o->in_shared ? o->in_shared : o->expect;
    rig_t r = {0};
    write_text(text, sizeof text, o, (place_t)place, false, true);
    ck_assert_msg(rig_open(&r, text, 1, SOME) == 0, "%s\n%s", r.err.text, text);
    uint64_t *in = rig_buffer(&r, 0, sizeof was);
    fill(in, o, &rng);
    for (unsigned i = 0; i < SOME; i++) in[4 * i + 1] = i % 5 ? in[4 * i + 1] % 40 : in[0];
    memcpy(was, in, sizeof was);
    ck_assert_msg(rig_run(&r) == 0, "%s", r.err.text);
    uint64_t now = low(was[0], o->bytes);
    for (unsigned i = 0; i < SOME; i++) {
      ck_assert_msg(low(in[4 * i + 3], o->bytes) == now,
                    "%s, place %u, lane %u: %#lx, expected %#lx", o->words, place, i,
                    (unsigned long)in[4 * i + 3], (unsigned long)now);
      now = low(f(now, was[4 * i + 1], was[4 * i + 2]), o->bytes);
    }
    ck_assert_uint_eq(low(in[0], o->bytes), now);
    rig_close(&r);
  }
}
END_TEST

/* ---- faults --------------------------------------------------------------------- */

#define BODY(text)                                                                                 \
  PTX_HEAD ".visible .entry k(.param .u64 in) { .reg .b32 %r<5>; .reg .b64 %rd<5>;\n"              \
           ".local .align 8 .b8 l[8]; .shared .align 8 .b8 s[8];\n"                                \
           "ld.param.u64 %rd1, [in]; mov.u32 %r1, %tid.x;\n" text "\nret; }\n"

static const struct {
  const char *text, *message;
} faults[] = {
    {BODY("atom.global.add.u32 %r2, [%rd1+2], 1;"),
     "k:7: atom: lane 0 of block (0,0,0) thread (0,0,0): 4-byte atomic at 0x80000002: not aligned "
     "in allocated global memory; legal: 0x80000000 to 0x8000001f"},
    {BODY("red.global.max.u64 [%rd1+32], %rd1;"),
     "k:7: red: lane 0 of block (0,0,0) thread (0,0,0): 8-byte atomic at 0x80000020: outside "
     "allocated global memory; legal: 0x80000000 to 0x8000001f"},
    {BODY("mov.u64 %rd2, s; atom.shared.exch.b32 %r2, [%rd2+8], 1;"),
     "k:7: atom: lane 0 of block (0,0,0) thread (0,0,0): 4-byte atomic at 0x8: outside shared "
     "memory of the block; legal: 0x0 to 0x7"},
    {BODY("mov.u64 %rd2, l; cvta.local.u64 %rd2, %rd2; atom.add.u32 %r2, [%rd2], 1;"),
     "k:7: atom: lane 0 of block (0,0,0) thread (0,0,0): 4-byte atomic at 0x0: legal are global "
     "and shared memory, not the local memory of the thread"},
};

START_TEST(out_of_reach) {
  rig_t r = {0};
  ck_assert_msg(rig_open(&r, faults[_i].text, 1, 32) == 0, "%s", r.err.text);
  const uint32_t *in = rig_buffer(&r, 0, 32);
  ck_assert_int_eq(rig_run(&r), WORKLOAD_FAILED);
  ck_assert_str_eq(r.err.text, faults[_i].message);
  for (unsigned i = 0; i < 8; i++) ck_assert_uint_eq(in[i], 0);
  rig_close(&r);
}
END_TEST

Suite *test_simt_atomic_suite(void);

Suite *test_simt_atomic_suite(void) {
  Suite *s = suite_create("simt_atomic");
  TCase *t = tcase_create("simt_atomic");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, every_operation, 0, OPS);
  tcase_add_loop_test(t, one_word, 0, OPS);
  tcase_add_loop_test(t, out_of_reach, 0, sizeof faults / sizeof *faults);
  suite_add_tcase(s, t);
  return s;
}
