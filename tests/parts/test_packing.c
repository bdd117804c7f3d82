/* SPDX-License-Identifier: Apache-2.0 */
/* Offsets, checked bit by bit; occupancy, checked by placing blocks one after another into an
 * SM. */
#include "parts/occupancy.h"
#include "parts/offsets.h"
#include "prng.h"

#include <check.h>

START_TEST(offsets_lie_side_by_side) {
  prng_t rng = prng_seed((uint64_t)_i, 0);
  uint8_t offset[OFFSETS_LANES];
  uint64_t packed[OFFSETS_WORDS];
  uint32_t lanes = (uint32_t)prng_next(&rng);
  if (_i < 2) lanes = _i ? UINT32_MAX : 0;
  for (unsigned l = 0; l < OFFSETS_LANES; l++) offset[l] = (uint8_t)prng_below(&rng, 128);
  offsets_pack(packed, offset, lanes);
  for (unsigned b = 0; b < 64 * OFFSETS_WORDS; b++) {
    unsigned lane = b / OFFSETS_W, bit = b % OFFSETS_W;
    unsigned set = lane < 32 ? lanes >> lane & 1 : 0,
             want = set & (unsigned)offset[lane % 32] >> bit;
    ck_assert_msg((packed[b / 64] >> b % 64 & 1) == want, "bit %u of lanes %08x", b, lanes);
  }
}
END_TEST

/* As many as fit when they are put in one by one. */
static uint32_t counted(const occupancy_sm_t *sm, uint32_t threads, uint32_t regs,
                        uint32_t shared) {
  uint32_t warps = (threads + 31) / 32, unit = sm->register_unit;
  uint32_t each = (regs + unit - 1) / unit * unit, n = 0, room = UINT32_MAX;
  if (each) room = sm->registers / each / sm->thread_unit * sm->thread_unit;
  while (n < sm->blocks && (n + 1) * warps <= sm->warps && (n + 1) * warps * 32 <= room &&
         (n + 1) * shared <= sm->shared)
    n++;
  return n;
}

START_TEST(blocks_fit_as_counted) {
  prng_t rng = prng_seed((uint64_t)_i, 1);
  for (unsigned k = 0; k < 1000; k++) {
    const occupancy_sm_t sm = {.warps = 1 + prng_below(&rng, 64),
                               .blocks = 1 + prng_below(&rng, 32),
                               .registers = 1024 + prng_below(&rng, 65536),
                               .register_unit = 1 + prng_below(&rng, 8),
                               .thread_unit = 1 + prng_below(&rng, 256),
                               .shared = prng_below(&rng, 65536)};
    uint32_t threads = 1 + prng_below(&rng, 1024), regs = prng_below(&rng, 64);
    uint32_t shared = prng_below(&rng, 2) ? prng_below(&rng, 16384) : 0;
    ck_assert_uint_eq(occupancy_blocks(&sm, threads, regs, shared),
                      counted(&sm, threads, regs, shared));
  }
}
END_TEST

Suite *test_packing_suite(void);
Suite *test_packing_suite(void) {
  Suite *s = suite_create("packing");
  TCase *t = tcase_create("packing");
  tcase_add_loop_test(t, offsets_lie_side_by_side, 0, 50);
  tcase_add_loop_test(t, blocks_fit_as_counted, 0, 5);
  suite_add_tcase(s, t);
  return s;
}
