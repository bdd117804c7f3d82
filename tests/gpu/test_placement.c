/* SPDX-License-Identifier: Apache-2.0 */
/* Where blocks go (BLOCK_PLACEMENT), and the sizes of replies, on a whole GPU. */
#include "gpu/gpu.h"
#include "workload/mini_help.h"

#include <check.h>
#include <string.h>

enum { SMS = 4, BLOCKS = 8 };

typedef struct {
  uint64_t insts[SMS]; /* warp instructions of each SM */
  icnt_stats_t reply, request;
  l1d_stats_t l1d;
} result_t;

static result_t run(const config_t *c) {
  const mini_op_t op[] = {{WARP_LOAD, true, UINT64_C(0x80000000), 128, 0, 4096},
                          {WARP_STORE, false, UINT64_C(0x90000000), 4, 0, 4096}};
  workload_t *w = mini_create(op, 2, 8, BLOCKS, 32);
  mrpb_err_t err = {{0}};
  gpu_setup_t s = {.cfg = c, .workload = w};
  gpu_t *g;
  result_t r;
  ck_assert_ptr_nonnull(w);
  ck_assert_msg(gpu_create(&g, &s, &err) == 0, "%s", err.text);
  ck_assert_msg(gpu_run(g, &err) == GPU_DONE, "%s", err.text);
  for (unsigned i = 0; i < SMS; i++) r.insts[i] = sm_stats(gpu_sm(g, i))->warp_insts;
  r.reply = gpu_icnt_stats(g, ICNT_REPLY);
  r.request = gpu_icnt_stats(g, ICNT_REQUEST);
  r.l1d = gpu_l1d_stats(g);
  gpu_destroy(g);
  workload_close(w);
  return r;
}

static config_t small(uint32_t placement) {
  config_t c;
  config_defaults(&c);
  c.sms = SMS;
  c.block_placement = placement;
  return c;
}

/* Eight blocks of 17 instructions on four SMs with room for eight each: two each, or all on one. */
START_TEST(spread_or_deep) {
  config_t c = small(CONFIG_PLACEMENT_ROUND_ROBIN);
  result_t r = run(&c);
  for (unsigned i = 0; i < SMS; i++) ck_assert_uint_eq(r.insts[i], 2 * 17);
  c = small(CONFIG_PLACEMENT_DEPTH_FIRST);
  r = run(&c);
  for (unsigned i = 0; i < SMS; i++) ck_assert_uint_eq(r.insts[i], i == 1 ? 8 * 17 : 0);
  c.blocks_per_sm = 5; /* the first SM is full, the next one in turn takes the rest */
  r = run(&c);
  ck_assert_uint_eq(r.insts[1], 5 * 17);
  ck_assert_uint_eq(r.insts[2], 3 * 17);
  ck_assert_uint_eq(r.insts[0] + r.insts[3], 0);
}
END_TEST

START_TEST(limit_of_blocks) {
  config_t c = small(CONFIG_PLACEMENT_ROUND_ROBIN);
  launch_t l = {.kernel = "k", .blocks = BLOCKS, .threads = 256, .regs = 20};
  ck_assert_uint_eq(sm_max_blocks(&c, &l), 2);
  c.block_placement = CONFIG_PLACEMENT_DEPTH_FIRST;
  ck_assert_uint_eq(sm_max_blocks(&c, &l), 6);
}
END_TEST

/* A reply is a header of 8 bytes, with a line behind it if it is a fill. */
START_TEST(bytes) {
  config_t c = small(CONFIG_PLACEMENT_ROUND_ROBIN);
  result_t r = run(&c);
  ck_assert_uint_gt(r.reply.read_packets, 0);
  ck_assert_uint_eq(r.reply.write_packets, BLOCKS * 8);
  ck_assert_uint_eq(r.reply.bytes, 8 * r.reply.packets + 128 * r.reply.read_packets);
  ck_assert_uint_eq(r.request.bytes, 8 * r.request.packets + 128 * r.request.write_packets);
  ck_assert_uint_eq(r.l1d.evict_none + r.l1d.evict_intra_warp + r.l1d.evict_cross_warp +
                        r.l1d.evict_cross_block,
                    r.l1d.misses);
}
END_TEST

Suite *test_placement_suite(void);

Suite *test_placement_suite(void) {
  Suite *s = suite_create("placement");
  TCase *t = tcase_create("placement");
  tcase_add_test(t, spread_or_deep);
  tcase_add_test(t, limit_of_blocks);
  tcase_add_test(t, bytes);
  suite_add_tcase(s, t);
  return s;
}
