/* SPDX-License-Identifier: Apache-2.0 */
/* See bench.h. Launches on a GPU of this machine (workload/silicon). The host writes into its own
 * image of the memory, at the same addresses. */
#include "studies/micro/kernels/bench.h"
#include "workload/silicon/card.h"

#include <stdlib.h>
#include <string.h>

enum { PATIENCE_S = 60, KB = 1024, RESERVED = 1024 };
enum { REGISTERS = 65536, OF_THREAD = 255, REGISTER_UNIT = 8, VOLTA = 7, SCHEDULERS = 4 };

/* L1D and shared memory share this many KB of an SM, by compute capability (NVIDIA's tuning
 * guides); shared memory takes at least `least` of them. */
static const struct {
  uint32_t major, minor, kb, least;
} l1_of[] = {{7, 0, 128, 0}, {7, 5, 96, 32}, {8, 0, 192, 0},  {8, 6, 128, 0}, {8, 7, 192, 0},
             {8, 9, 128, 0}, {9, 0, 256, 8}, {10, 0, 256, 8}, {12, 0, 128, 0}};

static uint32_t l1_kb(const card_info_t *i, uint32_t *least) {
  for (unsigned k = 0; k < sizeof l1_of / sizeof *l1_of; k++)
    if (l1_of[k].major == i->major && l1_of[k].minor == i->minor) {
      *least = l1_of[k].least;
      return l1_of[k].kb;
    }
  return *least = 0;
}

bench_limits_t bench_card_limits(void) {
  return (bench_limits_t){.registers = REGISTERS,
                          .registers_per_thread = OF_THREAD,
                          .register_unit = REGISTER_UNIT,
                          .thread_unit = WARP_LANES,
                          .cluster = 1,
                          .cut_lines = KB / BENCH_LINE,
                          .texture = true,
                          .host = true,
                          .noisy = true};
}

bench_gpu_t bench_gpu_card(card_t *card, uint32_t repeats) {
  const card_info_t *i = card_info(card);
  uint32_t least, kb = l1_kb(i, &least);
  bench_gpu_t g = {.side = &bench_card, .card = card, .patience = PATIENCE_S};
  g.limits = bench_card_limits();
  g.limits.repeats = repeats;
  g.limits.threads_per_block = i->threads_per_block;
  g.limits.shared = i->shared_per_block;
  g.limits.sms = i->sms;
  g.limits.schedulers = i->major >= VOLTA ? SCHEDULERS : 0;
  g.limits.l1d_lines = (kb - least) * KB / BENCH_LINE;
  g.limits.l2_bytes = i->l2_bytes;
  return g;
}

/* ---- the bench ------------------------------------------------------------------- */

/* If a compiler dropped accesses, the study would measure nothing. */
static int compare(const bench_t *b, const char *kernel, card_access_t what, uint32_t written,
                   mrpb_err_t *err) {
  const uint32_t compiled = card_accesses(b->code, kernel, what);
  if (compiled >= written) return 0;
  return mrpb_fail(err,
                   "GPU %u: %s: of its %u accesses the driver's compiler left %u; legal: all, or "
                   "nothing would be measured",
                   card_info(b->gpu.card)->number, kernel, written, compiled);
}

static int compare_loads(const bench_t *b, mrpb_err_t *err) {
  for (unsigned i = 0; i < ptx_kernels(b->module); i++) {
    const ptx_kernel_t *k = ptx_kernel(b->module, i);
    uint32_t written = 0;
    for (unsigned j = 0; j < k->n_insts; j++)
      written += k->insts[j].op == PTX_OP_LD && k->insts[j].space == PTX_GLOBAL;
    if (compare(b, k->name, CARD_LOAD, written, err) != 0) return -1;
  }
  return 0;
}

/* Textures begin where the memory does, as in the model. */
static int place_textures(const bench_t *b, mrpb_err_t *err) {
  enum { BYTES = 64 << 20 };
  for (unsigned i = 0; b->module && i < ptx_variables(b->module); i++) {
    const ptx_variable_t *v = ptx_variable(b->module, i);
    if (v->texture && card_texture(b->code, v->name, MEMORY_BASE, BYTES, false, err) != 0)
      return -1;
  }
  return 0;
}

static int gpu_open(bench_t *b, const text_t *text, mrpb_err_t *err) {
  mrpb_err_t unread = {""};
  if (ptx_read(&b->module, text->at, text->n, "micro.ptx", &unread) != 0 && !text->optional)
    return mrpb_fail(err, "%s", unread.text);
  if (memory_create(&b->memory, err) != 0) return -1;
  if (card_map(b->gpu.card, MEMORY_CAPACITY, err) != 0) return -1;
  if (card_load(&b->code, b->gpu.card, text->at, text->n, "micro.ptx", err) != 0)
    return text->optional && card_works(b->gpu.card) ? BENCH_REFUSED : -1;
  if (place_textures(b, err) != 0) return -1;
  return text->accesses ? compare(b, text->kernel, text->form, text->accesses, err)
                        : compare_loads(b, err);
}

static void gpu_close(bench_t *b) {
  for (unsigned i = 0; i < b->n_pinned; i++)
    card_unpin(b->gpu.card, b->pinned[i].at, b->pinned[i].bytes);
  card_unload(b->code);
  ptx_free(b->module);
  memory_destroy(b->memory);
}

static uint64_t gpu_alloc(bench_t *b, uint64_t bytes, bench_place_t place, mrpb_err_t *err) {
  if (place == BENCH_HOST) {
    if (b->n_pinned == BENCH_PINNED)
      return mrpb_fail(err, "micro: more than %d pieces of pinned memory", BENCH_PINNED), 0;
    void *at = card_pin(b->gpu.card, bytes, err);
    if (!at) return 0;
    b->pinned[b->n_pinned++] = (bench_pinned_t){at, bytes};
    b->pinned_flushed = false;
    return (uint64_t)(uintptr_t)at;
  }
  uint64_t addr = memory_alloc(b->memory, bytes, err);
  return addr && card_clear(b->gpu.card, addr, bytes, err) == 0 ? addr : 0;
}

static bool is_pinned(uint64_t addr) {
  return addr < MEMORY_BASE || addr >= MEMORY_BASE + MEMORY_CAPACITY;
}

/* A copy to the GPU leaves its bytes in the L2. */
static int gpu_put(bench_t *b, uint64_t addr, uint64_t bytes, bench_cached_t in, mrpb_err_t *err) {
  if (is_pinned(addr))
    b->pinned_flushed = false;
  else if (card_write(b->gpu.card, addr, memory_at(b->memory, addr, bytes), bytes, err) != 0)
    return -1;
  return in != BENCH_IN_NO_CACHE ? 0 : card_flush(b->gpu.card, err);
}

static int gpu_get(bench_t *b, uint64_t addr, uint64_t bytes, mrpb_err_t *err) {
  if (is_pinned(addr)) return 0;
  return card_read(b->gpu.card, memory_at(b->memory, addr, bytes), addr, bytes, err);
}

/* Dynamic shared memory that leaves the L1D `kb` KB. The system reserves some of each block's
 * shared memory. */
static uint32_t filler(const bench_gpu_t *g, const ptx_kernel_t *k) {
  uint32_t least, kb = l1_kb(card_info(g->card), &least),
                  most = card_info(g->card)->shared_per_block;
  if (g->l1d_kb == 0 || g->l1d_kb + least >= kb) return 0;
  uint32_t bytes = (kb - g->l1d_kb) * KB - RESERVED;
  if (bytes > most) bytes = most;
  return k && bytes > k->shared_bytes ? bytes - k->shared_bytes : 0;
}

/* Evicts `line` from all of the host's caches. */
static void flush_line(const char *line) {
#if defined(__x86_64__)
  __builtin_ia32_clflush(line);
#elif defined(__aarch64__)
  __asm__ volatile("dc civac, %0" : : "r"(line) : "memory");
#else
  (void)line;
#endif
}

/* Lines in the host's caches arrive 150 cycles sooner than those in its memory, but at only 9 bytes
 * per cycle, and the GPU's reads evict some of them. To make launches alike, everything that the
 * host has written is flushed before the GPU reads it. */
static void flush_pinned(bench_t *b) {
  enum { HOST_LINE = 64 };
  for (unsigned i = 0; i < b->n_pinned && !b->pinned_flushed; i++)
    for (uint64_t k = 0; k < b->pinned[i].bytes; k += HOST_LINE)
      flush_line((const char *)b->pinned[i].at + k);
  __sync_synchronize();
  b->pinned_flushed = true;
}

static device_end_t gpu_launched(bench_t *b, const bench_launch_t *l, mrpb_err_t *err) {
  const ptx_kernel_t *k = b->module ? ptx_find(b->module, l->kernel, err) : NULL;
  if (b->module && !k) return DEVICE_FAILED;
  simt_launch_t args = {.kernel = k};
  for (unsigned i = 0; k && i < l->n_args; i++) simt_param(&args, i, l->arg[i]);
  const card_launch_t launch = {.kernel = l->kernel,
                                .grid = {l->blocks, 1, 1},
                                .block = {l->threads, 1, 1},
                                .shared = l->shared + filler(&b->gpu, k),
                                .large_l1 = true,
                                .params = k ? (const void *)args.params : l->arg,
                                .param_bytes = k ? k->param_bytes : l->n_args * sizeof *l->arg};
  flush_pinned(b);
  return card_launch(b->code, &launch, b->gpu.patience, NULL, err) == 0 ? DEVICE_DONE
                                                                        : DEVICE_FAILED;
}

const bench_side_t bench_card = {.open = gpu_open,
                                 .close = gpu_close,
                                 .alloc = gpu_alloc,
                                 .at = bench_image_at,
                                 .put = gpu_put,
                                 .get = gpu_get,
                                 .run = gpu_launched};
