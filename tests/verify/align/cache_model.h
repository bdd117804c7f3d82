/* SPDX-License-Identifier: Apache-2.0 */
/* A cache around the project's MSHR table, as a small model of somebody's own: it drifts once if
 * asked to. */
#ifndef CACHE_MODEL_H
#define CACHE_MODEL_H

#include "mshr.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum {
  NO_DRIFT,
  LATE_FILL,
  SLOW_DRAIN,
  MERGE_AS_MISS,
  HIT_AS_MISS,
  SLOW_HIT,
  SMALLER_TABLE,
  LATE_BYPASS,
  BUSY_PORT,
  OTHER_FIRST,
  MISS_QUEUE_STANDS,
  DRIFTS
} drift_t;

enum { WARPS = 12, EACH = 60, ENTRIES = 4, MERGES = 3, TAGS = 8, MEMORY = 60, HIT = 9, BUSY = 4 };
#define NEVER UINT64_MAX

typedef struct {
  unsigned warp, number;
  uint64_t address, begin, accepted, end;
  const char *kind;
  unsigned mshr;
} access_t;

typedef struct {
  drift_t drift;
  unsigned cycles, event; /* of the `event`th event of its kind, from 0 */
  unsigned seen;
  unsigned warp, number; /* the request that it befalls */
  uint64_t until;        /* something stands until then */
} plant_t;

typedef struct {
  plant_t plant;
  mshr_t *table;
  mshr_in_t in;
  uint64_t now, channel;
  struct {
    unsigned number;
    uint64_t offers, answer; /* when it offers its next request; when an answer comes by itself */
    bool waits;
    size_t access;
  } warp[WARPS];
  unsigned turn, count;
  uint64_t tag[TAGS];
  uint64_t line[ENTRIES], fill[ENTRIES];
  unsigned owner[ENTRIES], queue[ENTRIES], queued;
  access_t access[WARPS * EACH];
  size_t n;
} cache_t;

/* True if the drift befalls this event. */
static bool strikes(cache_t *c, drift_t drift, unsigned warp) {
  plant_t *p = &c->plant;
  if (p->drift != drift || p->seen++ != p->event) return false;
  p->warp = warp;
  p->number = c->warp[warp].number;
  return true;
}

static uint64_t mix(uint64_t x) {
  x *= UINT64_C(0x9e3779b97f4a7c15);
  x ^= x >> 29;
  x *= UINT64_C(0xbf58476d1ce4e5b9);
  return x ^ x >> 32;
}

/* The requests of a warp depend on nothing but their number. One line in eight bypasses. */
static uint64_t address_of(unsigned warp, unsigned number) {
  return mix(warp % 4 * 1000 + number / 2) % 24;
}
static bool bypasses(uint64_t address) {
  return address % 8 == 7;
}

static void answer(cache_t *c, unsigned warp) {
  c->access[c->warp[warp].access].end = c->now;
  c->warp[warp].waits = false;
  c->warp[warp].answer = NEVER;
  c->warp[warp].number++;
  c->warp[warp].offers = c->now + 1 + mix(warp * 77 + c->warp[warp].number) % 5;
}

static void drain(cache_t *c) {
  mshr_out_t out;
  mshr_comb(c->table, &c->in, &out);
  if (!out.out_valid_o || c->now < c->plant.until) return;
  const unsigned warp = (unsigned)out.out_data_o;
  if (strikes(c, SLOW_DRAIN, warp)) {
    c->plant.until = c->now + c->plant.cycles;
    return;
  }
  c->in.out_ready_i = 1;
  c->count -= out.out_last_o != 0;
  answer(c, warp);
}

static void fill(cache_t *c) {
  for (unsigned e = 0; e < ENTRIES; e++) {
    if (c->fill[e] > c->now) continue;
    c->fill[e] = NEVER;
    c->in.fill_valid_i = 1;
    c->in.fill_entry_i = e;
    c->tag[c->line[e] % TAGS] = c->line[e];
    return;
  }
}

/* The request of `warp` is accepted. */
static void accept(cache_t *c, unsigned warp, const char *kind, uint64_t answer_at) {
  access_t *a = &c->access[c->n];
  *a = (access_t){warp,
                  c->warp[warp].number,
                  address_of(warp, c->warp[warp].number),
                  c->warp[warp].offers,
                  c->now,
                  NEVER,
                  kind,
                  c->count};
  c->warp[warp].waits = true;
  c->warp[warp].answer = answer_at;
  c->warp[warp].access = c->n++;
}

/* A read that misses. False if the table refuses it. */
static bool miss(cache_t *c, unsigned warp, uint64_t address) {
  mshr_out_t out;
  c->in.req_addr_i = address;
  c->in.req_data_i = warp;
  mshr_comb(c->table, &c->in, &out);
  if (!out.req_ready_o || c->now < c->plant.until) return false;
  if (out.req_merge_o && strikes(c, MERGE_AS_MISS, warp))
    return accept(c, warp, "miss", c->now + MEMORY + c->plant.cycles), true;
  if (!out.req_merge_o && strikes(c, SMALLER_TABLE, warp)) {
    c->plant.until = c->now + c->plant.cycles;
    return false;
  }
  c->in.req_valid_i = 1;
  accept(c, warp, out.req_merge_o ? "merge" : "miss", NEVER);
  if (out.req_merge_o) return true;
  c->count++;
  c->line[out.req_entry_o] = address;
  c->owner[out.req_entry_o] = warp;
  c->queue[c->queued++] = (unsigned)out.req_entry_o;
  return true;
}

static bool look_up(cache_t *c, unsigned warp) {
  const uint64_t address = address_of(warp, c->warp[warp].number);
  if (bypasses(address)) {
    const unsigned more = strikes(c, LATE_BYPASS, warp) ? c->plant.cycles : 0;
    return accept(c, warp, "bypass", c->now + MEMORY + more), true;
  }
  if (c->tag[address % TAGS] != address) return miss(c, warp, address);
  if (strikes(c, HIT_AS_MISS, warp))
    return accept(c, warp, "miss", c->now + MEMORY + c->plant.cycles), true;
  if (strikes(c, BUSY_PORT, warp)) { /* for a read that nothing else would refuse */
    c->plant.until = c->now + c->plant.cycles;
    return false;
  }
  const unsigned more = strikes(c, SLOW_HIT, warp) ? c->plant.cycles : 0;
  return accept(c, warp, "hit", c->now + HIT + more), true;
}

/* One warp a cycle, in turn; one that is refused is the first again. */
static void arbitrate(cache_t *c) {
  unsigned offers[WARPS], n = 0;
  for (unsigned i = 0; i < WARPS; i++) {
    const unsigned w = (c->turn + i) % WARPS;
    if (c->warp[w].number < EACH && !c->warp[w].waits && c->warp[w].offers <= c->now)
      offers[n++] = w;
  }
  if (n == 0) return;
  if (c->plant.drift == BUSY_PORT && c->now < c->plant.until) return;
  unsigned w = offers[0];
  if (n > 1 && strikes(c, OTHER_FIRST, offers[0])) w = offers[1];
  c->turn = look_up(c, w) ? (w + 1) % WARPS : w;
}

static void send(cache_t *c) {
  if (c->queued == 0 || c->now < c->channel) return;
  const unsigned e = c->queue[0];
  if (strikes(c, MISS_QUEUE_STANDS, c->owner[e])) {
    c->channel = c->now + c->plant.cycles;
    return;
  }
  const unsigned more = strikes(c, LATE_FILL, c->owner[e]) ? c->plant.cycles : 0;
  c->fill[e] = c->now + MEMORY + more;
  c->channel = c->now + BUSY;
  memmove(c->queue, c->queue + 1, --c->queued * sizeof *c->queue);
}

static bool cycle(cache_t *c) {
  bool busy = false;
  c->in = (mshr_in_t){.srst_ni = 1};
  drain(c);
  fill(c);
  for (unsigned w = 0; w < WARPS; w++) {
    if (c->warp[w].answer == c->now) answer(c, w);
    busy |= c->warp[w].number < EACH;
  }
  arbitrate(c);
  send(c);
  mshr_edge(c->table, &c->in);
  c->now++;
  return busy;
}

/* Runs to the end. */
static void cache_run(cache_t *c, plant_t plant) {
  static const mshr_cfg_t cfg = {.ENTRIES = ENTRIES, .MERGES = MERGES, .ADDR_W = 8, .DATA_W = 8};
  mrpb_err_t err;
  *c = (cache_t){.plant = plant};
  ck_assert_int_eq(mshr_create(&c->table, &cfg, &err), 0);
  mshr_edge(c->table, &c->in); /* the reset */
  for (unsigned i = 0; i < TAGS; i++) c->tag[i] = NEVER;
  for (unsigned e = 0; e < ENTRIES; e++) c->fill[e] = NEVER;
  for (unsigned w = 0; w < WARPS; w++) c->warp[w].answer = NEVER;
  while (cycle(c)) ck_assert_uint_lt(c->now, 1000000);
  mshr_destroy(c->table);
}

/* Writes the requests as a file of requests. */
static void cache_write(const cache_t *c, FILE *f) {
  fputs("# mrpb-requests 1\nwho,kind,address,begin,waited,end,mshr\n", f);
  for (size_t i = 0; i < c->n; i++) {
    const access_t *a = &c->access[i];
    fprintf(f, "warp%u,%s,%llu,%llu,%llu,%llu,%u\n", a->warp, a->kind,
            (unsigned long long)a->address, (unsigned long long)a->begin,
            (unsigned long long)(a->accepted - a->begin), (unsigned long long)a->end, a->mshr);
  }
}

#endif
