/* SPDX-License-Identifier: Apache-2.0 */
/* The comparison of registers: one bit anywhere, on either side, is a difference; a bit beside them
 * is none. For every pair of element sizes, many lengths and alignments. */
#include "cosim/lockstep/regs.h"
#include "prng.h"

#include <check.h>
#include <string.h>

enum { ROOM = 8192, MARGIN = 64, LONGEST = 300 };

static const struct {
  unsigned c, rtl; /* bytes of an element */
} pairs[] = {{1, 1}, {2, 2}, {4, 4}, {8, 8}, {28, 28}, {8, 4},
             {8, 2}, {8, 1}, {4, 2}, {4, 1}, {2, 1}};

static module_reg_t reg;
static unsigned char c_side[ROOM + 2 * MARGIN] __attribute__((aligned(64)));
static unsigned char rtl_side[ROOM + 2 * MARGIN] __attribute__((aligned(64)));

static void one_reg(const void *self, module_reg_t *regs) {
  (void)self;
  *regs = reg;
}

static const module_class_t cls = {.stem = "made_up", .n_regs = 1, .regs = one_reg};

/* Both sides hold the same random elements, and different bytes around them. */
static void fill(prng_t *rng, unsigned char *c, unsigned char *rtl, unsigned k, unsigned words) {
  for (size_t i = 0; i < sizeof c_side; i++) c_side[i] = (unsigned char)prng_next(rng);
  for (size_t i = 0; i < sizeof rtl_side; i++) rtl_side[i] = (unsigned char)~c_side[i];
  for (unsigned e = 0; e < words; e++) {
    memset(c + e * pairs[k].c + pairs[k].rtl, 0, pairs[k].c - pairs[k].rtl);
    memcpy(rtl + e * pairs[k].rtl, c + e * pairs[k].c, pairs[k].rtl);
  }
}

static void try_bits(prng_t *rng, const regs_t *regs, unsigned char *data, size_t bytes) {
  for (size_t at = 0; at < bytes; at++) {
    const unsigned char bit = (unsigned char)(1u << prng_below(rng, 8));
    data[at] ^= bit;
    ck_assert_msg(!regs_agree(regs), "byte %zu of %zu", at, bytes);
    data[at] ^= bit;
  }
  ck_assert(regs_agree(regs));
}

static void try_length(prng_t *rng, unsigned k, unsigned words) {
  unsigned char *c = c_side + MARGIN + prng_below(rng, 64 / 8) * 8;
  unsigned char *rtl = rtl_side + MARGIN + prng_below(rng, 64 / 8) * 8;
  const shim_view_t view = {"r", rtl, pairs[k].rtl, words};
  mrpb_err_t err = {""};
  regs_t regs;
  reg = (module_reg_t){
      .data = c, .width = 8 * pairs[k].rtl, .elem_bytes = pairs[k].c, .words = words};
  strcpy(reg.name, "r");
  fill(rng, c, rtl, k, words);
  ck_assert_msg(regs_plan(&regs, &cls, NULL, &view, NULL, &err) == 0, "%s", err.text);
  ck_assert(regs_agree(&regs));
  try_bits(rng, &regs, c, (size_t)words * pairs[k].c);
  try_bits(rng, &regs, rtl, (size_t)words * pairs[k].rtl);
}

START_TEST(one_bit_is_a_difference) {
  prng_t rng = prng_seed(1, (uint64_t)_i);
  const unsigned k = (unsigned)_i;
  for (unsigned words = 1; words <= LONGEST && words * pairs[k].c <= ROOM - MARGIN;
       words += words < 40 ? 1 : 1 + prng_below(&rng, 37))
    try_length(&rng, k, words);
}
END_TEST

START_TEST(shapes_that_do_not_fit_are_refused) {
  const shim_view_t wider = {"r", rtl_side, 8, 1}, longer = {"r", rtl_side, 4, 2};
  const shim_view_t other = {"q", rtl_side, 4, 1};
  mrpb_err_t err = {""};
  regs_t regs;
  reg = (module_reg_t){.data = c_side, .width = 32, .elem_bytes = 4, .words = 1};
  strcpy(reg.name, "r");
  ck_assert_int_ne(regs_plan(&regs, &cls, NULL, &wider, NULL, &err), 0);
  ck_assert_str_eq(err.text, "made_up: register r: 1 x 8 bytes in Verilog, 1 x 4 bytes in C");
  ck_assert_int_ne(regs_plan(&regs, &cls, NULL, &longer, NULL, &err), 0);
  ck_assert_int_ne(regs_plan(&regs, &cls, NULL, &other, NULL, &err), 0);
}
END_TEST

Suite *test_regs_suite(void);

Suite *test_regs_suite(void) {
  Suite *s = suite_create("regs");
  TCase *t = tcase_create("registers");
  tcase_add_loop_test(t, one_bit_is_a_difference, 0, sizeof pairs / sizeof *pairs);
  tcase_add_test(t, shapes_that_do_not_fit_are_refused);
  suite_add_tcase(s, t);
  return s;
}
