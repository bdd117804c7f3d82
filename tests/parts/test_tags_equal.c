/* SPDX-License-Identifier: Apache-2.0 */
/* The module tags against the tag array of the reference's models, where both can be used: the
 * same hits, lines that are awaited, victims and full sets, in random traffic of whole lines. */
#include "parts/tag_array.h"
#include "prng.h"
#include "tags.h"

#include <check.h>
#include <stdbool.h>

enum { CYCLES = 60000, MOST_LINES = 512 };

typedef struct {
  uint32_t sets, ways, hash;
} array_t;

static const array_t arrays[] = {{1, 1, 0},  {1, 4, 0},  {2, 8, 0},  {4, 2, 0},
                                 {8, 5, 0},  {5, 3, 0},  {32, 4, 0}, {32, 6, 1},
                                 {64, 8, 1}, {64, 1, 1}, {33, 7, 0}, {32, 1, 1}};
enum { ARRAYS = sizeof arrays / sizeof *arrays, POLICIES = 3 };

typedef struct {
  tags_t *module;
  tag_array_t *array;
  array_t size;
  uint64_t line[2]; /* of the stages D and A */
  bool valid[2];
  bool reserved[MOST_LINES];
  uint32_t seen[TAGS_ALL_RESERVED + 1];
  prng_t prng;
} pair_t;

static pair_t make(array_t size, uint32_t policy) {
  pair_t p = {.size = size, .prng = prng_seed(7, size.sets * 64 + size.ways * 4 + policy)};
  const tags_cfg_t module = {size.sets, size.ways, 2, 24, policy, size.hash, 0};
  const tag_array_cfg_t array = {.sets = size.sets,
                                 .ways = size.ways,
                                 .replacement = policy,
                                 .hash = size.hash ? TAGS_REFERENCE : TAGS_MODULO};
  mrpb_err_t err = {""};
  ck_assert_msg(tags_create(&p.module, &module, &err) == 0, "%s", err.text);
  ck_assert_msg(tag_array_create(&p.array, &array, &err) == 0, "%s", err.text);
  return p;
}

static tag_array_status_t status_of(const tags_out_t *o) {
  return o->hit_o       ? TAGS_HIT
         : o->pending_o ? TAGS_HIT_RESERVED
         : o->full_o    ? TAGS_ALL_RESERVED
                        : TAGS_MISS;
}

/* Lines of all sets, or of a few. */
static uint64_t some_line(pair_t *p, uint32_t cycle) {
  const uint64_t v = prng_next(&p->prng);
  const uint64_t most = (uint64_t)p->size.sets * p->size.ways * 2;
  if (cycle / 1000 % 2) return v % most;
  return (v % 3 + (v >> 8) % (2 * p->size.ways) * p->size.sets * 64) & 0xffffff;
}

/* The answer of stage A, and what is decided on it, in both. */
static void decide(pair_t *p, tags_in_t *in, uint64_t now) {
  tags_out_t o;
  uint32_t index = 0;
  tags_comb(p->module, in, &o);
  const tag_array_status_t s = tag_array_probe(p->array, p->line[1], &index);
  if (s != status_of(&o) || (s != TAGS_ALL_RESERVED && index != o.place_o))
    ck_abort_msg("cycle %u, line 0x%x: %d in %u, not %d in %u", (unsigned)now, (unsigned)p->line[1],
                 status_of(&o), (unsigned)o.place_o, s, index);
  p->seen[s]++;
  const uint32_t what = prng_below(&p->prng, 10);
  if (s == TAGS_HIT && what == 0) {
    in->evict_i = 1;
    tag_array_evict(p->array, index);
  } else if (s == TAGS_HIT && what < 8) {
    in->touch_i = 1;
    tag_array_touch(p->array, index, now);
  } else if (s == TAGS_MISS && what < 9) {
    in->reserve_i = 1;
    in->reserve_sectors_i = 3;
    tag_array_reserve(p->array, index, p->line[1], now, 0);
  }
}

/* One reserved place, if one is found, becomes valid: one that was reserved before this cycle. */
static void fill(pair_t *p, tags_in_t *in) {
  const uint32_t lines = p->size.sets * p->size.ways, from = prng_below(&p->prng, lines);
  for (uint32_t n = 0; n < lines; n++) {
    const uint32_t place = (from + n) % lines;
    if (!p->reserved[place]) continue;
    in->fill_valid_i = 1;
    in->fill_place_i = place;
    p->reserved[place] = false;
    tag_array_fill(p->array, place);
    return;
  }
}

static void cycle(pair_t *p, uint32_t now) {
  tags_in_t in = {.srst_ni = 1};
  tags_out_t o;
  if (p->valid[1]) decide(p, &in, now);
  if (prng_chance(&p->prng, now / 500 % 3 ? 400 : 60)) fill(p, &in);
  tags_comb(p->module, &in, &o);
  if (in.reserve_i) p->reserved[o.place_o] = true;
  p->line[1] = p->line[0];
  p->valid[1] = p->valid[0];
  in.look_valid_i = p->valid[0] = prng_chance(&p->prng, 850);
  in.look_line_i = some_line(p, now);
  if (p->valid[0]) p->line[0] = in.look_line_i;
  tags_edge(p->module, &in);
}

START_TEST(same_lines_and_victims) {
  pair_t p = make(arrays[_i / POLICIES], (uint32_t)_i % POLICIES);
  for (uint32_t now = 1; now <= CYCLES; now++) cycle(&p, now);
  for (int s = 0; s <= TAGS_ALL_RESERVED; s++) ck_assert_uint_gt(p.seen[s], 50);
  tags_destroy(p.module);
  tag_array_destroy(p.array);
}
END_TEST

Suite *test_tags_equal_suite(void);

Suite *test_tags_equal_suite(void) {
  Suite *s = suite_create("tags_equal");
  TCase *t = tcase_create("tags_equal");
  tcase_add_loop_test(t, same_lines_and_victims, 0, ARRAYS * POLICIES);
  suite_add_tcase(s, t);
  return s;
}
