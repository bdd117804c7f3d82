/* SPDX-License-Identifier: Apache-2.0 */
/* Functions shared by the commands: see cli.h. */
#include "base/home.h"
#include "cli/cli.h"

#include "cosim/lockstep/report.h"
#include "base/files.h"
#include "base/modules.h"
#include "verilog/build.h"
#include "base/output.h"
#include "base/guard.h"
#include "base/json_out.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

FILE *cli_progress(void) {
  return isatty(STDERR_FILENO) ? stderr : NULL;
}

FILE *cli_log(void) {
  return cli_progress() && isatty(STDOUT_FILENO) ? NULL : stdout;
}

void cli_program(char text[CLI_COMMAND]) {
  char folder[CLI_COMMAND];
  ssize_t n = readlink("/proc/self/exe", text, CLI_COMMAND - 1);
  text[n > 0 ? n : 0] = '\0';
  if (n <= 0) snprintf(text, CLI_COMMAND, "build/mrpb");
  size_t below = getcwd(folder, sizeof folder) ? strlen(folder) : 0;
  if (below && strncmp(text, folder, below) == 0 && text[below] == '/')
    memmove(text, text + below + 1, strlen(text + below + 1) + 1);
  if (!modules_folder()) return;
  report_quote(modules_folder(), folder, sizeof folder);
  below = strlen(text);
  snprintf(text + below, CLI_COMMAND - below, " -m %s", folder);
}

int cli_take_module(void *self, const char *name, const char *v, mrpb_err_t *err) {
  (void)self;
  return mrpb_fail(err, "%s %s: legal: once", name, v);
}

int cli_module(int *argc, char **argv, const char **dir, mrpb_err_t *err) {
  int n = 1;
  *dir = NULL;
  for (int i = 1; i < *argc; i++) {
    if (strcmp(argv[i], "-m") != 0) {
      argv[n++] = argv[i];
      continue;
    }
    if (i + 1 == *argc || !argv[i + 1][0]) return mrpb_fail(err, "-m needs a value: DIR");
    if (*dir) return mrpb_fail(err, "-m %.200s: legal: once", argv[i + 1]);
    *dir = argv[++i];
  }
  *argc = n;
  argv[n] = NULL;
  return 0;
}

void cli_command_line(int argc, char **argv, char text[CLI_COMMAND]) {
  char word[CLI_COMMAND];
  cli_program(text);
  for (int i = 0; i < argc; i++) {
    size_t at = strlen(text);
    report_quote(argv[i], word, sizeof word);
    snprintf(text + at, CLI_COMMAND - at, " %s", word);
  }
}

int cli_fail(const char *command, const mrpb_err_t *err) {
  /* After an interrupt, the command's own error does not matter. */
  mrpb_err_t said = *err;
  modules_plain(said.text, sizeof said.text);
  fprintf(stderr, "mrpb %s: %s\n", command, cli_signalled() ? "interrupted" : said.text);
  return CLI_USAGE;
}

bool cli_signalled(void) {
  return guard_signalled();
}

/* Removes what an interrupted command had in the cache of Verilated modules. */
static void cleanup(void) {
  char root[FILES_PATH], cache[FILES_PATH], mine[64];
  mrpb_err_t err = {""};
  snprintf(mine, sizeof mine, "tmp.%ld.", (long)getpid());
  if (home_find(root, &err) == 0 && home_build_path(cache, root, "rtl", &err) == 0)
    files_remove_named(cache, mine);
}

void cli_start(void) {
  guard_start(cleanup);
}

/* An earlier write has failed and left nothing to write, so the pipe itself must tell whether
 * anyone reads. */
static bool reader_is_gone(void) {
  struct pollfd p = {.fd = STDOUT_FILENO, .events = POLLOUT};
  return poll(&p, 1, 0) == 1 && (p.revents & POLLERR);
}

int cli_finish(const char *command, int rc) {
  modules_end();
  /* A tool that was ended together with this process has not failed. */
  if (cli_signalled() && rc != CLI_OK && rc != CLI_DIFFERENT) rc = guard_code();
  errno = 0;
  const bool bad = fflush(stdout) != 0;
  if (!bad && !ferror(stdout)) return rc;
  if ((errno == EPIPE || (errno == 0 && reader_is_gone())) &&
      rc == CLI_OK) { /* the reader has seen enough: end as filters do */
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
  }
  fprintf(stderr, "mrpb %s: standard output cannot be written%s%s\n", command, errno ? ": " : "",
          errno ? strerror(errno) : "");
  return rc == CLI_OK ? CLI_USAGE : rc;
}

static bool is_same(const char *a, const char *b) {
  struct stat x, y;
  if (stat(a, &x) != 0 || stat(b, &y) != 0) return strcmp(a, b) == 0;
  return S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

int cli_apart(const char *const *path, unsigned n_out, unsigned n, mrpb_err_t *err) {
  for (unsigned i = 0; i < n_out; i++)
    for (unsigned k = i + 1; k < n; k++)
      if (path[i] && path[k] && is_same(path[i], path[k]))
        return mrpb_fail(err, "%.300s: %s; legal: a file for each", path[i],
                         k < n_out ? "written twice" : "read and written");
  return 0;
}

/* Writes to the stream that was the standard output before CLI_JSON diverted it. */
static int write_stream(json_t *json, mrpb_err_t *err) {
  FILE *f = fdopen(CLI_STREAM, "w");
  const bool bad = !f || json_out_write(json, f, JSON_INDENT(2) | JSON_REAL_PRECISION(10)) != 0;
  const bool open = f && fclose(f) != 0;
  if (!bad && !open) return 0;
  return mrpb_fail(err, "standard output cannot be written: %s", strerror(errno));
}

int cli_write_json(const char *path, json_t *json, mrpb_err_t *err) {
  char temp[OUTPUT_NAME];
  if (strcmp(path, "-") == 0) return write_stream(json, err);
  FILE *f = output_open(path, temp, err);
  if (!f) return -1;
  bool bad = json_out_write(json, f, JSON_INDENT(2) | JSON_REAL_PRECISION(10)) != 0;
  return output_close(f, bad, path, temp, err);
}
