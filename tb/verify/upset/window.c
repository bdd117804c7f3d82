/* SPDX-License-Identifier: Apache-2.0 */
/* Two instances of the Verilog run: one in lockstep with the C model, and one that is flipped. The
 * C model's inputs, outputs and registers of a window are recorded once, so a flip costs the
 * Verilog's cycles only. */
#include "verify/upset/window.h"

#include <stdlib.h>
#include <string.h>

struct upset_window {
  const module_class_t *cls;
  const shim_table_t *shim;
  const stim_class_t *stim;
  upset_answers_t answers;
  lockstep_t *ls;
  void *state; /* of the stimulus */
  void *rtl;   /* the instance that is flipped */
  shim_view_t view[MODULE_MAX_REGS];
  uint64_t cycles, n; /* the window's length; the cycles recorded so far */
  uint64_t *drawn;    /* this cycle's inputs */
  uint64_t *in, *out; /* of each cycle of the window */
  uint64_t *shown;    /* the flipped instance's outputs */
  void *before, *after;
  unsigned char *images; /* of the registers, at each checkpoint */
  size_t image_bytes;
};

/* Registers are compared after 1, 2, 4, ... 64 cycles of the window, then after each 64th, and at
 * its end. Returns the number of the checkpoint after `n` cycles, or -1. */
enum { CHECK_LOG2 = 6 };
static int checkpoint(const upset_window_t *w, uint64_t n) {
  const unsigned every = 1u << CHECK_LOG2;
  if (n == w->cycles) return (int)(CHECK_LOG2 + n / every);
  if (n < every) return n & (n - 1) ? -1 : __builtin_ctzll(n);
  return n % every ? -1 : (int)(CHECK_LOG2 - 1 + n / every);
}

static size_t view_bytes(const shim_view_t *v) {
  return (size_t)v->elem_bytes * v->words;
}

static unsigned char *image(const upset_window_t *w, int at) {
  return w->images + (size_t)at * w->image_bytes;
}

static void keep_registers(const upset_window_t *w, unsigned char *to) {
  for (unsigned i = 0; i < w->cls->n_regs; i++) {
    memcpy(to, w->view[i].data, view_bytes(&w->view[i]));
    to += view_bytes(&w->view[i]);
  }
}

static bool same_registers(const upset_window_t *w, const unsigned char *as) {
  for (unsigned i = 0; i < w->cls->n_regs; i++) {
    if (memcmp(as, w->view[i].data, view_bytes(&w->view[i])) != 0) return false;
    as += view_bytes(&w->view[i]);
  }
  return true;
}

static int allocate(upset_window_t *w, mrpb_err_t *err) {
  const size_t images = CHECK_LOG2 + 2 + w->cycles / (1u << CHECK_LOG2);
  for (unsigned i = 0; i < w->cls->n_regs; i++) w->image_bytes += view_bytes(&w->view[i]);
  w->state = malloc(w->stim->size);
  w->drawn = calloc(w->cls->in_words + w->cls->out_words, sizeof *w->drawn);
  w->shown = w->drawn ? w->drawn + w->cls->in_words : NULL;
  w->in = calloc(w->cycles * w->cls->in_words, sizeof *w->in);
  w->out = calloc(w->cycles * w->cls->out_words, sizeof *w->out);
  w->before = malloc(w->shim->state_bytes);
  w->after = malloc(w->shim->state_bytes);
  w->images = malloc(images * w->image_bytes);
  if (w->state && w->drawn && w->in && w->out && w->before && w->after && w->images) return 0;
  return mrpb_fail(err, "%s: out of memory", w->cls->stem);
}

/* A cycle of the run: both instances of the Verilog get the same inputs. */
static int cycle(upset_window_t *w, const uint64_t *in, mrpb_err_t *err) {
  const size_t ins = w->cls->in_words, outs = w->cls->out_words;
  const bool same = lockstep_comb(w->ls, in);
  const uint64_t *now = lockstep_in(w->ls), *out = lockstep_out_c(w->ls);
  (void)w->stim->sample(w->state, lockstep_model(w->ls), now, out);
  w->shim->comb(w->rtl, now, w->shown);
  if (w->n < w->cycles) {
    memcpy(w->in + w->n * ins, now, ins * sizeof *now);
    memcpy(w->out + w->n * outs, out, outs * sizeof *out);
  }
  w->shim->edge(w->rtl);
  if (same && lockstep_edge(w->ls)) return 0;
  return mrpb_fail(err,
                   "%s: C model and Verilog differ without an upset; `mrpb cosim %s` shows where",
                   w->cls->stem, w->cls->stem);
}

/* A cycle with inputs of the stimulus, if none are given. */
static int drive(upset_window_t *w, const uint64_t *in, mrpb_err_t *err) {
  if (in) return cycle(w, in, err);
  w->stim->next(w->state, lockstep_model(w->ls), w->drawn);
  return cycle(w, w->drawn, err);
}

static int open_sides(upset_window_t *w, const uint32_t *cfg, const rtl_lib_t *lib, uint64_t seed,
                      mrpb_err_t *err) {
  if (!w->stim) return mrpb_fail(err, "%s: no stimulus for this module", w->cls->stem);
  if (upset_answers(&w->answers, w->cls, cfg, err) != 0) return -1;
  if (lockstep_open(&w->ls, w->cls, cfg, lib, seed, err) != 0) return -1;
  w->rtl = w->shim->create(seed, SHIM_RANDOM);
  if (!w->rtl) return mrpb_fail(err, "%s: out of memory", w->cls->stem);
  w->shim->regs(w->rtl, w->view);
  return allocate(w, err);
}

int upset_window_open(upset_window_t **out, const module_class_t *cls, const uint32_t *cfg,
                      const rtl_lib_t *lib, uint64_t seed, uint64_t cycles, mrpb_err_t *err) {
  *out = NULL;
  upset_window_t *w = calloc(1, sizeof *w);
  if (!w) return (void)mrpb_fail(err, "%s: out of memory", cls->stem), RTL_BAD_TOOL;
  w->cls = cls;
  w->shim = rtl_lib_table(lib);
  w->stim = stim_class(cls->stem);
  w->cycles = w->n = cycles;
  int rc = open_sides(w, cfg, lib, seed, err) == 0 ? RTL_OK : RTL_BAD_TOOL;
  if (rc == RTL_OK) w->stim->start(w->state, cfg, seed);
  for (unsigned i = 0; i < LOCKSTEP_RESET_CYCLES && rc == RTL_OK; i++)
    rc = cycle(w, w->drawn, err) == 0 ? RTL_OK : UPSET_DIFFERENT;
  if (rc == RTL_OK)
    *out = w;
  else
    upset_window_close(w);
  return rc;
}

void upset_window_close(upset_window_t *w) {
  if (!w) return;
  if (w->rtl) w->shim->destroy(w->rtl);
  lockstep_close(w->ls);
  free(w->state);
  free(w->drawn);
  free(w->in);
  free(w->out);
  free(w->before);
  free(w->after);
  free(w->images);
  free(w);
}

const module_reg_t *upset_window_regs(const upset_window_t *w) {
  return lockstep_regs_c(w->ls);
}

uint64_t upset_window_first(const upset_window_t *w) {
  return lockstep_cycle(w->ls) - w->n - LOCKSTEP_RESET_CYCLES;
}

int upset_window_skip(upset_window_t *w, uint64_t n, const uint64_t *in, mrpb_err_t *err) {
  w->n = w->cycles; /* nothing is recorded */
  for (uint64_t i = 0; i < n; i++)
    if (drive(w, in ? in + i * w->cls->in_words : NULL, err) != 0) return -1;
  return 0;
}

/* Whether an input srst_ni is 0 in the recorded cycle. */
static bool is_reset(const upset_window_t *w, const uint64_t *in) {
  const module_port_t *port = lockstep_inputs(w->ls);
  for (unsigned i = 0; i < w->cls->n_in; i++)
    if (strcmp(port[i].name, "srst_ni") == 0) return in[port[i].word] == 0;
  return false;
}

int upset_window_record(upset_window_t *w, const uint64_t *in, bool *reset, mrpb_err_t *err) {
  const size_t words = w->cls->in_words;
  w->shim->save(w->rtl, w->before);
  *reset = false;
  for (w->n = 0; w->n < w->cycles;) {
    if (drive(w, in ? in + w->n * words : NULL, err) != 0) return -1;
    *reset = *reset || is_reset(w, w->in + w->n * words);
    const int at = checkpoint(w, ++w->n);
    if (at >= 0) keep_registers(w, image(w, at));
  }
  w->shim->save(w->rtl, w->after);
  return 0;
}

static void flip(const shim_view_t *v, unsigned elem, unsigned bit) {
  unsigned char *byte = (unsigned char *)(uintptr_t)v->data; /* the build lets it be written */
  byte[(size_t)elem * v->elem_bytes + bit / 8] ^= (unsigned char)(1u << bit % 8);
}

static upset_outcome_t watch(upset_window_t *w) {
  upset_judge_t judge;
  bool same = false;
  upset_judge_start(&judge, &w->answers);
  for (uint64_t n = 0; n < w->cycles; n++) {
    const uint64_t *in = w->in + n * w->cls->in_words, *out = w->out + n * w->cls->out_words;
    w->shim->comb(w->rtl, in, w->shown);
    if (upset_judge_cycle(&judge, in, out, w->shown)) break;
    w->shim->edge(w->rtl);
    const int at = checkpoint(w, n + 1);
    same = at >= 0 && judge.missing < 0 && same_registers(w, image(w, at));
    if (same) break; /* the rest would be equal, too */
  }
  return upset_judge_end(&judge, same);
}

upset_outcome_t upset_window_flip(upset_window_t *w, unsigned n, unsigned reg, unsigned elem,
                                  unsigned bit) {
  w->shim->load(w->rtl, w->before);
  for (unsigned i = 0; i < n; i++) flip(&w->view[reg], elem, bit);
  const upset_outcome_t outcome = watch(w);
  w->shim->load(w->rtl, w->after);
  return outcome;
}
