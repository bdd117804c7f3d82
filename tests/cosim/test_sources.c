/* SPDX-License-Identifier: Apache-2.0 */
/* What counts as a transaction: the sources of every module, and the log of a unit's inputs. */
#include "cosim/stim/sources.h"
#include "cosim/vectors/stimlog.h"
#include "prng.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *stem;
  unsigned n;
  bool reset;
} expected_t;

static const expected_t expected[] = {
    {"queue_selector", 2, false},
    {"fifo_bank", 3, true},
    {"drain_selector", 4, true},
    {"flush_control", 5, false},
    {"order_check", 3, true},
    {"mrpb", 4, true},
    {"mshr", 5, true},
    {"lane_check", 4, true},
    {"prt", 4, true},
};

static int modules(void) {
  int n = 0;
  while (module_class_at((unsigned)n)) n++;
  return n;
}

START_TEST(some_modules_by_hand) {
  uint32_t cfg[MODULE_MAX_PARAMS];
  sources_t s;
  const expected_t *e = &expected[_i];
  const module_class_t *cls = module_class(e->stem);
  module_defaults(cls, cfg);
  sources_init(&s, cls, cfg);
  ck_assert_uint_eq(s.n, e->n);
  ck_assert_int_eq(s.starts_reset, e->reset);
}
END_TEST

START_TEST(each_module_has_its_sources) {
  uint32_t cfg[MODULE_MAX_PARAMS];
  sources_t s;
  const module_class_t *cls = module_class_at((unsigned)_i);
  module_defaults(cls, cfg);
  sources_init(&s, cls, cfg);
  ck_assert_uint_gt(s.n, 0);
  ck_assert_uint_eq(sources_active(&s, s.idle), 0);
  /* Each input alone makes its own source active, and can be silenced. */
  for (unsigned i = 0; i < cls->n_in; i++) {
    uint64_t in[MODULE_MAX_WORDS];
    memcpy(in, s.idle, sizeof in);
    in[s.in[i].word] ^= 1;
    ck_assert_uint_eq(sources_active(&s, in), UINT32_C(1) << s.source[i]);
    ck_assert(!sources_port_idle(&s, i, in));
    sources_silence(&s, ~(UINT32_C(1) << s.source[i]), in);
    ck_assert(!sources_port_idle(&s, i, in));
    sources_silence(&s, UINT32_C(1) << s.source[i], in);
    ck_assert_mem_eq(in, s.idle, sizeof in);
  }
}
END_TEST

START_TEST(a_source_is_what_shares_its_name) {
  const uint32_t cfg[MODULE_MAX_PARAMS] = {5, 3, 8, 8};
  sources_t s;
  sources_init(&s, module_class("mshr"), cfg);
  /* srst_ni; req_valid_i, addr, data; fill_valid_i, entry; out_ready_i; store_valid_i, addr */
  static const unsigned source[] = {0, 1, 1, 1, 2, 2, 3, 4, 4};
  for (unsigned i = 0; i < 9; i++) ck_assert_uint_eq(s.source[i], source[i]);
  ck_assert_uint_eq(s.idle[0], 1);
  ck_assert(sources_strobe("req_valid_i"));
  ck_assert(!sources_strobe("req_addr_i"));
  ck_assert(!sources_strobe("_valid_i"));
  ck_assert(sources_entry("fill_entry_i"));
  ck_assert(!sources_entry("fill_valid_i"));
}
END_TEST

/* ---- the log ---- */

/* Long runs of equal cycles, small changes, and all words at once. */
static void step(prng_t *rng, const module_class_t *cls, uint64_t *in) {
  uint64_t r = prng_next(rng);
  if ((r & 7) < 5) return;
  unsigned w = (unsigned)(r >> 8) % cls->in_words;
  if ((r & 7) == 5) in[w] ^= r >> 60;
  if ((r & 7) == 6) in[w] = prng_next(rng);
  for (w = 0; (r & 127) == 7 && w < cls->in_words; w++) in[w] = prng_next(rng);
}

static void log_cycles(const module_class_t *cls, size_t limit, uint64_t n) {
  uint32_t cfg[MODULE_MAX_PARAMS];
  mrpb_err_t err = {""};
  vectors_t all, back;
  prng_t rng = prng_seed(n, 1);
  module_defaults(cls, cfg);
  stimlog_t *log = stimlog_create(cls, limit);
  ck_assert_ptr_nonnull(log);
  ck_assert_int_eq(vectors_init(&all, cls, cfg, 1, &err), 0);
  uint64_t in[MODULE_MAX_WORDS] = {0};
  for (uint64_t t = 0; t < n; t++) {
    ck_assert_int_eq(vectors_add(&all, in, &err), 0);
    stimlog_add(log, vectors_cycle(&all, t));
    step(&rng, cls, in);
  }
  const uint64_t held = stimlog_cycles(log);
  ck_assert_uint_eq(stimlog_given(log), n);
  ck_assert_uint_le(stimlog_bytes(log), limit < 200000 ? 200000 : limit);
  ck_assert_uint_gt(held, 0);
  if (limit > 1 << 24) ck_assert_uint_eq(held, n);
  const uint64_t wanted[] = {1, 2, 100, held - 1, held, held + 5};
  for (unsigned i = 0; i < 6; i++) {
    ck_assert_int_eq(vectors_init(&back, cls, cfg, 1, &err), 0);
    ck_assert_int_eq(stimlog_read(log, wanted[i], &back, &err), 0);
    uint64_t got = wanted[i] < held ? wanted[i] : held;
    ck_assert_uint_eq(back.n, got);
    if (got > 0)
      ck_assert_mem_eq(back.in, vectors_cycle(&all, n - got), got * cls->in_words * sizeof *in);
    vectors_free(&back);
  }
  vectors_free(&all);
  stimlog_destroy(log);
}

START_TEST(the_log_gives_back_what_it_was_given) {
  const module_class_t *cls = module_class_at((unsigned)_i);
  log_cycles(cls, 1 << 25, 1);
  log_cycles(cls, 1 << 25, 20000);
  log_cycles(cls, 1, 200000); /* full: the newest part */
}
END_TEST

START_TEST(idle_cycles_cost_nothing) {
  const module_class_t *cls = module_class("mshr");
  uint64_t in[MODULE_MAX_WORDS] = {1};
  stimlog_t *log = stimlog_create(cls, 1 << 20);
  for (unsigned t = 0; t < 300000; t++) stimlog_add(log, in);
  ck_assert_uint_eq(stimlog_cycles(log), 300000);
  ck_assert_uint_lt(stimlog_bytes(log), 70000);
  stimlog_destroy(log);
}
END_TEST

Suite *test_sources_suite(void);

Suite *test_sources_suite(void) {
  Suite *s = suite_create("sources");
  TCase *t = tcase_create("transactions");
  tcase_add_loop_test(t, some_modules_by_hand, 0, sizeof expected / sizeof *expected);
  tcase_add_loop_test(t, each_module_has_its_sources, 0, modules());
  tcase_add_test(t, a_source_is_what_shares_its_name);
  suite_add_tcase(s, t);
  t = tcase_create("log");
  tcase_add_loop_test(t, the_log_gives_back_what_it_was_given, 0, 1);
  tcase_add_test(t, idle_cycles_cost_nothing);
  suite_add_tcase(s, t);
  t = tcase_create("log of every other module");
  tcase_add_loop_test(t, the_log_gives_back_what_it_was_given, 1, modules());
  tcase_set_tags(t, "heavy");
  suite_add_tcase(s, t);
  return s;
}
