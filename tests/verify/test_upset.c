/* SPDX-License-Identifier: Apache-2.0 */
/* Upsets: outcomes that follow from the modules' pages by hand, and the judge's rules one by one. */
#include "cosim/cosim_help.h"
#include "fifo_bank.h"
#include "mshr.h"
#include "verify/upset/window.h"

Suite *test_upset_suite(void);

/* A module, its library and a run of it, with windows of `cycles` cycles. */
typedef struct {
  bench_t b;
  rtl_lib_t *lib;
  upset_window_t *w;
} run_t;

static void open_run(run_t *r, const char *stem, const char *sizes, uint64_t cycles) {
  open_bench(&r->b);
  set_job(&r->b, stem, sizes, 1);
  ck_assert_msg(open_env(&r->b) == RTL_OK, "%s", r->b.err.text);
  rtl_env_write_registers(r->b.env);
  ck_assert_msg(rtl_lib_open(&r->lib, r->b.env, r->b.job.cls, r->b.job.cfg, &r->b.err) == RTL_OK,
                "%s", r->b.err.text);
  ck_assert_msg(
      upset_window_open(&r->w, r->b.job.cls, r->b.job.cfg, r->lib, 1, cycles, &r->b.err) == 0, "%s",
      r->b.err.text);
}

static void close_run(run_t *r) {
  upset_window_close(r->w);
  rtl_lib_close(r->lib);
  close_bench(&r->b);
}

static unsigned reg(const run_t *r, const char *name) {
  for (unsigned i = 0; i < r->b.job.cls->n_regs; i++)
    if (strcmp(upset_window_regs(r->w)[i].name, name) == 0) return i;
  ck_abort_msg("no register %s", name);
}

static void skip(run_t *r, uint64_t n, const void *in) {
  ck_assert_msg(upset_window_skip(r->w, n, in, &r->b.err) == 0, "%s", r->b.err.text);
}

static void record(run_t *r, const void *in) {
  bool reset = true;
  ck_assert_msg(upset_window_record(r->w, in, &reset, &r->b.err) == 0, "%s", r->b.err.text);
  ck_assert(in == NULL || !reset);
}

/* ---- MSHR: entry 0 lists a read of line 5 -------------------------------------------- */

enum { MSHR_WINDOW = 3 };

static void open_mshr(run_t *r) {
  const mshr_in_t read = {.srst_ni = 1, .req_valid_i = 1, .req_addr_i = 5, .req_data_i = 9};
  open_run(r, "mshr", "ENTRIES=2 MERGES=2 ADDR_W=3 DATA_W=4", MSHR_WINDOW);
  skip(r, 1, &read);
}

/* A second read of the line would merge. Without valid_q it allocates the other entry. */
START_TEST(a_lost_entry_answers_wrongly) {
  const mshr_in_t in[MSHR_WINDOW] = {
      {.srst_ni = 1, .req_valid_i = 1, .req_addr_i = 5, .req_data_i = 3},
      {.srst_ni = 1},
      {.srst_ni = 1}};
  run_t r;
  open_mshr(&r);
  record(&r, in);
  const unsigned valid = reg(&r, "valid_q"), addr = reg(&r, "addr_q");
  ck_assert_int_eq(upset_window_flip(r.w, 1, valid, 0, 0), UPSET_WRONG);
  ck_assert_int_eq(upset_window_flip(r.w, 1, addr, 0, 1), UPSET_WRONG);
  /* the address of the free entry does not count, and stays */
  ck_assert_int_eq(upset_window_flip(r.w, 1, addr, 1, 1), UPSET_LATENT);
  ck_assert_int_eq(upset_window_flip(r.w, 0, valid, 0, 0), UPSET_MASKED);
  ck_assert_int_eq(upset_window_flip(r.w, 2, valid, 0, 0), UPSET_MASKED);
  close_run(&r);
}
END_TEST

/* The line of an entry that is not valid is refused. A bit of its read's data leaves with it. */
START_TEST(a_fill_gets_lost) {
  const mshr_in_t in[MSHR_WINDOW] = {
      {.srst_ni = 1, .fill_valid_i = 1}, {.srst_ni = 1, .out_ready_i = 1}, {.srst_ni = 1}};
  run_t r;
  open_mshr(&r);
  record(&r, in);
  ck_assert_int_eq(upset_window_flip(r.w, 1, reg(&r, "valid_q"), 0, 0), UPSET_LOST);
  ck_assert_int_eq(upset_window_flip(r.w, 1, reg(&r, "data_q"), 0, 3), UPSET_WRONG);
  ck_assert_int_eq(upset_window_flip(r.w, 1, reg(&r, "data_q"), 1, 3), UPSET_LATENT);
  close_run(&r);
}
END_TEST

/* A read that the next level does not take yet is no answer, so its data are status. */
START_TEST(an_answer_counts_when_it_is_taken) {
  const mshr_in_t fill = {.srst_ni = 1, .fill_valid_i = 1};
  const mshr_in_t in[MSHR_WINDOW] = {{.srst_ni = 1}, {.srst_ni = 1}, {.srst_ni = 1}};
  run_t r;
  open_mshr(&r);
  skip(&r, 1, &fill);
  record(&r, in);
  ck_assert_int_eq(upset_window_flip(r.w, 1, reg(&r, "data_q"), 0, 0), UPSET_STATUS);
  close_run(&r);
}
END_TEST

/* ---- FIFO bank: 15 entries are stored in queue 1, one a cycle -------------------------- */

enum { STORES = 15 };

static void open_bank(run_t *r, uint64_t cycles) {
  fifo_bank_in_t in[STORES];
  for (unsigned i = 0; i < STORES; i++)
    in[i] = (fifo_bank_in_t){.srst_ni = 1, .enq_valid_i = 1, .enq_queue_i = 1, .enq_data_i = i % 4};
  open_run(r, "fifo_bank", "QUEUES=2 DEPTH=64 DATA_W=2", cycles);
  record(r, in);
}

/* A queue that says that it is full takes nothing, and says so for ever. Eight further answers of
 * the C model make a hang: nine cycles, of which the first is the lost answer. */
START_TEST(silence_is_a_hang) {
  static const struct {
    uint64_t cycles;
    upset_outcome_t outcome;
  } windows[] = {
      {UPSET_SILENCE, UPSET_LOST}, {UPSET_SILENCE + 1, UPSET_HANG}, {STORES, UPSET_HANG}};
  run_t r;
  open_bank(&r, windows[_i].cycles);
  ck_assert_int_eq(upset_window_flip(r.w, 1, reg(&r, "full_q"), 0, 1), windows[_i].outcome);
  close_run(&r);
}
END_TEST

START_TEST(memory_and_status) {
  run_t r;
  open_bank(&r, STORES);
  const unsigned mem = reg(&r, "u_mem.mem_q");
  ck_assert_int_eq(upset_window_flip(r.w, 1, reg(&r, "full_q"), 0, 0), UPSET_STATUS);
  for (unsigned bit = 0; bit < 2; bit++) {
    ck_assert_int_eq(upset_window_flip(r.w, 1, mem, 64, bit), UPSET_MASKED); /* written first */
    ck_assert_int_eq(upset_window_flip(r.w, 1, mem, 64 + STORES - 1, bit), UPSET_MASKED);
    ck_assert_int_eq(upset_window_flip(r.w, 1, mem, 64 + STORES, bit), UPSET_LATENT);
    ck_assert_int_eq(upset_window_flip(r.w, 1, mem, 0, bit), UPSET_LATENT);
  }
  /* what the SRAM's output shows, before anything was dequeued */
  ck_assert_int_eq(upset_window_flip(r.w, 1, reg(&r, "u_mem.rdata_q"), 0, 0), UPSET_WRONG);
  close_run(&r);
}
END_TEST

/* The flip happens before the outputs of the cycle are computed. What the SRAM's output shows in
 * cycle 0 is wrong, although the dequeue of that cycle replaces it. */
START_TEST(the_first_cycle_sees_the_flip) {
  const fifo_bank_in_t store = {.srst_ni = 1, .enq_valid_i = 1, .enq_queue_i = 1};
  const fifo_bank_in_t in[2] = {{.srst_ni = 1, .deq_valid_i = 1, .deq_queue_i = 1}, {.srst_ni = 1}};
  run_t r;
  open_run(&r, "fifo_bank", "QUEUES=2 DEPTH=64 DATA_W=2", 2);
  skip(&r, 1, &store);
  record(&r, in);
  ck_assert_int_eq(upset_window_flip(r.w, 1, reg(&r, "u_mem.rdata_q"), 0, 1), UPSET_WRONG);
  ck_assert_int_eq(upset_window_flip(r.w, 1, reg(&r, "tail_q"), 1, 0), UPSET_STATUS);
  ck_assert_int_eq(upset_window_flip(r.w, 1, reg(&r, "empty_q"), 0, 1), UPSET_LOST);
  close_run(&r);
}
END_TEST

/* ---- any module, random windows -------------------------------------------------------- */

static const struct {
  const char *stem, *sizes;
} sizes[] = {{"mshr", "ENTRIES=3 MERGES=2 ADDR_W=4 DATA_W=3 STORES=1 READ_REG=1"},
             {"prt", "ENTRIES=5 LANES=20 OFFSET_W=7 TAG_W=5 ORDER=1"},
             {"mrpb", "QUEUES=3 DEPTH=3 DATA_W=5 ANSWER=2"},
             {"drain_selector", "QUEUES=5 DEPTH=3 POLICY=5"},
             {"lane_check", "ENTRIES=3 LANES=5"},
             {"reg_fifo", "DATA_W=20 DEPTH=3 FIND_W=9"},
             {"line_fill", "MSHRS=5 BYPASSES=3 LINES=12 BEATS=4 BUS_WORDS=2 ID_W=4"},
             {"tags", "SETS=3 WAYS=2 SECTORS=2 ADDR_W=6"}};

/* A bit that is flipped twice is the same bit: of every register, the first and the last word, the
 * lowest and the highest bit. Flipped once, most of them leave a trace. */
START_TEST(two_flips_are_none) {
  run_t r;
  unsigned seen = 0, of = 0;
  open_run(&r, sizes[_i].stem, sizes[_i].sizes, 100);
  for (unsigned moment = 0; moment < 3; moment++) {
    skip(&r, 50, NULL);
    record(&r, NULL);
    for (unsigned i = 0; i < r.b.job.cls->n_regs; i++) {
      const module_reg_t *g = &upset_window_regs(r.w)[i];
      for (unsigned k = 0; k < 4; k++) {
        const unsigned elem = k & 1 ? g->words - 1 : 0, bit = k & 2 ? g->width - 1 : 0;
        ck_assert_msg(upset_window_flip(r.w, 2, i, elem, bit) == UPSET_MASKED, "%s", g->name);
        seen += upset_window_flip(r.w, 1, i, elem, bit) != UPSET_MASKED;
        of++;
      }
    }
  }
  ck_assert_uint_gt(seen, of / 4);
  close_run(&r);
}
END_TEST

/* Registers that can be written are another build than those that are only read. */
START_TEST(the_ordinary_build_stays) {
  run_t r;
  rtl_env_t *env = NULL;
  rtl_lib_t *plain = NULL;
  open_run(&r, "mshr", "ENTRIES=2 MERGES=2 ADDR_W=3 DATA_W=4", 1);
  ck_assert_int_eq(rtl_env_open(&env, NULL, NULL, &r.b.err), RTL_OK);
  ck_assert_int_eq(rtl_lib_open(&plain, env, r.b.job.cls, r.b.job.cfg, &r.b.err), RTL_OK);
  ck_assert_ptr_ne(rtl_lib_table(plain), rtl_lib_table(r.lib));
  rtl_lib_close(plain);
  rtl_env_close(env);
  close_run(&r);
}
END_TEST

/* ---- the judge -------------------------------------------------------------------------- */

enum { ERROR, VALID, DATA, COUNT, WORDS };

/* error_o; valid_o with data_o; count_o */
static upset_answers_t answers(void) {
  upset_answers_t a = {.n = 1, .error = ERROR, .all = {1, {{0, WORDS}}}};
  a.answer[0] = (upset_answer_t){.name = "given", .n_conditions = 1, .payload = {1, {{DATA, 1}}}};
  a.answer[0].condition[0].word = VALID;
  return a;
}

static const uint64_t idle[WORDS] = {0, 0, 0, 5}, given[WORDS] = {0, 1, 7, 5},
                      other[WORDS] = {0, 1, 6, 5}, error[WORDS] = {1, 0, 0, 5},
                      caught[WORDS] = {1, 1, 6, 5}, counted[WORDS] = {0, 0, 0, 4};

/* Two cycles of both sides, and whether the registers are equal after them. */
static const struct {
  const uint64_t *c[2], *rtl[2];
  bool same;
  upset_outcome_t outcome;
} cases[] = {
    {{idle, given}, {idle, given}, true, UPSET_MASKED},
    {{idle, given}, {idle, given}, false, UPSET_LATENT},
    {{idle, idle}, {counted, idle}, true, UPSET_STATUS},
    {{idle, idle}, {idle, counted}, false, UPSET_STATUS},
    {{idle, given}, {counted, other}, false, UPSET_WRONG},
    {{idle, given}, {given, given}, true, UPSET_WRONG}, /* too early */
    {{given, idle}, {idle, given}, true, UPSET_LOST},   /* too late */
    {{idle, given}, {idle, idle}, true, UPSET_LOST},
    {{idle, given}, {error, given}, true, UPSET_DETECTED},
    {{idle, given}, {error, other}, true, UPSET_DETECTED},
    {{idle, given}, {idle, caught}, true, UPSET_DETECTED}, /* in the same cycle */
    {{idle, given}, {counted, caught}, true, UPSET_DETECTED},
    {{given, idle}, {other, error}, true, UPSET_WRONG}, /* a cycle late */
    {{given, idle}, {idle, error}, true, UPSET_LOST},
};

START_TEST(the_first_answer_that_differs_decides) {
  const upset_answers_t a = answers();
  upset_judge_t j;
  upset_judge_start(&j, &a);
  for (unsigned n = 0; n < 2; n++)
    if (upset_judge_cycle(&j, idle, cases[_i].c[n], cases[_i].rtl[n])) break;
  ck_assert_str_eq(upset_name(upset_judge_end(&j, cases[_i].same)), upset_name(cases[_i].outcome));
}
END_TEST

/* Every name of the table is a port of its module, and every module has answers. */
START_TEST(the_table_fits_the_modules) {
  for (unsigned i = 0; module_class_at(i); i++) {
    const module_class_t *cls = module_class_at(i);
    uint32_t cfg[MODULE_MAX_PARAMS];
    mrpb_err_t err = {""};
    upset_answers_t a;
    module_defaults(cls, cfg);
    ck_assert_msg(upset_answers(&a, cls, cfg, &err) == 0, "%s", err.text);
    ck_assert_uint_gt(a.n, 0);
    ck_assert_uint_eq(a.all.n, cls->n_out);
    for (unsigned k = 0; k < a.n; k++)
      ck_assert(a.answer[k].n_conditions + a.answer[k].payload.n > 0);
  }
}
END_TEST

Suite *test_upset_suite(void) {
  Suite *s = suite_create("upset");
  TCase *pure = tcase_create("judge");
  tcase_add_loop_test(pure, the_first_answer_that_differs_decides, 0, sizeof cases / sizeof *cases);
  tcase_add_test(pure, the_table_fits_the_modules);
  suite_add_tcase(s, pure);
  TCase *tools = tcase_create("flips");
  tcase_set_tags(tools, "long"); /* each builds a Verilog of its own */
  tcase_add_test(tools, a_lost_entry_answers_wrongly);
  tcase_add_test(tools, a_fill_gets_lost);
  tcase_add_test(tools, an_answer_counts_when_it_is_taken);
  tcase_add_loop_test(tools, silence_is_a_hang, 0, 3);
  tcase_add_test(tools, memory_and_status);
  tcase_add_test(tools, the_first_cycle_sees_the_flip);
  tcase_add_loop_test(tools, two_flips_are_none, 0, sizeof sizes / sizeof *sizes);
  tcase_add_test(tools, the_ordinary_build_stays);
  suite_add_tcase(s, tools);
  return s;
}
