/* SPDX-License-Identifier: Apache-2.0 */
/* Cells of (entry x state x event): the tables are well formed, and cells are counted and
 * judged. */
#include "cosim/cross/cells.h"

#include "cosim_help.h"
#include "mshr.h"

Suite *test_cells_suite(void);

static unsigned names(const char *const *list) {
  unsigned n = 0;
  while (list[n]) n++;
  return n;
}

static const cells_class_t *table(int i) {
  static const char *const stems[] = {"fifo_bank", "mshr", "prt"};
  const cells_class_t *cls = cells_class(stems[i]);
  ck_assert_ptr_nonnull(cls);
  return cls;
}

/* The size-th value of each parameter, or of the first one alone. */
static void sized(const module_class_t *module, uint32_t size, bool alone, uint32_t *cfg) {
  for (unsigned p = 0; p < module->n_params; p++) {
    const module_param_t *m = &module->params[p];
    const uint32_t more = alone && p > 0 ? 0 : size - 1;
    cfg[p] = m->min + more < m->max ? m->min + more : m->max;
  }
}

/* Each reason is for some kind of cell at some size. */
START_TEST(each_reason_is_for_a_cell) {
  const cells_class_t *cls = table(_i);
  const module_class_t *module = module_class(cls->stem);
  for (unsigned g = 0; g < cls->n_gaps; g++) {
    unsigned cells = 0;
    for (uint32_t size = 1; size <= 8; size++) {
      uint32_t cfg[MODULE_MAX_PARAMS];
      sized(module, 1 + (size - 1) / 2, size % 2 == 0, cfg);
      for (unsigned s = 0; s < names(cls->states); s++)
        for (unsigned e = 0; e < names(cls->events); e++)
          cells += cells_reason(cls, cfg, s, e) == cls->gaps[g].reason;
    }
    ck_assert_msg(cells > 0, "%s: '%s' is the reason for no cell", cls->stem, cls->gaps[g].reason);
  }
}
END_TEST

/* What cells_judge says of the cycles in `in` on a table of two entries of two reads. */
static cells_verdict_t play(const mshr_in_t *in, unsigned n, char *text) {
  uint32_t cfg[MODULE_MAX_PARAMS] = {2, 2, 8, 8};
  mshr_out_t out;
  mrpb_err_t err;
  cells_t *cells;
  void *model;
  ck_assert_int_eq(mshr_class.create(&model, cfg, NULL), 0);
  ck_assert_int_eq(cells_open(&cells, cells_class("mshr"), cfg, &err), 0);
  for (unsigned c = 0; c < n; c++) {
    const uint64_t *i = (const uint64_t *)(const void *)&in[c];
    uint64_t *o = (uint64_t *)(void *)&out;
    mshr_class.comb(model, i, o);
    cells_sample(cells, &(cross_cycle_t){cfg, model, i, o});
    mshr_class.edge(model, i);
  }
  FILE *f = tmpfile();
  ck_assert_ptr_nonnull(f);
  const cells_verdict_t v = cells_judge(cells, true, f);
  rewind(f);
  text[fread(text, 1, TEXT - 1, f)] = '\0';
  fclose(f);
  cells_close(cells);
  mshr_class.destroy(model);
  return v;
}

/* Line 7 gets entry 0 and a second read, a third is refused; it is filled, and filled again as its
 * first read leaves and another one comes; then a reset. With two reads nothing is between one and
 * MERGES, so that of 42 kinds those of `some` are left out: 42 - 3 - 3 - 7, for two entries. */
START_TEST(cells_are_counted) {
  static const mshr_in_t in[] = {
      {.srst_ni = 0},
      {.srst_ni = 1, .req_valid_i = 1, .req_addr_i = 7},
      {.srst_ni = 1, .req_valid_i = 1, .req_addr_i = 7},
      {.srst_ni = 1, .req_valid_i = 1, .req_addr_i = 7},
      {.srst_ni = 1, .fill_valid_i = 1},
      {.srst_ni = 1, .req_valid_i = 1, .req_addr_i = 7, .fill_valid_i = 1, .out_ready_i = 1},
      {.srst_ni = 0}};
  char text[TEXT];
  const cells_verdict_t v = play(in, sizeof in / sizeof *in, text);
  ck_assert_uint_eq(v.cells, 2 * 29);
  ck_assert_uint_eq(v.wrong, 0);
  has(text, "           3  free, reset: 2 of 2\n"); /* both, and entry 1 once more */
  has(text, "           1  free, allocate: 1 of 2, not 1\n");
  has(text, "           1  waits 1, merge: 1 of 2, not 1\n");
  has(text, "           1  waits MERGES, refused: 1 of 2, not 1\n");
  has(text, "           1  waits MERGES, fill: 1 of 2, not 1\n");
  has(text, "           1  drains MERGES, all three: 1 of 2, not 1\n");
  has(text, "           1  drains MERGES, take+bad fill: 1 of 2, not 1\n");
  has(text, "           1  drains MERGES, reset: 1 of 2, not 1\n");
  has(text, "           0  ready 1, merge: 0 of 2, not 0-1\n");
  /* those, the reset of both free ones, and take, merge, bad fill, take+merge of what drains */
  ck_assert_uint_eq(v.hit, 2 + 4 + 2 + 1 + 4);
}
END_TEST

/* A cell that was reached although it has a reason is named. */
START_TEST(a_wrong_reason_is_named) {
  uint32_t cfg[MODULE_MAX_PARAMS] = {2, 2, 8, 8};
  char text[TEXT];
  mrpb_err_t err;
  cells_t *cells;
  FILE *f = tmpfile();
  ck_assert_ptr_nonnull(f);
  ck_assert_int_eq(cells_open(&cells, cells_class("mshr"), cfg, &err), 0);
  cells_count(cells, 1, 0, 1); /* free, merge */
  const cells_verdict_t v = cells_judge(cells, false, f);
  rewind(f);
  text[fread(text, 1, TEXT - 1, f)] = '\0';
  fclose(f);
  ck_assert_uint_eq(v.wrong, 1);
  ck_assert_str_eq(text, "mshr: free, merge: cannot be (it has no line), but was, 1 times\n");
  cells_close(cells);
}
END_TEST

Suite *test_cells_suite(void) {
  Suite *s = suite_create("cells");
  TCase *t = tcase_create("cells");
  tcase_add_loop_test(t, each_reason_is_for_a_cell, 0, 3);
  tcase_add_test(t, cells_are_counted);
  tcase_add_test(t, a_wrong_reason_is_named);
  suite_add_tcase(s, t);
  return s;
}
