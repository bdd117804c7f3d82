/* SPDX-License-Identifier: Apache-2.0 */
/* One co-simulation run. */
#include "cosim/run.h"
#include "base/sizes.h"

#include "cosim/cross/cells.h"
#include "cosim/cross/cross.h"
#include "cosim/lockstep/fault.h"
#include "cosim/lockstep/lockstep.h"
#include "cosim/lockstep/recording.h"
#include "cosim/regress.h"
#include "cosim/stim/tempo.h"
#include "cosim/lockstep/report.h"
#include "cosim/lockstep/result.h"
#include "cosim/tally.h"
#include "cosim/lockstep/wave.h"
#include "base/json_out.h"
#include "base/waves/gtkw.h"
#include "base/waves/wave_file.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ASK_EVERY = 1 << 14, TEXT = 1024, COMMAND = 3 * TEXT };

typedef struct {
  const cosim_job_t *job;
  const stim_class_t *stim;
  lockstep_t *ls;
  void *state;
  tempo_t tempo;
  uint64_t *in;
  stim_hits_t hits;
  const cross_class_t *cross; /* NULL: not asked for */
  cross_counts_t crosses;
  cells_t *cells; /* NULL: not asked for, or there are none */
  faults_t faults;
  vectors_t *record; /* records cycles from record_from on; NULL: none */
  uint64_t record_from;
  mrpb_err_t record_err;
} run_t;

static int start(run_t *run, const cosim_job_t *job, const rtl_lib_t *lib, mrpb_err_t *err) {
  memset(run, 0, sizeof *run);
  run->job = job;
  run->stim = stim_class(job->cls->stem);
  if (!run->stim) return mrpb_fail(err, "%s: no stimulus for this module", job->cls->stem);
  if (job->list_bins || job->tally) run->cross = cross_class(job->cls->stem);
  if (lockstep_open(&run->ls, job->cls, job->cfg, lib, job->seed, err) != 0) return -1;
  run->state = malloc(run->stim->size);
  run->in = calloc(job->cls->in_words, sizeof *run->in);
  if (run->cross && cells_class(job->cls->stem) &&
      cells_open(&run->cells, cells_class(job->cls->stem), job->cfg, err) != 0)
    return -1;
  if (!run->state || !run->in) return mrpb_fail(err, "%s: out of memory", job->cls->stem);
  run->stim->start(run->state, job->cfg, job->seed);
  tempo_start(&run->tempo, job->cls, job->cfg, job->seed, run->stim, run->state);
  fault_start(&run->faults, run->ls, job->cycles, job->seed);
  return 0;
}

static void stop(run_t *run) {
  lockstep_close(run->ls);
  cells_close(run->cells);
  free(run->state);
  free(run->in);
}

typedef enum { SAME, DIFFERENT_OUTPUTS, DIFFERENT_REGISTERS } outcome_t;

static void count(run_t *run, bool faulty) {
  const lockstep_t *ls = run->ls;
  const void *model = lockstep_model(ls);
  const uint64_t *in = lockstep_in(ls), *out = lockstep_out_c(ls);
  uint64_t bins = run->stim->sample(run->state, model, in, out);
  fault_count(&run->faults, ls, faulty);
  if (faulty) return;
  stim_count(&run->hits, bins);
  if (!run->cross) return;
  const cross_cycle_t c = {run->job->cfg, model, in, out};
  cross_count(run->cross, &run->crosses, &c);
  if (run->cells) cells_sample(run->cells, &c);
}

/* Draws the inputs of the next cycle. */
static void draw(run_t *run, bool faulty) {
  for (unsigned n = 0; n < LOCKSTEP_DRAWS; n++) {
    run->stim->next(run->state, lockstep_model(run->ls), run->in);
    tempo_cycle(&run->tempo, run->in);
    if (faulty) fault_make(&run->faults, run->ls, run->in);
    if (lockstep_assumed(run->ls, run->in)) return;
  }
  lockstep_idle(run->ls, run->in);
}

/* Runs one cycle. During a wave's tail the run goes on after a difference. */
static outcome_t cycle(run_t *run, wave_t *wave) {
  lockstep_t *ls = run->ls;
  bool starting = lockstep_cycle(ls) < LOCKSTEP_RESET_CYCLES; /* all inputs 0: reset */
  const bool faulty = fault_now(&run->faults, ls);
  if (!starting && lockstep_cycle(ls) == LOCKSTEP_RESET_CYCLES + run->job->cycles)
    tempo_end(&run->tempo); /* the faults need the usual inputs */
  if (!starting) draw(run, faulty);
  bool same = lockstep_comb(ls, run->in);
  if (run->record && !faulty && lockstep_cycle(ls) >= run->record_from &&
      vectors_add(run->record, lockstep_in(ls), &run->record_err) != 0)
    run->record = NULL;
  if (!starting) count(run, faulty);
  if (run->stim->active(lockstep_in(ls))) lockstep_remember(ls);
  if (wave) wave_cycle(wave, ls);
  if (!same && !wave) return DIFFERENT_OUTPUTS;
  return lockstep_edge(ls) ? SAME : DIFFERENT_REGISTERS;
}

/* Writes the wave of cycles from..to-1, from a second run with the same seed. */
static int record_wave(const cosim_job_t *job, const rtl_lib_t *lib, const char *path,
                       uint64_t from, uint64_t to, mrpb_err_t *err) {
  run_t run;
  wave_t *wave = NULL;
  int rc = start(&run, job, lib, err);
  if (rc == 0) rc = wave_open(&wave, path, run.ls, err);
  for (uint64_t n = 0; rc == 0 && lockstep_cycle(run.ls) < to; n++) {
    cycle(&run, lockstep_cycle(run.ls) >= from ? wave : NULL);
    if (n % ASK_EVERY == 0 && job->stop && job->stop()) break;
  }
  stop(&run);
  return wave_close(wave, err) != 0 ? -1 : rc;
}

/* The wave and its save file get their own names only when they are complete. */
static int write_wave(const cosim_job_t *job, const rtl_lib_t *lib, const wave_window_t *window,
                      mrpb_err_t *err) {
  char temp[OUTPUT_NAME];
  wave_window_t w = *window;
  w.bind = rtl_lib_bind(lib);
  if (wave_file_temp(job->vcd, temp, err) != 0) return -1;
  if (record_wave(job, lib, temp, window->from, window->to, err) != 0) {
    output_discard(job->vcd, temp);
    return -1;
  }
  return wave_commit(job->vcd, temp, job->cls, job->cfg, &w, job->out, err);
}

/* Rebuilds the stimulus up to cycle `at`, or a reset and its last REGRESS_WINDOW cycles, from a
 * second run with the same seed. */
static int stimulus_again(const cosim_job_t *job, const rtl_lib_t *lib, uint64_t at, vectors_t *v,
                          mrpb_err_t *err) {
  run_t run;
  int rc = start(&run, job, lib, err);
  if (rc == 0) rc = vectors_init(v, job->cls, job->cfg, job->seed, err);
  if (rc == 0 && at >= REGRESS_WINDOW) {
    run.record_from = at + 1 - REGRESS_WINDOW;
    rc = vectors_add(v, run.in, err); /* all 0: a reset */
  }
  if (rc == 0) run.record = v;
  for (uint64_t n = 0; rc == 0 && n <= at; n++) {
    cycle(&run, NULL);
    if (!run.record) rc = mrpb_fail(err, "%s", run.record_err.text);
    if (n % ASK_EVERY == 0 && job->stop && job->stop()) rc = mrpb_fail(err, "interrupted");
  }
  stop(&run);
  return rc;
}

/* Returns false if the difference cannot be shrunk. */
static bool shrink_difference(const cosim_job_t *job, const rtl_lib_t *lib, const rtl_env_t *env,
                              uint64_t at) {
  mrpb_err_t err = {""};
  vectors_t v = {.cls = NULL};
  bool shrunk = false;
  char kept[FILES_PATH] = "";
  regress_t keep = {.lib = lib,
                    .dir = job->regress,
                    .options = rtl_env_options(env),
                    .program = job->program,
                    .tools = rtl_env_tools(env),
                    .stop = job->stop,
                    .out = job->out,
                    .kept = kept};
  if (stimulus_again(job, lib, at, &v, &err) == 0) {
    snprintf(v.origin, sizeof v.origin, "cosim, seed %" PRIu64 ", shrunk from %" PRIu64 " cycles",
             job->seed, at + 1);
    shrunk = regress_keep(&keep, &v);
  } else {
    fprintf(job->out, "  %-12snot: %s\n", "shrunk", err.text);
  }
  if (job->result && kept[0]) json_out_set(job->result, "kept", json_string(kept));
  vectors_free(&v);
  return shrunk;
}

static void command(const cosim_job_t *job, const rtl_env_t *env, uint64_t cycles, char *text,
                    size_t size) {
  char sizes[SIZES_TEXT];
  sizes_text(job->cls, job->cfg, "--set ", sizes, sizeof sizes);
  snprintf(text, size, "%s cosim %s %s --seed %" PRIu64 " --cycles %" PRIu64 "%s", job->program,
           job->cls->stem, sizes, job->seed, cycles, rtl_env_options(env));
}

static int report_difference(run_t *run, const rtl_lib_t *lib, const rtl_env_t *env,
                             outcome_t outcome, mrpb_err_t *err) {
  const cosim_job_t *job = run->job;
  lockstep_t *ls = run->ls;
  uint64_t at = lockstep_cycle(ls) - (outcome == DIFFERENT_REGISTERS);
  char repeat[COMMAND], wave[TEXT];
  const bool faulty = run->faults.cls && at >= run->faults.first, shrink = job->shrink && !faulty;
  command(job, env,
          faulty                       ? job->cycles
          : at < LOCKSTEP_RESET_CYCLES ? 1
                                       : at - LOCKSTEP_RESET_CYCLES + 1,
          repeat, sizeof repeat);
  if (faulty)
    fprintf(job->out,
            "after %" PRIu64 " cycles that match, with bits of %s that flip on both sides:\n",
            job->cycles, run->faults.cls->memory);
  lockstep_diff_t diffs[LOCKSTEP_MAX_DIFFS];
  wave_command(job->vcd, job->cls->stem, wave, sizeof wave);
  const report_t report = {.place = job->cls->stem,
                           .rtl_dir = rtl_env_place(env, job->cls),
                           .seed = job->seed,
                           .cycle = at,
                           .regs = outcome == DIFFERENT_REGISTERS,
                           .brief = shrink,
                           .wave = wave,
                           .repeat = repeat};
  report_mismatch(job->out, ls, &report);
  result_count(job->result, "cycles", at > LOCKSTEP_RESET_CYCLES ? at - LOCKSTEP_RESET_CYCLES : 0);
  result_difference(job->result, ls, &report);
  if (shrink && !shrink_difference(job, lib, env, at)) report_transactions(job->out, ls, &report);
  if (!job->vcd) return COSIM_DIFFERENT;
  wave_window_t window = {.from = at > WAVE_BEFORE ? at - WAVE_BEFORE : 0,
                          .to = at + WAVE_AFTER,
                          .failed = true,
                          .cycle = at,
                          .regs = outcome == DIFFERENT_REGISTERS,
                          .diffs = diffs};
  window.n_diffs = lockstep_diffs(ls, window.regs, diffs, LOCKSTEP_MAX_DIFFS);
  if (window.n_diffs > LOCKSTEP_MAX_DIFFS) window.n_diffs = LOCKSTEP_MAX_DIFFS;
  if (write_wave(job, lib, &window, err) != 0) return COSIM_BAD_INPUT;
  if (shrink) fprintf(job->out, "  %-12s%s (of the whole run)\n", "wave", wave);
  return COSIM_DIFFERENT;
}

/* An assumption of a map may prevent a bin from being reached. */
static bool must_all(const run_t *run, uint64_t cycles) {
  return cycles >= COSIM_BINS_CYCLES && !lockstep_assumes(run->ls);
}

/* Prints the bins. Returns COSIM_DIFFERENT if a required bin was not hit, or an impossible one
 * was. */
static int judge_bins(const run_t *run, uint64_t cycles, unsigned *hit, unsigned *possible) {
  const cosim_job_t *job = run->job;
  const bool must = must_all(run, cycles);
  int rc = COSIM_MATCHED;
  *hit = *possible = 0;
  for (unsigned b = 0; b < run->stim->n_bins; b++) {
    const bin_t *bin = &run->stim->bins[b];
    uint64_t n = stim_hits(&run->hits, b);
    bool can = !bin->possible || bin->possible(job->cfg);
    *possible += can;
    *hit += can && n > 0;
    if (job->list_bins)
      fprintf(job->out, "  %-20s %12" PRIu64 "  %s%s\n", bin->name, n, bin->doc,
              can                           ? ""
              : bin->possible == stim_never ? " (must not happen)"
                                            : " (impossible with these sizes)");
    if (can == (n > 0)) continue;
    if (can && lockstep_assumes(run->ls))
      fprintf(job->out, "%s: bin %s was not reached in %" PRIu64 " cycles: %s\n", job->cls->stem,
              bin->name, cycles, bin->doc);
    else if (can && must)
      fprintf(job->out, "%s: bin %s was never hit in %" PRIu64 " cycles: %s\n", job->cls->stem,
              bin->name, cycles, bin->doc);
    else if (can)
      fprintf(job->out,
              "%s: bin %s was not reached in %" PRIu64 " cycles (must be reached in %" PRIu64
              "): %s\n",
              job->cls->stem, bin->name, cycles, COSIM_BINS_CYCLES, bin->doc);
    else
      fprintf(job->out,
              "%s: bin %s must not happen with these sizes, but did %" PRIu64 " times: %s\n",
              job->cls->stem, bin->name, n, bin->doc);
    if (!can || must) rc = COSIM_DIFFERENT;
  }
  return rc;
}

/* Returns false if a cell was reached that cannot be. */
static bool judge_cells(const run_t *run) {
  const cosim_job_t *job = run->job;
  const cells_verdict_t v = cells_judge(run->cells, job->list_bins, job->out);
  fprintf(job->out, "  %" PRIu64 " of %" PRIu64 " cells of (%s x state x event), %.1f %%\n", v.hit,
          v.cells, cells_class(job->cls->stem)->entry, 100.0 * (double)v.hit / (double)v.cells);
  return v.wrong == 0;
}

/* Writes Verilator's counters, one file for each set of sizes. */
static int write_lines(const run_t *run, mrpb_err_t *err) {
  char path[TEXT];
  const cosim_job_t *job = run->job;
  if (mkdir(job->lines, 0777) != 0 && errno != EEXIST)
    return mrpb_fail(err, "--line-coverage %s: cannot make the folder: %s", job->lines,
                     strerror(errno));
  int n = snprintf(path, sizeof path, "%s/%s-%016" PRIx64 ".dat", job->lines, job->cls->stem,
                   vectors_config_hash(job->cls, job->cfg));
  if (n < 0 || n >= TEXT) return mrpb_fail(err, "--line-coverage %.60s...: name too long", path);
  lockstep_coverage(run->ls, path);
  if (access(path, R_OK) == 0) return 0;
  return mrpb_fail(err, "%s: cannot write: %s", path, strerror(errno));
}

static void say_result(const run_t *run, uint64_t cycles, unsigned hit, unsigned possible,
                       const verdict_t *verdict) {
  json_t **o = run->job->result;
  result_count(o, "cycles", cycles);
  result_count(o, "bins_met", hit);
  result_count(o, "bins", possible);
  result_compared(o, verdict);
}

static int finish(run_t *run, const rtl_lib_t *lib, uint64_t done, bool stopped, mrpb_err_t *err) {
  const cosim_job_t *job = run->job;
  unsigned hit, possible;
  char sizes[SIZES_TEXT], tail[96];
  verdict_t verdict;
  int rc = judge_bins(run, done, &hit, &possible);
  if (!fault_judge(&run->faults, run->ls, job->list_bins, job->out, &hit, &possible) &&
      must_all(run, done))
    rc = COSIM_DIFFERENT;
  if (job->list_bins && run->cross) cross_print(run->cross, &run->crosses, job->out);
  if (run->cells && !judge_cells(run) && must_all(run, done)) rc = COSIM_DIFFERENT;
  if (*rtl_lib_unknown(lib)) rc = COSIM_DIFFERENT;
  sizes_text(job->cls, job->cfg, "", sizes, sizeof sizes);
  snprintf(tail, sizeof tail, ", %u of %u bins, seed %" PRIu64, hit, possible, job->seed);
  if (report_verdict(run->ls, &verdict, err) != 0) return COSIM_BAD_TOOL;
  if (verdict_check(&verdict, err) != 0) return COSIM_BAD_INPUT;
  verdict_write(&verdict, job->out, tail, "%s %" PRIu64 " cycles, %s %s",
                rc != COSIM_MATCHED ? "FAILED, but matched"
                : stopped           ? "interrupted, but matched"
                                    : "matched",
                done, job->cls->stem, sizes);
  (void)rtl_lib_say(lib, job->out);
  say_result(run, done, hit, possible, &verdict);
  if (job->tally && tally_write(job->tally, job->cls, job->cfg, &run->crosses, err) != 0)
    return COSIM_BAD_INPUT;
  if (job->lines && write_lines(run, err) != 0) return COSIM_BAD_INPUT;
  if (job->vcd) {
    uint64_t end = LOCKSTEP_RESET_CYCLES + done, n_cycles = WAVE_BEFORE + WAVE_AFTER;
    wave_window_t window = {.from = end > n_cycles ? end - n_cycles : 0, .to = end};
    if (write_wave(job, lib, &window, err) != 0) return COSIM_BAD_INPUT;
  }
  return stopped ? COSIM_INTERRUPTED : rc;
}

static int compare(run_t *run, const rtl_lib_t *lib, const rtl_env_t *env, mrpb_err_t *err) {
  const cosim_job_t *job = run->job;
  bool stopped = false;
  uint64_t n = 0;
  outcome_t outcome = SAME;
  while (outcome == SAME && lockstep_cycle(run->ls) < LOCKSTEP_RESET_CYCLES)
    outcome = cycle(run, NULL);
  for (; outcome == SAME && n < job->cycles && !stopped; n++) {
    outcome = cycle(run, NULL);
    if (n % ASK_EVERY == 0 && job->stop) stopped = job->stop();
  }
  for (uint64_t k = 0; outcome == SAME && !stopped && k < run->faults.cycles; k++)
    outcome = cycle(run, NULL);
  if (outcome != SAME) return report_difference(run, lib, env, outcome, err);
  return finish(run, lib, n, stopped, err);
}

static int record_start(run_t *run, vectors_t *v, const rtl_env_t *env, mrpb_err_t *err) {
  const cosim_job_t *job = run->job;
  if (vectors_init(v, job->cls, job->cfg, job->seed, err) != 0) return -1;
  snprintf(v->tools, sizeof v->tools, "%s", rtl_env_tools(env));
  snprintf(v->origin, sizeof v->origin, "cosim, seed %" PRIu64, job->seed);
  run->record = v;
  return 0;
}

static int record_end(const run_t *run, const vectors_t *v, mrpb_err_t *err) {
  if (!run->record) return mrpb_fail(err, "%s", run->record_err.text);
  return vectors_write(v, run->job->record, err);
}

int cosim_run(const cosim_job_t *job, rtl_env_t *env, mrpb_err_t *err) {
  rtl_lib_t *lib = NULL;
  vectors_t record = {.cls = NULL};
  run_t run;
  if (job->vcd && wave_probe("--vcd", job->vcd, err) != 0) return COSIM_BAD_INPUT;
  if (job->record &&
      (vectors_check_name(job->record, err) != 0 || wave_probe("--record", job->record, err) != 0))
    return COSIM_BAD_INPUT;
  result_open(job->result, job->cls, job->cfg);
  result_count(job->result, "seed", job->seed);
  result_witnesses(job->result, "c", "verilator");
  recording_set(env);
  int rc = rtl_lib_open(&lib, env, job->cls, job->cfg, err);
  if (rc != RTL_OK) return job->stop && job->stop() ? COSIM_INTERRUPTED : rc;
  if (start(&run, job, lib, err) != 0)
    rc = COSIM_BAD_TOOL;
  else if (job->record && record_start(&run, &record, env, err) != 0)
    rc = COSIM_BAD_INPUT;
  else
    rc = compare(&run, lib, env, err);
  if (record.n > 0 && record_end(&run, &record, err) != 0) rc = COSIM_BAD_INPUT;
  stop(&run);
  vectors_free(&record);
  rtl_lib_close(lib);
  return rc;
}
