/* SPDX-License-Identifier: Apache-2.0 */
/* Transactions of an external DRAM: see dram_port.h. */
#include "gpu/flits/dram_port.h"

#include "base/grow.h"

#include <inttypes.h>
#include <math.h>

#define NONE UINT32_MAX
enum { MAX_SLICES = 32, BUCKETS = 256 };

/* A transaction in flight; those of one bucket are in the order in which they were added. */
typedef struct {
  uint64_t address;
  packet_t *packet;
  uint32_t next;
  bool is_write;
} transaction_t;

typedef struct {
  uint32_t first, last;
} bucket_t;

struct dram_port {
  mrpb_gpu_dram_t dram;
  uint64_t hz;
  uint32_t bytes; /* of a transaction */
  packet_map_t map;
  packet_pool_t *pool;
  check_t *check;                  /* NULL: packets carry no data */
  packet_t *begun[MAX_SLICES];     /* the request whose transactions are being added */
  packet_queue_t done[MAX_SLICES]; /* finished reads */
  transaction_t *list;
  size_t room;
  uint32_t free;
  bucket_t bucket[BUCKETS];
  uint32_t transactions, requests;
  dram_port_stats_t stats;
  mrpb_err_t fault;
};

/* ---- transactions ------------------------------------------------------------ */

static bucket_t *bucket_of(dram_port_t *d, uint64_t address) {
  return &d->bucket[address / d->bytes % BUCKETS];
}

/* Reserves room for one more, so that an accepted transaction is never lost. */
static bool reserve(dram_port_t *d) {
  if (d->free != NONE) return true;
  const size_t before = d->room;
  transaction_t *more = grow(d->list, before + 1, &d->room, sizeof *more);
  if (!more || d->room >= NONE) {
    mrpb_fail(&d->fault, "dram: out of memory");
    return false;
  }
  d->list = more;
  for (size_t i = d->room; i-- > before;) {
    more[i].next = d->free;
    d->free = (uint32_t)i;
  }
  return true;
}

static void remember(dram_port_t *d, packet_t *p, uint64_t address, bool is_write) {
  bucket_t *b = bucket_of(d, address);
  const uint32_t i = d->free;
  d->free = d->list[i].next;
  d->list[i] = (transaction_t){address, p, NONE, is_write};
  if (b->first == NONE)
    b->first = i;
  else
    d->list[b->last].next = i;
  b->last = i;
  if (++d->transactions > d->stats.most) d->stats.most = d->transactions;
}

/* Takes the oldest transaction of that address and kind off the list; NULL if there is none. */
static packet_t *recall(dram_port_t *d, uint64_t address, bool is_write) {
  bucket_t *b = bucket_of(d, address);
  for (uint32_t before = NONE, i = b->first; i != NONE; before = i, i = d->list[i].next) {
    transaction_t *t = &d->list[i];
    if (t->address != address || t->is_write != is_write) continue;
    if (before == NONE)
      b->first = t->next;
    else
      d->list[before].next = t->next;
    if (b->last == i) b->last = before;
    t->next = d->free;
    d->free = i;
    d->transactions--;
    return t->packet;
  }
  return NULL;
}

/* The last transaction of a request has finished: its bytes move now. */
static void finish(dram_port_t *d, packet_t *p) {
  d->requests--;
  if (d->check) check_dram(d->check, p);
  if (packet_is_write(p))
    d->stats.write_requests++;
  else
    d->stats.read_requests++;
  if (p->kind != PACKET_WRITE_BACK) {
    packet_queue_push(&d->done[p->partition], p);
    return;
  }
  d->stats.write_backs++;
  packet_free(d->pool, p);
}

static void done(dram_port_t *d, uint64_t address, bool is_write) {
  packet_t *p = recall(d, address, is_write);
  if (!p) {
    mrpb_fail(&d->fault, "dram: %s of 0x%" PRIx64 " is done; legal: one that was added and is not",
              is_write ? "a write" : "a read", address);
    return;
  }
  if (--p->to_move == 0) finish(d, p);
}

static void read_done(void *arg, uint64_t address) {
  done(arg, address, false);
}

static void write_done(void *arg, uint64_t address) {
  done(arg, address, true);
}

/* ---- one cycle --------------------------------------------------------------- */

/* Adds the request's remaining transactions; true if none is left. */
static bool add(dram_port_t *d, packet_t *p) {
  const bool is_write = packet_is_write(p);
  while (p->to_issue > 0 && reserve(d)) {
    const uint32_t all = (p->bytes + d->bytes - 1) / d->bytes, i = all - p->to_issue;
    const uint64_t local = p->local + (uint64_t)i * d->bytes;
    const uint64_t address = packet_map_global(&d->map, p->partition, local) / d->bytes * d->bytes;
    if (!d->dram.will_accept(d->dram.ctx, address, is_write)) return false;
    remember(d, p, address, is_write); /* it may finish before `add` returns */
    p->to_issue--;
    const bool last = p->to_issue == 0;
    if (!d->dram.add(d->dram.ctx, address, is_write)) {
      (void)recall(d, address, is_write);
      p->to_issue++;
      return false;
    }
    if (is_write)
      d->stats.writes++;
    else
      d->stats.reads++;
    if (last) return true;
  }
  return p->to_issue == 0;
}

static void begin(dram_port_t *d, packet_t *p, unsigned slice) {
  p->partition = slice;
  p->to_issue = p->to_move = (uint16_t)((p->bytes + d->bytes - 1) / d->bytes);
  d->begun[slice] = p;
  d->requests++;
}

void dram_port_cycle(dram_port_t *d, l2_t *const l2[], unsigned n, uint32_t *busy) {
  for (unsigned i = 0; i < n; i++) {
    packet_queue_t *to = l2_from_dram(l2[i]), *from = l2_to_dram(l2[i]);
    if (d->done[i].count && !packet_queue_full(to)) {
      packet_queue_push(to, packet_queue_pop(&d->done[i]));
      *busy |= UINT32_C(1) << i;
    }
    if (!d->begun[i] && from->count) begin(d, packet_queue_pop(from), i);
    if (d->begun[i] && add(d, d->begun[i])) d->begun[i] = NULL;
  }
  d->dram.tick(d->dram.ctx);
  d->stats.cycles++;
}

/* ---- creation ---------------------------------------------------------------- */

static int check(dram_port_t *d, const mrpb_gpu_dram_t *m, mrpb_err_t *err) {
  if (!m->set_callbacks || !m->tck || !m->transaction_bytes || !m->will_accept || !m->add ||
      !m->tick)
    return mrpb_fail(err, "dram: a function is NULL; legal: all six");
  const double ns = m->tck(m->ctx);
  if (!(ns >= 0.1 && ns <= 100)) return mrpb_fail(err, "dram: tck = %g ns; legal: 0.1 to 100", ns);
  d->hz = (uint64_t)llround(1e9 / ns);
  d->bytes = m->transaction_bytes(m->ctx);
  if (d->bytes < 8 || d->bytes > 128 || (d->bytes & (d->bytes - 1)))
    return mrpb_fail(err, "dram: transaction_bytes = %" PRIu32 "; legal: 8, 16, 32, 64 or 128",
                     d->bytes);
  return 0;
}

int dram_port_create(dram_port_t **out, const mrpb_gpu_dram_t *dram, const packet_map_t *map,
                     packet_pool_t *pool, mrpb_err_t *err) {
  dram_port_t *d = calloc(1, sizeof *d);
  *out = NULL;
  if (!d) return mrpb_fail(err, "dram: out of memory");
  if (check(d, dram, err) != 0) {
    free(d);
    return -1;
  }
  d->dram = *dram;
  d->map = *map;
  d->pool = pool;
  d->free = NONE;
  for (unsigned i = 0; i < BUCKETS; i++) d->bucket[i] = (bucket_t){NONE, NONE};
  for (unsigned i = 0; i < MAX_SLICES; i++) packet_queue_init(&d->done[i], 0);
  dram->set_callbacks(dram->ctx, read_done, write_done, d);
  *out = d;
  return 0;
}

void dram_port_destroy(dram_port_t *d) {
  if (!d) return;
  free(d->list);
  free(d);
}

uint64_t dram_port_hz(const dram_port_t *d) {
  return d->hz;
}

void dram_port_set_check(dram_port_t *d, check_t *c) {
  d->check = c;
}

const dram_port_stats_t *dram_port_stats(const dram_port_t *d) {
  return &d->stats;
}

const mrpb_err_t *dram_port_fault(const dram_port_t *d) {
  return d->fault.text[0] ? &d->fault : NULL;
}
