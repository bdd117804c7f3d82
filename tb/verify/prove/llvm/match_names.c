/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/prove/llvm/match_names.h"

#include "base/hash.h"
#include "verilog/netnames.h"

#include <stdlib.h>
#include <string.h>

/* A name of a register bit. */
typedef struct {
  uint64_t hash;
  uint32_t bit;
} entry_t;

typedef struct {
  match_t *m;
  entry_t *entry;
  size_t n, room;
} names_t;

static void add(names_t *t, const char *name, uint32_t bit) {
  t->entry = prove_room(t->entry, t->n + 1, &t->room, sizeof *t->entry);
  t->entry[t->n++] = (entry_t){hash_text(HASH_START, name), bit};
}

/* Inside a macro that `mrpb estimate` put in the array's place: its memory, and the register after
 * it, of which the model says "u_mem.rdata_q" if the array is "u_mem.mem_q". */
static void add_macro(names_t *t, const netnames_t *b, uint32_t bit) {
  static const char after[] = "rdata_q";
  char text[2 * NETNAMES_TEXT];
  const size_t n = strlen(b->reg), tail = sizeof after - 1;
  snprintf(text, sizeof text, b->width > 1 ? "%s.mem[%u][%u]" : "%s.mem[%u]", b->reg, b->word,
           b->bit);
  add(t, text, bit);
  if (n < tail || strcmp(b->reg + n - tail, after) != 0) return;
  snprintf(text, sizeof text, b->width > 1 ? "%.*smem_q.rdata[%u]" : "%.*smem_q.rdata",
           (int)(n - tail), b->reg, b->bit);
  add(t, text, bit);
}

static void add_bit(names_t *t, unsigned reg, unsigned word, unsigned k) {
  const module_reg_t *r = &t->m->reg[reg];
  const netnames_t b = {t->m->cls->stem, r->name, r->words, word, r->width, k};
  const uint32_t bit = match_bit_at(t->m, reg, word, k);
  char text[NETNAMES_TEXT];
  for (unsigned next = 0; netnames_next(text, &b, &next);) add(t, text, bit);
  add_macro(t, &b, bit);
}

static int by_hash(const void *a, const void *b) {
  const entry_t *x = a, *y = b;
  if (x->hash != y->hash) return x->hash < y->hash ? -1 : 1;
  return x->bit < y->bit ? -1 : x->bit > y->bit;
}

/* The flip-flop's own net comes before nets behind an inverter. */
static void propose(match_flop_t *f, uint32_t bit, bool inverted) {
  const match_to_t to = {MATCH_BIT, bit, inverted};
  if (f->n == MATCH_PROPOSALS) return;
  for (unsigned i = 0; i < f->n; i++)
    if (f->proposal[i].bit == bit && f->proposal[i].inverted == inverted) return;
  const unsigned at = inverted ? f->n : 0;
  memmove(f->proposal + at + 1, f->proposal + at, (f->n - at) * sizeof to);
  f->proposal[at] = to;
  f->n++;
}

static void found(void *ctx, const char *name, uint32_t flop, bool inverted) {
  names_t *t = ctx;
  const uint64_t hash = hash_text(HASH_START, name);
  size_t lo = 0, hi = t->n;
  while (lo < hi) {
    const size_t mid = (lo + hi) / 2;
    if (t->entry[mid].hash < hash)
      lo = mid + 1;
    else
      hi = mid;
  }
  for (; lo < t->n && t->entry[lo].hash == hash; lo++)
    propose(&t->m->flop[flop], t->entry[lo].bit, inverted);
}

void match_names(match_t *m) {
  names_t t = {.m = m};
  for (unsigned r = 0; r < m->cls->n_regs; r++)
    for (unsigned w = 0; w < m->reg[r].words && !m->cut[r]; w++)
      for (unsigned k = 0; k < m->reg[r].width; k++) add_bit(&t, r, w, k);
  if (t.n) qsort(t.entry, t.n, sizeof *t.entry, by_hash);
  netlist_flop_names(m->netlist, found, &t);
  free(t.entry);
}
