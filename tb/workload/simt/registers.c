/* SPDX-License-Identifier: Apache-2.0 */
/* Places of a kernel's registers in a warp's memory. The fewer bytes they need, the more warps
 * fit into the host's caches. Registers whose lives do not overlap share a place if their lanes
 * have the same width. A lane of a place is read and written for that lane alone, so a life
 * follows the control flow of one thread, whatever the other lanes do. A guarded write does not
 * end a life, as the old value may remain. A life is taken to last from its first to its last
 * point in the text. */
#include "workload/simt/simt_state.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH_PRED, WIDTH_32, WIDTH_64, WIDTHS };

/* Point i is before instruction i. */
typedef struct {
  uint32_t first, last, reg;
} life_t;

typedef struct {
  simt_kernel_t *k;
  uint64_t *live; /* for each point, the set of registers that are read later: `words` words */
  uint64_t *set;  /* scratch */
  size_t words;
  life_t *life;    /* by register */
  uint32_t *until; /* by place: the first point at which it is free again */
} work_t;

/* Whether the register needs a place; copies of constants already have one. */
static bool in_warp(const work_t *w, const ptx_operand_t *o) {
  return o->kind == PTX_OPERAND_REG && w->k->reg[o->reg] == 0;
}

static uint64_t bit_of(uint32_t reg) {
  return UINT64_C(1) << reg % 64;
}

/* Computes the registers that are live before instruction `i` from those live after it; true if the
 * set changed. */
static bool flow_back(const work_t *w, uint32_t i) {
  const ptx_inst_t *p = &w->k->kernel->insts[i];
  uint64_t *at = w->live + i * w->words;
  bool ends = (p->op == PTX_OP_BRA || p->op == PTX_OP_BRX || ptx_ends_thread(p)) && !p->guard;
  for (size_t n = 0; n < w->words; n++) {
    w->set[n] = ends ? 0 : at[w->words + n];
    if (p->op == PTX_OP_BRA) w->set[n] |= w->live[p->target * w->words + n];
    for (uint32_t t = 0; t < p->n_targets; t++) w->set[n] |= w->live[p->targets[t] * w->words + n];
  }
  for (unsigned d = 0; d < 4; d++)
    if (in_warp(w, &p->dst[d]) && !p->guard) w->set[p->dst[d].reg / 64] &= ~bit_of(p->dst[d].reg);
  for (unsigned s = 0; s < 5; s++)
    if (in_warp(w, &p->src[s])) w->set[p->src[s].reg / 64] |= bit_of(p->src[s].reg);
  if (p->guard) w->set[p->guard / 64] |= bit_of(p->guard);
  if (memcmp(at, w->set, w->words * sizeof *at) == 0) return false;
  memcpy(at, w->set, w->words * sizeof *at);
  return true;
}

static void extend(life_t *l, uint32_t point) {
  if (point < l->first) l->first = point;
  if (point > l->last) l->last = point;
}

/* A written register is live at the point behind the instruction, even if nothing reads it. */
static void find_lives(const work_t *w) {
  const ptx_kernel_t *k = w->k->kernel;
  for (bool more = true; more;) {
    more = false;
    for (uint32_t i = k->n_insts; i-- > 0;) more |= flow_back(w, i);
  }
  for (uint32_t r = 0; r < k->n_regs; r++) w->life[r] = (life_t){UINT32_MAX, 0, r};
  for (uint32_t i = 0; i < k->n_insts; i++) {
    for (size_t n = 0; n < w->words; n++)
      for (uint64_t m = w->live[i * w->words + n]; m; m &= m - 1)
        extend(&w->life[n * 64 + (size_t)__builtin_ctzll(m)], i);
    for (unsigned d = 0; d < 4; d++)
      if (in_warp(w, &k->insts[i].dst[d])) extend(&w->life[k->insts[i].dst[d].reg], i + 1);
  }
}

static int by_first(const void *a, const void *b) {
  const life_t *x = a, *y = b;
  if (x->first != y->first) return x->first < y->first ? -1 : 1;
  return x->reg < y->reg ? -1 : 1;
}

static unsigned width_of(const ptx_kernel_t *k, uint32_t reg) {
  if (k->regs[reg].type == PTX_PRED) return WIDTH_PRED;
  return ptx_type_bytes((ptx_type_t)k->regs[reg].type) == 8 ? WIDTH_64 : WIDTH_32;
}

/* In the order of their beginnings, each life takes the lowest free place. The places begin at
 * `from`; returns the bytes of all places. */
static uint32_t share(const work_t *w, unsigned width, uint32_t from) {
  static const uint32_t size[WIDTHS] = {sizeof(uint32_t), VECTOR, 2 * VECTOR};
  const ptx_kernel_t *k = w->k->kernel;
  uint32_t places = 0;
  for (unsigned u = 0; u < k->n_spans; u++) {
    const ptx_span_t *span = &k->spans[u];
    const uint32_t first = places; /* each function has its own places, as its caller's stay live */
    for (uint32_t n = 0; n < k->n_regs; n++) {
      const life_t *l = &w->life[n];
      if (l->first > l->last || width_of(k, l->reg) != width) continue;
      if (l->reg < span->first_reg || l->reg - span->first_reg >= span->n_regs) continue;
      uint32_t at = first;
      while (at < places && w->until[at] > l->first) at++;
      if (at == places) places++;
      w->until[at] = l->last + 1;
      w->k->reg[l->reg] = from + at * size[width];
    }
  }
  return places * size[width];
}

/* Whether some instruction has unwanted elements of a vector. */
static bool has_sinks(const ptx_kernel_t *k) {
  for (uint32_t i = 0; i < k->n_insts; i++)
    for (unsigned d = 0; d < 4; d++)
      if (ptx_is_sink(&k->insts[i], d)) return true;
  return false;
}

/* Predicate 0 is scratch; then come the predicates, the vectors, and the place for unwanted
 * elements. */
static void lay_out(const work_t *w, uint32_t *bytes) {
  qsort(w->life, w->k->kernel->n_regs, sizeof *w->life, by_first);
  *bytes = sizeof(uint32_t);
  *bytes += share(w, WIDTH_PRED, *bytes);
  *bytes = (*bytes + SIMT_LINE - 1) / SIMT_LINE * SIMT_LINE;
  *bytes += share(w, WIDTH_32, *bytes);
  *bytes += share(w, WIDTH_64, *bytes);
  w->k->sink = *bytes;
  if (has_sinks(w->k->kernel)) *bytes += 2 * VECTOR;
}

int simt_place_registers(simt_kernel_t *k) {
  size_t regs = k->kernel->n_regs + 1, points = (size_t)k->kernel->n_insts + 1;
  work_t w = {.k = k, .words = (regs + 63) / 64};
  w.live = calloc(points * w.words, sizeof *w.live);
  w.set = calloc(w.words, sizeof *w.set);
  w.life = calloc(regs, sizeof *w.life);
  w.until = calloc(regs, sizeof *w.until);
  bool ok = w.live && w.set && w.life && w.until;
  if (ok) {
    find_lives(&w);
    lay_out(&w, &k->reg_bytes);
  }
  free(w.live);
  free(w.set);
  free(w.life);
  free(w.until);
  return ok ? 0 : -1;
}
