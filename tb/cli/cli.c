/* What the commands share: see cli.h. */
#include "cli/cli.h"
#include "cosim/report.h"
#include "gpu/output.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

FILE *cli_progress(void) {
  return isatty(STDERR_FILENO) ? stderr : NULL;
}

void cli_program(char text[CLI_COMMAND]) {
  char folder[CLI_COMMAND];
  ssize_t n = readlink("/proc/self/exe", text, CLI_COMMAND - 1);
  text[n > 0 ? n : 0] = '\0';
  if (n <= 0) snprintf(text, CLI_COMMAND, "build/mrpb");
  if (!getcwd(folder, sizeof folder)) return;
  size_t below = strlen(folder);
  if (strncmp(text, folder, below) == 0 && text[below] == '/')
    memmove(text, text + below + 1, strlen(text + below + 1) + 1);
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
  fprintf(stderr, "mrpb %s: %s\n", command, err->text);
  return CLI_USAGE;
}

static void stop_signals(sigset_t *set) {
  sigemptyset(set);
  sigaddset(set, SIGINT);
  sigaddset(set, SIGTERM);
}

void cli_hold_signals(void) {
  sigset_t set;
  stop_signals(&set);
  sigprocmask(SIG_BLOCK, &set, NULL);
  /* A write beyond a limit shall fail as a full disk does, not kill. */
  signal(SIGXFSZ, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
}

bool cli_signalled(void) {
  sigset_t set;
  sigpending(&set);
  return sigismember(&set, SIGINT) == 1 || sigismember(&set, SIGTERM) == 1;
}

int cli_write_json(const char *path, const json_t *json, mrpb_err_t *err) {
  char temp[OUTPUT_NAME];
  if (output_temp(path, temp, err) != 0) return -1;
  FILE *f = fopen(temp, "w");
  if (!f) return mrpb_fail(err, "%s: %s; legal: a file that can be written", path, strerror(errno));
  bool bad =
      json_dumpf(json, f, JSON_INDENT(2) | JSON_REAL_PRECISION(10)) != 0 || fputc('\n', f) == EOF;
  return output_close(f, bad, path, temp, err);
}
