/* SPDX-License-Identifier: Apache-2.0 */
/* The host's check of a PolyBench program: arrays that kernels only read. */
#include "workload/programs/polybench/polybench.h"

#include <check.h>
#include <string.h>

enum { INPUT = 3000 };

static float copied[INPUT];

static void copy_input(const polybench_t *p, float *const v[]) {
  memcpy(copied, v[0], sizeof copied);
  ck_assert_uint_eq(p->n_arrays, 1);
}

/* An input is read in place, and the first of its values that a kernel has written is named. */
START_TEST(written_input) {
  mrpb_err_t err = {{0}};
  memory_t *memory;
  ck_assert_int_eq(memory_create(&memory, &err), 0);
  const program_host_t h = {.memory = memory};
  const polybench_array_t a = {.name = "A", .n = INPUT, .input = true};
  polybench_t p = {.n = INPUT};
  ck_assert_int_eq(polybench_arrays(&p, &h, &a, 1, &err), 0);
  float *v = memory_at(memory, p.array[0].addr, sizeof copied), want[INPUT];
  program_random_f32(want, INPUT, 0);
  ck_assert_msg(polybench_check(&p, &h, copy_input, &err) == 0, "%s", err.text);
  ck_assert_mem_eq(copied, want, sizeof want);
  v[2500] = v[2600] = 2;
  ck_assert_int_eq(polybench_check(&p, &h, copy_input, &err), -1);
  ck_assert_msg(strncmp(err.text, "A[2500] is 2 (0x40000000), expected 0.", 38) == 0, "%s",
                err.text);
  mrpb_err_t away = {{0}};
  ck_assert_int_eq(program_compare_random_f32(&h, "B", 0, INPUT, 0, &away), -1);
  ck_assert_str_eq(away.text, "B: not in the allocated memory");
  memory_destroy(memory);
}
END_TEST

Suite *test_polybench_check_suite(void);

Suite *test_polybench_check_suite(void) {
  Suite *s = suite_create("polybench_check");
  TCase *t = tcase_create("inputs");
  tcase_add_test(t, written_input);
  suite_add_tcase(s, t);
  return s;
}
