/* SPDX-License-Identifier: Apache-2.0 */
/* Replays: records each witness's outputs in every cycle, and compares them in pairs. */
#include "base/home.h"
#include "cosim/witnesses.h"
#include "base/sizes.h"

#include "cosim/vectors/play.h"
#include "cosim/lockstep/recording.h"
#include "base/json_out.h"
#include "cosim/lockstep/report.h"
#include "cosim/lockstep/result.h"
#include "base/files.h"
#include "verilog/build.h"
#include "cosim/run.h"
#include "cosim/stim/stim.h"
#include "cosim/lockstep/wave.h"
#include "cosim/witness.h"
#include "base/hang.h"
#include "base/waves/wave_file.h"
#include "base/names.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 32, TEXT = 1024 };

static const char *const names[] = {"c", "verilator", "icarus"};
static const char *const persons[] = {"the C model", "Verilator", "Icarus"};

typedef struct {
  const witnesses_job_t *job;
  rtl_env_t *env;
  vectors_t v;
  rtl_lib_t *lib;
  rtl_source_t source;  /* for Icarus */
  bool design;          /* it is a user's design */
  uint64_t *outputs[2]; /* of C and of Verilator, out_words for each cycle */
  uint64_t *counts;     /* for a design: the bits that are compared */
  json_t *pairs;        /* the pairs for the result */
  verdict_t seen;       /* what lockstep compares, or Icarus if only the model is with it */
  int worst;
  mrpb_err_t *err;
} replay_t;

int witnesses_parse(witnesses_job_t *job, const char *text, mrpb_err_t *err) {
  unsigned count = 0;
  for (unsigned i = 0; i < N_WITNESSES; i++) job->with[i] = false;
  for (const char *at = text; *at;) {
    char name[NAME];
    size_t n = strcspn(at, ",");
    unsigned i = 0;
    snprintf(name, sizeof name, "%.*s", (int)(n < NAME ? n : NAME - 1), at);
    names_near_t near = names_near(name);
    for (; i < N_WITNESSES && strcmp(name, names[i]) != 0; i++) names_offer(&near, names[i]);
    if (i == N_WITNESSES)
      return mrpb_fail(err, "--with %s: unknown witness '%s'%s; legal: c verilator icarus", text,
                       name, near.text);
    count += !job->with[i];
    job->with[i] = true;
    at += n + (at[n] == ',');
  }
  return count >= 2 ? 0
                    : mrpb_fail(err, "--with %s: legal: two or three of c,verilator,icarus", text);
}

/* Adds a pair's verdict; `text` says where they differ, NULL: nowhere. */
static void add_pair(replay_t *r, unsigned a, unsigned b, const char *text) {
  json_t *o = r->pairs ? json_object() : NULL;
  if (!o) return;
  result_witnesses(&o, names[a], names[b]);
  json_out_set(&o, "matched", json_boolean(!text));
  result_count(&o, "cycles", r->v.n);
  if (text) json_out_set(&o, "where", json_string(text));
  json_out_append(&r->pairs, o);
}

static void different(replay_t *r, unsigned a, unsigned b, const char *text) {
  char pair[2 * NAME];
  add_pair(r, a, b, text);
  snprintf(pair, sizeof pair, "%s, %s", names[a], names[b]);
  fprintf(r->job->out, "%-20s DIFFERENT %s\n", pair, text);
  fflush(r->job->out);
  r->worst = COSIM_DIFFERENT;
}

/* Whether C and Verilator had registers to compare. A case shrunk to a reset has nothing else. */
static bool by_registers(const replay_t *r) {
  bool any = false;
  for (unsigned i = 0; i < r->v.cls->n_regs; i++) any |= r->seen.bits[i] > 0;
  return any && r->job->with[WITNESS_C] && r->job->with[WITNESS_VERILATOR];
}

static int matched(replay_t *r, unsigned a, unsigned b) {
  char pair[2 * NAME];
  verdict_t v = r->seen;
  snprintf(pair, sizeof pair, "%s, %s", names[a], names[b]);
  if (b == WITNESS_ICARUS) verdict_outputs_only(&v);
  if (!by_registers(r) && verdict_check(&v, r->err) != 0) return COSIM_BAD_INPUT;
  add_pair(r, a, b, NULL);
  verdict_line(&v, r->job->out, "", "%-20s matched %" PRIu64 " cycles", pair, r->v.n);
  return COSIM_MATCHED;
}

static void report(const replay_t *r, const lockstep_t *ls, const play_t *first) {
  const witnesses_job_t *job = r->job;
  char repeat[6 * TEXT], wave[2 * TEXT], file[TEXT];
  const char *stem = r->v.cls->stem;
  report_quote(job->file, file, sizeof file);
  snprintf(repeat, sizeof repeat, "%s cosim --replay %s%s", job->program, file,
           rtl_env_options(r->env));
  wave_command(job->vcd, stem, wave, sizeof wave);
  const report_t said = {.place = stem,
                         .rtl_dir = rtl_env_place(r->env, r->v.cls),
                         .seed = r->v.seed,
                         .cycle = first->cycle,
                         .regs = first->regs,
                         .wave = wave,
                         .repeat = job->repeat ? job->repeat : repeat};
  report_mismatch(job->out, ls, &said);
  result_difference(job->result, ls, &said);
}

static void store(replay_t *r, uint64_t t, const uint64_t *c, const uint64_t *rtl) {
  const size_t words = r->v.cls->out_words;
  if (!r->outputs[0]) return;
  memcpy(r->outputs[0] + t * words, c, words * sizeof *c);
  memcpy(r->outputs[1] + t * words, rtl, words * sizeof *rtl);
}

/* Stores which outputs of a design count in this cycle. */
static void store_counts(replay_t *r, uint64_t t, const lockstep_t *ls) {
  const module_class_t *cls = r->v.cls;
  const module_port_t *out = lockstep_outputs(ls);
  if (!r->counts || !lockstep_foreign(ls)) return;
  for (unsigned i = 0; i < cls->n_out; i++)
    if (foreign_counts(lockstep_foreign(ls), i))
      memset(r->counts + t * cls->out_words + out[i].word, 0xff,
             (out[i].width + 63) / 64 * sizeof *r->counts);
}

/* Whether C and Verilator are to be compared. For a design, Verilator also runs when only Icarus is
 * asked for, because lockstep knows which outputs count and when. */
static bool compared(const replay_t *r) {
  return r->job->with[WITNESS_C] && r->job->with[WITNESS_VERILATOR];
}

/* Runs all cycles in lockstep, also those after a difference, because Icarus is compared with
 * them. */
static int lockstep_all(replay_t *r, play_t *first) {
  const vectors_t *v = &r->v;
  const stim_class_t *stim = stim_class(v->cls->stem);
  lockstep_t *ls;
  if (lockstep_open_twin(&ls, v->cls, v->cfg, r->lib, v->seed, r->err) != 0) return -1;
  *first = (play_t){.cycle = v->n};
  for (uint64_t t = 0; t < v->n && (!first->differs || r->outputs[0]); t++) {
    bool same = lockstep_comb(ls, vectors_cycle(v, t));
    store(r, t, lockstep_out_want(ls), lockstep_out_rtl(ls));
    store_counts(r, t, ls);
    if (stim && stim->active(lockstep_in(ls)) && !first->differs) lockstep_remember(ls);
    bool regs = same;
    if (same) same = lockstep_edge(ls);
    if (!same && !first->differs) {
      *first = (play_t){.differs = true, .regs = regs, .cycle = t};
      if (compared(r)) report(r, ls, first);
    }
    if (!regs) lockstep_edge(ls);
  }
  const int rc = report_verdict(ls, &r->seen, r->err);
  lockstep_close(ls);
  return rc;
}

/* After the last cycle the module idles, so that the effect of the last edge is visible. */
static int write_window(const replay_t *r, const char *path, wave_window_t *w,
                        lockstep_diff_t *diffs) {
  const vectors_t *v = &r->v;
  lockstep_t *ls;
  wave_t *wave = NULL;
  uint64_t *idle = calloc(v->cls->in_words, sizeof *idle);
  if (!idle) return mrpb_fail(r->err, "%s: out of memory", path);
  int rc = lockstep_open_twin(&ls, v->cls, v->cfg, r->lib, v->seed, r->err);
  if (rc == 0) idle[0] = strcmp(lockstep_inputs(ls)[0].name, "srst_ni") == 0;
  if (rc == 0) rc = wave_open(&wave, path, ls, r->err);
  for (uint64_t t = 0; rc == 0 && t < w->to; t++) {
    bool here = w->failed && t == w->cycle;
    lockstep_comb(ls, t < v->n ? vectors_cycle(v, t) : idle);
    if (t >= w->from) wave_cycle(wave, ls);
    if (here && !w->regs) w->n_diffs = lockstep_diffs(ls, false, diffs, LOCKSTEP_MAX_DIFFS);
    lockstep_edge(ls);
    if (here && w->regs) w->n_diffs = lockstep_diffs(ls, true, diffs, LOCKSTEP_MAX_DIFFS);
  }
  if (w->n_diffs > LOCKSTEP_MAX_DIFFS) w->n_diffs = LOCKSTEP_MAX_DIFFS;
  if (wave_close(wave, r->err) != 0) rc = -1;
  lockstep_close(ls);
  free(idle);
  return rc;
}

/* Writes the wave around the first difference, or of the last cycles of a replay that matched, and
 * its save file. */
static int write_wave(const replay_t *r, const play_t *first) {
  const char *path = r->job->vcd;
  char temp[OUTPUT_NAME];
  lockstep_diff_t diffs[LOCKSTEP_MAX_DIFFS];
  wave_window_t w = {.to = first->differs ? first->cycle + WAVE_AFTER : r->v.n,
                     .diffs = diffs,
                     .failed = first->differs,
                     .cycle = first->cycle,
                     .regs = first->regs,
                     .bind = r->lib ? rtl_lib_bind(r->lib) : NULL};
  if (w.to > WAVE_BEFORE + WAVE_AFTER) w.from = w.to - WAVE_BEFORE - WAVE_AFTER;
  if (wave_file_temp(path, temp, r->err) != 0) return -1;
  if (write_window(r, temp, &w, diffs) != 0) {
    output_discard(path, temp);
    return -1;
  }
  return wave_commit(path, temp, r->v.cls, r->v.cfg, &w, r->job->out, r->err);
}

static int run_verilator(replay_t *r) {
  const vectors_t *v = &r->v;
  char text[TEXT];
  play_t first;
  recording_set(r->env);
  int rc = rtl_lib_open(&r->lib, r->env, v->cls, v->cfg, r->err);
  if (rc != RTL_OK) return rc;
  if (lockstep_all(r, &first) != 0) return COSIM_BAD_TOOL;
  snprintf(text, sizeof text, "%s, cycle %" PRIu64, first.regs ? "registers" : "outputs",
           first.cycle);
  if (compared(r) && first.differs) different(r, WITNESS_C, WITNESS_VERILATOR, text);
  if (compared(r) && !first.differs) rc = matched(r, WITNESS_C, WITNESS_VERILATOR);
  if (rc != COSIM_MATCHED) return rc;
  if (!rtl_lib_say(r->lib, r->job->out)) r->worst = COSIM_DIFFERENT;
  return r->job->vcd && write_wave(r, &first) != 0 ? COSIM_BAD_INPUT : COSIM_MATCHED;
}

static int run_c(replay_t *r) {
  const vectors_t *v = &r->v;
  void *model;
  uint64_t *out = calloc(v->cls->out_words, sizeof *out);
  if (!out || v->cls->create(&model, v->cfg, r->err) != 0) {
    free(out);
    return COSIM_BAD_TOOL;
  }
  uint64_t t = 0;
  hang_t hang = {.doing = NULL};
  hang_watch(&hang, v->cls->stem, &t, HANG_SECONDS);
  for (; t < v->n; t++) {
    hang_enter(&hang, persons[WITNESS_C]);
    v->cls->comb(model, vectors_cycle(v, t), out);
    store(r, t, out, out);
    v->cls->edge(model, vectors_cycle(v, t));
  }
  hang_end(&hang);
  v->cls->destroy(model);
  free(out);
  if (verdict_open(&r->seen, v->cls, v->cfg, NULL, r->err) != 0) return COSIM_BAD_TOOL;
  for (unsigned i = 0; i < v->cls->n_out && v->n <= (v->cls->n_regs > 0); i++)
    r->seen.cycles[i] = 0; /* before any reset */
  return COSIM_MATCHED;
}

/* Compares Icarus with the outputs of `who`. Returns 0, 1 or an exit code; `said` gets its line. */
static int ask_icarus(replay_t *r, unsigned who, mrpb_err_t *said) {
  const vectors_t *v = &r->v;
  char dir[FILES_PATH], cache[FILES_PATH];
  witness_t *w;
  if (home_build_path(cache, rtl_env_root(r->env), "rtl", r->err) != 0 ||
      files_temp_folder(dir, cache, r->err) != 0)
    return COSIM_BAD_INPUT;
  int rc = witness_open(&w, dir, persons[who], v->cls, v->cfg, r->err);
  if (rc == 0 && r->design) witness_masked(w);
  for (uint64_t t = 0; rc == 0 && t < v->n; t++)
    witness_cycle(w, vectors_cycle(v, t), r->outputs[who] + t * v->cls->out_words,
                  r->design ? r->counts + t * v->cls->out_words : NULL);
  if (rc == 0) rc = witness_close(w, r->err);
  rc =
      rc != 0 ? COSIM_BAD_INPUT : witness_run(dir, r->source.dir, r->design, WITNESS_UNSET_0, said);
  files_remove_tree(dir, NULL);
  if (rc == 2) mrpb_fail(r->err, "%s", said->text);
  return rc == 2 ? COSIM_BAD_TOOL : rc;
}

static int run_icarus(replay_t *r) {
  const size_t bytes = (size_t)r->v.n * r->v.cls->out_words * sizeof(uint64_t);
  const bool equal = memcmp(r->outputs[0], r->outputs[1], bytes) == 0;
  int rc = COSIM_MATCHED;
  bool asked = false;
  mrpb_err_t said = {""};
  for (unsigned who = WITNESS_C; who <= WITNESS_VERILATOR; who++) {
    if (!r->job->with[who]) continue;
    if (!asked || !equal) { /* equal outputs get the same answer */
      said.text[0] = '\0';
      rc = ask_icarus(r, who, &said);
      if (rc > COSIM_DIFFERENT) return rc;
      asked = true;
    }
    if (rc == COSIM_DIFFERENT)
      different(r, who, WITNESS_ICARUS, said.text);
    else if ((rc = matched(r, who, WITNESS_ICARUS)) != COSIM_MATCHED)
      return rc;
  }
  return COSIM_MATCHED;
}

/* Prepares what Icarus needs: the Verilog, and memory for the outputs of all cycles. */
static int prepare_icarus(replay_t *r) {
  const vectors_t *v = &r->v;
  int rc = rtl_source_open(&r->source, r->env, v->cls, v->cfg, RTL_TEXT, r->err);
  if (rc != RTL_OK) return rc;
  r->design = r->source.made != NULL;
  const size_t words = (size_t)v->n * v->cls->out_words;
  for (unsigned i = 0; i < 2; i++) r->outputs[i] = calloc(words, sizeof(uint64_t));
  if (r->design) r->counts = calloc(words, sizeof(uint64_t));
  if (r->outputs[0] && r->outputs[1] && (r->counts || !r->design)) return RTL_OK;
  mrpb_fail(r->err, "%s: out of memory for %" PRIu64 " cycles", r->job->file, v->n);
  return COSIM_BAD_INPUT;
}

static int run_all(replay_t *r) {
  const witnesses_job_t *job = r->job;
  char sizes[SIZES_TEXT];
  if (job->vectors) {
    r->v = *job->vectors;
    memset(job->vectors, 0, sizeof *job->vectors);
  } else if (vectors_read(&r->v, job->file, r->err) != 0) {
    return COSIM_BAD_INPUT;
  }
  const vectors_t *v = &r->v;
  int rc = job->with[WITNESS_ICARUS] ? prepare_icarus(r) : COSIM_MATCHED;
  if (rc != COSIM_MATCHED) return rc;
  result_open(job->result, v->cls, v->cfg);
  if (job->result) r->pairs = json_array();
  result_count(job->result, "cycles", v->n);
  sizes_text(v->cls, v->cfg, "", sizes, sizeof sizes);
  fprintf(job->out, "%s: %s %s, %" PRIu64 " cycles\n", job->file, v->cls->stem, sizes, v->n);
  rc = job->with[WITNESS_VERILATOR] || r->design ? run_verilator(r) : run_c(r);
  if (rc == COSIM_MATCHED && job->with[WITNESS_ICARUS]) rc = run_icarus(r);
  if (!compared(r)) verdict_outputs_only(&r->seen);
  if (rc == COSIM_MATCHED && r->worst == COSIM_MATCHED) verdict_rest(&r->seen, job->out);
  if (rc == COSIM_MATCHED) result_compared(job->result, &r->seen);
  if (job->result) json_out_set(job->result, "pairs", r->pairs);
  return rc != COSIM_MATCHED ? rc : r->worst;
}

int witnesses_run(const witnesses_job_t *job, rtl_env_t *env, mrpb_err_t *err) {
  replay_t r = {.job = job, .env = env, .err = err};
  int rc = run_all(&r);
  for (unsigned i = 0; i < 2; i++) free(r.outputs[i]);
  free(r.counts);
  vectors_free(&r.v);
  rtl_source_close(&r.source);
  rtl_lib_close(r.lib);
  return rc;
}
