/* SPDX-License-Identifier: Apache-2.0 */
/* Prints and keeps the shrunk case. */
#define _POSIX_C_SOURCE 200809L
#include "base/home.h"
#include "cosim/regress.h"

#include "cosim/lockstep/report.h"
#include "base/files.h"
#include "cosim/shrink/shrink.h"
#include "cosim/stim/sources.h"
#include "cosim/shrink/unset.h"
#include "cosim/stim/stim.h"
#include "base/output.h"

#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  PATH = FILES_PATH,
  MOST_LINES = 11, /* with the rest of the report, one screen */
  FIRST_LINES = 2, /* of a table that is cut; what matters is mostly at its end */
  FILLED = 96      /* characters */
};

bool regress_folder(const rtl_env_t *env, char *path) {
  char here[FILES_PATH];
  const bool home = getcwd(here, sizeof here) && strcmp(here, rtl_env_root(env)) == 0;
  mrpb_err_t unheard = {""};
  if (home && access("Makefile", F_OK) == 0) return files_path(path, "build/cases");
  return home_build_path(path, rtl_env_root(env), "cases", &unheard) == 0;
}

typedef struct {
  FILE *out;
  sources_t sources;
  uint64_t lines, printed; /* cycles that the table shows */
  uint64_t most;           /* lines to be printed */
  uint64_t last;           /* the failing one */
} table_t;

static bool tells(const table_t *t, uint64_t at, const uint64_t *in) {
  return at == t->last ||
         (!(at == 0 && t->sources.starts_reset) && sources_active(&t->sources, in));
}

/* A long table loses its middle; its end shows how the difference comes about. */
static void print_line(void *ctx, const lockstep_t *ls) {
  table_t *t = ctx;
  const uint64_t at = lockstep_cycle(ls);
  char text[STIM_TEXT];
  if (!tells(t, at, lockstep_in(ls))) return;
  const uint64_t n = t->printed++;
  if (t->lines > t->most && n >= FIRST_LINES && n < t->lines - (t->most - FIRST_LINES - 1)) {
    if (n == FIRST_LINES)
      fprintf(t->out, "                 (%" PRIu64 " cycles more)\n", t->lines - t->most + 1);
    return;
  }
  report_cycle(lockstep_class(ls), lockstep_cfg(ls), lockstep_in(ls), lockstep_out_c(ls), true,
               text);
  fprintf(t->out, "  %s %10" PRIu64 "  %s\n", at == t->last ? "->" : "  ", at, text);
}

static void print_length(const regress_t *r, const vectors_t *v, const shrink_t *s) {
  fprintf(r->out,
          "  %-12s%" PRIu64 " transactions in %" PRIu64 " cycles, of %" PRIu64 " in %" PRIu64
          " (%" PRIu64 " candidates",
          "shrunk to", s->transactions, v->n, s->transactions_before, s->cycles_before, s->tried);
  if (s->interrupted)
    fprintf(r->out, "; interrupted: fewer may do");
  else if (s->bounded)
    fprintf(r->out, "; ended after %u s: fewer may do", (unsigned)(SHRINK_BUDGET / 1000));
  fprintf(r->out, ")\n");
}

/* Prints why a case that cannot be shrunk further is long. */
static void print_need(const regress_t *r, const lockstep_t *ls, const shrink_t *s) {
  const stim_class_t *stim = stim_class(lockstep_class(ls)->stem);
  char text[STIM_TEXT] = "";
  stim->occupancy(lockstep_cfg(ls), lockstep_model(ls), text);
  report_cut(text, FILLED);
  fprintf(r->out, "  %-12sall %" PRIu64 " are: no one and no two can be left out. They fill: %s\n",
          "needed", s->transactions, text);
}

static void print_unset(const regress_t *r, const vectors_t *v) {
  char name[64];
  if (!unset_register(v, r->lib, name, sizeof name)) return;
  fprintf(
      r->out,
      "  %-12s%s has what it powered up with: neither written nor reset. Reset it, or initialise "
      "it to 0\n",
      "not set", name);
}

/* Prints the table, and writes the difference as one line to v->found. */
static int print_table(const regress_t *r, vectors_t *v, const shrink_t *s, mrpb_err_t *err) {
  table_t t = {.out = r->out, .last = s->play.cycle, .most = MOST_LINES};
  lockstep_t *ls;
  sources_init(&t.sources, v->cls, v->cfg);
  for (uint64_t at = 0; at < v->n; at++) t.lines += tells(&t, at, vectors_cycle(v, at));
  const bool needed = t.lines > MOST_LINES && !s->bounded;
  if (needed) t.most--;
  if (lockstep_open_twin(&ls, v->cls, v->cfg, r->lib, v->seed, err) != 0) return -1;
  print_length(r, v, s);
  play_t play = play_on(ls, v, print_line, &t);
  report_line(ls, &(report_t){.place = v->cls->stem, .cycle = play.cycle, .regs = play.regs},
              v->found, sizeof v->found);
  fprintf(r->out, "  %-12s%s\n", "there", v->found);
  if (needed) print_need(r, ls, s);
  if (play.regs) print_unset(r, v);
  lockstep_close(ls);
  return 0;
}

static int keep(const regress_t *r, const vectors_t *v, char path[PATH], mrpb_err_t *err) {
  struct stat st;
  if (output_folder(r->dir, err) != 0) return -1;
  int n = snprintf(path, PATH, "%s/%s-%016" PRIx64 ".vec", r->dir, v->cls->stem, vectors_hash(v));
  if (n < 0 || n >= PATH) return mrpb_fail(err, "%.60s...: name too long", r->dir);
  return stat(path, &st) == 0 ? 0
                              : vectors_write(v, path, err); /* the same case is there already */
}

static void print_commands(const regress_t *r, const vectors_t *v, const char *path) {
  const char *stem = v->cls->stem;
  char file[PATH];
  report_quote(path, file, sizeof file);
  fprintf(r->out, "  %-12s%s\n", "kept", path);
  fprintf(r->out, "  %-12s%s cosim --replay %s%s --vcd %s.vcd; gtkwave %s.vcd %s.gtkw\n", "wave",
          r->program, file, r->options, stem, stem, stem);
  fprintf(r->out, "  %-12s%s cosim --replay %s%s\n", "repeat", r->program, file, r->options);
}

bool regress_keep(const regress_t *r, vectors_t *v) {
  mrpb_err_t err = {""};
  shrink_t s;
  char path[PATH];
  snprintf(v->tools, sizeof v->tools, "%s", r->tools);
  const bool terminal = isatty(fileno(r->out)) == 1;
  if (terminal)
    fprintf(r->out, "  %-12s%u s of processor time at most; Ctrl-C keeps the shortest case so far",
            "shrinking", (unsigned)(SHRINK_BUDGET / 1000));
  fflush(r->out);
  int rc = shrink(v, r->lib, SHRINK_BUDGET, r->stop, &s, &err);
  if (terminal) fprintf(r->out, "\r\033[K");
  if (rc == 0) rc = print_table(r, v, &s, &err);
  if (rc == 0 && r->dir) {
    if (keep(r, v, path, &err) == 0) {
      print_commands(r, v, path);
      if (r->kept) snprintf(r->kept, FILES_PATH, "%s", path);
    } else {
      fprintf(r->out, "  %-12snot: %s\n", "kept", err.text);
    }
  } else if (rc > 0) {
    fprintf(r->out, "  %-12snot: the last %" PRIu64 " cycles alone, after a reset, do not differ\n",
            "shrunk", v->n);
  } else if (rc < 0) {
    fprintf(r->out, "  %-12snot: %s\n", "shrunk", err.text);
  }
  fflush(r->out);
  return rc == 0;
}
