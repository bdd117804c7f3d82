/* SPDX-License-Identifier: Apache-2.0 */
/* The folder of an estimate: everything is made in OUT/.part and moved into place at the end. */
#include "estimate/estimate.h"

#include "base/files.h"
#include "base/output.h"
#include "base/json_out.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool join(char path[ESTIMATE_PATH], const char *folder, const char *name) {
  int n = snprintf(path, ESTIMATE_PATH, "%s%s%s", folder, name[0] ? "/" : "", name);
  return n > 0 && n < ESTIMATE_PATH;
}

int estimate_path(const estimate_t *e, const char *name, char path[ESTIMATE_PATH],
                  mrpb_err_t *err) {
  return join(path, e->work, name) ? 0 : mrpb_fail(err, "-o %.80s...: too long", e->out);
}

int estimate_folder(const estimate_t *e, const char *name, mrpb_err_t *err) {
  char path[ESTIMATE_PATH];
  return estimate_path(e, name, path, err) == 0 ? output_folder(path, err) : -1;
}

int estimate_write(estimate_t *e, const char *name, const char *text, mrpb_err_t *err) {
  char path[ESTIMATE_PATH];
  if (estimate_path(e, name, path, err) != 0) return -1;
  FILE *f = fopen(path, "w");
  if (!f) return mrpb_fail(err, "%s: %s; legal: a file that can be written", path, strerror(errno));
  size_t n = strlen(text);
  bool bad = fputs(text, f) == EOF || (n > 0 && text[n - 1] != '\n' && fputc('\n', f) == EOF);
  if (output_close(f, bad, path, path, err) != 0) return -1;
  json_out_append(&e->files, json_string(name));
  return 0;
}

bool estimate_closed(FILE *f) {
  const bool good = ferror(f) == 0;
  return fclose(f) == 0 && good;
}

int estimate_begin(estimate_t *e, mrpb_err_t *err) {
  if (!join(e->work, e->out, ".part")) return mrpb_fail(err, "-o %.80s...: too long", e->out);
  e->fresh = !files_exists(e->out);
  if (output_folder(e->out, err) != 0) return -1;
  files_remove_tree(e->work, NULL); /* left by a run that was killed */
  return estimate_folder(e, "", err);
}

/* Moves the contents of `from` into `to`, except the estimate's own report.md. */
static int move_all(const char *from, const char *to, bool top, mrpb_err_t *err) {
  DIR *d = opendir(from);
  int rc = d ? 0 : mrpb_fail(err, "%s: %s", from, strerror(errno));
  for (struct dirent *f = d ? readdir(d) : NULL; f && rc == 0; f = readdir(d)) {
    char old[ESTIMATE_PATH], new[ESTIMATE_PATH];
    struct stat st;
    if (strcmp(f->d_name, ".") == 0 || strcmp(f->d_name, "..") == 0) continue;
    if (top && strcmp(f->d_name, "report.md") == 0) continue;
    if (!join(old, from, f->d_name) || !join(new, to, f->d_name))
      rc = mrpb_fail(err, "-o %.80s...: too long", to);
    else if (lstat(old, &st) == 0 && S_ISDIR(st.st_mode))
      rc = output_folder(new, err) == 0 ? move_all(old, new, false, err) : -1;
    else if (rename(old, new) != 0)
      rc = mrpb_fail(err, "%s: %s", new, strerror(errno));
  }
  if (d) closedir(d);
  return rc;
}

int estimate_commit(estimate_t *e, mrpb_err_t *err) {
  char old[ESTIMATE_PATH], new[ESTIMATE_PATH];
  if (!join(old, e->work, "report.md") || !join(new, e->out, "report.md"))
    return mrpb_fail(err, "-o %.80s...: too long", e->out);
  if (unlink(new) != 0 && errno != ENOENT) return mrpb_fail(err, "%s: %s", new, strerror(errno));
  if (move_all(e->work, e->out, true, err) != 0) return -1;
  if (rename(old, new) != 0) return mrpb_fail(err, "%s: %s", new, strerror(errno));
  estimate_discard(e);
  return 0;
}

void estimate_discard(estimate_t *e) {
  files_remove_tree(e->work, NULL);
  if (e->fresh) rmdir(e->out); /* if it stayed empty */
}
