/* SPDX-License-Identifier: Apache-2.0 */
/* Reads lines of explorations and prints their rows. */
#include "verify/explore/explore_run.h"
#include "base/seconds.h"
#include "base/number.h"
#include "cosim/run.h"
#include "base/sizes.h"

#include "cosim/vectors/play.h"
#include "cosim/lockstep/recording.h"
#include "cosim/lockstep/report.h"
#include "cosim/stim/stim.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH = 1024 };
#define MOST_STATES UINT64_C(1000000000)

static int take_states(explore_job_t *job, const char *text, mrpb_err_t *err) {
  if (!number_decimal(text, MOST_STATES, &job->most) || job->most == 0)
    return mrpb_fail(err, "states=%s: legal: 1 to %" PRIu64, text, MOST_STATES);
  return 0;
}

static int add_limit(explore_line_t *line, const char *word, mrpb_err_t *err) {
  size_t at = strlen(line->limits);
  int n = snprintf(line->limits + at, EXPLORE_TEXT - at, " %s", word);
  return n > 0 && (size_t)n < EXPLORE_TEXT - at ? explore_values(&line->job, word, err)
                                                : mrpb_fail(err, "'%s': line too long", word);
}

/* Parameters come first: the widths of the inputs follow from them. */
static int take_words(explore_line_t *line, char *words, bool inputs, mrpb_err_t *err) {
  cosim_job_t sizes = {.cls = line->job.cls};
  char *save = NULL;
  memcpy(sizes.cfg, line->job.cfg, sizeof sizes.cfg);
  for (char *w = strtok_r(words, " \t\r", &save); w; w = strtok_r(NULL, " \t\r", &save)) {
    const bool parameter = *w >= 'A' && *w <= 'Z';
    int rc = 0;
    if (strcmp(w, "short") == 0)
      line->brief = true;
    else if (strncmp(w, "states=", 7) == 0)
      rc = take_states(&line->job, w + 7, err);
    else if (parameter && !inputs)
      rc = sizes_set(sizes.cls, sizes.cfg, w, err);
    else if (!parameter && inputs)
      rc = add_limit(line, w, err);
    if (rc != 0) return rc;
  }
  memcpy(line->job.cfg, sizes.cfg, sizeof sizes.cfg);
  return inputs ? 0 : line->job.cls->check(line->job.cfg, err);
}

int explore_parse(const char *text, explore_line_t *line, bool *used, mrpb_err_t *err) {
  char words[EXPLORE_TEXT], again[EXPLORE_TEXT], *rest;
  *line = (explore_line_t){.job = {.most = 1000000}};
  *used = false;
  if (strlen(text) >= sizeof words) return mrpb_fail(err, "line too long");
  snprintf(words, sizeof words, "%s", text);
  words[strcspn(words, "#\n")] = '\0';
  char *module = strtok_r(words, " \t\r", &rest);
  if (!module) return 0;
  line->job.cls = sizes_module(module, err);
  if (!line->job.cls) return -1;
  module_defaults(line->job.cls, line->job.cfg);
  snprintf(again, sizeof again, "%s", rest);
  if (take_words(line, rest, false, err) != 0 || take_words(line, again, true, err) != 0) return -1;
  *used = true;
  return explore_count(&line->job, err) < 0 ? -1 : 0;
}

static void print_cycle(void *ctx, const lockstep_t *ls) {
  char text[STIM_TEXT];
  report_cycle(lockstep_class(ls), lockstep_cfg(ls), lockstep_in(ls), lockstep_out_c(ls), true,
               text);
  fprintf(ctx, "  %6" PRIu64 "  %s\n", lockstep_cycle(ls), text);
}

static int keep(const vectors_t *v, const char *dir, char path[PATH], mrpb_err_t *err) {
  if (mkdir(dir, 0777) != 0 && errno != EEXIST)
    return mrpb_fail(err, "%.200s: cannot make the folder: %s", dir, strerror(errno));
  int n = snprintf(path, PATH, "%s/%s-%016" PRIx64 ".vec", dir, v->cls->stem, vectors_hash(v));
  if (n < 0 || n >= PATH) return mrpb_fail(err, "%.60s...: name too long", dir);
  return vectors_write(v, path, err);
}

/* Prints the cycles from power-up. A difference that the search found by restoring states must also
 * show without restoring. */
static int show(vectors_t *v, const explore_setup_t *setup, const rtl_lib_t *lib, rtl_env_t *env,
                mrpb_err_t *err) {
  lockstep_t *ls;
  char path[PATH];
  if (lockstep_open_twin(&ls, v->cls, v->cfg, lib, v->seed, err) != 0) return EXPLORE_RUN_BAD_TOOL;
  play_t play = play_on(ls, v, print_cycle, setup->out);
  report_line(ls, &(report_t){.place = v->cls->stem, .cycle = play.cycle, .regs = play.regs},
              v->found, sizeof v->found);
  lockstep_close(ls);
  if (!play.differs || play.cycle + 1 != v->n) {
    mrpb_fail(err, "%s: a difference that does not show from power-up", v->cls->stem);
    return EXPLORE_RUN_BAD_TOOL;
  }
  snprintf(v->tools, sizeof v->tools, "%s", rtl_env_tools(env));
  fprintf(setup->out, "  there   %s\n", v->found);
  if (keep(v, setup->results, path, err) != 0) return EXPLORE_RUN_BAD_INPUT;
  fprintf(setup->out, "  repeat  %s cosim --replay %s%s%s\n", setup->program, path,
          setup->rtl ? " --rtl " : "", setup->rtl ? setup->rtl : "");
  return EXPLORE_RUN_DIFFERENT;
}

void explore_heading(FILE *out) {
  fprintf(out, "%-72s %9s %7s %12s %6s  %-10s %7s\n", "module and size", "states", "inputs",
          "transitions", "depth", "verdict", "seconds");
}

static void row(const explore_line_t *line, const explore_t *r, const verdict_t *seen,
                double seconds, FILE *out) {
  static const char *const names[] = {"equal", "DIFFERENT", "cut off"};
  char sizes[SIZES_TEXT], what[sizeof sizes + EXPLORE_TEXT + 64];
  sizes_text(line->job.cls, line->job.cfg, "", sizes, sizeof sizes);
  snprintf(what, sizeof what, "%s %s%s", line->job.cls->stem, sizes, line->limits);
  fprintf(out, "%-72s %9" PRIu64 " %7" PRIu64 " %12" PRIu64 " %6" PRIu64 "  %-10s %7.1f\n", what,
          r->states, r->inputs, r->transitions, r->depth, names[r->verdict], seconds);
  if (r->verdict != EXPLORE_DIFFERENT) verdict_write(seen, out, "", "  in each transition");
  if (r->verdict == EXPLORE_CUT)
    fprintf(out, "  every input was applied to the first %" PRIu64 " states; no difference there\n",
            r->done);
  fflush(out);
}

int explore_run(const explore_line_t *line, const explore_setup_t *setup, rtl_env_t *env,
                mrpb_err_t *err) {
  rtl_lib_t *lib = NULL;
  explore_t result = {.states = 0};
  recording_set(env);
  int rc = rtl_lib_open(&lib, env, line->job.cls, line->job.cfg, err);
  if (rc != RTL_OK) return rc;
  const double begin = seconds_now();
  verdict_t seen;
  rc = verdict_open(&seen, line->job.cls, line->job.cfg, NULL, err) == 0 &&
               explore(&result, &line->job, lib, err) == 0
           ? EXPLORE_RUN_EQUAL
           : EXPLORE_RUN_BAD_TOOL;
  if (rc == EXPLORE_RUN_EQUAL) {
    row(line, &result, &seen, seconds_now() - begin, setup->out);
    if (result.verdict == EXPLORE_CUT) rc = EXPLORE_RUN_UNDECIDED;
    if (result.verdict == EXPLORE_DIFFERENT) rc = show(&result.path, setup, lib, env, err);
  }
  vectors_free(&result.path);
  rtl_lib_close(lib);
  return rc;
}
