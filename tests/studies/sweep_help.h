/* SPDX-License-Identifier: Apache-2.0 */
/* A folder, a shell script in place of `mrpb` whose runs have known results, and a list of
 * points. */
#ifndef SWEEP_HELP_H
#define SWEEP_HELP_H

#include "studies/sweep/sweep.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SWEEP_PATH = 256 };

typedef struct {
  char folder[64], script[SWEEP_PATH], db[SWEEP_PATH];
  sweep_list_t list;
  sweep_t sweep;
  FILE *log;
} sweep_rig_t;

static inline void sweep_write_file(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  ck_assert_ptr_nonnull(f);
  ck_assert_int_ge(fputs(text, f), 0);
  ck_assert_int_eq(fclose(f), 0);
}

/* A run takes 1000 x MRPB_DEPTH cycles. "gone" fails, "killed" gets a signal, "silent" leaves no
 * result, "other" leaves the result of another configuration, "many" writes more than a pipe
 * holds. */
static const char sweep_script[] =
    "#!/bin/sh\n"
    "cd $(dirname $0)\n"
    "while [ $# -gt 0 ]; do case $1 in\n"
    "  -c) c=$(cat $2); shift;; --kernel) k=$2; shift;; --json) j=$2; shift;; esac; shift; done\n"
    "echo $k >> calls\n"
    "d=$(echo \"$c\" | sed -n 's/^MRPB_DEPTH = //p'); h=$(echo \"$c\" | sed -n 's/^# configuration "
    "//p')\n"
    "case $k in gone) echo mrpb run: note: a note >&2; echo mrpb run: no way out >&2; exit 4;;\n"
    "  killed) kill -SEGV $$;; silent) exit 0;; other) h=0;;\n"
    "  many) s=$(head -c 300000 /dev/zero | tr '\\0' x);; esac\n"
    "echo \"{\\\"config_hash\\\": \\\"$h\\\", \\\"cycles\\\": $((1000 * d)), \\\"name\\\": "
    "\\\"a,\\\\\\\"b\\\","
    " \\\"a\\\": {\\\"b_c\\\": [1, {\\\"d\\\": 2.5}], \\\"e\\\": true}, \\\"long\\\": "
    "\\\"$s\\\"}\" > $j\n";

static inline void sweep_rig_open(sweep_rig_t *r) {
  memset(r, 0, sizeof *r);
  snprintf(r->folder, sizeof r->folder, "build/tmp/mrpb_sweep_XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(r->folder));
  snprintf(r->script, SWEEP_PATH, "%s/mrpb", r->folder);
  snprintf(r->db, SWEEP_PATH, "%s/folder/r.db", r->folder);
  sweep_write_file(r->script, sweep_script);
  ck_assert_int_eq(chmod(r->script, 0700), 0);
  r->log = tmpfile();
  r->sweep = (sweep_t){.list = &r->list, .program = r->script, .jobs = 2, .log = r->log};
}

static inline void sweep_rig_close(sweep_rig_t *r) {
  char command[SWEEP_PATH];
  fclose(r->log);
  sweep_list_free(&r->list);
  snprintf(command, sizeof command, "rm -r %s", r->folder);
  ck_assert_int_eq(system(command), 0);
}

/* Adds the points of program `name` with each depth up to `depths`. */
static inline void sweep_add(sweep_rig_t *r, const char *name, unsigned depths) {
  const char *const word[] = {"--kernel", name};
  mrpb_err_t err = {{0}};
  const int p = sweep_list_program(&r->list, name, word, 2, false, sweep_words_hash(word, 2), &err);
  ck_assert_int_ge(p, 0);
  for (unsigned d = 1; d <= depths; d++) {
    config_t cfg;
    config_defaults(&cfg);
    cfg.mrpb_depth = d;
    ck_assert_int_eq(sweep_list_add(&r->list, (unsigned)p, &cfg, &err), 0);
  }
}

/* Runs the missing points. Returns the exit code. */
static inline int sweep_make(sweep_rig_t *r) {
  mrpb_err_t err = {{0}};
  ck_assert_msg(sweep_store_write(&r->sweep.store, r->db, &err) == 0, "%s", err.text);
  const int rc = sweep_run(&r->sweep, &err);
  ck_assert_msg(rc >= 0, "%s", err.text);
  sweep_store_close(r->sweep.store);
  r->sweep.store = NULL;
  return rc;
}

/* The number of lines of `calls` in the folder: one for each run of the script. */
static inline unsigned sweep_calls(const char *folder) {
  char path[SWEEP_PATH];
  unsigned n = 0;
  snprintf(path, sizeof path, "%s/calls", folder);
  FILE *f = fopen(path, "r");
  if (!f) return 0;
  for (int c; (c = fgetc(f)) != EOF;) n += c == '\n';
  fclose(f);
  return n;
}

#endif
