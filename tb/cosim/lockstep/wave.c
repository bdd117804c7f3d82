/* SPDX-License-Identifier: Apache-2.0 */
/* Waves of a lockstep run. */
#include "cosim/lockstep/wave.h"

#include "sim/vcd.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = VCD_MAX_WIDTH / 64 };

struct wave {
  vcd_t *vcd;
  int clk, cycle, any, first; /* variables; the others follow in order of declaration */
  bool sampled, differs;
  uint64_t end; /* of the last cycle */
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

/* The Verilog's, the C model's and the XOR. */
static void declare_three(declare_t *d, const char *name, int elem, unsigned width,
                          vcd_kind_t kind) {
  (void)declare(d, "", name, elem, width, kind);
  (void)declare(d, "ref_", name, elem, width, kind);
  (void)declare(d, "diff_", name, elem, width, kind);
}

static int declare_all(wave_t *w, const lockstep_t *ls, mrpb_err_t *err) {
  const module_class_t *cls = lockstep_class(ls);
  const module_port_t *in = lockstep_inputs(ls), *out = lockstep_outputs(ls);
  const module_reg_t *regs = lockstep_regs_c(ls);
  declare_t d = {.wave = w, .stem = cls->stem, .err = err};
  w->clk = declare(&d, "", "clk_i", -1, 1, VCD_WIRE);
  w->cycle = declare(&d, "", "cycle", -1, 64, VCD_WIRE);
  w->any = declare(&d, "diff_", "any", -1, 1, VCD_WIRE);
  w->first = w->any + 1;
  for (unsigned i = 0; i < cls->n_in; i++)
    (void)declare(&d, "", in[i].name, -1, in[i].width, VCD_WIRE);
  for (unsigned i = 0; i < cls->n_out; i++)
    declare_three(&d, out[i].name, -1, out[i].width, VCD_WIRE);
  for (unsigned i = 0; i < cls->n_regs; i++)
    for (unsigned e = 0; e < regs[i].words; e++) {
      int elem = regs[i].words > 1 ? (int)e : -1;
      if (lockstep_regs_rtl(ls))
        declare_three(&d, regs[i].name, elem, regs[i].width, VCD_REG);
      else
        (void)declare(&d, "ref_", regs[i].name, elem, regs[i].width, VCD_REG);
    }
  return d.failed ? -1 : 0;
}

int wave_open(wave_t **out, const char *path, const lockstep_t *ls, mrpb_err_t *err) {
  *out = NULL;
  wave_t *w = calloc(1, sizeof *w);
  if (!w) return mrpb_fail(err, "%s: out of memory", path);
  if (vcd_open(&w->vcd, path, "1ns", err) != 0 || declare_all(w, ls, err) != 0) {
    vcd_close(w->vcd, NULL);
    free(w);
    return -1;
  }
  *out = w;
  return 0;
}

/* The Verilog's, the C model's and the XOR, from variable `var` on. */
static void change(wave_t *w, int var, const uint64_t *rtl, const uint64_t *c, unsigned n) {
  uint64_t differ[WORDS];
  for (unsigned k = 0; k < n && k < WORDS; k++) {
    differ[k] = rtl[k] ^ c[k];
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
  for (unsigned i = 0; i < cls->n_out; i++, var += 3)
    change(w, var, rtl + out[i].word, c + out[i].word, (out[i].width + 63) / 64);
  return var;
}

static void load(uint64_t *words, const void *data, unsigned elem_bytes, unsigned elem) {
  memset(words, 0, WORDS * sizeof *words);
  memcpy(words, (const char *)data + (size_t)elem * elem_bytes, elem_bytes);
}

static void change_regs(wave_t *w, const lockstep_t *ls, int var) {
  const module_reg_t *regs = lockstep_regs_c(ls);
  const shim_view_t *views = lockstep_regs_rtl(ls);
  for (unsigned i = 0; i < lockstep_class(ls)->n_regs; i++)
    for (unsigned e = 0; e < regs[i].words; e++) {
      uint64_t c[WORDS], rtl[WORDS];
      load(c, regs[i].data, regs[i].elem_bytes, e);
      if (views) {
        load(rtl, views[i].data, views[i].elem_bytes, e);
        change(w, var, rtl, c, (regs[i].width + 63) / 64);
        var += 3;
      } else {
        vcd_change_words(w->vcd, var++, c);
      }
    }
}

void wave_cycle(wave_t *w, const lockstep_t *ls) {
  uint64_t cycle = lockstep_cycle(ls);
  vcd_time(w->vcd, WAVE_CYCLE * cycle);
  vcd_change(w->vcd, w->clk, 1);
  vcd_change(w->vcd, w->cycle, cycle);
  w->differs = false;
  int var = change_ports(w, ls);
  change_regs(w, ls, var);
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
  free(w);
  return rc;
}
