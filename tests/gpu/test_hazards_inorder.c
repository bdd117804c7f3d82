/* SPDX-License-Identifier: Apache-2.0 */
/* The ordering hazards of in-order cores (docs/check.md, i): a load must not get what the L1D had, or
 * awaited, before a store of its own thread. */
#include "check_help.h"

#define LINE(n) ((uint64_t)(n)*128)

static void expect_text(const outcome_t *o, const char *part) {
  ck_assert_msg(o->end == GPU_MISMATCH, "end %d: %s", (int)o->end, o->err.text);
  ck_assert_msg(strstr(o->err.text, part), "\"%s\" is not in \"%s\"", part, o->err.text);
}

static void texture_load(script_t *s, unsigned warp, unsigned reg, uint64_t at) {
  script_access(s, warp, WARP_LOAD, reg, 4, at, 4)->inst.space = WARP_TEX;
}

/* The line that `load` brings is in the L1D when the store comes; the second load is after both. */
static script_t *stored_behind(void (*load)(script_t *, unsigned, unsigned, uint64_t)) {
  script_t *s = script_new(1, 1, 1);
  load(s, 0, 1, LINE(3));
  script_wait(s, 0, 1);
  script_store(s, 0, 0, LINE(3));
  for (unsigned i = 0; i < 50; i++) script_wait(s, 0, 0);
  script_load(s, 0, 2, LINE(3));
  script_exit(s);
  return s;
}

static script_t *stored_line(void) {
  return stored_behind(script_load);
}

static script_t *stored_texture(void) {
  return stored_behind(texture_load);
}

/* The line is on its way when the store comes. The second load comes before the line, the third after
 * both. */
static script_t *awaited_line(void) {
  script_t *s = script_new(1, 1, 1);
  script_load(s, 0, 1, LINE(3));
  script_store(s, 0, 0, LINE(3));
  script_load(s, 0, 2, LINE(3));
  script_wait(s, 0, 1);
  for (unsigned i = 0; i < 50; i++) script_wait(s, 0, 0);
  script_load(s, 0, 3, LINE(3));
  script_exit(s);
  return s;
}

/* The store comes first, then another warp's load and its own. */
static script_t *store_first(void) {
  script_t *s = script_new(1, 2, 1);
  script_store(s, 0, 0, LINE(3));
  script_load(s, 1, 1, LINE(3));
  script_load(s, 0, 2, LINE(3));
  script_exit(s);
  return s;
}

/* Two loads of a line that a texture load has asked for: it is on its way for the first, and in the
 * L1D for the second. A texture load of a line that a load has asked for. */
static script_t *shared_texture(void) {
  script_t *s = script_new(1, 1, 1);
  texture_load(s, 0, 1, LINE(3));
  script_load(s, 0, 2, LINE(3));
  script_wait(s, 0, 1);
  script_load(s, 0, 3, LINE(3));
  script_load(s, 0, 4, LINE(5));
  texture_load(s, 0, 5, LINE(5));
  script_wait(s, 0, 5);
  script_exit(s);
  return s;
}

/* Settings of configs/h200.conf. */
static const struct {
  const char *set[5];
  bool can_be_stale; /* if a store leaves the L1D and the table as they are */
} on[] = {{{NULL}, true},
          {{"SECTORS=0"}, true},
          {{"MRPB=1", "MRPB_BYPASS=all"}, true},
          {{"L1D_SETS=0", "L1D_HASH=0", "L1D_KEPT=0"}, false},
          {{"TABLE=mshr", "SECTORS=0", "L1D_ORDER=any", "L1D_KEPT=0"}, true},
          {{"TABLE=mshr", "SECTORS=0", "L1D_ORDER=any", "L1D_KEPT=0", "L1D_ALLOCATE=fill"}, true},
          {{"L1D_STORE=drops"}, true},
          {{"L1D_STORE=updates"}, true}};
enum { SETTINGS = sizeof on / sizeof *on };

static config_t setting(unsigned i) {
  config_t c;
  mrpb_err_t err = {{0}};
  ck_assert_msg(config_load_device(&c, "configs/h200.conf", &err) == 0, "%s", err.text);
  for (unsigned k = 0; k < 5 && on[i].set[k]; k++)
    ck_assert_msg(config_set(&c, on[i].set[k], &err) == 0, "%s", err.text);
  ck_assert_msg(config_check(&c, "test", &err) == 0, "%s", err.text);
  return c;
}

static void try_order(script_t *(*program)(void), unsigned i, unsigned loads, bool stale) {
  const config_t c = setting(i);
  gpu_setup_t setup = {.cfg = &c};
  const uint64_t cycles = script_run_on(program(), setup).cycles;
  setup.check = true;
  outcome_t o = script_run_on(program(), setup);
  ck_assert_msg(o.end == GPU_DONE, "setting %u: end %d: %s", i, (int)o.end, o.err.text);
  ck_assert_uint_eq(o.cycles, cycles); /* looking changes nothing */
  ck_assert_uint_eq(o.check.stale, 0);
  ck_assert_uint_eq(o.check.loads, loads * WARP_LANES);
  setup.hazards = HAZARD_STORE;
  o = script_run_on(program(), setup);
  if (stale)
    expect_text(&o, "expected its own store #1 (sm0 warp 0 pc ");
  else
    ck_assert_msg(o.end == GPU_DONE, "setting %u: end %d: %s", i, (int)o.end, o.err.text);
}

START_TEST(line_in_the_l1d) {
  try_order(stored_line, (unsigned)_i, 2, on[_i].can_be_stale);
}
END_TEST

START_TEST(line_on_its_way) {
  try_order(awaited_line, (unsigned)_i, 3, on[_i].can_be_stale);
}
END_TEST

START_TEST(store_before_both) {
  try_order(store_first, (unsigned)_i, 2, false);
}
END_TEST

START_TEST(texture_in_the_l1d) {
  try_order(stored_texture, (unsigned)_i, 1, on[_i].can_be_stale);
}
END_TEST

START_TEST(texture_and_loads) {
  try_order(shared_texture, (unsigned)_i, 3, false);
}
END_TEST

Suite *test_hazards_inorder_suite(void);

Suite *test_hazards_inorder_suite(void) {
  Suite *s = suite_create("hazards_inorder");
  TCase *t = tcase_create("hazards");
  tcase_add_loop_test(t, line_in_the_l1d, 0, SETTINGS);
  tcase_add_loop_test(t, line_on_its_way, 0, SETTINGS);
  tcase_add_loop_test(t, store_before_both, 0, SETTINGS);
  tcase_add_loop_test(t, texture_in_the_l1d, 0, SETTINGS);
  tcase_add_loop_test(t, texture_and_loads, 0, SETTINGS);
  suite_add_tcase(s, t);
  return s;
}
