/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and stores that use neither the L1D nor the MRPB: shared memory and its bank conflicts,
 * constant cache, texture cache; loads with several destinations and with no active lane. */
#include "gpu/l2/l2.h"
#include "prng.h"
#include "gpu/pipeline/rocache.h"
#include "parts/shared.h"
#include "gpu/pipeline/texcache.h"
#include "sm_rig.h"

#define BASE UINT64_C(0x80000000)

/* ---- bank conflicts ---------------------------------------------------------- */

static unsigned conflicts(uint64_t stride, uint32_t mask) {
  uint64_t addr[SHARED_LANES];
  for (unsigned i = 0; i < SHARED_LANES; i++) addr[i] = 0x40 + i * stride;
  return shared_cycles(&shared_fermi, addr, mask);
}

START_TEST(banks) {
  static const struct {
    uint64_t stride;
    unsigned cycles;
  } c[] = {{0, 1},   {1, 1},    {4, 1},   {8, 2},   {12, 1},   {16, 4}, {32, 8},
           {64, 16}, {128, 32}, {132, 1}, {136, 2}, {256, 32}, {2, 1}};
  for (unsigned i = 0; i < sizeof c / sizeof *c; i++)
    ck_assert_msg(conflicts(c[i].stride, UINT32_MAX) == c[i].cycles, "stride %lu: %u",
                  (unsigned long)c[i].stride, conflicts(c[i].stride, UINT32_MAX));
  ck_assert_uint_eq(conflicts(128, 0xff), 8);
  ck_assert_uint_eq(conflicts(128, 0x80000001), 2);
  ck_assert_uint_eq(conflicts(128, 0), 1);
}
END_TEST

/* Two words of one bank, each read by many lanes: two cycles; lanes that share a word are free. */
START_TEST(broadcast) {
  uint64_t addr[SHARED_LANES];
  for (unsigned i = 0; i < SHARED_LANES; i++) addr[i] = i % 2 * 128;
  ck_assert_uint_eq(shared_cycles(&shared_fermi, addr, UINT32_MAX), 2);
  ck_assert_uint_eq(shared_cycles(&shared_fermi, addr, 0x55555555), 1);
}
END_TEST

/* ---- the GPUs' bank models --------------------------------------------------- */

/* Where each word lies, by dealing the words out to the banks one after the other: `run` words to a
 * bank, then to the next one, and round again; `hold` words are a row. */
typedef struct {
  unsigned bank[4096], row[4096];
} layout_t;

static layout_t deal(unsigned n_banks, unsigned run, unsigned hold) {
  layout_t l;
  unsigned in_bank[32] = {0}, bank = 0;
  for (unsigned w = 0, left = run; w < 4096; w++) {
    l.bank[w] = bank;
    l.row[w] = in_bank[bank]++ / hold;
    if (--left == 0) left = run, bank = bank + 1 < n_banks ? bank + 1 : 0;
  }
  return l;
}

/* Cycles by opening rows: in each every bank opens one row, and the lanes that want it are served.
 */
static unsigned serve(const layout_t *l, const unsigned word[32], uint32_t mask) {
  unsigned cycles = 0;
  for (; mask || cycles == 0; cycles++) {
    unsigned open[32];
    uint32_t opened = 0;
    for (unsigned i = 0; i < 32; i++) {
      unsigned b = l->bank[word[i]];
      if (!(mask >> i & 1)) continue;
      if (!(opened >> b & 1)) open[b] = l->row[word[i]];
      opened |= UINT32_C(1) << b;
      if (open[b] == l->row[word[i]]) mask &= ~(UINT32_C(1) << i);
    }
  }
  return cycles;
}

static const struct {
  const shared_cfg_t *cfg;
  unsigned banks, run, hold;
  bool half;
} gpus[] = {{&shared_gt200, 16, 1, 1, true},
            {&shared_fermi, 32, 1, 1, false},
            {&shared_kepler_4, 32, 1, 2, false},
            {&shared_kepler_8, 32, 2, 2, false}};

static unsigned by_hand(unsigned gpu, const layout_t *l, const unsigned word[32], uint32_t mask) {
  if (!gpus[gpu].half) return serve(l, word, mask);
  return serve(l, word, mask & 0xFFFF) + serve(l, word, mask & 0xFFFF0000);
}

/* Every stride, the warp and parts of it; then words at random. */
START_TEST(every_stride) {
  layout_t l = deal(gpus[_i].banks, gpus[_i].run, gpus[_i].hold);
  prng_t prng = prng_seed(17, (uint64_t)_i);
  for (unsigned n = 0; n < 65 * 8 + 2000; n++) {
    unsigned word[32], from = n % 8 * 9, stride = n / 8;
    uint64_t addr[SHARED_LANES];
    uint32_t mask = n % 8 == 0 ? UINT32_MAX : (uint32_t)(prng_next(&prng) >> 32);
    for (unsigned i = 0; i < 32; i++) {
      word[i] = stride <= 64 ? from + i * stride : prng_below(&prng, 40 + n);
      addr[i] = word[i] * 4 + prng_below(&prng, 4);
    }
    unsigned have = shared_cycles(gpus[_i].cfg, addr, mask);
    ck_assert_msg(have == by_hand((unsigned)_i, &l, word, mask), "step %u: %u", n, have);
  }
}
END_TEST

static unsigned ways(const shared_cfg_t *cfg, unsigned stride) {
  uint64_t addr[SHARED_LANES];
  for (unsigned i = 0; i < SHARED_LANES; i++) addr[i] = 4 * i * stride;
  return shared_cycles(cfg, addr, UINT32_MAX);
}

static unsigned gcd(unsigned a, unsigned b) {
  return b ? gcd(b, a % b) : a;
}

/* What paper 003 says of strides in words: figures 4 to 7. */
START_TEST(published_strides) {
  static const struct {
    unsigned stride, mode_4, mode_8;
  } kepler[] = {{0, 1, 1},  {1, 1, 1},  {2, 1, 1},  {4, 2, 2},    {6, 2, 1},   {8, 4, 4},
                {10, 2, 1}, {12, 4, 2}, {16, 8, 8}, {32, 16, 16}, {64, 32, 32}};
  for (unsigned s = 1; s <= 64; s++) {
    ck_assert_uint_eq(ways(&shared_fermi, s), gcd(s, 32));
    ck_assert_uint_eq(ways(&shared_gt200, s), 2 * gcd(s, 16));
    if (s % 2) continue; /* of these the paper speaks: at most Fermi's, mode 8 never worse */
    ck_assert_uint_le(ways(&shared_kepler_4, s), ways(&shared_fermi, s));
    ck_assert_uint_le(ways(&shared_kepler_8, s), ways(&shared_kepler_4, s));
  }
  ck_assert_uint_eq(ways(&shared_fermi, 0), 1);
  ck_assert_uint_eq(ways(&shared_gt200, 0), 2);
  for (unsigned i = 0; i < sizeof kepler / sizeof *kepler; i++) {
    ck_assert_uint_eq(ways(&shared_kepler_4, kepler[i].stride), kepler[i].mode_4);
    ck_assert_uint_eq(ways(&shared_kepler_8, kepler[i].stride), kepler[i].mode_8);
  }
}
END_TEST

/* ---- shared memory in the SM ------------------------------------------------- */

/* Cycles from the issue of the last load to that of the instruction that needs it. */
static uint64_t use_latency(const rig_op_t *ops, unsigned n, uint32_t mrpb, sm_stats_t *stats,
                            l1d_stats_t *l1d) {
  const rig_script_t s = {ops, n};
  rig_t *r = rig_new(1, 1, &s, 1);
  r->cfg.mrpb = mrpb;
  ck_assert(rig_run(r));
  uint64_t c = rig_cycle(r, 0, 0, n - 2) - rig_cycle(r, 0, 0, n - 3);
  *stats = *sm_stats(r->sm);
  *l1d = *sm_l1d_stats(r->sm);
  rig_close(r);
  return c;
}

#define N(a) (sizeof(a) / sizeof *(a))

static uint64_t shared_latency(uint64_t stride, uint32_t mrpb, sm_stats_t *s, l1d_stats_t *l) {
  const rig_op_t ops[] = {RIG_ALU(9, 0), RIG_LOAD(WARP_SHARED, 1, 0, stride), RIG_ALU(2, 1),
                          RIG_EXIT};
  return use_latency(ops, N(ops), mrpb, s, l);
}

/* A shared load has its data 4 cycles after an L1D hit would, and one later for every conflict. */
START_TEST(shared_timing) {
  const rig_op_t hit[] = {RIG_LOAD(WARP_GLOBAL, 3, BASE, 4), RIG_ALU(4, 3),
                          RIG_LOAD(WARP_GLOBAL, 1, BASE, 4), RIG_ALU(2, 1), RIG_EXIT};
  sm_stats_t s;
  l1d_stats_t l;
  uint64_t l1d_hit = use_latency(hit, N(hit), 0, &s, &l);
  ck_assert_uint_eq(l.hits, 1);
  uint64_t one = shared_latency(4, 0, &s, &l);
  ck_assert_uint_eq(one, l1d_hit + 4);
  ck_assert_uint_eq(s.shared_insts, 1);
  ck_assert_uint_eq(s.shared_cycles, 1);
  for (unsigned ways = 2; ways <= 32; ways *= 2) {
    ck_assert_uint_eq(shared_latency(4 * ways, 0, &s, &l), one + ways - 1);
    ck_assert_uint_eq(s.shared_cycles, ways);
    ck_assert_uint_eq(s.mem_stall, ways - 1);
  }
}
END_TEST

START_TEST(shared_past_l1d_and_mrpb) {
  const rig_op_t ops[] = {RIG_STORE(WARP_SHARED, 0, 0, 8), RIG_LOAD(WARP_SHARED, 1, 0, 8),
                          RIG_ALU(2, 1), RIG_EXIT};
  sm_stats_t s;
  l1d_stats_t l;
  (void)use_latency(ops, N(ops), (uint32_t)_i, &s, &l);
  ck_assert_uint_eq(s.shared_insts, 2);
  ck_assert_uint_eq(s.shared_cycles, 4);
  ck_assert_uint_eq(s.loads + s.stores, 0);
  ck_assert_uint_eq(s.mrpb_in, 0);
  ck_assert_uint_eq(l.hits + l.misses + l.pending_hits + l.writes, 0);
}
END_TEST

/* A conflicted access holds up what is behind it; results keep coming one a cycle. */
START_TEST(shared_throughput) {
  enum { LOADS = 64 };
  rig_op_t ops[LOADS + 1];
  for (unsigned i = 0; i < LOADS; i++)
    ops[i] = (rig_op_t)RIG_LOAD(WARP_SHARED, (uint16_t)(i + 1), 0, 16);
  ops[LOADS] = (rig_op_t)RIG_EXIT;
  const rig_script_t s = {ops, LOADS + 1};
  rig_t *r = rig_new(1, 4, &s, 1);
  ck_assert(rig_run(r));
  ck_assert_uint_eq(sm_stats(r->sm)->shared_cycles, 4 * LOADS * 4);
  ck_assert_uint_ge(r->now, 4 * LOADS * 4);
  ck_assert_uint_lt(r->now, 4 * LOADS * 4 + 40);
  rig_close(r);
}
END_TEST

/* While the dispatch register has a shared access the MRPB goes on: loads behind and before it
 * complete, and the barrier comes through. */
START_TEST(shared_beside_mrpb) {
  const rig_op_t ops[] = {RIG_LOAD(WARP_GLOBAL, 1, BASE, 4096),
                          RIG_STORE(WARP_SHARED, 0, 0, 128),
                          RIG_BARRIER,
                          RIG_LOAD(WARP_SHARED, 2, 0, 128),
                          RIG_STORE(WARP_GLOBAL, 2, BASE, 4),
                          RIG_ALU(3, 1),
                          RIG_EXIT};
  const rig_script_t s = RIG_SCRIPT(ops);
  rig_t *r = rig_new(2, 4, &s, 1);
  r->cfg.mrpb = 1;
  ck_assert(rig_run(r));
  ck_assert_uint_eq(sm_stats(r->sm)->mrpb_in, 8 * 33);
  ck_assert_uint_eq(sm_stats(r->sm)->mrpb_out, 8 * 33);
  ck_assert_uint_eq(sm_stats(r->sm)->shared_cycles, 16 * 32);
  rig_close(r);
}
END_TEST

/* ---- several destinations, no lane ------------------------------------------- */

START_TEST(vector_load) {
  static const warp_space_t space[] = {WARP_GLOBAL, WARP_SHARED, WARP_CONST, WARP_TEX};
  rig_op_t ops[] = {RIG_LOAD(WARP_GLOBAL, 1, BASE, 16), RIG_ALU(7, 4), RIG_ALU(8, 7), RIG_EXIT};
  const rig_script_t s = RIG_SCRIPT(ops);
  uint64_t shortest = _i == WARP_SHARED ? 8 : RIG_LATENCY;
  for (uint32_t mrpb = 0; mrpb < 2; mrpb++) {
    ops[0].inst.space = space[_i];
    ops[0].inst.elem = 16;
    for (uint16_t k = 0; k < 4; k++) ops[0].inst.dst[k] = (uint16_t)(k + 1);
    rig_t *r = rig_new(1, 1, &s, 1);
    r->cfg.mrpb = mrpb;
    ck_assert(rig_run(r));
    ck_assert_uint_ge(rig_cycle(r, 0, 0, 1) - rig_cycle(r, 0, 0, 0), shortest);
    rig_close(r);
  }
}
END_TEST

/* No lane active: no access, but the registers are awaited until the instruction has left. */
START_TEST(no_lane) {
  static const warp_space_t space[] = {WARP_GLOBAL, WARP_SHARED, WARP_CONST, WARP_TEX};
  rig_op_t ops[] = {RIG_LOAD(WARP_GLOBAL, 1, BASE, 4),
                    RIG_ALU(2, 1),
                    RIG_STORE(WARP_GLOBAL, 2, BASE, 4),
                    RIG_BARRIER,
                    RIG_ALU(3, 2),
                    RIG_EXIT};
  const rig_script_t s = RIG_SCRIPT(ops);
  for (uint32_t mrpb = 0; mrpb < 2; mrpb++) {
    ops[0].inst.space = space[_i];
    ops[2].inst.space = _i == WARP_SHARED ? WARP_SHARED : WARP_GLOBAL;
    ops[0].off = ops[2].off = true;
    rig_t *r = rig_new(1, 2, &s, 1);
    r->cfg.mrpb = mrpb;
    ck_assert(rig_run(r));
    ck_assert_uint_eq(r->reads + r->writes, 0);
    ck_assert_uint_gt(rig_cycle(r, 0, 0, 1) - rig_cycle(r, 0, 0, 0), 2);
    rig_close(r);
  }
}
END_TEST

/* ---- constants --------------------------------------------------------------- */

/* A miss reads 64 bytes past the L1D; then the line is there, as fast as an L1D hit. */
START_TEST(constant_hit) {
  const rig_op_t miss[] = {RIG_ALU(9, 0), RIG_LOAD(WARP_CONST, 1, BASE, 0), RIG_ALU(2, 1),
                           RIG_EXIT};
  const rig_op_t hit[] = {RIG_LOAD(WARP_CONST, 3, BASE, 0), RIG_ALU(4, 3),
                          RIG_LOAD(WARP_CONST, 1, BASE + 60, 0), RIG_ALU(2, 1), RIG_EXIT};
  const rig_op_t global[] = {RIG_LOAD(WARP_GLOBAL, 3, BASE, 0), RIG_ALU(4, 3),
                             RIG_LOAD(WARP_GLOBAL, 1, BASE, 0), RIG_ALU(2, 1), RIG_EXIT};
  sm_stats_t s;
  l1d_stats_t l;
  for (uint32_t mrpb = 0; mrpb < 2; mrpb++) {
    ck_assert_uint_gt(use_latency(miss, N(miss), mrpb, &s, &l), RIG_LATENCY);
    ck_assert_uint_eq(s.const_misses, 1);
    uint64_t cycles = use_latency(hit, N(hit), mrpb, &s, &l);
    ck_assert_uint_eq(s.const_hits, 1);
    ck_assert_uint_eq(s.const_misses, 1);
    ck_assert_uint_eq(s.mrpb_in, 0);
    ck_assert_uint_eq(l.hits + l.misses, 0);
    ck_assert_uint_eq(cycles, use_latency(global, N(global), 0, &s, &l));
  }
}
END_TEST

/* Four lines, two MSHR entries: two round trips, with reads of 64 bytes. */
START_TEST(constant_mshrs) {
  const rig_op_t two[] = {RIG_ALU(9, 0), RIG_LOAD(WARP_CONST, 1, BASE, 4), RIG_ALU(2, 1), RIG_EXIT};
  const rig_op_t four[] = {RIG_ALU(9, 0), RIG_LOAD(WARP_CONST, 1, BASE, 8), RIG_ALU(2, 1),
                           RIG_EXIT};
  sm_stats_t s;
  l1d_stats_t l;
  uint64_t once = use_latency(two, N(two), 0, &s, &l);
  ck_assert_uint_eq(s.const_misses, 2);
  ck_assert_uint_lt(s.mem_stall, 4);
  ck_assert_uint_gt(use_latency(four, N(four), 0, &s, &l), once + RIG_LATENCY);
  ck_assert_uint_eq(s.const_misses, 4);
  ck_assert_uint_gt(s.mem_stall, RIG_LATENCY);
  const rig_script_t script = RIG_SCRIPT(four);
  rig_t *r = rig_new(1, 1, &script, 1);
  ck_assert(rig_run(r));
  ck_assert_uint_eq(r->bytes_read, 4 * 64);
  rig_close(r);
}
END_TEST

START_TEST(constant_cache) {
  rocache_t *c;
  mrpb_err_t err = {{0}};
  packet_pool_t *pool = packet_pool_create(16);
  ck_assert_int_eq(rocache_create(&c, 2, 2, ROCACHE_CONST_LOG2, pool, &err), 0);
  /* 32 reads share an entry, the 33rd is refused; a second line gets the other entry, a third none.
   */
  for (uint16_t i = 0; i < 32; i++) ck_assert_int_eq(rocache_access(c, 64, i, i), ROCACHE_MISS);
  ck_assert_int_eq(rocache_access(c, 64, 32, 32), ROCACHE_REFUSED);
  ck_assert_int_eq(rocache_access(c, 192, 100, 33), ROCACHE_MISS);
  ck_assert_int_eq(rocache_access(c, 320, 200, 34), ROCACHE_REFUSED);
  packet_t *a = rocache_sent(c), *b = rocache_sent(c);
  ck_assert_ptr_null(rocache_to_send(c));
  ck_assert_uint_eq(a->addr, 64);
  ck_assert_uint_eq(b->bytes, 64);
  /* The one filled first leaves first; its line is there at once. */
  rocache_fill(c, b->entry, 40);
  rocache_fill(c, a->entry, 41);
  ck_assert_uint_eq(rocache_take(c), 100);
  for (uint16_t i = 0; i < 32; i++) ck_assert_uint_eq(rocache_take(c), i);
  ck_assert(!rocache_ready(c));
  ck_assert_int_eq(rocache_access(c, 64, 1, 50), ROCACHE_HIT);
  ck_assert_int_eq(rocache_access(c, 192 + 63, 1, 51), ROCACHE_HIT);
  /* The third line of the set takes the place of the one unused longest, when it comes: of the
   * one filled last. */
  ck_assert_int_eq(rocache_access(c, 320, 1, 52), ROCACHE_MISS);
  ck_assert_int_eq(rocache_access(c, 192, 1, 53), ROCACHE_HIT);
  packet_t *d = rocache_sent(c);
  rocache_fill(c, d->entry, 60);
  ck_assert_uint_eq(rocache_take(c), 1);
  ck_assert_int_eq(rocache_access(c, 192, 1, 61), ROCACHE_HIT);
  ck_assert_int_eq(rocache_access(c, 320, 1, 62), ROCACHE_HIT);
  ck_assert_int_eq(rocache_access(c, 64, 1, 63), ROCACHE_MISS);
  packet_free(pool, a);
  packet_free(pool, b);
  packet_free(pool, d);
  rocache_destroy(c);
  ck_assert_uint_eq(packet_pool_in_flight(pool), 0);
  packet_pool_destroy(pool);
}
END_TEST

/* ---- textures ---------------------------------------------------------------- */

START_TEST(texture_cache) {
  texcache_t *t;
  mrpb_err_t err = {{0}};
  packet_pool_t *pool = packet_pool_create(16);
  packet_t *p[4];
  ck_assert_int_eq(texcache_create(&t, 1, 2, pool, &err), 0);
  ck_assert_int_eq(texcache_access(t, 0, 10, 1), TEXCACHE_MISS);
  ck_assert_int_eq(texcache_access(t, 64, 11, 2), TEXCACHE_HIT); /* it will have come by then */
  ck_assert_int_eq(texcache_access(t, 128, 12, 3), TEXCACHE_MISS);
  ck_assert_int_eq(texcache_access(t, 256, 13, 4), TEXCACHE_MISS); /* replaces line 0 at once */
  ck_assert_int_eq(texcache_access(t, 0, 14, 5), TEXCACHE_MISS);
  ck_assert_int_eq(texcache_access(t, 0, 15, 6), TEXCACHE_REFUSED); /* four requests wait */
  for (unsigned i = 0; i < 4; i++) {
    p[i] = texcache_sent(t);
    ck_assert(p[i]->texture);
    ck_assert_uint_eq(p[i]->bytes, 128);
  }
  /* Replies out of order; results in order, at most two at a time. */
  texcache_fill(t, p[1]->entry);
  ck_assert(!texcache_move(t));
  texcache_fill(t, p[0]->entry);
  ck_assert(texcache_move(t));
  ck_assert(texcache_move(t));
  ck_assert(!texcache_move(t));
  ck_assert_uint_eq(texcache_take(t), 10);
  ck_assert(texcache_move(t));
  ck_assert_uint_eq(texcache_take(t), 11);
  ck_assert_uint_eq(texcache_take(t), 12);
  ck_assert(!texcache_ready(t) && !texcache_move(t));
  for (unsigned i = 0; i < 4; i++) packet_free(pool, p[i]);
  /* Hits fill the fragment FIFO: two of 128 places are taken. */
  for (unsigned i = 0; i < TEXCACHE_FRAGMENTS - 2; i++)
    ck_assert_int_eq(texcache_access(t, 256, 1, 10 + i), TEXCACHE_HIT);
  ck_assert_int_eq(texcache_access(t, 256, 1, 200), TEXCACHE_REFUSED);
  texcache_destroy(t);
  ck_assert_uint_eq(packet_pool_in_flight(pool), 0);
  packet_pool_destroy(pool);
}
END_TEST

/* 32 lanes on two lines, twice: two reads of 128 bytes, past the L1D. A hit still takes the FIFOs.
 */
START_TEST(texture_in_sm) {
  const rig_op_t ops[] = {RIG_LOAD(WARP_TEX, 3, BASE, 8), RIG_ALU(4, 3),
                          RIG_LOAD(WARP_TEX, 1, BASE, 8), RIG_ALU(2, 1), RIG_EXIT};
  const rig_script_t s = RIG_SCRIPT(ops);
  for (uint32_t mrpb = 0; mrpb < 2; mrpb++) {
    rig_t *r = rig_new(1, 1, &s, 1);
    r->cfg.mrpb = mrpb;
    ck_assert(rig_run(r));
    ck_assert_uint_eq(r->reads, 2);
    ck_assert_uint_eq(r->bytes_read, 2 * 128);
    ck_assert_uint_eq(sm_stats(r->sm)->tex_misses, 2);
    ck_assert_uint_eq(sm_stats(r->sm)->tex_hits, 2);
    ck_assert_uint_eq(sm_stats(r->sm)->mrpb_in, 0);
    ck_assert_uint_gt(rig_cycle(r, 0, 0, 1) - rig_cycle(r, 0, 0, 0), RIG_LATENCY);
    ck_assert_uint_lt(rig_cycle(r, 0, 0, 3) - rig_cycle(r, 0, 0, 2), 20);
    rig_close(r);
  }
}
END_TEST

/* A texture read passes the L2's fixed delay by. */
START_TEST(texture_in_l2) {
  uint64_t at[2] = {0, 0};
  for (unsigned texture = 0; texture < 2; texture++) {
    l2_cfg_t cfg;
    l2_t *l2;
    mrpb_err_t err = {{0}};
    packet_map_t map = {1, 8};
    packet_pool_t *pool = packet_pool_create(4);
    l2_defaults(&cfg);
    ck_assert_int_eq(l2_create(&l2, &cfg, 0, &map, pool, &err), 0);
    packet_t *p = packet_alloc(pool);
    p->kind = PACKET_READ;
    p->bytes = 128;
    p->texture = texture;
    packet_set_address(p, &map, BASE);
    l2_push(l2, p, 0);
    while (l2_to_dram(l2)->count == 0) l2_cycle(l2, at[texture]++);
    packet_free(pool, packet_queue_pop(l2_to_dram(l2)));
    l2_destroy(l2);
    packet_pool_destroy(pool);
  }
  ck_assert_uint_eq(at[0], at[1] + 121); /* the delay, and the move out of it */
}
END_TEST

Suite *test_sm_shared_suite(void);

Suite *test_sm_shared_suite(void) {
  Suite *s = suite_create("sm_shared");
  TCase *t = tcase_create("shared"), *c = tcase_create("caches");
  tcase_add_test(t, banks);
  tcase_add_test(t, broadcast);
  tcase_add_loop_test(t, every_stride, 0, sizeof gpus / sizeof *gpus);
  tcase_add_test(t, published_strides);
  tcase_add_test(t, shared_timing);
  tcase_add_loop_test(t, shared_past_l1d_and_mrpb, 0, 2);
  tcase_add_test(t, shared_throughput);
  tcase_add_test(t, shared_beside_mrpb);
  tcase_add_loop_test(t, vector_load, 0, 4);
  tcase_add_loop_test(t, no_lane, 0, 4);
  tcase_add_test(c, constant_hit);
  tcase_add_test(c, constant_mshrs);
  tcase_add_test(c, constant_cache);
  tcase_add_test(c, texture_cache);
  tcase_add_test(c, texture_in_sm);
  tcase_add_test(c, texture_in_l2);
  suite_add_tcase(s, t);
  suite_add_tcase(s, c);
  return s;
}
