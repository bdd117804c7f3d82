/* SPDX-License-Identifier: Apache-2.0 */
/* A caller's own cores in place of the SMs: latencies, counts, another DRAM behind them, and what
 * is refused. */
#include "gpu/connect_help.h"

/* Core c reads or writes `n` lines, each as soon as there is room, and notes when each reply came. */
typedef struct {
  mrpb_gpu_t *gpu;
  unsigned n, sent[2], came[2];
  bool writes, again; /* again: the same line each time, one after the other */
  uint64_t now, sum, at[2][300], latency[2][300];
} cores_t;

static void cores_reply(void *ctx, uint32_t core, uint64_t id) {
  cores_t *c = ctx;
  ck_assert_uint_lt(core, 2);
  ck_assert_uint_lt(id, c->sent[core]);
  ck_assert_uint_eq(c->latency[core][id], 0);
  c->latency[core][id] = c->now - c->at[core][id];
  c->came[core]++;
}

static void cores_tick(void *ctx, uint64_t cycle) {
  cores_t *c = ctx;
  ck_assert_uint_eq(cycle, c->now++);
  for (uint32_t core = 0; core < 2; core++) {
    const unsigned i = c->sent[core];
    if (i == c->n || (c->again && c->came[core] < i)) continue;
    const mrpb_gpu_request_t r = {.id = i,
                                  .sm = core,
                                  .bytes = 128,
                                  .address = c->again ? core * 4096 : (2 * i + core) * 128,
                                  .is_write = c->writes};
    const int rc = mrpb_gpu_request(c->gpu, &r, NULL);
    ck_assert_int_ge(rc, 0);
    if (rc == 1) c->at[core][c->sent[core]++] = c->now;
  }
  if (c->came[0] == c->n && c->came[1] == c->n) mrpb_gpu_pause(c->gpu);
}

static void run_cores(cores_t *c, const mrpb_gpu_dram_t *dram) {
  const mrpb_gpu_cores_t f = {c, cores_reply, cores_tick};
  mrpb_gpu_t *g = c->gpu = create(NULL, 0);
  ck_assert_int_eq(mrpb_gpu_connect_cores(g, &f, NULL), 0);
  if (dram) ck_assert_int_eq(mrpb_gpu_connect_dram(g, dram, NULL), 0);
  ck_assert_int_eq(mrpb_gpu_step(g, 100000, NULL), MRPB_GPU_RUNNING);
  ck_assert_uint_lt(mrpb_gpu_cycles(g), 100000);
  ck_assert_uint_eq(count(g, c->writes ? "l2.writes" : "l2.reads"), 2 * c->n);
  ck_assert_uint_eq(count(g, "interconnect.replies.packets"), 2 * c->n);
  ck_assert_uint_eq(count(g, "sm.loads"), 0);
  c->sum = mrpb_gpu_cycles(g);
}

START_TEST(cores_in_front_of_the_memory) {
  static cores_t once = {.n = 3, .again = true}, many = {.n = 300}, also = {.n = 300},
                 writes = {.n = 300, .writes = true}, mine = {.n = 300};
  run_cores(&once, NULL);
  /* The first read goes to the DRAM, the others hit in the L2: at least its fixed delay, and alike. */
  ck_assert_uint_gt(once.latency[0][0], once.latency[0][1] + 100);
  ck_assert_uint_ge(once.latency[0][1], 120);
  ck_assert(once.latency[0][1] <= once.latency[0][2] + 3 &&
            once.latency[0][2] <= once.latency[0][1] + 3);
  ck_assert_uint_eq(count(once.gpu, "l2.read_misses"), 2);
  ck_assert_uint_eq(count(once.gpu, "dram.read_requests"), 2);
  run_cores(&many, NULL);
  run_cores(&also, NULL);
  ck_assert_uint_eq(many.sum, also.sum);
  ck_assert_mem_eq(many.latency, also.latency, sizeof many.latency);
  ck_assert_uint_eq(count(many.gpu, "dram.read_requests"), 600);
  run_cores(&writes, NULL);
  dram_t_ d = dram(64, 20);
  mrpb_gpu_dram_t m = functions;
  m.ctx = &d;
  run_cores(&mine, &m);
  ck_assert_uint_eq(d.reads, 1200);
  mrpb_gpu_destroy(once.gpu);
  mrpb_gpu_destroy(many.gpu);
  mrpb_gpu_destroy(also.gpu);
  mrpb_gpu_destroy(writes.gpu);
  mrpb_gpu_destroy(mine.gpu);
}
END_TEST

static void expect_refusal(mrpb_gpu_t *g, mrpb_gpu_request_t r, const char *part) {
  mrpb_err_t err = {{0}};
  ck_assert_int_eq(mrpb_gpu_request(g, &r, &err), -1);
  ck_assert_msg(strstr(err.text, part), "'%s' has no '%s'", err.text, part);
}

START_TEST(cores_errors) {
  static cores_t c = {.n = 0};
  const mrpb_gpu_cores_t f = {&c, cores_reply, NULL}, none = {0};
  mrpb_gpu_t *g = create(NULL, 0);
  ck_assert_int_eq(mrpb_gpu_connect_cores(g, &none, NULL), 0);
  expect_failure(g, "with `reply`");
  g = create("atax", 96);
  ck_assert_int_eq(mrpb_gpu_connect_cores(g, &f, NULL), -1);
  expect_refusal(g, (mrpb_gpu_request_t){.bytes = 32}, "after the first step");
  ck_assert_int_eq(mrpb_gpu_step(g, 1, NULL), MRPB_GPU_RUNNING);
  expect_refusal(g, (mrpb_gpu_request_t){.bytes = 32}, "of a core of yours");
  mrpb_gpu_destroy(g);
  g = create(NULL, 0);
  ck_assert_int_eq(mrpb_gpu_connect_cores(g, &f, NULL), 0);
  ck_assert_int_eq(mrpb_gpu_program(g, "atax", NULL, NULL), -1);
  ck_assert_int_eq(mrpb_gpu_step(g, 100000, NULL), MRPB_GPU_RUNNING); /* idle is no hang */
  ck_assert_uint_eq(mrpb_gpu_cycles(g), 100000);
  expect_refusal(g, (mrpb_gpu_request_t){.sm = 3, .bytes = 32}, "core 3; legal: 0 to 2");
  expect_refusal(g, (mrpb_gpu_request_t){.bytes = 48}, "48 bytes; legal: 32, 64 or 128");
  expect_refusal(g, (mrpb_gpu_request_t){.bytes = 64, .address = 32},
                 "a multiple of 64 below 2^49");
  mrpb_gpu_destroy(g);
}
END_TEST

Suite *test_gpu_cores_suite(void);

Suite *test_gpu_cores_suite(void) {
  Suite *s = suite_create("gpu_cores");
  TCase *c = tcase_create("all");
  tcase_add_test(c, cores_in_front_of_the_memory);
  tcase_add_test(c, cores_errors);
  suite_add_tcase(s, c);
  return s;
}
