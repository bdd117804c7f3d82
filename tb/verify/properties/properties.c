/* SPDX-License-Identifier: Apache-2.0 */
/* A list of property jobs, several at a time, in one table. */
#include "verify/properties/properties.h"
#include "base/process.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LINE = 512, MAX_STEPS = 100 };

/* NAME=VALUE with a parameter's name in capitals. */
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
  pid_t pid;
  FILE *out;
} child_t;

static void launch(child_t *child, const properties_line_t *line, const properties_setup_t *setup) {
  child->out = tmpfile();
  fflush(NULL);
  child->pid = child->out ? fork() : -1;
  if (child->pid != 0) return;
  process_end_with_parent();
  mrpb_err_t err = {""};
  properties_setup_t own = *setup;
  own.out = child->out;
  int rc = properties_job(line, &own, &err);
  if (err.text[0]) fprintf(own.out, "%s\n", err.text);
  if (fflush(own.out) != 0 || ferror(own.out)) rc = PROPERTIES_BAD_INPUT; /* a full disk */
  _exit(rc);
}

/* Waits for the child and copies what it said; its exit code. */
static int collect(child_t *child, const properties_setup_t *setup) {
  int status = 0;
  char text[LINE];
  while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR) {
  }
  rewind(child->out);
  while (fgets(text, sizeof text, child->out)) fputs(text, setup->out);
  fclose(child->out);
  *child = (child_t){0};
  fflush(setup->out);
  if (WIFEXITED(status)) return WEXITSTATUS(status);
  fprintf(setup->out, "a job was killed by signal %d\n", WTERMSIG(status));
  return PROPERTIES_BAD_TOOL;
}

/* Refuted before wrong, wrong before undecided. */
static int worse(int a, int b) {
  static const int order[] = {PROPERTIES_REFUTED, PROPERTIES_BAD_TOOL, PROPERTIES_BAD_INPUT,
                              PROPERTIES_UNDECIDED};
  for (unsigned i = 0; i < sizeof order / sizeof *order; i++)
    if (a == order[i] || b == order[i]) return order[i];
  return PROPERTIES_HOLD;
}

int properties_run(const properties_line_t *lines, unsigned n, unsigned jobs,
                   const properties_setup_t *setup, mrpb_err_t *err) {
  unsigned count[PROPERTIES_BAD_TOOL + 1] = {0}, next = 0, done = 0;
  int worst = PROPERTIES_HOLD;
  child_t *children = calloc(n ? n : 1, sizeof *children);
  if (!children) {
    mrpb_fail(err, "out of memory");
    return PROPERTIES_BAD_TOOL;
  }
  fprintf(setup->out, "%-76s %3s %4s  %-24s %6s\n", "module and size", "properties", "invariants",
          "verdict", "seconds");
  for (bool stopped = false; done < n && !stopped;) { /* in the order of the list */
    for (; next < n && next < done + (jobs ? jobs : 1); next++)
      launch(&children[next], &lines[next], setup);
    int rc = PROPERTIES_BAD_TOOL;
    if (children[done].pid > 0)
      rc = collect(&children[done], setup);
    else
      mrpb_fail(err, "cannot start a job for %s", lines[done].module);
    done++;
    count[rc <= PROPERTIES_BAD_TOOL ? rc : PROPERTIES_BAD_TOOL]++;
    worst = worse(worst, rc);
    stopped = setup->stop && setup->stop();
  }
  for (; done < next; done++)
    if (children[done].pid > 0) (void)collect(&children[done], setup);
  free(children);
  fprintf(setup->out, "%u held, %u refuted, %u not decided, %u failed\n", count[PROPERTIES_HOLD],
          count[PROPERTIES_REFUTED], count[PROPERTIES_UNDECIDED],
          n - count[PROPERTIES_HOLD] - count[PROPERTIES_REFUTED] - count[PROPERTIES_UNDECIDED]);
  return worst;
}
