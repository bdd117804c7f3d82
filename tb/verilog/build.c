/* SPDX-License-Identifier: Apache-2.0 */
/* Folders of Verilog: see build.h. */
#include "base/files.h"
#include "base/hash.h"
#include "verilog/build.h"

#include "base/input.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

/* The characters of the comment that begins at `text`; 0 if none does. A comment may name modules
 * that the text does not contain. */
static size_t comment(const char *text) {
  if (strncmp(text, "//", 2) == 0) return strcspn(text, "\n");
  if (strncmp(text, "/*", 2) != 0) return 0;
  const char *end = strstr(text + 2, "*/");
  return end ? (size_t)(end + 2 - text) : strlen(text);
}

static void want_words(names_t *names, const char *text) {
  while (*text) {
    size_t n = comment(text);
    text += n;
    n = 0;
    while (isalnum((unsigned char)text[n]) || text[n] == '_') n++;
    if (n) want(names, text, n);
    text += n ? n : 1;
  }
}

static bool path_of(const names_t *names, unsigned i, const char *dir, char path[FILES_PATH]) {
  return files_path(path, "%s/%s%s", dir, names->name[i], names->header[i] ? "" : ".v");
}

/* Marks the files that `stem` reaches, and all headers, as wanted. */
static int reach(names_t *names, const char *dir, const char *stem, mrpb_err_t *err) {
  bool done[NAMES_MAX] = {false};
  if (list_names(names, dir, err) != 0) return -1;
  want(names, stem, strlen(stem));
  for (bool more = true; more;) {
    more = false;
    for (unsigned i = 0; i < names->n; i++) {
      if (!names->wanted[i] || done[i]) continue;
      char path[FILES_PATH];
      size_t n = 0;
      done[i] = more = true;
      if (!path_of(names, i, dir, path))
        return mrpb_fail(err, "--rtl %s: the path is too long", dir);
      char *text = input_text(path, FILES_MOST, &n, err);
      if (!text) return -1;
      want_words(names, text);
      free(text);
    }
  }
  return 0;
}

int rtl_hash_sources(uint64_t *hash, const char *dir, const char *stem, mrpb_err_t *err) {
  names_t names;
  if (reach(&names, dir, stem, err) != 0) return -1;
  for (unsigned i = 0; i < names.n; i++) { /* sorted, so the order of discovery has no effect */
    char path[FILES_PATH];
    if (!names.wanted[i]) continue;
    *hash = hash_text(*hash, names.name[i]);
    if (!path_of(&names, i, dir, path) || hash_file(hash, path, err) != 0) return -1;
  }
  return 0;
}

/* A link says the same from every folder. */
static bool absolute(const char *dir, char full[FILES_PATH]) {
  char here[FILES_PATH] = "";
  return (dir[0] == '/' || getcwd(here, sizeof here)) &&
         files_path(full, "%s%s%s", here, here[0] ? "/" : "", dir);
}

int rtl_link_sources(const char *dir, const char *stem, const char *folder, mrpb_err_t *err) {
  names_t names;
  char full[FILES_PATH], from[FILES_PATH], to[FILES_PATH];
  if (reach(&names, dir, stem, err) != 0) return -1;
  bool good = absolute(dir, full) && mkdir(folder, 0777) == 0;
  for (unsigned i = 0; good && i < names.n; i++)
    good = !names.wanted[i] || (path_of(&names, i, full, from) && path_of(&names, i, folder, to) &&
                                symlink(from, to) == 0);
  return good ? 0
              : mrpb_fail(err, "%s: cannot link the Verilog there: %s", folder, strerror(errno));
}

/* Tools take a blank as the end of a name, and some take `*` as a wildcard. */
static bool plain(const char *path) {
  return strspn(path, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-") ==
             strlen(path) &&
         path[0] != '-';
}

int rtl_tool_dir(const char *cache, const char *dir, char link[FILES_PATH], mrpb_err_t *err) {
  char target[FILES_PATH], part[FILES_PATH];
  if (plain(dir) && files_path(link, "%s", dir)) return 0;
  bool good = absolute(dir, target) &&
              files_path(link, "%s/dir-%016llx", cache,
                         (unsigned long long)hash_text(HASH_START, target)) &&
              files_path(part, "%s.%ld", link, (long)getpid());
  if (good && files_exists(link)) return 0;
  if (good && symlink(target, part) == 0 && rename(part, link) == 0) return 0;
  mrpb_fail(err, "%s: no link to this folder can be made in %s: %s", dir, cache, strerror(errno));
  if (good) unlink(part);
  return -1;
}
