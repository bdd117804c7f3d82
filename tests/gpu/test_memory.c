/* SPDX-License-Identifier: Apache-2.0 */
/* The memory system as a whole: one L2 slice under random load with a DRAM that the test plays;
 * then interconnect, slices and channels together, with unloaded round trips and conservation under
 * random load. The clocks are 575, 1150, 575 and 750 MHz as exact ratios (periods 30, 15, 30 and
 * 23). One time step runs in the reference's order: replies to the SMs, replies into the
 * interconnect, DRAM, L2, interconnect, requests from the SMs. */
#include "gpu/dram/dram.h"
#include "gpu/icnt/icnt.h"
#include "gpu/l2/l2.h"

#include "prng.h"

#include <check.h>
#include <string.h>

/* ---- one slice ------------------------------------------------------------------------------- */

enum { LOAD = 60000, DELAY = 40, RING = 64 };

typedef struct {
  l2_t *l2;
  packet_pool_t *pool;
  packet_map_t map;
  uint64_t now;
} slice_t;

static void slice_open(slice_t *r) {
  l2_cfg_t cfg;
  l2_defaults(&cfg);
  *r = (slice_t){.map = {6, 8}, .pool = packet_pool_create(64)};
  ck_assert_ptr_nonnull(r->pool);
  ck_assert_int_eq(l2_create(&r->l2, &cfg, 2, &r->map, r->pool, NULL), 0);
}

static void slice_close(slice_t *r) {
  ck_assert_uint_eq(l2_in_flight(r->l2), 0);
  ck_assert_uint_eq(packet_pool_in_flight(r->pool), 0);
  l2_destroy(r->l2);
  packet_pool_destroy(r->pool);
}

typedef struct {
  packet_t *slot[RING]; /* the played DRAM: returned DELAY cycles later at the earliest */
  uint64_t at[RING];
  unsigned head, count;
  uint64_t sent, got, acks, sum; /* sum: order-sensitive digest of the replies */
} play_t;

static void play_dram(slice_t *r, play_t *d, prng_t *rng) {
  if (d->count < RING && prng_chance(rng, 500)) {
    packet_t *p = packet_queue_pop(l2_to_dram(r->l2));
    if (p && p->kind == PACKET_WRITE_BACK) {
      packet_free(r->pool, p);
    } else if (p) {
      unsigned i = (d->head + d->count++) % RING;
      d->slot[i] = p;
      d->at[i] = r->now + DELAY;
    }
  }
  if (d->count && d->at[d->head] <= r->now && !packet_queue_full(l2_from_dram(r->l2))) {
    packet_queue_push(l2_from_dram(r->l2), d->slot[d->head]);
    d->head = (d->head + 1) % RING;
    d->count--;
  }
}

static void play_sms(slice_t *r, play_t *d, prng_t *rng, bool sending) {
  if (prng_chance(rng, 450)) {
    packet_t *p = l2_reply_pop(r->l2);
    if (p) {
      ck_assert(p->kind == PACKET_READ || p->kind == PACKET_WRITE);
      ck_assert(p->reply);
      ck_assert_uint_eq(p->bytes, p->entry); /* the size it was sent with */
      d->sum = d->sum * 31 + p->tag + r->now;
      if (p->kind == PACKET_WRITE) d->acks++;
      d->got++;
      packet_free(r->pool, p);
    }
  }
  uint32_t set = prng_below(rng, 4), i = prng_below(rng, 24), bytes = 32u << prng_below(rng, 3);
  bool write = prng_chance(rng, 300), go = prng_chance(rng, 500);
  if (!sending || !go || !l2_accepts(r->l2)) return;
  packet_t *p = packet_alloc(r->pool);
  packet_set_address(p, &r->map, packet_map_global(&r->map, 2, ((uint64_t)i * 64 + set) * 128));
  p->kind = write ? PACKET_WRITE : PACKET_READ;
  p->bytes = bytes;
  l2_push(r->l2, p, r->now);
  p->tag = d->sent++;
  p->entry = bytes;
}

/* Returns the digest. With `skip`, cycles before the next event are left out. */
static uint64_t random_run(uint64_t seed, bool skip, l2_stats_t *stats) {
  slice_t r;
  slice_open(&r);
  prng_t rng = prng_seed(seed, 1);
  play_t d = {0};
  for (unsigned t = 0; t < LOAD + 4000; t++) {
    play_dram(&r, &d, &rng);
    play_sms(&r, &d, &rng, t < LOAD && t % 2000 < 1500);
    if (!skip || l2_next_event(r.l2, r.now) <= r.now) l2_cycle(r.l2, r.now);
    r.now++;
  }
  ck_assert_uint_gt(d.sent, 5000);
  ck_assert_uint_gt(d.acks, 1000);
  ck_assert_uint_eq(d.got, d.sent);
  *stats = *l2_stats(r.l2);
  ck_assert_uint_eq(stats->reads + stats->writes, d.sent);
  ck_assert_uint_eq(stats->read_hits + stats->read_misses, stats->reads);
  ck_assert_uint_eq(stats->write_hits + stats->write_misses, stats->writes);
  slice_close(&r);
  return d.sum;
}

START_TEST(a_slice_returns_every_request_once) {
  l2_stats_t a, b;
  uint64_t sum = random_run((uint64_t)_i, false, &a);
  ck_assert_uint_eq(random_run((uint64_t)_i, true, &b), sum); /* idle cycles may be skipped */
  ck_assert_int_eq(memcmp(&a, &b, sizeof a), 0);
  ck_assert_uint_gt(a.read_merges, 0);
  ck_assert_uint_gt(a.write_merges, 0);
  ck_assert_uint_gt(a.write_backs, 0);
  ck_assert_uint_gt(a.fail[L2_FAIL_MISSQ], 0);
  ck_assert_uint_gt(a.fail[L2_FAIL_MERGE], 0);
}
END_TEST

/* ---- the whole path -------------------------------------------------------------------------- */

enum { SMS = 14, PARTS = 6 };
enum { PERIOD_SM = 30, PERIOD_ICNT = 15, PERIOD_DRAM = 23 };

typedef struct {
  icnt_t *ic;
  l2_t *l2[PARTS];
  dram_t *dram[PARTS];
  packet_pool_t *pool;
  packet_map_t map;
  uint64_t now; /* SM cycle */
  uint64_t t_sm, t_icnt, t_dram;
} path_t;

static void path_open(path_t *m) {
  icnt_cfg_t ic;
  l2_cfg_t l2;
  dram_cfg_t dram;
  icnt_defaults(&ic);
  l2_defaults(&l2);
  dram_defaults(&dram);
  *m = (path_t){.map = {PARTS, 8}, .pool = packet_pool_create(256)};
  ck_assert_ptr_nonnull(m->pool);
  ck_assert_int_eq(icnt_create(&m->ic, &ic, NULL), 0);
  for (uint32_t i = 0; i < PARTS; i++) {
    ck_assert_int_eq(l2_create(&m->l2[i], &l2, i, &m->map, m->pool, NULL), 0);
    ck_assert_int_eq(dram_create(&m->dram[i], &dram, m->pool, NULL), 0);
  }
}

static void path_close(path_t *m) {
  ck_assert_uint_eq(packet_pool_in_flight(m->pool), 0);
  ck_assert(!packet_pool_failed(m->pool));
  for (uint32_t i = 0; i < PARTS; i++) {
    l2_destroy(m->l2[i]);
    dram_destroy(m->dram[i]);
  }
  icnt_destroy(m->ic);
  packet_pool_destroy(m->pool);
}

static void memory_side(path_t *m, bool sm, bool icnt, bool dram) {
  for (uint32_t i = 0; icnt && i < PARTS; i++) {
    packet_t *p = l2_reply_top(m->l2[i]);
    if (!p || !icnt_reply_room(m->ic, p)) continue;
    icnt_reply_push(m->ic, l2_reply_pop(m->l2[i]));
  }
  for (uint32_t i = 0; dram && i < PARTS; i++)
    dram_cycle(m->dram[i], l2_to_dram(m->l2[i]), l2_from_dram(m->l2[i]), m->now);
  for (uint32_t i = 0; sm && i < PARTS; i++) {
    packet_t *p = l2_accepts(m->l2[i]) ? icnt_request_pop(m->ic, i) : NULL;
    if (p) l2_push(m->l2[i], p, m->now);
    l2_cycle(m->l2[i], m->now);
  }
  if (icnt) icnt_cycle(m->ic);
}

/* Runs time steps up to and including the next SM edge; `receive` and `send` are the SMs' parts of
 * it. */
static void sm_cycle(path_t *m, void *ctx, void (*receive)(path_t *, void *),
                     void (*send)(path_t *, void *)) {
  for (bool sm = false; !sm;) {
    uint64_t t = m->t_sm < m->t_icnt ? m->t_sm : m->t_icnt;
    if (m->t_dram < t) t = m->t_dram;
    sm = m->t_sm == t;
    bool icnt = m->t_icnt == t, dram = m->t_dram == t;
    if (sm) receive(m, ctx);
    memory_side(m, sm, icnt, dram);
    if (sm) send(m, ctx);
    m->t_sm += sm ? PERIOD_SM : 0;
    m->t_icnt += icnt ? PERIOD_ICNT : 0;
    m->t_dram += dram ? PERIOD_DRAM : 0;
  }
  m->now++;
}

typedef struct {
  packet_t *out;    /* to send, NULL once sent */
  uint64_t arrival; /* SM cycle in which the reply left the interconnect, 0 before */
} probe_t;

static void probe_receive(path_t *m, void *ctx) {
  probe_t *p = ctx;
  packet_t *r = icnt_reply_pop(m->ic, 3);
  if (!r) return;
  p->arrival = m->now;
  packet_free(m->pool, r);
}

static void probe_send(path_t *m, void *ctx) {
  probe_t *p = ctx;
  if (p->out) icnt_request_push(m->ic, p->out);
  p->out = NULL;
}

/* SM cycles from an access to its reply in the response FIFO of the LDST unit. The SM's share is 2:
 * the access enters the miss queue and leaves it in the next cycle; the reply leaves the
 * interconnect for the cluster FIFO and moves on in the next cycle. */
static uint64_t round_trip(path_t *m, uint64_t addr) {
  probe_t p = {.out = packet_alloc(m->pool)};
  packet_set_address(p.out, &m->map, addr);
  p.out->sm = 3;
  p.out->bytes = 128;
  uint64_t start = m->now;
  while (!p.arrival) {
    ck_assert_uint_lt(m->now, start + 1000);
    sm_cycle(m, &p, probe_receive, probe_send);
  }
  return p.arrival - start + 2;
}

/* Mean of `n` trips, spaced so that the clocks meet in every phase. */
static double mean_trip(path_t *m, uint64_t first, uint64_t step, unsigned n) {
  uint64_t sum = 0;
  for (unsigned i = 0; i < n; i++) {
    sum += round_trip(m, first + i * step);
    probe_t idle = {0};
    for (unsigned t = 0; t < 60 + i % 7; t++) sm_cycle(m, &idle, probe_receive, probe_send);
  }
  return (double)sum / n;
}

enum { ROW_STEP = 6 << 16 }; /* global distance of two rows of one bank */

START_TEST(unloaded_round_trips) {
  path_t m;
  path_open(&m);
  double cold = 0, hit, row_hit, conflict;
  for (uint64_t bank = 1; bank < 9; bank++) cold += mean_trip(&m, bank * 6 * 4096, 1, 1) / 8;
  (void)mean_trip(&m, 0, 1, 1);
  row_hit = mean_trip(&m, 128, 6 * 256, 15); /* the rest of row 0 of bank 0: 256 B of each 1536 B */
  conflict = mean_trip(&m, ROW_STEP, ROW_STEP, 30);
  hit = mean_trip(&m, 128, 6 * 256, 15);
  ck_assert_double_ge_tol(hit, 127, 1e-9);
  ck_assert_double_le_tol(hit, 127, 1e-9);
  /* The reference: 243 and 261, 250 for a first access. */
  ck_assert_msg(row_hit > 242 && row_hit < 245, "row hit %g", row_hit);
  ck_assert_msg(conflict > 260 && conflict < 264, "conflict %g", conflict);
  ck_assert_msg(cold > 249 && cold < 254, "cold %g", cold);
  path_close(&m);
}
END_TEST

/* ---- random load on the whole path ----------------------------------------------------------- */

typedef struct {
  prng_t rng;
  uint64_t sent, got, id[SMS];
  bool sending;
} crowd_t;

static void crowd_receive(path_t *m, void *ctx) {
  crowd_t *c = ctx;
  for (uint32_t sm = 0; sm < SMS; sm++) {
    if (!prng_chance(&c->rng, 800)) continue;
    packet_t *p = icnt_reply_pop(m->ic, sm);
    if (!p) continue;
    ck_assert(p->reply);
    ck_assert_uint_eq(p->sm, sm);
    ck_assert_uint_lt(p->tag, c->id[sm]);
    c->got++;
    packet_free(m->pool, p);
  }
}

static void crowd_send(path_t *m, void *ctx) {
  crowd_t *c = ctx;
  for (uint32_t sm = 0; c->sending && sm < SMS; sm++) {
    if (!prng_chance(&c->rng, 150)) continue;
    bool write = prng_chance(&c->rng, 400);
    uint32_t bytes = 32u << prng_below(&c->rng, 3);
    uint64_t addr = (uint64_t)prng_below(&c->rng, 1u << 14) * 128;
    if (!icnt_request_room(m->ic, sm, write, bytes)) continue;
    packet_t *p = packet_alloc(m->pool);
    packet_set_address(p, &m->map, addr);
    p->kind = write ? PACKET_WRITE : PACKET_READ;
    p->sm = (uint16_t)sm;
    p->bytes = bytes;
    p->tag = c->id[sm]++;
    c->sent++;
    icnt_request_push(m->ic, p);
  }
}

START_TEST(every_request_returns_once) {
  path_t m;
  path_open(&m);
  crowd_t c = {.rng = prng_seed(575, (uint64_t)_i), .sending = true};
  while (m.now < 60000) {
    c.sending = m.now < 55000;
    sm_cycle(&m, &c, crowd_receive, crowd_send);
  }
  ck_assert_uint_gt(c.sent, 30000);
  ck_assert_uint_eq(c.got, c.sent);
  uint64_t accesses = 0, write_backs = 0, finished = 0;
  for (uint32_t i = 0; i < PARTS; i++) {
    const l2_stats_t *l = l2_stats(m.l2[i]);
    const dram_stats_t *d = dram_stats(m.dram[i]);
    ck_assert_uint_eq(l2_in_flight(m.l2[i]), 0);
    ck_assert_uint_eq(dram_in_flight(m.dram[i]), 0);
    ck_assert_uint_eq(d->write_backs, l->write_backs);
    ck_assert_uint_eq(d->read_requests + d->write_requests, d->requests);
    ck_assert_uint_eq(d->row_hits + d->activates, d->requests);
    accesses += l->reads + l->writes;
    write_backs += l->write_backs;
    finished += d->requests;
  }
  ck_assert_uint_eq(accesses, c.sent);
  ck_assert_uint_gt(write_backs, 100);
  ck_assert_uint_gt(finished, c.sent / 2);
  path_close(&m);
}
END_TEST

Suite *test_memory_suite(void);

Suite *test_memory_suite(void) {
  Suite *s = suite_create("memory");
  TCase *t = tcase_create("slice to DRAM");
  tcase_set_timeout(t, 60);
  tcase_add_loop_test(t, a_slice_returns_every_request_once, 0, 3);
  tcase_add_test(t, unloaded_round_trips);
  tcase_add_loop_test(t, every_request_returns_once, 0, 2);
  tcase_set_tags(t, "heavy"); /* many random cycles: not under valgrind */
  suite_add_tcase(s, t);
  return s;
}
