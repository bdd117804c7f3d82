/* SPDX-License-Identifier: Apache-2.0 */
/* mrpb against its page: directed cases, and random traffic against one list of timed requests. */
#include "mrpb.h"
#include "prng.h"
#include <check.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { READ = 0, WRITE = 1, BARRIER = 2, NUMBERED = 30000 };
enum { TAKEN = 0, ASSOC = 1, OTHER = 2, NOT_LOOKED_AT = 3 };

/* QUEUES, DEPTH, DATA_W, BLOCKS, SIGNATURE, POLICY, FLUSH, LATENCY, BYPASS, ANSWER, PARITY */
static const mrpb_cfg_t defaults = {48, 8, 51, 8, 1, 0, 1, 5, 2, 0, 0};

typedef struct {
  mrpb_t *self;
  mrpb_cfg_t cfg;
  mrpb_in_t in;
  mrpb_out_t out;
} bench_t;

static bench_t make(mrpb_cfg_t cfg) {
  bench_t b = {.cfg = cfg, .in = {.srst_ni = 1, .l1_answer_i = NOT_LOOKED_AT}};
  ck_assert_int_eq(mrpb_create(&b.self, &cfg, NULL), 0);
  return b;
}

/* The cycle is put together by offer and answer (else the L1 does not look), then run by step. */
static bench_t *offer(bench_t *b, uint64_t kind, uint64_t warp, uint64_t block, uint64_t data) {
  b->in.in_valid_i = 1;
  b->in.in_kind_i = kind;
  b->in.in_warp_i = warp;
  b->in.in_block_i = block;
  b->in.in_data_i = data;
  return b;
}

static bench_t *answer(bench_t *b, uint64_t l1) {
  b->in.l1_answer_i = l1;
  return b;
}

static const mrpb_out_t *step(bench_t *b) {
  memset(&b->out, 0xff, sizeof b->out);
  mrpb_comb(b->self, &b->in, &b->out);
  mrpb_edge(b->self, &b->in);
  b->in = (mrpb_in_t){.srst_ni = 1, .l1_answer_i = NOT_LOOKED_AT};
  return &b->out;
}

/* A request is presented in the LATENCY-th cycle after its acceptance, whatever the policy. */
START_TEST(latency) {
  mrpb_cfg_t cfg = defaults;
  cfg.LATENCY = (uint32_t)_i;
  for (cfg.POLICY = 0; cfg.POLICY < 6; cfg.POLICY++) {
    bench_t b = make(cfg);
    ck_assert_uint_eq(step(offer(&b, READ, 7, 1, 1234))->in_ready_o, 1);
    for (uint32_t t = 1; t < cfg.LATENCY; t++) {
      ck_assert_uint_eq(step(answer(&b, TAKEN))->out_valid_o, 0);
      ck_assert(b.out.held_o == 1 && b.out.out_data_o == 0 && b.out.out_warp_o == 0);
    }
    step(answer(&b, TAKEN));
    ck_assert(b.out.out_valid_o == 1 && b.out.out_write_o == 0 && b.out.out_warp_o == 7);
    ck_assert(b.out.out_block_o == 1 && b.out.out_data_o == 1234 && b.out.held_o == 1);
    step(&b);
    ck_assert(b.out.out_valid_o == 0 && b.out.out_data_o == 0 && b.out.held_o == 0);
    mrpb_destroy(b.self);
  }
}
END_TEST

/* LATENCY 3, as the page draws it: store, line stage 0, selectable, out_valid_o. */
START_TEST(latency_stages) {
  mrpb_cfg_t cfg = defaults;
  cfg.LATENCY = 3, cfg.FLUSH = 0;
  bench_t b = make(cfg);
  const mrpb_regs_t *r = mrpb_regs(b.self);
  module_reg_t regs[MODULE_MAX_REGS];
  mrpb_class.regs(b.self, regs);
  const uint64_t *empty = NULL, *drainable = NULL;
  for (unsigned i = 0; i < mrpb_class.n_regs; i++) {
    if (strcmp(regs[i].name, "u_drain_selector.nonempty_q") == 0) drainable = regs[i].data;
    if (strcmp(regs[i].name, "u_fifo_bank.empty_q") == 0) empty = regs[i].data;
  }
  const uint64_t none = bits_mask(48), q9 = UINT64_C(1) << 9;
  step(offer(&b, WRITE, 9, 0, 5));
  ck_assert(*drainable == 0 && *empty == none - q9 && r->line_valid_q && r->line_queue_q[0] == 9);
  step(&b);
  ck_assert(*drainable == q9 && r->line_valid_q == 0 && r->line_queue_q[0] == 0);
  step(&b);
  ck_assert(*empty == none && *drainable == 0 && r->out_valid_q == 1 && r->out_stored_q == 1);
  ck_assert(step(&b)->out_write_o && b.out.out_warp_o == 9 && b.out.out_data_o == 5);
  mrpb_destroy(b.self);
}
END_TEST

/* One request in and one out in every cycle, once the first has come through. */
START_TEST(steady_state) {
  mrpb_cfg_t cfg = defaults;
  cfg.POLICY = (uint32_t)_i;
  for (cfg.LATENCY = 3; cfg.LATENCY <= 18; cfg.LATENCY += 5) {
    bench_t b = make(cfg);
    for (uint32_t t = 0; t < 1000; t++) {
      step(answer(offer(&b, READ, t % 48, t % 48 / 8, t), TAKEN));
      ck_assert_uint_eq(b.out.in_ready_o, 1);
      ck_assert_uint_eq(b.out.out_valid_o, t >= cfg.LATENCY);
      ck_assert_uint_eq(b.out.held_o, t < cfg.LATENCY ? t : cfg.LATENCY);
    }
    mrpb_destroy(b.self);
  }
}
END_TEST

/* A write with an empty queue is presented in the next cycle, and goes before any drain. */
START_TEST(write_passes) {
  bench_t b = make(defaults);
  ck_assert_uint_eq(step(offer(&b, WRITE, 3, 2, 33))->in_ready_o, 1);
  step(offer(&b, READ, 4, 2, 44));
  ck_assert(b.out.out_valid_o == 1 && b.out.out_write_o == 1 && b.out.out_warp_o == 3);
  ck_assert(b.out.out_block_o == 2 && b.out.out_data_o == 33);
  step(offer(&b, WRITE, 5, 2, 55));                         /* no slot */
  ck_assert_uint_eq(mrpb_regs(b.self)->line_queue_q[2], 0); /* an empty stage, behind one in use */
  ck_assert(b.out.in_ready_o == 0 && b.out.flush_write_o == 0);
  for (unsigned t = 0; t < 4; t++) step(&b);
  step(answer(offer(&b, WRITE, 5, 2, 55), TAKEN)); /* passes warp 4, which is drainable */
  ck_assert(b.out.in_ready_o == 1 && b.out.out_data_o == 33);
  ck_assert_uint_eq(step(answer(&b, TAKEN))->out_data_o, 55);
  ck_assert_uint_eq(step(answer(&b, TAKEN))->out_data_o, 44);
  mrpb_destroy(b.self);
}
END_TEST

/* Rule 1: a read for a full queue drains that queue first, although others are preferred. */
START_TEST(flush_by_full) {
  mrpb_cfg_t cfg = defaults;
  cfg.DEPTH = 2;
  cfg.FLUSH = (uint32_t)_i;
  bench_t b = make(cfg);
  step(offer(&b, READ, 0, 0, 1)), step(offer(&b, READ, 0, 0, 2)); /* the first goes outbound */
  for (unsigned t = 0; t < 6; t++) step(&b);
  step(offer(&b, READ, 0, 0, 3)), step(offer(&b, READ, 9, 0, 4)), step(offer(&b, READ, 9, 0, 5));
  ck_assert_uint_eq(step(offer(&b, READ, 9, 0, 6))->in_ready_o, 0);
  ck_assert_uint_eq(b.out.flush_full_o, (unsigned)_i);
  step(&b), step(&b), step(&b);
  step(answer(offer(&b, READ, 9, 0, 6), TAKEN));
  ck_assert(b.out.in_ready_o == 0 && b.out.out_data_o == 1);
  step(offer(&b, READ, 9, 0, 6));
  ck_assert_uint_eq(b.out.out_data_o, _i ? 4 : 2); /* queue 9 was forced, or queue 0 came first */
  ck_assert_uint_eq(b.out.in_ready_o, (unsigned)_i);
  ck_assert(b.out.flush_full_o == 0 && b.out.order_err_o == 0);
  mrpb_destroy(b.self);
}
END_TEST

/* Rule 2: a write empties its queue, waits for that, and leaves behind the reads it has flushed. */
START_TEST(flush_by_write) {
  bench_t b = make(defaults);
  uint64_t got[8];
  unsigned n = 0, flushing = 0;
  for (unsigned i = 0; i < 3; i++)
    step(offer(&b, READ, 20, 0, 100 + i)), step(offer(&b, READ, 2, 0, 200 + i));
  for (unsigned t = 0; t < 8; t++) step(&b);
  bool accepted = false;
  for (unsigned t = 0; t < 20; t++) {
    if (!accepted) offer(&b, WRITE, 20, 0, 150);
    step(answer(&b, TAKEN));
    accepted = accepted || b.out.in_ready_o;
    flushing += (unsigned)b.out.flush_write_o;
    if (b.out.out_valid_o) got[n++] = b.out.out_data_o;
  }
  static const uint64_t expected[] = {100, 101, 102, 150, 200, 201, 202};
  ck_assert_uint_eq(n, 7);
  ck_assert_int_eq(memcmp(got, expected, sizeof expected), 0);
  ck_assert_uint_eq(flushing, 2); /* 100 was outbound already */
  mrpb_destroy(b.self);
}
END_TEST

/* Who bypasses: reads only, by BYPASS and the L1's answer; and only then does byp_ready_i count. */
START_TEST(bypass) {
  mrpb_cfg_t cfg = defaults;
  for (unsigned v = 0; v < 3 * 2 * 4 * 2; v++) {
    cfg.BYPASS = v / 16;
    uint64_t write = v / 8 % 2, l1 = v / 2 % 4, byp_ready = v % 2;
    bool byp = !write && ((cfg.BYPASS == 1 && (l1 == ASSOC || l1 == OTHER)) ||
                          (cfg.BYPASS == 2 && l1 == ASSOC));
    bench_t b = make(cfg);
    step(offer(&b, write, 1, 1, 77));
    while (!mrpb_regs(b.self)->out_valid_q) step(&b);
    b.in.byp_ready_i = byp_ready;
    step(answer(&b, l1));
    ck_assert_uint_eq(b.out.byp_valid_o, byp);
    uint64_t held = l1 == TAKEN || (byp && byp_ready) ? 0 : 1;
    ck_assert(step(&b)->held_o == held && b.out.out_valid_o == held);
    b.in.byp_ready_i = 1; /* nothing to bypass once it is empty */
    step(answer(&b, TAKEN)), step(answer(&b, ASSOC));
    ck_assert(b.out.byp_valid_o == 0 && b.out.held_o == 0);
    mrpb_destroy(b.self);
  }
}
END_TEST

/* A barrier waits for its block's requests (IDs from BLOCKS - 1 on are one), for no others. */
START_TEST(barrier) {
  mrpb_cfg_t cfg = defaults;
  cfg.BLOCKS = 3;
  bench_t b = make(cfg);
  step(offer(&b, READ, 1, 1, 1)), step(offer(&b, READ, 2, 30, 2));
  ck_assert_uint_eq(step(offer(&b, BARRIER, 1, 0, 0))->in_ready_o, 1);
  ck_assert_uint_eq(step(offer(&b, BARRIER, 1, 1, 0))->in_ready_o, 0);
  ck_assert_uint_eq(step(offer(&b, 3, 1, 63, 0))->in_ready_o, 0);
  ck_assert_uint_eq(step(offer(&b, 3, 1, 2, 0))->in_ready_o, 0);
  ck_assert_uint_eq(b.out.held_o, 2);
  step(answer(offer(&b, BARRIER, 1, 1, 0), TAKEN)); /* still held in the cycle in which it leaves */
  ck_assert(b.out.out_data_o == 1 && b.out.in_ready_o == 0);
  ck_assert_uint_eq(step(offer(&b, BARRIER, 1, 1, 0))->in_ready_o, 1);
  step(answer(&b, TAKEN));
  ck_assert_uint_eq(step(offer(&b, 3, 1, 63, 0))->in_ready_o, 1);
  ck_assert(b.out.held_o == 0 && b.out.out_valid_o == 0 && b.out.order_err_o == 0);
  mrpb_destroy(b.self);
}
END_TEST

/* Every queue filled to the brim, then drained: QUEUES x DEPTH + 1 requests. */
START_TEST(full_buffer) {
  static const uint32_t sizes[][2] = {{1, 1}, {2, 3}, {3, 5}, {5, 2}, {33, 1}, {48, 8}, {64, 64}};
  mrpb_cfg_t cfg = {sizes[_i][0], sizes[_i][1], 51, 1, 1, 0, 1, 5, 2, 0, 0};
  bench_t b = make(cfg);
  uint32_t all = cfg.QUEUES * cfg.DEPTH + 1, left = 0;
  for (uint32_t q = 0; q < cfg.QUEUES; q++)
    for (uint32_t t = 0; t < cfg.DEPTH + 25; t++) step(offer(&b, READ, q, 0, t));
  ck_assert(b.out.held_o == all && b.out.in_ready_o == 0);
  for (uint32_t t = 0; t < all; t++) left += (uint32_t)step(answer(&b, TAKEN))->out_valid_o;
  ck_assert_uint_eq(left, all);
  ck_assert_uint_eq(step(offer(&b, BARRIER, 0, 0, 0))->in_ready_o, 1);
  mrpb_destroy(b.self);
}
END_TEST

START_TEST(reset_in_the_middle) {
  bench_t b = make(defaults);
  for (unsigned i = 0; i < 40; i++) step(offer(&b, READ, i, i / 6, i));
  ck_assert_uint_eq(b.out.held_o, 39);
  b.in.srst_ni = 0;
  step(answer(offer(&b, READ, 3, 0, 9), TAKEN));
  mrpb_regs_t none = {0};
  ck_assert_int_eq(memcmp(mrpb_regs(b.self), &none, sizeof none), 0);
  for (unsigned t = 0; t < 20; t++) {
    step(answer(&b, TAKEN));
    ck_assert(b.out.out_valid_o == 0 && b.out.held_o == 0 && b.out.order_err_o == 0);
  }
  ck_assert_uint_eq(step(offer(&b, BARRIER, 0, 0, 0))->in_ready_o, 1);
  mrpb_destroy(b.self);
}
END_TEST

/* The order check is alive: a warp that changes its block under signature 0 has two queues. */
START_TEST(order_error_shows) {
  mrpb_cfg_t cfg = defaults;
  cfg.SIGNATURE = 0;
  bench_t b = make(cfg);
  step(offer(&b, READ, 1, 0, 0));
  for (unsigned t = 0; t < 6; t++) step(&b);
  step(offer(&b, READ, 1, 5, 1)), step(offer(&b, READ, 1, 0, 2));
  for (unsigned t = 0; t < 6; t++) step(&b);
  ck_assert_uint_eq(step(answer(&b, TAKEN))->order_err_o, 0);
  ck_assert_uint_eq(step(answer(&b, TAKEN))->order_err_o, 1); /* 2 before 1 */
  mrpb_destroy(b.self);
}
END_TEST

typedef struct {
  uint64_t write, warp, block, data;
  uint32_t queue, accepted; /* cycle of its acceptance */
} request_t;

/* What is held, in the order of acceptance, and the request in the outbound buffer. */
typedef struct {
  const mrpb_cfg_t *cfg;
  request_t *held, out;
  uint32_t n, now, last;
  bool out_valid, hold;
} naive_t;

static uint32_t in_queue(const naive_t *n, uint32_t q) {
  uint32_t c = 0;
  for (uint32_t i = 0; i < n->n; i++) c += n->held[i].queue == q;
  return c;
}

/* Entries of a queue that may be drained in cycle `now`. */
static uint32_t drainable(const naive_t *n, uint32_t q, uint32_t now) {
  uint32_t c = 0;
  for (uint32_t i = 0; i < n->n; i++)
    c += n->held[i].queue == q && n->held[i].accepted + n->cfg->LATENCY - 1 <= now;
  return c;
}

/* The policy's queue, QUEUES if nothing can be drained. */
static uint32_t policy_choice(const naive_t *n) {
  uint32_t queues = n->cfg->QUEUES, best = queues, most = 0;
  if (n->cfg->POLICY % 2 && n->hold) return n->last;
  for (uint32_t i = 0; i < queues; i++) {
    uint32_t q = n->cfg->POLICY / 2 == 1 ? (n->last + 1 + i) % queues : i,
             c = drainable(n, q, n->now);
    if (c > most && (best == queues || n->cfg->POLICY >= 4)) best = q, most = c;
  }
  return best;
}

static uint64_t shared_block(const naive_t *n, uint64_t block) {
  return block >= n->cfg->BLOCKS ? n->cfg->BLOCKS - 1 : block;
}

static bool block_busy(const naive_t *n, uint64_t block) {
  block = shared_block(n, block);
  for (uint32_t i = 0; i < n->n; i++)
    if (shared_block(n, n->held[i].block) == block) return true;
  return n->out_valid && shared_block(n, n->out.block) == block;
}

/* The oldest request of the forced or chosen queue moves to the outbound buffer. */
static void drain(naive_t *n, bool force, uint32_t forced_queue) {
  bool forced = force && drainable(n, forced_queue, n->now);
  uint32_t q = forced ? forced_queue : policy_choice(n), i = 0;
  if (q == n->cfg->QUEUES) return;
  while (n->held[i].queue != q) i++;
  n->out = n->held[i];
  n->out_valid = true;
  memmove(&n->held[i], &n->held[i + 1], (--n->n - i) * sizeof *n->held);
  if (forced) return;
  n->last = q;
  n->hold = true;
}

static void present(const naive_t *n, const mrpb_in_t *in, mrpb_out_t *out) {
  memset(out, 0, sizeof *out);
  out->held_o = n->n + n->out_valid;
  if (!n->out_valid) return;
  out->out_valid_o = 1;
  out->out_write_o = n->out.write;
  out->out_warp_o = n->out.warp;
  out->out_block_o = n->out.block;
  out->out_data_o = n->out.data;
  bool stall = in->l1_answer_i == ASSOC || (n->cfg->BYPASS == 1 && in->l1_answer_i == OTHER);
  out->byp_valid_o = n->cfg->BYPASS && stall && !n->out.write;
}

/* One cycle; the outputs, and the state after it. True if a request left. */
static bool naive_cycle(naive_t *n, const mrpb_in_t *in, mrpb_out_t *out) {
  const mrpb_cfg_t *c = n->cfg;
  present(n, in, out);
  bool leave = n->out_valid && (in->l1_answer_i == TAKEN || (out->byp_valid_o && in->byp_ready_i));
  const uint64_t signatures[] = {in->in_block_i, in->in_warp_i, in->in_block_warp_i};
  uint32_t queue = (uint32_t)(signatures[c->SIGNATURE] % c->QUEUES);
  request_t r = {in->in_kind_i, in->in_warp_i, in->in_block_i, in->in_data_i, queue, n->now};
  bool slot = !n->out_valid || leave, full = in_queue(n, queue) == c->DEPTH, store = false;
  bool pass = false;
  if (in->in_valid_i && in->in_kind_i >= BARRIER) {
    out->in_ready_o = !block_busy(n, r.block);
  } else if (in->in_valid_i && in->in_kind_i == WRITE && c->FLUSH) {
    out->flush_write_o = in_queue(n, r.queue) > 0;
    out->in_ready_o = pass = !out->flush_write_o && slot;
  } else if (in->in_valid_i) {
    out->flush_full_o = full && c->FLUSH;
    out->in_ready_o = store = !full;
  }
  if (leave) n->out_valid = false;
  if (slot && !pass) drain(n, out->flush_full_o || out->flush_write_o, r.queue);
  if (store) n->held[n->n++] = r;
  if (pass) n->out = r, n->out_valid = true;
  if (drainable(n, n->last, n->now + 1) == 0) n->hold = false;
  n->now++;
  return leave;
}

typedef struct {
  uint32_t QUEUES, DEPTH, BLOCKS, LATENCY, warps_per_block;
} size_row_t;

static const size_row_t sizes[] = {{1, 1, 1, 3, 4},  {2, 3, 2, 4, 8},   {3, 5, 3, 5, 6},
                                   {5, 2, 8, 18, 6}, {8, 8, 8, 5, 6},   {33, 1, 5, 7, 11},
                                   {48, 8, 8, 5, 6}, {64, 5, 64, 3, 1}, {7, 33, 4, 12, 16}};

/* A warp has its block and place in it for good. */
static void random_offer(bench_t *b, prng_t *p, const size_row_t *s, unsigned writes,
                         uint32_t warps) {
  uint64_t w = prng_below(p, warps);
  uint64_t kind = prng_chance(p, 30) ? 2 + prng_below(p, 2) : prng_chance(p, writes);
  offer(b, kind, w, w / s->warps_per_block, bits(prng_next(p), b->cfg.DATA_W));
  b->in.in_block_warp_i = w % s->warps_per_block;
}

static void random_run(mrpb_cfg_t cfg, const size_row_t *s, prng_t p, uint32_t cycles) {
  bench_t b = make(cfg);
  naive_t n = {.cfg = &b.cfg, .last = cfg.QUEUES - 1};
  n.held = calloc(64 * 64 + 1, sizeof *n.held);
  unsigned in_rate = 0, l1_rate = 0, writes = 0;
  uint32_t warps = 64, accepted = 0, left = 0;
  mrpb_in_t waiting = {0};
  for (uint32_t t = 0; t < cycles || n.n + n.out_valid; t++) {
    ck_assert_uint_lt(t, 2 * cycles + 70000);
    if (t % 256 == 0) {
      in_rate = prng_below(&p, 1000);
      l1_rate = t < cycles ? prng_below(&p, 1000) : 500;
      writes = prng_chance(&p, 500) ? 0 : prng_below(&p, 300);
      warps = 1 + prng_below(&p, prng_chance(&p, 500) ? 64 : 3);
    }
    if (t < cycles && waiting.in_valid_i && prng_chance(&p, 950))
      b.in = waiting; /* the coalescer mostly goes on with what was not accepted */
    else if (t < cycles && prng_chance(&p, in_rate))
      random_offer(&b, &p, s, writes, warps);
    b.in.l1_answer_i = prng_chance(&p, l1_rate) ? TAKEN : 1 + prng_below(&p, 3);
    b.in.byp_ready_i = prng_chance(&p, 500);
    mrpb_in_t in = b.in;
    mrpb_out_t expected;
    left += naive_cycle(&n, &in, &expected);
    step(&b);
    if (memcmp(&b.out, &expected, sizeof expected))
      ck_abort_msg("policy %u, signature %u, flush %u, bypass %u: cycle %u", cfg.POLICY,
                   cfg.SIGNATURE, cfg.FLUSH, cfg.BYPASS, t);
    accepted += in.in_valid_i && in.in_kind_i < BARRIER && b.out.in_ready_o;
    waiting = in;
    waiting.in_valid_i = in.in_valid_i && !b.out.in_ready_o;
  }
  ck_assert(accepted > 0 && accepted == left);
  free(n.held);
  mrpb_destroy(b.self);
}

START_TEST(random_against_one_list) {
  const size_row_t *s = &sizes[_i];
  for (uint32_t v = 0; v < 36; v++) {
    uint32_t data_w = v % 2 ? 51 : 20, byp = (v + v / 6) % 3;
    mrpb_cfg_t cfg = {s->QUEUES, s->DEPTH,   data_w, s->BLOCKS, v % 3, v / 6,
                      v % 2,     s->LATENCY, byp,    0,         0};
    random_run(cfg, s, prng_seed(10 + v, (uint64_t)_i), 2500);
  }
}
END_TEST

/* From outside: each warp's requests leave in order and once, and no barrier is passed. */
START_TEST(order_of_every_warp) {
  mrpb_cfg_t cfg = defaults;
  cfg.POLICY = (uint32_t)_i, cfg.BYPASS = (uint32_t)_i % 3;
  bench_t b = make(cfg);
  prng_t p = prng_seed(11, (uint64_t)_i);
  uint64_t next = 1, last_in[48] = {0}, last_out[48] = {0};
  uint32_t n_in = 0, n_out = 0, of_block[8] = {0}, barriers = 0;
  while (n_out < NUMBERED) {
    uint64_t w = prng_below(&p, 48), kind = prng_chance(&p, 50) ? BARRIER : prng_chance(&p, 100);
    if (n_in < NUMBERED && prng_chance(&p, 600)) offer(&b, kind, w, w / 6, next);
    b.in.byp_ready_i = 1;
    answer(&b, prng_chance(&p, 800) ? TAKEN : 1 + prng_below(&p, 3));
    mrpb_in_t in = b.in;
    step(&b);
    ck_assert_uint_eq(b.out.order_err_o, 0);
    bool accepted = in.in_valid_i && b.out.in_ready_o;
    if (accepted && kind == BARRIER && ++barriers) ck_assert_uint_eq(of_block[w / 6], 0);
    if (b.out.out_valid_o && (in.l1_answer_i == TAKEN || b.out.byp_valid_o)) {
      if (b.out.out_data_o <= last_out[b.out.out_warp_o])
        ck_abort_msg("a warp's requests changed places");
      last_out[b.out.out_warp_o] = b.out.out_data_o;
      of_block[b.out.out_block_o]--, n_out++;
    }
    if (accepted && kind != BARRIER) {
      last_in[w] = next++;
      of_block[w / 6]++, n_in++;
    }
  }
  ck_assert_uint_gt(barriers, 0);
  ck_assert_int_eq(memcmp(last_in, last_out, sizeof last_in), 0);
  ck_assert_uint_eq(step(&b)->held_o, 0);
  mrpb_destroy(b.self);
}
END_TEST

Suite *test_mrpb_suite(void);
Suite *test_mrpb_suite(void) {
  Suite *suite = suite_create("mrpb");
  TCase *tc = tcase_create("all"), *random = tcase_create("random");
  tcase_add_loop_test(tc, latency, 3, 19);
  tcase_add_test(tc, latency_stages);
  tcase_add_loop_test(tc, steady_state, 0, 6);
  tcase_add_test(tc, write_passes);
  tcase_add_loop_test(tc, flush_by_full, 0, 2);
  tcase_add_test(tc, flush_by_write);
  tcase_add_test(tc, bypass);
  tcase_add_test(tc, barrier);
  tcase_add_loop_test(tc, full_buffer, 0, 7);
  tcase_add_test(tc, reset_in_the_middle);
  tcase_add_test(tc, order_error_shows);
  suite_add_tcase(suite, tc);
  tcase_add_loop_test(random, random_against_one_list, 0, sizeof sizes / sizeof *sizes);
  tcase_add_loop_test(random, order_of_every_warp, 0, 6);
  tcase_set_tags(random, "heavy"); /* many random cycles: not under valgrind */
  suite_add_tcase(suite, random);
  return suite;
}
