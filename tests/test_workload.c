/* Workloads: the test vectors of atax, instruction counts of both models, the loop cut, names. */
#include "sm/coalescer.h"
#include "workload/kernels.h"

#include <check.h>
#include <string.h>

enum { LANES = WARP_LANES };

static workload_t *open_atax(uint32_t cut, workload_model_t model) {
  mrpb_err_t err = {{0}};
  workload_options_t o = {cut, model};
  workload_t *w;
  ck_assert_msg(workload_open(&w, "atax", &o, &err) == 0, "%s", err.text);
  return w;
}

/* Steps to the next load or store. */
static warp_stream_t *open_at(workload_t *w, unsigned launch, uint32_t block, uint32_t warp) {
  for (unsigned i = 0; i <= launch; i++) ck_assert_ptr_nonnull(workload_next(w));
  return warp_stream_open(w, block, warp);
}

static const warp_inst_t *next_memory(const workload_t *w, warp_stream_t *s, unsigned *alu) {
  const warp_inst_t *i;
  for (*alu = 0; (i = warp_stream_peek(w, s)) && i->unit != WARP_MEM; ++*alu)
    warp_stream_step(w, s);
  return i;
}

/* Checks that the next memory instruction is a load (store) whose lane l is at `base` + l *
 * `stride`. */
static unsigned expect(const workload_t *w, warp_stream_t *s, warp_class_t cls, uint64_t base,
                       uint64_t stride) {
  unsigned alu;
  uint64_t addr[LANES];
  const warp_inst_t *i = next_memory(w, s, &alu);
  ck_assert_ptr_nonnull(i);
  ck_assert_int_eq(i->cls, cls);
  ck_assert_uint_eq(i->elem, 4);
  ck_assert_uint_eq(warp_stream_mask(w, s), UINT32_MAX);
  warp_stream_addresses(w, s, addr);
  for (unsigned l = 0; l < LANES; l++) ck_assert_uint_eq(addr[l], base + l * stride);
  warp_stream_step(w, s);
  return alu;
}

START_TEST(launches) {
  workload_t *w = open_atax(0, WORKLOAD_MODEL_B);
  const launch_t *l;
  unsigned n = 0;
  for (; (l = workload_next(w)); n++) {
    ck_assert_uint_eq(l->blocks, 8);
    ck_assert_uint_eq(l->threads, 256);
  }
  ck_assert_uint_eq(n, 2);
  workload_close(w);
}
END_TEST

START_TEST(row_kernel) {
  for (unsigned m = 0; m < 2; m++) {
    workload_t *w = open_atax(2, (workload_model_t)m);
    warp_stream_t *s = open_at(w, 0, 0, 0);
    expect(w, s, WARP_LOAD, 0x81004000, 4);
    for (unsigned j = 0; j < 2; j++) {
      expect(w, s, WARP_LOAD, 0x80000000 + 4 * j, 8192);
      expect(w, s, WARP_LOAD, 0x81000000 + 4 * j, 0);
      expect(w, s, WARP_STORE, 0x81004000, 4);
    }
    unsigned alu;
    ck_assert_ptr_null(next_memory(w, s, &alu));
    warp_stream_close(w, s);
    workload_close(w);
  }
}
END_TEST

START_TEST(column_kernel) {
  workload_t *w = open_atax(3, WORKLOAD_MODEL_A);
  warp_stream_t *s = open_at(w, 1, 5, 3);
  uint64_t first = 4 * (5 * 256 + 3 * 32);
  expect(w, s, WARP_LOAD, 0x81002000 + first, 4);
  for (unsigned i = 0; i < 3; i++) {
    expect(w, s, WARP_LOAD, 0x80000000 + first + 8192 * i, 4);
    expect(w, s, WARP_LOAD, 0x81004000 + 4 * i, 0);
    expect(w, s, WARP_STORE, 0x81002000 + first, 4);
  }
  warp_stream_close(w, s);
  workload_close(w);
}
END_TEST

/* Block 3, warp 2, lane 5, iteration 100. */
START_TEST(vector) {
  workload_t *w = open_atax(0, WORKLOAD_MODEL_B);
  warp_stream_t *s = open_at(w, 0, 3, 2);
  uint64_t addr[LANES];
  unsigned alu;
  for (unsigned i = 0; i < 1 + 3 * 100; i++) {
    next_memory(w, s, &alu);
    warp_stream_step(w, s);
  }
  next_memory(w, s, &alu);
  warp_stream_addresses(w, s, addr);
  ck_assert_uint_eq(addr[5], 0x8068A190);
  warp_stream_close(w, s);
  workload_close(w);
}
END_TEST

/* Instructions an iteration: 9 and 9 (model A), 10 and 12 (model B). A backward branch is the only
 * jump. */
START_TEST(counts) {
  static const unsigned want[2][2] = {{9, 9}, {10, 12}};
  for (unsigned m = 0; m < 2; m++)
    for (unsigned k = 0; k < 2; k++) {
      unsigned n[2];
      for (unsigned c = 0; c < 2; c++) {
        workload_t *w = open_atax(10 + c, (workload_model_t)m);
        warp_stream_t *s = open_at(w, k, 0, 0);
        const warp_inst_t *last = NULL, *i;
        for (n[c] = 0; (i = warp_stream_peek(w, s)); n[c]++) {
          if (last && last->cls != WARP_BRANCH) ck_assert_uint_eq(i->pc, last->pc + WARP_PC_STEP);
          last = i;
          warp_stream_step(w, s);
        }
        ck_assert_int_eq(last->cls, WARP_EXIT);
        warp_stream_close(w, s);
        workload_close(w);
      }
      ck_assert_uint_eq(n[1] - n[0], want[m][k]);
    }
}
END_TEST

START_TEST(names) {
  workload_options_t o = {0, WORKLOAD_MODEL_B};
  mrpb_err_t err = {{0}};
  workload_t *w;
  unsigned n = 0;
  for (; workload_name(n); n++) {
    ck_assert_int_eq(workload_open(&w, workload_name(n), &o, &err), 0);
    ck_assert_ptr_nonnull(workload_doc(n));
    workload_close(w);
  }
  ck_assert_uint_ge(n, 10);
  ck_assert_int_eq(workload_open(&w, "atas", &o, &err), -1);
  ck_assert_ptr_nonnull(strstr(err.text, "--kernel atas: unknown; nearest: atax"));
}
END_TEST

/* Lines of the measurements. */
START_TEST(micro_lines) {
  static const struct {
    const char *name;
    unsigned lines;
  } c[] = {
      {"micro-lines-1", 1}, {"micro-lines-8", 8}, {"micro-lines-32", 32}, {"micro-stride-4k", 32}};
  for (unsigned k = 0; k < sizeof c / sizeof *c; k++) {
    workload_options_t o = {0, WORKLOAD_MODEL_B};
    workload_t *w;
    uint64_t addr[LANES];
    coalesced_t out[LANES];
    unsigned alu;
    ck_assert_int_eq(workload_open(&w, c[k].name, &o, NULL), 0);
    warp_stream_t *s = open_at(w, 0, 0, 0);
    next_memory(w, s, &alu);
    warp_stream_addresses(w, s, addr);
    ck_assert_uint_eq(coalescer_run(addr, warp_stream_mask(w, s), 4, out), c[k].lines);
    warp_stream_close(w, s);
    workload_close(w);
  }
}
END_TEST

Suite *test_workload_suite(void);

Suite *test_workload_suite(void) {
  Suite *s = suite_create("workload");
  TCase *t = tcase_create("workload");
  tcase_add_test(t, launches);
  tcase_add_test(t, row_kernel);
  tcase_add_test(t, column_kernel);
  tcase_add_test(t, vector);
  tcase_add_test(t, counts);
  tcase_add_test(t, names);
  tcase_add_test(t, micro_lines);
  suite_add_tcase(s, t);
  return s;
}
