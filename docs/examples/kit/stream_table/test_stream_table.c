/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of stream_table, worked out by hand from its page. */
#include "stream_table.h"

#include <check.h>
#include <stdlib.h>

static stream_table_out_t cycle(stream_table_t *m, stream_table_in_t in) {
  stream_table_out_t out;
  mrpb_err_t err = {""};
  in.srst_ni = 1;
  ck_assert_msg(stream_table_cycle(m, &in, &out, &err) == 0, "%s", err.text);
  return out;
}

#define ACCESS(line)                                                                               \
  (stream_table_in_t) {                                                                            \
    .acc_valid_i = 1, .acc_line_i = (line)                                                         \
  }

/* 5 begins a stream; 6 and 7 are its two hits; 8 asks for 8 + 3; 9 is lost, for nobody takes the first. */
START_TEST(prefetch) {
  stream_table_t *m;
  mrpb_err_t err = {""};
  ck_assert_int_eq(stream_table_create(&m, &(stream_table_cfg_t){2, 8, 2, 3}, &err), 0);
  ck_assert_uint_eq(cycle(m, ACCESS(5)).hit_o, 0);
  ck_assert_uint_eq(cycle(m, ACCESS(5)).repeat_o, 1);
  ck_assert_uint_eq(cycle(m, ACCESS(6)).hit_o, 1);
  ck_assert_uint_eq(cycle(m, ACCESS(7)).hit_o, 1);
  stream_table_out_t out = cycle(m, ACCESS(8));
  ck_assert_uint_eq(out.hit_o, 1);
  ck_assert_uint_eq(out.pf_valid_o, 0);
  out = cycle(m, ACCESS(9));
  ck_assert_uint_eq(out.pf_valid_o, 1);
  ck_assert_uint_eq(out.pf_line_o, 11);
  ck_assert_uint_eq(out.drop_o, 1);
  out = cycle(m, (stream_table_in_t){.acc_valid_i = 1, .acc_line_i = 10, .pf_ready_i = 1});
  ck_assert_uint_eq(out.drop_o, 0);
  ck_assert_uint_eq(cycle(m, (stream_table_in_t){.flush_i = 1}).pf_line_o, 13);
  ck_assert_uint_eq(cycle(m, ACCESS(11)).hit_o, 0);
  stream_table_destroy(m);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("stream_table");
  TCase *page = tcase_create("page");
  tcase_add_test(page, prefetch);
  suite_add_tcase(suite, page);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
