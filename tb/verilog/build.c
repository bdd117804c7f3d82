/* SPDX-License-Identifier: Apache-2.0 */
/* Files, keys and processes for building a Verilated module. */
#include "verilog/build.h"

#include "base/guard.h"
#include "base/input.h"
#include "base/process.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Cuts `path` at its last component until it is the project's folder. */
static bool climb(char *path) {
  char probe[RTL_PATH];
  for (;;) {
    if (rtl_path(probe, "%s/tb/verilog/shim/verilate.sh", path) && rtl_exists(probe)) return true;
    char *slash = strrchr(path, '/');
    if (!slash) return false;
    *slash = '\0';
  }
}

int rtl_find_root(char root[RTL_PATH], mrpb_err_t *err) {
  ssize_t n = readlink("/proc/self/exe", root, RTL_PATH - 1);
  root[n > 0 ? n : 0] = '\0';
  if (n > 0 && climb(root)) return 0;
  if (getcwd(root, RTL_PATH) && climb(root)) return 0;
  return mrpb_fail(
      err, "cannot find the project's folder (tb/verilog/shim/verilate.sh) above this program");
}

int rtl_check_dir(const char *dir, mrpb_err_t *err) {
  struct stat st;
  const char *why = stat(dir, &st) != 0             ? strerror(errno)
                    : !S_ISDIR(st.st_mode)          ? strerror(ENOTDIR)
                    : access(dir, R_OK | X_OK) != 0 ? strerror(errno)
                                                    : NULL;
  if (!why) return 0;
  return mrpb_fail(err, "--rtl %.300s: cannot read the folder: %s; legal: a folder with MODULE.v",
                   dir, why);
}

uint64_t rtl_hash_bytes(uint64_t hash, const void *data, size_t n) {
  const unsigned char *p = data;
  for (size_t i = 0; i < n; i++) hash = (hash ^ p[i]) * UINT64_C(0x100000001b3);
  return hash;
}

uint64_t rtl_hash_text(uint64_t hash, const char *text) {
  return rtl_hash_bytes(hash, text,
                        strlen(text) + 1); /* with its end, so that "a","b" is not "ab" */
}

char *rtl_read_file(const char *path, size_t *size) {
  return input_text(path, RTL_MOST, size, NULL);
}

bool rtl_exists(const char *path) {
  return access(path, F_OK) == 0;
}

bool rtl_is_folder(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool rtl_path(char *path, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  int n = vsnprintf(path, RTL_PATH, format, ap);
  va_end(ap);
  return n >= 0 && n < RTL_PATH;
}

int rtl_hash_file(uint64_t *hash, const char *path, mrpb_err_t *err) {
  size_t n = 0;
  char *text = input_text(path, RTL_MOST, &n, err);
  if (!text) return -1;
  *hash = rtl_hash_bytes(*hash, text, n);
  free(text);
  return 0;
}

/* The names in an RTL folder: modules ("x" for x.v) and headers. */
enum { NAMES_MAX = 256, NAME_MAX_ = 64 };
typedef struct {
  char name[NAMES_MAX][NAME_MAX_];
  bool header[NAMES_MAX], wanted[NAMES_MAX];
  unsigned n;
} names_t;

static bool ends_with(const char *s, const char *end) {
  size_t n = strlen(s), m = strlen(end);
  return n > m && strcmp(s + n - m, end) == 0;
}

static int by_name(const void *a, const void *b) {
  return strcmp(a, b);
}

static int list_names(names_t *names, const char *dir, mrpb_err_t *err) {
  DIR *d = opendir(dir);
  if (!d) return mrpb_fail(err, "--rtl %s: cannot read the folder: %s", dir, strerror(errno));
  memset(names, 0, sizeof *names);
  for (struct dirent *e = readdir(d); e; e = readdir(d)) {
    bool source = ends_with(e->d_name, ".v"), header = ends_with(e->d_name, ".vh");
    if ((!source && !header) || strlen(e->d_name) >= NAME_MAX_) continue;
    if (names->n == NAMES_MAX) {
      closedir(d);
      return mrpb_fail(err, "--rtl %s: more than %d Verilog files", dir, (int)NAMES_MAX);
    }
    memcpy(names->name[names->n++], e->d_name, strlen(e->d_name) + 1);
  }
  closedir(d);
  qsort(names->name, names->n, NAME_MAX_, by_name);
  for (unsigned i = 0; i < names->n; i++) {
    names->header[i] = ends_with(names->name[i], ".vh");
    if (!names->header[i]) names->name[i][strlen(names->name[i]) - 2] = '\0';
    names->wanted[i] = names->header[i];
  }
  return 0;
}

static void want(names_t *names, const char *word, size_t n) {
  for (unsigned i = 0; i < names->n; i++)
    if (!names->header[i] && strlen(names->name[i]) == n && memcmp(names->name[i], word, n) == 0)
      names->wanted[i] = true;
}

static void want_words(names_t *names, const char *text) {
  while (*text) {
    size_t n = 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_') n++;
    if (n) want(names, text, n);
    text += n ? n : 1;
  }
}

int rtl_hash_sources(uint64_t *hash, const char *dir, const char *stem, mrpb_err_t *err) {
  names_t names;
  bool done[NAMES_MAX] = {false};
  if (list_names(&names, dir, err) != 0) return -1;
  want(&names, stem, strlen(stem));
  for (bool more = true; more;) {
    more = false;
    for (unsigned i = 0; i < names.n; i++) {
      if (!names.wanted[i] || done[i]) continue;
      char path[RTL_PATH];
      size_t n = 0;
      done[i] = more = true;
      if (!rtl_path(path, "%s/%s%s", dir, names.name[i], names.header[i] ? "" : ".v"))
        return mrpb_fail(err, "--rtl %s: the path is too long", dir);
      char *text = input_text(path, RTL_MOST, &n, err);
      if (!text) return -1;
      want_words(&names, text);
      free(text);
    }
  }
  for (unsigned i = 0; i < names.n; i++) { /* sorted, so the order of discovery does not matter */
    char path[RTL_PATH];
    if (!done[i]) continue;
    *hash = rtl_hash_text(*hash, names.name[i]);
    if (!rtl_path(path, "%s/%s%s", dir, names.name[i], names.header[i] ? "" : ".v") ||
        rtl_hash_file(hash, path, err) != 0)
      return -1;
  }
  return 0;
}

/* Tools take a blank for the end of a name, and some a `*` for many. */
static bool plain(const char *path) {
  return strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-") ==
             strlen(path) &&
         path[0] != '-';
}

int rtl_tool_dir(const char *cache, const char *dir, char link[RTL_PATH], mrpb_err_t *err) {
  char here[RTL_PATH] = "", target[RTL_PATH], part[RTL_PATH];
  if (plain(dir) && rtl_path(link, "%s", dir)) return 0;
  bool good = dir[0] == '/' || getcwd(here, sizeof here);
  good = good && rtl_path(target, "%s%s%s", here, here[0] ? "/" : "", dir) &&
         rtl_path(link, "%s/dir-%016llx", cache,
                  (unsigned long long)rtl_hash_text(RTL_HASH_START, target)) &&
         rtl_path(part, "%s.%ld", link, (long)getpid());
  if (good && rtl_exists(link)) return 0;
  if (good && symlink(target, part) == 0 && rename(part, link) == 0) return 0;
  mrpb_fail(err, "%s: no link to this folder can be made in %s: %s", dir, cache, strerror(errno));
  if (good) unlink(part);
  return -1;
}

void rtl_remove_tree(const char *path, const char *keep) {
  DIR *d = opendir(path);
  if (!d) {
    unlink(path);
    return;
  }
  for (struct dirent *e = readdir(d); e; e = readdir(d)) {
    char inner[RTL_PATH];
    if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
    if (keep && strcmp(e->d_name, keep) == 0) continue;
    if (!rtl_path(inner, "%s/%s", path, e->d_name)) continue;
    if (unlink(inner) != 0) rtl_remove_tree(inner, NULL);
  }
  closedir(d);
  if (!keep) rmdir(path);
}

void rtl_remove_named(const char *folder, const char *prefix) {
  DIR *d = opendir(folder);
  if (!d) return;
  for (struct dirent *e = readdir(d); e; e = readdir(d)) {
    char path[RTL_PATH];
    if (strncmp(e->d_name, prefix, strlen(prefix)) == 0 &&
        rtl_path(path, "%s/%s", folder, e->d_name))
      rtl_remove_tree(path, NULL);
  }
  closedir(d);
}

static void remove_stale(const char *cache) {
  DIR *d = opendir(cache);
  if (!d) return;
  for (struct dirent *e = readdir(d); e; e = readdir(d)) {
    char path[RTL_PATH];
    if (strncmp(e->d_name, "tmp.", 4) != 0) continue;
    long pid = strtol(e->d_name + 4, NULL, 10);
    if (pid > 0 && kill((pid_t)pid, 0) != 0 && errno == ESRCH &&
        rtl_path(path, "%s/%s", cache, e->d_name))
      rtl_remove_tree(path, NULL);
  }
  closedir(d);
}

int rtl_temp_dir(char *path, const char *cache, mrpb_err_t *err) {
  remove_stale(cache);
  for (unsigned n = 0; n < 1000; n++) {
    if (!rtl_path(path, "%s/tmp.%ld.%u", cache, (long)getpid(), n)) break;
    if (mkdir(path, 0777) == 0) return 0;
    if (errno != EEXIST) break;
  }
  return mrpb_fail(err, "%s: cannot write the cache of Verilated modules: %s", cache,
                   strerror(errno));
}

int rtl_publish(const char *temp, const char *final, mrpb_err_t *err) {
  if (rename(temp, final) == 0) return 0;
  int cause = errno;
  rtl_remove_tree(temp, NULL);
  if (cause == EEXIST || cause == ENOTEMPTY) return 0;
  return mrpb_fail(err, "%s: cannot write the cache of Verilated modules: %s", final,
                   strerror(cause));
}

int rtl_run_for(const char *const *argv, const char *log, unsigned seconds) {
  int fd = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd < 0) return -1;
  pid_t pid = fork();
  if (pid == 0) {
    process_end_with_parent();
    setpgid(0, 0); /* the tools of a script end with it */
    char *args[64];
    unsigned n = 0;
    for (; argv[n] && n < 63; n++) args[n] = strdup(argv[n]);
    args[n] = NULL;
    sigset_t none; /* Ctrl-C may be held back here, but ends the tools */
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    if (dup2(fd, 1) < 0 || dup2(fd, 2) < 0) _exit(126);
    if (strcmp(args[0], "yosys") == 0) unsetenv("HOME"); /* where it would keep a history */
    execvp(args[0], args);
    _exit(127);
  }
  int status = 0;
  if (pid > 0) setpgid(pid, pid);
  const bool ended = pid > 0 && guard_wait(pid, seconds, &status);
  if (pid > 0 && !ended && !guard_signalled())
    dprintf(fd, "\nerror: %s has not ended within %u s\n", argv[0], seconds);
  close(fd);
  if (pid < 0) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

int rtl_run(const char *const *argv, const char *log) {
  return rtl_run_for(argv, log, RTL_SECONDS);
}
