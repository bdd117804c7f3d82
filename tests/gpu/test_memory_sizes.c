/* SPDX-License-Identifier: Apache-2.0 */
/* Interconnect, L2 slice and DRAM channel: each illegal size is refused by name. */
#include "gpu/dram/dram.h"
#include "gpu/icnt/icnt.h"
#include "gpu/l2/l2.h"

#include <check.h>
#include <stddef.h>
#include <string.h>

Suite *test_memory_sizes_suite(void);

typedef enum { ICNT, L2, DRAM } part_t;

static const struct {
  part_t part;
  size_t at; /* of the field in the part's configuration */
  uint32_t value;
  const char *name;
} bad[] = {
    {ICNT, offsetof(icnt_cfg_t, sms), 0, "sms"},
    {ICNT, offsetof(icnt_cfg_t, sms), 257, "sms"},
    {ICNT, offsetof(icnt_cfg_t, partitions), 33, "partitions"},
    {ICNT, offsetof(icnt_cfg_t, flit_bytes), 24, "flit_bytes"},
    {ICNT, offsetof(icnt_cfg_t, inject_flits), 4, "inject_flits"},
    {ICNT, offsetof(icnt_cfg_t, boundary_flits), 4, "boundary_flits"},
    {ICNT, offsetof(icnt_cfg_t, vc_flits), 0, "vc_flits"},
    {ICNT, offsetof(icnt_cfg_t, eject_flits), 257, "eject_flits"},
    {ICNT, offsetof(icnt_cfg_t, double_drain), 2, "double_drain"},
    {L2, offsetof(l2_cfg_t, sets), 48, "sets"},
    {L2, offsetof(l2_cfg_t, ways), 0, "ways"},
    {L2, offsetof(l2_cfg_t, line_bytes), 96, "line_bytes"},
    {L2, offsetof(l2_cfg_t, mshr_entries), 257, "mshr_entries"},
    {L2, offsetof(l2_cfg_t, mshr_merges), 0, "mshr_merges"},
    {L2, offsetof(l2_cfg_t, miss_queue), 2, "miss_queue"},
    {L2, offsetof(l2_cfg_t, l2_dram_queue), 0, "l2_dram_queue"},
    {L2, offsetof(l2_cfg_t, rop_latency), 100001, "rop_latency"},
    {DRAM, offsetof(dram_cfg_t, banks), 12, "banks"},
    {DRAM, offsetof(dram_cfg_t, banks), 128, "banks"},
    {DRAM, offsetof(dram_cfg_t, bank_groups), 32, "bank_groups"},
    {DRAM, offsetof(dram_cfg_t, tRCD), 4, "tRCD"},
    {DRAM, offsetof(dram_cfg_t, tWL), 13, "tWL"},
    {DRAM, offsetof(dram_cfg_t, tCL), 0, "tCL"},
    {DRAM, offsetof(dram_cfg_t, burst), 6, "burst"},
    {DRAM, offsetof(dram_cfg_t, chips), 17, "chips"},
    {DRAM, offsetof(dram_cfg_t, sched_queue), 0, "sched_queue"},
    {DRAM, offsetof(dram_cfg_t, return_queue), 0, "return_queue"},
    {DRAM, offsetof(dram_cfg_t, row_bits), 33, "row_bits"},
};

static void change(void *cfg, size_t at, uint32_t value) {
  memcpy((char *)cfg + at, &value, sizeof value);
}

static int create_icnt(size_t at, uint32_t value, mrpb_err_t *err) {
  icnt_cfg_t cfg;
  icnt_t *made;
  icnt_defaults(&cfg);
  change(&cfg, at, value);
  int rc = icnt_create(&made, &cfg, err);
  ck_assert_ptr_null(made);
  return rc;
}

static int create_l2(size_t at, uint32_t value, mrpb_err_t *err) {
  l2_cfg_t cfg;
  l2_t *made;
  packet_map_t map = {6, 8};
  l2_defaults(&cfg);
  change(&cfg, at, value);
  return l2_create(&made, &cfg, 0, &map, NULL, err);
}

static int create_dram(size_t at, uint32_t value, mrpb_err_t *err) {
  dram_cfg_t cfg;
  dram_t *made;
  dram_defaults(&cfg);
  change(&cfg, at, value);
  int rc = dram_create(&made, &cfg, NULL, err);
  ck_assert_ptr_null(made);
  return rc;
}

START_TEST(illegal_sizes_are_refused_by_name) {
  static int (*const create[])(size_t, uint32_t, mrpb_err_t *) = {create_icnt, create_l2,
                                                                  create_dram};
  mrpb_err_t err = {{0}};
  ck_assert_int_eq(create[bad[_i].part](bad[_i].at, bad[_i].value, &err), -1);
  ck_assert_msg(strstr(err.text, bad[_i].name), "%s", err.text);
}
END_TEST

/* The keys' values are the parts': the defaults, and one key of each that is not beside its own field
 * in any order. */
START_TEST(parts_follow_their_keys) {
  config_t c;
  config_defaults(&c);
  icnt_cfg_t i = icnt_configured(&c), icnt;
  l2_cfg_t l = l2_configured(&c), l2;
  dram_cfg_t d = dram_configured(&c), dram;
  icnt_defaults(&icnt);
  l2_defaults(&l2);
  dram_defaults(&dram);
  ck_assert_mem_eq(&i, &icnt, sizeof i);
  ck_assert_mem_eq(&l, &l2, sizeof l);
  ck_assert_mem_eq(&d, &dram, sizeof d);
  c.l2_slices = 5;
  c.l2_out_queue = 77;
  c.dram_groups = 8;
  i = icnt_configured(&c);
  l = l2_configured(&c);
  d = dram_configured(&c);
  icnt.partitions = 5;
  l2.l2_icnt_queue = 77;
  dram.bank_groups = 8;
  ck_assert_mem_eq(&i, &icnt, sizeof i);
  ck_assert_mem_eq(&l, &l2, sizeof l);
  ck_assert_mem_eq(&d, &dram, sizeof d);
}
END_TEST

Suite *test_memory_sizes_suite(void) {
  Suite *s = suite_create("memory_sizes");
  TCase *t = tcase_create("sizes");
  tcase_add_loop_test(t, illegal_sizes_are_refused_by_name, 0, sizeof bad / sizeof *bad);
  tcase_add_test(t, parts_follow_their_keys);
  suite_add_tcase(s, t);
  return s;
}
