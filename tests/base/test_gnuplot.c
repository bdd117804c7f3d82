/* SPDX-License-Identifier: Apache-2.0 */
/* Plots show what they should: a value outside its axis fails the plot, text is never a command,
 * and a picture is complete or absent. Also examines the pictures of docs/figures as pictures. */
#include "base/gnuplot.h"

#include "base/output.h"
#include "svg_look.h"

#include <check.h>
#include <dirent.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

Suite *test_gnuplot_suite(void);

typedef struct {
  bool log, reversed;
  double low, high, v; /* low: of the axis; NAN: the axis is made for v */
  const char *text;
} one_t;

/* A plot of one value. */
static void script(plot_script_t *s, const void *data, const char *svg) {
  const one_t *o = data;
  plot_axis_t y = {.name = "y", .log = o->log, .reversed = o->reversed};
  fprintf(s->f, "set terminal svg\nset output ");
  gnuplot_text(s, svg);
  fprintf(s->f, "\nset title ");
  gnuplot_text(s, o->text ? o->text : "");
  fprintf(s->f, "\n%s", o->log ? "set logscale y\n" : "");
  gnuplot_axis_widen(&y, o->v);
  gnuplot_axis_range(s, &y, isnan(o->low) ? y.least : o->low, isnan(o->low) ? y.most : o->high);
  fprintf(s->f, "$d << END\n0");
  gnuplot_value(s, &y, "the value", o->v);
  fprintf(s->f, "\nEND\nplot $d using 1:2 with points\n");
}

static const one_t inside[] = {
    {.low = 0, .high = 1, .v = 1},
    {.low = -3, .high = -1, .v = -3},
    {.low = 1e9 + 1, .high = 1e9 + 3, .v = 1e9 + 3}, /* six digits would cut it off */
    {.low = 1e15, .high = 1e15 + 4, .v = 1e15 + 1},
    {.low = NAN, .v = 5}, /* an axis without extent gets some */
    {.low = NAN, .v = 0},
    {.low = NAN, .v = -1e12},
    {.low = NAN, .v = 1e-3, .log = true},
    {.log = true, .low = 1e-300, .high = 1e300, .v = 1e-300},
    {.reversed = true, .low = -0.8, .high = 7.8, .v = -0.36},
};
static const one_t outside[] = {
    {.low = 0, .high = 1.25, .v = 2.76},
    {.low = 0, .high = 1, .v = -1e-9},
    {.low = 0, .high = 1, .v = NAN},
    {.low = 0, .high = 1, .v = INFINITY},
    {.log = true, .low = 1, .high = 8, .v = 0.5},
    {.log = true, .low = 1, .high = 8, .v = 0},
    {.log = true, .low = -8, .high = 8, .v = -1},
    {.reversed = true, .low = -0.8, .high = 7.8, .v = 8},
    {.low = -INFINITY, .high = INFINITY, .v = 1},
};

static void path_of(char path[64], char folder[32]) {
  strcpy(folder, "build/tmp/mrpb_gnuplot_XXXXXX");
  ck_assert_ptr_nonnull(mkdtemp(folder));
  snprintf(path, 64, "%s/p.svg", folder);
}

static int draw(const char *path, plot_script_fn *write, const void *data, mrpb_err_t *err) {
  char temp[OUTPUT_NAME];
  if (output_temp(path, temp, err) != 0) return -1;
  if (gnuplot_draw(path, temp, "p", write, data, err) != 0) return -1;
  return output_commit(path, temp, err);
}

START_TEST(holds) {
  char path[64], folder[32];
  mrpb_err_t err = {{0}};
  path_of(path, folder);
  ck_assert_msg(draw(path, script, &inside[_i], &err) == 0, "%s", err.text);
  ck_assert_int_eq(unlink(path), 0);
  ck_assert_int_eq(rmdir(folder), 0); /* nothing else is left */
}
END_TEST

START_TEST(refuses) {
  char path[64], folder[32];
  mrpb_err_t err = {{0}};
  path_of(path, folder);
  ck_assert_int_eq(draw(path, script, &outside[_i], &err), -1);
  ck_assert_msg(strstr(err.text, "plot p: ") && strstr(err.text, "of 'the value' is outside the y"),
                "%s", err.text);
  ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

/* What gnuplot would run, or end on, is shown. */
START_TEST(only_text) {
  char path[64], folder[32], command[128], found[1 << 16] = "";
  mrpb_err_t err = {{0}};
  path_of(path, folder);
  snprintf(command, sizeof command, "`touch %s/ran` ' \" \\n $d END\n_^{x}", folder);
  const one_t o = {.low = 0, .high = 2, .v = 1, .text = command};
  ck_assert_msg(draw(path, script, &o, &err) == 0, "%s", err.text);
  FILE *f = fopen(path, "r");
  ck_assert_uint_gt(fread(found, 1, sizeof found - 1, f), 0);
  fclose(f);
  ck_assert_ptr_nonnull(strstr(found, "`touch"));
  ck_assert_int_eq(unlink(path), 0);
  ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

/* ---- the pictures of docs/figures ------------------------------------------ */

/* No bar is cut off, and a page of 900 pixels shows all of them as they are. */
START_TEST(pictures) {
  DIR *d = opendir("docs/figures");
  char path[512], head[512];
  unsigned n = 0, width;
  ck_assert_ptr_nonnull(d);
  for (const struct dirent *e; (e = readdir(d)) != NULL;) {
    if (!strstr(e->d_name, ".svg")) continue;
    snprintf(path, sizeof path, "docs/figures/%s", e->d_name);
    FILE *f = fopen(path, "r");
    head[fread(head, 1, sizeof head - 1, f)] = '\0';
    fclose(f);
    const char *at = strstr(head, "viewBox=");
    ck_assert_msg(at && sscanf(at, "viewBox=\"0 0 %u", &width) == 1 && width <= 900, "%s: too wide",
                  path);
    svg_look_at(path);
    n++;
  }
  closedir(d);
  ck_assert_uint_ge(n, 13);
}
END_TEST

Suite *test_gnuplot_suite(void) {
  Suite *s = suite_create("gnuplot");
  TCase *t = tcase_create("plots");
  tcase_set_timeout(t, 60); /* gnuplot is slow to start */
  tcase_add_loop_test(t, holds, 0, sizeof inside / sizeof *inside);
  tcase_add_loop_test(t, refuses, 0, sizeof outside / sizeof *outside);
  tcase_add_test(t, only_text);
  tcase_add_test(t, pictures);
  suite_add_tcase(s, t);
  return s;
}
