/* Lists of proofs. */
#include "prove/llvm/list.h"

#include "cosim/matrix.h"
#include "prove/parts/parts.h"
#include "prove/llvm/runs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 512 };

typedef struct {
  prove_job_t *job;
  size_t n, room;
} list_t;

int list_set(prove_job_t *job, const char *text, mrpb_err_t *err) {
  cosim_job_t sizes = {.cls = job->cls};
  memcpy(sizes.cfg, job->cfg, sizeof job->cfg);
  if (matrix_set(&sizes, text, err) != 0) return -1;
  memcpy(job->cfg, sizes.cfg, sizeof job->cfg);
  return 0;
}

/* A line's own engine is for what the usual one does not decide; asked for another, all take that.
 */
static int take_word(prove_job_t *job, const char *word, mrpb_err_t *err) {
  engine_t engine;
  if (strncmp(word, "engine=", 7) != 0) return list_set(job, word, err);
  if (decide_engine(&engine, word + 7, err) != 0) return -1;
  if (job->engine == ENGINE_ABC) job->engine = engine;
  return 0;
}

static int parse_line(char *text, prove_job_t *job, mrpb_err_t *err) {
  char *save = NULL;
  text[strcspn(text, "#\n")] = '\0';
  char *word = strtok_r(text, " \t\r", &save);
  job->cls = NULL;
  if (!word) return 0;
  job->cls = prove_class(word, err);
  if (!job->cls) return -1;
  module_defaults(job->cls, job->cfg);
  while ((word = strtok_r(NULL, " \t\r", &save)))
    if (take_word(job, word, err) != 0) return -1;
  return job->cls->check(job->cfg, err);
}

static int read_list(const char *path, const prove_job_t *base, list_t *list, mrpb_err_t *err) {
  char text[LINE];
  FILE *f = fopen(path, "r");
  if (!f) return mrpb_fail(err, "--list %s: cannot read: %s", path, strerror(errno));
  for (unsigned at = 1; fgets(text, sizeof text, f); at++) {
    mrpb_err_t why = {""};
    prove_job_t job = *base;
    if (parse_line(text, &job, &why) != 0) {
      fclose(f);
      return mrpb_fail(err, "%s:%u: %s", path, at, why.text);
    }
    if (!job.cls) continue;
    if (list->n == list->room) {
      list->room = 2 * list->room + 32;
      list->job = prove_grow(list->job, list->room * sizeof *list->job);
    }
    list->job[list->n++] = job;
  }
  bool bad = ferror(f) != 0;
  fclose(f);
  if (bad) return mrpb_fail(err, "--list %s: cannot read", path);
  return list->n ? 0 : mrpb_fail(err, "--list %s: no module in it", path);
}

void list_trust(engine_t engine, FILE *out) {
  fprintf(out,
          "trusted: clang-14 -O1, the executor (tb/prove/llvm), Yosys, %s, the port and register "
          "tables; docs/verify/prove.md\n",
          engine == ENGINE_BOTH ? "that ABC and cadical are not wrong alike" : decide_name(engine));
}

int list_run(const char *path, const prove_job_t *base, unsigned jobs, FILE *out, FILE *progress,
             mrpb_err_t *err) {
  list_t list = {0};
  if (read_list(path, base, &list, err) != 0) {
    free(list.job);
    return PROVE_BAD_INPUT;
  }
  runs_t sum = runs(list.job, list.n, jobs, out, progress);
  free(list.job);
  if (sum.code == PROVE_INTERRUPTED) return sum.code;
  list_trust(base->engine, out);
  fprintf(out, "%zu proved, %zu refuted, %zu not decided\n", sum.proved, sum.refuted, sum.rest);
  return sum.code;
}
