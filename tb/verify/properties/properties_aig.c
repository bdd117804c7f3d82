/* SPDX-License-Identifier: Apache-2.0 */
#include "verify/properties/properties_aig.h"

#include "base/abc.h"
#include "base/files.h"
#include "base/output.h"
#include "base/process.h"
#include "verify/properties/properties.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_TEXT = 1 << 20, GRACE = 10 };

/* ---- the graph ---- */

void properties_aig_script_before(FILE *script) {
  fputs("setundef -undriven -anyseq\n", script);
}

/* A latch of ABC starts at 0; -zinit turns any other register's start value into an input. */
static void lower(const char *name, const char *list, FILE *script) {
  fprintf(
      script,
      "setattr -unset keep\nopt -full\ntechmap\nopt -fast\ndffunmap\nabc -g AND -fast\nopt_clean\n"
      "tee -q -o %s select -list t:$assert\n"
      "write_aiger -I -B -L -zinit -no-startoffset -map %s.aim %s.aig\n",
      list, name, name);
}

void properties_aig_script(const char *root, FILE *script) {
  fprintf(script, "design -push-copy\ndelete t:$assert\ntechmap -map %s/rtl/formal/cover_never.v\n",
          root);
  lower("covers", "covers.txt", script);
  fputs("design -pop\ndelete t:$cover\n", script);
  lower("job", "asserts.txt", script);
}

int properties_aig_map(const char *dir, mrpb_err_t *err) {
  char path[FILES_PATH];
  char *text = files_path(path, "%s/job.aim", dir) ? files_read(path, NULL) : NULL;
  char *last = text ? strstr(text, "\nninitff ") : NULL;
  int rc = 0;
  if (last) {
    FILE *f = output_into(dir, "job.aim", err);
    last[1] = '\0';
    rc = f ? output_into_end(f, fputs(text, f) < 0, dir, "job.aim", err) : -1;
  }
  free(text);
  return rc == 0 ? PROPERTIES_HOLD : PROPERTIES_BAD_TOOL;
}

/* ---- ABC ---- */

/* `text` gets what ABC prints; the caller frees it. Returns PROPERTIES_UNDECIDED and no text if ABC
 * exceeds the time: ABC checks its own limits only between its steps. Folding makes the assumptions
 * of all cycles so far part of each question. */
static int call(const char *dir, const char *file, const char *how, unsigned seconds, char **text,
                mrpb_err_t *err) {
  char script[256], why[64];
  snprintf(script, sizeof script, "read_aiger %s; fold; strash; %s", file, how);
  const char *const argv[] = {abc_program(), "-c", script, NULL};
  const process_t p = {
      .argv = argv, .folder = dir, .seconds = seconds, .of_cpu = true, .most = MOST_TEXT};
  process_result_t r;
  *text = NULL;
  if (process_run(&p, &r, err) != 0)
    return mrpb_fail(err, "%s: not found; the packages needed are in configs/packages.txt",
                     abc_program()),
           PROPERTIES_BAD_TOOL;
  if (r.end == PROCESS_EXITED && r.code == 0) {
    *text = r.text;
    return 0;
  }
  free(r.text);
  if (r.end == PROCESS_LATE) return PROPERTIES_UNDECIDED;
  process_describe(&p, &r, why, sizeof why);
  return mrpb_fail(err, "berkeley-abc: %s", why), PROPERTIES_BAD_TOOL;
}

/* The number after the last `words`; returns false if they do not occur. */
static bool number_behind(const char *text, const char *words, unsigned *n) {
  const char *last = NULL;
  for (const char *at = text; (at = strstr(at, words)); at++) last = at + strlen(words);
  if (last) *n = (unsigned)strtoul(last, NULL, 10);
  return last != NULL;
}

static int no_verdict(const char *text, mrpb_err_t *err) {
  const char *last = strstr(text, "Error");
  return mrpb_fail(err, "berkeley-abc ended with no verdict: %.*s",
                   (int)(last ? strcspn(last, "\n") : 4), last ? last : "none"),
         PROPERTIES_BAD_TOOL;
}

static int bounded(const char *dir, const char *file, const char *how, unsigned depth,
                   unsigned seconds, aig_said_t *said, mrpb_err_t *err) {
  char *text;
  int rc = call(dir, file, how, seconds + GRACE, &text, err);
  *said = (aig_said_t){.verdict = AIG_UNKNOWN};
  if (!text) return rc == PROPERTIES_UNDECIDED ? 0 : rc;
  if (number_behind(text, "was asserted in frame", &said->cycle))
    said->verdict = AIG_BAD;
  else if (!number_behind(text, "No output asserted in ", &said->cycle))
    rc = no_verdict(text, err);
  else if (said->cycle >= depth)
    said->verdict = AIG_NEVER;
  free(text);
  return rc;
}

int properties_aig_bounded(const char *dir, unsigned depth, unsigned seconds, aig_said_t *said,
                           mrpb_err_t *err) {
  char how[112];
  snprintf(how, sizeof how, "dc2; bmc3 -F %u -T %u; write_cex -a job.aiw", depth, seconds);
  return bounded(dir, "job.aig", how, depth, seconds, said, err);
}

/* Uses better generalization in IC3 (Hassan, Bradley and Somenzi, FMCAD 2013) and abstraction,
 * which decide most of our questions in half the time. The limit is enforced from outside: with a
 * limit of its own (-T), ABC sometimes aborts. */
int properties_aig_always(const char *dir, unsigned seconds, aig_said_t *said, mrpb_err_t *err) {
  static const char how[] = "dc2; scorr; pdr -nct; write_cex -a job.aiw" ABC_SWEPT;
  char *text;
  *said = (aig_said_t){.verdict = AIG_UNKNOWN};
  const int rc = call(dir, "job.aig", how, seconds, &text, err);
  if (!text) return rc == PROPERTIES_UNDECIDED ? 0 : rc;
  if (abc_proved(text))
    said->verdict = AIG_NEVER;
  else if (number_behind(text, "was asserted in frame", &said->cycle))
    said->verdict = AIG_BAD;
  free(text);
  return 0;
}

/* The command for one output with its latches. Older versions of ABC need -s for the latches, newer
 * ones always keep them and do not know -s. Returns NULL and a message in err on failure. */
static const char *cone(const char *dir, unsigned seconds, mrpb_err_t *err) {
  char *text;
  const int rc = call(dir, "covers.aig", "cone -h", seconds, &text, err);
  if (rc == PROPERTIES_UNDECIDED) mrpb_fail(err, "berkeley-abc: no help within %u s", seconds);
  if (rc != 0) return NULL;
  const bool old = strstr(text, "comb or sequential cone");
  free(text);
  return old ? "cone -s" : "cone";
}

/* One cover at a time: ABC's search for several at once (bmc3 -a) crashes on some graphs. */
static int ask_cover(const char *dir, const char *cone, unsigned output, unsigned depth,
                     unsigned seconds, aig_said_t *said, mrpb_err_t *err) {
  char how[112];
  snprintf(how, sizeof how, "%s -O %u; bmc3 -F %u -T %u", cone, output, depth, seconds);
  return bounded(dir, "covers.aig", how, depth, seconds, said, err);
}

/* Output i is line i of the list: Yosys goes through the cells in the same order for both. */
int properties_aig_covers(const char *dir, unsigned depth, unsigned seconds, aig_said_t *said,
                          mrpb_err_t *err) {
  char path[FILES_PATH], *save = NULL;
  aig_said_t one;
  int rc = 0;
  unsigned output = 0;
  char *list = files_path(path, "%s/covers.txt", dir) ? files_read(path, NULL) : NULL;
  if (!list) return mrpb_fail(err, "%s: cannot be read", path), PROPERTIES_BAD_TOOL;
  const char *one_cone = cone(dir, seconds, err);
  if (!one_cone) {
    free(list);
    return PROPERTIES_BAD_TOOL;
  }
  *said = (aig_said_t){.verdict = AIG_BAD};
  for (char *l = strtok_r(list, "\n", &save); l && rc == 0; l = strtok_r(NULL, "\n", &save)) {
    const char *name = strchr(l, '/');
    const size_t at = strlen(said->names);
    rc = ask_cover(dir, one_cone, output++, depth, seconds, &one, err);
    if (rc != 0 || one.verdict == AIG_BAD) continue;
    said->verdict = AIG_NEVER;
    snprintf(said->names + at, AIG_NAMES - at, "%s%s", at ? " " : "", name ? name + 1 : l);
  }
  free(list);
  return rc;
}
