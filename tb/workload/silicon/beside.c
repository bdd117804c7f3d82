/* SPDX-License-Identifier: Apache-2.0 */
/* Launches on both machines, and their times. See beside.h. */
#include "workload/silicon/beside_state.h"

#include "base/grow.h"

#include <stdlib.h>
#include <string.h>

/* ---- opening ----------------------------------------------------------------------- */

static int load(beside_t *x, mrpb_err_t *err) {
  ptx_text_t text;
  const ptx_module_t *m = x->view.module;
  unsigned n = 0;
  while (ptx_text(m, n, &text)) n++;
  x->place = calloc(ptx_variables(m) + 1, sizeof *x->place);
  x->module = calloc(n, sizeof(card_module_t *));
  x->begin = memory_begin(x->view.memory);
  if (!x->place || !x->module) return mrpb_fail(err, "GPU: out of memory");
  for (; ptx_text(m, x->n_modules, &text); x->n_modules++)
    if (card_load(&x->module[x->n_modules], x->card, text.text, text.bytes, text.name, err) != 0)
      return -1;
  return beside_bind(x, err);
}

int beside_open(beside_t **out, card_t *card, workload_t *w, mrpb_err_t *err) {
  beside_t *x = calloc(1, sizeof *x);
  *out = NULL;
  if (!x) return mrpb_fail(err, "GPU: out of memory");
  x->card = card;
  x->w = w;
  int rc = simt_view(w, &x->view)
               ? load(x, err)
               : mrpb_fail(err, "GPU: no kernels to launch; legal: a program or a PTX text");
  if (rc == 0) return *out = x, 0;
  beside_close(x);
  return -1;
}

void beside_close(beside_t *x) {
  if (!x) return;
  for (unsigned i = 0; i < x->n_modules; i++) card_unload(x->module[i]);
  free(x->module);
  free(x->place);
  free(x->word);
  free(x->known);
  free(x->kernel);
  free(x);
}

void beside_loose(beside_t *x, beside_range_t range, const void *ctx) {
  x->range = range;
  x->range_ctx = ctx;
}

/* ---- launches ---------------------------------------------------------------------- */

/* The row of the current launch's kernel; NULL if out of memory. */
static beside_kernel_t *row(beside_t *x) {
  const char *name = x->view.launch->kernel->name;
  for (size_t i = 0; i < x->n_kernels; i++)
    if (strcmp(x->kernel[i].kernel, name) == 0) return &x->kernel[i];
  beside_kernel_t *to = grow(x->kernel, x->n_kernels + 1, &x->kernels_room, sizeof *x->kernel);
  if (!to) return NULL;
  x->kernel = to;
  to += x->n_kernels++;
  *to = (beside_kernel_t){.kernel = name};
  return to;
}

static card_module_t *module_of(const beside_t *x, const ptx_kernel_t *kernel) {
  ptx_text_t text;
  for (unsigned i = 0; ptx_text(x->view.module, i, &text); i++)
    for (unsigned k = 0; k < text.n_kernels; k++)
      if (ptx_kernel(x->view.module, text.first_kernel + k) == kernel) return x->module[i];
  return NULL;
}

/* Also times an empty kernel with the same grid, because the time of a short kernel is mostly that
 * of its launch. */
static int launch(beside_t *x, double limit, mrpb_err_t *err) {
  const simt_launch_t *l = x->view.launch;
  double seconds = 0, empty = 0;
  const card_launch_t on_card = {.kernel = l->kernel->name,
                                 .grid = {l->grid[0], l->grid[1], l->grid[2]},
                                 .block = {l->block[0], l->block[1], l->block[2]},
                                 .shared = l->shared,
                                 .params = l->params,
                                 .param_bytes = l->kernel->param_bytes};
  beside_kernel_t *k = row(x);
  if (!k) return mrpb_fail(err, "GPU: out of memory");
  if (card_nothing(x->card, &on_card, limit, &empty, err) != 0) return -1;
  if (card_launch(module_of(x, l->kernel), &on_card, limit, &seconds, err) != 0) return -1;
  if (k->launches == 0 || seconds < k->shortest) k->shortest = seconds;
  if (k->launches == 0 || empty < k->empty) k->empty = empty;
  k->seconds += seconds;
  k->launches++;
  return 0;
}

/* The executor runs first: if it finds a fault in the program, the GPU need not be lost to it. */
static int run_both(beside_t *x, const launch_t *l, double limit, bool (*stop)(void),
                    mrpb_err_t *err) {
  x->launches++;
  if (beside_upload(x, err) != 0) return WORKLOAD_FAILED;
  for (uint32_t b = 0; b < l->blocks; b++) {
    if (stop && stop()) return mrpb_fail(err, "interrupted"), WORKLOAD_FAILED;
    if (workload_run_block(x->w, l, b, limit, err) != 0) return WORKLOAD_FAILED;
  }
  if (launch(x, limit, err) != 0) return WORKLOAD_FAILED;
  return beside_compare(x, err);
}

int beside_run(beside_t *x, double limit, bool (*stop)(void), mrpb_err_t *err) {
  const launch_t *l;
  while ((l = workload_next(x->w))) {
    const int rc = run_both(x, l, limit, stop, err);
    if (rc != 0) return rc;
  }
  if (!workload_fault(x->w)) return workload_check(x->w, err);
  mrpb_fail(err, "%s", workload_fault(x->w)->text);
  return WORKLOAD_FAILED;
}

/* ---- results ------------------------------------------------------------------------- */

void beside_result(const beside_t *x, beside_result_t *result) {
  *result = (beside_result_t){.launches = x->launches,
                              .bytes = x->known_bytes - x->loose,
                              .loose = x->loose,
                              .n_kernels = (unsigned)x->n_kernels,
                              .kernel = x->kernel};
}

const uint8_t *beside_memory(const beside_t *x, uint64_t *bytes) {
  *bytes = x->known_bytes;
  return x->known;
}
