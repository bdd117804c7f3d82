/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* symlink, setenv */
#include "base/modules_tree.h"

#include "base/hash.h"
#include "base/home.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* The place of each of the module's files, and its name in the module's folder; %s is the module's
 * name. */
static const char *const places[][2] = {
    {"cmodel/%s.h", "%s.h"},
    {"cmodel/%s.c", "%s.c"},
    {"cmodel/ports/%s.ports.h", "%s.ports.h"},
    {"rtl/%s.v", "%s.v"},
    {"rtl/formal/%s_props.vh", "%s_props.vh"},
    {"tb/verify/prove/inv/%s.c", "%s_inv.c"},
    {"tests/verify/mutate/%s_reasons.txt", "%s_reasons.txt"},
};
enum { N_PLACES = sizeof places / sizeof *places };

/* True for folders that get entries besides the program's own: these are made, not linked. */
static bool is_opened(const char *folder) {
  size_t n = strlen(folder);
  for (unsigned i = 0; i < N_PLACES; i++)
    if (strncmp(places[i][0], folder, n) == 0 && places[i][0][n] == '/') return true;
  return false;
}

typedef struct {
  const char *from, *to; /* the program's files; the new folder */
  uint64_t key;
} tree_t;

static int failed(const char *path, mrpb_err_t *err) {
  return mrpb_fail(err, "%.400s: %s", path, strerror(errno));
}

static int link_one(tree_t *t, const char *target, const char *place, mrpb_err_t *err) {
  char path[FILES_PATH];
  t->key = hash_text(hash_text(t->key, target), place);
  if (!files_path(path, "%s/%s", t->to, place))
    return mrpb_fail(err, "%.300s: the path is too long", place);
  return symlink(target, path) == 0 ? 0 : failed(path, err);
}

/* Links everything in `folder` ("": all); folders that are made are filled in turn. */
static int lay(tree_t *t, const char *folder, mrpb_err_t *err) {
  char path[FILES_PATH], place[FILES_PATH];
  const char *slash = folder[0] ? "/" : "";
  int rc = files_path(path, "%s/%s", t->from, folder) ? 0 : -1;
  DIR *d = rc == 0 ? opendir(path) : NULL;
  if (!d) return failed(path, err);
  for (struct dirent *e = readdir(d); e && rc == 0; e = readdir(d)) {
    if (e->d_name[0] == '.') continue;
    if (!files_path(place, "%s%s%s", folder, slash, e->d_name) ||
        !files_path(path, "%s/%s", t->from, place)) {
      rc = mrpb_fail(err, "%.300s: the path is too long", t->from);
    } else if (!is_opened(place)) {
      rc = link_one(t, path, place, err);
    } else {
      rc = files_path(path, "%s/%s", t->to, place) && mkdir(path, 0777) == 0 ? lay(t, place, err)
                                                                             : failed(path, err);
    }
  }
  closedir(d);
  return rc;
}

/* Gives the place and the name of file `i` of a module. */
static bool spell(unsigned i, const char *stem, char place[FILES_PATH], char name[FILES_PATH]) {
  /* Two formats with one %s each, from the table above. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  return files_path(place, places[i][0], stem) && files_path(name, places[i][1], stem);
#pragma GCC diagnostic pop
}

size_t modules_tree_place(const char *text, const char *stem, char name[FILES_PATH]) {
  char place[FILES_PATH];
  for (unsigned i = 0; i < N_PLACES; i++)
    if (spell(i, stem, place, name) && strncmp(text, place, strlen(place)) == 0)
      return strlen(place);
  return 0;
}

int modules_tree_room(const char *root, const char *stem, mrpb_err_t *err) {
  char place[FILES_PATH], name[FILES_PATH], path[FILES_PATH];
  for (unsigned i = 0; i < N_PLACES; i++)
    if (spell(i, stem, place, name) && files_path(path, "%s/%s", root, place) && files_exists(path))
      return mrpb_fail(err, "module name '%s': mrpb itself has a file %s; legal: another name",
                       stem, place);
  return 0;
}

static int lay_module(tree_t *t, const char *dir, const char *stem, mrpb_err_t *err) {
  for (unsigned i = 0; i < N_PLACES; i++) {
    char name[FILES_PATH], place[FILES_PATH], path[FILES_PATH];
    if (!spell(i, stem, place, name) || !files_path(path, "%s/%s", dir, name))
      return mrpb_fail(err, "%.300s: the path is too long", dir);
    if (files_exists(path) && link_one(t, path, place, err) != 0) return -1;
  }
  return 0;
}

int modules_tree(const char *dir, const char *stem, mrpb_err_t *err) {
  char root[FILES_PATH], cache[FILES_PATH], temp[FILES_PATH], final[FILES_PATH];
  if (home_find(root, err) != 0 || modules_tree_room(root, stem, err) != 0 ||
      home_build(cache, root, "modules", err) != 0 || files_temp_folder(temp, cache, err) != 0)
    return -1;
  tree_t t = {root, temp, HASH_START};
  int rc = lay(&t, "", err);
  if (rc == 0) rc = lay_module(&t, dir, stem, err);
  if (rc == 0 && !files_path(final, "%s/%s-%016llx", cache, stem, (unsigned long long)t.key))
    rc = mrpb_fail(err, "%.300s: the path is too long", cache);
  if (rc != 0) {
    files_remove_tree(temp, NULL);
    return -1;
  }
  if (files_publish(temp, final, err) != 0) return -1;
  return setenv("MRPB_DATA", final, 1) == 0 ? 0 : mrpb_fail(err, "out of memory");
}
