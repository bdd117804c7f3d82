/* SPDX-License-Identifier: Apache-2.0 */
/* Compares a VCD with the C model. For each x input bit, one model gets 0 and a second model gets
 * 1. An output bit on which both agree does not depend on the x. */
#include "cosim/vcd/vcd_replay.h"
#include "base/sizes.h"

#include "cosim/lockstep/lockstep.h"
#include "cosim/lockstep/report.h"
#include "cosim/lockstep/result.h"
#include "cosim/run.h"
#include "cosim/stim/sources.h"
#include "cosim/stim/stim.h"
#include "cosim/vcd/vcd_stim.h"
#include "cosim/lockstep/wave.h"
#include "base/waves/wave_file.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 1024, ASK_EVERY = 1 << 14 };

typedef struct {
  vcd_replay_t *job;
  const module_class_t *cls;
  const stim_class_t *stim; /* for its readable transactions */
  vcd_stim_t *dump;
  lockstep_t *ls;
  void *twin; /* gets 1 for x */
  module_reg_t twin_regs[MODULE_MAX_REGS];
  uint64_t *in1, *out0, *out1, *known;        /* of the twin; output bits that are compared */
  uint64_t bits_out, bits_known, time, began; /* began: time of the first cycle's edge */
  verdict_t seen;
  bool unknown; /* some input bit of this cycle is x or z */
} replay_t;

static int open_replay(replay_t *r, vcd_replay_t *job, mrpb_err_t *err) {
  const module_class_t *cls = job->cls;
  memset(r, 0, sizeof *r);
  r->job = job;
  r->cls = cls;
  r->stim = stim_class(cls->stem);
  int rc = vcd_stim_open(&r->dump, job->path, cls, job->cfg, &job->choice, job->design, err);
  if (rc != 0) return rc;
  if (lockstep_open(&r->ls, cls, job->cfg, NULL, 0, err) != 0) return -1;
  if (cls->create(&r->twin, job->cfg, err) != 0) return -1;
  cls->regs(r->twin, r->twin_regs);
  r->in1 = calloc(cls->in_words + 3 * cls->out_words, sizeof *r->in1);
  if (!r->in1) return mrpb_fail(err, "%s: out of memory", job->path);
  r->out0 = r->in1 + cls->in_words;
  r->out1 = r->out0 + cls->out_words;
  r->known = r->out1 + cls->out_words;
  rc = verdict_open(&r->seen, cls, job->cfg, NULL, err);
  memset(r->seen.cycles, 0, sizeof r->seen.cycles);
  verdict_outputs_only(&r->seen);
  return rc;
}

static void close_replay(replay_t *r) {
  vcd_stim_close(r->dump);
  lockstep_close(r->ls);
  if (r->twin) r->cls->destroy(r->twin);
  free(r->in1);
}

/* Finds the output bits that can be compared: those that are known in the dump and do not depend on
 * an x. */
static void find_known(replay_t *r, const vcd_cycle_t *c) {
  r->unknown = false;
  for (unsigned i = 0; i < r->cls->in_words; i++) {
    r->in1[i] = c->in[i] | c->in_unknown[i];
    r->unknown = r->unknown || c->in_unknown[i] != 0;
  }
  memcpy(r->known, c->out_known, r->cls->out_words * sizeof *r->known);
  if (!r->unknown) return;
  r->cls->comb(r->twin, c->in, r->out0);
  r->cls->comb(r->twin, r->in1, r->out1);
  for (unsigned i = 0; i < r->cls->out_words; i++) r->known[i] &= ~(r->out0[i] ^ r->out1[i]);
}

static bool same_state(const replay_t *r) {
  const module_reg_t *a = lockstep_regs_c(r->ls), *b = r->twin_regs;
  for (unsigned i = 0; i < r->cls->n_regs; i++)
    if (memcmp(a[i].data, b[i].data, (size_t)a[i].words * a[i].elem_bytes) != 0) return false;
  return true;
}

/* Whether the input does not count because its strobe is low. */
static bool unstrobed(const sources_t *s, unsigned port, const uint64_t *in1) {
  for (unsigned i = 0; i < s->cls->n_in; i++)
    if (s->source[i] == s->source[port] && sources_strobe(s->in[i].name))
      return i != port && in1[s->in[i].word] == 0;
  return false;
}

/* An x has reached the state. Reports the inputs that are x and count. */
static int used_unknown(const replay_t *r, const vcd_cycle_t *c, mrpb_err_t *err) {
  sources_t s;
  char list[256] = "", name[VCD_STIM_NAME];
  sources_init(&s, r->cls, r->job->cfg);
  for (unsigned i = 0; i < r->cls->n_in; i++) {
    size_t n = strlen(list);
    bool any = false;
    for (unsigned w = 0; w < (s.in[i].width + 63) / 64; w++)
      any = any || c->in_unknown[s.in[i].word + w] != 0;
    vcd_stim_said(r->dump, i, name, sizeof name);
    if (any && !unstrobed(&s, i, r->in1))
      snprintf(list + n, sizeof list - n, "%s%s", n ? " " : "", name);
  }
  return mrpb_fail(err, "%s: at the clock edge of time %" PRIu64 " %s.%s is x or z, and is used",
                   r->job->path, c->time, vcd_stim_scope(r->dump), list);
}

typedef enum { END, AGREES, DIFFERS, FAILED } outcome_t;

/* Runs one cycle up to its edge. */
static outcome_t before_edge(replay_t *r, vcd_cycle_t *c, mrpb_err_t *err) {
  int rc = vcd_stim_next(r->dump, c, err);
  if (rc <= 0) return rc == 0 ? END : FAILED;
  r->time = c->time;
  if (lockstep_cycle(r->ls) == 0) r->began = c->time;
  find_known(r, c);
  bool same = lockstep_comb_recorded(r->ls, c->in, c->out, r->known);
  if (r->stim && r->stim->active(lockstep_in(r->ls))) lockstep_remember(r->ls);
  return same ? AGREES : DIFFERS;
}

static outcome_t edge(replay_t *r, const vcd_cycle_t *c, mrpb_err_t *err) {
  const module_port_t *first = lockstep_inputs(r->ls);
  /* During a reset an x is harmless: the state that it reaches is not in use. */
  if (strcmp(first->name, "srst_ni") == 0 && c->in[first->word] == 0)
    memcpy(r->in1, c->in, r->cls->in_words * sizeof *r->in1);
  lockstep_edge(r->ls);
  r->cls->edge(r->twin, r->in1);
  if (!r->unknown || same_state(r)) return AGREES;
  used_unknown(r, c, err);
  return FAILED;
}

static void count_bits(replay_t *r) {
  const module_port_t *out = lockstep_outputs(r->ls);
  if (lockstep_cycle(r->ls) == 0 && r->cls->n_regs > 0) return; /* before any reset, not compared */
  for (unsigned i = 0; i < r->cls->n_out; i++) {
    uint64_t known = 0;
    if (!vcd_stim_has_output(r->dump, i)) continue;
    r->bits_out += out[i].width;
    for (unsigned w = 0; w < (out[i].width + 63) / 64; w++)
      known += (uint64_t)__builtin_popcountll(r->known[out[i].word + w]);
    r->bits_known += known;
    r->seen.cycles[i] += known > 0;
  }
}

/* ---- the wave, from a second pass over the dump ------------------------------ */

/* An error in the dump after the first difference ends the wave. */
static int record(replay_t *r, const wave_window_t *w, const char *path, mrpb_err_t *err) {
  wave_t *wave = NULL;
  vcd_cycle_t c;
  mrpb_err_t ignored = {""};
  if (wave_open(&wave, path, r->ls, err) != 0) return -1;
  while (lockstep_cycle(r->ls) < w->to) {
    outcome_t o = before_edge(r, &c, &ignored);
    if (o == END || o == FAILED) break;
    if (lockstep_cycle(r->ls) >= w->from) wave_cycle(wave, r->ls);
    if (edge(r, &c, &ignored) == FAILED) break;
  }
  return wave_close(wave, err);
}

static int write_wave(vcd_replay_t *job, const wave_window_t *w, mrpb_err_t *err) {
  char temp[OUTPUT_NAME];
  replay_t r;
  if (wave_file_temp(job->vcd, temp, err) != 0) return -1;
  int rc = open_replay(&r, job, err);
  if (rc == 0) rc = record(&r, w, temp, err);
  close_replay(&r);
  if (rc != 0) {
    output_discard(job->vcd, temp);
    return -1;
  }
  return wave_commit(job->vcd, temp, job->cls, job->cfg, w, job->out, err);
}

/* ---- the outcome ------------------------------------------------------------- */

void vcd_replay_command(const vcd_replay_t *job, char *text, size_t size) {
  char sizes[SIZES_TEXT];
  const char *scope = job->choice.scope, *clock = job->choice.clock;
  sizes_text(job->cls, job->cfg, "--set ", sizes, sizeof sizes);
  snprintf(text, size, "%s cosim %s %s --vcd-in %s%s%s%s%s", job->program, job->cls->stem, sizes,
           job->path, scope ? " --scope " : "", scope ? scope : "", clock ? " --clock " : "",
           clock ? clock : "");
}

static int differs(replay_t *r, mrpb_err_t *err) {
  vcd_replay_t *job = r->job;
  char where[TEXT], repeat[2 * TEXT], wave[TEXT];
  lockstep_diff_t diffs[LOCKSTEP_MAX_DIFFS];
  uint64_t at = lockstep_cycle(r->ls);
  snprintf(where, sizeof where, "%s, scope %s, time %" PRIu64, job->path, vcd_stim_scope(r->dump),
           r->time);
  vcd_replay_command(job, repeat, sizeof repeat);
  wave_command(job->vcd, job->cls->stem, wave, sizeof wave);
  const report_t said = {.place = job->cls->stem,
                         .rtl_dir = where,
                         .recorded = true,
                         .cycle = at,
                         .wave = wave,
                         .repeat = repeat};
  report_mismatch(job->out, r->ls, &said);
  result_count(job->result, "cycles", at);
  result_difference(job->result, r->ls, &said);
  if (!job->vcd) return COSIM_DIFFERENT;
  wave_window_t w = {.from = at > WAVE_BEFORE ? at - WAVE_BEFORE : 0,
                     .to = at + WAVE_AFTER,
                     .diffs = diffs,
                     .failed = true,
                     .cycle = at,
                     .no_state = true};
  w.n_diffs = lockstep_diffs(r->ls, false, diffs, LOCKSTEP_MAX_DIFFS);
  if (w.n_diffs > LOCKSTEP_MAX_DIFFS) w.n_diffs = LOCKSTEP_MAX_DIFFS;
  return write_wave(job, &w, err) == 0 ? COSIM_DIFFERENT : COSIM_BAD_INPUT;
}

/* Reports bits of the dump that differ from the map: the stimulus that is run is then not quite
 * what was dumped. */
static void say_others(const replay_t *r) {
  char place[VCD_STIM_NAME];
  bool has = false;
  uint64_t time = 0;
  const uint64_t n = vcd_map_others(vcd_stim_map(r->dump), place, sizeof place, &has, &time);
  if (n > 0)
    fprintf(r->job->out,
            "in %" PRIu64
            " of them the dump has inputs that the map never gives, first at time %" PRIu64
            ": %s, is %d; what is run has the map's\n",
            n, time, place, has);
}

/* Reports the other remarks about the dump. */
static void say_rest(const replay_t *r, char *text, size_t size) {
  const uint64_t left_out = vcd_stim_left_out(r->dump);
  size_t n = 0;
  text[0] = '\0';
  if (r->bits_out > 0 && !r->job->design)
    n += (size_t)snprintf(text, size, ", %.1f %% of the outputs' bits known",
                          100.0 * (double)r->bits_known / (double)r->bits_out);
  if (left_out > 0)
    snprintf(text + n, size - n, ", %" PRIu64 " cycles before the first reset left out", left_out);
}

/* Reports a stimulus for others to judge, or what was compared with the dump's outputs. */
static int say_agrees(const replay_t *r, bool stopped, bool wanted, mrpb_err_t *err) {
  const vcd_replay_t *job = r->job;
  char what[2 * TEXT], sizes[512], rest[160];
  mrpb_err_t none = {""};
  const bool nothing = job->design || verdict_check(&r->seen, &none) != 0;
  say_rest(r, rest, sizeof rest);
  sizes_text(job->cls, job->cfg, "", sizes, sizeof sizes);
  snprintf(what, sizeof what, "%" PRIu64 " cycles of %s, scope %s, %s %s", lockstep_cycle(r->ls),
           job->path, vcd_stim_scope(r->dump), job->cls->stem, sizes);
  if (nothing && !wanted) return mrpb_fail(err, "%s: %s", job->path, none.text);
  if (nothing)
    fprintf(job->out, "%s %s%s",
            stopped       ? "interrupted after"
            : job->design ? "took"
                          : "drove the C model with",
            what, rest);
  if (job->design) fprintf(job->out, ", cycle 0 ends at time %" PRIu64, r->began);
  if (nothing) fputs(job->design ? "\n" : ": nothing was compared\n", job->out);
  if (!nothing)
    verdict_write(&r->seen, job->out, rest, "%s %s", stopped ? "interrupted after" : "matched",
                  what);
  if (job->design) say_others(r);
  result_count(job->result, "cycles", lockstep_cycle(r->ls));
  result_compared(job->result, &r->seen);
  fflush(job->out);
  return 0;
}

static int agrees(replay_t *r, bool stopped, bool wanted, mrpb_err_t *err) {
  vcd_replay_t *job = r->job;
  const uint64_t n = lockstep_cycle(r->ls);
  if (say_agrees(r, stopped, wanted, err) != 0) return COSIM_BAD_INPUT;
  if (job->vcd) {
    const uint64_t length = WAVE_BEFORE + WAVE_AFTER;
    wave_window_t w = {.from = n > length ? n - length : 0, .to = n, .no_state = true};
    if (write_wave(job, &w, err) != 0) return COSIM_BAD_INPUT;
  }
  return stopped ? COSIM_INTERRUPTED : COSIM_MATCHED;
}

static int compare(replay_t *r, vectors_t *keep, mrpb_err_t *err) {
  vcd_cycle_t c;
  bool stopped = false;
  if (keep) {
    if (vectors_init(keep, r->cls, r->job->cfg, 1, err) != 0) return COSIM_BAD_INPUT;
    snprintf(keep->origin, sizeof keep->origin, "%.200s, scope %.100s", r->job->path,
             vcd_stim_scope(r->dump));
  }
  while (!stopped) {
    outcome_t o = before_edge(r, &c, err);
    if (o == END) break;
    if (o == FAILED) return COSIM_BAD_INPUT;
    if (keep && vectors_add(keep, c.in, err) != 0) return COSIM_BAD_INPUT;
    if (o == DIFFERS) return differs(r, err);
    count_bits(r);
    if (edge(r, &c, err) == FAILED) return COSIM_BAD_INPUT;
    if (lockstep_cycle(r->ls) % ASK_EVERY == 0 && r->job->stop) stopped = r->job->stop();
  }
  return agrees(r, stopped, keep != NULL, err);
}

int vcd_replay_run(vcd_replay_t *job, vectors_t *keep, mrpb_err_t *err) {
  replay_t r;
  if (job->vcd && wave_probe("--vcd", job->vcd, err) != 0) return COSIM_BAD_INPUT;
  int rc = open_replay(&r, job, err);
  if (rc == 0) result_open(job->result, job->cls, job->cfg);
  if (rc == 0) result_witnesses(job->result, "c", "wave");
  rc = rc == 0 ? compare(&r, keep, err) : rc == VCD_IN_NO_TOOL ? COSIM_BAD_TOOL : COSIM_BAD_INPUT;
  close_replay(&r);
  return rc;
}
