/* SPDX-License-Identifier: Apache-2.0 */
/* Latency of a load that hits in the L1D or the L2, or that the DRAM or the host serves, measured
 * by one thread that follows pointers; and the cost of reading the clock. docs/silicon.md */
#include "studies/micro/deduce/halves.h"
#include "studies/micro/deduce/late.h"
#include "studies/micro/deduce/numbers.h"
#include "studies/micro/deduce/turn.h"
#include "studies/micro/kernels/latencies.h"
#include "studies/micro/kernels/pchase.h"
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

static spread_t sort_out(uint32_t *latency, size_t n) {
  numbers_sort32(latency, n);
  return (spread_t){latency[n / 10], latency[n / 2], latency[n * 3 / 4], latency[n - 1 - n / 10]};
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

/* The configured values. */
typedef struct {
  uint32_t far, spread, late, share;
} distances_t;

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

/* By how much of their value two runs on one GPU may differ. */
static const double late_off = 0.25, late_share_off = 0.5;

/* The bounds of a number that another run finds larger or smaller by this share of it. */
static micro_value_t about(double value, double share) {
  enum { LEAST = 4 };
  const double off = fmax(LEAST, share * value);
  return value > 0 ? micro_range(round(fmax(0, value - off)), round(value + off)) : micro_number(0);
}

/* The bounds of a count of rare reads: three times the square root of what is expected. */
static micro_value_t counted(double n) {
  enum { SURE = 3 };
  const double off = (double)SURE * sqrt(fmax(1, n));
  return micro_range(floor(fmax(0, n - off)), ceil(n + off));
}

/* Rows for reads that are late, whatever their line. Reads that are hardly late, or hardly ever
 * late, are not seen. */
static void late_rows(study_t *s, const char *what, const late_t *late, size_t reads,
                      const distances_t *c) {
  enum { RARE = 5 /* per thousand */ };
  const bool hidden = c->late <= 2 * late->seen || c->share <= 2 * RARE;
  char note[96];
  study_of(s, "%s", what);
  snprintf(note, sizeof note, "at most; evenly distributed from 0; more than %u is seen",
           late->seen);
  study_row_value(s, ROW_LATE, about(late->most, late_off), study_if(!hidden, c->late), note);
  study_row_value(s, ROW_LATE_READS, about(1000 * late->share, late_share_off),
                  study_if(!hidden, c->share), "another run may give any of these");
  if (late->share <= 0) return;
  snprintf(note, sizeof note, "of %zu reads; later by a quarter, the last of them %u cycles late",
           reads, late->last);
  study_row_value(s, ROW_LATER_STILL, counted((double)late->still), (double)NAN, note);
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
static void touch_pages(pchase_bench_t *b) {
  uint64_t addr[PAGES];
  uint32_t latency[PAGES];
  for (uint64_t i = 0; i < PAGES; i++) addr[i] = b->base + i * PAGE;
  pchase_log(b, addr, PAGES, PAGES, PAGES, latency);
}

/* Where the lines are: in the L2 after a first pass, in the L2 as the host has left them, or in no
 * cache. On a noisy GPU several walks are made. */
typedef enum { IN_L2, UPLOADED, NOWHERE } where_t;

static size_t walks_of(const study_t *s) {
  return s->on.limits.noisy || s->on.limits.repeats > 1 ? LATE_WALKS : 1;
}

/* The latencies of such lines, walk after walk. */
static void walk_lines(study_t *s, where_t where, lie_t lie, size_t walks, uint32_t *latency) {
  pchase_bench_t b;
  uint64_t addr[MOST_LINES];
  const size_t n = lines_of(lie);
  pchase_open(&b, &s->on, PCHASE_CG);
  touch_pages(&b);
  for (uint64_t i = 0; i < n; i++) addr[i] = b.base + line_at(lie, i);
  b.cold = where == NOWHERE;
  b.uploaded = where == UPLOADED;
  for (size_t i = 0; i < walks; i++)
    pchase_log(&b, addr, n, where == IN_L2 ? n : 0, n, latency + i * n);
  bench_close(&b.bench);
}

/* Takes the quickest walk for each line. */
static spread_t level(study_t *s, where_t where) {
  uint32_t latency[LATE_WALKS * LINES];
  const size_t walks = walks_of(s);
  walk_lines(s, where, SPREAD, walks, latency);
  for (size_t i = LINES; i < walks * LINES; i++)
    if (latency[i] < latency[i % LINES]) latency[i % LINES] = latency[i];
  return sort_out(latency, LINES);
}

/* The halves of some lines. */
static halves_t find_halves(const study_t *s, const uint32_t *line, size_t n) {
  halves_t h = {.two = false};
  if (halves_find(line, n, &h) != 0) mrpb_fail(s->on.err, "latency: out of memory");
  return h;
}

/* The median of each line's walks, in the order of memory; the L2 is as the host has left it. */
static halves_t walk_piece(study_t *s, lie_t lie, uint32_t *line) {
  uint32_t latency[LATE_WALKS * DENSE_LINES], one[LATE_WALKS];
  const size_t walks = walks_of(s), n = lines_of(lie);
  walk_lines(s, UPLOADED, lie, walks, latency);
  for (size_t i = 0; i < n; i++) {
    for (size_t w = 0; w < walks; w++) one[w] = latency[w * n + i];
    numbers_sort32(one, walks);
    line[i * STRIDE % n] = one[walks / 2];
  }
  return find_halves(s, line, n);
}

/* Blocks further on may depend on more bits. *blocks becomes the number of blocks that were looked
 * at. Without an answer there, the first bits do not stand either. */
static void further_bits(study_t *s, uint32_t block, uint32_t *bits, uint32_t *blocks) {
  enum { BLOCK = PAGE / FIRST_LINES / LINE };
  uint32_t line[FIRST_LINES];
  if (block != BLOCK || !*bits || !study_part(s, "further bits of a half")) return;
  const halves_t h = walk_piece(s, FIRSTS, line);
  *bits = h.two ? halves_bits(&h, line, FIRST_LINES, 1) : 0;
  *blocks = FIRST_LINES;
}

/* How much of memory lies in one half before the other begins, and which blocks are in which
 * half. */
static void block_rows(study_t *s) {
  char note[96];
  uint32_t line[DENSE_LINES];
  const config_t *c = study_known(s);
  const halves_t h = walk_piece(s, DENSE, line);
  uint32_t block = halves_block(&h, line, DENSE_LINES), known_block = c->half_block,
           known_bits = c->half_bits;
  uint32_t bits = block ? halves_bits(&h, line, DENSE_LINES, block) : 0;
  halves_canonical(&block, &bits);
  halves_canonical(&known_block, &known_bits);
  const bool known = c->l2_far > c->l2_latency;
  study_row_unless(s, block ? NULL : "no halves are seen", ROW_HALF_BLOCK,
                   micro_number(LINE * block), study_if(known, known_block),
                   "nine tenths of the changes are at multiples of it");
  if (!block) return;
  uint32_t blocks = DENSE_LINES / block;
  further_bits(s, block, &bits, &blocks);
  snprintf(note, sizeof note, "of the numbers of %u blocks; their parity gives the half", blocks);
  study_row_unless(s, bits ? NULL : "no bits are seen that give the half", ROW_HALF_BITS,
                   micro_number(bits), study_if(known && known_bits, known_bits & (blocks - 1)),
                   note);
}

static void l1d_row(study_t *s) {
  pchase_bench_t b;
  pchase_open(&b, &s->on, PCHASE_GLOBAL);
  const uint32_t hit = b.hit;
  bench_close(&b.bench);
  if (pchase_l1d(&s->on))
    study_row(s, ROW_L1D_HIT, hit, study_if(study_known(s)->l1d_sets, study_l1d_hit(s)),
              "by a chain");
}

/* How long reads wait for others requested at the same time: 1, 2, 4 ... 32 of them. */
static void together_row(study_t *s, const char *what, bench_place_t place, together_t lie,
                         double wait[TOGETHER_TIMES]) {
  char note[128];
  for (unsigned i = 0; i < TOGETHER_TIMES; i++)
    wait[i] = together_read(&s->on, place, lie, 1u << i);
  for (unsigned i = TOGETHER_TIMES; i-- > 0;) wait[i] = round(wait[i] - wait[0]);
  study_of(s, "%s", what);
  snprintf(note, sizeof note, "beyond a single read; 2, 4, 8, 16 at once: %g, %g, %g, %g", wait[1],
           wait[2], wait[3], wait[4]);
  study_row(s, lie == TOGETHER_ONE_BLOCK ? ROW_AT_ONCE : ROW_OF_BLOCKS, wait[TOGETHER_TIMES - 1],
            (double)NAN, note);
}

/* Rows for the halves of these lines, and for late reads. */
static void distance_rows(study_t *s, const char *what, const uint32_t *latency, size_t n,
                          uint32_t *line, const distances_t *known) {
  late_t late;
  late_find(latency, n, line, &late);
  const halves_t h = find_halves(s, line, n);
  half_rows(s, what, &h, known);
  late_rows(s, what, &late, LATE_WALKS * n, known);
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
  char note[96];
  snprintf(note, sizeof note, "%.2f of the wait for earlier ones, as single reads spread", share);
  study_row_words_unless(s,
                         ordered < (double)SEEN                  ? "single reads hardly differ"
                         : share > any_order && share < in_order ? note
                                                                 : NULL,
                         ROW_HOST_REPLIES, share < in_order ? "any order" : "in order",
                         c->host_order == MRPB_ORDER_ANY ? "any order" : "in order", note);
}

static void host_lines(study_t *s) {
  const config_t *c = study_known(s);
  const distances_t known = {c->host_far, c->host_spread, c->host_late, c->host_late_share};
  uint32_t latency[LATE_WALKS * HOPS_LINES] = {0}, line[HOPS_LINES];
  double wait[TOGETHER_TIMES];
  hops_lines(&s->on, LATE_WALKS, latency);
  distance_rows(s, "host", latency, HOPS_LINES, line, &known);
  if (!reads_together(s)) return;
  together_row(s, "host", BENCH_HOST, TOGETHER_OWN_BLOCKS, wait);
  together_row(s, "host", BENCH_HOST, TOGETHER_ONE_BLOCK, wait);
  order_row(s, latency, (size_t)LATE_WALKS * HOPS_LINES, wait);
}

/* Each point of the other studies includes clock readings. */
static void others(study_t *s) {
  enum { NO_LESS = 64 /* cycles that the instructions of a hop may take */ };
  const config_t *c = study_known(s);
  if (s->on.limits.host) {
    const double host = hops_host(&s->on), least = host < (double)NO_LESS ? 0 : round(host);
    study_row_value(s, ROW_HOST, micro_range(least, round(host)),
                    c->host_latency + study_farther(s), "by a chain");
    host_lines(s);
  }
  const double clock = hops_clock(&s->on);
  s->from = "readings one after another";
  study_row_within(s, ROW_CLOCK_READ, clock,
                   study_if(c->clock_cycles, fmax(c->clock_cycles, study_issue(s))),
                   (1u << s->on.limits.clock_shift) / 8.0, NULL);
}

/* Rows for the L2, and for what the host has left there, half of which may be in the other half of
 * the L2. */
static void l2_rows(study_t *s) {
  const config_t *c = study_known(s);
  if (!s->on.limits.l2_bytes) return;
  const spread_t l2 = level(s, IN_L2), first = level(s, UPLOADED);
  add_row(s, ROW_L2_HIT, &l2, c->l2_latency + study_farther(s));
  spread_row(s, ROW_L2_HIT_SPREAD, spread_of(&l2), c->l2_spread);
  difference_row(s, ROW_L2_FIRST, first.upper,
                 (c->l2_far > c->l2_latency ? c->l2_far : c->l2_latency) + study_farther(s),
                 off_latency * c->l2_latency + off_first * c->l2_spread,
                 "75th percentile; as the host left it");
  block_rows(s);
}

static void dram_rows(study_t *s) {
  double wait[TOGETHER_TIMES];
  const config_t *c = study_known(s);
  const distances_t known = {c->dram_far, c->dram_spread, c->dram_late, c->dram_late_share};
  uint32_t latency[LATE_WALKS * LINES], line[LINES];
  walk_lines(s, NOWHERE, SPREAD, LATE_WALKS, latency);
  late_t late;
  late_find(latency, LINES, line, &late);
  const halves_t h = find_halves(s, line, LINES);
  spread_t dram = sort_out(line, LINES);
  dram.middle = (uint32_t)round((h.two ? h.near + h.far : dram.low + (double)dram.high) / 2);
  add_row(s, ROW_DRAM, &dram, c->dram_load_latency + study_farther(s));
  half_rows(s, "DRAM", &h, &known);
  late_rows(s, "DRAM", &late, LATE_WALKS * LINES, &known);
  numbers_sort32(latency, (size_t)LATE_WALKS * LINES);
  study_row(s, ROW_DRAM_MEDIAN, latency[LATE_WALKS * LINES / 2], (double)NAN,
            "late reads included");
  if (reads_together(s)) together_row(s, "DRAM", BENCH_DEVICE, TOGETHER_ONE_BLOCK, wait);
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
static void check_pages(study_t *s) {
  enum { FIRST, SECOND, N = LINES / 2, FAR = 16 /* cycles that a tenth of all may differ by */ };
  static const study_row_t farther[] = {ROW_L2_FIRST, ROW_DRAM, ROW_DRAM_MEDIAN},
                           unknown[] = {ROW_FAR_HALF, ROW_HALF_SPREAD, ROW_LATE, ROW_LATE_READS,
                                        ROW_LATER_STILL};
  static const char why[] = "reads miss a TLB";
  uint32_t latency[LATE_WALKS * LINES], quickest[2][N];
  const size_t walks = walks_of(s);
  walk_lines(s, IN_L2, PAIRS, walks, latency);
  for (size_t i = 0; i < walks * LINES; i++) {
    uint32_t *of = &quickest[i % 2][i % LINES / 2];
    if (i < LINES || latency[i] < *of) *of = latency[i];
  }
  const spread_t first = sort_out(quickest[FIRST], N), second = sort_out(quickest[SECOND], N);
  const double most = first.middle - (double)second.middle, some = first.high - (double)second.high;
  if (most <= fmax(2, most_gain * second.middle) && some <= fmax(FAR, some_gain * second.middle))
    return;
  study_instead(s, ROW_L2_HIT, study_cycles(s, second.middle), "beside a line that was just read");
  study_instead(s, ROW_L2_HIT_SPREAD, micro_number(round(spread_of(&second))), "likewise");
  for (unsigned i = 0; i < sizeof farther / sizeof *farther; i++) {
    const micro_row_t *row = study_find_row(s, farther[i]);
    if (row) study_instead(s, farther[i], micro_at_most(row->deduced.number), why);
  }
  study_of(s, "DRAM");
  for (unsigned i = 0; i < sizeof unknown / sizeof *unknown; i++) study_doubt(s, unknown[i], why);
}

/* How much longer a line takes than a word of it, if no lines wait for each other. Four lines are
 * in the note. */
static void line_row(study_t *s, study_row_t id, bool cold, double configured) {
  enum { SURE = 3 /* standard errors */ };
  rings_hop_t hop[RINGS_WIDTHS];
  char note[64];
  rings_hops(&s->on, cold, cold ? LATE_WALKS : (unsigned)walks_of(s), hop);
  const double more = hop[RINGS_LINE].cycles - hop[RINGS_WORD].cycles;
  const double off = (double)SURE * hypot(hop[RINGS_LINE].error, hop[RINGS_WORD].error);
  const bool port = hop[RINGS_FOUR_LINES].cycles > 2 * hop[RINGS_LINE].cycles;
  snprintf(note, sizeof note, "beyond a word; four lines %.0f",
           hop[RINGS_FOUR_LINES].cycles - hop[RINGS_WORD].cycles);
  study_row_unless(s, port ? "each line waits in a port" : NULL, id,
                   off < 1 ? micro_number(round(more))
                           : micro_range(round(more - off), round(more + off)),
                   configured, note);
}

/* Rounds of the other studies' kernels contain sums and branches. Instructions are fetched while a
 * sum is waited for, except where the fetch takes longer. */
static void round_rows(study_t *s) {
  const config_t *c = study_known(s);
  const bool plain = c->ops == DEVICE_OPS_PLAIN && c->fetch_cycles <= c->sp_latency;
  const double issue = c->issue_cycles;
  const rounds_t of = rounds_measure(&s->on);
  s->from = "rounds of a loop of one warp";
  study_row(s, ROW_ADDITION, of.add, study_if(plain, fmax(c->sp_latency, issue)),
            "that waits for the previous one");
  study_row(s, ROW_BRANCH_PASSED, of.passed, study_if(plain, fmax(c->branch_passed, issue)),
            "to the next instruction, beyond what an addition takes");
  study_row(s, ROW_BRANCH_TAKEN, of.taken, study_if(plain, fmax(c->branch_cycles, issue)),
            "likewise");
}

static void lines_and_rounds(study_t *s) {
  const config_t *c = study_known(s);
  if (!study_part(s, "lines and rounds")) return;
  check_room(s);
  check_pages(s);
  s->from = "one warp that follows pointers";
  if (s->on.limits.l2_bytes) line_row(s, ROW_L2_LINE, false, c->l2_line);
  line_row(s, ROW_DRAM_LINE, true, c->dram_line);
  round_rows(s);
}

void study_latency(study_t *s) {
  s->from = "one thread that follows pointers";
  if (!study_has_shared(s, PCHASE_NEEDS)) return;
  l1d_row(s);
  l2_rows(s);
  dram_rows(s);
  others(s);
  lines_and_rounds(s);
}
