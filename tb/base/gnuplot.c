/* SPDX-License-Identifier: Apache-2.0 */
/* Axes, gnuplot's input, the SVG: see gnuplot.h. */
#include "base/gnuplot.h"

#include "base/files.h"
#include "base/memory_file.h"
#include "base/output.h"
#include "base/process.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 6, MOST_DIGITS = 17, NUMBER = 40, GNUPLOT_SECONDS = 300 };

bool gnuplot_can_show(const plot_axis_t *a, double v) {
  return isfinite(v) && !(a->log && v <= 0);
}

void gnuplot_axis_widen(plot_axis_t *a, double v) {
  if (!gnuplot_can_show(a, v)) return;
  a->least = a->any ? fmin(a->least, v) : v;
  a->most = a->any ? fmax(a->most, v) : v;
  a->any = true;
}

/* The value as gnuplot will read it: with as many digits as the width of the range needs, however
 * far the range lies from 0. */
static double rounded(double v, double low, double high, char text[NUMBER]) {
  double far = fmax(fabs(low), fabs(high)) / (high - low);
  int digits = DIGITS + (int)floor(log10(fmax(far, 1)));
  snprintf(text, NUMBER, "%.*g", digits < MOST_DIGITS ? digits : MOST_DIGITS, v);
  return strtod(text, NULL);
}

void gnuplot_axis_range(plot_script_t *s, plot_axis_t *a, double low, double high) {
  char from[NUMBER], to[NUMBER];
  if (!(low < high)) {
    double air = a->log ? low / 2 : fmax(1, fabs(low) / 100);
    high = low + air;
    low -= air;
  }
  a->low = rounded(low, low, high, from);
  a->high = rounded(high, low, high, to);
  a->ranged = a->low < a->high && isfinite(a->low) && isfinite(a->high);
  if (a->reversed)
    fprintf(s->f, "set %srange [%s:%s]\n", a->name, to, from);
  else
    fprintf(s->f, "set %srange [%s:%s]\n", a->name, from, to);
}

void gnuplot_check(plot_script_t *s, const plot_axis_t *a, const char *what, double v) {
  if (s->bad || (a->ranged && gnuplot_can_show(a, v) && v >= a->low && v <= a->high)) return;
  s->bad = true;
  (void)mrpb_fail(&s->err, "plot %s: %g of '%.80s' is outside the %s axis, %s%g to %g", s->name, v,
                  what, a->name, a->log ? "logarithmic " : "", a->low, a->high);
}

void gnuplot_value(plot_script_t *s, const plot_axis_t *a, const char *what, double v) {
  gnuplot_check(s, a, what, v);
  fprintf(s->f, " %.12g", v);
}

/* In single quotes only the quote itself has a meaning; in double quotes gnuplot would execute text
 * between backquotes. */
void gnuplot_text(plot_script_t *s, const char *text) {
  fputc('\'', s->f);
  for (; *text; text++) {
    if (*text == '\'') fputc('\'', s->f);
    fputc((unsigned char)*text < ' ' ? ' ' : *text, s->f);
  }
  fputc('\'', s->f);
}

/* The input is completed before gnuplot starts, so a plot that fails its own check is never
 * drawn. */
static char *write_script(const char *name, const char *svg, plot_script_fn *script,
                          const void *data, mrpb_err_t *err) {
  char *text = NULL;
  size_t size = 0;
  plot_script_t s = {.f = memory_file(&text, &size), .name = name};
  if (!s.f) return mrpb_fail(err, "plot %s: out of memory", name), NULL;
  script(&s, data, svg);
  bool lost = ferror(s.f) != 0;
  if (fclose(s.f) == 0 && !lost && !s.bad) return text;
  free(text);
  return mrpb_fail(err, "%s", s.bad ? s.err.text : "out of memory for gnuplot's input"), NULL;
}

static bool run_gnuplot(const char *text) {
  static const char *const argv[] = {"gnuplot", "-d",
                                     NULL}; /* ignores the settings of user and host */
  const process_t p = {.argv = argv, .in = text, .seconds = GNUPLOT_SECONDS, .no_errors = true};
  process_result_t r;
  if (process_run(&p, &r, NULL) != 0) return false;
  free(r.text);
  return r.end == PROCESS_EXITED && r.code == 0;
}

/* gnuplot does not report a full disk, so its output must have the proper end: of an SVG, or of a
 * PNG (its last chunk's name and checksum). */
static bool is_complete(const char *picture) {
  static const char svg[] = "</svg>", png[] = "IEND\xae\x42\x60\x82";
  enum { PNG = sizeof png - 1 };
  char tail[16] = "";
  FILE *f = fopen(picture, "r");
  if (!f) return false;
  bool good = fseek(f, -(long)(sizeof tail - 1), SEEK_END) == 0;
  good = good && fread(tail, 1, sizeof tail - 1, f) == sizeof tail - 1;
  good = good && (strstr(tail, svg) || memcmp(tail + sizeof tail - 1 - PNG, png, PNG) == 0);
  fclose(f);
  return good;
}

bool gnuplot_there(void) {
  char path[FILES_PATH];
  return process_find("gnuplot", path, sizeof path);
}

int gnuplot_draw(const char *path, const char *temp, const char *name, plot_script_fn *script,
                 const void *data, mrpb_err_t *err) {
  char *text = write_script(name, temp, script, data, err);
  if (!text) return -1;
  bool good = run_gnuplot(text) && is_complete(temp);
  free(text);
  if (good) return 0;
  output_discard(path, temp);
  return mrpb_fail(
      err, "%s: gnuplot failed; legal: gnuplot installed, a folder that can be written", path);
}
