/* SPDX-License-Identifier: Apache-2.0 */
#include "estimate/place/apart.h"

#include "base/files.h"
#include "base/jobs.h"
#include "base/json_out.h"
#include "base/output.h"

#include <errno.h>
#include <string.h>

/* A folder without a readable result does not count, and is removed. */
static bool find_kept(apart_t *a) {
  char path[FILES_PATH];
  json_t *o = files_path(path, "%s/result.json", a->folder) ? json_load_file(path, 0, NULL) : NULL;
  const bool found = o && a->from_json(o, a->result) == 0;
  json_decref(o);
  if (!found && files_exists(a->folder)) files_remove_tree(a->folder, NULL);
  return found;
}

static int keep(apart_t *a, const char *folder, mrpb_err_t *err) {
  json_t *o = a->to_json(a->result);
  FILE *f = o ? output_into(folder, "result.json", err) : NULL;
  int rc = f ? json_out_write(o, f, JSON_INDENT(2) | JSON_REAL_PRECISION(9)) : -1;
  if (f && output_into_end(f, rc != 0, folder, "result.json", err) != 0) rc = -1;
  if (!o) rc = mrpb_fail(err, "out of memory");
  json_decref(o);
  return rc;
}

static int make_and_keep(apart_t *a, mrpb_err_t *err) {
  char temp[FILES_PATH];
  if (files_temp_folder(temp, a->cache, err) != 0) return -1;
  int rc = a->make(a->job, temp, a->result, err);
  if (rc == 0) rc = keep(a, temp, err);
  if (rc == 0) return files_publish(temp, a->folder, err);
  files_remove_tree(temp, NULL);
  return rc;
}

/* Runs in its own process; its output is the reason for a failure. */
static int work(void *ctx, size_t i, FILE *out) {
  mrpb_err_t err = {""};
  (void)i;
  if (make_and_keep(ctx, &err) == 0) return 0;
  fputs(err.text, out);
  return 1;
}

typedef struct {
  apart_t *a;
  bool failed;
  mrpb_err_t *err;
} told_t;

static int work_told(void *ctx, size_t i, FILE *out) {
  const told_t *t = ctx;
  return work(t->a, i, out);
}

static jobs_then_t tell(void *ctx, const jobs_end_t *end) {
  told_t *t = ctx;
  char said[sizeof t->err->text] = "";
  if (end->ended || (end->exited && end->code == 0)) return JOBS_GO_ON;
  if (end->out) said[fread(said, 1, sizeof said - 1, end->out)] = '\0';
  mrpb_fail(t->err, "%s",
            end->why  ? end->why
            : said[0] ? said
                      : "a process of the estimate ended without a word");
  t->failed = true;
  return JOBS_END_ALL;
}

int apart_run(apart_t *a, mrpb_err_t *err) {
  char path[FILES_PATH];
  told_t told = {.a = a, .err = err};
  const jobs_t pool = {.n = 1,
                       .at_once = 1,
                       .apart = true,
                       .ctx = &told,
                       .work = work_told,
                       .end = tell,
                       .stop = a->stop};
  if (output_folder(a->cache, err) != 0) return -1;
  if (!files_path(path, "%s/%s", a->cache, a->key) || strlen(path) >= sizeof a->folder)
    return mrpb_fail(err, "%s: path too long", a->cache);
  memcpy(a->folder, path, strlen(path) + 1);
  a->cached = find_kept(a);
  if (a->cached) return 0;
  const int rc = jobs_run(&pool, err);
  if (rc == JOBS_STOPPED) {
    mrpb_fail(err, "interrupted");
    return LOGIC_STOPPED;
  }
  if (rc < 0 || told.failed) return -1;
  if (find_kept(a)) return 0;
  return mrpb_fail(err, "%s: a result that cannot be read", a->folder);
}
