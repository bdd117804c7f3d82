/* SPDX-License-Identifier: Apache-2.0 */
/* Teams of threads: each does its part of each piece once, awake or asleep. */
#include "base/team.h"
#include "err.h"

#include <check.h>
#include <string.h>
#include <time.h>

enum { PIECES = 2000, PAUSES = 20 };

typedef struct {
  unsigned calls[TEAM_MOST];
  unsigned before; /* what the calling thread has written before the piece */
  unsigned seen[TEAM_MOST], after[TEAM_MOST];
} work_t;

static void work(void *ctx, unsigned k) {
  work_t *w = ctx;
  w->calls[k]++;
  w->seen[k] = w->before;
}

/* What the calling thread has written after the parts may or may not be seen. */
static void rest(void *ctx, unsigned k) {
  work_t *w = ctx;
  if (w->calls[k] == w->seen[k]) w->after[k]++;
}

static void expect_all(const work_t *w, unsigned threads, unsigned calls) {
  for (unsigned k = 0; k < TEAM_MOST; k++) ck_assert_uint_eq(w->calls[k], k < threads ? calls : 0);
  for (unsigned k = 0; k < threads; k++) ck_assert_uint_eq(w->seen[k], w->before);
}

START_TEST(each_does_its_part) {
  const unsigned threads = (unsigned)_i;
  mrpb_err_t err = {{0}};
  team_t *team;
  work_t w = {{0}, 0, {0}, {0}};
  ck_assert_msg(team_create(&team, threads, &err) == 0, "%s", err.text);
  ck_assert_uint_eq(team_threads(team), threads);
  for (unsigned i = 1; i <= PIECES; i++) {
    w.before = i;
    team_run(team, work, i % 3 ? NULL : rest, &w);
    expect_all(&w, threads, i);
    team_wait(team);
    for (unsigned k = 0; k < threads; k++) ck_assert_uint_eq(w.after[k], k ? i / 3 : 0);
  }
  team_destroy(team);
}
END_TEST

/* Longer than a thread waits awake. */
static const struct timespec pause = {0, 3000000};

START_TEST(they_wake_up) {
  mrpb_err_t err = {{0}};
  team_t *team;
  work_t w = {{0}, 0, {0}, {0}};
  ck_assert_int_eq(team_create(&team, 4, &err), 0);
  for (unsigned i = 1; i <= PAUSES; i++) {
    nanosleep(&pause, NULL);
    w.before = i;
    team_run(team, work, i % 2 ? NULL : rest, &w);
    if (i % 4 == 0) nanosleep(&pause, NULL);
    team_wait(team);
    expect_all(&w, 4, i);
    for (unsigned k = 1; k < 4; k++) ck_assert_uint_eq(w.after[k], i / 2);
  }
  nanosleep(&pause, NULL);
  team_destroy(team);
}
END_TEST

START_TEST(sizes_are_checked) {
  mrpb_err_t err = {{0}};
  team_t *team;
  ck_assert_int_eq(team_create(&team, 0, &err), -1);
  ck_assert_str_eq(err.text, "0 threads; legal: 1 to 64");
  ck_assert_int_eq(team_create(&team, TEAM_MOST + 1, &err), -1);
  ck_assert_ptr_null(team);
  team_destroy(NULL);
  ck_assert_uint_ge(team_free_processors(), 1);
  ck_assert_uint_le(team_free_processors(), TEAM_MOST);
}
END_TEST

Suite *test_team_suite(void);
Suite *test_team_suite(void) {
  Suite *s = suite_create("team");
  TCase *t = tcase_create("team");
  tcase_add_loop_test(t, each_does_its_part, 1, 9);
  tcase_add_test(t, they_wake_up);
  tcase_add_test(t, sizes_are_checked);
  suite_add_tcase(s, t);
  return s;
}
