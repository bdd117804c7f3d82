/* SPDX-License-Identifier: Apache-2.0 */
#include "base/files.h"

#include "base/input.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *files_read(const char *path, size_t *size) {
  return input_text(path, FILES_MOST, size, NULL);
}

bool files_exists(const char *path) {
  return access(path, F_OK) == 0;
}

bool files_is_folder(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

bool files_path(char *path, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  int n = vsnprintf(path, FILES_PATH, format, ap);
  va_end(ap);
  return n >= 0 && n < FILES_PATH;
}

bool files_make_folders(char *path) {
  for (char *at = path + 1;; at++) {
    const char was = *at;
    if (was != '/' && was != '\0') continue;
    *at = '\0';
    if (mkdir(path, 0777) != 0) {
      const int why = errno;
      if (!files_is_folder(path)) return errno = why == EEXIST ? ENOTDIR : why, false;
    }
    *at = was;
    if (was == '\0') return true;
  }
}

void files_remove_tree(const char *path, const char *keep) {
  DIR *d = opendir(path);
  if (!d) {
    unlink(path);
    return;
  }
  for (struct dirent *e = readdir(d); e; e = readdir(d)) {
    char inner[FILES_PATH];
    if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
    if (keep && strcmp(e->d_name, keep) == 0) continue;
    if (!files_path(inner, "%s/%s", path, e->d_name)) continue;
    if (unlink(inner) != 0) files_remove_tree(inner, NULL);
  }
  closedir(d);
  if (!keep) rmdir(path);
}

void files_remove_named(const char *folder, const char *prefix) {
  DIR *d = opendir(folder);
  if (!d) return;
  for (struct dirent *e = readdir(d); e; e = readdir(d)) {
    char path[FILES_PATH];
    if (strncmp(e->d_name, prefix, strlen(prefix)) == 0 &&
        files_path(path, "%s/%s", folder, e->d_name))
      files_remove_tree(path, NULL);
  }
  closedir(d);
}

static void remove_stale(const char *cache) {
  DIR *d = opendir(cache);
  if (!d) return;
  for (struct dirent *e = readdir(d); e; e = readdir(d)) {
    char path[FILES_PATH];
    if (strncmp(e->d_name, "tmp.", 4) != 0) continue;
    long pid = strtol(e->d_name + 4, NULL, 10);
    if (pid > 0 && kill((pid_t)pid, 0) != 0 && errno == ESRCH &&
        files_path(path, "%s/%s", cache, e->d_name))
      files_remove_tree(path, NULL);
  }
  closedir(d);
}

int files_temp_folder(char *path, const char *cache, mrpb_err_t *err) {
  remove_stale(cache);
  for (unsigned n = 0; n < 1000; n++) {
    if (!files_path(path, "%s/tmp.%ld.%u", cache, (long)getpid(), n)) break;
    if (mkdir(path, 0777) == 0) return 0;
    if (errno != EEXIST) break;
  }
  return mrpb_fail(err, "%s: cannot write the cache of Verilated modules: %s", cache,
                   strerror(errno));
}

int files_publish(const char *temp, const char *final, mrpb_err_t *err) {
  if (rename(temp, final) == 0) return 0;
  int cause = errno;
  files_remove_tree(temp, NULL);
  if (cause == EEXIST || cause == ENOTEMPTY) return 0;
  return mrpb_fail(err, "%s: cannot write the cache of Verilated modules: %s", final,
                   strerror(cause));
}
