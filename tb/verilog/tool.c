/* SPDX-License-Identifier: Apache-2.0 */
#include "verilog/tool.h"

#include "base/process.h"
#include "base/files.h"
#include "base/hash.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool executable(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISREG(st.st_mode) && access(path, X_OK) == 0;
}

/* Follows a chain of links to its end, in place. */
static void follow(char path[FILES_PATH]) {
  char to[FILES_PATH], next[FILES_PATH];
  for (unsigned i = 0; i < 16; i++) {
    ssize_t n = readlink(path, to, sizeof to - 1);
    if (n <= 0) return;
    to[n] = '\0';
    const char *slash = strrchr(path, '/');
    bool good = to[0] == '/' || !slash ? files_path(next, "%s", to)
                                       : files_path(next, "%.*s/%s", (int)(slash - path), path, to);
    if (!good) return;
    memcpy(path, next, FILES_PATH);
  }
}

static const char *given(void) {
  const char *path = getenv(TOOL_VERILATOR);
  return path && *path ? path : NULL;
}

/* Finds a name in PATH, or takes a path. */
static bool find(const char *name, char path[FILES_PATH]) {
  return strchr(name, '/') ? files_path(path, "%s", name) && executable(path)
                           : process_find(name, path, FILES_PATH);
}

static bool beside(const char *program, const char *bin, char path[FILES_PATH]) {
  char script[FILES_PATH];
  if (!find(program, script)) return false;
  follow(script);
  const char *slash = strrchr(script, '/');
  return slash && files_path(path, "%.*s/%s", (int)(slash - script), script, bin) &&
         executable(path);
}

/* Searches beside the given script, then $VERILATOR_BIN and $VERILATOR_ROOT/bin, then beside the
 * script, then PATH. */
static bool find_bin(char path[FILES_PATH]) {
  const char *root = getenv("VERILATOR_ROOT"), *bin = getenv("VERILATOR_BIN");
  if (given()) return beside(given(), PROCESS_VERILATOR, path);
  if (!bin) bin = PROCESS_VERILATOR;
  if (root && *root && files_path(path, "%s/bin/%s", root, bin) && executable(path)) return true;
  if (strchr(bin, '/') && files_path(path, "%s", bin) && executable(path)) return true;
  return beside("verilator", bin, path) || process_find(bin, path, FILES_PATH);
}

static bool is_perl(const char *script) {
  char line[64] = "";
  FILE *f = fopen(script, "r");
  const bool read = f && fgets(line, sizeof line, f);
  if (f) fclose(f);
  return read && strncmp(line, "#!", 2) == 0 && strstr(line, "perl");
}

static bool same_file(const char *a, const char *b) {
  struct stat of_a, of_b;
  return stat(a, &of_a) == 0 && stat(b, &of_b) == 0 && of_a.st_dev == of_b.st_dev &&
         of_a.st_ino == of_b.st_ino;
}

/* Verilator's script finds this program and gives it the whole stack, which process.c does as well.
 * Starting Perl takes longer than reading most designs. */
static bool can_spare_script(void) {
  char script[FILES_PATH], bin[FILES_PATH], of_path[FILES_PATH];
  return !getenv("VERILATOR_ROOT") && !getenv("VERILATOR_BIN") && find("verilator", script) &&
         is_perl(script) && beside("verilator", PROCESS_VERILATOR, bin) &&
         process_find(PROCESS_VERILATOR, of_path, sizeof of_path) && same_file(bin, of_path);
}

const char *tool_verilator(void) {
  if (given()) return given();
  return can_spare_script() ? PROCESS_VERILATOR : "verilator";
}

/* What the file system knows of a file; any change of its contents changes this. */
static uint64_t description(const char *path, const struct stat *st) {
  const uint64_t facts[] = {(uint64_t)st->st_dev,          (uint64_t)st->st_ino,
                            (uint64_t)st->st_size,         (uint64_t)st->st_mtim.tv_sec,
                            (uint64_t)st->st_mtim.tv_nsec, (uint64_t)st->st_ctim.tv_sec,
                            (uint64_t)st->st_ctim.tv_nsec};
  return hash_bytes(hash_text(HASH_START, path), facts, sizeof facts);
}

/* Reads a line kept in the file `note`. */
static bool recall(const char *note, char *line, size_t size) {
  FILE *f = fopen(note, "r");
  bool good = f && fgets(line, (int)size, f) && strchr(line, '\n');
  if (f) fclose(f);
  if (good) line[strcspn(line, "\n")] = '\0';
  return good && line[0];
}

static void keep(const char *note, const char *line) {
  char part[FILES_PATH];
  if (!files_path(part, "%s.%ld", note, (long)getpid())) return;
  FILE *f = fopen(part, "w");
  if (!f) return;
  bool good = fprintf(f, "%s\n", line) > 0;
  if (fclose(f) != 0 || !good || rename(part, note) != 0)
    unlink(part); /* it is determined again next time */
}

static bool recall_hash(const char *note, uint64_t *contents) {
  char line[32], *end;
  if (!recall(note, line, sizeof line)) return false;
  *contents = strtoull(line, &end, 16);
  return end == line + 16 && *end == '\0';
}

int tool_hash(uint64_t *hash, const char *cache, const char *name, mrpb_err_t *err) {
  char path[FILES_PATH], note[FILES_PATH];
  struct stat st;
  uint64_t contents = HASH_START;
  bool found = strcmp(name, PROCESS_VERILATOR) == 0 ? find_bin(path) : find(name, path);
  if (strcmp(name, PROCESS_VERILATOR) == 0 && !found)
    return 0; /* a wrapper of another kind is left alone */
  if (!found || stat(path, &st) != 0)
    return mrpb_fail(err, "%s: not found or not working; the packages needed are in %s", name,
                     "configs/packages.txt (make run installs them)");
  if (!files_path(note, "%s/tool-%016" PRIx64, cache, description(path, &st)))
    return mrpb_fail(err, "%s: the path is too long", cache);
  if (!recall_hash(note, &contents)) {
    char line[32];
    if (hash_file(&contents, path, err) != 0) return -1;
    snprintf(line, sizeof line, "%016" PRIx64, contents);
    keep(note, line);
  }
  *hash = hash_bytes(*hash, &contents, sizeof contents);
  return 0;
}

int tool_version(char *line, size_t size, const char *cache, uint64_t programs,
                 const char *const command[2], mrpb_err_t *err) {
  char note[FILES_PATH];
  const char *slash = strrchr(command[0], '/');
  if (!files_path(note, "%s/version-%016" PRIx64 "-%s", cache, programs,
                  slash ? slash + 1 : command[0]))
    return mrpb_fail(err, "%s: the path is too long", cache);
  if (recall(note, line, size)) return 0;
  const char *const argv[] = {command[0], command[1], NULL};
  const process_t p = {.argv = argv, .seconds = 60, .most = size - 1, .no_errors = true};
  process_result_t r = {.text = NULL};
  const bool ran = process_run(&p, &r, NULL) == 0 && r.end == PROCESS_EXITED && r.code == 0;
  snprintf(line, size, "%.*s", ran ? (int)strcspn(r.text, "\n") : 0, ran ? r.text : "");
  free(r.text);
  if (!line[0])
    return mrpb_fail(err, "%s: not found or not working; the packages needed are in %s", command[0],
                     "configs/packages.txt (make run installs them)");
  keep(note, line);
  return 0;
}
