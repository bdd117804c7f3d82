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
  unsigned seen[TEAM_MOST];
} work_t;

static void work(void *ctx, unsigned k) {
  work_t *w = ctx;
  w->calls[k]++;
  w->seen[k] = w->before;
}

static void expect_all(const work_t *w, unsigned threads, unsigned calls) {
  for (unsigned k = 0; k < TEAM_MOST; k++) ck_assert_uint_eq(w->calls[k], k < threads ? calls : 0);
  for (unsigned k = 0; k < threads; k++) ck_assert_uint_eq(w->seen[k], w->before);
}

START_TEST(each_does_its_part) {
  const unsigned threads = (unsigned)_i;
  mrpb_err_t err = {{0}};
  team_t *team;
  work_t w = {{0}, 0, {0}};
  ck_assert_msg(team_create(&team, threads, &err) == 0, "%s", err.text);
  ck_assert_uint_eq(team_threads(team), threads);
  for (unsigned i = 1; i <= PIECES; i++) {
    w.before = i;
    team_run(team, UINT64_MAX, work, &w);
    expect_all(&w, threads, i);
  }
  team_destroy(team);
}
END_TEST

/* Longer than a thread waits awake. */
static const struct timespec pause = {0, 3000000};

START_TEST(they_wake_up) {
  mrpb_err_t err = {{0}};
  team_t *team;
  work_t w = {{0}, 0, {0}};
  ck_assert_int_eq(team_create(&team, 4, &err), 0);
  for (unsigned i = 1; i <= PAUSES; i++) {
    nanosleep(&pause, NULL);
    w.before = i;
    team_run(team, UINT64_MAX, work, &w);
    expect_all(&w, 4, i);
  }
  nanosleep(&pause, NULL);
  team_destroy(team);
}
END_TEST

/* Some of the threads, awake and asleep. */
START_TEST(some_are_asked) {
  mrpb_err_t err = {{0}};
  team_t *team;
  work_t w = {{0}, 0, {0}};
  unsigned calls[5] = {0};
  ck_assert_int_eq(team_create(&team, 5, &err), 0);
  for (unsigned i = 1; i <= PIECES; i++) {
    const uint64_t who = i * UINT64_C(0x9e3779b97f4a7c15) >> 59;
    if (i % 200 == 0) nanosleep(&pause, NULL);
    w.before = i;
    team_run(team, who, work, &w);
    for (unsigned k = 0; k < 5; k++) {
      calls[k] += (unsigned)(who >> k & 1);
      ck_assert_uint_eq(w.calls[k], calls[k]);
      if (who >> k & 1) ck_assert_uint_eq(w.seen[k], i);
    }
  }
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
  tcase_add_test(t, some_are_asked);
  tcase_add_test(t, sizes_are_checked);
  suite_add_tcase(s, t);
  return s;
}
