/* SPDX-License-Identifier: Apache-2.0 */
#include "cosim/lockstep/foreign.h"

#include "verilog/design/bind_values.h"

#include <stdlib.h>
#include <string.h>

enum { DEPTH = MAP_LATEST + 1, REG_WORDS = 16 };

/* What later cycles need to know of a cycle. */
typedef struct {
  bool reset;
  bool counts[MODULE_MAX_PORTS]; /* the output's conditions were true */
} cycle_t;

struct foreign {
  const bind_t *bind;
  const shim_table_t *shim;
  void *twin; /* powers up with ones */
  shim_view_t view[MODULE_MAX_REGS];
  bool late;
  bind_values_t now; /* this cycle's values, for conditions */
  uint64_t *out_twin;
  /* History: cycle n is at index n % DEPTH. */
  uint64_t n;
  bool shown[MODULE_MAX_PORTS]; /* outputs whose `after` has been true since the last reset */
  cycle_t *cycle;
  uint64_t *out;                       /* DEPTH times out_words */
  uint64_t *known;                     /* for each register, words of bits that the map names */
  bool compares[MODULE_MAX_PORTS];     /* outputs that are compared in this cycle */
  uint64_t compared[MODULE_MAX_PORTS]; /* cycles so far */
  size_t known_at[MODULE_MAX_REGS], known_words[MODULE_MAX_REGS];
};

/* Finds the bits that the map names. */
static bool find_known(foreign_t *f) {
  const bind_t *b = f->bind;
  size_t all = 0;
  for (unsigned i = 0; i < b->cls->n_regs; i++) {
    f->known_words[i] = (f->view[i].elem_bytes + 7) / 8;
    f->known_at[i] = all;
    all += f->known_words[i] * f->view[i].words;
  }
  f->known = calloc(all + 1, sizeof *f->known);
  for (size_t k = 0; f->known && k < b->n_regs; k++) {
    const bind_reg_t *r = &b->reg[k];
    uint64_t *to = f->known + f->known_at[r->reg] + r->word * f->known_words[r->reg];
    for (unsigned bit = r->lsb; bit < r->lsb + r->width; bit++)
      to[bit / 64] |= UINT64_C(1) << bit % 64;
  }
  return f->known != NULL;
}

foreign_t *foreign_open(const bind_t *bind, const shim_table_t *shim) {
  foreign_t *f = calloc(1, sizeof *f);
  if (!f) return NULL;
  f->bind = bind;
  f->shim = shim;
  f->now = (bind_values_t){.bind = bind};
  f->twin = shim->create(0, SHIM_ONES);
  f->cycle = calloc(DEPTH, sizeof *f->cycle);
  f->out = calloc(DEPTH * (size_t)bind->cls->out_words, sizeof *f->out);
  f->out_twin = calloc(bind->cls->out_words, sizeof *f->out_twin);
  if (f->twin) shim->regs(f->twin, f->view);
  if (f->twin && f->cycle && f->out && f->out_twin && find_known(f)) return f;
  foreign_close(f);
  return NULL;
}

void foreign_close(foreign_t *f) {
  if (!f) return;
  if (f->twin) f->shim->destroy(f->twin);
  free(f->cycle);
  free(f->out);
  free(f->out_twin);
  free(f->known);
  free(f);
}

/* Stores this cycle in the ring. */
static void remember(foreign_t *f) {
  const bind_t *b = f->bind;
  cycle_t *c = &f->cycle[f->n % DEPTH];
  const scope_t scope = bind_values(&f->now);
  memcpy(f->out + f->n % DEPTH * b->cls->out_words, f->now.out, b->cls->out_words * sizeof *f->out);
  c->reset =
      b->cls->n_in > 0 && strcmp(b->in[0].name, "srst_ni") == 0 && f->now.in[b->in[0].word] == 0;
  for (unsigned i = 0; i < b->cls->n_out; i++) {
    const expr_t *when = b->output[i].when, *after = b->output[i].after;
    c->counts[i] =
        b->output[i].there && (!when || expr_eval(when, &scope) != 0) && (!after || f->shown[i]);
    if (c->reset)
      f->shown[i] = false;
    else if (after && expr_eval(after, &scope) != 0)
      f->shown[i] = true;
  }
}

bool foreign_counts(const foreign_t *f, unsigned i) {
  const bind_output_t *o = &f->bind->output[i];
  if (f->n < o->late || !f->cycle[(f->n - o->late) % DEPTH].counts[i]) return false;
  if (f->bind->reset_async && f->cycle[f->n % DEPTH].reset) return false;
  for (unsigned k = 1; k <= o->late; k++)
    if (f->cycle[(f->n - k) % DEPTH].reset) return false;
  return true;
}

bool foreign_comb(foreign_t *f, const uint64_t *in, const uint64_t *out_c, const uint64_t *out_rtl,
                  uint64_t *want) {
  const bind_t *b = f->bind;
  bool same = true;
  f->now.in = in;
  f->now.out = out_c;
  remember(f);
  f->shim->comb(f->twin, in, f->out_twin);
  memcpy(want, out_rtl, b->cls->out_words * sizeof *want);
  memset(f->compares, 0, sizeof f->compares);
  for (unsigned i = 0; i < b->cls->n_out; i++) {
    const module_port_t *p = &b->out[i];
    if (!foreign_counts(f, i)) continue;
    f->compares[i] = true;
    const uint64_t *then = f->out + (f->n - b->output[i].late) % DEPTH * b->cls->out_words;
    const size_t bytes = (p->width + 63) / 64 * sizeof *want;
    memcpy(want + p->word, then + p->word, bytes);
    same = same && memcmp(then + p->word, f->out_twin + p->word, bytes) == 0;
  }
  return same;
}

const uint64_t *foreign_twin(const foreign_t *f) {
  return f->out_twin;
}

void foreign_edge(foreign_t *f) {
  f->shim->edge(f->twin);
  /* nothing is reset before the first edge */
  const bool all = f->n > 0 || f->bind->cls->n_regs == 0;
  for (unsigned i = 0; all && i < f->bind->cls->n_out; i++) f->compared[i] += f->compares[i];
  f->n++;
}

static uint64_t piece(const void *data, unsigned elem_bytes, unsigned elem, unsigned lsb) {
  uint64_t v = 0;
  const unsigned byte = lsb / 8;
  if (byte >= elem_bytes) return 0;
  memcpy(&v, (const char *)data + (size_t)elem * elem_bytes + byte,
         elem_bytes - byte < 8 ? elem_bytes - byte : 8);
  return v;
}

uint64_t foreign_mask(const foreign_t *f, unsigned reg, unsigned elem, unsigned lsb, uint64_t rtl) {
  const shim_view_t *v = &f->view[reg];
  const uint64_t named = lsb / 64 < f->known_words[reg]
                             ? f->known[f->known_at[reg] + elem * f->known_words[reg] + lsb / 64]
                             : 0;
  return ~named | (rtl ^ piece(v->data, v->elem_bytes, elem, lsb));
}

const bind_t *foreign_bind(const foreign_t *f) {
  return f->bind;
}

uint64_t foreign_compared(const foreign_t *f, unsigned i) {
  return f->compared[i];
}

uint64_t foreign_bits(const foreign_t *f, unsigned reg, const shim_view_t *zeros) {
  const shim_view_t *v = &f->view[reg];
  uint64_t n = 0;
  for (unsigned e = 0; e < v->words; e++)
    for (unsigned b = 0; b < v->elem_bytes; b += 8) {
      const uint64_t rtl = piece(zeros->data, zeros->elem_bytes, e, 8 * b);
      n += (uint64_t)__builtin_popcountll(~foreign_mask(f, reg, e, 8 * b, rtl));
    }
  return n;
}

/* ---- saving and restoring state ---- */

size_t foreign_bytes(const foreign_t *f) {
  return sizeof f->n + sizeof f->shown +
         DEPTH * (sizeof *f->cycle + f->bind->cls->out_words * sizeof *f->out) +
         f->shim->state_bytes;
}

void foreign_save(const foreign_t *f, void *to) {
  char *at = to;
  const size_t out = DEPTH * f->bind->cls->out_words * sizeof *f->out;
  memcpy(at, &f->n, sizeof f->n);
  memcpy(at += sizeof f->n, f->shown, sizeof f->shown);
  memcpy(at += sizeof f->shown, f->cycle, DEPTH * sizeof *f->cycle);
  memcpy(at += DEPTH * sizeof *f->cycle, f->out, out);
  f->shim->save(f->twin, at + out);
}

void foreign_load(foreign_t *f, const void *from) {
  const char *at = from;
  const size_t out = DEPTH * f->bind->cls->out_words * sizeof *f->out;
  memcpy(&f->n, at, sizeof f->n);
  memcpy(f->shown, at += sizeof f->n, sizeof f->shown);
  memcpy(f->cycle, at += sizeof f->shown, DEPTH * sizeof *f->cycle);
  memcpy(f->out, at += DEPTH * sizeof *f->cycle, out);
  f->shim->load(f->twin, at + out);
}
