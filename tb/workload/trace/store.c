/* SPDX-License-Identifier: Apache-2.0 */
/* The trace in memory: see store.h. Addresses with one distance between neighbouring active lanes
 * are kept as two numbers. */
#include "workload/trace/store.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
  HEAD = 16,
  PAGE_LOG2 = 21,
  MAX_PAGES = 1024,
  LARGEST = HEAD + TRACE_MAX_WAITS + 8 * 32 + 16
};

/* A few bytes of a compressed file may ask for any amount. */
static int reserve(trace_store_t *s, uint64_t bytes, mrpb_err_t *err) {
  uint64_t most = s->most ? s->most : TRACE_MAX_BYTES;
  if (bytes > most - s->bytes)
    return mrpb_fail(err,
                     "more than %" PRIu64 " MB are needed for the trace; legal: fewer or "
                     "smaller launches",
                     most >> 20);
  s->bytes += bytes;
  return 0;
}

int trace_store_launch(trace_store_t *s, const char *name, uint64_t blocks, uint64_t threads,
                       uint64_t regs, uint64_t shared, mrpb_err_t *err) {
  if (blocks < 1 || blocks > TRACE_MAX_BLOCKS || threads < 1 || threads > TRACE_MAX_THREADS ||
      regs > 1024 || shared > 1 << 20)
    return mrpb_fail(err,
                     "launch out of range; legal: 1 to %d blocks, 1 to %d threads, at most 1024 "
                     "registers and 1 MB of shared memory",
                     TRACE_MAX_BLOCKS, TRACE_MAX_THREADS);
  if (s->n == s->room) {
    unsigned room = s->room ? 2 * s->room : 8;
    trace_launch_t *more = realloc(s->launch, room * sizeof *more);
    if (!more) return mrpb_fail(err, "out of memory");
    s->launch = more;
    s->room = room;
  }
  trace_launch_t *l = &s->launch[s->n];
  *l = (trace_launch_t){.warps_per_block = (uint32_t)((threads + WARP_LANES - 1) / WARP_LANES)};
  if (reserve(s, blocks * l->warps_per_block * sizeof *l->warp, err) != 0) return -1;
  l->name = malloc(strlen(name) + 1);
  l->warp = calloc(blocks * l->warps_per_block, sizeof *l->warp);
  if (!l->name || !l->warp) {
    free(l->name);
    free(l->warp);
    return mrpb_fail(err, "out of memory for a launch of %" PRIu64 " blocks", blocks);
  }
  memcpy(l->name, name, strlen(name) + 1);
  l->launch = (launch_t){.kernel = l->name,
                         .blocks = (uint32_t)blocks,
                         .threads = (uint32_t)threads,
                         .regs = (uint32_t)regs,
                         .shared = (uint32_t)shared};
  s->n++;
  return 0;
}

/* ---- packing --------------------------------------------------------------- */

/* One distance between all neighbouring active lanes. */
static bool has_stride(const trace_record_t *r, uint64_t *first, uint64_t *stride) {
  uint64_t last = 0;
  unsigned n = 0;
  for (uint32_t m = r->mask; m; m &= m - 1, n++) {
    uint64_t a = r->addr[__builtin_ctz(m)];
    if (n == 0) *first = a;
    if (n == 1) *stride = a - last;
    if (n > 1 && a - last != *stride) return false;
    last = a;
  }
  if (n < 2) *stride = 0;
  return true;
}

static uint8_t *put(uint8_t *at, uint64_t v, unsigned bytes) {
  for (unsigned i = 0; i < bytes; i++) *at++ = (uint8_t)(v >> 8 * i);
  return at;
}

static const uint8_t *get(const uint8_t *at, uint64_t *v, unsigned bytes) {
  *v = 0;
  for (unsigned i = 0; i < bytes; i++) *v |= (uint64_t)*at++ << 8 * i;
  return at;
}

static size_t pack(const trace_record_t *r, uint8_t out[LARGEST]) {
  uint64_t first = 0, stride = 0;
  bool memory = r->kind == TRACE_LOAD || r->kind == TRACE_STORE;
  bool regular = memory && has_stride(r, &first, &stride);
  uint8_t *at = out;
  *at++ = (uint8_t)r->kind;
  *at++ = (uint8_t)r->space;
  *at++ = r->elem;
  *at++ = (uint8_t)r->n_wait;
  *at++ = regular;
  at = put(at, r->gap, 4);
  at = put(at, r->mask, 4);
  memcpy(at, r->wait, r->n_wait);
  at += r->n_wait;
  if (!memory || r->mask == 0) return (size_t)(at - out);
  if (regular) {
    at = put(at, first, 8);
    at = put(at, stride, 8);
  } else {
    for (uint32_t m = r->mask; m; m &= m - 1) at = put(at, r->addr[__builtin_ctz(m)], 8);
  }
  return (size_t)(at - out);
}

const uint8_t *trace_unpack(const uint8_t *at, trace_record_t *r) {
  uint64_t gap, mask, v = 0, stride = 0;
  r->kind = (trace_kind_t)*at++;
  r->space = (warp_space_t)*at++;
  r->elem = *at++;
  r->n_wait = *at++;
  bool regular = *at++;
  at = get(at, &gap, 4);
  at = get(at, &mask, 4);
  r->gap = (uint32_t)gap;
  r->mask = (uint32_t)mask;
  memcpy(r->wait, at, r->n_wait);
  at += r->n_wait;
  if (r->kind > TRACE_STORE || r->mask == 0) return at;
  if (regular) {
    at = get(at, &v, 8);
    at = get(at, &stride, 8);
  }
  for (uint32_t m = r->mask; m; m &= m - 1) {
    if (!regular) at = get(at, &v, 8);
    r->addr[__builtin_ctz(m)] = v;
    if (regular) v += stride;
  }
  return at;
}

static int append(trace_warp_t *w, const uint8_t *bytes, size_t n, mrpb_err_t *err) {
  if (w->n + n > w->room) {
    size_t room = w->room ? 2 * w->room : 64;
    while (room < w->n + n) room *= 2;
    uint8_t *more = realloc(w->bytes, room);
    if (!more) return mrpb_fail(err, "out of memory for the trace");
    w->bytes = more;
    w->room = room;
  }
  memcpy(w->bytes + w->n, bytes, n);
  w->n += n;
  return 0;
}

int trace_store_add(trace_store_t *s, uint64_t block, uint64_t warp, const trace_record_t *r,
                    mrpb_err_t *err) {
  uint8_t bytes[LARGEST];
  if (s->n == 0) return mrpb_fail(err, "a record before the first launch");
  trace_launch_t *l = &s->launch[s->n - 1];
  if (block >= l->launch.blocks || warp >= l->warps_per_block)
    return mrpb_fail(err,
                     "block %" PRIu64 " warp %" PRIu64 "; legal: blocks below %" PRIu32
                     ", warps below %" PRIu32,
                     block, warp, l->launch.blocks, l->warps_per_block);
  trace_warp_t *w = &l->warp[block * l->warps_per_block + warp];
  if (w->ended)
    return mrpb_fail(err, "block %" PRIu64 " warp %" PRIu64 " has ended already", block, warp);
  w->ended = r->kind == TRACE_EXIT;
  size_t before = w->room;
  if (append(w, bytes, pack(r, bytes), err) != 0) return -1;
  return reserve(s, w->room - before, err);
}

int trace_store_check(const trace_store_t *s, mrpb_err_t *err) {
  if (s->n == 0) return mrpb_fail(err, "no launch; legal: at least one");
  for (unsigned i = 0; i < s->n; i++) {
    const trace_launch_t *l = &s->launch[i];
    for (uint64_t w = 0; w < (uint64_t)l->launch.blocks * l->warps_per_block; w++)
      if (!l->warp[w].ended)
        return mrpb_fail(err, "block %" PRIu64 " warp %" PRIu64 " of %s has no end",
                         w / l->warps_per_block, w % l->warps_per_block, l->name);
  }
  return 0;
}

void trace_store_free(trace_store_t *s) {
  for (unsigned i = 0; i < s->n; i++) {
    trace_launch_t *l = &s->launch[i];
    for (uint64_t w = 0; w < (uint64_t)l->launch.blocks * l->warps_per_block; w++)
      free(l->warp[w].bytes);
    free(l->warp);
    free(l->name);
  }
  free(s->launch);
  *s = (trace_store_t){0};
}

/* ---- addresses of other machines ------------------------------------------- */

typedef struct {
  uint64_t page[MAX_PAGES];
  unsigned n;
  bool beyond;
} pages_t;

static int find_page(const pages_t *p, uint64_t page) {
  unsigned low = 0, high = p->n;
  while (low < high) {
    unsigned mid = (low + high) / 2;
    if (p->page[mid] < page)
      low = mid + 1;
    else
      high = mid;
  }
  return (int)low;
}

static int note_page(pages_t *p, uint64_t addr, mrpb_err_t *err) {
  uint64_t page = addr >> PAGE_LOG2;
  unsigned at = (unsigned)find_page(p, page);
  p->beyond |= addr >> 32 != 0;
  if (at < p->n && p->page[at] == page) return 0;
  if (p->n == MAX_PAGES)
    return mrpb_fail(err, "more than %d pages of 2 MB are touched; legal: 2 GB", MAX_PAGES);
  memmove(&p->page[at + 1], &p->page[at], (p->n - at) * sizeof p->page[0]);
  p->page[at] = page;
  p->n++;
  return 0;
}

static uint64_t moved(const pages_t *p, uint64_t addr) {
  uint64_t low = addr & ((UINT64_C(1) << PAGE_LOG2) - 1);
  return UINT64_C(0x80000000) + ((uint64_t)find_page(p, addr >> PAGE_LOG2) << PAGE_LOG2 | low);
}

static bool global_access(const trace_record_t *r) {
  return r->kind <= TRACE_STORE && r->space != WARP_SHARED;
}

/* All records of a warp: collects their pages, or packs them anew with moved addresses. */
static int visit(trace_warp_t *w, pages_t *pages, bool move, mrpb_err_t *err) {
  trace_warp_t copy = {.ended = w->ended};
  int rc = 0;
  for (const uint8_t *at = w->bytes; rc == 0 && at && at < w->bytes + w->n;) {
    trace_record_t r;
    uint8_t bytes[LARGEST];
    at = trace_unpack(at, &r);
    for (uint32_t m = global_access(&r) ? r.mask : 0; m && rc == 0; m &= m - 1) {
      uint64_t *a = &r.addr[__builtin_ctz(m)];
      if (move)
        *a = moved(pages, *a);
      else
        rc = note_page(pages, *a, err);
    }
    if (move && rc == 0) rc = append(&copy, bytes, pack(&r, bytes), err);
  }
  if (!move) return rc;
  free(w->bytes);
  *w = copy;
  return rc;
}

int trace_store_rebase(trace_store_t *s, mrpb_err_t *err) {
  pages_t *pages = calloc(1, sizeof *pages);
  if (!pages) return mrpb_fail(err, "out of memory");
  int rc = 0;
  for (unsigned pass = 0; pass < 2 && rc == 0; pass++) {
    if (pass == 1 && !pages->beyond) break;
    for (unsigned i = 0; i < s->n && rc == 0; i++)
      for (uint64_t w = 0;
           w < (uint64_t)s->launch[i].launch.blocks * s->launch[i].warps_per_block && rc == 0; w++)
        rc = visit(&s->launch[i].warp[w], pages, pass == 1, err);
  }
  free(pages);
  return rc;
}
