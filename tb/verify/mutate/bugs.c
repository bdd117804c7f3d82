/* SPDX-License-Identifier: Apache-2.0 */
/* Builds each seeded bug and looks for it. */
#define _DEFAULT_SOURCE /* RTLD_LOCAL */
#include "base/home.h"
#include "verify/mutate/bugs.h"
#include "base/output.h"
#include "base/sizes.h"

#include "base/process.h"
#include "base/files.h"
#include "verilog/build.h"
#include "cosim/run.h"
#include "cosim/cross/unbounded_cross.h"
#include "base/lines.h"
#include "verify/mutate/cmutants.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 256, COLUMN = 6, SECONDS = 300, NOT_FOUND = 1, CROSSED = 20000 };

typedef struct {
  char name[TEXT], file[TEXT], from[TEXT], to[TEXT], run[TEXT];
  unsigned long line;
} bug_t;

typedef struct {
  const bugs_options_t *o;
  rtl_env_t *env;
  const char *path;
  bug_t bug;
  char before[TEXT]; /* the file of the previous bug */
  char opened[TEXT]; /* the file of `m`, or "" */
  cmutants_t m;
  unsigned found, missed;
} list_t;

/* ---- how a bug is looked for ---------------------------------------------------- */

typedef struct {
  cosim_job_t job;
  rtl_env_t *env;
} seek_t;

/* Finds the line of a report that says what differs, or else its last line. */
static void find_line(FILE *report, char text[TEXT]) {
  char line[TEXT];
  rewind(report);
  text[0] = '\0';
  while (fgets(line, sizeof line, report)) {
    bool mismatch = strncmp(line, "MISMATCH", 8) == 0, first = strncmp(line, "  first", 7) == 0;
    first = first || strncmp(line, "  function", 10) == 0;
    line[strcspn(line, "\n")] = '\0';
    if (mismatch) snprintf(text, TEXT, "%s", line);
    if (first) snprintf(text + strlen(text), TEXT - strlen(text), "; %.60s", line + 14);
  }
}

/* Runs the C model of `handle` in lockstep with the unchanged Verilog. */
static bool lockstep_lives(void *handle, void *ctx) {
  seek_t *s = ctx;
  mrpb_err_t err = {""};
  s->job.cls = cmutants_class(handle, s->job.cls->stem);
  if (!s->job.cls) return true;
  int rc = cosim_run(&s->job, s->env, &err);
  fflush(s->job.out);
  return rc != COSIM_DIFFERENT;
}

static bool cross_lives(void *handle, void *ctx) {
  const seek_t *s = ctx;
  unbounded_open_fn open = NULL;
  *(void **)&open = dlsym(handle, "unbounded_open");
  for (unsigned i = 0; open && i < UNBOUNDED_SIZES; i++) {
    const mrpb_cfg_t cfg = unbounded_sizes(i);
    mrpb_err_t err = {""};
    unbounded_cross_t r;
    if (unbounded_cross(&r, open, &cfg, i, CROSSED, &err) == 0 && !r.differs) continue;
    fprintf(s->job.out, "MISMATCH unbounded and bounded, sizes %u, cycle %llu: %s\n", i,
            (unsigned long long)r.compared, r.what);
    fflush(s->job.out);
    return false;
  }
  return true;
}

/* Returns 0 if found, 1 if not, or another exit code and a message in err. */
static int seek_c(list_t *l, seek_t *s, const cmutant_t *c, mrpb_err_t *err) {
  bool unbounded = l->bug.run[0] == '\0';
  switch (cmutants_try(&l->m, c, SECONDS, unbounded ? cross_lives : lockstep_lives, s, err)) {
  case CMUTANT_KILLED:
    return 0;
  case CMUTANT_ALIVE:
    return NOT_FOUND;
  case CMUTANT_NO_C:
    mrpb_fail(err, "%s:%lu: this is not C: see %s/log", l->path, l->bug.line, l->m.dir);
    return RTL_BAD_INPUT;
  case CMUTANT_FAILED:
    break;
  }
  return RTL_BAD_TOOL;
}

/* Runs a copy of rtl/ with the edit in lockstep with the C model. */
static int seek_rtl(list_t *l, seek_t *s, const char *text, const cmutant_t *c, mrpb_err_t *err) {
  char dir[FILES_PATH], command[5 * FILES_PATH], log[FILES_PATH];
  const char *root = rtl_env_root(l->env), *argv[] = {"sh", "-c", command, NULL};
  rtl_env_t *env;
  if (home_build(dir, root, "mutants/rtl", err) != 0 || !files_path(log, "%s.log", dir))
    return mrpb_fail(err, "%s: the path is too long", root), RTL_BAD_INPUT;
  snprintf(command, sizeof command, "rm -rf '%s' && mkdir -p '%s' && cp '%s'/rtl/*.v '%s'", dir,
           dir, root, dir);
  if (process_log(argv, log) != 0) return mrpb_fail(err, "%s: cannot be made", dir), RTL_BAD_TOOL;
  const char *const name = l->bug.file + strlen("rtl/");
  FILE *f = output_into(dir, name, err);
  if (!f) return RTL_BAD_TOOL;
  fprintf(f, "%.*s%s%s", (int)c->at, text, c->to, text + c->at + strlen(c->from));
  if (output_into_end(f, false, dir, name, err) != 0) return RTL_BAD_TOOL;
  int rc = rtl_env_open(&env, &(rtl_from_t){.dir = dir}, NULL, err);
  if (rc != RTL_OK) return rc;
  rtl_env_trust(env);
  rc = cosim_run(&s->job, env, err);
  rtl_env_close(env);
  return rc == COSIM_DIFFERENT ? 0 : rc == COSIM_MATCHED ? NOT_FOUND : rc;
}

/* ---- the list -------------------------------------------------------------- */

/* Reads the module and sizes of a bug; without them it is the MRPB. */
static int parse_run(const bug_t *b, cosim_job_t *job, mrpb_err_t *err) {
  char words[TEXT], *save = NULL;
  snprintf(words, sizeof words, "%s", b->run[0] ? b->run : "mrpb");
  char *word = strtok_r(words, " ", &save);
  job->cls = sizes_module(word, err);
  if (!job->cls) return -1;
  module_defaults(job->cls, job->cfg);
  while ((word = strtok_r(NULL, " ", &save)))
    if (sizes_set(job->cls, job->cfg, word, err) != 0) return -1;
  return job->cls->check(job->cfg, err);
}

static int locate(const list_t *l, const char *text, cmutant_t *c, mrpb_err_t *err) {
  const bug_t *b = &l->bug;
  const char *at = b->from[0] ? strstr(text, b->from) : NULL;
  *c = (cmutant_t){.from = b->from, .to = b->to};
  if (!at)
    return mrpb_fail(err, "%s:%lu: %s no longer has: %s", l->path, b->line, b->file, b->from);
  if (strstr(at + 1, b->from))
    return mrpb_fail(err, "%s:%lu: %s has this twice: %s", l->path, b->line, b->file, b->from);
  c->at = (size_t)(at - text);
  return 0;
}

static int edit_rtl(list_t *l, seek_t *s, mrpb_err_t *err) {
  char path[FILES_PATH], *text = NULL;
  cmutant_t c;
  int rc = RTL_BAD_INPUT;
  if (files_path(path, "%s/%s", rtl_env_root(l->env), l->bug.file)) text = files_read(path, NULL);
  if (!text) mrpb_fail(err, "%s:%lu: %s: cannot be read", l->path, l->bug.line, l->bug.file);
  if (text && locate(l, text, &c, err) == 0) rc = seek_rtl(l, s, text, &c, err);
  free(text);
  return rc;
}

/* Compiles the other files once for all bugs of a file. */
static int open_file(list_t *l, mrpb_err_t *err) {
  if (strcmp(l->opened, l->bug.file) == 0) return 0;
  cmutants_free(&l->m);
  snprintf(l->opened, sizeof l->opened, "%s", l->bug.file);
  return cmutants_open(&l->m, rtl_env_root(l->env), l->bug.file, err);
}

static int edit_c(list_t *l, seek_t *s, mrpb_err_t *err) {
  cmutant_t c;
  if (open_file(l, err) != 0 || locate(l, l->m.text, &c, err) != 0) return RTL_BAD_INPUT;
  return seek_c(l, s, &c, err);
}

static int one(list_t *l, mrpb_err_t *err) {
  bug_t *b = &l->bug;
  char said[TEXT] = "";
  seek_t s = {.env = l->env,
              .job = {.seed = l->o->seed, .cycles = l->o->cycles, .program = "build/mrpb"}};
  bool again = strcmp(l->before, b->file) == 0;
  snprintf(l->before, sizeof l->before, "%s", b->file);
  if (l->o->brief && again) return RTL_OK;
  if (parse_run(b, &s.job, err) != 0) return RTL_BAD_INPUT;
  s.job.out = tmpfile();
  if (!s.job.out) return mrpb_fail(err, "no temporary file"), RTL_BAD_TOOL;
  int rc = strncmp(b->file, "rtl/", 4) == 0 ? edit_rtl(l, &s, err) : edit_c(l, &s, err);
  find_line(s.job.out, said);
  fclose(s.job.out);
  if (rc > NOT_FOUND) return rc;
  b->name[strcspn(b->name, ":")] = '\0';
  fprintf(l->o->out, "%-28s %s\n", b->name,
          rc == NOT_FOUND ? "NOT FOUND"
          : said[0]       ? said
                          : "a crash, or no end");
  fflush(l->o->out);
  l->found += rc == 0;
  l->missed += rc == NOT_FOUND;
  return RTL_OK;
}

/* Takes a line of the list; `run` ends a bug. */
static int take(list_t *l, const char *line, unsigned long number, mrpb_err_t *err) {
  static const char *const words[] = {"bug   ", "file  ", "from  ", "to    ", "run   "};
  bug_t *b = &l->bug;
  char *const to[] = {b->name, b->file, b->from, b->to, b->run};
  if (line[0] == '#' || line[0] == '\0') return RTL_OK;
  for (unsigned i = 0; i < sizeof words / sizeof *words; i++) {
    if (strncmp(line, words[i], COLUMN) != 0 && strcmp(line, "run") != 0) continue;
    if (line[0] == 'r' && i < 4) continue;
    if (i == 0) *b = (bug_t){.line = number};
    if (snprintf(to[i], TEXT, "%s", strlen(line) > COLUMN ? line + COLUMN : "") >= TEXT) break;
    return i == 4 ? one(l, err) : RTL_OK;
  }
  mrpb_fail(err,
            "%s:%lu: legal: bug, file, from, to or run, and its value from column 7 on, %d "
            "characters at most",
            l->path, number, TEXT - 1);
  return RTL_BAD_INPUT;
}

int bugs_run(const char *path, rtl_env_t *env, const bugs_options_t *o, mrpb_err_t *err) {
  list_t l = {.o = o, .env = env, .path = path};
  lines_t *in;
  const char *line;
  int more = 0, rc = RTL_OK;
  if (lines_open(&in, path, err) != 0) return RTL_BAD_INPUT;
  while (rc == RTL_OK && !(o->stop && o->stop()) && (more = lines_next(in, &line, err)) > 0)
    rc = take(&l, line, lines_number(in), err);
  lines_close(in);
  cmutants_free(&l.m);
  if (rc != RTL_OK) return rc;
  if (more < 0) return RTL_BAD_INPUT;
  if (l.found + l.missed == 0 && !(o->stop && o->stop()))
    return mrpb_fail(err, "%s: no bug in it", path), RTL_BAD_INPUT;
  fprintf(o->out, "bugs: %u found, %u not\n", l.found, l.missed);
  return l.missed ? NOT_FOUND : RTL_OK;
}
