/* SPDX-License-Identifier: Apache-2.0 */
/* The beats of two AXI reads: mixed, or those of a read together. */
#include "verify/path/model.h"

#include <check.h>
#include <stdlib.h>

Suite *test_path_mixed_suite(void);

static path_model_t *start(unsigned mixed) {
  path_cfg_t cfg;
  const path_has_t has = {.axi = true, .axi_ready = true, .r_ready = true};
  path_model_t *m = calloc(1, sizeof *m);
  ck_assert_ptr_nonnull(m);
  module_defaults(&path_class, (uint32_t *)&cfg);
  cfg.MIXED = mixed;
  path_model_start(m, &cfg, &has, 0, 1);
  return m;
}

/* Asks for two beats of a line, or for none with beats 0; memory wants to answer `id`. Returns the
 * number of the beat that it offers. */
static uint64_t cycle(path_model_t *m, unsigned asked, unsigned beats, unsigned id) {
  path_in_t in = {.srst_ni = 1, .ar_ready_i = 1, .aw_ready_i = 1, .w_ready_i = 1};
  path_out_t out = {.r_ready_o = 1};
  out.ar_valid_o = beats > 0;
  out.ar_addr_o = 0x10 * asked;
  out.ar_id_o = asked;
  out.ar_len_o = beats ? beats - 1 : 0;
  out.ar_size_o = 3;
  out.ar_burst_o = 1;
  in.r_valid_i = id > 0;
  in.r_id_i = id;
  path_model_legal(m, &in);
  ck_assert(path_model_cycle(m, &in, &out));
  return in.r_id_i;
}

START_TEST(test_mixed) {
  path_model_t *m = start((unsigned)_i);
  cycle(m, 1, 2, 0);
  cycle(m, 2, 2, 0);
  ck_assert_uint_eq(cycle(m, 0, 0, 2), 2);          /* the younger one begins */
  ck_assert_uint_eq(cycle(m, 0, 0, 1), _i ? 1 : 2); /* and ends first without MIXED */
  ck_assert_uint_eq(m->seen.withheld[PATH_WITHHELD_MIXED], !_i);
  ck_assert_uint_eq(cycle(m, 0, 0, 1), 1);
  free(m);
}
END_TEST

Suite *test_path_mixed_suite(void) {
  Suite *s = suite_create("path_mixed");
  TCase *tc = tcase_create("beats");
  tcase_add_loop_test(tc, test_mixed, 0, 2);
  suite_add_tcase(s, tc);
  return s;
}
