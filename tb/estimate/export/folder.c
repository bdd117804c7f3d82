/* SPDX-License-Identifier: Apache-2.0 */
/* The folder appears whole: it is made beside its place, as DIR.part, and renamed. */
#define _DEFAULT_SOURCE /* realpath */
#include "estimate/export/state.h"

#include "base/json_out.h"
#include "base/output.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MANIFEST "manifest.json"

/* ---- what is there already ---- */

static bool in_list(const json_t *files, const char *name) {
  size_t i;
  json_t *file;
  json_array_foreach(files, i, file) {
    const char *text = json_string_value(file);
    const size_t n = strlen(name);
    if (text && strncmp(text, name, n) == 0 && (text[n] == '\0' || text[n] == '/')) return true;
  }
  return false;
}

/* Refuses if a file below `folder` is not in the list of an earlier export. `below` is its path
 * from there, "" or "lib/". */
static int check_folder(const char *folder, const char *below, const json_t *files,
                        mrpb_err_t *err) {
  char path[FILES_PATH], name[FILES_PATH];
  DIR *d = files_path(path, "%s/%s", folder, below) ? opendir(path) : NULL;
  int rc = d ? 0 : mrpb_fail(err, "%s: %s", folder, strerror(errno));
  for (struct dirent *f = d ? readdir(d) : NULL; f && rc == 0; f = readdir(d)) {
    if (strcmp(f->d_name, ".") == 0 || strcmp(f->d_name, "..") == 0) continue;
    if (!files_path(name, "%s%s", below, f->d_name) || !files_path(path, "%s/%s", folder, name))
      rc = mrpb_fail(err, "-o %.80s...: too long", folder);
    else if (!in_list(files, name))
      rc = mrpb_fail(err,
                     "%s: not written by `mrpb export`; legal: -o of a folder that is new, empty, "
                     "or as an export left it",
                     path);
    else if (files_is_folder(path) && files_path(name, "%s%s/", below, f->d_name))
      rc = check_folder(folder, name, files, err);
  }
  if (d) closedir(d);
  return rc;
}

static int check_place(const char *out, mrpb_err_t *err) {
  char path[FILES_PATH];
  struct stat st;
  if (lstat(out, &st) != 0) return 0;
  if (!files_is_folder(out))
    return mrpb_fail(err, "%s: Not a directory; legal: -o of a folder", out);
  json_t *manifest = files_path(path, "%s/" MANIFEST, out) ? json_load_file(path, 0, NULL) : NULL;
  const int rc = check_folder(out, "", json_object_get(manifest, "files"), err);
  json_decref(manifest);
  return rc;
}

/* ---- the unfinished folder ---- */

/* Its name: DIR.part, absolute, so that tools may run anywhere. */
static int name_work(export_t *e, mrpb_err_t *err) {
  char parent[FILES_PATH], *full;
  size_t n = strlen(e->opt->out);
  while (n > 1 && e->opt->out[n - 1] == '/') n--;
  if (!files_path(parent, "%.*s", (int)n, e->opt->out))
    return mrpb_fail(err, "-o %.80s...: too long", e->opt->out);
  const char *slash = strrchr(parent, '/'), *name = slash ? slash + 1 : parent;
  char folder[FILES_PATH];
  snprintf(folder, sizeof folder, "%.*s", slash ? (int)(slash - parent) + !(slash - parent) : 1,
           slash ? parent : ".");
  if (output_folder(folder, err) != 0) return -1;
  full = realpath(folder, NULL);
  if (!full) return mrpb_fail(err, "%s: %s", folder, strerror(errno));
  const bool fits = files_path(e->work, "%s/%s.part", full, name);
  free(full);
  if (fits && strcmp(name, ".") != 0 && strcmp(name, "..") != 0) return 0;
  return mrpb_fail(err, "-o %.80s: legal: the path of a folder with its name", e->opt->out);
}

int export_begin(export_t *e, mrpb_err_t *err) {
  if (check_place(e->opt->out, err) != 0 || name_work(e, err) != 0) return -1;
  files_remove_tree(e->work, NULL); /* left by a run that was killed */
  if (output_folder(e->work, err) != 0) return -1;
  if (!files_path(e->scratch, "%s/.scratch", e->work)) return mrpb_fail(err, "-o: too long");
  return output_folder(e->scratch, err);
}

int export_commit(export_t *e, mrpb_err_t *err) {
  char final[FILES_PATH], old[FILES_PATH];
  snprintf(final, sizeof final, "%.*s", (int)(strlen(e->work) - strlen(".part")), e->work);
  files_remove_tree(e->scratch, NULL);
  if (!files_path(old, "%s.old", final)) return mrpb_fail(err, "-o %.80s...: too long", final);
  if (check_place(final, err) != 0) return -1;
  files_remove_tree(old, NULL);
  const bool there = files_exists(final);
  if (there && rename(final, old) != 0) return mrpb_fail(err, "%s: %s", final, strerror(errno));
  if (rename(e->work, final) != 0) {
    mrpb_fail(err, "%s: %s", final, strerror(errno));
    if (there && rename(old, final) != 0) return -1;
    return -1;
  }
  files_remove_tree(old, NULL);
  return 0;
}

void export_discard(export_t *e) {
  if (e->work[0]) files_remove_tree(e->work, NULL);
}

/* ---- its files ---- */

/* Notes a file that a tool has written there. */
static int export_note(export_t *e, const char *name, mrpb_err_t *err) {
  if (e->n_files == EXPORT_FILES) return mrpb_fail(err, "%s: too many files", e->opt->out);
  snprintf(e->file[e->n_files++], EXPORT_NAME, "%s", name);
  return 0;
}

FILE *export_open(export_t *e, const char *name, mrpb_err_t *err) {
  char folder[FILES_PATH];
  const char *slash = strrchr(name, '/');
  if (slash && (!files_path(folder, "%s/%.*s", e->work, (int)(slash - name), name) ||
                output_folder(folder, err) != 0))
    return NULL;
  return export_note(e, name, err) == 0 ? output_into(e->work, name, err) : NULL;
}

int export_close(export_t *e, FILE *f, const char *name, mrpb_err_t *err) {
  return output_into_end(f, false, e->work, name, err);
}

int export_copy(export_t *e, const char *from, const char *name, mrpb_err_t *err) {
  size_t n;
  char *text = files_read(from, &n);
  if (!text) return mrpb_fail(err, "%s: cannot read: %s", from, strerror(errno));
  FILE *f = export_open(e, name, err);
  const bool bad = f && fwrite(text, 1, n, f) != n;
  free(text);
  return f ? output_into_end(f, bad, e->work, name, err) : -1;
}
