/* SPDX-License-Identifier: Apache-2.0 */
/* Tag array: scanned and indexed sets give the same answers, each replacement policy chooses its
 * victims, and the hashed set number. */
#include "base/pool.h"
#include "prng.h"
#include "parts/tag_array.h"

#include <check.h>
#include <inttypes.h>
#include <stdlib.h>

static tag_array_t *make(const tag_array_cfg_t *cfg) {
  mrpb_err_t err = {{0}};
  tag_array_t *t;
  ck_assert_msg(tag_array_create(&t, cfg, &err) == 0, "%s", err.text);
  return t;
}

/* A read as the L1D does it: what the probe said, and the line taken or found. */
static tag_array_status_t read_line(tag_array_t *t, uint64_t line, uint64_t now, uint32_t *index) {
  tag_array_status_t s = tag_array_probe(t, line, index);
  if (s == TAGS_MISS)
    tag_array_reserve(t, *index, line, now, (uint32_t)line);
  else if (s != TAGS_ALL_RESERVED)
    tag_array_touch(t, *index, now);
  return s;
}

/* A read whose data come at once. */
static tag_array_status_t fetch(tag_array_t *t, uint64_t line, uint64_t now, uint32_t *index) {
  tag_array_status_t s = read_line(t, line, now, index);
  if (s == TAGS_MISS) tag_array_fill(t, *index);
  return s;
}

/* ---- two implementations --------------------------------------------------- */

typedef struct {
  tag_array_t *a, *b;
  prng_t prng;
  uint64_t now, lines;
  uint32_t waiting[4096];
  unsigned n_waiting, seen[4];
  bool filling; /* fills keep up for a while, and do not for a while */
} pair_t;

static void fill_one(pair_t *p) {
  if (p->n_waiting == 0) return;
  unsigned i = prng_below(&p->prng, p->n_waiting);
  tag_array_fill(p->a, p->waiting[i]);
  tag_array_fill(p->b, p->waiting[i]);
  p->waiting[i] = p->waiting[--p->n_waiting];
}

/* Often two in one cycle, so that times tie; fills come late and in any order. False: they differ.
 */
static bool one_step(pair_t *p) {
  uint64_t line = prng_below(&p->prng, (uint32_t)p->lines);
  uint32_t i = UINT32_MAX, j = UINT32_MAX, who = 0, other = 0;
  tag_array_status_t s = tag_array_probe(p->a, line, &i);
  if (tag_array_probe(p->b, line, &j) != s) return false;
  p->seen[s]++;
  p->now += prng_chance(&p->prng, 700);
  if (s == TAGS_ALL_RESERVED) {
    fill_one(p);
    return true;
  }
  if (i != j || tag_array_owner(p->a, i, &who) != tag_array_owner(p->b, i, &other) || who != other)
    return false;
  if (s == TAGS_HIT && prng_chance(&p->prng, 100)) {
    tag_array_evict(p->a, i);
    tag_array_evict(p->b, i);
  } else if (s == TAGS_MISS) {
    tag_array_reserve(p->a, i, line, p->now, (uint32_t)p->now);
    tag_array_reserve(p->b, i, line, p->now, (uint32_t)p->now);
    p->waiting[p->n_waiting++] = i;
  } else {
    tag_array_touch(p->a, i, p->now);
    tag_array_touch(p->b, i, p->now);
  }
  if (prng_chance(&p->prng, p->filling ? 900 : 20)) fill_one(p);
  return tag_array_reserved(p->a) == p->n_waiting && tag_array_reserved(p->b) == p->n_waiting;
}

static const struct {
  uint32_t sets, ways, steps;
} size[] = {{1, 1, 2000},   {32, 4, 20000}, {8, 5, 20000},   {64, 6, 20000},  {3, 17, 20000},
            {2, 64, 20000}, {5, 65, 20000}, {1, 128, 20000}, {1, 384, 20000}, {1, 4000, 12000}};

START_TEST(scan_is_index) {
  uint32_t sets = size[_i / 2].sets, ways = size[_i / 2].ways;
  tag_array_cfg_t c = {.sets = sets, .ways = ways, .replacement = _i % 2 ? TAGS_FIFO : TAGS_LRU};
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
  tag_array_destroy(p.a);
  tag_array_destroy(p.b);
}
END_TEST

/* A cleared array, in a pool or of its own, is as a new one. */
START_TEST(cleared) {
  pool_t *pool = NULL;
  tag_array_cfg_t c = {.sets = 2, .ways = 8, .lookup = _i % 2 ? TAGS_INDEX : TAGS_SCAN};
  pair_t p = {.prng = prng_seed(8, (uint64_t)_i), .lines = 24, .filling = true};
  c.replacement = _i == 4 ? TAGS_FERMI : TAGS_LRU;
  p.b = make(&c);
  c.pool = _i / 2 == 1 ? &pool : NULL;
  p.a = make(&c);
  for (unsigned n = 0; n < 200; n++) /* ends with reserved, valid and evicted lines */
    if (!one_step(&p)) ck_abort_msg("they differ in step %u", n);
  tag_array_clear(p.a);
  tag_array_destroy(p.b);
  c.pool = NULL;
  p.b = make(&c);
  p.n_waiting = 0;
  for (unsigned n = 0; n < 2000; n++)
    if (!one_step(&p)) ck_abort_msg("they differ in step %u after it", n);
  tag_array_destroy(p.a);
  tag_array_destroy(p.b);
  pool_free(pool);
}
END_TEST

/* 1024 times FA-L, full and once around: the victims come in the order of use. */
START_TEST(huge) {
  tag_array_cfg_t c = {.sets = 1, .ways = 384 * 1024};
  tag_array_t *t = make(&c);
  uint64_t now = 0;
  uint32_t i, hit, wrong = 0;
  for (uint64_t l = 0; l < c.ways; l++) /* the highest invalid way */
    wrong += fetch(t, l * 3, ++now, &i) != TAGS_MISS || i != c.ways - 1 - l;
  ck_assert_uint_eq(wrong, 0);
  ck_assert_int_eq(fetch(t, 0, ++now, &hit), TAGS_HIT);
  for (uint64_t l = 1; l < c.ways; l++)
    wrong += fetch(t, l * 3 + 1, ++now, &i) != TAGS_MISS || i != c.ways - 1 - l;
  ck_assert_uint_eq(wrong, 0);
  ck_assert_int_eq(tag_array_probe(t, 0, &i), TAGS_HIT);
  ck_assert_uint_eq(i, hit);
  tag_array_evict(t, 77); /* an emptied way goes before any valid one */
  ck_assert_int_eq(tag_array_probe(t, 1, &i), TAGS_MISS);
  ck_assert_uint_eq(i, 77);
  tag_array_destroy(t);
}
END_TEST

/* ---- replacement ----------------------------------------------------------- */

/* Four lines of one set, the first read again: LRU then evicts the second, FIFO the first. */
START_TEST(lru_and_fifo) {
  for (uint32_t lookup = TAGS_SCAN; lookup <= TAGS_INDEX; lookup++)
    for (uint32_t replacement = TAGS_LRU; replacement <= TAGS_FIFO; replacement++) {
      tag_array_cfg_t c = {.sets = 1, .ways = 4, .replacement = replacement, .lookup = lookup};
      tag_array_t *t = make(&c);
      uint32_t i, first, second;
      fetch(t, 10, 1, &first);
      fetch(t, 11, 2, &second);
      fetch(t, 12, 3, &i);
      fetch(t, 13, 4, &i);
      ck_assert_int_eq(fetch(t, 10, 5, &i), TAGS_HIT);
      ck_assert_int_eq(fetch(t, 14, 6, &i), TAGS_MISS);
      ck_assert_uint_eq(i, replacement == TAGS_LRU ? second : first);
      tag_array_destroy(t);
    }
}
END_TEST

/* A cache of these sets, all of them full: line l of set s is l * sets + s. */
static tag_array_t *full_fermi(uint32_t sets, uint32_t ways) {
  tag_array_cfg_t c = {.sets = sets, .ways = ways, .replacement = TAGS_FERMI};
  tag_array_t *t = make(&c);
  for (uint32_t l = 0; l < sets * ways; l++) {
    uint32_t i;
    ck_assert_int_eq(fetch(t, l, l, &i), TAGS_MISS);
    ck_assert_uint_eq(i, l % sets * ways + ways - 1 - l / sets);
  }
  return t;
}

/* Every second victim is way 2, the others take turns; each set for itself. */
START_TEST(fermi) {
  static const struct {
    uint32_t ways, period, victim[10];
  } c[] = {{1, 1, {0}},
           {2, 2, {1, 0}},
           {4, 6, {1, 0, 1, 2, 1, 3}},
           {6, 10, {1, 0, 1, 2, 1, 3, 1, 4, 1, 5}}};
  for (unsigned k = 0; k < sizeof c / sizeof *c; k++) {
    enum { SETS = 3, TURNS = 20 };
    tag_array_t *t = full_fermi(SETS, c[k].ways);
    prng_t prng = prng_seed(5, k);
    uint32_t seen[SETS] = {0}, share[6] = {0};
    for (uint64_t line = 1000; seen[0] + seen[1] + seen[2] < TURNS * c[k].period * SETS; line++) {
      uint32_t set = (uint32_t)(line % SETS), i, again;
      if (seen[set] == TURNS * c[k].period || prng_chance(&prng, 500)) continue;
      ck_assert_int_eq(tag_array_probe(t, line, &again), TAGS_MISS); /* looking changes nothing */
      ck_assert_int_eq(fetch(t, line, line, &i), TAGS_MISS);
      ck_assert_uint_eq(i, again);
      ck_assert_uint_eq(i - set * c[k].ways, c[k].victim[seen[set]++ % c[k].period]);
      share[i - set * c[k].ways]++;
      ck_assert_int_eq(fetch(t, line, line, &i), TAGS_HIT); /* nor does a hit */
    }
    for (uint32_t w = 0; w < c[k].ways && c[k].ways > 1; w++)
      ck_assert_uint_eq(share[w] * (w == 1 ? 2 : 2 * (c[k].ways - 1)), TURNS * c[k].period * SETS);
    tag_array_destroy(t);
  }
}
END_TEST

/* Misses per cent of a cyclic walk over `lines` lines of a set of 4 ways, after some rounds. */
static double walk(tag_array_t *t, uint32_t lines) {
  enum { WARM = 120, ROUNDS = 600 };
  unsigned missed = 0;
  for (uint64_t n = 0; n < WARM + ROUNDS; n++)
    for (uint32_t l = 0; l < lines; l++) {
      uint32_t i;
      tag_array_status_t s = fetch(t, l, n, &i);
      missed += n >= WARM && s == TAGS_MISS;
    }
  return 100.0 * missed / (ROUNDS * lines);
}

/* Paper 003, figure 9: an array that is one way too large misses half of the time, not always. */
START_TEST(fermi_walk) {
  static const double want[9] = {0, 0, 0, 0, 0, 50, 200.0 / 3, 200.0 / 3, 100};
  for (uint32_t lines = 1; lines <= 8; lines++) {
    tag_array_cfg_t c = {.sets = 1, .ways = 4, .replacement = TAGS_FERMI};
    tag_array_t *t = make(&c);
    ck_assert_double_eq_tol(walk(t, lines), want[lines], 1e-9);
    tag_array_destroy(t);
  }
  double least = 100, most = 0; /* other contents, other phases */
  for (unsigned n = 0; n < 300; n++) {
    tag_array_t *t = full_fermi(1, 4);
    prng_t prng = prng_seed(11, n);
    for (unsigned k = 0; k < 50 + n; k++) {
      uint32_t i;
      fetch(t, prng_below(&prng, 12), k, &i);
    }
    double rate = walk(t, 5);
    if (rate < least) least = rate;
    if (rate > most) most = rate;
    tag_array_destroy(t);
  }
  ck_assert_double_ge(least, 28);
  ck_assert_double_le(least, 34);
  ck_assert_double_eq_tol(most, 200.0 / 3, 1e-9);
}
END_TEST

/* Reserved ways are never chosen; with all of them reserved there is no victim. */
START_TEST(fermi_reserved) {
  static const uint32_t want[] = {1, 0, 2, 3};
  tag_array_t *t = full_fermi(1, 4);
  uint32_t i;
  for (uint32_t l = 4; l < 8; l++) {
    ck_assert_int_eq(read_line(t, l, l, &i), TAGS_MISS);
    ck_assert_uint_eq(i, want[l - 4]);
  }
  ck_assert_int_eq(read_line(t, 9, 9, &i), TAGS_ALL_RESERVED);
  tag_array_fill(t, 1); /* out of turn or not, it is the only one */
  for (uint32_t l = 10; l < 13; l++) {
    ck_assert_int_eq(fetch(t, l, l, &i), TAGS_MISS);
    ck_assert_uint_eq(i, 1);
  }
  for (i = 0; i < 4; i += i == 0 ? 2 : 1) tag_array_fill(t, i);
  static const uint32_t then[] = {0, 1, 2, 1, 3, 1};
  for (uint32_t l = 20; l < 26; l++) {
    ck_assert_int_eq(fetch(t, l, l, &i), TAGS_MISS);
    ck_assert_uint_eq(i, then[l - 20]);
  }
  tag_array_destroy(t);
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
    tag_array_cfg_t plain = {.sets = sets, .ways = 1},
                    hashed = {.sets = sets, .ways = 1, .hash = true};
    tag_array_t *p = make(&plain), *h = make(&hashed);
    for (unsigned n = 0; n < 10000; n++) {
      uint64_t a = prng_next(&prng) >> 32 << 7;
      uint32_t i, want = sets == 64 ? bit(a, 12) << 5 : 0;
      static const unsigned from[5] = {13, 14, 15, 17, 19};
      for (unsigned b = 0; b < 5; b++) want |= (bit(a, 7 + b) ^ bit(a, from[b])) << b;
      if (tag_array_probe(h, a / 128, &i) != TAGS_MISS || i != want) ck_abort_msg("0x%" PRIx64, a);
      if (tag_array_probe(p, a / 128, &i) != TAGS_MISS || i != a / 128 % sets)
        ck_abort_msg("0x%" PRIx64, a);
    }
    tag_array_destroy(p);
    tag_array_destroy(h);
  }
}
END_TEST

/* Every stride that is a power of two comes to all sets alike; what tells lines of one address apart
 * does not move them. */
START_TEST(folded_set_number) {
  for (uint32_t sets = 1; sets <= 64; sets *= 2) {
    const tag_array_cfg_t c = {.sets = sets, .ways = 1, .hash = TAGS_XOR};
    tag_array_t *t = make(&c);
    for (unsigned log2 = 0; log2 <= 12; log2++) {
      unsigned seen[64] = {0};
      for (uint64_t n = 0; n < 64 * sets; n++) {
        uint32_t i, same;
        const uint64_t line = n << log2;
        ck_assert_int_eq(tag_array_probe(t, line, &i), TAGS_MISS);
        ck_assert_int_eq(tag_array_probe(t, line | UINT64_C(5) << TAGS_LINE_BITS, &same),
                         TAGS_MISS);
        ck_assert_uint_eq(i, same);
        seen[i]++;
      }
      for (uint32_t i = 0; i < sets; i++) ck_assert_uint_eq(seen[i], 64);
    }
    tag_array_destroy(t);
  }
}
END_TEST

/* As docs/micro/lines.md has it: what bits of a line's number exchange, and every stride alike. */
START_TEST(hopper_set_number) {
  static const unsigned does[20] = {1, 2, 1, 2, 3, 1, 2, 3, 2, 1, 2, 1, 3, 1, 3, 2, 1, 3, 1, 3};
  const tag_array_cfg_t c = {.sets = 4, .ways = 1, .hash = TAGS_HOPPER},
                        wrong = {.sets = 8, .ways = 1, .hash = TAGS_HOPPER};
  mrpb_err_t err = {{0}};
  tag_array_t *t = make(&c), *none;
  prng_t prng = prng_seed(5, 0);
  for (unsigned n = 0; n < 1000; n++) {
    const uint64_t line = prng_next(&prng) >> 24;
    unsigned want = 0;
    uint32_t i;
    for (unsigned b = 0; b < 20; b++) want ^= line >> b & 1 ? does[b] : 0;
    ck_assert_int_eq(tag_array_probe(t, line, &i), TAGS_MISS);
    ck_assert_uint_eq(i, want);
    ck_assert_uint_eq(tag_array_set(&c, line), want);
  }
  tag_array_destroy(t);
  ck_assert_int_eq(tag_array_create(&none, &wrong, &err), -1);
  ck_assert_str_eq(err.text, "tag_array: the set number of an H100 with 8 sets; legal: 4");
}
END_TEST

/* Of a set's lines whose data have come replacement leaves two, of scanned sets and of wide ones; the first lines
 * find ways that are not taken. */
START_TEST(kept) {
  const tag_array_cfg_t c = {.sets = 2, .ways = _i ? 32 : 4, .kept = 2};
  tag_array_t *t = make(&c);
  uint32_t i, first = 0;
  for (uint64_t n = 0; n < c.ways; n++) {
    ck_assert_int_eq(tag_array_probe(t, 2 * n, &i), TAGS_MISS);
    tag_array_reserve(t, i, 2 * n, n, 0);
    if (n == 0) first = i;
  }
  for (uint64_t n = 0; n < 3; n++) {
    ck_assert_int_eq(tag_array_probe(t, 1000, &i), TAGS_ALL_RESERVED);
    ck_assert_int_eq(tag_array_probe(t, 2 * n, &i), TAGS_HIT_RESERVED);
    tag_array_fill(t, i);
  }
  ck_assert_int_eq(tag_array_probe(t, 1000, &i), TAGS_MISS);
  ck_assert_uint_eq(i, first);
  ck_assert_int_eq(tag_array_probe(t, 1001, &i), TAGS_MISS); /* the other set is empty */
  tag_array_destroy(t);
}
END_TEST

/* With a shift: as the texture L1 of Fermi, 4 sets by address bits 7 and 8 of 32-byte lines. */
START_TEST(shifted) {
  for (uint32_t lookup = TAGS_SCAN; lookup <= TAGS_INDEX; lookup++) {
    tag_array_cfg_t c = {.sets = 4, .ways = 96, .shift = 2, .lookup = lookup};
    tag_array_t *t = make(&c);
    uint32_t i;
    for (uint64_t a = 0; a < 12288; a += 32) {
      ck_assert_int_eq(fetch(t, a / 32, a, &i), TAGS_MISS);
      ck_assert_uint_eq(i / 96, a >> 7 & 3);
    }
    for (uint64_t a = 0; a < 12288; a += 32)
      ck_assert_int_eq(fetch(t, a / 32, 12288 + a, &i), TAGS_HIT);
    /* 128 bytes more: four lines of one set, so the four oldest of that set go */
    for (uint64_t a = 12288; a < 12288 + 128; a += 32) {
      ck_assert_int_eq(fetch(t, a / 32, 24576 + a, &i), TAGS_MISS);
      ck_assert_uint_eq(i / 96, 0);
    }
    for (uint64_t a = 0; a < 12288; a += 32)
      ck_assert_int_eq(tag_array_probe(t, a / 32, &i), a < 128 ? TAGS_MISS : TAGS_HIT);
    tag_array_destroy(t);
  }
}
END_TEST

/* Misses of a round over `pages` pages, from the third round on. */
static unsigned pages_missed(const tag_array_cfg_t *c, uint32_t pages, uint64_t from) {
  tag_array_t *t = make(c);
  unsigned missed = 0;
  for (uint64_t now = 0; now < 3 * pages; now++) {
    uint32_t i;
    tag_array_status_t s = fetch(t, from + now % pages, now, &i);
    ck_assert_uint_lt(i, c->sets * c->ways + c->extra);
    missed += now >= 2 * pages && s == TAGS_MISS;
  }
  tag_array_destroy(t);
  return missed;
}

/* The L2 TLB of Fermi and Kepler: a set of 17 and six of 8. 65 pages fit wherever they begin; one
 * more overflows the large set, each further one another set. */
START_TEST(unequal_sets) {
  tag_array_cfg_t c = {.sets = 7, .ways = 8, .extra = 9};
  for (uint32_t pages = 1; pages <= 65; pages++) ck_assert_uint_eq(pages_missed(&c, pages, 0), 0);
  ck_assert_uint_eq(pages_missed(&c, 65, 1234567), 0);
  for (uint32_t pages = 66; pages <= 72; pages++)
    ck_assert_uint_eq(pages_missed(&c, pages, 0), 18 + 9 * (pages - 66));
  c.lookup = TAGS_INDEX; /* is scanned all the same */
  ck_assert_uint_eq(pages_missed(&c, 66, 0), 18);
}
END_TEST

/* Each set of its own size with each replacement: lines that one set takes, no other has. */
START_TEST(unequal_replacement) {
  for (uint32_t replacement = TAGS_LRU; replacement <= TAGS_FERMI; replacement++) {
    tag_array_cfg_t c = {.sets = 2, .ways = 2, .extra = 1, .replacement = replacement};
    tag_array_t *t = make(&c); /* lines 0, 2, 4 mod 5 in set 0: indices 0 to 2; 1, 3 in set 1 */
    static const uint32_t first[5] = {2, 4, 1, 3, 0};
    uint32_t i;
    for (uint64_t l = 0; l < 5; l++) {
      ck_assert_int_eq(fetch(t, l, l, &i), TAGS_MISS);
      ck_assert_uint_eq(i, first[l]);
    }
    static const uint32_t then[2][5] = {{2, 4, 1, 3, 0}, {1, 4, 0, 3, 1}};
    for (uint64_t l = 0; l < 5; l++) {
      ck_assert_int_eq(fetch(t, 5 + l, 5 + l, &i), TAGS_MISS);
      ck_assert_uint_eq(i, then[replacement == TAGS_FERMI][l]);
    }
    tag_array_destroy(t);
  }
}
END_TEST

START_TEST(impossible) {
  mrpb_err_t err = {{0}};
  tag_array_t *t = (tag_array_t *)&err;
  tag_array_cfg_t c = {.sets = 32, .ways = 4, .hash = true, .shift = 2};
  ck_assert_int_eq(tag_array_create(&t, &c, &err), -1);
  ck_assert_str_eq(err.text,
                   "tag_array: a hashed set number with shift 2, 0 extra ways; legal: 0, 0");
  ck_assert_ptr_null(t);
}
END_TEST

Suite *test_tag_array_suite(void);

Suite *test_tag_array_suite(void) {
  Suite *s = suite_create("tag_array");
  TCase *t = tcase_create("tag_array");
  tcase_add_loop_test(t, scan_is_index, 0, 4);
  tcase_add_loop_test(t, cleared, 0, 5);
  tcase_add_test(t, lru_and_fifo);
  tcase_add_test(t, fermi);
  tcase_add_test(t, fermi_reserved);
  tcase_add_test(t, fermi_walk);
  tcase_add_test(t, set_number);
  tcase_add_test(t, shifted);
  tcase_add_test(t, folded_set_number);
  tcase_add_test(t, hopper_set_number);
  tcase_add_loop_test(t, kept, 0, 2);
  tcase_add_test(t, unequal_sets);
  tcase_add_test(t, unequal_replacement);
  tcase_add_test(t, impossible);
  TCase *more = tcase_create("more sizes");
  tcase_set_tags(more, "heavy"); /* many random steps: not under valgrind */
  tcase_add_loop_test(more, scan_is_index, 4, 2 * sizeof size / sizeof *size);
  tcase_add_test(more, huge);
  suite_add_tcase(s, t);
  suite_add_tcase(s, more);
  return s;
}
