/* SPDX-License-Identifier: Apache-2.0 */
/* Beyond the SM of tb/device, in exact cycles from docs/device/README.md: ports, the LRC, lines in
 * flight, stores, the distance of clusters, sectors. `timed` reads the clock at T, issues its first
 * instruction at T + ISSUE_CYCLES and the last clock ISSUE_CYCLES after the first use of the last
 * datum. That is T + 4 plus the time of the accesses, since ISSUE_CYCLES is 2. The barrier before
 * it, BARRIER_LATENCY = 20, gives the addresses time to be ready. */
#include "device_help.h"

#define TIMED(accesses, uses)                                                                      \
  "  bar.sync 0;\n  mov.u32 %r1, %clock;\n" accesses uses                                          \
  "  mov.u32 %r2, %clock;\n  sub.u32 %r2, %r2, %r1;\n"                                             \
  "  mul.wide.u32 %rd3, %r30, 4;\n  add.u64 %rd3, %rd2, %rd3;\n  st.global.u32 [%rd3], %r2;\n"
#define USE(n) "  add.u32 %t" #n ", %t" #n ", 1;\n"
/* Each lane a word of a line; each block a page of 4 KB. */
#define LANES "  mul.wide.u32 %rd4, %r31, 4;\n  add.u64 %rd1, %rd1, %rd4;\n"
#define BLOCKS "  mul.wide.u32 %rd5, %r30, 4096;\n  add.u64 %rd1, %rd1, %rd5;\n"

enum { OWN = 4 }; /* cycles of the reading itself */

#define BARE "TLB1_SETS=0", "L1D_SETS=0", "LSU_CYCLES=1", "LINE_CYCLES=1", "REPLAY_CYCLES=1"

static const char four_lines[] =
    LANES TIMED("  ld.global.u32 %t1, [%rd1];\n  ld.global.u32 %t2, [%rd1+128];\n"
                "  ld.global.u32 %t3, [%rd1+256];\n  ld.global.u32 %t4, [%rd1+384];\n",
                USE(1) USE(2) USE(3) USE(4));
static const char two_lines[] = LANES BLOCKS TIMED(
    "  ld.global.u32 %t1, [%rd1];\n  ld.global.u32 %t2, [%rd1+128];\n", USE(1) USE(2));
static const char one_line[] = LANES TIMED("  ld.global.u32 %t1, [%rd1];\n", USE(1));

/* Four lines of 128 bytes, all in the L2, asked for 2 cycles apart: at 8 bytes a cycle each passes
 * 16 cycles after the one before, the last 48 after the first. At 3 bytes a cycle, 42.67 cycles
 * each: the last begins after 128. Another SM has a port of its own. */
START_TEST(l2_port) {
  static const struct {
    const char *port;
    uint32_t wait;
  } of[] = {{"L2_PORT=0", 6}, {"L2_PORT=800", 48}, {"L2_PORT=300", 128}};
  const char *const set[] = {BARE, of[_i].port, NULL};
  config_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 16, four_lines);
  device_copy_in(bench_device(&r.b), r.a, 512);
  for (uint32_t blocks = 1; blocks <= 3; blocks++) {
    const device_stats_t *s = device_rig_run(&r, blocks, 32, 0);
    ck_assert_uint_eq(s->l2_hits, 4 * blocks);
    for (uint32_t i = 0; i < blocks; i++)
      ck_assert_uint_eq(device_rig_word(&r, i), OWN + c.l2_latency + of[_i].wait);
  }
  device_rig_close(&r);
}
END_TEST

/* Two SMs, two cold lines each, 8 bytes a cycle: SM 0's first line, SM 1's first, SM 0's second,
 * SM 1's second, 16 cycles apart. */
START_TEST(dram_port) {
  static const char *const set[] = {BARE, "DRAM_PORT=800", NULL};
  config_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 16, two_lines);
  const device_stats_t *s = device_rig_run(&r, 2, 32, 0);
  ck_assert_uint_eq(s->dram, 4);
  ck_assert_uint_eq(device_rig_word(&r, 0), OWN + c.dram_load_latency + 32);
  ck_assert_uint_eq(device_rig_word(&r, 1), OWN + c.dram_load_latency + 48);
  device_rig_close(&r);
}
END_TEST

/* Pinned host memory: 32 bytes a cycle are 4 cycles a line; with HOST_REQUEST 10 at least; and
 * nothing of it goes to the L2. */
START_TEST(host_port) {
  static const char *const request[] = {"HOST_REQUEST=0", "HOST_REQUEST=1000"};
  const char *const set[] = {BARE, "HOST_LATENCY=2000", "HOST_PORT=3200", request[_i], NULL};
  const uint32_t each = _i ? 10 : 4;
  config_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 16, four_lines);
  device_set_host(bench_device(&r.b), r.a, r.a + (1 << 16));
  for (unsigned again = 0; again < 2; again++) {
    const device_stats_t *s = device_rig_run(&r, 1, 32, 0);
    ck_assert_uint_eq(s->host, 4);
    ck_assert_uint_eq(s->dram + s->l2_hits, 0);
    ck_assert_uint_eq(device_rig_word(&r, 0), OWN + 2000 + 3 * each);
  }
  device_rig_close(&r);
}
END_TEST

/* ---- one line, several SMs ------------------------------------------------------ */

/* Eight SMs in two clusters ask for a cold line in the same cycle. The LRC makes one of up to
 * three requests: of each cluster's four, two join the first and the fourth goes alone: 4 to the
 * L2, the first of which goes to the DRAM. All data come with the DRAM's. */
START_TEST(lrc_of_clusters) {
  static const char *const set[] = {BARE, "SMS=8", "CLUSTER=4", "LRC=3", NULL};
  config_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 16, one_line);
  const device_stats_t *s = device_rig_run(&r, 8, 32, 0);
  ck_assert_uint_eq(s->coalesced, 4);
  ck_assert_uint_eq(s->dram, 1);
  ck_assert_uint_eq(s->l2_hits, 3);
  for (uint32_t i = 0; i < 8; i++)
    ck_assert_uint_eq(device_rig_word(&r, i), OWN + c.dram_load_latency);
  s = device_rig_run(&r, 1, 32, 0); /* not on its way any more */
  ck_assert_uint_eq(s->coalesced, 0);
  ck_assert_uint_eq(s->l2_hits, 1);
  ck_assert_uint_eq(device_rig_word(&r, 0), OWN + c.l2_latency);
  device_rig_close(&r);
}
END_TEST

/* Two loads of one SM are two requests to a PRT without an L1D: the LRC makes one of them. */
START_TEST(lrc_of_one_sm) {
  static const char *const lrc[] = {"LRC=0", "LRC=2"};
  const char *const set[] = {BARE, "TABLE=prt", lrc[_i], NULL};
  static const char twice[] =
      LANES TIMED("  ld.global.u32 %t1, [%rd1];\n  ld.global.u32 %t2, [%rd1];\n", USE(1) USE(2));
  config_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 16, twice);
  const device_stats_t *s = device_rig_run(&r, 1, 32, 0);
  ck_assert_uint_eq(s->coalesced, _i ? 1 : 0);
  ck_assert_uint_eq(s->dram, 1);
  ck_assert_uint_eq(s->l2_hits, _i ? 0 : 1);
  device_rig_close(&r);
}
END_TEST

/* A line that the L2 is still waiting for is not there before the DRAM's data are, whoever asks:
 * both replies come in the same cycle, and the table takes one in a cycle. */
START_TEST(on_its_way) {
  static const char *const set[] = {BARE, "SMS=2", NULL};
  config_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 16, one_line);
  const device_stats_t *s = device_rig_run(&r, 2, 32, 0);
  ck_assert_uint_eq(s->dram, 1);
  ck_assert_uint_eq(s->l2_hits, 1);
  for (uint32_t i = 0; i < 2; i++)
    ck_assert_uint_eq(device_rig_word(&r, i), OWN + c.dram_load_latency);
  device_rig_close(&r);
}
END_TEST

/* Five clusters of one SM, 100 cycles from the nearest to the farthest: -50, -25, 0, 25, 50. */
START_TEST(spread) {
  static const char *const set[] = {BARE, "SMS=5", "CLUSTER_SPREAD=100", NULL};
  config_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 16, one_line);
  device_copy_in(bench_device(&r.b), r.a, 128);
  for (unsigned sm = 0; sm < 5; sm++) {
    r.b.first_sm = sm;
    (void)device_rig_run(&r, 1, 32, 0);
    ck_assert_uint_eq(device_rig_word(&r, 0), OWN + c.l2_latency + 25 * sm - 50);
  }
  device_rig_close(&r);
}
END_TEST

/* Up to NOISE cycles more, each number of them now and then, and the same in another device; NOISE_LATE
 * for one read of a thousand; another seed gives other noise. */
static void noisy(const char *seed, uint32_t n, uint32_t *more) {
  const char *const set[] = {BARE, "NOISE=7", "NOISE_LATE=500", seed, NULL};
  config_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 16, one_line);
  device_copy_in(bench_device(&r.b), r.a, 128);
  for (uint32_t i = 0; i < n; i++) more[i] = device_rig_time(&r, 0) - OWN - c.l2_latency;
  device_rig_close(&r);
}

START_TEST(noise) {
  enum { N = 4000 };
  static uint32_t more[N], again[N];
  uint32_t seen[8] = {0}, late = 0, differ = 0;
  noisy("NOISE_SEED=1", N, more);
  for (uint32_t i = 0; i < N; i++) {
    uint32_t rest = more[i] % 500;
    ck_assert_uint_lt(rest, 8);
    ck_assert_uint_le(more[i] / 500, 1);
    late += more[i] / 500;
    seen[rest]++;
  }
  for (unsigned k = 0; k < 8; k++) ck_assert_msg(seen[k] > 400 && seen[k] < 600, "%u", seen[k]);
  ck_assert_msg(late >= 1 && late <= 12, "%u", late);
  noisy("NOISE_SEED=1", N, again);
  ck_assert_int_eq(memcmp(more, again, sizeof more), 0);
  noisy("NOISE_SEED=2", N, again);
  for (uint32_t i = 0; i < N; i++) differ += more[i] != again[i];
  ck_assert_uint_gt(differ, N / 2);
}
END_TEST

/* What the host copies is in the L2, the last line of it too. */
START_TEST(copied_in) {
  static const char *const set[] = {BARE, NULL};
  config_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 16, one_line);
  device_copy_in(bench_device(&r.b), r.a + 64, 128);
  ck_assert_uint_eq(device_rig_time(&r, 0), OWN + c.l2_latency);
  ck_assert_uint_eq(device_rig_time(&r, 128), OWN + c.l2_latency);
  ck_assert_uint_eq(device_rig_time(&r, 256), OWN + c.dram_load_latency);
  device_rig_close(&r);
}
END_TEST

/* ---- the L1D's fetches ------------------------------------------------------------ */

/* One thread, two lines of which it wants a word each, at 8 bytes a cycle: 16 cycles apart with
 * whole lines, 4 with sectors. A word of another sector is fetched then, of the same one is there.
 */
START_TEST(whole_or_sectors) {
  static const char *const sectors[] = {"SECTORS=0", "SECTORS=1"};
  const char *const set[] = {
      "TLB1_SETS=0", "LSU_CYCLES=1",      "LINE_CYCLES=1",  "REPLAY_CYCLES=1", "L2_PORT=800",
      "TABLE=prt",   "L1D_ALLOCATE=miss", "L1D_LATENCY=40", sectors[_i],       NULL};
  static const char body[] = "  ld.global.u32 %t3, [%rd1+1024];\n" USE(3)
      TIMED("  ld.global.u32 %t1, [%rd1];\n  ld.global.u32 %t2, [%rd1+128];\n",
            USE(1) USE(2)) "  mov.u32 %r1, %clock;\n  ld.global.u32 %t1, "
                           "[%rd1+4];\n" USE(1) "  mov.u32 %r2, %clock;\n  sub.u32 %r2, "
                                                "%r2, %r1;\n  st.global.u32 [%rd2+4], "
                                                "%r2;\n"
                                                "  mov.u32 %r1, %clock;\n  "
                                                "ld.global.u32 %t1, [%rd1+32];\n" USE(
                                                    1) "  mov.u32 %r2, %clock;\n  "
                                                       "sub.u32 %r2, %r2, %r1;\n  "
                                                       "st.global.u32 [%rd2+8], %r2;\n";
  config_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 16, body);
  device_copy_in(bench_device(&r.b), r.a, 2048);
  (void)device_rig_run(&r, 1, 1, 0);
  const uint32_t miss = c.l2_latency + c.l1d_miss;
  ck_assert_uint_eq(device_rig_word(&r, 0), OWN + miss + (_i ? 4 : 16));
  ck_assert_uint_eq(device_rig_word(&r, 1), OWN + c.l1d_latency);
  ck_assert_uint_eq(device_rig_word(&r, 2), OWN + (_i ? miss : c.l1d_latency));
  device_rig_close(&r);
}
END_TEST

/* ---- translation ------------------------------------------------------------------ */

/* One word of each page of a list, after the other, with no L1D: what each took beyond the data's.
 */
static void pages(const config_t *c, const uint8_t *page, const uint32_t *want, unsigned n) {
  device_rig_t r;
  device_rig_open(&r, c, (uint64_t)32 << c->page, TIMED("  ld.global.u32 %t1, [%rd1];\n", USE(1)));
  ck_assert_uint_eq(r.a % (UINT64_C(1) << c->page), 0);
  for (unsigned i = 0; i < n; i++) {
    const uint64_t at = (uint64_t)page[i] << c->page;
    device_copy_in(bench_device(&r.b), r.a + at, 4); /* the data always from the L2 */
    uint32_t took = device_rig_time(&r, at) - OWN - c->l2_latency;
    ck_assert_msg(took == want[i], "access %u, page %u: %u, not %u", i, page[i], took, want[i]);
    r.out = r.a + at + 4096; /* the result's page is the datum's */
  }
  device_rig_close(&r);
}

#define TLBS "L1D_SETS=0", "PAGE=16", "TLB1_SETS=1", "TLB2_SETS=1", "TLB2_EXTRA=0"

/* The result of an access is stored where that of the one before was loaded (the first one's in a
 * page of its own, 32), outside what is measured: that page is the last one used. */
START_TEST(tlb_levels) {
  static const char *const set[] = {TLBS, "TLB1_WAYS=2", "TLB2_WAYS=4", "WALK_L2=30", NULL};
  config_t c = device_config(set);
  const uint32_t one = c.tlb1_miss, dram = one + c.walk_dram, l2 = one + c.walk_l2;
  /* Entries of pages 0 to 3 share a line of the L2, those of 4 to 7 the next one, for page 0's
   * number is a multiple of four. 0: neither TLB, nor the L2; 1 and 2: neither TLB. Then TLB1 holds
   * 2 and 1, to which the result went: 0 is in TLB2. 3 and 4 take the places of 32 and 1 there. */
  static const uint8_t page[] = {0, 0, 1, 2, 0, 3, 4, 5};
  const uint32_t want[] = {dram, 0, l2, l2, one, l2, dram, l2};
  pages(&c, page, want, 8);
}
END_TEST

START_TEST(tlb_ends) {
  static const uint8_t page[] = {0, 8, 0, 8, 16};
  static const char *const none[] = {"L1D_SETS=0", "PAGE=16", "TLB1_SETS=0", NULL};
  config_t c = device_config(none);
  const uint32_t nothing[] = {0, 0, 0, 0, 0};
  pages(&c, page, nothing, 5);
  /* Without a second TLB what the first has not costs TLB1_MISS. */
  static const char *const first[] = {"L1D_SETS=0", "PAGE=16", "TLB2_SETS=0", "TLB1_WAYS=8", NULL};
  c = device_config(first);
  const uint32_t misses[] = {c.tlb1_miss, c.tlb1_miss, 0, 0, c.tlb1_miss};
  pages(&c, page, misses, 5);
}
END_TEST

/* Windows of eight pages: a walk in another one than the last walk's; the first has no other. */
START_TEST(tlb_windows) {
  static const char *const set[] = {TLBS,          "WINDOW=19",   "WINDOW_MISS=1000",
                                    "TLB1_WAYS=8", "TLB2_WAYS=8", NULL};
  static const uint8_t page[] = {0, 8, 9, 0, 16, 1};
  config_t c = device_config(set);
  const uint32_t one = c.tlb1_miss, dram = one + c.walk_dram, l2 = one + c.walk_l2;
  const uint32_t want[] = {dram, dram + 1000, l2, 0, dram + 1000, l2 + 1000};
  pages(&c, page, want, 6);
}
END_TEST

#define LOAD(t, at) "  ld.global.u32 %t" #t ", [%rd1" at "];\n" USE(t)
/* All four pages, then 0 and 1 again, timed; the times go into page 1. */
// clang-format off
static const char victims_body[] =
    LOAD(1, "") LOAD(2, "+131072") LOAD(3, "+65536") LOAD(4, "+196608")
    TIMED("  ld.global.u32 %t1, [%rd1];\n", USE(1))
    "  mov.u32 %r3, %r2;\n"
    "  mov.u32 %r1, %clock;\n"
    LOAD(2, "+65536")
    "  mov.u32 %r2, %clock;\n"
    "  sub.u32 %r2, %r2, %r1;\n"
    "  st.global.u32 [%rd1+65536], %r3;\n"
    "  st.global.u32 [%rd1+65540], %r2;\n";
// clang-format on

/* A TLB2 of two sets of one way, a victim TLB of four. Pages 0 and 2 are of set 0, 1 and 3 of
 * set 1. 2 replaces 0, 3 replaces 1. Then 0: `any` has it still, `set` only 1, the last victim's
 * set's; taking 0 replaces 2, the victims are 2 alone (`set`) or 1 and 2 (`any`); so 1 is there or
 * not. */
START_TEST(tlb_victims) {
  static const char *const holds[] = {"TLB3_HOLDS=any", "TLB3_HOLDS=set"};
  const char *const set[] = {"L1D_SETS=0",  "PAGE=16",       "TLB1_SETS=1",  "TLB1_WAYS=1",
                             "TLB2_SETS=2", "TLB2_WAYS=1",   "TLB2_EXTRA=0", "TLB3_WAYS=4",
                             "TLB3_HIT=11", "WALK_DRAM=500", "WALK_L2=50",   holds[_i],
                             NULL};
  static const char timed_store[] = "  st.global.u32 [%rd3], %r2;";
  char quiet[sizeof victims_body];
  config_t c = device_config(set);
  device_rig_t r;
  /* TIMED's store would translate a page of its own. */
  memcpy(quiet, victims_body, sizeof quiet);
  char *store = strstr(quiet, timed_store);
  ck_assert_ptr_nonnull(store);
  memset(store, ' ', strlen(timed_store));
  device_rig_open(&r, &c, 1 << 18, quiet);
  device_copy_in(bench_device(&r.b), r.a, 1 << 18);
  const device_stats_t *s = device_rig_run(&r, 1, 1, 0);
  const uint32_t *took = bench_at(&r.b, r.a + 65536, 8);
  const uint32_t least = OWN + c.l2_latency + c.tlb1_miss;
  ck_assert_uint_eq(took[0], least + (_i ? 50 : 11));
  ck_assert_uint_eq(took[1], least + (_i ? 50 : 11));
  ck_assert_uint_eq(s->tlb3_hits, _i ? 0 : 2);
  ck_assert_uint_eq(s->walks, _i ? 6 : 4);
  device_rig_close(&r);
}
END_TEST

/* ---- stores ------------------------------------------------------------------------- */

/* A store goes to the L2, which keeps its line, and takes it from the L1D. */
START_TEST(store_to_line) {
  static const char body[] = "  ld.global.u32 %t1, [%rd1];\n" USE(1)
      TIMED("  ld.global.u32 %t2, [%rd1];\n",
            USE(2)) "  st.global.u32 [%rd1], %r2;\n"
                    "  mov.u32 %r1, %clock;\n  ld.global.u32 %t3, [%rd1];\n" USE(
                        3) "  mov.u32 %r2, %clock;\n  sub.u32 %r2, %r2, %r1;\n  st.global.u32 "
                           "[%rd2+4], %r2;\n"
                           "  st.global.u32 [%rd1+1024], %r2;\n" /* never loaded */
                           "  mov.u32 %r1, %clock;\n  ld.global.u32 %t3, [%rd1+1024];\n" USE(
                               3) "  mov.u32 %r2, %clock;\n  sub.u32 %r2, %r2, %r1;\n  "
                                  "st.global.u32 [%rd2+8], %r2;\n";
  static const char *const set[] = {"TLB1_SETS=0", "LSU_CYCLES=1", NULL};
  config_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 16, body);
  (void)device_rig_run(&r, 1, 1, 0);
  ck_assert_uint_eq(device_rig_word(&r, 0), OWN + c.l1d_latency);
  ck_assert_uint_eq(device_rig_word(&r, 1), OWN + c.l2_latency + c.l1d_miss);
  ck_assert_uint_eq(device_rig_word(&r, 2), OWN + c.l2_latency + c.l1d_miss);
  device_rig_close(&r);
}
END_TEST

/* An L2 of one line. A load that replaces a line which was stored to makes it pass to the DRAM, at
 * the look-up, LSU_LATENCY after the load's issue: 128 bytes at 0.1 bytes a cycle, 1280 cycles, for
 * which the load's own data wait. After a load nothing is written. */
START_TEST(written_back) {
  static const char *const set[] = {BARE, "L2_TOTAL_SETS=1", "L2_WAYS=1", "DRAM_PORT=10", NULL};
  static const char stored[] =
      "  st.global.u32 [%rd1], %r31;\n  ld.shared.u32 %t3, [%r31];\n  ld.shared.u32 %t3, "
      "[%r31];\n" USE(3) TIMED("  ld.global.u32 %t1, [%rd1+4096];\n", USE(1));
  static const char loaded[] =
      "  ld.global.u32 %t3, [%rd1];\n" USE(3) TIMED("  ld.global.u32 %t1, [%rd1+4096];\n", USE(1));
  config_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 16, _i ? stored : loaded);
  (void)device_rig_run(&r, 1, 1, 0);
  ck_assert_uint_eq(device_rig_word(&r, 0),
                    OWN + (_i ? c.lsu_latency + 1280 : c.dram_load_latency));
  device_rig_close(&r);
}
END_TEST

/* Without an L2 the bytes stored pass to the DRAM at the look-up: 32 at 0.1 a cycle are 320 cycles;
 * a load looked up 2 cycles later has its data first after these, or after DRAM_LOAD_LATENCY. */
START_TEST(stored_without_l2) {
  static const char *const latency[] = {"DRAM_LOAD_LATENCY=400", "DRAM_LOAD_LATENCY=300"};
  const char *const set[] = {BARE,           "L2_TOTAL_SETS=0", "L2_LATENCY=100",
                             "DRAM_PORT=10", latency[_i],       NULL};
  static const char body[] =
      TIMED("  st.global.u32 [%rd1], %r31;\n  ld.global.u32 %t1, [%rd1+4096];\n", USE(1));
  config_t c = device_config(set);
  device_rig_t r;
  device_rig_open(&r, &c, 1 << 16, body);
  (void)device_rig_run(&r, 1, 1, 0);
  /* Issued at T + 2 and T + 4; the store looked up at T + 10. */
  ck_assert_uint_eq(device_rig_word(&r, 0), _i ? 10 + 320 + 2 : 4 + c.dram_load_latency + 2);
  device_rig_close(&r);
}
END_TEST

/* ---- atomics ------------------------------------------------------------------ */

/* Lanes on one word are reads of their own, one after the other; with a table of either kind, and past
 * the L1D, whose copy goes. The warp goes on. */
START_TEST(atomics) {
  static const char *const tables[] = {"TABLE=mshr", "TABLE=prt"};
  for (unsigned i = 0; i < 2; i++) {
    const char *const set[] = {tables[i], "L1D_ALLOCATE=miss", "L1D_SETS=32", "L1D_WAYS=4", NULL};
    const config_t c = device_config(set);
    static const char *const bodies[] = {
        "  atom.global.add.u32 %r1, [%rd1], 1;\n",
        "  mul.wide.u32 %rd3, %r31, 4;\n  add.u64 %rd3, %rd1, %rd3;\n"
        "  red.global.add.u32 [%rd3], 1;\n",
        "  ld.global.u32 %r1, [%rd1];\n  add.u32 %r1, %r1, 1;\n  atom.global.add.u32 %r2, [%rd1], "
        "%r1;\n  add.u32 %r2, %r2, 1;\n  ld.global.u32 %r3, [%rd1];\n  ld.global.cg.u32 %r4, "
        "[%rd1];\n"};
    static const uint64_t lines[] = {32, 2, 32 + 3}, l1_hits[] = {0, 0, 0};
    for (unsigned k = 0; k < 3; k++) {
      device_rig_t r;
      device_rig_open(&r, &c, 4096, bodies[k]);
      const device_stats_t *s = device_rig_run(&r, 1, 32, 0);
      ck_assert_uint_eq(s->load_lines, lines[k]);
      ck_assert_uint_eq(s->l1_hits, l1_hits[k]);
      const uint32_t *a = bench_at(&r.b, r.a, 4);
      if (k == 0) ck_assert_uint_eq(*a, 32);
      if (k == 1) ck_assert_uint_eq(*a, 1);
      device_rig_close(&r);
    }
  }
}
END_TEST

Suite *test_device_memory_suite(void);
Suite *test_device_memory_suite(void) {
  Suite *s = suite_create("device_memory");
  TCase *t = tcase_create("device_memory");
  tcase_add_loop_test(t, l2_port, 0, 3);
  tcase_add_test(t, dram_port);
  tcase_add_loop_test(t, host_port, 0, 2);
  tcase_add_test(t, lrc_of_clusters);
  tcase_add_loop_test(t, lrc_of_one_sm, 0, 2);
  tcase_add_test(t, on_its_way);
  tcase_add_test(t, spread);
  tcase_add_test(t, noise);
  tcase_add_test(t, copied_in);
  tcase_add_loop_test(t, whole_or_sectors, 0, 2);
  tcase_add_test(t, tlb_levels);
  tcase_add_test(t, tlb_ends);
  tcase_add_test(t, tlb_windows);
  tcase_add_loop_test(t, tlb_victims, 0, 2);
  tcase_add_test(t, store_to_line);
  tcase_add_loop_test(t, written_back, 0, 2);
  tcase_add_loop_test(t, stored_without_l2, 0, 2);
  tcase_add_test(t, atomics);
  suite_add_tcase(s, t);
  return s;
}
