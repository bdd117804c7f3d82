#include "mshr.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ENTRIES = 128, BUCKETS = 256, NONE = 255 };

/* The CAM is searched through a chained hash; `free` and the chains follow from valid_q and addr_q.
 */
struct mshr {
  mshr_cfg_t cfg;
  uint64_t free[MAX_ENTRIES / 64]; /* bit e: entry e exists and is not in use */
  uint8_t bucket[BUCKETS];         /* first valid entry of each hash value, or NONE */
  uint8_t next[MAX_ENTRIES];       /* the entry after it */
  mshr_regs_t r;
};

/* The answer to a cycle's inputs, on which outputs and edge agree. */
typedef struct {
  bool valid, drain, release; /* a read can leave; it leaves; it is the entry's last */
  uint32_t e;                 /* its entry */
  bool fill;                  /* a good fill */
  bool ready, merge;
  uint32_t refuse, entry;
} cycle_t;

static void reset(mshr_t *self) {
  mshr_regs_t *r = &self->r;
  memset(r->valid_q, 0, sizeof r->valid_q);
  memset(r->ready_q, 0, sizeof r->ready_q);
  r->order_head_q = r->order_len_q = r->count_q = 0;
  memset(self->bucket, NONE, sizeof self->bucket);
  self->free[0] = bits_mask(self->cfg.ENTRIES);
  self->free[1] = self->cfg.ENTRIES > 64 ? bits_mask(self->cfg.ENTRIES - 64) : 0;
}

int mshr_create(mshr_t **self, const mshr_cfg_t *cfg, mrpb_err_t *err) {
  *self = NULL;
  if (mshr_check(cfg, err)) return -1;
  mshr_t *made = calloc(1, sizeof *made);
  if (!made) return mrpb_fail(err, "mshr: out of memory");
  made->cfg = *cfg;
  reset(made);
  *self = made;
  return 0;
}

static inline unsigned hash(uint64_t addr) {
  return (unsigned)((addr * UINT64_C(0x9e3779b97f4a7c15)) >> 56);
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

static inline bool flag(const uint32_t *flags, uint64_t e) {
  return flags[e / 32] >> e % 32 & 1;
}

/* The lowest free entry, or NONE. */
static inline uint32_t lowest_free(const mshr_t *self) {
  if (self->free[0]) return (uint32_t)__builtin_ctzll(self->free[0]);
  if (self->free[1]) return 64 + (uint32_t)__builtin_ctzll(self->free[1]);
  return NONE;
}

static inline void decide(const mshr_t *self, const mshr_in_t *in, cycle_t *c) {
  const mshr_regs_t *r = &self->r;
  memset(c, 0, sizeof *c);
  c->valid = r->order_len_q > 0;
  c->e = c->valid ? r->order_q[r->order_head_q] : NONE;
  c->drain = c->valid && in->out_ready_i;
  c->release = c->drain && r->len_q[c->e] == 1;

  uint64_t f = in->fill_entry_i;
  c->fill =
      in->fill_valid_i && f < self->cfg.ENTRIES && flag(r->valid_q, f) && !flag(r->ready_q, f);

  uint32_t h = find(self, in->req_addr_i);
  if (h != NONE && !(c->release && h == c->e)) {
    bool room = r->len_q[h] < self->cfg.MERGES || (c->drain && h == c->e);
    c->merge = true;
    c->ready = room;
    c->entry = room ? h : 0;
    c->refuse = room ? 0 : 2;
    return;
  }
  uint32_t a = lowest_free(self);
  if (c->release && c->e < a) a = c->e;
  c->ready = a != NONE;
  c->entry = a != NONE ? a : 0;
  c->refuse = a != NONE ? 0 : 1;
}

void mshr_comb(const mshr_t *self, const mshr_in_t *in, mshr_out_t *out) {
  const mshr_regs_t *r = &self->r;
  cycle_t c;
  decide(self, in, &c);
  out->req_ready_o = c.ready;
  out->req_merge_o = c.merge;
  out->req_refuse_o = c.refuse;
  out->req_entry_o = c.entry;
  out->fill_err_o = in->fill_valid_i && !c.fill;
  out->out_valid_o = c.valid;
  out->out_data_o = c.valid ? r->data_q[c.e * self->cfg.MERGES + r->head_q[c.e]] : 0;
  out->out_entry_o = c.valid ? c.e : 0;
  out->out_last_o = c.valid && r->len_q[c.e] == 1;
  out->count_o = r->count_q;
}

static inline void drain_edge(mshr_t *self, const cycle_t *c) {
  mshr_regs_t *r = &self->r;
  uint32_t e = c->e;
  r->head_q[e] = r->head_q[e] + 1u == self->cfg.MERGES ? 0 : (uint8_t)(r->head_q[e] + 1);
  r->len_q[e]--;
  if (!c->release) return;
  r->valid_q[e / 32] &= ~(UINT32_C(1) << e % 32);
  r->ready_q[e / 32] &= ~(UINT32_C(1) << e % 32);
  r->order_head_q = r->order_head_q + 1u == self->cfg.ENTRIES ? 0 : (uint8_t)(r->order_head_q + 1);
  r->order_len_q--;
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
  r->valid_q[a / 32] |= UINT32_C(1) << a % 32;
  r->ready_q[a / 32] &= ~(UINT32_C(1) << a % 32);
  r->addr_q[a] = in->req_addr_i;
  r->len_q[a] = 1;
  r->head_q[a] = 0;
  r->data_q[a * self->cfg.MERGES] = in->req_data_i;
  r->count_q++;
  self->free[a / 64] &= ~(UINT64_C(1) << a % 64);
  chain_insert(self, a);
}

void mshr_edge(mshr_t *self, const mshr_in_t *in) {
  if (!in->rst_ni) {
    reset(self);
    return;
  }
  mshr_regs_t *r = &self->r;
  cycle_t c;
  decide(self, in, &c);
  if (c.fill) { /* before the drain: its place follows from the old pointers */
    uint32_t f = (uint32_t)in->fill_entry_i, at = (uint32_t)r->order_head_q + r->order_len_q;
    if (at >= self->cfg.ENTRIES) at -= self->cfg.ENTRIES;
    r->ready_q[f / 32] |= UINT32_C(1) << f % 32;
    r->order_q[at] = (uint8_t)f;
    r->order_len_q++;
  }
  if (c.drain) drain_edge(self, &c);
  if (!in->req_valid_i || !c.ready) return;
  if (c.merge)
    merge_edge(self, c.entry, in->req_data_i);
  else
    allocate_edge(self, c.entry, in);
}

const mshr_regs_t *mshr_regs(const mshr_t *self) {
  return &self->r;
}

void mshr_destroy(mshr_t *self) {
  free(self);
}

#define STEM mshr
#define PORTS_FILE "ports/mshr.ports.h"
#include "ports/define.h"
