/* SPDX-License-Identifier: Apache-2.0 */
/* Crosses: the tables are well formed, and cells are counted and judged. `make test` checks on its
 * own co-simulations that every cell is reached (tests/all.sh). */
#include "base/files.h"
#include "cosim/run.h"
#include "cosim/stim/stim.h"
#include "cosim/tally.h"
#include "cosim_help.h"

Suite *test_cross_suite(void);

START_TEST(tables_are_well_formed) {
  const cross_class_t *cls = cross_class(module_class_at((unsigned)_i)->stem);
  ck_assert_ptr_nonnull(cls);
  ck_assert_uint_le(cls->n, CROSS_MAX);
  for (unsigned i = 0; i < cls->n; i++) {
    const cross_t *cross = &cls->crosses[i];
    ck_assert_uint_le(cross_cells(cross), CROSS_CELLS);
    ck_assert_ptr_null(strchr(cross->name, ' ')); /* a word of the tally files */
  }
  /* Each reason is for some cell of a cross that exists, and hides no other reason wholly. */
  for (unsigned g = 0; g < cls->n_gaps; g++) {
    unsigned cells = 0;
    for (unsigned i = 0; i < cls->n; i++)
      for (unsigned c = 0; c < cross_cells(&cls->crosses[i]); c++)
        cells += cross_reason(cls, &cls->crosses[i], c) == cls->gaps[g].reason;
    ck_assert_msg(cells > 0, "%s: '%s' is the reason for no cell", cls->stem, cls->gaps[g].reason);
  }
}
END_TEST

START_TEST(cells_have_names_and_reasons) {
  const cross_class_t *cls = cross_class("mshr");
  char name[CROSS_TEXT];
  cross_cell_name(&cls->crosses[0], 0, name);
  ck_assert_str_eq(name, "none, idle, empty");
  cross_cell_name(&cls->crosses[0], cross_cells(&cls->crosses[0]) - 1, name);
  ck_assert_str_eq(name, "refused: marked, the last leaves, full");
  ck_assert_ptr_null(cross_reason(cls, &cls->crosses[0], 0));
  ck_assert_str_eq(cross_reason(cls, &cls->crosses[0], 3), "nothing can drain"); /* none, stalled */
}
END_TEST

/* The C model under its stimulus, without Verilog. */
static void simulate(const module_class_t *cls, const uint32_t *cfg, cross_counts_t *counts) {
  const stim_class_t *stim = stim_class(cls->stem);
  uint64_t in[MODULE_MAX_WORDS] = {0}, out[MODULE_MAX_WORDS] = {0};
  module_port_t ins[MODULE_MAX_PORTS], outs[MODULE_MAX_PORTS];
  void *model, *state = malloc(stim->size);
  ck_assert_ptr_nonnull(state);
  ck_assert_int_eq(cls->create(&model, cfg, NULL), 0);
  cls->ports(cfg, ins, outs);
  stim->start(state, cfg, 1);
  for (unsigned n = 0; n < 20000; n++) {
    stim->next(state, model, in);
    for (unsigned i = 0; i < cls->n_in; i++)
      if (ins[i].width < 64) in[ins[i].word] &= (UINT64_C(1) << ins[i].width) - 1;
    cls->comb(model, in, out);
    stim->sample(state, model, in, out);
    cross_count(cross_class(cls->stem), counts, &(cross_cycle_t){cfg, model, in, out});
    cls->edge(model, in);
  }
  cls->destroy(model);
  free(state);
}

/* At three sizes no cell is reached that has a reason why it cannot be, and most others are. */
START_TEST(reasons_hold) {
  const module_class_t *cls = module_class_at((unsigned)_i);
  const cross_class_t *cross = cross_class(cls->stem);
  cross_counts_t counts = {{{0}}};
  unsigned cells = 0, hit = 0;
  for (unsigned size = 0; size < 3; size++) {
    uint32_t cfg[MODULE_MAX_PARAMS];
    for (unsigned p = 0; p < cls->n_params; p++) {
      const module_param_t *param = &cls->params[p];
      cfg[p] = size == 0 ? param->min : param->deflt > 4 + size ? 4 + size : param->deflt;
      if (cfg[p] < param->min) cfg[p] = param->min;
    }
    ck_assert_int_eq(cls->check(cfg, NULL), 0);
    simulate(cls, cfg, &counts);
  }
  for (unsigned i = 0; i < cross->n; i++)
    for (unsigned c = 0; c < cross_cells(&cross->crosses[i]); c++) {
      char name[CROSS_TEXT];
      const char *reason = cross_reason(cross, &cross->crosses[i], c);
      cross_cell_name(&cross->crosses[i], c, name);
      ck_assert_msg(!reason || counts.count[i][c] == 0, "%s: %s: %s", cls->stem, name, reason);
      cells += !reason;
      hit += counts.count[i][c] > 0;
    }
  ck_assert_msg(4 * hit > cells, "%s: %u of %u cells", cls->stem, hit, cells);
}
END_TEST

static int judge(bench_t *b) {
  FILE *out = tmpfile();
  ck_assert_ptr_nonnull(out);
  b->err.text[0] = '\0';
  int rc = tally_judge(b->dir, out, &b->err);
  rewind(out);
  b->text[fread(b->text, 1, TEXT - 1, out)] = '\0';
  fclose(out);
  return rc;
}

/* All modules with every cell that can be, then without one of them, then with one that cannot. */
START_TEST(a_folder_is_judged) {
  bench_t b;
  open_bench(&b);
  cross_counts_t counts;
  uint32_t cfg[MODULE_MAX_PARAMS];
  for (unsigned fault = 0; fault < 3; fault++) {
    for (unsigned m = 0; module_class_at(m); m++) {
      const module_class_t *cls = module_class_at(m);
      const cross_class_t *cross = cross_class(cls->stem);
      memset(&counts, 0, sizeof counts);
      module_defaults(cls, cfg);
      for (unsigned i = 0; i < cross->n; i++)
        for (unsigned c = 0; c < cross_cells(&cross->crosses[i]); c++)
          counts.count[i][c] = !cross_reason(cross, &cross->crosses[i], c);
      if (strcmp(cls->stem, "mshr") == 0 && fault == 1) counts.count[0][0] = 0;
      if (strcmp(cls->stem, "mshr") == 0 && fault == 2) counts.count[0][3] = 7;
      ck_assert_msg(tally_write(b.dir, cls, cfg, &counts, &b.err) == 0, "%s", b.err.text);
    }
    ck_assert_int_eq(judge(&b), fault ? COSIM_DIFFERENT : COSIM_MATCHED);
    if (fault == 1) has(b.text, "mshr: request: none, idle, empty: never happened\n");
    if (fault == 2)
      has(b.text, "mshr: request: none, stalled, empty: cannot be (nothing can drain), but was, 7 "
                  "times\n");
    has(b.text, fault ? " 1 runs  FAILED\n" : " 1 runs\n");
  }
  close_bench(&b);
}
END_TEST

START_TEST(what_is_no_tally_is_refused) {
  bench_t b;
  char path[128];
  open_bench(&b);
  snprintf(path, sizeof path, "%s/x.tally", b.dir);
  write_text(path, "mrpb-tally 1 mshr\nrequest 0 12\nrequest 72 1\n");
  ck_assert_int_eq(judge(&b), COSIM_BAD_INPUT);
  has(b.err.text, "x.tally:3: no cell of mshr");
  write_text(path, "mrpb-tally 1 mshrr\n");
  ck_assert_int_eq(judge(&b), COSIM_BAD_INPUT);
  has(b.err.text, "x.tally:1: begins with");
  files_remove_tree(b.dir, NULL);
  ck_assert_int_eq(judge(&b), COSIM_BAD_INPUT);
  has(b.err.text, "cannot read the folder");
  close_bench(&b);
}
END_TEST

Suite *test_cross_suite(void) {
  Suite *s = suite_create("cross");
  TCase *t = tcase_create("cross");
  int n = 0;
  while (module_class_at((unsigned)n)) n++;
  tcase_add_loop_test(t, tables_are_well_formed, 0, n);
  tcase_add_test(t, cells_have_names_and_reasons);
  tcase_add_loop_test(t, reasons_hold, 0, n);
  tcase_add_test(t, a_folder_is_judged);
  tcase_add_test(t, what_is_no_tally_is_refused);
  suite_add_tcase(s, t);
  return s;
}
