/* SPDX-License-Identifier: Apache-2.0 */
/* Runs a list of property jobs, several at a time, in one table. */
#include "verify/properties/properties.h"

#include "base/jobs.h"

#include <stdlib.h>
#include <string.h>

enum { LINE = 1024, MAX_STEPS = 100 };

/* Whether `word` is NAME=VALUE, with a parameter's name in capitals. */
static bool is_parameter(const char *word) {
  size_t name = strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
  size_t value = word[name] == '=' ? strspn(word + name + 1, "0123456789") : 0;
  return name > 0 && value > 0 && value < 10 && word[name + 1 + value] == '\0';
}

static int take_word(properties_line_t *line, const char *word, mrpb_err_t *err) {
  static const char *const names[] = {"depth=", "induction=", "cover="};
  unsigned *const values[] = {&line->depth, &line->induction, &line->cover};
  for (unsigned i = 0; i < 3; i++) {
    size_t n = strlen(names[i]);
    char *end = NULL;
    if (strncmp(word, names[i], n) != 0) continue;
    unsigned long v =
        word[n] >= '0' && word[n] <= '9' ? strtoul(word + n, &end, 10) : MAX_STEPS + 1;
    if (v > MAX_STEPS || !end || *end)
      return mrpb_fail(err, "'%s': legal: 0 to %d", word, MAX_STEPS);
    *values[i] = (unsigned)v;
    return 0;
  }
  if (strcmp(word, "short") == 0) {
    line->brief = true;
    return 0;
  }
  if (!is_parameter(word))
    return mrpb_fail(err, "'%s': legal: PARAMETER=VALUE depth=N induction=N cover=N short", word);
  size_t at = strlen(line->sizes), n = strlen(word);
  if (at + n + 2 > sizeof line->sizes) return mrpb_fail(err, "'%s': too many parameters", word);
  snprintf(line->sizes + at, sizeof line->sizes - at, "%s%s", at ? " " : "", word);
  return 0;
}

int properties_parse(const char *text, properties_line_t *line, bool *used, mrpb_err_t *err) {
  char copy[LINE], *save = NULL;
  *used = false;
  *line = (properties_line_t){.depth = 4, .induction = 1};
  if (strlen(text) >= sizeof copy) return mrpb_fail(err, "line too long");
  snprintf(copy, sizeof copy, "%s", text);
  copy[strcspn(copy, "#\n")] = '\0';
  char *word = strtok_r(copy, " \t", &save);
  if (!word) return 0;
  if (strlen(word) >= sizeof line->module ||
      strspn(word, "abcdefghijklmnopqrstuvwxyz_0123456789") != strlen(word))
    return mrpb_fail(err, "'%s': not the name of a module", word);
  snprintf(line->module, sizeof line->module, "%s", word);
  while ((word = strtok_r(NULL, " \t", &save)))
    if (take_word(line, word, err) != 0) return -1;
  if (line->depth <= line->induction)
    return mrpb_fail(err,
                     "depth=%u: legal with induction=%u: %u or more, for the induction to stand on",
                     line->depth, line->induction, line->induction + 1);
  *used = true;
  return 0;
}

typedef struct {
  const properties_line_t *lines;
  const properties_setup_t *setup;
  unsigned count[PROPERTIES_BAD_TOOL + 1]; /* of each exit code */
  int worst;
  mrpb_err_t *err;
} table_t;

/* Runs in a separate process. */
static int work(void *ctx, size_t i, FILE *out) {
  const table_t *t = ctx;
  mrpb_err_t err = {""};
  properties_setup_t own = *t->setup;
  own.out = out;
  int rc = properties_job(&t->lines[i], &own, &err);
  if (err.text[0]) fprintf(out, "%s\n", err.text);
  return rc;
}

/* The worst exit code wins: refuted, then wrong, then undecided. */
static jobs_then_t tell(void *ctx, const jobs_end_t *end) {
  static const int order[] = {PROPERTIES_REFUTED, PROPERTIES_BAD_TOOL, PROPERTIES_BAD_INPUT,
                              PROPERTIES_UNDECIDED};
  table_t *t = ctx;
  FILE *out = t->setup->out;
  const int rc = end->exited && end->code <= PROPERTIES_BAD_TOOL ? end->code : PROPERTIES_BAD_TOOL;
  jobs_copy(end, out);
  if (end->why)
    mrpb_fail(t->err, "cannot start a job for %s: %s", t->lines[end->job].module, end->why);
  else if (!end->exited)
    fprintf(out, "a job was killed by signal %d\n", end->code);
  t->count[rc]++;
  t->worst = jobs_worse(t->worst, rc, order, sizeof order / sizeof *order);
  return JOBS_GO_ON;
}

int properties_run(const properties_line_t *lines, unsigned n, unsigned jobs,
                   const properties_setup_t *setup, mrpb_err_t *err) {
  table_t t = {.lines = lines, .setup = setup, .err = err};
  const unsigned *count = t.count;
  const jobs_t pool = {.n = n,
                       .at_once = jobs,
                       .in_order = true,
                       .ctx = &t,
                       .work = work,
                       .end = tell,
                       .stop = setup->stop};
  fprintf(setup->out, "%-76s %3s %4s  %-24s %6s\n", "module and size", "properties", "invariants",
          "verdict", "seconds");
  if (jobs_run(&pool, err) < 0) return PROPERTIES_BAD_TOOL;
  fprintf(setup->out, "%u held, %u refuted, %u not decided, %u failed\n", count[PROPERTIES_HOLD],
          count[PROPERTIES_REFUTED], count[PROPERTIES_UNDECIDED],
          n - count[PROPERTIES_HOLD] - count[PROPERTIES_REFUTED] - count[PROPERTIES_UNDECIDED]);
  return t.worst;
}
