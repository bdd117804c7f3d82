/* SPDX-License-Identifier: Apache-2.0 */
/* Finds and runs the tools. Neither their exit code nor their silence is trusted. */
#include "estimate/tools.h"

#include "base/abc.h"
#include "base/process.h"
#include "base/files.h"
#include "base/hash.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* How a tool reports its version, and the oldest version with which this project was tested. */
typedef struct {
  const char *name, *package, *ask[2], *before;
  unsigned oldest[3];
} tool_t;

static const tool_t table[TOOLS_N] = {
    {"yosys", "yosys", {"-V"}, "Yosys ", {0, 23, 0}},
    {"berkeley-abc", "berkeley-abc or yosys-abc", {"-c", "version"}, "ABC ", {1, 1, 0}},
    {"sta", "opensta", {"-version"}, "", {2, 0, 17}},
};

const char *tools_name(unsigned tool) {
  return table[tool].name;
}

void tools_find_line(const char *folder, const char *log, const char *mark, char *text,
                     unsigned size) {
  char path[FILES_PATH];
  text[0] = '\0';
  char *all = files_path(path, "%s/%s", folder, log) ? files_read(path, NULL) : NULL;
  const char *at = all ? strstr(all, mark) : NULL;
  if (at) snprintf(text, size, "%.*s", (int)strcspn(at, "\r\n"), at);
  free(all);
}

int tools_run(const char *folder, const char *const *argv, const char *log, unsigned seconds,
              mrpb_err_t *err) {
  const char *const tool = argv[0];
  char path[FILES_PATH], said[200];
  if (!files_path(path, "%s/%s", folder, log)) return mrpb_fail(err, "%s: path too long", folder);
  const process_t p = {.argv = argv, .folder = folder, .log = path, .seconds = seconds};
  int status = process_status(&p);
  if (status == 0) return 0;
  if (status == PROCESS_TOO_LATE) return mrpb_fail(err, "%s: no exit within %u s", tool, seconds);
  if (status == PROCESS_NOT_RUN || status == PROCESS_NOT_FOUND)
    return mrpb_fail(err, "%s: not found; the packages needed are in configs/packages.txt", tool);
  tools_find_line(folder, log, "ERROR: ", said, sizeof said);
  if (said[0]) return mrpb_fail(err, "%s: %s", tool, said + strlen("ERROR: "));
  return mrpb_fail(err, "%s: ended with %s %d and no message", tool,
                   status > PROCESS_SIGNAL ? "signal" : "exit code",
                   status > PROCESS_SIGNAL ? status - PROCESS_SIGNAL : status);
}

/* Compares dotted numbers: is `version` older than `oldest`? */
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
  const char *const name = i == TOOLS_ABC ? abc_program() : tool->name;
  const char *const argv[] = {name, tool->ask[0], tool->ask[1], NULL};
  char path[FILES_PATH], log[64], line[TOOLS_VERSION + 32], *all;
  mrpb_err_t why = {""};
  if (!process_find(name, path, sizeof path))
    return mrpb_fail(err, "%s: not found; install the package %s (configs/packages.txt)", name,
                     tool->package);
  t->hash[i] = HASH_START;
  if (hash_file(&t->hash[i], path, err) != 0) return -1;
  snprintf(log, sizeof log, "version.%ld.%u", (long)getpid(), i);
  tools_run(scratch, argv, log, 60, &why);
  all = files_path(path, "%s/%s", scratch, log) ? files_read(path, NULL) : NULL;
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
    return mrpb_fail(err, "%s: `%s %s%s%s` does not say a version; needed: %u.%u or later", name,
                     name, tool->ask[0], tool->ask[1] ? " " : "", tool->ask[1] ? tool->ask[1] : "",
                     tool->oldest[0], tool->oldest[1]);
  snprintf(t->version[i], TOOLS_VERSION, "%.*s", (int)(sizeof t->version[i] - 1), line);
  if (older(line, tool->oldest))
    return mrpb_fail(err, "%s %.40s: too old; needed: %u.%u.%u or later", name, line,
                     tool->oldest[0], tool->oldest[1], tool->oldest[2]);
  return 0;
}

int tools_find(tools_t *t, const char *scratch, mrpb_err_t *err) {
  for (unsigned i = 0; i < TOOLS_N; i++)
    if (find_one(t, i, scratch, err) != 0) return -1;
  return 0;
}
