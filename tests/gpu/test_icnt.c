/* SPDX-License-Identifier: Apache-2.0 */
/* Interconnect: unloaded latencies, throughput at one port, arbitration, room checks,
 * back-pressure, and conservation under random load. Figures: one flit per port and cycle, 1.00
 * cycle for a one-flit request and 5.00 for a five-flit reply, as measured on GPGPU-Sim 3.2.0. */
#include "gpu/icnt_rig.h"

static void rig_default(rig_t *r) {
  icnt_cfg_t cfg;
  icnt_defaults(&cfg);
  rig_open(r, &cfg);
}

static void rig_close(rig_t *r) {
  ck_assert_uint_eq(packet_pool_in_flight(r->pool), 0);
  ck_assert_uint_eq(icnt_in_flight(r->ic), 0);
  icnt_destroy(r->ic);
  packet_pool_destroy(r->pool);
}

static void request(rig_t *r, uint32_t sm, uint32_t part, packet_kind_t kind, uint32_t bytes) {
  ck_assert(icnt_request_room(r->ic, sm, kind == PACKET_WRITE, bytes));
  icnt_request_push(r->ic, make(r, sm, part, kind, bytes));
}

static void reply(rig_t *r, uint32_t sm, uint32_t part, packet_kind_t kind, uint32_t bytes) {
  packet_t *p = make(r, sm, part, kind, bytes);
  ck_assert(icnt_reply_room(r->ic, p));
  icnt_reply_push(r->ic, p);
}

static unsigned cycles_to_request(rig_t *r, uint32_t part) {
  for (unsigned t = 0; t < 1000; t++, icnt_cycle(r->ic)) {
    packet_t *p = icnt_request_pop(r->ic, part);
    if (!p) continue;
    packet_free(r->pool, p);
    return t;
  }
  ck_abort_msg("no request within 1000 cycles");
  return 0;
}

static unsigned cycles_to_reply(rig_t *r, uint32_t sm) {
  for (unsigned t = 0; t < 1000; t++, icnt_cycle(r->ic)) {
    packet_t *p = icnt_reply_pop(r->ic, sm);
    if (!p) continue;
    packet_free(r->pool, p);
    return t;
  }
  ck_abort_msg("no reply within 1000 cycles");
  return 0;
}

START_TEST(unloaded_latency_is_the_number_of_flits) {
  rig_t r;
  rig_default(&r);
  for (uint32_t sm = 0; sm < 14; sm++) {
    for (uint32_t part = 0; part < 6; part++) {
      request(&r, sm, part, PACKET_READ, 128);
      ck_assert_uint_eq(cycles_to_request(&r, part), 1);
      reply(&r, sm, part, PACKET_READ, 128);
      ck_assert_uint_eq(cycles_to_reply(&r, sm), 5);
      icnt_cycle(r.ic);
    }
  }
  const icnt_stats_t *q = icnt_stats(r.ic, ICNT_REQUEST), *a = icnt_stats(r.ic, ICNT_REPLY);
  ck_assert_uint_eq(q->delivered, 84);
  ck_assert_uint_eq(q->latency_sum, 84);     /* 1.00 */
  ck_assert_uint_eq(a->latency_sum, 5 * 84); /* 5.00 */
  ck_assert_uint_eq(q->flits, 84);
  ck_assert_uint_eq(a->flits, 5 * 84);
  rig_close(&r);
}
END_TEST

START_TEST(packet_sizes) {
  static const uint32_t data[] = {32, 64, 128}, flit[] = {16, 32, 64};
  static const uint32_t want[3][3] = {{3, 5, 9}, {2, 3, 5}, {1, 2, 3}};
  for (int f = 0; f < 3; f++) {
    icnt_cfg_t cfg;
    icnt_defaults(&cfg);
    cfg.flit_bytes = flit[f];
    rig_t r;
    rig_open(&r, &cfg);
    for (int d = 0; d < 3; d++) {
      request(&r, 3, 2, PACKET_WRITE, data[d]);
      ck_assert_uint_eq(cycles_to_request(&r, 2), want[f][d]);
      reply(&r, 3, 2, PACKET_READ, data[d]);
      ck_assert_uint_eq(cycles_to_reply(&r, 3), want[f][d]);
      reply(&r, 3, 2, PACKET_WRITE, data[d]); /* an acknowledgement carries no data */
      ck_assert_uint_eq(cycles_to_reply(&r, 3), 1);
    }
    rig_close(&r);
  }
}
END_TEST

/* An SM pops once per SM cycle, every second interconnect cycle. */
START_TEST(replies_to_one_sm_are_2_5_sm_cycles_apart) {
  rig_t r;
  rig_default(&r);
  unsigned got = 0, sent = 0, first = 0, last = 0;
  for (unsigned t = 0; got < 60; t++) {
    ck_assert_uint_lt(t, 2000);
    if (t % 2 == 0) {
      packet_t *p = icnt_reply_pop(r.ic, 4);
      if (p) {
        packet_free(r.pool, p);
        if (got++ == 0)
          first = t / 2;
        else
          ck_assert(t / 2 - last == 2 || t / 2 - last == 3);
        last = t / 2;
      }
    }
    for (uint32_t part = 0; part < 6 && sent < 60; part++) {
      packet_t *p = make(&r, 4, part, PACKET_READ, 128);
      if (icnt_reply_room(r.ic, p)) {
        icnt_reply_push(r.ic, p);
        sent++;
      } else {
        packet_free(r.pool, p);
      }
    }
    icnt_cycle(r.ic);
  }
  /* 59 intervals of 5 interconnect cycles, seen on SM cycles. */
  ck_assert_uint_ge(last - first, 147);
  ck_assert_uint_le(last - first, 148);
  rig_close(&r);
}
END_TEST

START_TEST(an_output_serves_its_senders_in_rotation) {
  rig_t r;
  rig_default(&r);
  for (unsigned round = 0; round < 3; round++)
    for (uint32_t sm = 0; sm < 14; sm++) request(&r, sm, 5, PACKET_READ, 128);
  uint32_t expect = 0, got = 0;
  for (unsigned t = 0; t < 60; t++) {
    icnt_cycle(r.ic);
    packet_t *p = icnt_request_pop(r.ic, 5);
    if (!p) continue;
    ck_assert_uint_eq(p->sm, expect);
    expect = (expect + 1) % 14;
    got++;
    packet_free(r.pool, p);
  }
  ck_assert_uint_eq(got, 42);
  /* The pointer stands behind the last winner, not at 0. */
  request(&r, 3, 5, PACKET_READ, 128);
  icnt_cycle(r.ic);
  packet_free(r.pool, icnt_request_pop(r.ic, 5));
  request(&r, 3, 5, PACKET_READ, 128);
  request(&r, 9, 5, PACKET_READ, 128);
  icnt_cycle(r.ic);
  packet_t *p = icnt_request_pop(r.ic, 5);
  ck_assert_uint_eq(p->sm, 9);
  packet_free(r.pool, p);
  ck_assert_uint_eq(cycles_to_request(&r, 5), 1);
  rig_close(&r);
}
END_TEST

START_TEST(a_packet_holds_its_output_to_the_tail) {
  rig_t r;
  rig_default(&r);
  reply(&r, 7, 0, PACKET_READ, 128);
  reply(&r, 7, 1, PACKET_READ, 128);
  reply(&r, 8, 2, PACKET_READ, 128);
  /* The two for SM 7 follow each other without a gap; the third has its own output. */
  ck_assert_uint_eq(cycles_to_reply(&r, 7), 5);
  ck_assert_uint_eq(cycles_to_reply(&r, 8), 0);
  ck_assert_uint_eq(cycles_to_reply(&r, 7), 5);
  rig_close(&r);
}
END_TEST

START_TEST(room_in_the_injection_buffer) {
  rig_t r;
  rig_default(&r);
  for (int i = 0; i < 9; i++) request(&r, 0, 0, PACKET_READ, 128);
  ck_assert(!icnt_request_room(r.ic, 0, false, 128));
  ck_assert(icnt_request_room(r.ic, 1, false, 128));
  icnt_cycle(r.ic); /* one flit moves on */
  ck_assert(icnt_request_room(r.ic, 0, false, 128));
  for (int i = 0; i < 9; i++) (void)cycles_to_request(&r, 0);
  for (int i = 0; i < 5; i++) request(&r, 0, 0, PACKET_READ, 128);
  /* 5 of 9 flits: the write of 128 B has 5, the release counts the 4 of its data. */
  ck_assert(icnt_request_room(r.ic, 0, true, 128));
  request(&r, 0, 0, PACKET_WRITE, 128);
  ck_assert(!icnt_request_room(r.ic, 0, false, 128));
  for (int i = 0; i < 6; i++) (void)cycles_to_request(&r, 0);
  rig_close(&r);

  icnt_cfg_t cfg;
  icnt_defaults(&cfg);
  cfg.write_room_bug = 0;
  rig_open(&r, &cfg);
  for (int i = 0; i < 5; i++) request(&r, 0, 0, PACKET_READ, 128);
  ck_assert(!icnt_request_room(r.ic, 0, true, 128));
  ck_assert(icnt_request_room(r.ic, 0, true, 64));
  for (int i = 0; i < 5; i++) (void)cycles_to_request(&r, 0);
  rig_close(&r);
}
END_TEST

START_TEST(reply_room_counts_header_and_data) {
  rig_t r;
  rig_default(&r);
  for (int i = 0; i < 4; i++) reply(&r, 0, 0, PACKET_WRITE, 128);
  packet_t *p = make(&r, 0, 0, PACKET_READ, 128);
  ck_assert(icnt_reply_room(r.ic, p)); /* 4 + 5 = 9 */
  icnt_reply_push(r.ic, p);
  p = make(&r, 0, 0, PACKET_WRITE, 128);
  ck_assert(!icnt_reply_room(r.ic, p));
  packet_free(r.pool, p);
  for (int i = 0; i < 5; i++) (void)cycles_to_reply(&r, 0);
  rig_close(&r);
}
END_TEST

/* Lets partitions 0 and 1 send to SM 2, which takes nothing; returns the flits that got through. */
static uint64_t flood(rig_t *r) {
  for (unsigned t = 0; t < 200; t++) {
    for (uint32_t part = 0; part < 2; part++) {
      packet_t *p = make(r, 2, part, PACKET_READ, 128);
      if (icnt_reply_room(r->ic, p))
        icnt_reply_push(r->ic, p);
      else
        packet_free(r->pool, p);
    }
    icnt_cycle(r->ic);
  }
  return icnt_stats(r->ic, ICNT_REPLY)->flits_moved;
}

static void empty_sm(rig_t *r, uint32_t sm) {
  for (unsigned t = 0; t < 500; t++, icnt_cycle(r->ic)) {
    packet_t *p = icnt_reply_pop(r->ic, sm);
    if (p) packet_free(r->pool, p);
  }
}

static bool reply_waiting(const rig_t *r, unsigned sm) {
  const set_t waiting = icnt_replies_waiting(r->ic);
  return set_has(&waiting, sm);
}

START_TEST(a_blocked_sm_fills_its_buffers_and_no_more) {
  rig_t r;
  rig_default(&r);
  ck_assert_uint_eq(flood(&r), 16 + 8);
  ck_assert(!icnt_idle(r.ic));
  ck_assert(reply_waiting(&r, 2));
  /* Behind the blocked head, a reply to a free SM waits: one virtual channel. */
  reply(&r, 3, 0, PACKET_WRITE, 32);
  for (int i = 0; i < 20; i++) icnt_cycle(r.ic);
  ck_assert(!reply_waiting(&r, 3));
  ck_assert_uint_eq(icnt_stats(r.ic, ICNT_REPLY)->flits_moved, 16 + 8);
  /* Another partition's port is free. */
  reply(&r, 3, 4, PACKET_READ, 128);
  ck_assert_uint_eq(cycles_to_reply(&r, 3), 5);
  empty_sm(&r, 2);
  ck_assert_uint_eq(cycles_to_reply(&r, 3), 0);
  ck_assert(icnt_idle(r.ic));
  rig_close(&r);
}
END_TEST

START_TEST(a_blocked_partition_stops_its_senders) {
  rig_t r;
  rig_default(&r);
  unsigned accepted = 0;
  for (unsigned t = 0; t < 100; t++) {
    while (icnt_request_room(r.ic, 0, false, 128)) {
      request(&r, 0, 0, PACKET_READ, 128);
      accepted++;
    }
    icnt_cycle(r.ic);
  }
  ck_assert_uint_eq(accepted, 16 + 8 + 8 + 9); /* boundary, ejection, input, injection buffer */
  for (unsigned i = 0; i < accepted; i++) (void)cycles_to_request(&r, 0);
  rig_close(&r);
}
END_TEST

/* Cycles until a second packet is complete after the boundary buffer was emptied at once. */
static unsigned refill(uint32_t double_drain) {
  icnt_cfg_t cfg;
  icnt_defaults(&cfg);
  cfg.double_drain = double_drain;
  rig_t r;
  rig_open(&r, &cfg);
  (void)flood(&r);
  for (int i = 0; i < 3; i++) packet_free(r.pool, icnt_reply_pop(r.ic, 2)); /* 1 flit stays */
  ck_assert_ptr_null(icnt_reply_pop(r.ic, 2));
  unsigned t = cycles_to_reply(&r, 2);
  empty_sm(&r, 2);
  rig_close(&r);
  return t;
}

START_TEST(the_two_networks_of_the_release_drain_twice) {
  ck_assert_uint_eq(refill(1), 2); /* the 4 missing flits, two a cycle */
  ck_assert_uint_eq(refill(0), 4);
}
END_TEST

START_TEST(skipping_idle_cycles_only_counts_them) {
  rig_t r;
  rig_default(&r);
  ck_assert(icnt_idle(r.ic));
  icnt_skip(r.ic, 1000);
  request(&r, 1, 1, PACKET_READ, 32);
  ck_assert(!icnt_idle(r.ic));
  ck_assert_uint_eq(cycles_to_request(&r, 1), 1);
  icnt_cycle(r.ic); /* the credit */
  icnt_cycle(r.ic);
  ck_assert(icnt_idle(r.ic));
  ck_assert_uint_eq(icnt_stats(r.ic, ICNT_REQUEST)->latency_max, 1);
  rig_close(&r);
}
END_TEST

typedef struct {
  uint64_t sent[SMS][PARTS], at_part[SMS][PARTS], back[SMS][PARTS];
  packet_t *held[PARTS]; /* a request taken by a partition, to be answered */
} flow_t;

static void random_partition(rig_t *r, flow_t *f, uint32_t part, prng_t *rng) {
  if (!f->held[part] && prng_chance(rng, 600)) {
    packet_t *p = icnt_request_pop(r->ic, part);
    if (p) {
      ck_assert_uint_eq(p->partition, part);
      ck_assert_uint_eq(p->tag, f->at_part[p->sm][part]); /* a pair keeps its order */
      f->at_part[p->sm][part]++;
      f->held[part] = p;
    }
  }
  packet_t *p = f->held[part];
  if (p && icnt_reply_room(r->ic, p)) {
    icnt_reply_push(r->ic, p);
    f->held[part] = NULL;
  }
}

static unsigned random_sm(rig_t *r, flow_t *f, uint32_t sm, prng_t *rng, bool send) {
  unsigned got = 0;
  if (prng_chance(rng, 500)) {
    packet_t *p = icnt_reply_pop(r->ic, sm);
    if (p) {
      ck_assert_uint_eq(p->sm, sm);
      ck_assert_uint_eq(p->tag, f->back[sm][p->partition]);
      f->back[sm][p->partition]++;
      packet_free(r->pool, p);
      got = 1;
    }
  }
  if (!send || !prng_chance(rng, 300)) return got;
  packet_kind_t kind = prng_chance(rng, 300) ? PACKET_WRITE : PACKET_READ;
  uint32_t bytes = 32u << prng_below(rng, 3), part = prng_below(rng, PARTS);
  if (!icnt_request_room(r->ic, sm, kind == PACKET_WRITE, bytes)) return got;
  packet_t *p = make(r, sm, part, kind, bytes);
  p->tag = f->sent[sm][part]++;
  icnt_request_push(r->ic, p);
  return got;
}

START_TEST(random_load_returns_every_packet_once_and_in_order) {
  prng_t rng = prng_seed(2014, (uint64_t)_i);
  icnt_cfg_t cfg;
  icnt_defaults(&cfg);
  cfg.flit_bytes = _i == 1 ? 16 : _i == 2 ? 64 : 32;
  if (_i == 3) cfg.vc_flits = cfg.eject_flits = 1;
  rig_t r;
  rig_open(&r, &cfg);
  flow_t f = {0};
  uint64_t got = 0, sent = 0;
  for (unsigned t = 0; t < LOAD + 5000; t++) {
    for (uint32_t part = 0; part < PARTS; part++) random_partition(&r, &f, part, &rng);
    icnt_cycle(r.ic);
    for (uint32_t sm = 0; sm < SMS; sm++) got += random_sm(&r, &f, sm, &rng, t < LOAD);
  }
  for (int s = 0; s < SMS; s++)
    for (int p = 0; p < PARTS; p++) sent += f.sent[s][p];
  ck_assert_uint_gt(sent, 5000);
  ck_assert_uint_eq(got, sent);
  const icnt_stats_t *q = icnt_stats(r.ic, ICNT_REQUEST), *a = icnt_stats(r.ic, ICNT_REPLY);
  ck_assert_uint_eq(q->delivered, sent);
  ck_assert_uint_eq(a->delivered, sent);
  ck_assert_uint_eq(q->flits, q->flits_moved);
  ck_assert_uint_eq(a->flits, a->flits_moved);
  ck_assert(icnt_idle(r.ic));
  rig_close(&r);
}
END_TEST

/* The same load on the SMs from `first` on of an interconnect with 256, and on one with 14: sets of
 * several words, and of one. */
START_TEST(sets_of_several_words) {
  static const uint32_t from[] = {0, 60, 242};
  const uint32_t first[2] = {0, from[_i]};
  prng_t rng = prng_seed(256, (uint64_t)_i);
  icnt_cfg_t cfg;
  rig_t r[2];
  icnt_defaults(&cfg);
  rig_open(&r[0], &cfg);
  cfg.sms = 256;
  rig_open(&r[1], &cfg);
  for (unsigned t = 0; t < LOAD; t++) {
    for (uint32_t i = 0; t % 3 && i < 2 * PARTS; i++) answer(&r[i % 2], i / 2);
    for (unsigned i = 0; i < 2; i++) icnt_cycle(r[i].ic);
    for (uint32_t sm = 0; sm < SMS; sm++) pass_both(r, first, sm, &rng);
  }
  ck_assert_uint_gt(icnt_stats(r[1].ic, ICNT_REPLY)->delivered, 5000);
  for (unsigned i = 0; i < 2; i++) {
    icnt_destroy(r[i].ic);
    packet_pool_destroy(r[i].pool);
  }
}
END_TEST

Suite *test_icnt_suite(void);

Suite *test_icnt_suite(void) {
  Suite *s = suite_create("icnt");
  TCase *t = tcase_create("interconnect");
  tcase_add_test(t, unloaded_latency_is_the_number_of_flits);
  tcase_add_test(t, packet_sizes);
  tcase_add_test(t, replies_to_one_sm_are_2_5_sm_cycles_apart);
  tcase_add_test(t, an_output_serves_its_senders_in_rotation);
  tcase_add_test(t, a_packet_holds_its_output_to_the_tail);
  tcase_add_test(t, room_in_the_injection_buffer);
  tcase_add_test(t, reply_room_counts_header_and_data);
  tcase_add_test(t, a_blocked_sm_fills_its_buffers_and_no_more);
  tcase_add_test(t, a_blocked_partition_stops_its_senders);
  tcase_add_test(t, the_two_networks_of_the_release_drain_twice);
  tcase_add_test(t, skipping_idle_cycles_only_counts_them);
  tcase_add_loop_test(t, random_load_returns_every_packet_once_and_in_order, 0, 1);
  tcase_add_loop_test(t, sets_of_several_words, 0, 3);
  TCase *h = tcase_create("random load");
  tcase_set_tags(h, "heavy"); /* many random cycles: not under valgrind */
  tcase_add_loop_test(h, random_load_returns_every_packet_once_and_in_order, 1, 4);
  suite_add_tcase(s, t);
  suite_add_tcase(s, h);
  return s;
}
