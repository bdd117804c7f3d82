/* SPDX-License-Identifier: Apache-2.0 */
/* Cases of write_buffer, worked out by hand from its page. */
#include "write_buffer.h"

#include <check.h>
#include <stdlib.h>

static write_buffer_out_t cycle(write_buffer_t *m, write_buffer_in_t in) {
  write_buffer_out_t out;
  mrpb_err_t err = {""};
  in.srst_ni = 1;
  ck_assert_msg(write_buffer_cycle(m, &in, &out, &err) == 0, "%s", err.text);
  return out;
}

#define WRITE(a, m, d) .wr_valid_i = 1, .wr_addr_i = (a), .wr_mask_i = (m), .wr_data_i = (d)

/* Line 1 is offered and does not merge; line 2 waits and does; the youngest bytes are read. */
START_TEST(merge) {
  write_buffer_t *m;
  mrpb_err_t err = {""};
  ck_assert_int_eq(write_buffer_create(&m, &(write_buffer_cfg_t){2, 4, 2}, &err), 0);
  ck_assert_uint_eq(cycle(m, (write_buffer_in_t){WRITE(1, 1, 0xaabb)}).wr_merge_o, 0);
  ck_assert_uint_eq(cycle(m, (write_buffer_in_t){WRITE(1, 2, 0xccdd)}).wr_merge_o, 0);
  write_buffer_out_t out = cycle(m, (write_buffer_in_t){WRITE(1, 2, 0xeeff), .rd_addr_i = 1});
  ck_assert_uint_eq(out.wr_merge_o, 1);
  ck_assert_uint_eq(out.rd_mask_o, 3);
  ck_assert_uint_eq(out.rd_data_o, 0xccbb);
  out = cycle(m, (write_buffer_in_t){WRITE(2, 3, 0), .rd_addr_i = 1, .out_ready_i = 1});
  ck_assert_uint_eq(out.wr_ready_o, 0);
  ck_assert_uint_eq(out.rd_data_o, 0xeebb);
  ck_assert_uint_eq(out.out_data_o, 0x00bb);
  out = cycle(m, (write_buffer_in_t){.out_ready_i = 1});
  ck_assert_uint_eq(out.out_mask_o, 2);
  ck_assert_uint_eq(out.out_data_o, 0xee00);
  ck_assert_uint_eq(cycle(m, (write_buffer_in_t){.out_ready_i = 1}).out_valid_o, 0);
  write_buffer_destroy(m);
}
END_TEST

int main(void) {
  Suite *suite = suite_create("write_buffer");
  TCase *page = tcase_create("page");
  tcase_add_test(page, merge);
  suite_add_tcase(suite, page);
  SRunner *runner = srunner_create(suite);
  srunner_run_all(runner, CK_NORMAL);
  int failed = srunner_ntests_failed(runner);
  srunner_free(runner);
  return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
