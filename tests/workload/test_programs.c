/* SPDX-License-Identifier: Apache-2.0 */
/* Programs by name: final memories of the PolyBench programs and the single-warp measurements,
 * options, refusals. */
#include "gpu/block_rig.h"

#include <limits.h>

enum { N_POLYBENCH = 12 };

static workload_t *open_first(const char *name, uint32_t cut) {
  workload_t *w = open_program(name, (program_options_t){.cut = cut});
  ck_assert_ptr_nonnull(workload_next(w));
  return w;
}

/* ---- results --------------------------------------------------------------- */

/* Every warp of every launch, but warp `skip` of the first. */
static void walk_all(workload_t *w, unsigned skip) {
  const launch_t *l;
  unsigned n = 0;
  while ((l = workload_next(w)))
    for (uint32_t block = 0; block < l->blocks; block++)
      for (uint32_t warp = 0; warp < (l->threads + 31) / 32; warp++)
        if (n++ != skip) walk(w, block, warp);
  ck_assert_ptr_null(workload_fault(w));
}

static program_options_t variant(const program_t *p, unsigned i) {
  program_options_t o = {.size = i % 3 == 0   ? 40
                                 : i % 3 == 1 ? 33
                                              : 64,
                         .model = (program_model_t)(i & 1)};
  if (p->takes_cut && i & 2) o.cut = 7;
  if (p->takes_acc_reload && i & 4) o.acc_reload = true;
  if (p->takes_steps) o.steps = 1 + i;
  return o;
}

START_TEST(results) {
  const program_t *p = program_at((unsigned)_i);
  for (unsigned i = 0; i < 8; i++) {
    mrpb_err_t err = {{0}};
    workload_t *w = open_program(p->name, variant(p, i));
    walk_all(w, UINT_MAX);
    ck_assert_msg(workload_check(w, &err) == 0, "%s, variant %u: %s", p->name, i, err.text);
    workload_close(w);
  }
}
END_TEST

START_TEST(full_size) {
  mrpb_err_t err = {{0}};
  workload_t *w = open_program(program_at((unsigned)_i)->name, (program_options_t){0});
  ck_assert_msg(workload_run_within(w, 0, &err) == 0, "%s", err.text);
  workload_close(w);
}
END_TEST

/* The check sees that a warp did not run. */
START_TEST(wrong_results) {
  const program_t *p = program_at((unsigned)_i);
  mrpb_err_t err = {{0}};
  workload_t *w = open_program(p->name, variant(p, 0));
  walk_all(w, 1); /* warp 0 of a stencil is border */
  ck_assert_int_eq(workload_check(w, &err), -1);
  ck_assert_ptr_nonnull(strstr(err.text, "expected"));
  workload_close(w);
}
END_TEST

START_TEST(micro) {
  static const struct {
    const char *name;
    unsigned lines;
  } c[] = {{"micro-chain-l1", 1},  {"micro-chain-l2", 1},   {"micro-chain-dram", 1},
           {"micro-lines-1", 1},   {"micro-lines-8", 8},    {"micro-lines-16", 16},
           {"micro-lines-32", 32}, {"micro-stride-1k", 32}, {"micro-stride-4k", 32}};
  for (unsigned i = 0; i < sizeof c / sizeof *c; i++)
    for (uint32_t cut = 0; cut < 100; cut += 33) {
      mrpb_err_t err = {{0}};
      workload_t *w = open_first(c[i].name, cut);
      walk_t k = walk(w, 0, 0);
      unsigned steps = cut ? cut : strstr(c[i].name, "chain") ? 4096 : 512;
      ck_assert_uint_eq(k.sum.loads, steps);
      ck_assert_uint_eq(k.sum.load_lines, steps * c[i].lines);
      ck_assert_msg(workload_check(w, &err) == 0, "%s: %s", c[i].name, err.text);
      ck_assert_ptr_null(workload_next(w));
      workload_close(w);
    }
}
END_TEST

/* The chains visit what they promise. */
START_TEST(chains) {
  static const struct {
    const char *name;
    uint64_t step, wrap;
  } c[] = {{"micro-chain-l1", 0, 1},
           {"micro-chain-l2", 4096, 65536},
           {"micro-chain-dram", 128, UINT64_MAX}};
  for (unsigned i = 0; i < 3; i++) {
    workload_t *w = open_first(c[i].name, 40);
    walk_t k = walk(w, 0, 0);
    for (unsigned j = 0; j < 40; j++)
      ck_assert_uint_eq(k.seen.op[j].addr[31], MEMORY_BASE + j * c[i].step % c[i].wrap);
    workload_close(w);
  }
}
END_TEST

/* ---- options --------------------------------------------------------------- */

START_TEST(refused) {
  static const struct {
    const char *name;
    program_options_t o;
    const char *text;
  } c[] = {
      {"atas", {0}, "--kernel atas: unknown; nearest: atax"},
      {"micro-chain-l3", {0}, "nearest: micro-chain-l1"},
      {"2dconv", {.cut = 1}, "--cut: 2dconv has no inner loop to cut"},
      {"atax", {.steps = 1}, "--steps: atax has no outer steps"},
      {"fdtd", {.acc_reload = true}, "--acc-reload: fdtd keeps no accumulator"},
      {"micro-lines-8", {.size = 8}, "--size: micro-lines-8 has one size"},
      {"2dconv", {.size = 2}, "--size 2: legal for 2dconv: 3 to 8192"},
      {"atax", {.size = 8193}, "--size 8193: legal for atax: 1 to 8192"},
      {"3dconv", {.steps = 255}, "--steps 255: legal for 3dconv of size 256: 1 to 254"},
      {"3mm", {.size = 8192}, "array "},
  };
  for (unsigned i = 0; i < sizeof c / sizeof *c; i++) {
    mrpb_err_t err = {{0}};
    workload_t *w;
    ck_assert_int_eq(program_open(&w, c[i].name, &c[i].o, &err), -1);
    ck_assert_msg(strstr(err.text, c[i].text) != NULL, "%s", err.text);
    ck_assert_ptr_null(w);
  }
}
END_TEST

/* Every program of the list opens, in models A and B, and says what it is. */
START_TEST(all_open) {
  const program_t *p;
  unsigned n = 0;
  for (; (p = program_at(n)); n++) {
    ck_assert_uint_gt(strlen(p->doc), 10);
    for (unsigned m = 0; m < 2; m++) {
      program_options_t o = {.model = (program_model_t)m, .size = p->size_max ? p->size_min : 0};
      workload_close(open_program(p->name, o));
    }
  }
  ck_assert_uint_ge(n, N_POLYBENCH + 9);
}
END_TEST

Suite *test_programs_suite(void);

Suite *test_programs_suite(void) {
  Suite *s = suite_create("programs");
  TCase *u = tcase_create("results"), *f = tcase_create("full size"), *v = tcase_create("options");
  tcase_add_loop_test(u, results, 0, N_POLYBENCH);
  tcase_set_tags(u, "heavy");
  tcase_add_loop_test(f, full_size, 0, N_POLYBENCH);
  tcase_set_timeout(f, 120);
  tcase_set_tags(f, "long");
  tcase_add_loop_test(v, wrong_results, 0, N_POLYBENCH);
  tcase_add_test(v, micro);
  tcase_add_test(v, chains);
  tcase_add_test(v, refused);
  tcase_add_test(v, all_open);
  suite_add_tcase(s, u);
  suite_add_tcase(s, f);
  suite_add_tcase(s, v);
  return s;
}
