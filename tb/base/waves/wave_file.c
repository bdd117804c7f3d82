/* SPDX-License-Identifier: Apache-2.0 */
/* Wave files as a user names them. */
#include "base/waves/wave_file.h"

#include "base/process.h"

#include <stdlib.h>
#include <string.h>

static bool ends_in(const char *path, const char *suffix) {
  size_t n = strlen(path), k = strlen(suffix);
  return n > k && strcmp(path + n - k, suffix) == 0;
}

/* Returns its exit status, or -1 if it could not be run to its end. */
static int vcd2fst(const char *from, const char *to) {
  const char *argv[] = {"vcd2fst", from, to, NULL};
  const process_t p = {.argv = argv};
  process_result_t r;
  if (process_run(&p, &r, NULL) != 0) return -1;
  free(r.text);
  return r.end == PROCESS_EXITED ? r.code : -1;
}

bool wave_file_no_tool(const char *path, mrpb_err_t *err) {
  char tool[OUTPUT_NAME];
  if (!path || !ends_in(path, ".fst") || process_find("vcd2fst", tool, sizeof tool)) return false;
  mrpb_fail(err, "%s: vcd2fst is missing; it is in the Debian package gtkwave", path);
  return true;
}

int wave_file_temp(const char *path, char temp[OUTPUT_NAME], mrpb_err_t *err) {
  if (output_temp(path, temp, err) != 0) return -1;
  if (ends_in(path, ".fst") && strcmp(path, temp) == 0)
    return mrpb_fail(err, "%s: an FST file must be a regular file", path);
  return wave_file_no_tool(path, err) ? -1 : 0;
}

int wave_file_commit(const char *path, const char *temp, mrpb_err_t *err) {
  char fst[OUTPUT_NAME];
  if (!ends_in(path, ".fst")) return output_commit(path, temp, err);
  int n = snprintf(fst, sizeof fst, "%s.fst", temp);
  int rc = n < OUTPUT_NAME ? vcd2fst(temp, fst) : -1;
  output_discard(path, temp);
  if (rc == 0) return output_commit(path, fst, err);
  output_discard(path, fst);
  return mrpb_fail(err, "%s: vcd2fst failed%s", path, rc < 0 ? ": it could not be run" : "");
}

int wave_file_save(const char *path, char save[OUTPUT_NAME], const char **dump, mrpb_err_t *err) {
  char temp[OUTPUT_NAME];
  const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
  size_t stem = dot && (!slash || dot > slash + 1) ? (size_t)(dot - path) : strlen(path);
  save[0] = '\0';
  *dump = slash ? slash + 1 : path;
  if (output_temp(path, temp, err) != 0) return -1;
  if (strcmp(path, temp) == 0) return 0;
  if (stem + sizeof ".gtkw" > OUTPUT_NAME) return mrpb_fail(err, "%.60s...: name too long", path);
  snprintf(save, OUTPUT_NAME, "%.*s.gtkw", (int)stem, path);
  if (strcmp(save, path) == 0) return mrpb_fail(err, "%s: this is the save file's name", path);
  return 0;
}
