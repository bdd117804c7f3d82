/* SPDX-License-Identifier: Apache-2.0 */
/* Sums of products that become fma. In each type, a * a is a sum of three powers of two of which a
 * product loses the last: a * a - c is 0 if it is rounded twice, and that power if once. What
 * ptxas 13.0 makes of each body for sm_90 was read from its code. */
#include "simt_help.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  const char *type, *mem;     /* of the arithmetic; of loads and stores */
  uint64_t a, c, rest, minus; /* a * a = c + rest; -rest */
  unsigned bytes;
} kind_t;
static const kind_t kinds[] = {
    /* (1 + 2^-12)^2 = 1 + 2^-11 + 2^-24: half a unit is dropped, to the even one. */
    {"f32", "b32", 0x3F800800, 0x3F801000, 0x33800000, 0xB3800000, 4},
    /* (1 + 2^-27)^2 = 1 + 2^-26 + 2^-54 */
    {"f64", "b64", 0x3FF0000002000000, 0x3FF0000004000000, 0x3C90000000000000, 0xBC90000000000000,
     8},
    /* (1 + 2^-6)^2 = 1 + 2^-5 + 2^-12, the last a quarter of a unit */
    {"f16", "b16", 0x3C10, 0x3C20, 0x0C00, 0x8C00, 2},
    {"f16x2", "b32", 0x3C103C10, 0x3C203C20, 0x0C000C00, 0x8C008C00, 4},
    /* (1 + 2^-4)^2 = 1 + 2^-3 + 2^-8, half a unit, to the even one */
    {"bf16", "b16", 0x3F88, 0x3F90, 0x3B80, 0xBB80, 2},
    {"bf16x2", "b32", 0x3F883F88, 0x3F903F90, 0x3B803B80, 0xBB80BB80, 4},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

/* The body has a in %1, c in %2, -c in %3; %7 is stored. `$` stands for the type. */
typedef struct {
  const char *body;
  unsigned sums; /* contracted */
  int rest;      /* the result: 1 the rest, -1 its negative, 0 zero */
} body_t;
static const body_t bodies[] = {
    {"mul.$ %4, %1, %1; sub.$ %7, %4, %2;", 1, 1},
    {"mul.$ %4, %1, %1; sub.$ %7, %2, %4;", 1, -1},
    {"mul.$ %4, %1, %1; add.$ %7, %4, %3;", 1, 1},
    {"mul.$ %4, %1, %1; add.$ %7, %3, %4;", 1, 1},
    /* A rounding modifier, on either. */
    {"mul.rn.$ %4, %1, %1; sub.$ %7, %4, %2;", 0, 0},
    {"mul.$ %4, %1, %1; sub.rn.$ %7, %4, %2;", 0, 0},
    /* Two sums use the product. */
    {"mul.$ %4, %1, %1; sub.$ %7, %4, %2; add.$ %6, %4, %1; st.global.@ [%rd1+8], %6;", 2, 1},
    /* Something else uses it too, before or behind. */
    {"mul.$ %4, %1, %1; sub.$ %7, %4, %2; st.global.@ [%rd1+8], %4;", 0, 0},
    {"mul.$ %4, %1, %1; mov.# %5, %4; sub.$ %7, %4, %2; st.global.@ [%rd1+8], %5;", 0, 0},
    {"mul.$ %4, %1, %1; mul.$ %5, %4, %4; sub.$ %7, %4, %2; st.global.@ [%rd1+8], %5;", 0, 0},
    /* Both operands are the product. */
    {"mul.$ %4, %1, %1; sub.$ %7, %4, %4;", 0, 0},
    /* The product is overwritten: what then uses the register does not count. */
    {"mul.$ %4, %1, %1; sub.$ %7, %4, %2; mov.# %4, %1; st.global.@ [%rd1+8], %4;", 1, 1},
    {"mul.$ %4, %1, %1; sub.$ %4, %4, %2; mov.# %7, %4;", 1, 1},
    /* A guard on the product; on the sum, with another result and with the product's register. */
    {"mov.# %4, %1; @%p0 mul.$ %4, %1, %1; sub.$ %7, %4, %2;", 0, 0},
    {"mov.# %7, %1; mul.$ %4, %1, %1; @%p0 sub.$ %7, %4, %2;", 1, 1},
    {"mul.$ %4, %1, %1; @%p0 sub.$ %4, %4, %2; mov.# %7, %4;", 0, 0},
    /* A branch between them; a barrier between them. */
    {"mul.$ %4, %1, %1; mov.# %7, %2; @!%p0 bra L; sub.$ %7, %4, %2; L:", 0, 0},
    {"mul.$ %4, %1, %1; bar.sync 0; sub.$ %7, %4, %2;", 1, 1},
    /* Used in the next block, and again in a loop. */
    {"mul.$ %4, %1, %1; sub.$ %7, %4, %2; @!%p0 bra L; st.global.@ [%rd1+8], %4; L:", 0, 0},
    {"L: mul.$ %4, %1, %1; sub.$ %7, %4, %2; @!%p0 bra L;", 1, 1},
    /* Two products: the first operand's, a * a; then c * c, minus a product of 1 by itself: as
     * c + c^2 - c^2 of what was rounded. With one use more, the other one. */
    {"mul.$ %4, %1, %1; mul.$ %5, %2, %8; sub.$ %7, %4, %5;", 1, 1},
    {"mul.$ %5, %2, %8; mul.$ %4, %1, %1; sub.$ %7, %4, %5;", 1, 1},
    {"mul.$ %4, %1, %1; mul.$ %5, %2, %8; sub.$ %7, %5, %4;", 1, 0},
    {"mul.$ %4, %1, %1; mul.$ %5, %2, %8; sub.$ %7, %4, %5; add.$ %6, %4, %1; "
     "st.global.@ [%rd1+8], %6;",
     1, 0},
    {"mul.$ %4, %1, %1; mul.$ %5, %2, %8; sub.$ %7, %4, %5; st.global.@ [%rd1+8], %4;", 1, 0},
    /* A product of a product. */
    {"mul.$ %4, %1, %8; mul.$ %5, %4, %1; sub.$ %7, %5, %2;", 1, 1},
    /* The operands are overwritten before the sum: ptxas contracts this one. */
    {"mul.$ %4, %1, %1; mov.# %1, %2; sub.$ %7, %4, %1;", 0, 0},
};
enum { BODIES = sizeof bodies / sizeof *bodies };

/* `$` as the type, `@` as that of memory, `#` as that of mov, `%1` as a register. */
static void print_body(FILE *f, const kind_t *k, const char *body) {
  for (; *body; body++) {
    if (*body == '$')
      fprintf(f, "%s", k->type);
    else if (*body == '@' && body[1] == ' ')
      fprintf(f, "%s", k->mem);
    else if (*body == '#')
      fprintf(f, "%s", k->mem);
    else if (*body == '%' && body[1] >= '1' && body[1] <= '9')
      fprintf(f, "%%v");
    else
      fputc(*body, f);
  }
}

/* The caller frees the text. The kernel reads 1 and -c from the two words. */
static char *print_text(const kind_t *k, const char *body, uint64_t *one_is, uint64_t *less) {
  char *text = NULL;
  size_t n;
  const uint64_t one = k->bytes == 8       ? UINT64_C(0x3FF0000000000000)
                       : k->type[0] == 'b' ? 0x3F803F80
                       : k->type[1] == '3' ? 0x3F800000
                                           : 0x3C003C00;
  const uint64_t sign = k->bytes == 8       ? UINT64_C(1) << 63
                        : k->type[1] == '3' ? 1u << 31
                                            : 0x80008000;
  const uint64_t mask = k->bytes == 8 ? UINT64_MAX : k->bytes == 4 ? UINT32_MAX : UINT16_MAX;
  FILE *f = open_memstream(&text, &n);
  ck_assert(f != NULL);
  fprintf(f,
          ".version 8.6\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p) {\n"
          ".reg .%s %%v<9>; .reg .pred %%p<2>; .reg .b64 %%rd<2>;\n"
          "ld.param.u64 %%rd1, [p]; setp.ne.u64 %%p0, %%rd1, 0;\n",
          k->bytes == 8   ? "f64"
          : k->bytes == 4 ? (k->type[1] == '3' ? "f32" : "b32")
                          : "b16");
  fprintf(f, "ld.global.%s %%v1, [%%rd1+16]; ld.global.%s %%v2, [%%rd1+24];\n", k->mem, k->mem);
  fprintf(f, "ld.global.%s %%v3, [%%rd1+32]; ld.global.%s %%v8, [%%rd1+40];\n", k->mem, k->mem);
  print_body(f, k, body);
  fprintf(f, "\nst.global.%s [%%rd1], %%v7; ret; }\n", k->mem);
  *one_is = one & mask;
  *less = (k->c ^ sign) & mask;
  fclose(f);
  return text;
}

/* The result, and the number of sums that were contracted. */
static uint64_t run_body(const kind_t *k, const char *body, bool contracted, uint64_t *sums) {
  rig_t r = {0};
  uint64_t one, less;
  char *text = print_text(k, body, &one, &less);
  ck_assert_msg(rig_open(&r, text, 1, 1) == 0, "%s: %s", body, r.err.text);
  simt_view_t view;
  ck_assert(simt_view(r.w, &view));
  *sums = ptx_contractable(ptx_kernel(view.module, 0));
  if (contracted) {
    uint64_t done = 0;
    ck_assert_int_eq(simt_contract(r.w, &done, &r.err), 0);
    ck_assert_uint_eq(done, *sums);
    ck_assert_uint_eq(ptx_contractable(ptx_kernel(view.module, 0)), 0);
  }
  uint64_t *out = rig_buffer(&r, 0, 64);
  out[2] = k->a, out[3] = k->c, out[4] = less, out[5] = one;
  ck_assert_msg(rig_run(&r) == 0, "%s: %s", body, r.err.text);
  const uint64_t got = out[0];
  rig_close(&r);
  free(text);
  return got;
}

/* Whether it is +0 or -0: a difference that is exact. */
static bool is_zero(const kind_t *k, uint64_t bits) {
  return (bits & ~(k->rest ^ k->minus)) == 0;
}

START_TEST(contracts) {
  const body_t *b = &bodies[_i];
  for (unsigned n = 0; n < KINDS; n++) {
    const kind_t *k = &kinds[n];
    uint64_t sums;
    const uint64_t plain = run_body(k, b->body, false, &sums);
    ck_assert_msg(sums == b->sums, "%s: %s: %u sums", k->type, b->body, (unsigned)sums);
    ck_assert_msg(is_zero(k, plain), "%s: %s: 0x%llx", k->type, b->body, (unsigned long long)plain);
    const uint64_t got = run_body(k, b->body, true, &sums);
    ck_assert_msg(b->rest == 0 ? is_zero(k, got) : got == (b->rest > 0 ? k->rest : k->minus),
                  "%s: %s: 0x%llx", k->type, b->body, (unsigned long long)got);
  }
}
END_TEST

/* .ftz and .sat, which not all types have. */
START_TEST(modifiers) {
  static const struct {
    const char *body;
    unsigned sums;
    uint64_t is;
  } c[] = {{"mul.ftz.$ %4, %1, %1; sub.ftz.$ %7, %4, %2;", 1, 0x33800000},
           {"mul.ftz.$ %4, %1, %1; sub.$ %7, %4, %2;", 0, 0},
           {"mul.$ %4, %1, %1; sub.ftz.$ %7, %4, %2;", 0, 0},
           {"mul.sat.$ %4, %1, %1; sub.$ %7, %4, %8;", 0, 0},
           {"mul.$ %4, %1, %1; sub.sat.$ %7, %4, %2;", 1, 0x33800000},
           {"mul.$ %4, %1, %1; sub.sat.$ %7, %2, %4;", 1, 0}};
  uint64_t sums;
  const uint64_t got = run_body(&kinds[0], c[_i].body, true, &sums);
  ck_assert_uint_eq(sums, c[_i].sums);
  ck_assert_uint_eq(got, c[_i].is);
}
END_TEST

/* A product of constants is computed by the compiler, and rounded; in 16 bits it is not. `^` stands
 * for the constant a. */
START_TEST(constants) {
  static const struct {
    const char *body;
    unsigned sums;
  } c[] = {
      {"mov.$ %4, ^; mul.$ %5, %4, %4; sub.$ %7, %5, %2;", 0},
      {"mul.$ %5, %1, ^; sub.$ %7, %5, %2;", 1},
      {"mul.$ %5, ^, ^; sub.$ %7, %5, %2;", 0},
      /* Through sums and moves; not through what a guard writes. */
      {"mov.# %6, ^; mov.# %4, %6; mul.$ %5, %4, %4; sub.$ %7, %5, %2;", 0},
      {"mov.$ %4, ^; sub.$ %6, %4, %4; add.$ %4, %4, %6; mul.$ %5, %4, %4; sub.$ %7, %5, %2;", 0},
      {"mov.$ %4, ^; @%p0 mov.$ %4, %1; mul.$ %5, %4, %4; sub.$ %7, %5, %2;", 1},
      /* Written in another block: by this one alone; by two. */
      {"mov.$ %4, ^; @!%p0 bra L; L: mul.$ %5, %4, %4; sub.$ %7, %5, %2;", 0},
      {"mov.$ %4, ^; @!%p0 bra L; mov.$ %4, %1; L: mul.$ %5, %4, %4; sub.$ %7, %5, %2;", 1},
      /* The other product of the sum. */
      {"mov.$ %4, ^; mul.$ %5, %4, %4; mul.$ %6, %1, %1; sub.$ %7, %6, %5; "
       "sub.$ %7, %7, %7;",
       1}};
  for (unsigned n = 0; n < 2; n++) {
    char body[512] = "", number[24];
    uint64_t sums;
    snprintf(number, sizeof number, kinds[n].bytes == 8 ? "0d%016llX" : "0f%08llX",
             (unsigned long long)kinds[n].a);
    for (const char *at = c[_i].body; *at; at++) {
      const char one[2] = {*at, '\0'};
      strncat(body, *at == '^' ? number : one, sizeof body - strlen(body) - 1);
    }
    const uint64_t got = run_body(&kinds[n], body, true, &sums);
    ck_assert_msg(sums == c[_i].sums, "%s: %u sums", body, (unsigned)sums);
    if (_i < 8)
      ck_assert_msg(sums ? got == kinds[n].rest : is_zero(&kinds[n], got), "%s: 0x%llx", body,
                    (unsigned long long)got);
  }
}
END_TEST

START_TEST(constant_halves) {
  uint64_t sums;
  const uint64_t got =
      run_body(&kinds[2], "mov.b16 %4, 0x3C10; mul.$ %5, %4, %4; sub.$ %7, %5, %2;", true, &sums);
  ck_assert_uint_eq(sums, 1);
  ck_assert_uint_eq(got, kinds[2].rest);
}
END_TEST

Suite *test_ptx_contract_suite(void);

Suite *test_ptx_contract_suite(void) {
  Suite *s = suite_create("ptx_contract");
  TCase *t = tcase_create("ptx_contract");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, contracts, 0, BODIES);
  tcase_add_loop_test(t, modifiers, 0, 6);
  tcase_add_loop_test(t, constants, 0, 9);
  tcase_add_test(t, constant_halves);
  suite_add_tcase(s, t);
  return s;
}
