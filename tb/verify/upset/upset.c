/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/upset/upset.h"

#include "base/names.h"
#include "prng.h"
#include "verify/upset/window.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* GAP: most cycles between two windows. RESETS: windows in a row that contain a reset. */
enum { GAP = 512, RESETS = 100, WORDS_STREAM = 0x0b5e7, GAP_STREAM = 0x0b5e8 };

typedef struct {
  const upset_job_t *job;
  upset_table_t *table;
  upset_window_t *window;
  prng_t words, gaps;
  uint32_t *order; /* for drawing words of an array */
} run_t;

static bool wanted(const upset_job_t *job, const module_reg_t *reg) {
  return !job->reg || strcmp(job->reg, reg->name) == 0;
}

/* The registers of the module at these sizes. */
static int list_registers(const upset_job_t *job, module_reg_t *regs, mrpb_err_t *err) {
  void *model = NULL;
  if (job->cls->n_regs == 0)
    return mrpb_fail(err, "%s: has no registers; legal: a module with registers", job->cls->stem);
  if (job->cls->create(&model, job->cfg, err) != 0) return -1;
  job->cls->regs(model, regs);
  job->cls->destroy(model);
  return 0;
}

int upset_check(const upset_job_t *job, mrpb_err_t *err) {
  module_reg_t regs[MODULE_MAX_REGS];
  if (list_registers(job, regs, err) != 0) return -1;
  names_near_t near = names_near(job->reg ? job->reg : "");
  for (unsigned i = 0; i < job->cls->n_regs; i++) {
    if (wanted(job, &regs[i])) return 0;
    names_offer(&near, regs[i].name);
  }
  return mrpb_fail(err, "--bits %.60s: %s has no such register%s", job->reg, job->cls->stem,
                   near.text);
}

static void make_rows(upset_table_t *table, const upset_job_t *job, const module_reg_t *regs) {
  *table = (upset_table_t){.n = job->cls->n_regs};
  for (unsigned i = 0; i < table->n; i++) {
    snprintf(table->row[i].name, sizeof table->row[i].name, "%s", regs[i].name);
    table->row[i].bits = (uint64_t)regs[i].width * regs[i].words;
  }
}

static void flip_word(run_t *r, unsigned reg, unsigned elem) {
  upset_row_t *row = &r->table->row[reg];
  const unsigned width = upset_window_regs(r->window)[reg].width;
  for (unsigned bit = 0; bit < width; bit++) {
    const upset_outcome_t outcome = upset_window_flip(r->window, 1, reg, elem, bit);
    row->count[outcome]++;
    row->injections++;
    if (r->job->flips)
      fprintf(r->job->flips, "%" PRIu64 ",%s,%u,%u,%s\n", upset_window_first(r->window), row->name,
              elem, bit, upset_name(outcome));
  }
}

static bool stopped(const run_t *r) {
  return r->job->stop && r->job->stop();
}

/* Flips the bits of all words of a register, or of some that are drawn without repetition. */
static void flip_register(run_t *r, unsigned reg) {
  const unsigned words = upset_window_regs(r->window)[reg].words;
  const uint64_t n = words < r->job->words ? words : r->job->words;
  for (unsigned i = 0; i < words; i++) r->order[i] = i;
  for (unsigned i = 0; i < n && !stopped(r); i++) {
    const unsigned k = n < words ? i + prng_below(&r->words, words - i) : i, drawn = r->order[k];
    r->order[k] = r->order[i];
    r->order[i] = drawn;
    flip_word(r, reg, drawn);
  }
}

/* Lets the run go on until a window without a reset is recorded. */
static int next_moment(run_t *r, mrpb_err_t *err) {
  bool reset = true;
  for (unsigned i = 0; reset && i < RESETS && !stopped(r); i++)
    if (upset_window_skip(r->window, 1 + prng_below(&r->gaps, GAP), NULL, err) != 0 ||
        upset_window_record(r->window, NULL, &reset, err) != 0)
      return UPSET_DIFFERENT;
  if (!reset || stopped(r)) return RTL_OK;
  mrpb_fail(err, "--cycles %" PRIu64 ": the stimulus of %s resets in every window; legal: fewer",
            r->job->cycles, r->job->cls->stem);
  return RTL_BAD_INPUT;
}

static int inject(run_t *r, mrpb_err_t *err) {
  const module_reg_t *regs = upset_window_regs(r->window);
  for (uint64_t m = 0; m < r->job->moments && !stopped(r); m++) {
    const int rc = next_moment(r, err);
    if (rc != RTL_OK) return rc;
    r->table->moments++;
    for (unsigned i = 0; i < r->table->n; i++)
      if (wanted(r->job, &regs[i])) flip_register(r, i);
  }
  return RTL_OK;
}

int upset_run(upset_table_t *table, const upset_job_t *job, rtl_env_t *env, mrpb_err_t *err) {
  module_reg_t regs[MODULE_MAX_REGS];
  rtl_lib_t *lib = NULL;
  run_t r = {.job = job, .table = table};
  unsigned most = 1;
  if (list_registers(job, regs, err) != 0) return RTL_BAD_INPUT;
  make_rows(table, job, regs);
  if (job->flips) fputs("cycle,register,word,bit,outcome\n", job->flips);
  int rc = rtl_lib_open(&lib, env, job->cls, job->cfg, err);
  if (rc != RTL_OK) return rc;
  for (unsigned i = 0; i < table->n; i++) most = regs[i].words > most ? regs[i].words : most;
  r.words = prng_seed(job->seed, WORDS_STREAM);
  r.gaps = prng_seed(job->seed, GAP_STREAM);
  r.order = malloc(most * sizeof *r.order);
  if (!r.order)
    rc = (mrpb_fail(err, "%s: out of memory", job->cls->stem), RTL_BAD_TOOL);
  else
    rc = upset_window_open(&r.window, job->cls, job->cfg, lib, job->seed, job->cycles, err);
  if (rc == RTL_OK) rc = inject(&r, err);
  upset_window_close(r.window);
  free(r.order);
  rtl_lib_close(lib);
  return rc;
}

uint64_t upset_silent(const upset_table_t *table) {
  uint64_t n = 0;
  for (unsigned i = 0; i < table->n; i++)
    n += table->row[i].count[UPSET_WRONG] + table->row[i].count[UPSET_LOST] +
         table->row[i].count[UPSET_HANG];
  return n;
}
