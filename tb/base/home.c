/* SPDX-License-Identifier: Apache-2.0 */
/* The program's own files: see home.h. */
#define _DEFAULT_SOURCE /* realpath */
#include "base/home.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A file that only this project's folder has, and without which nothing can be simulated beside the
 * Verilog. */
#define MARK "tb/verilog/shim/verilate.sh"

/* The source tree. `make install` overwrites it with the installed folder (objcopy), so that an
 * installed program holds no path of the build machine. It has a section of its own for that. */
#ifndef MRPB_HOME
#define MRPB_HOME ""
#endif
static const char recorded[FILES_PATH] __attribute__((section(".mrpb.home"), used)) = MRPB_HOME;

static bool is_home(const char *folder) {
  char probe[FILES_PATH];
  return files_path(probe, "%s/" MARK, folder) && files_exists(probe);
}

/* Removes the last components of `path` until it is the program's folder. */
static bool climb(char *path) {
  while (!is_home(path)) {
    char *slash = strrchr(path, '/');
    if (!slash) return false;
    *slash = '\0';
  }
  return true;
}

/* The folder of the running program; "" if it is not known. */
static void program_folder(char path[FILES_PATH]) {
  ssize_t n = readlink("/proc/self/exe", path, FILES_PATH - 1);
  path[n > 0 ? n : 0] = '\0';
  char *slash = strrchr(path, '/');
  if (slash) *slash = '\0';
}

/* From <prefix>/bin to <prefix>/share/mrpb. */
static bool beside(char root[FILES_PATH]) {
  program_folder(root);
  char *slash = strrchr(root, '/');
  if (!slash || (size_t)(slash - root) + sizeof "/share/mrpb" > FILES_PATH) return false;
  memcpy(slash, "/share/mrpb", sizeof "/share/mrpb");
  return is_home(root);
}

/* The compiler must not assume the value, because install may change it. */
static const char *recorded_now(void) {
  const char *text = recorded;
  __asm__ volatile("" : "+r"(text));
  return text;
}

int home_find(char root[FILES_PATH], mrpb_err_t *err) {
  const char *told = getenv("MRPB_DATA");
  if (told && told[0]) {
    char here[FILES_PATH];
    const bool whole = told[0] == '/';
    if (is_home(told) && (whole || getcwd(here, sizeof here)) &&
        files_path(root, "%s%s%s", whole ? "" : here, whole ? "" : "/", told))
      return 0;
    return mrpb_fail(
        err, "MRPB_DATA=%.300s: no " MARK " there; legal: a source tree, or share/mrpb", told);
  }
  program_folder(root);
  if (root[0] && climb(root)) return 0;
  if (beside(root)) return 0;
  if (getcwd(root, FILES_PATH) && climb(root)) return 0;
  if (files_path(root, "%s", recorded_now()) && root[0] && is_home(root)) return 0;
  return mrpb_fail(err,
                   "cannot find the program's files (" MARK
                   ") above it, in ../share/mrpb beside it, above the working folder or in "
                   "%.300s; legal: MRPB_DATA=FOLDER, a source tree or share/mrpb",
                   recorded_now()[0] ? recorded_now() : "an installation");
}

/* True for a source tree in which builds are possible. */
static bool is_workshop(const char *root) {
  char path[FILES_PATH];
  if (!files_path(path, "%s/Makefile", root) || !files_exists(path)) return false;
  if (!files_path(path, "%s/build", root)) return false;
  return access(files_exists(path) ? path : root, W_OK) == 0;
}

static bool cache_of_user(char dir[FILES_PATH], const char *name) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (cache && cache[0] == '/') return files_path(dir, "%s/mrpb/%s", cache, name);
  return home && home[0] == '/' && files_path(dir, "%s/.cache/mrpb/%s", home, name);
}

int home_build_path(char dir[FILES_PATH], const char *root, const char *name, mrpb_err_t *err) {
  const bool workshop = is_workshop(root);
  char *real = NULL, path[FILES_PATH];
  /* In a folder that modules_tree has made, build is a link: use the folder that it leads to. */
  if (workshop && files_path(path, "%s/build", root)) real = realpath(path, NULL);
  const bool fits = real && files_path(dir, "%s/%s", real, name);
  const bool linked = fits && strncmp(real, root, strlen(root)) != 0;
  free(real);
  if (linked) return 0;
  if (workshop ? files_path(dir, "%s/build/%s", root, name) : cache_of_user(dir, name)) return 0;
  return mrpb_fail(err, "no place to build in: %.300s %s; legal: XDG_CACHE_HOME=/FOLDER", root,
                   workshop ? "is too long a path" : "cannot be written, and there is no HOME");
}

int home_build(char dir[FILES_PATH], const char *root, const char *name, mrpb_err_t *err) {
  char path[FILES_PATH];
  if (home_build_path(dir, root, name, err) != 0) return -1;
  memcpy(path, dir, sizeof path);
  if (files_make_folders(path)) return 0;
  return mrpb_fail(err, "%.400s: cannot write the cache of Verilated modules: %s", dir,
                   strerror(errno));
}

bool home_own_config(char path[FILES_PATH], const char *name) {
  char root[FILES_PATH];
  mrpb_err_t unheard = {""};
  const bool folder = strncmp(name, "configs", 7) == 0 && (name[7] == '/' || name[7] == '\0');
  if (name[0] == '/') return false;
  if (home_find(root, &unheard) != 0) program_folder(root); /* carried without its tree */
  if (!root[0]) return false;
  if (folder && files_path(path, "%s/%s", root, name) && files_exists(path)) return true;
  return !strchr(name, '/') && files_path(path, "%s/configs/%s.conf", root, name) &&
         files_exists(path);
}

const char *home_config(char path[FILES_PATH], const char *name) {
  return !files_exists(name) && home_own_config(path, name) ? path : name;
}
