/* SPDX-License-Identifier: Apache-2.0 */
/* Complete files or none: see output.h. */
#include "base/output.h"
#include "base/files.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

void output_discard(const char *path, const char *temp) {
  if (strcmp(path, temp) != 0) unlink(temp);
}

static bool is_special(const char *path) {
  struct stat st;
  return stat(path, &st) == 0 && !S_ISREG(st.st_mode);
}

int output_temp(const char *path, char temp[OUTPUT_NAME], mrpb_err_t *err) {
  int n = snprintf(temp, OUTPUT_NAME, is_special(path) ? "%s" : "%s.part", path);
  if (n < 0 || n >= OUTPUT_NAME) return mrpb_fail(err, "%.60s...: name too long", path);
  return 0;
}

FILE *output_open(const char *path, char temp[OUTPUT_NAME], mrpb_err_t *err) {
  if (output_temp(path, temp, err) != 0) return NULL;
  FILE *f = fopen(temp, "w");
  if (!f) mrpb_fail(err, "%s: %s; legal: a file that can be written", path, strerror(errno));
  return f;
}

int output_try(const char *path, mrpb_err_t *err) {
  char temp[OUTPUT_NAME];
  if (output_temp(path, temp, err) != 0) return -1;
  FILE *f = fopen(temp, "a");
  if (!f) return mrpb_fail(err, "%s: %s; legal: a file that can be written", path, strerror(errno));
  fclose(f);
  output_discard(path, temp);
  return 0;
}

int output_commit(const char *path, const char *temp, mrpb_err_t *err) {
  if (strcmp(path, temp) == 0 || rename(temp, path) == 0) return 0;
  mrpb_fail(err, "%s: %s", path, strerror(errno));
  output_discard(path, temp);
  return -1;
}

/* In one folder the second of two renames can fail only for a reason that can be checked before: a
 * folder in the way. */
int output_commit_pair(const char *path, const char *temp, const char *beside,
                       const char *beside_temp, mrpb_err_t *err) {
  struct stat st;
  const char *const in_the_way = stat(path, &st) == 0 && S_ISDIR(st.st_mode)     ? path
                                 : stat(beside, &st) == 0 && S_ISDIR(st.st_mode) ? beside
                                                                                 : NULL;
  if (!in_the_way && output_commit(beside, beside_temp, err) == 0)
    return output_commit(path, temp, err);
  if (in_the_way) mrpb_fail(err, "%s: %s", in_the_way, strerror(EISDIR));
  output_discard(path, temp);
  output_discard(beside, beside_temp);
  return -1;
}

int output_end(FILE *f, bool bad, const char *path, const char *temp, mrpb_err_t *err) {
  bad = bad || ferror(f) || fflush(f) != 0;
  int why = errno;
  if (fclose(f) == 0 && !bad) return 0;
  if (!bad) why = errno;
  output_discard(path, temp);
  return mrpb_fail(err, "%s: %s; nothing was written", path, strerror(why));
}

int output_close(FILE *f, bool bad, const char *path, const char *temp, mrpb_err_t *err) {
  return output_end(f, bad, path, temp, err) == 0 ? output_commit(path, temp, err) : -1;
}

FILE *output_into(const char *folder, const char *name, mrpb_err_t *err) {
  char path[OUTPUT_NAME];
  const int n = snprintf(path, sizeof path, "%s/%s", folder, name);
  if (n < 0 || n >= OUTPUT_NAME) errno = ENAMETOOLONG;
  FILE *f = n < 0 || n >= OUTPUT_NAME ? NULL : fopen(path, "w");
  if (!f) mrpb_fail(err, "%s/%s: cannot write: %s", folder, name, strerror(errno));
  return f;
}

int output_into_end(FILE *f, bool bad, const char *folder, const char *name, mrpb_err_t *err) {
  bad = bad || ferror(f) || fflush(f) != 0;
  int why = errno;
  if (fclose(f) == 0 && !bad) return 0;
  if (!bad) why = errno;
  return mrpb_fail(err, "%s/%s: cannot write: %s", folder, name, strerror(why));
}

int output_folder(const char *dir, mrpb_err_t *err) {
  char path[OUTPUT_NAME];
  int n = snprintf(path, sizeof path, "%s", dir);
  if (n <= 0 || n >= OUTPUT_NAME)
    return mrpb_fail(err, "'%.60s': legal: the path of a folder", dir);
  if (files_make_folders(path)) return 0;
  return mrpb_fail(err, "%s: %s; legal: a folder that can be written", path, strerror(errno));
}
