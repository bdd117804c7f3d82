/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/prove/llvm/match.h"

#include "verify/prove/llvm/match_names.h"
#include "verify/prove/netlist_memory.h"
#include "verilog/lint/lint.h"

#include <stdlib.h>
#include <string.h>

enum { GROUP = 256 }; /* most bits of one behaviour that are tried */

/* The registers that are words of the netlist's cut memories. */
static void find_cut(match_t *m) {
  const uint32_t n = netlist_memories(m->netlist);
  bool *taken = prove_alloc((n + 1) * sizeof *taken);
  memset(taken, 0, (n + 1) * sizeof *taken);
  for (unsigned r = 0; r < m->cls->n_regs; r++) {
    const uint32_t is =
        netlist_memory_find(m->netlist, m->reg[r].name, m->reg[r].words, m->reg[r].width, taken);
    m->cut[r] = is != MEMORY_NONE && m->reg[r].words > 1;
    if (m->cut[r]) taken[is] = true;
  }
  free(taken);
}

int match_open(match_t *m, const module_class_t *cls, const uint32_t *cfg, netlist_t *netlist,
               mrpb_err_t *err) {
  void *self = NULL;
  *m = (match_t){.cls = cls, .cfg = cfg, .netlist = netlist, .n_flops = netlist_flops(netlist)};
  if (cls->n_regs > 0 && cls->create(&self, cfg, err) != 0) return -1;
  if (self) cls->regs(self, m->reg);
  if (self) cls->destroy(self);
  for (unsigned r = 0; r < cls->n_regs; r++)
    m->first[r + 1] = m->first[r] + m->reg[r].words * m->reg[r].width;
  m->n_bits = m->first[cls->n_regs];
  m->flop = prove_alloc((m->n_flops + 1) * sizeof *m->flop);
  m->bit = prove_alloc((m->n_bits + 1) * sizeof *m->bit);
  m->order = prove_alloc((m->n_bits + 1) * sizeof *m->order);
  memset(m->flop, 0, (m->n_flops + 1) * sizeof *m->flop);
  memset(m->bit, 0, (m->n_bits + 1) * sizeof *m->bit);
  find_cut(m);
  match_names(m);
  return 0;
}

void match_close(match_t *m) {
  free(m->flop);
  free(m->bit);
  free(m->order);
  *m = (match_t){0};
}

int match_register(const match_t *m, const char *name) {
  for (unsigned r = 0; r < m->cls->n_regs; r++)
    if (strcmp(m->reg[r].name, name) == 0) return (int)r;
  return -1;
}

static unsigned register_of(const match_t *m, uint32_t bit) {
  unsigned r = 0;
  while (m->first[r + 1] <= bit) r++;
  return r;
}

void match_bit_name(const match_t *m, uint32_t bit, char *text, size_t size) {
  const unsigned r = register_of(m, bit);
  const module_reg_t *reg = &m->reg[r];
  const uint32_t at = bit - m->first[r];
  if (reg->words > 1)
    snprintf(text, size, "%s[%u][%u]", reg->name, at / reg->width, at % reg->width);
  else
    snprintf(text, size, "%s[%u]", reg->name, at % reg->width);
}

/* ---- behaviour ---- */

static bool constant(const match_seen_t *s) {
  return !(s->zero && s->one);
}

/* The same for a behaviour and its inverse. */
static uint64_t key_of(const match_seen_t *s) {
  return s->hash[0] < s->hash[1] ? s->hash[0] : s->hash[1];
}

static bool behaves(const match_seen_t *a, const match_seen_t *b, bool inverted) {
  return a->hash[0] == b->hash[inverted] && a->hash[1] == b->hash[!inverted];
}

typedef struct {
  uint64_t key;
  uint32_t bit;
} ranked_t;

static int by_key(const void *a, const void *b) {
  const ranked_t *x = a, *y = b;
  if (x->key != y->key) return x->key < y->key ? -1 : 1;
  return x->bit < y->bit ? -1 : x->bit > y->bit;
}

static void sort_bits(match_t *m) {
  ranked_t *r = prove_alloc((m->n_bits + 1) * sizeof *r);
  for (uint32_t i = 0; i < m->n_bits; i++) r[i] = (ranked_t){key_of(&m->bit[i].seen), i};
  qsort(r, m->n_bits, sizeof *r, by_key);
  for (uint32_t i = 0; i < m->n_bits; i++) m->order[i] = r[i].bit;
  free(r);
}

/* The first bit, in that order, that behaves like `s` or its inverse. */
static uint32_t group_of(const match_t *m, const match_seen_t *s) {
  uint32_t lo = 0, hi = m->n_bits;
  while (lo < hi) {
    const uint32_t mid = lo + (hi - lo) / 2;
    if (key_of(&m->bit[m->order[mid]].seen) < key_of(s))
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

/* A bit of a check that is not hardware has no flip-flop, and nothing is claimed of it. */
static bool of_checker(const match_t *m, uint32_t bit) {
  const lint_checker_t *c = lint_checker(m->cls->stem);
  const size_t n = c ? strlen(c->instance) : 0;
  const char *name = m->reg[register_of(m, bit)].name;
  return c && strncmp(name, c->instance, n) == 0 && name[n] == '.';
}

/* ---- choices ---- */

/* Candidate `i` of a flip-flop: those of its names that behave like it; a constant; bits that behave
 * like it, first those that have no flip-flop yet. */
static bool candidate(const match_t *m, const match_flop_t *f, unsigned i, match_to_t *to) {
  for (unsigned k = 0; k < f->n; k++)
    if (behaves(&f->seen, &m->bit[f->proposal[k].bit].seen, f->proposal[k].inverted) && i-- == 0)
      return *to = f->proposal[k], true;
  if (constant(&f->seen) && i-- == 0)
    return *to = (match_to_t){MATCH_CONSTANT, 0, f->seen.one}, true;
  const uint32_t first = group_of(m, &f->seen);
  for (unsigned owned = 0; owned < 2; owned++)
    for (uint32_t at = first; at < m->n_bits && at < first + GROUP; at++) {
      const match_bit_t *b = &m->bit[m->order[at]];
      if (key_of(&b->seen) != key_of(&f->seen)) break;
      if ((b->flop != MATCH_NO_FLOP) == owned && i-- == 0)
        return *to = (match_to_t){MATCH_BIT, m->order[at], !behaves(&f->seen, &b->seen, false)},
               true;
    }
  return false;
}

static void own(match_t *m, uint32_t flop) {
  const match_flop_t *f = &m->flop[flop];
  if (f->to.kind == MATCH_BIT && m->bit[f->to.bit].flop == MATCH_NO_FLOP)
    m->bit[f->to.bit].flop = flop;
}

static unsigned names_that_fit(const match_t *m, const match_flop_t *f) {
  unsigned n = 0;
  for (unsigned k = 0; k < f->n; k++)
    n += behaves(&f->seen, &m->bit[f->proposal[k].bit].seen, f->proposal[k].inverted);
  return n;
}

/* What a register bit without a flip-flop always is: a constant, or another one that has one. */
static match_to_t without_flop(const match_t *m, uint32_t bit) {
  const match_bit_t *b = &m->bit[bit];
  if (b->refused || of_checker(m, bit) || m->cut[register_of(m, bit)]) return (match_to_t){0};
  if (constant(&b->seen)) return (match_to_t){MATCH_CONSTANT, 0, b->seen.one};
  const uint32_t first = group_of(m, &b->seen);
  for (uint32_t at = first; at < m->n_bits && at < first + GROUP; at++) {
    const match_bit_t *o = &m->bit[m->order[at]];
    if (key_of(&o->seen) != key_of(&b->seen)) break;
    if (o->flop != MATCH_NO_FLOP)
      return (match_to_t){MATCH_BIT, m->order[at], !behaves(&b->seen, &o->seen, false)};
  }
  return (match_to_t){0};
}

void match_decide(match_t *m) {
  sort_bits(m);
  for (uint32_t i = 0; i < m->n_bits; i++) m->bit[i].flop = MATCH_NO_FLOP;
  for (unsigned named = 2; named-- > 0;)
    for (uint32_t i = 0; i < m->n_flops; i++) {
      match_flop_t *f = &m->flop[i];
      f->by_name = f->tries < names_that_fit(m, f);
      if (f->by_name != named) continue;
      if (!candidate(m, f, f->tries, &f->to)) f->to = (match_to_t){0};
      own(m, i);
    }
  for (uint32_t i = 0; i < m->n_bits; i++)
    m->bit[i].equal = m->bit[i].flop == MATCH_NO_FLOP ? without_flop(m, i) : (match_to_t){0};
}

bool match_refuse_flop(match_t *m, uint32_t flop) {
  match_flop_t *f = &m->flop[flop];
  match_to_t other;
  f->tries++;
  return candidate(m, f, f->tries, &other);
}

bool match_refuse_bit(match_t *m, uint32_t bit) {
  const bool first = !m->bit[bit].refused;
  m->bit[bit].refused = true;
  return first;
}

match_counts_t match_counts(const match_t *m) {
  match_counts_t n = {.flops = m->n_flops};
  for (uint32_t i = 0; i < m->n_flops; i++) {
    const match_flop_t *f = &m->flop[i];
    n.by_name += f->by_name;
    n.constant += f->to.kind == MATCH_CONSTANT;
    n.unknown += f->to.kind == MATCH_NONE;
    n.inverted += f->to.kind == MATCH_BIT && f->to.inverted;
    n.repeated += f->to.kind == MATCH_BIT && m->bit[f->to.bit].flop != i;
  }
  for (uint32_t i = 0; i < m->n_bits; i++) n.removed += m->bit[i].equal.kind != MATCH_NONE;
  return n;
}
