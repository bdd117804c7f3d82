/* SPDX-License-Identifier: Apache-2.0 */
/* Latency of a load that hits in the L1D or the L2, or that the DRAM or the host serves, measured
 * by one thread that follows pointers; and the cost of reading the clock. docs/silicon.md */
#include "studies/micro/deduce/halves.h"
#include "studies/micro/deduce/late.h"
#include "studies/micro/deduce/numbers.h"
#include "studies/micro/deduce/turn.h"
#include "studies/micro/kernels/latencies.h"
#include "studies/micro/kernels/pchase.h"
#include "studies/micro/studies/latency_late.h"
#include "studies/micro/study.h"

#include <math.h>
#include <stdlib.h>

enum {
  LINES = 512,
  DENSE_LINES = 1024,
  FIRST_LINES = 512,
  MOST_LINES = 1024,
  LINE = 128,
  PAGE = 2 << 20,
  PAGES = 16,
  STRIDE = 483
};

/* The share of the noise that remains in the quickest of several walks. */
static const double noise_stays = 0.35;
/* Shares of the configured value by which deductions may be off: a latency; a spread, which a
 * sample does not span; a first read, of the spread. */
static const double off_latency = 0.02, off_spread = 0.1, off_first = 0.5;
/* The share of the lines from `low` to `high`. */
static const double middle_share = 0.8;
/* Replies: in any order below, in order from here on; in between, nobody can say. */
static const double any_order = 0.25, in_order = 0.5;
/* No line is in the L2 if so little is behind it; TLBs miss if most or some lines gain more. */
static const double none_behind = 0.1, most_gain = 0.01, some_gain = 0.05;

/* Latencies of a level: a tenth of them is below `low`, half below `middle`, and so on. */
typedef struct {
  uint32_t low, middle, upper, high;
} spread_t;

static void sort_out(uint32_t *latency, size_t n, spread_t *s) {
  numbers_sort32(latency, n);
  *s = (spread_t){latency[n / 10], latency[n / 2], latency[n * 3 / 4], latency[n - 1 - n / 10]};
}

/* Noise only adds time, so part of it remains in the quickest of several walks. */
static double noise_left(const study_t *s) {
  return noise_stays * study_known(s)->noise;
}

static void add_row(study_t *s, study_row_t id, const spread_t *x, double configured) {
  char note[64];
  snprintf(note, sizeof note, "a tenth below %u, a tenth above %u", x->low, x->high);
  const bool noisy = study_known(s)->noise > 0;
  const micro_row_t row = {.deduced = study_cycles(s, x->middle),
                           .configured = micro_number(configured),
                           .rule = noisy ? MICRO_WITHIN : MICRO_LATENCY,
                           .within = off_latency * configured + noise_left(s)};
  study_add(s, id, &row, note);
}

/* The difference of two latencies; each may be a tick of the clock off. */
static void difference_row(study_t *s, study_row_t id, double cycles, double configured,
                           double within, const char *note) {
  enum { COARSE = 2 };
  const double tick = 1u << s->on.limits.clock_shift;
  study_row_within(s, id, cycles, configured,
                   within + noise_left(s) + (tick > (double)COARSE ? 2 * tick : 0), note);
}

/* The distance from the nearest line to the farthest, if as many lie at each distance. */
static void spread_row(study_t *s, study_row_t id, double spread, uint32_t configured) {
  const double sampled = fmax(8, off_spread * configured);
  difference_row(s, id, round(spread), configured, sampled, "the middle eight tenths / 0.8");
}

static double spread_of(const spread_t *x) {
  return (x->high - (double)x->low) / middle_share;
}

/* Rows for memory in two halves: the difference between them, and the spread within. If lines
 * spread widely, they hide a half that is hardly farther. */
static void half_rows(study_t *s, const char *what, const halves_t *h, const distances_t *c) {
  enum { NEAR = 16 /* cycles; less is no difference */ };
  const uint32_t far = c->far, spread = c->spread;
  char note[64] = "one half, or two hardly apart";
  if (h->two) snprintf(note, sizeof note, "medians %.0f and %.0f", h->near, h->far);
  study_of(s, "%s", what);
  difference_row(s, ROW_FAR_HALF, h->far > h->near && h->two ? round(h->far - h->near) : 0, far,
                 fmax(NEAR, off_spread * (far + spread)), note);
  spread_row(s, ROW_HALF_SPREAD, h->spread, h->two ? spread : spread + far);
}

/* Where lines lie. SPREAD: over PAGES pages, so that no two consecutive ones share a row of the
 * DRAM. PAIRS: the same, each followed by its neighbour, for which no TLB can miss. DENSE: all
 * lines of a piece of memory, in an order without neighbours. FIRSTS: the first lines of the
 * FIRST_LINES blocks of 4 KB of a page, likewise. */
typedef enum { SPREAD, PAIRS, DENSE, FIRSTS } lie_t;

static size_t lines_of(lie_t lie) {
  static const size_t n[] = {
      [SPREAD] = LINES, [PAIRS] = LINES, [DENSE] = DENSE_LINES, [FIRSTS] = FIRST_LINES};
  return n[lie];
}

static uint64_t spread_line(uint64_t i) {
  const uint64_t page = i % PAGES, line = i / PAGES * 37 + page * 5;
  return page * PAGE + (1 + line) * 4 * LINE;
}

static uint64_t line_at(lie_t lie, uint64_t i) {
  if (lie == SPREAD) return spread_line(i);
  if (lie == PAIRS) return spread_line(i / 2 + i / 2 / PAGES * PAGES) + i % 2 * LINE;
  if (lie == FIRSTS) return PAGE + i * STRIDE % FIRST_LINES * (PAGE / FIRST_LINES);
  return PAGE + i * STRIDE % DENSE_LINES * LINE;
}

/* A first read of each page fetches its translation. */
static int touch_pages(pchase_bench_t *b, mrpb_err_t *err) {
  uint64_t addr[PAGES];
  uint32_t latency[PAGES];
  for (uint64_t i = 0; i < PAGES; i++) addr[i] = b->base + i * PAGE;
  return pchase_walk(b, addr, PAGES, PAGES, PAGES, latency, err);
}

/* Where the lines are: in the L2 after a first pass, in the L2 as the host has left them, or in no
 * cache. On a noisy GPU several walks are made. */
typedef enum { IN_L2, UPLOADED, NOWHERE } where_t;

static size_t walks_of(const study_t *s) {
  return s->on.limits.noisy || s->on.limits.repeats > 1 ? LATE_WALKS : 1;
}

/* The latencies of such lines, walk after walk. */
static int walk_lines(study_t *s, where_t where, lie_t lie, size_t walks, uint32_t *latency,
                      mrpb_err_t *err) {
  pchase_bench_t b;
  uint64_t addr[MOST_LINES];
  const size_t n = lines_of(lie);
  int rc = pchase_open(&b, &s->on, PCHASE_CG, err);
  if (rc == 0) rc = touch_pages(&b, err);
  for (uint64_t i = 0; i < n; i++) addr[i] = b.base + line_at(lie, i);
  b.cold = where == NOWHERE;
  b.uploaded = where == UPLOADED;
  for (size_t i = 0; rc == 0 && i < walks; i++)
    rc = pchase_walk(&b, addr, n, where == IN_L2 ? n : 0, n, latency + i * n, err);
  bench_close(&b.bench);
  return rc;
}

/* Takes the quickest walk for each line. */
static int level(study_t *s, where_t where, spread_t *x, mrpb_err_t *err) {
  uint32_t latency[LATE_WALKS * LINES];
  const size_t walks = walks_of(s);
  if (walk_lines(s, where, SPREAD, walks, latency, err) != 0) return -1;
  for (size_t i = LINES; i < walks * LINES; i++)
    if (latency[i] < latency[i % LINES]) latency[i % LINES] = latency[i];
  sort_out(latency, LINES, x);
  return 0;
}

/* The median of each line's walks, in the order of memory; the L2 is as the host has left it. */
static int walk_piece(study_t *s, lie_t lie, uint32_t *line, halves_t *h, mrpb_err_t *err) {
  uint32_t latency[LATE_WALKS * DENSE_LINES], one[LATE_WALKS];
  const size_t walks = walks_of(s), n = lines_of(lie);
  if (walk_lines(s, UPLOADED, lie, walks, latency, err) != 0) return -1;
  for (size_t i = 0; i < n; i++) {
    for (size_t w = 0; w < walks; w++) one[w] = latency[w * n + i];
    numbers_sort32(one, walks);
    line[i * STRIDE % n] = one[walks / 2];
  }
  return halves_find(line, n, h) == 0 ? 0 : mrpb_fail(err, "latency: out of memory");
}

/* Blocks further on may depend on more bits. *blocks becomes the number of blocks that were looked
 * at. Without an answer there, the first bits do not stand either. */
static int further_bits(study_t *s, uint32_t block, uint32_t *bits, uint32_t *blocks,
                        mrpb_err_t *err) {
  enum { BLOCK = PAGE / FIRST_LINES / LINE };
  uint32_t line[FIRST_LINES];
  halves_t h;
  bool there;
  if (block != BLOCK || !*bits) return 0;
  if (study_part(s, "further bits of a half", &there, err) != 0) return -1;
  if (!there) return 0;
  if (walk_piece(s, FIRSTS, line, &h, err) != 0) return -1;
  *bits = h.two ? halves_bits(&h, line, FIRST_LINES, 1) : 0;
  *blocks = FIRST_LINES;
  return 0;
}

/* How much of memory lies in one half before the other begins, and which blocks are in which
 * half. */
static int block_rows(study_t *s, mrpb_err_t *err) {
  char note[96];
  uint32_t line[DENSE_LINES];
  const config_t *c = study_known(s);
  halves_t h;
  if (walk_piece(s, DENSE, line, &h, err) != 0) return -1;
  uint32_t block = halves_block(&h, line, DENSE_LINES), known_block = c->half_block,
           known_bits = c->half_bits;
  uint32_t bits = block ? halves_bits(&h, line, DENSE_LINES, block) : 0;
  halves_canonical(&block, &bits);
  halves_canonical(&known_block, &known_bits);
  const bool known = c->l2_far > c->l2_latency;
  study_row_value(s, ROW_HALF_BLOCK, block ? micro_number(LINE * block) : micro_undecided(),
                  known ? known_block : (double)NAN,
                  block ? "nine tenths of the changes are at multiples of it"
                        : "no halves are seen");
  if (!block) return 0;
  uint32_t blocks = DENSE_LINES / block;
  if (further_bits(s, block, &bits, &blocks, err) != 0) return -1;
  snprintf(note, sizeof note, "of the numbers of %u blocks; their parity gives the half", blocks);
  study_row_value(s, ROW_HALF_BITS, bits ? micro_number(bits) : micro_undecided(),
                  known && known_bits ? known_bits & (blocks - 1) : (double)NAN,
                  bits ? note : "no bits are seen that give the half");
  return 0;
}

static int l1d(study_t *s, uint32_t *hit, bool *there, mrpb_err_t *err) {
  pchase_bench_t b;
  int rc = pchase_open(&b, &s->on, PCHASE_GLOBAL, err);
  *hit = b.hit;
  bench_close(&b.bench);
  return rc == 0 ? pchase_l1d(&s->on, there, err) : rc;
}

/* How long reads wait for others requested at the same time: 1, 2, 4 ... 32 of them. */
static int together_row(study_t *s, const char *what, bench_place_t place, together_t lie,
                        double wait[TOGETHER_TIMES], mrpb_err_t *err) {
  char note[128];
  for (unsigned i = 0; i < TOGETHER_TIMES; i++)
    if (together_read(&s->on, place, lie, 1u << i, &wait[i], err) != 0) return -1;
  for (unsigned i = TOGETHER_TIMES; i-- > 0;) wait[i] = round(wait[i] - wait[0]);
  study_of(s, "%s", what);
  snprintf(note, sizeof note, "beyond a single read; 2, 4, 8, 16 at once: %g, %g, %g, %g", wait[1],
           wait[2], wait[3], wait[4]);
  study_row(s, lie == TOGETHER_ONE_BLOCK ? ROW_AT_ONCE : ROW_OF_BLOCKS, wait[TOGETHER_TIMES - 1],
            (double)NAN, note);
  return 0;
}

static bool reads_together(const study_t *s) {
  return bench_threads(&s->on.limits, TOGETHER_REGS) >= WARP_LANES * TOGETHER_WARPS;
}

/* If simultaneous reads return in the order of the requests, each waits for the latest before
 * it. If they return in any order, they wait only for the link, by a constant for each read
 * requested. */
static void order_row(study_t *s, uint32_t *latency, size_t n, const double wait[TOGETHER_TIMES]) {
  enum { FEW = 3, MANY = 5, SEEN = 12 /* cycles that order must add to be seen */ };
  const config_t *c = study_known(s);
  const double link = ((1u << FEW) - 1.0) / ((1u << MANY) - 1.0);
  numbers_sort32(latency, n);
  const double ordered =
      turn_wait(latency, n, 1u << FEW) - link * turn_wait(latency, n, 1u << MANY);
  const double share = (wait[FEW] - link * wait[MANY]) / ordered;
  const char *known = c->host_order == MRPB_ORDER_ANY ? "any order" : "in order";
  char note[96];
  snprintf(note, sizeof note, "%.2f of the wait for earlier ones, as single reads spread", share);
  if (ordered < (double)SEEN || (share > any_order && share < in_order))
    study_row_open(s, ROW_HOST_REPLIES, known,
                   ordered < (double)SEEN ? "single reads hardly differ" : note);
  else
    study_row_words(s, ROW_HOST_REPLIES, share < in_order ? "any order" : "in order", known, note);
}

static int host_lines(study_t *s, mrpb_err_t *err) {
  const config_t *c = study_known(s);
  const distances_t known = {c->host_far, c->host_spread, c->host_late, c->host_late_share};
  uint32_t latency[LATE_WALKS * HOPS_LINES], line[HOPS_LINES];
  double wait[TOGETHER_TIMES];
  late_t late;
  halves_t h;
  if (hops_lines(&s->on, LATE_WALKS, latency, err) != 0) return -1;
  late_find(latency, HOPS_LINES, line, &late);
  if (halves_find(line, HOPS_LINES, &h) != 0) return mrpb_fail(err, "latency: out of memory");
  half_rows(s, "host", &h, &known);
  latency_late_rows(s, "host", &late, LATE_WALKS * HOPS_LINES, &known);
  if (!reads_together(s)) return 0;
  if (together_row(s, "host", BENCH_HOST, TOGETHER_OWN_BLOCKS, wait, err) != 0 ||
      together_row(s, "host", BENCH_HOST, TOGETHER_ONE_BLOCK, wait, err) != 0)
    return -1;
  order_row(s, latency, (size_t)LATE_WALKS * HOPS_LINES, wait);
  return 0;
}

/* Each point of the other studies includes clock readings. */
static int others(study_t *s, mrpb_err_t *err) {
  enum { NO_LESS = 64 /* cycles that the instructions of a hop may take */ };
  const config_t *c = study_known(s);
  double host, clock;
  if (s->on.limits.host) {
    if (hops_host(&s->on, &host, err) != 0) return -1;
    study_row_value(s, ROW_HOST,
                    host < (double)NO_LESS ? micro_range(0, round(host))
                                           : micro_number(round(host)),
                    c->host_latency + study_farther(s), "by a chain");
    if (host_lines(s, err) != 0) return -1;
  }
  if (hops_clock(&s->on, &clock, err) != 0) return -1;
  s->from = "readings one after another";
  study_row_within(s, ROW_CLOCK_READ, clock,
                   c->clock_cycles ? fmax(c->clock_cycles, study_issue(s)) : (double)NAN,
                   (1u << s->on.limits.clock_shift) / 8.0, NULL);
  return 0;
}

/* Rows for the L2, and for what the host has left there, half of which may be in the other half of
 * the L2. */
static int l2_rows(study_t *s, mrpb_err_t *err) {
  const config_t *c = study_known(s);
  spread_t l2, first;
  if (!s->on.limits.l2_bytes) return 0;
  if (level(s, IN_L2, &l2, err) != 0 || level(s, UPLOADED, &first, err) != 0) return -1;
  add_row(s, ROW_L2_HIT, &l2, c->l2_latency + study_farther(s));
  spread_row(s, ROW_L2_HIT_SPREAD, spread_of(&l2), c->l2_spread);
  difference_row(s, ROW_L2_FIRST, first.upper,
                 (c->l2_far > c->l2_latency ? c->l2_far : c->l2_latency) + study_farther(s),
                 off_latency * c->l2_latency + off_first * c->l2_spread,
                 "75th percentile; as the host left it");
  return block_rows(s, err);
}

static int dram_rows(study_t *s, mrpb_err_t *err) {
  double wait[TOGETHER_TIMES];
  const config_t *c = study_known(s);
  const distances_t known = {c->dram_far, c->dram_spread, c->dram_late, c->dram_late_share};
  uint32_t latency[LATE_WALKS * LINES], line[LINES];
  spread_t dram;
  late_t late;
  halves_t h;
  if (walk_lines(s, NOWHERE, SPREAD, LATE_WALKS, latency, err) != 0) return -1;
  late_find(latency, LINES, line, &late);
  if (halves_find(line, LINES, &h) != 0) return mrpb_fail(err, "latency: out of memory");
  sort_out(line, LINES, &dram);
  dram.middle = (uint32_t)round((h.two ? h.near + h.far : dram.low + (double)dram.high) / 2);
  add_row(s, ROW_DRAM, &dram, c->dram_load_latency + study_farther(s));
  half_rows(s, "DRAM", &h, &known);
  latency_late_rows(s, "DRAM", &late, LATE_WALKS * LINES, &known);
  numbers_sort32(latency, (size_t)LATE_WALKS * LINES);
  study_row(s, ROW_DRAM_MEDIAN, latency[LATE_WALKS * LINES / 2], (double)NAN,
            "late reads included");
  if (!reads_together(s)) return 0;
  return together_row(s, "DRAM", BENCH_DEVICE, TOGETHER_ONE_BLOCK, wait, err);
}

/* ---- lines and rounds ------------------------------------------------------------ */

/* If some lines are half-way to the DRAM, the L2 had no room for them. If half of the lines are as
 * far as the DRAM, it had room for none. */
static void check_room(study_t *s) {
  static const study_row_t what[] = {ROW_L2_HIT_SPREAD, ROW_L2_FIRST, ROW_L2_HIT};
  const micro_row_t *dram = study_find_row(s, ROW_DRAM), *spread = study_find_row(s, what[0]),
                    *hit = study_find_row(s, what[2]);
  if (!hit || !dram || !spread) return;
  const double behind = dram->deduced.number - hit->deduced.number;
  const bool none = behind < none_behind * dram->deduced.number;
  if (!none && middle_share * spread->deduced.number < behind / 2) return;
  for (unsigned i = 0; i < (none ? 3 : 2); i++)
    study_doubt(s, what[i], none ? "lines are as far as the DRAM" : "some lines are not in it");
}

/* A line beside one that was just read cannot miss in a TLB. If most of these lines, or the last
 * tenth of them, arrive sooner than the others, the L2 is as near as they are; and reads of the
 * DRAM, all or some, only show that it is no farther. */
static int check_pages(study_t *s, mrpb_err_t *err) {
  enum { FIRST, SECOND, N = LINES / 2, FAR = 16 /* cycles that a tenth of all may differ by */ };
  static const study_row_t farther[] = {ROW_L2_FIRST, ROW_DRAM, ROW_DRAM_MEDIAN},
                           unknown[] = {ROW_FAR_HALF, ROW_HALF_SPREAD, ROW_LATE, ROW_LATE_READS,
                                        ROW_LATER_STILL};
  static const char why[] = "reads miss a TLB";
  uint32_t latency[LATE_WALKS * LINES], quickest[2][N];
  const size_t walks = walks_of(s);
  spread_t first, second;
  if (walk_lines(s, IN_L2, PAIRS, walks, latency, err) != 0) return -1;
  for (size_t i = 0; i < walks * LINES; i++) {
    uint32_t *of = &quickest[i % 2][i % LINES / 2];
    if (i < LINES || latency[i] < *of) *of = latency[i];
  }
  sort_out(quickest[FIRST], N, &first);
  sort_out(quickest[SECOND], N, &second);
  const double most = first.middle - (double)second.middle, some = first.high - (double)second.high;
  if (most <= fmax(2, most_gain * second.middle) && some <= fmax(FAR, some_gain * second.middle))
    return 0;
  study_instead(s, ROW_L2_HIT, study_cycles(s, second.middle), "beside a line that was just read");
  study_instead(s, ROW_L2_HIT_SPREAD, micro_number(round(spread_of(&second))), "likewise");
  for (unsigned i = 0; i < sizeof farther / sizeof *farther; i++) {
    const micro_row_t *row = study_find_row(s, farther[i]);
    if (row) study_instead(s, farther[i], micro_at_most(row->deduced.number), why);
  }
  study_of(s, "DRAM");
  for (unsigned i = 0; i < sizeof unknown / sizeof *unknown; i++) study_doubt(s, unknown[i], why);
  return 0;
}

/* How much longer a line takes than a word of it, if no lines wait for each other. Four lines are
 * in the note. */
static int line_row(study_t *s, study_row_t id, bool cold, double configured, mrpb_err_t *err) {
  enum { SURE = 3 /* standard errors */ };
  rings_hop_t hop[RINGS_WIDTHS];
  char note[64];
  if (rings_hops(&s->on, cold, cold ? LATE_WALKS : (unsigned)walks_of(s), hop, err) != 0) return -1;
  const double more = hop[RINGS_LINE].cycles - hop[RINGS_WORD].cycles;
  const double off = (double)SURE * hypot(hop[RINGS_LINE].error, hop[RINGS_WORD].error);
  const bool port = hop[RINGS_FOUR_LINES].cycles > 2 * hop[RINGS_LINE].cycles;
  snprintf(note, sizeof note, "beyond a word; four lines %.0f",
           hop[RINGS_FOUR_LINES].cycles - hop[RINGS_WORD].cycles);
  study_row_unless(s, port ? "each line waits in a port" : NULL, id,
                   off < 1 ? micro_number(round(more))
                           : micro_range(round(more - off), round(more + off)),
                   configured, note);
  return 0;
}

/* Rounds of the other studies' kernels contain sums and branches. Instructions are fetched while a
 * sum is waited for, except where the fetch takes longer. */
static int round_rows(study_t *s, mrpb_err_t *err) {
  const config_t *c = study_known(s);
  const bool plain = c->ops == DEVICE_OPS_PLAIN && c->fetch_cycles <= c->sp_latency;
  const double issue = c->issue_cycles, none = (double)NAN;
  rounds_t of;
  if (rounds_measure(&s->on, &of, err) != 0) return -1;
  s->from = "rounds of a loop of one warp";
  study_row_value(s, ROW_ADDITION, micro_number(of.add), plain ? fmax(c->sp_latency, issue) : none,
                  "that waits for the previous one");
  study_row_value(s, ROW_BRANCH_PASSED, micro_number(of.passed),
                  plain ? fmax(c->branch_passed, issue) : none,
                  "to the next instruction, beyond what an addition takes");
  study_row_value(s, ROW_BRANCH_TAKEN, micro_number(of.taken),
                  plain ? fmax(c->branch_cycles, issue) : none, "likewise");
  return 0;
}

static int lines_and_rounds(study_t *s, mrpb_err_t *err) {
  const config_t *c = study_known(s);
  bool there;
  if (study_part(s, "lines and rounds", &there, err) != 0) return -1;
  if (!there) return 0;
  check_room(s);
  if (check_pages(s, err) != 0) return -1;
  s->from = "one warp that follows pointers";
  if (s->on.limits.l2_bytes && line_row(s, ROW_L2_LINE, false, c->l2_line, err) != 0) return -1;
  if (line_row(s, ROW_DRAM_LINE, true, c->dram_line, err) != 0) return -1;
  return round_rows(s, err);
}

int study_latency(study_t *s, mrpb_err_t *err) {
  const config_t *c = study_known(s);
  uint32_t hit;
  bool there;
  s->from = "one thread that follows pointers";
  if (!study_has_shared(s, PCHASE_NEEDS)) return 0;
  if (l1d(s, &hit, &there, err) != 0) return -1;
  if (there)
    study_row(s, ROW_L1D_HIT, hit, c->l1d_sets ? study_l1d_hit(s) : (double)NAN, "by a chain");
  if (l2_rows(s, err) != 0 || dram_rows(s, err) != 0 || others(s, err) != 0) return -1;
  return lines_and_rounds(s, err);
}
