/* SPDX-License-Identifier: Apache-2.0 */
/* The static scheduler's part of a time step: the writes of clocked processes become visible, then
 * the combinational processes whose inputs changed run in levelled order. */
#include "sim/sim_priv.h"

#include <string.h>

static uint32_t n_words(const simk_t *k) {
  return (k->n_comb + 63) / 64;
}

/* ---- elaboration ---------------------------------------------------------------------------- */

/* The clock to which all writers of `sig` belong; 0 if there is no such clock. */
static uint32_t writers_clock(const simk_t *k, uint32_t sig) {
  uint32_t clock = 0;
  for (uint32_t i = simk_decl_find(k, SIMK_WRITE, sig); i < k->n_decls && k->decl[i].target == sig;
       i++) {
    const simk_proc_t *p = &k->proc[k->decl[i].proc];
    if (p->cls != SIMK_CLOCKED || p->multi || !p->clock || (clock && clock != p->clock)) return 0;
    clock = p->clock;
  }
  return clock;
}

/* Collects the outputs of the combinational processes, in levelled order. */
static void build_outs(simk_t *k) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < k->n_comb; i++) k->comb[i].n_outs = 0;
  for (uint32_t i = simk_decl_find(k, SIMK_WRITE, 0); i < k->n_decls; i++)
    if (k->proc[k->decl[i].proc].cls == SIMK_COMB)
      k->comb[k->proc[k->decl[i].proc].level_pos].n_outs++;
  for (uint32_t i = 0; i < k->n_comb; n += k->comb[i++].n_outs) k->comb[i].first_out = n;
  k->n_outs = n;
  for (uint32_t i = 0; i < k->n_comb; i++) k->comb[i].n_outs = 0;
  for (uint32_t i = simk_decl_find(k, SIMK_WRITE, 0); i < k->n_decls; i++) {
    const simk_decl_t *d = &k->decl[i];
    if (k->proc[d->proc].cls != SIMK_COMB) continue;
    simk_comb_t *c = &k->comb[k->proc[d->proc].level_pos];
    const simk_info_t *info = &k->info[d->target];
    k->out[c->first_out + c->n_outs++] = (simk_out_t){
        .id = simk_id(d->target), .first_sub = info->first_sub, .n_subs = info->n_subs};
  }
}

/* Collects, for each word of 64 processes, the outputs that processes of another word read. */
static void build_far(simk_t *k) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < k->n_comb; i++) {
    if (i % 64 == 0) k->first_far[i / 64] = n;
    for (uint32_t o = k->comb[i].first_out; o < k->comb[i].first_out + k->comb[i].n_outs; o++) {
      const simk_sub_t *s = k->sub + k->out[o].first_sub, *end = s + k->out[o].n_subs;
      while (s < end && s->proc / 64 == i / 64) s++;
      if (s < end) k->far[n++] = o;
    }
  }
  k->first_far[n_words(k)] = n;
}

/* Adds signal `s` to the ranges that start at index `first`. */
static void add_quiet(simk_t *k, uint32_t first, uint32_t s) {
  simk_range_t *r = k->range + k->n_ranges;
  simk_slot(k, s)->flags |= SIMK_F_QUIET;
  simk_slot(k, s)->queued = SIMK_PENDING;
  if (k->n_ranges == first || s % 8 == 0 || simk_index(r[-1].id) + r[-1].n != s) {
    *r = (simk_range_t){.id = simk_id(s), .n = 1, .narrow = 1};
    k->n_ranges++;
    return;
  }
  r--;
  if (++r->n < 8 || r == k->range + first || r[-1].n < 8) return;
  if (r[-1].id + r[-1].narrow * SIMK_BLOCK != r->id) return;
  r[-1].narrow++; /* a whole block that follows whole blocks */
  k->n_ranges--;
}

/* Only blocks that were written some time ago are copied with wide loads: a wide load that overlaps
 * a store still in the store buffer would have to wait. */
static void build_ranges(simk_t *k) {
  enum { RECENT = 8 };
  for (uint32_t c = 1; c < k->n_clocks; c++) {
    uint32_t first = k->n_ranges, recent = 0;
    for (uint32_t s = 1; s < k->n_signals; s++)
      if (!(simk_slot(k, s)->flags & SIMK_F_SUBS) && writers_clock(k, s) == c)
        add_quiet(k, first, s);
    for (uint32_t i = k->n_ranges; i-- > first;) {
      simk_range_t *r = &k->range[i];
      uint32_t narrow = recent + r->narrow <= RECENT ? r->narrow : RECENT - recent;
      recent += narrow;
      if (r->n < 8) continue;
      r->wide = r->narrow - narrow;
      r->narrow = narrow;
    }
    for (int rising = 0; rising < 2; rising++) {
      simk_group_t *g = &k->clock[c].group[rising];
      g->first_range = first;
      g->n_ranges = k->n_ranges - first;
    }
  }
}

bool simk_static_build(simk_t *k) {
  size_t words = n_words(k);
  k->range = simk_alloc(k, k->n_signals, sizeof *k->range);
  k->out = simk_alloc(k, k->n_decls, sizeof *k->out);
  k->far = simk_alloc(k, k->n_decls, sizeof *k->far);
  k->first_far = simk_alloc(k, words + 1, sizeof *k->first_far);
  k->dense = simk_alloc(k, words, sizeof *k->dense);
  if (!k->range || !k->out || !k->far || !k->first_far || !k->dense) return false;
  build_outs(k);
  build_far(k);
  build_ranges(k);
  return true;
}

/* ---- commit --------------------------------------------------------------------------------- */

static inline void wake(simk_t *k, uint32_t first_sub, uint32_t n_subs) {
  for (const simk_sub_t *s = k->sub + first_sub, *end = s + n_subs; s < end; s++)
    k->dirty[s->proc / 64] |= UINT64_C(1) << s->proc % 64;
}

void simk_static_wake(simk_t *k, uint32_t sig) {
  wake(k, k->info[sig].first_sub, k->info[sig].n_subs);
}

static void commit(simk_t *k) {
  uint32_t n = k->pub.n_pend;
  k->pub.n_pend = 0;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t id = k->pub.pend[i];
    sim_slot_t *slot = sim_slot(&k->pub, id);
    slot->queued = SIMK_FREE;
    if (slot->cur == slot->next) continue;
    slot->cur = slot->next;
    if (slot->flags & SIMK_F_TRACE) simk_mark_trace(k, simk_index(id));
    if (slot->flags & SIMK_F_SUBS) simk_static_wake(k, simk_index(id));
  }
}

/* `volatile` keeps the compiler from merging the loads of narrow copies. */
static inline void copy_some(uint64_t *to, const volatile uint64_t *from, uint32_t n) {
  switch (n) {
#define WORD(i)                                                                                    \
  case i + 1:                                                                                      \
    to[i] = from[i];                                                                               \
    __attribute__((fallthrough))
    WORD(6);
    WORD(5);
    WORD(4);
    WORD(3);
    WORD(2);
    WORD(1);
    WORD(0);
#undef WORD
  default:
    break;
  }
}

static inline void copy_narrow(uint64_t *to, const volatile uint64_t *from) {
  uint64_t a = from[0], b = from[1], c = from[2], d = from[3];
  uint64_t e = from[4], f = from[5], g = from[6], h = from[7];
  to[0] = a, to[1] = b, to[2] = c, to[3] = d;
  to[4] = e, to[5] = f, to[6] = g, to[7] = h;
}

void simk_static_copy(simk_t *k, uint32_t first, uint32_t n) {
  for (const simk_range_t *r = k->range + first, *end = r + n; r < end; r++) {
    uint32_t id = r->id;
    if (r->n < 8) {
      sim_slot_t *s = sim_slot(&k->pub, id);
      copy_some(&s->cur, &s->next, r->n);
      continue;
    }
    for (uint32_t i = 0; i < r->wide; i++, id += SIMK_BLOCK) {
      char *s = k->pub.slots + id;
      memcpy(s + offsetof(sim_slot_t, cur), s + offsetof(sim_slot_t, next), 8 * sizeof(uint64_t));
    }
    for (uint32_t i = 0; i < r->narrow; i++, id += SIMK_BLOCK) {
      sim_slot_t *s = sim_slot(&k->pub, id);
      copy_narrow(&s->cur, &s->next);
    }
  }
}

void simk_static_start(simk_t *k) {
  commit(k);
  for (uint32_t i = 0; i < k->n_outs; i++) {
    sim_slot_t *slot = sim_slot(&k->pub, k->out[i].id);
    slot->queued = SIMK_THROUGH; /* from now on */
    k->out[i].seen = slot->cur;
  }
}

/* ---- combinational pass --------------------------------------------------------------------- */

/* Reports a combinational process that wrote a signal that it does not declare, or one that such a
 * write woke. */
static int undeclared(simk_t *k, mrpb_err_t *err) {
  simk_text_t t;
  for (uint32_t i = 0; i < k->n_comb; i++)
    if (k->dirty[i / 64] >> i % 64 & 1)
      return mrpb_fail(
          err,
          "time %llu fs: process \"%s\" would have to run again: an input of it is driven "
          "by a process that does not declare this write",
          (unsigned long long)k->now, simk_full_name(k, &k->proc[k->comb[i].proc].name, &t));
  return mrpb_fail(err,
                   "time %llu fs: \"%s\" is written by a combinational process that does not "
                   "declare this write",
                   (unsigned long long)k->now,
                   simk_full_name(k, &k->signal[simk_index(k->pub.pend[0])].name, &t));
}

/* Wakes the readers of the outputs that a process of word `w` changed; returns the readers in that
 * same word. */
static inline uint64_t wake_readers(simk_t *k, const simk_comb_t *c, uint32_t w) {
  uint64_t woken = 0;
  for (simk_out_t *o = k->out + c->first_out, *end = o + c->n_outs; o < end; o++) {
    const sim_slot_t *slot = sim_slot(&k->pub, o->id);
    if (slot->cur == o->seen) continue;
    o->seen = slot->cur;
    if (slot->flags & SIMK_F_TRACE) simk_mark_trace(k, simk_index(o->id));
    for (const simk_sub_t *s = k->sub + o->first_sub, *last = s + o->n_subs; s < last; s++) {
      uint64_t bit = UINT64_C(1) << s->proc % 64;
      if (s->proc / 64 == w)
        woken |= bit;
      else
        k->dirty[s->proc / 64] |= bit;
    }
  }
  return woken;
}

/* Runs the woken processes of word `w`. Returns their number, or -1 if a process is woken that has
 * already run. */
static int run_sparse(simk_t *k, uint32_t w) {
  const simk_comb_t *comb = k->comb + (size_t)w * 64;
  int calls = 0;
  uint64_t d = k->dirty[w];
  k->dirty[w] = 0;
  while (d) {
    const simk_comb_t *c = &comb[__builtin_ctzll(d)];
    c->run.fn(&k->pub, c->run.ctx);
    calls++;
    uint64_t done = d ^ (d - 1), woken = wake_readers(k, c, w);
    if (woken & done) {
      k->dirty[w] = woken & done;
      return -1;
    }
    d = (d & (d - 1)) | woken;
  }
  return calls;
}

/* Runs all processes of word `w`, without checking what changes within the word. */
static int run_dense(simk_t *k, uint32_t w, uint32_t n) {
  for (const simk_comb_t *c = k->comb + (size_t)w * 64, *end = c + n; c < end; c++)
    c->run.fn(&k->pub, c->run.ctx);
  k->dirty[w] = 0;
  for (uint32_t i = k->first_far[w]; i < k->first_far[w + 1]; i++) {
    simk_out_t *o = &k->out[k->far[i]];
    const sim_slot_t *slot = sim_slot(&k->pub, o->id);
    if (slot->cur == o->seen) continue;
    o->seen = slot->cur;
    wake(k, o->first_sub, o->n_subs);
  }
  k->dirty[w] = 0; /* readers in this word have already run */
  return (int)n;
}

/* Updates `seen`, which dense passes do not maintain. */
static void catch_up(simk_t *k, uint32_t w, uint32_t n) {
  const simk_comb_t *first = k->comb + (size_t)w * 64, *last = first + n - 1;
  for (uint32_t i = first->first_out; i < last->first_out + last->n_outs; i++)
    k->out[i].seen = sim_slot(&k->pub, k->out[i].id)->cur;
}

void simk_static_end(simk_t *k) {
  for (uint32_t w = 0; w < n_words(k); w++)
    if (k->dense[w]) catch_up(k, w, k->n_comb - w * 64 < 64 ? k->n_comb - w * 64 : 64);
}

/* If at least half of the processes of a word ran, the whole word is run the next DENSE times that
 * one of them is woken, and then checked again. This is legal because the processes are functions
 * of their inputs. */
int simk_static_settle(simk_t *k, mrpb_err_t *err) {
  enum { DENSE = 32 };
  if (k->pub.n_pend) commit(k);
  uint32_t words = n_words(k);
  for (uint32_t w = 0; w < words; w++) {
    if (!k->dirty[w]) continue;
    uint32_t n = k->n_comb - w * 64 < 64 ? k->n_comb - w * 64 : 64;
    int calls;
    if (k->dense[w] && !k->vcd) {
      calls = run_dense(k, w, n);
      if (--k->dense[w] == 0) catch_up(k, w, n);
    } else {
      if (k->dense[w]) catch_up(k, w, n);
      calls = run_sparse(k, w);
      if (calls < 0) return undeclared(k, err);
      k->dense[w] = (uint32_t)calls * 2 >= n && !k->vcd ? DENSE : 0;
    }
    k->stats.activations += (uint64_t)calls;
  }
  if (!words) return 0;
  uint64_t late = k->pub.n_pend;
  for (uint32_t w = 0; w < words; w++) late |= k->dirty[w];
  return late ? undeclared(k, err) : 0;
}
