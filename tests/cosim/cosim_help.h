/* SPDX-License-Identifier: Apache-2.0 */
/* Helpers for the tests of the lockstep engine: a run and its output, and copies of rtl/ with one
 * place changed. */
#ifndef COSIM_HELP_H
#define COSIM_HELP_H

#include "cosim/matrix.h"
#include "base/sizes.h"
#include "base/files.h"
#include "base/hash.h"
#include "verilog/build.h"
#include "cosim/run.h"
#include "cosim/unit_rtl.h"

#include <check.h>
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT = 1 << 14 };

/* A run and all of its output. */
typedef struct {
  char dir[64]; /* for scratch files, with a copy of rtl/ if the test asks for one */
  rtl_env_t *env;
  rtl_from_t from;
  cosim_job_t job;
  mrpb_err_t err;
  char text[TEXT];
} bench_t;

static inline void open_bench(bench_t *b) {
  memset(b, 0, sizeof *b);
  snprintf(b->dir, sizeof b->dir, "build/tmp/mrpb-cosim-XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(b->dir));
}

static inline void close_bench(bench_t *b) {
  rtl_env_close(b->env);
  files_remove_tree(b->dir, NULL);
}

static inline void write_text(const char *path, const char *text) {
  FILE *f = fopen(path, "w");
  ck_assert_ptr_nonnull(f);
  fputs(text, f);
  ck_assert_int_eq(fclose(f), 0);
}

/* Replaces the only occurrence of `from` in `text`. */
static inline char *edited(char *text, const char *from, const char *to) {
  char *at = strstr(text, from);
  ck_assert_msg(at != NULL, "the Verilog no longer has: %s", from);
  ck_assert_msg(strstr(at + 1, from) == NULL, "the Verilog has this twice: %s", from);
  size_t before = (size_t)(at - text);
  char *out = malloc(strlen(text) + strlen(to) + 1);
  ck_assert_ptr_nonnull(out);
  memcpy(out, text, before);
  strcpy(out + before, to);
  strcat(out, at + strlen(from));
  free(text);
  return out;
}

/* The number of modules. */
static inline int modules(void) {
  int n = 0;
  while (module_class_at((unsigned)n)) n++;
  return n;
}

/* Copies rtl/ and changes one place of the copy. `file` NULL changes nothing; `from` NULL removes
 * the file. */
static inline void copy_rtl(bench_t *b, const char *file, const char *from, const char *to) {
  char path[FILES_PATH], stem[64];
  glob_t all;
  ck_assert_int_eq(glob("rtl/*.v", 0, NULL, &all), 0);
  for (size_t i = 0; i < all.gl_pathc; i++) {
    const char *name = strrchr(all.gl_pathv[i], '/') + 1;
    snprintf(stem, sizeof stem, "%.*s", (int)(strlen(name) - 2), name);
    bool chosen = file && strcmp(file, stem) == 0;
    if (chosen && !from) continue;
    char *text = files_read(all.gl_pathv[i], NULL);
    ck_assert_msg(text != NULL, "no %s", all.gl_pathv[i]);
    if (chosen) text = edited(text, from, to);
    snprintf(path, sizeof path, "%s/%s", b->dir, name);
    write_text(path, text);
    free(text);
  }
  globfree(&all);
}

/* Sets up a job: "NAME=VALUE NAME=VALUE" on top of the defaults. */
static inline void set_job(bench_t *b, const char *stem, const char *sizes, uint64_t cycles) {
  char text[256], *save = NULL;
  b->job = (cosim_job_t){.cls = module_class(stem),
                         .program = "build/mrpb",
                         .seed = 1,
                         .cycles = cycles,
                         .vcd = b->job.vcd};
  module_defaults(b->job.cls, b->job.cfg);
  snprintf(text, sizeof text, "%s", sizes);
  for (char *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save))
    ck_assert_int_eq(sizes_set(b->job.cls, b->job.cfg, word, &b->err), 0);
}

/* The project's own copies need no second simulator; tests/verilog/twice.sh tests that. */
static inline int open_env(bench_t *b) {
  const int rc = b->env ? RTL_OK : rtl_env_open(&b->env, &b->from, NULL, &b->err);
  if (rc == RTL_OK) rtl_env_trust(b->env);
  return rc;
}

static inline int run(bench_t *b) {
  FILE *out = tmpfile();
  ck_assert_ptr_nonnull(out);
  b->err.text[0] = '\0';
  b->job.out = out;
  int rc = open_env(b);
  if (rc == RTL_OK) rc = cosim_run(&b->job, b->env, &b->err);
  rewind(out);
  b->text[fread(b->text, 1, TEXT - 1, out)] = '\0';
  fclose(out);
  return rc;
}

static inline void has(const char *text, const char *part) {
  ck_assert_msg(strstr(text, part) != NULL, "no \"%s\" in: %s", part, text);
}

static inline int run_list(bench_t *b, const char *list, unsigned jobs) {
  char path[128];
  FILE *out = tmpfile();
  snprintf(path, sizeof path, "%s/list.txt", b->dir);
  write_text(path, list);
  b->err.text[0] = '\0';
  cosim_job_t base = {.seed = 1, .cycles = 2000, .out = out};
  int rc = matrix_run(path, &base, jobs, b->env, &b->err);
  rewind(out);
  b->text[fread(b->text, 1, TEXT - 1, out)] = '\0';
  fclose(out);
  return rc;
}

/* Makes the same accesses through C, Verilog and both. Returns a hash of all outputs, 0 after a
 * failed edge. */
static inline uint64_t unit_hash(bench_t *b, unit_rtl_set_t *set, unit_impl_t impl,
                                 unsigned cycles) {
  unit_choice_t choice = {.mshr = impl, .sm = 3, .open_rtl = unit_rtl_open, .ctx = set};
  const uint32_t cfg[MODULE_MAX_PARAMS] = {5, 3, 25, 16};
  const module_class_t *cls = module_class("mshr");
  const stim_class_t *stim = stim_class("mshr");
  uint64_t in[64] = {0}, out[64] = {0}, hash = HASH_START;
  void *model, *state = malloc(stim->size);
  unit_t unit;
  ck_assert_msg(unit_open(&unit, cls, cfg, &choice, 3, &b->err) == 0, "%s", b->err.text);
  ck_assert_int_eq(cls->create(&model, cfg, NULL), 0);
  stim->start(state, cfg, 1);
  for (unsigned n = 0; n < cycles && hash != 0; n++) {
    stim->next(state, model, in);
    in[0] = 1; /* srst_ni */
    module_port_t ports[MODULE_MAX_PORTS], outs[MODULE_MAX_PORTS];
    cls->ports(cfg, ports, outs);
    for (unsigned i = 0; i < cls->n_in; i++)
      if (ports[i].width < 64) in[ports[i].word] &= (UINT64_C(1) << ports[i].width) - 1;
    unit_comb(&unit, in, out);
    in[1] ^= 1; /* inputs of an earlier comb must have no effect */
    unit_comb(&unit, in, out);
    hash = hash_bytes(hash, out, cls->out_words * sizeof *out);
    cls->edge(model, in);
    if (unit_edge(&unit, in, &b->err) != 0) hash = 0;
  }
  unit_close(&unit);
  cls->destroy(model);
  free(state);
  return hash;
}

#endif
