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
#include <string.h>

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

static bool launch(pchase_bench_t *b, const char *kernel, uint64_t start, size_t warm,
                   size_t logged) {
  const bench_launch_t l = BENCH_LAUNCH(kernel, 1, 1, REGS, start, warm, logged, b->log);
  return bench_must(&b->bench, &l);
}

static uint64_t pointer_to(const pchase_bench_t *b, uint64_t addr) {
  return b->space == PCHASE_TEXTURE ? (addr - MEMORY_BASE) / TEXEL : addr;
}

/* Passes on what the host has written. */
static void written(pchase_bench_t *b, uint64_t from, uint64_t to) {
  (b->uploaded ? bench_copy_in : bench_written)(&b->bench, from, to - from);
}

/* Makes each word of the list point to the next. The GPU gets the written words in runs of
 * neighbours. */
static void link_list(pchase_bench_t *b, const uint64_t *addr, size_t n) {
  enum { NEAR = 65536 };
  uint64_t from = addr[0], to = addr[0];
  for (size_t i = 0; i < n && bench_ok(&b->bench.gpu); i++) {
    uint64_t next = pointer_to(b, addr[i + 1 < n ? i + 1 : 0]);
    void *at = bench_at(&b->bench, addr[i], b->word);
    if (!at || addr[i] < b->base || addr[i] % b->word)
      mrpb_fail(b->bench.gpu.err,
                "P-chase: address 0x%" PRIx64 "; legal: multiples of %" PRIu32 " from 0x%" PRIx64
                " on, %" PRIu64 " bytes",
                addr[i], b->word, b->base, b->limit);
    else if (b->word == TEXEL)
      *(uint32_t *)at = (uint32_t)next;
    else
      *(uint64_t *)at = next;
    if (addr[i] < from || addr[i] > to + NEAR) {
      written(b, from, to);
      from = to = addr[i];
    }
    if (addr[i] + b->word > to) to = addr[i] + b->word;
  }
  written(b, from, to);
}

/* Makes a launch. Returns the last word that it leaves in the first `bytes` of the log, if that is
 * less than `least`. */
static uint32_t less_of(pchase_bench_t *b, const char *kernel, uint32_t times, uint64_t bytes,
                        uint32_t least) {
  launch(b, kernel, pointer_to(b, b->base), times, times);
  const uint32_t *log = bench_get(&b->bench, b->log, bytes),
                 *last = log ? log + bytes / 4 - 1 : NULL;
  return last && *last < least ? *last : least;
}

/* Measures the cycles of an access to one word, in a chain and in the log. Each kernel runs more
 * than once: the first launch fills the instruction caches, and on a noisy GPU the least counts. */
static void calibrate(pchase_bench_t *b) {
  enum { TIMES = 4 };
  const uint32_t repeats = 1 + b->bench.gpu.limits.repeats;
  uint32_t one = UINT32_MAX, two = one, logged = one;
  link_list(b, &b->base, 1);
  for (unsigned i = 0; i < repeats; i++) {
    one = less_of(b, "chain", 0, 4, i > 1 ? one : UINT32_MAX);
    two = less_of(b, "chain2", 0, 4, i > 1 ? two : UINT32_MAX);
  }
  for (unsigned i = 0; i < repeats; i++)
    logged = less_of(b, "chase", TIMES, HEADER + 4 * TIMES, i > 1 ? logged : UINT32_MAX);
  b->hit = (cycles(b, two - one) + CHAIN / 2) / CHAIN;
  b->overhead = cycles(b, logged) > b->hit ? cycles(b, logged) - b->hit : 0;
}

/* The first allocation shows where the memory begins; then the walks get all of it. */
static void take_memory(pchase_bench_t *b) {
  const uint64_t first = bench_alloc(&b->bench, MEMORY_GRANULE, BENCH_DEVICE);
  const uint64_t next = first + MEMORY_GRANULE;
  b->base = BASE;
  b->limit = LIMIT;
  bench_alloc(&b->bench, BASE + LIMIT - next, BENCH_DEVICE);
}

void pchase_open(pchase_bench_t *b, const bench_gpu_t *gpu, pchase_space_t space) {
  const bool texture = space == PCHASE_TEXTURE;
  uint32_t unused;
  *b = (pchase_bench_t){.space = space, .word = texture ? TEXEL : POINTER};
  bench_make(&b->bench, gpu, "kernels/pchase",
             TEXT_VALUES(TEXT_NUMBER("texture", texture),
                         TEXT_WORDS("pointer", texture ? "%r1" : "%rd1"),
                         TEXT_WORDS("type", texture ? "u32" : "u64"),
                         TEXT_WORDS("cache", space == PCHASE_CG ? ".cg" : ""),
                         TEXT_NUMBER("segment", SEGMENT), TEXT_NUMBER("header", HEADER),
                         TEXT_NUMBER("links", CHAIN)),
             BENCH_ARRAYS({&b->log, LOG_BYTES, BENCH_HOST}));
  b->bench.limit = CYCLES;
  b->bench.first_sm = gpu->limits.middle_sm;
  take_memory(b);
  calibrate(b);
  pchase_log(b, &b->base, 1, 1, 1, &unused);
}

/* ---- a walk ---------------------------------------------------------------- */

/* Whether the log of such a walk is there, with the pointer that the walk ended at. */
static bool run_walk(pchase_bench_t *b, const uint64_t *addr, size_t n, size_t warm,
                     size_t logged) {
  mrpb_err_t *err = b->bench.gpu.err;
  if (logged > LOG_BYTES / 4 - HEADER || warm > UINT32_MAX)
    return mrpb_fail(err, "P-chase: a walk of %zu accesses; legal: at most %" PRIu64, logged,
                     LOG_BYTES / 4 - HEADER),
           false;
  link_list(b, addr, n);
  if (b->cold) bench_put(&b->bench, addr[0], b->word);
  launch(b, "chase", pointer_to(b, addr[0]), warm, logged);
  const void *log = bench_get(&b->bench, b->log, HEADER + 4 * logged);
  if (!log) return false;
  const uint64_t at = b->word == TEXEL ? *(const uint32_t *)log : *(const uint64_t *)log;
  if (at == pointer_to(b, addr[(warm + logged) % n])) return true;
  return mrpb_fail(err, "P-chase: a walk of %zu accesses lost its way", warm + logged), false;
}

void pchase_log(pchase_bench_t *b, const uint64_t *addr, size_t n, size_t warm, size_t logged,
                uint32_t *latency) {
  if (!run_walk(b, addr, n, warm, logged)) {
    memset(latency, 0, logged * sizeof *latency);
    return;
  }
  const uint32_t *ticks = bench_at(&b->bench, b->log + HEADER, 4);
  for (size_t i = 0; i < logged; i++) {
    uint32_t all = cycles(b, ticks[i]);
    latency[i] = all > b->overhead ? all - b->overhead : 0;
  }
}

uint32_t *pchase_places(pchase_bench_t *b, uint64_t base, uint64_t apart, uint64_t skew, size_t n,
                        size_t warm, size_t logged) {
  uint64_t *addr = calloc(n, sizeof *addr);
  uint32_t *latency = calloc(logged, sizeof *latency);
  if (!addr || !latency) mrpb_fail(b->bench.gpu.err, "P-chase: out of memory");
  for (size_t i = 0; addr && i < n; i++) addr[i] = pchase_place(base, apart, skew, i);
  if (addr && latency) pchase_log(b, addr, n, warm, logged, latency);
  free(addr);
  return latency;
}

int pchase_walk(void *ctx, const uint64_t *addr, size_t n, size_t warm, size_t logged,
                uint32_t *latency, mrpb_err_t *err) {
  pchase_bench_t *b = ctx;
  mrpb_err_t *const kept = b->bench.gpu.err;
  b->bench.gpu.err = err;
  pchase_log(b, addr, n, warm, logged, latency);
  b->bench.gpu.err = kept;
  return err->text[0] ? -1 : 0;
}

/* ---- the page -------------------------------------------------------------- */

/* Two words of one line in turn: the latencies, after `warm` reads. */
static void read_two(const bench_gpu_t *gpu, pchase_space_t space, size_t warm, size_t logged,
                     uint32_t *latency) {
  pchase_bench_t b;
  pchase_open(&b, gpu, space);
  const uint64_t addr[] = {b.base, b.base + b.word};
  pchase_log(&b, addr, 2, warm, logged, latency);
  bench_close(&b.bench);
}

pchase_gap_t pchase_gap(const bench_gpu_t *gpu) {
  enum { TIMES = 4096, LATE = TIMES / 50 /* reads this late have another cause */ };
  uint32_t latency[TIMES];
  read_two(gpu, PCHASE_CG, 4, TIMES, latency);
  numbers_sort32(latency, TIMES);
  return (pchase_gap_t){.gap = (2u << gpu->limits.clock_shift) + latency[TIMES - 1 - LATE] -
                               latency[0],
                        .jitter = latency[TIMES - 1] - latency[0]};
}

bool pchase_l1d(const bench_gpu_t *gpu) {
  enum { AGAIN = 3 /* the second read of the second word */ };
  uint32_t with, without;
  const uint32_t gap = pchase_gap(gpu).gap;
  read_two(gpu, PCHASE_GLOBAL, AGAIN, 1, &with);
  read_two(gpu, PCHASE_CG, AGAIN, 1, &without);
  return with + gap < without;
}

bool pchase_port(const bench_gpu_t *gpu, pchase_space_t space, uint32_t gap) {
  enum { LINES = 4 };
  pchase_bench_t b;
  uint64_t addr[LINES];
  uint32_t latency[LINES];
  pchase_open(&b, gpu, space);
  for (uint64_t i = 0; i < LINES; i++) addr[i] = b.base + (i + 1) * BENCH_LINE;
  bench_copy_in(&b.bench, addr[0], (uint64_t)LINES * BENCH_LINE);
  pchase_log(&b, addr, LINES, 0, LINES, latency);
  bench_close(&b.bench);
  /* If reads wait anyway, clocks and a store between them take no extra time. */
  const bool hides = b.overhead == 0 && gpu->limits.clock_shift < 2;
  return hides || latency[LINES - 1] > latency[0] + gap;
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

/* Looks for a page of at least `apart` bytes. */
static pchase_page_t page_from(const bench_gpu_t *gpu, uint64_t apart, uint32_t gap) {
  static const size_t room = READS * (2 * sizeof(uint64_t) + 3 * sizeof(uint32_t) + sizeof(bool));
  pchase_page_t found = {0};
  pchase_bench_t b;
  uint64_t *addr = calloc(1, room);
  if (!addr) return mrpb_fail(gpu->err, "P-chase: out of memory"), found;
  uint32_t *latency = (uint32_t *)(addr + 2 * READS);
  bool *slow = (bool *)(latency + 3 * READS);
  pchase_open(&b, gpu, PCHASE_CG);
  for (uint64_t i = 0; i < READS; i++) {
    addr[2 * i] = b.base + i * apart + (i + 1) * SKEWED % apart;
    addr[2 * i + 1] = addr[2 * i] ^ LEAST / 2;
  }
  pchase_log(&b, addr, 2 * READS, 0, 2 * READS, latency);
  bench_close(&b.bench);
  found.spread = slow_reads(latency, gap, latency + 2 * READS, slow);
  found.page = page_of(slow, apart);
  free(addr);
  return found;
}

pchase_page_t pchase_page(const bench_gpu_t *gpu) {
  const uint32_t gap = pchase_gap(gpu).gap;
  if (pchase_port(gpu, PCHASE_CG, gap)) return (pchase_page_t){0};
  const pchase_page_t found = page_from(gpu, APART, gap);
  return found.page == APART ? page_from(gpu, LEAST, gap) : found;
}

/* The least latency above `floor` in a walk of `n` pages; 0: there is none. */
static uint32_t least_above(pchase_bench_t *b, uint64_t page, uint64_t n, uint32_t floor) {
  enum { WARM = 4 /* passes */, SKEW = 128 };
  uint32_t *latency = pchase_places(b, b->base, page, SKEW, n, WARM * n, n), least = 0;
  for (uint64_t i = 0; latency && i < n; i++)
    if (latency[i] > floor && (!least || latency[i] < least)) least = latency[i];
  free(latency);
  return least;
}

bool pchase_hidden(pchase_bench_t *b, uint64_t page, uint64_t lines, uint32_t gap) {
  enum { FEW = 4, TIMES = 4 };
  const uint64_t room = b->limit / page, many = TIMES * lines < room ? TIMES * lines : room;
  if (lines == 0 || many <= lines + FEW) return false;
  const uint32_t hit = least_above(b, page, 1, 0), far = least_above(b, page, many, hit + gap);
  for (uint64_t more = 1; far && more <= FEW; more++) {
    const uint32_t near = least_above(b, page, lines + more, hit + gap);
    if (near && near + gap < far) return true;
  }
  return false;
}
