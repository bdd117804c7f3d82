/* SPDX-License-Identifier: Apache-2.0 */
/* See pchase.h. Pointers are 64-bit addresses; for textures they are texel numbers, which are
 * followed without arithmetic in between. As in Listing 4, the timing includes the store to shared
 * memory that waits for the data. The cost of that store and of the clocks is the difference
 * between a load's time in the log and in a chain, and is subtracted. Loops must not be unrolled,
 * because each copy would have clocks with a cost of its own; both halves of the clock count, so
 * that all clocks are alike. The log's stores allocate no lines in the L1D. */
#include "studies/micro/kernels/pchase.h"

#include "studies/micro/deduce/numbers.h"

#include <inttypes.h>
#include <stdlib.h>

enum { SEGMENT = 512, REGS = 20, TEXEL = 4, POINTER = 8, HEADER = 16, CHAIN = 32 };
_Static_assert(PCHASE_SHARED == SEGMENT * (4 + POINTER), "times and values");
#define LOG_BYTES (UINT64_C(1) << 25)
#define BASE (MEMORY_BASE + (UINT64_C(64) << 20))
#define LIMIT (UINT64_C(960) << 20)
#define CYCLES UINT64_C(20000000000)

/* ---- the bench ------------------------------------------------------------- */

static uint32_t cycles(const pchase_bench_t *b, uint32_t ticks) {
  return bench_cycles(&b->bench, ticks);
}

static int launch(pchase_bench_t *b, const char *kernel, uint64_t start, size_t warm, size_t logged,
                  mrpb_err_t *err) {
  const bench_launch_t l = BENCH_LAUNCH(kernel, 1, 1, REGS, start, warm, logged, b->log);
  return bench_must(&b->bench, &l, err);
}

static const uint32_t *log_at(const pchase_bench_t *b, uint64_t bytes) {
  return bench_at(&b->bench, b->log + bytes, 4);
}

static uint64_t pointer_to(const pchase_bench_t *b, uint64_t addr) {
  return b->space == PCHASE_TEXTURE ? (addr - MEMORY_BASE) / TEXEL : addr;
}

/* Passes on what the host has written. */
static int written(pchase_bench_t *b, uint64_t from, uint64_t to, mrpb_err_t *err) {
  return b->uploaded ? bench_copy_in(&b->bench, from, to - from, err)
                     : bench_written(&b->bench, from, to - from, err);
}

/* Makes each word of the list point to the next. The GPU gets the written words in runs of
 * neighbours. */
static int link_list(pchase_bench_t *b, const uint64_t *addr, size_t n, mrpb_err_t *err) {
  enum { NEAR = 65536 };
  uint64_t from = addr[0], to = addr[0];
  for (size_t i = 0; i < n; i++) {
    uint64_t next = pointer_to(b, addr[i + 1 < n ? i + 1 : 0]);
    void *at = bench_at(&b->bench, addr[i], b->word);
    if (!at || addr[i] < b->base || addr[i] % b->word)
      return mrpb_fail(err,
                       "P-chase: address 0x%" PRIx64 "; legal: multiples of %" PRIu32
                       " from 0x%" PRIx64 " on, %" PRIu64 " bytes",
                       addr[i], b->word, b->base, b->limit);
    if (b->word == TEXEL)
      *(uint32_t *)at = (uint32_t)next;
    else
      *(uint64_t *)at = next;
    if (addr[i] < from || addr[i] > to + NEAR) {
      if (written(b, from, to, err) != 0) return -1;
      from = to = addr[i];
    }
    if (addr[i] + b->word > to) to = addr[i] + b->word;
  }
  return written(b, from, to, err);
}

/* Measures the cycles of an access to one word, in a chain and in the log. Each kernel runs more
 * than once: the first launch fills the instruction caches, and on a noisy GPU the least counts. */
static int calibrate(pchase_bench_t *b, mrpb_err_t *err) {
  const char *const chain[] = {"chain", "chain2"};
  const uint32_t repeats = 1 + b->bench.gpu.limits.repeats;
  enum { TIMES = 4 };
  uint32_t least[2] = {UINT32_MAX, UINT32_MAX}, logged = UINT32_MAX;
  if (link_list(b, &b->base, 1, err) != 0) return -1;
  for (unsigned i = 0; i < 2 * repeats; i++) {
    if (launch(b, chain[i % 2], pointer_to(b, b->base), 0, 0, err) != 0) return -1;
    if (bench_get(&b->bench, b->log, 4, err) != 0) return -1;
    if (i / 2 > 0 && *log_at(b, 0) < least[i % 2]) least[i % 2] = *log_at(b, 0);
  }
  for (unsigned i = 0; i < repeats; i++) {
    if (launch(b, "chase", pointer_to(b, b->base), TIMES, TIMES, err) != 0) return -1;
    if (bench_get(&b->bench, b->log, HEADER + 4 * TIMES, err) != 0) return -1;
    if (i > 0 && log_at(b, HEADER)[TIMES - 1] < logged) logged = log_at(b, HEADER)[TIMES - 1];
  }
  b->hit = (cycles(b, least[1] - least[0]) + CHAIN / 2) / CHAIN;
  b->overhead = cycles(b, logged) > b->hit ? cycles(b, logged) - b->hit : 0;
  return 0;
}

/* The first allocation shows where the memory begins; then the walks get all of it. */
static int take_memory(pchase_bench_t *b, mrpb_err_t *err) {
  const uint64_t first = bench_alloc(&b->bench, MEMORY_GRANULE, BENCH_DEVICE, err);
  const uint64_t next = first + MEMORY_GRANULE;
  b->base = BASE;
  b->limit = LIMIT;
  return first && bench_alloc(&b->bench, BASE + LIMIT - next, BENCH_DEVICE, err) ? 0 : -1;
}

int pchase_open(pchase_bench_t *b, const bench_gpu_t *gpu, pchase_space_t space, mrpb_err_t *err) {
  const bool texture = space == PCHASE_TEXTURE;
  *b = (pchase_bench_t){.space = space, .word = texture ? TEXEL : POINTER};
  if (bench_make(&b->bench, gpu, "kernels/pchase",
                 TEXT_VALUES(TEXT_NUMBER("texture", texture),
                             TEXT_WORDS("pointer", texture ? "%r1" : "%rd1"),
                             TEXT_WORDS("type", texture ? "u32" : "u64"),
                             TEXT_WORDS("cache", space == PCHASE_CG ? ".cg" : ""),
                             TEXT_NUMBER("segment", SEGMENT), TEXT_NUMBER("header", HEADER),
                             TEXT_NUMBER("links", CHAIN)),
                 BENCH_ARRAYS({&b->log, LOG_BYTES, BENCH_HOST}), err) != 0)
    return -1;
  b->bench.limit = CYCLES;
  b->bench.first_sm = gpu->limits.middle_sm;
  if (take_memory(b, err) != 0 || calibrate(b, err) != 0) return -1;
  uint32_t unused;
  return pchase_walk(b, &b->base, 1, 1, 1, &unused, err);
}

/* ---- a walk ---------------------------------------------------------------- */

int pchase_walk(void *ctx, const uint64_t *addr, size_t n, size_t warm, size_t logged,
                uint32_t *latency, mrpb_err_t *err) {
  pchase_bench_t *b = ctx;
  if (logged > LOG_BYTES / 4 - HEADER || warm > UINT32_MAX)
    return mrpb_fail(err, "P-chase: a walk of %zu accesses; legal: at most %" PRIu64, logged,
                     LOG_BYTES / 4 - HEADER);
  if (link_list(b, addr, n, err) != 0) return -1;
  if (b->cold && bench_put(&b->bench, addr[0], b->word, err) != 0) return -1;
  if (launch(b, "chase", pointer_to(b, addr[0]), warm, logged, err) != 0) return -1;
  if (bench_get(&b->bench, b->log, HEADER + 4 * logged, err) != 0) return -1;
  uint64_t at =
      b->word == TEXEL ? *log_at(b, 0) : *(const uint64_t *)bench_at(&b->bench, b->log, POINTER);
  if (at != pointer_to(b, addr[(warm + logged) % n]))
    return mrpb_fail(err, "P-chase: a walk of %zu accesses lost its way", warm + logged);
  const uint32_t *ticks = log_at(b, HEADER);
  for (size_t i = 0; i < logged; i++) {
    uint32_t all = cycles(b, ticks[i]);
    latency[i] = all > b->overhead ? all - b->overhead : 0;
  }
  return 0;
}

/* ---- the page -------------------------------------------------------------- */

int pchase_gap(const bench_gpu_t *gpu, uint32_t *gap, uint32_t *jitter, mrpb_err_t *err) {
  enum { TIMES = 4096, LATE = TIMES / 50 /* reads this late have another cause */ };
  pchase_bench_t b;
  uint32_t latency[TIMES];
  int rc = pchase_open(&b, gpu, PCHASE_CG, err);
  uint64_t addr[] = {b.base, b.base + b.word};
  if (rc == 0) rc = pchase_walk(&b, addr, 2, 4, TIMES, latency, err);
  bench_close(&b.bench);
  if (rc != 0) return -1;
  numbers_sort32(latency, TIMES);
  uint32_t spread = latency[TIMES - 1 - LATE] - latency[0];
  *gap = (2u << gpu->limits.clock_shift) + spread;
  if (jitter) *jitter = latency[TIMES - 1] - latency[0];
  return 0;
}

/* The cycles of the second of two reads of a line. */
static int read_again(const bench_gpu_t *gpu, pchase_space_t space, uint32_t *cycles,
                      mrpb_err_t *err) {
  pchase_bench_t b;
  uint64_t addr[2];
  int rc = pchase_open(&b, gpu, space, err);
  addr[0] = b.base;
  addr[1] = b.base + b.word;
  if (rc == 0) rc = pchase_walk(&b, addr, 2, 3, 1, cycles, err);
  bench_close(&b.bench);
  return rc;
}

int pchase_l1d(const bench_gpu_t *gpu, bool *there, mrpb_err_t *err) {
  uint32_t with, without, gap;
  if (pchase_gap(gpu, &gap, NULL, err) != 0) return -1;
  if (read_again(gpu, PCHASE_GLOBAL, &with, err) != 0) return -1;
  if (read_again(gpu, PCHASE_CG, &without, err) != 0) return -1;
  *there = with + gap < without;
  return 0;
}

int pchase_port(const bench_gpu_t *gpu, pchase_space_t space, uint32_t gap, bool *waits,
                mrpb_err_t *err) {
  enum { LINES = 4 };
  pchase_bench_t b;
  uint64_t addr[LINES];
  uint32_t latency[LINES] = {0};
  int rc = pchase_open(&b, gpu, space, err);
  for (uint64_t i = 0; i < LINES; i++) addr[i] = b.base + (i + 1) * BENCH_LINE;
  if (rc == 0) rc = bench_copy_in(&b.bench, addr[0], (uint64_t)LINES * BENCH_LINE, err);
  if (rc == 0) rc = pchase_walk(&b, addr, LINES, 0, LINES, latency, err);
  bench_close(&b.bench);
  /* If reads wait anyway, clocks and a store between them take no extra time. */
  const bool hides = b.overhead == 0 && gpu->limits.clock_shift < 2;
  *waits = hides || latency[LINES - 1] > latency[0] + gap;
  return rc;
}

enum { READS = 4096, APART = 65536, LEAST = 4096, SKEWED = 128 };

/* The smallest page at whose beginnings nearly all reads were slow, and nearly no others. On a
 * noisy GPU some reads are late for another reason. The first page does not count: it was read
 * before. */
static uint64_t page_of(const bool slow[READS], uint64_t apart) {
  enum { LATE = READS / 500 };
  for (uint32_t step = 1; step <= READS / 4; step *= 2) {
    uint32_t begins = 0, slow_begins = 0, slow_others = 0;
    for (uint32_t i = 1; i < READS; i++) {
      begins += i % step == 0;
      slow_begins += i % step == 0 && slow[i];
      slow_others += i % step != 0 && slow[i];
    }
    if (slow_begins * 10 >= begins * 9 && slow_others <= slow_begins / 2 + LATE)
      return step * apart;
  }
  return 0;
}

/* Compares the first read of each place with a second read nearby, which needs no page walk. The
 * second reads differ as lines do, except for late ones. Returns their spread in cycles. */
static uint32_t slow_reads(const uint32_t *latency, uint32_t gap, uint32_t *sorted,
                           bool slow[READS]) {
  enum { LATE = READS / 50 };
  for (uint32_t i = 0; i < READS; i++) sorted[i] = latency[2 * i + 1];
  numbers_sort32(sorted, READS);
  const uint32_t most = sorted[READS - 1 - LATE], median = sorted[READS / 2];
  const uint32_t limit = most + 2 > median + gap ? most + 2 : median + gap;
  for (uint32_t i = 0; i < READS; i++) slow[i] = latency[2 * i] > limit;
  return most - sorted[0];
}

/* Looks for a page of at least `apart` bytes; *page is 0 if no read costs a page walk. */
static int page_from(const bench_gpu_t *gpu, uint64_t apart, uint32_t gap, uint64_t *page,
                     uint32_t *spread, mrpb_err_t *err) {
  pchase_bench_t b;
  uint64_t *addr = calloc(UINT64_C(2) * READS, sizeof *addr);
  uint32_t *latency = calloc(UINT64_C(3) * READS, sizeof *latency);
  bool *slow = calloc(READS, sizeof *slow);
  int rc = addr && latency && slow ? 0 : mrpb_fail(err, "P-chase: out of memory");
  if (rc == 0) {
    rc = pchase_open(&b, gpu, PCHASE_CG, err);
    for (uint64_t i = 0; rc == 0 && i < READS; i++) {
      addr[2 * i] = b.base + i * apart + (i + 1) * SKEWED % apart;
      addr[2 * i + 1] = addr[2 * i] ^ LEAST / 2;
    }
    if (rc == 0) rc = pchase_walk(&b, addr, 2 * READS, 0, 2 * READS, latency, err);
    bench_close(&b.bench);
  }
  if (rc == 0) *spread = slow_reads(latency, gap, latency + 2 * READS, slow);
  if (rc == 0) *page = page_of(slow, apart);
  free(addr);
  free(latency);
  free(slow);
  return rc;
}

int pchase_page(const bench_gpu_t *gpu, uint64_t *page, uint32_t *spread, mrpb_err_t *err) {
  uint32_t gap;
  bool waits;
  *page = *spread = 0;
  if (pchase_gap(gpu, &gap, NULL, err) != 0) return -1;
  if (pchase_port(gpu, PCHASE_CG, gap, &waits, err) != 0) return -1;
  if (waits) return 0;
  if (page_from(gpu, APART, gap, page, spread, err) != 0) return -1;
  return *page == APART ? page_from(gpu, LEAST, gap, page, spread, err) : 0;
}

/* The least latency above `floor` in a walk of `n` pages; 0: there is none. */
static int least_above(pchase_bench_t *b, uint64_t page, uint64_t n, uint32_t floor,
                       uint32_t *least, mrpb_err_t *err) {
  enum { WARM = 4 /* passes */, SKEW = 128 };
  uint64_t *addr = calloc(n, sizeof *addr);
  uint32_t *latency = calloc(n, sizeof *latency);
  int rc = addr && latency ? 0 : mrpb_fail(err, "micro: out of memory");
  *least = 0;
  for (uint64_t i = 0; rc == 0 && i < n; i++) addr[i] = b->base + i * page + i * SKEW % page;
  if (rc == 0) rc = pchase_walk(b, addr, n, WARM * n, n, latency, err);
  for (uint64_t i = 0; rc == 0 && i < n; i++)
    if (latency[i] > floor && (!*least || latency[i] < *least)) *least = latency[i];
  free(addr);
  free(latency);
  return rc;
}

int pchase_hidden(pchase_bench_t *b, uint64_t page, uint64_t lines, uint32_t gap, bool *hidden,
                  mrpb_err_t *err) {
  enum { FEW = 4, TIMES = 4 };
  const uint64_t room = b->limit / page, many = TIMES * lines < room ? TIMES * lines : room;
  uint32_t hit, far, near;
  *hidden = false;
  if (lines == 0 || many <= lines + FEW) return 0;
  if (least_above(b, page, 1, 0, &hit, err) != 0) return -1;
  if (least_above(b, page, many, hit + gap, &far, err) != 0) return -1;
  for (uint64_t more = 1; far && !*hidden && more <= FEW; more++) {
    if (least_above(b, page, lines + more, hit + gap, &near, err) != 0) return -1;
    *hidden = near && near + gap < far;
  }
  return 0;
}
