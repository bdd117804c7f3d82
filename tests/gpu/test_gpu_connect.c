/* SPDX-License-Identifier: Apache-2.0 */
/* A caller's own DRAM behind the L2, memory behind the L1s, and instructions: what they are asked,
 * what results, and what is refused. */
#include "gpu/connect_help.h"

/* ---- a DRAM ------------------------------------------------------------------ */

static uint64_t cycles_with(dram_t_ *d) {
  mrpb_err_t err = {{0}};
  mrpb_gpu_dram_t m = functions;
  mrpb_gpu_t *g = create("atax", 96);
  m.ctx = d;
  ck_assert_int_eq(mrpb_gpu_connect_dram(g, &m, &err), 0);
  ck_assert_int_eq(mrpb_gpu_checked(g, &err), 0);
  run(g);
  ck_assert(!d->unaligned);
  ck_assert_uint_eq(d->reads, count(g, "dram.reads"));
  ck_assert_uint_eq(d->writes, count(g, "dram.writes"));
  /* Each request of the L2 is a line of 128 bytes. */
  ck_assert_uint_gt(d->reads, 0);
  ck_assert_uint_eq(d->reads, count(g, "dram.read_requests") * 128 / d->bytes);
  ck_assert_uint_eq(d->writes, count(g, "dram.write_requests") * 128 / d->bytes);
  ck_assert_uint_eq(d->now, count(g, "dram.channel_cycles"));
  const uint64_t cycles = mrpb_gpu_cycles(g);
  /* 575 MHz and 1.25 ns: 1.39 of its cycles in one of an SM. */
  ck_assert_double_eq_tol((double)d->now / (double)cycles, 1e9 / 1.25 / 575e6, 0.01);
  mrpb_gpu_destroy(g);
  return cycles;
}

START_TEST(dram_behind_the_l2) {
  dram_t_ fast = dram(64, 20), slow = dram(64, 200), small = dram(32, 20), narrow = dram(64, 20),
          shy = dram(64, 20);
  narrow.places = 2;
  shy.refuse = 3;
  const uint64_t quick = cycles_with(&fast);
  ck_assert_uint_gt(cycles_with(&slow), quick + 100);
  (void)cycles_with(&small);
  ck_assert_uint_eq(small.reads, 2 * fast.reads);
  ck_assert_uint_gt(cycles_with(&narrow), quick);
  (void)cycles_with(&shy);
  ck_assert_uint_eq(shy.reads, fast.reads);
  dram_t_ at_once = dram(32, 0);
  at_once.at_once = true;
  (void)cycles_with(&at_once);
  dram_t_ again = dram(64, 20);
  ck_assert_uint_eq(cycles_with(&again), quick);
}
END_TEST

static mrpb_gpu_t *with_dram(dram_t_ *d, mrpb_gpu_dram_t m) {
  mrpb_gpu_t *g = create("atax", 96);
  m.ctx = d;
  ck_assert_int_eq(mrpb_gpu_connect_dram(g, &m, NULL), 0);
  return g;
}

START_TEST(dram_errors) {
  dram_t_ d = dram(64, 20), none = dram(48, 20), still = dram(64, 20), twice = dram(64, 20);
  mrpb_gpu_dram_t m = functions;
  m.tick = NULL;
  expect_failure(with_dram(&d, m), "all six");
  expect_failure(with_dram(&none, functions), "transaction_bytes = 48");
  still.tck = 0;
  expect_failure(with_dram(&still, functions), "tck = 0 ns; legal: 0.1 to 100");
  twice.twice = true;
  expect_failure(with_dram(&twice, functions), "a read of 0x");
  mrpb_err_t err = {{0}};
  mrpb_gpu_t *g = with_dram(&d, functions);
  ck_assert_int_eq(mrpb_gpu_connect_dram(g, &functions, &err), -1);
  ck_assert_ptr_nonnull(strstr(err.text, "legal: one"));
  mrpb_gpu_destroy(g);
}
END_TEST

/* A DRAM that never answers is a hang, not the end of the world. */
START_TEST(dram_that_hangs) {
  dram_t_ d = dram(64, 1u << 30);
  mrpb_err_t err = {{0}};
  mrpb_gpu_t *g = with_dram(&d, functions);
  ck_assert_int_eq(mrpb_gpu_set(g, "HANG_CYCLES=10000", &err), 0);
  ck_assert_int_eq(mrpb_gpu_run(g, &err), MRPB_GPU_HANG);
  ck_assert_ptr_nonnull(strstr(err.text, "HANG_CYCLES = 10000"));
  mrpb_gpu_destroy(g);
}
END_TEST

/* ---- a memory ---------------------------------------------------------------- */

/* Answers after so many cycles; 0: before `accept` returns. */
typedef struct {
  mrpb_gpu_t *gpu;
  uint64_t latency, now, reads, writes, ticks, bytes;
  unsigned refuse, calls, wrong;
  struct {
    uint64_t id, at;
  } ring[4096];
  unsigned head, n;
} memory_t_;

static bool memory_accept(void *ctx, const mrpb_gpu_request_t *r) {
  memory_t_ *m = ctx;
  if (m->refuse && ++m->calls % m->refuse == 0) return false;
  *(r->is_write ? &m->writes : &m->reads) += 1;
  m->bytes += r->bytes;
  if (m->latency == 0) {
    ck_assert_int_eq(mrpb_gpu_reply(m->gpu, r->id, NULL), 0);
    ck_assert_int_eq(mrpb_gpu_reply(m->gpu, r->id, NULL), -1);
    return true;
  }
  ck_assert_uint_lt(m->n, 4096);
  const unsigned at = (m->head + m->n++) % 4096;
  m->ring[at].id = r->id;
  m->ring[at].at = m->now + m->latency;
  return true;
}

static void memory_tick(void *ctx, uint64_t cycle) {
  memory_t_ *m = ctx;
  mrpb_err_t err = {{0}};
  ck_assert_uint_eq(cycle, m->ticks++);
  for (m->now = cycle; m->n > 0 && m->ring[m->head].at <= cycle; m->n--) {
    ck_assert_msg(mrpb_gpu_reply(m->gpu, m->ring[m->head].id, &err) == 0, "%s", err.text);
    if (mrpb_gpu_reply(m->gpu, m->ring[m->head].id, NULL) != -1) m->wrong++;
    m->head = (m->head + 1) % 4096;
  }
}

static uint64_t cycles_behind_l1(memory_t_ *m) {
  const mrpb_gpu_memory_t f = {m, memory_accept, memory_tick};
  mrpb_gpu_t *g = m->gpu = create("atax", 96);
  ck_assert_int_eq(mrpb_gpu_connect_memory(g, &f, NULL), 0);
  run(g);
  ck_assert_uint_eq(m->wrong, 0);
  ck_assert_uint_gt(m->reads, 0);
  ck_assert_uint_gt(m->writes, 0);
  ck_assert_uint_eq(m->n, 0);
  ck_assert_uint_eq(m->reads, count(g, "interconnect.requests.reads"));
  ck_assert_uint_eq(m->writes, count(g, "interconnect.requests.writes"));
  ck_assert_uint_eq(m->reads + m->writes, count(g, "interconnect.replies.packets"));
  ck_assert_uint_eq(count(g, "l2.reads") + count(g, "dram.requests"), 0);
  const uint64_t cycles = mrpb_gpu_cycles(g);
  mrpb_gpu_destroy(g);
  return cycles;
}

START_TEST(memory_behind_the_l1) {
  memory_t_ at_once = {.latency = 0}, one = {.latency = 1}, slow = {.latency = 200},
            shy = {.latency = 1, .refuse = 2};
  const uint64_t next = cycles_behind_l1(&one);
  (void)cycles_behind_l1(&at_once);
  ck_assert_uint_gt(cycles_behind_l1(&slow), next + 200);
  ck_assert_uint_gt(cycles_behind_l1(&shy), next);
}
END_TEST

START_TEST(memory_errors) {
  mrpb_gpu_memory_t none = {0};
  mrpb_gpu_t *g = create("atax", 96);
  ck_assert_int_eq(mrpb_gpu_connect_memory(g, &none, NULL), 0);
  expect_failure(g, "accept is NULL");
  memory_t_ m = {.latency = 1};
  const mrpb_gpu_memory_t f = {&m, memory_accept, memory_tick};
  g = create("atax", 96);
  ck_assert_int_eq(mrpb_gpu_connect_memory(g, &f, NULL), 0);
  ck_assert_int_eq(mrpb_gpu_checked(g, NULL), 0);
  expect_failure(g, "checking needs the GPU's own L2");
}
END_TEST

/* ---- instructions ------------------------------------------------------------ */

/* Two blocks of 40 threads, so four warps, two of them of 8 lanes. Each reads four words of 4 bytes a lane,
 * of lines that follow each other, each into a register of its own, waits for all of them, meets the other warp of its
 * block, and writes one. */
typedef struct {
  unsigned launches, at[2][2];
  const mrpb_gpu_inst_t *bad; /* in the place of the first instruction */
} work_t;

static bool work_launch(void *ctx, mrpb_gpu_grid_t *g) {
  work_t *w = ctx;
  *g = (mrpb_gpu_grid_t){.kernel = "work", .blocks = 2, .threads = 40, .regs = 16};
  memset(w->at, 0, sizeof w->at);
  return w->launches-- > 0;
}

static bool work_next(void *ctx, uint32_t block, uint32_t warp, mrpb_gpu_inst_t *i) {
  work_t *w = ctx;
  const unsigned n = w->at[block][warp]++;
  if (n == 0 && w->bad) {
    *i = *w->bad;
    return true;
  }
  i->lanes = warp ? 0xff : 0xffffffff;
  for (unsigned l = 0; l < 32; l++)
    i->address[l] = 0x80000000 + 0x10000 * block + 0x8000 * warp + 128 * n + 4 * l;
  i->bytes = 4;
  if (n < 4) {
    i->kind = MRPB_GPU_LOAD;
    i->dst = (uint16_t)(1 + n);
  } else if (n == 4) {
    i->kind = MRPB_GPU_ALU;
    i->dst = 9;
    for (unsigned k = 0; k < 4; k++) i->src[k] = (uint16_t)(1 + k);
  } else if (n == 5) {
    i->kind = MRPB_GPU_BARRIER;
  } else {
    i->kind = MRPB_GPU_STORE;
    i->src[0] = 9;
  }
  return n < 7;
}

START_TEST(instructions_of_the_caller) {
  work_t w = {.launches = 2};
  const mrpb_gpu_stream_t s = {&w, work_launch, work_next};
  mrpb_gpu_t *g = create(NULL, 0);
  ck_assert_int_eq(mrpb_gpu_set(g, "SMS=1", NULL), 0);
  ck_assert_int_eq(mrpb_gpu_stream(g, &s, NULL), 0);
  ck_assert_int_eq(mrpb_gpu_checked(g, NULL), 0);
  run(g);
  /* Of each warp 4 loads, 1 ALU, 1 barrier, 1 store, 1 exit; 32 lanes or 8. */
  ck_assert_uint_eq(count(g, "warp_instructions"), 2 * 4 * 8);
  ck_assert_uint_eq(count(g, "thread_instructions"), 2 * 2 * 8 * 40);
  ck_assert_uint_eq(count(g, "sm.loads"), 2 * 16);
  ck_assert_uint_eq(count(g, "sm.load_transactions"), 2 * 16);
  ck_assert_uint_eq(count(g, "sm.stores"), 2 * 4);
  /* Nothing is cached twice in the first launch: 16 lines, and all are there in the second. */
  ck_assert_uint_eq(count(g, "l1d.misses"), 16);
  ck_assert_uint_eq(count(g, "l1d.hits"), 16);
  mrpb_gpu_destroy(g);
}
END_TEST

START_TEST(instructions_refused) {
  static const struct {
    mrpb_gpu_inst_t inst;
    const char *part;
  } c[] = {{{.kind = (mrpb_gpu_kind_t)7}, "kind = 0x7"},
           {{.kind = MRPB_GPU_LOAD, .lanes = 1, .bytes = 3}, "bytes = 0x3"},
           {{.kind = MRPB_GPU_LOAD, .lanes = 1, .bytes = 4, .address = {2}}, "address = 0x2"},
           {{.kind = MRPB_GPU_STORE, .lanes = 2, .bytes = 1, .address = {0, UINT64_C(1) << 49}},
            "address = 0x2000000000000"},
           {{.latency = 501}, "latency or interval = 0x1f5"},
           {{.dst = 1024}, "dst = 0x400"},
           {{.src = {0, 0, 0, 2000}}, "src = 0x7d0"}};
  for (unsigned i = 0; i < sizeof c / sizeof *c; i++) {
    work_t w = {.launches = 1, .bad = &c[i].inst};
    const mrpb_gpu_stream_t s = {&w, work_launch, work_next};
    mrpb_gpu_t *g = create(NULL, 0);
    ck_assert_int_eq(mrpb_gpu_stream(g, &s, NULL), 0);
    expect_failure(g, c[i].part);
  }
  mrpb_gpu_t *g = create(NULL, 0);
  ck_assert_int_eq(mrpb_gpu_stream(g, &(mrpb_gpu_stream_t){0}, NULL), -1);
  mrpb_gpu_destroy(g);
}
END_TEST

/* Answered and refused: in a run that is over before anybody looks around. */
static bool both_accept(void *ctx, const mrpb_gpu_request_t *r) {
  ck_assert_int_eq(mrpb_gpu_reply(*(mrpb_gpu_t **)ctx, r->id, NULL), 0);
  return false;
}

START_TEST(late_fault) {
  work_t w = {.launches = 1};
  const mrpb_gpu_stream_t s = {&w, work_launch, work_next};
  mrpb_gpu_t *g = create(NULL, 0);
  const mrpb_gpu_memory_t f = {&g, both_accept, NULL};
  ck_assert_int_eq(mrpb_gpu_stream(g, &s, NULL), 0);
  ck_assert_int_eq(mrpb_gpu_connect_memory(g, &f, NULL), 0);
  expect_failure(g, "is both refused and answered");
}
END_TEST

/* ---- pause ------------------------------------------------------------------- */

typedef struct {
  memory_t_ memory;
  uint64_t seen;
} watch_t;

static bool watch_accept(void *ctx, const mrpb_gpu_request_t *r) {
  watch_t *w = ctx;
  if (w->seen++ == 10) mrpb_gpu_pause(w->memory.gpu);
  return memory_accept(&w->memory, r);
}

static void watch_tick(void *ctx, uint64_t cycle) {
  memory_tick(&((watch_t *)ctx)->memory, cycle);
}

START_TEST(pause_at_an_event) {
  watch_t w = {.memory = {.latency = 30}};
  memory_t_ plain = {.latency = 30};
  const mrpb_gpu_memory_t f = {&w, watch_accept, watch_tick};
  const uint64_t cycles = cycles_behind_l1(&plain);
  mrpb_gpu_t *g = w.memory.gpu = create("atax", 96);
  ck_assert_int_eq(mrpb_gpu_connect_memory(g, &f, NULL), 0);
  ck_assert_int_eq(mrpb_gpu_run(g, NULL), MRPB_GPU_RUNNING);
  ck_assert(w.seen >= 11 && w.seen <= 13); /* the other SMs have theirs in the same cycle */
  run(g);
  ck_assert_uint_eq(mrpb_gpu_cycles(g), cycles);
  mrpb_gpu_destroy(g);
}
END_TEST

Suite *test_gpu_connect_suite(void);

Suite *test_gpu_connect_suite(void) {
  Suite *s = suite_create("gpu_connect");
  TCase *c = tcase_create("all");
  tcase_add_test(c, dram_behind_the_l2);
  tcase_add_test(c, dram_errors);
  tcase_add_test(c, dram_that_hangs);
  tcase_add_test(c, memory_behind_the_l1);
  tcase_add_test(c, memory_errors);
  tcase_add_test(c, instructions_of_the_caller);
  tcase_add_test(c, instructions_refused);
  tcase_add_test(c, late_fault);
  tcase_add_test(c, pause_at_an_event);
  suite_add_tcase(s, c);
  return s;
}
