/* SPDX-License-Identifier: Apache-2.0 */
/* Reads and judges tallies of the crosses. */
#include "cosim/tally.h"

#include "cosim/cross/cells.h"
#include "cosim/run.h"
#include "cosim/vectors/vectors.h"
#include "base/output.h"
#include "base/input.h"

#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { PATH = 1024, LINE = 128 };

static const char first_line[] = "mrpb-tally 1";

static int write_cells(const char *path, const cross_class_t *cross, const cross_counts_t *counts,
                       mrpb_err_t *err) {
  char temp[OUTPUT_NAME];
  FILE *f = output_open(path, temp, err);
  if (!f) return -1;
  fprintf(f, "%s %s\n", first_line, cross->stem);
  for (unsigned i = 0; i < cross->n; i++)
    for (unsigned cell = 0; cell < cross_cells(&cross->crosses[i]); cell++)
      fprintf(f, "%s %u %" PRIu64 "\n", cross->crosses[i].name, cell, counts->count[i][cell]);
  return output_close(f, false, path, temp, err);
}

int tally_write(const char *dir, const module_class_t *cls, const uint32_t *cfg,
                const cross_counts_t *counts, mrpb_err_t *err) {
  const cross_class_t *cross = cross_class(cls->stem);
  char path[PATH];
  if (!cross) return mrpb_fail(err, "%s has no crosses", cls->stem);
  if (mkdir(dir, 0777) != 0 && errno != EEXIST)
    return mrpb_fail(err, "--tally %s: cannot make the folder: %s", dir, strerror(errno));
  int n = snprintf(path, sizeof path, "%s/%s-%016" PRIx64 ".tally", dir, cls->stem,
                   vectors_config_hash(cls, cfg));
  if (n < 0 || n >= PATH) return mrpb_fail(err, "--tally %.60s...: name too long", dir);
  return write_cells(path, cross, counts, err);
}

/* ---- reading ---------------------------------------------------------------- */

enum { MODULES = 64 };

typedef struct {
  const cross_class_t *cross[MODULES];
  cross_counts_t counts[MODULES];
  unsigned runs[MODULES];
} sum_t;

static int add_cell(const cross_class_t *cross, cross_counts_t *counts, const char *line) {
  char name[LINE];
  unsigned cell;
  uint64_t n;
  if (sscanf(line, "%127s %u %" SCNu64, name, &cell, &n) != 3) return -1;
  for (unsigned i = 0; i < cross->n; i++)
    if (strcmp(cross->crosses[i].name, name) == 0 && cell < cross_cells(&cross->crosses[i])) {
      counts->count[i][cell] += n;
      return 0;
    }
  return -1;
}

typedef struct {
  sum_t *sum;
  unsigned m; /* the module of these counts */
  bool begun;
} tally_file_t;

static int take_line(void *ctx, char *line, mrpb_err_t *why) {
  tally_file_t *t = ctx;
  sum_t *sum = t->sum;
  char stem[LINE] = "";
  if (t->begun && add_cell(sum->cross[t->m], &sum->counts[t->m], line) == 0) return 0;
  if (t->begun)
    return mrpb_fail(why, "no cell of %s: written by another version?", sum->cross[t->m]->stem);
  t->begun = true;
  if (strncmp(line, first_line, strlen(first_line)) == 0 &&
      sscanf(line + strlen(first_line), " %127s", stem) == 1)
    for (; t->m < MODULES && sum->cross[t->m]; t->m++)
      if (strcmp(sum->cross[t->m]->stem, stem) == 0) return 0;
  return mrpb_fail(why, "begins with '%s' and a module; this one does not", first_line);
}

static int add_file(sum_t *sum, const char *path, mrpb_err_t *err) {
  tally_file_t t = {.sum = sum};
  if (input_lines(path, take_line, &t, err) != 0) return -1;
  if (!t.begun) return mrpb_fail(err, "%s: empty; legal: '%s' and a module", path, first_line);
  sum->runs[t.m]++;
  return 0;
}

static int add_folder(sum_t *sum, const char *dir, mrpb_err_t *err) {
  DIR *d = opendir(dir);
  int rc = 0;
  if (!d) return mrpb_fail(err, "--tallied %s: cannot read the folder: %s", dir, strerror(errno));
  for (struct dirent *e = readdir(d); e && rc == 0; e = readdir(d)) {
    char path[PATH];
    const char *end = strrchr(e->d_name, '.');
    if (!end || strcmp(end, ".tally") != 0) continue;
    int n = snprintf(path, sizeof path, "%s/%s", dir, e->d_name);
    rc = n > 0 && n < PATH ? add_file(sum, path, err)
                           : mrpb_fail(err, "%.60s...: name too long", dir);
  }
  closedir(d);
  return rc;
}

static bool is_empty(const sum_t *sum) {
  for (unsigned m = 0; sum->cross[m]; m++)
    if (sum->runs[m] > 0) return false;
  return true;
}

/* ---- judging ---------------------------------------------------------------- */

typedef struct {
  unsigned cells, hit, excluded, wrong;
} verdict_t;

static void judge_cross(const cross_class_t *cls, const cross_counts_t *counts, unsigned i,
                        verdict_t *v, FILE *out) {
  const cross_t *cross = &cls->crosses[i];
  for (unsigned cell = 0; cell < cross_cells(cross); cell++) {
    char name[CROSS_TEXT];
    const char *reason = cross_reason(cls, cross, cell);
    const uint64_t n = counts->count[i][cell];
    v->cells += !reason;
    v->excluded += reason != NULL;
    v->hit += !reason && n > 0;
    if (!reason == (n > 0)) continue;
    v->wrong++;
    cross_cell_name(cross, cell, name);
    if (reason)
      fprintf(out, "%s: %s: %s: cannot be (%s), but was, %" PRIu64 " times\n", cls->stem,
              cross->name, name, reason, n);
    else
      fprintf(out, "%s: %s: %s: never happened\n", cls->stem, cross->name, name);
  }
}

static int judge(const sum_t *sum, FILE *out) {
  int rc = COSIM_MATCHED;
  for (unsigned m = 0; sum->cross[m]; m++) {
    const cross_class_t *cls = sum->cross[m];
    verdict_t v = {0};
    for (unsigned i = 0; i < cls->n; i++) judge_cross(cls, &sum->counts[m], i, &v, out);
    fprintf(out, "%-16s %3u of %3u cells of %u crosses, %3u cannot be, %u runs%s\n", cls->stem,
            v.hit, v.cells, cls->n, v.excluded, sum->runs[m], v.wrong ? "  FAILED" : "");
    if (v.wrong) rc = COSIM_DIFFERENT;
  }
  return rc;
}

int tally_judge(const char *dir, FILE *out, mrpb_err_t *err) {
  sum_t *sum = calloc(1, sizeof *sum);
  if (!sum) {
    mrpb_fail(err, "out of memory");
    return COSIM_BAD_TOOL;
  }
  for (unsigned m = 0; m + 1 < MODULES && module_class_at(m); m++)
    sum->cross[m] = cross_class(module_class_at(m)->stem);
  int rc = COSIM_BAD_INPUT;
  if (add_folder(sum, dir, err) == 0)
    rc = is_empty(sum) ? (mrpb_fail(err,
                                    "--tallied %s: no .tally file in it; legal: a folder that "
                                    "`--tally` has filled",
                                    dir),
                          COSIM_BAD_INPUT)
                       : judge(sum, out);
  free(sum);
  return rc;
}

void tally_markdown(FILE *out) {
  for (unsigned m = 0; module_class_at(m); m++) {
    const cross_class_t *cls = cross_class(module_class_at(m)->stem);
    fprintf(out, "### %s\n\n| cross | axes |\n| --- | --- |\n", cls->stem);
    for (unsigned i = 0; i < cls->n; i++) {
      const cross_t *cross = &cls->crosses[i];
      fprintf(out, "| %s: %s |", cross->name, cross->doc);
      for (unsigned a = 0; a < CROSS_AXES && cross->axes[a].name; a++) {
        fprintf(out, "%s %s (", a ? " x" : "", cross->axes[a].name);
        for (unsigned k = 0; cross->axes[a].values[k]; k++)
          fprintf(out, "%s%s", k ? ", " : "", cross->axes[a].values[k]);
        fprintf(out, ")");
      }
      fprintf(out, " |\n");
    }
    if (cls->n_gaps) fprintf(out, "\n| cells that cannot be | why |\n| --- | --- |\n");
    for (unsigned g = 0; g < cls->n_gaps; g++) {
      fprintf(out, "| %s: ", cls->gaps[g].cross);
      cross_print_pattern(cls->gaps[g].cells, out);
      fprintf(out, " | %s |\n", cls->gaps[g].reason);
    }
    fprintf(out, "\n");
    const cells_class_t *cells = cells_class(cls->stem);
    if (cells) cells_markdown(cells, out);
  }
}
