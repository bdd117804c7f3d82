/* SPDX-License-Identifier: Apache-2.0 */
#include "verilog/tool.h"

#include "verilog/build.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool runs(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

static bool on_path(const char *name, char path[RTL_PATH]) {
  const char *dirs = getenv("PATH");
  for (const char *d = dirs ? dirs : ""; *d; d += strcspn(d, ":"), d += *d == ':') {
    size_t n = strcspn(d, ":");
    if (n > 0 && rtl_path(path, "%.*s/%s", (int)n, d, name) && runs(path)) return true;
  }
  return false;
}

/* Where a chain of links ends, in place. */
static void follow(char path[RTL_PATH]) {
  char to[RTL_PATH], next[RTL_PATH];
  for (unsigned i = 0; i < 16; i++) {
    ssize_t n = readlink(path, to, sizeof to - 1);
    if (n <= 0) return;
    to[n] = '\0';
    const char *slash = strrchr(path, '/');
    bool good = to[0] == '/' || !slash ? rtl_path(next, "%s", to)
                                       : rtl_path(next, "%.*s/%s", (int)(slash - path), path, to);
    if (!good) return;
    memcpy(path, next, RTL_PATH);
  }
}

/* $VERILATOR_BIN and $VERILATOR_ROOT/bin, then beside the script, then PATH. */
static bool find_bin(char path[RTL_PATH]) {
  const char *root = getenv("VERILATOR_ROOT"), *bin = getenv("VERILATOR_BIN");
  char script[RTL_PATH];
  if (!bin) bin = "verilator_bin";
  if (root && *root && rtl_path(path, "%s/bin/%s", root, bin) && runs(path)) return true;
  if (strchr(bin, '/') && rtl_path(path, "%s", bin) && runs(path)) return true;
  if (on_path("verilator", script)) {
    follow(script);
    const char *slash = strrchr(script, '/');
    if (slash && rtl_path(path, "%.*s/%s", (int)(slash - script), script, bin) && runs(path))
      return true;
  }
  return on_path(bin, path);
}

/* What the file system knows of a file: any change of its contents changes this. */
static uint64_t description(const char *path, const struct stat *st) {
  const uint64_t facts[] = {(uint64_t)st->st_dev,          (uint64_t)st->st_ino,
                            (uint64_t)st->st_size,         (uint64_t)st->st_mtim.tv_sec,
                            (uint64_t)st->st_mtim.tv_nsec, (uint64_t)st->st_ctim.tv_sec,
                            (uint64_t)st->st_ctim.tv_nsec};
  return rtl_hash_bytes(rtl_hash_text(RTL_HASH_START, path), facts, sizeof facts);
}

/* A line that is kept in the file `note`. */
static bool recall(const char *note, char *line, size_t size) {
  FILE *f = fopen(note, "r");
  bool good = f && fgets(line, (int)size, f) && strchr(line, '\n');
  if (f) fclose(f);
  if (good) line[strcspn(line, "\n")] = '\0';
  return good && line[0];
}

static void keep(const char *note, const char *line) {
  char part[RTL_PATH];
  if (!rtl_path(part, "%s.%ld", note, (long)getpid())) return;
  FILE *f = fopen(part, "w");
  if (!f) return;
  bool good = fprintf(f, "%s\n", line) > 0;
  if (fclose(f) != 0 || !good || rename(part, note) != 0)
    unlink(part); /* it is found out again next time */
}

static bool recall_hash(const char *note, uint64_t *contents) {
  char line[32], *end;
  if (!recall(note, line, sizeof line)) return false;
  *contents = strtoull(line, &end, 16);
  return end == line + 16 && *end == '\0';
}

int tool_hash(uint64_t *hash, const char *cache, const char *name, mrpb_err_t *err) {
  char path[RTL_PATH], note[RTL_PATH];
  struct stat st;
  uint64_t contents = RTL_HASH_START;
  bool found = strcmp(name, "verilator_bin") == 0 ? find_bin(path) : on_path(name, path);
  if (strcmp(name, "verilator_bin") == 0 && !found)
    return 0; /* a wrapper of another kind: its own business */
  if (!found || stat(path, &st) != 0)
    return mrpb_fail(err, "%s: not found or not working; the packages needed are in %s", name,
                     "configs/packages.txt (make run installs them)");
  if (!rtl_path(note, "%s/tool-%016" PRIx64, cache, description(path, &st)))
    return mrpb_fail(err, "%s: the path is too long", cache);
  if (!recall_hash(note, &contents)) {
    char line[32];
    if (rtl_hash_file(&contents, path, err) != 0) return -1;
    snprintf(line, sizeof line, "%016" PRIx64, contents);
    keep(note, line);
  }
  *hash = rtl_hash_bytes(*hash, &contents, sizeof contents);
  return 0;
}

int tool_version(char *line, size_t size, const char *cache, uint64_t programs,
                 const char *const command[2], mrpb_err_t *err) {
  char text[256], note[RTL_PATH];
  if (!rtl_path(note, "%s/version-%016" PRIx64 "-%s", cache, programs, command[0]))
    return mrpb_fail(err, "%s: the path is too long", cache);
  if (recall(note, line, size)) return 0;
  snprintf(text, sizeof text, "timeout -k 5 60 %s %s 2>/dev/null", command[0], command[1]);
  FILE *p = popen(text, "r");
  bool got = p && fgets(line, (int)size, p);
  if (!p || pclose(p) != 0 || !got)
    return mrpb_fail(err, "%s: not found or not working; the packages needed are in %s", command[0],
                     "configs/packages.txt (make run installs them)");
  line[strcspn(line, "\n")] = '\0';
  keep(note, line);
  return 0;
}
