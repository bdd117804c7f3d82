/* SPDX-License-Identifier: Apache-2.0 */
/* The caches of the memory with ports: that the line accessed last in a set is found without the
 * tags changes no answer. */
#include "gpu/ports/cache.h"
#include "prng.h"

#include <check.h>

static const cache_cfg_t shape[] = {
    {.sets = 64, .ways = 4, .log2 = 7},
    {.sets = 128, .ways = 2, .log2 = 5},
    {.sets = 4, .ways = 3, .shift = 2, .log2 = 7},
    {.sets = 1, .ways = 20, .log2 = 12},
    {.sets = 8, .ways = 2, .replacement = TAGS_FIFO, .log2 = 7},
    {.sets = 8, .ways = 4, .replacement = TAGS_FERMI, .log2 = 7},
    {.sets = 6, .ways = 2, .log2 = 7},
    {.sets = 4, .ways = 2, .extra = 1, .log2 = 7},
};

/* The same access, by the tags alone. */
static cache_answer_t by_tags(tag_array_t *t, uint64_t line, uint64_t now) {
  cache_answer_t a = {.hit = false};
  uint32_t owner;
  a.hit = tag_array_probe(t, line, &a.place) == TAGS_HIT;
  a.replaced = !a.hit && tag_array_owner(t, a.place, &owner);
  if (a.hit) {
    tag_array_touch(t, a.place, now);
  } else {
    tag_array_reserve(t, a.place, line, now, 0);
    tag_array_fill(t, a.place);
  }
  return a;
}

static void drop(cache_t *c, tag_array_t *t, uint64_t line) {
  uint32_t place;
  cache_drop(c, line << c->log2);
  if (tag_array_probe(t, line, &place) == TAGS_HIT) tag_array_evict(t, place);
}

static void empty(cache_t *c, tag_array_t *t) {
  cache_empty(c);
  for (uint32_t place = 0; place < c->places; place++) tag_array_evict(t, place);
}

/* Lines come again at once, in runs, and after others of their set. */
START_TEST(as_the_tags) {
  const cache_cfg_t *s = &shape[_i];
  const tag_array_cfg_t cfg = {.sets = s->sets,
                               .ways = s->ways,
                               .extra = s->extra,
                               .shift = s->shift,
                               .replacement = s->replacement};
  prng_t prng = prng_seed(11, (uint64_t)_i);
  mrpb_err_t err = {{0}};
  unsigned hits = 0;
  uint64_t line = 0;
  tag_array_t *t;
  cache_t c;
  ck_assert_int_eq(cache_open(&c, s, &err), 0);
  ck_assert_int_eq(tag_array_create(&t, &cfg, &err), 0);
  ck_assert_int_eq(c.recents == 0, s->sets == 6 || s->extra > 0);
  for (unsigned n = 1; n < 30000; n++) {
    if (prng_chance(&prng, 500)) line = prng_below(&prng, c.places * 3 / 2);
    if (prng_chance(&prng, 20)) drop(&c, t, line);
    if (prng_chance(&prng, 2)) empty(&c, t);
    const cache_answer_t got = cache_access(&c, line << s->log2), want = by_tags(t, line, n);
    hits += got.hit;
    ck_assert_msg(got.hit == want.hit && got.place == want.place && got.replaced == want.replaced,
                  "access %u, line %u", n, (unsigned)line);
  }
  ck_assert_uint_gt(hits, 5000);
  cache_close(&c);
  tag_array_destroy(t);
}
END_TEST

Suite *test_ports_cache_suite(void);

Suite *test_ports_cache_suite(void) {
  Suite *s = suite_create("ports_cache");
  TCase *t = tcase_create("recent");
  tcase_add_loop_test(t, as_the_tags, 0, sizeof shape / sizeof *shape);
  suite_add_tcase(s, t);
  return s;
}
