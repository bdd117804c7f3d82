/* Waves of a lockstep run. */
#include "cosim/wave.h"

#include "sim/vcd.h"
#include "waves/gtkw.h"

#include <stdlib.h>
#include <string.h>

enum { WORDS = VCD_MAX_WIDTH / 64, NAME_TEXT = 160 };

struct wave {
  vcd_t *vcd;
  int clk, cycle, first; /* variables; the others follow in order of declaration */
};

static int declare(vcd_t *vcd, const char *stem, const char *scope, const char *name, int elem,
                   unsigned width, vcd_kind_t kind, mrpb_err_t *err) {
  char full[NAME_TEXT];
  if (elem < 0)
    snprintf(full, sizeof full, "%s.%s.%s", stem, scope, name);
  else
    snprintf(full, sizeof full, "%s.%s.%s[%d]", stem, scope, name, elem);
  return vcd_var(vcd, full, width, kind, err);
}

/* rtl, ref and diff of each output and register follow each other; inputs are in scope rtl only. */
static int declare_all(wave_t *w, const lockstep_t *ls, mrpb_err_t *err) {
  static const char *const scopes[] = {"rtl", "ref", "diff"};
  const module_class_t *cls = lockstep_class(ls);
  const module_port_t *in = lockstep_inputs(ls), *out = lockstep_outputs(ls);
  const module_reg_t *regs = lockstep_regs_c(ls);
  int rc = w->clk = declare(w->vcd, cls->stem, "rtl", "clk_i", -1, 1, VCD_WIRE, err);
  if (rc >= 0) rc = w->cycle = declare(w->vcd, cls->stem, "rtl", "cycle", -1, 64, VCD_WIRE, err);
  w->first = w->cycle + 1;
  for (unsigned i = 0; i < cls->n_in && rc >= 0; i++)
    rc = declare(w->vcd, cls->stem, "rtl", in[i].name, -1, in[i].width, VCD_WIRE, err);
  for (unsigned i = 0; i < cls->n_out; i++)
    for (unsigned s = 0; s < 3 && rc >= 0; s++)
      rc = declare(w->vcd, cls->stem, scopes[s], out[i].name, -1, out[i].width, VCD_WIRE, err);
  for (unsigned i = 0; i < cls->n_regs; i++)
    for (unsigned e = 0; e < regs[i].words; e++)
      for (unsigned s = 0; s < 3 && rc >= 0; s++)
        rc = declare(w->vcd, cls->stem, scopes[s], regs[i].name, regs[i].words > 1 ? (int)e : -1,
                     regs[i].width, VCD_REG, err);
  return rc < 0 ? -1 : 0;
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

/* rtl, ref and diff, from variable `var` on. */
static void change(wave_t *w, int var, const uint64_t *rtl, const uint64_t *c, unsigned n) {
  uint64_t differ[WORDS];
  for (unsigned k = 0; k < n && k < WORDS; k++) differ[k] = rtl[k] ^ c[k];
  vcd_change_words(w->vcd, var, rtl);
  vcd_change_words(w->vcd, var + 1, c);
  vcd_change_words(w->vcd, var + 2, differ);
}

static int change_ports(wave_t *w, const lockstep_t *ls) {
  const module_class_t *cls = lockstep_class(ls);
  const module_port_t *in = lockstep_inputs(ls), *out = lockstep_outputs(ls);
  const uint64_t *c = lockstep_out_c(ls), *rtl = lockstep_out_rtl(ls);
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

void wave_cycle(wave_t *w, const lockstep_t *ls) {
  const module_class_t *cls = lockstep_class(ls);
  const module_reg_t *regs = lockstep_regs_c(ls);
  const shim_view_t *views = lockstep_regs_rtl(ls);
  uint64_t cycle = lockstep_cycle(ls);
  vcd_time(w->vcd, 10 * cycle);
  vcd_change(w->vcd, w->clk, 0);
  vcd_change(w->vcd, w->cycle, cycle);
  int var = change_ports(w, ls);
  for (unsigned i = 0; i < cls->n_regs; i++)
    for (unsigned e = 0; e < regs[i].words; e++, var += 3) {
      uint64_t c[WORDS], rtl[WORDS];
      load(c, regs[i].data, regs[i].elem_bytes, e);
      load(rtl, views[i].data, views[i].elem_bytes, e);
      change(w, var, rtl, c, (regs[i].width + 63) / 64);
    }
  /* The rising edge ends the cycle; a falling one in the middle would suggest that something
   * happens there. */
  vcd_time(w->vcd, 10 * cycle + 5);
  vcd_change(w->vcd, w->clk, 1);
}

int wave_close(wave_t *w, mrpb_err_t *err) {
  if (!w) return 0;
  int rc = vcd_close(w->vcd, err);
  free(w);
  return rc;
}

static void save_signal(gtkw_t *g, const char *stem, const char *scope, const char *name,
                        unsigned width) {
  char full[2 * NAME_TEXT];
  snprintf(full, sizeof full, "%s.%s.%s", stem, scope, name);
  gtkw_signal(g, full, width);
}

static void save_ports(gtkw_t *g, const module_class_t *cls, const char *scope,
                       const module_port_t *ports, unsigned n) {
  for (unsigned i = 0; i < n; i++) save_signal(g, cls->stem, scope, ports[i].name, ports[i].width);
}

/* Memories of more elements than this are left to the tree of signals. */
enum { MOST_ELEMENTS = 64 };

static void save_regs(gtkw_t *g, const module_class_t *cls, const char *scope,
                      const module_reg_t *regs) {
  for (unsigned i = 0; i < cls->n_regs; i++) {
    char name[NAME_TEXT];
    if (regs[i].words == 1) save_signal(g, cls->stem, scope, regs[i].name, regs[i].width);
    for (unsigned e = 0; regs[i].words > 1 && regs[i].words <= MOST_ELEMENTS && e < regs[i].words;
         e++) {
      snprintf(name, sizeof name, "%s[%u]", regs[i].name, e);
      save_signal(g, cls->stem, scope, name, regs[i].width);
    }
  }
}

int wave_save_file(const char *path, const char *dump, const module_class_t *cls,
                   const uint32_t *cfg, mrpb_err_t *err) {
  module_port_t in[MODULE_MAX_PORTS], out[MODULE_MAX_PORTS];
  module_reg_t regs[MODULE_MAX_REGS];
  gtkw_t *g;
  void *self = NULL;
  if (cls->check(cfg, err) != 0 || (cls->n_regs > 0 && cls->create(&self, cfg, err) != 0))
    return -1;
  if (gtkw_open(&g, path, dump, err) != 0) {
    if (self) cls->destroy(self);
    return -1;
  }
  cls->ports(cfg, in, out);
  if (self) cls->regs(self, regs);
  gtkw_group(g, "Clock and reset", 0);
  save_signal(g, cls->stem, "rtl", "clk_i", 1);
  save_signal(g, cls->stem, "rtl", "cycle", 64);
  gtkw_group(g, "Input", 0);
  save_ports(g, cls, "rtl", in, cls->n_in);
  gtkw_group(g, "Output", 0);
  save_ports(g, cls, "rtl", out, cls->n_out);
  gtkw_group(g, "State", 1);
  save_regs(g, cls, "rtl", regs);
  gtkw_group(g, "Reference", 1);
  save_ports(g, cls, "ref", out, cls->n_out);
  save_regs(g, cls, "ref", regs);
  gtkw_group(g, "Difference", 0);
  save_ports(g, cls, "diff", out, cls->n_out);
  save_regs(g, cls, "diff", regs);
  if (self) cls->destroy(self);
  return gtkw_close(g, err);
}
