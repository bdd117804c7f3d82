/* SPDX-License-Identifier: Apache-2.0 */
/* See bench.h. Launches on a GPU of this machine (workload/silicon). The host writes into its own
 * image of the memory, at the same addresses. */
#include "studies/micro/kernels/bench.h"
#include "workload/silicon/card.h"

#include <stdlib.h>
#include <string.h>

enum { PATIENCE_S = 60, KB = 1024, RESERVED = 1024 };
enum { REGISTERS = 65536, OF_THREAD = 255, REGISTER_UNIT = 8, VOLTA = 7, SCHEDULERS = 4 };

typedef struct {
  card_t *card;
  card_module_t *code;
  ptx_module_t *module; /* NULL: a text that this program cannot read */
  bench_image_t image;
  bool pinned_flushed; /* the host's caches hold none of the pinned memory */
} gpu_state_t;

static const bench_side_t on_card;

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
  bench_gpu_t g = {.side = &on_card, .given = {card}, .patience = PATIENCE_S};
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
static int compare(const gpu_state_t *g, const char *kernel, card_access_t what, uint32_t written,
                   mrpb_err_t *err) {
  const uint32_t compiled = card_accesses(g->code, kernel, what);
  if (compiled >= written) return 0;
  return mrpb_fail(err,
                   "GPU %u: %s: of its %u accesses the driver's compiler left %u; legal: all, or "
                   "nothing would be measured",
                   card_info(g->card)->number, kernel, written, compiled);
}

static int compare_loads(const gpu_state_t *g, mrpb_err_t *err) {
  for (unsigned i = 0; i < ptx_kernels(g->module); i++) {
    const ptx_kernel_t *k = ptx_kernel(g->module, i);
    uint32_t written = 0;
    for (unsigned j = 0; j < k->n_insts; j++)
      written += k->insts[j].op == PTX_OP_LD && k->insts[j].space == PTX_GLOBAL;
    if (compare(g, k->name, CARD_LOAD, written, err) != 0) return -1;
  }
  return 0;
}

/* Textures begin where the memory does, as in the model. */
static int place_textures(const gpu_state_t *g, mrpb_err_t *err) {
  enum { BYTES = 64 << 20 };
  for (unsigned i = 0; g->module && i < ptx_variables(g->module); i++) {
    const ptx_variable_t *v = ptx_variable(g->module, i);
    if (v->texture && card_texture(g->code, v->name, MEMORY_BASE, BYTES, false, err) != 0)
      return -1;
  }
  return 0;
}

/* What is const in a bench's GPU is this side's to use. */
static card_t *card_of(const bench_gpu_t *gpu) {
  card_t *card;
  memcpy(&card, &gpu->given[0], sizeof card);
  return card;
}

static int silicon_open(bench_t *b, const text_t *text, mrpb_err_t *err) {
  mrpb_err_t unread = {""};
  gpu_state_t *g = b->own = calloc(1, sizeof *g);
  if (!g) return mrpb_fail(err, "micro: out of memory");
  g->card = card_of(&b->gpu);
  if (ptx_read(&g->module, text->at, text->n, "micro.ptx", &unread) != 0 && !text->optional)
    return mrpb_fail(err, "%s", unread.text);
  if (memory_create(&g->image.memory, err) != 0) return -1;
  if (card_map(g->card, MEMORY_CAPACITY, err) != 0) return -1;
  if (card_load(&g->code, g->card, text->at, text->n, "micro.ptx", err) != 0)
    return text->optional && card_works(g->card) ? BENCH_REFUSED : -1;
  if (place_textures(g, err) != 0) return -1;
  return text->accesses ? compare(g, text->kernel, text->form, text->accesses, err)
                        : compare_loads(g, err);
}

static void silicon_close(bench_t *b) {
  gpu_state_t *g = b->own;
  if (!g) return;
  for (unsigned i = 0; i < g->image.n_pinned; i++)
    card_unpin(g->card, g->image.pinned[i].at, g->image.pinned[i].bytes);
  card_unload(g->code);
  ptx_free(g->module);
  memory_destroy(g->image.memory);
  free(g);
}

static uint64_t silicon_alloc(bench_t *b, uint64_t bytes, bench_place_t place, mrpb_err_t *err) {
  gpu_state_t *g = b->own;
  if (place == BENCH_HOST) {
    void *at = card_pin(g->card, bytes, err);
    const uint64_t pinned = at ? bench_image_pin(&g->image, at, bytes, err) : 0;
    if (at && !pinned) card_unpin(g->card, at, bytes);
    g->pinned_flushed = false;
    return pinned;
  }
  uint64_t addr = memory_alloc(g->image.memory, bytes, err);
  return addr && card_clear(g->card, addr, bytes, err) == 0 ? addr : 0;
}

static void *silicon_at(const bench_t *b, uint64_t addr, uint64_t bytes) {
  return bench_image_at(&((const gpu_state_t *)b->own)->image, addr, bytes);
}

static bool is_pinned(uint64_t addr) {
  return addr < MEMORY_BASE || addr >= MEMORY_BASE + MEMORY_CAPACITY;
}

/* A copy to the GPU leaves its bytes in the L2. */
static int silicon_put(bench_t *b, uint64_t addr, uint64_t bytes, bench_cached_t in,
                       mrpb_err_t *err) {
  gpu_state_t *g = b->own;
  if (is_pinned(addr))
    g->pinned_flushed = false;
  else if (card_write(g->card, addr, silicon_at(b, addr, bytes), bytes, err) != 0)
    return -1;
  return in != BENCH_IN_NO_CACHE ? 0 : card_flush(g->card, err);
}

static int silicon_get(bench_t *b, uint64_t addr, uint64_t bytes, mrpb_err_t *err) {
  const gpu_state_t *g = b->own;
  return is_pinned(addr) ? 0 : card_read(g->card, silicon_at(b, addr, bytes), addr, bytes, err);
}

/* Dynamic shared memory that leaves the L1D `kb` KB. The system reserves some of each block's
 * shared memory. */
static uint32_t filler(const gpu_state_t *g, uint32_t l1d_kb, const ptx_kernel_t *k) {
  uint32_t least, kb = l1_kb(card_info(g->card), &least),
                  most = card_info(g->card)->shared_per_block;
  if (l1d_kb == 0 || l1d_kb + least >= kb) return 0;
  uint32_t bytes = (kb - l1d_kb) * KB - RESERVED;
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
static void flush_pinned(gpu_state_t *g) {
  enum { HOST_LINE = 64 };
  for (unsigned i = 0; i < g->image.n_pinned && !g->pinned_flushed; i++)
    for (uint64_t k = 0; k < g->image.pinned[i].bytes; k += HOST_LINE)
      flush_line((const char *)g->image.pinned[i].at + k);
  __sync_synchronize();
  g->pinned_flushed = true;
}

static device_end_t silicon_run(bench_t *b, const bench_launch_t *l, mrpb_err_t *err) {
  gpu_state_t *g = b->own;
  const ptx_kernel_t *k = g->module ? ptx_find(g->module, l->kernel, err) : NULL;
  if (g->module && !k) return DEVICE_FAILED;
  simt_launch_t args = {.kernel = k};
  for (unsigned i = 0; k && i < l->n_args; i++) simt_param(&args, i, l->arg[i]);
  const card_launch_t launch = {.kernel = l->kernel,
                                .grid = {l->blocks, 1, 1},
                                .block = {l->threads, 1, 1},
                                .shared = l->shared + filler(g, b->gpu.l1d_kb, k),
                                .large_l1 = true,
                                .params = k ? (const void *)args.params : l->arg,
                                .param_bytes = k ? k->param_bytes : l->n_args * sizeof *l->arg};
  flush_pinned(g);
  return card_launch(g->code, &launch, b->gpu.patience, NULL, err) == 0 ? DEVICE_DONE
                                                                        : DEVICE_FAILED;
}

static const bench_side_t on_card = BENCH_SIDE(silicon, .span = NULL);
