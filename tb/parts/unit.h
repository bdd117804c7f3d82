/* SPDX-License-Identifier: Apache-2.0 */
/* How an SM reaches its MSHR table, MRPB and PRT: a clocked structure behind two functions, so that
 * the C model, the Verilog or both in lockstep can stand in. Whatever stands in, the results are
 * the same bit for bit.
 *
 * Inputs and outputs are the arrays of module_class_t (cmodel/module.h): in.words and out.words
 * uint64_t that have the layout of <stem>_in_t and <stem>_out_t. `comb` may be called several times
 * a cycle; `edge` is called once at the end of a cycle. rst_ni is 1 in every cycle of a run. */
#ifndef UNIT_H
#define UNIT_H

#include "err.h"
#include "module.h"
#include "verilog/shim/shim.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  /* The C model if nothing but it stands in, for whoever has a shorter way through it; else NULL.
   */
  void *plain;
  /* Must be clocked in every cycle of the SM, also in those in which it has nothing to do. */
  bool every_cycle;
  void *self;
  const module_class_t *cls;
  void (*comb)(void *self, const uint64_t *in, uint64_t *out);
  /* Nonzero: C model and Verilog differ (or the Verilog failed); the report is in `err` or was
   * written by the provider, and the run stops. */
  int (*edge)(void *self, const uint64_t *in, mrpb_err_t *err);
  void (*destroy)(void *self);
  uint32_t params[MODULE_MAX_PARAMS]; /* what it was opened with; unit_open fills them in */
  /* The C model beside it, for waves and dumps (module_class_t.regs); NULL if there is none. */
  const void *model;
  const shim_view_t *rtl; /* the Verilog's registers, cls->n_regs of them; NULL without Verilog */
} unit_t;

typedef enum { UNIT_C, UNIT_RTL, UNIT_BOTH } unit_impl_t;

/* Opens an instance of `cls` with parameters `cfg` (in the order of cls->params). `name` is its
 * place in the hierarchy, such as "sm0.mshr"; `ctx` belongs to whoever set the provider. 0, or -1
 * and a message. */
typedef int (*unit_open_fn)(unit_t *out, const module_class_t *cls, const uint32_t *cfg,
                            unit_impl_t impl, const char *name, void *ctx, mrpb_err_t *err);

/* Somebody who looks at every cycle of the units of SM `sm`: `open` is given each of them when it is
 * opened and puts something in its place that passes everything on, and closes it in the end. */
typedef struct {
  unsigned sm;
  int (*open)(unit_t *u, void *ctx, mrpb_err_t *err);
  void *ctx;
} unit_watch_t;

/* What stands in where. `open_rtl` provides UNIT_RTL and UNIT_BOTH; NULL where there is no Verilog.
 */
typedef struct {
  unit_impl_t mrpb, mshr, prt;
  int sm; /* the SM they stand in; -1 for all of them. The others run the C models. */
  unit_open_fn open_rtl;
  void *ctx;
  const unit_watch_t *watch; /* NULL: nobody watches */
} unit_choice_t;

/* Opens the instance that `choice` (NULL: C everywhere) asks for in SM `sm`. 0, or -1 with a
 * message, and *out is closed. */
int unit_open(unit_t *out, const module_class_t *cls, const uint32_t *cfg,
              const unit_choice_t *choice, unsigned sm, mrpb_err_t *err);

/* Reads "mrpb=c|rtl|both,mshr=...,prt=..." into `choice`. */
int unit_parse(unit_choice_t *choice, const char *text, mrpb_err_t *err);

static inline void unit_comb(const unit_t *u, const uint64_t *in, uint64_t *out) {
  u->comb(u->self, in, out);
}

static inline int unit_edge(const unit_t *u, const uint64_t *in, mrpb_err_t *err) {
  return u->edge(u->self, in, err);
}

void unit_close(unit_t *u);

#endif
