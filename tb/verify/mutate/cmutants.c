/* SPDX-License-Identifier: Apache-2.0 */
/* Finds the mutants of a C model, compiles them and runs them. */
#define _DEFAULT_SOURCE /* RTLD_LOCAL */
#include "base/home.h"
#include "verify/mutate/cmutants.h"

#include "base/output.h"
#include "base/jobs.h"
#include "base/process.h"
#include "base/files.h"

#include <ctype.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { HANG_SECONDS = 20 };

/* Longer ones first: the first that matches is used. */
static const char *const changes[][2] = {
    {"<<=", ">>="}, {">>=", "<<="}, {"==", "!="},    {"!=", "=="},    {"<=", "<"},
    {">=", ">"},    {"&&", "||"},   {"||", "&&"},    {"++", "--"},    {"--", "++"},
    {"+=", "-="},   {"-=", "+="},   {"&=", "|="},    {"|=", "&="},    {"->", NULL},
    {"<<", ">>"},   {">>", "<<"},   {" < ", " <= "}, {" > ", " >= "}, {" + ", " - "},
    {" - ", " + "}, {" & ", " | "}, {" | ", " & "},  {" ^ ", " & "},  {" % ", " / "},
    {"!", ""},      {"~", ""},
};
enum { N_CHANGES = sizeof changes / sizeof *changes };

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

/* The length of <stem>_create if it begins at `s`, else 0. It refuses parameters and allocates, and
 * is not part of the machine. */
static size_t creation(const char *s, const char *stem) {
  size_t n = strlen(stem);
  if (strncmp(s, "int ", 4) != 0 || strncmp(s + 4, stem, n) != 0 ||
      strncmp(s + 4 + n, "_create(", 8) != 0)
    return 0;
  const char *end = strstr(s, "\n}\n");
  return end ? (size_t)(end - s) : 0;
}

/* The length of what begins at `s` and is not code: a comment, a string, a character, a
 * preprocessor line; 0 for code. */
static size_t not_code(const char *s, bool line_begins) {
  const char *end = NULL;
  if (s[0] == '/' && s[1] == '*') {
    end = strstr(s + 2, "*/");
    return end ? (size_t)(end - s) + 2 : strlen(s);
  }
  if ((s[0] == '/' && s[1] == '/') || (line_begins && s[0] == '#')) {
    size_t n = strcspn(s, "\n");
    while (s[n] && n > 0 && s[n - 1] == '\\') n += 1 + strcspn(s + n + 1, "\n");
    return n;
  }
  if (s[0] != '"' && s[0] != '\'') return 0;
  size_t n = 1;
  while (s[n] && s[n] != s[0]) n += s[n] == '\\' && s[n + 1] ? 2 : 1;
  return n + (s[n] != '\0');
}

/* Whether a whole number 0 or 1, or true or false, stands at `s`. */
static bool literal(const char *s, bool word_before, cmutant_t *m) {
  static const char *const words[][2] = {
      {"0", "1"}, {"1", "0"}, {"true", "false"}, {"false", "true"}};
  for (unsigned i = 0; !word_before && i < sizeof words / sizeof *words; i++) {
    size_t n = strlen(words[i][0]);
    if (strncmp(s, words[i][0], n) != 0 || is_word(s[n]) || s[n] == '.') continue;
    m->from = words[i][0];
    m->to = words[i][1];
    return true;
  }
  return false;
}

static bool operator_at(const char *s, cmutant_t *m) {
  for (unsigned i = 0; i < N_CHANGES; i++) {
    if (strncmp(s, changes[i][0], strlen(changes[i][0])) != 0) continue;
    m->from = changes[i][0];
    m->to = changes[i][1];
    return true;
  }
  return false;
}

/* Walks over the text once: counts the places, and stores them if there is a list. */
static unsigned find_places(const char *text, const char *stem, cmutant_t *list) {
  unsigned n = 0, line = 1;
  const char *line_start = text;
  bool line_begins = true;
  for (const char *s = text; *s;) {
    cmutant_t m = {
        .line = line, .column = (unsigned)(s - line_start) + 1, .at = (size_t)(s - text)};
    size_t skip = line_begins ? creation(s, stem) : 0;
    if (skip == 0) skip = not_code(s, line_begins);
    if (skip == 0 && (literal(s, s > text && is_word(s[-1]), &m) || operator_at(s, &m))) {
      if (m.to && list) list[n] = m;
      n += m.to != NULL;
      skip = strlen(m.from) - (m.from[0] == ' ' ? 1 : 0);
    }
    if (skip == 0) skip = 1;
    for (; skip > 0 && *s; skip--, s++) {
      line_begins = *s == '\n' || (line_begins && isspace((unsigned char)*s));
      if (*s != '\n') continue;
      line++;
      line_start = s + 1;
    }
  }
  return n;
}

static int shell(const cmutants_t *m, const char *command) {
  char log[FILES_PATH];
  const char *argv[] = {"sh", "-c", command, NULL};
  return files_path(log, "%s/log", m->dir) ? process_log(argv, log) : -1;
}

#define COMPILE "gcc -std=c11 -D_POSIX_C_SOURCE=200809L -O1 -w -fPIC -I'%s/cmodel' -I'%s/tb' "

/* Compiles all files of cmodel/ except the mutated one and the list of modules, which the makefile
 * makes. */
static int compile_rest(const cmutants_t *m, mrpb_err_t *err) {
  char command[4 * FILES_PATH];
  snprintf(command, sizeof command,
           "cd '%s' && for f in '%s'/cmodel/*.c; do "
           "case ${f##*/} in %s.c | module_list.c) continue ;; esac; " COMPILE
           "-c \"$f\" || exit 1; done",
           m->dir, m->root, m->name, m->root, m->root);
  if (shell(m, command) == 0) return 0;
  return mrpb_fail(err, "gcc failed on cmodel/: see %s/log", m->dir);
}

int cmutants_open(cmutants_t *m, const char *root, const char *file, mrpb_err_t *err) {
  char path[FILES_PATH], parent[FILES_PATH];
  const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
  *m = (cmutants_t){.cls = NULL};
  snprintf(m->name, sizeof m->name, "%.*s", (int)strcspn(base, "."), base);
  if (snprintf(m->root, sizeof m->root, "%s", root) >= CMUTANTS_DIR ||
      home_build(parent, root, "mutants", err) != 0 ||
      snprintf(m->dir, sizeof m->dir, "%s/%s.c", parent, m->name) >= CMUTANTS_DIR ||
      !files_path(path, "%s/%s", root, file))
    return mrpb_fail(err, "%s: the path is too long", root);
  if (files_exists(m->dir)) files_remove_tree(m->dir, NULL);
  if (mkdir(m->dir, 0777) != 0) return mrpb_fail(err, "%s: %s", m->dir, strerror(errno));
  m->text = files_read(path, NULL);
  if (!m->text) return mrpb_fail(err, "%s: cannot be read", path);
  return compile_rest(m, err);
}

int cmutants_make(cmutants_t *m, const char *root, const module_class_t *cls, mrpb_err_t *err) {
  char file[CMUTANTS_NAME];
  snprintf(file, sizeof file, "cmodel/%s.c", cls->stem);
  if (cmutants_open(m, root, file, err) != 0) return -1;
  m->cls = cls;
  m->n = find_places(m->text, cls->stem, NULL);
  m->list = calloc(m->n + 1, sizeof *m->list);
  if (!m->list) return mrpb_fail(err, "%s: out of memory", cls->stem);
  (void)find_places(m->text, cls->stem, m->list);
  return 0;
}

void cmutants_free(cmutants_t *m) {
  free(m->text);
  free(m->list);
  m->text = NULL;
  m->list = NULL;
}

static int write_mutant(const cmutants_t *m, const cmutant_t *c, mrpb_err_t *err) {
  char name[CMUTANTS_NAME + 2];
  snprintf(name, sizeof name, "%s.c", m->name);
  FILE *f = output_into(m->dir, name, err);
  if (!f) return -1;
  fprintf(f, "%.*s%s%s", (int)c->at, m->text, c->to, m->text + c->at + strlen(c->from));
  return output_into_end(f, false, m->dir, name, err);
}

/* A running mutant. */
typedef struct {
  const module_class_t *cls;
  const uint32_t *cfg;
  void *model;
  bool wrong; /* a view differs from comb */
} instance_t;

enum { MOST_WORDS = MODULE_MAX_WORDS };

/* A view must give the outputs of comb and leave the other words as they are. */
static bool view_wrong(const instance_t *i, const module_fast_t *fast, const uint64_t *in,
                       const uint64_t *out) {
  uint64_t got[MOST_WORDS], words[MOST_WORDS / 64];
  mrpb_err_t err = {""};
  if (module_view_words(i->cls, i->cfg, fast, words, &err) != 0) return true;
  memset(got, 0, sizeof got);
  fast->view(i->model, in, got);
  for (unsigned w = 0; w < i->cls->out_words; w++)
    if (got[w] != (words[w / 64] >> w % 64 & 1 ? out[w] : 0)) return true;
  return false;
}

static void instance_comb(void *self, const uint64_t *in, uint64_t *out) {
  instance_t *i = self;
  i->cls->comb(i->model, in, out);
  for (unsigned k = 0; k < i->cls->n_fast; k++)
    i->wrong = i->wrong || (i->cls->fast[k].view && view_wrong(i, &i->cls->fast[k], in, out));
}

static void instance_edge(void *self, const uint64_t *in) {
  const instance_t *i = self;
  i->cls->edge(i->model, in);
}

static bool instance_same(void *self, const module_reg_t *good) {
  const instance_t *i = self;
  module_reg_t r[MODULE_MAX_REGS];
  if (i->wrong) return false;
  i->cls->regs(i->model, r);
  for (unsigned k = 0; k < i->cls->n_regs; k++)
    if (memcmp(r[k].data, good[k].data, (size_t)good[k].words * good[k].elem_bytes) != 0)
      return false;
  return true;
}

/* What a mutant's process prints at its end. One that crashes or exits prints nothing. */
static const char alive[] = "alive", killed[] = "killed", not_loaded[] = "not loaded";

static void step_comb(void *self, const uint64_t *in, uint64_t *out) {
  const instance_t *i = self;
  module_step(i->cls)->step(i->model, in, out); /* its outputs are known only after the edge */
}

static void step_edge(void *self, const uint64_t *in) {
  (void)self;
  (void)in;
}

static bool lives(const module_class_t *cls, bool step, const kill_trace_t *t) {
  instance_t i = {.cls = cls, .cfg = t->cfg};
  mrpb_err_t err;
  if (cls->create(&i.model, t->cfg, &err) != 0) return false;
  const kill_subject_t halves = {&i, instance_comb, instance_edge, instance_same, NULL};
  const kill_subject_t whole = {&i, step_comb, step_edge, instance_same, NULL};
  int64_t at = kill_run(t, step ? &whole : &halves);
  return at < 0 || at == (int64_t)t->cycles; /* out of memory: no verdict */
}

typedef struct {
  const char *stem;
  const kill_trace_t *t;
  unsigned n;
} traces_t;

const module_class_t *cmutants_class(void *handle, const char *stem) {
  char symbol[CMUTANTS_NAME + 8];
  snprintf(symbol, sizeof symbol, "%s_class", stem);
  return dlsym(handle, symbol);
}

/* Runs the mutant through comb, its views and edge, and through the step if the module has one. */
static bool lives_all(void *handle, void *ctx) {
  const traces_t *traces = ctx;
  const module_class_t *cls = cmutants_class(handle, traces->stem);
  for (unsigned k = 0; cls && k < traces->n; k++)
    if (!lives(cls, false, &traces->t[k]) || (module_step(cls) && !lives(cls, true, &traces->t[k])))
      return false;
  return true;
}

/* A mutant under trial. */
typedef struct {
  const cmutants_t *m;
  cmutants_lives_t lives_on;
  void *ctx;
  cmutant_fate_t fate;
  mrpb_err_t *err;
} trial_t;

static const char *fate(const trial_t *t) {
  char object[FILES_PATH];
  int fd = open("/dev/null", O_WRONLY); /* hides what a corrupted heap prints */
  if (fd >= 0) (void)dup2(fd, STDERR_FILENO);
  if (!files_path(object, "%s/mutant.so", t->m->dir)) return not_loaded;
  void *handle = dlopen(object, RTLD_NOW | RTLD_LOCAL);
  if (!handle) return not_loaded;
  return t->lives_on(handle, t->ctx) ? alive : killed;
}

/* Runs in a separate process. The mutant may set its exit code, so only the printed text counts. */
static int judge(void *self, size_t job, FILE *out) {
  (void)job;
  fputs(fate(self), out);
  return 0;
}

static jobs_then_t hear(void *self, const jobs_end_t *end) {
  trial_t *t = self;
  char said[16] = "";
  if (end->out) said[fread(said, 1, sizeof said - 1, end->out)] = '\0';
  if (end->why) {
    t->fate = CMUTANT_FAILED;
    mrpb_fail(t->err, "%s", end->why);
  } else if (strcmp(said, not_loaded) == 0) {
    t->fate = CMUTANT_FAILED;
    mrpb_fail(t->err, "%s/mutant.so: cannot be loaded", t->m->dir);
  } else {
    t->fate = strcmp(said, alive) == 0 ? CMUTANT_ALIVE : CMUTANT_KILLED;
  }
  return JOBS_GO_ON;
}

cmutant_fate_t cmutants_try(const cmutants_t *m, const cmutant_t *c, unsigned seconds,
                            cmutants_lives_t lives_on, void *ctx, mrpb_err_t *err) {
  char command[4 * FILES_PATH];
  trial_t trial = {m, lives_on, ctx, CMUTANT_FAILED, err};
  const jobs_t pool = {.n = 1, .seconds = seconds, .ctx = &trial, .work = judge, .end = hear};
  if (write_mutant(m, c, err) != 0) return CMUTANT_FAILED;
  snprintf(command, sizeof command, "cd '%s' && " COMPILE "-shared -o mutant.so %s.c *.o", m->dir,
           m->root, m->root, m->name);
  if (shell(m, command) != 0) return CMUTANT_NO_C;
  return jobs_run(&pool, err) < 0 ? CMUTANT_FAILED : trial.fate;
}

cmutant_fate_t cmutants_run(const cmutants_t *m, unsigned i, const kill_trace_t *t,
                            unsigned n_traces, mrpb_err_t *err) {
  traces_t traces = {m->cls->stem, t, n_traces};
  return cmutants_try(m, &m->list[i], HANG_SECONDS, lives_all, &traces, err);
}
