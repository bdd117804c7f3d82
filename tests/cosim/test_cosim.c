/* SPDX-License-Identifier: Apache-2.0 */
/* The lockstep engine on correct Verilog: it matches, a seed gives one run, lists and an SM's units
 * work, and wrong names, folders and files are refused in one line. test_cosim_broken.c tests
 * broken Verilog. */
#include "base/hash.h"
#include "cosim/lockstep/lockstep.h"
#include "base/sizes.h"
#include "cosim_help.h"

Suite *test_cosim_suite(void);

START_TEST(every_module_matches) {
  bench_t b;
  open_bench(&b);
  set_job(&b, module_class_at((unsigned)_i)->stem, "", 3000);
  ck_assert_msg(run(&b) == COSIM_MATCHED, "%s%s", b.text, b.err.text);
  has(b.text, "matched 3000 cycles, ");
  has(b.text, "seed 1\n");
  close_bench(&b);
}
END_TEST

/* Hash of everything a run does: inputs, outputs and registers of the Verilog. */
static uint64_t run_hash(rtl_env_t *env, const char *stem, uint64_t seed) {
  const module_class_t *cls = module_class(stem);
  const stim_class_t *stim = stim_class(stem);
  uint32_t cfg[MODULE_MAX_PARAMS];
  mrpb_err_t err = {""};
  rtl_lib_t *lib;
  lockstep_t *ls;
  uint64_t hash = HASH_START, *in = calloc(cls->in_words, sizeof *in);
  void *state = malloc(stim->size);
  module_defaults(cls, cfg);
  ck_assert_msg(rtl_lib_open(&lib, env, cls, cfg, &err) == RTL_OK, "%s", err.text);
  ck_assert_int_eq(lockstep_open(&ls, cls, cfg, lib, seed, &err), 0);
  ck_assert(lockstep_reset(ls));
  stim->start(state, cfg, seed);
  for (unsigned n = 0; n < 2000; n++) {
    stim->next(state, lockstep_model(ls), in);
    ck_assert(lockstep_comb(ls, in));
    stim->sample(state, lockstep_model(ls), lockstep_in(ls), lockstep_out_c(ls));
    hash = hash_bytes(hash, lockstep_in(ls), cls->in_words * sizeof *in);
    hash = hash_bytes(hash, lockstep_out_rtl(ls), cls->out_words * sizeof *in);
    ck_assert(lockstep_edge(ls));
  }
  ck_assert_uint_eq(lockstep_cycle(ls), 2000 + LOCKSTEP_RESET_CYCLES);
  for (unsigned i = 0; i < cls->n_regs; i++) {
    const shim_view_t *v = &lockstep_regs_rtl(ls)[i];
    hash = hash_bytes(hash, v->data, (size_t)v->elem_bytes * v->words);
  }
  lockstep_close(ls);
  rtl_lib_close(lib);
  free(state);
  free(in);
  return hash;
}

START_TEST(a_seed_is_one_run) {
  bench_t b;
  const char *stem = module_class_at((unsigned)_i)->stem;
  open_bench(&b);
  ck_assert_int_eq(rtl_env_open(&b.env, NULL, NULL, &b.err), RTL_OK);
  uint64_t hash = run_hash(b.env, stem, 7);
  ck_assert_uint_eq(hash, run_hash(b.env, stem, 7));
  ck_assert_uint_ne(hash, run_hash(b.env, stem, 8));
  close_bench(&b);
}
END_TEST

/* Before the first edge the Verilog's registers are random, and differ from seed to seed. */
START_TEST(power_up_is_random) {
  bench_t b;
  rtl_lib_t *lib;
  uint32_t cfg[MODULE_MAX_PARAMS];
  uint8_t first[2][48];
  open_bench(&b);
  ck_assert_int_eq(rtl_env_open(&b.env, NULL, NULL, &b.err), RTL_OK);
  module_defaults(module_class("fifo_bank"), cfg);
  ck_assert_int_eq(rtl_lib_open(&lib, b.env, module_class("fifo_bank"), cfg, &b.err), RTL_OK);
  const shim_table_t *shim = rtl_lib_table(lib);
  for (unsigned k = 0; k < 2; k++) {
    shim_view_t views[MODULE_MAX_REGS];
    void *rtl = shim->create(k + 1, SHIM_RANDOM);
    shim->regs(rtl, views);
    unsigned head = 0;
    while (strcmp(views[head].name, "head_q") != 0) head++;
    ck_assert_uint_eq(views[head].words * views[head].elem_bytes, sizeof first[k]);
    memcpy(first[k], views[head].data, sizeof first[k]);
    shim->destroy(rtl);
  }
  ck_assert_int_ne(memcmp(first[0], first[1], sizeof first[0]), 0);
  rtl_lib_close(lib);
  close_bench(&b);
}
END_TEST

START_TEST(a_short_run_only_names_its_empty_bins) {
  bench_t b;
  open_bench(&b);
  set_job(&b, "fifo_bank", "", 5);
  b.job.list_bins = true;
  ck_assert_int_eq(run(&b), COSIM_MATCHED);
  has(b.text, "bin all_full was not reached in 5 cycles (must be reached in 1000000): every queue "
              "is full\n");
  has(b.text, "  deq_bad_queue ");
  close_bench(&b);
}
END_TEST

/* Some situations take longer than this: that is no failure of what matched. */
START_TEST(a_run_below_the_default_does_not_fail_for_its_bins) {
  bench_t b;
  open_bench(&b);
  set_job(&b, "order_check", "DEPTH=64", 100000);
  b.job.seed = 6;
  ck_assert_int_eq(run(&b), COSIM_MATCHED);
  has(b.text, "was not reached in 100000 cycles (must be reached in 1000000)");
  has(b.text, "\nmatched 100000 cycles, ");
  close_bench(&b);
}
END_TEST

START_TEST(folders_and_waves_that_do_not_work_are_refused) {
  bench_t b;
  open_bench(&b);
  b.from.dir = "/nowhere/rtl";
  set_job(&b, "fifo_bank", "", 100);
  ck_assert_int_eq(run(&b), COSIM_BAD_INPUT);
  has(b.err.text, "--rtl /nowhere/rtl: cannot read the folder: No such file or directory");
  b.from.dir = NULL;
  b.job.vcd = "/nowhere/wave.vcd";
  set_job(&b, "fifo_bank", "QUEUES=3 DEPTH=2", 100);
  ck_assert_int_eq(run(&b), COSIM_BAD_INPUT);
  has(b.err.text, "/nowhere/wave.vcd");
  b.job.vcd = "/dev/full";
  set_job(&b, "fifo_bank", "QUEUES=3 DEPTH=2", 100);
  ck_assert_int_eq(run(&b), COSIM_BAD_INPUT);
  has(b.err.text, "/dev/full");
  close_bench(&b);
}
END_TEST

START_TEST(names_and_sizes_are_checked) {
  cosim_job_t job = {.cls = module_class("mshr")};
  mrpb_err_t e1 = {""}, e2 = {""}, e3 = {""}, e4 = {""}, e5 = {""};
  module_defaults(job.cls, job.cfg);
  ck_assert_ptr_null(sizes_module("fifobank", &e1));
  has(e1.text, "unknown module 'fifobank'; nearest: fifo_bank; legal: ");
  ck_assert_int_eq(sizes_set(job.cls, job.cfg, "ENTRY=5", &e2), -1);
  has(e2.text,
      "mshr has no parameter 'ENTRY'; nearest: ENTRIES; legal: ENTRIES MERGES ADDR_W DATA_W");
  ck_assert_int_eq(sizes_set(job.cls, job.cfg, "ENTRIES", &e3), -1);
  has(e3.text, "'ENTRIES': legal: PARAMETER=VALUE");
  ck_assert_int_eq(sizes_set(job.cls, job.cfg, "ENTRIES=5x", &e4), -1);
  has(e4.text, "ENTRIES=5x: legal: a number from 1 to 128");
  ck_assert_int_eq(sizes_set(job.cls, job.cfg, "ENTRIES=129", &e5), 0);
  ck_assert_int_eq(job.cls->check(job.cfg, &e5), -1);
  has(e5.text, "ERROR_mshr_ENTRIES_must_be_1_to_128");
}
END_TEST

START_TEST(lists_run_and_count) {
  bench_t b;
  open_bench(&b);
  ck_assert_int_eq(rtl_env_open(&b.env, NULL, NULL, &b.err), RTL_OK);
  ck_assert_int_eq(
      run_list(&b, "# two\nfifo_bank QUEUES=3 DEPTH=2 # small\n\nmshr cycles=77 seed=5\n", 2), 0);
  has(b.text, "matched 2000 cycles, fifo_bank QUEUES=3 DEPTH=2 DATA_W=64");
  has(b.text, "matched 77 cycles, mshr ENTRIES=32");
  has(b.text, "seed 5\n");
  has(b.text, "\n2 passed, 0 failed\n");
  ck_assert_int_eq(run_list(&b, "mshr\nmshr ENTRIES=0\n", 1), COSIM_BAD_INPUT);
  has(b.err.text, "list.txt:2: ERROR_mshr_ENTRIES_must_be_1_to_128");
  ck_assert_str_eq(b.text, "");
  ck_assert_int_eq(run_list(&b, "\n# nothing\n", 1), COSIM_BAD_INPUT);
  has(b.err.text, "no runs in it");
  close_bench(&b);
}
END_TEST

START_TEST(an_sm_sees_the_same_behind_every_unit) {
  bench_t b;
  unit_rtl_set_t *set;
  open_bench(&b);
  ck_assert_int_eq(unit_rtl_set_open(&set, NULL, 1, NULL, NULL, NULL, &b.err), RTL_OK);
  uint64_t hash = unit_hash(&b, set, UNIT_C, 3000);
  ck_assert_uint_ne(hash, 0);
  ck_assert_uint_eq(hash, unit_hash(&b, set, UNIT_RTL, 3000));
  ck_assert_uint_eq(unit_rtl_compared(set), 0);
  ck_assert_uint_eq(hash, unit_hash(&b, set, UNIT_BOTH, 3000));
  ck_assert_uint_eq(unit_rtl_compared(set), 3000);
  ck_assert_int_eq(unit_rtl_exit_code(set), 0);
  unit_rtl_set_close(set);
  close_bench(&b);
}
END_TEST

Suite *test_cosim_suite(void) {
  Suite *suite = suite_create("cosim");
  TCase *core = tcase_create("core");
  tcase_set_timeout(core, 300); /* the largest modules take a minute to build */
  tcase_add_loop_test(core, every_module_matches, 0, modules());
  tcase_add_loop_test(core, a_seed_is_one_run, 0, modules());
  tcase_add_test(core, power_up_is_random);
  tcase_add_test(core, a_short_run_only_names_its_empty_bins);
  tcase_add_test(core, a_run_below_the_default_does_not_fail_for_its_bins);
  tcase_add_test(core, folders_and_waves_that_do_not_work_are_refused);
  tcase_add_test(core, names_and_sizes_are_checked);
  tcase_add_test(core, lists_run_and_count);
  tcase_add_test(core, an_sm_sees_the_same_behind_every_unit);
  tcase_set_tags(core, "heavy"); /* half of it runs in other programs: not under valgrind */
  suite_add_tcase(suite, core);
  return suite;
}
