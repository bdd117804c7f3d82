/* SPDX-License-Identifier: Apache-2.0 */
/* Makes the netlist of mutants with a Yosys script, and reads the list of mutants that the script
 * writes. */
#include "base/home.h"
#include "verify/mutate/mutants.h"

#include "base/output.h"
#include "base/process.h"
#include "base/files.h"
#include "base/hash.h"
#include "cosim/lockstep/foreign.h"
#include "verilog/build.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { LINE = 4096 };

/* The folder's name depends on the sizes: a C++ object stays loaded, and another one of the same
 * name would not be loaded. */
static int make_dir(mutants_t *m, const rtl_env_t *env, mrpb_err_t *err) {
  char parent[FILES_PATH];
  uint64_t hash = hash_bytes(HASH_START, m->cfg, sizeof m->cfg);
  if (home_build(parent, rtl_env_root(env), "mutants", err) != 0 ||
      snprintf(m->dir, sizeof m->dir, "%s/%s-%08x", parent, m->cls->stem, (unsigned)hash) >=
          MUTANTS_DIR)
    return mrpb_fail(err, "%s: the path is too long", rtl_env_root(env));
  if (files_exists(m->dir)) files_remove_tree(m->dir, NULL);
  if (mkdir(m->dir, 0777) != 0) return mrpb_fail(err, "%s: %s", m->dir, strerror(errno));
  return 0;
}

static int find_state(mutants_t *m, mrpb_err_t *err) {
  void *model;
  if (m->cls->create(&model, m->cfg, err) != 0) return -1;
  m->cls->regs(model, m->regs);
  m->cls->destroy(model);
  for (unsigned r = 0; r < m->cls->n_regs && !m->source.made; r++) m->n_state += m->regs[r].words;
  m->state_width = calloc(m->n_state + 1, sizeof *m->state_width);
  if (!m->state_width) return mrpb_fail(err, "%s: out of memory", m->cls->stem);
  unsigned *width = m->state_width;
  for (unsigned r = 0; r < m->cls->n_regs && m->n_state > 0; r++)
    for (unsigned w = 0; w < m->regs[r].words; w++) *width++ = m->regs[r].width;
  return 0;
}

/* Writes one line per word of a register, for the shim. */
static int write_state(const mutants_t *m, mrpb_err_t *err) {
  FILE *f = output_into(m->dir, "state.h", err);
  if (!f) return -1;
  for (unsigned k = 0; k < m->n_state; k++) fprintf(f, "STATE(state_%u)\n", k);
  return output_into_end(f, false, m->dir, "state.h", err);
}

/* Registers get their names in the netlist and become its outputs. */
static void expose_state(const mutants_t *m, FILE *f) {
  unsigned k = 0;
  fprintf(f, "cd %s\n", m->cls->stem);
  for (unsigned r = 0; r < m->cls->n_regs && m->n_state > 0; r++)
    for (unsigned w = 0; w < m->regs[r].words; w++) {
      fprintf(f, "rename %s", m->regs[r].name);
      if (m->regs[r].array) fprintf(f, "[%u]", w);
      fprintf(f, " state_%u\n", k++);
    }
  fprintf(f, "cd ..\n%s", m->n_state > 0 ? "expose w:state_*\n" : "");
}

/* SYNTHESIS leaves out the Verilog's own checks, which are not hardware. Memories become registers:
 * `mutate` would give their ports different clocks, which Yosys cannot write. No mutant is in a
 * clock: it would be a second clock, and its registers would race with the others. */
static void write_script(const mutants_t *m, unsigned n, uint64_t seed, FILE *f) {
  const char *stem = m->cls->stem;
  const lint_t *lint = &m->source.lint;
  fprintf(f, "read_verilog %s-DSYNTHESIS -I%s", m->source.made ? "-sv " : "", m->dir);
  for (unsigned i = 0; i < lint->n_files; i++) fprintf(f, " %s/%s.v", m->dir, lint->file[i]);
  putc('\n', f);
  if (m->cls->n_params > 0) {
    fprintf(f, "chparam");
    for (unsigned i = 0; i < m->cls->n_params; i++)
      fprintf(f, " -set %s %u", m->cls->params[i].name, m->cfg[i]);
    fprintf(f, " %s\n", stem);
  }
  fprintf(f, "hierarchy -check -top %s\nproc\nflatten\nrename -top %s\nmemory_map\n", stem, stem);
  expose_state(m, f);
  fprintf(
      f,
      "setundef -zero\nopt_expr\nopt_clean\n"
      "mutate -list %u -seed %" PRIu64 " -ctrl mutsel %d 1 -o %s/list.txt\n"
      "exec -- sed -i \"/ -port CLK /d\" %s/list.txt\n"
      "script %s/list.txt\nopt_clean\nsplitnets\nopt_clean\nwrite_verilog -noattr %s/mutants.v\n",
      n, seed % INT32_MAX, MUTANTS_SELECT_W, m->dir, m->dir, m->dir, m->dir);
}

static int run_yosys(const mutants_t *m, unsigned n, uint64_t seed, mrpb_err_t *err) {
  char script[FILES_PATH], log[FILES_PATH];
  if (lint_copy(&m->source.job, &m->source.lint, LINT_COPY_ALL, m->dir, err) != 0 ||
      !files_path(script, "%s/mutate.ys", m->dir) || !files_path(log, "%s/log", m->dir))
    return mrpb_fail(err, "%s: the path is too long", m->dir), RTL_BAD_INPUT;
  FILE *f = output_into(m->dir, "mutate.ys", err);
  if (!f) return RTL_BAD_INPUT;
  write_script(m, n, seed, f);
  if (output_into_end(f, false, m->dir, "mutate.ys", err) != 0) return RTL_BAD_INPUT;
  const char *argv[] = {"yosys", "-q", "-s", script, NULL};
  if (process_log(argv, log) == 0) return RTL_OK;
  if (rtl_yosys_error(log, m->dir, m->source.dir, err)) return RTL_BAD_INPUT;
  mrpb_fail(err, "yosys failed on %s: see %s", m->cls->stem, log);
  return RTL_BAD_TOOL;
}

/* The word after `option` in a line of the list. */
static void word_of(const char *line, const char *option, char text[MUTANTS_TEXT]) {
  const char *at = strstr(line, option);
  text[0] = '\0';
  if (!at) return;
  at += strlen(option);
  snprintf(text, MUTANTS_TEXT, "%.*s", (int)strcspn(at, " \n"), at);
}

/* The kind of a cell: "$ternary$/path/prt.v:90$530" is a ternary. */
static void kind_of(const char *line, char text[MUTANTS_TEXT]) {
  char cell[MUTANTS_TEXT];
  word_of(line, "-cell ", cell);
  const char *at = cell + strspn(cell, "$\\");
  snprintf(text, MUTANTS_TEXT, "%.*s", (int)strcspn(at, "$"), at);
}

static void parse_line(const char *line, mutant_t *mutant) {
  char kind[MUTANTS_TEXT], port[MUTANTS_TEXT], bit[MUTANTS_TEXT];
  const char *src = NULL;
  for (const char *at = line; (at = strstr(at, " -src ")); at += 6) src = at + 6;
  word_of(line, "-ctrl mutsel 16 ", bit);
  mutant->number = (unsigned)strtoul(bit, NULL, 10);
  word_of(line, "-mode ", mutant->mode);
  word_of(line, "-port ", port);
  word_of(line, "-portbit ", bit);
  kind_of(line, kind);
  snprintf(mutant->port, sizeof mutant->port, "%.24s %.20s %.10s", kind, port, bit);
  if (!src) {
    snprintf(mutant->source, sizeof mutant->source, "-");
    return;
  }
  size_t n = strcspn(src, " |\n");
  const char *base = src;
  for (const char *c = src; c < src + n; c++)
    if (*c == '/') base = c + 1;
  snprintf(mutant->source, sizeof mutant->source, "%.*s", (int)(src + n - base), base);
}

static int read_list(mutants_t *m, mrpb_err_t *err) {
  char path[FILES_PATH], line[LINE];
  m->list = calloc(MUTANTS_MAX + 1, sizeof *m->list);
  FILE *f = m->list && files_path(path, "%s/list.txt", m->dir) ? fopen(path, "r") : NULL;
  if (!f) return mrpb_fail(err, "%s: the list of mutants cannot be read", m->dir);
  while (m->n < MUTANTS_MAX && fgets(line, sizeof line, f))
    if (strncmp(line, "mutate ", 7) == 0) parse_line(line, &m->list[m->n++]);
  fclose(f);
  return m->n > 0 ? 0 : mrpb_fail(err, "%s: yosys found no place for a mutant", m->cls->stem);
}

/* Refuses a map with assumptions about the inputs: the recorded run does not obey them. */
static int refuse_assumptions(const mutants_t *m, mrpb_err_t *err) {
  const map_t *map = m->source.made ? m->source.made->bind.map : NULL;
  const map_statement_t *s = map ? map_one(map, MAP_ASSUME) : NULL;
  if (!s) return RTL_OK;
  map_fail(map, s, err, "assume: `mutate` draws any inputs; legal: a map without it");
  return RTL_BAD_INPUT;
}

int mutants_make(mutants_t *m, rtl_env_t *env, const module_class_t *cls, const uint32_t *cfg,
                 unsigned n, uint64_t seed, mrpb_err_t *err) {
  *m = (mutants_t){.cls = cls};
  memcpy(m->cfg, cfg, cls->n_params * sizeof *cfg);
  int rc = rtl_source_open(&m->source, env, cls, m->cfg, RTL_TOOLS, err);
  if (rc == RTL_OK) rc = refuse_assumptions(m, err);
  if (rc == RTL_OK && m->source.made) m->source.made->bind.n_regs = 0; /* outputs only */
  if (rc == RTL_OK &&
      (make_dir(m, env, err) != 0 || find_state(m, err) != 0 || write_state(m, err) != 0))
    rc = RTL_BAD_INPUT;
  if (rc == RTL_OK) rc = run_yosys(m, n, seed, err);
  if (rc == RTL_OK && read_list(m, err) != 0) rc = RTL_BAD_TOOL;
  if (rc == RTL_OK) rc = rtl_lib_open_mutants(&m->lib, env, cls, m->dir, m->n_state, err);
  if (rc != RTL_OK) mutants_free(m);
  return rc;
}

typedef struct {
  const mutants_t *m;
  const shim_table_t *shim;
  shim_view_t *view;
  void *dut;
  foreign_t *foreign; /* for a user's design; else NULL */
} netlist_t;

static void netlist_comb(void *self, const uint64_t *in, uint64_t *out) {
  const netlist_t *n = self;
  n->shim->comb(n->dut, in, out);
}

static void netlist_edge(void *self, const uint64_t *in) {
  const netlist_t *n = self;
  (void)in; /* the inputs are those of the last comb */
  n->shim->edge(n->dut);
  if (n->foreign) foreign_edge(n->foreign);
}

static void netlist_want(void *self, const uint64_t *in, const uint64_t *good, const uint64_t *out,
                         uint64_t *want) {
  const netlist_t *n = self;
  (void)foreign_comb(n->foreign, in, good, out, want);
}

static bool netlist_same(void *self, const module_reg_t *good) {
  const netlist_t *n = self;
  const shim_view_t *view = n->view;
  for (unsigned r = 0; r < n->m->cls->n_regs && !n->foreign; r++)
    for (unsigned w = 0; w < good[r].words; w++, view++)
      if (memcmp(view->data, (const char *)good[r].data + (size_t)w * good[r].elem_bytes,
                 (good[r].width + 7) / 8) != 0)
        return false;
  return true;
}

/* For a user's design, records in how many cycles each output was compared. */
static bool look(const netlist_t *n, verdict_t *seen) {
  const bind_t *bind = n->foreign ? foreign_bind(n->foreign) : NULL;
  mrpb_err_t err;
  if (verdict_open(seen, n->m->cls, n->m->cfg, bind, &err) != 0) return false;
  for (unsigned i = 0; i < n->m->cls->n_out && bind; i++)
    seen->cycles[i] = foreign_compared(n->foreign, i);
  return true;
}

int64_t mutants_run(const mutants_t *m, unsigned number, const kill_trace_t *t, verdict_t *seen) {
  int64_t at = -1;
  netlist_t n = {.m = m, .shim = rtl_lib_table(m->lib)};
  n.view = calloc(m->n_state + 1, sizeof *n.view);
  n.dut = n.view ? n.shim->create(number, SHIM_ZEROS) : NULL;
  const bind_t *bind = m->source.made ? &m->source.made->bind : NULL;
  n.foreign = n.dut && bind ? foreign_open(bind, n.shim) : NULL;
  if (n.dut && !n.foreign == !bind) {
    n.shim->select(n.dut, number);
    n.shim->regs(n.dut, n.view);
    at = kill_run(t, &(kill_subject_t){&n, netlist_comb, netlist_edge, netlist_same,
                                       n.foreign ? netlist_want : NULL});
  }
  if (seen && at >= 0 && !look(&n, seen)) at = -1;
  foreign_close(n.foreign);
  if (n.dut) n.shim->destroy(n.dut);
  free(n.view);
  return at;
}

void mutants_free(mutants_t *m) {
  rtl_lib_close(m->lib);
  rtl_source_close(&m->source);
  free(m->list);
  free(m->state_width);
  *m = (mutants_t){0};
}
