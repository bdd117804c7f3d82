/* SPDX-License-Identifier: Apache-2.0 */
/* How an SM reaches its MSHR table, MRPB and PRT: a clocked structure behind two functions, so that
 * the C model, the Verilog or both in lockstep can be used. The results are bit for bit the same
 * with each.
 *
 * Inputs and outputs are the arrays of module_class_t (cmodel/module.h): in.words and out.words
 * uint64_t with the layout of <stem>_in_t and <stem>_out_t. `comb` may be called several times a
 * cycle; `edge` is called once at the end of a cycle. srst_ni is 1 in every cycle of a run. */
#ifndef UNIT_H
#define UNIT_H

#include "err.h"
#include "module.h"
#include "verilog/shim/shim.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef struct {
  /* The C model if the unit is nothing else, for callers that have a faster way to call it;
   * otherwise NULL. */
  void *plain;
  /* The unit must be clocked in every cycle of the SM, even if it has nothing to do. */
  bool every_cycle;
  void *self;
  const module_class_t *cls;
  void (*comb)(void *self, const uint64_t *in, uint64_t *out);
  /* Nonzero if C model and Verilog differ (or the Verilog failed): the report is in `err` or was
   * written by the provider, and the run stops. */
  int (*edge)(void *self, const uint64_t *in, mrpb_err_t *err);
  void (*destroy)(void *self);
  uint32_t params[MODULE_MAX_PARAMS]; /* parameters that it was opened with, set by unit_open */
  /* The C model of the unit, for waves and dumps (module_class_t.regs); NULL if there is none. */
  const void *model;
  const shim_view_t *rtl; /* the Verilog's registers, cls->n_regs of them; NULL without Verilog */
} unit_t;

typedef enum { UNIT_C, UNIT_RTL, UNIT_BOTH } unit_impl_t;

/* Opens an instance of `cls` with parameters `cfg` (in the order of cls->params). `name` is its
 * place in the hierarchy, such as "sm0.mshr"; `ctx` belongs to the caller that set the provider.
 * Returns 0, or -1 and a message. */
typedef int (*unit_open_fn)(unit_t *out, const module_class_t *cls, const uint32_t *cfg,
                            unit_impl_t impl, const char *name, void *ctx, mrpb_err_t *err);

/* An observer of every cycle of the units of SM `sm`. `open` is called for each unit when it is
 * opened. It replaces the unit by one that passes every call on, and that closes the original at
 * the end. */
typedef struct {
  unsigned sm;
  int (*open)(unit_t *u, void *ctx, mrpb_err_t *err);
  void *ctx;
} unit_watch_t;

/* Which implementation is used for which unit. `open_rtl` provides UNIT_RTL and UNIT_BOTH; NULL
 * without Verilog. */
typedef struct {
  unit_impl_t mrpb, mshr, prt, l1;
  bool l1_path; /* l1_top is the L1 of every SM */
  int sm;       /* the SM that uses these; -1 for all. The other SMs run the C models. */
  unit_open_fn open_rtl;
  void *ctx;
  const unit_watch_t *watch; /* NULL: no observer */
} unit_choice_t;

/* Verilog is in the place of some unit. */
static inline bool unit_verilog(const unit_choice_t *c) {
  return c->mrpb != UNIT_C || c->mshr != UNIT_C || c->prt != UNIT_C || c->l1 != UNIT_C;
}

/* Opens the instance that `choice` (NULL: C everywhere) selects for SM `sm`. Returns 0, or -1 and a
 * message; *out is then closed. */
int unit_open(unit_t *out, const module_class_t *cls, const uint32_t *cfg,
              const unit_choice_t *choice, unsigned sm, mrpb_err_t *err);

/* Reads "mrpb=c|rtl|both,mshr=...,prt=...,l1=..." into `choice`. */
int unit_parse(unit_choice_t *choice, const char *text, mrpb_err_t *err);

static inline void unit_comb(const unit_t *u, const uint64_t *in, uint64_t *out) {
  u->comb(u->self, in, out);
}

static inline int unit_edge(const unit_t *u, const uint64_t *in, mrpb_err_t *err) {
  return u->edge(u->self, in, err);
}

/* A register of the unit, by its name in the table (at most 64 bits): of the C model, or of the
 * Verilog if there is no C model. unit_find_reg returns 0, or -1 and a message. */
typedef struct {
  const void *data;
  unsigned bytes;
} unit_reg_t;
int unit_find_reg(const unit_t *u, const char *name, unit_reg_t *out, mrpb_err_t *err);
static inline uint64_t unit_reg_value(const unit_reg_t *r) {
  uint64_t value = 0;
  memcpy(&value, r->data, r->bytes);
  return value;
}

void unit_close(unit_t *u);

#endif
