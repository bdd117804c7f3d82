/* SPDX-License-Identifier: Apache-2.0 */
/* queue_selector against its page: only the signature, modulo QUEUES, selects the queue; no other
 * input does. */
#include "queue_selector.h"

#include <check.h>
#include <string.h>

static queue_selector_t *make(uint32_t queues, uint32_t signature) {
  queue_selector_t *self = NULL;
  queue_selector_cfg_t cfg = {.QUEUES = queues, .SIGNATURE = signature};
  ck_assert_int_eq(queue_selector_create(&self, &cfg, NULL), 0);
  return self;
}

/* v mod m without the operator: what is left after taking m away as often as it goes. */
static uint64_t rest(uint64_t v, uint64_t m) {
  while (v >= m) v -= m;
  return v;
}

START_TEST(every_size) {
  uint32_t queues = (uint32_t)_i;
  for (uint32_t signature = 0; signature < 3; signature++) {
    queue_selector_t *self = make(queues, signature);
    for (uint64_t v = 0; v < 64; v++)
      for (uint64_t other = 0; other < 64; other += 7) {
        queue_selector_in_t in = {.warp_i = other, .block_i = other, .block_warp_i = 63 - other};
        queue_selector_out_t out = {.queue_o = 99};
        if (signature == 0) in.block_i = v;
        if (signature == 1) in.warp_i = v;
        if (signature == 2) in.block_warp_i = v;
        queue_selector_comb(self, &in, &out);
        if (out.queue_o != rest(v, queues))
          ck_abort_msg("SIGNATURE %u, %u queues: %u -> %u", signature, queues, (unsigned)v,
                       (unsigned)out.queue_o);
      }
    queue_selector_destroy(self);
  }
}
END_TEST

/* With 48, 8 and 32 queues the three signatures of the paper map one to one. */
START_TEST(one_to_one) {
  static const uint32_t queues[] = {8, 48, 32};
  for (uint32_t signature = 0; signature < 3; signature++) {
    queue_selector_t *self = make(queues[signature], signature);
    for (uint64_t v = 0; v < queues[signature]; v++) {
      queue_selector_in_t in = {.warp_i = v, .block_i = v, .block_warp_i = v};
      queue_selector_out_t out = {0};
      queue_selector_comb(self, &in, &out);
      ck_assert_uint_eq(out.queue_o, v);
    }
    queue_selector_destroy(self);
  }
}
END_TEST

START_TEST(illegal_sizes) {
  static const queue_selector_cfg_t bad[] = {{0, 1}, {65, 1}, {48, 3}};
  static const char *const says[] = {"ERROR_queue_selector_QUEUES_must_be_1_to_64",
                                     "ERROR_queue_selector_QUEUES_must_be_1_to_64",
                                     "ERROR_queue_selector_SIGNATURE_must_be_0_to_2"};
  for (unsigned i = 0; i < 3; i++) {
    mrpb_err_t err = {""};
    queue_selector_t *self = NULL;
    ck_assert_int_eq(queue_selector_create(&self, &bad[i], &err), -1);
    ck_assert_ptr_null(self);
    ck_assert_ptr_nonnull(strstr(err.text, says[i]));
  }
}
END_TEST

Suite *test_queue_selector_suite(void);
Suite *test_queue_selector_suite(void) {
  Suite *suite = suite_create("queue_selector");
  TCase *tc = tcase_create("all");
  tcase_add_loop_test(tc, every_size, 1, 65);
  tcase_add_test(tc, one_to_one);
  tcase_add_test(tc, illegal_sizes);
  suite_add_tcase(suite, tc);
  return suite;
}
