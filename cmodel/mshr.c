/* SPDX-License-Identifier: Apache-2.0 */
#include "mshr.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#ifndef MSHR_BUCKET_W
#define MSHR_BUCKET_W 8 /* the proof uses fewer bits: docs/verify/prove.md */
#endif
enum { MAX_ENTRIES = 128, BUCKETS = 1 << MSHR_BUCKET_W, NONE = 255 };

/* PARITY: a bit for each register that is written in every cycle, and for each word. Flags of entries
 * are as those of mshr_regs_t. */
typedef struct {
  uint8_t state, read;
  uint32_t addr[MAX_ENTRIES / 32], len[MAX_ENTRIES / 32], head[MAX_ENTRIES / 32],
      order[MAX_ENTRIES / 32];
  uint8_t data[MAX_ENTRIES * 32];
} parity_t;

/* The CAM is searched through a hash with chains; `free` and the chains follow from valid_q and
 * addr_q. */
struct mshr {
  mshr_cfg_t cfg;
  parity_t *parity;                /* NULL without PARITY */
  uint64_t free[MAX_ENTRIES / 64]; /* bit e: entry e exists and is not in use */
  mshr_regs_t r;
  uint8_t bucket[BUCKETS];   /* first valid entry of each hash value, or NONE */
  uint8_t next[MAX_ENTRIES]; /* the entry after it in the chain */
};

/* The answers to a cycle's inputs, used by both the outputs and the edge: first to out_ready_i,
 * then to the requested read. */
typedef struct {
  bool valid, drain, release; /* a read can leave; it leaves; it is the entry's last */
  uint32_t e;                 /* its entry, or NONE */
} leaving_t;

typedef struct {
  bool ready, merge;
  uint32_t refuse, entry;
} request_t;

static void reset(mshr_t *self) {
  mshr_regs_t *r = &self->r;
  memset(r->valid_q, 0, sizeof r->valid_q);
  memset(r->ready_q, 0, sizeof r->ready_q);
  memset(r->drain_q, 0, sizeof r->drain_q);
  memset(r->written_q, 0, sizeof r->written_q);
  r->order_head_q = r->order_len_q = r->count_q = r->next_q = 0;
  if (!self->cfg.READ_REG) r->read_q = 0;
  memset(self->bucket, NONE, sizeof self->bucket);
  self->free[0] = bits_mask(self->cfg.ENTRIES);
  self->free[1] = self->cfg.ENTRIES > 64 ? bits_mask(self->cfg.ENTRIES - 64) : 0;
  if (!self->parity) return;
  self->parity->state = 0;
  if (!self->cfg.READ_REG) self->parity->read = 0;
}

int mshr_create(mshr_t **self, const mshr_cfg_t *cfg, mrpb_err_t *err) {
  *self = NULL;
  if (mshr_check(cfg, err)) return -1;
  mshr_t *made = module_alloc(sizeof *made);
  if (!made) return mrpb_fail(err, "mshr: out of memory");
  made->cfg = *cfg;
  if (cfg->PARITY && !(made->parity = module_alloc(sizeof *made->parity))) {
    mshr_destroy(made);
    return mrpb_fail(err, "mshr: out of memory");
  }
  reset(made);
  *self = made;
  return 0;
}

static inline unsigned hash(uint64_t addr) {
  return (unsigned)((addr * UINT64_C(0x9e3779b97f4a7c15)) >> (64 - MSHR_BUCKET_W));
}

/* The valid entry of a line address, or NONE. */
static inline uint32_t find(const mshr_t *self, uint64_t addr) {
  uint32_t h = self->bucket[hash(addr)];
  while (h != NONE && self->r.addr_q[h] != addr) h = self->next[h];
  return h;
}

static void chain_insert(mshr_t *self, uint32_t a) {
  uint8_t *first = &self->bucket[hash(self->r.addr_q[a])];
  self->next[a] = *first;
  *first = (uint8_t)a;
}

static void chain_remove(mshr_t *self, uint32_t e) {
  uint8_t *link = &self->bucket[hash(self->r.addr_q[e])];
  while (*link != e) link = &self->next[*link];
  *link = self->next[e];
}

static inline void flag_set(uint32_t *flags, uint64_t e) {
  flags[e / 32] |= UINT32_C(1) << e % 32;
}

static inline void flag_clear(uint32_t *flags, uint64_t e) {
  flags[e / 32] &= ~(UINT32_C(1) << e % 32);
}

static inline leaving_t decide_leaving(const mshr_t *self, bool taken) {
  const mshr_regs_t *r = &self->r;
  if (r->order_len_q == 0) return (leaving_t){.e = NONE};
  uint32_t e = r->order_q[r->order_head_q];
  return (leaving_t){true, taken, taken && r->len_q[e] == 1, e};
}

static inline bool good_fill(const mshr_t *self, const mshr_in_t *in) {
  uint64_t f = in->fill_entry_i;
  return in->fill_valid_i && f < self->cfg.ENTRIES && flag_get(self->r.valid_q, f) &&
         !flag_get(self->r.ready_q, f);
}

static inline bool full(const mshr_t *self) {
  return self->r.count_q == self->cfg.ENTRIES;
}

static inline request_t decide_request(const mshr_t *self, uint64_t addr, leaving_t l) {
  uint32_t h = find(self, addr);
  if (h != NONE && !(l.release && h == l.e)) {
    if (flag_get(self->r.written_q, h)) return (request_t){false, true, 3, 0};
    bool room = self->r.len_q[h] < self->cfg.MERGES || (l.drain && h == l.e);
    return room ? (request_t){true, true, 0, h} : (request_t){false, true, 2, 0};
  }
  if (!full(self)) return (request_t){true, false, 0, self->r.next_q};
  return l.release ? (request_t){true, false, 0, l.e} : (request_t){false, false, 1, 0};
}

/* The entry that a store of this line hits, or NONE. */
static inline uint32_t store_hit(const mshr_t *self, uint64_t addr, leaving_t l) {
  if (!self->cfg.STORES) return NONE;
  uint32_t s = find(self, addr);
  return l.release && s == l.e ? NONE : s;
}

static inline void drain_outputs(const mshr_t *self, leaving_t l, mshr_out_t *out) {
  const mshr_regs_t *r = &self->r;
  out->out_valid_o = l.valid;
  out->out_data_o = !l.valid             ? 0
                    : self->cfg.READ_REG ? r->read_q
                                         : r->data_q[l.e * self->cfg.MERGES + r->head_q[l.e]];
  out->out_entry_o = l.valid ? l.e : 0;
  out->out_last_o = l.valid && r->len_q[l.e] == 1;
}

void mshr_drain(const mshr_t *self, mshr_out_t *out) {
  drain_outputs(self, decide_leaving(self, false), out);
}

void mshr_comb(const mshr_t *self, const mshr_in_t *in, mshr_out_t *out) {
  leaving_t l = decide_leaving(self, in->out_ready_i);
  uint32_t s = store_hit(self, in->store_addr_i, l);
  request_t q = decide_request(self, in->req_addr_i, l);
  out->req_ready_o = q.ready;
  out->req_merge_o = q.merge;
  out->req_refuse_o = q.refuse;
  out->req_entry_o = q.entry;
  out->fill_err_o = in->fill_valid_i && !good_fill(self, in);
  drain_outputs(self, l, out);
  out->count_o = self->r.count_q;
  out->fill_written_o = good_fill(self, in) && flag_get(self->r.written_q, in->fill_entry_i);
  out->store_hit_o = s != NONE;
  out->store_entry_o = s != NONE ? s : 0;
  out->error_o = 0; /* bits of a C model do not change by themselves */
}

/* What next_q becomes if it changes: the lowest other entry that is free, or else the one that
 * drains. */
static inline uint8_t free_after_next(const mshr_t *self, leaving_t l) {
  uint32_t next = self->r.next_q;
  for (uint32_t i = 0; i < MAX_ENTRIES / 64; i++) {
    uint64_t others = self->free[i];
    if (next / 64 == i) others &= ~(UINT64_C(1) << next % 64);
    if (others) return (uint8_t)(64 * i + (uint32_t)__builtin_ctzll(others));
  }
  return (uint8_t)(l.valid ? l.e : 0);
}

static inline void drain_edge(mshr_t *self, leaving_t l) {
  mshr_regs_t *r = &self->r;
  uint32_t e = l.e;
  r->head_q[e] = r->head_q[e] + 1u == self->cfg.MERGES ? 0 : (uint8_t)(r->head_q[e] + 1);
  r->len_q[e]--;
  if (!l.release) return;
  flag_clear(r->valid_q, e);
  flag_clear(r->ready_q, e);
  flag_clear(r->drain_q, e);
  flag_clear(r->written_q, e);
  r->order_head_q = r->order_head_q + 1u == self->cfg.ENTRIES ? 0 : (uint8_t)(r->order_head_q + 1);
  r->order_len_q--;
  if (r->order_len_q > 0) flag_set(r->drain_q, r->order_q[r->order_head_q]);
  r->count_q--;
  self->free[e / 64] |= UINT64_C(1) << e % 64;
  chain_remove(self, e);
}

static inline void merge_edge(mshr_t *self, uint32_t h, uint64_t data) {
  mshr_regs_t *r = &self->r;
  uint32_t tail = (uint32_t)r->head_q[h] + r->len_q[h];
  if (tail >= self->cfg.MERGES) tail -= self->cfg.MERGES;
  r->data_q[h * self->cfg.MERGES + tail] = data;
  r->len_q[h]++;
}

static inline void allocate_edge(mshr_t *self, uint32_t a, const mshr_in_t *in) {
  mshr_regs_t *r = &self->r;
  flag_set(r->valid_q, a);
  flag_clear(r->ready_q, a);
  r->addr_q[a] = in->req_addr_i;
  r->len_q[a] = 1;
  r->head_q[a] = 0;
  r->data_q[a * self->cfg.MERGES] = in->req_data_i;
  r->count_q++;
  self->free[a / 64] &= ~(UINT64_C(1) << a % 64);
  chain_insert(self, a);
}

/* Returns the entry's place in the order ring. */
static inline int fill_edge(mshr_t *self, uint32_t f) {
  mshr_regs_t *r = &self->r;
  uint32_t at = (uint32_t)r->order_head_q + r->order_len_q;
  if (at >= self->cfg.ENTRIES) at -= self->cfg.ENTRIES;
  flag_set(r->ready_q, f);
  if (r->order_len_q == 0) flag_set(r->drain_q, f);
  r->order_q[at] = (uint8_t)f;
  r->order_len_q++;
  return (int)at;
}

/* Marks the line's entry as it is after the rest of the cycle: not one that was released, but one
 * that was allocated. */
static inline void store_edge(mshr_t *self, uint64_t addr) {
  uint32_t s = self->cfg.STORES ? find(self, addr) : NONE;
  if (s != NONE) flag_set(self->r.written_q, s);
}

/* The read that is offered next. */
static inline void read_edge(mshr_t *self) {
  mshr_regs_t *r = &self->r;
  if (r->order_len_q == 0) return;
  uint32_t e = r->order_q[r->order_head_q];
  r->read_q = r->data_q[e * self->cfg.MERGES + r->head_q[e]];
}

static uint8_t state_parity(const mshr_regs_t *r) {
  return (uint8_t)(bits_odd_words(r->valid_q, MAX_ENTRIES / 32) |
                   bits_odd_words(r->ready_q, MAX_ENTRIES / 32) << 1 |
                   bits_odd_words(r->drain_q, MAX_ENTRIES / 32) << 2 |
                   bits_odd_words(r->written_q, MAX_ENTRIES / 32) << 3 |
                   bits_odd(r->order_head_q) << 4 | bits_odd(r->order_len_q) << 5 |
                   bits_odd(r->count_q) << 6 | bits_odd(r->next_q) << 7);
}

/* The bits of what the cycle has written. A drain and a merge write their entry's words, a fill a
 * place of the order ring, an accepted read a word. */
static void parity_edge(mshr_t *self, const mshr_in_t *in, leaving_t l, request_t q, int filled) {
  const mshr_regs_t *r = &self->r;
  parity_t *p = self->parity;
  const uint32_t touched[] = {l.drain ? l.e : NONE, q.ready ? q.entry : NONE};
  for (int i = 0; i < 2; i++) {
    if (touched[i] == NONE) continue;
    flag_put(p->len, touched[i], bits_odd(r->len_q[touched[i]]));
    if (i == 0 || !q.merge) flag_put(p->head, touched[i], bits_odd(r->head_q[touched[i]]));
  }
  if (filled >= 0) flag_put(p->order, (uint64_t)filled, bits_odd(r->order_q[filled]));
  if (q.ready && !q.merge) flag_put(p->addr, q.entry, bits_odd(in->req_addr_i));
  if (q.ready) {
    uint32_t last = (uint32_t)r->head_q[q.entry] + r->len_q[q.entry] - 1;
    if (last >= self->cfg.MERGES) last -= self->cfg.MERGES;
    p->data[q.entry * self->cfg.MERGES + last] = bits_odd(in->req_data_i);
  }
  p->state = state_parity(r);
  if (!self->cfg.READ_REG || r->order_len_q == 0) return;
  const uint32_t e = r->order_q[r->order_head_q];
  p->read = p->data[e * self->cfg.MERGES + r->head_q[e]];
}

void mshr_edge(mshr_t *self, const mshr_in_t *in) {
  if (!in->srst_ni) {
    reset(self);
    return;
  }
  leaving_t l = decide_leaving(self, in->out_ready_i);
  request_t q = {0};
  if (in->req_valid_i) q = decide_request(self, in->req_addr_i, l);
  if (full(self) || (q.ready && !q.merge)) self->r.next_q = free_after_next(self, l);
  /* The fill comes before the drain because its place follows from the old pointers. */
  const int filled = good_fill(self, in) ? fill_edge(self, (uint32_t)in->fill_entry_i) : -1;
  if (l.drain) drain_edge(self, l);
  if (q.ready && q.merge) merge_edge(self, q.entry, in->req_data_i);
  if (q.ready && !q.merge) allocate_edge(self, q.entry, in);
  if (in->store_valid_i) store_edge(self, in->store_addr_i);
  if (self->cfg.READ_REG) read_edge(self);
  if (self->parity) parity_edge(self, in, l, q, filled);
}

const mshr_regs_t *mshr_regs(const mshr_t *self) {
  return &self->r;
}

void mshr_destroy(mshr_t *self) {
  if (self) free(self->parity);
  free(self);
}

static void mshr_copy(mshr_t *to, const mshr_t *from) {
  parity_t *const own = to->parity;
  *to = *from;
  to->parity = own;
  if (own) *own = *from->parity;
}

static void fast_drain(const void *self, const uint64_t *in, uint64_t *out) {
  (void)in;
  mshr_drain(self, (mshr_out_t *)(void *)out);
}

static const module_fast_t fast[] = {
    {.name = "mshr_drain",
     .view = fast_drain,
     .outputs = "out_valid_o out_data_o out_entry_o out_last_o"},
};

#define STEM mshr
#define COMPOSITE
#define FAST fast
#define PORTS_FILE "ports/mshr.ports.h"
#include "ports/define.h"
