/* SPDX-License-Identifier: Apache-2.0 */
/* How much of everything an SM, and all of them together, can do in a cycle: issue, units,
 * barriers, shared memory, straight code, the L1D, reads and writes of the L2 and the DRAM.
 * docs/micro/rates.md */
#include "studies/micro/studies/rates_code.h"

#include <math.h>
#include <stdarg.h>

enum { MB = 1 << 20, LINE = 128, WIDE = 16, DRAM_BYTES = 256 * MB, MOST_WARPS = 32, ROUNDS = 16 };
/* 32 warps with four loads or stores of 16 bytes a lane. */
enum { OF_WARP = WIDE * WARP_LANES, OF_LOAD = MOST_WARPS * OF_WARP, OF_ROUND = 4 * OF_LOAD };

/* What all SMs do in a cycle until the last of them ends. */
typedef struct {
  double l2_own, l2_stores, dram;  /* bytes */
  double l2_sectors, dram_sectors; /* at random */
  double store;                    /* bytes, of one SM */
} rates_all_t;

typedef struct {
  study_t *s;
  rate_bench_t b;
  rates_all_t all;
} rates_t;

__attribute__((format(printf, 4, 5))) static void row(rates_t *r, study_row_t id, double value,
                                                      const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(r->s->of, sizeof r->s->of, format, args);
  va_end(args);
  study_row(r->s, id, value, (double)NAN, NULL);
}

static bool fits(const rates_t *r, uint32_t warps) {
  return warps * WARP_LANES <= bench_threads(&r->s->on.limits, RATE_REGS);
}

/* ---- one SM: issue, units, barriers, code ------------------------------------------- */

static void units(rates_t *r) {
  static const uint32_t warps[] = {1, 4, 8, 16, 32};
  for (rate_form_t f = RATE_INT; f <= RATE_SFU; f++)
    for (unsigned i = 0; i < sizeof warps / sizeof *warps; i++) {
      const rate_t how = RATE(.blocks = 1, .warps = warps[i], .rounds = 2 * ROUNDS, .step = 3);
      if (fits(r, warps[i]))
        row(r, ROW_RATE_WARPS, rate_run(&r->b, f, &how, false), "%s|%u", rate_name(f), warps[i]);
    }
}

static void barriers(rates_t *r) {
  for (uint32_t w = 1; w <= MOST_WARPS; w *= 2) {
    const rate_t how = RATE(.blocks = 1, .warps = w, .rounds = ROUNDS);
    if (fits(r, w))
      row(r, ROW_RATE_BARRIER, w / rate_run(&r->b, RATE_BARRIER, &how, false), "%u", w);
  }
}

/* ---- one SM: shared memory and L1D --------------------------------------------------- */

/* Accesses of shared memory whose lanes lie `lane` bytes apart. */
static void shared(rates_t *r, rate_form_t form, uint32_t lane, uint32_t warps) {
  const rate_t how = RATE(.blocks = 1, .warps = warps, .rounds = 2 * ROUNDS, .lane = lane,
                          .step = 1024, .mask = 0x3c00);
  if (fits(r, warps))
    row(r, ROW_RATE_WARPS, rate_run(&r->b, form, &how, false), "%s, lanes %u bytes apart|%u",
        rate_name(form), lane, warps);
}

static void shared_rates(rates_t *r) {
  static const uint32_t warps[] = {1, 4, 32}, lanes[] = {4, 8, 16, 128};
  for (unsigned w = 0; w < 3; w++) shared(r, RATE_LD_SHARED4, WIDE, warps[w]);
  for (unsigned w = 0; w < 3; w++)
    for (unsigned i = 0; i < 4; i++) {
      shared(r, RATE_LD_SHARED, lanes[i], warps[w]);
      shared(r, RATE_ST_SHARED, lanes[i], warps[w]);
    }
  for (unsigned w = 0; w < 3; w++) {
    shared(r, RATE_ATOM_SHARED, 4, warps[w]);
    shared(r, RATE_ATOM_SHARED, 128, warps[w]);
    shared(r, RATE_ATOM_SHARED, 0, warps[w]);
  }
}

/* Every warp reads the same few lines again and again. */
static void l1d(rates_t *r, rate_form_t form, uint32_t lane, uint32_t warps) {
  const rate_t how =
      RATE(.blocks = 1, .warps = warps, .rounds = 2 * ROUNDS, .lane = lane, .next = 4096);
  if (fits(r, warps))
    row(r, ROW_RATE_WARPS, rate_run(&r->b, form, &how, false), "L1D, %s, lanes %u bytes apart|%u",
        rate_name(form), lane, warps);
}

static void l1d_rates(rates_t *r) {
  static const uint32_t warps[] = {1, 4, 32}, lanes[] = {0, 4, 8, 16, 32, 64, 128};
  for (unsigned w = 0; w < 3; w++) {
    for (unsigned i = 0; i < sizeof lanes / sizeof *lanes; i++) l1d(r, RATE_LD, lanes[i], warps[w]);
    l1d(r, RATE_LD4, WIDE, warps[w]);
  }
}

/* ---- the L2 and the DRAM ---------------------------------------------------------- */

/* The largest power of two that the L2 holds four times; 0: no L2. */
static uint32_t region(const rates_t *r) {
  uint32_t bytes = OF_ROUND;
  if (r->s->on.limits.l2_bytes < 4 * (uint64_t)bytes) return 0;
  while (bytes < 8 * MB && 8 * (uint64_t)bytes <= r->s->on.limits.l2_bytes) bytes *= 2;
  return bytes;
}

/* In the L2: all blocks go round the same region, from different points of it. */
static rate_t in_l2(const rates_t *r, uint32_t blocks, uint32_t warps) {
  const uint32_t all = region(r), part = all / OF_ROUND;
  return RATE(.blocks = blocks, .warps = warps, .rounds = ROUNDS, .lane = WIDE, .warp = OF_WARP,
              .block = (part / blocks ? part / blocks : 1) * OF_ROUND, .next = OF_LOAD,
              .step = OF_ROUND, .mask = all - 1, .far = all);
}

/* In the DRAM: each block a piece of its own, or, `dealt`, each round next to that of the next
 * block. */
static rate_t in_dram(uint32_t blocks, uint32_t warps, bool dealt) {
  return RATE(.blocks = blocks, .warps = warps, .rounds = ROUNDS, .lane = WIDE, .warp = OF_WARP,
              .block = dealt ? OF_ROUND : ROUNDS * OF_ROUND, .next = OF_LOAD,
              .step = dealt ? blocks * OF_ROUND : OF_ROUND, .mask = DRAM_BYTES - 1,
              .far = DRAM_BYTES);
}

/* Returns what they do until the last one ends. */
static double bytes_row(rates_t *r, const char *where, rate_form_t form, const rate_t *how,
                        bool flushed) {
  row(r, ROW_RATE_BYTES, rate_run(&r->b, form, how, flushed) * OF_WARP, "%s, %s|%u|%u", where,
      rate_name(form), how->blocks, how->warps);
  return r->b.last * OF_WARP;
}

static const rate_form_t streams[] = {RATE_LD4, RATE_ST4, RATE_MIX1, RATE_MIX2, RATE_MIX4};
enum { STREAMS = sizeof streams / sizeof *streams };

static void by_sms(rates_t *r, uint32_t blocks) {
  for (unsigned i = 0; i < STREAMS; i++) {
    const rate_t l2 = in_l2(r, blocks, MOST_WARPS), dram = in_dram(blocks, MOST_WARPS, false),
                 dealt = in_dram(blocks, MOST_WARPS, true);
    const double of_l2 = region(r) ? bytes_row(r, "L2", streams[i], &l2, false) : (double)NAN;
    const double of_dram = bytes_row(r, "DRAM", streams[i], &dram, true);
    if (streams[i] == RATE_ST4) r->all.l2_stores = of_l2;
    if (streams[i] == RATE_LD4) r->all.dram = of_dram;
    if (blocks > 1) bytes_row(r, "DRAM, dealt", streams[i], &dealt, true);
  }
}

static void by_warps(rates_t *r) {
  for (uint32_t w = 1; w < MOST_WARPS; w *= 2) {
    const rate_t l2 = in_l2(r, 1, w), dram = in_dram(1, w, false);
    if (region(r)) bytes_row(r, "L2", RATE_LD4, &l2, false);
    bytes_row(r, "DRAM", RATE_LD4, &dram, true);
    if (region(r)) bytes_row(r, "L2", RATE_ST4, &l2, false);
  }
}

/* Stores and reductions of a word a lane, and loads of a sector at random. */
static void narrow(rates_t *r, uint32_t blocks) {
  static const uint32_t lanes[] = {0, 4, 8, 16, 32, 128};
  for (unsigned i = 0; region(r) && i < sizeof lanes / sizeof *lanes; i++) {
    rate_t how = in_l2(r, blocks, MOST_WARPS);
    how.lane = lanes[i];
    how.warp = lanes[i] * WARP_LANES;
    how.next = how.warp * MOST_WARPS;
    row(r, ROW_RATE_SMS, rate_run(&r->b, RATE_ST, &how, false), "L2, %s, lanes %u bytes apart|%u",
        rate_name(RATE_ST), lanes[i], blocks);
    row(r, ROW_RATE_SMS, rate_run(&r->b, RATE_RED, &how, false), "L2, %s, lanes %u bytes apart|%u",
        rate_name(RATE_RED), lanes[i], blocks);
  }
  rate_t how = in_l2(r, blocks, MOST_WARPS);
  if (region(r)) bytes_row(r, "L2", RATE_CG4, &how, false);
  how = in_dram(blocks, MOST_WARPS, false);
  how.lane = how.warp = 0;
  row(r, ROW_RATE_SMS, rate_run(&r->b, RATE_RANDOM, &how, true), "DRAM, %s|%u",
      rate_name(RATE_RANDOM), blocks);
  r->all.dram_sectors = r->b.last * WARP_LANES;
  how.mask = region(r) - 1;
  if (region(r))
    row(r, ROW_RATE_SMS, rate_run(&r->b, RATE_RANDOM, &how, false), "L2, %s|%u",
        rate_name(RATE_RANDOM), blocks);
  r->all.l2_sectors = region(r) ? r->b.last * WARP_LANES : (double)NAN;
}

static void memory(rates_t *r) {
  const uint32_t sms = r->s->on.limits.sms, few[] = {1, 2, 4, 8, 16}, some[] = {4, 2, 1};
  by_warps(r);
  for (unsigned i = 0; i < sizeof few / sizeof *few; i++)
    if (few[i] < sms / 4 || few[i] == 1) {
      by_sms(r, few[i]);
      if (few[i] == 1) r->all.store = r->all.l2_stores;
    }
  for (unsigned i = 0; i < sizeof some / sizeof *some; i++)
    if (sms / some[i] > 1) by_sms(r, sms / some[i]);
  narrow(r, 1);
  if (sms > 1) narrow(r, sms);
}

/* ---- keys ------------------------------------------------------------------------- */

/* Each SM reads 64 KB of its own over and over, past its L1D: no two requests can be joined. */
static void own_pieces(rates_t *r) {
  rate_t how = in_dram(r->s->on.limits.sms, MOST_WARPS, true);
  how.step = 0;
  r->all.l2_own = (double)NAN;
  if (region(r) && study_part(r->s, "L2, each SM its own"))
    r->all.l2_own = bytes_row(r, "L2, each its own", RATE_CG4, &how, false);
}

/* The least of what some limits allow; NAN if there is none. */
static double least(const double *limit, unsigned n) {
  double all = INFINITY;
  for (unsigned i = 0; i < n; i++)
    if (limit[i] > 0) all = fmin(all, limit[i]);
  return isfinite(all) ? all : (double)NAN;
}
#define LEAST(...)                                                                                 \
  least((const double[]){__VA_ARGS__}, sizeof((const double[]){__VA_ARGS__}) / sizeof(double))

static double quotient(double a, double b) {
  return b > 0 ? a / b : 0;
}

/* Slices and channels are not met equally often, and the first and the last do not run all the time. */
static void key_row(rates_t *r, study_row_t id, double is, double configured) {
  enum { TENTH = 10 };
  if (isfinite(is)) study_row_within(r->s, id, is, configured, configured / TENTH, NULL);
}

/* What the keys of ports say beside what all SMs do until the last one ends. */
static void key_rows(rates_t *r) {
  const config_t *c = study_known(r->s);
  const double sms = r->s->on.limits.sms, fetch = (c->l2_fetch ? c->l2_fetch : 1) * 32.0;
  const double slices = c->l2_ports * c->l2_slice_port / 100.0, of_sms = sms * c->l2_port / 100.0;
  const double store = c->store_port / 100.0, dram = c->dram_port / 100.0;
  r->s->from = "until the last SM ends";
  key_row(r, ROW_RATE_SM_STORES, r->all.store, LEAST(store));
  key_row(r, ROW_RATE_L2, r->all.l2_own, LEAST(slices, of_sms));
  key_row(r, ROW_RATE_L2_SECTORS, r->all.l2_sectors,
          LEAST(quotient(100.0 * c->l2_ports, c->l2_request), slices / 32, of_sms / 32, sms));
  key_row(r, ROW_RATE_L2_STORES, r->all.l2_stores, LEAST(slices * 100 / c->l2_write, sms * store));
  key_row(r, ROW_RATE_DRAM, r->all.dram, LEAST(dram, of_sms));
  key_row(
      r, ROW_RATE_DRAM_SECTORS, r->all.dram_sectors,
      LEAST(quotient(100.0 * c->dram_channels, c->dram_request), dram / fetch, of_sms / 32, sms));
}

void study_rates(study_t *s) {
  /* Stores of a word, 128 bytes apart, go farthest beyond the region: eight of 128 KB. */
  rates_t r = {.s = s};
  s->from = "the most of some launches";
  rate_open(&r.b, &s->on, 2 * (uint64_t)DRAM_BYTES + 16 * MB);
  units(&r);
  barriers(&r);
  rates_code(s, &r.b);
  if (s->on.limits.shared >= RATE_SHARED) shared_rates(&r);
  if (s->on.limits.l1d_lines) l1d_rates(&r);
  memory(&r);
  own_pieces(&r);
  key_rows(&r);
  bench_close(&r.b.bench);
}
