/* SPDX-License-Identifier: Apache-2.0 */
/* The lockstep engine. */
#include "cosim/lockstep/lockstep.h"

#include "verilog/design/bind_values.h"

#include "bits.h"
#include "cosim/lockstep/fast.h"
#include "cosim/lockstep/foreign.h"
#include "cosim/lockstep/regs.h"
#include "base/hang.h"

#include <stdlib.h>
#include <string.h>

/* Names whose code is running, for the hang watch. */
static const char side_c[] = "the C model", side_rtl[] = "the Verilog";

enum { SLOTS = LOCKSTEP_HISTORY + 1 };

struct lockstep {
  const module_class_t *cls;
  const shim_table_t *shim; /* NULL: the other side is a recording */
  void *model, *rtl;
  void *twin; /* a second C model that runs by steps only, or NULL (lockstep_open_twin) */
  fast_t fast;
  const module_fast_t *wrong; /* the function that differs; NULL: comb and edge differ, if any */
  bool scribbles;             /* `wrong` is a view that overwrites outputs that are not its own */
  uint64_t cycle;
  hang_t hang;
  uint64_t *in, *out_c; /* of this cycle: in the history, or out_c in `blamed` */
  uint64_t *in_mask, *out_rtl;
  uint64_t *blamed;   /* outputs of `wrong`, of a cycle that the history keeps with comb's */
  uint64_t *out_want; /* what a user's design must show; NULL: out_c */
  foreign_t *foreign; /* the comparison of a user's design */
  bool powered;       /* a differing output depends on the design's power-up state */
  regs_t regs, twin_regs;
  const regs_t *shown; /* the one of the two that lockstep_diffs shows */
  uint32_t cfg[MODULE_MAX_PARAMS];
  module_port_t inputs[MODULE_MAX_PORTS], outputs[MODULE_MAX_PORTS];
  shim_view_t views[MODULE_MAX_REGS];
  uint64_t *history; /* a ring of SLOTS records of in and out words; one is of this cycle */
  uint64_t history_cycle[SLOTS];
  uint64_t remembered;
};

static int plan_registers(lockstep_t *ls, const void *model, regs_t *regs, mrpb_err_t *err) {
  if (ls->shim) ls->shim->regs(ls->rtl, ls->views);
  return regs_plan(regs, ls->cls, model, ls->shim ? ls->views : NULL, ls->foreign, err);
}

/* Inputs and outputs are written to where the history keeps them, so that keeping them costs
 * nothing. */
static void this_cycle(lockstep_t *ls) {
  const size_t words = ls->cls->in_words + ls->cls->out_words;
  ls->in = ls->history + ls->remembered % SLOTS * words;
  ls->out_c = ls->in + ls->cls->in_words;
}

static void make_masks(lockstep_t *ls) {
  for (unsigned i = 0; i < ls->cls->n_in; i++) {
    const module_port_t *p = &ls->inputs[i];
    for (unsigned done = 0; done < p->width; done += 64)
      ls->in_mask[p->word + done / 64] = bits_mask(p->width - done < 64 ? p->width - done : 64);
  }
}

int lockstep_open(lockstep_t **out, const module_class_t *cls, const uint32_t *cfg,
                  const rtl_lib_t *lib, uint64_t seed, mrpb_err_t *err) {
  *out = NULL;
  lockstep_t *ls = calloc(1, sizeof *ls);
  if (!ls) return mrpb_fail(err, "%s: out of memory", cls->stem);
  size_t words = cls->in_words + cls->out_words;
  ls->cls = cls;
  ls->shown = &ls->regs;
  ls->shim = lib ? rtl_lib_table(lib) : NULL;
  memcpy(ls->cfg, cfg, cls->n_params * sizeof *cfg);
  cls->ports(ls->cfg, ls->inputs, ls->outputs);
  const bind_t *bind = lib ? rtl_lib_bind(lib) : NULL;
  ls->in_mask = calloc(words + 2 * cls->out_words, sizeof(uint64_t));
  ls->history = calloc(SLOTS * words, sizeof(uint64_t));
  hang_watch(&ls->hang, cls->stem, &ls->cycle, lib ? rtl_lib_patience(lib) : HANG_SECONDS);
  hang_enter(&ls->hang, side_c);
  int rc = cls->create(&ls->model, ls->cfg, err);
  hang_enter(&ls->hang, side_rtl);
  if (rc == 0 && ls->shim) ls->rtl = ls->shim->create(seed, bind ? SHIM_ZEROS : SHIM_RANDOM);
  if (rc == 0 && bind) ls->foreign = foreign_open(bind, ls->shim);
  hang_leave(&ls->hang);
  if (rc == 0 && ((ls->shim && !ls->rtl) || (bind && !ls->foreign) || !ls->in_mask || !ls->history))
    rc = mrpb_fail(err, "%s: out of memory", cls->stem);
  if (rc == 0) rc = plan_registers(ls, ls->model, &ls->regs, err);
  if (rc == 0) rc = fast_open(&ls->fast, cls, ls->cfg, seed, err);
  if (rc != 0) {
    lockstep_close(ls);
    return rc;
  }
  ls->out_rtl = ls->in_mask + cls->in_words;
  ls->blamed = ls->out_rtl + cls->out_words;
  ls->out_want = bind ? ls->blamed + cls->out_words : NULL;
  this_cycle(ls);
  make_masks(ls);
  *out = ls;
  return 0;
}

int lockstep_open_twin(lockstep_t **out, const module_class_t *cls, const uint32_t *cfg,
                       const rtl_lib_t *lib, uint64_t seed, mrpb_err_t *err) {
  if (lockstep_open(out, cls, cfg, lib, seed, err) != 0) return -1;
  lockstep_t *ls = *out;
  if (!ls->fast.step || !ls->shim) return 0;
  if (cls->create(&ls->twin, ls->cfg, err) == 0 &&
      plan_registers(ls, ls->twin, &ls->twin_regs, err) == 0)
    return 0;
  lockstep_close(ls);
  *out = NULL;
  return -1;
}

void lockstep_close(lockstep_t *ls) {
  if (!ls) return;
  hang_end(&ls->hang);
  if (ls->model) ls->cls->destroy(ls->model);
  if (ls->twin) ls->cls->destroy(ls->twin);
  fast_close(&ls->fast);
  if (ls->rtl) ls->shim->destroy(ls->rtl);
  foreign_close(ls->foreign);
  free(ls->in_mask);
  free(ls->history);
  free(ls);
}

/* Only the words that a port uses are compared. Whole words must agree, including the bits above
 * the port's width. */
static bool same_outputs(const lockstep_t *ls, const uint64_t *out_c, const uint64_t *out) {
  for (unsigned i = 0; i < ls->cls->n_out; i++) {
    const module_port_t *p = &ls->outputs[i];
    if (memcmp(out_c + p->word, out + p->word, (p->width + 63) / 64 * 8) != 0) return false;
  }
  return true;
}

static bool outputs_agree(const lockstep_t *ls, const uint64_t *out_c) {
  return same_outputs(ls, out_c, ls->out_rtl);
}

static bool is_remembered(const lockstep_t *ls, uint64_t cycle) {
  return ls->remembered && ls->history_cycle[(ls->remembered - 1) % SLOTS] == cycle;
}

/* A cycle is kept once, even if it is remembered several times. */
static void remember(lockstep_t *ls, uint64_t cycle) {
  if (!is_remembered(ls, cycle)) ls->history_cycle[ls->remembered++ % SLOTS] = cycle;
}

static void comb_c(lockstep_t *ls, const uint64_t *in) {
  this_cycle(ls);
  for (unsigned i = 0; i < ls->cls->in_words; i++) ls->in[i] = in[i] & ls->in_mask[i];
  ls->cls->comb(ls->model, ls->in, ls->out_c);
}

/* Compares a design's outputs, where and when the map says that they count. */
static bool compare_foreign(lockstep_t *ls) {
  const bool first = ls->cycle == 0 && ls->cls->n_regs > 0;
  const bool twin = foreign_comb(ls->foreign, ls->in, ls->out_c, ls->out_rtl, ls->out_want);
  ls->powered = false;
  if (first) return true;
  if (!outputs_agree(ls, ls->out_want)) return remember(ls, ls->cycle), false;
  if (twin) return true;
  ls->powered = true;
  memcpy(ls->out_rtl, foreign_twin(ls->foreign), ls->cls->out_words * sizeof *ls->out_rtl);
  remember(ls, ls->cycle);
  return false;
}

static bool compare_outputs(lockstep_t *ls) {
  if (ls->foreign) return compare_foreign(ls);
  if (memcmp(ls->out_c, ls->out_rtl, ls->cls->out_words * sizeof(uint64_t)) == 0) return true;
  if ((ls->cycle == 0 && ls->cls->n_regs > 0) || outputs_agree(ls, ls->out_c)) return true;
  remember(ls, ls->cycle);
  return false;
}

/* The outputs of `fast` differ from the Verilog's. From now on they are the C side's outputs. The
 * history keeps those of comb if the cycle is in it already. */
static void blame(lockstep_t *ls, const module_fast_t *fast) {
  ls->wrong = fast;
  ls->scribbles = false;
  if (ls->foreign) { /* it is compared with comb */
    memcpy(ls->out_rtl, ls->out_c, ls->cls->out_words * sizeof *ls->out_c);
    memcpy(ls->out_want, ls->fast.out, ls->cls->out_words * sizeof *ls->out_c);
  }
  if (is_remembered(ls, ls->cycle)) ls->out_c = ls->blamed;
  memcpy(ls->out_c, ls->fast.out, ls->cls->out_words * sizeof *ls->out_c);
}

/* The reference for the other functions of the C model: the Verilog, or comb if the Verilog may
 * legally show something else. */
static const uint64_t *truth(const lockstep_t *ls) {
  return ls->foreign ? ls->out_c : ls->out_rtl;
}

static bool views_agree(lockstep_t *ls) {
  bool scribbles;
  if (ls->cls->n_fast == 0 || ls->cycle == 0) return true;
  if (!ls->twin && !fast_picked(&ls->fast, ls->cycle)) return true;
  const module_fast_t *wrong = fast_views(&ls->fast, ls->model, ls->in, truth(ls), &scribbles);
  if (!wrong) return true;
  blame(ls, wrong);
  ls->scribbles = scribbles;
  remember(ls, ls->cycle);
  return false;
}

bool lockstep_comb(lockstep_t *ls, const uint64_t *in) {
  hang_enter(&ls->hang, side_c);
  comb_c(ls, in);
  ls->wrong = NULL;
  ls->shown = &ls->regs;
  hang_enter(&ls->hang, side_rtl);
  ls->shim->comb(ls->rtl, ls->in, ls->out_rtl);
  hang_enter(&ls->hang, side_c);
  bool same = compare_outputs(ls) && views_agree(ls);
  hang_leave(&ls->hang);
  return same;
}

bool lockstep_comb_recorded(lockstep_t *ls, const uint64_t *in, const uint64_t *out,
                            const uint64_t *known) {
  hang_enter(&ls->hang, side_c);
  comb_c(ls, in);
  hang_leave(&ls->hang);
  for (unsigned i = 0; i < ls->cls->out_words; i++)
    ls->out_rtl[i] = (out[i] & known[i]) | (ls->out_c[i] & ~known[i]);
  return compare_outputs(ls);
}

/* Runs a whole cycle in one call; the step returns the outputs from before the edge. */
static bool step_agrees(lockstep_t *ls, void *model) {
  ls->fast.step->step(model, ls->in, ls->fast.out);
  if (ls->cycle == 0 || same_outputs(ls, ls->fast.out, truth(ls))) return true;
  blame(ls, ls->fast.step);
  return false;
}

/* Advances the C model by edge or by step. Returns true while the step's outputs equal the
 * Verilog's. */
static bool edge_c(lockstep_t *ls) {
  if (ls->fast.step && ls->shim && !ls->twin && fast_picked(&ls->fast, ls->cycle))
    return step_agrees(ls, ls->model);
  ls->cls->edge(ls->model, ls->in);
  return !ls->twin || step_agrees(ls, ls->twin);
}

bool lockstep_edge(lockstep_t *ls) {
  hang_enter(&ls->hang, side_c);
  bool same = edge_c(ls);
  hang_enter(&ls->hang, side_rtl);
  if (!ls->shim) {
    hang_leave(&ls->hang);
    ls->cycle++;
    return true;
  }
  ls->shim->edge(ls->rtl);
  if (ls->foreign) foreign_edge(ls->foreign);
  hang_leave(&ls->hang);
  if (ls->cycle++ == 0) ls->shim->watch(ls->rtl);
  if (!regs_agree(&ls->regs)) {
    same = false;
  } else if (ls->twin && !regs_agree(&ls->twin_regs)) {
    same = false;
    ls->shown = &ls->twin_regs;
    if (!ls->wrong) ls->wrong = ls->fast.step;
  }
  if (same && !ls->shim->stopped(ls->rtl)) return true;
  remember(ls, ls->cycle - 1);
  return false;
}

static void flip(const void *data, unsigned elem_bytes, unsigned elem, unsigned bit) {
  unsigned char *byte = (unsigned char *)(uintptr_t)data; /* this side may change the instance */
  byte[(size_t)elem * elem_bytes + bit / 8] ^= (unsigned char)(1u << bit % 8);
}

void lockstep_flip(lockstep_t *ls, unsigned reg, unsigned elem, unsigned bit) {
  flip(ls->regs.of_c[reg].data, ls->regs.of_c[reg].elem_bytes, elem, bit);
  if (ls->twin) flip(ls->twin_regs.of_c[reg].data, ls->regs.of_c[reg].elem_bytes, elem, bit);
  if (ls->shim) flip(ls->views[reg].data, ls->views[reg].elem_bytes, elem, bit);
}

bool lockstep_reset(lockstep_t *ls) {
  bool same = true;
  this_cycle(ls);
  memset(ls->in, 0, ls->cls->in_words * sizeof *ls->in);
  for (unsigned i = 0; i < LOCKSTEP_RESET_CYCLES && same; i++)
    same = lockstep_comb(ls, ls->in) && lockstep_edge(ls);
  return same;
}

struct lockstep_save {
  const module_class_t *cls;
  uint64_t cycle;
  void *model, *twin, *rtl, *foreign;
};

lockstep_save_t *lockstep_save_new(const lockstep_t *ls) {
  lockstep_save_t *save = calloc(1, sizeof *save);
  if (!save) return NULL;
  save->cls = ls->cls;
  save->rtl = malloc(ls->shim->state_bytes);
  if (ls->foreign) save->foreign = malloc(foreign_bytes(ls->foreign));
  if (!save->rtl || (ls->foreign && !save->foreign) ||
      ls->cls->create(&save->model, ls->cfg, NULL) != 0 ||
      (ls->twin && ls->cls->create(&save->twin, ls->cfg, NULL) != 0)) {
    lockstep_save_free(save);
    return NULL;
  }
  lockstep_save(ls, save);
  return save;
}

void lockstep_save(const lockstep_t *ls, lockstep_save_t *save) {
  save->cycle = ls->cycle;
  ls->cls->copy(save->model, ls->model);
  if (ls->twin) ls->cls->copy(save->twin, ls->twin);
  ls->shim->save(ls->rtl, save->rtl);
  if (ls->foreign) foreign_save(ls->foreign, save->foreign);
}

void lockstep_load(lockstep_t *ls, const lockstep_save_t *save) {
  ls->cycle = save->cycle;
  ls->cls->copy(ls->model, save->model);
  if (ls->twin) ls->cls->copy(ls->twin, save->twin);
  ls->shim->load(ls->rtl, save->rtl);
  if (ls->foreign) foreign_load(ls->foreign, save->foreign);
}

void lockstep_save_free(lockstep_save_t *save) {
  if (!save) return;
  if (save->model) save->cls->destroy(save->model);
  if (save->twin) save->cls->destroy(save->twin);
  free(save->rtl);
  free(save->foreign);
  free(save);
}

const void *lockstep_model(const lockstep_t *ls) {
  return ls->model;
}
const uint64_t *lockstep_in(const lockstep_t *ls) {
  return ls->in;
}
const uint64_t *lockstep_out_c(const lockstep_t *ls) {
  return ls->out_c;
}
const uint64_t *lockstep_out_want(const lockstep_t *ls) {
  return ls->out_want ? ls->out_want : ls->out_c;
}
const foreign_t *lockstep_foreign(const lockstep_t *ls) {
  return ls->foreign;
}
void lockstep_theirs(const lockstep_t *ls, shim_view_t *views) {
  if (ls->shim->theirs) ls->shim->theirs(ls->rtl, views);
}
bool lockstep_powered(const lockstep_t *ls) {
  return ls->powered;
}
const uint64_t *lockstep_out_rtl(const lockstep_t *ls) {
  return ls->out_rtl;
}
uint64_t lockstep_cycle(const lockstep_t *ls) {
  return ls->cycle;
}
const module_class_t *lockstep_class(const lockstep_t *ls) {
  return ls->cls;
}
const uint32_t *lockstep_cfg(const lockstep_t *ls) {
  return ls->cfg;
}
const module_port_t *lockstep_inputs(const lockstep_t *ls) {
  return ls->inputs;
}
const module_port_t *lockstep_outputs(const lockstep_t *ls) {
  return ls->outputs;
}
const module_reg_t *lockstep_regs_c(const lockstep_t *ls) {
  return ls->regs.of_c;
}
const shim_view_t *lockstep_regs_rtl(const lockstep_t *ls) {
  return ls->shim ? ls->views : NULL;
}
const char *lockstep_function(const lockstep_t *ls) {
  return ls->wrong ? ls->wrong->name : NULL;
}
bool lockstep_scribbles(const lockstep_t *ls) {
  return ls->wrong && ls->scribbles;
}
const char *lockstep_stopped(const lockstep_t *ls) {
  return ls->shim ? ls->shim->stopped(ls->rtl) : NULL;
}

void lockstep_coverage(const lockstep_t *ls, const char *path) {
  if (ls->shim && ls->shim->coverage) ls->shim->coverage(ls->rtl, path);
}

static unsigned output_diffs(const lockstep_t *ls, lockstep_diff_t *diffs, unsigned max) {
  const uint64_t *want = lockstep_out_want(ls);
  unsigned n = 0;
  for (unsigned i = 0; i < ls->cls->n_out; i++) {
    const module_port_t *p = &ls->outputs[i];
    for (unsigned w = 0; w < (p->width + 63) / 64; w++) {
      uint64_t c = want[p->word + w], rtl = ls->out_rtl[p->word + w];
      if (c == rtl) continue;
      if (n < max) {
        diffs[n] = (lockstep_diff_t){false, p->width, 1, 0, 64 * w, c, rtl, ""};
        snprintf(diffs[n].name, sizeof diffs[n].name, "%s", p->name);
      }
      n++;
    }
  }
  return n;
}

unsigned lockstep_diffs(const lockstep_t *ls, bool regs, lockstep_diff_t *diffs, unsigned max) {
  unsigned n = regs ? regs_diffs(ls->shown, diffs, max) : 0;
  /* a step's outputs are known only after the edge */
  return n > 0 || (regs && !ls->wrong) ? n : output_diffs(ls, diffs, max);
}

void lockstep_remember(lockstep_t *ls) {
  remember(ls, ls->cycle);
}

bool lockstep_record(const lockstep_t *ls, unsigned i, lockstep_record_t *record) {
  uint64_t n = ls->remembered < LOCKSTEP_HISTORY ? ls->remembered : LOCKSTEP_HISTORY;
  if (i >= n) return false;
  unsigned slot = (unsigned)((ls->remembered - n + i) % SLOTS);
  const uint64_t *from = ls->history + slot * (ls->cls->in_words + ls->cls->out_words);
  *record = (lockstep_record_t){ls->history_cycle[slot], from, from + ls->cls->in_words};
  return true;
}

bool lockstep_assumes(const lockstep_t *ls) {
  return ls->foreign && map_one(foreign_bind(ls->foreign)->map, MAP_ASSUME);
}

bool lockstep_assumed(const lockstep_t *ls, const uint64_t *in) {
  return !ls->foreign || bind_assumed(foreign_bind(ls->foreign), in);
}

void lockstep_idle(const lockstep_t *ls, uint64_t *in) {
  memset(in, 0, ls->cls->in_words * sizeof *in);
  for (unsigned i = 0; i < ls->cls->n_in; i++)
    if (strcmp(ls->inputs[i].name, "srst_ni") == 0) in[ls->inputs[i].word] = 1;
}
