/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of tags, worked out by hand from its page. */
#include "tags.h"

#include <check.h>
#include <string.h>

typedef struct {
  tags_t *self;
  tags_in_t in;
} bench_t;

/* MISS with place 0 is also what an idle cycle shows. */
typedef enum { HIT, PENDING, MISS, FULL } kind_t;

typedef struct {
  kind_t kind;
  uint64_t place, have;
} answer_t;

static bench_t make(tags_cfg_t cfg) {
  bench_t b = {.in = {.srst_ni = 1}};
  mrpb_err_t err = {""};
  ck_assert_msg(tags_create(&b.self, &cfg, &err) == 0, "%s", err.text);
  return b;
}

static answer_t see(const bench_t *b) {
  tags_out_t o;
  memset(&o, 0xff, sizeof o);
  tags_comb(b->self, &b->in, &o);
  ck_assert_uint_le(o.hit_o + o.pending_o + o.full_o, 1);
  ck_assert_uint_eq(o.error_o, 0);
  const kind_t kind = o.hit_o ? HIT : o.pending_o ? PENDING : o.full_o ? FULL : MISS;
  return (answer_t){kind, o.place_o, o.have_o};
}

static answer_t step(bench_t *b) {
  const answer_t a = see(b);
  tags_edge(b->self, &b->in);
  b->in = (tags_in_t){.srst_ni = 1};
  return a;
}

static bench_t *look(bench_t *b, uint64_t line) {
  b->in.look_valid_i = 1;
  b->in.look_line_i = line;
  return b;
}

static bench_t *reserve(bench_t *b, uint64_t sectors) {
  b->in.reserve_i = 1;
  b->in.reserve_sectors_i = sectors;
  return b;
}

static bench_t *fill(bench_t *b, uint64_t place) {
  b->in.fill_valid_i = 1;
  b->in.fill_place_i = place;
  return b;
}

/* A look-up alone: two cycles, and the answer, with the decisions that are set for its cycle. */
static answer_t ask(bench_t *b, uint64_t line, tags_in_t decision) {
  look(b, line);
  step(b), step(b);
  decision.srst_ni = 1;
  b->in = decision;
  return step(b);
}

static answer_t ask_only(bench_t *b, uint64_t line) {
  return ask(b, line, (tags_in_t){0});
}

#define ANSWERS(a, k, p, h)                                                                        \
  do {                                                                                             \
    const answer_t a_ = (a);                                                                       \
    ck_assert_int_eq(a_.kind, k);                                                                  \
    ck_assert_uint_eq(a_.place, p);                                                                \
    ck_assert_uint_eq(a_.have, h);                                                                 \
  } while (0)

static const tags_in_t RESERVE_ALL = {.reserve_i = 1, .reserve_sectors_i = 15};

/* Reserves a place for the line, and fills it. */
static uint64_t bring(bench_t *b, uint64_t line) {
  const answer_t a = ask(b, line, RESERVE_ALL);
  ck_assert_int_eq(a.kind, MISS);
  step(fill(b, a.place));
  return a.place;
}

/* A line is missed, reserved, filled and hit; the answer comes two cycles after the look-up. */
START_TEST(one_line) {
  bench_t b = make((tags_cfg_t){4, 2, 4, 8, 0, 0, 0});
  ANSWERS(step(look(&b, 0x12)), MISS, 0, 0);         /* idle: everything is 0 */
  ANSWERS(step(&b), MISS, 0, 0);                     /* idle */
  ANSWERS(step(reserve(&b, 5)), MISS, 2 * 2 + 1, 0); /* set 2, the higher way */
  ANSWERS(step(&b), MISS, 0, 0);
  ANSWERS(ask_only(&b, 0x12), PENDING, 5, 5);
  ANSWERS(ask(&b, 0x12, (tags_in_t){.touch_i = 1, .evict_i = 1, .reserve_i = 1}), PENDING, 5, 5);
  ANSWERS(step(fill(look(&b, 0x12), 4)), MISS, 0, 0); /* not reserved: ignored */
  step(&b);
  ANSWERS(step(fill(&b, 5)), PENDING, 5, 5); /* what is filled now is seen from the next cycle on */
  ANSWERS(ask_only(&b, 0x12), HIT, 5, 5);
  ANSWERS(ask_only(&b, 0x16), MISS, 4, 0); /* another tag of set 2 */
  ANSWERS(ask_only(&b, 0x11), MISS, 3, 0);
  ANSWERS(ask(&b, 0x12, (tags_in_t){.evict_i = 1}), HIT, 5, 5);
  ANSWERS(ask_only(&b, 0x12), MISS, 5, 0);
  tags_destroy(b.self);
}
END_TEST

/* Sectors that a line lacks are added in its place. */
START_TEST(parts_of_a_line) {
  bench_t b = make((tags_cfg_t){1, 3, 4, 8, 0, 0, 0});
  ANSWERS(ask(&b, 7, (tags_in_t){.reserve_i = 1, .reserve_sectors_i = 2}), MISS, 2, 0);
  step(fill(&b, 2));
  ANSWERS(ask(&b, 7, (tags_in_t){.reserve_i = 1, .reserve_sectors_i = 10}), HIT, 2, 2);
  ANSWERS(ask_only(&b, 7), PENDING, 2, 10);
  step(fill(&b, 2));
  ANSWERS(ask_only(&b, 7), HIT, 2, 10);
  tags_destroy(b.self);
}
END_TEST

/* Looked up in three cycles in a row: each sees the decisions before it. */
START_TEST(decisions_are_seen) {
  bench_t b = make((tags_cfg_t){1, 2, 4, 8, 0, 0, 0});
  step(look(&b, 1)), step(look(&b, 1));
  ANSWERS(step(look(reserve(&b, 3), 1)), MISS, 1, 0);
  ANSWERS(step(look(&b, 2)), PENDING, 1, 3);          /* reserved while it was compared */
  ANSWERS(step(look(fill(&b, 1), 1)), PENDING, 1, 3); /* reserved when it was read */
  ANSWERS(step(look(reserve(&b, 4), 1)), MISS, 0, 0); /* line 2 */
  ANSWERS(step(look(&b, 3)), HIT, 1, 3);              /* filled after the tags were read */
  b.in.evict_i = 1;
  ANSWERS(step(look(&b, 2)), HIT, 1, 3);     /* line 1 is evicted */
  ANSWERS(step(reserve(&b, 8)), MISS, 1, 0); /* line 3 in its place */
  ANSWERS(step(&b), PENDING, 0, 4);          /* line 2 */
  ANSWERS(ask_only(&b, 1), FULL, 0, 0);
  ANSWERS(ask(&b, 1, RESERVE_ALL), FULL, 0, 0); /* ignored */
  ANSWERS(ask_only(&b, 3), PENDING, 1, 8);
  tags_destroy(b.self);
}
END_TEST

/* A line is looked up one, two or three cycles behind the one that replaces it. */
START_TEST(replaced_line_is_gone) {
  const unsigned gap = (unsigned)_i;
  bench_t b = make((tags_cfg_t){2, 1, 4, 8, 0, 0, 0});
  bring(&b, 6);
  for (unsigned n = 0; n <= gap + 2; n++) {
    if (n == 0) look(&b, 8);
    if (n == 2) reserve(&b, 1);
    if (n == gap) look(&b, 6);
    ANSWERS(step(&b), n == gap + 2 ? FULL : MISS, 0, 0);
  }
  ANSWERS(ask_only(&b, 8), PENDING, 0, 1);
  tags_destroy(b.self);
}
END_TEST

/* Victims: the highest invalid way, then the oldest. A use counts for LRU alone. */
START_TEST(oldest_way) {
  for (uint32_t policy = 0; policy < 2; policy++) {
    bench_t b = make((tags_cfg_t){1, 3, 4, 8, policy, 0, 0});
    for (uint64_t line = 0; line < 3; line++) ck_assert_uint_eq(bring(&b, line), 2 - line);
    ANSWERS(ask(&b, 0, (tags_in_t){.touch_i = 1}), HIT, 2, 15);
    ANSWERS(ask_only(&b, 9), MISS, policy == 0 ? 1 : 2, 0);
    ANSWERS(ask(&b, 1, RESERVE_ALL), HIT, 1, 15); /* more of a line: a use, no new line */
    ANSWERS(ask_only(&b, 9), MISS, policy == 0 ? 0 : 2, 0);
    step(fill(&b, 1));
    ANSWERS(ask(&b, 2, (tags_in_t){.evict_i = 1}), HIT, 0, 15);
    ANSWERS(ask_only(&b, 9), MISS, 0, 0); /* the invalid way first */
    tags_destroy(b.self);
  }
}
END_TEST

/* Every second victim is way 1; ways 0, 2 and 3 take turns; reserved ways are passed over. */
START_TEST(fermi_ways) {
  static const uint64_t want[] = {1, 0, 1, 2, 1, 3, 1, 0};
  bench_t b = make((tags_cfg_t){2, 4, 4, 8, 2, 0, 0});
  for (uint64_t n = 0; n < 4; n++) ck_assert_uint_eq(bring(&b, 2 * n + 1), 4 + 3 - n);
  for (uint64_t n = 0; n < 8; n++) {
    ck_assert_uint_eq(bring(&b, 101 + 2 * n), 4 + want[n]);
    ck_assert_int_eq(ask(&b, 101 + 2 * n, (tags_in_t){.touch_i = 1}).kind, HIT);
  }
  ANSWERS(ask(&b, 121, RESERVE_ALL), MISS, 4 + 1, 0); /* and is not filled */
  ANSWERS(ask(&b, 123, RESERVE_ALL), MISS, 4 + 2, 0);
  ANSWERS(ask(&b, 125, RESERVE_ALL), MISS, 4 + 3, 0); /* way 1's turn, but it is reserved */
  ANSWERS(ask(&b, 127, RESERVE_ALL), MISS, 4 + 0, 0);
  ANSWERS(ask_only(&b, 129), FULL, 0, 0);
  step(fill(&b, 5));
  ANSWERS(ask_only(&b, 129), MISS, 5, 0); /* whosever turn it is */
  tags_destroy(b.self);
}
END_TEST

/* One place of each set: its number says which set a line has. */
START_TEST(set_numbers) {
  static const struct {
    uint32_t sets, hash;
    uint64_t line, set;
  } c[] = {{5, 0, 23, 3},       {64, 0, 0x7f, 63},    {32, 1, 0x40, 1},
           {32, 1, 0x80, 2},    {32, 1, 0x100, 4},    {32, 1, 0x400, 8},
           {32, 1, 0x1000, 16}, {32, 1, 0xa35, 0x15}, {64, 1, 0x20 | 0x40, 33},
           {32, 1, 0x20, 0},    {8, 1, 0x41, 0},      {12, 1, 0x1000, 4},
           {1, 1, 0xfffff, 0}};
  for (unsigned k = 0; k < sizeof c / sizeof *c; k++) {
    bench_t b = make((tags_cfg_t){c[k].sets, 1, 4, 20, 0, c[k].hash, 0});
    ANSWERS(ask_only(&b, c[k].line), MISS, c[k].set, 0);
    tags_destroy(b.self);
  }
}
END_TEST

/* Everything is invalid after a clear and after a reset; the order stays after a clear. */
START_TEST(clear_and_reset) {
  bench_t b = make((tags_cfg_t){1, 2, 4, 8, 0, 0, 0});
  bring(&b, 1), bring(&b, 2);
  b.in.clear_i = 1;
  step(&b);
  ANSWERS(ask_only(&b, 1), MISS, 1, 0);
  step(fill(&b, 1)); /* nothing is reserved */
  ANSWERS(ask_only(&b, 2), MISS, 1, 0);
  bring(&b, 1);
  step(look(&b, 1)), step(look(&b, 1));
  b.in.srst_ni = 0;
  step(reserve(&b, 15));
  ANSWERS(step(&b), MISS, 0, 0); /* what was under way is forgotten */
  ANSWERS(step(&b), MISS, 0, 0);
  ANSWERS(ask_only(&b, 1), MISS, 1, 0);
  tags_destroy(b.self);
}
END_TEST

/* An eviction together with a reservation: the reservation stays. */
START_TEST(several_decisions) {
  bench_t b = make((tags_cfg_t){1, 2, 4, 8, 0, 0, 0});
  bring(&b, 3);
  ANSWERS(ask(&b, 3, (tags_in_t){.reserve_i = 1, .evict_i = 1, .reserve_sectors_i = 9}), HIT, 1,
          15);
  ANSWERS(ask_only(&b, 3), PENDING, 1, 9);
  ANSWERS(ask(&b, 4, (tags_in_t){.touch_i = 1, .evict_i = 1}), MISS, 0, 0);
  ANSWERS(ask_only(&b, 4), MISS, 0, 0);
  tags_destroy(b.self);
}
END_TEST

START_TEST(refused_sizes) {
  tags_t *m;
  mrpb_err_t err = {""};
  const tags_cfg_t cfg = {.SETS = 65, .WAYS = 1, .SECTORS = 1, .ADDR_W = 1};
  ck_assert_int_eq(tags_create(&m, &cfg, &err), -1);
  ck_assert_str_eq(err.text, "ERROR_tags_SETS_must_be_1_to_64 (got 65)");
}
END_TEST

Suite *test_tags_suite(void);

Suite *test_tags_suite(void) {
  Suite *s = suite_create("tags");
  TCase *t = tcase_create("tags");
  tcase_add_test(t, one_line);
  tcase_add_test(t, parts_of_a_line);
  tcase_add_test(t, decisions_are_seen);
  tcase_add_loop_test(t, replaced_line_is_gone, 1, 4);
  tcase_add_test(t, oldest_way);
  tcase_add_test(t, fermi_ways);
  tcase_add_test(t, set_numbers);
  tcase_add_test(t, clear_and_reset);
  tcase_add_test(t, several_decisions);
  tcase_add_test(t, refused_sizes);
  suite_add_tcase(s, t);
  return s;
}
