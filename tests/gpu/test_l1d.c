/* SPDX-License-Identifier: Apache-2.0 */
/* L1D: each rule alone, the reference's recorded accesses, and that a wrong recording is
 * noticed. */
#include "l1d_help.h"
#include "gpu/replay/replay.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

START_TEST(miss_fill_hit) {
  rig_t r;
  rig_open(&r, config(32, 4, 32, 8));
  reads(&r, 0x1000, TAGS_MISS, L1D_NONE);
  reads(&r, 0x1020, TAGS_HIT_RESERVED, L1D_NONE);
  ck_assert_uint_eq(l1d_mshrs(r.d), 1);
  ck_assert_uint_eq(l1d_miss_queue(r.d), 1);
  fill(&r, send(&r, PACKET_READ, 0x1000));
  reads(&r, 0x1040, TAGS_HIT, L1D_NONE);
  drain(&r, 0x1000);
  ck_assert_uint_eq(l1d_mshrs(r.d), 1); /* until its last merge has left */
  drain(&r, 0x1020);
  ck_assert_uint_eq(l1d_mshrs(r.d), 0);
  uint16_t warp;
  uint16_t reg;
  ck_assert(!l1d_ready(r.d, &warp, &reg));
  const l1d_stats_t *s = l1d_stats(r.d);
  ck_assert_uint_eq(s->hits, 1);
  ck_assert_uint_eq(s->misses, 1);
  ck_assert_uint_eq(s->pending_hits, 1);
  ck_assert_uint_eq(s->merges, 1);
  rig_close(&r);
}
END_TEST

/* 4096 bytes apart is the same set of 32. */
START_TEST(assoc_and_lru) {
  rig_t r;
  rig_open(&r, config(32, 4, 32, 8));
  for (uint64_t i = 0; i < 4; i++) reads(&r, i << 12, TAGS_MISS, L1D_NONE);
  reads(&r, UINT64_C(4) << 12, TAGS_ALL_RESERVED, L1D_ASSOC);
  writes(&r, UINT64_C(5) << 12, TAGS_ALL_RESERVED, L1D_ASSOC); /* although it needs no line */
  reads(&r, 128, TAGS_MISS, L1D_NONE);                         /* another set */
  for (uint64_t i = 0; i < 4; i++) fill(&r, send(&r, PACKET_READ, i << 12));
  for (uint64_t i = 0; i < 4; i++) drain(&r, i << 12);
  reads(&r, 0, TAGS_HIT, L1D_NONE); /* now line 1 is the oldest */
  reads(&r, UINT64_C(4) << 12, TAGS_MISS, L1D_NONE);
  reads(&r, UINT64_C(2) << 12, TAGS_HIT, L1D_NONE);
  reads(&r, UINT64_C(1) << 12, TAGS_MISS, L1D_NONE);
  reads(&r, UINT64_C(3) << 12, TAGS_MISS, L1D_NONE); /* it was evicted by line 1 */
  ck_assert_uint_eq(l1d_stats(r.d)->refused[L1D_ASSOC], 2);
  rig_close(&r);
}
END_TEST

START_TEST(write_rules) {
  rig_t r;
  rig_open(&r, config(32, 4, 32, 8));
  fetch(&r, 0x2000);
  writes(&r, 0x2000, TAGS_HIT, L1D_NONE); /* evicts */
  reads(&r, 0x2000, TAGS_MISS, L1D_NONE);
  writes(&r, 0x2000, TAGS_HIT_RESERVED, L1D_NONE); /* the reserved line stays */
  reads(&r, 0x2000, TAGS_HIT_RESERVED, L1D_MERGE); /* what is being fetched is out of date */
  send(&r, PACKET_WRITE, 0x2000);
  fill(&r, send(&r, PACKET_READ, 0x2000));
  reads(&r, 0x2000, TAGS_MISS, L1D_MERGE);
  drain(&r, 0x2000);
  ck_assert_uint_eq(l1d_stats(r.d)->stale_fills, 1);
  ck_assert_uint_eq(tag_array_reserved(l1d_tags(r.d)), 0);
  send(&r, PACKET_WRITE, 0x2000);
  fetch(&r, 0x2000);
  reads(&r, 0x2000, TAGS_HIT, L1D_NONE);
  writes(&r, 0x3080, TAGS_MISS, L1D_NONE);
  reads(&r, 0x3080, TAGS_MISS, L1D_NONE); /* a write allocates nothing */
  rig_close(&r);
}
END_TEST

/* By the reference's rules the fetch fills the line, whatever was written meanwhile. */
START_TEST(reference_write) {
  rig_t r;
  rig_open(&r, config(32, 4, 32, 8));
  l1d_set_hazards(r.d, HAZARDS_REFERENCE);
  reads(&r, 0x2000, TAGS_MISS, L1D_NONE);
  writes(&r, 0x2000, TAGS_HIT_RESERVED, L1D_NONE);
  reads(&r, 0x2000, TAGS_HIT_RESERVED, L1D_NONE);
  fill(&r, send(&r, PACKET_READ, 0x2000));
  drain(&r, 0x2000);
  drain(&r, 0x2000);
  reads(&r, 0x2000, TAGS_HIT, L1D_NONE);
  ck_assert_uint_eq(l1d_stats(r.d)->stale_fills, 0);
  rig_close(&r);
}
END_TEST

/* A read wants two places, a write one; a hit none; a merge is refused too. */
START_TEST(miss_queue_rules) {
  rig_t r;
  rig_open(&r, config(32, 4, 32, 8));
  fetch(&r, 0x10000);
  for (uint64_t i = 0; i < 7; i++) reads(&r, i * 128, TAGS_MISS, L1D_NONE);
  reads(&r, 7 * 128, TAGS_MISS, L1D_MISSQ);
  reads(&r, 0, TAGS_HIT_RESERVED, L1D_MISSQ);
  reads(&r, 0x10000, TAGS_HIT, L1D_NONE);
  writes(&r, 9 * 128, TAGS_MISS, L1D_NONE);
  writes(&r, 10 * 128, TAGS_MISS, L1D_MISSQ);
  send(&r, PACKET_READ, 0);
  reads(&r, 0, TAGS_HIT_RESERVED, L1D_MISSQ);
  send(&r, PACKET_READ, 128);
  reads(&r, 0, TAGS_HIT_RESERVED, L1D_NONE);
  rig_close(&r);
}
END_TEST

START_TEST(mshr_rules) {
  rig_t r;
  rig_open(&r, config(32, 4, 2, 3));
  reads(&r, 0, TAGS_MISS, L1D_NONE);
  reads(&r, 0, TAGS_HIT_RESERVED, L1D_NONE);
  reads(&r, 0, TAGS_HIT_RESERVED, L1D_NONE);
  reads(&r, 0, TAGS_HIT_RESERVED, L1D_MERGE);
  reads(&r, 128, TAGS_MISS, L1D_NONE);
  reads(&r, 256, TAGS_MISS, L1D_MSHR);
  uint32_t first = send(&r, PACKET_READ, 0), second = send(&r, PACKET_READ, 128);
  fill(&r, second); /* filled first, drains first */
  fill(&r, first);
  drain(&r, 128);
  for (unsigned i = 0; i < 3; i++) drain(&r, 0);
  rig_close(&r);
}
END_TEST

/* Two reads, a fill, and a write that evicts the line before they have both left. */
static void evict_while_draining(rig_t *r, uint32_t hazards) {
  rig_open(r, config(1, 1, 4, 4));
  l1d_set_hazards(r->d, hazards);
  reads(r, 0, TAGS_MISS, L1D_NONE);
  reads(r, 0, TAGS_HIT_RESERVED, L1D_NONE);
  fill(r, send(r, PACKET_READ, 0));
  writes(r, 0, TAGS_HIT, L1D_NONE);
  drain(r, 0);
}

START_TEST(draining_merge) {
  rig_t r;
  evict_while_draining(&r, 0);
  reads(&r, 0, TAGS_MISS, L1D_MERGE);
  send(&r, PACKET_WRITE, 0);
  drain(&r, 0);
  fetch(&r, 0);
  reads(&r, 0, TAGS_HIT, L1D_NONE);
  rig_close(&r);
}
END_TEST

/* Evicted by a read, the line's data are still good: what merges now takes them and no line. */
START_TEST(draining_merge_without_line) {
  rig_t r;
  rig_open(&r, config(1, 2, 4, 4));
  fetch(&r, 128);
  reads(&r, 0, TAGS_MISS, L1D_NONE);
  reads(&r, 0, TAGS_HIT_RESERVED, L1D_NONE);
  fill(&r, send(&r, PACKET_READ, 0));
  reads(&r, 128, TAGS_HIT, L1D_NONE);
  reads(&r, 256, TAGS_MISS, L1D_NONE); /* in the place of line 0 */
  drain(&r, 0);
  reads(&r, 0, TAGS_MISS, L1D_NONE);
  ck_assert_uint_eq(tag_array_reserved(l1d_tags(r.d)), 1);
  ck_assert_uint_eq(l1d_stats(r.d)->merges, 2);
  drain(&r, 0);
  drain(&r, 0);
  reads(&r, 128, TAGS_HIT, L1D_NONE);
  ck_assert_uint_eq(l1d_mshrs(r.d), 1);
  rig_close(&r);
}
END_TEST

/* The reference's defect: evicted while its entry drains and read again, a line is reserved for
 * good. */
START_TEST(reference_draining_merge) {
  rig_t r;
  evict_while_draining(&r, HAZARDS_REFERENCE);
  reads(&r, 0, TAGS_MISS, L1D_NONE); /* merges: nothing is sent */
  send(&r, PACKET_WRITE, 0);
  ck_assert_ptr_null(l1d_to_send(r.d));
  drain(&r, 0);
  drain(&r, 0);
  reads(&r, 128, TAGS_ALL_RESERVED, L1D_ASSOC);
  ck_assert_uint_eq(tag_array_reserved(l1d_tags(r.d)), 1);
  rig_close(&r);
}
END_TEST

/* Drain, fill and access in one cycle: the entry that is released serves the access. */
START_TEST(one_cycle) {
  rig_t r;
  uint16_t warp;
  uint16_t reg;
  rig_open(&r, config(32, 4, 2, 2));
  reads(&r, 0, TAGS_MISS, L1D_NONE);
  reads(&r, 128, TAGS_MISS, L1D_NONE);
  uint32_t first = send(&r, PACKET_READ, 0), second = send(&r, PACKET_READ, 128);
  fill(&r, first);
  ck_assert(l1d_ready(r.d, &warp, &reg));
  l1d_take(r.d);
  ck_assert_uint_eq(l1d_mshrs(r.d), 1);
  l1d_fill(r.d, second, r.now);
  reads(&r, 256, TAGS_MISS, L1D_NONE);
  ck_assert_uint_eq(l1d_mshrs(r.d), 2);
  drain(&r, 128);
  rig_close(&r);
}
END_TEST

/* The MSHR table takes one store a cycle: a write past the L1D has to wait beside a store that asked
 * the table. It marks an entry that is allocated in its cycle. */
START_TEST(one_store_a_cycle) {
  rig_t r;
  rig_open(&r, config(4, 2, 4, 4));
  const l1d_request_t load = {0, 32, 0, 1, false, 0, false, 0},
                      store = {0, 32, 0, 1, true, 0, false, 0};
  ck_assert_int_eq(l1d_access(r.d, &store, r.now).reason, L1D_NONE);
  ck_assert(l1d_may_write_past(r.d)); /* the table is empty and was not asked */
  ck_assert_int_eq(l1d_edge(r.d, NULL), 0);
  (void)send(&r, PACKET_WRITE, 0);
  ck_assert_int_eq(l1d_access(r.d, &load, r.now).reason, L1D_NONE);
  ck_assert(l1d_may_write_past(r.d));
  l1d_write_past(r.d, 0);
  ck_assert(!l1d_may_write_past(r.d));
  ck_assert_int_eq(l1d_edge(r.d, NULL), 0);
  ck_assert(l1d_may_write_past(r.d));
  reads(&r, 0, TAGS_HIT_RESERVED, L1D_MERGE);
  ck_assert_int_eq(l1d_access(r.d, &store, r.now).reason, L1D_NONE);
  ck_assert(!l1d_may_write_past(r.d));
  ck_assert_int_eq(l1d_edge(r.d, NULL), 0);
  fill(&r, send(&r, PACKET_READ, 0));
  (void)send(&r, PACKET_WRITE, 0);
  drain(&r, 0);
  ck_assert_uint_eq(l1d_stats(r.d)->stale_fills, 1);
  reads(&r, 0, TAGS_MISS, L1D_NONE); /* the line was not kept */
  fill(&r, send(&r, PACKET_READ, 0));
  drain(&r, 0);
  rig_close(&r);
}
END_TEST

START_TEST(bypass_tracking) {
  rig_t r;
  uint32_t entry[3];
  l1d_request_t q = {0x4000, 32, 5, 9, false, 0, false, 0};
  l1d_cfg_t c = config(32, 4, 2, 8);
  c.mshr.ADDR_W++;
  rig_open(&r, c);
  for (unsigned i = 0; i < 2; i++) {
    ck_assert(l1d_track_bypass(r.d, &q, &entry[i])); /* never merges, not even with itself */
    ck_assert_int_eq(l1d_edge(r.d, NULL), 0);
  }
  ck_assert(!l1d_track_bypass(r.d, &q, &entry[2]));
  ck_assert_uint_eq(l1d_mshrs(r.d), 2);
  fill(&r, entry[1]);
  uint16_t warp;
  uint16_t reg;
  ck_assert(l1d_ready(r.d, &warp, &reg));
  ck_assert_uint_eq(warp, 5);
  ck_assert_uint_eq(reg, 9);
  l1d_take(r.d);
  ck_assert_int_eq(l1d_edge(r.d, NULL), 0);
  reads(&r, 0x4000, TAGS_MISS, L1D_NONE); /* the bypassed read left no line */
  ck_assert(!l1d_store_queued(r.d, 0x4000));
  writes(&r, 0x4020, TAGS_HIT_RESERVED, L1D_NONE);
  ck_assert(l1d_store_queued(r.d, 0x4060));
  rig_close(&r);
}
END_TEST

/* ---- recorded accesses ----------------------------------------------------- */

static replay_end_t replay(const char *path, mrpb_err_t *err, replay_stats_t *s) {
  config_t c;
  config_defaults(&c);
  return replay_run(path, &c, NULL, NULL, s, err);
}

START_TEST(recorded) {
  mrpb_err_t err = {{0}};
  replay_stats_t s;
  ck_assert_msg(replay("tests/data/l1d-syr2k.txt", &err, &s) == REPLAY_EQUAL, "%s", err.text);
  ck_assert_uint_gt(s.accesses, 400);
  ck_assert_uint_gt(s.refused, 200);
  ck_assert_uint_gt(s.drains, 30);
}
END_TEST

/* The excerpt with `from` replaced by `to` in line `line` (from 1), or cut off inside that line. */
static replay_end_t altered(unsigned line, const char *from, const char *to, mrpb_err_t *err) {
  char name[] = "build/tmp/mrpb_l1d_XXXXXX", text[256];
  replay_stats_t s;
  FILE *in = fopen("tests/data/l1d-syr2k.txt", "r"), *out = fdopen(mkstemp(name), "w");
  ck_assert(in && out);
  for (unsigned n = 1; fgets(text, sizeof text, in); n++) {
    char *at = n == line ? strstr(text, from) : NULL;
    if (n == line) ck_assert_ptr_nonnull(at);
    if (!at) {
      fputs(text, out);
      continue;
    }
    fprintf(out, "%.*s%s", (int)(at - text), text, to ? to : "");
    if (!to) break;
    fputs(at + strlen(from), out);
  }
  fclose(in);
  fclose(out);
  err->text[0] = 0;
  replay_end_t end = replay(name, err, &s);
  unlink(name);
  return end;
}

/* Line of the first line that holds `what`. */
static unsigned line_with(const char *what) {
  char text[256];
  unsigned n = 0;
  FILE *in = fopen("tests/data/l1d-syr2k.txt", "r");
  ck_assert_ptr_nonnull(in);
  do n++;
  while (fgets(text, sizeof text, in) && !strstr(text, what));
  fclose(in);
  return n;
}

static void expect(replay_end_t end, replay_end_t want, const mrpb_err_t *err, unsigned line,
                   const char *what) {
  char place[32];
  snprintf(place, sizeof place, ":%u: ", line);
  ck_assert_int_eq(end, want);
  ck_assert_msg(strstr(err->text, place) && strstr(err->text, what), "%s", err->text);
}

START_TEST(differences) {
  mrpb_err_t err;
  unsigned a = line_with(" assoc "), m = line_with(" mshr "), q = line_with(" missq "),
           f = line_with(" F "), d = line_with(" D "), s = line_with(" S W ");
  expect(altered(a, " assoc ", " missq ", &err), REPLAY_DIFFERENT, &err, a,
         "reason: recorded missq, model assoc");
  expect(altered(m, "MISS RESERVATION_FAIL", "HIT HIT", &err), REPLAY_DIFFERENT, &err, m,
         "probe: recorded HIT");
  expect(altered(m, " 32\n", " 31\n", &err), REPLAY_DIFFERENT, &err, m,
         "MSHRs before: recorded 31, model 32");
  expect(altered(q, " missq 8", " missq 7", &err), REPLAY_DIFFERENT, &err, q,
         "miss queue before: recorded 7");
  expect(altered(f, " F ", " F f", &err), REPLAY_DIFFERENT, &err, f, "fill");
  expect(altered(d, " D ", " D 9", &err), REPLAY_DIFFERENT, &err, d, "drain: recorded warp 9");
  expect(altered(s, " S W", " S R", &err), REPLAY_DIFFERENT, &err, s, "send: recorded R");
}
END_TEST

START_TEST(malformed) {
  mrpb_err_t err;
  expect(altered(20, "A", "B", &err), REPLAY_BAD_INPUT, &err, 20, "malformed");
  expect(altered(2, " R ", " X ", &err), REPLAY_BAD_INPUT, &err, 2, "legal: R or W");
  expect(altered(2, " 128 ", " 127 ", &err), REPLAY_BAD_INPUT, &err, 2, "legal: A warp address");
  expect(altered(2, " -", "", &err), REPLAY_BAD_INPUT, &err, 2, "malformed");
  expect(altered(20, "1", "", &err), REPLAY_BAD_INPUT, &err, 20, "the cycle decreases");
  expect(altered(30, "A", NULL, &err), REPLAY_BAD_INPUT, &err, 30, "the last line is cut off");
}
END_TEST

Suite *test_l1d_suite(void);

Suite *test_l1d_suite(void) {
  Suite *s = suite_create("l1d");
  TCase *t = tcase_create("rules"), *u = tcase_create("recorded");
  tcase_add_test(t, miss_fill_hit);
  tcase_add_test(t, assoc_and_lru);
  tcase_add_test(t, write_rules);
  tcase_add_test(t, miss_queue_rules);
  tcase_add_test(t, mshr_rules);
  tcase_add_test(t, draining_merge);
  tcase_add_test(t, draining_merge_without_line);
  tcase_add_test(t, reference_draining_merge);
  tcase_add_test(t, reference_write);
  tcase_add_test(t, one_cycle);
  tcase_add_test(t, one_store_a_cycle);
  tcase_add_test(t, bypass_tracking);
  tcase_add_test(u, recorded);
  tcase_add_test(u, differences);
  tcase_add_test(u, malformed);
  suite_add_tcase(s, t);
  suite_add_tcase(s, u);
  return s;
}
