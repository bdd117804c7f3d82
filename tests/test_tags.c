/* Tag array: the scanned and the indexed sets give the same answers, each replacement chooses its
 * victims, the hashed set number. */
#include "prng.h"
#include "sm/tags.h"

#include <check.h>
#include <inttypes.h>
#include <stdlib.h>

static tags_t *make(const tags_cfg_t *cfg) {
  mrpb_err_t err = {{0}};
  tags_t *t;
  ck_assert_msg(tags_create(&t, cfg, &err) == 0, "%s", err.text);
  return t;
}

/* A read as the L1D does it: what the probe said, and the line taken or found. */
static tags_status_t read_line(tags_t *t, uint64_t line, uint64_t now, uint32_t *index) {
  tags_status_t s = tags_probe(t, line, index);
  if (s == TAGS_MISS)
    tags_reserve(t, *index, line, now, (uint32_t)line);
  else if (s != TAGS_ALL_RESERVED)
    tags_touch(t, *index, now);
  return s;
}

/* A read whose data come at once. */
static tags_status_t fetch(tags_t *t, uint64_t line, uint64_t now, uint32_t *index) {
  tags_status_t s = read_line(t, line, now, index);
  if (s == TAGS_MISS) tags_fill(t, *index);
  return s;
}

/* ---- two implementations --------------------------------------------------- */

typedef struct {
  tags_t *a, *b;
  prng_t prng;
  uint64_t now, lines;
  uint32_t waiting[4096];
  unsigned n_waiting, seen[4];
  bool filling; /* fills keep up for a while, and do not for a while */
} pair_t;

static void fill_one(pair_t *p) {
  if (p->n_waiting == 0) return;
  unsigned i = prng_below(&p->prng, p->n_waiting);
  tags_fill(p->a, p->waiting[i]);
  tags_fill(p->b, p->waiting[i]);
  p->waiting[i] = p->waiting[--p->n_waiting];
}

/* Often two in one cycle, so that times tie; fills come late and in any order. False: they differ.
 */
static bool one_step(pair_t *p) {
  uint64_t line = prng_below(&p->prng, (uint32_t)p->lines);
  uint32_t i = UINT32_MAX, j = UINT32_MAX, who = 0, other = 0;
  tags_status_t s = tags_probe(p->a, line, &i);
  if (tags_probe(p->b, line, &j) != s) return false;
  p->seen[s]++;
  p->now += prng_chance(&p->prng, 700);
  if (s == TAGS_ALL_RESERVED) {
    fill_one(p);
    return true;
  }
  if (i != j || tags_owner(p->a, i, &who) != tags_owner(p->b, i, &other) || who != other)
    return false;
  if (s == TAGS_HIT && prng_chance(&p->prng, 100)) {
    tags_evict(p->a, i);
    tags_evict(p->b, i);
  } else if (s == TAGS_MISS) {
    tags_reserve(p->a, i, line, p->now, (uint32_t)p->now);
    tags_reserve(p->b, i, line, p->now, (uint32_t)p->now);
    p->waiting[p->n_waiting++] = i;
  } else {
    tags_touch(p->a, i, p->now);
    tags_touch(p->b, i, p->now);
  }
  if (prng_chance(&p->prng, p->filling ? 900 : 20)) fill_one(p);
  return tags_reserved(p->a) == p->n_waiting && tags_reserved(p->b) == p->n_waiting;
}

static const struct {
  uint32_t sets, ways, steps;
} size[] = {{1, 1, 2000},   {32, 4, 20000}, {8, 5, 20000},   {64, 6, 20000},  {3, 17, 20000},
            {2, 64, 20000}, {5, 65, 20000}, {1, 128, 20000}, {1, 384, 20000}, {1, 4000, 12000}};

START_TEST(scan_is_index) {
  uint32_t sets = size[_i / 2].sets, ways = size[_i / 2].ways;
  tags_cfg_t c = {.sets = sets, .ways = ways, .replacement = _i % 2 ? TAGS_FIFO : TAGS_LRU};
  c.hash = sets >= 32;
  c.lookup = TAGS_SCAN;
  pair_t p = {.a = make(&c), .prng = prng_seed(7, (uint64_t)_i), .lines = sets * ways * 5 / 4 + 2};
  c.lookup = TAGS_INDEX;
  p.b = make(&c);
  for (uint32_t n = 0; n < size[_i / 2].steps && p.n_waiting < 4000; n++) {
    p.filling = n / 500 % 2;
    if (!one_step(&p)) ck_abort_msg("they differ in step %u", n);
  }
  ck_assert(p.seen[TAGS_HIT] && p.seen[TAGS_MISS]);
  if (ways < 20) ck_assert_uint_gt(p.seen[TAGS_ALL_RESERVED], 0);
  tags_destroy(p.a);
  tags_destroy(p.b);
}
END_TEST

/* 1024 times FA-L, full and once around: the victims come in the order of use. */
START_TEST(huge) {
  tags_cfg_t c = {.sets = 1, .ways = 384 * 1024};
  tags_t *t = make(&c);
  uint64_t now = 0;
  uint32_t i, hit, wrong = 0;
  for (uint64_t l = 0; l < c.ways; l++) /* the highest invalid way */
    wrong += fetch(t, l * 3, ++now, &i) != TAGS_MISS || i != c.ways - 1 - l;
  ck_assert_uint_eq(wrong, 0);
  ck_assert_int_eq(fetch(t, 0, ++now, &hit), TAGS_HIT);
  for (uint64_t l = 1; l < c.ways; l++)
    wrong += fetch(t, l * 3 + 1, ++now, &i) != TAGS_MISS || i != c.ways - 1 - l;
  ck_assert_uint_eq(wrong, 0);
  ck_assert_int_eq(tags_probe(t, 0, &i), TAGS_HIT);
  ck_assert_uint_eq(i, hit);
  tags_evict(t, 77); /* an emptied way goes before any valid one */
  ck_assert_int_eq(tags_probe(t, 1, &i), TAGS_MISS);
  ck_assert_uint_eq(i, 77);
  tags_destroy(t);
}
END_TEST

/* ---- replacement ----------------------------------------------------------- */

/* Four lines of one set, the first read again: LRU then evicts the second, FIFO the first. */
START_TEST(lru_and_fifo) {
  for (uint32_t lookup = TAGS_SCAN; lookup <= TAGS_INDEX; lookup++)
    for (uint32_t replacement = TAGS_LRU; replacement <= TAGS_FIFO; replacement++) {
      tags_cfg_t c = {.sets = 1, .ways = 4, .replacement = replacement, .lookup = lookup};
      tags_t *t = make(&c);
      uint32_t i, first, second;
      fetch(t, 10, 1, &first);
      fetch(t, 11, 2, &second);
      fetch(t, 12, 3, &i);
      fetch(t, 13, 4, &i);
      ck_assert_int_eq(fetch(t, 10, 5, &i), TAGS_HIT);
      ck_assert_int_eq(fetch(t, 14, 6, &i), TAGS_MISS);
      ck_assert_uint_eq(i, replacement == TAGS_LRU ? second : first);
      tags_destroy(t);
    }
}
END_TEST

/* Shares of the ways among the victims of `n` misses in one full set. */
static void fermi_shares(uint32_t ways, uint64_t seed, unsigned n, double *share) {
  tags_cfg_t c = {.sets = 1, .ways = ways, .replacement = TAGS_FERMI, .seed = seed};
  tags_t *t = make(&c);
  uint32_t i;
  for (uint32_t w = 0; w < ways; w++) {
    ck_assert_int_eq(fetch(t, w, w, &i), TAGS_MISS);
    ck_assert_uint_eq(i, ways - 1 - w);
    share[w] = 0;
  }
  for (unsigned k = 0; k < n; k++) {
    uint32_t again;
    bool missed = tags_probe(t, 1000 + k, &again) == TAGS_MISS; /* looking draws nothing */
    fetch(t, 1000 + k, 1000 + k, &i);
    if (!missed || i != again) ck_abort_msg("victim %u, then %u", again, i);
    share[i] += 1.0 / n;
  }
  tags_destroy(t);
}

START_TEST(fermi) {
  double four[4], same[4], other[4], six[6];
  bool differ = false;
  fermi_shares(4, 1, 60000, four);
  fermi_shares(4, 1, 60000, same);
  fermi_shares(4, 2, 60000, other);
  for (unsigned w = 0; w < 4; w++) {
    ck_assert_double_eq_tol(four[w], w == 1 ? 1.0 / 2 : 1.0 / 6, 0.01);
    ck_assert(four[w] == same[w]);
    differ |= four[w] != other[w];
  }
  ck_assert(differ);
  fermi_shares(6, 1, 60000, six);
  for (unsigned w = 0; w < 6; w++)
    ck_assert_double_eq_tol(six[w], w == 1 ? 3.0 / 8 : 1.0 / 8, 0.01);
}
END_TEST

/* Reserved ways are never chosen; with all of them reserved there is no victim. */
START_TEST(fermi_reserved) {
  tags_cfg_t c = {.sets = 1, .ways = 4, .replacement = TAGS_FERMI};
  tags_t *t = make(&c);
  uint32_t i, taken = 0;
  for (uint32_t l = 0; l < 4; l++) fetch(t, l, l, &i);
  for (uint32_t l = 4; l < 8; l++) {
    ck_assert_int_eq(read_line(t, l, l, &i), TAGS_MISS);
    ck_assert(!(taken >> i & 1));
    taken |= 1u << i;
  }
  ck_assert_int_eq(read_line(t, 9, 9, &i), TAGS_ALL_RESERVED);
  tags_destroy(t);
}
END_TEST

/* ---- set number ------------------------------------------------------------ */

static uint32_t bit(uint64_t address, unsigned n) {
  return (uint32_t)(address >> n & 1);
}

/* With one way the line number is the set. */
START_TEST(set_number) {
  prng_t prng = prng_seed(3, 0);
  for (uint32_t sets = 32; sets <= 64; sets *= 2) {
    tags_cfg_t plain = {.sets = sets, .ways = 1}, hashed = {.sets = sets, .ways = 1, .hash = true};
    tags_t *p = make(&plain), *h = make(&hashed);
    for (unsigned n = 0; n < 10000; n++) {
      uint64_t a = prng_next(&prng) >> 32 << 7;
      uint32_t i, want = sets == 64 ? bit(a, 12) << 5 : 0;
      static const unsigned from[5] = {13, 14, 15, 17, 19};
      for (unsigned b = 0; b < 5; b++) want |= (bit(a, 7 + b) ^ bit(a, from[b])) << b;
      if (tags_probe(h, a / 128, &i) != TAGS_MISS || i != want) ck_abort_msg("0x%" PRIx64, a);
      if (tags_probe(p, a / 128, &i) != TAGS_MISS || i != a / 128 % sets)
        ck_abort_msg("0x%" PRIx64, a);
    }
    tags_destroy(p);
    tags_destroy(h);
  }
}
END_TEST

Suite *test_tags_suite(void);

Suite *test_tags_suite(void) {
  Suite *s = suite_create("tags");
  TCase *t = tcase_create("tags");
  tcase_add_loop_test(t, scan_is_index, 0, 4);
  tcase_add_test(t, lru_and_fifo);
  tcase_add_test(t, fermi);
  tcase_add_test(t, fermi_reserved);
  tcase_add_test(t, set_number);
  TCase *more = tcase_create("more sizes");
  tcase_set_tags(more, "heavy"); /* many random steps: not under valgrind */
  tcase_add_loop_test(more, scan_is_index, 4, 2 * sizeof size / sizeof *size);
  tcase_add_test(more, huge);
  suite_add_tcase(s, t);
  suite_add_tcase(s, more);
  return s;
}
