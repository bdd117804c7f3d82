/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* strsignal */
#include "verilog/load/trial.h"

#include "base/jobs.h"
#include "verilog/build.h"
#include "verilog/shim/shim.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { SECONDS = 10, CYCLES = 8, STOPPED = 3, NO_MEMORY = 4 };

typedef struct {
  const char *object, *what;
  const module_class_t *cls;
  mrpb_err_t *err;
  int code;
} trial_t;

/* Runs with all inputs 0, which is a reset if the module has one. */
static int attempt(void *ctx, size_t job, FILE *out) {
  const trial_t *t = ctx;
  (void)job;
  void *handle = dlopen(t->object, RTLD_NOW | RTLD_LOCAL);
  const shim_table_t *shim = handle ? dlsym(handle, SHIM_SYMBOL) : NULL;
  uint64_t *in = calloc(t->cls->in_words + 1, sizeof *in),
           *to = calloc(t->cls->out_words + 1, sizeof *to);
  void *dut = shim && in && to ? shim->create(0, SHIM_ZEROS) : NULL;
  if (!dut) return NO_MEMORY;
  shim->watch(dut);
  for (unsigned n = 0; n < CYCLES && !shim->stopped(dut); n++) {
    shim->comb(dut, in, to);
    shim->edge(dut);
  }
  if (!shim->stopped(dut)) return RTL_OK;
  fprintf(out, "%s", shim->stopped(dut));
  return STOPPED;
}

static jobs_then_t hear(void *ctx, const jobs_end_t *end) {
  trial_t *t = ctx;
  char said[256] = "";
  t->code = RTL_BAD_INPUT;
  if (end->out) said[fread(said, 1, sizeof said - 1, end->out)] = '\0';
  if (end->exited && end->code == RTL_OK)
    t->code = RTL_OK;
  else if (end->exited && end->code == STOPPED)
    mrpb_fail(t->err, "%s: ends the simulation while it is reset: %s; legal: a design that runs",
              t->what, said);
  else if (end->exited)
    t->code =
        (mrpb_fail(t->err, "%s: out of memory, or its shared object cannot be loaded", t->what),
         RTL_BAD_TOOL);
  else if (end->ended)
    mrpb_fail(t->err,
              "%s: does not finish its first cycles within %d s; legal: initial blocks "
              "and loops that end",
              t->what, (int)SECONDS);
  else
    mrpb_fail(t->err, "%s: crashes (%s) in its first cycles", t->what, strsignal(end->code));
  return JOBS_GO_ON;
}

int trial_run(const char *object, const char *what, const module_class_t *cls, mrpb_err_t *err) {
  trial_t t = {.object = object, .what = what, .cls = cls, .err = err, .code = RTL_BAD_TOOL};
  const jobs_t pool = {.n = 1, .seconds = SECONDS, .ctx = &t, .work = attempt, .end = hear};
  return jobs_run(&pool, err) < 0 ? RTL_BAD_TOOL : t.code;
}
