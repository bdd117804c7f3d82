/* SPDX-License-Identifier: Apache-2.0 */
/* f16 and bf16: every 16-bit number with special ones, against a table of all numbers
 * (half_help.h). */
#include "half_help.h"

enum { ALL = 65536, SPECIALS = 8, N = ALL * SPECIALS, FEW = ALL * 2 };

/* Signed zeros and ones, the least, the least normal and the largest number, NaN, numbers in between. */
static const uint16_t specials[2][SPECIALS][2] = {{{0x8000, 0x0001},
                                                   {0x3C00, 0x8001},
                                                   {0x0001, 0x3C01},
                                                   {0x7BFF, 0xFBFF},
                                                   {0xFC00, 0x7C00},
                                                   {0x7D12, 0x0400},
                                                   {0xB555, 0x3555},
                                                   {0x5BFF, 0x2C01}},
                                                  {{0x8000, 0x0001},
                                                   {0x3F80, 0x8001},
                                                   {0x0001, 0x3F81},
                                                   {0x7F7F, 0xFF7F},
                                                   {0xFF80, 0x7F80},
                                                   {0x7F91, 0x0080},
                                                   {0xBEAB, 0x3EAB},
                                                   {0x4B7F, 0x3301}}};

/* Low half: every number; high half: every number in another order. */
static triple_t *triples(bool brain) {
  triple_t *t = calloc(N, sizeof *t);
  ck_assert_ptr_nonnull(t);
  for (uint32_t i = 0; i < N; i++) {
    const uint32_t a = i % ALL, s = i / ALL, other = (a * 40503u + 1) % ALL;
    const uint16_t *b = specials[brain][s], *c = specials[brain][(s + 3 + i % 3) % SPECIALS];
    t[i] = (triple_t){a | other << 16, b[0] | (uint32_t)b[1] << 16, c[0] | (uint32_t)c[1] << 16};
    if (i & 1) t[i] = (triple_t){t[i].b, t[i].a, t[i].c};
    if (i % 5 == 1) t[i] = (triple_t){t[i].a, t[i].c, t[i].b};
  }
  return t;
}

typedef struct {
  const char *op;
  bool brain, ftz, sat, relu, nan, xorsign;
} how_t;

static uint32_t flush(uint32_t h, bool brain) {
  return h & half_table(brain)->infinity ? h : h & 0x8000;
}

static uint32_t ref_choose(const how_t *how, uint32_t a, uint32_t b) {
  const bool least = strncmp(how->op, "min", 3) == 0, brain = how->brain;
  const bool an = ref_is_nan(a, brain), bn = ref_is_nan(b, brain);
  const uint32_t sign = how->xorsign ? (a ^ b) & 0x8000 : 0, keep = how->xorsign ? 0x7FFF : 0xFFFF;
  if ((an && bn) || (how->nan && (an || bn))) return 0x7FFF;
  a &= keep, b &= keep;
  if (an) return b | sign;
  if (bn) return a | sign;
  const double x = ref_value(a, brain), y = ref_value(b, brain);
  if (x == y) return (least ? a | b : a & b) | sign; /* the same, or zeros of both signs */
  return ((x < y) == least ? a : b) | sign;
}

static uint32_t reference(const how_t *how, uint32_t a, uint32_t b, uint32_t c) {
  const bool brain = how->brain;
  if (how->ftz) a = flush(a, brain), b = flush(b, brain), c = flush(c, brain);
  const double x = ref_value(a, brain), y = ref_value(b, brain), z = ref_value(c, brain);
  double exact = INFINITY;
  uint32_t r;
  if (strncmp(how->op, "min", 3) == 0 || strncmp(how->op, "max", 3) == 0)
    r = ref_choose(how, a, b);
  else if (strncmp(how->op, "neg", 3) == 0)
    r = ref_is_nan(a, brain) ? 0x7FFF : a ^ 0x8000;
  else if (strncmp(how->op, "abs", 3) == 0)
    r = ref_is_nan(a, brain) ? 0x7FFF : a & 0x7FFF;
  else
    exact = strncmp(how->op, "add", 3) == 0   ? ref_fma(x, 1, y)
            : strncmp(how->op, "sub", 3) == 0 ? ref_fma(x, 1, -y)
            : strncmp(how->op, "mul", 3) == 0 ? ref_fma(x, y, -0.0)
                                              : ref_fma(x, y, z),
    r = ref_round(exact, brain, FE_TONEAREST);
  if (strncmp(how->op, "mul", 3) == 0 && (x == 0 || y == 0) && !isnan(x * y))
    r = (a ^ b) & 0x8000; /* a product of zeros has its own sign */
  /* Too small is what is less than the least normal number after rounding to as many bits. */
  const double wide = ref_value(ref_round(exact * 1024, false, FE_TONEAREST), false);
  if (how->ftz && fabs(wide) < 1024 * 0x1p-14) r &= 0x8000;
  if (how->sat) r = ref_is_nan(r, brain) || r & 0x8000 ? 0 : r > 0x3C00 ? 0x3C00 : r;
  if (how->relu && !ref_is_nan(r, brain) && r & 0x8000) r = 0;
  return r;
}

/* The words in the opcode tell what it does. */
static void check(const char *op) {
  const how_t how = {.op = op,
                     .brain = strstr(op, "bf16") != NULL,
                     .ftz = strstr(op, ".ftz") != NULL,
                     .sat = strstr(op, ".sat") != NULL,
                     .relu = strstr(op, ".relu") != NULL,
                     .nan = strstr(op, ".NaN") != NULL,
                     .xorsign = strstr(op, ".xorsign") != NULL};
  const bool pair = strstr(op, "x2") != NULL;
  const bool three = strncmp(op, "fma", 3) == 0,
             single = strncmp(op, "neg", 3) == 0 || strncmp(op, "abs", 3) == 0;
  const char r = pair ? 'r' : 'h';
  char inst[128];
  size_t at = (size_t)snprintf(inst, sizeof inst, "%s %%%c0, %%%c1", op, r, r);
  if (!single) at += (size_t)snprintf(inst + at, sizeof inst - at, ", %%%c2", r);
  if (three) snprintf(inst + at, sizeof inst - at, ", %%%c3", r);
  triple_t *in = triples(how.brain);
  uint64_t *out = run_half(inst, r, in, N);
  for (uint32_t i = 0; i < N; i++)
    for (unsigned k = 0; k < (pair ? 2 : 1); k++) {
      const uint32_t a = in[i].a >> 16 * k & 0xFFFF, b = in[i].b >> 16 * k & 0xFFFF;
      const uint32_t c = in[i].c >> 16 * k & 0xFFFF, has = out[i] >> 16 * k & 0xFFFF;
      const uint32_t want = reference(&how, a, b, c);
      ck_assert_msg(has == want, "%s: 0x%04x 0x%04x 0x%04x, half %u: 0x%04x, expected 0x%04x", op,
                    a, b, c, k, has, want);
    }
  free(in);
  free(out);
}

static const char *const arithmetic[] = {"add.f16x2",
                                         "add.rn.ftz.f16x2",
                                         "add.sat.f16",
                                         "sub.f16x2",
                                         "mul.f16x2",
                                         "mul.ftz.sat.f16x2",
                                         "fma.rn.f16x2",
                                         "fma.rn.relu.f16x2",
                                         "fma.rn.ftz.sat.f16",
                                         "add.bf16x2",
                                         "sub.bf16x2",
                                         "mul.bf16x2",
                                         "fma.rn.bf16x2",
                                         "fma.rn.relu.bf16",
                                         "min.f16x2",
                                         "max.ftz.f16x2",
                                         "min.NaN.bf16x2",
                                         "max.xorsign.abs.bf16x2",
                                         "min.NaN.xorsign.abs.f16x2",
                                         "neg.f16x2",
                                         "abs.bf16x2",
                                         "neg.ftz.f16",
                                         "abs.f16"};

START_TEST(every_number) {
  check(arithmetic[_i]);
}
END_TEST

/* ---- comparisons ------------------------------------------------------------------------------ */

static bool holds(const char *cmp, double a, double b) {
  const bool none = isnan(a) || isnan(b), u = strlen(cmp) == 3;
  if (strcmp(cmp, "num") == 0) return !none;
  if (strcmp(cmp, "nan") == 0) return none;
  if (none) return u;
  if (cmp[0] == 'e') return a == b;
  if (cmp[0] == 'n') return a != b;
  if (cmp[0] == 'l') return cmp[1] == 't' ? a < b : a <= b;
  return cmp[1] == 't' ? a > b : a >= b;
}

static const char *const compared[] = {"eq",  "ne",  "lt",  "le",  "gt",  "ge",  "equ",
                                       "neu", "ltu", "leu", "gtu", "geu", "num", "nan"};

START_TEST(comparisons) {
  const bool brain = _i % 2 != 0;
  const char *type = brain ? "bf16x2" : "f16x2", *cmp = compared[_i];
  char inst[160];
  triple_t *in = triples(brain);
  snprintf(inst, sizeof inst, "setp.%s.xor.%s %%p0|%%p1, %%r1, %%r2, %%p3", cmp, type);
  uint64_t *preds = run_half(inst, 'p', in, FEW);
  snprintf(inst, sizeof inst, "set.%s.%s.%s %%r0, %%r1, %%r2", cmp, type, type);
  uint64_t *ones = run_half(inst, 'r', in, FEW);
  snprintf(inst, sizeof inst, "set.%s.s32.%s %%r0, %%h1, %%h2", cmp, brain ? "bf16" : "f16");
  uint64_t *word = run_half(inst, 'r', in, FEW);
  for (uint32_t i = 0; i < FEW; i++) {
    bool h[2];
    for (unsigned k = 0; k < 2; k++)
      h[k] = holds(cmp, ref_value(in[i].a >> 16 * k & 0xFFFF, brain),
                   ref_value(in[i].b >> 16 * k & 0xFFFF, brain));
    const uint32_t c = in[i].c & 1, one = brain ? 0x3F80 : 0x3C00;
    ck_assert_uint_eq(preds[i], (h[0] ^ c) | (h[1] ^ c) << 1);
    ck_assert_uint_eq(ones[i], (h[0] ? one : 0) | (h[1] ? one << 16 : 0));
    ck_assert_uint_eq(word[i], h[0] ? UINT32_MAX : 0);
  }
  free(in), free(preds), free(ones), free(word);
}
END_TEST

Suite *test_simt_half_suite(void);

Suite *test_simt_half_suite(void) {
  Suite *s = suite_create("simt_half");
  TCase *t = tcase_create("simt_half");
  tcase_set_timeout(t, 60);
  tcase_set_tags(t, "heavy");
  tcase_add_loop_test(t, every_number, 0, sizeof arithmetic / sizeof *arithmetic);
  tcase_add_loop_test(t, comparisons, 0, sizeof compared / sizeof *compared);
  suite_add_tcase(s, t);
  return s;
}
