/* SPDX-License-Identifier: Apache-2.0 */
/* Loads the object of a module outside the tree: first in a child as a trial, then in this
 * process. */
#define _DEFAULT_SOURCE /* realpath, setenv */
#include "base/modules.h"

#include "base/jobs.h"
#include "base/modules_tree.h"
#include "kit.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SECONDS = 5, BAD_INPUT = 2, HANGS = 4, GOOD = 77, MOST_WORDS = MODULE_MAX_WORDS };

static int check_kit(const kit_t *kit, const char *object, const char *stem, mrpb_err_t *err) {
  if (!kit)
    return mrpb_fail(
        err, "%.300s: has no symbol %s; legal: an object that the Makefile of `mrpb new` built",
        object, KIT_SYMBOL);
  if (!kit->version || strcmp(kit->version, mrpb_version()) != 0 ||
      kit->class_size != sizeof(module_class_t))
    return mrpb_fail(err,
                     "%.300s: built against version %.20s, this is mrpb %s; build it again: "
                     "make clean all",
                     object, kit->version ? kit->version : "?", mrpb_version());
  const module_class_t *c = kit->cls;
  if (!c || !c->stem || strcmp(c->stem, stem) != 0)
    return mrpb_fail(err, "%.300s: is the module %.40s; legal: %s", object,
                     c && c->stem ? c->stem : "of no name", stem);
  if (!c->check || !c->ports || !c->create || !c->comb || !c->edge || !c->regs || !c->copy ||
      !c->destroy || !c->legal || !c->doc || (!c->params && c->n_params) ||
      c->n_params > MODULE_MAX_PARAMS || c->n_in > MODULE_MAX_PORTS ||
      c->n_out > MODULE_MAX_PORTS || c->n_regs > MODULE_MAX_REGS || c->in_words > MOST_WORDS ||
      c->out_words > MOST_WORDS || (!c->fast && c->n_fast))
    return mrpb_fail(err, "%.300s: the module table of %s is invalid", object, stem);
  return 0;
}

typedef struct {
  const char *object, *stem;
  char said[sizeof((mrpb_err_t *)0)->text];
  int pipe[2];
  int code;
  mrpb_err_t *err;
} trial_t;

static int open_object(const char *object, const char *stem, int flags, const kit_t **kit,
                       mrpb_err_t *err) {
  void *handle = dlopen(object, RTLD_NOW | flags);
  if (!handle) return mrpb_fail(err, "%.450s", dlerror());
  *kit = dlsym(handle, KIT_SYMBOL);
  if (check_kit(*kit, object, stem, err) != 0) return -1;
  if (dlsym(handle, KIT_STIMULUS_SYMBOL)) return 0;
  return mrpb_fail(
      err, "%.300s: has no stimulus; legal: KIT_STIMULUS = {...} in one of its sources", object);
}

/* Runs one cycle at the default sizes. */
static int exercise(const module_class_t *c, mrpb_err_t *err) {
  uint32_t cfg[MODULE_MAX_PARAMS] = {0};
  uint64_t in[MOST_WORDS] = {0}, out[MOST_WORDS] = {0};
  module_reg_t regs[MODULE_MAX_REGS];
  module_port_t ins[MODULE_MAX_PORTS], outs[MODULE_MAX_PORTS];
  void *self = NULL;
  module_defaults(c, cfg);
  if (c->check(cfg, err) != 0 || c->create(&self, cfg, err) != 0) return -1;
  c->ports(cfg, ins, outs);
  c->comb(self, in, out);
  c->edge(self, in);
  c->regs(self, regs);
  c->destroy(self);
  return 0;
}

/* Runs in a process of its own, so that constructors and a first cycle cannot harm this one. */
static int attempt(void *self, size_t job, FILE *out) {
  trial_t *t = self;
  const kit_t *kit = NULL;
  mrpb_err_t err = {""};
  (void)job;
  (void)out;
  int null = open("/dev/null", O_RDWR);
  for (int fd = 0; null >= 0 && fd <= 2; fd++) (void)dup2(null, fd);
  if (open_object(t->object, t->stem, RTLD_LOCAL, &kit, &err) == 0 && exercise(kit->cls, &err) == 0)
    return GOOD;
  if (write(t->pipe[1], err.text, sizeof err.text) < 0) return BAD_INPUT;
  return BAD_INPUT;
}

static jobs_then_t hear(void *self, const jobs_end_t *end) {
  trial_t *t = self;
  t->code = BAD_INPUT;
  if (end->exited && end->code == GOOD) {
    t->code = 0;
  } else if (end->ended) {
    t->code = HANGS;
    mrpb_fail(t->err, "%.300s: did not return within %d s: hung?", t->object, SECONDS);
  } else if (end->exited && end->code == BAD_INPUT &&
             read(t->pipe[0], t->said, sizeof t->said) > 0) {
    mrpb_fail(t->err, "%s", t->said);
  } else if (end->exited) {
    mrpb_fail(t->err, "%.300s: ends the program (exit %d) when it is loaded or run for a cycle",
              t->object, end->code);
  } else {
    mrpb_fail(t->err, "%.300s: crashes (signal %d, %s) when it is loaded or run for a cycle",
              t->object, end->code, strsignal(end->code));
  }
  return JOBS_GO_ON;
}

static int try_object(const char *object, const char *stem, mrpb_err_t *err) {
  trial_t t = {.object = object, .stem = stem, .err = err};
  const jobs_t pool = {
      .n = 1, .silent = true, .seconds = SECONDS, .ctx = &t, .work = attempt, .end = hear};
  if (pipe(t.pipe) != 0) return mrpb_fail(err, "%s", strerror(errno)), BAD_INPUT;
  (void)fcntl(t.pipe[0], F_SETFL, O_NONBLOCK);
  if (jobs_run(&pool, err) < 0) t.code = BAD_INPUT;
  close(t.pipe[0]);
  close(t.pipe[1]);
  return t.code;
}

static void crashed_with(const char *line, size_t n) {
  if (write(STDERR_FILENO, line, n) < 0) _exit(BAD_INPUT);
  _exit(BAD_INPUT);
}

/* The module's code runs in this process from now on. If it crashes, this prints a line that says
 * so. */
static void crashed(int sig) {
  static const char line[] = "mrpb: a crash in the C code of the module of -m DIR (a debugger, or "
                             "gcc -fsanitize=address, finds the place)\n";
  (void)sig;
  crashed_with(line, sizeof line - 1);
}

/* A model that calls exit() would end the command as if it had succeeded. A proper end has called
 * modules_end. */
static void left_early(void) {
  static const char line[] = "mrpb: the module of -m DIR has ended the program: it calls exit()\n";
  if (!getenv(MODULES_VARIABLE)) return;
  crashed_with(line, sizeof line - 1);
}

void modules_end(void) {
  (void)unsetenv(MODULES_VARIABLE);
}

static void catch_crashes(void) {
  static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  struct sigaction act = {.sa_handler = crashed};
  for (unsigned i = 0; i < sizeof signals / sizeof *signals; i++)
    (void)sigaction(signals[i], &act, NULL);
  (void)atexit(left_early);
}

/* An object older than its sources would be compared with newer Verilog. Folders are copied file by
 * file, so two seconds do not count as a change. */
static int check_age(const char *dir, const char *full, const char *object, const char *stem,
                     mrpb_err_t *err) {
  static const char *const behind[] = {".ports.h", ".h", ".c", "_stim.c"};
  struct stat built, source;
  char path[FILES_PATH];
  if (stat(object, &built) != 0) return mrpb_fail(err, "%.300s: %s", object, strerror(errno));
  for (unsigned i = 0; i < sizeof behind / sizeof *behind; i++)
    if (files_path(path, "%s/%s%s", full, stem, behind[i]) && stat(path, &source) == 0 &&
        source.st_mtime > built.st_mtime + 2)
      return mrpb_fail(err, "-m %.200s: %s.so is older than %s%s; build it: make -C %.200s", dir,
                       stem, stem, behind[i], dir);
  return 0;
}

/* Finds DIR/NAME.so, and NAME, from the folder's real name. */
static int find_object(const char *dir, char full[FILES_PATH], char object[FILES_PATH],
                       const char **stem, mrpb_err_t *err) {
  char *real = realpath(dir, NULL);
  if (!real) return mrpb_fail(err, "-m %.300s: %s", dir, strerror(errno));
  const bool fits = files_path(full, "%s", real) && files_is_folder(full);
  free(real);
  if (!fits) return mrpb_fail(err, "-m %.300s: legal: a folder that `mrpb new` made", dir);
  *stem = strrchr(full, '/') + 1;
  if (modules_check_name(*stem, err) != 0) return -1;
  if (!files_path(object, "%s/%s.so", full, *stem))
    return mrpb_fail(err, "-m %.300s: the path is too long", dir);
  if (files_exists(object)) return check_age(dir, full, object, *stem, err);
  return mrpb_fail(err, "-m %.300s: %s.so is missing; build it: make -C %.300s", dir, *stem, dir);
}

int modules_load(const char *dir, mrpb_err_t *err) {
  char full[FILES_PATH], object[FILES_PATH];
  const char *stem = NULL;
  const kit_t *kit = NULL;
  if (find_object(dir, full, object, &stem, err) != 0) return BAD_INPUT;
  int rc = try_object(object, stem, err);
  if (rc != 0) return rc;
  if (open_object(object, stem, RTLD_GLOBAL, &kit, err) != 0) return BAD_INPUT;
  catch_crashes();
  if (setenv(MODULES_VARIABLE, dir, 1) != 0 || modules_tree(full, stem, err) != 0) return BAD_INPUT;
  return 0;
}
