/* SPDX-License-Identifier: Apache-2.0 */
/* Waves of a lockstep run. */
#include "cosim/lockstep/wave.h"

#include "cosim/lockstep/wave_yours.h"
#include "sim/vcd.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = VCD_MAX_WIDTH / 64 };

struct wave {
  vcd_t *vcd;
  int clk, cycle, any, first; /* variables; the others follow in declaration order */
  bool sampled, differs;
  bool quiet;         /* nothing is compared yet: a design before its first edge */
  uint64_t end;       /* of the last cycle */
  const bind_t *bind; /* of a user's design, or NULL */
  wave_yours_t *yours;
  shim_view_t *views; /* of its ports and of what the map shows */
  unsigned n_yours;
};

void wave_name(char text[WAVE_NAME], const char *stem, const char *prefix, const char *name,
               int elem) {
  const char *dot = strrchr(name, '.'), *last = dot ? dot + 1 : name;
  int n = snprintf(text, WAVE_NAME, "%s.%.*s%s%s", stem, (int)(last - name), name, prefix, last);
  if (elem >= 0 && n >= 0 && n < WAVE_NAME) snprintf(text + n, WAVE_NAME - (size_t)n, "[%d]", elem);
}

typedef struct {
  wave_t *wave;
  const char *stem;
  mrpb_err_t *err;
  bool failed;
} declare_t;

static int declare(declare_t *d, const char *prefix, const char *name, int elem, unsigned width,
                   vcd_kind_t kind) {
  char full[WAVE_NAME];
  if (d->failed) return -1;
  wave_name(full, d->stem, prefix, name, elem);
  int var = vcd_var(d->wave->vcd, full, width, kind, d->err);
  d->failed = var < 0;
  return var;
}

/* Declares the Verilog's signal, the C model's and their XOR. */
static void declare_three(declare_t *d, const char *name, int elem, unsigned width,
                          vcd_kind_t kind) {
  (void)declare(d, "", name, elem, width, kind);
  (void)declare(d, "ref_", name, elem, width, kind);
  (void)declare(d, "diff_", name, elem, width, kind);
}

/* Declares one of our registers. A register that a map leaves out has only the C model's side. */
static void declare_reg(declare_t *d, const lockstep_t *ls, unsigned i) {
  const module_reg_t *reg = &lockstep_regs_c(ls)[i];
  const bool both = lockstep_regs_rtl(ls) && wave_yours_has_reg(d->wave->bind, i);
  for (unsigned e = 0; e < reg->words; e++) {
    const int elem = reg->words > 1 ? (int)e : -1;
    if (both)
      declare_three(d, reg->name, elem, reg->width, VCD_REG);
    else
      (void)declare(d, "ref_", reg->name, elem, reg->width, VCD_REG);
  }
}

static int declare_yours(wave_t *w, mrpb_err_t *err) {
  if (!w->bind) return 0;
  w->yours = wave_yours_list(w->bind, &w->n_yours);
  w->views = calloc(w->bind->n_ports + w->bind->n_shows + 1, sizeof *w->views);
  if (!w->yours || !w->views) return mrpb_fail(err, "out of memory");
  for (unsigned i = 0; i < w->n_yours; i++)
    if (vcd_var(w->vcd, w->yours[i].name, w->yours[i].width, w->yours[i].reg ? VCD_REG : VCD_WIRE,
                err) < 0)
      return -1;
  return 0;
}

static int declare_all(wave_t *w, const lockstep_t *ls, mrpb_err_t *err) {
  const module_class_t *cls = lockstep_class(ls);
  const module_port_t *in = lockstep_inputs(ls), *out = lockstep_outputs(ls);
  declare_t d = {.wave = w, .stem = cls->stem, .err = err};
  w->clk = declare(&d, "", "clk_i", -1, 1, VCD_WIRE);
  w->cycle = declare(&d, "", "cycle", -1, 64, VCD_WIRE);
  w->any = declare(&d, "diff_", "any", -1, 1, VCD_WIRE);
  w->first = w->any + 1;
  for (unsigned i = 0; i < cls->n_in; i++)
    (void)declare(&d, "", in[i].name, -1, in[i].width, VCD_WIRE);
  for (unsigned i = 0; i < cls->n_out; i++) {
    if (wave_yours_has_output(w->bind, i))
      declare_three(&d, out[i].name, -1, out[i].width, VCD_WIRE);
    else
      (void)declare(&d, "ref_", out[i].name, -1, out[i].width, VCD_WIRE);
  }
  for (unsigned i = 0; i < cls->n_regs; i++) declare_reg(&d, ls, i);
  return d.failed ? -1 : declare_yours(w, err);
}

static void release(wave_t *w) {
  free(w->yours);
  free(w->views);
  free(w);
}

int wave_open(wave_t **out, const char *path, const lockstep_t *ls, mrpb_err_t *err) {
  *out = NULL;
  wave_t *w = calloc(1, sizeof *w);
  if (!w) return mrpb_fail(err, "%s: out of memory", path);
  if (lockstep_foreign(ls)) w->bind = foreign_bind(lockstep_foreign(ls));
  if (vcd_open(&w->vcd, path, "1ns", err) != 0 || declare_all(w, ls, err) != 0) {
    vcd_close(w->vcd, NULL);
    release(w);
    return -1;
  }
  *out = w;
  return 0;
}

/* Writes the Verilog's value, the C model's and their XOR, from variable `var` on. Only the bits
 * that are not in `mask` count (NULL: all bits). */
static void change(wave_t *w, int var, const uint64_t *rtl, const uint64_t *c, const uint64_t *mask,
                   unsigned n) {
  uint64_t differ[WORDS];
  for (unsigned k = 0; k < n && k < WORDS; k++) {
    differ[k] = w->quiet ? 0 : (rtl[k] ^ c[k]) & (mask ? ~mask[k] : UINT64_MAX);
    if (differ[k]) w->differs = true;
  }
  vcd_change_words(w->vcd, var, rtl);
  vcd_change_words(w->vcd, var + 1, c);
  vcd_change_words(w->vcd, var + 2, differ);
}

static int change_ports(wave_t *w, const lockstep_t *ls) {
  const module_class_t *cls = lockstep_class(ls);
  const module_port_t *in = lockstep_inputs(ls), *out = lockstep_outputs(ls);
  const uint64_t *c = lockstep_out_want(ls), *rtl = lockstep_out_rtl(ls);
  int var = w->first;
  for (unsigned i = 0; i < cls->n_in; i++)
    vcd_change_words(w->vcd, var++, lockstep_in(ls) + in[i].word);
  for (unsigned i = 0; i < cls->n_out; i++) {
    if (!wave_yours_has_output(w->bind, i)) {
      vcd_change_words(w->vcd, var++, lockstep_out_c(ls) + out[i].word);
      continue;
    }
    change(w, var, rtl + out[i].word, c + out[i].word, NULL, (out[i].width + 63) / 64);
    var += 3;
  }
  return var;
}

static void load(uint64_t *words, const void *data, unsigned elem_bytes, unsigned elem) {
  memset(words, 0, WORDS * sizeof *words);
  memcpy(words, (const char *)data + (size_t)elem * elem_bytes, elem_bytes);
}

/* An element of a register that both sides have. */
static void change_element(wave_t *w, const lockstep_t *ls, int var, unsigned i, unsigned e,
                           const uint64_t *c) {
  const shim_view_t *view = &lockstep_regs_rtl(ls)[i];
  const foreign_t *foreign = lockstep_foreign(ls);
  const unsigned n = (lockstep_regs_c(ls)[i].width + 63) / 64;
  uint64_t rtl[WORDS], mask[WORDS] = {0};
  load(rtl, view->data, view->elem_bytes, e);
  for (unsigned k = 0; foreign && k < n && k < WORDS; k++)
    mask[k] = foreign_mask(foreign, i, e, 64 * k, rtl[k]);
  change(w, var, rtl, c, mask, n);
}

static int change_regs(wave_t *w, const lockstep_t *ls, int var) {
  const module_reg_t *regs = lockstep_regs_c(ls);
  for (unsigned i = 0; i < lockstep_class(ls)->n_regs; i++) {
    const bool both = lockstep_regs_rtl(ls) && wave_yours_has_reg(w->bind, i);
    for (unsigned e = 0; e < regs[i].words; e++, var += both ? 3 : 1) {
      uint64_t c[WORDS];
      load(c, regs[i].data, regs[i].elem_bytes, e);
      if (both)
        change_element(w, ls, var, i, e, c);
      else
        vcd_change_words(w->vcd, var, c);
    }
  }
  return var;
}

/* Bits of the user's design that are bits of one of our registers, inverted or not. */
static void change_bits(wave_t *w, const lockstep_t *ls, int var, const bind_reg_t *r) {
  const shim_view_t *view = &lockstep_regs_rtl(ls)[r->reg];
  uint64_t all[WORDS], bits[WORDS] = {0};
  load(all, view->data, view->elem_bytes, r->word);
  for (unsigned b = 0; b < r->width; b++) {
    const unsigned at = r->lsb + b;
    const uint64_t bit = (all[at / 64] >> at % 64 & 1) ^ r->inverted;
    bits[b / 64] |= bit << b % 64;
  }
  vcd_change_words(w->vcd, var, bits);
}

static void change_yours(wave_t *w, const lockstep_t *ls, int var) {
  const shim_view_t *view = w->views;
  if (w->bind) lockstep_theirs(ls, w->views);
  for (unsigned i = 0; i < w->n_yours; i++, var++) {
    uint64_t words[WORDS];
    if (w->yours[i].reg) {
      change_bits(w, ls, var, w->yours[i].reg);
      continue;
    }
    load(words, view->data, view->elem_bytes, 0);
    vcd_change_words(w->vcd, var, words);
    view++;
  }
}

void wave_cycle(wave_t *w, const lockstep_t *ls) {
  uint64_t cycle = lockstep_cycle(ls);
  vcd_time(w->vcd, WAVE_CYCLE * cycle);
  vcd_change(w->vcd, w->clk, 1);
  vcd_change(w->vcd, w->cycle, cycle);
  w->differs = false;
  w->quiet = w->bind && cycle == 0;
  int var = change_ports(w, ls);
  change_yours(w, ls, change_regs(w, ls, var));
  vcd_change(w->vcd, w->any, w->differs);
  vcd_time(w->vcd, WAVE_CYCLE * cycle + WAVE_CYCLE / 2);
  vcd_change(w->vcd, w->clk, 0);
  w->end = WAVE_CYCLE * (cycle + 1);
  w->sampled = true;
}

int wave_close(wave_t *w, mrpb_err_t *err) {
  if (!w) return 0;
  if (w->sampled) { /* the edge that ends the last cycle */
    vcd_time(w->vcd, w->end);
    vcd_change(w->vcd, w->clk, 1);
  }
  int rc = vcd_close(w->vcd, err);
  release(w);
  return rc;
}
