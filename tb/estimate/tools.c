/* SPDX-License-Identifier: Apache-2.0 */
/* Finding and running the tools; neither their exit code nor their silence is trusted. */
#include "estimate/tools.h"

#include "verilog/build.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How a tool says its version, and the oldest one that this project was tested with. */
typedef struct {
  const char *name, *package, *ask, *before;
  unsigned oldest[3];
} tool_t;

static const tool_t table[TOOLS_N] = {
    {"yosys", "yosys", "yosys -V", "Yosys ", {0, 23, 0}},
    {"berkeley-abc", "berkeley-abc", "berkeley-abc -c version", "ABC ", {1, 1, 0}},
    {"sta", "opensta", "sta -version", "", {2, 0, 17}},
};

const char *tools_name(unsigned tool) {
  return table[tool].name;
}

void tools_find_line(const char *folder, const char *log, const char *mark, char *text,
                     unsigned size) {
  char path[RTL_PATH];
  text[0] = '\0';
  char *all = rtl_path(path, "%s/%s", folder, log) ? rtl_read_file(path, NULL) : NULL;
  const char *at = all ? strstr(all, mark) : NULL;
  if (at) snprintf(text, size, "%.*s", (int)strcspn(at, "\r\n"), at);
  free(all);
}

FILE *tools_open(const char *folder, const char *name, mrpb_err_t *err) {
  char path[RTL_PATH];
  FILE *f = rtl_path(path, "%s/%s", folder, name) ? fopen(path, "w") : NULL;
  if (!f) mrpb_fail(err, "%s/%s: cannot write: %s", folder, name, strerror(errno));
  return f;
}

int tools_close(FILE *f, const char *folder, const char *name, mrpb_err_t *err) {
  bool bad = ferror(f);
  if (fclose(f) == 0 && !bad) return 0;
  return mrpb_fail(err, "%s/%s: cannot write: %s", folder, name, strerror(errno));
}

int tools_run(const char *tool, const char *folder, const char *command, const char *log,
              unsigned seconds, mrpb_err_t *err) {
  char text[2 * RTL_PATH], path[RTL_PATH], said[200];
  if (!rtl_path(path, "%s/%s", folder, log)) return mrpb_fail(err, "%s: path too long", folder);
  snprintf(text, sizeof text, "cd \"$0\" && exec timeout --foreground -k 5 %u %s < /dev/null",
           seconds, command);
  const char *argv[] = {"/bin/sh", "-c", text, folder, NULL};
  int status = rtl_run_for(argv, path, RTL_NO_LIMIT);
  if (status == 0) return 0;
  if (status == 124) return mrpb_fail(err, "%s: not finished after %u s", tool, seconds);
  if (status == 126 || status == 127)
    return mrpb_fail(err, "%s: not found; the packages needed are in configs/packages.txt", tool);
  tools_find_line(folder, log, "ERROR: ", said, sizeof said);
  if (said[0]) return mrpb_fail(err, "%s: %s", tool, said + strlen("ERROR: "));
  return mrpb_fail(err, "%s: ended with %s %d and no message", tool,
                   status > 128 ? "signal" : "exit code", status > 128 ? status - 128 : status);
}

/* The file that the PATH gives for a name. */
static int find_program(const char *name, char path[RTL_PATH]) {
  const char *at = getenv("PATH");
  for (; at && *at; at += strcspn(at, ":"), at += *at == ':') {
    int n = (int)strcspn(at, ":");
    if (n > 0 && rtl_path(path, "%.*s/%s", n, at, name) && access(path, X_OK) == 0) return 0;
  }
  return -1;
}

/* Dotted numbers: is `version` older than `oldest`? */
static int older(const char *version, const unsigned oldest[3]) {
  const char *at = version;
  for (unsigned i = 0; i < 3; i++) {
    char *end;
    unsigned long v = strtoul(at, &end, 10);
    if (v != oldest[i]) return v < oldest[i];
    at = *end == '.' ? end + 1 : "";
  }
  return 0;
}

static int find_one(tools_t *t, unsigned i, const char *scratch, mrpb_err_t *err) {
  const tool_t *tool = &table[i];
  char path[RTL_PATH], log[64], line[TOOLS_VERSION + 32], *all;
  mrpb_err_t why = {""};
  if (find_program(tool->name, path) != 0)
    return mrpb_fail(err, "%s: not found; install the package %s (configs/packages.txt)",
                     tool->name, tool->package);
  t->hash[i] = RTL_HASH_START;
  if (rtl_hash_file(&t->hash[i], path, err) != 0) return -1;
  snprintf(log, sizeof log, "version.%ld.%u", (long)getpid(), i);
  tools_run(tool->name, scratch, tool->ask, log, 60, &why);
  all = rtl_path(path, "%s/%s", scratch, log) ? rtl_read_file(path, NULL) : NULL;
  unlink(path);
  const char *at = all ? all : "";
  if (tool->before[0]) {
    at = strstr(at, tool->before);
    /* ABC repeats its command line before it answers. */
    for (; at && !isdigit((unsigned char)at[strlen(tool->before)]);
         at = strstr(at + 1, tool->before))
      ;
    at = at ? at + strlen(tool->before) : "";
  }
  snprintf(line, sizeof line, "%.*s", (int)strcspn(at, "\r\n"), at);
  free(all);
  if (why.text[0]) return mrpb_fail(err, "%s", why.text);
  if (!isdigit((unsigned char)line[0]))
    return mrpb_fail(err, "%s: `%s` does not say a version; needed: %u.%u or later", tool->name,
                     tool->ask, tool->oldest[0], tool->oldest[1]);
  snprintf(t->version[i], TOOLS_VERSION, "%.*s", (int)(sizeof t->version[i] - 1), line);
  if (older(line, tool->oldest))
    return mrpb_fail(err, "%s %.40s: too old; needed: %u.%u.%u or later", tool->name, line,
                     tool->oldest[0], tool->oldest[1], tool->oldest[2]);
  return 0;
}

int tools_find(tools_t *t, const char *scratch, mrpb_err_t *err) {
  for (unsigned i = 0; i < TOOLS_N; i++)
    if (find_one(t, i, scratch, err) != 0) return -1;
  return 0;
}
